"""Excel's values and how one kind becomes another.

A scalar is a float, a str, a bool, None (a blank cell) or an ExcelError. Several cells are a Grid. Errors are values:
they travel through formulas like numbers do and are never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from addin.kernel.excel.separators import in_english, localized
from addin.kernel.excel.text_numbers import read_number


class ExcelError(Enum):
    """Excel's error values; `str(error)` is what the cell shows."""

    DIV0 = "#DIV/0!"
    NA = "#N/A"
    NAME = "#NAME?"
    NULL = "#NULL!"
    NUM = "#NUM!"
    REF = "#REF!"
    VALUE = "#VALUE!"

    def __str__(self) -> str:
        return self.value


ERROR_TEXTS = {error.value: error for error in ExcelError}
NO_FORMULA = "= "  # of a cell that shares a formula which no cell states: no grammar has it


class Fault(Exception):
    """Leave a function with an error value; the evaluator turns it back into the value."""

    def __init__(self, error: ExcelError) -> None:
        super().__init__(error.value)
        self.error = error


Scalar = float | str | bool | None | ExcelError


LONGEST_TEXT = 32767  # characters that a cell holds

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Grid(Generic[T_co]):
    """Values of a rectangle, row by row. `origin` is sheet, row, column of a cell range; None for a computed array."""

    rows: tuple[tuple[T_co, ...], ...]
    origin: tuple[str, int, int] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.rows[0])

    def flat(self) -> list[T_co]:
        """Return the values row by row."""
        return [value for row in self.rows for value in row]

    def filled(self, values: Iterator[T]) -> Grid[T]:
        """Return a grid in the same place with other values, taken row by row."""
        return Grid(tuple(tuple([next(values) for _ in row]) for row in self.rows), self.origin)


Value = Scalar | Grid[Scalar]


def single(value: T | Grid[T]) -> T | ExcelError:
    """Return the one value that a formula expects where a grid was given.

    A range of several cells is #VALUE!: where one of them stands in the formula's row or column, walk.py has taken it.
    A computed array shows its first element, as in a cell that is not array-entered.
    """
    if not isinstance(value, Grid):
        return value
    if value.origin is None or value.shape == (1, 1):
        return value.rows[0][0]
    return ExcelError.VALUE


def fold(text: str) -> str:
    """Return the text as comparisons see it: upper and lower case are the same."""
    return text.lower()


def to_number(value: Scalar) -> float:
    """Return the number that arithmetic sees: blank is 0, TRUE is 1, text must read as a number.

    Raises Fault with #VALUE! for other text, or with the error itself.
    """
    if type(value) is float:
        return value
    if value is None:
        return 0.0
    if isinstance(value, ExcelError):
        raise Fault(value)
    if isinstance(value, str):
        number = number_in(value)
        if number is None:
            raise Fault(ExcelError.VALUE)
        return number
    return float(value)


def to_text(value: Scalar) -> str:
    """Return the text that `&` sees. Raises Fault with the error if the value is one."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, ExcelError):
        raise Fault(value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return localized(number_text(value))


def to_bool(value: Scalar) -> bool:
    """Return the truth value that IF sees. Raises Fault with #VALUE! for text other than TRUE and FALSE."""
    if isinstance(value, bool):
        return value
    if value is None:
        return False
    if isinstance(value, ExcelError):
        raise Fault(value)
    if isinstance(value, str):
        if is_truth(value):
            return fold(value) == "true"
        raise Fault(ExcelError.VALUE)
    return value != 0


def is_truth(value: Scalar) -> bool:
    """Say whether a value is a text that spells TRUE or FALSE."""
    return isinstance(value, str) and fold(value) in ("true", "false")


def passed_over(text: str) -> bool:
    """Say whether AND takes no notice of a text that is given as an argument: an empty one, or a number's."""
    return text == "" or number_in(text) is not None


def number_text(number: float) -> str:
    """Return a number in the General format: at most 15 digits, an exponent only for very large and small ones.

    It is written in English, as in formulas.
    """
    if number == 0:
        return "0"
    digits, exponent = f"{number:.14e}".split("e")
    power = int(exponent)
    if -10 < power < 21:
        text = f"{float(f'{number:.15g}'):.{max(0, 14 - power)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{digits.rstrip('0').rstrip('.')}E{power:+03d}"


def number_in(text: str) -> float | None:
    """Return the number that a text spells (1,000 or 50% or $3 or 1E3 or a date), or None."""
    return read_number(in_english(text))


def finite(value: float) -> float:
    """Return the number, or raise Fault with #NUM! where Excel's range is left."""
    if math.isfinite(value):
        return value
    raise Fault(ExcelError.NUM)


def numbers(args: tuple[Value, ...]) -> list[float]:
    """Return the numbers that SUM and its kin see.

    In cells only numbers count: text, TRUE and blanks are passed over. A value written as an argument is coerced.
    Raises Fault with the first error met.
    """
    result: list[float] = []
    for arg in args:
        if isinstance(arg, Grid):
            for value in arg.flat():
                if type(value) is float:
                    result.append(value)
                elif isinstance(value, ExcelError):
                    raise Fault(value)
        else:
            result.append(to_number(arg))
    return result


def as_grid(value: T | Grid[T]) -> Grid[T]:
    """Return a grid as it is, and a scalar as a grid of one."""
    return value if isinstance(value, Grid) else Grid(((value,),))


def plain_sum(values: Iterable[float]) -> float:
    """Return the sum from left to right, each step rounded once; from Python 3.12 on `sum` does not."""
    total = 0.0
    for value in values:
        total += value
    return total
