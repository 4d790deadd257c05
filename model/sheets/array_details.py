"""Array details: what few data sheets print of the user's own arrays: ratings by phase, drives, measured latencies.

Every attribute of an array that its card does not hold is a line here, by itself.
"""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, OWN_ARRAYS, Block, Layout, quoted
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.catalogue import ArrayField
from model.reading.records import Data
from model.sheets import my_arrays
from model.sheets.card_rows import CARD_FIELDS
from model.sheets.my_arrays import DETAILS, LAST_COLUMN, typed_column

NAME = DETAILS
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
    return {each.key: at for at, each in enumerate(details(data), FIRST_ROW) if isinstance(each, ArrayField)}


def blocks(data: Data) -> dict[str, Block]:
    """Return where every attribute of the user's arrays is typed."""
    return {f"own_arrays:{key}": Block(NAME, row, row, BASE, LAST_COLUMN) for key, row in rows(data).items()}


def write(ws: Worksheet, context: Context) -> None:
    """Write a line for every attribute, and beside a figure that is not used, why."""
    data, layout = context.data, context.layout
    my_arrays.heads(ws, NAME, "What few data sheets print. The cards of My arrays come first; nothing here is needed.")
    for card in range(len(OWN_ARRAYS)):
        name = f"={quoted(my_arrays.NAME)}!{get_column_letter(typed_column(card))}{HEAD_ROW}"
        put(ws, HEAD_ROW, typed_column(card), name, "calculation")
    canvas.centre(ws, HEAD_ROW, [typed_column(card) for card in range(len(OWN_ARRAYS))])
    for row, field in enumerate(details(data), FIRST_ROW):
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
                canvas.allow_list(ws, cell, my_arrays.LISTS[field.key], field.label, blank=True)
            if field.key.startswith(SUPPLY):
                put(ws, row, column + 1, _unused(cell, column, layout), "output")
        if field.kind != "number":
            canvas.centre(ws, row, range(BASE, LAST_COLUMN + 1))
            fit.reserve(ws, row, 1)
    canvas.print_setup(ws, LAST_COLUMN, FIRST_ROW + len(details(data)) - 1, titles="A:B")


def _unused(cell: str, column: int, layout: Layout) -> str:
    """Return the words beside a figure that the card's IOPS replace."""
    at = my_arrays.rows()["card_iops"]
    card = f"{quoted(my_arrays.NAME)}!{get_column_letter(column + 1)}${at}"
    return f'=REPT("not used: see the card",COUNTA({cell})*COUNT({card}))'


TAB = Tab(NAME, "card", "input", "More about your own arrays: ratings, drives, measured latencies", write, blocks)
