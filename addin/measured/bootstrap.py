"""A two-level bootstrap: desktops drawn within their type, whole days drawn for all of them, as joint rows.

Each row draws once for all phases: a month of few power users is one in every phase. A row has a stream of its own, so
the same seed gives the same rows whatever the number of threads; sums over desktops are exact (see estate.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.measured import statistics
from addin.measured.estate import Table
from addin.measured.grid import READS
from addin.measured.statistics import Setting
from addin.measured.windows import TIMED

LEAST, MOST, DEFAULT = 200, 1_000, 200
SEED = 1
_BLOCK = 25  # rows of a task
Figures = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A draw of a phase: demand of a desktop, read share and KiB at the peak or over a run; None where not known."""

    iops: float
    read_share: float | None
    kib: float | None


def rows(
    tables: Mapping[str, Table],
    settings: Mapping[str, Setting],
    count: int = DEFAULT,
    seed: int = SEED,
    executor: Executor | None = None,
) -> dict[str, list[Row]]:
    """Return joint rows by phase. Raises RequestError for a count that no workbook takes."""
    if not LEAST <= count <= MOST:
        raise RequestError(f"--rows {count}: expected {LEAST} to {MOST:,} rows.")
    if seed < 0:
        raise RequestError(f"--seed {seed}: expected 0 or more.")
    tasks = [range(first, min(first + _BLOCK, count)) for first in range(0, count, _BLOCK)]
    if executor is None:
        blocks = [_block(tables, settings, task, seed) for task in tasks]
    else:
        blocks = list(executor.map(_block, *zip(*((tables, settings, task, seed) for task in tasks), strict=True)))
    return {phase: [row for block in blocks for row in block[phase]] for phase in tables}


def _block(
    tables: Mapping[str, Table], settings: Mapping[str, Setting], numbers: Sequence[int], seed: int
) -> dict[str, list[Row]]:
    """Return the rows with some numbers, of every phase."""
    first = next(iter(tables))
    every = sorted({day for table in tables.values() for day in table.days})
    draws = [_draw(settings[first].group, len(every), seed, number) for number in numbers]
    counts = np.array([desktops for desktops, _ in draws])
    made: dict[str, list[Row]] = {}
    for phase, table in tables.items():
        setting = settings[phase]
        rates, there = statistics.group_sums(table, setting, counts)
        place = {day: at for at, day in enumerate(table.days)}
        made[phase] = []
        for at, (desktops, days) in enumerate(draws):
            total = statistics.scaled(rates[:, :, at], there[:, :, at], setting)
            chosen = [place[every[day]] for day in days if every[day] in place]
            found = statistics.peak(table, setting, total, chosen, desktops) if chosen else None
            mix = found.mix if found else None
            if mix is not None and phase in TIMED:  # a run counts as its mean, so its mix is that of all of it
                flat = total[:, chosen].reshape(len(total), -1)
                mix = statistics.mixture(flat, np.flatnonzero(~np.isnan(flat[READS])), setting)
            demand = found.demand / setting.estate if found else float("nan")
            made[phase].append(Row(demand, mix.read_share if mix else None, mix.kib if mix else None))
    return made


def _draw(group: NDArray[np.int64], days: int, seed: int, number: int) -> tuple[Figures, list[int]]:
    """Return how often each desktop counts in a row, and the days drawn."""
    stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, number])))
    counts = np.zeros(len(group))
    for each in range(int(group.max()) + 1):
        own = np.flatnonzero(group == each)
        np.add.at(counts, own[stream.integers(0, len(own), len(own))], 1.0)
    return counts, sorted(int(day) for day in stream.integers(0, days, days))


def interval(values: Sequence[float], share: float = 0.95) -> tuple[float, float] | None:
    """Return the interval that holds a share of some values, None of none."""
    known = np.array([value for value in values if not np.isnan(value)])
    if not known.size:
        return None
    low, high = np.quantile(known, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)
