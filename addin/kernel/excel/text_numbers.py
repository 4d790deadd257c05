"""Text that reads as a number, the way VALUE and arithmetic read it (US English)."""

from __future__ import annotations

import re
from functools import lru_cache

from addin.kernel.excel.serials import serial

NUMBER = re.compile(
    r"(?P<open>\()?(?P<sign>[-+])?\s*\$?\s*(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)"
    r"(?P<exponent>[eE][-+]?\d{1,3})?\s*(?P<percent>%)?(?P<close>\))?"
)
DATE = re.compile(r"(?:(\d{4})[-/](\d{1,2})[-/](\d{1,2})|(\d{1,2})/(\d{1,2})/(\d{4}))(?:\s+(.+))?")
TIME = re.compile(r"(\d{1,4}):(\d{1,4})(?::(\d{1,4}))?(\.\d*)?(?:\s*([AaPp])[Mm])?")


@lru_cache(maxsize=4096)
def read_number(text: str) -> float | None:
    """Return the number that the text spells, or None."""
    match = NUMBER.fullmatch(text.strip())
    if match is None:
        return _read_date(text)  # spaces around it are not passed over
    if bool(match["open"]) != bool(match["close"]) or (match["open"] and match["sign"]):
        return None
    number = float(match["digits"].replace(",", "") + (match["exponent"] or ""))
    if match["percent"]:
        number /= 100
    return -number if match["open"] or match["sign"] == "-" else number


def _read_date(text: str) -> float | None:
    match = DATE.fullmatch(text)
    if match is None:
        return _read_time(text)
    year, month, day = (match[1], match[2], match[3]) if match[1] else (match[6], match[4], match[5])
    days = serial(int(year), int(month), int(day), strict=True)
    if days is None or match[7] is None:
        return days
    clock = _read_time(match[7])
    return None if clock is None else days + clock


def _read_time(text: str) -> float | None:
    match = TIME.fullmatch(text)
    if match is None:
        return None
    fields = [int(match[1]), int(match[2])]
    if match[3] is not None:
        fields.append(int(match[3]))
    elif len(match[4] or "") > 1:
        fields.insert(0, 0)  # 23:59.5 is minutes and seconds
    last = fields[-1]
    hours, minutes, seconds = (*fields, 0)[:3]
    within = hours <= 23 and minutes <= 59 and seconds <= 59
    if not within and (last > 59) + (hours > 23) + (len(fields) > 2 and minutes > 59) * 2 > 1:
        return None  # hours or the last field may be too large, not both, and nothing between them
    if match[5] and not (within and 1 <= hours <= 12):
        return None
    if match[5]:
        hours = hours % 12 + (12 if match[5] in "pP" else 0)
    return (hours * 3600 + minutes * 60 + seconds + float(f"0{match[4] or ''}0" if len(fields) > 2 else 0)) / 86400
