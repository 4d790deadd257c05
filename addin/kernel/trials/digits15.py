"""Fifteen significant digits on vectors: what rounding.py does for one number, for a chunk of trials.

The common case costs a few passes; only trials so near to a whole number, or so near to each other, that the 15-digit
view decides are taken out, viewed exactly and put back. Scratch buffers are the caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from addin.kernel.excel import rounding

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
NEAR = 5e-15  # half a unit of the 15th digit is this share of a number at most
CLOSE = 1.1e-14  # numbers further apart than this share cannot show the same 15 digits
MOST_MARKS = 120  # a position among so many is counted in bytes
POWERS = np.array([10.0**k for k in range(23)])
SPLIT = 134217729.0  # 2^27 + 1
EXACT_LOW, EXACT_HIGH = 1e-7, 1e30  # outside, elements go through Python one by one


def _product(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return x*y and its rounding error (Dekker)."""
    result = x * y
    big = SPLIT * x
    x_high = big - (big - x)
    big = SPLIT * y
    y_high = big - (big - y)
    x_low, y_low = x - x_high, y - y_high
    return result, ((x_high * y_high - result) + x_high * y_low + x_low * y_high) + x_low * y_low


def mantissa(x: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return whole m of 15 digits and k with x = m / 10^k in Excel's view, for EXACT_LOW <= x <= EXACT_HIGH."""
    k = 14 - np.floor(np.log10(x)).astype(np.int64)
    for _ in range(2):
        scaled, rest = _scaled(x, k)
        k = k + (scaled < 1e14) - (scaled >= 1e15)
    scaled, rest = _scaled(x, k)
    m = np.rint(scaled)
    part = scaled - m
    m += (part == 0.5) & (rest > 0)
    m -= (part == -0.5) & (rest < 0)
    return m, k


def _scaled(x: Floats, k: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return x * 10^k and the sign of its rounding error."""
    power = POWERS[np.abs(k)]
    up, rest = _product(x, power)
    down = x / power
    back, low = _product(down, power)
    return np.where(k >= 0, up, down), np.where(k >= 0, rest, (x - back) - low)


def view(x: Floats) -> Floats:
    """Return the 15-digit view of numbers of any sign."""
    size = np.abs(x)
    inside = (size >= EXACT_LOW) & (size <= EXACT_HIGH)
    m, k = mantissa(np.where(inside, size, 1.0))
    power = POWERS[np.abs(k)]
    result: Floats = np.copysign(np.where(k >= 0, m / power, m * power), x)
    for trial in np.flatnonzero(~inside & np.isfinite(x)):
        result[trial] = rounding.view(float(x[trial]))
    return result


def _near(b: Truths) -> NDArray[np.intp]:
    return np.flatnonzero(b) if b.any() else np.empty(0, np.intp)


def up_positive(x: Floats, out: Floats, t: Floats, b: Truths) -> None:
    """Write ROUNDUP(x, 0), or CEILING's multiple, of numbers that are not negative; `out` is not `x`."""
    np.multiply(x, 1 - NEAR, out)
    np.ceil(out, out)
    np.greater(x, out, b)
    near = _near(b)
    if near.size:
        out[near] = np.ceil(view(x[near]))


def half(x: Floats, out: Floats, t: Floats, b: Truths) -> None:
    """Write ROUND(x, 0)."""
    np.abs(x, out)
    np.multiply(out, 1 + NEAR, t)
    np.multiply(out, 1 - NEAR, out)
    for side in (t, out):
        np.add(side, 0.5, side)
        np.floor(side, side)
    np.not_equal(out, t, b)
    near = _near(b)
    if near.size:
        out[near] = np.floor(view(np.abs(x[near])) + 0.5)
    np.copysign(out, x, out)


Rounding = Callable[[Floats, Floats, Floats, Truths], None]


def _symmetric(sign: float, function: Callable[..., Any], beyond: Callable[..., Any]) -> Rounding:
    """Return a rounding of the size of a number: away from zero, or towards it.

    The 15-digit view moves a number by NEAR of itself at most. So the number is moved by as much beforehand, and only
    where that takes it across a whole number (110.00000000000001 to below 110) it is viewed exactly.
    """

    def write(x: Floats, out: Floats, t: Floats, b: Truths) -> None:
        np.abs(x, t)
        np.multiply(t, 1 + sign * NEAR, out)
        function(out, out)
        beyond(t, out, b)
        near = _near(b)
        if near.size:
            out[near] = function(view(t[near]))
        np.copysign(out, x, out)

    return write


def _towards(sign: float, function: Callable[..., Any], beyond: Callable[..., Any]) -> Rounding:
    """Return a rounding towards plus or minus infinity."""

    def write(x: Floats, out: Floats, t: Floats, b: Truths) -> None:
        np.abs(x, t)
        np.multiply(t, sign * NEAR, t)
        np.add(x, t, out)
        function(out, out)
        beyond(x, out, b)
        near = _near(b)
        if near.size:
            out[near] = function(view(x[near]))

    return write


up = _symmetric(-1.0, np.ceil, np.greater)  # ROUNDUP(x, 0)
down = _symmetric(1.0, np.floor, np.less)  # ROUNDDOWN(x, 0)
above = _towards(-1.0, np.ceil, np.greater)  # the multiple of CEILING
below = _towards(1.0, np.floor, np.less)  # the multiple of FLOOR


def equal(x: Floats, y: Floats, out: Truths, t: Floats, u: Floats, b: Truths) -> None:
    """Write x = y."""
    np.equal(x, y, out)
    near = _close(x, y, t, u, b)
    if near.size:
        out[near] = view(x[near]) == view(y[near])


def less(x: Floats, y: Floats, out: Truths, t: Floats, u: Floats, b: Truths) -> None:
    """Write x < y."""
    np.less(x, y, out)
    near = _close(x, y, t, u, b)
    if near.size:
        out[near] = view(x[near]) < view(y[near])


def _close(x: Floats, y: Floats, t: Floats, u: Floats, b: Truths) -> NDArray[np.intp]:
    """Return the positions of numbers that differ, but may not in 15 digits."""
    np.subtract(x, y, t)
    np.abs(t, t)
    np.multiply(x, CLOSE, u)
    np.abs(u, u)
    np.less_equal(t, u, b)
    near = _near(b)
    return near[t[near] != 0] if near.size else near


def snap(result: Floats, x: Floats, y: Floats, t: Floats, u: Floats, b: Truths) -> None:
    """Put 0 where a sum or difference is only the rest of two numbers that agree in 15 digits."""
    np.abs(result, t)
    np.multiply(x, CLOSE, u)
    np.abs(u, u)
    np.less(t, u, b)
    near = _near(b)
    if near.size:
        left, right = np.abs(x[near]), np.abs(y[near])
        same = (view(left) == view(right)) & (np.abs(result[near]) < left)
        result[near[same]] = 0.0


def step(x: Floats, marks: Floats, values: Floats, out: Floats, b: Truths, g: NDArray[np.int8]) -> None:
    """Write the value of the last mark at or below x, the first value where there is none."""
    if len(marks) > MOST_MARKS:
        positions = np.searchsorted(marks, x, side="right")
        positions -= 1
        np.maximum(positions, 0, out=positions)
        np.take(values, positions, out=out)
        return
    g.fill(0)
    for mark in marks[1:]:
        np.greater_equal(x, mark, b)
        np.add(g, b.view(np.int8), g)
    np.take(values, g, out=out, mode="clip")
