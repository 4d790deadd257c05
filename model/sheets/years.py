"""Years: what a design buys and pays year by year, and what that is worth today.

A year holds the demand at its end (Growth). Arrays bought earlier and younger than their life are left; what is missing
is bought at the start of the year. Arrays, installation, hosts, support and licences are paid in advance, at the start
of the year; power, rack space and administration at its end, and so is the resale at the end of the last year.

Prices enter as a figure apart: `share` rows count what is paid in prices of one array today, so that the price at which
a design costs as much as another one follows without knowing any price of it.
"""

import re

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets.growth import YEARS, of_year

_ITEM = re.compile(r"<(\w+)(-1|\.\.-1|\.\.)?>")
_LEFT = '">"&TEXT(<oldest>,"0")'


class _Item:
    """Seven rows, one a year, with one formula: <item> is the same year's cell of an item, <item-1> that of the year
    before, <item..> the block from the first year to this one, <item..-1> to the year before.
    """

    def __init__(self, key: str, label: str, unit: str, formula: str, basis: str) -> None:
        self.key, self.label, self.unit, self.formula, self.basis = key, label, unit, formula, basis

    def rows(self) -> list[Line | Group]:
        """Return the heading and the lines of an item."""
        return [
            Group(self.label, of_year(self.key, 0)),
            *(
                Line(
                    of_year(self.key, year),
                    f"{self.label}, year {year}",
                    self.unit,
                    _of_year(self.formula, year),
                    self.basis,
                    text_lines=1,
                )
                for year in YEARS
            ),
        ]


def _of_year(formula: str, year: int) -> str:
    """Return the formula of an item in one year."""

    def cells(match: re.Match[str]) -> str:
        key, which = match.groups()
        last = of_year(key, year - 1 if which in ("-1", "..-1") else year)
        return f"{{until:{of_year(key, 0)}:{last}}}" if which in ("..", "..-1") else f"{{{last}}}"

    fixed = re.sub(r"\{(\w+)\}", r"{fixed:\1}", formula)
    return _ITEM.sub(cells, fixed)


def all_years(key: str) -> str:
    """Return an item's rows for a formula's brackets."""
    return f"{{range:{of_year(key, YEARS[0])}:{of_year(key, YEARS[-1])}}}"


def _bought(prefix: str, words: str, needed: str) -> tuple[_Item, ...]:
    """Return what is needed, bought and owned of the desktops' arrays or of those for containers."""
    return (
        _Item(f"{prefix}needed", f"{words} needed", "arrays", needed, "Growth; never below those installed"),
        _Item(
            f"{prefix}bought",
            f"{words} bought",
            "arrays",
            f"=MAX(0,<{prefix}needed>-SUMIFS(<{prefix}bought..-1>,<in_year..-1>,{_LEFT}))",
            "Needed less those bought before that are younger than the life",
        ),
        _Item(
            f"{prefix}owned",
            f"{words} owned",
            "arrays",
            f"=SUMIFS(<{prefix}bought..>,<in_year..>,{_LEFT})",
            "Bought, and younger than the life",
        ),
    )


def _shares(prefix: str, words: str, included: str) -> tuple[_Item, ...]:
    """Return what is paid for arrays and their support, in prices of one array today."""
    return (
        _Item(
            f"{prefix}price_share",
            f"{words} bought, in prices of today",
            "ratio",
            f"=<{prefix}bought>*<price_factor>*<counted>",
            "Arrays x change of the price, before discount",
        ),
        _Item(
            f"{prefix}support_share",
            f"Support of {words[0].lower()}{words[1:]}, in prices of today",
            "ratio",
            f"=<counted>*{{{prefix}support_factor}}*SUMIFS(<{prefix}price_share..>,<in_year..>,{_LEFT},"
            f'<in_year..>,"<="&TEXT(<in_year>-INT({{{included}}}),"0"))',
            "Of those older than the years their price includes and younger than the life",
        ),
        _Item(
            f"{prefix}resale_share",
            f"Resale of {words[0].lower()}{words[1:]}, in prices of today",
            "ratio",
            f"=<{prefix}price_share>*(1-{{{prefix}discount}})*<unexpired>*{{resale_ratio}}",
            "Paid that year x life left at the end x resale",
        ),
    )


ITEMS: tuple[_Item, ...] = (
    _Item("in_year", "Year", "count", "=<year>", "Growth"),
    _Item("oldest", "Bought before the end of this year: past its life", "count", "=<in_year>-{array_life_years}",
          "Year - life"),
    _Item("counted", "The year is looked at", "flag", "=IF(<in_year>>{years},0,1)", "Years looked at"),
    *_bought("", "Arrays", "=MAX({arrays_installed},<arrays_required>)"),
    *_bought("container_", "Arrays for containers", "=<container_arrays>"),
    _Item("need", "Arrays needed, unrounded", "arrays", "=<ratio_largest>", "Growth: the largest of the ratios"),
    _Item("load", "Load on the busiest limit", "ratio", "=<need>/MAX(1,<owned>-{nodes_spare})",
          "Unrounded need over the arrays or nodes that carry it"),
    _Item("asks", "What asks for them", "text", "=<binding_constraint>", "Growth: the largest of the ratios"),
    _Item("price_factor", "Price of an array over that of today", "ratio", "=(1+{price_change_ratio})^(<in_year>-1)",
          "Change of the price per year"),
    _Item("unexpired", "Life left at the end of an array bought this year", "ratio",
          "=MAX(0,{array_life_years}-({years}-<in_year>+1))/{array_life_years}", "Over the life"),
    *_shares("", "Arrays", "support_included_years"),
    *_shares("container_", "Arrays for containers", "container_support_included"),
    _Item("arrays_paid", "Arrays bought, paid", "USD", "=(1-{discount})*<price_share>*{array_price}"
          "+(1-{container_discount})*<container_price_share>*{container_array_price}",
          "In prices of today x price x (1 - discount)"),
    _Item("support_paid", "Support paid", "USD", "=<support_share>*{array_price}+<container_support_share>"
          "*{container_array_price}", "In advance"),
    _Item("installation_due", "Installation paid", "USD",
          "=(<bought>+<container_bought>)*MAX(0,{installation_cost})*<counted>", "With the arrays"),
    _Item("hosts", "Hosts needed", "count", "=<hosts_required>", "Growth"),
    _Item("hosts_paid", "Hosts paid", "USD",
          "=MAX(0,<hosts>-SUM(<hosts-1>))*MAX(0,{host_price})*{hosts_apart}*<counted>",
          "Only where a price of hosts is entered and the array's does not cover them; not replaced"),
    _Item("running_factor", "Running costs over those of today", "ratio",
          "=(1+{cost_change_ratio})^(<in_year>-1)*<counted>", "Change of running costs per year"),
    _Item("licences_paid", "Licences paid", "USD",
          "=MAX(0,{licence_cost_per_desktop_year})*<desktops>*<running_factor>", "In advance, for the year's desktops"),
    _Item("power_paid", "Power and cooling paid", "USD",
          "=(<owned>+<container_owned>)*{power_cost}*<running_factor>", "At the end of the year"),
    _Item("rack_paid", "Rack space paid", "USD",
          "=(<owned>+<container_owned>)*{rack_cost}*<running_factor>", "At the end of the year"),
    _Item("admin_paid", "Administration paid", "USD",
          "=(<owned>+<container_owned>)*{admin_cost}*<running_factor>", "At the end of the year"),
    _Item("is_last", "The last year looked at", "flag", "=IF(<in_year>={years},1,0)", "Years looked at"),
    _Item("resale", "Resale", "USD", "=<is_last>*(SUM(<resale_share..>)*{array_price}"
          "+SUM(<container_resale_share..>)*{container_array_price})", "Received at the end of the last year"),
    _Item("advance", "Paid at the start of the year", "USD",
          "=<arrays_paid>+<support_paid>+<installation_due>+<hosts_paid>+<licences_paid>", "In advance"),
    _Item("arrears", "Paid at the end of the year, less resale", "USD",
          "=<power_paid>+<rack_paid>+<admin_paid>-<resale>", "In arrears"),
    _Item("paid", "Paid in the year", "USD", "=<advance>+<arrears>", "Sum"),
    _Item("so_far", "Paid so far", "USD", "=SUM(<paid..>)", "Sum of the years up to it"),
    _Item("start_factor", "Worth today of 1 paid at the start of the year", "ratio",
          "=<counted>/(1+{capital_rate_ratio})^(<in_year>-1)", "Rate of capital"),
    _Item("present", "Present value", "USD", "=<start_factor>*(<advance>+<arrears>/(1+{capital_rate_ratio}))",
          "Start of year 1"),
    _Item("multiplier_part", "Present value of what a price of 1 would add", "ratio",
          "=<start_factor>*(<price_share>*(1-{discount})+<support_share>"
          "-<is_last>*SUM(<resale_share..>)/(1+{capital_rate_ratio}))",
          "Purchases and support less resale"),
    _Item("desktops_before", "Desktops at the start of the year", "desktops",
          "=MAX(1,ROUNDUP({provisioned_desktops}*(1+{growth_per_year_ratio})^(<in_year>-1),0))",
          "Of the design x (1 + growth) ^ years before"),
    _Item("desktop_months", "Desktop-months, discounted", "desktops",
          "={month_factor}*<start_factor>*AVERAGE(<desktops>,<desktops_before>)",
          "Desktops in the middle of the year x months, counted half a year in"),
    _Item("array_months", "Array-months, discounted", "arrays",
          "={month_factor}*<start_factor>*<owned>", "Arrays owned x months, counted half a year in"),
    _Item("depreciation", "Straight-line depreciation", "USD",
          f"=SUMIFS(<arrays_paid..>,<in_year..>,{_LEFT})/{{array_life_years}}*<counted>", "Memo, over the life"),
    _Item("again", "Arrays, for desktops or containers, are bought after year 1", "flag",
          "=IF(MIN(<in_year>-1,<bought>+<container_bought>,<counted>)>0,1,0)",
          "Within the years looked at"),
)  # fmt: skip


PAIRS = (  # both halves or neither; what else their product is multiplied by
    (
        "power",
        "power_w",
        "tariff_per_kwh",
        "*{pue_ratio}*{unit:hours_per_year}/{unit:w_per_kw}",
    ),
    ("rack", "rack_u", "rack_cost_per_u_year", ""),
    ("admin", "admin_h_per_year", "admin_cost_per_h", ""),
)
_WORDS = {"power": "power", "rack": "rack space", "admin": "administration"}


def _pair(key: str, first: str, second: str, more: str) -> tuple[Line, ...]:
    """Return the yearly cost of one array that two inputs tell, and the words where one of them is missing."""
    words = _WORDS[key]
    return (
        Line(
            f"{key}_cost",
            f"{words[0].upper()}{words[1:]}: of one array a year",
            "USD",
            f"=MAX(0,{{{first}}})*MAX(0,{{{second}}}){more}",
            "Product of the two; 0 = not counted while one is missing",
        ),
        Line(
            f"{key}_left_out",
            f"{words[0].upper()}{words[1:]}: left out",
            "text",
            f'=CHOOSE(1+COUNTIF({{{first}}},">=0")+COUNTIF({{{second}}},">=0"),"{words}, ","half of {words}, ","")',
            "Both are needed",
            text_lines=1,
        ),
    )


TOP: tuple[Line | Group, ...] = (
    Group("Figures of the design"),
    Line(
        "hosts_apart",
        "Hosts are paid apart",
        "flag",
        '=COUNTIF({price_covers_hosts},"no")*(1-{quote_covers_hosts})',
        "0 = the price of a node covers them: Inputs, or the card whose quote counts",
    ),
    *(line for pair in PAIRS for line in _pair(*pair)),
    Line(
        "month_factor",
        "Months of a year, counted half a year later",
        "ratio",
        "={unit:months_per_year}/SQRT(1+{capital_rate_ratio})",
        "Desktops and arrays in the middle of a year",
    ),
)
SHEET = GridSheet(
    name="Years",
    title="Years",
    purpose="What every design buys and pays year by year, and what that is worth today",
    rows=(*TOP, *(row for item in ITEMS for row in item.rows())),
    published=False,
)

TAB = gridwriter.tab("Years", "What is bought and paid year by year", lambda _: SHEET)
