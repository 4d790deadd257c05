"""Books, sheets and names of the file engine, as xlwings asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Number
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlwings import base_classes

from addin.engines.file_cells import active_sheet
from addin.engines.file_package import Package
from addin.engines.file_range import LAST_COLUMN, LAST_ROW, Range, area_of
from addin.engines.splice_parts import WORKBOOK
from addin.engines.splice_sheets import titles
from addin.errors import RequestError
from addin.kernel import KernelError
from addin.kernel.cells import quoted
from model.errors import ModelError
from model.package import read_parts, write_parts

if TYPE_CHECKING:
    from addin.engines.file import App


class Book(base_classes.Book):
    """A workbook read into memory; the file changes with `save` alone."""

    def __init__(self, app: App, path: Path) -> None:
        try:
            parts = read_parts(path)
        except ModelError as error:
            raise RequestError(str(error)) from None
        self.path = path
        self._app = app
        self.package = Package(parts, path.name)
        every = titles(parts)
        top = every[min(active_sheet(parts[WORKBOOK]), len(every) - 1)]
        self.top = top if top in self.package.titles else self.package.titles[0]
        self.selections: dict[str, str] = {}  # by title of the sheet

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
        if target.suffix.casefold() != self.path.suffix.casefold():
            raise RequestError(f"{target}: expected a file name that ends in {self.path.suffix}, as {self.name} does.")
        if not target.parent.is_dir():
            raise RequestError(f"{target}: there is no folder {target.parent}. Make it, or name another.")
        try:
            write_parts(target, self.package.flushed())
        except (ModelError, OSError) as error:
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
        return Sheet(self.book, self.book.top)

    def __call__(self, name_or_index: int | str) -> Sheet:
        every = self.book.package.titles
        if isinstance(name_or_index, Number):
            if not 1 <= int(name_or_index) <= len(every):
                raise IndexError(f"{self.book.name} has {len(every)} sheets, there is no sheet {name_or_index}")
            return Sheet(self.book, every[int(name_or_index) - 1])
        for title in every:
            if title.casefold() == str(name_or_index).casefold():
                return Sheet(self.book, title)
        raise KeyError(name_or_index)

    def __len__(self) -> int:
        return len(self.book.package.titles)

    def __iter__(self) -> Iterator[Sheet]:
        return (Sheet(self.book, title) for title in self.book.package.titles)

    def __contains__(self, name: str) -> bool:
        return str(name).casefold() in {title.casefold() for title in self.book.package.titles}

    def add(self, before: Sheet | None = None, after: Sheet | None = None, name: str | None = None) -> Sheet:
        """Add an empty sheet and make it the active one: before the active one unless a place is given."""
        title = name or next(one for n in range(1, 10**6) if (one := f"Sheet{n}") not in self)
        if before is None and after is None:
            before = self.active
        self.book.package.add(title)
        sheet = Sheet(self.book, title)
        sheet.move(before, after)
        self.book.top = title
        return sheet


class Sheet(base_classes.Sheet):
    """One sheet, found by its title."""

    def __init__(self, book: Book, title: str) -> None:
        self._book = book
        self.title = title

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
        if self._book.top == self.title:
            self._book.top = value
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
    def protected(self) -> bool:
        """Whether locked cells of the sheet refuse to change."""
        return self.package.sheet(self.title).protected

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
        names = self._book.names
        if names.contains(place):
            found = names(place).refers_to_range
            if found.sheet.title == self.title:
                return found
            raise RequestError(f"{place}: the name stands for cells of {found.sheet.title}, not of {self.title}.")
        text = str(place)
        sheet, _, cells = text.rpartition("!")
        if sheet and sheet.strip("'").replace("''", "'").casefold() != self.title.casefold():
            raise RequestError(f"{text}: is not on the sheet {self.title}. Ask that sheet.")
        return Range(self, *area_of(cells))

    @property
    def cells(self) -> Range:
        return Range(self, 1, 1, LAST_ROW, LAST_COLUMN)

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
        self._book.selections.pop(self.title, None)
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
        names = (self.title, *(f"{self.title[:26]} ({n})" for n in range(2, 1000)))
        title = next(one for one in names if one not in there)
        beside.package.copy_in(self.package, self.title, title)
        Sheet(beside.book, title).move(before, after)
        beside.book.top = title

    def move(self, before: Sheet | None, after: Sheet | None) -> None:
        beside = before or after
        if beside is None:
            return
        own, place = self.package.position(self.title), self.package.position(beside.title)
        place += (after is not None) - (own < place)
        if place != own:
            self.package.move(self.title, place)


class Names(base_classes.Names):
    """The defined names of a book, or those of one sheet."""

    def __init__(self, book: Book, sheet: str | None) -> None:
        self.book = book
        self.sheet = sheet

    @property
    def api(self) -> Package:
        return self.book.package

    def _every(self) -> list[Name]:
        return [
            Name(self.book, name, local, text)
            for name, local, text in self.book.package.names
            if self.sheet in (None, local)
        ]

    def __call__(self, name_or_index: int | str) -> Name:
        every = self._every()
        if isinstance(name_or_index, Number):
            return every[int(name_or_index) - 1]
        for name in every:
            if name.name.casefold() == str(name_or_index).casefold():
                return name
        raise KeyError(name_or_index)

    def contains(self, name_or_index: str) -> bool:
        return any(name.name.casefold() == str(name_or_index).casefold() for name in self._every())

    def __len__(self) -> int:
        return len(self._every())

    def snapshot(self) -> list[tuple[str, Name]]:
        return [(name.name, name) for name in self._every()]

    def add(self, name: str, refers_to: str) -> Name:
        """Define a name, or give one of that name another meaning."""
        self.book.package.define(name, self.sheet, refers_to.removeprefix("="))
        return self(name if self.sheet is None else f"{quoted(self.sheet)}!{name}")


class Name(base_classes.Name):
    """A defined name as it was when it was asked for."""

    def __init__(self, book: Book, name: str, sheet: str | None, text: str) -> None:
        self.book = book
        self._name = name
        self._sheet = sheet
        self._text = text

    @property
    def api(self) -> Name:
        return self

    @property
    def name(self) -> str:
        """The name; that of a sheet carries the sheet before it, as in Excel."""
        shown = self._name.removeprefix("_xlnm.")
        return shown if self._sheet is None else f"{quoted(self._sheet)}!{shown}"

    @name.setter
    def name(self, value: str) -> None:
        self.delete()
        self._name = value
        self.book.package.define(value, self._sheet, self._text)

    def delete(self) -> None:
        self.book.package.define(self._name, self._sheet, None)

    @property
    def refers_to(self) -> str:
        return f"={self._text}"

    @refers_to.setter
    def refers_to(self, value: str) -> None:
        self._text = value.removeprefix("=")
        self.book.package.define(self._name, self._sheet, self._text)

    @property
    def refers_to_range(self) -> Range:
        """The cells behind the name. Raises RequestError when it stands for something else."""
        sheet, _, cells = self._text.rpartition("!")
        title = sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet
        try:
            if title not in self.book.sheets:
                raise KernelError(f"there is no sheet {title!r}.", "")
            return Range(self.book.sheets(title), *area_of(cells))
        except (KernelError, RequestError):
            raise RequestError(
                f"{self.book.name}: the name {self.name} stands for {self._text}, not for cells. "
                "Restore the cells, or take a fresh copy."
            ) from None
