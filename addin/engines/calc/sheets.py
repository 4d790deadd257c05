"""Workbook and sheets of the `libreoffice` engine; see `libreoffice`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlwings import base_classes

from addin.engines.addresses import LAST_COLUMN, LAST_ROW, area_of
from addin.engines.calc.cells import Range
from addin.engines.calc.names import Names
from addin.errors import BookError

if TYPE_CHECKING:
    from addin.engines.calc import App, Books

_LONGEST_NAME = 31


class Book(base_classes.Book):
    """A workbook open in the office, known by the office's own identity for it."""

    def __init__(self, books: Books, uid: str) -> None:
        self.books = books
        self.uid = uid
        self._sheets: dict[str, Sheet] = {}

    def ask(self, method: str, *arguments: Any) -> Any:
        """Ask the office about this workbook; a refusal names it."""
        try:
            return self.app.ask(method, self.uid, *arguments)
        except BookError as error:
            raise BookError(f"{self._shown()}: {error}") from None

    def _shown(self) -> str:
        return next((title for uid, title, _ in self.app.ask("books") if uid == self.uid), "the workbook")

    @property
    def api(self) -> Book:
        return self

    @property
    def app(self) -> App:
        return self.books.app

    @property
    def name(self) -> str:
        _, title, path = self.ask("described")
        return Path(path).name if path else str(title)

    @property
    def fullname(self) -> str:
        """Return the path, or the title of a workbook never saved."""
        _, title, path = self.ask("described")
        return str(path or title)

    @property
    def sheets(self) -> Sheets:
        return Sheets(self)

    def sheet(self, name: str) -> Sheet:
        """Return the one object for a sheet, so that all follow when it is renamed."""
        return self._sheets.setdefault(name, Sheet(self, name))

    def renamed(self, sheet: Sheet, name: str) -> None:
        """Know a sheet by another name."""
        self._sheets.pop(sheet.name, None)
        self._sheets[name] = sheet

    @property
    def names(self) -> Names:
        return Names(self, None)

    def activate(self) -> None:
        self.ask("activate")

    def close(self) -> None:
        self.ask("close")

    def save(self, path: str | None = None, password: str | None = None) -> None:
        """Save in place, or under a path, which becomes the workbook's own."""
        _, title, current = self.ask("described")
        if path is None and not current:
            path = f"{title}.xlsx"
        self.ask("save", None if path is None else str(Path(path).resolve()), password)


class Sheets(base_classes.Sheets):
    """The sheets of a workbook."""

    def __init__(self, book: Book) -> None:
        self._book = book

    @property
    def api(self) -> Sheets:
        return self

    def _names(self) -> list[str]:
        names: list[str] = self._book.ask("sheets")
        return names

    @property
    def active(self) -> Sheet:
        return self._book.sheet(self._book.ask("active_sheet"))

    def __call__(self, key: int | str) -> Sheet:
        names = self._names()
        if isinstance(key, str):
            found = [name for name in names if name.lower() == key.lower()]
            if not found:
                raise KeyError(key)
            return self._book.sheet(found[0])
        return self._book.sheet(names[int(key) - 1])

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key.lower() in map(str.lower, self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[Sheet]:
        return iter([self._book.sheet(name) for name in self._names()])

    def add(self, before: Sheet | None = None, after: Sheet | None = None, name: str | None = None) -> Sheet:
        """Add an empty sheet, before the one shown unless told otherwise, and show it."""
        position = self.position(before, after) if before or after else self.active.index - 1
        sheet = self._book.sheet(name or self.free("Sheet{}", 1))
        self._book.ask("add_sheet", sheet.name, position)
        sheet.activate()
        return sheet

    def position(self, before: Sheet | None, after: Sheet | None) -> int:
        """Return the place, from 0, before or after a sheet; the end without either."""
        names = self._names()
        if before:
            return names.index(before.name)
        return names.index(after.name) + 1 if after else len(names)

    def free(self, pattern: str, first: int) -> str:
        """Return the first name of a pattern that no sheet has."""
        taken = {name.lower() for name in self._names()}
        return next(
            name
            for number in range(first, len(taken) + first + 1)
            if (name := pattern.format(number)).lower() not in taken
        )


class Sheet(base_classes.Sheet):
    """A sheet, known by its name."""

    def __init__(self, book: Book, name: str) -> None:
        self._book = book
        self._name = name

    def ask(self, method: str, *arguments: Any) -> Any:
        """Ask the office about this sheet."""
        return self._book.ask(method, self._name, *arguments)

    @property
    def api(self) -> Sheet:
        return self

    @property
    def book(self) -> Book:
        return self._book

    @property
    def name(self) -> str:
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self.ask("rename_sheet", value)
        self._book.renamed(self, value)
        self._name = value

    @property
    def index(self) -> int:
        names = self._book.ask("sheets")
        if self._name not in names:
            raise BookError(f"{self._book.name}: there is no sheet {self._name!r} any more. Restore it.")
        return int(names.index(self._name)) + 1

    @property
    def names(self) -> Names:
        return Names(self._book, self)

    @property
    def cells(self) -> Range:
        return Range(self, 0, 0, LAST_ROW, LAST_COLUMN)

    def cell(self, row: int, column: int) -> Range:
        """Return a cell by row and column from 0."""
        return Range(self, row, column, row, column)

    def range(self, arg1: Any, arg2: Any = None) -> Range:
        """Return a range from addresses, names, (row, column) from 1, or (row, column, rows, columns)."""
        first = self._corner(arg1)
        if arg2 is None:
            return first
        second = self._corner(arg2)
        corners = list(zip(first.area, second.area, strict=True))
        return Range(self, min(corners[0]), min(corners[1]), max(corners[2]), max(corners[3]))

    def _corner(self, place: Any) -> Range:
        if isinstance(place, Range):
            return place
        if isinstance(place, tuple):
            row, column, rows, columns = place if len(place) == 4 else (*place, 1, 1)
            if 0 in (row, column):
                raise IndexError("Attempted to access 0-based Range. xlwings/Excel Ranges are 1-based.")
            return Range(self, row - 1, column - 1, row + rows - 2, column + columns - 2)
        area = area_of(place)
        if area is not None:
            return Range(self, *area)
        names = self.names if self.names.contains(place) else self._book.names
        if not names.contains(place):
            raise BookError(f"{self._book.name}: {place!r} is neither a range nor a name. Correct it.")
        return names(place).refers_to_range

    @property
    def used_range(self) -> Range:
        return Range(self, *self.ask("used"))

    def activate(self) -> None:
        self._book.ask("activate", self._name)

    select = activate

    def delete(self) -> None:
        self.ask("delete_sheet")

    def copy(self, before: Sheet | None, after: Sheet | None) -> None:
        """Copy the sheet with its charts, also into another workbook of the same office."""
        target = (before or after or self).book
        position = target.sheets.position(before, after)
        name = self._name
        if name in target.sheets:
            stem = re.sub(r" \(\d+\)$", "", name)
            name = target.sheets.free(stem[: _LONGEST_NAME - 5] + " ({})", 2)
        self.ask("copy_sheet", target.uid, name, position)
