"""Which inputs drive a result: total-order Sobol indices, rank correlation, conditional means.

A model here is any function from inputs (d, n) to outputs (m, n), column by column. Sobol indices are defined for
independent inputs only: they are computed with correlation off, and say so. With correlation on, conditional means
show what comes with an input, including the inputs correlated with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.simulation.quantiles import student_quantile
from addin.simulation.sampling import Dimensions, blocks, plan

Floats = NDArray[np.float64]
Model = Callable[[Floats], Floats]
Each = Callable[[Callable[[Floats], Floats], Iterable[Floats]], Iterable[Floats]]
_Bars = tuple[Floats, Floats]  # figures and the half-widths of their bars

FIRST_TRIALS = 65_536  # trials that rank correlation and conditional means look at
EVALUATIONS = 131_072
FEWEST = 16  # points of a scramble
REPLICATES = 8
HEAVY = 0.02  # excess kurtosis of a replicate's mean from which tails count as heavy
MOST_INPUTS = 128  # each needs two Sobol dimensions
NOTE = "Sobol indices take the inputs as independent: correlation is off for them."


@dataclass(frozen=True, eq=False)
class SobolIndices:
    """Shares of each output's variance (m, d): of an input alone, and with all it interacts with; 95 % half-widths.

    A bar holds the true index in 95 of 100 seeds where tails are light; where they are heavy (lognormal terms, say) it
    is made wider, as the scrambles that have not met the tail all agree: see _ratio. NaN where an output does not
    vary. `evaluations` trials were computed, `excluded` (m,) of them left out as errors.
    """

    inputs: tuple[str, ...]
    first: Floats
    first_half_width: Floats
    total: Floats
    total_half_width: Floats
    evaluations: int
    excluded: NDArray[np.int64]
    note: str = NOTE


def sobol_indices(
    model: Model,
    keys: Sequence[str],
    seed: int,
    dimensions: Dimensions | None = None,
    evaluations: int = EVALUATIONS,
    spread: Model = lambda u: u,
) -> SobolIndices:
    """Return the Sobol indices of a model of inputs (d, n) to outputs (m, n), NaN for errors.

    The inputs are uniform draws u (d, n), 0 < u < 1, unless `spread` makes values of them, each row by itself; it
    may do so in place. Estimators of A. Saltelli et al., Comput. Phys. Commun. 181 (2010), table 2: (b) for the first
    order, (f), by M. Jansen (1999), for the total one. Each of 8 independent scrambles costs (d + 2) n trials, 2 n
    of one input, n a power of two, at most `evaluations` in all unless that leaves fewer than 16 for n. Raises
    RequestError beyond 128 inputs.
    """
    registry = (dimensions or Dimensions()).including(keys)
    if not keys or max(registry.of(key) for key in keys) >= MOST_INPUTS:
        raise RequestError(f"Sobol indices: {len(keys)} inputs, expected 1 to {MOST_INPUTS}. Vary fewer.")
    share = max(FEWEST, evaluations // (REPLICATES * (len(keys) + 2)))
    n = 1 << (share.bit_length() - 1)
    size = plan(n * REPLICATES, REPLICATES)
    pairs = Dimensions(
        tuple((key, 2 * registry.of(key)) for key in keys)
        + tuple((f"{key}\0second", 2 * registry.of(key) + 1) for key in keys)
    )
    replicates = range(size.replicates)
    u = blocks([key for key, _ in pairs.numbers], n, seed, replicates, "sobol", pairs).reshape(2 * len(keys), -1)
    a, b = spread(u[: len(keys)]), spread(u[len(keys) :])
    at_a, at_b = model(a), model(b)
    first, total, excluded = [], [], np.zeros(len(at_a), dtype=np.int64)
    mixed = a.copy()
    for row in range(len(keys)):
        mixed[row] = b[row]
        at_mixed = model(mixed) if len(keys) > 1 else at_b  # of one input they are the same points
        first_order, with_others, lost = _indices(at_a, at_b, at_mixed)
        mixed[row] = a[row]
        first.append(first_order)
        total.append(with_others)
        excluded += lost
    alone, alone_bar, whole, whole_bar = (
        np.stack([figures[index] for figures in order], axis=1) for order in (first, total) for index in (0, 1)
    )
    spent = n * REPLICATES * (len(keys) + 2 if len(keys) > 1 else 2)
    return SobolIndices(tuple(keys), alone, alone_bar, whole, whole_bar, spent, excluded)


def _indices(a: Floats, b: Floats, mixed: Floats) -> tuple[_Bars, _Bars, NDArray[np.int64]]:
    """Return first and total order of one input with their bars, each (m,), and the points lost to errors (m,)."""
    shape = (len(a), REPLICATES, -1)
    fine = (np.isfinite(a) & np.isfinite(b) & np.isfinite(mixed)).reshape(shape)
    a, b, mixed = (np.where(fine, y.reshape(shape), 0.0) for y in (a, b, mixed))
    with np.errstate(invalid="ignore", divide="ignore"):
        count = fine.sum(axis=2)
        centre = (a + b).sum(axis=(1, 2)) / (2 * count.sum(axis=1))
        a, b, mixed = (np.where(fine, y - centre[:, None, None], 0.0) for y in (a, b, mixed))
        variance = a * a
        variance += b * b
        variance /= 2
        change = mixed - a
        first_order = _ratio(b * change, variance, count)
        change *= change
        change /= 2
        whole = _ratio(change, variance, count)
    return first_order, whole, (~fine).sum(axis=(1, 2))


def _ratio(part: Floats, variance: Floats, count: NDArray[np.int64]) -> _Bars:
    """Return the ratio of two means over points (m, replicates, n) and the half-width of its 95 % bar, each (m,).

    Ratios of each replicate would be biased where points are few; the bar is taken between the replicates of the
    first-order (delta method) expansion (W. G. Cochran, Sampling Techniques, 1977, section 6.4), with Student's t. The
    variance between 8 replicates is itself uncertain by the kurtosis of one replicate's mean, which is that of the
    points over their number. Above HEAVY the bar takes t with 4 degrees of freedom, and no less than half the bar of
    as many independent points: stratifying does not help with events rarer than one in a replicate. These two figures
    are measured (tests/simulation/test_sensitivity.py): sums and products of lognormals are covered 93 to 99 times in
    100, where the plain bar covers 83 to 96. NaN where the variance is 0.
    """
    m, replicates, _ = part.shape
    below = variance.sum(axis=(1, 2)) / count.sum(axis=1)
    share = part.sum(axis=(1, 2)) / count.sum(axis=1) / below
    gap = part - share[:, None, None] * variance
    each = gap.sum(axis=2) / count / below[:, None]
    spread = each.std(axis=1, ddof=1) / np.sqrt(replicates)
    np.multiply(gap, gap, out=gap)
    flat = gap.reshape(m, -1)
    square, points = flat.sum(axis=1), count.sum(axis=1)
    kurtosis = np.einsum("ij,ij->i", flat, flat) / square**2 * points - 3
    independent = 1.96 * np.sqrt(square) / points / below
    usual, heavy = (student_quantile(0.975, freedom) * spread for freedom in (replicates - 1, 4))
    bar = np.where(kurtosis > HEAVY * points / replicates, np.maximum(heavy, independent / 2), usual)
    return np.where(below > 0, share, np.nan), np.where(below > 0, bar, np.nan)


def ranks(values: Floats) -> Floats:
    """Return the ranks (n,) of values (n,), from 1; equal values share their mean rank."""
    order = np.argsort(values)  # equal values share a rank: their order makes no difference
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    result = np.empty(len(values))
    if len(starts) == len(values):
        result[order] = np.arange(1.0, len(values) + 1)
        return result
    ends = np.append(starts[1:], len(values))
    result[order] = np.repeat((starts + ends + 1) / 2, ends - starts)
    return result


def rank_correlation(inputs: Floats, outputs: Floats, each: Each = map) -> Floats:
    """Return Spearman's rank correlation (m, d) of inputs (d, n) with outputs (m, n), on the first 65,536 trials.

    Trials in error (NaN) are left out of their output. NaN where an input or an output does not vary. C. Spearman
    1904, ties by mean ranks. `each` is map, or that of an executor of threads.
    """
    inputs, outputs = inputs[:, :FIRST_TRIALS], outputs[:, :FIRST_TRIALS]
    fine = np.isfinite(outputs)
    standing = list(each(_standing, (*inputs, *(y[kept] for y, kept in zip(outputs, fine, strict=True)))))
    whole = np.stack(standing[: len(inputs)]) if len(inputs) else np.empty((0, inputs.shape[1]))
    result = np.full((len(outputs), len(inputs)), np.nan)
    for row, (kept, ranked) in enumerate(zip(fine, standing[len(inputs) :], strict=True)):
        if len(ranked) > 1:
            result[row] = (whole if kept.all() else np.stack(list(each(_standing, inputs[:, kept])))) @ ranked
    return result


def _standing(values: Floats) -> Floats:
    """Return the ranks of values (n,) about their mean, as a vector of length 1; NaN where all are equal.

    Ranks are halves of whole numbers: their sums and squares are exact in any order, on any number of threads.
    """
    if not len(values):
        return values
    centred = ranks(values)
    centred -= (len(values) + 1) / 2
    length = float(np.sqrt(np.einsum("i,i->", centred, centred)))
    return np.divide(centred, length, out=centred) if length > 0 else np.full_like(values, np.nan)


@dataclass(frozen=True, eq=False)
class ConditionalMeans:
    """Means of outputs (m, bands) by bands of one input from its lowest values to its highest.

    `bounds` (bands + 1,) are values of the input; `trials` (m, bands) are those that are no errors.
    """

    bounds: Floats
    means: Floats
    trials: NDArray[np.int64]


def conditional_means(values: Floats, outputs: Floats, bands: int = 10) -> ConditionalMeans:
    """Return the means of outputs (m, n) for bands of one input's values (n,), on the first 65,536 trials.

    Bands hold equal shares of the trials; equal values stay together, so an input with few values has fewer bands.
    NaN for a band of errors only.
    """
    values, outputs = values[:FIRST_TRIALS], outputs[:, :FIRST_TRIALS]
    ordered = np.sort(values)
    cuts = np.unique(ordered[[len(ordered) * k // bands for k in range(1, bands)]])
    cuts = cuts[cuts > ordered[0]]
    band = np.searchsorted(cuts, values, side="right")
    trials = np.tile(np.bincount(band, minlength=len(cuts) + 1), (len(outputs), 1))
    means = np.full(trials.shape, np.nan)
    for row, y in enumerate(outputs):
        fine = np.isfinite(y)
        if not fine.all():
            trials[row] = np.bincount(band[fine], minlength=len(cuts) + 1)
        sums = np.bincount(band[fine], weights=y[fine], minlength=len(cuts) + 1)
        np.divide(sums, trials[row], out=means[row], where=trials[row] > 0)
    return ConditionalMeans(np.concatenate([ordered[:1], cuts, ordered[-1:]]), means, trials)
