"""What of a workbook is money, and a copy of it without: for pages that leave the house without a quote in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from addin.kernel import Address, Scalar
from addin.workbook.book import SizingBook
from addin.workbook.item import SHARE, Item

CURRENCIES = ("USD", "EUR", "GBP", "CHF")
KEYS = re.compile(r"price|cost|discount|support|budget|capital_rate|tariff|quote|resale|currency|wage")


def is_money(item: Item) -> bool:
    """Say whether an input is a price or what a price is made from."""
    field = item.key.rpartition(".")[2]
    return bool(KEYS.search(field)) or any(currency in item.unit for currency in CURRENCIES)


def without(book: SizingBook) -> SizingBook:
    """Return a workbook without prices, in the base design and in the columns beside it.

    Blank, or 0 and the first of a list where the workbook asks for a figure: never one that was typed.
    """
    return replace(book, cells=book.cells.with_values(dict(_left_out(book))))


def _left_out(book: SizingBook) -> Iterator[tuple[Address, Scalar]]:
    """Yield the typed cells of money and what stands there instead."""
    for item in filter(is_money, book.entries.values()):
        if item.key not in book.inputs:
            yield item.address, None
            continue
        yield item.address, item.choices[0] if item.choices else 0.0 if item.unit == SHARE else None
        for cell in book.cells.stored(item.beside.sheet):  # the other designs stand right of it
            right = cell.row == item.beside.row and cell.column > item.beside.column
            if right and book.cells.formula(cell) is None:
                yield cell, None
