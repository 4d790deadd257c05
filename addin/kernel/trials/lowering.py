"""Calls on their way to the tape: arguments coerced as the signature says, and the functions that many trials have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from addin.kernel.excel.values import single
from addin.kernel.trials import functions_lookup, functions_math, functions_ranges
from addin.kernel.trials.forms import Forms, NoVectorForm, Value, VectorFunction
from addin.kernel.trials.operations import TRUE

VECTOR_FUNCTIONS: Mapping[str, VectorFunction] = {
    **functions_math.FUNCTIONS,
    **functions_ranges.FUNCTIONS,
    **functions_lookup.FUNCTIONS,
}


def lowered(forms: Forms, name: str, kinds: str, values: Sequence[Value]) -> tuple[int, int, Value]:
    """Return when the arguments of a call make it an error, the code of that error, and the value elsewhere.

    Raises NoVectorForm.
    """
    if name not in VECTOR_FUNCTIONS:
        raise NoVectorForm
    args: list[object] = []
    checks: list[tuple[int, int]] = []
    for kind, value in zip(kinds, values, strict=True):
        if kind in "ame":
            args.append(value if kind != "e" else single(value))
            continue
        item, bad, code = forms.without_error(single(value))
        checks.append((bad, code))
        if kind in "nb":
            seen = forms.to_bool(item) if kind == "b" else forms.to_number(item)
            checks.append((seen.bad, seen.code))
            args.append(seen.node)
        else:
            args.append(item)
    bad, code = forms.first_error(*checks)
    return bad, code, 0.0 if bad == TRUE else VECTOR_FUNCTIONS[name](forms, *args)
