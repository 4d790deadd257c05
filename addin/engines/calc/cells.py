"""Ranges, fonts, names and charts of the `libreoffice` engine; see `libreoffice`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openpyxl.utils import get_column_letter
from xlwings import base_classes

from addin.engines.addresses import LAST_COLUMN, LAST_ROW, external
from addin.engines.calc.formulas import to_excel, to_office
from addin.engines.calc.values import ERRORS, block, constant, typed

if TYPE_CHECKING:
    from addin.engines.calc.sheets import Sheet

CONTENTS, FORMATS, ALL = 1 | 2 | 4 | 16, 32 | 64, 1 | 2 | 4 | 8 | 16 | 32 | 64  # com.sun.star.sheet.CellFlags
_PIXELS_PER_POINT, _CHARACTER_PIXELS, _PADDING_PIXELS = 96 / 72, 7, 5  # Calibri 11, the font of column widths
_DIRECTIONS = {"d": "down", "u": "up", "r": "right", "l": "left"}
_STEPS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}


def _rgb(color: int) -> tuple[int, int, int] | None:
    return None if color == -1 else (color >> 16 & 255, color >> 8 & 255, color & 255)


def _number(color: Any) -> int:
    if isinstance(color, str):
        color = tuple(bytes.fromhex(color.removeprefix("#")))
    if isinstance(color, int):  # Excel counts blue first
        return (color & 255) << 16 | color & 0xFF00 | color >> 16
    return -1 if color is None else color[0] << 16 | color[1] << 8 | color[2]


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
    def formula_array(self) -> str | None:
        return to_excel(self._ask("array")) or None

    @formula_array.setter
    def formula_array(self, value: str) -> None:
        self._ask("array", to_office(value))

    @property
    def has_array(self) -> bool:
        return bool(self._ask("array"))

    def get_address(self, row_absolute: bool, column_absolute: bool, with_book: bool) -> str:
        top, left, bottom, right = self.area
        row, column = "$" if row_absolute else "", "$" if column_absolute else ""
        corners = [f"{column}{get_column_letter(c + 1)}{row}{r + 1}" for r, c in ((top, left), (bottom, right))]
        address = corners[0] if len(self) == 1 else ":".join(corners)
        return external(self.sheet.book.name, self.sheet.name, address) if with_book else address

    @property
    def address(self) -> str:
        return self.get_address(True, True, False)

    def end(self, direction: str) -> Range:
        """Return the cell that Ctrl and an arrow key lead to from the first cell."""
        down, right = _STEPS[_DIRECTIONS.get(direction, direction)]
        row, column = self.area[:2]
        used = self.sheet.used_range.area
        limit = (max(used[2], row), max(used[3], column))
        first = (0, column) if down else (row, 0)
        last = (limit[0], column) if down else (row, limit[1])
        cells = Range(self.sheet, *first, *last).raw_value
        line = [cell[0] for cell in cells] if down else cells[0]
        place, step = (row, down) if down else (column, right)

        def filled(index: int) -> bool:
            return 0 <= index < len(line) and line[index] is not None

        if filled(place) and filled(place + step):
            while filled(place + step):
                place += step
        else:
            place += step
            while 0 <= place < len(line) and not filled(place):
                place += step
            edge = (LAST_ROW if down else LAST_COLUMN) if step > 0 else 0
            place = place if filled(place) else edge
        return self.sheet.cell(place, column) if down else self.sheet.cell(row, place)

    @property
    def current_region(self) -> Range:
        return Range(self.sheet, *self._ask("region"))

    def clear_contents(self) -> None:
        self._ask("clear", CONTENTS)

    def clear_formats(self) -> None:
        self._ask("clear", FORMATS)

    def clear(self) -> None:
        self._ask("clear", ALL)

    def select(self) -> None:
        self.sheet.book.ask("activate", self.sheet.name, self.area)

    def autofit(self, axis: str | None = None) -> None:
        columns, rows = axis in (None, "columns", "c"), axis in (None, "rows", "r")
        self._ask("resize", -1.0 if columns else None, -1.0 if rows else None)

    @property
    def number_format(self) -> str | None:
        found: str | None = self._ask("number_format")
        return found

    @number_format.setter
    def number_format(self, value: str) -> None:
        self._ask("number_format", value)

    @property
    def color(self) -> tuple[int, int, int] | None:
        return _rgb(self._ask("look", "CellBackColor"))

    @color.setter
    def color(self, value: Any) -> None:
        self._ask("change_look", "CellBackColor", _number(value))

    @property
    def wrap_text(self) -> bool:
        return bool(self._ask("look", "IsTextWrapped"))

    @wrap_text.setter
    def wrap_text(self, value: bool) -> None:
        self._ask("change_look", "IsTextWrapped", bool(value))

    @property
    def font(self) -> Font:
        return Font(self)

    @property
    def left(self) -> float:
        return float(self._ask("size")[0])

    @property
    def top(self) -> float:
        return float(self._ask("size")[1])

    @property
    def width(self) -> float:
        return float(self._ask("size")[2])

    @property
    def height(self) -> float:
        return float(self._ask("size")[3])

    @property
    def column_width(self) -> float:
        """Return the width in characters of Excel's normal font."""
        pixels = float(self._ask("size")[4]) * _PIXELS_PER_POINT
        return max(0.0, round((pixels - _PADDING_PIXELS) / _CHARACTER_PIXELS, 2))

    @column_width.setter
    def column_width(self, value: float) -> None:
        self._ask("resize", (value * _CHARACTER_PIXELS + _PADDING_PIXELS) / _PIXELS_PER_POINT, None)

    @property
    def row_height(self) -> float:
        """Return the height in points."""
        return round(float(self._ask("size")[5]), 2)

    @row_height.setter
    def row_height(self, value: float) -> None:
        self._ask("resize", None, float(value))


class Font(base_classes.Font):
    """The font of a range."""

    def __init__(self, cells: Range) -> None:
        self._cells = cells

    @property
    def api(self) -> Font:
        return self

    def _get(self, name: str) -> Any:
        return self._cells._ask("look", name)

    def _set(self, name: str, value: Any) -> None:
        self._cells._ask("change_look", name, value)

    @property
    def bold(self) -> bool:
        return bool(self._get("CharWeight") > 100)

    @bold.setter
    def bold(self, value: bool) -> None:
        self._set("CharWeight", 150.0 if value else 100.0)

    @property
    def italic(self) -> bool:
        return bool(self._get("CharPosture") == "ITALIC")

    @italic.setter
    def italic(self, value: bool) -> None:
        self._set("CharPosture", "ITALIC" if value else "NONE")

    @property
    def size(self) -> float:
        return float(self._get("CharHeight"))

    @size.setter
    def size(self, value: float) -> None:
        self._set("CharHeight", float(value))

    @property
    def name(self) -> str:
        return str(self._get("CharFontName"))

    @name.setter
    def name(self, value: str) -> None:
        self._set("CharFontName", value)

    @property
    def color(self) -> tuple[int, int, int] | None:
        return _rgb(self._get("CharColor"))

    @color.setter
    def color(self, value: Any) -> None:
        self._set("CharColor", _number(value))
