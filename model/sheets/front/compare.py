"""Compare: the base design and its what-ifs ranked, and what the front sheets and the banner say in words.

Nothing that calculates reads this sheet. A design that is checked in full comes before one that is not, that before one
that cannot be sized, that before a card nobody has filled; then fewer arrays after one failure, own arrays first.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit, styles
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_ROW, WHATIFS, Block, Layout
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets.catalogue import asks
from model.sheets.front import compare_charts, compare_shares
from model.sheets.proof import checks

NAME = compare_shares.NAME
DESIGNS = range(BASE, BASE + 1 + WHATIFS)
SHOWN = 8  # bars of the chart on Answer
_FIRST, _LAST = get_column_letter(DESIGNS[0]), get_column_letter(DESIGNS[-1])
_OWN = re.compile(r"\[([$=~]?)([a-z_0-9]+)(?::([a-z_0-9]+))?\]")
UNITS = "[units]"  # begins a label: what the designs are counted in


@dataclass(frozen=True)
class Row:
    """A row for every design, or for the base design alone.

    Its formula names lines in braces and rows of this sheet in brackets: [key] is the cell of the column it stands in,
    [=key] the same for every row, [$key] the row of all designs, [~key] the same, as far away in a copy of the formula,
    [key:other] the block from one row to another.
    """

    key: str
    label: str
    unit: str
    formula: str
    lines: int = 1
    form: str = ""
    base_only: bool = False


_DAY = 'yyyy-mm-dd;;"-"'
_NO_ANSWER = "[=cannot_be_sized]+[=card_not_filled]+[=left_out]>0"
_ANSWER: tuple[Group | Row, ...] = (
    Group("Designs"),
    Row("array", "Storage array", "text", "={array}", 2),
    Row("year", "Year of its paper", "text", '=IF({array_year}>0,TEXT({array_year},"0"),"your own")'),
    Row("profile", "Workload profile", "text", "={profile}", 3),
    Row("provisioning", "Provisioning method", "text", "={provisioning}", 2),
    Row(
        "differs",
        "Differs from the base design in",
        "text",
        '=IF([is_base]>0,"base design",REPT("array, ",1-{same_array})&{differs_words}&[changed_words])',
        2,
    ),
    Group("Answer"),
    Row("place", "Place", "count", "=MATCH([score],[$sorted],0)"),
    Row("state", "State", "text", "=INDEX([labels],[state_number])", 2),
    Row(
        "normal",
        f"{UNITS} in normal operation",
        "text",
        f'=IF({_NO_ANSWER},"",REPT("at least ",[at_least])&TEXT({{arrays_normal}},"0")&[node_words])',
    ),
    Row(
        "normal_limit",
        "Limited by, share used",
        "text",
        f'=IF({_NO_ANSWER},"",{{limited_by_normal}}&", "&TEXT({{share_used_normal}},"0%"))',
        2,
    ),
    Row(
        "after",
        f"{UNITS} after one failure",
        "text",
        f'=IF({_NO_ANSWER},"",REPT("at least ",[at_least]*{{failure_known}})&{{after_words}}'
        "&REPT([node_words],{failure_known}))",
        2,
    ),
    Row(
        "after_limit",
        "Limited by, share used, after one failure",
        "text",
        f'=IF({_NO_ANSWER},"",{{limited_by_after_failure}}&{{share_after_words}})',
        2,
    ),
    Row("unchecked", "Not checked", "text", f'=IF({_NO_ANSWER},"",{{constraints_unchecked}})', 3),
    Row("cost", "Storage cost per desktop", "USD/desktop", f'=IF({_NO_ANSWER},"",{{cost_per_desktop}})'),
    Group("Cost over the years"),
    Row("arrays_years", "Arrays, first and last year", "text", f'=IF({_NO_ANSWER},"",{{arrays_words}})'),
    Row("price", "Price of one array", "USD", f'=IF({_NO_ANSWER},"",{{price_shown}})'),
    Row("price_from", "Where it comes from", "text", f'=IF({_NO_ANSWER},"",{{price_source}})', 2),
    Row("claim", "Price that its paper claims, not counted", "text", f'=IF({_NO_ANSWER},"",{{claim_words}})', 2),
    Row("quote_until", "Its quote is valid until", "date", f'=IF({_NO_ANSWER},"",{{quote_until}})', 1, _DAY),
    Row("npv", "Present cost", "USD", f'=IF({_NO_ANSWER},"",{{npv}})'),
    Row("per_month", "Per desktop and month", "USD/desktop", f'=IF({_NO_ANSWER},"",{{cost_per_desktop_month}})'),
    Row(
        "break_even",
        "Break-even price: as dear as the base design",
        "USD",
        f'=IF([is_base]+{_NO_ANSWER},"",{{break_even_text}})',
        2,
    ),
    *(Group("") for _ in range(compare_charts.ROWS)),
    Group("As Answer shows them"),
    Row("node_words", "Unit, where it is not an array", "text", '=REPT(" nodes",{node_unit})'),
    Row("number", "Number of the what-if", "count", "=COLUMN([here])-COLUMN([first])"),
    Row("namesake", "Another has the same array", "flag", "=IF([number]>0,SIGN(MAX(1,COUNTIF([$array],[array]))-1),0)"),
    Row("called", "What the design is called", "text", '=[array]&REPT(", what-if "&TEXT([number],"0"),[namesake])', 2),
    Row("array_shown", "Array, as Answer shows it", "text", '=IF([left_out]>0,"",[called])', 2),
    Row(
        "year_told",
        "Its year, or that it is your own",
        "text",
        '=IF({array_year}>0,TEXT({array_year},"0"),REPT("your own",[own_filled]))',
    ),
    Row(
        "year_words",
        "Its year, as Answer shows it",
        "text",
        '=IF([cannot_be_sized]+[left_out]>0,"",REPT("fill its card",[card_not_filled])&[year_told])',
    ),
    Row(
        "names",
        "Names of what is not checked",
        "text",
        f'=IF({_NO_ANSWER},"",{{unchecked_demand}}&{{unchecked_ratings}})',
        5,
    ),
    Row(
        "unchecked_short",
        "Not checked, in short",
        "text",
        '=IF(LEN([names])>{unit:short_text},TEXT({unchecked_count},"0")&" figures",'
        "LEFT([names],MAX(0,LEN([names])-1-1)))",
        2,
    ),
    Group("As the charts above draw them, in order"),
    Row(
        "named",
        "Design",
        "text",
        f'=IF([{compare_charts.LAST}]>0,INDEX([$called],1,[at])&REPT(", base",SIGN(INDEX([$is_base],1,[at]))),"")',
        2,
    ),
    *(
        row
        for key, label, unit, line in compare_charts.DRAWN
        for row in (
            Row(f"{key}_own", f"{label}: of the design", unit, f"=IF({_NO_ANSWER},0,SUM({{{line}}}))"),
            Row(key, label, unit, f"=INDEX([~{key}_own],1,[=at])", 1, "#,##0;;;"),
        )
    ),
    Group("How they are ranked"),
    Row("is_base", "The base design", "flag", "=IF([number]>0,0,1)"),
    Row("changed", "Inputs filled in its column", "count", "=COUNTA([what_ifs])"),
    Row(
        "changed_words",
        "The same, in words",
        "text",
        '=IF([changed]>0,TEXT([changed],"0")&" input"&REPT("s",SIGN([changed]-1))&" filled","not used")',
    ),
    Row("fully_checked", "fully checked", "flag", "=1-MAX([at_least:left_out])"),
    Row(
        "at_least",
        "at least",
        "flag",
        "=IF([cannot_be_sized]+[card_not_filled]+[left_out]>0,0,SIGN({unchecked_count}))",
    ),
    Row("cannot_be_sized", "cannot be sized", "flag", "=IF(ISERROR({arrays_required}),1,0)"),
    Row("card_not_filled", "fill its card", "flag", "=IF([cannot_be_sized]>0,0,1-{entered})"),
    Row(
        "left_out",
        "left out",
        "flag",
        "=IF([cannot_be_sized]+[card_not_filled]>0,0,{array_old}*(1-{same_array})*[old_out])",
    ),
    Row("own_filled", "An array of your own, filled", "flag", "=IF([cannot_be_sized]>0,0,{own_array}*{entered})"),
    Row(
        "old_out",
        "Older arrays are left out",
        "flag",
        '=COUNTIF({older_arrays},"never")+[card_rules]*SIGN(SUM([$own_filled]))',
    ),
    Row(
        "card_rules",
        "They are left out once a card is filled",
        "flag",
        '=COUNTIF({older_arrays},"until a card is filled")',
    ),
    Row("state_number", "State, as a number", "count", "=MATCH(1,[fully_checked:left_out],0)"),
    Row(
        "count",
        "Arrays after one failure, else required",
        "arrays",
        f"=IF({_NO_ANSWER},0,MIN({{unit:rank_step}},MAX({{arrays_required}},{{arrays_after_failure}})))",
    ),
    Row(
        "need", "Unrounded need", "arrays", f"=IF({_NO_ANSWER},0,MIN({{unit:rank_step}},{{ratio_largest}}))", 1, "0.000"
    ),
    Row(
        "score",
        "Score: the least is the first place",
        "count",
        "=([state_number]*{unit:rank_step}+[count])*{unit:rank_step}+1-[own_filled]+[need]/{unit:rank_step}"
        "+COLUMN([need])/({unit:rank_step}*{unit:rank_step})",
        1,
        "0.000000",
    ),
    Row("sorted", "Scores in order", "count", "=SMALL([$score],[number]+1)", 1, "0.000000"),
    Row("at", "Design at that place", "count", "=MATCH([sorted],[$score],0)"),
)
_WORDS: tuple[Group | Row, ...] = (
    Group("Banner"),
    Row("errors_count", "Errors raised", "count", "=Chk_Master", base_only=True),
    Row("alerts_count", "Alerts raised", "count", "=Chk_Alerts", base_only=True),
    Row(
        "answer_state",
        "State of the answer",
        "text",
        '=IF(Chk_Master>0,"errors",REPT("alerts",SIGN(Chk_Alerts))&REPT("fine",1-SIGN(Chk_Alerts)))',
        base_only=True,
    ),
    Row(
        "first_error",
        "What to do about the first error",
        "text",
        '=IFERROR(INDEX([todos],MATCH(1,[errors],0)),"none")',
        3,
        base_only=True,
    ),
    Row(
        "error_words",
        "Errors, in words",
        "text",
        '=IF(LEN({missing_words})>0,{missing_words},TEXT(Chk_Master,"0")&" error"'
        '&REPT("s",SIGN(MAX(1,Chk_Master)-1))&": "&[first_error])',
        3,
        base_only=True,
    ),
)
_RESULTS = ("errors_count", "alerts_count", "answer_state")
_EACH = 3  # alerts that one row names


def _label(text: str, layout: Layout) -> str:
    """Return a label, as a formula where it says what the designs are counted in: arrays, or nodes among them."""
    if UNITS not in text:
        return text
    flags = ":".join(layout.resolve("{node_unit}", NAME, column) for column in (DESIGNS[0], DESIGNS[-1]))
    first, _, last = flags.partition(":")
    any_node = f"SIGN(COUNTIF({first}:{last.rpartition('!')[2]},1))"
    return f'="Arrays"&REPT(" or nodes",{any_node})&"{text.removeprefix(UNITS)}"'


@lru_cache(maxsize=1)
def _rows(data: Data, layout: Layout) -> tuple[Group | Row, ...]:
    """Return every row; one for every four alerts, then the banner."""
    alerts = [row for row, check in enumerate(checks.checks(data, layout), FIRST_ROW) if check.kind == "alert"]
    named = []
    for n in range(0, len(alerts), _EACH):
        parts = (f'REPT(Checks!$J{row}&"; ",Checks!$H{row})' for row in alerts[n : n + _EACH])
        named.append(
            Row(f"alerts_{n}", f"Alerts {n + 1} and following", "text", "=" + "&".join(parts), 3, base_only=True)
        )
    banner = (
        Row(
            "alert_names", "Alerts, joined", "text", "=" + "&".join(f"[{row.key}]" for row in named), 3, base_only=True
        ),
        Row(
            "alert_words",
            "Alerts, in words",
            "text",
            '=TEXT(Chk_Alerts,"0")&" alert"&REPT("s",SIGN(MAX(1,Chk_Alerts)-1))&": "'
            "&LEFT([alert_names],MAX(0,LEN([alert_names])-1-1))",
            3,
            base_only=True,
        ),
        Row(
            "calm_words",
            "Alerts, else that all checks passed",
            "text",
            '=IF(Chk_Alerts>0,[alert_words],"All checks passed")',
            3,
            base_only=True,
        ),
        Row(
            "banner", "Banner of every sheet", "text", "=IF(Chk_Master>0,[error_words],[calm_words])", 3, base_only=True
        ),
    )
    return (*_ANSWER, *_WORDS, *named, *banner)


@lru_cache(maxsize=1)
def _at(data: Data, layout: Layout) -> dict[str, int]:
    return {row.key: n for n, row in enumerate(_rows(data, layout), FIRST_ROW) if isinstance(row, Row)}


def cell(data: Data, layout: Layout, key: str, column: int = BASE) -> str:
    """Return the address of a row's cell, sheet in front."""
    return f"{NAME}!{get_column_letter(column)}{_at(data, layout)[key]}"


def results(data: Data, layout: Layout) -> dict[str, tuple[str, str]]:
    """Return the base results that stand here."""
    return {key: (NAME, f"{get_column_letter(BASE)}{_at(data, layout)[key]}") for key in _RESULTS}


def banner(data: Data, layout: Layout) -> Block:
    """Return the cell of the banner, which stands in row 2 of every sheet."""
    row = _at(data, layout)["banner"]
    return Block(NAME, row, row, BASE, BASE)


def shares_row(data: Data, layout: Layout) -> int:
    """Return the heading row of the shares behind the chart on Answer: label in F, bar in H, from the row below."""
    return FIRST_ROW + len(_rows(data, layout)) + 1


def _formula(row: Row, column: int, at: dict[str, int], data: Data, layout: Layout) -> str:
    """Return the formula of a row in one column."""
    letter = get_column_letter(column)
    errors = [r for r, check in enumerate(checks.checks(data, layout), FIRST_ROW) if check.kind == "error"]
    special = {
        "labels": f"$A${at['fully_checked']}:$A${at['left_out']}",
        "what_ifs": layout.what_ifs(letter),
        "here": f"{letter}{FIRST_ROW}",
        "first": f"${_FIRST}${FIRST_ROW}",
        "todos": f"Checks!$I${errors[0]}:$I${errors[-1]}",
        "errors": f"Checks!$H${errors[0]}:$H${errors[-1]}",
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
    canvas.head(ws, "Compare", purpose, headings, [30, 13, 9, 24, *[17] * WHATIFS], "D5", DESIGNS)
    at = _at(data, layout)
    for n, row in enumerate(_rows(data, layout), FIRST_ROW):
        if isinstance(row, Group):
            if not row.label:  # room for the charts
                ws.row_dimensions[n].height = 18
            for column in range(1, DESIGNS.stop if row.label else 1):
                put(ws, n, column, row.label if column == 1 else None, "group")
            continue
        label = _label(row.label, layout)
        put(ws, n, 1, label, "shown" if label.startswith("=") else "label")
        canvas.put_unit(ws, n, 2, row.unit)
        put(ws, n, 3, "" if row.base_only else "Outcome", "label")
        ws.cell(n, 3).alignment = Alignment(horizontal="left", vertical="center")
        for column in DESIGNS[: 1 if row.base_only else None]:
            put(ws, n, column, _formula(row, column, at, data, layout), "output", row.unit)
            ws.cell(n, column).number_format = row.form or styles.number_format(row.unit)
            asks.link(ws, ws.cell(n, column).coordinate, row.key, column, data, layout)
        canvas.centre(ws, n, DESIGNS[: 1 if row.base_only else None])
        fit.reserve(ws, n, row.lines)
    ranked = next(
        n for n, row in enumerate(_rows(data, layout), FIRST_ROW) if isinstance(row, Group) and "As Answer" in row.label
    )
    last = compare_shares.write(ws, shares_row(data, layout), layout)
    compare_charts.draw(ws, ranked - compare_charts.ROWS, at, DESIGNS)
    canvas.mark_past(ws, (f"{get_column_letter(column)}{at['quote_until']}" for column in DESIGNS))
    grey = FormulaRule(  # after the date, which is amber in a grey column too
        formula=[f"{_FIRST}${at['fully_checked']}=0"],
        font=Font(color="6F7A88", bold=False),
        fill=PatternFill("solid", bgColor="F5F7FA"),
    )
    ws.conditional_formatting.add(f"{_FIRST}{FIRST_ROW}:{_LAST}{ranked - 1}", grey)
    canvas.colour_asks(ws, f"{_FIRST}{FIRST_ROW}:{_LAST}{ranked - 1}")
    fit.rows(ws, last)
    canvas.print_setup(ws, DESIGNS[-1], ranked - 1, pages=1)  # Answer and the banner are made of the rows below


TAB = Tab(NAME, "front", "front", "The designs ranked: arrays, what limits, what is not checked, cost", write)
