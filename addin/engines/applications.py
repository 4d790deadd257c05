"""The common part of both engines, first half: the engine, its applications, and the workbooks open in one.

Members of xlwings that no command needs raise NotImplementedError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import xlwings as xw
from xlwings import base_classes

from addin.engines.values import cleaned, prepared
from addin.engines.workbooks import Book
from addin.errors import BookError


def registered(name: str, apps: type[Apps]) -> xw.main.Engine:
    """Return the engine of a name, after adding it to `xlwings.engines` if necessary."""
    if name not in xw.engines.engines_by_name:
        xw.engines.add(xw.main.Engine(impl=Engine(name, apps)))
    return xw.engines[name]


class Engine:
    """An engine as xlwings uses it."""

    def __init__(self, name: str, apps: type[Apps]) -> None:
        self.name = name
        self.type = "desktop"  # a block is written at once, and workbooks are opened by path
        self.apps = apps(self)

    @staticmethod
    def prepare_xl_data_element(value: Any, options: Any) -> Any:
        return prepared(value)

    @staticmethod
    def clean_value_data(data: Any, dates: Any, empty: Any, numbers: Any, err_to_str: bool) -> list[list[Any]]:
        return cleaned(data, dates, empty, numbers, err_to_str)


class Apps(base_classes.Apps):
    """The applications of an engine, the active one first."""

    mapping: Callable[[], MutableMapping[int, Any]] = dict

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._apps = self.mapping()

    def bring_to_front(self, app: App) -> None:
        """Make an application the active one; it may be new."""
        self.forget(app)
        self._apps[app.pid] = app

    def forget(self, app: App) -> None:
        """Forget an application that has ended."""
        self._apps.pop(app.pid, None)

    def keys(self) -> list[int]:
        return [app.pid for app in self]

    @staticmethod
    def cleanup() -> None:
        """Do nothing: no application is left behind."""

    def __iter__(self) -> Iterator[App]:
        return iter(list(self._apps.values())[::-1])

    def __len__(self) -> int:
        return len(self._apps)

    def __getitem__(self, pid: int) -> App:
        app: App = self._apps[pid]
        return app


class App(base_classes.App):
    """An application. The flags below are only stored, so that a command can restore them."""

    screen_updating = display_alerts = True

    def __init__(self, apps: Apps, pid: int) -> None:
        self._apps = apps
        self._pid = pid
        apps.bring_to_front(self)

    @property
    def api(self) -> App:
        return self

    @property
    def engine(self) -> Engine:
        return self._apps.engine

    @property
    def pid(self) -> int:
        return self._pid

    def activate(self, steal_focus: bool = False) -> None:
        """Make this application and its engine the active ones; `Book.activate` brings a window to the front."""
        self._apps.bring_to_front(self)
        xw.engines[self.engine.name].activate()

    def quit(self) -> None:
        self._apps.forget(self)


class Books(base_classes.Books):
    """The workbooks open in an application, the active one first."""

    def __init__(self, app: App) -> None:
        self.app = app

    def listed(self) -> list[tuple[Book[Any], str, str]]:
        """Return every open workbook with its name and its path, "" for one that was never saved."""
        raise NotImplementedError

    @property
    def active(self) -> Book[Any]:
        for book in self:
            return book
        raise BookError("No workbook is open. Open one.")

    def __call__(self, key: int | str) -> Book[Any]:
        """Return a workbook by number, path or name. Raises BookError for an ambiguous name."""
        every = self.listed()
        if not isinstance(key, str):
            return every[int(key) - 1][0]
        matching = [book for book, _, path in every if path == key]
        matching = matching or [book for book, name, _ in every if name.casefold() == key.casefold()]
        if not matching:
            raise KeyError(key)
        if len(matching) > 1:
            raise BookError(f"{key}: {len(matching)} open workbooks have that name. Name it with its path.")
        return matching[0]

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, str) and self(key) is not None
        except KeyError:
            return False

    def __len__(self) -> int:
        return len(self.listed())

    def __iter__(self) -> Iterator[Book[Any]]:
        return iter([book for book, _, _ in self.listed()])
