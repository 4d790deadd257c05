"""One input at a time: a result with each uncertain input at its P10 and P90, all others as in the base design."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from addin.errors import RequestError
from addin.kernel import Address, Evaluator
from addin.simulation.montecarlo import simulate
from addin.simulation.report import Report
from addin.simulation.risk import read_risk
from addin.simulation.runs import Progress
from addin.sizing.tables import Table, in_words
from addin.workbook.book import Item, SizingBook

LOW, HIGH = 0.1, 0.9


@dataclass(frozen=True)
class Swing:
    """One uncertain input moved alone: its values at P10 and P90, and the result at both (NaN for an error)."""

    item: Item
    low: float
    high: float
    at_low: float
    at_high: float


def drivers_and_swings(
    book: SizingBook, trials: int | None = None, seed: int = 1, workers: int = 1, progress: Progress | None = None
) -> tuple[Report, tuple[Swing, ...]]:
    """Simulate the base design and return the report with the swings of the result that its drivers explain.

    Raises RequestError where no uncertain input changes any result, and the errors of `simulate` and `read_risk`.
    """
    report = simulate(book, trials, seed, workers=workers, progress=progress)
    if report.main is None:
        raise RequestError(f"{book.path.name}: no uncertain input changes any result. Widen a spread on Risk inputs.")
    return report, swings(book, book.results[report.main.result])


def swings(book: SizingBook, result: Item, progress: Progress | None = None) -> tuple[Swing, ...]:
    """Return the swing of every uncertain input, the widest first; raise as `read_risk` does."""
    uncertain = read_risk(book).uncertain
    swings = []
    for number, entry in enumerate(uncertain, 1):
        low, high = (float(value) for value in entry.spread.ppf(np.array([LOW, HIGH])).values)
        ends = (_at(book, result, entry.item.address, value) for value in (low, high))
        swings.append(Swing(entry.item, low, high, *ends))
        if progress is not None:
            progress(number, len(uncertain))
    return tuple(sorted(swings, key=_width))


def table(report: Report, swings: Sequence[Swing]) -> Table:
    """Return the swings as a table: an input in each row, its values, the result at both."""
    main = next(result for result in report.results if report.main and result.item.key == report.main.result)
    unit = main.item.unit
    return Table(
        ("Input", "Unit", "P10", "P90", f"{main.item.label} at P10", f"{main.item.label} at P90"),
        ("", "", "", "", unit, unit),
        tuple(
            (
                s.item.short,
                s.item.unit,
                *(in_words("", s.item.unit, end) for end in (s.low, s.high)),
                s.at_low,
                s.at_high,
            )
            for s in swings
        ),
        ("One input at its P10 and P90, all others as in the base design.", *report.notes),
    )


def _at(book: SizingBook, result: Item, address: Address, value: float) -> float:
    computed = Evaluator(book.cells, {address: value}).value(result.address)
    return computed if isinstance(computed, float) else math.nan


def _width(swing: Swing) -> float:
    width = abs(swing.at_high - swing.at_low)
    return -width if math.isfinite(width) else math.inf
