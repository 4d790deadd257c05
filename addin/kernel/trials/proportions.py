"""What is known of two operations together: how many times the one is the other, in every trial.

Intervals alone say of x / (x + y) with x in 1..9 and y in 0..9 that it lies in 1/18..9. But x + y is 1 + y/x times x,
so 1 to 10 times, and the quotient lies in 0.1..1: 1/(1.5 - quotient) then needs no check for a division by 0. Multiples
are intervals and include every rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from addin.kernel.trials.bounds import Bounds, decided

Multiples = Mapping[int, Bounds]  # base: factor, where the result is factor x base and the base is always positive
# A rounding moves a result by a share of itself (2^-53) only while it is no denormal, and between these two it is none.
# Below, 1e-322 / 3 * 3 is off by 5 %.
TINY, GREAT = 1e-200, 1e200
MOST = 8  # bases that are kept for one result, the latest: a sum of a hundred rows would have a hundred
ONE = Bounds(1.0, 1.0)


def multiples_of(name: str, args: Sequence[Multiples], bounds: Sequence[Bounds], own: Bounds) -> dict[int, Bounds]:
    """Return the multiples of an operation from those and the bounds of its arguments; `own` are its bounds."""
    result: dict[int, Bounds] = {}
    if name in ("mul", "div") and not (own.low >= TINY or own.high <= -TINY):
        return result
    if name == "neg":
        result = {base: Bounds(-k.high, -k.low) for base, k in args[0].items()}
    elif name == "mul":
        for side, factor in ((args[0], bounds[1]), (args[1], bounds[0])):
            result |= {base: _corners(k, factor, lambda x, y: x * y) for base, k in side.items()}
    elif name == "div" and _apart(bounds[1]):
        result = {base: _corners(k, bounds[1], lambda x, y: x / y) for base, k in args[0].items()}
    elif name in TOGETHER:
        left, right = args[-2:]
        if name == "add":  # x + y is (1 + y/x) times x
            result = {base: k for side in ((0, 1), (1, 0)) for base, k in _whole(args, bounds, *side)}
        result |= {base: TOGETHER[name](k, right[base]) for base, k in left.items() if base in right}
    # Infinite bounds say nothing, and infinity minus infinity would make a NaN of the next ones.
    sound = {base: _widened(k) for base, k in result.items() if math.isfinite(k.low) and math.isfinite(k.high)}
    return {base: sound[base] for base in sorted(sound)[-MOST:]}


def _whole(args: Sequence[Multiples], bounds: Sequence[Bounds], part: int, rest: int) -> list[tuple[int, Bounds]]:
    """Return the multiples of a sum of two results as 1 + rest / part, where the part is a base itself."""
    if not is_base(bounds[part]):
        return []
    plain = _widened(_corners(bounds[rest], bounds[part], lambda x, y: x / y))
    share = quotient(plain, args[rest], args[part])
    whole = Bounds(1.0 + share.low, 1.0 + share.high)
    return [(base, whole) for base, k in args[part].items() if k is ONE]  # only of itself a result is exactly 1 times


def narrowed(own: Bounds, multiples: Multiples, bounds: Sequence[Bounds]) -> Bounds:
    """Return the bounds of a result that the multiples allow; `bounds` are those of all operations.

    With y = 0.5..1 times x and x in 2..4, y lies in 1..4, whatever its own interval says.
    """
    for base, k in multiples.items():
        own = _both(own, _widened(_corners(k, bounds[base], lambda x, y: x * y)))
    return own


def quotient(own: Bounds, left: Multiples, right: Multiples) -> Bounds:
    """Return the bounds of a quotient of two results that are multiples of the same."""
    for base, k in left.items():
        if base in right and _apart(right[base]):
            own = _both(own, _widened(_corners(k, right[base], lambda x, y: x / y)))
    return own


def compared(name: str, left: Multiples, right: Multiples) -> bool | None:
    """Return the outcome of a comparison that the multiples of the same operation settle.

    As bases are positive, 0.2 to 0.9 times x is below 1 to 2 times x in every trial, though the intervals overlap.
    """
    known = (decided(name, k, right[base]) for base, k in left.items() if base in right)
    return next((outcome for outcome in known if outcome is not None), None)


def is_base(bounds: Bounds) -> bool:
    """Return whether others can be multiples of a result: it is positive, and far from the ends of the floats."""
    return bounds.low >= TINY and bounds.high <= GREAT


def _apart(bounds: Bounds) -> bool:
    """Return whether an interval keeps away from 0."""
    return bounds.low >= TINY or bounds.high <= -TINY


def _corners(x: Bounds, y: Bounds, of: Callable[[float, float], float]) -> Bounds:
    result = [of(left, right) for left in (x.low, x.high) for right in (y.low, y.high)]
    return Bounds(min(result), max(result))


def _widened(x: Bounds) -> Bounds:
    """Return an interval with room for the rounding of a result, and for that of the interval itself.

    Each is 2^-53 at most, as a share: 2^-51 has room for four.
    """
    return Bounds(x.low - abs(x.low) * 2.0**-51, x.high + abs(x.high) * 2.0**-51)


def _both(x: Bounds, y: Bounds) -> Bounds:
    low, high = max(x.low, y.low), min(x.high, y.high)
    return Bounds(low, high, x.whole) if low <= high else x  # no trial gets there: a branch that is never taken


TOGETHER: Mapping[str, Callable[[Bounds, Bounds], Bounds]] = {
    "add": lambda x, y: Bounds(x.low + y.low, x.high + y.high),
    "sub": lambda x, y: Bounds(x.low - y.high, x.high - y.low),
    "min": lambda x, y: Bounds(min(x.low, y.low), min(x.high, y.high)),
    "max": lambda x, y: Bounds(max(x.low, y.low), max(x.high, y.high)),
    "select": lambda x, y: Bounds(min(x.low, y.low), max(x.high, y.high)),
}
