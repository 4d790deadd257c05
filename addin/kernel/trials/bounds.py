"""What is known of an operation before any trial runs: the interval it lies in, and whether it is whole.

Bounds hold where the trial has no error and the operation is on the branch taken; results elsewhere are never used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from addin.kernel.excel import rounding
from addin.kernel.scalar.functions_distributions import standard_normal

# A result that must be checked for overflow is marked by `huge` beyond SAFE, and counts as SAFE at most from there on:
# so far below LIMIT that products of a few of them need no further mark (1e60 * 1e60 * 1e60 is 1e180).
SAFE = 1e60
LIMIT = 1e290  # bounds up to here cannot overflow, rounding included: no check
LARGEST = 1.7e308


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval, ends included."""

    low: float
    high: float
    whole: bool = False

    @property
    def size(self) -> float:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))


ANY = Bounds(-math.inf, math.inf)
COMPUTE: Mapping[str, Callable[..., float]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": math.pow,
    "mod": lambda x, y: x % y,
    "min": min,
    "max": max,
    "neg": lambda x: -x,
    "abs": abs,
    "floor": math.floor,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "log10": math.log10,
    "up": lambda x: rounding.round_up(x, 0),
    "down": lambda x: rounding.round_down(x, 0),
    "half": lambda x: rounding.round_half_away(x, 0),
    "above": lambda x: rounding.ceiling(x, 1.0),
    "below": lambda x: rounding.floor(x, 1.0),
    "snap_add": lambda x, y: rounding.snapped(x + y, x, y),
    "snap_sub": lambda x, y: rounding.snapped(x - y, x, y),
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def compute(name: str, values: Sequence[float], data: tuple[float, ...]) -> float:
    """Return the result of an operation on constants; 0 outside its domain, where an error hides it, else infinity.

    Infinity is no number of Excel: `Tape.huge` says so of it and of all that is computed from it.
    Each has to be what the emitters compute, to the last bit: a constant may meet one that was computed trial by trial.
    """
    if name == "step":
        marks, results = data[: len(data) // 2], data[len(data) // 2 :]
        return results[max(0, sum(mark <= values[0] for mark in marks) - 1)]
    if name == "ndtr":
        return standard_normal(values[0], True)
    try:
        result = float(COMPUTE[name](*values))
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return 0.0
    return math.inf if math.isinf(result) else 0.0 if math.isnan(result) else result


def decided(name: str, left: Bounds, right: Bounds) -> bool | None:
    """Return the outcome of a comparison where the intervals alone settle it.

    So a check that the limits of the inputs make superfluous, as desktops > 0, costs nothing per trial.
    """
    if name in ("gt", "ge", "ne") and left.low > right.high:
        return True
    if name in ("lt", "le", "ne") and left.high < right.low:
        return True
    if name in ("lt", "le", "eq") and left.low > right.high:
        return False
    if name in ("gt", "ge", "eq") and left.high < right.low:
        return False
    if name in ("ge", "lt") and left.low >= right.high:
        return name == "ge"
    if name in ("le", "gt") and left.high <= right.low:
        return name == "le"
    return None


def covers(p: str, a: float, q: str, b: float) -> bool:
    """Return whether x p a means that x q b."""
    if p == "eq":
        return bool(compute(q, [a, b], ()))
    if q == "ne":
        return not compute(p, [b, a], ())
    if p in ("gt", "ge") and q in ("gt", "ge"):
        return a > b or (a == b and (q == "ge" or p == "gt"))
    if p in ("lt", "le") and q in ("lt", "le"):
        return a < b or (a == b and (q == "le" or p == "lt"))
    return False


def is_whole(value: float) -> bool:
    """Return whether a number is whole."""
    return value == math.floor(value)


def bounds_of(name: str, args: tuple[Bounds, ...], data: tuple[float, ...]) -> Bounds:
    """Return the bounds of an operation from those of its arguments."""
    if name == "const":
        return ANY if not math.isfinite(data[0]) else Bounds(data[0], data[0], is_whole(data[0]))
    if name == "input":
        return Bounds(data[1], data[2])
    if name == "step":
        values = data[len(data) // 2 :]
        return Bounds(min(values), max(values), all(map(is_whole, values)))
    rule = RULES.get(name)
    if rule is None:
        return ANY
    return rule(*args)


def clipped(bounds: Bounds, guarded: bool) -> tuple[Bounds, bool]:
    """Return bounds that later operations can count with, and whether a result must be checked against them."""
    if bounds.size <= LIMIT:
        return bounds, False
    limit = SAFE if guarded else LARGEST
    return Bounds(max(-limit, bounds.low), min(limit, bounds.high), bounds.whole), True


def _whole(args: Sequence[Bounds]) -> bool:
    return all(arg.whole for arg in args)


def _product(left: Bounds, right: Bounds) -> Bounds:
    corners = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
    return Bounds(min(corners), max(corners), left.whole and right.whole)


def _quotient(left: Bounds, right: Bounds) -> Bounds:
    # A divisor that may be 0 is no error here: x/0 is #DIV/0! by a guard of its own, x/tiny is as large as floats go.
    if right.low <= 0 <= right.high or 1 / right.low == 0 or 1 / right.high == 0:
        low = 0.0 if left.low >= 0 and right.low >= 0 else -LARGEST
        return Bounds(low, LARGEST)
    corners = [x / y for x in (left.low, left.high) for y in (right.low, right.high)]
    if not all(map(math.isfinite, corners)):
        return ANY
    return Bounds(min(corners), max(corners))


def _rounded(x: Bounds) -> Bounds:
    if x.size >= 1e15:  # the 15-digit view itself moves them: ROUNDUP(1234567890123456,0) ends in 0
        return Bounds(x.low - x.size * 1e-14, x.high + x.size * 1e-14, True)
    return Bounds(x.low if is_whole(x.low) else math.floor(x.low), float(math.ceil(x.high)), True)


def _sum(x: Bounds, y: Bounds) -> Bounds:
    return Bounds(x.low + y.low, x.high + y.high, _whole((x, y)))


def _difference(x: Bounds, y: Bounds) -> Bounds:
    return Bounds(x.low - y.high, x.high - y.low, _whole((x, y)))


RULES: Mapping[str, Callable[..., Bounds]] = {
    "add": _sum,
    "sub": _difference,
    "snap_add": _sum,
    "snap_sub": _difference,
    "mul": _product,
    "div": _quotient,
    "neg": lambda x: Bounds(-x.high, -x.low, x.whole),
    "abs": lambda x: Bounds(max(0.0, x.low, -x.high), x.size, x.whole),
    "min": lambda x, y: Bounds(min(x.low, y.low), min(x.high, y.high), _whole((x, y))),
    "max": lambda x, y: Bounds(max(x.low, y.low), max(x.high, y.high), _whole((x, y))),
    "select": lambda c, x, y: Bounds(min(x.low, y.low), max(x.high, y.high), _whole((x, y))),
    "number": lambda c: Bounds(0.0, 1.0, True),
    "floor": _rounded,
    "up": _rounded,
    "down": _rounded,
    "half": _rounded,
    "above": _rounded,
    "below": _rounded,
    "sqrt": lambda x: Bounds(0.0, math.sqrt(max(0.0, x.high))),
    # exp(200) is 7e86; beyond, the bound says no more than that an overflow has to be looked for
    "exp": lambda x: Bounds(0.0, math.exp(x.high) if x.high < 200 else LARGEST),
    # logarithms of the smallest float (4.9e-324) and the largest (1.8e308), with room; 0 and less are errors
    "log": lambda x: Bounds(-1000.0, 1000.0),
    "log10": lambda x: Bounds(-1000.0, 1000.0),
    "ndtr": lambda x: Bounds(0.0, 1.0),
    "kind_of": lambda x: Bounds(0.0, 4.0, True),
    "held": lambda x: Bounds(0.0, 2.0**40, True),
    "mod": lambda x, y: Bounds(min(0.0, y.low), max(0.0, y.high), _whole((x, y))),
    "pow": lambda x, y: Bounds(0.0 if x.low >= 0 else -LARGEST, LARGEST),
}
