"""How a function takes its arguments, one letter each.

n  a number       blank is 0, TRUE is 1, numeric text is read
r  a number, as n, but TRUE is #VALUE! and an empty argument #N/A: the functions of Excel's former Analysis ToolPak
t  a text         numbers in General format, blank is ""
b  a truth value
s  any scalar, errors leave the function at once
e  any scalar, errors included
a  a range or a value, as it stands: the function looks inside
m  as `a`, and formulas inside are computed element by element (SUMPRODUCT)
x  a step of the formula, taken by the function itself (IF, CHOOSE)

What follows a colon repeats: SUMIFS is "a:as".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from addin.kernel.excel.values import ExcelError, Fault, Scalar, to_bool, to_number, to_text


def to_untrue_number(value: Scalar) -> float:
    """Return the number that a value is. Raises Fault with #VALUE! for TRUE and FALSE."""
    if isinstance(value, bool):
        raise Fault(ExcelError.VALUE)
    return to_number(value)


Table = Mapping[str, tuple[str, Callable[..., Any]]]

COERCIONS: Mapping[str, Callable[[Scalar], Scalar]] = {
    "n": to_number,
    "r": to_untrue_number,
    "t": to_text,
    "b": to_bool,
}


@lru_cache(maxsize=4096)
def letters(signature: str, count: int) -> str:
    """Return one letter for each of `count` arguments."""
    fixed, _, repeated = signature.partition(":")
    if not repeated:
        return fixed[:count]
    times = -(-max(0, count - len(fixed)) // len(repeated))
    return (fixed + repeated * times)[:count]
