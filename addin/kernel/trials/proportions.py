"""What is known of two operations together: how many times the one is the other, in every trial.

Intervals alone say of x / (x + y) only that it could be anything; that both are multiples of the same operation keeps
it between 0 and 1, so that no trial divides by nothing after it. Multiples are intervals and include every rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from addin.kernel.trials.bounds import Bounds, decided

Multiples = Mapping[int, Bounds]  # operation: how many times it the result is; the operation is positive in every trial
TINY, GREAT = 1e-200, 1e200  # between them no product or quotient of two numbers is rounded as if next to 0
MOST = 8  # operations that one result is compared with: the latest
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
        if name == "add":  # a part of a sum: how many times it the sum is
            result = {base: k for side in ((0, 1), (1, 0)) for base, k in _whole(args, bounds, *side)}
        result |= {base: TOGETHER[name](k, right[base]) for base, k in left.items() if base in right}
    sound = {base: _widened(k) for base, k in result.items() if math.isfinite(k.low) and math.isfinite(k.high)}
    return {base: sound[base] for base in sorted(sound)[-MOST:]}


def _whole(args: Sequence[Multiples], bounds: Sequence[Bounds], part: int, rest: int) -> list[tuple[int, Bounds]]:
    """Return the multiples of a sum of two results as 1 + rest / part, where the part is a base itself."""
    if not is_base(bounds[part]):
        return []
    plain = _widened(_corners(bounds[rest], bounds[part], lambda x, y: x / y))
    share = quotient(plain, args[rest], args[part])
    whole = Bounds(1.0 + share.low, 1.0 + share.high)
    return [(base, whole) for base, k in args[part].items() if k is ONE]  # itself


def narrowed(own: Bounds, multiples: Multiples, bounds: Sequence[Bounds]) -> Bounds:
    """Return the bounds of a result that the multiples allow; `bounds` are those of all operations."""
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
    """Return the outcome of a comparison that the multiples of the same operation settle."""
    known = (decided(name, k, right[base]) for base, k in left.items() if base in right)
    return next((outcome for outcome in known if outcome is not None), None)


def is_base(bounds: Bounds) -> bool:
    """Return whether multiples of a result can be told: it is positive, and far from the ends of the floats."""
    return bounds.low >= TINY and bounds.high <= GREAT


def _apart(bounds: Bounds) -> bool:
    """Return whether an interval keeps away from 0."""
    return bounds.low >= TINY or bounds.high <= -TINY


def _corners(x: Bounds, y: Bounds, of: Callable[[float, float], float]) -> Bounds:
    result = [of(left, right) for left in (x.low, x.high) for right in (y.low, y.high)]
    return Bounds(min(result), max(result))


def _widened(x: Bounds) -> Bounds:
    """Return an interval with room for the rounding of a result, and for that of the interval itself."""
    return Bounds(x.low - abs(x.low) * 2.0**-51, x.high + abs(x.high) * 2.0**-51)


def _both(x: Bounds, y: Bounds) -> Bounds:
    low, high = max(x.low, y.low), min(x.high, y.high)
    return Bounds(low, high, x.whole) if low <= high else x


TOGETHER: Mapping[str, Callable[[Bounds, Bounds], Bounds]] = {
    "add": lambda x, y: Bounds(x.low + y.low, x.high + y.high),
    "sub": lambda x, y: Bounds(x.low - y.high, x.high - y.low),
    "min": lambda x, y: Bounds(min(x.low, y.low), min(x.high, y.high)),
    "max": lambda x, y: Bounds(max(x.low, y.low), max(x.high, y.high)),
    "select": lambda x, y: Bounds(min(x.low, y.low), max(x.high, y.high)),
}
