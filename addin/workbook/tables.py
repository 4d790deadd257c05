"""Tables of a workbook, such as its checks: rows by the headings of one table, never of another one beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from addin.errors import BookError
from addin.kernel import Address
from addin.workbook.book import SizingBook

FIRST = "Id"  # the heading of the first column


def rows(book: SizingBook, sheet: str, having: str = "") -> Iterator[Mapping[str, Address]]:
    """Yield the cells of each row by heading, from the row below the headings to the first without an id.

    The table ends where a column has no heading; one `having` a certain heading is the first that has it, and has the
    row of its headings for itself. Raises BookError where a heading stands twice in it.
    """
    every = {at: text for at in book.cells.stored(sheet) if isinstance(text := book.cells.constant(at), str)}
    tops = {at.row for at, text in every.items() if text == having}
    head = min((at for at, text in every.items() if text == FIRST and (at.row in tops or not having)), default=None)
    if head is None:
        return
    last = max(at.column for at in every if at.row == head.row) if having else head.column
    columns: dict[str, int] = {}
    place = head
    while (heading := every.get(place)) is not None or place.column < last:
        if heading is None:
            place = place._replace(column=place.column + 1)
            continue
        if heading in columns:
            raise BookError(f"{place.a1}: the heading {heading!r} appears twice. Restore the headings of {sheet}.")
        columns[heading] = place.column
        place = place._replace(column=place.column + 1)
    row = head.row + 1
    while book.cells.constant(head._replace(row=row)) is not None:
        yield {heading: Address(sheet, row, column) for heading, column in columns.items()}
        row += 1
