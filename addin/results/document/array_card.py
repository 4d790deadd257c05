"""The card of the array of the design: every figure of it, with its source in words."""

from __future__ import annotations

from collections.abc import Iterator

from addin.kernel import Scalar
from addin.prices import is_money
from addin.results.document.reading import Reading
from addin.results.document.sources import Origins
from addin.results.labels import AllArrays, Arrays
from addin.workbook import columns, tables, tabs


def figures(reading: Reading) -> Iterator[tuple[str, str, Scalar]]:
    """Yield (attribute, unit, value) of the array of the design, from the list of all arrays, without blanks."""
    cells, name = reading.book.cells, reading.used(reading.book.inputs["array"])
    sheet = cells.names.get("Tbl_Arrays", "").rpartition("!")[0].strip("'")
    head = next((at for at in cells.values if at.sheet == sheet and reading.scalar(at) == name), None)
    for label, unit, left in reading.lines(sheet) if head else ():
        if unit == tables.FIRST:
            break  # the headings of the tables below
        value = reading.scalar(left._replace(column=head.column)) if head and left.row > head.row else None
        if value is not None and value != "":
            yield label, unit, value


def card(reading: Reading) -> Iterator[tuple[str, str, str]]:
    """Yield (attribute, value, source in words) of that array, without prices."""
    origins, sources = Origins(reading), dict(_sources(reading))
    for label, unit, value in figures(reading):
        if _about_money(label) or (unit == "flag" and (not value or label not in sources)):
            continue
        if value == 0 and label not in sources:  # computed from cells that are blank
            continue
        status, words = origins.in_words(sources[label]) if label in sources else ("derived", "from its card")
        words = words or ("typed on its card" if status == "user" else "")
        if status == "derived" and isinstance(value, str) and unit not in _WORDED:
            status, words = "not entered", ""  # words in place of a figure: the card's cell is blank
        if label in _WEIGHED and reading.number("card_open"):
            status, words = _WEIGHED[label]
        shown = reading.figure(value, unit).removeprefix(", ")  # a list of words, joined on the sheet
        yield label, shown, f"{status}: {words}" if words else status


_WEIGHED = {  # the cost of a write follows neither from the card nor from two of its points
    AllArrays.WRITE_WEIGHT: ("assumed", "not on its card"),
    AllArrays.CAPACITY: ("derived", "from its card and the assumed work of a write"),
}
_WORDED = ("", "-", "text", "any text", "date", "flag")  # units of words


def _about_money(label: str) -> bool:
    return any(is_money(word) for word in label.lower().replace(",", " ").split())


def _sources(reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield (attribute, source): from the second table of Arrays for a published array, else from its card."""
    name, sheet = reading.used(reading.book.inputs["array"]), tabs.title(reading.book.cells, Arrays.SHEET)
    first = reading.heading(sheet, Arrays.SOURCES)
    head = next((at for at in reading.book.cells.values if at.sheet == sheet and reading.scalar(at) == name), None)
    if first is not None and head is not None:
        for label, _, at in reading.lines(sheet):
            if at.row > first.row:
                yield label, reading.at(at._replace(column=head.column))
        return
    for title in ("My arrays", "Array details"):  # one sheet since 0.3.0
        for label, _, at in reading.lines(title):
            yield label, reading.at(columns.basis(reading.book.cells, at)).partition(". ")[0]
