"""The common part of both engines, second half: a workbook with its sheets, names and ranges.

The classes of an engine add the methods that read and write sheets, names and cells. Each sheet has a single `Sheet`
object, so that all references to it follow when it is renamed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Generic, TypeVar

from xlwings import base_classes

from addin.engines.addresses import LAST_COLUMN, LAST_ROW, Area, address_of, area_of
from addin.errors import BookError, RequestError
from addin.kernel.formula.cells import quoted

S = TypeVar("S", bound="Sheet")
_LONGEST_TITLE = 31


class Book(base_classes.Book, Generic[S]):
    """An open workbook."""

    def __init__(self, app: base_classes.App) -> None:
        self._app = app
        self._sheets: dict[str, S] = {}

    def write(self, path: Path | None) -> None:
        """Save in place, or under a path, which becomes the workbook's own."""
        raise NotImplementedError

    def new_sheet(self, title: str) -> S:
        """Return an object for a sheet."""
        raise NotImplementedError

    @property
    def app(self) -> base_classes.App:
        return self._app

    @property
    def api(self) -> Book[S]:
        return self

    def save(self, path: str | None = None, password: str | None = None) -> None:
        """Save in place, or under a path, which becomes the workbook's own. Raises RequestError for a password."""
        if password:
            raise RequestError(f"{path or self.name}: cannot be saved with a password. Set it in the spreadsheet.")
        self.write(Path(path) if path else None)

    def sheet(self, title: str) -> S:
        """Return the one object for a sheet."""
        if title not in self._sheets:
            self._sheets[title] = self.new_sheet(title)
        return self._sheets[title]

    def renamed(self, sheet: S, title: str) -> None:
        """Note the new title of a sheet."""
        self._sheets.pop(sheet.name, None)
        self._sheets[title] = sheet

    def forget(self, title: str) -> None:
        """Forget a deleted sheet."""
        self._sheets.pop(title, None)


class Sheets(base_classes.Sheets):
    """The sheets of cells of a workbook in tab order."""

    def __init__(self, book: Book[Any]) -> None:
        self.book = book

    def titles(self) -> list[str]:
        """Return the titles of the sheets."""
        raise NotImplementedError

    def __call__(self, key: int | str) -> Sheet:
        titles = self.titles()
        if not isinstance(key, str):
            if not 1 <= int(key) <= len(titles):
                raise IndexError(f"{self.book.name} has {len(titles)} sheets, there is no sheet {key}")
            key = titles[int(key) - 1]
        for title in titles:
            if title.casefold() == key.casefold():
                sheet: Sheet = self.book.sheet(title)
                return sheet
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key.casefold() in map(str.casefold, self.titles())

    def __len__(self) -> int:
        return len(self.titles())

    def __iter__(self) -> Iterator[Sheet]:
        return iter([self.book.sheet(title) for title in self.titles()])

    def free(self, pattern: str, first: int) -> str:
        """Return the first title of a pattern that no sheet has."""
        taken = set(map(str.casefold, self.titles()))
        return next(title for n in count(first) if (title := pattern.format(n)).casefold() not in taken)


class Sheet(base_classes.Sheet):
    """A sheet, known by its title."""

    def __init__(self, book: Book[Any], title: str) -> None:
        self._book = book
        self._title = title

    def area(self, area: Area) -> Range:
        """Return the cells of an area."""
        raise NotImplementedError

    def choose(self, area: Area) -> None:
        """Show the sheet and select an area of it."""
        raise NotImplementedError

    def rename(self, title: str) -> None:
        """Give the sheet another title; references to it follow."""
        raise NotImplementedError

    def activate(self) -> None:
        """Show the sheet."""
        raise NotImplementedError

    def copy_to(self, book: Book[Any], title: str, before: Sheet | None, after: Sheet | None) -> None:
        """Copy the sheet with its charts before or after one of another workbook of the same application."""
        raise NotImplementedError

    @property
    def book(self) -> Book[Any]:
        return self._book

    @property
    def name(self) -> str:
        return self._title

    @name.setter
    def name(self, value: str) -> None:
        self.rename(value)
        self._book.renamed(self, value)
        self._title = value

    @property
    def index(self) -> int:
        titles = self._book.sheets.titles()
        if self._title not in titles:
            raise BookError(f"{self._book.name}: there is no sheet {self._title!r} any more. Restore it.")
        return int(titles.index(self._title)) + 1

    @property
    def cells(self) -> Range:
        return self.area((0, 0, LAST_ROW, LAST_COLUMN))

    def select(self) -> None:
        self.activate()

    def range(self, arg1: Any, arg2: Any = None) -> Range:
        """Return cells by address, name, (row, column) from 1, (row, column, rows, columns), or two such corners."""
        first = self._corner(arg1)
        if arg2 is None:
            return first
        top, left, bottom, right = zip(first.area, self._corner(arg2).area, strict=True)
        return self.area((min(top), min(left), max(bottom), max(right)))

    def _corner(self, corner: Any) -> Range:
        if isinstance(corner, Range):
            return corner
        if isinstance(corner, tuple):
            row, column, rows, columns = corner if len(corner) == 4 else (*corner, 1, 1)
            if 0 in (row, column):
                raise IndexError("rows and columns are counted from 1, as in Excel")
            return self.area((row - 1, column - 1, row + rows - 2, column + columns - 2))
        area = area_of(corner)
        if area is not None:
            return self.area(area)
        names = self.names if self.names.contains(corner) else self._book.names
        if not names.contains(corner):
            raise BookError(f"{self._book.name}: {corner!r} is neither a range nor a name. Correct it.")
        cells: Range = names(corner).refers_to_range
        return cells

    def copy(self, before: Sheet | None, after: Sheet | None) -> None:
        """Copy the sheet beside another one, of any workbook of this engine, under its title or `title (2)`."""
        beside = before or after
        if not isinstance(beside, type(self)):
            raise RequestError(
                f"{self._title}: cannot be copied to another application. Open both files with one engine."
            )
        sheets, title = beside.book.sheets, self._title
        if title in sheets:
            title = sheets.free(re.sub(r" \(\d+\)$", "", title)[: _LONGEST_TITLE - 5] + " ({})", 2)
        self.copy_to(beside.book, title, before, after)


class Names(base_classes.Names):
    """The defined names of a workbook, those of its sheets included, or of one sheet."""

    def __init__(self, book: Book[Any], scope: str | None) -> None:
        self.book = book
        self.scope = scope  # the title of the sheet of these names

    def every(self) -> list[Name]:
        """Return all names of the workbook."""
        raise NotImplementedError

    def _all(self) -> list[Name]:
        return [name for name in self.every() if self.scope in (None, name.scope)]

    def _find(self, key: str) -> Name | None:
        wanted = key.casefold()
        matching = [name for name in self._all() if wanted in (name.name.casefold(), name.local.casefold())]
        return min(matching, key=lambda name: name.scope is not None and self.scope is None, default=None)

    def __call__(self, key: int | str) -> Name:
        name = self._find(key) if isinstance(key, str) else self._all()[int(key) - 1]
        if name is None:
            raise KeyError(key)
        return name

    def contains(self, key: str) -> bool:
        return self._find(key) is not None

    def __len__(self) -> int:
        return len(self._all())

    def snapshot(self) -> list[tuple[str, Name]]:
        return [(name.name, name) for name in self._all()]


class Name(base_classes.Name):
    """A defined name as it was read; `scope` is the title of its sheet, None for a name of the workbook."""

    def __init__(self, book: Book[Any], scope: str | None, local: str, refers_to: str) -> None:
        self._book = book
        self.scope = scope
        self.local = local
        self._refers_to = refers_to

    def define(self, refers_to: str | None) -> None:
        """Define the name, without a leading "="; None deletes it."""
        raise NotImplementedError

    @property  # type: ignore[misc]  # xlwings lets names be renamed
    def name(self) -> str:
        """The name; that of a sheet carries the sheet before it, as in Excel."""
        return self.local if self.scope is None else f"{quoted(self.scope)}!{self.local}"

    def delete(self) -> None:
        self.define(None)

    @property
    def refers_to(self) -> str:
        return f"={self._refers_to}"

    @refers_to.setter
    def refers_to(self, value: str) -> None:
        self._refers_to = value.removeprefix("=")
        self.define(self._refers_to)

    @property
    def refers_to_range(self) -> Range:
        """The cells of the name. Raises BookError for a name of anything else."""
        sheet, _, cells = self._refers_to.rpartition("!")
        title = sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet
        area = area_of(cells)
        if area is None or title not in self._book.sheets:
            raise BookError(
                f"{self._book.name}: the name {self.name} stands for {self._refers_to}, not for cells. "
                "Restore the cells, or take a fresh copy."
            )
        on: Sheet = self._book.sheet(title)
        return on.area(area)


class Range(base_classes.Range):
    """A rectangle of cells of one sheet."""

    options: dict[str, Any]

    def __init__(self, sheet: Sheet, area: Area) -> None:
        self.sheet = sheet
        self.area = area

    def read(self) -> Any:
        """Return one value or rows of them: errors as Excel's codes, dates as datetime, blanks as None."""
        raise NotImplementedError

    def formulas(self) -> Any:
        """Return one formula or a tuple of rows of them; for other cells the constant as text, "" for a blank."""
        raise NotImplementedError

    def write(self, data: Any) -> None:
        """Write one value into every cell, or rows of values; a formula for many cells moves with them, as in Excel."""
        raise NotImplementedError

    @property
    def api(self) -> Range:  # xlwings writes only to a range with one
        return self

    @property
    def coords(self) -> tuple[str, int, int, int, int]:
        return (self.sheet.name, self.row, self.column, *self.shape)

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

    def __call__(self, arg1: int, arg2: int | None = None) -> Range:
        """Return a cell by row and column from 1, or by its number along the rows; it may be outside the range."""
        row, column = divmod(arg1 - 1, self.shape[1]) if arg2 is None else (arg1 - 1, arg2 - 1)
        row, column = self.area[0] + row, self.area[1] + column
        return self.sheet.area((row, column, row, column))

    @property
    def raw_value(self) -> Any:
        return self.read()

    @raw_value.setter
    def raw_value(self, data: Any) -> None:
        self.write(data)

    @property
    def formula(self) -> Any:
        return self.formulas()

    @formula.setter
    def formula(self, value: Any) -> None:
        self.write(value)

    formula2 = formula

    @property
    def address(self) -> str:
        return address_of(self.area)

    def select(self) -> None:
        self.sheet.choose(self.area)
