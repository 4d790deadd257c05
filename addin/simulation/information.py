"""What it is worth to know more before a decision: arrays in, arrays out. Nothing here knows a workbook.

Costs are (designs, replicates, trials): every design on the same draws, replicates are independent scrambles of them.
Without information the design with the least mean cost is bought. Perfect information: that cost, less the mean of
the least cost of each trial. Partial information: the best design is chosen anew within bins of what is known, on one
half of the replicates, and valued on the other half, then the other way round, so that chance differences between the
draws are no value. One input is its own bins (64 of equal count); a group of inputs is binned by what a regression on
it foresees of the unrounded need, which is smooth where costs are stairs (the method of Strong, Oakley and Brennan
2014, with bins in place of their splines).

Partial information never comes out above perfect information, as the best design of a trial costs the least in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.simulation.statistics import Interval, t_interval

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Policy = Callable[[slice, slice], Integers]

BINS = 64
LEAST_TRIALS = 4096  # of the run: 32 in a bin of the half that chooses
MOVES = 5.0  # a group moves the need if it explains so many times more of its variance than noise would


@dataclass(frozen=True)
class Known:
    """What a group of inputs is, for a regression: `inputs` (k, replicates, trials), each design's unrounded need.

    `needs` are (arrays, replicates, trials), `of` says which of them is each design's.
    """

    inputs: Floats
    needs: Floats
    of: tuple[int, ...]


def _halves(replicates: int) -> tuple[tuple[slice, slice], ...]:
    """Return (replicates that choose, replicates that value), both ways round."""
    first, last = slice(0, replicates // 2), slice(replicates // 2, replicates)
    return (first, last), (last, first)


def _valued(costs: Floats, policy: Policy) -> Floats:
    """Return each replicate's mean cost (replicates,) under a policy: (choosing, valued) -> design of each trial."""
    means = np.empty(costs.shape[1])
    for choosing, valued in _halves(costs.shape[1]):
        chosen = policy(choosing, valued)
        part: Floats = np.take_along_axis(costs[:, valued], chosen[None], axis=0)[0]
        means[valued] = part.mean(axis=1)
    return means


def _ignorant(costs: Floats) -> Floats:
    """Return each replicate's mean cost (replicates,) of the design that costs least on average in all of them."""
    means: Floats = costs[int(_pooled(costs).mean(axis=1).argmin())].mean(axis=1)
    return means


def _pooled(values: Floats) -> Floats:
    pooled: Floats = np.ascontiguousarray(values).reshape(len(values), -1)
    return pooled


def _least(means: Sequence[Floats]) -> Integers:
    """Return which design has the least mean in each trial."""
    chosen: Integers = np.stack(means).argmin(axis=0)
    return chosen


def _worth(saved: Floats) -> Interval:
    """Return what is saved on average, with its error between replicates; 0 where the error bar reaches 0."""
    found = t_interval(float(saved.mean()), saved)
    return found if found.low > 0 else Interval(0.0, 0.0, max(0.0, found.high))


def perfect(costs: Floats) -> Interval:
    """Return the expected value of perfect information: what knowing every input first would save on average."""
    return _worth(_ignorant(costs) - costs.min(axis=0).mean(axis=1))


def partial(costs: Floats, known: Floats) -> Interval:
    """Return the expected value of knowing one input (replicates, trials) first."""

    def policy(choosing: slice, valued: slice) -> Integers:
        bins = _Bins(known[choosing], known[valued])
        return _least([bins.means(each[choosing]) for each in costs])

    return _worth(_ignorant(costs) - _valued(costs, policy))


def of_group(costs: Floats, known: Known) -> Interval:
    """Return the expected value of knowing a group of inputs first."""

    def policy(choosing: slice, valued: slice) -> Integers:
        features = _Features(known.inputs[:, choosing], known.inputs[:, valued])
        bins: list[_Bins | None] = []
        for need in known.needs:
            seen, asked, moves = features.foreseen(need[choosing])
            bins.append(_Bins(seen, asked) if moves else None)
        means = []
        for each, array in zip(costs, known.of, strict=True):
            found = bins[array]
            if found is None:  # inputs of money: they move the cost alone
                found = _Bins(*features.foreseen(each[choosing])[:2])
            means.append(found.means(each[choosing]))
        return _least(means)

    return _worth(_ignorant(costs) - _valued(costs, policy))


class _Bins:
    """Bins of equal count over what was seen, and the bin of each value asked for."""

    def __init__(self, seen: Floats, asked: Floats) -> None:
        edges = np.unique(np.quantile(seen, np.arange(1, BINS) / BINS, method="higher"))
        edges = edges[edges > seen.min()]  # of values seen, so that no bin is empty
        self.seen = np.searchsorted(edges, seen.reshape(-1), side="right")
        self.asked = np.searchsorted(edges, asked, side="right")
        self.count = np.bincount(self.seen)

    def means(self, costs: Floats) -> Floats:
        """Return the mean of the costs seen in the bin of each value asked for, in the shape of what was asked."""
        means: Floats = (np.bincount(self.seen, weights=costs.reshape(-1)) / self.count)[self.asked]
        return means


class _Features:
    """A quadratic in some inputs (k, replicates, trials): 1, each, each squared, each pair; standardized.

    `others` are values of the same inputs that it foresees for too.
    """

    def __init__(self, inputs: Floats, others: Floats) -> None:
        flat = inputs.reshape(len(inputs), -1)
        self.centre, self.spread = flat.mean(axis=1), flat.std(axis=1)
        self.kept = [n for n, spread in enumerate(self.spread) if spread > 0]
        # standardized, so that the normal equations keep their digits; the inverse passes over what repeats another row
        self.rows, self.asked, self.shape = self._of(inputs), self._of(others), others.shape[1:]
        self.solved = np.linalg.pinv(self.rows @ self.rows.T, rcond=1e-10, hermitian=True)

    def _of(self, inputs: Floats) -> Floats:
        z = [(inputs[n].reshape(-1) - self.centre[n]) / self.spread[n] for n in self.kept]
        squares = [first * second for n, first in enumerate(z) for second in z[: n + 1]]
        return np.stack([np.ones(inputs[0].size), *z, *squares])

    def foreseen(self, target: Floats) -> tuple[Floats, Floats, bool]:
        """Return what the fit foresees of a target, for the other inputs too, and whether it is more than noise."""
        flat = target.reshape(-1)
        weights = self.solved @ (self.rows @ flat)
        fitted = weights @ self.rows
        features, trials = self.rows.shape
        moves = float(fitted.var()) * trials > MOVES * features * float(flat.var())
        return fitted.reshape(target.shape), (weights @ self.asked).reshape(self.shape), moves


def mean_and_p95(costs: Floats) -> tuple[list[Interval], list[float]]:
    """Return each design's mean cost with its error between replicates, and what it stays below with 95 %."""
    means = [t_interval(float(each.mean()), each.mean(axis=1)) for each in costs]
    return means, [float(np.quantile(each, 0.95)) for each in costs]


def regret(costs: Floats) -> Floats:
    """Return what each design costs more, on average, than the one that turns out best (designs,)."""
    missed: Floats = _pooled(costs - costs.min(axis=0)).mean(axis=1)
    return missed


def often_best(costs: Floats) -> Floats:
    """Return the share of the trials in which each design costs least (designs,); equal ones count for the first."""
    chosen = costs.argmin(axis=0)
    shares: Floats = np.bincount(chosen.reshape(-1), minlength=len(costs)) / chosen.size
    return shares


def dominated_by(chances: Sequence[float], costs: Sequence[float]) -> list[int | None]:
    """Return for each design one that suffices as surely and costs less, or more surely at no more; None if none does.

    Of several, the cheapest.
    """
    found: list[int | None] = []
    for chance, cost in zip(chances, costs, strict=True):
        better = [
            (other_cost, n)
            for n, (other, other_cost) in enumerate(zip(chances, costs, strict=True))
            if other >= chance and other_cost <= cost and (other, other_cost) != (chance, cost)
        ]
        found.append(min(better)[1] if better else None)
    return found
