"""What a simulation found, as frozen records, and how it is taken from summaries and from the first trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.kernel import Address, Scalar
from addin.numerals import number_of
from addin.simulation.chunks import Part
from addin.simulation.histogram import Histogram, histogram
from addin.simulation.sensitivity import FIRST_TRIALS, conditional_means, rank_correlation, sobol_indices
from addin.simulation.statistics import (
    PERCENTILES,
    Curve,
    Interval,
    OutputStatistics,
    Percentile,
    Probability,
    statistics,
)
from addin.simulation.summaries import Summary
from addin.simulation.trials import HOLDS, Job
from addin.workbook.book import Item

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Fault:
    """Trials of one result that ended in an error: how many, the first one, the cell where its error starts."""

    kind: str
    trials: int
    first: tuple[int, int]
    cell: str


@dataclass(frozen=True)
class ResultFigures:
    """One result: what the workbook shows without spread (`base`), and its figures over the trials without errors.

    `curve` and `histogram` are None when no trial gave a number.
    """

    item: Item
    base: Scalar
    percentiles: tuple[Percentile, ...]
    mean: Interval
    sd: Interval
    minimum: float
    maximum: float
    valid: int
    outcomes: tuple[Probability, ...]
    faults: tuple[Fault, ...]
    curve: Curve | None
    histogram: Histogram | None

    @property
    def chance(self) -> Interval | None:
        """The probability of what a flag says; None of any other result, and where no trial gave a number."""
        if self.item.unit != "flag" or not self.outcomes:
            return None
        by_value = {each.outcome: each.interval for each in self.outcomes}
        missing = by_value.get(0.0, Interval(1.0, 1.0, 1.0))
        return by_value.get(1.0) or Interval(1 - missing.value, 1 - missing.high, 1 - missing.low)


@dataclass(frozen=True)
class Driver:
    """How much of a result's variance an input explains, with its interactions and alone; its rank correlation.

    `low` and `high` are the means of the result over the lowest and highest tenth of the input's draws.
    """

    key: str
    label: str
    total: Interval
    first: Interval
    rank: float
    low: float
    high: float


@dataclass(frozen=True)
class Drivers:
    """The drivers of one result, the strongest first."""

    result: str
    drivers: tuple[Driver, ...]


@dataclass(frozen=True)
class Spent:
    """What was done: trials asked and run, replicates, whether the run was cut short."""

    asked: int
    trials: int
    replicates: int
    partial: bool


@dataclass(frozen=True)
class Report:
    """Everything a simulation found. Holds no clock time: the same request gives the same report.

    `arrays` is the size of the base design, `counted` what it is counted in: array or node, `beside` the arrays for
    containers and the disks of its machines, in words.
    """

    book: str
    spent: Spent
    results: tuple[ResultFigures, ...]
    holds: Probability | None
    arrays: float
    counted: str
    beside: tuple[str, ...]
    drivers: tuple[Drivers, ...]
    correlated: bool
    rank_trials: int
    checked: int
    largest_difference: float
    provenance: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    of_day_one: bool = False  # growth per year counts: the chance is of the day before it

    @property
    def design(self) -> str:
        """The base design: a number of arrays or nodes, those for containers, disks; 0 arrays beside those go."""
        arrays = (number_of(self.arrays, self.counted),) if self.arrays or not self.beside else ()
        return f"{' and '.join((*arrays, *self.beside))}{', on day one,' * self.of_day_one}"

    @property
    def main(self) -> Drivers | None:
        """The result whose drivers are printed: the unrounded number of arrays where it is there, else the first."""
        by_key = {entry.result: entry for entry in self.drivers}
        return by_key.get("ratio_largest") or (self.drivers[0] if self.drivers else None)


def _figures(item: Item, base: Scalar, figures: OutputStatistics, faults: Sequence[Fault]) -> ResultFigures:
    """Return the figures of one result."""
    outcomes = figures.outcomes() if figures.valid else ()
    return ResultFigures(
        item,
        base,
        figures.percentiles(PERCENTILES),
        figures.mean,
        figures.sd,
        figures.minimum if figures.valid else math.nan,
        figures.maximum if figures.valid else math.nan,
        figures.valid,
        outcomes if len(outcomes) <= 200 else (),
        tuple(faults),
        figures.exceedance() if figures.valid else None,
        histogram(figures),
    )


def result_figures(
    job: Job, items: Sequence[Item], base: dict[str, Scalar], summary: Summary
) -> tuple[ResultFigures, ...]:
    """Return the figures of every result, with its errors located."""
    results = []
    for item in items:
        figures = statistics(summary, item.key)
        results.append(_figures(item, base[item.key], figures, _faults(job, item, figures)))
    return tuple(results)


def _faults(job: Job, item: Item, figures: OutputStatistics) -> list[Fault]:
    """Find the cell where each kind of error starts, by computing its first trial cell by cell."""
    faults = []
    for error in figures.errors:
        replicate, trial = error.first
        origins = {output: origin for output, _, origin in job.model.runner().locate(job.trial(replicate, trial))}
        cell: Address = origins.get(item.address, item.address)
        faults.append(Fault(error.kind, error.trials, error.first, cell.a1))
    return faults


def holds(summary: Summary) -> Probability | None:
    """Return the probability that the design holds, None where the workbook has no such results."""
    if HOLDS not in summary.layout.outputs:
        return None
    figures = statistics(summary, HOLDS)
    return figures.outcome(1.0) if figures.valid else None


def drivers(
    job: Job, items: Sequence[Item], labels: dict[str, str], part: Part, threads: int = 1
) -> tuple[tuple[Drivers, ...], int]:
    """Return the drivers of every result that varies, and the trials behind rank correlation and conditional means.

    Sobol indices are computed with correlation off, on draws of their own. Inputs that reach no result are left out.
    """
    x = np.concatenate([inputs for inputs, _ in part.kept], axis=1)[:, :FIRST_TRIALS]
    rows = [job.layout.outputs.index(item.key) for item in items] if job.layout else []
    y = np.concatenate([outputs for _, outputs in part.kept], axis=1)[rows][:, :FIRST_TRIALS]
    idle = set(job.model.runner().unreached)
    reached = [n for n, address in enumerate(job.model.inputs) if address not in idle]
    if not reached:
        return (), x.shape[1]
    keys = [job.keys[n] for n in reached]
    medians = np.array([spread.median for spread in job.spreads])

    def spread(u: Floats) -> Floats:
        for n, row in zip(reached, u, strict=True):
            job.spreads[n].ppf(row, out=row)
        return u

    def model(drawn: Floats) -> Floats:
        values = np.repeat(medians[:, None], drawn.shape[1], axis=1)
        values[reached] = drawn
        return job.model.evaluate(values, threads)[0][rows]

    indices = sobol_indices(model, keys, job.seed, job.dimensions, job.model.engine.budget.drivers, spread)
    with ThreadPoolExecutor(threads) as pool:
        ranks = rank_correlation(x[reached], y, pool.map)
        ends = list(pool.map(lambda values: conditional_means(values, y).means[:, [0, -1]], x[reached]))
    drivers = []
    for row, item in enumerate(items):
        each = [
            Driver(
                key,
                labels[key],
                _around(indices.total[row, n], indices.total_half_width[row, n]),
                _around(indices.first[row, n], indices.first_half_width[row, n]),
                float(ranks[row, n]),
                float(ends[n][row, 0]),
                float(ends[n][row, 1]),
            )
            for n, key in enumerate(keys)
        ]
        if any(math.isfinite(driver.total.value) for driver in each):
            drivers.append(Drivers(item.key, tuple(sorted(each, key=_strength))))
    return tuple(drivers), x.shape[1]


def _around(value: float, half_width: float) -> Interval:
    return Interval(float(value), float(value - half_width), float(value + half_width))


def _strength(driver: Driver) -> float:
    return -driver.total.value if math.isfinite(driver.total.value) else math.inf
