"""Desktops that end or begin on other days than the rest: a day without them is the mean of others, not a quieter day.

`cleaning` counts the coverage of a desktop between its own first and last sample, so these have no gaps. Two ways lead
to a mean over the same desktops every day, and what keeps more samples is done: the days that they lack are left out,
or they are. Pilots are chosen, days are not: never more than a quarter of a type's are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from addin.measured.cleaning import Clean, names
from addin.measured.estate import Desktop, Table
from addin.measured.records import AMBER, NOTE, Finding
from addin.measured.statistics import PEOPLED, Setting
from addin.measured.times import day_of
from addin.measured.types import Types
from addin.numerals import number_of

_MOST_LEFT = 0.25  # of a type's desktops
_ALL = "Log all desktops on the same days, or name with --desktops those that do"
_LATE = 1  # days that a pilot may begin later or end earlier without a word
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Uneven:
    """A day of a phase that some desktops lack: how many of a type are there, how many there are at most."""

    day: int
    type_: str
    there: int
    most: int


def enough(there: NDArray[np.int64], most: int, least: float) -> NDArray[np.bool_]:
    """Say of counts of desktops whether nearly all are there: but for one, or for the share that may lack."""
    needed = min(math.ceil(least * most - 1e-9), max(most - 1, 0))
    return np.asarray(there >= max(needed, PEOPLED * most))


def days_of(table: Table, setting: Setting, least: float) -> tuple[Uneven, ...]:
    """Return the days of a phase on which a type lacks more desktops than may lack, of the most that ever log.

    Nothing where no day would be left.
    """
    there = _there(table)
    found: dict[int, Uneven] = {}
    for group in range(len(setting.users)):
        counts = there[setting.group == group].sum(axis=0)
        most = int(counts.max())
        name = setting.names[group] if len(setting.names) > 1 else ""
        for at in np.flatnonzero(~enough(counts, most, least)):
            found.setdefault(int(at), Uneven(table.days[at], name, int(counts[at]), most))
    return tuple(found[at] for at in sorted(found)) if len(found) < len(table.days) else ()


def _there(table: Table) -> Flags:
    """Return which desktop has samples on which day, in at least half as many bins of the phase as any."""
    bins = table.present.sum(axis=2)
    return np.asarray((bins > 0) & (bins >= bins.max(axis=0) / 2))


def without_desktops(clean: Clean, types: Types, least: float) -> Clean:
    """Return what counts without the desktops that lack days, where the days without them would be fewer samples."""
    days = sorted({day for each in clean.desktops for day in each.days})
    there = np.array([[day in each.days for day in days] for each in clean.desktops])
    lacks, of = _lacking(there, least)
    short = [each for each, lack in zip(clean.desktops, lacks, strict=True) if lack]
    kept = [each for each, lack in zip(clean.desktops, lacks, strict=True) if not lack]
    if not short or not _few(short, clean.desktops, types) or _samples(there[~lacks], least) <= _samples(there, least):
        return clean
    gone = there[lacks][:, of]
    few, many = (int(end(gone.shape[1] - gone.sum(axis=1))) for end in (min, max))
    lack = f"{few}" if few == many else f"{few} to {many}"
    found = f"{names(short)}: {lack} of {number_of(int(of.sum()), 'day')} lack"
    left = number_of(len(kept), "desktop is left", "desktops are left")
    effect = f"left out, {left}: a day without them would be the mean of others. {_ALL}"
    return replace(
        clean,
        desktops=tuple(kept),
        days=tuple(sorted({day for each in kept for day in each.days})),
        findings=(*clean.findings, Finding(AMBER, found, effect)),
        left={**clean.left, "days": tuple(short)},
    )


def _lacking(there: Flags, least: float) -> tuple[Flags, Flags]:
    """Return which desktops lack more days than may lack, and the days that this is counted of."""
    counts = there.sum(axis=0)
    of = np.asarray(counts >= PEOPLED * counts.max())
    gone = (~there[:, of]).sum(axis=1)
    return np.asarray(gone > max(_LATE, (1 - least) * of.sum())), of


def _few(short: Sequence[Desktop], every: Sequence[Desktop], types: Types) -> bool:
    """Say whether some desktops are few of each type."""
    return all(
        sum(types.of(each.name) == type_ for each in short)
        <= _MOST_LEFT * sum(types.of(each.name) == type_ for each in every)
        for type_ in {types.of(each.name) for each in every}
    )


def _samples(there: Flags, least: float) -> int:
    """Return the desktop-days of the days on which nearly all desktops log."""
    counts = there.sum(axis=0)
    return int(counts[enough(counts, int(counts.max()), least)].sum())


def findings(phases: Sequence[tuple[str, int, Sequence[Uneven]]]) -> list[Finding]:
    """Return a finding for each phase, or for those that lack the same, about the days that were left out.

    A phase has its name, the days that count, and those left out.
    """
    together: dict[tuple[int, tuple[Uneven, ...]], list[str]] = {}
    for phase, days, left in phases:
        if left:
            together.setdefault((days, tuple(left)), []).append(phase)
    return [
        _finding("" if len(named) == len(phases) else f"{', '.join(named)}: ", days, left)
        for (days, left), named in together.items()
    ]


def _finding(where: str, count: int, left: Sequence[Uneven]) -> Finding:
    first, last = day_of(left[0].day), day_of(left[-1].day)
    days = f"{len(left)} of {number_of(count + len(left), 'day')}, {first}{f' to {last}' if len(left) > 1 else ''}"
    worst = min(left, key=lambda each: each.there / each.most)
    type_ = f" of type {worst.type_}" if worst.type_ else ""
    gone = worst.most - worst.there
    found = f"{where}{gone} of {worst.most} desktops{type_} {'lacks' if gone == 1 else 'lack'} {days}"
    which = "these are left out" if len(left) > 1 else "it is left out"
    return Finding(AMBER, found, f"{which}, as the mean of the others would count as that of all. {_ALL}")


def remaining(desktops: Sequence[Desktop], days: Sequence[int], least: float) -> list[Finding]:
    """Return a finding where desktops lack some of the days that count: a few, or all by turns."""
    there = np.array([[day in each.days for day in days] for each in desktops])
    gone = (~there).sum(axis=1)
    may = max(_LATE, int((1 - least) * len(days)))
    short = [each for each, lack in zip(desktops, gone, strict=True) if lack > may]
    if not short:
        return []
    of = f"of the {number_of(len(days), 'day')} that count"
    found = f"{names(short)}: more than {number_of(may, 'day')} {of} {'lacks' if len(short) == 1 else 'lack'}"
    most = int(there.sum(axis=0).max())
    if enough(np.array([most]), len(desktops), least).all():
        return [Finding(NOTE, found, "counted on the days that are there: nearly all desktops log on each")]
    turns = f"no day has more than {most} of {number_of(len(desktops), 'desktop')}, and each is the mean of others"
    return [Finding(AMBER, found, f"{turns}. {_ALL}")]
