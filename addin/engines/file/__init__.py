"""The xlwings engine `file`: saved workbooks with the kernel as calculator, behind xlwings' public API.

    addin.engines.file.register()               adds the engine to xlwings.engines
    addin.engines.file.open_file(path)          an xw.Book in an application of its own

Nothing is written before `Book.save`. App -> book -> range -> package -> addin.xlsx.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import count
from numbers import Number
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import xlwings as xw
from xlwings import base_classes

from addin.engines.calc.values import cleaned, prepared
from addin.engines.file.book import Book
from addin.engines.file.range import Range
from addin.errors import RequestError

NAME = "file"
_CALCULATION = ("automatic", "manual", "semiautomatic")


def register() -> xw.main.Engine:
    """Add the engine to xlwings.engines unless it is there, and return it."""
    if NAME not in xw.engines.engines_by_name:
        xw.engines.add(xw.main.Engine(impl=Engine()))
    return xw.engines[NAME]


def open_file(path: str | os.PathLike[str]) -> xw.Book:
    """Open a saved workbook. Raises FileNotFoundError and RequestError when it cannot be read."""
    return register().apps.add(add_book=False).books.open(path)


class Engine:
    """What xlwings asks of an engine."""

    def __init__(self) -> None:
        self._apps = Apps(self)

    @property
    def apps(self) -> Apps:
        return self._apps

    @property
    def name(self) -> str:
        return NAME

    @property
    def type(self) -> str:
        return "desktop"  # a block is written at once, and books are opened by path

    @staticmethod
    def prepare_xl_data_element(value: Any, options: Any) -> Any:
        return prepared(value)

    @staticmethod
    def clean_value_data(data: Any, dates: Any, empty: Any, numbers: Any, err_to_str: bool) -> list[list[Any]]:
        return cleaned(data, dates, empty, numbers, err_to_str)


class Apps(base_classes.Apps):
    """The applications in use, the active one first; one that nobody holds is gone."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._apps: WeakValueDictionary[int, App] = WeakValueDictionary()
        self._first: int | None = None
        self._numbers = count(1)

    def keys(self) -> list[int]:
        every = sorted(self._apps, reverse=True)
        return sorted(every, key=lambda pid: pid != self._first)

    def add(self, spec: Any = None, add_book: Any = None, xl: Any = None, visible: Any = None) -> App:
        app = App(self.engine, next(self._numbers))
        self._apps[app.pid] = app
        self._first = app.pid
        return app

    def top(self, app: App) -> None:
        """Make an application, and the engine, the active one."""
        self._first = app.pid
        xw.engines[NAME].activate()

    def remove(self, app: App) -> None:
        """Forget an application."""
        self._apps.pop(app.pid, None)

    @staticmethod
    def cleanup() -> None:
        """Do nothing: no process is left behind."""

    def __iter__(self) -> Iterator[App]:
        return (self._apps[pid] for pid in self.keys())

    def __len__(self) -> int:
        return len(self._apps)

    def __getitem__(self, pid: int) -> App:
        return self._apps[pid]


class App(base_classes.App):
    """The books opened together. What an application would show is remembered, so that it can be put back."""

    visible = False
    screen_updating = True
    display_alerts = True
    enable_events = True
    interactive = True
    status_bar: str | bool = False
    cut_copy_mode: str | bool | None = None

    def __init__(self, engine: Engine, number: int) -> None:
        self._engine = engine
        self._number = number
        self._books: list[Book] = []
        self._calculation = "automatic"

    @property
    def api(self) -> App:
        return self

    @property
    def engine(self) -> Engine:
        return self._engine

    @property
    def pid(self) -> int:
        """The number of this application: there is no process of its own."""
        return self._number

    @property
    def version(self) -> str:
        return str(xw.__version__)

    @property
    def path(self) -> str:
        return str(Path(__file__).parent)

    @property
    def books(self) -> Books:
        return Books(self)

    @property
    def selection(self) -> Range | None:
        if not self._books:
            return None
        sheet = self._books[0].sheets.active
        return sheet.range(sheet.selected)

    @property
    def calculation(self) -> str:
        return self._calculation

    @calculation.setter
    def calculation(self, value: str) -> None:
        if value not in _CALCULATION:
            raise RequestError(f"calculation={value!r}: expected one of {', '.join(_CALCULATION)}.")
        self._calculation = value  # cells are computed when they are read, whatever the mode

    def calculate(self) -> None:
        """Do nothing: what is read is computed then."""

    def activate(self, steal_focus: bool = False) -> None:
        self._engine.apps.top(self)

    def alert(self, prompt: str, title: str | None, buttons: str, mode: str | None, callback: Any) -> str:
        """Print a message. Raises RequestError when it asks something that nobody is there to answer."""
        text = f"{title}: {prompt}" if title else str(prompt)
        if buttons not in (None, "ok"):
            raise RequestError(f"{text} (nobody is asked when a command runs on a file)")
        print(text, file=sys.stderr)
        return "ok"

    def quit(self) -> None:
        self._books.clear()
        self._engine.apps.remove(self)

    def kill(self) -> None:
        self.quit()

    def opened(self) -> list[Book]:
        """Return the open books, the active one first."""
        return self._books

    def top(self, book: Book) -> None:
        """Make a book the active one."""
        self.close(book)
        self._books.insert(0, book)

    def close(self, book: Book) -> None:
        """Forget a book."""
        self._books[:] = [one for one in self._books if one is not book]


class Books(base_classes.Books):
    """The open books of an application, the active one first."""

    def __init__(self, app: App) -> None:
        self.app = app

    @property
    def api(self) -> App:
        return self.app

    @property
    def active(self) -> Book:
        return self(1)

    def __call__(self, name_or_index: int | str) -> Book:
        books = self.app.opened()
        if isinstance(name_or_index, Number):
            return books[int(name_or_index) - 1]
        for book in books:
            if book.name.casefold() == str(name_or_index).casefold():
                return book
        raise KeyError(name_or_index)

    def __len__(self) -> int:
        return len(self.app.opened())

    def __iter__(self) -> Iterator[Book]:
        return iter(list(self.app.opened()))

    def open(self, fullname: str, *_: Any, **__: Any) -> Book:
        """Read a workbook from disk; the options of Excel's dialogs do not apply."""
        book = Book(self.app, Path(fullname))
        self.app.top(book)
        return book
