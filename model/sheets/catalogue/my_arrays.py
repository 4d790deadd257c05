"""My arrays: a card for each array of the user's own, as its data sheet prints it; beside it what the model derives."""

import re

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit, styles
from model.layout.canvas import NO_LESS, put, typed_role
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, OWN_ARRAYS, Block, Layout, quoted, runs_of
from model.layout.line import Group
from model.layout.tab import Context
from model.reading.catalogue import CardField
from model.reading.choices import CAPACITIES, FIELD_LISTS
from model.reading.records import Data
from model.sheets.catalogue.card_rows import (
    CARD_FIELDS,
    ENTERED,
    FACTOR,
    FIRST_FIELDS,
    LAST_FIELDS,
    MADE,
    MORE,
    MORE_FIELDS,
    QUOTE,
    Row,
)

NAME = "My arrays"
LAST_COLUMN = BASE + 2 * len(OWN_ARRAYS) - 1
ROWS: tuple[Row | Group, ...] = (*ENTERED, *FIRST_FIELDS, *QUOTE, *MORE, *MORE_FIELDS, FACTOR, *LAST_FIELDS, *MADE)
_CELL = re.compile(r"<(\w+)>|\[(\w+)\]")
_DETAILS = "<details>"  # in a formula: all that is typed below the card
_KINDS_ROW = FIRST_ROW + len(ROWS) + 2
DETAILS_ROW = _KINDS_ROW + len(CAPACITIES) + 1  # the lines that few data sheets print, by `array_details`
_WIDTHS = (34, 7, 38, 12, 17)  # of label, unit, help, and of the typed and the derived column of every card
_PRINTED = 2  # cards that stand on legible pages: those that ship as what-ifs


def rows() -> dict[str, int]:
    """Return the row of every key of a card; the name stands in the heading row."""
    keyed = {row.key: at for at, row in enumerate(ROWS, FIRST_ROW) if isinstance(row, Row)}
    return {"name": HEAD_ROW, **keyed}


def typed_column(card: int) -> int:
    """Return the column where the n-th card (from 0) is typed; what is derived stands right of it."""
    return BASE + 2 * card


def name_cell(card: int) -> str:
    """Return the address of the n-th card's name (from 0), absolute and with its sheet, as it may be renamed."""
    return f"{quoted(NAME)}!${get_column_letter(typed_column(card))}${HEAD_ROW}"


def blocks(data: Data) -> dict[str, Block]:
    """Return where the names stand, every line that is typed, and the list of capacities."""
    at = rows()
    own = {
        f"own_arrays:{field.key}": Block(NAME, at[field.key], at[field.key], BASE, LAST_COLUMN)
        for field in data.card_fields
    }
    return {
        "own_array_names": Block(NAME, HEAD_ROW, HEAD_ROW, BASE, LAST_COLUMN),
        "capacity_kinds": Block(NAME, _KINDS_ROW, _KINDS_ROW + len(CAPACITIES) - 1, 1, 1),
        **own,
    }


def _heads(ws: Worksheet) -> None:
    """Write the header rows: what is derived has a heading without words."""
    purpose = "An array from its data sheet: type in the yellow cells; beside them is what the model derives."
    headings = ["As data sheets print it", "Unit", "Source and meaning", *[""] * (2 * len(OWN_ARRAYS))]
    canvas.head(ws, NAME, purpose, headings, [*_WIDTHS[:3], *(_WIDTHS[3:] * len(OWN_ARRAYS))], "D5")
    for column in range(BASE, LAST_COLUMN + 1):
        put(ws, HEAD_ROW, column, None, "heading")


def group(ws: Worksheet, row: int, label: str) -> None:
    """Write a heading across the cards."""
    for column in range(1, LAST_COLUMN + 1):
        put(ws, row, column, label if column == 1 else None, "group")


def last_detail(data: Data) -> int:
    """Return the last row of the lines below the cards: two headings, and every attribute that no card has."""
    return DETAILS_ROW + 1 + sum(field.key not in CARD_FIELDS for field in data.fields)


def write(ws: Worksheet, context: Context) -> None:
    """Write the cards; what stands below them is not printed with them."""
    data, layout = context.data, context.layout
    fields = {field.key: field for field in data.card_fields}
    labels = {field.key: (field.label, field.unit) for field in data.fields}
    _heads(ws)
    for card, name in enumerate(OWN_ARRAYS):
        put(ws, HEAD_ROW, typed_column(card), name, "input")
        letter = get_column_letter(typed_column(card))
        canvas.allow_text(ws, f"{letter}{HEAD_ROW}", "Name of the array")
    canvas.centre(ws, HEAD_ROW, [typed_column(card) for card in range(len(OWN_ARRAYS))])
    for at, row in enumerate(ROWS, FIRST_ROW):
        if isinstance(row, Group):
            group(ws, at, row.label)
            continue
        field = fields.get(row.key)
        known_label, known_unit = labels.get(row.key, (row.label, row.unit))
        put(ws, at, 1, field.label if field else row.label or known_label, "label")
        unit = field.unit if field else row.unit or known_unit
        canvas.put_unit(ws, at, 2, unit)
        put(ws, at, 3, f"{field.value.source}. {field.help}" if field else row.note, "note")
        for card in range(len(OWN_ARRAYS)):
            column = typed_column(card)
            if field:
                put(ws, at, column, field.value.value, typed_role(field.value, unlocked=True), unit)
                accept(ws, f"{get_column_letter(column)}{at}", field)
            below = "{0}{1}:{0}{2}".format(get_column_letter(column), DETAILS_ROW, last_detail(data))
            derived = formula(row.formula.replace(_DETAILS, below), column, layout)
            _derive(ws, at, column + 1, derived, row.form or styles.number_format(unit))
        if unit == "text":
            canvas.centre(ws, at, range(BASE, LAST_COLUMN + 1))
    amber = PatternFill("solid", bgColor=styles.AMBER_FILL)
    for card in range(len(OWN_ARRAYS)):  # words where a number is asked for
        letter = get_column_letter(typed_column(card) + 1)
        wordless = f'$B{FIRST_ROW}<>"{styles.WORDS}",$B{FIRST_ROW}<>"any text"'
        said = f"AND(ISTEXT({letter}{FIRST_ROW}),LEN({letter}{FIRST_ROW})>0,{wordless})"
        area = f"{letter}{FIRST_ROW}:{letter}{_KINDS_ROW - 3}"
        ws.conditional_formatting.add(area, FormulaRule(formula=[said], fill=amber))
    for card in range(len(OWN_ARRAYS)):
        typed, beside = (f"{get_column_letter(typed_column(card) + n)}{rows()['quote_until']}" for n in (0, 1))
        canvas.mark_past(ws, (typed,), words=False)
        canvas.mark_past(ws, (beside,))
    fit.rows(ws, _lists(ws))
    last = FIRST_ROW + len(ROWS) - 1
    figures = [rows()[key] for key, field in fields.items() if field.kind in ("number", "date")]
    letters = [get_column_letter(typed_column(card)) for card in range(len(OWN_ARRAYS))]
    areas = [f"{at}{a}:{at}{b}" for at in letters for a, b in runs_of(sorted(figures))]
    canvas.colour_not_numbers(ws, areas, limits=NO_LESS)
    canvas.print_setup(ws, typed_column(_PRINTED) - 1, last, titles="A:B", upright=True, pages=2)


def accept(ws: Worksheet, cell: str, field: CardField) -> None:
    """Let a cell take what a field of the cards takes."""
    low, high = field.minimum or 0, field.maximum or 0
    if field.kind == "number":
        canvas.allow_number(ws, cell, low, high, field.label)
    elif field.kind == "date":
        canvas.allow_date(ws, cell, low, high, field.label, field.help)
    elif field.kind == "text":
        canvas.allow_text(ws, cell, field.label)
    else:
        canvas.allow_list(ws, cell, FIELD_LISTS[field.key], field.label, blank=True)


def _derive(ws: Worksheet, row: int, column: int, text: str, form: str) -> None:
    put(ws, row, column, text, "output")
    ws.cell(row, column).number_format = form
    ws.cell(row, column).alignment = Alignment(horizontal="right", vertical="center", wrap_text=True)


def formula(template: str, typed: int, layout: Layout) -> str:
    """Return the formula of a derived cell of the card that is typed in a column."""
    at = {**{key: layout.blocks[f"own_arrays:{key}"].first_row for key in ("raid", "hci_node")}, **rows()}

    def cell(match: re.Match[str]) -> str:
        return f"{get_column_letter(typed + bool(match[2]))}{at[match[1] or match[2]]}"

    return layout.resolve(_CELL.sub(cell, template), NAME, typed).replace(f"{quoted(NAME)}!", "")


def _lists(ws: Worksheet) -> int:
    """Write where to go on, and the kinds of capacity; return the last row."""
    put(ws, _KINDS_ROW - 2, 1, "Measured latencies, drives, ratings by phase: further down", "link")
    canvas.link(ws, f"A{_KINDS_ROW - 2}", NAME, f"A{DETAILS_ROW}", "Go to what few data sheets print")
    put(ws, _KINDS_ROW - 1, 1, "Which capacity a data sheet prints", "group")
    for row, kind in enumerate(CAPACITIES, _KINDS_ROW):
        put(ws, row, 1, kind, "label")
    return _KINDS_ROW + len(CAPACITIES) - 1
