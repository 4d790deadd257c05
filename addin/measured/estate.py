"""The measured desktops as tables: rates of each phase by desktop, day and bin, whole numbers of a small unit.

Whole numbers below 2^53 add up exactly in any order, so matrix products over desktops give the same bits on any
machine and with any number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.measured.grid import COUNT, FIGURES, READS, WEIGHT, WRITES, Grid
from addin.measured.windows import BINS, Plan

Figures = NDArray[np.float64]
_FILLED = 0.5  # share of the usual samples that fill a bin


@dataclass(frozen=True)
class Table:
    """A phase: `rates` [figure, desktop, day, bin] in 1/SCALE a second, `present` [desktop, day, bin] 1 or 0.

    A day's bins may lie beyond midnight; `starts` are the bins they begin at, counted from the midnight before.
    """

    phase: str
    days: tuple[int, ...]
    starts: tuple[int, ...]
    rates: Figures
    present: Figures

    @property
    def idle(self) -> bool:
        """Whether no desktop reads or writes anything, in any bin."""
        return not (self.rates[READS].any() or self.rates[WRITES].any())

    def of(self, desktops: Sequence[int], days: Sequence[int]) -> Table:
        """Return the table of some desktops and days, by their places."""
        rates = self.rates[:, list(desktops)][:, :, list(days)]
        present = self.present[list(desktops)][:, list(days)]
        return Table(self.phase, tuple(self.days[each] for each in days), self.starts, rates, present)


@dataclass(frozen=True)
class Desktop:
    """A measured desktop: its place in the grid, the days that count, samples that usually fill a bin.

    `every` is how many bins lie between two that are filled: 1, or more where the interval is longer than a bin.
    """

    name: str
    place: int
    days: tuple[int, ...]
    usual: int
    every: int


def desktops(grid: Grid) -> list[Desktop]:
    """Return the desktops that have samples in a phase, by name: their order does not depend on the files'."""
    days = sorted(grid.days)
    made = []
    for place, name in sorted(enumerate(grid.names), key=lambda pair: (pair[1].casefold(), pair[1])):
        counts = {day: grid.days[day][COUNT, place] for day in days if place < grid.days[day].shape[1]}
        measured = {day: count for day, count in counts.items() if count.any()}
        if measured:
            together = np.concatenate(list(measured.values()))
            usual = int(np.bincount(together[together > 0]).argmax())
            made.append(Desktop(name, place, tuple(measured), usual, _every(grid, measured)))
    return made


def _every(grid: Grid, counts: Mapping[int, NDArray[np.int64]]) -> int:
    """Return how many bins usually lie between two that are filled: 1, or more where the interval is longer."""
    bins = np.flatnonzero(grid.columns >= 0)
    steps = [np.diff(bins[np.flatnonzero(count)]) for count in counts.values()]
    together = np.concatenate(steps) if steps else np.empty(0, dtype=np.int64)
    return int(np.bincount(together).argmax()) if together.size else 1


def table(grid: Grid, plan: Plan, phase: str, chosen: Sequence[Desktop], days: Sequence[int]) -> Table:
    """Return the rates of a phase; what is missing is 0 in `rates` and in `present`."""
    bins = plan.bins(phase)
    shape = (len(chosen), len(days), len(bins))
    rates, present = np.zeros((FIGURES, *shape)), np.zeros(shape)
    places = np.array([each.place for each in chosen])
    usual = np.array([each.usual for each in chosen])[:, None]
    for at, day in enumerate(days):
        for ahead in sorted({each // BINS for each in bins}):
            sums = grid.days.get(day + ahead)
            if sums is None:
                continue
            here = [k for k, each in enumerate(bins) if each // BINS == ahead]
            columns = grid.columns[[bins[k] % BINS for k in here]]
            known = np.array([k for k, each in enumerate(chosen) if places[k] < sums.shape[1] and day in each.days])
            if not known.size:
                continue
            block = sums[:, places[known]][:, :, columns]
            filled = block[COUNT] >= np.maximum(_FILLED * usual[known], 1)
            weight = np.where(filled, block[WEIGHT], 1)
            where = np.ix_(known, np.array([at]), np.array(here))
            present[where] = filled[:, None]
            for figure in range(FIGURES):
                rates[figure][where] = np.where(filled, np.rint(block[figure] / weight), 0)[:, None]
    return Table(phase, tuple(days), tuple(bins), rates, present)
