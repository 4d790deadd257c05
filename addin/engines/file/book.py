"""Books, sheets and names of the file engine, as xlwings asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, count
from numbers import Number
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlwings import base_classes

from addin.engines.addresses import LAST_COLUMN, LAST_ROW
from addin.engines.file.names import Names
from addin.engines.file.package import Package
from addin.engines.file.range import Range
from addin.errors import BookError, RequestError
from addin.xlsx import destination
from addin.xlsx.package import PackageError, read_parts, write_parts
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.workbook_part import active_sheet, check, titles

if TYPE_CHECKING:
    from addin.engines.file import App

_LONGEST_TITLE = 31


class Book(base_classes.Book):
    """A workbook read into memory; the file changes with `save` alone."""

    def __init__(self, app: App, path: Path) -> None:
        parts = read_parts(path)
        try:
            check(parts)
        except BookError as error:
            raise BookError(f"{path.name}: {error}") from None
        self.path = path
        self._app = app
        self.package = Package(parts, path.name)
        every = titles(parts)
        top = every[min(active_sheet(parts[WORKBOOK]), len(every) - 1)]
        self.top = top if top in self.package.titles else self.package.titles[0]
        self._sheets: dict[str, Sheet] = {}

    def sheet(self, title: str) -> Sheet:
        """Return the one object for a sheet, so that all who hold it follow when it is renamed."""
        return self._sheets.setdefault(title, Sheet(self, title))

    def renamed(self, sheet: Sheet, title: str) -> None:
        """Know a sheet by another title."""
        self._sheets[title] = self._sheets.pop(sheet.title, sheet)
        if self.top == sheet.title:
            self.top = title

    def forget(self, title: str) -> None:
        """Know a sheet no more that was deleted."""
        self._sheets.pop(title, None)

    @property
    def api(self) -> Package:
        return self.package

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def fullname(self) -> str:
        return str(self.path)

    @property
    def app(self) -> App:
        return self._app

    @property
    def sheets(self) -> Sheets:
        return Sheets(self)

    @property
    def names(self) -> Names:
        return Names(self, None)

    def activate(self) -> None:
        self._app.top(self)

    def close(self) -> None:
        self._app.close(self)

    def save(self, path: str | None = None, password: str | None = None) -> None:
        """Write the file whole or not at all; a path makes it the file of this book, as SaveAs does."""
        target = Path(path).absolute() if path else self.path
        if password:
            raise RequestError(f"{target}: cannot be saved with a password. Set it in the spreadsheet.")
        destination.check(target, self.path, str(target))
        try:
            write_parts(target, self.package.flushed())
        except (PackageError, OSError) as error:
            raise RequestError(f"{target}: {error}") from None
        self.path = target
        self.package.name = target.name


class Sheets(base_classes.Sheets):
    """The sheets of cells of a book in tab order."""

    def __init__(self, book: Book) -> None:
        self.book = book

    @property
    def api(self) -> Package:
        return self.book.package

    @property
    def active(self) -> Sheet:
        return self.book.sheet(self.book.top)

    def __call__(self, name_or_index: int | str) -> Sheet:
        every = self.book.package.titles
        if isinstance(name_or_index, Number):
            if not 1 <= int(name_or_index) <= len(every):
                raise IndexError(f"{self.book.name} has {len(every)} sheets, there is no sheet {name_or_index}")
            return self.book.sheet(every[int(name_or_index) - 1])
        for title in every:
            if title.casefold() == str(name_or_index).casefold():
                return self.book.sheet(title)
        raise KeyError(name_or_index)

    def __len__(self) -> int:
        return len(self.book.package.titles)

    def __iter__(self) -> Iterator[Sheet]:
        return (self.book.sheet(title) for title in self.book.package.titles)

    def __contains__(self, name: str) -> bool:
        return str(name).casefold() in {title.casefold() for title in self.book.package.titles}

    def add(self, before: Sheet | None = None, after: Sheet | None = None, name: str | None = None) -> Sheet:
        """Add an empty sheet and make it the active one: before the active one unless a place is given."""
        title = name or next(one for number in count(1) if (one := f"Sheet{number}") not in self)
        if before is None and after is None:
            before = self.active
        self.book.package.add(title)
        sheet = self.book.sheet(title)
        sheet.move(before, after)
        self.book.top = title
        return sheet


class Sheet(base_classes.Sheet):
    """One sheet, found by its title."""

    def __init__(self, book: Book, title: str) -> None:
        self._book = book
        self.title = title
        self.chosen: str | None = None  # the area selected since opening

    @property
    def api(self) -> Sheet:
        return self

    @property
    def package(self) -> Package:
        """The package that holds the sheet."""
        return self._book.package

    @property
    def name(self) -> str:
        return self.title

    @name.setter
    def name(self, value: str) -> None:
        self.package.rename(self.title, value)
        self._book.renamed(self, value)
        self.title = value

    @property
    def names(self) -> Names:
        return Names(self._book, self.title)

    @property
    def book(self) -> Book:
        return self._book

    @property
    def index(self) -> int:
        return self.package.titles.index(self.title) + 1

    @property
    def selected(self) -> str:
        """The area that is selected on this sheet."""
        return self.chosen or self.package.sheet(self.title).selected

    def range(self, arg1: Any, arg2: Any = None) -> Range:
        """Return cells by reference, name, row and column, or corners."""
        if isinstance(arg1, tuple) and len(arg1) == 4:
            return Range(self, *arg1)
        if isinstance(arg1, Number) and isinstance(arg2, Number):
            arg1, arg2 = (arg1, arg2), None
        first = self._corner(arg1)
        return first if arg2 is None else first.to(self._corner(arg2))

    def _corner(self, place: Any) -> Range:
        if isinstance(place, Range):
            return place
        if isinstance(place, tuple):
            if 0 in place:
                raise IndexError("rows and columns are counted from 1, as in Excel")
            return Range(self, int(place[0]), int(place[1]), 1, 1)
        own, names = self.names, self._book.names
        if own.contains(place) or names.contains(place):
            found = (own if own.contains(place) else names)(place).refers_to_range
            if found.sheet.title == self.title:
                return found
            raise RequestError(f"{place}: the name stands for cells of {found.sheet.title}, not of {self.title}.")
        text = str(place)
        sheet, _, cells = text.rpartition("!")
        if sheet and sheet.strip("'").replace("''", "'").casefold() != self.title.casefold():
            raise RequestError(f"{text}: is not on the sheet {self.title}. Ask that sheet.")
        area = Range.at(self, cells)
        if area is None:
            raise RequestError(f"{text!r}: is neither a range nor a name of {self._book.name}. Correct it.")
        return area

    @property
    def cells(self) -> Range:
        return Range(self, 1, 1, LAST_ROW + 1, LAST_COLUMN + 1)

    @property
    def used_range(self) -> Range:
        """The smallest rectangle with every cell that has content or a format of its own; A1 on an empty sheet."""
        spots = self.package.sheet(self.title).cells
        if not spots:
            return Range(self, 1, 1, 1, 1)
        rows, columns = [row for row, _ in spots], [column for _, column in spots]
        top, left = min(rows), min(columns)
        return Range(self, top, left, max(rows) - top + 1, max(columns) - left + 1)

    def activate(self) -> None:
        self._book.top = self.title

    def select(self) -> None:
        self.activate()

    def clear_contents(self) -> None:
        self.used_range.clear_contents()

    def delete(self) -> None:
        every = self.package.titles
        place = every.index(self.title)
        self.package.delete(self.title)
        self._book.forget(self.title)
        if self._book.top == self.title:
            self._book.top = self.package.titles[min(place, len(every) - 2)]

    def copy(self, before: Sheet | None, after: Sheet | None) -> None:
        """Copy the sheet beside another one, of any book of this engine, under its title or `title (2)`."""
        beside = before or after
        if not isinstance(beside, Sheet):
            raise RequestError(
                f"{self.title}: cannot be copied to another application. Open both files with one engine."
            )
        there = beside.book.sheets
        stem = re.sub(r" \(\d+\)$", "", self.title)[: _LONGEST_TITLE - 5]
        names = chain([self.title], (f"{stem} ({number})" for number in count(2)))
        title = next(one for one in names if one not in there)
        beside.package.copy_in(self.package, self.title, title)
        there(title).move(before, after)
        beside.book.top = title

    def move(self, before: Sheet | None, after: Sheet | None) -> None:
        beside = before or after
        if beside is None:
            return
        own, place = self.package.index(self.title), self.package.index(beside.title)
        place += (after is not None) - (own < place)
        if place != own:
            self.package.move(self.title, place)
