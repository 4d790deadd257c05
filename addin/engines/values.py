"""Values as xlwings' Excel engine returns and accepts them: errors, dates, texts typed into a cell."""

import datetime as dt
import math
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from addin.kernel import ExcelError
from addin.kernel.formula.cells import ERROR_TEXTS

# The values that Excel returns for errors (VT_ERROR of Range.Value), so that raw values agree as well.
ERRORS = {
    "#DIV/0!": -2146826281,
    "#N/A": -2146826246,
    "#NAME?": -2146826259,
    "#NULL!": -2146826288,
    "#NUM!": -2146826252,
    "#REF!": -2146826265,
    "#VALUE!": -2146826273,
}
EPOCH = dt.datetime(1899, 12, 30)
_TEXTS = {code: text for text, code in ERRORS.items()}
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")


def prepared(value: Any) -> Any:
    """Return a value as Excel's engine prepares it for writing: None, NaN and NaT blank, numpy numbers plain."""
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
    """Return raw values converted as `Range.options` requests; errors are None unless requested as text."""

    def clean(value: Any) -> Any:
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

    return [[clean(value) for value in row] for row in rows]


class Entry(NamedTuple):
    """The content of a cell after an entry: a constant, None for a blank, or a formula."""

    constant: float | str | bool | ExcelError | None = None
    formula: str | None = None
    date: bool = False  # a number shown as a date
    time: bool = False  # with its time


def entry(value: Any) -> Entry:
    """Return the entry of a value as Excel takes it from a program: "5", "=A1" and "#N/A" are not texts.

    A leading apostrophe makes any value a text.
    """
    if value is None or value == "":
        return Entry()
    if isinstance(value, bool | ExcelError):
        return Entry(value)
    if isinstance(value, int | float):
        return Entry(float(value))
    if isinstance(value, dt.datetime):
        return Entry((value - EPOCH) / dt.timedelta(days=1), date=True, time=value.time() != dt.time())
    text = str(value)
    if text.startswith("'"):
        return Entry(text[1:])
    if text.startswith("=") and len(text) > 1:
        return Entry(formula=text)
    if text.upper() in ("TRUE", "FALSE"):
        return Entry(text.upper() == "TRUE")
    if text in ERROR_TEXTS:
        return Entry(ERROR_TEXTS[text])
    return Entry(float(text) if _NUMBER.fullmatch(text) else text)


def constant(value: Any) -> str:
    """Return a constant as `Range.formula` gives it: the text to type for it."""
    if isinstance(value, float):
        return f"{value:.15g}".upper()
    if isinstance(value, bool):
        return str(value).upper()
    return "" if value is None else str(value)
