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
from model.sheets.money.growth import YEARS, of_year

_ITEM = re.compile(r"<(\w+)(-1|\.\.-1|\.\.)?>")
_ALIVE = '">"&TEXT(<in_year>-{array_life_years},"0")'  # bought so late that the year is within their life


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


def _bought(prefix: str, words: str) -> tuple[_Item, ...]:
    """Return what is bought and owned of the desktops' arrays or of those for containers."""
    return (
        _Item(
            f"{prefix}bought",
            f"{words} bought",
            "arrays",
            f"=MAX(0,<{prefix}needed>-SUMIFS(<{prefix}bought..-1>,<in_year..-1>,{_ALIVE}))",
            "Needed less those bought before that are younger than the life",
        ),
        _Item(
            f"{prefix}owned",
            f"{words} owned",
            "arrays",
            f"=SUMIFS(<{prefix}bought..>,<in_year..>,{_ALIVE})",
            "Bought, and younger than the life",
        ),
    )


def _shares(prefix: str, words: str, included: str) -> tuple[_Item, ...]:
    """Return what is paid for arrays and their support, in prices of one array today."""
    return (
        _Item(
            f"{prefix}price_share",
            f"{words} bought, in today's prices",
            "ratio",
            f"=<{prefix}bought>*(1+{{price_change_ratio}})^(<in_year>-1)*<counted>",
            "Arrays x (1 + change of the price) ^ years before, before discount",
        ),
        _Item(
            f"{prefix}support_share",
            f"Support of {words[0].lower()}{words[1:]}, in today's prices",
            "ratio",
            f"=<counted>*{{{prefix}support_factor}}*SUMIFS(<{prefix}price_share..>,<in_year..>,{_ALIVE},"
            f'<in_year..>,"<="&TEXT(<in_year>-INT({{{included}}}),"0"))',
            "Of those older than the years their price includes and younger than the life",
        ),
    )


ITEMS: tuple[_Item, ...] = (  # each with one formula for its seven rows but for the links to Growth
    _Item("in_year", "Year", "count", "=<year>", "Growth"),
    _Item("asked", "Arrays required", "arrays", "=<arrays_required>", "Growth"),
    _Item("container_needed", "Arrays for containers needed", "arrays", "=<container_arrays>", "Growth"),
    _Item("need", "Arrays needed, unrounded", "arrays", "=<ratio_largest>", "Growth: the largest of the ratios"),
    _Item("asks", "Limited by", "text", "=<binding_constraint>", "Growth: the largest of the ratios"),
    _Item("hosts", "Hosts needed", "count", "=<hosts_required>", "Growth"),
    _Item("counted", "The year is counted", "flag", "=IF(<in_year>>{years},0,1)", "Planning horizon"),
    _Item("needed", "Arrays needed", "arrays", "=MAX({arrays_installed},<asked>)", "Never below those installed"),
    *_bought("", "Arrays"),
    *_bought("container_", "Arrays for containers"),
    *_shares("", "Arrays", "support_included_years"),
    *_shares("container_", "Arrays for containers", "container_support_included"),
    _Item("replaced_share", "Arrays bought in place of old ones, in today's prices", "ratio",
          "=MAX(0,<bought>-MAX(0,<needed>-MAX(<needed..-1>)))*(1+{price_change_ratio})^(<in_year>-1)*<counted>",
          "Bought less what is needed beyond every year before"),
    _Item("hosts_bought", "Hosts bought", "count",
          f"=MAX(0,<hosts>-SUMIFS(<hosts_bought..-1>,<in_year..-1>,{_ALIVE}))*<counted>",
          "Needed less those bought before that are younger than the life of an array"),
    _Item("host_share", "Hosts bought, in today's prices", "ratio",
          "=<hosts_bought>*(1+{price_change_ratio})^(<in_year>-1)", "As for arrays"),
    _Item("host_support_share", "Support of hosts, in today's prices", "ratio",
          f"=<counted>*{{support_ratio}}*SUMIFS(<host_share..>,<in_year..>,{_ALIVE},"
          f'<in_year..>,"<="&TEXT(<in_year>-INT({{support_included_years}}),"0"))', "As for arrays"),
    _Item("arrays_paid", "Arrays bought, paid", "USD",
          "={array_net}*<price_share>+{container_net}*<container_price_share>",
          "In today's prices x price after discount"),
    _Item("equipment_paid", "Arrays and hosts bought, paid", "USD", "=<arrays_paid>+<host_share>*{host_cost}",
          "Hosts if they are paid separately"),
    _Item("support_paid", "Support paid", "USD", "=<support_share>*{array_price}+<container_support_share>"
          "*{container_array_price}+<host_support_share>*{host_cost}", "In advance"),
    _Item("installation_due", "Installation paid", "USD",
          "=(<bought>+<container_bought>)*MAX(0,{installation_cost})*<counted>", "With the arrays"),
    _Item("licences_paid", "Licences paid", "USD",
          "=MAX(0,{licence_cost_per_desktop_year})*<desktops>*(1+{cost_change_ratio})^(<in_year>-1)*<counted>",
          "In advance, for the year's desktops"),
    _Item("running", "Arrays that run, at today's running costs", "arrays",
          "=(<owned>+<container_owned>)*(1+{cost_change_ratio})^(<in_year>-1)*<counted>",
          "Owned x (1 + change of running costs) ^ years before"),
    _Item("depreciation", "Straight-line depreciation", "USD",
          f"=SUMIFS(<equipment_paid..>,<in_year..>,{_ALIVE})/{{array_life_years}}*<counted>", "Memo, over the life"),
    _Item("unexpired", "Life left at the end of what is bought this year", "ratio",
          "=MAX(0,{array_life_years}-({years}-<in_year>+1))/{array_life_years}", "Over the life"),
    _Item("resale", "Resale", "USD",
          "=IF(<in_year>={years},{resale_ratio}*SUMPRODUCT(<equipment_paid..>,<unexpired..>),0)",
          "Resale x what was paid x life left; received at the end of the last year"),
    _Item("paid", "Paid in the year", "USD",
          "=<equipment_paid>+<support_paid>+<installation_due>+<licences_paid>+<running>*{running_cost}-<resale>",
          "Sum, less resale"),
    _Item("start_factor", "Present value of 1 paid at the start of the year", "ratio",
          "=<counted>/(1+{capital_rate_ratio})^(<in_year>-1)", "Cost of capital"),
    _Item("present", "Present value", "USD",
          "=<start_factor>*(<paid>-(<running>*{running_cost}-<resale>)*(1-1/(1+{capital_rate_ratio})))",
          "Paid at the start of the year, but for running costs and resale: those a year later"),
    _Item("desktop_months", "Desktop-months, discounted", "desktops",
          "={month_factor}*<start_factor>*AVERAGE(<desktops>,"
          "MAX(1,ROUNDUP({provisioned_desktops}*(1+{growth_per_year_ratio})^(<in_year>-1),0)))",
          "Desktops in the middle of the year x months, counted half a year in"),
    _Item("again", "Arrays, for desktops or containers, are bought after year 1", "flag",
          "=IF(MIN(<in_year>-1,<bought>+<container_bought>,<counted>)>0,1,0)",
          "Within the years looked at"),
    _Item("last_purchase", "Last year in which arrays or hosts were bought", "count",
          "=MAX(SUM(<last_purchase-1>),<in_year>*SIGN(<bought>+<container_bought>+<hosts_bought>*{host_cost})"
          "*<counted>)", "Up to this year"),
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
        "Hosts are paid separately",
        "flag",
        '=COUNTIF({price_covers_hosts},"no")*(1-{quote_covers_hosts})',
        "0 = the price of a node covers them: Inputs, or the card whose quote counts",
    ),
    Line(
        "host_cost",
        "Price of a host that is paid separately",
        "USD",
        "=MAX(0,{host_price})*{hosts_apart}",
        "0 = none is entered, or the price of a node covers them",
    ),
    *(
        Line(
            f"{key}_net",
            f"Price of one array{of}, net of discount",
            "USD",
            f"={{{prefix}array_price}}*(1-{{{prefix}discount}})",
            "Of today; 0 = no quote",
        )
        for key, prefix, of in (("array", "", ""), ("container", "container_", " for containers"))
    ),
    *(line for pair in PAIRS for line in _pair(*pair)),
    Line(
        "running_cost",
        "Running costs of one array a year",
        "USD",
        "=" + "+".join(f"{{{key}_cost}}" for key, *_ in PAIRS),
        "Power with cooling, rack space, administration; paid at the end of the year",
    ),
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
    purpose="What every design buys and pays year by year, and its present value",
    rows=(*TOP, *(row for item in ITEMS for row in item.rows())),
    published=False,
)

TAB = gridwriter.tab("Years", "What is bought and paid year by year", lambda _: SHEET)
