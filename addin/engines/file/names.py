"""Defined names of the file engine, as xlwings asks for them."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING

from xlwings import base_classes

from addin.engines.file.package import Package
from addin.engines.file.range import Range
from addin.errors import RequestError
from addin.kernel.formula.cells import quoted

if TYPE_CHECKING:
    from addin.engines.file.book import Book


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
        if isinstance(name_or_index, Number):
            return self._every()[int(name_or_index) - 1]
        found = self._find(str(name_or_index))
        if found is None:
            raise KeyError(name_or_index)
        return found

    def _find(self, key: str) -> Name | None:
        """Return the name of that text, with its sheet or without; of two the one of the workbook."""
        wanted = key.casefold()
        found = [one for one in self._every() if wanted in (one.name.casefold(), one.local.casefold())]
        return min(found, key=lambda one: one.sheet is not None and self.sheet is None, default=None)

    def contains(self, name_or_index: str) -> bool:
        return self._find(str(name_or_index)) is not None

    def __len__(self) -> int:
        return len(self._every())

    def snapshot(self) -> list[tuple[str, Name]]:
        return [(name.name, name) for name in self._every()]

    def add(self, name: str, refers_to: str) -> Name:
        """Define a name, or give one of that name another meaning."""
        self.book.package.define(name, self.sheet, refers_to.removeprefix("="))
        return self(name)


class Name(base_classes.Name):
    """A defined name as it was when it was asked for."""

    def __init__(self, book: Book, name: str, sheet: str | None, text: str) -> None:
        self.book = book
        self._name = name
        self.sheet = sheet
        self._text = text

    @property
    def api(self) -> Name:
        return self

    @property
    def local(self) -> str:
        """The name without its sheet."""
        return self._name.removeprefix("_xlnm.")

    @property  # type: ignore[misc]  # xlwings lets names be renamed
    def name(self) -> str:
        """The name; that of a sheet carries the sheet before it, as in Excel."""
        return self.local if self.sheet is None else f"{quoted(self.sheet)}!{self.local}"

    def delete(self) -> None:
        self.book.package.define(self._name, self.sheet, None)

    @property
    def refers_to(self) -> str:
        return f"={self._text}"

    @refers_to.setter
    def refers_to(self, value: str) -> None:
        self._text = value.removeprefix("=")
        self.book.package.define(self._name, self.sheet, self._text)

    @property
    def refers_to_range(self) -> Range:
        """The cells behind the name. Raises RequestError when it stands for something else."""
        sheet, _, cells = self._text.rpartition("!")
        title = sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet
        found = Range.at(self.book.sheets(title), cells) if title in self.book.sheets else None
        if found is None:
            raise RequestError(
                f"{self.book.name}: the name {self.name} stands for {self._text}, not for cells. "
                "Restore the cells, or take a fresh copy."
            )
        return found
