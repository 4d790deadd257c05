"""Answer: the first sheet. What a design needs is typed on the left; the answer, its limits and what is open beside it.

The cells under START HERE are the inputs themselves (`In_` names); everything else is a formula that nothing reads.
"""

from openpyxl.chart import Reference, Series
from openpyxl.chart.data_source import AxDataSource, NumDataSource, NumRef, StrRef
from openpyxl.chart.series import DataPoint, SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, charts, styles
from model.layout.canvas import put, typed_role
from model.layout.codes import CURRENCY_NAME
from model.layout.grid import ANSWER, BASE, FIRST_ROW, HEAD_ROW, INPUT_SHEETS, WHATIFS, Block, Layout, quoted
from model.layout.tab import Context, Tab
from model.reading.inputs import Input
from model.reading.records import Data
from model.sheets.catalogue import asks, units, user_groups
from model.sheets.front import compare
from model.sheets.front.compare_answer import FIGURES, NOTES
from model.sheets.proof import numbers

NAME = ANSWER
_WIDTHS = (22.5, 8, 6, 31, 1, 26, 14.5, 16, 1, 9, 9, 9, 9)
_LAST = "M"
_LABEL, _NORMAL, _AFTER = 6, 7, 8  # columns of the answer
DOCUMENT = (
    # column, name, label: what the document is called and whose it is
    ("D", "Doc_project", "Project"),
    ("F", "Doc_customer", "Customer"),
    ("G", "Doc_author", "Author"),
    ("H", "Doc_date", "Date"),
    ("J", "Doc_status", "Status"),
)
TITLE = "In normal operation"
_TABLE_ROWS = 1 + WHATIFS
_RIGHT = Alignment(horizontal="right", vertical="center", indent=1)
_WORDS = Alignment(horizontal="right", vertical="center", indent=1, shrink_to_fit=True)


def _rows(layout: Layout) -> dict[str, int]:
    """Return the row of every part of the sheet."""
    end = FIRST_ROW + max(10, len(layout.start))
    table = end + 2
    notes = table + _TABLE_ROWS + 2
    return {"bought": end, "table": table, "notes": notes, "last": notes + len(NOTES) - 1}


def document_names() -> dict[str, str]:
    """Return the names of the cells that say whose document it is."""
    return {name: f"{NAME}!${column}$3" for column, name, _ in DOCUMENT}


def write(ws: Worksheet, context: Context) -> None:
    """Write the sheet: START HERE, ANSWER and chart in view, then alternatives, what is open, what to ask for."""
    data, layout = context.data, context.layout
    rows = _rows(layout)
    canvas.head(ws, "VDI storage sizing", "", [], _WIDTHS, f"A{FIRST_ROW}")
    canvas.colour_banner(ws, f"A2:{_LAST}2")
    _document(ws)
    _bands(ws, rows)
    for key, row in layout.start.items():
        _start(ws, row, data.input(key))
    put(ws, layout.start["array_price"], 1, layout.resolve('="Quote for one "&{unit_word}', NAME, BASE), "shown")
    _own(ws, data, layout)
    _answer(ws, data, layout, rows)
    _table(ws, data, layout, rows["table"])
    _notes(ws, context, rows["notes"])
    _chart(ws, rows["bought"])
    for cell in numbers.on_answer(data, layout):
        item = next(data.input(key) for key, row in layout.start.items() if cell.endswith(str(row)))
        canvas.colour_not_numbers(ws, [cell], limits=[f"{item.minimum:.15g}", f"{item.maximum:.15g}"])
    canvas.print_setup(ws, 13, rows["last"], pages=1)
    ws.sheet_view.zoomScale = 100
    _heights(ws, rows)
    canvas.select(ws, f"A{FIRST_ROW}")  # no prompt over the answer


def _heights(ws: Worksheet, rows: dict[str, int]) -> None:
    """Give the rows heights that keep START HERE, ANSWER and chart in view on a small screen, and all on one page."""
    ws.row_dimensions[1].height = 27
    ws.row_dimensions[2].height = 21
    ws.row_dimensions[3].height = 19
    for row in range(HEAD_ROW, rows["last"] + 1):
        ws.row_dimensions[row].height = 18
    ws.row_dimensions[FIRST_ROW].height = 25
    for row in (rows["bought"] + 1, rows["table"] + _TABLE_ROWS + 1):
        ws.row_dimensions[row].height = 7


NAMED = f'={NAME}!F1&REPT("; ",SIGN(LEN({NAME}!F1)*LEN({NAME}!J1)))&{NAME}!J1'  # on Inputs, for those behind it


def _document(ws: Worksheet) -> None:
    """Write the cells that name the document, and the title made of them."""
    put(ws, 3, 1, "Project, customer, author, date, status", "note")
    ws.cell(3, 1).alignment = Alignment(horizontal="left", vertical="center", indent=1)
    for letter, _, label in DOCUMENT:
        column = ord(letter) - ord("A") + 1
        put(ws, 3, column, None, "input")
        ws.cell(3, column).alignment = Alignment(horizontal="left", vertical="center", indent=1)
        canvas.allow_text(ws, f"{letter}3", label)
    put(ws, 1, _LABEL, '=IF(LEN(F3&D3)>0,F3&REPT(", ",SIGN(LEN(D3)))&D3,"")', "shown")
    put(ws, 1, 10, '=IF(LEN(G3&H3&J3)>0,G3&REPT(", ",SIGN(LEN(H3)))&H3&REPT(", ",SIGN(LEN(J3)))&J3,"")', "shown")


def _bands(ws: Worksheet, rows: dict[str, int]) -> None:
    """Write the three headings of row 4 and that of the table."""
    texts = {1: "START HERE", _LABEL: "ANSWER", _NORMAL: "normal", _AFTER: "after one failure"}
    texts |= {10: "SHARE OF THE DESIGN USED"}
    for column in range(1, 14):
        if column in (5, 9):
            continue
        put(ws, HEAD_ROW, column, texts.get(column), "band")
    table = {1: "ALTERNATIVES FOR THE SAME LOAD", 4: "year", _LABEL: "limited by, after one failure"}
    table |= {_NORMAL: "normal", _AFTER: "after one failure", 10: "not checked", 13: "cost per desktop"}
    for column in range(1, 14):
        put(ws, rows["table"], column, table.get(column), "band")
    for row in (HEAD_ROW, rows["table"]):
        for column in range(1, 14):
            cell = ws.cell(row, column)
            right = column in (_NORMAL, _AFTER, 13)
            cell.alignment = Alignment(horizontal="right" if right else "left", vertical="center", indent=1)


def _start(ws: Worksheet, row: int, item: Input) -> None:
    """Write one input: label, unit, cell with what it accepts, and its help in words."""
    label = _label(item)
    put(ws, row, 1, label, "label")
    unit = styles.unit_shown(item.unit)
    if item.unit not in ("text", "ratio"):  # shares show as percent
        put(ws, row, 2, unit, "shown" if unit.startswith("=") else "note")
    shipped = item.value
    put(ws, row, BASE, None if item.travels else shipped.value, typed_role(shipped, unlocked=True), item.unit)
    cell = ws.cell(row, BASE)
    cell.alignment = Alignment(horizontal="left", vertical="center", indent=1, shrink_to_fit=item.kind == "choice")
    if item.unit == "ratio":
        cell.number_format = "0%"
    if item.kind == "choice":
        canvas.allow_list(ws, f"D{row}", item.choices, label)
    else:
        canvas.allow_number(ws, f"D{row}", item.minimum or 0, item.maximum or 0, label, item.whole)
    ws.data_validations.dataValidation[-1].prompt = _prompt(item)
    ws.data_validations.dataValidation[-1].promptTitle = label[:32]
    ws.data_validations.dataValidation[-1].showInputMessage = True


def _label(item: Input) -> str:
    """Return the label of an input, without what a blank stands for."""
    return item.label.partition(" (blank")[0]


def _own(ws: Worksheet, data: Data, layout: Layout) -> None:
    """Write a link to the user's own rows beside each choice that may be one."""
    for key, target in asks.own_rows(data).items():
        row = layout.start[key]
        put(ws, row, 3, "Own >", "link")
        ws.cell(row, 3).alignment = Alignment(vertical="center")
        canvas.link(ws, f"C{row}", *target, f"Fill your own: {_label(data.input(key)).lower()}")


def _prompt(item: Input) -> str:
    """Return the help of an input with its range, in at most the letters that a prompt may have."""
    low, high = item.minimum or 0, item.maximum or 0
    accepted = f" {low:.0%} to {high:.0%}." if item.unit == "ratio" else f" {low:,.10g} to {high:,.10g}."
    text = item.help.rstrip(".") + "." + (accepted if item.kind == "number" else "")
    return text[:250]


def _answer(ws: Worksheet, data: Data, layout: Layout, rows: dict[str, int]) -> None:
    """Write the answer, in normal operation and after one failure, and what is bought."""

    def base(key: str) -> str:
        return layout.resolve(f"{{{key}}}", NAME, BASE)

    unit, units_word = base("unit_word"), base("units_word")
    entries = (
        # label, number format
        (f'={units_word}&" needed"', "General"),
        ("Limited by, share used", "General"),
        (f'={units_word}&" needed, unrounded"', _coded("0.00")),
        ("Room for more users", styles.line_format("room_normal", "count")),
        ("Minutes to boot all", _coded("0")),
        (f'="Login latency, ms (limit "&{base("latency_limit_words")}&")"', "0.0"),
        ("Minutes to log in all", "#,##0"),
        (f'="Usable / effective TiB, all "&{unit}&"s"', "General"),
        (styles.in_currency("Storage cost per desktop"), "#,##0.00"),
        (f'="Day one, "&{base("day_one_support")}&" support, "&{CURRENCY_NAME}', "#,##0"),
    )
    for row, ((label, form), (_, _, *figures)) in enumerate(zip(entries, FIGURES, strict=True), FIRST_ROW):
        put(ws, row, _LABEL, label, "shown" if label.startswith("=") else "label")
        for column, role, figure in zip((_NORMAL, _AFTER), ("answer", "answer_failed"), figures, strict=True):
            if figure:
                shown = _shown(row - FIRST_ROW, column - _NORMAL)
                put(ws, row, column, shown, "headline" if row == FIRST_ROW else role)
                ws.cell(row, column).number_format = form
                ws.cell(row, column).alignment = _RIGHT if form != "General" else _WORDS
    cost = FIRST_ROW + len(entries) - 2
    for row, key in ((cost, "cost_per_desktop"), (cost + 1, "cost_total")):
        asks.link(ws, f"G{row}", key, BASE, data, layout)
    canvas.colour_asks(ws, f"G{cost}:G{cost + 1}")
    row = rows["bought"]
    grows, years = f"SIGN(ABS({base('growth_per_year_ratio')}))", compare.cell("arrays_years")
    grown = f'"Growth: "&{years}&{base("bought_words")}'  # the count above is of day one
    said = f"CHOOSE(1+{grows},{base('design_words')},{grown})"
    put(ws, row, _LABEL, f"=IF(Chk_Master>0,{compare.cell('error_words')},{said})", "shown")
    asks.link(ws, f"F{row}", "status", BASE, data, layout)
    put(ws, row, 1, "Inputs and what-ifs  >", "link")
    put(ws, row, 2, "More  >", "link")
    canvas.link(ws, f"A{row}", INPUT_SHEETS[0], "D6", "What most designs change")
    canvas.link(ws, f"B{row}", INPUT_SHEETS[1], "D6", "More inputs: what few designs change")


def _shown(row: int, column: int = 0) -> str:
    """Return the formula of a figure, which no page shows while an error is raised, by its place in their table."""
    cell = f"{get_column_letter(BASE + column)}{compare.figures_row() + 1 + row}"
    return f'=IF(Chk_Master>0,"-",{compare.NAME}!{cell})'


def _coded(form: str) -> str:
    return f'[=-1]"not known";[=-2]"none";{form}'


def _table(ws: Worksheet, data: Data, layout: Layout, head: int) -> None:
    """Write the designs in their order, the one chosen in bold."""
    columns = (
        (1, "array_shown", "left"),
        (4, "year_words", "left"),
        (_LABEL, "limit_shown", "left"),
        (_NORMAL, "normal_shown", "right"),
        (_AFTER, "after_shown", "right"),
        (10, "unchecked_short", "left"),
        (13, "cost_shown", "right"),
    )
    figures = compare.block(columns[0][1], columns[-1][1])
    for row in range(head + 1, head + 1 + _TABLE_ROWS):
        at = f"INDEX({compare.block('at')},1,ROWS($E${head + 1}:$E{row}))"
        for column, key, side in columns:
            heading = f"$A${head}:{get_column_letter(column)}${head}"  # the n-th heading is that of the n-th figure
            put(ws, row, column, f"=INDEX({figures},COUNTA({heading}),{at})", "shown")
            cell = ws.cell(row, column)
            cell.alignment = Alignment(horizontal=side, vertical="center", indent=1)
            cell.number_format = {13: "#,##0.00"}.get(column, "General")
            asked = key.removesuffix("_shown")
            asks.link(ws, cell.coordinate, asked, BASE + 1, data, layout)  # the row of all designs, whichever this is
    first, last = head + 1, head + _TABLE_ROWS
    chosen = f"$A{first}=$D${layout.start['array']}"
    marked = PatternFill("solid", bgColor="EAF1FB")
    for letters in ("A:C", "D:D", "E:L", "M:M"):  # of the rules that hold, an application may take the first alone
        left, right = letters.split(":")
        area = f"{left}{first}:{right}{last}"
        if left == right:
            canvas.colour_asks(ws, area, (chosen, marked))
        ws.conditional_formatting.add(area, FormulaRule(formula=[chosen], font=Font(bold=True), fill=marked))
        grey = FormulaRule(formula=[f'OR(LEFT($G{first},2)="at",$G{first}="")'], font=Font(color="6B7280"))
        ws.conditional_formatting.add(area, grey)


def _notes(ws: Worksheet, context: Context, row: int) -> None:
    """Write what is not known, what to ask a vendor for and where the figures come from."""
    layout = context.layout
    targets = {
        "slower_storms": ("Sizing", layout.cell("slower_storms")[1]),
        "demand_words": layout.typed(asks.LOAD),
        "rating_words": asks.card(),
        "ask_words": ("Outcome", layout.cell("ask_words")[1]),
        "preboot_words": ("Sizing", layout.cell("preboot_words")[1]),
        "together_words": layout.typed("boot_at"),
        "group_words": (user_groups.NAME, f"C{FIRST_ROW}"),
    }
    for n, (label, key) in enumerate(NOTES):
        put(ws, row + n, 1, label, "link")
        put(ws, row + n, 4, _shown(len(FIGURES) + n), "shown")
        canvas.link(ws, f"A{row + n}", *targets.get(key, layout.cell(key)), "Go to where it comes from, or is typed")
    made = context.made
    last = row + len(NOTES)
    put(ws, last, 1, f"Version {made.version}, as built {made.digest}. Blue text is a link.", "note")
    ws.cell(last, 1).alignment = Alignment(horizontal="left", vertical="center", indent=1)


def _chart(ws: Worksheet, end: int) -> None:
    """Draw the share of the design each constraint uses, the largest on top, up to a line at 100 %."""
    head = compare.shares_row()
    chart = charts.bars("bar", TITLE, "Constraint", "100 % = the whole design", "0%")
    first, last = head + 1, head + compare.SHOWN
    where = quoted(compare.NAME)
    series = Series(Reference(ws, min_col=8, min_row=first, max_row=last), title_from_data=False)
    series.val = NumDataSource(numRef=NumRef(f=f"{where}!$H${first}:$H${last}"))
    series.cat = AxDataSource(strRef=StrRef(f"{where}!$F${first}:$F${last}"))
    series.tx = SeriesLabel(strRef=StrRef(f"{where}!$H${head}"))
    series.dLbls = charts.labels()
    charts.fill(series, charts.DARK)
    top = DataPoint(idx=0)
    top.graphicalProperties = GraphicalProperties(solidFill=charts.MIDDLE, ln=LineProperties(solidFill=charts.MIDDLE))
    series.dPt.append(top)
    chart.series.append(series)
    chart.legend, chart.gapWidth, chart.overlap = None, 45, 0
    chart.x_axis.title = None  # its labels say what they are, and need the room
    chart.x_axis.scaling.orientation = "maxMin"
    chart.y_axis.scaling.max, chart.y_axis.majorUnit = units.MOST_DRAWN, 1  # one line, at 100 %
    chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill=charts.OUTLINE))
    chart.y_axis.crosses = "max"
    charts.name_every_category(chart)
    charts.pin(ws, chart, (10, 14), (FIRST_ROW, end + 1))


def _blocks(_: Data) -> dict[str, Block]:
    """Return the cell of the date, on which list prices are looked at."""
    column = next(ord(letter) - ord("A") + 1 for letter, name, _ in DOCUMENT if name == "Doc_date")
    return {"doc_date": Block(NAME, HEAD_ROW - 1, HEAD_ROW - 1, column, column)}


TAB = Tab(NAME, "answer", "front", "What to type first, and the answer", write, _blocks)
