"""Cells that hold what they would not take: pasted there, or written by a program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from addin.kernel import ExcelError, Scalar
from addin.numerals import numeral
from addin.workbook.item import Item, echoed


class Holder(Protocol):
    """A workbook with its inputs."""

    @property
    def inputs(self) -> Mapping[str, Item]:
        """Return the inputs by key."""

    def held(self, item: Item) -> Scalar:
        """Return what an input holds."""


def of(book: Holder) -> Iterator[str]:
    """Yield a sentence for each input that holds a number outside its range, or something that is no number."""
    for item in book.inputs.values():
        value = book.held(item)
        if isinstance(value, float) and not item.within(value):
            found = numeral(value, ",.15g")
            yield f"{item.address.a1}: found {found}, outside {item.limits}, the range of {item.label}. Correct it."
    yield from not_numbers(book, book.inputs.values())


def not_numbers(book: Holder, items: Iterable[Item]) -> Iterator[str]:
    """Yield a sentence for each cell that holds a text, TRUE or an error where a figure belongs."""
    for item in items:
        value = book.held(item)
        if item.maximum is not None and not isinstance(value, float) and value is not None:
            found = value.value if isinstance(value, ExcelError) else str(value)
            found = found.upper() if isinstance(value, bool) else echoed(found)
            yield f"{item.address.a1}: found {found}, no number: {item.short}. Type a number, or clear the cell."
