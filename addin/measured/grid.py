"""Samples of many files added up in bins of five minutes, a row for each desktop and day.

Sums are whole numbers of a fixed unit, so the order of files, rows and chunks changes no bit of them. Only the bins
that a phase looks at are kept by desktop; the whole day is kept as one sum.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.measured.times import DAY, text_of
from addin.measured.windows import BIN, BINS, Plan

READS, WRITES, READ_KIB, WRITE_KIB, WEIGHT, COUNT, FILE = range(7)
FIGURES = 4
SCALE = 4096  # of a unit a second: sums of whole numbers are exact
MOST_DAYS = 400
LARGEST = 1e7  # a second of one desktop: beyond, a column is another one than its name says
_SHARED = 2  # bins that a desktop may have in two files: where the one ends and the other begins
Whole = NDArray[np.int64]
Figures = NDArray[np.float64]


class Implausible(Exception):
    """A rate that no desktop has: what was found, and what to do. The reader of the file names the file."""

    def __init__(self, found: str, advice: str) -> None:
        super().__init__(found)
        self.found, self.advice = found, advice


def _short(figure: float) -> str:
    return f"{figure:,.0f}" if figure < 1e15 else f"{figure:.3g}"


@dataclass
class Samples:
    """Samples of one file: which desktop each is of, the second of the wall clock in its middle, figures a second.

    `figures` has the rows reads, writes, read KiB and write KiB; a sample with a NaN among those the file has is
    missing. `weight` is how many seconds each covers, or 1 where all cover the same.
    """

    desktop: NDArray[np.int64]
    middle: Figures
    figures: Figures
    weight: NDArray[np.int64]


@dataclass
class Grid:
    """Sums by desktop, day and bin: reads, writes, KiB of both, each times its weight; weights, samples, last file."""

    plan: Plan
    names: list[str] = field(default_factory=list)
    days: dict[int, Whole] = field(default_factory=dict)
    whole: dict[int, Whole] = field(default_factory=dict)  # I/Os times weight, weight; all desktops, every bin of a day
    without_bytes: set[str] = field(default_factory=set)
    spans: dict[int, list[float]] = field(default_factory=dict)  # first and last second of a desktop
    totals: dict[int, int] = field(default_factory=dict)  # I/Os times weight of a desktop, every bin
    twice: Counter[tuple[int, int, int]] = field(default_factory=Counter)  # bins of a desktop in two files

    def __post_init__(self) -> None:
        self._index: dict[str, int] = {}
        kept = np.flatnonzero(self.plan.kept)
        self.columns = np.full(BINS, -1, dtype=np.int64)
        self.columns[kept] = np.arange(len(kept))
        self.width = len(kept)

    def desktop(self, name: str) -> int:
        """Return the number of a desktop, without regard to case."""
        key = name.casefold()
        if key not in self._index:
            self._index[key] = len(self.names)
            self.names.append(name)
        elif name < self.names[self._index[key]]:  # of two spellings the same one, whichever comes first
            self.names[self._index[key]] = name
        return self._index[key]

    def add(self, file: int, samples: Samples) -> int:
        """Add samples of a file (numbered from 1) and return how many were missing.

        Raises Implausible for a rate that no desktop has, and RequestError for more days than anybody measures.
        """
        good = ~np.isnan(samples.figures).any(axis=0)
        figures, desktop = samples.figures[:, good], samples.desktop[good]
        middle, weight = samples.middle[good], samples.weight[good]
        if figures.size and figures.max() > LARGEST:
            at = int(np.unravel_index(figures.argmax(), figures.shape)[1])
            found = f"{self.names[desktop[at]]} at {text_of(float(middle[at]))}: {_short(figures.max())} a second"
            advice = f"Expected at most {LARGEST:,.0f} of one desktop: look at the unit of the column"
            raise Implausible(found, advice)
        scaled = np.rint(figures * weight * SCALE).astype(np.int64)
        self._note(desktop, middle, scaled, weight)
        day, second = np.divmod(middle, DAY)
        days, bins = day.astype(np.int64), (second // BIN).astype(np.int64)
        for each in np.unique(days):
            here = days == each
            self._add_day(int(each), file, desktop[here], bins[here], scaled[:, here], weight[here])
        return int((~good).sum())

    def _note(self, desktop: Whole, middle: Figures, scaled: Whole, weight: Whole) -> None:
        """Keep the span of every desktop and all its I/Os."""
        count = len(self.names)
        low, high, total = np.full(count, np.inf), np.full(count, -np.inf), np.zeros(count, dtype=np.int64)
        np.minimum.at(low, desktop, middle)
        np.maximum.at(high, desktop, middle)
        np.add.at(total, desktop, scaled[READS] + scaled[WRITES])
        for each in np.flatnonzero(np.isfinite(low)):
            at = int(each)
            first, last = self.spans.get(at, [np.inf, -np.inf])
            self.spans[at] = [min(first, float(low[at])), max(last, float(high[at]))]
            self.totals[at] = self.totals.get(at, 0) + int(total[at])

    def _add_day(self, day: int, file: int, desktop: Whole, bins: Whole, scaled: Whole, weight: Whole) -> None:
        whole = self.whole.setdefault(day, np.zeros((2, BINS), dtype=np.int64))
        np.add.at(whole[0], bins, scaled[READS] + scaled[WRITES])
        np.add.at(whole[1], bins, weight)
        column = self.columns[bins]
        kept = column >= 0
        if not kept.any() or not (self.plan.has(day) or (self.plan.wraps and self.plan.has(day - 1))):
            return
        at = desktop[kept] * self.width + column[kept]
        sums = self._day(day)
        for row in range(FIGURES):
            np.add.at(sums[row].reshape(-1), at, scaled[row, kept])
        np.add.at(sums[WEIGHT].reshape(-1), at, weight[kept])
        np.add.at(sums[COUNT].reshape(-1), at, 1)
        touched = np.unique(at)
        files = sums[FILE].reshape(-1)
        other = touched[(files[touched] != 0) & (files[touched] != file)]
        for place in other:
            self.twice[int(place) // self.width, int(files[place]), file] += 1
        files[touched] = file

    def _day(self, day: int) -> Whole:
        """Return the sums of a day, with room for every desktop that is known."""
        sums = self.days.get(day)
        if sums is None:
            if len(self.days) >= MOST_DAYS:
                raise RequestError(
                    f"the files hold more than {MOST_DAYS} days. Leave out those that are another year's."
                )
            sums = self.days[day] = np.zeros((FILE + 1, len(self.names), self.width), dtype=np.int64)
        if sums.shape[1] < len(self.names):
            more = max(len(self.names), sums.shape[1] * 9 // 8) - sums.shape[1]  # twice would be most of the memory
            sums = self.days[day] = np.concatenate(
                [sums, np.zeros((FILE + 1, more, self.width), dtype=np.int64)], axis=1
            )
        return sums

    def join(self, other: Grid) -> None:
        """Add the sums of one file, read apart: the same as if it had been read into this grid last."""
        places = np.array([self.desktop(name) for name in other.names], dtype=np.int64)
        for at, (low, high) in other.spans.items():
            place = int(places[at])
            first, last = self.spans.get(place, [np.inf, -np.inf])
            self.spans[place] = [min(first, low), max(last, high)]
            self.totals[place] = self.totals.get(place, 0) + other.totals[at]
        self.without_bytes |= other.without_bytes
        for day, whole in other.whole.items():
            self.whole[day] = self.whole.get(day, 0) + whole
        for day, sums in other.days.items():
            self._join_day(self._day(day), sums[:, : len(places)], places[: sums.shape[1]])

    def _join_day(self, sums: Whole, others: Whole, places: Whole) -> None:
        sums[:FILE, places] += others[:FILE]
        there, here = others[FILE] != 0, sums[FILE, places]
        for row, column in np.argwhere(there & (here != 0)):
            self.twice[int(places[row]), int(here[row, column]), int(others[FILE, row, column])] += 1
        sums[FILE, places] = np.where(there, others[FILE], here)

    def in_two_files(self) -> list[tuple[str, int, int]]:
        """Return the desktops that two files hold at the same times, with the numbers of the files."""
        pairs: Counter[tuple[int, int, int]] = Counter()
        for (desktop, one, other), count in self.twice.items():
            pairs[desktop, min(one, other), max(one, other)] += count
        return sorted((self.names[at], one, other) for (at, one, other), count in pairs.items() if count > _SHARED)
