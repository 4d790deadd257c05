"""Calls on their way to the tape: arguments coerced as the signature says, and the functions that many trials have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from addin.kernel.excel.values import ExcelError, single
from addin.kernel.trials import (
    functions_finance,
    functions_lookup,
    functions_math,
    functions_ranges,
    functions_statistics,
)
from addin.kernel.trials.arguments import VectorFunction
from addin.kernel.trials.forms import ADVICE, Forms, Item, UnsupportedOnPath, Value
from addin.kernel.trials.operations import TRUE

TABLES = (functions_math, functions_ranges, functions_lookup, functions_statistics, functions_finance)
VECTOR_FUNCTIONS: Mapping[str, VectorFunction] = {
    name: function for table in TABLES for name, function in table.FUNCTIONS.items()
}


def lowered(
    forms: Forms, name: str, kinds: str, values: Sequence[Value], mapped: Callable[[list[Item]], Item]
) -> tuple[int, int, Value]:
    """Return when the arguments of a call make it an error, the code of that error, and the value elsewhere.

    `mapped` computes a function outside VECTOR_FUNCTIONS where its arguments have few values each.
    Raises UnsupportedOnPath, without the cell, and NeedsConstant.
    """
    args: list[object] = []
    checks: list[tuple[int, int]] = []
    items: list[Item] = []
    for kind, value in zip(kinds, values, strict=True):
        if kind in "am":
            args.append(value)
            continue
        item, bad, code = (single(value), 0, 0) if kind == "e" else forms.without_error(single(value))
        items.append(item)
        if kind != "e":
            checks.append((bad, code))
        if kind == "r":
            checks.append((forms.is_kind(item, "logical"), forms.code(ExcelError.VALUE)))
        if kind in "nrb" and name in VECTOR_FUNCTIONS:
            seen = forms.to_bool(item) if kind == "b" else forms.to_number(item)
            checks.append((seen.bad, seen.code))
            args.append(seen.node)
        else:
            args.append(item)
    bad, code = forms.first_error(*checks)
    if bad == TRUE:
        return bad, code, 0.0
    if name in VECTOR_FUNCTIONS:
        return bad, code, VECTOR_FUNCTIONS[name](forms, *args)
    if len(items) < len(values):
        raise UnsupportedOnPath(f"{name} is not supported on the path of an uncertain input.", ADVICE)
    return bad, code, mapped(items)
