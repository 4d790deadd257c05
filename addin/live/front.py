"""Blocks of the front sheets, found by their headings: the answer, the ranked arrays, the years, the logins.

The charts of the years are read from the charts of the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from addin.errors import BookError
from addin.kernel import Address, KernelError, Scalar
from addin.workbook import tabs
from addin.workbook.book import SizingBook
from addin.workbook.item import unit_at

ANSWER, RANKED = "ANSWER", "ALTERNATIVES FOR THE SAME LOAD"  # headings on the sheet with the typed design
YEARS, YEARS_HEAD = "Cost review", "Unit"
LOGINS, LOGINS_HEAD = "Timeline", "Minute"
MOST_BLANK = 3  # columns without a heading between two of a block


@dataclass(frozen=True)
class Line:
    """A row of a block: the cell of its label, those of its values, and their unit."""

    label: Address
    values: tuple[Address, ...]
    unit: str = ""


@dataclass(frozen=True)
class Block:
    """A block: its headings, without that of the labels, and its rows."""

    heads: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Series:
    """Columns of a chart: the cell of their name, and those of their values."""

    name: Address
    values: tuple[Address, ...]


@dataclass(frozen=True)
class Chart:
    """A chart of columns: title, unit, whether the series are stacked, and the labels below the columns."""

    title: str
    unit: str
    stacked: bool
    across: tuple[str, ...]
    series: tuple[Series, ...]


def answer(book: SizingBook) -> Block:
    """Return the answer, one column in normal operation and one after a failure."""
    head = _head(book, _front(book), ANSWER)
    columns = [at for at in _right_of(book, head) if not _is_title(book, at)]
    return _block(book, head, columns)


def ranked(book: SizingBook) -> Block:
    """Return the arrays for the same load, the best first."""
    head = _head(book, _front(book), RANKED)
    return _block(book, head, list(_right_of(book, head)))


def notes(book: SizingBook) -> Block:
    """Return the notes below the ranked arrays: labels in capitals with a formula beside each."""
    start = _head(book, _front(book), RANKED)
    lines = []
    for at in book.cells.stored(start.sheet):
        if at.row > start.row and at.column == start.column and _is_title(book, at):
            beside = [cell for cell in _row(book, at) if book.cells.formula(cell) is not None]
            lines += [Line(at, (beside[0],))] if beside else []
    return Block((), tuple(lines))


def years(book: SizingBook) -> Block:
    """Return the needs and the cost of every year for the design shown, with the total."""
    head = _head(book, YEARS, YEARS_HEAD)
    columns = list(_right_of(book, head))
    block = _block(book, head._replace(column=head.column - 1), columns, skip_titles=True)
    lines = (Line(line.label, line.values, unit_at(book.cells, line.label)) for line in block.lines)
    return Block(block.heads, tuple(lines))


def logins(book: SizingBook) -> Block:
    """Return the logins minute by minute: a line for each column of the table, its values from top to bottom."""
    head = _head(book, LOGINS, LOGINS_HEAD)
    lines = []
    for column in (head, *_right_of(book, head)):
        values = []
        below = column._replace(row=column.row + 1)
        while book.cells.formula(below) is not None:
            values.append(below)
            below = below._replace(row=below.row + 1)
        lines.append(Line(column, tuple(values)))
    return Block((), tuple(line for line in lines if len(line.values) == len(lines[0].values)))


def year_charts(book: SizingBook) -> tuple[Chart, ...]:
    """Return the charts of columns over the years on their sheet; empty for an open document."""
    drawn: list[Any] = [] if book.workbook is None else book.workbook[tabs.title(book.cells, YEARS)]._charts
    found = (_chart(book, each) for each in drawn if each.tagname == "barChart")
    return tuple(chart for chart in found if chart is not None)


def _chart(book: SizingBook, drawn: Any) -> Chart | None:
    """Return a chart; None for a user's chart of another kind: without a title, of a column, by names."""
    try:
        title = "".join(run.t for paragraph in drawn.title.tx.rich.p for run in paragraph.r)
        series = tuple(Series(_span(each.tx.strRef.f)[0], _span(each.val.numRef.f)) for each in drawn.series)
        across = _span(drawn.series[0].cat.strRef.f)
    except (AttributeError, IndexError, TypeError, KernelError):  # any of these parts may be missing
        return None
    cells = {at for each in series for at in (each.name, *each.values)}
    sheet = tabs.title(book.cells, YEARS)
    if any(at.sheet != sheet for at in cells) or any(len(each.values) != len(across) for each in series):
        return None
    names = tuple(_text(book.cells.constant(at)) for at in across)
    return Chart(title, unit_at(book.cells, series[0].name), drawn.grouping == "stacked", names, series)


def _span(reference: str) -> tuple[Address, ...]:
    """Return the cells of a row that a chart refers to; empty for more than one row."""
    start, _, end = reference.partition(":")
    first = Address.from_a1(start)
    last = Address.from_a1(f"{start.rpartition('!')[0]}!{end}") if end else first
    columns = range(first.column, last.column + 1) if first.row == last.row else ()
    return tuple(first._replace(column=column) for column in columns)


def _front(book: SizingBook) -> str:
    """Return the sheet with the typed design."""
    return book.inputs["desktops"].address.sheet


def _head(book: SizingBook, sheet: str, text: str) -> Address:
    sheet = tabs.title(book.cells, sheet)
    found = next((at for at in book.cells.stored(sheet) if book.cells.constant(at) == text), None)
    if found is None:
        raise BookError(f"{book.path.name}: no cell of {sheet} says {text!r}. Restore the headings of the sheet.")
    return found


def _row(book: SizingBook, at: Address) -> Iterator[Address]:
    """Yield the cells right of one that are not blank."""
    return (cell for cell in book.cells.stored(at.sheet) if cell.row == at.row and cell.column > at.column)


def _right_of(book: SizingBook, head: Address) -> Iterator[Address]:
    """Yield the headings right of one, up to a wide gap."""
    last = head.column
    for cell in _row(book, head):
        if cell.column - last > MOST_BLANK or book.cells.formula(cell) is not None:
            return
        last = cell.column
        yield cell


def _is_title(book: SizingBook, at: Address) -> bool:
    text = book.cells.constant(at)
    return isinstance(text, str) and text.isupper() and len(text) > 1


def _block(book: SizingBook, head: Address, columns: Sequence[Address], skip_titles: bool = False) -> Block:
    """Return the rows below a heading, to the first without a label; `skip_titles` skips rows without values."""
    lines: list[Line] = []
    below = head._replace(row=head.row + 1)
    while book.cells.constant(below) is not None:
        values = tuple(below._replace(column=column.column) for column in columns)
        if any(book.cells.constant(value) is not None for value in values):
            lines.append(Line(below, values))
        elif not skip_titles:
            lines.append(Line(below, ()))
        below = below._replace(row=below.row + 1)
    return Block(tuple(str(_text(book.cells.constant(column))) for column in columns), tuple(lines))


def _text(value: Scalar) -> str:
    return value if isinstance(value, str) else ""
