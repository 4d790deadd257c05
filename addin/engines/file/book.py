"""A workbook of the file engine with its sheets and names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xlwings import base_classes

from addin.engines import workbooks
from addin.engines.addresses import Area
from addin.engines.file.package import Package
from addin.engines.file.range import Range
from addin.errors import BookError, RequestError
from addin.xlsx import destination
from addin.xlsx.package import PackageError, read_parts, write_parts
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.workbook_part import active_sheet, check, titles


def _stamp(path: Path) -> tuple[int, int]:
    """Return the time and the size of a file, which change when it is saved."""
    state = path.stat()
    return state.st_mtime_ns, state.st_size


class Book(workbooks.Book["Sheet"]):
    """A workbook read into memory; only `save` changes the file."""

    def __init__(self, app: base_classes.App, opened: list[Book], path: Path) -> None:
        super().__init__(app)
        parts = read_parts(path)
        try:
            check(parts)
        except BookError as error:
            raise BookError(f"{path.name}: {error}") from None
        self._read = _stamp(path)
        self._opened = opened  # the workbooks of its application, the active one first
        self.path = path
        self.package = Package(parts, path.name)
        every = titles(parts)
        top = every[min(active_sheet(parts[WORKBOOK]), len(every) - 1)]
        self.top = top if top in self.package.titles else self.package.titles[0]

    def new_sheet(self, title: str) -> Sheet:
        return Sheet(self, title)

    def renamed(self, sheet: Sheet, title: str) -> None:
        super().renamed(sheet, title)
        if self.top == sheet.name:
            self.top = title

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def fullname(self) -> str:
        return str(self.path)

    @property
    def sheets(self) -> Sheets:
        return Sheets(self)

    @property
    def names(self) -> Names:
        return Names(self, None)

    def activate(self) -> None:
        self.close()
        self._opened.insert(0, self)

    def close(self) -> None:
        self._opened[:] = [book for book in self._opened if book is not self]

    def put(self, title: str, beside: str, *, behind: bool) -> None:
        """Put a sheet before or after another one in the tab order."""
        own, position = self.package.index(title), self.package.index(beside)
        position += behind - (own < position)
        if position != own:
            self.package.move(title, position)

    def write(self, path: Path | None) -> None:
        """Write the file whole or not at all."""
        target = path.absolute() if path else self.path
        destination.check(target, self.path, str(target))
        if target == self.path and _stamp(target) != self._read:
            raise RequestError(
                f"{target}: was saved by somebody else since it was read. Nothing was written; run this again."
            )
        try:
            write_parts(target, self.package.flushed())
        except PackageError as error:
            raise RequestError(str(error)) from None
        self.path, self._read = target, _stamp(target)
        self.package.name = target.name


class Sheets(workbooks.Sheets):
    """The sheets of cells of a book in tab order."""

    book: Book

    def titles(self) -> list[str]:
        return list(self.book.package.titles)

    @property
    def active(self) -> Sheet:
        return self.book.sheet(self.book.top)

    def add(self, before: Sheet | None = None, after: Sheet | None = None, name: str | None = None) -> Sheet:
        """Add an empty sheet, by default before the active one, and activate it."""
        title = name or self.free("Sheet{}", 1)
        beside = before or after or self.active
        self.book.package.add(title)
        self.book.put(title, beside.name, behind=after is not None)
        self.book.top = title
        return self.book.sheet(title)


class Sheet(workbooks.Sheet):
    """One sheet of a package."""

    _book: Book

    def __init__(self, book: Book, title: str) -> None:
        super().__init__(book, title)
        self._package = book.package
        self._selected: Area | None = None  # since opening

    def area(self, area: Area) -> Range:
        return Range(self, area, self._package)

    def choose(self, area: Area) -> None:
        self.activate()
        self._selected = area

    def rename(self, title: str) -> None:
        self._package.rename(self.name, title)

    @property
    def names(self) -> Names:
        return Names(self._book, self.name)

    @property
    def selection(self) -> workbooks.Range:
        """The selected cells of this sheet."""
        return self.area(self._selected) if self._selected else self.range(self._package.sheet(self.name).selected)

    @property
    def used_range(self) -> Range:
        """The smallest rectangle with all cells that are not blank; A1 on an empty sheet.

        Excel also counts formatted cells: with one far out it would be the whole sheet.
        """
        stored = self._package.sheet(self.name).cells
        cells = [at for at, cell in stored.items() if cell.value is not None or cell.formula] or [(1, 1)]
        rows, columns = [row for row, _ in cells], [column for _, column in cells]
        return self.area((min(rows) - 1, min(columns) - 1, max(rows) - 1, max(columns) - 1))

    def activate(self) -> None:
        self._book.top = self.name

    def delete(self) -> None:
        position = self.index - 1
        self._package.delete(self.name)
        self._book.forget(self.name)
        if self._book.top == self.name:
            left = self._package.titles
            self._book.top = left[min(position, len(left) - 1)]

    def copy_to(self, book: Any, title: str, before: workbooks.Sheet | None, after: workbooks.Sheet | None) -> None:
        book.package.copy_in(self._package, self.name, title)
        book.put(title, (before or after or self).name, behind=after is not None)
        book.top = title


class Names(workbooks.Names):
    """The defined names of a book, or those of one sheet."""

    book: Book

    def every(self) -> list[workbooks.Name]:
        return [Name(self.book, scope, name, text) for name, scope, text in self.book.package.names]

    def add(self, name: str, refers_to: str) -> workbooks.Name:
        """Define a name, or redefine an existing one."""
        self.book.package.define(name, self.scope, refers_to.removeprefix("="))
        return self(name)


class Name(workbooks.Name):
    """A defined name; names of the file format, such as `Print_Titles`, are stored with a prefix."""

    _book: Book

    def __init__(self, book: Book, scope: str | None, stored: str, refers_to: str) -> None:
        super().__init__(book, scope, stored.removeprefix("_xlnm."), refers_to)
        self._stored = stored

    def define(self, refers_to: str | None) -> None:
        self._book.package.define(self._stored, self.scope, refers_to)
