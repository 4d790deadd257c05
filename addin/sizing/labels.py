"""What a sheet calls a cell: the label of its own block, and the heading of its column where a block has several."""

from __future__ import annotations

from dataclasses import dataclass

from addin.computing.kernel_engine import Values
from addin.kernel import Address
from addin.sizing.checks import MASTER
from addin.workbook import columns
from addin.workbook.book import SizingBook
from addin.workbook.item import unit_at

CHECK = 2  # the column that says what is checked
HEAD = 4  # the row of headings; on a sheet of several blocks each begins with a heading in capitals


@dataclass(frozen=True)
class Naming:
    """What stands beside a cell: the cell with its label where its block has one, else `title`; heading and unit."""

    beside: Address | None
    title: str
    heading: str
    unit: str


def named(book: SizingBook, values: Values, address: Address) -> tuple[str, str]:
    """Return label and unit of a cell as they stand beside it; empty where nothing does."""
    found = naming(book, address)
    beside = None if found.beside is None else values.value(found.beside)
    label = beside if isinstance(beside, str) and beside else found.title
    return f"{label}, {found.heading}" if found.heading else label, found.unit


def naming(book: SizingBook, address: Address) -> Naming:
    """Return what `named` reads; the label beside a cell of a block may be a formula or typed."""
    band = _band(book, address)
    if band is None and address.row > HEAD and _checks(book, address.sheet):
        return _in_table(book, address)
    if band is None:
        place = columns.label(book.cells, address)
        label = _constant(book, place) if address.column > place.column else ""
        return Naming(None, label, "", unit_at(book.cells, address))
    title = _constant(book, band)
    if band.column == address.column:
        return Naming(None, title, "", "")
    both = (band.column, address.column)
    # a blank figure leaves a row in its table; a row without label and figure ends it
    heads = all(
        any(book.cells.values.get(address._replace(row=row, column=column)) is not None for column in both)
        for row in range(band.row + 1, address.row)
    )
    heading = _constant(book, address._replace(row=band.row)) if heads else ""
    unit = unit_at(book.cells, address) if band == columns.label(book.cells, band) and not heading else ""
    return Naming(address._replace(column=band.column), title, heading, unit)


def _checks(book: SizingBook, sheet: str) -> bool:
    """Say whether a sheet is the table of the checks."""
    return MASTER in book.cells.names and book.address(book.cells.names[MASTER], MASTER).sheet == sheet


def _in_table(book: SizingBook, address: Address) -> Naming:
    """Return the name of a figure of the checks: what is checked, or the first column of the table that it is in."""
    first = address.column
    while first > 1 and _constant(book, address._replace(row=HEAD, column=first - 1)):
        first -= 1
    told = _constant(book, address._replace(column=CHECK if first == 1 else first))
    heading = _constant(book, address._replace(row=HEAD))
    return Naming(None, heading, "", "") if address.column == first else Naming(None, told, heading, "")


def _band(book: SizingBook, address: Address) -> Address | None:
    """Return the heading of the block that a cell stands in: the lowest above it, of several the nearest to its left.

    None where the sheet has no such headings: then the first column holds the labels.
    """
    if not _in_blocks(book, address):
        return None
    places = (
        Address(address.sheet, row, column)
        for row in range(address.row - 1, HEAD - 1, -1)
        for column in range(address.column, 0, -1)
    )
    return next((place for place in places if _constant(book, place).isupper()), None)


def one_name_a_row(book: SizingBook, address: Address) -> bool:
    """Say whether the figures of each row on the sheet of a cell have one name: it has no blocks, and no checks."""
    return not _in_blocks(book, address) and not _checks(book, address.sheet)


def _in_blocks(book: SizingBook, address: Address) -> bool:
    """Say whether the sheet of a cell has several blocks, each with a heading in capitals."""
    return _constant(book, columns.label(book.cells, address._replace(row=HEAD))).isupper()


def _constant(book: SizingBook, address: Address) -> str:
    value = book.cells.constant(address)
    return value if isinstance(value, str) and not value.startswith("=") else ""
