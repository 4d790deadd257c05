"""Cost of the arrays in the design, per desktop, GiB and IOPS. Without a price every result says "enter a quote"."""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Headline, Line
from model.reading.records import Data
from model.sheets import design

_QUOTE = '"enter a quote"'

_QUOTES: tuple[Line | Group, ...] = (
    Group("Quotes on the cards"),
    Line(
        "quoted_price",
        "Quote on the card of the array",
        "USD",
        "={array:price}*SIGN(COUNTIF({own_names},{array}))",
        "My arrays; a claim of a paper is no quote: 0 = none",
    ),
    Line(
        "card_support_years",
        "Years of support in the price on the card",
        "years",
        "={array:support_included_years}",
        "My arrays; 0 = none known",
    ),
    Line(
        "container_quoted_price",
        "Quote on the card of the containers' array",
        "USD",
        "={container_array:price}*SIGN(COUNTIF({own_names},{container_array}))",
        "My arrays; a claim of a paper is no quote: 0 = none",
    ),
)
_ROWS: tuple[Line | Group, ...] = (
    Group("Price"),
    Line(
        "hardware_cost",
        "Arrays after discount",
        "USD",
        "={arrays_used}*{array_price}*(1-{discount_ratio})",
        "Arrays x price x (1 - discount)",
    ),
    Line(
        "support_factor",
        "Support of a year over the list price",
        "ratio",
        '={support_ratio}*(1-{discount_ratio}*COUNTIF({support_base},"net price"))',
        "Of the net or the list price",
    ),
    Line(
        "support_years",
        "Years of support that are paid",
        "years",
        "=MAX(0,MIN({years},{array_life_years})-{support_included_years})",
        "Years looked at, at most the life, less those the price includes",
    ),
    Line(
        "support_cost",
        "Support over the years",
        "USD",
        "={arrays_used}*{array_price}*{support_factor}*{support_years}",
        "Of the arrays of day one",
    ),
    Line(
        "installation_paid",
        "Installation",
        "USD",
        "=({arrays_used}+{container_arrays})*MAX(0,{installation_cost})",
        "Desktops' arrays and arrays for containers; 0 = none, or not entered",
    ),
    Line(
        "arrays_cost",
        "Arrays, support and installation where a price is known",
        "USD",
        "={hardware_cost}+{support_cost}+{installation_paid}",
        "Sum",
    ),
    Line(
        "container_support_included",
        "Years of support in the price of the containers' array",
        "years",
        "={container_array:support_included_years}",
        "My arrays; 0 = none known",
    ),
    Line(
        "container_support_paid",
        "Years of support of the containers' array that are paid",
        "years",
        "=MAX(0,MIN({years},{array_life_years})-{container_support_included})",
        "As for the desktops' arrays",
    ),
    Line(
        "containers_cost",
        "Arrays for containers and their support",
        "USD",
        "={container_arrays}*{container_array_price}*(1-{discount_ratio}+{support_factor}*{container_support_paid})",
        "As for the desktops' arrays; 0 while a price is missing or none is needed",
    ),
    Line(
        "every_price",
        "Every price is known",
        "flag",
        "=IF(MIN({array_price},{container_array_price}+1-SIGN({container_arrays}))>0,1,0)",
        "Of the desktops' arrays, and of those for containers where there are any",
    ),
    Group("Results"),
    Line(
        "container_cost",
        "Cost of the arrays for containers",
        "USD",
        f"=IF({{container_arrays}}*(1-SIGN({{container_array_price}}))>0,{_QUOTE},{{containers_cost}})",
        "0 = no array of their own",
        output=True,
    ),
    Line(
        "cost_total",
        "Total cost",
        "USD",
        f"=IF({{every_price}}>0,{{arrays_cost}}+{{containers_cost}},{_QUOTE})",
        "Desktops' arrays and arrays for containers",
        output=True,
    ),
    Line(
        "cost_per_desktop",
        "Cost per desktop",
        "USD/desktop",
        f"=IF({{every_price}}>0,({{arrays_cost}}+{{containers_cost}})/{{provisioned_desktops}},{_QUOTE})",
        "Total over desktops provisioned",
        output=True,
        headline=Headline(5, "Cost per desktop, USD", "#,##0.00"),
    ),
    Line(
        "cost_per_usable_gib",
        "Cost per usable GiB",
        "USD/GiB",
        f"=IF({{array_price}}*{{usable_gib}}>0,{{arrays_cost}}/MAX(1,{{usable_gib}}*{{arrays_used}}),{_QUOTE})",
        "Desktops' arrays over their usable capacity, no reduction counted",
        output=True,
    ),
    Line(
        "cost_per_iops",
        "Cost per steady IOPS",
        "USD/IOPS",
        f"=IF({{array_price}}*{{supply_steady}}>0,{{arrays_cost}}/MAX(1,{{supply_steady}}*{{arrays_used}}),{_QUOTE})",
        "Desktops' arrays over what they can serve of the steady mix",
        output=True,
    ),
)


def sheet(data: Data) -> GridSheet:
    """Return the sheet: the money a design counts with, then what its arrays cost."""
    rows: list[Line | Group] = [*_QUOTES, Group("Money: what-if, else base design")]
    rows += [design.used(item) for item in data.inputs if item.group == design.MONEY and item.kind != "case"]
    purpose = "Price of the arrays in the design; a missing price is never counted as zero"
    return GridSheet("Cost", "Cost", purpose, (*rows, *_ROWS))


TAB = gridwriter.tab("Cost", "Cost of the arrays in the design", sheet)
