"""Where a fixed figure comes from: the source that its sheet states, and the printed figures behind that in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from addin.computing.kernel_engine import Values
from addin.errors import BookError
from addin.kernel import Address
from addin.sizing.labels import heading_of
from addin.workbook import columns, tables, tabs
from addin.workbook.book import SizingBook, shown

BLOCK, HEADING = "Source of each figure", "Source"  # a block with the rows of the figures again, a column of a table
OF_PHASES = {
    "IOPS": "IOPS",
    "Minutes of the run": "the minutes",
    "Read share": "read share",
    "Block size": "block size",
}
FACT = re.compile(r"\b[A-Z][A-Z0-9]{1,3}-\d{3,}\b")
FACTS = "Evidence"  # the sheet of the printed figures


def reader(book: SizingBook) -> Callable[[Address], str]:
    """Return what gives the source of a figure: facts, "assumed: ...", "not published"; empty where none is stated."""
    blocks: dict[str, tuple[int, dict[str, int]]] = {}

    def block(sheet: str) -> tuple[int, dict[str, int]]:
        """Return the row in which the block of sources begins, 0 for none, and its rows by label."""
        label = columns.of(book.cells, sheet).label
        texts = {at.row: book.cells.constant(at) for at in book.cells.stored(sheet) if at.column == label}
        top = next((row for row, text in sorted(texts.items()) if text == BLOCK), 0)
        rows: dict[str, int] = {}
        while top and isinstance(text := texts.get(top + len(rows) + 1), str):
            rows[text] = top + len(rows) + 1
        return top, rows

    def source(at: Address) -> str:
        if at.sheet not in blocks:
            blocks[at.sheet] = block(at.sheet)
        top, rows = blocks[at.sheet]
        text = book.cells.constant(columns.label(book.cells, at))
        if at.row < top and isinstance(text, str) and text in rows:
            return _text(book, at._replace(row=rows[text]))
        head = heading_of(book, at)
        column = 0 if head is None else _column(book, head)
        return _text(book, at._replace(column=column)) if column else ""

    return source


def _column(book: SizingBook, head: Address) -> int:
    """Return the column of the sources of a table, for a heading of it; 0 where it has none."""
    of = next((told for start, told in OF_PHASES.items() if _text(book, head).startswith(start)), "")
    for wanted in (f"{HEADING} of {of}", HEADING):
        place = head._replace(column=head.column + 1)
        while text := _text(book, place):
            if text == wanted:
                return place.column
            place = place._replace(column=place.column + 1)
    return 0


def _text(book: SizingBook, at: Address) -> str:
    value = book.cells.constant(at)
    return value if isinstance(value, str) and not value.startswith("=") else ""


def facts(book: SizingBook, values: Values, told: Iterable[str]) -> dict[str, str]:
    """Return every printed figure that these texts name, in words: quantity, value, paper, place."""
    wanted = {id_ for text in told for id_ in FACT.findall(text)}
    try:
        sheet = tabs.title(book.cells, FACTS)
        rows = {shown(values.value(row["Id"])): row for row in tables.rows(book, sheet, having="Quantity")}
    except (BookError, KeyError):  # an older workbook: its facts are shown by their ids
        return {}

    def word(id_: str, heading: str) -> str:
        at = rows.get(id_, {}).get(heading)
        return "" if at is None else shown(values.value(at))

    def words(id_: str) -> Iterator[str]:
        yield " ".join(filter(None, (word(id_, heading) for heading in ("Quantity", "As printed", "Unit"))))
        yield word(word(id_, "Paper"), "Where") or word(id_, "Paper")  # a paper has a row too, with its title
        yield word(id_, "Where")

    return {id_: ", ".join(filter(None, words(id_))) for id_ in sorted(wanted & rows.keys())}
