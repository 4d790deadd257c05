"""Reconciliation: every part from the list price to what is paid and to what it is worth today; horizon and growth.

Rows of Net cost; Cost review shows the parts line by line, a check adds them up.
"""

from model.layout.line import Group, Line
from model.sheets.money.growth import YEARS, of_year
from model.sheets.money.years import all_years


def _total(item: str) -> str:
    return f"SUM({all_years(item)})"


# what leads from the list price to what is paid: key, label, formula, basis
_PARTS = (
    ("listed", "List price of the arrays of day one", "{bought_y1}*{array_price}", "Desktops' arrays of year 1"),
    ("discounted", "Discount", "0-{part_listed}*{discount}", "0 on a net price"),
    ("replaced", "Arrays in place of old ones", f"{{array_net}}*{_total('replaced_share')}", "When the life is over"),
    ("grown", "Arrays bought later for growth", f"{{array_net}}*({_total('price_share')}-{{bought_y1}})"
     "-{part_replaced}", "When they are needed; no premium for late purchases"),
    ("containers", "Arrays for containers", f"{{container_net}}*{_total('container_price_share')}", "Net, all years"),
    ("hosts", "Hosts paid separately", f"{{host_cost}}*{_total('host_share')}", "Net; replaced as the arrays are"),
    ("installation", "Installation", _total("installation_due"), "With the arrays"),
    ("support", "Support beyond the years the price includes", _total("support_paid"), "In advance"),
    ("licences", "Licences", _total("licences_paid"), "In advance"),
    ("run", "Power with cooling, rack space, administration", f"{_total('running')}*{{running_cost}}",
     "At the end of each year"),
    ("resold", "Resale", f"0-{_total('resale')}", "At the end of the last year"),
)  # fmt: skip
PARTS = tuple(f"part_{key}" for key, *_ in _PARTS)
_EVERY_PART = f"SUM({{range:{PARTS[0]}:{PARTS[-1]}}})"
ROWS: tuple[Line | Group, ...] = (
    Group("From the list price to what is paid and to what it is worth today"),
    *(Line(f"part_{key}", label, "USD", f"={formula}", basis) for key, label, formula, basis in _PARTS),
    Line(
        "part_time",
        "Worth today less what is paid",
        "USD",
        f"={_total('present')}-{_total('paid')}",
        "At the rate of capital; present cost = what is paid + this",
    ),
    Line(
        "reconciled_ratio",
        "The parts over what is paid",
        "ratio",
        f"=(1+{_EVERY_PART})/(1+{_total('paid')})",
        "1 = they add up",
    ),
    Line(
        "last_bought",
        "Year of the last purchase",
        "count",
        f"={{{of_year('last_purchase', YEARS[-1])}}}",
        "Of arrays, or of hosts that are paid separately",
    ),
    Line(
        "beyond_years",
        "Life of the last purchase beyond those years",
        "years",
        "=MAX(0,{last_bought}+{array_life_years}-1-{years})",
        "Its life, less the years looked at",
    ),
    Line(
        "beyond_words",
        "In words",
        "text",
        '=": "&TEXT({beyond_years},"0")&CHOOSE(1+SIGN(MAX(0,{beyond_years}-1))," year"," years")&" beyond the horizon"',
        "Part of the next text",
        text_lines=1,
    ),
    Line(
        "horizon_words",
        "What is bought beyond the horizon",
        "text",
        '=REPT("bought in year "&TEXT({last_bought},"0")&" serves to year "&TEXT({years}+{beyond_years},"0")'
        "&{beyond_words},SIGN({beyond_years}*{money_known}))",
        "A life that ends later is paid in full; a resale of 100 % values the rest by straight line",
        output=True,
    ),
    Line(
        "desktop_month_words",
        "Per desktop and month, as a quotient",
        "text",
        '=IF({money_known}>0,"present cost "&FIXED(SUM({npv}),0)&" / "&FIXED({desktop_months_total},0)'
        '&" desktop-months",{money_words})',
        "Desktops provisioned in the middle of each year, discounted to today as the money is",
        output=True,
    ),
)
GROWTH: tuple[Line | Group, ...] = (
    *(
        Line(
            f"{key}_drawn",
            f"Risk inputs: {words} has a spread, or a value",
            "flag",
            f'=SIGN(SIGN(LEN({{risk:{key}}}))-COUNTIF({{risk:{key}}},"fixed")+ABS(SUM({{risk_value:{key}}})))',
            "1 = a simulation draws it; the allowance only where no growth per year is entered or drawn",
        )
        for key, words in (("growth_ratio", "the growth allowance"), ("growth_per_year_ratio", "growth per year"))
    ),
    Line(
        "growth_twice",
        "An allowance and growth per year are both entered",
        "flag",
        "=IF(AND({growth_ratio}+{growth_ratio_drawn}*{growth_per_year_ratio_drawn}>0,"
        "ABS({growth_per_year_ratio})+{growth_per_year_ratio_drawn}>0),1,0)",
        "Typed or on Risk inputs, both count: the allowance on day one, growth year by year",
    ),
)
