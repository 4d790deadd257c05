"""Functions on vectors of trials: how arguments are coerced, and which file holds the form of which function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from addin.kernel.trials.forms import ADVICE, Forms, Item, Refused, UnsupportedOnPath, Value, Varying, only
from addin.kernel.trials.tape import TRUE
from addin.kernel.values import ExcelError, Scalar

Form = Callable[..., Value]
RANK = {"number": 0, "text": 1, "logical": 2}


class NeedsConstant(Exception):
    """An argument that has to be the same in every trial, by its place from 0."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


@cache
def vector_forms() -> Mapping[str, Form]:
    """Return the form of every function that has one: it takes an operation for each number and truth value."""
    from addin.kernel.trials import vector_finance, vector_lookup, vector_math, vector_ranges, vector_statistics

    tables = (vector_math, vector_ranges, vector_lookup, vector_statistics, vector_finance)
    return {name: form for table in tables for name, form in table.FORMS.items()}


def lowered(
    forms: Forms, name: str, kinds: str, values: Sequence[Value], mapped: Callable[[list[Item]], Item]
) -> tuple[int, int, Value]:
    """Return when the arguments of a call make it an error, the code of that error, and the value elsewhere.

    `mapped` computes a function without vector form where its arguments have few values each.
    Raises UnsupportedOnPath, without the cell, and NeedsConstant.
    """
    args: list[object] = []
    checks: list[tuple[int, int]] = []
    items: list[Item] = []
    for kind, value in zip(kinds, values, strict=True):
        if kind in "am":
            args.append(value)
            continue
        item, bad, code = (only(value), 0, 0) if kind == "e" else forms.without_error(only(value))
        items.append(item)
        if kind != "e":
            checks.append((bad, code))
        if kind in "nb" and name in vector_forms():
            seen = forms.to_number(item) if kind == "n" else forms.to_bool(item)
            checks.append((seen.bad, seen.code))
            args.append(seen.node)
        else:
            args.append(item)
    bad, code = forms.first_error(*checks)
    if bad == TRUE:
        return bad, code, 0.0
    form = vector_forms().get(name)
    if form is not None:
        return bad, code, form(forms, *args)
    if len(items) < len(values):
        raise UnsupportedOnPath(f"{name} is not supported on the path of an uncertain input.", ADVICE)
    return bad, code, mapped(items)


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
    found = forms.finished(tape.apply("pow", x, y), errors)
    if exponent is None or _is_odd_root(exponent):
        return forms.unless(domain, forms.rerun(), found)
    return forms.unless(domain, forms.code(ExcelError.NUM), found)


def _is_odd_root(exponent: float) -> bool:
    root = round(1 / exponent) if exponent else 0
    return root % 2 == 1 and 1 / root == exponent


def compared(forms: Forms, operator: str, left: Item, right: Item) -> Item:
    """Return a comparison of two values that are Scalars, numbers or truth values, errors already set aside."""
    from addin.kernel.scalar.evaluate import binary

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


def constant_of(forms: Forms, node: int, place: int) -> float:
    """Return the value of an argument that has to be a constant. Raises NeedsConstant."""
    found = forms.tape.constant(node)
    if found is None:
        raise NeedsConstant(place)
    return found


def scalar_of(value: Item, place: int) -> Scalar:
    """Return an argument that has to be a constant. Raises NeedsConstant."""
    if isinstance(value, Varying | Refused):
        raise NeedsConstant(place)
    return value
