"""A workbook of the `libreoffice` engine with its sheets and names; see `libreoffice`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from xlwings import base_classes

from addin.engines import workbooks
from addin.engines.addresses import Area
from addin.engines.calc.formulas import to_excel, to_office
from addin.engines.calc.range import Range
from addin.errors import BookError
from addin.kernel import Address
from addin.kernel.formula.cells import own_name, owner_of


class Book(workbooks.Book["Sheet"]):
    """A workbook open in the office, identified by its RuntimeUID. `ask` sends a request to the office."""

    def __init__(self, app: base_classes.App, ask: Callable[..., Any], uid: str) -> None:
        super().__init__(app)
        self._ask = ask
        self.uid = uid

    def ask(self, method: str, *arguments: Any) -> Any:
        """Send a request about this workbook; a refusal names it."""
        try:
            return self._ask(method, self.uid, *arguments)
        except BookError as error:
            titles = [title for uid, title, _ in self._ask("books") if uid == self.uid]
            raise BookError(f"{titles[0] if titles else 'the workbook'}: {error}") from None

    def new_sheet(self, title: str) -> Sheet:
        return Sheet(self, title)

    @property
    def name(self) -> str:
        _, title, path = self.ask("described")
        return Path(path).name if path else str(title)

    @property
    def fullname(self) -> str:
        """Return the path, or the title of a workbook that was never saved."""
        _, title, path = self.ask("described")
        return str(path or title)

    @property
    def sheets(self) -> Sheets:
        return Sheets(self)

    @property
    def names(self) -> Names:
        return Names(self, None)

    def activate(self) -> None:
        self.ask("activate")

    def close(self) -> None:
        self.ask("close")

    def put_in(
        self,
        data: bytes,
        title: str,
        readers: tuple[Sequence[Address], Sequence[str]],
        written: Sequence[tuple[int, int, Sequence[str]]],
        label: str,
        show: bool,
    ) -> list[tuple[str, str]]:
        """Put the sheet of a package in, without interruption and as a single Undo entry called `label`.

        `readers` are the cells, and the names as Cells has them, that may refer to the sheet it replaces. Return place
        and formula of those that could not be redirected to the new one. `written` are the blocks (row, column, column
        of formulas) of the new sheet that read the rest of this workbook. `show` brings it to the front.
        """
        cells = [(at.sheet, at.row - 1, at.column - 1) for at in readers[0]]
        names = [owner_of(key) for key in readers[1]]
        entries = [(row - 1, column - 1, [to_office(text) for text in texts]) for row, column, texts in written]
        left = self.ask("put_in", data, title, cells, names, entries, label, show)
        return [(_place(where), to_excel(text)) for where, text in left]

    def write(self, path: Path | None) -> None:
        _, title, current = self.ask("described")
        if path is None and not current:
            path = Path(f"{title}.xlsx")
        self.ask("save", None if path is None else str(path.resolve()))


def _place(where: tuple[Any, ...]) -> str:
    if len(where) == 3:
        sheet, row, column = where
        return Address(sheet, row + 1, column + 1).a1
    return own_name(*where) if where[0] else str(where[1])


class Sheets(workbooks.Sheets):
    """The sheets of a workbook."""

    book: Book

    def titles(self) -> list[str]:
        titles: list[str] = self.book.ask("sheets")
        return titles

    @property
    def active(self) -> Sheet:
        return self.book.sheet(self.book.ask("active_sheet"))

    def add(self, before: Sheet | None = None, after: Sheet | None = None, name: str | None = None) -> Sheet:
        """Add an empty sheet, by default before the active one, and activate it."""
        sheet = self.book.sheet(name or self.free("Sheet{}", 1))
        self.book.ask("add_sheet", sheet.name, position(before or (None if after else self.active), after))
        sheet.activate()
        return sheet


def position(before: workbooks.Sheet | None, after: workbooks.Sheet | None) -> int:
    """Return the position, from 0, before or after a sheet."""
    return before.index - 1 if before else after.index if after else 0


class Sheet(workbooks.Sheet):
    """A sheet of a workbook."""

    _book: Book

    def ask(self, method: str, *arguments: Any) -> Any:
        """Send a request about this sheet."""
        return self._book.ask(method, self.name, *arguments)

    def area(self, area: Area) -> Range:
        return Range(self, area, self.ask)

    def choose(self, area: Area) -> None:
        self._book.ask("activate", self.name, area)

    def rename(self, title: str) -> None:
        self.ask("rename_sheet", title)

    @property
    def names(self) -> Names:
        return Names(self._book, self.name)

    @property
    def used_range(self) -> Range:
        area: Area = self.ask("used")
        return self.area(area)

    def activate(self) -> None:
        self._book.ask("activate", self.name)

    def delete(self) -> None:
        self.ask("delete_sheet")
        self._book.forget(self.name)

    def copy_to(self, book: Any, title: str, before: workbooks.Sheet | None, after: workbooks.Sheet | None) -> None:
        self.ask("copy_sheet", book.uid, title, position(before, after))


class Names(workbooks.Names):
    """The defined names of a workbook and its sheets, or of one sheet."""

    book: Book

    def every(self) -> list[workbooks.Name]:
        return [
            Name(self.book, scope or None, local, to_excel(content)) for scope, local, content in self.book.ask("names")
        ]

    def add(self, name: str, refers_to: str) -> workbooks.Name:
        """Define a name, or redefine an existing one."""
        Name(self.book, self.scope, name, "").refers_to = refers_to
        return self(name)


class Name(workbooks.Name):
    """A defined name."""

    _book: Book

    def define(self, refers_to: str | None) -> None:
        self._book.ask("define", self.scope or "", self.local, None if refers_to is None else to_office(refers_to))
