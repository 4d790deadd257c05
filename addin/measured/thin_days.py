"""Days and bins in which too few desktops have samples: they are not known, so they do not count, and that is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.measured import statistics
from addin.measured.estate import Table
from addin.measured.grid import READS
from addin.measured.records import AMBER, Finding
from addin.measured.statistics import PEOPLED, Setting
from addin.measured.times import day_of
from addin.numerals import number_of, numeral

_MANY = 0.05  # of a phase's bins: above, those that do not count are named
_EFFECT = (
    "left out, whatever their load: measure all desktops at the same times, or name with --desktops those that log on "
    "every day"
)


@dataclass(frozen=True)
class Thin:
    """A day that does not count: the type with too few desktops there, how many at a time, and how many elsewhere."""

    day: int
    type_: str
    there: int
    most: int


def thin_days(table: Table, setting: Setting) -> tuple[Thin, ...]:
    """Return the days of a phase none of whose bins has half of the desktops of each type."""
    total = statistics.means(table, setting)[READS]
    found = []
    for at in np.flatnonzero(np.isnan(total).all(axis=1)):
        counts = [table.present[setting.group == group].sum(axis=0) for group in range(len(setting.users))]
        pairs = [(int(there[at].max()), int(there.max())) for there in counts]
        least = min(range(len(pairs)), key=lambda group: pairs[group][0] / max(pairs[group][1], 1))
        name = setting.names[least] if len(setting.names) > 1 else ""
        found.append(Thin(table.days[at], name, *pairs[least]))
    return tuple(found)


@dataclass(frozen=True)
class Dropped:
    """Bins of a phase in which some desktops have samples, but too few: how many, of how many, and the type."""

    count: int
    of: int
    type_: str = ""

    @property
    def many(self) -> bool:
        """Whether they are more than a few."""
        return self.count > _MANY * self.of


NONE = Dropped(0, 0)


def dropped(table: Table, setting: Setting, total: NDArray[np.float64]) -> Dropped:
    """Return the bins that do not count of the days that do, and the type that lacks the most of them.

    `total` is [figure, day, bin] as `means` of `statistics` returns it.
    """
    gone = np.isnan(total[READS]) & table.present.any(axis=0)
    lacking = []
    for group in range(len(setting.users)):
        there = table.present[setting.group == group].sum(axis=0)
        lacking.append(int((gone & (there < max(PEOPLED * there.max(), 1))).sum()))
    name = setting.names[lacking.index(max(lacking))] if len(setting.names) > 1 else ""
    return Dropped(int(gone.sum()), gone.size, name)


def of_bins(phases: Sequence[tuple[str, Dropped]]) -> list[Finding]:
    """Return a finding for each phase of which more than a few bins do not count."""
    return [_of_bins(phase, each) for phase, each in phases if each.many]


def _of_bins(phase: str, each: Dropped) -> Finding:
    bins = f"{each.count:,} of {number_of(each.of, 'bin')} ({numeral(100 * each.count / each.of, '.1f')} %)"
    share = f"samples of fewer than {100 * PEOPLED:.0f} % of the desktops{_of(each.type_)} at a time"
    return Finding(AMBER, f"{phase}: {bins} have {share}", _EFFECT)


def _of(type_: str) -> str:
    return f" of type {type_}" if type_ else ""


def findings(phases: Sequence[tuple[str, Sequence[Thin]]]) -> list[Finding]:
    """Return the findings about such days, one for the phases and the type that lack the same ones."""
    together: dict[tuple[str, tuple[Thin, ...]], list[str]] = {}
    for phase, left in phases:
        for type_ in sorted({each.type_ for each in left}):
            own = tuple(each for each in left if each.type_ == type_)
            together.setdefault((type_, own), []).append(phase)
    return [
        _finding("" if len(names) == len(phases) else f"{', '.join(names)}: ", type_, left)
        for (type_, left), names in together.items()
    ]


def _finding(where: str, type_: str, left: Sequence[Thin]) -> Finding:
    first, last = day_of(left[0].day), day_of(left[-1].day)
    days = f"{number_of(len(left), 'day')}, {first}{f' to {last}' if len(left) > 1 else ''},"
    low, high = (end(each.there for each in left) for end in (min, max))
    there = f"{low}" if low == high else f"{low} to {high}"
    whole = f"{left[0].most} desktops{_of(type_)}"
    has = "has" if len(left) == 1 else "have"
    share = f"samples of fewer than {100 * PEOPLED:.0f} % of the {whole} at a time"
    return Finding(AMBER, f"{where}{days} {has} {share} ({there})", _EFFECT)
