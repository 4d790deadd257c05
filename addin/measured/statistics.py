"""The demand of an estate from pilots: design bin, spread, sampling error, mix at the peak, moments that may bind.

A percentile of one desktop is never added to another's: all is computed on the mean over desktops, bin by bin, scaled
to the estate. With n pilots of N desktops, by type g, days d and bins b of five minutes:

    m(d, b)    mean over desktops of a type, smoothed over a window; the design bin is that of the largest estate mean
    D          sum N_g m_g (1 + growth) + z sqrt(sum N_g s_g^2), s_g the spread between desktops in the design bin
    SE         sqrt(sum N_g^2 sbar_g^2 / n_g), sbar_g the spread between desktops of their means over the window
    upper      D + t SE, one-sided 95 %

s_g is that of single bins, pooled over those of the window: what desktops do at the same time by chance averages out
of a window's mean, and an array sees it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from addin.measured.estate import Table
from addin.measured.grid import READ_KIB, READS, SCALE, WRITE_KIB, WRITES
from addin.numerals import number_of
from addin.simulation.quantiles import student_quantile

Figures = NDArray[np.float64]
Z = NormalDist().inv_cdf(0.99)
ONE_SIDED = 0.95
TWO_SIDED = NormalDist().inv_cdf(0.975)
TOP = 0.05  # of the bins: where read share and block size are taken
PRECISION = 0.10  # that the pilots needed are counted for
LEAST_DESKTOPS, LEAST_DAYS = 10, 5
STATISTICS = {"max": 1.0, "p99": 0.99, "p95": 0.95}
PEOPLED = 0.5  # of the desktops: a bin with fewer is no design bin


@dataclass(frozen=True)
class Setting:
    """What a phase is computed with: desktops of the estate by type, the type of each measured one, the rest typed.

    `absent` are types without a measured desktop, with their desktops. They count as a mean desktop of the others, so
    that `users` of these have them too; `own` has the desktops of each type alone.
    """

    users: tuple[float, ...]
    group: NDArray[np.int64]
    statistic: str = "max"
    smooth: int = 6
    growth: float = 0.0
    write_weight: float = 2.7
    has_bytes: NDArray[np.bool_] | None = None
    names: tuple[str, ...] = ()
    absent: tuple[tuple[str, float], ...] = ()

    @property
    def own(self) -> tuple[float, ...]:
        """Desktops of each type, without those that it stands for."""
        without = sum(users for _, users in self.absent)
        share = 1 - without / self.estate
        return tuple(float(round(users * share)) for users in self.users) if without else self.users  # typed, so whole

    @property
    def estate(self) -> float:
        """All desktops of the estate."""
        return sum(self.users)


@dataclass(frozen=True)
class Mixture:
    """Read share, and KiB of a read, a write and any I/O; None where the files have no bytes, or no I/O."""

    read_share: float | None
    read_kib: float | None
    write_kib: float | None
    kib: float | None


@dataclass(frozen=True)
class Moment:
    """A moment of a phase that may decide: day and bin it begins at, demand of a desktop there, its mix."""

    day: int
    start: int
    iops: float
    mix: Mixture


@dataclass(frozen=True)
class Peak:
    """The design bin of some means: where it is, its mean a desktop, the two spreads there by type, the mix."""

    day: int
    bin: int
    width: int
    mean: float
    spread: tuple[float, ...]  # s_g, IOPS
    between: tuple[float, ...]  # sbar_g, IOPS
    demand: float  # of the estate, IOPS
    phase_mean: float
    mix: Mixture


def means(table: Table, setting: Setting, counts: Figures | None = None) -> Figures:
    """Return the estate's mean a desktop [figure, day, bin], a second; NaN where too few desktops are there.

    `counts` says how often each desktop counts. Sums over desktops are exact: their order changes no bit.
    """
    counts = np.ones(len(setting.group)) if counts is None else counts
    rates, there = group_sums(table, setting, counts[None, :])
    return scaled(rates[:, :, 0], there[:, :, 0], setting)


def group_sums(table: Table, setting: Setting, counts: Figures) -> tuple[Figures, Figures]:
    """Return sums of rates [figure, type, draw, day, bin] and desktops that are there [1, type, draw, day, bin]."""
    draws, shape = len(counts), table.present.shape[1:]
    rates = np.empty((len(table.rates), len(setting.users), draws, *shape))
    there = np.empty((1, len(setting.users), draws, *shape))
    for group in range(len(setting.users)):
        own = counts * (setting.group == group)  # no desktop is copied: a table may be large
        for figure, rate in enumerate(table.rates):
            rates[figure, group] = (own @ rate.reshape(len(rate), -1)).reshape(draws, *shape)
        there[0, group] = (own @ table.present.reshape(len(own[0]), -1)).reshape(draws, *shape)
    return rates, there


def scaled(rates: Figures, there: Figures, setting: Setting) -> Figures:
    """Return the estate's mean a desktop [figure, day, bin] of sums [figure, type, day, bin]."""
    most = there.max(axis=(2, 3), keepdims=True)
    known = (there >= np.maximum(PEOPLED * most, 1)).all(axis=1)
    each = rates / np.where(there > 0, there, 1) / SCALE
    total = each[:, 0] * (setting.users[0] / setting.estate)
    for group, users in enumerate(setting.users[1:], 1):
        total = total + each[:, group] * (users / setting.estate)
    return np.where(known, total, np.nan)


def runs(starts: Sequence[int], width: int) -> list[tuple[int, int]]:
    """Return (place, width) of the windows: bins that follow each other, a whole run where it is shorter."""
    found, begin = [], 0
    for at in range(1, len(starts) + 1):
        if at == len(starts) or starts[at] != starts[at - 1] + 1:
            length = min(width, at - begin)
            found += [(place, length) for place in range(begin, at - length + 1)]
            begin = at
    return found


def smoothed(values: Figures, windows: Sequence[tuple[int, int]]) -> Figures:
    """Return means over windows [..., day, window] of values [..., day, bin]; NaN where half of one is missing."""
    known = ~np.isnan(values)
    sums, counts = (np.zeros((*values.shape[:-1], len(windows))) for _ in range(2))
    filled = np.where(known, values, 0.0)
    places = np.array([place for place, _ in windows])
    widths = np.array([width for _, width in windows])
    for step in range(int(widths.max())):  # bin by bin, so that the order of the sum is that of time
        inside = widths > step
        at = places[inside] + step
        sums[..., inside] += filled[..., at]
        counts[..., inside] += known[..., at]
    return np.where(counts > widths / 2, sums / np.maximum(counts, 1), np.nan)


def rank(values: Figures, statistic: str) -> int | None:
    """Return the place of the largest of some values, or of a percentile (the value at or above it); None of none.

    Of equal values the earliest counts.
    """
    known = np.flatnonzero(~np.isnan(values))
    if not known.size:
        return None
    order = known[np.lexsort((-known, values[known]))]
    return int(order[max(0, math.ceil(STATISTICS[statistic] * len(order)) - 1)])


def peak(table: Table, setting: Setting, total: Figures, days: Sequence[int], counts: Figures) -> Peak | None:
    """Return the design bin of the estate's means on some days (a day may count twice); None where nothing is known.

    `total` is [figure, day, bin] as `means` returns it, `counts` how often each desktop counts.
    """
    chosen = list(days)
    here = total[:, chosen]
    iops = here[READS] + here[WRITES]
    windows = runs(table.starts, setting.smooth)
    level = smoothed(iops, windows)
    found = rank(level.reshape(-1), setting.statistic)
    if found is None:
        return None
    day, place = divmod(found, len(windows))
    first, width = windows[place]
    spread, between = spreads(table, setting, chosen[day], first, width, counts)
    mean = float(level.reshape(-1)[found])
    chance = math.sqrt(sum(users * each**2 for users, each in zip(setting.users, spread, strict=True)))
    demand = setting.estate * mean * (1 + setting.growth) + Z * chance
    return Peak(
        chosen[day],
        first,
        width,
        mean,
        spread,
        between,
        demand,
        float(np.nanmean(iops)),
        mixture(here.reshape(len(here), -1), top(iops.reshape(-1)), setting),
    )


def spreads(
    table: Table, setting: Setting, day: int, first: int, width: int, counts: Figures
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return s_g and sbar_g by type in a window: of single bins, pooled; of the desktops' means over it."""
    rates = (table.rates[READS] + table.rates[WRITES])[:, day, first : first + width] / SCALE
    present = table.present[:, day, first : first + width]
    single, between = [], []
    for group in range(len(setting.users)):
        own = np.flatnonzero((setting.group == group) & (counts > 0))
        x, there, weight = rates[own], present[own], counts[own]
        pooled = [_variance(x[:, at], weight * there[:, at]) for at in range(width)]
        known = [each for each in pooled if each is not None]
        single.append(math.sqrt(sum(known) / len(known)) if known else 0.0)
        bins = there.sum(axis=1)
        mean = (x * there).sum(axis=1) / np.maximum(bins, 1)
        between.append(math.sqrt(_variance(mean, weight * (bins > 0)) or 0.0))
    return tuple(single), tuple(between)


def _variance(values: Figures, weight: Figures) -> float | None:
    """Return the variance of values that count several times, None of fewer than two."""
    count = float(weight.sum())
    if count < 2:
        return None
    mean = float((values * weight).sum()) / count
    return float((weight * (values - mean) ** 2).sum()) / (count - 1)


def top(iops: Figures) -> NDArray[np.int64]:
    """Return the places of the top 5 % of the bins that are known, at least one."""
    known = np.flatnonzero(~np.isnan(iops))
    order = known[np.argsort(-iops[known], kind="stable")]
    return order[: max(1, math.ceil(TOP * len(order)))]


def mixture(values: Figures, places: NDArray[np.int64], setting: Setting) -> Mixture:
    """Return read share and block sizes over some bins of means [figure, bin]."""
    reads, writes, read_kib, write_kib = (float(np.nansum(values[each, places])) for each in range(4))
    ios = reads + writes
    without = setting.has_bytes is not None and not setting.has_bytes.all()
    return Mixture(
        reads / ios if ios else None,
        read_kib / reads if reads and not without else None,
        write_kib / writes if writes and not without else None,
        (read_kib + write_kib) / ios if ios and not without else None,
    )


def moments(table: Table, setting: Setting, total: Figures) -> dict[str, Moment]:
    """Return the windows with most IOPS, most writes, most bytes, and most work counted in reads."""
    windows = runs(table.starts, setting.smooth)
    level = smoothed(total, windows)
    ranked = {
        "most IOPS": level[READS] + level[WRITES],
        "most writes": level[WRITES],
        "most bytes": level[READ_KIB] + level[WRITE_KIB],
        "most read-equivalent work": level[READS] + setting.write_weight * level[WRITES],
    }
    if setting.has_bytes is not None and not setting.has_bytes.all():
        del ranked["most bytes"]
    found = {}
    for name, values in ranked.items():
        at = rank(values.reshape(-1), "max")
        if at is not None:
            day, place = divmod(at, len(windows))
            here = level[:, day, place]
            iops = float(here[READS] + here[WRITES])
            mix = mixture(here[:, None], np.array([0]), setting)
            found[name] = Moment(table.days[day], table.starts[windows[place][0]], iops, mix)
    return found


@dataclass(frozen=True)
class Error:
    """How sure a demand is: standard error, upper bound and bound of the estate; between days; pilots for 10 %.

    `why` gives the reason if there is no interval; the figures are then None.
    """

    standard: float | None
    upper: float | None
    days: float | None
    pilots: int | None
    why: str = ""


def error(table: Table, setting: Setting, found: Peak, total: Figures) -> Error:
    """Return the sampling error of a demand; without one where desktops or days are too few."""
    sizes = [int((setting.group == group).sum()) for group in range(len(setting.users))]
    count, days = len(setting.group), len(table.days)
    if count < LEAST_DESKTOPS or days < LEAST_DAYS or min(sizes) < 2:
        few = (
            f"{number_of(count, 'desktop')} on {number_of(days, 'day')}"
            if min(sizes) >= 2
            else "a type with fewer than 2 desktops"
        )
        why = f"{few}: an interval needs {LEAST_DESKTOPS} desktops and {LEAST_DAYS} days, 2 desktops of each type"
        return Error(None, None, None, None, why)
    parts = zip(setting.users, found.between, sizes, strict=True)
    standard = math.sqrt(sum(users**2 * each**2 / size for users, each, size in parts)) * (1 + setting.growth)
    t = student_quantile(ONE_SIDED, count - len(sizes))
    level = smoothed(total[READS] + total[WRITES], runs(table.starts, setting.smooth))
    known = [float(np.nanmax(day)) for day in level if not np.isnan(day).all()]
    between = float(np.std(known, ddof=1)) / math.sqrt(len(known)) * setting.estate if len(known) > 1 else None
    pooled = sum(users * each**2 for users, each in zip(setting.users, found.between, strict=True)) / setting.estate
    cv = math.sqrt(pooled) / found.mean if found.mean else 0.0
    pilots = pilots_needed(cv)
    return Error(standard, found.demand + t * standard, between, pilots)


def pilots_needed(cv: float, precision: float = PRECISION) -> int:
    """Return the pilots that give a mean to within a share of it, 95 times in 100."""
    return math.ceil((TWO_SIDED * cv / precision) ** 2 - 1e-9)
