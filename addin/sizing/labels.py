"""What a sheet calls a cell: the label of its own block or table, and the heading above it where there are several."""

from __future__ import annotations

from dataclasses import dataclass

from addin.computing.kernel_engine import Values
from addin.kernel import Address
from addin.workbook import columns
from addin.workbook.book import SizingBook
from addin.workbook.item import unit_at

CHECK, PHASE = "Check", "Phase"  # second headings: what is checked, after its number; a row for each phase
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
    return ", ".join(filter(None, (label, found.heading))), found.unit


def naming(book: SizingBook, address: Address) -> Naming:
    """Return what `named` reads; the label beside a cell of a block may be a formula or typed."""
    band = _band(book, address)
    if band is None and not one_name_a_row(book, address) and (head := heading_of(book, address)):
        return _in_table(book, address, head)
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


def heading_of(book: SizingBook, address: Address) -> Address | None:
    """Return the heading of a cell in a table: the highest text above it, of rows with a label or a figure.

    None for a cell of no table, and in one whose second column has units: there a row has one name.
    """
    label = columns.label(book.cells, address).column
    found, row = None, address.row - 1
    while row >= HEAD and any(
        book.cells.values.get(address._replace(row=row, column=each)) is not None for each in (label, address.column)
    ):
        beside = address._replace(row=row, column=label + 1)  # of a title, which is no heading, nothing
        if _constant(book, address._replace(row=row)) and (address.column > label or _constant(book, beside)):
            found = row
        row -= 1
    if found is None or _constant(book, address._replace(row=found, column=label + 1)) == columns.UNIT:
        return None
    return address._replace(row=found)


def _in_table(book: SizingBook, address: Address, head: Address) -> Naming:
    """Return the name of a figure in a table: its row's first cell, of a check what is checked, and its heading."""
    first = head
    while first.column > 1 and _constant(book, first._replace(column=first.column - 1)):
        first = first._replace(column=first.column - 1)
    heading = _constant(book, head)
    if first == head:
        return Naming(None, heading, "", "")
    next_head = _constant(book, first._replace(column=first.column + 1))
    name = address._replace(column=first.column + (next_head == CHECK))
    phase = _constant(book, name._replace(column=name.column + 1)) if next_head == PHASE else ""
    if phase and head.column > first.column + 1:
        return Naming(name, "", f"{phase}, {heading}", "")
    return Naming(name, "", heading, "")


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
    """Say whether the figures of each row on the sheet of a cell have one name, as those of all designs have."""
    head = columns.unit(book.cells, address._replace(row=columns.HEAD_ROW))
    return not _in_blocks(book, address) and _constant(book, head) == columns.UNIT


def _in_blocks(book: SizingBook, address: Address) -> bool:
    """Say whether the sheet of a cell has several blocks, each with a heading in capitals."""
    return _constant(book, columns.label(book.cells, address._replace(row=HEAD))).isupper()


def _constant(book: SizingBook, address: Address) -> str:
    value = book.cells.constant(address)
    return value if isinstance(value, str) and not value.startswith("=") else ""
