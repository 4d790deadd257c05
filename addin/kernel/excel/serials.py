"""Days as numbers: 1 is 1 January 1900, and 29 February 1900 exists (60), as in Excel and Lotus 1-2-3."""

from __future__ import annotations

import calendar
import datetime

FIRST = datetime.date(1899, 12, 30).toordinal()  # serial 0 of every day from March 1900 on
LEAP_BUG = 60
LAST = 2958465  # 31 December 9999


def serial(year: int, month: int, day: int, *, strict: bool = False) -> float | None:
    """Return the serial of a date; months and days may run over unless `strict`. None outside 1900-9999."""
    if strict and not (1 <= month <= 12 and 1 <= day <= days_in_month(year, month)):
        return None
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    if not 1900 <= year <= 9999:
        return None
    first = datetime.date(year, month, 1).toordinal() - FIRST
    if first < LEAP_BUG:
        first -= 1  # January and February 1900 stand before the day that never was
    result = first + day - 1
    if not 0 <= result <= LAST:
        return None
    return float(result)


def parts(number: float) -> tuple[int, int, int] | None:
    """Return year, month and day of a serial; None outside the calendar. Serial 0 is (1900, 1, 0)."""
    days = int(number // 1)
    if not 0 <= days <= LAST:
        return None
    if days == 0:
        return 1900, 1, 0
    if days == LEAP_BUG:
        return 1900, 2, 29
    date = datetime.date.fromordinal(FIRST + days + (1 if days < LEAP_BUG else 0))
    return date.year, date.month, date.day


def days_in_month(year: int, month: int) -> int:
    """Return the length of a month; February 1900 has 29 days."""
    if (year, month) == (1900, 2):
        return 29
    return calendar.monthrange(year, month)[1]
