"""Excel's view of a number: 15 significant digits.

ROUND, ROUNDUP, ROUNDDOWN, TRUNC, CEILING, FLOOR and the comparisons look at a number through this view, so that
ROUNDUP(1.1*100,0) is 110 and 0.1+0.2=0.3 is TRUE. INT and MROUND do not: INT(0.29*100) is 28.
Source: Microsoft, "Floating-point arithmetic may give inaccurate results in Excel".
"""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from functools import lru_cache

CLOSE = 1e-14  # numbers further apart than this share of themselves cannot agree in 15 digits


def view(number: float) -> float:
    """Return the number as Excel shows it: the nearest float to its 15 significant digits."""
    return float(f"{number:.15g}")


def compare(left: float, right: float) -> int:
    """Return -1, 0 or 1 as the comparison operators order two numbers."""
    if left == right:
        return 0
    gap = abs(left - right)
    if gap <= CLOSE * max(abs(left), abs(right)) and view(left) == view(right):
        return 0
    return -1 if left < right else 1


@lru_cache(maxsize=1024)
def same_view(number: float) -> tuple[float, float]:
    """Return the smallest and largest float that Excel takes for equal to a number."""
    ends = []
    for direction in (-1.0, 1.0):
        near, far = number, number + direction * 4e-14 * abs(number)
        while (middle := near + (far - near) / 2) not in (near, far):
            near, far = (middle, far) if compare(middle, number) == 0 else (near, middle)
        ends.append(near)
    return ends[0], ends[1]


def snapped(result: float, left: float, right: float) -> float:
    """Return 0 where the last sum or difference of a formula leaves a rest of two numbers that agree in 15 digits."""
    return 0.0 if compare(abs(left), abs(right)) == 0 and abs(result) < abs(left) else result


def round_half_away(number: float, digits: int) -> float:
    """Return ROUND: halves of the 15-digit view go away from zero."""
    return _rounded(number, digits, decimal.ROUND_HALF_UP)


def round_up(number: float, digits: int) -> float:
    """Return ROUNDUP: away from zero."""
    return _rounded(number, digits, decimal.ROUND_UP)


def round_down(number: float, digits: int) -> float:
    """Return ROUNDDOWN and TRUNC: towards zero."""
    return _rounded(number, digits, decimal.ROUND_DOWN)


def ceiling(number: float, step: float) -> float:
    """Return the multiple of `step` at or above number/step, seen through 15 digits. `step` is not 0."""
    return math.ceil(view(number / step)) * step


def floor(number: float, step: float) -> float:
    """Return the multiple of `step` at or below number/step, seen through 15 digits. `step` is not 0."""
    return math.floor(view(number / step)) * step


def nearest_multiple(number: float, step: float) -> float:
    """Return MROUND: the nearest multiple of `step`, halves up. It does not look through 15 digits.

    Source: Microsoft, "MROUND function": MROUND(6.05,0.1) is 6.0, MROUND(7.05,0.1) is 7.1. `step` is not 0.
    """
    return math.floor(number / step + 0.5) * step


def _rounded(number: float, digits: int, rounding: str) -> float:
    if digits == 0 and number == math.trunc(number) and abs(number) < 1e15:
        return number
    seen = Decimal(f"{number:.15g}")
    digits = max(-400, min(400, digits))
    exponent = seen.as_tuple().exponent
    if isinstance(exponent, int) and exponent >= -digits:
        return float(seen)
    return float(seen.quantize(Decimal(1).scaleb(-digits), rounding=rounding))
