"""What a sheet calls a cell: the label of its own block, and the heading of its column where a block has several."""

from __future__ import annotations

from addin.computing.kernel_engine import Values
from addin.kernel import Address
from addin.workbook import columns
from addin.workbook.book import SizingBook
from addin.workbook.item import unit_at

HEAD = 4  # the row of headings; on a sheet of several blocks each begins with a heading in capitals


def named(book: SizingBook, values: Values, address: Address) -> tuple[str, str]:
    """Return label and unit of a cell as they stand beside it; empty where nothing does."""
    band = _band(book, address)
    if band is None:
        place = columns.label(book.cells, address)
        label = _constant(book, place) if address.column > place.column else ""
        return label, unit_at(book.cells, address)
    title = _constant(book, band)
    if band.column == address.column:
        return title, ""
    beside = values.value(address._replace(column=band.column))
    label = beside if isinstance(beside, str) and beside else title
    both = (band.column, address.column)
    # a blank figure leaves a row in its table; a row without label and figure ends it
    heads = all(
        any(book.cells.values.get(address._replace(row=row, column=column)) is not None for column in both)
        for row in range(band.row + 1, address.row)
    )
    heading = _constant(book, address._replace(row=band.row)) if heads else ""
    unit = unit_at(book.cells, address) if band == columns.label(book.cells, band) and not heading else ""
    return f"{label}, {heading}" if heading else label, unit


def _band(book: SizingBook, address: Address) -> Address | None:
    """Return the heading of the block that a cell stands in: the lowest above it, of several the nearest to its left.

    None where the sheet has no such headings: then the first column holds the labels.
    """
    if not _constant(book, columns.label(book.cells, address._replace(row=HEAD))).isupper():
        return None
    places = (
        Address(address.sheet, row, column)
        for row in range(address.row - 1, HEAD - 1, -1)
        for column in range(address.column, 0, -1)
    )
    return next((place for place in places if _constant(book, place).isupper()), None)


def _constant(book: SizingBook, address: Address) -> str:
    value = book.cells.constant(address)
    return value if isinstance(value, str) and not value.startswith("=") else ""
