"""How Excel orders values: in the comparison operators, in lookups, and in the criteria of SUMIF and its kin."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from addin.kernel.excel.rounding import compare as compare_numbers
from addin.kernel.excel.values import ExcelError, Fault, Scalar, fold, number_in

RANKS: dict[type, int] = {float: 0, str: 1, bool: 2}
OPERATORS: dict[str, Callable[[int], bool]] = {
    "=": lambda order: order == 0,
    "<>": lambda order: order != 0,
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}


def compare(left: Scalar, right: Scalar) -> int:
    """Return -1, 0 or 1: numbers before text before FALSE before TRUE.

    A blank is 0, "" or FALSE, as the other side needs. Numbers are compared in 15 digits, texts without case.

    Raises Fault with the error if a side is one.
    """
    for side in (left, right):
        if isinstance(side, ExcelError):
            raise Fault(side)
    left, right = _filled(left, right), _filled(right, left)
    if type(left) is not type(right):
        return -1 if RANKS[type(left)] < RANKS[type(right)] else 1
    if isinstance(left, float) and isinstance(right, float):
        return compare_numbers(left, right)
    return raw_order(left, right)


def _filled(value: Scalar, other: Scalar) -> Scalar:
    if value is not None:
        return value
    return "" if isinstance(other, str) else False if isinstance(other, bool) else 0.0


def raw_order(left: Scalar, right: Scalar) -> int:
    """Return -1, 0 or 1 for two values of one type, numbers to the last bit, as lookups see them."""
    if isinstance(left, str) and isinstance(right, str):
        left, right = fold(left), fold(right)
        return (left > right) - (left < right)
    if isinstance(left, float | bool) and isinstance(right, float | bool):
        return (left > right) - (left < right)
    raise Fault(ExcelError.VALUE)


@lru_cache(maxsize=1024)
def wildcard(pattern: str) -> re.Pattern[str]:
    """Return the pattern of a text with * ? and ~ (the next character literally, nothing at the end), blind to case."""
    parts = []
    for piece in re.findall(r"~.?|.", pattern, re.DOTALL):
        if piece[0] == "~":
            parts.append(re.escape(piece[1:]))
        else:
            parts.append({"*": ".*", "?": "."}.get(piece, re.escape(piece)))
    return re.compile("".join(parts), re.DOTALL | re.IGNORECASE)


def has_wildcard(text: str) -> bool:
    """Return whether exact lookups treat the text as a pattern."""
    return any(mark in text for mark in "*?~")


def text_matcher(pattern: str) -> Callable[[str], bool]:
    """Return a test for texts equal to the pattern, wildcards and case considered."""
    if has_wildcard(pattern):
        expression = wildcard(pattern)
        return lambda text: expression.fullmatch(text) is not None
    folded = fold(pattern)
    return lambda text: fold(text) == folded


Test = Callable[[Scalar], bool]


def criterion(wanted: Scalar) -> Test:
    """Return the test that COUNTIF makes of its criterion, such as 5, ">5", "<>x", "a*" or "".

    Source: Microsoft, "COUNTIF function" and "SUMIF function".
    """
    if wanted is None:
        wanted = 0.0
    if not isinstance(wanted, str):
        return _equals(wanted)
    match = re.match(r"<>|<=|>=|=|<|>", wanted)
    operator, rest = (match[0], wanted[match.end() :]) if match else ("", wanted)
    if operator in ("", "=", "<>"):
        test = _blank_test(operator) if rest == "" else _equals(_typed(rest))
        return (lambda value: not test(value)) if operator == "<>" else test
    return _ordered(operator, _typed(rest))


def _typed(text: str) -> Scalar:
    number = number_in(text)
    if number is not None:
        return number
    if fold(text) in ("true", "false"):
        return fold(text) == "true"
    return next((error for error in ExcelError if error.value == text.upper()), text)


def _blank_test(operator: str) -> Test:
    if operator == "":
        return lambda value: value is None or value == ""
    return lambda value: value is None


def _equals(wanted: Scalar) -> Test:
    if isinstance(wanted, str):
        matches = text_matcher(wanted)
        return lambda value: isinstance(value, str) and matches(value)
    if isinstance(wanted, float):  # COUNTIF takes the text "5" for 5, but not TRUE for 1, which Python does
        return lambda value: (
            (number_in(value) if isinstance(value, str) else value) == wanted and type(value) is not bool
        )
    return lambda value: type(value) is type(wanted) and value == wanted


def _ordered(operator: str, wanted: Scalar) -> Test:
    test = OPERATORS[operator]
    if wanted == "":
        return lambda value: False
    return lambda value: type(value) is type(wanted) and test(raw_order(value, wanted))
