"""Text, date and information functions."""

from __future__ import annotations

import math
from decimal import Decimal

from addin.kernel.excel import rounding
from addin.kernel.excel.comparison import wildcard
from addin.kernel.excel.separators import localized
from addin.kernel.excel.serials import days_in_month, parts, serial
from addin.kernel.excel.values import LONGEST_TEXT, ExcelError, Fault, Scalar, number_in
from addin.kernel.scalar.signatures import Table
from addin.kernel.scalar.text_format import format_value

MOST_DECIMALS = 127


def _length(number: float) -> int:
    if number < 0:
        raise Fault(ExcelError.VALUE)
    return int(number)


def left(text: str, count: float = 1.0) -> str:
    """Return LEFT. Raises Fault with #VALUE! for a negative count."""
    return text[: _length(count)]


def right(text: str, count: float = 1.0) -> str:
    """Return RIGHT. Raises Fault with #VALUE! for a negative count."""
    return text[max(0, len(text) - _length(count)) :]


def middle(text: str, start: float, count: float) -> str:
    """Return MID, counted from 1. Raises Fault with #VALUE! for a start below 1 or a negative count."""
    if start < 1:
        raise Fault(ExcelError.VALUE)
    return text[int(start) - 1 : int(start) - 1 + _length(count)]


def _start(within: str, start: float) -> int:
    if not 1 <= start < len(within) + 2:
        raise Fault(ExcelError.VALUE)
    return int(start) - 1


def find(wanted: str, within: str, start: float = 1.0) -> float:
    """Return FIND, which sees case and no wildcards. Raises Fault with #VALUE! where it is not found."""
    position = within.find(wanted, _start(within, start))
    if position < 0:
        raise Fault(ExcelError.VALUE)
    return float(position + 1)


def search(wanted: str, within: str, start: float = 1.0) -> float:
    """Return SEARCH, blind to case, with wildcards. Raises Fault with #VALUE! where it is not found."""
    match = wildcard(wanted).search(within, _start(within, start))
    if match is None:
        raise Fault(ExcelError.VALUE)
    return float(match.start() + 1)


def substitute(text: str, old: str, new: str, instance: float | None = None) -> str:
    """Return SUBSTITUTE: all, or the one instance. Raises Fault with #VALUE! for an instance below 1."""
    if instance is not None and instance < 1:
        raise Fault(ExcelError.VALUE)
    if not old:
        return text
    if len(text) + text.count(old) * (len(new) - len(old)) > LONGEST_TEXT:
        raise Fault(ExcelError.VALUE)
    if instance is None:
        return text.replace(old, new)
    pieces = text.split(old)
    position = int(instance)
    if position >= len(pieces):
        return text
    return old.join(pieces[:position]) + new + old.join(pieces[position:])


def value(given: Scalar) -> float:
    """Return VALUE. Raises Fault with #VALUE! for text that is no number, and for TRUE."""
    if isinstance(given, float):
        return given
    number = 0.0 if given is None else number_in(given) if isinstance(given, str) else None
    if number is None:
        raise Fault(ExcelError.VALUE)
    return number


def repeat(text: str, times: float) -> str:
    """Return REPT. Raises Fault with #VALUE! for a negative count or a result longer than 32,767 characters."""
    count = _length(times)
    if len(text) * count > LONGEST_TEXT:
        raise Fault(ExcelError.VALUE)
    return text * count


def fixed(number: float, decimals: float = 2.0, no_commas: bool = False) -> str:
    """Return FIXED: rounded as ROUND does, thousands separated. Raises Fault with #VALUE! for over 127 decimals."""
    digits = int(decimals)
    if digits > MOST_DECIMALS:
        raise Fault(ExcelError.VALUE)
    rounded = rounding.round_half_away(number, digits) or 0.0  # no minus before zero
    kept = Decimal(f"{rounded:.15g}")  # of Excel
    return localized(f"{kept:{'' if no_commas else ','}.{max(0, digits)}f}")


def _valid(number: float | None) -> float:
    if number is None:
        raise Fault(ExcelError.NUM)
    return number


def date(year: float, month: float, day: float) -> float:
    """Return DATE: years below 1900 count from 1900, months and days run over.

    Raises Fault with #NUM! outside 1900-9999.
    """
    whole = math.floor(year)
    if not 0 <= whole <= 9999:
        raise Fault(ExcelError.NUM)
    return _valid(serial(whole + 1900 if whole < 1900 else whole, math.floor(month), math.floor(day)))


def part(number: float, position: int) -> float:
    """Return the year (0), month (1) or day (2) of a serial. Raises Fault with #NUM! outside the calendar."""
    date = parts(number)
    if date is None:
        raise Fault(ExcelError.NUM)
    return float(date[position])


def _moved(number: float, months: float) -> tuple[int, int, int]:
    date = parts(number)
    if date is None:
        raise Fault(ExcelError.NUM)
    years, month = divmod(date[1] - 1 + math.trunc(months), 12)
    if not 1900 <= date[0] + years <= 9999:
        raise Fault(ExcelError.NUM)
    return date[0] + years, month + 1, date[2]


def edate(start: float, months: float) -> float:
    """Return EDATE: the same day so many months on, or the month's last."""
    year, month, day = _moved(start, months)
    return _valid(serial(year, month, min(day, days_in_month(year, month))))


def eomonth(start: float, months: float) -> float:
    """Return EOMONTH: the last day of the month so many months on."""
    year, month, _ = _moved(start, months)
    return _valid(serial(year, month, days_in_month(year, month)))


FUNCTIONS: Table = {
    "DATE": ("nnn", date),
    "DAY": ("n", lambda number: part(number, 2)),
    "EDATE": ("rr", edate),
    "EOMONTH": ("rr", eomonth),
    "EXACT": ("tt", lambda first, second: first == second),
    "FIND": ("ttn", find),
    "FIXED": ("nnb", fixed),
    "ISBLANK": ("e", lambda given: given is None),
    "ISERROR": ("e", lambda given: isinstance(given, ExcelError)),
    "ISNA": ("e", lambda given: given is ExcelError.NA),
    "ISNUMBER": ("e", lambda given: type(given) is float),
    "ISTEXT": ("e", lambda given: isinstance(given, str)),
    "LEFT": ("tn", left),
    "LEN": ("t", lambda text: float(len(text))),
    "MID": ("tnn", middle),
    "MONTH": ("n", lambda number: part(number, 1)),
    "NA": ("", lambda: ExcelError.NA),
    "REPT": ("tn", repeat),
    "RIGHT": ("tn", right),
    "SEARCH": ("ttn", search),
    "SUBSTITUTE": ("tttn", substitute),
    "TEXT": ("st", format_value),
    "UPPER": ("t", str.upper),
    "VALUE": ("s", value),
    "YEAR": ("n", lambda number: part(number, 0)),
}
