"""From a summary of trials to percentiles, probabilities, moments and their error bars.

Error bars are 95 % Student t intervals between independent replicates (A. B. Owen, "Error estimation for quasi-Monte
Carlo", 2025). Those of percentiles are taken between the replicates' probabilities at the percentile and carried
back through the distribution function (R. S. Woodruff 1952): replicate percentiles themselves are biased where trials
are few, and their t interval covers as little as 85 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.simulation.quantiles import student_quantile
from addin.simulation.summaries import ERROR_KINDS, UNIDENTIFIED, Summary

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PERCENTILES = (0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99)
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A figure and its error bar, in the unit of the output."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the length of the bar."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Percentile:
    """A percentile with its error bar; `resolution` is the width of the bin it lies in, an error on top of the bar.

    Stepped outputs have none: their values are counted one by one.
    """

    probability: float
    interval: Interval
    resolution: float


@dataclass(frozen=True)
class Probability:
    """The share of the trials with one outcome: Wilson's binomial interval, and the half-width between replicates.

    Stratified samplers do better than the binomial interval says; outcomes that all replicates share equally often
    have a replicate half-width of zero, which is no promise.
    """

    outcome: float
    trials: int
    interval: Interval
    replicate_half_width: float


@dataclass(frozen=True)
class ErrorCount:
    """Trials of one output that ended in an error, left out of every figure; the first one as (replicate, trial)."""

    kind: str
    trials: int
    first: tuple[int, int]


@dataclass(frozen=True)
class Curve:
    """Points of an exceedance curve: P(output > x) with the half-width of its 95 % bar; arrays of one shape.

    A `stepped` one stays level from point to point.
    """

    x: Floats
    probability: Floats
    half_width: Floats
    stepped: bool


def t_interval(centre: float, replicates: Floats) -> Interval:
    """Return the 95 % Student t interval around `centre`, from the replicates' own figures."""
    count = len(replicates)
    if count < 2:
        return Interval(centre, -math.inf, math.inf)
    spread = student_quantile((1 + CONFIDENCE) / 2, count - 1) * float(np.std(replicates, ddof=1)) / math.sqrt(count)
    return Interval(centre, centre - spread, centre + spread)


def wilson_interval(hits: int, trials: int) -> Interval:
    """Return the 95 % binomial interval of E. B. Wilson (1927); 0 to 1 without trials."""
    if not trials:
        return Interval(math.nan, 0.0, 1.0)
    z2, share = 1.959963984540054**2, hits / trials
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    reach = math.sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    return Interval(
        share, 0.0 if hits == 0 else max(0.0, centre - reach), 1.0 if hits == trials else min(1.0, centre + reach)
    )


def statistics(summary: Summary, output: str) -> OutputStatistics:
    """Return the figures of one output. Raises RequestError for an unknown name."""
    outputs = summary.layout.outputs
    if output not in outputs:
        raise RequestError(f"'{output}' is not a result of this run. Use one of {', '.join(outputs)}.")
    return OutputStatistics(summary, outputs.index(output))


@dataclass(frozen=True, eq=False)
class OutputStatistics:
    """The figures of one output, computed when asked for. NaN everywhere if every trial was an error."""

    summary: Summary
    row: int

    @cached_property
    def _counts(self) -> Integers:
        """Counts (replicates with trials, bins + 2): under, the bins, over."""
        counts: Integers = self.summary.counts[self.row]
        tried: Integers = counts[counts.sum(axis=1) > 0]
        return tried

    @cached_property
    def _edges(self) -> Floats:
        """Edges (bins + 3,) of all bins; the outer ones reach to the extremes."""
        lay = self.summary.layout
        if self._listed.size:
            return np.concatenate([self._steps[:1], self._steps])
        inner = lay.low[self.row] + lay.width[self.row] * np.arange(lay.bins + 1)
        least, most = self.minimum, self.maximum
        return np.concatenate([[min(least, inner[0])], inner, [max(most, inner[-1])]])

    @cached_property
    def _distribution(self) -> Floats:
        """Each replicate's distribution function at the edges (replicates, bins + 3)."""
        smooth = _staircase if self.is_stepped else _smoothed
        return np.stack([smooth(counts, self._edges) for counts in self._counts])

    @property
    def is_whole(self) -> bool:
        """Whether the output is counted integer by integer."""
        return self.summary.layout.whole[self.row]

    @property
    def is_stepped(self) -> bool:
        """Whether values are counted one by one, integers or those of a list."""
        return self.is_whole or bool(self._listed.size)

    @property
    def _listed(self) -> Floats:
        return self.summary.layout.listed[self.row]

    @cached_property
    def _steps(self) -> Floats:
        """What each count of a stepped output stands for (bins + 2,): an integer, or the largest value seen in a gap.

        The outer bins of a whole-number output stand for its extremes. Empty gaps stand for the value before them.
        """
        if self.is_whole:
            return np.concatenate([[self.minimum], self._edges[1:-2] + 0.5, [self.maximum]])
        values = self._listed
        steps = np.full(self.summary.layout.bins + 2, self.maximum)
        steps[: 2 * len(values) + 1 : 2] = self.summary.highest[self.row, : len(values) + 1]
        steps[1 : 2 * len(values) : 2] = values
        steps[0] = max(steps[0], min(self.minimum, values[0]))
        return np.asarray(np.maximum.accumulate(steps))

    @property
    def valid(self) -> int:
        """Trials that are in the figures."""
        return int(self._counts.sum())

    @property
    def minimum(self) -> float:
        """The smallest value seen."""
        return float(self.summary.minimum[self.row])

    @property
    def maximum(self) -> float:
        """The largest value seen."""
        return float(self.summary.maximum[self.row])

    @property
    def fractional(self) -> int:
        """Values of a whole-number output that were none, counted at the nearest integer."""
        return int(self.summary.fractional[self.row])

    @property
    def errors(self) -> tuple[ErrorCount, ...]:
        """The trials that are not in the figures, by kind."""
        counted, first, r = self.summary.errors[self.row], self.summary.first_error[self.row], self.summary.layout
        return tuple(
            ErrorCount(kind, int(counted[k]), (int(first[k] % r.replicates), int(first[k] // r.replicates)))
            for k, kind in enumerate((*ERROR_KINDS, UNIDENTIFIED))
            if counted[k]
        )

    @cached_property
    def _moments(self) -> tuple[Interval, Interval]:
        pivot = float(self.summary.layout.pivot[self.row])
        sizes = self.summary.counts[self.row].sum(axis=1).tolist()
        parts = [
            (size, self.summary.sums.total(self.row, r, 0), self.summary.sums.total(self.row, r, 1))
            for r, size in enumerate(sizes)
            if size
        ]
        if not parts:
            return Interval(math.nan, math.nan, math.nan), Interval(math.nan, math.nan, math.nan)
        whole = (
            sum(p[0] for p in parts),
            sum((p[1] for p in parts), Fraction()),
            sum((p[2] for p in parts), Fraction()),
        )
        means, deviations = zip(*(_mean_and_sd(pivot, *part) for part in parts), strict=True)
        mean, deviation = _mean_and_sd(pivot, *whole)
        return t_interval(mean, np.array(means)), t_interval(deviation, np.array(deviations))

    @property
    def mean(self) -> Interval:
        """The mean with its error bar."""
        return self._moments[0]

    @property
    def sd(self) -> Interval:
        """The standard deviation with its error bar."""
        return self._moments[1]

    def percentile(self, probability: float) -> Percentile:
        """Return one percentile; that of a stepped output is the smallest value that reaches it."""
        if not self.valid:
            nan = Interval(math.nan, math.nan, math.nan)
            return Percentile(probability, nan, math.nan)
        return (self._stepped_percentile if self.is_stepped else self._smooth_percentile)(probability)

    def percentiles(self, probabilities: Sequence[float] = PERCENTILES) -> tuple[Percentile, ...]:
        """Return P5 to P99, or those asked for."""
        return tuple(self.percentile(p) for p in probabilities)

    def _smooth_percentile(self, probability: float) -> Percentile:
        edges, each = self._edges, self._distribution
        common = each.mean(axis=0)
        value = float(np.interp(probability, common, edges))
        cell = int(np.clip(np.searchsorted(edges, value, side="right") - 1, 0, len(edges) - 2))
        width = float(edges[cell + 1] - edges[cell])
        part = (value - float(edges[cell])) / width if width > 0 else 0.0
        there = each[:, cell] * (1 - part) + each[:, cell + 1] * part
        bar = t_interval(0.0, there).half_width
        low, high = np.interp([probability - bar, probability + bar], common, edges)
        return Percentile(probability, Interval(value, float(low), float(high)), width)

    def _stepped_percentile(self, probability: float) -> Percentile:
        common, bar = self._distribution.mean(axis=0), _half_widths(self._distribution)
        tiny = 1e-12  # counts of P90 over 10 trials: 9 / 10 reaches 0.9
        index, low, high = (
            int(np.argmax(reached >= probability - tiny)) if np.any(reached >= probability - tiny) else -1
            for reached in (common[1:], common[1:] + bar[1:], common[1:] - bar[1:])
        )
        value = Interval(*(float(self._steps[n]) if n >= 0 else self.maximum for n in (index, low, high)))
        return Percentile(probability, value, self._spread_of(index))

    def _spread_of(self, index: int) -> float:
        """Return how far the values apart lie that one count stands for: 0 but for gaps of a list."""
        if self.is_whole or index % 2:
            return 0.0
        return float(self.summary.highest[self.row, index // 2] - self.summary.lowest[self.row, index // 2])

    def outcomes(self) -> tuple[Probability, ...]:
        """Return the probability of every value seen of a stepped output, ascending; else nothing.

        Values in one gap of a list, which the pilot run did not see, share the probability of the largest of them.
        """
        if not self.is_stepped:
            return ()
        hits, sizes = self._counts, self._counts.sum(axis=1)
        seen = np.flatnonzero(hits.sum(axis=0))
        if self.is_whole:
            seen = seen[(seen > 0) & (seen <= self.summary.layout.bins)]
        return tuple(_share(float(self._steps[slot]), hits[:, slot], sizes) for slot in seen)

    def outcome(self, value: float) -> Probability:
        """Return the probability of one value of a stepped output, seen or not; 1 stands for TRUE."""
        known = np.flatnonzero(self._steps[1:-1] == value) + 1
        hits = self._counts[:, known].sum(axis=1) if known.size else np.zeros(len(self._counts), dtype=np.int64)
        return _share(value, hits, self._counts.sum(axis=1))

    def below(self, x: Sequence[float]) -> Floats:
        """Return the share of the trials below each x; the values of a bin, not those of a list, spread over it."""
        reached = _staircase(self._counts.sum(axis=0), self._edges)
        if self._listed.size:
            return np.asarray(reached[np.searchsorted(self._steps, x)])
        return np.interp(np.asarray(x, dtype=np.float64), self._edges, reached)

    def exceedance(self, points: int = 128) -> Curve:
        """Return P(output > x) at about so many bin edges between the extremes, or at values seen; ascending."""
        edges, each = self._edges, self._distribution
        width = self.summary.layout.width[self.row]
        inside = np.flatnonzero((edges >= self.minimum - width) & (edges <= self.maximum + width))
        if self.is_stepped:
            inside = inside[np.diff(each.mean(axis=0), prepend=0.0)[inside] > 0]
        chosen = inside[np.unique(np.linspace(0, len(inside) - 1, min(points, len(inside))).astype(np.int64))]
        x = edges[chosen] - 0.5 if self.is_whole else edges[chosen]
        return Curve(x, 1 - each[:, chosen].mean(axis=0), _half_widths(each[:, chosen]), self.is_stepped)


def _share(value: float, hits: Integers, sizes: Integers) -> Probability:
    total, trials = int(hits.sum()), int(sizes.sum())
    bar = t_interval(0.0, hits / sizes).half_width if trials else math.nan
    return Probability(value, total, wilson_interval(total, trials), bar)


def _mean_and_sd(pivot: float, size: int, first: Fraction, second: Fraction) -> tuple[float, float]:
    variance = (second - first * first / size) / (size - 1) if size > 1 else Fraction()
    return pivot + float(first / size), math.sqrt(max(0.0, float(variance)))


def _half_widths(each: Floats) -> Floats:
    """Return the half-width of the t interval of every column of (replicates, columns)."""
    count = len(each)
    if count < 2:
        return np.full(each.shape[1], np.inf)
    factor = student_quantile((1 + CONFIDENCE) / 2, count - 1) / math.sqrt(count)
    return np.asarray(factor * each.std(axis=0, ddof=1))


def _staircase(counts: Integers, edges: Floats) -> Floats:
    """Return the share of values below each edge."""
    return np.concatenate([[0.0], np.cumsum(counts) / counts.sum()])


def _smoothed(counts: Integers, edges: Floats) -> Floats:
    """Return a distribution function at the edges that rises evenly from value to value.

    The k-th of n values stands for the probability (k - 1/2) / n (Hazen 1914); the values of a bin are spread evenly
    over it. Steps would make the replicates of a stratified sample agree exactly, and the error bar vanish.
    """
    filled = np.flatnonzero(counts)
    count = counts[filled].astype(np.float64)
    before, total = np.cumsum(count) - count, float(count.sum())
    start, width = edges[filled], edges[filled + 1] - edges[filled]
    x = np.stack([start + width * (0.5 / count), start + width * (1 - 0.5 / count)], axis=1).reshape(-1)
    p = np.stack([before + 0.5, before + count - 0.5], axis=1).reshape(-1) / total
    distinct = np.concatenate([[True], np.diff(x) > 0])
    return np.asarray(np.interp(edges, x[distinct], p[distinct], left=0.0, right=1.0))
