"""What few data sheets print of the user's own arrays, below their cards: ratings by phase, drives, measured latencies.

Every attribute of an array that its card does not hold is a line here, by itself.
"""

from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit
from model.layout.canvas import NO_LESS, put
from model.layout.grid import BASE, FIRST_ROW, OWN_ARRAYS, Block, not_numbers, runs_of
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.catalogue import ArrayField
from model.reading.choices import FIELD_LISTS
from model.reading.records import Data
from model.sheets.catalogue import my_arrays
from model.sheets.catalogue.card_rows import CARD_FIELDS
from model.sheets.catalogue.my_arrays import DETAILS_ROW, LAST_COLUMN, NAME, typed_column

_WORDS = Alignment(horizontal="right", vertical="center", shrink_to_fit=True)
# what an array serves: no second opinion beside the IOPS of a card
SUPPLY = ("rating_", "read_equivalent_iops", "latency_shape", "drives")


def details(data: Data) -> tuple[ArrayField | Group, ...]:
    """Return the attributes in their order here, those of supply first."""
    rest = [field for field in data.fields if field.key not in CARD_FIELDS]
    supply = [field for field in rest if field.key.startswith(SUPPLY)]
    return (
        Group("What one array serves; not used where its card has IOPS"),
        *supply,
        Group("More about it"),
        *(field for field in rest if field not in supply),
    )


def rows(data: Data) -> dict[str, int]:
    """Return the row of every attribute."""
    return {each.key: at for at, each in enumerate(details(data), DETAILS_ROW) if isinstance(each, ArrayField)}


def last(data: Data) -> int:
    """Return the last row, which counts the cells that need a figure and have something else."""
    return my_arrays.last_detail(data) + 1


def _blocks(data: Data) -> dict[str, Block]:
    """Return where everything about the user's arrays is typed."""
    further = {f"own_arrays:{key}": Block(NAME, row, row, BASE, LAST_COLUMN) for key, row in rows(data).items()}
    return {**my_arrays.blocks(data), **further}


def _write(ws: Worksheet, context: Context) -> None:
    """Write the cards, below them a line for every attribute, and beside a figure that is not used, why."""
    data = context.data
    my_arrays.write(ws, context)
    for row, field in enumerate(details(data), DETAILS_ROW):
        if isinstance(field, Group):
            my_arrays.group(ws, row, field.label)
            continue
        put(ws, row, 1, field.label, "label")
        canvas.put_unit(ws, row, 2, field.unit)
        put(ws, row, 3, f"user. {field.help}", "note")
        for card in range(len(OWN_ARRAYS)):
            column = typed_column(card)
            put(ws, row, column, None, "input", field.unit)
            cell = f"{get_column_letter(column)}{row}"
            if field.kind == "number":
                canvas.allow_number(ws, cell, field.minimum or 0, field.maximum or 0, field.label)
            else:
                canvas.allow_list(ws, cell, FIELD_LISTS[field.key], field.label, blank=True)
            if field.key.startswith(SUPPLY):
                put(ws, row, column + 1, _unused(cell, column), "output")
                ws.cell(row, column + 1).alignment = _WORDS
        if field.kind != "number":
            canvas.centre(ws, row, range(BASE, LAST_COLUMN + 1))
            fit.reserve(ws, row, 1)
    _not_numbers(ws, data)
    fit.rows(ws, last(data))


def _not_numbers(ws: Worksheet, data: Data) -> None:
    """Count the typed cells of every card that hold something else where a figure belongs, and figures below 0."""
    row, figures = last(data), [at for at, field in enumerate(details(data), DETAILS_ROW) if not _is_text(field)]
    runs = list(runs_of(figures))
    put(
        ws,
        row,
        1,
        "Cells here with no figure where one belongs, and figures below 0 on the card",
        "label",
    )
    canvas.put_unit(ws, row, 2, "count")
    put(ws, row, 3, "Text is not a number: the cell and the banner turn red", "note")
    for card in range(len(OWN_ARRAYS)):
        letter = get_column_letter(typed_column(card))
        areas = [f"{letter}{a}:{letter}{b}" for a, b in runs]
        below = f'COUNTIF({letter}{FIRST_ROW}:{letter}{row - 1},"<0")'
        put(ws, row, typed_column(card) + 1, f"{not_numbers(areas)}+{below}", "output")
        ws.cell(row, typed_column(card) + 1).number_format = "0;;0"
        canvas.colour_not_numbers(ws, areas, limits=NO_LESS)


def _is_text(field: ArrayField | Group) -> bool:
    return isinstance(field, ArrayField) and field.kind != "number"


def _unused(cell: str, column: int) -> str:
    """Return the words beside a figure that the card's IOPS replace."""
    at = my_arrays.rows()["card_iops"]
    card = f"{get_column_letter(column + 1)}${at}"
    return f'=REPT("not used: see the card",COUNTA({cell})*COUNT({card}))'


TAB = Tab(
    NAME,
    "card",
    "input",
    "Your own arrays, from their data sheets; ratings, drives, measured latencies",
    _write,
    _blocks,
)
