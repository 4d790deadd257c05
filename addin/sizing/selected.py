"""What a button works from where nothing is named: the cell that was selected when it was pressed."""

from __future__ import annotations

import xlwings as xw

from addin.errors import RequestError
from addin.kernel import Address
from addin.sizing.scenarios import VARIED
from addin.workbook import insertion
from addin.workbook.book import Item, SizingBook


def varied(
    book: xw.Book, sizing: SizingBook, key: str | None, clicked: Address | None, *, numbers: bool = False
) -> Item:
    """Return the input that a key names, or the one in whose row the selected cell stands, or the desktops."""
    if key:
        return sizing.entry(key)
    selected = _selected(book, clicked)
    for item in sizing.inputs.values():
        rows = [(at.sheet, at.row) for at in (item.address, item.beside)]
        if selected is not None and (selected.sheet, selected.row) in rows and not (numbers and item.choices):
            return item
    return sizing.entry(VARIED)


def explained(book: xw.Book, sizing: SizingBook, clicked: Address | None) -> Address:
    """Return the selected cell. Raises RequestError where it holds no value."""
    selected = _selected(book, clicked)
    if selected is None or sizing.cells.values.get(selected) is None:
        where = selected.a1 if selected is not None else "nothing"
        raise RequestError(f"{book.name}: {where} is selected, which holds no value. Select a cell with a formula.")
    return selected


def _selected(book: xw.Book, clicked: Address | None) -> Address | None:
    """Return the cell that was selected at the click, else the selected one; None where something else is selected."""
    if clicked is not None:
        return clicked
    with insertion.refusals(book, "the selection could not be read"):
        cell = book.selection
        return Address(cell.sheet.name, cell.row, cell.column) if cell is not None else None
