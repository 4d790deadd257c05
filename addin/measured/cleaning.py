"""Which desktops and days count: once each, on one clock, past the days in which a pilot settles, and well covered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.measured.estate import Desktop, desktops
from addin.measured.grid import COUNT, READS, SCALE, WRITES, Grid
from addin.measured.records import AMBER, NOTE, Finding, Reading, fault
from addin.measured.times import DAY
from addin.measured.times import day_of as day_of
from addin.measured.windows import BIN, BINS, STEADY, Plan, Window, ordered
from addin.numerals import number_of, numeral

SETTLING = 2  # days in which a pilot indexes its disk and makes profiles
PEAK_BIN = 1.1 * BIN  # seconds; of longer intervals only means are taken
_IDLE = 0.2  # of the bins: above, somebody looks
_NAMED = 5


@dataclass(frozen=True)
class Clean:
    """What counts, what was left out (by reason, the desktops), and how much of what was expected is there.

    `gaps` are the phases with a finding that they have less than a desktop needs.
    """

    desktops: tuple[Desktop, ...]
    days: tuple[int, ...]
    coverage: float
    findings: tuple[Finding, ...]
    left: Mapping[str, tuple[Desktop, ...]]
    peaks: str  # why no peak is taken; empty where one is
    gaps: frozenset[str] = frozenset()


def check_files(grid: Grid, readings: Sequence[Reading]) -> None:
    """Raise RequestError for a file given twice, a desktop in two files at the same times, and two clocks."""
    known: dict[str, Reading] = {}
    for reading in readings:
        other = known.setdefault(reading.digest, reading)
        if other is not reading:
            raise fault(reading.path, f"holds the same bytes as {other.path.name}", "Give it once")
    clocks: dict[str, Path] = {}
    for reading in readings:
        if reading.clock:
            clocks.setdefault(reading.clock, reading.path)
    if len(clocks) > 1:
        (one, first), (two, second) = list(clocks.items())[:2]
        raise fault(
            second,
            f"its clock is {two}, that of {first.name} {one}",
            "Name the site's zone with --zone, such as Europe/Berlin, and give times whose offset is known",
        )
    if doubled := grid.in_two_files():
        name, one_file, other_file = doubled[0]
        others = len(doubled) - 1
        more = f" and {number_of(others, 'more desktop')}" if others else ""
        raise fault(
            readings[other_file - 1].path,
            f"{name}{more} {'are' if others else 'is'} at the same times in {readings[one_file - 1].path.name}",
            "Give each desktop's times once",
        )


def clean(grid: Grid, plan: Plan, readings: Sequence[Reading], least: float, *, settled: bool) -> Clean:
    """Return what counts. `least` is the coverage that a desktop needs, `settled` keeps its first days.

    Raises RequestError where nothing is left.
    """
    measured = desktops(grid)
    if not measured:
        raise RequestError("no sample lies in the hours and windows that were typed. Look at --hours and --zone.")
    findings: list[Finding] = []
    if not settled:
        measured = _settled(measured, findings)
    common = Counter(each.every for each in measured)
    usual = min(common, key=lambda every: (-common[every], every))
    measured = [replace(each, every=min(each.every, usual)) for each in measured]  # fewer bins than others' are gaps
    measured = [replace(each, days=tuple(day for day in each.days if plan.has(day))) for each in measured]
    measured = [each for each in measured if each.days]
    if not measured:
        raise RequestError("no sample lies on the days that were typed. Look at --days.")
    still = tuple(each for each in measured if not grid.totals.get(each.place, 0))
    every = np.flatnonzero(plan.kept)
    shares = {each.place: coverage(grid, plan, each, every) for each in measured}
    thin = tuple(each for each in measured if each not in still and shares[each.place] < least)
    kept = tuple(each for each in measured if each not in still and each not in thin)
    if still:
        found = f"{names(still)}: every sample is 0"
        findings.append(Finding(AMBER, found, f"left out, {_left(kept)}"))
    if thin:
        low, high = (round(100 * end(shares[each.place] for each in thin)) for end in (min, max))
        share_of = f"{low} %" if low == high else f"{low} to {high} %"
        found = f"{names(thin)}: {share_of} of the expected bins are there, {100 * least:.0f} % are asked for"
        findings.append(Finding(AMBER, found, f"left out, {_left(kept)}"))
    if not kept and not thin:
        raise RequestError(
            f"no desktop is left: {names(still)}: every sample is 0. Look at which counters were logged."
        )
    if not kept:
        raise RequestError(
            f"no desktop is left: {findings[-1].found}. Measure without gaps, or lower --coverage if a day's gaps are "
            "known not to matter."
        )
    if idle := tuple(each for each in kept if _zeros(grid, each) > _IDLE):
        found = f"{names(idle)}: more than {100 * _IDLE:.0f} % of the bins are exactly 0"
        effect = "counted as 0; where a counter was lost, leave the desktop out"
        findings.append(Finding(AMBER, found, effect))
    days = tuple(sorted({day for each in kept for day in each.days}))
    share = sum(shares[each.place] for each in kept) / len(kept)
    if share < 1:
        found = f"{numeral(100 * share, '.1f')} % of the expected bins are there"
        findings.append(Finding(NOTE, found, "the others are missing, which is not 0"))
    gaps = _thin_phases(grid, plan, kept, least)
    findings += gaps.values()
    left = {"zero": still, "coverage": thin}
    return Clean(kept, days, share, tuple(findings), left, _no_peaks(kept, readings), frozenset(gaps))


def coverage(grid: Grid, plan: Plan, desktop: Desktop, bins: NDArray[np.int64]) -> float:
    """Return the share of a desktop's bins that are filled, between its first and its last sample."""
    filled, expected = _filled(grid, plan, desktop, bins)
    return min(1.0, filled * desktop.every / expected) if expected else 0.0


def _filled(grid: Grid, plan: Plan, desktop: Desktop, bins: NDArray[np.int64]) -> tuple[int, int]:
    """Return how many bins of a desktop are filled, and are expected between its first and its last sample.

    `bins` are those that are expected on each day, counted from its midnight: they may lie on the next day.
    """
    first, last = grid.spans[desktop.place]
    filled = expected = 0
    for day in range(desktop.days[0], desktop.days[-1] + 1):
        if not plan.has(day):
            continue
        begin, end = ((each - day * DAY) / BIN for each in (first, last))
        inside = bins[(bins >= np.floor(begin)) & (bins <= end)]
        expected += len(inside)
        for ahead in np.unique(inside // BINS):
            sums = grid.days.get(day + int(ahead))
            if sums is not None and desktop.place < sums.shape[1]:
                here = inside[inside // BINS == ahead] % BINS
                counts = sums[COUNT, desktop.place, grid.columns[here]]
                filled += int((counts >= max(desktop.usual / 2, 1)).sum())
    return filled, expected


def _thin_phases(grid: Grid, plan: Plan, kept: Sequence[Desktop], least: float) -> dict[str, Finding]:
    """Return a finding for each phase with less coverage than a desktop needs: a short one is lost in all together."""
    close = [each for each in kept if each.every == 1]  # of a longer interval a short window has only a few
    findings = {}
    for phase in ordered(list(plan.windows)) if close else ():
        bins = np.array(plan.bins(phase), dtype=np.int64)
        filled, expected = map(sum, zip(*(_filled(grid, plan, each, bins) for each in close), strict=True))
        if expected and filled < least * expected:
            there = numeral(100 * filled / expected, ".1f")
            found = f"{phase}: {there} % of the expected bins are there, {100 * least:.0f} % are asked for"
            effect = "counted as missing, not as 0: its busiest minutes may be among them. Measure it without gaps"
            findings[phase] = Finding(AMBER, found, effect)
    return findings


def _zeros(grid: Grid, desktop: Desktop) -> float:
    """Return the share of a desktop's filled bins in which it did nothing at all."""
    zeros = filled = 0
    for day in desktop.days:
        sums = grid.days[day][:, desktop.place]
        there = sums[COUNT] > 0
        filled += int(there.sum())
        zeros += int((there & (sums[READS] + sums[WRITES] == 0)).sum())
    return zeros / filled if filled else 0.0


def _settled(measured: Sequence[Desktop], findings: list[Finding]) -> list[Desktop]:
    """Return the desktops without their first days, those that have no others left out."""
    kept = [replace(each, days=each.days[SETTLING:]) for each in measured if len(each.days) > SETTLING]
    short = [each for each in measured if len(each.days) <= SETTLING]
    if not kept:
        most = number_of(max(len(each.days) for each in measured), "day")
        raise RequestError(
            f"the files hold {most} of a desktop at most, and the first {SETTLING} of a pilot are left out: it indexes "
            "its disk and makes profiles. Measure longer, or give --keep-first-days where these are desktops that ran "
            "before."
        )
    effect = "left out: a pilot indexes its disk and makes profiles; --keep-first-days keeps them"
    findings.append(Finding(NOTE, f"the first {SETTLING} days of each desktop", effect))
    if short:
        findings.append(Finding(AMBER, f"{names(short)}: no day beyond these", f"left out, {_left(kept)}"))
    return kept


def _no_peaks(kept: Sequence[Desktop], readings: Sequence[Reading]) -> str:
    """Return why no peak is taken, empty where one is."""
    slow = [each for each in readings if each.interval_s is not None and each.interval_s > PEAK_BIN]
    if slow:
        interval = numeral(slow[0].interval_s or 0, ",.0f")
        return f"{slow[0].path.name} has an interval of {interval} s: means only, no peak"
    sparse = [each for each in kept if each.every > 1]
    if sparse:
        return f"{names(sparse)}: an interval of {sparse[0].every * BIN // 60} minutes: means only, no peak"
    return ""


def _left(kept: Sequence[Desktop]) -> str:
    """Say how many desktops are left."""
    return number_of(len(kept), "desktop is left", "desktops are left")


def names(desktops: Sequence[Desktop]) -> str:
    """Return some desktops in words."""
    shown = ", ".join(each.name for each in desktops[:_NAMED])
    more = f" and {len(desktops) - _NAMED} more" if len(desktops) > _NAMED else ""
    return f"{shown}{more}"


def every_day(grid: Grid, plan: Plan, chosen: Sequence[Desktop]) -> list[Desktop]:
    """Return desktops with their first days too."""
    every = {each.place: tuple(day for day in each.days if plan.has(day)) for each in desktops(grid)}
    return [replace(each, days=every[each.place]) for each in chosen]


def nothing(phase: str, window: Window) -> RequestError:
    """Return the error of a phase in which no sample lies."""
    return RequestError(f"{_option(phase)} {window}: no sample lies in it. Leave it out.")


def idle(phase: str, window: Window) -> RequestError:
    """Return the error of a phase in which nobody did anything: its demand would be 0, which no estate has."""
    advice = "Look at the time and the clock of the files (--zone)" + (", or leave it out" if phase != STEADY else "")
    return RequestError(f"{_option(phase)} {window}: every sample in it is 0, expected I/O of some desktop. {advice}.")


def _option(phase: str) -> str:
    return f"--{phase}" if phase != STEADY else "--hours"


def whole_day(grid: Grid) -> NDArray[np.float64]:
    """Return the mean IOPS of a desktop in every bin of every day that holds samples, night and weekend too."""
    sums = (
        np.concatenate([grid.whole[day] for day in sorted(grid.whole)], axis=1) if grid.whole else np.zeros((2, BINS))
    )
    filled = sums[1] > 0
    night: NDArray[np.float64] = sums[0][filled] / sums[1][filled] / SCALE
    return night
