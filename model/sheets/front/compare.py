"""Compare: the base design and its what-ifs ranked, and what the front sheets and the banner say in words.

No calculation reads this sheet. A design that is checked in full comes before one that is not, that before one
that cannot be sized, that before an empty card; then fewer arrays after one failure, disks last, own arrays first.
No price ranks: the order leaves in files without prices.
"""

import re
from dataclasses import dataclass

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit, styles
from model.layout.canvas import put
from model.layout.grid import BASE, FIELD, FIRST_ROW, WHATIFS, Block, Layout
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets.catalogue import asks
from model.sheets.front import compare_answer, compare_charts, compare_shares
from model.sheets.proof import checks

NAME = compare_shares.NAME
DESIGNS = range(BASE, BASE + 1 + WHATIFS)
SHOWN = 8  # bars of the chart on Answer
_FIRST, _LAST = get_column_letter(DESIGNS[0]), get_column_letter(DESIGNS[-1])
_OWN = re.compile(r"\[([$=~]?)([a-z_0-9]+)(?::([a-z_0-9]+))?\]")
UNITS = "[units]"  # begins a label: what the designs are counted in
SHOWN_THERE = "As Answer shows them"  # the heading below what is printed


@dataclass(frozen=True)
class Row:
    """A row for every design; below the heading of the banner for the base design alone.

    Its formula names lines in braces and rows of this sheet in brackets: [key] is the cell in the same column,
    [=key] the same for every row, [$key] the row of all designs, [~key] the same, as far away in a copy of the formula,
    [key:other] the block from one row to another.
    """

    key: str
    label: str
    unit: str
    formula: str
    lines: int = 1
    form: str = ""


def _sized(key: str, label: str, unit: str, value: str, lines: int = 1, form: str = "", otherwise: str = '""') -> Row:
    """Return a row that shows a value of the designs that have an answer."""
    return Row(key, label, unit, f"=IF([=no_answer]>0,{otherwise},{value})", lines, form)


_DAY = 'yyyy-mm-dd;;"-"'
_ANSWER: tuple[Group | Row, ...] = (
    Group("Designs"),
    Row("array", "Storage array", "text", "=CHOOSE(1+{no_array},{array},{disk_place})", 2),
    Row("year", "Year of its paper", "text",
        '=REPT(IF({array_year}>0,TEXT({array_year},"0"),"your own"),1-{no_array})'),
    Row("profile", "Workload profile", "text", "={profile}", 3),
    Row("provisioning", "Provisioning method", "text", "={provisioning}", 2),
    Row("differs", "Differs from the base design in", "text",
        '=IF([is_base]>0,"base design",REPT("array, ",1-{same_array})&{differs_words}&[changed_words])', 2),
    Group("Answer"),
    Row("place", "Rank", "count", "=MATCH([number]+1,[$at],0)"),
    Row("state", "State", "text", "=INDEX([labels],[state_number])", 2),
    _sized("normal", f"{UNITS} in normal operation", "text",
           'REPT("at least ",[at_least])&TEXT({arrays_normal}+{no_array}*{virtual_machines},"0")&[node_words]'),
    _sized("normal_limit", "Limited by, share used", "text",
           '{limited_by_normal}&REPT(", "&TEXT({share_used_normal},"0%"),1-{no_array})', 2),
    _sized("after", f"{UNITS} after one failure", "text",
           'REPT("at least ",[at_least]*{failure_known})&{after_words}&REPT([node_words],{failure_known})'),
    _sized("after_limit", "Limited by, share used, after one failure", "text",
           '{limited_by_after_failure}&{share_after_words}', 2),
    _sized("unchecked", "Not checked", "text", "{constraints_unchecked}", 3),
    _sized("cost", "Storage cost per desktop", "USD/desktop", "{cost_per_desktop}"),
    Group("Cost over the years"),
    # the first eight are lines of Net cost that follow each other: one formula
    _sized("arrays_years", "Arrays, first and last year", "text", "{arrays_words}"),
    _sized("price", "Price of one array", "USD", "{price_shown}"),
    _sized("price_from", "Where it comes from", "text", "{price_source}", 2),
    _sized("npv", "Present cost", "USD", "{npv}"),
    _sized("per_month", "Per desktop and month", "USD/desktop", "{cost_per_desktop_month}"),
    _sized("per_user", "Per user at work and month", "USD", "{cost_per_user_month}", 1, "#,##0.00"),
    _sized("share", "Its cloud share and disks, and the limit", "text", "{share_words}", 3),
    _sized("share_cost", "What they cost", "text", "{share_cost_words}", 4),
    Row("break_even", "Break-even price: as dear as the base design", "USD",
        '=IF([is_base]+[no_answer]+{no_array}>0,"",{break_even_text})', 2),
    _sized("claim", "Price that its paper claims, not counted", "text", "REPT({claim_words},1-{no_array})", 2),
    _sized("quote_until", "Its quote is valid until", "date", "{quote_until}", 1, _DAY),
    *(Group("") for _ in range(compare_charts.ROWS)),
    Group(SHOWN_THERE),
    Row("node_words", "Unit, where it is not an array", "text",
        '=REPT(" nodes",{node_unit})&REPT(" disks",{no_array})'),
    Row("number", "Number of the what-if", "count", "=COLUMN([here])-COLUMN([first])"),
    Row("namesake", "Another has the same array", "flag", "=IF([number]>0,SIGN(MAX(1,COUNTIF([$array],[array]))-1),0)"),
    _sized("names", "Names of what is not checked", "text", "{unchecked_demand}&{unchecked_ratings}", 5),
    # the columns of the table on Answer, in their order
    Row("array_shown", "Its array, numbered where another design has it", "text",
        '=REPT([array]&REPT(", what-if "&TEXT([number],"0"),[namesake]),1-[left_out])', 2),
    Row("year_words", "Its year, or that its card is empty", "text",
        '=IF([cannot_be_sized]+[left_out]>0,"",'
        'REPT("fill its card",[card_not_filled])&REPT([year],1-[card_not_filled]))'),
    Row("limit_shown", "Its limit after one failure", "text", "=[after_limit]", 2),
    Row("normal_shown", "What it needs in normal operation", "text", "=[normal]"),
    Row("after_shown", "What it needs after one failure", "text", "=[after]", 2),
    Row("unchecked_short", "Not checked, in short", "text",
        '=IF(LEN([names])>{unit:short_text},TEXT({unchecked_count},"0")&" figures",'
        'LEFT([names],MAX(0,LEN([names])-1-1)))', 2),
    Row("cost_shown", "Its cost per desktop", "USD/desktop", "=[cost]"),
    Group("As the charts above draw them, in order"),
    Row("named", "Design", "text",
        f'=IF([{compare_charts.LAST}]>0,INDEX([$array_shown],1,[at])'
        '&REPT(", base",SIGN(INDEX([$is_base],1,[at]))),"")', 2),
    *(
        _sized(f"{key}_own", f"{label}: of the design", unit, f"SUM({{{line}}})", otherwise="0")
        for key, label, unit, line in compare_charts.DRAWN
    ),
    *(
        Row(key, label, unit, f"=INDEX([~{key}_own],1,[=at])", 1, "#,##0;;;")
        for key, label, unit, _ in compare_charts.DRAWN
    ),
    Group("How they are ranked"),
    Row("is_base", "The base design", "flag", "=IF([number]>0,0,1)"),
    Row("changed", "Inputs filled in its column", "count", "=COUNTA([what_ifs])"),
    Row("changed_words", "The same, in words", "text",
        '=IF([changed]>0,TEXT([changed],"0")&" input"&REPT("s",SIGN([changed]-1))&" filled","not used")'),
    Row("fully_checked", "fully checked", "flag", "=1-MAX([at_least:left_out])"),
    Row("at_least", "at least", "flag", "=IF([no_answer]>0,0,SIGN({unchecked_count}))"),
    Row("cannot_be_sized", "cannot be sized", "flag", "=IF(ISERROR({arrays_required}),1,0)"),
    Row("card_not_filled", "fill its card", "flag",
        "=IF([cannot_be_sized]>0,0,1-SIGN({entered}+{vms_per_node}+{no_array}))"),
    Row("left_out", "left out", "flag",
        "=IF([cannot_be_sized]+[card_not_filled]>0,0,(1-{same_array})"
        "*MAX({array_old}*[old_out],{no_array}*COUNTIF([changed],1)))"),  # another array would change nothing
    Row("no_answer", "It has no answer", "flag", "=MAX([cannot_be_sized:left_out])"),
    Row("own_filled", "An array of your own, filled", "flag",
        "=IF([cannot_be_sized]>0,0,{own_array}*(1-[card_not_filled]))"),
    Row("old_out", "Older arrays are left out", "flag",
        '=COUNTIF({older_arrays},"never")+COUNTIF({older_arrays},"until a card is filled")*SIGN(SUM([$own_filled]))'),
    Row("state_number", "State, as a number", "count", "=MATCH(1,[fully_checked:left_out],0)"),
    _sized("count", "Arrays after one failure, else required", "count",
           "MIN({unit:rank_step},MAX({arrays_required},{arrays_after_failure})+{no_array}*{virtual_machines})",
           otherwise="0"),
    _sized("need", "Unrounded need", "arrays", "MIN({unit:rank_step},{ratio_largest})", 1, "0.000", otherwise="0"),
    Row("score", "Score: the lowest takes the first place", "count",
        "=([state_number]*{unit:rank_step}+[count])*{unit:rank_step}+1-[own_filled]+[need]/{unit:rank_step}"
        "+COLUMN([need])/({unit:rank_step}*{unit:rank_step})", 1, "0.000000"),
    Row("at", "Design at the place of this column", "count", "=MATCH(SMALL([$score],[number]+1),[$score],0)"),
)  # fmt: skip
_BANNER: tuple[Row, ...] = (  # of the base design; they speak of all checks
    Row("errors_count", "Errors raised", "count", "=Chk_Master"),
    Row("alerts_count", "Alerts raised", "count", "=Chk_Alerts"),
    Row("answer_state", "State of the answer", "text",
        '=IF(Chk_Master>0,"errors",REPT("alerts",SIGN(Chk_Alerts))&REPT("fine",1-SIGN(Chk_Alerts)))'),
    Row("first_error", "What to do about the first error", "text",
        '=IFERROR(INDEX([todos],MATCH(1,[errors],0)),"none")', 3),
    Row("error_words", "Errors, in words", "text",
        '=IF(LEN({missing_words})>0,{missing_words},TEXT(Chk_Master,"0")&" error"'
        '&REPT("s",SIGN(MAX(1,Chk_Master)-1))&": "&[first_error])', 3),
    Row("alert_names", "Alerts, joined", "text", "=[named_alerts]", 3),
    Row("alert_words", "Alerts, in words", "text",
        '=TEXT(Chk_Alerts,"0")&" alert"&REPT("s",SIGN(MAX(1,Chk_Alerts)-1))&": "'
        "&LEFT([alert_names],MAX(0,LEN([alert_names])-1-1))", 3),
    Row("calm_words", "Alerts, else that all checks passed", "text",
        '=IF(Chk_Alerts>0,[alert_words],"All checks passed")', 3),
    Row("banner", "Banner of every sheet", "text", "=IF(Chk_Master>0,[error_words],[calm_words])", 3),
)  # fmt: skip
_RESULTS = ("errors_count", "alerts_count", "answer_state")
_ROWS = (*_ANSWER, Group("Banner"), *_BANNER)
_AT = {row.key: n for n, row in enumerate(_ROWS, FIRST_ROW) if isinstance(row, Row)}


def _label(text: str, layout: Layout) -> str:
    """Return a label, as a formula where it says what the designs are counted in: arrays, or nodes among them."""
    if UNITS not in text:
        return text
    flags = ":".join(layout.resolve("{node_unit}", NAME, column) for column in (DESIGNS[0], DESIGNS[-1]))
    first, _, last = flags.partition(":")
    any_node = f"SIGN(COUNTIF({first}:{last.rpartition('!')[2]},1))"
    return f'="Arrays"&REPT(" or nodes",{any_node})&"{text.removeprefix(UNITS)}"'


def cell(key: str, column: int = BASE) -> str:
    """Return the address of a row's cell, sheet in front."""
    return f"{NAME}!{get_column_letter(column)}{_AT[key]}"


def block(first: str, last: str = "") -> str:
    """Return the cells that all designs have in a row, or from a row to another one, sheet in front."""
    return f"{NAME}!${_FIRST}${_AT[first]}:${_LAST}${_AT[last or first]}"


def results() -> dict[str, tuple[str, str]]:
    """Return the base results that are on this sheet."""
    return {key: (NAME, f"{_FIRST}{_AT[key]}") for key in _RESULTS}


def banner() -> Block:
    """Return the cell of the banner, which row 2 of every sheet shows."""
    return Block(NAME, _AT["banner"], _AT["banner"], BASE, BASE)


def shares_row() -> int:
    """Return the heading row of the shares behind the chart on Answer: label in F, bar in H, from the row below."""
    return FIRST_ROW + len(_ROWS) + 1


def figures_row() -> int:
    """Return the heading row of the figures of the base design that Answer shows."""
    return shares_row() + compare_shares.ROWS + 2


def _formula(row: Row, column: int, data: Data, layout: Layout) -> str:
    """Return the formula of a row in one column."""
    letter = get_column_letter(column)
    at, every = _AT, checks.checks(data, layout)
    errors = [r for r, check in enumerate(every, FIRST_ROW) if check.kind == "error"]
    special = {
        "labels": f"$A${at['fully_checked']}:$A${at['left_out']}",
        "what_ifs": layout.what_ifs(letter),
        "here": f"{letter}{FIRST_ROW}",
        "first": f"${_FIRST}${FIRST_ROW}",
        "todos": f"Checks!$I${errors[0]}:$I${errors[-1]}",
        "errors": f"Checks!$H${errors[0]}:$H${errors[-1]}",
        "named_alerts": "!".join(checks.alerts_cell(data, layout)),
    }

    def own(match: re.Match[str]) -> str:
        whole, key, other = match.groups()
        if key in special:
            return special[key]
        if whole == "=":
            return f"{letter}${at[key]}"
        if whole:
            mark = whole.strip("~")
            return f"${_FIRST}{mark}{at[key]}:${_LAST}{mark}{at[key]}"
        return f"{letter}{at[key]}:{letter}{at[other]}" if other else f"{letter}{at[key]}"

    return layout.resolve(_OWN.sub(own, row.formula), NAME, column)


def write(ws: Worksheet, context: Context) -> None:
    """Write the designs with their places, then the figures behind ranking, banner and chart."""
    data, layout = context.data, context.layout
    headings = ["Result", "Unit", "Read from", *layout.case_names[: 1 + WHATIFS]]
    purpose = "The base design and its what-ifs, ranked: fully checked first, then the fewest"
    canvas.head(ws, "Compare", purpose, headings, [30, 13, 9, 26, *[20] * WHATIFS], "D5", DESIGNS)
    for n, row in enumerate(_ROWS, FIRST_ROW):
        if isinstance(row, Group):
            if not row.label:  # room for the charts
                ws.row_dimensions[n].height = 18
            for column in range(1, DESIGNS.stop if row.label else 1):
                put(ws, n, column, row.label if column == 1 else None, "group")
        else:
            _row(ws, n, row, data, layout)
    ranked = next(n for n, row in enumerate(_ROWS, FIRST_ROW) if row.label == SHOWN_THERE)
    compare_shares.write(ws, shares_row(), layout)
    last = compare_answer.write(ws, figures_row(), layout, cell)
    compare_charts.draw(ws, ranked - compare_charts.ROWS, _AT, DESIGNS)
    canvas.mark_past(ws, (f"{get_column_letter(column)}{_AT['quote_until']}" for column in DESIGNS))
    grey = FormulaRule(  # after the date, which is amber in a grey column too
        formula=[f"{_FIRST}${_AT['fully_checked']}=0"],
        font=Font(color="6F7A88", bold=False),
        fill=PatternFill("solid", bgColor="F5F7FA"),
    )
    ws.conditional_formatting.add(f"{_FIRST}{FIRST_ROW}:{_LAST}{ranked - 1}", grey)
    canvas.colour_asks(ws, f"{_FIRST}{FIRST_ROW}:{_LAST}{ranked - 1}")
    fit.rows(ws, last)
    canvas.print_setup(ws, DESIGNS[-1], ranked - 1, pages=1)  # Answer and the banner are made of the rows below


def _row(ws: Worksheet, n: int, row: Row, data: Data, layout: Layout) -> None:
    """Write a row: label, unit, the sheet that it reads first, then the designs."""
    designs = DESIGNS[: 1 if row in _BANNER else None]
    label = _label(row.label, layout)
    put(ws, n, 1, label, "shown" if label.startswith("=") else "label")
    canvas.put_unit(ws, n, 2, row.unit)
    read = (layout.lines[key][0] for key in FIELD.findall(row.formula) if key in layout.lines)
    put(ws, n, 3, next(read, ""), "label")
    ws.cell(n, 3).alignment = Alignment(horizontal="left", vertical="center")
    for column in designs:
        put(ws, n, column, _formula(row, column, data, layout), "output", row.unit)
        ws.cell(n, column).number_format = row.form or styles.number_format(row.unit)
        asks.link(ws, ws.cell(n, column).coordinate, row.key, column, data, layout)
    canvas.centre(ws, n, designs)
    fit.reserve(ws, n, row.lines)


TAB = Tab(NAME, "front", "front", "The designs ranked: arrays, what limits, what is not checked, cost", write)
