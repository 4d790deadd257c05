"""Every call of a run refused by Excel, one after the other: the result is in the workbook or in a file, and named.

Here a sample; every schedule there is, more than a thousand, with

    VDI_SCHEDULES=all python -m pytest tests/reliability/test_busy_in_turn.py
"""

from __future__ import annotations

import os
from itertools import count

import pytest

from addin import excel
from tests.commands.test_launch import own_folder
from tests.support.busy_excel import Excel, Schedule, attached, never
from tests.support.small_run import outcome, quote, small_command, whole

__all__ = ["own_folder", "quote", "small_command"]

pytestmark = pytest.mark.slow
CODES = (excel.REJECTED, excel.IGNORED, excel.LATER)
SAMPLE = 12  # schedules of each kind
LONG_S = 75.0  # longer than a result is put in again


def once(number: int, code: int) -> Schedule:
    """Return a schedule that refuses one call, once."""
    return lambda fake: code if fake.calls == number else None


def from_then_on(number: int, code: int) -> Schedule:
    """Return a schedule that refuses every call for a while, from one call on."""
    since: list[float] = []

    def schedule(fake: Excel) -> int | None:
        if fake.calls >= number and not since:
            since.append(fake.now)
        return code if since and fake.now < since[0] + LONG_S else None

    return schedule


def test_every_call_refused_in_turn_loses_nothing(quote, monkeypatch, capsys) -> None:
    fake = attached(monkeypatch, quote, never)
    assert outcome(fake, capsys) == "book"
    calls, every = fake.calls, os.environ.get("VDI_SCHEDULES") == "all"
    assert calls > 100
    single = [(number, code) for number in range(1, calls + 1) for code in CODES]
    long = [(number, code) for number, code in zip(range(1, calls + 1), CODES * calls, strict=False)]
    ran = count()
    for refused, ends in ((once, {"book"}), (from_then_on, {"book", "file"})):
        schedules = single if refused is once else long
        for number, code in schedules if every else schedules[:: len(schedules) // SAMPLE]:
            fake = attached(monkeypatch, quote, refused(number, code))
            assert (number, code, outcome(fake, capsys) in ends, whole(fake)) == (number, code, True, True)
            next(ran)
    with capsys.disabled():
        print(f"\n{next(ran)} schedules over {calls} calls" if every else "", end="")
