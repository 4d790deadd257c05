"""Ranges of the `libreoffice` engine; see `libreoffice`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xlwings import base_classes

from addin.engines.addresses import address_of
from addin.engines.calc.formulas import to_excel, to_office
from addin.engines.calc.values import ERRORS, block, constant, typed

if TYPE_CHECKING:
    from addin.engines.calc.sheets import Sheet


class Range(base_classes.Range):
    """A rectangle of cells; one request to the office per property, whatever its size."""

    options: dict[str, Any]

    def __init__(self, sheet: Sheet, top: int, left: int, bottom: int, right: int) -> None:
        self.sheet = sheet
        self.area = (top, left, bottom, right)

    def _ask(self, method: str, *arguments: Any) -> Any:
        return self.sheet.ask(method, self.area, *arguments)

    @property
    def api(self) -> Range:
        """Return the engine's own range: the office's objects stay in the bridge."""
        return self

    @property
    def coords(self) -> tuple[str, int, int, int, int]:
        return self.sheet.name, self.row, self.column, *self.shape

    @property
    def row(self) -> int:
        return self.area[0] + 1

    @property
    def column(self) -> int:
        return self.area[1] + 1

    @property
    def shape(self) -> tuple[int, int]:
        top, left, bottom, right = self.area
        return bottom - top + 1, right - left + 1

    def __len__(self) -> int:
        rows, columns = self.shape
        return rows * columns

    def __call__(self, row: int, column: int | None = None) -> Range:
        if column is None:
            row, column = (row - 1) // self.shape[1] + 1, (row - 1) % self.shape[1] + 1
        return self.sheet.cell(self.area[0] + row - 1, self.area[1] + column - 1)

    @property
    def raw_value(self) -> Any:
        """Return rows of numbers, texts, booleans, dates, None for blanks, Excel's codes for errors."""
        rows, errors = self._ask("read")
        for row, column, text in errors:
            rows[row][column] = ERRORS[text]
        return rows

    @raw_value.setter
    def raw_value(self, data: Any) -> None:
        rows, columns = self.shape
        if isinstance(data, str) and data.startswith("=") and len(self) > 1:
            self._ask("fill", to_office(data))
            return
        if not isinstance(data, list | tuple):
            data = [[data] * columns] * rows
        elif not data or not isinstance(data[0], list | tuple):
            data = [data]
        made = block(data)
        top, left, _, _ = self.area
        target = (top, left, top + len(data) - 1, left + len(data[0]) - 1)
        self.sheet.ask("write", target, made.rows, made.formulas, made.formatted)

    @property
    def formula(self) -> Any:
        """Return a formula in Excel's A1 grammar, or a tuple of rows of them; constants as typed, "" for blanks."""
        formulas, values = self._ask("formulas")
        rows = tuple(
            tuple(
                typed(to_excel(text)) if text.startswith(("=", "{=")) and text != value else constant(value)
                for text, value in zip(texts, row, strict=True)
            )
            for texts, row in zip(formulas, values, strict=True)
        )
        return rows[0][0] if len(self) == 1 else rows

    @formula.setter
    def formula(self, value: Any) -> None:
        self.raw_value = value

    formula2 = formula

    @property
    def has_array(self) -> bool:
        return bool(self._ask("array"))

    @property
    def address(self) -> str:
        return address_of(self.area)

    def select(self) -> None:
        self.sheet.book.ask("activate", self.sheet.name, self.area)

    @property
    def number_format(self) -> str | None:
        found: str | None = self._ask("number_format")
        return found

    @number_format.setter
    def number_format(self, value: str) -> None:
        self._ask("number_format", value)
