"""Net cost: what the years of every design come to: net present cost, per desktop, next purchase, break-even price.

A result that needs a price says "enter a quote" while there is none; arrays by year, running costs and the price at
which a design costs as much as the base design stand all the same.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets.money import reconciliation
from model.sheets.money.years import PAIRS, all_years

_NOT_PAID = (  # what is left out of the figures while nobody enters it
    ("installation", "installation_cost"),
    ("licences", "licence_cost_per_desktop_year"),
)
_NOBODY = '"no one at work"'


def _money(key: str, label: str, unit: str, value: str, basis: str) -> Line:
    """Return a result that needs every price; the words that ask for one stand where it is missing."""
    return Line(key, label, unit, f"=IF({{money_known}}>0,{value},{{money_words}})", basis, output=True)


_ROWS: tuple[Line | Group, ...] = (
    Group("Results"),
    *reconciliation.GROWTH,
    Line(
        "arrays_first",
        "Arrays in year 1",
        "arrays",
        "=IF(LEN({years_words})>0,{years_words},{owned_y1})",
        "Owned",
        output=True,
    ),
    Line(
        "arrays_last",
        "Arrays in the last year",
        "arrays",
        f"=IF(LEN({{years_words}})>0,{{years_words}},INDEX({all_years('owned')},{{years}}))",
        "Owned",
        output=True,
    ),
    Line(
        "arrays_words",
        "Arrays, first and last year",
        "text",
        '=TEXT({arrays_first},"0")&" then "&TEXT({arrays_last},"0")',
        "In words",
        text_lines=1,
    ),
    Line(
        "no_purchase",
        "Text where no purchase is known",
        "text",
        '=IF(LEN({years_words})>0,{years_words},"none")',
        "None after the first year, or years out of range",
    ),
    Line(
        "next_purchase_year",
        "Next purchase in year",
        "count",
        f"=IF(SUM({all_years('again')})*(1-SIGN(LEN({{years_words}})))>0,MATCH(1,{all_years('again')},0),{{no_purchase}})",
        "First year after the first in which arrays are bought",
        output=True,
    ),
    Line(
        "next_purchase_at",
        "The same, as a row",
        "count",
        "=MAX(1,SUM({next_purchase_year}))",
        "1 = none",
    ),
    Line(
        "next_purchase_needed",
        "Arrays needed then beyond those of the year before",
        "arrays",
        f"=INDEX({all_years('needed')},{{next_purchase_at}})-INDEX({all_years('owned')},MAX(1,{{next_purchase_at}}-1))",
        "0 or less = arrays past their life are replaced",
    ),
    Line(
        "no_growth_reason",
        "Reason where the desktops need no more",
        "text",
        f"=IF(COUNT({{next_purchase_year}})>0,CHOOSE(1+SIGN(INDEX({all_years('bought')},{{next_purchase_at}})),"
        '"containers","end of life"),{no_purchase})',
        "Arrays past their life are replaced, or containers need one",
    ),
    Line(
        "purchase_reason",
        "Reason for that purchase",
        "text",
        "=IF({next_purchase_needed}*COUNT({next_purchase_year})>0,INDEX("
        + all_years("asks")
        + ",{next_purchase_at}),{no_growth_reason})",
        "The limit of that year, or the end of a life",
        output=True,
    ),
    _money(
        "paid_total",
        "Paid to the last year, less resale",
        "USD",
        f"SUM({all_years('paid')})",
        "Planning horizon; before tax and VAT",
    ),
    _money(
        "capex_total",
        "Of it arrays, installation and hosts",
        "USD",
        f"SUM({all_years('equipment_paid')},{all_years('installation_due')})-SUM({all_years('resale')})",
        "Less resale",
    ),
    _money("running_total", "Of it running costs", "USD", "{paid_total}-{capex_total}", "The rest"),
    _money(
        "npv",
        "Present cost to the last year",
        "USD",
        f"SUM({all_years('present')})",
        "What is paid less resale, at the rate of capital, worth at the start of year 1",
    ),
    Line(
        "desktop_months_total",
        "Desktop-months, discounted",
        "desktops",
        f"=SUM({all_years('desktop_months')})",
        "Desktops provisioned in the middle of each year x months",
        output=True,
    ),
    _money(
        "cost_per_desktop_month",
        "Per desktop and month",
        "USD/desktop",
        "{npv}/{desktop_months_total}",
        "Present cost over discounted desktop-months",
    ),
    _money(
        "cost_per_user_month",
        "Per user at work and month",
        "USD/user",
        f"CHOOSE(1+SIGN({{concurrent_ratio}}),{_NOBODY},{{npv}}/({{desktop_months_total}}*{{concurrent_ratio}}))",
        "Over those at work together",
    ),
    Line(
        "array_months",
        "Array-months, discounted",
        "arrays",
        f"={{month_factor}}*SUMPRODUCT({all_years('start_factor')},{all_years('owned')})",
        "Arrays owned x months, counted half a year in",
    ),
    _money(
        "cost_per_effective_gib_month",
        "Per effective GiB and month",
        "USD/GiB",
        "{npv}/MAX(1,{array_months}*{effective_gib})",
        "Over what desktops may store on the arrays owned",
    ),
    _money(
        "equal_yearly_cost",
        "As equal yearly payments",
        "USD",
        f"{{npv}}/SUM({all_years('start_factor')})",
        "In advance: over (1 + r)(1 - (1 + r)^-n) / r; n at r = 0",
    ),
    Line(
        "resale_worth",
        "Present value of resale before discount, in today's prices",
        "ratio",
        f"=SUMPRODUCT({all_years('price_share')},{all_years('unexpired')})"
        "*{resale_ratio}/(1+{capital_rate_ratio})^{years}",
        "Purchases x life left over the life x resale, at the end of the last year",
    ),
    Line(
        "support_worth",
        "Present value of support, in today's prices",
        "ratio",
        f"=SUMPRODUCT({all_years('start_factor')},{all_years('support_share')})",
        "Sum of the years",
    ),
    Line(
        "multiplier",
        "Present cost that a price of 1 adds, before the check of ranges",
        "ratio",
        f"=(SUMPRODUCT({all_years('start_factor')},{all_years('price_share')})-{{resale_worth}})*(1-{{discount}})"
        "+{support_worth}",
        "Purchases less resale, after discount; support",
    ),
    Line(
        "price_multiplier",
        "Present cost that a price of 1 adds",
        "ratio",
        "=IF({money_faults}>0,{fault_words},{multiplier})",
        "Present cost = multiplier x price + the rest",
        output=True,
    ),
    Line(
        "other_present",
        "Present value of all but the desktops' arrays",
        "USD",
        f"=SUM({all_years('present')})-{{multiplier}}*{{array_price}}",
        "Independent of their price",
    ),
    Line(
        "container_price_known",
        "The price of arrays for containers is known, and nothing is out of range",
        "flag",
        "=IF({money_faults}+{container_arrays}*(1-SIGN({container_array_price}))>0,0,1)",
        "1 = known, or none is needed",
    ),
    Line(
        "other_npv",
        "Present cost but for the desktops' arrays",
        "USD",
        "=IF({container_price_known}>0,{other_present},{money_words})",
        "Running costs, installation, hosts, containers",
        output=True,
    ),
    Line(
        "hosts_compare",
        "Hosts are counted alike in both designs",
        "flag",
        "=IF(OR({hosts_apart}={of_base:hosts_apart},{host_price}>0),1,0)",
        "One price covers hosts, the other not: a price of hosts makes them comparable",
    ),
    Line(
        "break_even_known",
        "A break-even price exists",
        "flag",
        "=SIGN(COUNT({of_base:npv})*COUNT({other_npv})*{hosts_compare}*SUM({price_multiplier}))",
        "The base design has a cost, hosts are counted alike, and a price counts",
    ),
    Line(
        "break_even_exact",
        "Break-even price of one array, unrounded",
        "USD",
        "=IF({break_even_known}>0,(SUM({of_base:npv})-SUM({other_npv}))/{multiplier},0)",
        "(present cost of the base design - the rest) / multiplier",
    ),
    Line(
        "break_even_own",
        "Missing in the design itself",
        "text",
        '=IF(COUNT({other_npv})>0,"its price has no effect",{other_npv})',
        "A discount of all of it, and no support",
    ),
    Line(
        "break_even_missing",
        "Missing in either design",
        "text",
        '=IF(COUNT({of_base:npv})>0,{break_even_own},"base design: "&{of_base:money_words})',
        "The base design first",
    ),
    Line(
        "break_even_words",
        "Why it is unknown",
        "text",
        '=IF({hosts_compare}<1,"one price covers hosts",{break_even_missing})',
        "A price of hosts makes them comparable",
    ),
    Line(
        "break_even_none",
        "Why there is none",
        "text",
        '=IF({break_even_known}>0,"dearer even if free",{break_even_words})',
        "Text where no price above 0 is found",
    ),
    Line(
        "break_even_price",
        "Break-even price: one array, as dear as the base design",
        "USD",
        "=IF(MIN({break_even_known},{break_even_exact})>0,{break_even_exact},{break_even_none})",
        "It does not depend on a quote",
        output=True,
    ),
    Line(
        "price_kind",
        "The price counts as",
        "text",
        '=IF({discount}>0,"list","net")',
        "list = a discount is taken off; net = as paid",
        output=True,
        text_lines=1,
    ),
    Line(
        "break_even_text",
        "Break-even price of one array, in words",
        "text",
        '=IF(COUNT({break_even_price})>0,REPT("at most ",SIGN({unchecked_count}))&FIXED(SUM({break_even_price}),0)'
        '&", "&{price_kind},{break_even_none})',
        "At most, where something is unchecked; list = before the discount of the design, net = as paid",
        output=True,
    ),
    Line(
        "budget_words",
        "Why no budget is compared",
        "text",
        '=IF({budget}<0,"no budget entered",{money_words})',
        "Shown in place of a figure",
    ),
    Line(
        "over_budget",
        "Paid before resale over the budget, below 0 within it",
        "USD",
        f"=IF(MIN({{budget}},{{money_known}}-1)<0,{{budget_words}},SUM({{paid_total}},{all_years('resale')})-{{budget}})",
        "Cash paid to the last year, before any resale, less the budget",
        output=True,
    ),
    Line(
        "budget_broken",
        "The cost exceeds the budget",
        "flag",
        "=SIGN(MAX(0,SUM({over_budget})))",
        "0 = it is within, or no budget is entered",
        output=True,
    ),
    Line(
        "budget_holds",
        "The cost is within the budget",
        "flag",
        "=IF(COUNT({over_budget})>0,1-{budget_broken},{budget_words})",
        "Paid before resale",
        output=True,
    ),
    Line(
        "purchase_before_year_3",
        "More arrays are bought before year 3",
        "flag",
        "={again_y2}",
        "Within the years looked at",
        output=True,
    ),
    Line(
        "price_shown",
        "Price of one array",
        "USD",
        '=IF({array_price}>0,{array_price},CHOOSE(1+{no_rate},"enter a quote","no rate"))',
        "Typed, or on its card",
        output=True,
    ),
    Line(
        "price_source",
        "Where the price comes from",
        "text",
        '=IF({array_price}>0,CHOOSE(1+{price_typed},"quote on file"&{quote_words},"quote typed, "&{price_kind}),'
        '"no quote")',
        "A vendor's claim is not a quote",
    ),
    Line(
        "ended_terms",
        "Terms of the card that a typed price replaces",
        "text",
        '=REPT("; not counted: the quote on file, "&FIXED({quoted_price},0)&", and its terms",'
        "{price_typed}*SIGN({quoted_price}))",
        "A price typed for the design replaces the card's: net or list, hosts, date; empty = none replaced",
        text_lines=1,
    ),
    Line(
        "support_left_out",
        "Support is left out, in words",
        "text",
        '=REPT("support, ",COUNTIF({support_shown},"not entered")*SIGN({support_years}))',
        "Where years of it are to be paid and no share is entered",
    ),
    Line(
        "bought_left_out",
        "Left out of what is bought with an array",
        "text",
        "={support_left_out}" + "".join(f'&REPT("{words}, ",COUNTIF({{{key}}},"<0"))' for words, key in _NOT_PAID),
        "In words",
    ),
    Line(
        "left_out",
        "Left out of the figures",
        "text",
        "={bought_left_out}" + "".join(f"&{{{key}_left_out}}" for key, *_ in PAIRS),
        "Not entered, and so not counted",
    ),
    Line(
        "cost_status",
        "What the cost rests on",
        "text",
        '={price_source}&{ended_terms}&REPT("; left out: "&LEFT({left_out},MAX(0,LEN({left_out})-1-1)),'
        "SIGN(LEN({left_out})))",
        "Source of the price, and the lines left blank",
        output=True,
        text_lines=4,
    ),
    *reconciliation.ROWS,
)
SHEET = GridSheet(
    name="Net cost",
    title="Net present cost",
    purpose="Cost over the years: present cost, per desktop, next purchase, break-even price",
    rows=_ROWS,
    published=False,
)

TAB = gridwriter.tab("Net cost", "Cost over the years, and break-even prices", lambda _: SHEET)
