"""Cost of the arrays in the design, per desktop, GiB and IOPS. Without a price every result says "enter a quote"."""

from model.layout import gridwriter, styles
from model.layout.line import GridSheet, Group, Headline, Line
from model.reading.records import Data
from model.sheets import design

_WHOLE = (("years", "Years looked at", "most_years"), ("array_life_years", "Life", "most_life"))

_RANGES = (  # beyond these no cost follows; the cells accept less
    ("discount_ratio", "discount", 0, 1, "from 0 to 1"),
    ("support_ratio", "support per year", 0, 1, "from 0 to 1"),
    ("resale_ratio", "resale", 0, 1, "from 0 to 1"),
    ("capital_rate_ratio", "rate of capital", 0, 1, "from 0 to 1"),
    ("growth_per_year_ratio", "growth per year", "=-1", 1, "from -0.5 to 1"),
    ("price_change_ratio", "change of the price", -1, 1, "from -0.5 to 0.5"),
    ("cost_change_ratio", "change of running costs", -1, 1, "from -0.5 to 0.5"),
    ("pue_ratio", "PUE", 1, 5, "from 1 to 5"),
)
_BOTH = (("", ""), ("container_", ": arrays for containers"))  # the desktops' arrays, and those for containers

_QUOTES: tuple[Line | Group, ...] = (
    Group("Quotes on the cards"),
    Line(
        "quoted_price",
        "Quote for the array",
        "USD",
        "=MAX(0,{array:quote_price})",
        "My arrays or Arrays; a claim of a paper is no quote: 0 = none",
    ),
    Line(
        "price_typed",
        "A price is typed for the design",
        "flag",
        "=SIGN(COUNT({in:array_price})+{same_array}*COUNT({base:array_price}))",
        "1 = it counts before that of its card, and so do its terms",
    ),
    Line(
        "quote_counts",
        "The quote counts",
        "flag",
        "=SIGN({quoted_price})*(1-{price_typed})",
        "1 = there is one, and no price is typed for the design",
    ),
    *(
        Line(key, label, unit, f"={{array:{field}}}*{{quote_counts}}", f"My arrays or Arrays; 0 = {zero}")
        for key, label, unit, field, zero in (
            ("quote_net", "The quote is net", "flag", "price_net", "a list price"),
            ("quote_covers_hosts", "The quote covers the hosts", "flag", "hosts_covered", "no"),
            ("quote_date", "Date of the quote", "date", "quote_date", "none entered"),
        )
    ),
    Line(
        "quote_until",
        "Last day of the quote",
        "date",
        "={array:quote_until}*{quote_counts}*IF({array:quote_until}<{quote_date},0,1)",
        "My arrays or Arrays; 0 = none entered, or before its date",
    ),
    Line(
        "quote_number",
        "Number of the quote",
        "text",
        "=REPT(INDEX({arrays:quote_id},1,{array_row}),1)",
        "My arrays or Arrays; empty = none entered",
        text_lines=1,
    ),
    Line(
        "quote_words",
        "The quote, in words",
        "text",
        '=REPT(" "&{quote_number},SIGN(LEN({quote_number})))&REPT(", net",{quote_net})',
        "Its number, and whether the discount is in it",
        text_lines=1,
    ),
    Line(
        "card_support_years",
        "Years of support in the price of the quote",
        "years",
        "={array:support_included_years}",
        "My arrays or Arrays; 0 = none known",
    ),
    Line(
        "container_quoted_price",
        "Quote for the containers' array",
        "USD",
        "=MAX(0,{container_array:quote_price})",
        "My arrays or Arrays; a claim of a paper is no quote: 0 = none",
    ),
    Line(
        "container_quote_net",
        "That quote is net",
        "flag",
        "={container_array:price_net}*SIGN({container_quoted_price})*(1-COUNT({in:container_array_price},"
        "{base:container_array_price}))",
        "My arrays or Arrays; 0 = a list price, or a price is typed",
    ),
    Line(
        "claimed_price",
        "What a paper claims of the price",
        "USD",
        "={array:price}*(1-SIGN(COUNTIF({own_names},{array})))",
        "A vendor's figure for its own array, in dollars; 0 = none; in no cost",
    ),
)
_ROWS: tuple[Line | Group, ...] = (
    Group("Price"),
    *(
        Line(
            f"{prefix}discount",
            f"Discount that is taken off{of}",
            "ratio",
            f"={{discount_ratio}}*(1-{{{prefix}quote_net}})",
            "Inputs; none off a net price",
        )
        for prefix, of in _BOTH
    ),
    Line(
        "hardware_cost",
        "Arrays after discount",
        "USD",
        "={arrays_used}*{array_price}*(1-{discount})",
        "Arrays x price x (1 - discount)",
    ),
    *(
        Line(
            f"{prefix}support_factor",
            f"Support of a year over the price{of}",
            "ratio",
            f'={{support_ratio}}*(1-{{{prefix}discount}}*COUNTIF({{support_base}},"net price"))',
            "Of the price before or after discount",
        )
        for prefix, of in _BOTH
    ),
    Line(
        "support_years",
        "Years of support that are paid",
        "years",
        "=MAX(0,MIN({years},{array_life_years})-MAX(0,INT({support_included_years})))",
        "Years looked at, at most the life, less the whole years the price includes",
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
        "My arrays or Arrays; 0 = none known",
    ),
    Line(
        "container_support_paid",
        "Years of support of the containers' array that are paid",
        "years",
        "=MAX(0,MIN({years},{array_life_years})-INT({container_support_included}))",
        "As for the desktops' arrays",
    ),
    Line(
        "containers_cost",
        "Arrays for containers and their support",
        "USD",
        "={container_arrays}*{container_array_price}"
        "*(1-{container_discount}+{container_support_factor}*{container_support_paid})",
        "As for the desktops' arrays; 0 while a price is missing or none is needed",
    ),
    Line(
        "every_price",
        "Every price is known",
        "flag",
        "=IF(MIN({array_price},{container_array_price}+1-SIGN({container_arrays}))>0,1,0)",
        "Of the desktops' arrays, and of those for containers where there are any",
    ),
    *(
        Line(
            f"{key}_wrong",
            f"{label}: no whole number from 1 to the most",
            "flag",
            f'=SIGN({{{key}}}-INT({{{key}}})+COUNTIF({{{key}}},"<1")+COUNTIF({{{key}}},">"&TEXT({{unit:{most}}},"0")))',
            "1 = no figure that hangs on it",
        )
        for key, label, most in _WHOLE
    ),
    Line(
        "years_words",
        "What is wrong with the years",
        "text",
        '=IF({years_wrong}>0,"enter whole years from 1 to 7",'
        'REPT("enter the life in whole years",{array_life_years_wrong}))',
        "Empty where nothing is",
    ),
    *(
        Line(
            f"{key}_wrong",
            f"{label[0].upper()}{label[1:]}: not {words}",
            "text",
            f'=REPT("enter the {label} {words}",SIGN(COUNTIF({{{key}}},"<{low}")+COUNTIF({{{key}}},">{high}")))',
            "Then no cost is shown",
            text_lines=1,
        )
        for key, label, low, high, words in _RANGES
    ),
    Line(
        "range_words",
        "Shares out of range, in words",
        "text",
        "=" + "&".join(f"{{{key}_wrong}}" for key, *_ in _RANGES),
        "Empty where none is",
    ),
    Line(
        "money_faults",
        "Years, life or shares out of range",
        "count",
        "={years_wrong}+{array_life_years_wrong}+SIGN(LEN({range_words}))",
        "Then no cost is shown",
    ),
    Line(
        "money_known",
        "Prices are known, and nothing is out of range",
        "flag",
        "=IF({money_faults}>0,0,{every_price})",
        "Of the desktops' arrays and of those for containers",
    ),
    Line(
        "array_counted",
        "The price of the desktops' arrays is known, and nothing is out of range",
        "flag",
        "=IF({money_faults}>0,0,SIGN(MAX(0,{array_price})))",
        "Without those for containers",
    ),
    Line(
        "fault_words",
        "What is out of range",
        "text",
        "=IF(LEN({range_words})>0,{range_words},{years_words})",
        "Empty where nothing is",
    ),
    Line(
        "money_words",
        "What to enter first",
        "text",
        '=IF({money_faults}>0,{fault_words},"enter a quote")',
        "Where no figure can stand",
    ),
    Group("Results"),
    Line(
        "container_cost",
        "Cost of the arrays for containers",
        "USD",
        "=IF({money_faults}+{container_arrays}*(1-SIGN({container_array_price}))>0,{money_words},{containers_cost})",
        "0 = no array of their own",
        output=True,
    ),
    Line(
        "cost_total",
        "Total cost",
        "USD",
        "=IF({money_known}>0,{arrays_cost}+{containers_cost},{money_words})",
        "Desktops' arrays and arrays for containers",
        output=True,
    ),
    Line(
        "cost_per_desktop",
        "Cost per desktop",
        "USD/desktop",
        "=IF({money_known}>0,({arrays_cost}+{containers_cost})/{provisioned_desktops},{money_words})",
        "Total over desktops provisioned",
        output=True,
        headline=Headline(5, styles.in_currency("Cost per desktop"), "#,##0.00"),
    ),
    Line(
        "cost_per_usable_gib",
        "Cost per usable GiB",
        "USD/GiB",
        "=IF({array_counted}*{usable_gib}>0,{arrays_cost}/MAX(1,{usable_gib}*{arrays_used}),{money_words})",
        "Desktops' arrays over their usable capacity, no reduction counted",
        output=True,
    ),
    Line(
        "cost_per_iops",
        "Cost per steady IOPS",
        "USD/IOPS",
        "=IF({array_counted}*{supply_steady}>0,{arrays_cost}/MAX(1,{supply_steady}*{arrays_used}),{money_words})",
        "Desktops' arrays over what they can serve of the steady mix",
        output=True,
    ),
)


def sheet(data: Data) -> GridSheet:
    """Return the sheet: the money a design counts with, then what its arrays cost."""
    rows: list[Line | Group] = [*_QUOTES, Group("Money: what-if, else base design")]
    rows += [design.used(item) for item in data.inputs if item.group == design.MONEY and not item.once]
    purpose = "Price of the arrays in the design; a missing price is never counted as zero"
    return GridSheet("Cost", "Cost", purpose, (*rows, *_ROWS))


TAB = gridwriter.tab("Cost", "Cost of the arrays in the design", sheet)
