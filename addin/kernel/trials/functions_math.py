"""Math, logic and information functions of one value, as operations. Their errors are those of functions_math.py."""

from __future__ import annotations

from collections.abc import Sequence

from addin.kernel.excel.values import ExcelError, number_in
from addin.kernel.trials.arguments import VectorFunction, constant_of
from addin.kernel.trials.forms import Forms, Item, Part, Varying
from addin.kernel.trials.operations import FALSE
from addin.kernel.trials.operators import power

HALVES = {"ROUND": (0.0, "half"), "ROUNDUP": (1.0, "up"), "ROUNDDOWN": (2.0, "down"), "TRUNC": (2.0, "down")}
TENTHS_TO = 1e12  # from about here on, ten times a number can be another one in 15 digits


def _plain(name: str) -> VectorFunction:
    return lambda forms, x: forms.computed(name, x)


def _rounding(name: str) -> VectorFunction:
    mode, whole = HALVES[name]

    def function(forms: Forms, x: int, digits: int | None = None) -> Item:
        decimals = 0 if digits is None else int(constant_of(forms, digits, 1))
        if decimals == 0:
            return forms.computed(whole, x)
        if decimals == 1:
            return _tenths(forms, whole, x)
        return forms.finished(forms.tape.apply("round", x, data=(mode, float(max(-400, min(400, decimals))))))

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


def log(forms: Forms, x: int, base: int | None = None) -> Item:
    """Return LOG."""
    tape = forms.tape
    zero = tape.const(0.0)
    base = tape.const(10.0) if base is None else base
    errors = [
        (tape.either(tape.raw("le", x, zero), tape.raw("le", base, zero)), ExcelError.NUM),
        (tape.raw("eq", base, tape.const(1.0)), ExcelError.DIV0),
    ]
    node = tape.apply("div", tape.apply("log", x), tape.apply("log", base))
    for value, name in ((2.0, "log2"), (10.0, "log10")):
        node = tape.select(tape.raw("eq", base, tape.const(value)), tape.apply(name, x), node)
    return forms.finished(node, errors)


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


def nearest_multiple(forms: Forms, number: int, step: int) -> Item:
    """Return MROUND."""
    tape = forms.tape
    zero = tape.const(0.0)
    none = tape.raw("eq", step, zero)
    under = tape.both(tape.raw("lt", number, zero), tape.raw("gt", step, zero))
    quotient = tape.apply("add", tape.apply("div", number, step), tape.const(0.5))
    node = tape.select(none, zero, tape.apply("mul", tape.apply("floor", quotient), step))
    return forms.finished(node, [(tape.either(_opposed(forms, number, step), under), ExcelError.NUM)])


def sign(forms: Forms, x: int) -> Item:
    """Return SIGN."""
    tape = forms.tape
    zero = tape.const(0.0)
    below = tape.select(tape.raw("lt", x, zero), tape.const(-1.0), zero)
    return forms.number(tape.select(tape.raw("gt", x, zero), tape.const(1.0), below))


def value(forms: Forms, given: Item) -> Item:
    """Return VALUE."""

    def function(items: Sequence[Item]) -> Item:
        item = items[0]
        if isinstance(item, Varying):
            return item if item.kinds == ("number",) else ExcelError.VALUE
        if isinstance(item, float):
            return item
        number = 0.0 if item is None else number_in(item) if isinstance(item, str) else None
        return ExcelError.VALUE if number is None else number

    return forms.lift([given], function)


def _is_kind(*kinds: str) -> VectorFunction:
    def function(forms: Forms, tested: Item) -> Item:
        result = forms.logical(forms.is_kind(tested, *kinds))
        return forms.unless(forms.reruns(tested), forms.rerun(), result)

    return function


def is_na(forms: Forms, tested: Item) -> Item:
    """Return ISNA."""
    parts = dict(forms.parts(tested))
    error = parts.get("error", Part(FALSE, forms.tape.const(0.0)))
    same = forms.tape.raw("eq", error.payload, forms.code(ExcelError.NA))
    result = forms.logical(forms.tape.both(error.guard, same))
    return forms.unless(forms.reruns(tested), forms.rerun(), result)


def negation(forms: Forms, truth: int) -> Item:
    """Return NOT."""
    return forms.logical(forms.tape.no(truth))


FUNCTIONS: dict[str, VectorFunction] = {
    "ABS": _plain("abs"),
    "CEILING": _multiple("above"),
    "EXP": _plain("exp"),
    "FLOOR": _multiple("below"),
    "INT": _plain("floor"),
    "LN": _logarithm("log"),
    "LOG": log,
    "LOG10": _logarithm("log10"),
    "MOD": modulo,
    "MROUND": nearest_multiple,
    "POWER": power,
    "ROUND": _rounding("ROUND"),
    "ROUNDDOWN": _rounding("ROUNDDOWN"),
    "ROUNDUP": _rounding("ROUNDUP"),
    "SIGN": sign,
    "SQRT": square_root,
    "TRUNC": _rounding("TRUNC"),
    "NOT": negation,
    "VALUE": value,
    "ISBLANK": _is_kind("blank"),
    "ISERROR": _is_kind("error"),
    "ISNA": is_na,
    "ISNUMBER": _is_kind("number"),
    "ISTEXT": _is_kind("text"),
}
