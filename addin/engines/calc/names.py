"""Defined names of the `libreoffice` engine; see `libreoffice`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xlwings import base_classes

from addin.engines.addresses import area_of
from addin.engines.calc.cells import Range
from addin.engines.calc.formulas import to_excel, to_office
from addin.errors import BookError

if TYPE_CHECKING:
    from addin.engines.calc.sheets import Book, Sheet

_PLAIN = re.compile(r"[^\W\d][\w.]*")


class Names(base_classes.Names):
    """The defined names of a workbook, those of its sheets included, or of one sheet."""

    def __init__(self, book: Book, sheet: Sheet | None) -> None:
        self._book = book
        self._sheet = sheet

    @property
    def api(self) -> Names:
        return self

    def _all(self) -> list[Name]:
        return [
            Name(self._book, scope, name, content)
            for scope, name, content in self._book.ask("names")
            if self._sheet is None or scope == self._sheet.name
        ]

    def snapshot(self) -> list[tuple[str, Name]]:
        return [(name.name, name) for name in self._all()]

    def _find(self, key: str) -> Name | None:
        found = [name for name in self._all() if key.lower() in (name.name.lower(), name.local.lower())]
        return min(found, key=lambda name: bool(name.scope) and self._sheet is None, default=None)

    def __call__(self, key: int | str) -> Name:
        found = self._find(key) if isinstance(key, str) else self._all()[int(key) - 1]
        if found is None:
            raise KeyError(key)
        return found

    def contains(self, key: str) -> bool:
        return self._find(key) is not None

    def __len__(self) -> int:
        return len(self._all())

    def add(self, name: str, refers_to: str) -> Name:
        scope = self._sheet.name if self._sheet else ""
        self._book.ask("define", scope, name, to_office(refers_to.removeprefix("=")))
        return self(name)


class Name(base_classes.Name):
    """A defined name: its sheet or "", its text, what it refers to."""

    def __init__(self, book: Book, scope: str, local: str, content: str) -> None:
        self._book = book
        self.scope = scope
        self.local = local
        self._content = content

    @property
    def api(self) -> Name:
        return self

    @property  # type: ignore[misc]  # xlwings lets names be renamed
    def name(self) -> str:
        if not self.scope:
            return self.local
        sheet = self.scope if _PLAIN.fullmatch(self.scope) else "'" + self.scope.replace("'", "''") + "'"
        return f"{sheet}!{self.local}"

    @property
    def refers_to(self) -> str:
        return f"={to_excel(self._content)}"

    @refers_to.setter
    def refers_to(self, value: str) -> None:
        content = to_office(value.removeprefix("="))
        self._book.ask("define", self.scope, self.local, content)
        self._content = content

    @property
    def refers_to_range(self) -> Range:
        sheet, mark, address = self.refers_to[1:].rpartition("!")
        area = area_of(address)
        if not mark or area is None:
            raise BookError(f"{self._book.name}: the name {self.name} refers to {self.refers_to}, not to cells.")
        if sheet.startswith("'"):
            sheet = sheet[1:-1].replace("''", "'")
        return Range(self._book.sheets(sheet), *area)

    def delete(self) -> None:
        self._book.ask("define", self.scope, self.local, None)
