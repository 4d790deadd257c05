"""What is kept of the trials of a run: integer counts, exact sums, extremes and errors. Memory does not grow.

Counts on bin edges fixed by a pilot run, each per replicate; a result that takes few values has a count for each of
them, and one for each gap between two, with the extremes seen in it. Counts and extremes commute and the sums are
exact: summaries of numbered chunks merge in any order to the same bytes. statistics.py turns a summary into figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.kernel.trials.memory import Scratch
from addin.simulation.exact_sums import ExactSums

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Kinds = NDArray[np.int8]

BINS = 2048
MOST_LISTED = 256  # values counted one by one
REPEATS = 8  # times that each of them is seen in the pilot run, on average
ERROR_KINDS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!")
UNIDENTIFIED = "not a number"  # a trial whose value is NaN, infinite or beyond LARGEST, and that came without a code
LARGEST = 1e150  # its square is still a float
_NEVER = np.iinfo(np.int64).max
_SMALL = 1 << 16  # a whole number whose square, times as many trials, is exact
_MEMORY = Scratch()


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the bins of each output lie: `low` and `width` (m,), whether the output is a whole number, a pivot (m,).

    `listed` holds for each output the ascending values that are counted one by one, none where bins are used. Sums are
    taken of the distance from the pivot, so that the variance keeps its digits.
    """

    outputs: tuple[str, ...]
    replicates: int
    low: Floats
    width: Floats
    pivot: Floats
    whole: tuple[bool, ...]
    listed: tuple[Floats, ...]
    bins: int = BINS


def layout(
    outputs: Sequence[str],
    pilot: Floats,
    replicates: int,
    whole: Sequence[bool] | None = None,
    bins: int = BINS,
) -> Layout:
    """Return bins fitted to a pilot run, values (m, n) with NaN for errors.

    A whole-number output (all its pilot values, unless `whole` says so) has a bin for each integer. One that takes few
    values, nearly all of them again and again, is counted value by value. The others have `bins` equal ones over the
    pilot's range, at most 1.5 times the distance from P1 to P99 beyond either, and a twentieth more. Raises
    RequestError when names and values do not match.
    """
    if len(outputs) != len(pilot):
        raise RequestError(f"pilot run: {len(pilot)} rows for {len(outputs)} outputs. Give one row for each output.")
    low, width, pivot = np.zeros(len(outputs)), np.ones(len(outputs)), np.zeros(len(outputs))
    integer, listed = [], []
    for row, values in enumerate(pilot):
        known = values[np.abs(values) <= LARGEST]  # NaN compares false
        is_whole = bool(known.size and np.all(known == np.floor(known))) if whole is None else whole[row]
        if is_whole and known.size and np.ptp(known) > bins / 2:
            is_whole = False
        integer.append(is_whole)
        listed.append(np.empty(0) if is_whole else _few_values(known, bins))
        if not known.size:
            continue
        pivot[row] = np.median(known)
        if is_whole:
            low[row] = math.floor((known.min() + known.max() - bins) / 2) + 0.5
        else:
            low[row], width[row] = _equal_bins(known, bins)
    return Layout(tuple(outputs), replicates, low, width, pivot, tuple(integer), tuple(listed), bins)


def _few_values(values: Floats, bins: int) -> Floats:
    """Return the values (k,), ascending, of an output that takes few of them; none where it takes many.

    A value seen once hints at others not seen (I. J. Good 1953): three of them and one in 200 trials are allowed.
    """
    distinct, times = np.unique(values, return_counts=True)
    few = len(distinct) <= min(MOST_LISTED, bins // 2, values.size // REPEATS)
    return distinct if few and np.count_nonzero(times == 1) <= 3 + values.size // 200 else np.empty(0)


def _equal_bins(values: Floats, bins: int) -> tuple[float, float]:
    first, last = np.quantile(values, [0.01, 0.99])
    reach = 1.5 * (last - first)
    low, high = max(float(values.min()), first - reach), min(float(values.max()), last + reach)
    if not high > low:
        low, high = float(values.min()), float(values.max())
    pad = 0.05 * (high - low) or max(1e-9, abs(high) * 1e-9)
    return low - pad, (high - low + 2 * pad) / bins


def gaps(layout: Layout) -> int:
    """Return how many gaps the longest list of a layout has, before, between and behind its values."""
    return 1 + max((len(values) for values in layout.listed), default=0)


class Summary:
    """Counts, sums, extremes and errors of the trials seen so far, for m outputs and r replicates.

    Memory is 8 m r (bins + 2) bytes and a tenth more, however many trials are added: 11 MB for 40 outputs, 16
    replicates and 2,048 bins.
    """

    def __init__(self, layout: Layout) -> None:
        m, r, kinds = len(layout.outputs), layout.replicates, len(ERROR_KINDS) + 1
        self.layout = layout
        self.trials = 0
        self.counts: Integers = np.zeros((m, r, layout.bins + 2), dtype=np.int64)
        self.lowest, self.highest = np.full((m, gaps(layout)), np.inf), np.full((m, gaps(layout)), -np.inf)
        self.sums = ExactSums((m, r, 2))
        self.minimum = np.full(m, np.inf)
        self.maximum = np.full(m, -np.inf)
        self.fractional: Integers = np.zeros(m, dtype=np.int64)
        self.errors: Integers = np.zeros((m, kinds), dtype=np.int64)
        self.first_error: Integers = np.full((m, kinds), _NEVER, dtype=np.int64)

    def add(
        self, values: Floats, start: int, kinds: Callable[[], Kinds] | None = None, part: int | None = None
    ) -> None:
        """Add the values (m, r, count) of the trials `start` to `start + count` of every replicate.

        `kinds` returns, of the same trials (m, r * count), 0 or 1 + the index of an error in ERROR_KINDS; it is asked
        where a value is NaN. Sums are rounded once for each `part` of the trials of a replicate (all of them): add
        each chunk once, always cut alike. Raises RequestError when the shape is another.
        """
        m, r = self.counts.shape[:2]
        if values.ndim != 3 or values.shape[:2] != (m, r):
            raise RequestError(f"chunk at {start}: shape {values.shape}, expected ({m}, {r}, trials). Reshape it.")
        count = values.shape[2]
        part = part or count
        sums, codes = np.zeros((count // max(part, 1), m, r, 2)), None
        for row, x in enumerate(values):
            smallest, largest = x.min(initial=math.inf), x.max(initial=-math.inf)
            gap = smallest - self.layout.pivot[row]
            if smallest == largest and gap == np.rint(gap) and abs(gap) <= _SMALL and part <= _SMALL:
                self._count(row, x[:, :1], None, smallest, largest, count)
                sums[:, row, :, 0], sums[:, row, :, 1] = gap * part, gap * gap * part  # exact, as adding them up is
                continue
            distance = _MEMORY.take("distance", (x.size,)).reshape(x.shape)
            np.subtract(x, self.layout.pivot[row], out=distance)
            if smallest >= -LARGEST and largest <= LARGEST:  # NaN compares false
                self._count(row, x, None, smallest, largest)
            elif x.size:
                if codes is None:
                    codes = np.zeros(values.shape, np.int8) if kinds is None else kinds().reshape(values.shape)
                fine = (np.abs(x) <= LARGEST) & (codes[row] == 0)
                distance[~fine] = 0.0
                self._note_errors(row, fine, codes[row], start)
                known = x[fine]
                smallest, largest = known.min(initial=math.inf), known.max(initial=-math.inf)
                self._count(row, known, np.nonzero(fine)[0], smallest, largest)
            parts = distance.reshape(r, -1, part) if count else distance[None]
            sums[:, row, :, 0] = parts.sum(axis=2).T
            np.multiply(distance, distance, out=distance)
            sums[:, row, :, 1] = parts.sum(axis=2).T
        for each in sums:
            self.sums.add(each)
        self.trials += r * count

    def _count(
        self, row: int, x: Floats, replicate: Integers | None, smallest: float, largest: float, times: int = 1
    ) -> None:
        """Count values of one output, `times` each: (r, count), or flat with the replicate of each; and their ends."""
        if not x.size:
            return
        lay = self.layout
        self.minimum[row] = min(self.minimum[row], smallest)
        self.maximum[row] = max(self.maximum[row], largest)
        if lay.whole[row]:
            self.fractional[row] += times * np.count_nonzero(x != np.floor(x, out=_MEMORY.take("floor", x.shape)))
        if lay.listed[row].size:
            slot, first, last = self._listed_slots(row, x), -1, lay.bins
        else:
            slot, first, last = self._bin_slots(row, x, smallest, largest)
        width = last - first + 1  # only the slots between the ends are counted
        replicates = np.arange(lay.replicates)[:, None] if replicate is None else replicate
        slot += replicates * width - first
        counted = np.bincount(slot.reshape(-1), minlength=lay.replicates * width)
        self.counts[row, :, first + 1 : last + 2] += times * counted.reshape(lay.replicates, width)

    def _bin_slots(self, row: int, x: Floats, smallest: float, largest: float) -> tuple[Integers, int, int]:
        """Return -1 below the bins, 0 for the first of them and so on; and the slots of both ends."""
        lay = self.layout
        low, inverse = lay.low[row], 1.0 / lay.width[row]
        ends = ((smallest - low) * inverse, (largest - low) * inverse)  # rounding keeps the order
        scaled = np.subtract(x, low, out=_MEMORY.take("scaled", (x.size,)).reshape(x.shape))
        scaled *= inverse
        if ends[0] < 0 or ends[1] >= lay.bins:
            np.floor(scaled, out=scaled)
            np.clip(scaled, -1.0, float(lay.bins), out=scaled)
        slot: Integers = _MEMORY.take("slot", (x.size,), np.int64).reshape(x.shape)
        np.copyto(slot, scaled, casting="unsafe")  # towards zero, which is down: nothing is below it
        first, last = (int(min(max(math.floor(end), -1), lay.bins)) for end in ends)
        return slot, first, last

    def _listed_slots(self, row: int, x: Floats) -> Integers:
        """Return 2 n for the n-th value of the list, 2 n - 1 for the gap before it; note the extremes of the gaps."""
        values = self.layout.listed[row]
        gap = np.searchsorted(values, x)
        unseen = values[np.minimum(gap, len(values) - 1)] != x
        if unseen.any():
            np.minimum.at(self.lowest[row], gap[unseen], x[unseen])
            np.maximum.at(self.highest[row], gap[unseen], x[unseen])
        return np.asarray(2 * gap - unseen)

    def _note_errors(self, row: int, fine: NDArray[np.bool_], codes: Kinds, start: int) -> None:
        replicate, trial = np.nonzero(~fine)
        kind = codes[replicate, trial].astype(np.int64) - 1
        kind[kind < 0] = len(ERROR_KINDS)
        self.errors[row] += np.bincount(kind, minlength=len(ERROR_KINDS) + 1)
        np.minimum.at(self.first_error[row], kind, (start + trial) * self.layout.replicates + replicate)

    def merge(self, other: Summary) -> None:
        """Add what another summary of the same layout has seen; the order of merging makes no difference."""
        self.trials += other.trials
        self.counts += other.counts
        self.sums.merge(other.sums)
        self.minimum = np.minimum(self.minimum, other.minimum)
        self.maximum = np.maximum(self.maximum, other.maximum)
        self.lowest = np.minimum(self.lowest, other.lowest)
        self.highest = np.maximum(self.highest, other.highest)
        self.fractional += other.fractional
        self.errors += other.errors
        self.first_error = np.minimum(self.first_error, other.first_error)

    def add_replicate(self, alone: Summary, replicate: int) -> None:
        """Add what the summary of one replicate by itself has seen, but for the number of its trials."""
        self.counts[:, replicate] += alone.counts[:, 0]
        self.sums.words[:, replicate] += alone.sums.words[:, 0]
        for ours, others, extreme in (
            (self.minimum, alone.minimum, np.minimum),
            (self.maximum, alone.maximum, np.maximum),
            (self.lowest, alone.lowest, np.minimum),
            (self.highest, alone.highest, np.maximum),
        ):
            extreme(ours, others, out=ours)
        self.fractional += alone.fractional
        self.errors += alone.errors
        seen = alone.first_error != _NEVER
        first = alone.first_error[seen] * self.layout.replicates + replicate
        self.first_error[seen] = np.minimum(self.first_error[seen], first)
