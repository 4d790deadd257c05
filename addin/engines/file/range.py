"""Ranges of the file engine: values and formulas of a rectangle of cells, read and written in blocks."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from openpyxl.formula.translate import Translator
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from xlwings import base_classes

from addin.engines.addresses import LAST_COLUMN, LAST_ROW, area_of, external
from addin.engines.calc.values import ERRORS, constant
from addin.errors import RequestError
from addin.kernel import ExcelError, Scalar
from addin.kernel.formula.cells import ERROR_TEXTS, quoted
from addin.xlsx.positions import Position

if TYPE_CHECKING:
    from addin.engines.file.book import Sheet
    from addin.engines.file.names import Name

_DATE, _MOMENT = "mm-dd-yy", "m/d/yy h:mm"  # what Excel gives a general cell that receives a date, or one with a time
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
_EPOCH = datetime.datetime(1899, 12, 30)
_NO_DATE = 2_958_466  # 1 January 10000
_STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Range(base_classes.Range):
    """A rectangle of cells of one sheet; it may have no rows or no columns."""

    def __init__(self, sheet: Sheet, row: int, column: int, rows: int, columns: int) -> None:
        self._sheet = sheet
        self._row, self._column = row, column
        self._shape = rows, columns

    @classmethod
    def at(cls, sheet: Sheet, address: str) -> Range | None:
        """Return the cells of an A1 address; None when it is none."""
        area = area_of(address)
        return cls(sheet, area[0] + 1, area[1] + 1, area[2] - area[0] + 1, area[3] - area[1] + 1) if area else None

    @property
    def api(self) -> Range | None:
        return self if all(self._shape) else None

    @property
    def sheet(self) -> Sheet:
        return self._sheet

    @property
    def coords(self) -> tuple[str, int, int, int, int]:
        return (self._sheet.title, self._row, self._column, *self._shape)

    @property
    def row(self) -> int:
        return self._row

    @property
    def column(self) -> int:
        return self._column

    @property
    def shape(self) -> tuple[int, int]:
        return self._shape

    def __len__(self) -> int:
        return self._shape[0] * self._shape[1]

    def __call__(self, arg1: int, arg2: int | None = None) -> Range:
        """Return a cell by row and column from 1, or by its number along the rows; it may lie outside."""
        if arg2 is None:
            row, column = divmod(arg1 - 1, self._shape[1])
        else:
            row, column = arg1 - 1, arg2 - 1
        return Range(self._sheet, self._row + row, self._column + column, 1, 1)

    def to(self, other: Range) -> Range:
        """Return the smallest rectangle that holds both."""
        top, left = min(self._row, other._row), min(self._column, other._column)
        bottom = max(one._row + one._shape[0] for one in (self, other))
        right = max(one._column + one._shape[1] for one in (self, other))
        return Range(self._sheet, top, left, bottom - top, right - left)

    def spots(self) -> Iterator[Position]:
        """Yield row and column of every cell, row by row."""
        for row in range(self._row, self._row + self._shape[0]):
            for column in range(self._column, self._column + self._shape[1]):
                yield row, column

    def _filled(self) -> list[Position]:
        """Return the cells that the sheet holds, in any order: a whole column has a million others."""
        cells = self._sheet.package.sheet(self._sheet.title).cells
        if len(self) <= len(cells):
            return [spot for spot in self.spots() if spot in cells]
        bottom, right = self._row + self._shape[0], self._column + self._shape[1]
        return [spot for spot in cells if self._row <= spot[0] < bottom and self._column <= spot[1] < right]

    def _block(self, read: dict[Position, Any], blank: Any) -> Any:
        """Return one value, or rows of values, with something in the cells that were not read."""
        if len(self) == 1:
            return read.get((self._row, self._column), blank)
        columns = range(self._column, self._column + self._shape[1])
        return tuple(
            tuple(read.get((row, column), blank) for column in columns)
            for row in range(self._row, self._row + self._shape[0])
        )

    @property
    def raw_value(self) -> Any:
        """What the cells show, an error as Excel's code, a number in a date's format as a datetime, a blank as None."""
        if not len(self):
            return None
        package, title = self._sheet.package, self._sheet.title
        cells, formats = package.sheet(title).cells, package.formats
        read: dict[Position, Any] = dict(package.values(title, self._filled()))
        for spot, value in read.items():
            if type(value) is float and formats[cells[spot].style].date and 0 <= value < _NO_DATE:
                read[spot] = _EPOCH + datetime.timedelta(seconds=round(value * 86400, 3))
            elif isinstance(value, ExcelError):
                read[spot] = ERRORS[value.value]
        return self._block(read, None)

    @raw_value.setter
    def raw_value(self, data: Any) -> None:
        self._write(data)

    @property
    def formula(self) -> Any:
        """The formulas as text; of other cells the constant as text, "" where there is none."""
        if not len(self):
            return None
        sheet = self._sheet.package.sheet(self._sheet.title)
        filled = {spot: sheet.cells[spot] for spot in self._filled()}
        return self._block({spot: stored.formula or constant(stored.value) for spot, stored in filled.items()}, "")

    @formula.setter
    def formula(self, value: Any) -> None:
        self._write(value)

    @property
    def formula2(self) -> Any:
        return self.formula

    @formula2.setter
    def formula2(self, value: Any) -> None:
        self._write(value)

    @property
    def has_array(self) -> bool:
        sheet = self._sheet.package.sheet(self._sheet.title)
        return any(sheet.array(spot) for spot in self._filled())

    def _write(self, data: Any) -> None:
        """Write one value into every cell, or rows of values; a formula for many cells moves with them, as in Excel."""
        if not len(self):
            return
        cells = {}
        if isinstance(data, list | tuple):
            rows = data if data and isinstance(data[0], list | tuple) else [data]
            for spot in self.spots():
                value = _at(rows, spot[0] - self._row, spot[1] - self._column)
                cells[spot] = _entered(value)
        else:
            entered = _entered(data)
            for spot in self.spots():
                cells[spot] = entered if entered[1] is None else (None, self._moved(entered[1], spot), None)
        self._sheet.package.write(self._sheet.title, cells)

    def _moved(self, formula: str, spot: Position) -> str:
        if spot == (self._row, self._column):
            return formula
        origin = f"{get_column_letter(self._column)}{self._row}"
        return str(Translator(formula, origin).translate_formula(f"{get_column_letter(spot[1])}{spot[0]}"))

    def clear_contents(self) -> None:
        filled = self._filled()
        if filled:
            self._sheet.package.write(self._sheet.title, dict.fromkeys(filled, (None, None, None)))

    @property
    def number_format(self) -> str | None:
        """The number format of the cells; None when they differ."""
        package = self._sheet.package
        sheet = package.sheet(self._sheet.title)
        codes = {package.formats[sheet.style(spot)].code for spot in self.spots()}
        return codes.pop() if len(codes) == 1 else None

    @number_format.setter
    def number_format(self, value: str) -> None:
        self._sheet.package.set_format(self._sheet.title, self.spots(), value)

    def get_address(self, row_absolute: bool, col_absolute: bool, with_book: bool) -> str:
        def corner(row: int, column: int) -> str:
            return f"{'$' * col_absolute}{get_column_letter(column)}{'$' * row_absolute}{row}"

        first = corner(self._row, self._column)
        last = corner(self._row + self._shape[0] - 1, self._column + self._shape[1] - 1)
        text = first if len(self) == 1 else f"{first}:{last}"
        if not with_book:
            return text
        return external(self._sheet.book.name, self._sheet.title, text)

    @property
    def address(self) -> str:
        if not len(self):
            return f"${get_column_letter(self._column)}${self._row}{{{self._shape[0]}x{self._shape[1]}}}"
        return self.get_address(True, True, False)

    def end(self, direction: str) -> Range:
        """Return the cell that Ctrl and an arrow reach: the edge of a block, or the next block, or the sheet's edge."""
        step = _STEPS[direction]
        cells = self._sheet.package.sheet(self._sheet.title).cells

        def full(spot: Position) -> bool:
            stored = cells.get(spot)
            return stored is not None and (stored.value is not None or stored.formula is not None)

        filled = [spot for spot in cells if full(spot)]
        filled.append((self._row, self._column))
        edge = max(row for row, _ in filled), max(column for _, column in filled)
        spot = (self._row, self._column)
        following = (spot[0] + step[0], spot[1] + step[1])
        if full(spot) and full(following):
            while full(following):
                spot, following = following, (following[0] + step[0], following[1] + step[1])
            return Range(self._sheet, *spot, 1, 1)
        while 1 <= following[0] <= edge[0] and 1 <= following[1] <= edge[1]:
            if full(following):
                return Range(self._sheet, *following, 1, 1)
            following = (following[0] + step[0], following[1] + step[1])
        row = {-1: 1, 0: spot[0], 1: LAST_ROW + 1}[step[0]]
        column = {-1: 1, 0: spot[1], 1: LAST_COLUMN + 1}[step[1]]
        return Range(self._sheet, row, column, 1, 1)

    @property
    def name(self) -> Name | None:
        """The first name that stands for exactly these cells, None without one."""
        for _, name in self._sheet.book.names.snapshot():
            try:
                if name.refers_to_range.coords == self.coords:
                    return name
            except RequestError:
                continue
        return None

    @name.setter
    def name(self, value: str) -> None:
        self._sheet.book.names.add(value, f"={quoted(self._sheet.title)}!{self.address}")

    def select(self) -> None:
        self._sheet.activate()
        self._sheet.chosen = self.get_address(False, False, False)


def _at(rows: Sequence[Sequence[Any]], row: int, column: int) -> Any:
    """Return a value of a block; Excel repeats one row or column and shows #N/A where a block is too small."""
    row, column = 0 if len(rows) == 1 else row, 0 if len(rows[0]) == 1 else column
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else ExcelError.NA


def _entered(value: Any) -> tuple[Scalar, str | None, str | None]:
    """Return constant, formula and number format of what is put into a cell, read the way Excel reads an entry."""
    if value is None or value == "":
        return None, None, None
    if isinstance(value, bool | ExcelError):
        return value, None, None
    if isinstance(value, int | float):
        return float(value), None, None
    if isinstance(value, datetime.datetime | datetime.date):
        moment = isinstance(value, datetime.datetime) and value.time() != datetime.time()
        return float(to_excel(value)), None, _MOMENT if moment else _DATE
    text = str(value)
    if text.startswith("'"):
        return text[1:], None, None
    if text.startswith("=") and len(text) > 1:
        return None, text, None
    if text.upper() in ("TRUE", "FALSE"):
        return text.upper() == "TRUE", None, None
    if text in ERROR_TEXTS:
        return ERROR_TEXTS[text], None, None
    return float(text) if _NUMBER.fullmatch(text) else text, None, None
