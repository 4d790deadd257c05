"""Ranges of the file engine: values and formulas of a rectangle of cells, read and written in blocks."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

from openpyxl.formula.translate import Translator

from addin.engines import workbooks
from addin.engines.addresses import Area, address_of
from addin.engines.file.package import Package
from addin.engines.values import EPOCH, ERRORS, Entry, constant, entry
from addin.kernel import ExcelError, Scalar
from addin.xlsx.positions import Position

_DATE, _MOMENT = "mm-dd-yy", "m/d/yy h:mm"  # Excel's formats for a date, or one with a time, in a General cell
_NO_DATE = 2_958_466  # 1 January 10000


class Range(workbooks.Range):
    """A rectangle of cells of one sheet of a package."""

    def __init__(self, sheet: workbooks.Sheet, area: Area, package: Package) -> None:
        super().__init__(sheet, area)
        self._package = package

    def _every(self) -> Iterator[Position]:
        """Yield row and column of every cell from 1, row by row."""
        top, left, bottom, right = self.area
        for row in range(top + 1, bottom + 2):
            for column in range(left + 1, right + 2):
                yield row, column

    def _filled(self) -> list[Position]:
        """Return the cells that the sheet stores, in any order: a whole column has a million others."""
        cells = self._package.sheet(self.sheet.name).cells
        if len(self) <= len(cells):
            return [cell for cell in self._every() if cell in cells]
        top, left, bottom, right = self.area
        return [(row, column) for row, column in cells if top < row <= bottom + 1 and left < column <= right + 1]

    def _block(self, read: dict[Position, Any], blank: Any) -> Any:
        """Return one value, or rows of values, with `blank` for the cells that were not read."""
        if len(self) == 1:
            return read.get((self.row, self.column), blank)
        top, left, bottom, right = self.area
        columns = range(left + 1, right + 2)
        return tuple(tuple(read.get((row, column), blank) for column in columns) for row in range(top + 1, bottom + 2))

    def read(self) -> Any:
        package, title = self._package, self.sheet.name
        cells, formats = package.sheet(title).cells, package.formats
        read: dict[Position, Any] = dict(package.values(title, self._filled()))
        for cell, value in read.items():
            if type(value) is float and formats[cells[cell].style].date and 0 <= value < _NO_DATE:
                read[cell] = EPOCH + datetime.timedelta(seconds=round(value * 86400, 3))
            elif isinstance(value, ExcelError):
                read[cell] = ERRORS[value.value]
        return self._block(read, None)

    def formulas(self) -> Any:
        cells = self._package.sheet(self.sheet.name).cells
        stored = {cell: cells[cell] for cell in self._filled()}
        return self._block({cell: kept.formula or constant(kept.value) for cell, kept in stored.items()}, "")

    def write(self, data: Any) -> None:
        cells = {}
        if isinstance(data, list | tuple):
            rows = data if data and isinstance(data[0], list | tuple) else [data]
            for cell in self._every():
                cells[cell] = _stored(entry(_at(rows, cell[0] - self.row, cell[1] - self.column)))
        else:
            entered = entry(data)
            for cell in self._every():
                cells[cell] = _stored(entered if entered.formula is None else Entry(formula=self._moved(data, cell)))
        self._package.write(self.sheet.name, cells)

    def _moved(self, formula: str, cell: Position) -> str:
        """Return a formula of the first cell moved to another cell."""
        if cell == (self.row, self.column):
            return formula
        first, there = (
            address_of((row - 1, column - 1, row - 1, column - 1)).replace("$", "")
            for row, column in ((self.row, self.column), cell)
        )
        return str(Translator(formula, first).translate_formula(there))

    @property
    def has_array(self) -> bool:
        sheet = self._package.sheet(self.sheet.name)
        return any(sheet.array(cell) for cell in self._filled())

    @property
    def number_format(self) -> str | None:
        """The number format of the cells; None if they have several."""
        sheet = self._package.sheet(self.sheet.name)
        codes = {self._package.formats[sheet.style(cell)].code for cell in self._every()}
        return codes.pop() if len(codes) == 1 else None

    @number_format.setter
    def number_format(self, value: str) -> None:
        self._package.set_format(self.sheet.name, self._every(), value)


def _at(rows: Sequence[Sequence[Any]], row: int, column: int) -> Any:
    """Return a value of a block; as in Excel a single row or column repeats, and beyond the block is #N/A."""
    row, column = 0 if len(rows) == 1 else row, 0 if len(rows[0]) == 1 else column
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else ExcelError.NA


def _stored(entered: Entry) -> tuple[Scalar, str | None, str | None]:
    """Return constant, formula and the number format that replaces General."""
    code = (_MOMENT if entered.time else _DATE) if entered.date else None
    return entered.constant, entered.formula, code
