"""Phases by the clock windows that people type, on the days of the week they type, in bins of five minutes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.measured.records import quoted
from addin.measured.times import DAY

BIN = 300  # seconds
BINS = DAY // BIN
WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
STEADY = "steady"
PHASES = ("boot", "login", STEADY, "logoff", "patching")  # as the workbook's, in its order
TIMED = ("boot", "logoff", "patching")  # counted as the work of a run of some minutes: its mean, not its peak
_WINDOW = re.compile(r"(\d{1,2}):([0-5]\d)\s*-\s*(\d{1,2}):([0-5]\d)")
_LONGEST = 12 * 60  # minutes of a smoothing window


@dataclass(frozen=True)
class Window:
    """Some bins of a day: from `start`, `count` of them; beyond midnight they are the next day's first ones."""

    start: int
    count: int

    @property
    def minutes(self) -> int:
        """How long it is."""
        return self.count * BIN // 60

    @property
    def bins(self) -> list[int]:
        """Return its bins, counted from the midnight before it."""
        return list(range(self.start, self.start + self.count))

    def __str__(self) -> str:
        return f"{clock(self.start)}-{clock(self.start + self.count)}"


@dataclass(frozen=True)
class Plan:
    """The phases with their bins (those of work without those of the other phases), the days, the smoothing."""

    windows: Mapping[str, Window]
    weekdays: frozenset[int]
    smooth: int = 6

    def bins(self, phase: str) -> list[int]:
        """Return the bins of a phase, counted from the midnight before it."""
        own = self.windows[phase].bins
        if phase != STEADY:
            return own
        others = {each % BINS for name, window in self.windows.items() if name != STEADY for each in window.bins}
        return [each for each in own if each % BINS not in others]

    def hours(self, phase: str) -> str:
        """Return the hours of a phase in words: those of work without the hours of the other phases."""
        bins = self.bins(phase)
        begins = [each for at, each in enumerate(bins) if at == 0 or bins[at - 1] + 1 < each]
        ends = [each for at, each in enumerate(bins) if at + 1 == len(bins) or bins[at + 1] > each + 1]
        return ", ".join(str(Window(begin, end + 1 - begin)) for begin, end in zip(begins, ends, strict=True))

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Return which bins of a day any phase looks at."""
        kept = np.zeros(BINS, dtype=bool)
        for window in self.windows.values():
            kept[[each % BINS for each in window.bins]] = True
        return kept

    @property
    def wraps(self) -> bool:
        """Whether a phase goes on beyond midnight."""
        return any(window.start + window.count > BINS for window in self.windows.values())

    def has(self, ordinal: int) -> bool:
        """Say whether a day counts."""
        return (ordinal - 1) % 7 in self.weekdays  # day 1 of the calendar is a Monday


def clock(at: int) -> str:
    """Return the time at which a bin begins."""
    minutes = at % BINS * BIN // 60
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def window(text: str, option: str) -> Window:
    """Read a window such as 08:00-18:00, over midnight too. Raises RequestError."""
    match = _WINDOW.fullmatch(text.strip())
    first, last = (60 * int(match[at]) + int(match[at + 1]) for at in (1, 3)) if match else (-1, -1)
    if not (match and 0 <= first < 1440 and 0 <= last <= 1440) or first % 5 or last % 5 or first == last:
        raise RequestError(f"{option} {quoted(text)}: expected two times in steps of 5 minutes, such as 08:00-18:00.")
    return Window(first // 5, (last - first) // 5 % BINS or BINS)


def weekdays(text: str) -> frozenset[int]:
    """Read days such as mon-fri or mon,wed,fri. Raises RequestError."""
    found: set[int] = set()
    for part in text.casefold().split(","):
        ends = [each.strip()[:3] for each in part.split("-")]
        if len(ends) > 2 or any(end not in WEEK for end in ends):
            raise RequestError(f"--days {quoted(text)}: expected days such as mon-fri or mon,wed,fri.")
        first, last = WEEK.index(ends[0]), WEEK.index(ends[-1])
        found.update((first + step) % 7 for step in range((last - first) % 7 + 1))
    return frozenset(found)


def plan(windows: Mapping[str, str], days: str, smooth_minutes: int) -> Plan:
    """Return the phases of what was typed, a text for each phase. Raises RequestError."""
    if smooth_minutes % 5 or not 5 <= smooth_minutes <= _LONGEST:
        raise RequestError(f"--smooth {smooth_minutes}: expected minutes in steps of 5, from 5 to {_LONGEST}.")
    options = {STEADY: "--hours"}
    read = {name: window(text, options.get(name, f"--{name}")) for name, text in windows.items()}
    made = Plan(read, weekdays(days), smooth_minutes // 5)
    if STEADY in read and not made.bins(STEADY):
        raise RequestError(f"--hours {read[STEADY]}: the other windows leave nothing of it. Type longer hours.")
    return made


def ordered(phases: Sequence[str]) -> list[str]:
    """Return phases in the order of a day."""
    return [phase for phase in PHASES if phase in phases]
