"""Values as xlwings' Excel engine hands them over, for the `libreoffice` engine: errors, dates, typed texts."""

import datetime as dt
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from addin.engines.calc.formulas import to_office

# What Excel hands out for a cell with an error (VT_ERROR of Range.Value), so that raw values agree as well.
ERRORS = {
    "#DIV/0!": -2146826281,
    "#N/A": -2146826246,
    "#NAME?": -2146826259,
    "#NULL!": -2146826288,
    "#NUM!": -2146826252,
    "#REF!": -2146826265,
    "#VALUE!": -2146826273,
}
_TEXTS = {code: text for text, code in ERRORS.items()}
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
_EPOCH = dt.datetime(1899, 12, 30)
DATE, DATE_TIME, LOGICAL = 2, 6, 1024  # kinds of number formats (com.sun.star.util.NumberFormat)


def prepared(value: Any) -> Any:
    """Return a value as Excel's engine prepares it for writing: None, NaN and NaT are blank, numpy numbers plain."""
    if hasattr(value, "item") and not isinstance(value, dt.date):
        value = value.item()
    if value is None or value != value:
        return ""
    if isinstance(value, float) and math.isinf(value):
        return "#NUM!"  # what Excel shows for a number beyond its range
    if type(value) is dt.date:
        return dt.datetime(value.year, value.month, value.day)
    return value.replace(tzinfo=None) if isinstance(value, dt.datetime) else value


def cleaned(
    rows: Iterable[Iterable[Any]],
    dates: Callable[..., Any],
    empty: Any,
    numbers: Callable[[float], Any] | None,
    errors: bool,
) -> list[list[Any]]:
    """Return raw values as the user asked for them with `Range.options`; errors are None unless asked for as text."""

    def one(value: Any) -> Any:
        if value is None or value == "":
            return empty
        if isinstance(value, dt.datetime):
            kept = {name: getattr(value, name) for name in ("year", "month", "day", "hour", "minute", "second")}
            return dates(**kept, microsecond=value.microsecond, tzinfo=None)
        if isinstance(value, bool):
            return value
        if isinstance(value, float):
            return value if numbers is None else numbers(value)
        return (_TEXTS[value] if errors else None) if value in _TEXTS else value

    return [[one(value) for value in row] for row in rows]


@dataclass
class Block:
    """A block ready for the office: numbers and texts, runs of formulas in a row, cells that need a format."""

    rows: list[list[float | str]] = field(default_factory=list)
    formulas: list[tuple[int, int, list[str]]] = field(default_factory=list)
    formatted: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


def block(values: Sequence[Sequence[Any]]) -> Block:
    """Return values as Excel takes them from a program: a text such as "5", "=A1" or "#N/A" becomes what it says.

    An apostrophe in front keeps a text a text.
    """
    made = Block()
    for r, row in enumerate(values):
        cells: list[float | str] = []
        formulas: dict[int, str] = {}
        for c, value in enumerate(row):
            if isinstance(value, bool):
                made.formatted.setdefault(LOGICAL, []).append((r, c))
            elif isinstance(value, dt.datetime):
                kind = DATE if value.time() == dt.time() else DATE_TIME
                made.formatted.setdefault(kind, []).append((r, c))
                value = (value - _EPOCH) / dt.timedelta(days=1)
            elif isinstance(value, str):
                value = _typed(value, r, c, made, formulas)
            cells.append(value if isinstance(value, str) else float(value))
        made.rows.append(cells)
        for _, run in groupby(enumerate(formulas), key=lambda pair: pair[1] - pair[0]):
            columns = [column for _, column in run]
            made.formulas.append((r, columns[0], [formulas[column] for column in columns]))
    return made


def _typed(text: str, row: int, column: int, made: Block, formulas: dict[int, str]) -> float | str:
    if text.startswith("'"):
        return text[1:]
    if text in ERRORS:
        text = f"={text}"
    if text.startswith("=") and len(text) > 1:
        formulas[column] = to_office(text)
        return ""
    if text.upper() in ("TRUE", "FALSE"):
        made.formatted.setdefault(LOGICAL, []).append((row, column))
        return float(text.upper() == "TRUE")
    return float(text) if _NUMBER.fullmatch(text) else text


def constant(value: Any) -> str:
    """Return a constant as `Range.formula` gives it: the text that would type it."""
    if isinstance(value, float):
        return f"{value:.15g}".upper()
    if isinstance(value, bool):
        return str(value).upper()
    return "" if value is None else str(value)


def typed(formula: str) -> str:
    """Return a formula as `Range.formula` gives it: errors and booleans that the office keeps as one are constants."""
    return formula[1:] if formula[1:] in (*ERRORS, "TRUE", "FALSE") else formula
