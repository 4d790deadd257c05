"""The shipped workbook as the tests of this room compare it: read once, copies of it made in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from addin.kernel import Address, Cells, Scalar
from addin.workbook.book import SizingBook, open_book

Copy = Callable[..., SizingBook]


SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture(scope="session")
def book() -> SizingBook:
    """The workbook with a quote typed, so that its money is known."""
    return changed(open_book(SHIPPED), {"array_price": 90000.0})


def changed(
    book: SizingBook, entries: Mapping[str, Scalar] | None = None, cells: Mapping[str, Scalar] | None = None
) -> SizingBook:
    """Return a copy with other values typed, by key and by address."""
    values: dict[Address, Scalar] = dict(book.cells.values)
    for key, value in (entries or {}).items():
        values[book.entry(key).address] = value
    for a1, value in (cells or {}).items():
        values[Address.from_a1(a1)] = value
    held = {at: value for at, value in values.items() if value is not None}
    texts = frozenset(at for at in book.cells.texts if at in held)
    return replace(book, cells=Cells(MappingProxyType(held), book.cells.names, book.cells.sheets, texts))
