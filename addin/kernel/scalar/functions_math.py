"""Math functions, each as its page in Microsoft's function reference says; rounding.py holds the 15-digit view."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce

from addin.kernel.errors import UnsupportedFunction
from addin.kernel.excel import rounding
from addin.kernel.excel.comparison import criterion
from addin.kernel.excel.values import ExcelError, Fault, Grid, Scalar, Value, as_grid, finite, numbers, plain_sum
from addin.kernel.scalar.signatures import Table

WHOLE_BELOW = 2.0**53  # above it every float is a whole, even number


def power(base: float, exponent: float) -> float:
    """Return base^exponent. 0^0 is #NUM!, 0 to a negative power #DIV/0!.

    A negative base takes whole exponents and those of odd roots: (-8)^(1/3) is -2, (-8)^0.333 is #NUM!.
    """
    if base == 0 and exponent <= 0:
        raise Fault(ExcelError.NUM if exponent == 0 else ExcelError.DIV0)
    if base < 0 and exponent != math.floor(exponent):
        if not is_odd_root(exponent):
            raise Fault(ExcelError.NUM)
        return -power(-base, exponent)
    try:
        return finite(math.pow(base, exponent))
    except OverflowError:
        raise Fault(ExcelError.NUM) from None


def is_odd_root(exponent: float) -> bool:
    """Return whether an exponent is one over an odd whole number."""
    root = 1 / exponent if exponent else 0.0
    return abs(root) < WHOLE_BELOW and round(root) % 2 == 1 and 1 / round(root) == exponent


def total(*args: Value) -> float:
    """Return SUM, added from left to right."""
    return finite(plain_sum(numbers(args)))


def product(*args: Value) -> float:
    """Return PRODUCT; 0 where there is no number."""
    factors = numbers(args)
    return finite(math.prod(factors)) if factors else 0.0


def largest(*args: Value) -> float:
    """Return MAX; 0 where there is no number."""
    return max(numbers(args), default=0.0)


def smallest(*args: Value) -> float:
    """Return MIN; 0 where there is no number."""
    return min(numbers(args), default=0.0)


def sum_of_squares(*args: Value) -> float:
    """Return SUMSQ."""
    return finite(plain_sum(x * x for x in numbers(args)))


def sumproduct(*args: Value) -> float:
    """Return SUMPRODUCT; whatever is no number counts as 0.

    Raises Fault with the first error of an argument, or with #VALUE! at the first one of another shape.
    """
    grids = [as_grid(arg) for arg in args]
    for grid in grids:
        if grid.shape != grids[0].shape:
            raise Fault(ExcelError.VALUE)
        for value in grid.flat():
            if isinstance(value, ExcelError):
                raise Fault(value)
    products = (
        reduce(lambda left, right: left * right, [value if type(value) is float else 0.0 for value in values])
        for values in zip(*(grid.flat() for grid in grids), strict=True)
    )
    return finite(plain_sum(products))


def chosen(values: Value, *pairs: Value) -> list[Scalar]:
    """Return the values whose position meets every (range, criterion). Raises Fault with #VALUE! for unequal shapes."""
    grid = as_grid(values)
    keep = [True] * (grid.shape[0] * grid.shape[1])
    for i in range(0, len(pairs), 2):
        tested, wanted = as_grid(pairs[i]), pairs[i + 1]
        if tested.shape != grid.shape:
            raise Fault(ExcelError.VALUE)
        test = criterion(wanted if not isinstance(wanted, Grid) else ExcelError.VALUE)
        keep = [kept and test(value) for kept, value in zip(keep, tested.flat(), strict=True)]
    return [value for value, kept in zip(grid.flat(), keep, strict=True) if kept]


def one_criterion(name: str, tested: Value, wanted: Scalar, values: Value | None) -> list[float]:
    """Return the numbers that SUMIF and AVERAGEIF take.

    Raises UnsupportedFunction where the two ranges differ in shape: Excel would read cells that the formula hides.
    """
    values = tested if values is None else values
    if as_grid(values).shape != as_grid(tested).shape:
        raise UnsupportedFunction(f"{name} has two ranges of different shape.", "Give both the same rows and columns.")
    return numbers((Grid((tuple(chosen(values, tested, wanted)) or (None,),)),))


def sumif(tested: Value, wanted: Scalar, values: Value | None = None) -> float:
    """Return SUMIF."""
    return finite(plain_sum(one_criterion("SUMIF", tested, wanted, values)))


def sumifs(values: Value, *pairs: Value) -> float:
    """Return SUMIFS."""
    return finite(plain_sum(numbers((Grid((tuple(chosen(values, *pairs)) or (None,),)),))))


def exponential(x: float) -> float:
    """Return EXP. Raises Fault with #NUM! on overflow."""
    try:
        return math.exp(x)
    except OverflowError:
        raise Fault(ExcelError.NUM) from None


def square_root(x: float) -> float:
    """Return SQRT. Raises Fault with #NUM! below 0."""
    if x < 0:
        raise Fault(ExcelError.NUM)
    return math.sqrt(x)


def natural_log(x: float) -> float:
    """Return LN. Raises Fault with #NUM! at 0 and below."""
    if x <= 0:
        raise Fault(ExcelError.NUM)
    return math.log(x)


def log10(x: float) -> float:
    """Return LOG10. Raises Fault with #NUM! at 0 and below."""
    if x <= 0:
        raise Fault(ExcelError.NUM)
    return math.log10(x)


def log(x: float, base: float = 10.0) -> float:
    """Return LOG. Base 1 is #DIV/0!, a number or base of 0 or less #NUM!."""
    if x <= 0 or base <= 0:
        raise Fault(ExcelError.NUM)
    if base == 1:
        raise Fault(ExcelError.DIV0)
    return math.log10(x) if base == 10 else math.log2(x) if base == 2 else math.log(x) / math.log(base)


def modulo(number: float, divisor: float) -> float:
    """Return MOD, with the sign of the divisor. Raises Fault with #DIV/0! for divisor 0."""
    if divisor == 0:
        raise Fault(ExcelError.DIV0)
    return number % divisor


def ceiling(number: float, step: float) -> float:
    """Return CEILING; 0 for step 0. Raises Fault with #NUM! for a positive number and a negative step."""
    if number == 0 or step == 0:
        return 0.0
    if number > 0 > step:
        raise Fault(ExcelError.NUM)
    return finite(rounding.ceiling(number, step))


def floor(number: float, step: float) -> float:
    """Return FLOOR. Step 0 is #DIV/0!, a positive number with a negative step #NUM!."""
    if number == 0:
        return 0.0
    if step == 0:
        raise Fault(ExcelError.DIV0)
    if number > 0 > step:
        raise Fault(ExcelError.NUM)
    return finite(rounding.floor(number, step))


def ceiling_math(number: float, step: float = 1.0, mode: float = 0.0) -> float:
    """Return CEILING.MATH, which Calc saves for its own CEILING: upwards, with a mode away from 0. Step 0 gives 0."""
    return _multiple_of(rounding.ceiling, number, step, mode)


def floor_math(number: float, step: float = 1.0, mode: float = 0.0) -> float:
    """Return FLOOR.MATH, which Calc saves for its own FLOOR: downwards, with a mode towards 0. Step 0 gives 0."""
    return _multiple_of(rounding.floor, number, step, mode)


def _multiple_of(rounded: Callable[[float, float], float], number: float, step: float, mode: float) -> float:
    """Return a multiple of a step, whose sign does not count; a mode rounds a negative number like its opposite."""
    if step == 0:
        return 0.0
    mirrored = mode != 0 and number < 0
    return finite(0.0 - rounded(-number, abs(step)) if mirrored else rounded(number, abs(step)))


def mround(number: float, step: float) -> float:
    """Return MROUND; 0 for step 0. Raises Fault with #NUM! where the signs differ."""
    if number == 0 or step == 0:
        return 0.0
    if (number > 0) != (step > 0):
        raise Fault(ExcelError.NUM)
    return finite(rounding.nearest_multiple(number, step))


FUNCTIONS: Table = {
    "ABS": ("n", abs),
    "CEILING": ("nn", ceiling),
    "CEILING.MATH": ("nnn", ceiling_math),
    "EXP": ("n", exponential),
    "FLOOR": ("nn", floor),
    "FLOOR.MATH": ("nnn", floor_math),
    "INT": ("n", lambda x: float(math.floor(x))),
    "LN": ("n", natural_log),
    "LOG": ("nn", log),
    "LOG10": ("n", log10),
    "MAX": (":a", largest),
    "MIN": (":a", smallest),
    "MOD": ("nn", modulo),
    "MROUND": ("rr", mround),
    "POWER": ("nn", power),
    "PRODUCT": (":a", product),
    "ROUND": ("nn", lambda x, digits: rounding.round_half_away(x, int(digits))),
    "ROUNDDOWN": ("nn", lambda x, digits: rounding.round_down(x, int(digits))),
    "ROUNDUP": ("nn", lambda x, digits: rounding.round_up(x, int(digits))),
    "SIGN": ("n", lambda x: float((x > 0) - (x < 0))),
    "SQRT": ("n", square_root),
    "SUM": (":a", total),
    "SUMIF": ("aea", sumif),
    "SUMIFS": ("a:ae", sumifs),
    "SUMPRODUCT": (":m", sumproduct),
    "SUMSQ": (":a", sum_of_squares),
    "TRUNC": ("nn", lambda x, digits=0.0: rounding.round_down(x, int(digits))),
}
