"""What one array of the design has: every figure of the list of all arrays, with its source in words."""

from __future__ import annotations

from collections.abc import Iterator

from addin.results.document.reading import Reading
from addin.results.document.sources import Origins
from addin.results.prices import is_money


def card(reading: Reading) -> Iterator[tuple[str, str, str]]:
    """Yield (attribute, value, source in words) of the array of the design; a price is told with the cost alone."""
    book, name = reading.book, reading.used(reading.book.inputs["array"])
    head = book.cells.names.get("Tbl_Arrays", "").rpartition("!")[0].strip("'")
    at = (
        next((at for at in book.cells.values if at.sheet == head and reading.scalar(at) == name), None)
        if head
        else None
    )
    if at is None:
        return
    origins, sources = Origins(reading), dict(_sources(reading, str(name)))
    for label, unit, left in reading.lines(head):
        value = reading.scalar(left._replace(column=at.column))
        if left.row <= at.row or value is None or value == "" or _about_money(label):
            continue
        if isinstance(value, float) and unit == "flag" and not value:
            continue
        status, words = origins.in_words(sources.get(label, "")) if label in sources else ("user", "typed on its card")
        yield label, reading.figure(value, unit), f"{status}: {words}" if words else status


def _about_money(label: str) -> bool:
    return any(is_money(word) for word in label.lower().replace(",", " ").split())


def _sources(reading: Reading, array: str) -> Iterator[tuple[str, str]]:
    """Yield (attribute, source) of an array of the papers: the second table of its sheet."""
    sheet = "Arrays"
    first = reading.heading(sheet, "Source of each figure")
    head = next((at for at in reading.book.cells.values if at.sheet == sheet and reading.scalar(at) == array), None)
    if first is None or head is None:
        return
    for label, _, at in reading.lines(sheet):
        if at.row > first.row:
            yield label, reading.at(at._replace(column=head.column))
