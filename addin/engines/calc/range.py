"""Ranges of the `libreoffice` engine; see `libreoffice`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from addin.engines import workbooks
from addin.engines.addresses import Area
from addin.engines.calc.formulas import to_excel, to_office
from addin.engines.values import ERRORS, constant, entry
from addin.kernel import ExcelError

DATE, DATE_TIME, LOGICAL = 2, 6, 1024  # kinds of number formats (com.sun.star.util.NumberFormat)


class Range(workbooks.Range):
    """A rectangle of cells; each property is one request to the office. `ask` sends requests about its sheet."""

    def __init__(self, sheet: workbooks.Sheet, area: Area, ask: Callable[..., Any]) -> None:
        super().__init__(sheet, area)
        self._ask = ask

    def read(self) -> list[list[Any]]:
        rows: list[list[Any]]
        rows, errors = self._ask("read", self.area)
        for row, column, text in errors:
            rows[row][column] = ERRORS[text]
        return rows

    def formulas(self) -> Any:
        formulas, values = self._ask("formulas", self.area)
        rows = tuple(
            tuple(
                _formula(to_excel(text)) if text.startswith(("=", "{=")) and text != value else constant(value)
                for text, value in zip(texts, row, strict=True)
            )
            for texts, row in zip(formulas, values, strict=True)
        )
        return rows[0][0] if len(self) == 1 else rows

    def write(self, data: Any) -> None:
        if isinstance(data, str) and data.startswith("=") and len(self) > 1:
            self._ask("fill", self.area, to_office(data))
            return
        if not isinstance(data, list | tuple):
            rows, columns = self.shape
            data = [[data] * columns] * rows
        elif not data or not isinstance(data[0], list | tuple):
            data = [data]
        made = block(data)
        top, left, _, _ = self.area
        target = (top, left, top + len(data) - 1, left + len(data[0]) - 1)
        self._ask("write", target, made.rows, made.formulas, made.formatted)

    @property
    def has_array(self) -> bool:
        return bool(self._ask("array", self.area))

    @property
    def number_format(self) -> str | None:
        code: str | None = self._ask("number_format", self.area)
        return code

    @number_format.setter
    def number_format(self, value: str) -> None:
        self._ask("number_format", self.area, value)


@dataclass
class Block:
    """A block for the office: numbers and texts, runs of formulas in a row, cells that need a format."""

    rows: list[list[float | str]] = field(default_factory=list)
    formulas: list[tuple[int, int, list[str]]] = field(default_factory=list)
    formatted: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


def block(values: Sequence[Sequence[Any]]) -> Block:
    """Return values as a block for the office, which stores truth values and dates as numbers with a format."""
    made = Block()
    for r, row in enumerate(values):
        cells: list[float | str] = []
        formulas: dict[int, str] = {}
        for c, value in enumerate(row):
            put, formula, date, time = entry(value)
            if isinstance(put, ExcelError):  # in the office only a formula gives one
                put, formula = None, f"={put}"
            if formula is not None:
                formulas[c] = to_office(formula)
            if isinstance(put, bool) or date:
                kind = LOGICAL if not date else DATE_TIME if time else DATE
                made.formatted.setdefault(kind, []).append((r, c))
            cells.append("" if put is None else put if isinstance(put, str) else float(put))
        made.rows.append(cells)
        for _, run in groupby(enumerate(formulas), key=lambda pair: pair[1] - pair[0]):
            columns = [column for _, column in run]
            made.formulas.append((r, columns[0], [formulas[column] for column in columns]))
    return made


def _formula(text: str) -> str:
    """Return a formula as Excel gives it: the office's formulas for errors and truth values are constants."""
    return text[1:] if text[1:] in (*ERRORS, "TRUE", "FALSE") else text
