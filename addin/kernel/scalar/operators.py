"""The operators on two values: arithmetic, & and the comparisons, with Excel's errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from addin.kernel.excel.comparison import OPERATORS, compare
from addin.kernel.excel.values import LONGEST_TEXT, ExcelError, Fault, Scalar, finite, to_number, to_text
from addin.kernel.scalar.functions_math import power


def add(left: float, right: float) -> float:
    """Return the sum."""
    return finite(left + right)


def subtract(left: float, right: float) -> float:
    """Return the difference."""
    return finite(left - right)


def multiply(left: float, right: float) -> float:
    """Return the product."""
    return finite(left * right)


def divide(left: float, right: float) -> float:
    """Return the quotient. Raises Fault with #DIV/0!."""
    if right == 0:
        raise Fault(ExcelError.DIV0)
    return finite(left / right)


ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "^": power,
}


def joined(left: str, right: str) -> str:
    """Return two texts as one. Raises Fault with #VALUE! for more characters than a cell holds."""
    if len(left) + len(right) > LONGEST_TEXT:
        raise Fault(ExcelError.VALUE)
    return left + right


def binary(operator: str, left: Scalar, right: Scalar) -> Scalar:
    """Return the value of one operation; the left error wins."""
    try:
        if operator in ARITHMETIC:
            return ARITHMETIC[operator](to_number(left), to_number(right))
        if operator == "&":
            return joined(to_text(left), to_text(right))
        return OPERATORS[operator](compare(left, right))
    except Fault as fault:
        return fault.error


def unary(operator: str, operand: Scalar) -> Scalar:
    """Return -x or x%."""
    try:
        number = to_number(operand)
    except Fault as fault:
        return fault.error
    return -number if operator == "-" else number / 100
