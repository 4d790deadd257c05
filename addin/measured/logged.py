"""The rows of a logger, all its desktops side by side, put into the grid.

A logger stamps the end of an interval, and its first row is the time since the start or blank: it is left out. A clock
that is set back by an hour repeats it: the second pass is left out, and so are rows that repeat half an hour or more,
as where two logs were joined with an overlap. Any other time that does not go on is an error.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from addin.measured.grid import FIGURES, Grid, Samples
from addin.measured.records import AMBER, Reading, fault
from addin.measured.times import text_of
from addin.measured.windows import BIN, BINS
from addin.numerals import number_of

_GAP = 1.5  # intervals without a row that are a gap
_HOUR = 3600
_FIRST = "the first row: it is the time since the start"
Figures = NDArray[np.float64]


def add(
    grid: Grid,
    file: int,
    reading: Reading,
    times: Sequence[float],
    numbers: Sequence[int],
    sums: dict[str, Figures],
    firsts: Collection[int] = (0,),
    why: str = _FIRST,
) -> None:
    """Add the rows of a file: times in seconds, the number of each row, for each desktop 4 figures by rows.

    `firsts` are the places of the rows with which a logger began, once or several times; `why` says why they are left.
    Raises RequestError for times that go back or stand twice, and where fewer than two rows are left.
    """
    kept = _going_on(reading, times, numbers, frozenset(firsts))
    when = np.array(times)[kept]
    if len(when) < 2:
        raise fault(reading.path, "holds fewer than two rows with a time", "Measure again, or leave the file out")
    steps = np.diff(when)
    sampled = ~np.isin(kept[1:], sorted(firsts))  # steps that end with a sample, not with the first row of a run
    if not sampled.any():
        raise fault(reading.path, "holds no row beside the first of each run", "Measure again, or leave the file out")
    interval = float(np.median(steps[sampled]))
    reading.interval_s = max(interval, reading.interval_s or 0.0)  # a file may hold several desktops, each by itself
    begin, end = text_of(float(when[0])), text_of(float(when[-1]))
    reading.first, reading.last = min(begin, reading.first or begin), max(end, reading.last)
    if why not in reading.left:
        reading.left.append(why)
    wide = np.flatnonzero(steps > _GAP * interval)
    ends = when[1:] - interval * sampled
    lost = [each for at in wide if (each := _lost(grid, float(when[at]), float(ends[at])))]
    if lost:
        found = f"{number_of(len(lost), 'gap')}, {number_of(round(sum(lost) / 60), 'minute')} of the hours that count"
        reading.note(found, "counted as missing, not as 0", AMBER)
    length = np.minimum(steps, interval)[sampled]
    weight = np.maximum(np.rint(length), 1).astype(np.int64)
    missing = 0
    for name, figures in sums.items():
        here = figures[:, kept][:, 1:][:, sampled]
        desktop = np.full(here.shape[1], grid.desktop(name), dtype=np.int64)
        middle, values, seconds = when[1:][sampled] - length / 2, here, weight
        if interval > _GAP * BIN:  # a longer mean stands for every bin that it covers
            parts = round(interval / BIN)
            middle = (middle[:, None] + (np.arange(parts) - (parts - 1) / 2) * BIN).reshape(-1)
            desktop, values = np.repeat(desktop, parts), np.repeat(here, parts, axis=1)
            seconds = np.repeat(np.maximum(weight // parts, 1), parts)
        missing += grid.add(file, Samples(desktop, middle, values, seconds))
    if missing:
        reading.note(number_of(missing, "sample is blank", "samples are blank"), "counted as missing, not as 0")


def _lost(grid: Grid, begin: float, end: float) -> float:
    """Return how many seconds between two times a phase looks at, on the days that count."""
    bins = np.arange(int(begin // BIN), int(-(-end // BIN)))
    seconds = np.minimum(end, (bins + 1) * BIN) - np.maximum(begin, bins * BIN)
    days, at = np.divmod(bins, BINS)
    plan = grid.plan
    asked = {int(day): plan.has(int(day)) or (plan.wraps and plan.has(int(day) - 1)) for day in np.unique(days)}
    counts = (grid.columns[at] >= 0) & np.array([asked[int(day)] for day in days], dtype=bool)
    return float(seconds[counts].sum())


def _going_on(reading: Reading, times: Sequence[float], numbers: Sequence[int], firsts: Collection[int]) -> list[int]:
    """Return the rows whose times go on. Raises RequestError for one that goes back by other than an hour."""
    kept: list[int] = []
    last, back, repeated = -np.inf, 0.0, list[int]()
    for at, time in enumerate(times):
        if time > last:
            kept.append(at)
            last = time
            continue
        if time == last and at in firsts:  # a run that begins with the second in which the one before ends
            continue
        again = time > times[at - 1] if repeated else _HOUR * 0.5 <= last - time <= _HOUR
        if not again:
            what = "appears twice" if time == last else f"comes after {text_of(last)}"
            raise fault(
                reading.path,
                f"the time {text_of(time)} {what}",
                "Look for rows that were pasted, or a clock that was set; export it again",
                numbers[at],
            )
        back = max(back, last - time)
        repeated.append(numbers[at])
    if repeated:
        _say_back(reading, times, back, repeated)
    return kept


def _say_back(reading: Reading, times: Sequence[float], seconds: float, rows: Sequence[int]) -> None:
    """Say by how much times go back: a clock that is set repeats an hour, give or take half a row."""
    steps = np.diff(np.array(times))
    usual = float(np.median(steps[steps > 0]))
    left = f"rows {rows[0]} to {rows[-1]}"
    if abs(seconds + usual - _HOUR) <= max(usual / 2, 60):
        found = f"the clock goes back by an hour at row {rows[0]}"
        reading.note(found, f"{left}, the repeated hour, are left out", AMBER)
        return
    found = f"the times go back by {number_of(round((seconds + usual) / 60), 'minute')} at row {rows[0]}"
    effect = f"{left}, whose times are there already, are left out; look for logs that were joined with an overlap"
    reading.note(found, effect, AMBER)


def no_figures(rows: int) -> Figures:
    """Return four rows of zeros: what the disks of a desktop are added to."""
    return np.zeros((FIGURES, rows))
