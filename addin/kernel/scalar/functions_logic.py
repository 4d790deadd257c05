"""Logic functions; the lazy ones get steps (walk.py) and evaluate only what they need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from addin.kernel.excel.values import ExcelError, Fault, Grid, Scalar, Value, is_truth, passed_over, to_bool, to_number
from addin.kernel.scalar.signatures import Table

Part = Any  # of a formula: a step of its walk
Ask = Callable[[Part], Value]


def _only(value: Value) -> Scalar:
    """Return the one value of a condition. Several cells are #VALUE!, inside SUMPRODUCT too."""
    if isinstance(value, Grid):
        return value.rows[0][0] if value.shape == (1, 1) else ExcelError.VALUE
    return value


def if_(ask: Ask, condition: Part, yes: Part, no: Part | None = None) -> Value:
    """Return IF: FALSE where the third argument is left out."""
    if to_bool(_only(ask(condition))):
        return ask(yes)
    return False if no is None else ask(no)


def choose(ask: Ask, number: Part, *choices: Part) -> Value:
    """Return CHOOSE. Raises Fault with #VALUE! outside 1 to the number of choices."""
    position = int(to_number(_only(ask(number))))
    if not 1 <= position <= len(choices):
        raise Fault(ExcelError.VALUE)
    return ask(choices[position - 1])


def iferror(ask: Ask, tried: Part, instead: Part) -> Value:
    """Return IFERROR."""
    value = _only(ask(tried))
    return ask(instead) if isinstance(value, ExcelError) else value


def ifna(ask: Ask, tried: Part, instead: Part) -> Value:
    """Return IFNA."""
    value = _only(ask(tried))
    return ask(instead) if value is ExcelError.NA else value


def truths(args: tuple[Value, ...]) -> list[bool]:
    """Return the truth values that AND sees: text and blanks in cells are passed over, as are "" and "0" as arguments.

    Raises Fault with the first error, and with #VALUE! for another text as an argument and where nothing is left.
    """
    result, readable = [], True
    for arg in args:
        for value in arg.flat() if isinstance(arg, Grid) else (arg,):
            if isinstance(value, ExcelError):
                raise Fault(value)
            own = not isinstance(arg, Grid)
            if isinstance(value, bool | float) or (own and (value is None or is_truth(value))):
                result.append(to_bool(value))
            elif own and isinstance(value, str):
                readable = readable and passed_over(value)
    if not result or not readable:
        raise Fault(ExcelError.VALUE)
    return result


FUNCTIONS: Table = {
    "AND": (":a", lambda *args: all(truths(args))),
    "CHOOSE": (":x", choose),
    "IF": (":x", if_),
    "IFERROR": (":x", iferror),
    "IFNA": (":x", ifna),
    "NOT": ("b", lambda truth: not truth),
    "OR": (":a", lambda *args: any(truths(args))),
    "XOR": (":a", lambda *args: sum(truths(args)) % 2 == 1),
}
