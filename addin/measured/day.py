"""The busiest day as half hours: the estate's mean of a desktop, and the 95 % interval that its pilots leave.

To look at, never to size on: an interval is of one half hour alone, of the differences between desktops.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.measured.estate import Table
from addin.measured.grid import READS, SCALE, WRITES
from addin.measured.phase import Phase
from addin.measured.statistics import Setting
from addin.measured.windows import BIN
from addin.simulation.quantiles import student_quantile

Figures = NDArray[np.float64]
BINS_TOGETHER = 6  # half an hour
_TWO_SIDED = 0.975


@dataclass(frozen=True)
class HalfHour:
    """Where it begins, in hours from midnight; IOPS of a desktop, and the ends of the interval where there is one."""

    hour: float
    mean: float
    low: float | None
    high: float | None


def half_hours(tables: Mapping[str, Table], phases: Sequence[Phase], setting: Setting) -> tuple[HalfHour, ...]:
    """Return the half hours, in their order, of the day on which a desktop's demand was the largest."""
    peaks = [(phase.demand, tables[phase.name].days[phase.peak.day]) for phase in phases if phase.peak]
    if not peaks:
        return ()
    day = max(peaks, key=lambda each: each[0] or 0.0)[1]
    sure = all(phase.error.upper is not None for phase in phases)
    found = []
    for half, (sums, bins) in sorted(_sums(tables, day).items()):
        each = _half_hour(half * BINS_TOGETHER * BIN / 3600, sums, bins, setting, sure)
        found += [each] if each else []
    return tuple(found)


def _sums(tables: Mapping[str, Table], day: int) -> dict[int, tuple[Figures, Figures]]:
    """Return for each half hour of a day the sum of a desktop's means of bins, and how many bins it has."""
    found: dict[int, tuple[Figures, Figures]] = {}
    for table in tables.values():
        if day not in table.days:
            continue
        at = table.days.index(day)
        iops = (table.rates[READS] + table.rates[WRITES])[:, at] / SCALE
        there = table.present[:, at]
        for place, start in enumerate(table.starts):
            sums, bins = found.get(start // BINS_TOGETHER, (np.zeros(len(iops)), np.zeros(len(iops))))
            one = there[:, place]
            found[start // BINS_TOGETHER] = (sums + iops[:, place] * one, bins + one)
    return found


def _half_hour(hour: float, sums: Figures, bins: Figures, setting: Setting, sure: bool) -> HalfHour | None:
    """Return a half hour; None where a type has no desktop in it."""
    mean = variance = 0.0
    desktops = 0
    for group, users in enumerate(setting.users):
        own = np.flatnonzero((setting.group == group) & (bins > 0))
        if not own.size:
            return None
        x, share = sums[own] / bins[own], users / setting.estate
        mean += share * float(x.mean())
        variance += share**2 * float(x.var(ddof=1)) / own.size if own.size > 1 else 0.0
        desktops += own.size
    if not sure or desktops <= len(setting.users):
        return HalfHour(hour, mean, None, None)
    wide = student_quantile(_TWO_SIDED, desktops - len(setting.users)) * math.sqrt(variance)
    return HalfHour(hour, mean, max(0.0, mean - wide), mean + wide)
