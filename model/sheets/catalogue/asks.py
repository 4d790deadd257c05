"""Where what the front sheets ask for is typed: each text such as "enter a quote" is a link to an unlocked cell.

A what-if's figures are typed in its column of Inputs, the base design's on Answer, an array's on its card.
"""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.grid import BASE, LABEL, OWN_ARRAYS, Layout
from model.reading.records import Data
from model.sheets.catalogue import my_arrays
from model.sheets.catalogue import own_rows as own

_QUOTES = ("cost", "cost_total", "cost_per_desktop", "price", "npv", "per_month")
_BASE_QUOTE = ("break_even",)  # "the base design needs a quote"
_UNCHECKED = ("unchecked", "constraints_unchecked")
_CARDS = ("state", "year_words", *_UNCHECKED)
LOAD = "provisioning_iops_per_desktop"  # the first of the figures that say what desktops do
_FIRST = ("status",)  # what to enter at all
_TIPS = {
    **dict.fromkeys(_QUOTES, "Type the quote for one array of this design"),
    **dict.fromkeys(_BASE_QUOTE, "Type the quote for one array of the base design"),
    **dict.fromkeys(_CARDS, "Fill a card: capacity, IOPS, latency and the other ratings of an array"),
    **dict.fromkeys(_FIRST, "Type what the design needs"),
}


def card(name: str = "") -> tuple[str, str]:
    """Return the first cell to fill of an own array's card; of the first card for any other array."""
    number = OWN_ARRAYS.index(name) if name in OWN_ARRAYS else 0
    letter = get_column_letter(my_arrays.typed_column(number))
    return my_arrays.NAME, f"{letter}{my_arrays.rows()['capacity_tb']}"


def own_rows(data: Data) -> dict[str, tuple[str, str]]:
    """Return the first cell to fill of what users may add to a choice, by the input that chooses it."""
    tables = own.tables(data)
    firsts = {key: tables[key].cell(tables[key].names[0], tables[key].fields[0].key) for key in ("profiles", "methods")}
    return {
        "array": card(),
        "profile": (own.NAME, firsts["profiles"]),
        "provisioning": (own.NAME, firsts["methods"]),
    }


def typed(layout: Layout, key: str, column: int) -> tuple[str, str]:
    """Return (sheet, cell) where an input of the design in a column is typed."""
    if column == BASE:
        return layout.typed(key)
    sheet, row = layout.inputs[key]
    return sheet, f"{get_column_letter(column)}{row}"


def link(ws: Worksheet, cell: str, key: str, column: int, data: Data, layout: Layout) -> None:
    """Make the result of a design a link to where what it may ask for is typed, where it may ask for something."""
    if key in _QUOTES:
        target = typed(layout, "array_price", column)
    elif key in _BASE_QUOTE:
        target = layout.typed("array_price")
    elif key in _CARDS:
        chosen = {BASE + int(a.what_if): str(a.value.value) for a in data.alternatives if a.key == "array"}
        target = card(chosen.get(column, ""))
    elif key in _FIRST:
        target = typed(layout, next(iter(layout.start)), column)
    else:
        return
    canvas.link(ws, cell, *target, _TIPS[key])
    if key in _UNCHECKED and column == BASE:  # what it names may be figures of the load: beside it
        label = ws.cell(ws[cell].row, LABEL).coordinate
        canvas.link(ws, label, *layout.typed(LOAD), "Figures of the load, phase by phase")
