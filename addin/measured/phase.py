"""A phase of a study: its demand with its errors, its mix, the moments that may bind, and figures only to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from addin.measured import cleaning, statistics
from addin.measured.estate import Desktop, Table, table
from addin.measured.grid import READS, SCALE, WRITES, Grid
from addin.measured.records import AMBER, Finding
from addin.measured.request import Request
from addin.measured.statistics import Error, Mixture, Moment, Peak, Setting
from addin.measured.thin_days import NONE, Dropped, Thin, dropped, thin_days
from addin.measured.types import absent, shares
from addin.measured.uneven import Uneven, days_of
from addin.measured.windows import Plan, clock
from addin.numerals import numeral

REASONS = {
    "sum of peaks": "desktops peak at different times",
    "sum of P95": "percentiles of desktops do not add: it errs both ways",
    "coincidence factor": "it is of the desktops measured, and falls with their number",
    "peak of the sum": "few desktops swing more than many: scaled up it is too high",
    "P95 of the sum": "right only where the whole estate was measured",
    "P95 of day and night": "hours without users lower it to about the P80 of the working hours",
}
_UNWEIGHED = "; types count as their pilots, not as their desktops"  # nights are kept as one sum of all desktops


@dataclass(frozen=True)
class Shown:
    """A figure that people look for and nothing is sized on, with the reason."""

    name: str
    value: float
    unit: str
    why: str


@dataclass(frozen=True)
class Phase:
    """A phase. Without `peak` only means were measured. Demands are front-end IOPS of the estate."""

    name: str
    window: str
    minutes: int
    days: int
    users: tuple[tuple[str, float, int], ...]  # type, desktops of the estate, desktops measured; these may be none
    mean: float  # IOPS of a desktop, over the phase
    mean_mix: Mixture
    peak: Peak | None
    error: Error
    moments: dict[str, Moment]
    shown: tuple[Shown, ...]
    by_type: tuple[float | None, ...] = ()  # as `users`; None of a type without a desktop measured
    interval: tuple[float, float] | None = None  # of the demand of a desktop, two-level bootstrap, 95 %
    at: str = ""
    thin: tuple[Thin, ...] = ()  # days that do not count
    uneven: tuple[Uneven, ...] = ()  # days that do not count as some desktops lack them
    dropped: Dropped = NONE  # bins that do not count, of the days that do

    @property
    def estate(self) -> float:
        """All desktops of the estate."""
        return sum(users for _, users, _ in self.users)

    @property
    def demand(self) -> float | None:
        """The design demand of the estate, IOPS."""
        return self.peak.demand if self.peak else None

    @property
    def per_desktop(self) -> float | None:
        """The design demand of a desktop, IOPS."""
        return self.peak.demand / self.estate if self.peak else None

    @property
    def sized(self) -> float | None:
        """What a workbook gets: the upper bound of a desktop where there is one, else the demand."""
        if self.peak is None:
            return None
        return (self.peak.demand if self.error.upper is None else self.error.upper) / self.estate

    def with_interval(self, interval: tuple[float, float] | None) -> Phase:
        """Return the phase with the interval of its demand a desktop."""
        return replace(self, interval=interval)


def settings_of(request: Request, desktops: Sequence[Desktop], grid: Grid) -> tuple[Setting, list[Finding]]:
    """Return what the phases are computed with: users by type, and what was assumed of them."""
    types = [request.types.of(each.name) for each in desktops]
    names = sorted(set(types), key=str.casefold)
    pilots = Counter(types)
    users, assumed = shares(request.types, pilots, request.estate)
    findings = []
    if assumed:
        parts = ", ".join(f"{name} {numeral(users[name], ',.0f')}" for name in names)
        effect = "add a column desktops to the file of --types to set them"
        findings.append(Finding(AMBER, f"desktops by type are assumed to be as the pilots are: {parts}", effect))
    group = np.array([names.index(each) for each in types], dtype=np.int64)
    has_bytes = np.array([each.name.casefold() not in grid.without_bytes for each in desktops])
    smooth = request.plan.smooth if request.plan else 1
    others = absent(request.types, pilots)
    measured = sum(users.values())
    stands_for = (measured + sum(count for _, count in others)) / measured  # desktops of the estate, for each of a type
    counts = tuple(users[name] * stands_for for name in names)
    setting = Setting(counts, group, request.statistic, smooth, 0.0, request.write_weight, has_bytes)
    return replace(setting, names=tuple(names), absent=others), findings


def phase_of(
    grid: Grid, plan: Plan, name: str, clean: cleaning.Clean, setting: Setting, least: float = 0.0
) -> tuple[Phase, Table]:
    """Return a phase and the table it was made of. Raises RequestError where no sample lies in it.

    `least` is the share of the desktops that a day needs to count, beside the half that it always needs.
    """
    rates = table(grid, plan, name, clean.desktops, clean.days)
    filled = [at for at in range(len(rates.days)) if rates.present[:, at].any()]
    if len(filled) < len(rates.days):
        rates = rates.of(range(len(clean.desktops)), filled)
    if not filled:
        raise cleaning.nothing(name, plan.windows[name])
    thin = thin_days(rates, setting)
    if thin and len(thin) < len(rates.days):
        rates = _without(rates, {each.day for each in thin})
    uneven = days_of(rates, setting, least)
    rates = _without(rates, {each.day for each in uneven})
    found = of_table(rates, plan, name, setting, clean.peaks)
    return replace(found, shown=shown(rates, setting, grid) if found.peak else (), thin=thin, uneven=uneven), rates


def _without(rates: Table, days: set[int]) -> Table:
    """Return a table without some days."""
    kept = [at for at, day in enumerate(rates.days) if day not in days]
    return rates.of(range(len(rates.present)), kept) if days else rates


def of_table(rates: Table, plan: Plan, name: str, setting: Setting, peaks: str) -> Phase:
    """Return the phase of a table, without what is only shown; `peaks` says why no peak is taken, empty for one."""
    total = statistics.means(rates, setting)
    ones = np.ones(len(setting.group))
    every = list(range(len(rates.days)))
    found = None if peaks else statistics.peak(rates, setting, total, every, ones)
    iops = total[READS] + total[WRITES]
    flat = total.reshape(len(total), -1)
    mean_mix = statistics.mixture(flat, np.flatnonzero(~np.isnan(flat[READS])), setting)
    error = statistics.error(rates, setting, found, total) if found else Error(None, None, None, None, peaks)
    sizes = [int((setting.group == at).sum()) for at in range(len(setting.users))]
    return Phase(
        name,
        plan.hours(name),
        plan.windows[name].minutes,
        len(rates.days),
        (*zip(setting.names, setting.own, sizes, strict=True), *((name, count, 0) for name, count in setting.absent)),
        float(np.nanmean(iops)) if not np.isnan(iops).all() else 0.0,
        mean_mix,
        found,
        error,
        statistics.moments(rates, setting, total) if found else {},
        (),
        _by_type(rates, setting, found) if found else (),
        None,
        _place(rates, found) if found else "",
        dropped=dropped(rates, setting, total) if found else NONE,  # of means alone, bins are empty by their interval
    )


def _place(rates: Table, found: Peak) -> str:
    begin = rates.starts[found.bin]
    day = cleaning.day_of(rates.days[found.day])
    return f"{day} {clock(begin)}-{clock(begin + found.width)}"


def _by_type(rates: Table, setting: Setting, found: Peak) -> tuple[float | None, ...]:
    """Return the mean IOPS of a desktop of each type in the design bin, None of each that nobody measured."""
    means = list[float | None]()
    window = slice(found.bin, found.bin + found.width)
    for group in range(len(setting.users)):
        own = np.flatnonzero(setting.group == group)
        ios = (rates.rates[READS] + rates.rates[WRITES])[own, found.day, window].sum()
        means.append(float(ios / max(rates.present[own, found.day, window].sum(), 1) / SCALE))
    return (*means, *(None for _ in setting.absent))


def shown(rates: Table, setting: Setting, grid: Grid) -> tuple[Shown, ...]:
    """Return what is shown beside the demand and never sized on, scaled to the estate type by type."""
    x = (rates.rates[READS] + rates.rates[WRITES]) / SCALE
    flat, there = x.reshape(len(x), -1), (rates.present > 0).reshape(len(x), -1)
    peaks = highs = 0.0
    sums, full = np.zeros(flat.shape[1]), np.ones(flat.shape[1], dtype=bool)
    for group, users in enumerate(setting.users):
        own, known = flat[setting.group == group], there[setting.group == group]
        times = users / len(own)
        peaks += float(own.max(axis=1).sum()) * times
        highs += times * sum(float(np.quantile(row[at], 0.95)) for row, at in zip(own, known, strict=True) if at.any())
        count = known.sum(axis=0)
        full &= count > len(own) / 2
        sums += own.sum(axis=0) / np.maximum(count, 1) * users
    sums = sums[full]
    peak = float(sums.max()) if sums.size else 0.0
    night = cleaning.whole_day(grid)
    figures = (
        ("sum of peaks", peaks, "IOPS"),
        ("sum of P95", highs, "IOPS"),
        ("peak of the sum", peak, "IOPS"),
        ("P95 of the sum", float(np.quantile(sums, 0.95)) if sums.size else 0.0, "IOPS"),
        ("coincidence factor", peak / peaks if peaks else 0.0, "ratio"),
        ("P95 of day and night", float(np.quantile(night, 0.95)) * setting.estate, "IOPS"),
    )
    unweighed = {"P95 of day and night": _UNWEIGHED} if len(setting.users) > 1 else {}
    return tuple(Shown(name, value, unit, REASONS[name] + unweighed.get(name, "")) for name, value, unit in figures)
