"""Cells that hold what they would not take: pasted there, or written by a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Protocol

from addin.kernel import Address, Cells, ExcelError, KernelError, Scalar
from addin.numerals import numeral
from addin.workbook.item import Item, calendar_text, echoed, folded
from addin.workbook.own_rows import titles

if TYPE_CHECKING:
    from openpyxl import Workbook

DATES = (date, datetime, time, timedelta)  # what a cell with a format of dates is read as
OF_TIME = ("clock", "date")  # units of inputs that are dates
_WILD = frozenset("*?~")  # in what Excel looks up by name
_FEW, _LETTERS = 6, 60  # of a list and of a word, as many as a line shows


class Holder(Protocol):
    """A workbook with its inputs."""

    @property
    def cells(self) -> Cells:
        """Return the cells."""

    @property
    def shows_date(self) -> Callable[[Address], bool]:
        """Return what says whether a cell that holds a number shows a date."""

    @property
    def own(self) -> Mapping[str, Item]:
        """Return the cells of rows of the user's own by key."""

    @property
    def own_cells(self) -> Iterable[Item]:
        """Return every cell of rows of the user's own."""

    @property
    def inputs(self) -> Mapping[str, Item]:
        """Return the inputs by key."""

    def held(self, item: Item) -> Scalar:
        """Return what an input holds."""


def of(book: Holder) -> Iterator[str]:
    """Yield a sentence for each cell that holds a number outside its range, or an input that is no number."""
    yield from (f"{place}: {said}" for place, said in beyond(book))
    yield from not_numbers(book, book.inputs.values())
    for item in (*book.inputs.values(), *book.own.values()):
        if book.shows_date(item.address) and item.maximum is not None and item.unit not in OF_TIME:
            counted = numeral(book.cells.constant(item.address), ",.15g")  # type: ignore[arg-type]
            yield f"{item.address.a1}: shows a date, counted as {counted}. Type the number, with a number format."


def beyond(book: Holder) -> Iterator[tuple[str, str]]:
    """Yield (place, what is wrong) of each input and own cell with a number outside its range or an unlisted word.

    A row counts whether or not it has a name: groups of users do without. Between cards, a formula says what they lack.
    """
    for item in (*book.inputs.values(), *(each for each in _filled(book) if each.maximum is not None)):
        value = _held(book, item)
        if isinstance(value, float) and not item.within(value):
            bare = calendar_text(value, item.unit) if value.is_integer() else ""
            found = bare or numeral(value, ",.15g")
            yield item.address.a1, f"found {found}, outside {item.limits}, the range of {item.label}. Correct it."
    yield from _unlisted(book)
    yield from _misnamed(book)


def _misnamed(book: Holder) -> Iterator[tuple[str, str]]:
    """Yield (place, what is wrong) of each name of a row of the user's own by which another row is found."""
    listed = [[folded(choice) for choice in item.choices] for item in book.inputs.values() if item.choices]
    for at, title in titles(book.cells):
        found = f"found the name {title[:_LETTERS]!r}"
        if any(each.count(folded(title)) > 1 for each in listed):
            yield at.a1, f"{found}, which another row has: only the first of them counts. Rename it."
        elif not _WILD.isdisjoint(title) and any(folded(title) in each for each in listed):
            yield at.a1, f"{found}: a look-up takes *, ? and ~ for other letters. Rename it without."


def _filled(book: Holder) -> Iterator[Item]:
    """Yield each cell of the user's own rows that holds something, without the formulas between cards."""
    for item in book.own_cells:
        if book.cells.values.get(item.address) is not None and (item.key or book.cells.formula(item.address) is None):
            yield item


def _unlisted(book: Holder) -> Iterator[tuple[str, str]]:
    """Yield (place, what is wrong) of each choice that holds a word which is not in its list, as paste leaves it."""
    for item in (*book.inputs.values(), *_filled(book)):
        value = _held(book, item) if item.choices else None
        known = {choice.casefold() for choice in item.choices}  # Excel compares without regard to capitals
        if value not in (None, "") and not (isinstance(value, str) and value.casefold() in known):
            found = value.value if isinstance(value, ExcelError) else repr(str(value)[:_LETTERS])
            few = ", ".join(item.choices[:_FEW]) + ", ..." * (len(item.choices) > _FEW)
            yield item.address.a1, f"found {found}, not in the list of {item.short} ({few}). Choose from its list."


def _held(book: Holder, item: Item) -> Scalar:
    """Return what a cell holds; nothing of a formula of one's own row that cannot be computed, as nothing may read it.

    Raises KernelError for such a formula of an input.
    """
    try:
        return book.held(item)
    except KernelError:
        if item.key in book.inputs:
            raise
        return None


def dated(workbook: Workbook) -> Iterator[Address]:
    """Yield the cells of a saved workbook that show a date."""
    for ws in workbook.worksheets:
        yield from (Address(ws.title, *at) for at, cell in ws._cells.items() if isinstance(cell.value, DATES))


def not_numbers(book: Holder, items: Iterable[Item]) -> Iterator[str]:
    """Yield a sentence for each cell that holds a text, TRUE or an error where a figure belongs."""
    for item in items:
        value = book.held(item)
        if item.maximum is not None and not isinstance(value, float) and value is not None:
            found, advice = _found(value), "Type a number, or clear the cell"
            if isinstance(value, ExcelError):  # a cell that must be filled is not to be cleared over it
                advice = "Correct the formula, or type a number"
            yield f"{item.address.a1}: found {found}, no number: {item.short}. {advice}."


def _found(value: Scalar) -> str:
    """Return what a cell holds in place of a number; a text in quotes, as it may look like one."""
    if isinstance(value, ExcelError):
        return value.value
    if isinstance(value, bool):
        return str(value).upper()
    return f"the text '{echoed(str(value))}'" if value else "an empty text"
