"""The applications of the file engine: workbooks that were opened together."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from addin.engines import applications, workbooks
from addin.engines.file.book import Book
from addin.errors import RequestError

_CALCULATION = ("automatic", "manual", "semiautomatic")


class Apps(applications.Apps):
    """The applications in use; an application without a reference is dropped."""

    mapping = WeakValueDictionary
    _numbers = count(1)

    def add(self, spec: Any = None, add_book: Any = None, xl: Any = None, visible: Any = None) -> App:
        return App(self, next(self._numbers))  # in place of the number of a process


class App(applications.App):
    """Books that were opened together. Settings of the display are stored, so that a command can restore them."""

    status_bar: str | bool = False

    def __init__(self, apps: Apps, pid: int) -> None:
        super().__init__(apps, pid)
        self._books = Books(self)
        self._calculation = "automatic"

    @property
    def books(self) -> Books:
        return self._books

    @property
    def selection(self) -> workbooks.Range | None:
        opened = self._books.opened
        return opened[0].sheets.active.selection if opened else None

    @property
    def calculation(self) -> str:
        return self._calculation

    @calculation.setter
    def calculation(self, value: str) -> None:
        if value not in _CALCULATION:
            raise RequestError(f"calculation={value!r}: expected one of {', '.join(_CALCULATION)}.")
        self._calculation = value  # cells are computed when they are read, in any mode

    def calculate(self) -> None:
        """Do nothing: cells are computed when they are read."""

    def alert(self, prompt: str, title: str | None, buttons: str, mode: str | None, callback: Any) -> str:
        """Print a message. Raises RequestError for a question, as no user can answer it."""
        text = f"{title}: {prompt}" if title else str(prompt)
        if buttons not in (None, "ok"):
            raise RequestError(f"{text} (no dialog is shown when a command runs on a file)")
        print(text, file=sys.stderr)
        return "ok"

    def quit(self) -> None:
        self._books.opened.clear()
        super().quit()


class Books(applications.Books):
    """The books read from files."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.opened: list[Book] = []

    def listed(self) -> list[tuple[workbooks.Book[Any], str, str]]:
        return [(book, book.name, book.fullname) for book in self.opened]

    def open(self, fullname: str, *_: Any, **__: Any) -> Book:
        """Read a workbook from disk; the options of Excel's dialogs do not apply."""
        book = Book(self.app, self.opened, Path(fullname))
        book.activate()
        return book
