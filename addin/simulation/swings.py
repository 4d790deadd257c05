"""One input at a time: a result with each uncertain input at its P10 and P90, all others as in the base design."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from addin.kernel import Address, Evaluator
from addin.simulation.risk import read_risk
from addin.simulation.runs import Progress
from addin.workbook.book import Book, Item

LOW, HIGH = 0.1, 0.9


@dataclass(frozen=True)
class Swing:
    """One uncertain input moved alone: its values at P10 and P90, and the result at both (NaN for an error)."""

    item: Item
    low: float
    high: float
    at_low: float
    at_high: float


def swings(book: Book, result: Item, progress: Progress | None = None) -> tuple[Swing, ...]:
    """Return the swing of every uncertain input, the widest first; raise as `read_risk` does."""
    uncertain = read_risk(book).uncertain
    found = []
    for number, one in enumerate(uncertain, 1):
        low, high = (float(value) for value in one.spread.ppf(np.array([LOW, HIGH])).values)
        ends = (_at(book, result, one.item.address, value) for value in (low, high))
        found.append(Swing(one.item, low, high, *ends))
        if progress is not None:
            progress(number, len(uncertain))
    return tuple(sorted(found, key=_width))


def _at(book: Book, result: Item, address: Address, value: float) -> float:
    found = Evaluator(book.cells, {address: value}).value(result.address)
    return found if isinstance(found, float) else math.nan


def _width(swing: Swing) -> float:
    width = abs(swing.at_high - swing.at_low)
    return -width if math.isfinite(width) else math.inf
