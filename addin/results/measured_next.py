"""What to type after a measurement was saved: the profile to choose, and what the login window has to be for it.

Measured login IOPS are the mean of all desktops in the busiest minutes of the window: those that log in, those at work
and those that have not come yet. Demand takes login IOPS for those of a desktop while it logs in, and has as many log
in together as the busy period is of the window. So they give what was measured where the busy period is as long as
the window, as the workbook ships it; a longer window alone would take the overlap off a second time.
"""

from __future__ import annotations

from collections.abc import Sequence

from addin.console import program
from addin.measured.study import Study
from addin.results.applying import Change
from addin.results.measuring import typed
from addin.workbook.book import SizingBook

_GROUPS = "User groups"
_WINDOW, _BUSY = "login_window_min", "login_duration_s"
_GENERAL_MIN = 45  # of a profile that has no window: the busy period is as long
_LONGEST_MIN = 480  # of a busy period, as its cell takes it


def steps(book: SizingBook, study: Study, title: str, changes: Sequence[Change], copy: str = "") -> list[str]:
    """Return what to do next, a line each: about the login window, then what to choose; nothing without a profile.

    With the name of a copy the last line has what to type into a shell.
    """
    if not title:
        return []
    users = sum(each.now for each in changes if each.item.key.endswith(".users") and isinstance(each.now, int | float))
    chosen = _GROUPS if users else title
    settings = [f"profile={chosen}"] + [f"desktops={round(users)}"] * bool(users)
    minutes = next((phase.minutes for phase in study.phases if phase.name == "login"), 0)
    lines = []
    if minutes:
        both = _both(book, minutes)
        lines.append(_login(study, minutes, both))
        settings += both
    choose = f"choose {chosen} as Workload profile" + f" and type {round(users):,} as Users" * bool(users)
    line = f"Next: {choose} on Answer of the copy"
    if copy:
        line += (
            f"; to try it: {program()} size {_quoted(copy)} {' '.join(f'--set {_quoted(each)}' for each in settings)}"
        )
    return [*lines, line]


def _quoted(text: str) -> str:
    return f'"{text}"' if set(text) & set(" ;%&") else text  # double quotes: every shell takes them


def _both(book: SizingBook, minutes: int) -> list[str]:
    """Return window and busy period to type where somebody typed them so that fewer than all log in together."""
    window, busy = (
        typed(book, key) or default for key, default in ((_WINDOW, _GENERAL_MIN), (_BUSY, 60 * _GENERAL_MIN))
    )
    if busy >= 60 * window or minutes > _LONGEST_MIN:
        return []
    return [f"{_WINDOW}={minutes}", f"{_BUSY}={60 * minutes}"]


def _login(study: Study, minutes: int, both: Sequence[str]) -> str:
    smooth = next(
        (f"{phase.at.rpartition(' ')[2]}" for phase in study.phases if phase.name == "login" and phase.at), ""
    )
    mean = (
        f"Login IOPS are the mean of all desktops in the busiest minutes{f' ({smooth})' if smooth else ''} of {minutes}"
    )
    known = f"{mean}: logins that overlap are in them"
    pair = f"{minutes} as Login window and {60 * minutes} as Busy period of a login"
    if minutes > _LONGEST_MIN:
        return (
            f"{known}. Leave Login window and Busy period of a login blank: a longer window alone asks for too little"
        )
    if both:
        return f"{known}. Type both, {pair}: as the workbook has them, fewer log in together, which asks for too little"
    return f"{known}. Leave Login window as it is, or type both, {pair}: the window alone asks for too little"
