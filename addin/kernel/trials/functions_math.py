"""Functions of single values, as operations: math, logic, information, the normal distribution.

Their errors are those of scalar/functions_*.py.
"""

from __future__ import annotations

import math

from addin.kernel.excel.values import ExcelError
from addin.kernel.trials.forms import Forms, Item, NoVectorForm, VectorFunction
from addin.kernel.trials.operators import power

TENTHS_TO = 1e12  # from about here on, ten times a number can be another one in 15 digits


def _plain(name: str) -> VectorFunction:
    return lambda forms, x: forms.computed(name, x)


def _rounding(name: str) -> VectorFunction:
    """Return a rounding to whole numbers or to tenths; Excel's view of others has no operation."""

    def function(forms: Forms, x: int, digits: int) -> Item:
        decimals = int(forms.constant(digits))
        if decimals == 0:
            return forms.computed(name, x)
        if decimals == 1:
            return _tenths(forms, name, x)
        raise NoVectorForm

    return function


def _tenths(forms: Forms, whole: str, x: int) -> Item:
    """Return a number rounded to one digit as tenths, whole ones, which have a native form; large ones run again."""
    tape = forms.tape
    ten = tape.const(10.0)
    node = tape.apply("div", tape.apply(whole, tape.apply("mul", x, ten)), ten)
    large = tape.raw("ge", tape.apply("abs", x), tape.const(TENTHS_TO))
    return forms.unless(large, forms.rerun(), forms.finished(node))


def _logarithm(name: str) -> VectorFunction:
    def function(forms: Forms, x: int) -> Item:
        return forms.computed(name, x, errors=[(forms.tape.raw("le", x, forms.tape.const(0.0)), ExcelError.NUM)])

    return function


def square_root(forms: Forms, x: int) -> Item:
    """Return SQRT."""
    return forms.computed("sqrt", x, errors=[(forms.tape.raw("lt", x, forms.tape.const(0.0)), ExcelError.NUM)])


def modulo(forms: Forms, number: int, divisor: int) -> Item:
    """Return MOD."""
    zero = forms.tape.const(0.0)
    return forms.computed("mod", number, divisor, errors=[(forms.tape.raw("eq", divisor, zero), ExcelError.DIV0)])


def _opposed(forms: Forms, number: int, step: int) -> int:
    zero = forms.tape.const(0.0)
    return forms.tape.both(forms.tape.raw("gt", number, zero), forms.tape.raw("lt", step, zero))


def _multiple(name: str) -> VectorFunction:
    def function(forms: Forms, number: int, step: int) -> Item:
        tape = forms.tape
        zero = tape.const(0.0)
        none = tape.raw("eq", step, zero)
        errors = [(_opposed(forms, number, step), ExcelError.NUM)]
        if name == "below":
            errors = [(tape.both(none, tape.raw("ne", number, zero)), ExcelError.DIV0), *errors]
        node = tape.apply("mul", tape.apply(name, tape.apply("div", number, step)), step)
        return forms.finished(tape.select(none, zero, node), errors)

    return function


def _multiple_of(name: str) -> VectorFunction:
    def function(forms: Forms, number: int, step: int | None = None, mode: int | None = None) -> Item:
        tape = forms.tape
        zero = tape.const(0.0)
        size = tape.const(1.0) if step is None else tape.apply("abs", step)
        mirrored = tape.both(tape.raw("lt", number, zero), tape.raw("ne", zero if mode is None else mode, zero))
        seen = tape.select(mirrored, tape.apply("neg", number), number)
        node = tape.apply("mul", tape.apply(name, tape.apply("div", seen, size)), size)
        node = tape.select(mirrored, tape.apply("sub", zero, node), node)
        return forms.finished(tape.select(tape.raw("eq", size, zero), zero, node))

    return function


def sign(forms: Forms, x: int) -> Item:
    """Return SIGN."""
    tape = forms.tape
    zero = tape.const(0.0)
    below = tape.select(tape.raw("lt", x, zero), tape.const(-1.0), zero)
    return forms.number(tape.select(tape.raw("gt", x, zero), tape.const(1.0), below))


def _is_kind(*kinds: str) -> VectorFunction:
    def function(forms: Forms, tested: Item) -> Item:
        result = forms.logical(forms.is_kind(tested, *kinds))
        return forms.unless(forms.reruns(tested), forms.rerun(), result)

    return function


def negation(forms: Forms, truth: int) -> Item:
    """Return NOT."""
    return forms.logical(forms.tape.no(truth))


def standard_normal(forms: Forms, z: int, cumulative: int) -> Item:
    """Return NORM.S.DIST."""
    return forms.finished(_density_or_area(forms, z, cumulative, None))


def _density_or_area(forms: Forms, z: int, cumulative: int, deviation: int | None) -> int:
    tape = forms.tape
    exponent = tape.apply("div", tape.apply("mul", tape.apply("neg", z), z), tape.const(2.0))
    density = tape.apply("div", tape.apply("exp", exponent), tape.const(math.sqrt(2 * math.pi)))
    if deviation is not None:
        density = tape.apply("div", density, deviation)
    return tape.select(cumulative, tape.apply("ndtr", z), density)


def normal(forms: Forms, x: int, mean: int, deviation: int, cumulative: int) -> Item:
    """Return NORM.DIST."""
    tape = forms.tape
    z = tape.apply("div", tape.apply("sub", x, mean), deviation)
    errors = [(tape.raw("le", deviation, tape.const(0.0)), ExcelError.NUM)]
    return forms.finished(_density_or_area(forms, z, cumulative, deviation), errors)


FUNCTIONS: dict[str, VectorFunction] = {
    "ABS": _plain("abs"),
    "CEILING": _multiple("above"),
    "CEILING.MATH": _multiple_of("above"),
    "EXP": _plain("exp"),
    "FLOOR": _multiple("below"),
    "FLOOR.MATH": _multiple_of("below"),
    "INT": _plain("floor"),
    "ISBLANK": _is_kind("blank"),
    "ISERROR": _is_kind("error"),
    "ISNUMBER": _is_kind("number"),
    "ISTEXT": _is_kind("text"),
    "LN": _logarithm("log"),
    "LOG10": _logarithm("log10"),
    "MOD": modulo,
    "NORM.DIST": normal,
    "NORM.S.DIST": standard_normal,
    "NOT": negation,
    "POWER": power,
    "ROUND": _rounding("half"),
    "ROUNDDOWN": _rounding("down"),
    "ROUNDUP": _rounding("up"),
    "SIGN": sign,
    "SQRT": square_root,
}
