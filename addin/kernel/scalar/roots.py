"""The rate at which a value is 0: for IRR and RATE."""

from __future__ import annotations

from collections.abc import Callable

from addin.kernel.excel.values import ExcelError, Fault

STEPS = 60
SMALL = 1e-9  # a rest this small beside the first values is a zero, not a flat piece of the curve
LOWEST, FINE, COARSE, HIGHEST = -0.99, 0.01, 0.1, 10.0


def root(value: Callable[[float], float], guess: float) -> float:
    """Return a zero above -1: secant steps from the guess, else the nearest change of sign up to 1000 %.

    Raises Fault with #NUM! where there is none.
    """
    result = _secant(value, guess)
    if result is not None:
        return result
    start = value(guess)
    marks = [LOWEST + FINE * i for i in range(200)] + [1.0 + COARSE * i for i in range(91)]
    for mark in sorted(marks, key=lambda rate: abs(rate - guess)):
        if _known(value, mark) * start < 0:
            return _bisect(value, guess, mark)
    raise Fault(ExcelError.NUM)


def _known(value: Callable[[float], float], rate: float) -> float:
    """Return the value, or 0 where there is none."""
    try:
        return value(rate)
    except (Fault, OverflowError, ZeroDivisionError):
        return 0.0


def _secant(value: Callable[[float], float], guess: float) -> float | None:
    before, here = guess, guess + 0.001
    try:
        value_before, value_here = value(before), value(here)
        small = SMALL * max(abs(value_before), abs(value_here))
        for _ in range(STEPS):
            if value_here == 0 or value_here == value_before or abs(here - before) <= 1e-16 * abs(here):
                break
            step = value_here * (here - before) / (value_here - value_before)
            before, value_before, here = here, value_here, here - step
            if here <= -1:
                return None
            value_here = value(here)
    except (Fault, OverflowError, ZeroDivisionError):
        return None
    return here if abs(value_here) <= small else None


def _bisect(value: Callable[[float], float], low: float, high: float) -> float:
    below = value(low) < 0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if (value(middle) < 0) == below else (low, middle)
    return middle
