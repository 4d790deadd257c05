"""The operators + - * / ^ and the comparisons on values that differ between trials, with Excel's errors."""

from __future__ import annotations

from addin.kernel.excel.values import ExcelError
from addin.kernel.scalar.functions_math import is_odd_root
from addin.kernel.scalar.operators import binary
from addin.kernel.trials.forms import Forms, Item, Refused, Varying

RANK = {"number": 0, "text": 1, "logical": 2}


def arithmetic(forms: Forms, operator: str, left: Item, right: Item) -> Item:
    """Return + - * / ^ or the last sum of a formula; the left error wins."""
    x, y = forms.to_number(left), forms.to_number(right)
    bad, code = forms.first_error((x.bad, x.code), (y.bad, y.code))
    return forms.unless(bad, code, operation(forms, operator, x.node, y.node))


def operation(forms: Forms, operator: str, x: int, y: int) -> Item:
    """Return an operation on two floats with its own errors."""
    tape = forms.tape
    if operator == "^":
        return power(forms, x, y)
    if operator == "/":
        return forms.computed("div", x, y, errors=[(tape.raw("eq", y, tape.const(0.0)), ExcelError.DIV0)])
    names = {"+": "add", "-": "sub", "*": "mul"}
    return forms.computed(names.get(operator, operator), x, y)


def power(forms: Forms, x: int, y: int) -> Item:
    """Return base^exponent with the errors of functions_math.power. An odd root of a negative base is rerun."""
    tape = forms.tape
    zero = tape.const(0.0)
    exponent = tape.constant(y)
    if exponent in (1.0, 2.0):
        return forms.number(x) if exponent == 1.0 else forms.computed("mul", x, x)
    none = tape.raw("eq", x, zero)
    errors = [
        (tape.both(none, tape.raw("eq", y, zero)), ExcelError.NUM),
        (tape.both(none, tape.raw("lt", y, zero)), ExcelError.DIV0),
    ]
    broken = 0 if tape.is_whole(y) else tape.raw("ne", y, tape.apply("floor", y))
    domain = tape.both(tape.raw("lt", x, zero), broken)
    result = forms.finished(tape.apply("pow", x, y), errors)
    if exponent is None or is_odd_root(exponent):
        return forms.unless(domain, forms.rerun(), result)
    return forms.unless(domain, forms.code(ExcelError.NUM), result)


def compared(forms: Forms, operator: str, left: Item, right: Item) -> Item:
    """Return a comparison of two values that are Scalars, numbers or truth values, errors already set aside."""
    if not isinstance(left, Varying) and not isinstance(right, Varying):
        assert not isinstance(left, Refused)
        assert not isinstance(right, Refused)
        return binary(operator, left, right)
    kinds = _kind(left, right), _kind(right, left)
    if kinds[0] != kinds[1]:
        low, high = (0.0, 1.0) if RANK[kinds[0]] < RANK[kinds[1]] else (1.0, 0.0)
        return binary(operator, low, high)
    x, y = forms.to_number(left), forms.to_number(right)
    return forms.logical(forms.tape.compare(operator, x.node, y.node))


def _kind(value: Item, other: Item) -> str:
    """Return the kind a value has in a comparison: a blank is what the other side needs."""
    if isinstance(value, Varying):
        return value.kinds[0]
    if value is None:
        return _kind(other, 0.0)
    return "logical" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"
