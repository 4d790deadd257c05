"""xlwings engine `libreoffice`: the commands of the add-in in LibreOffice Calc, through the very API they use in Excel.

    with private_office() as app:                 # an office of one's own, without a window
        book = app.books.open("sizing.xlsx")      # an xw.Book
    app = attach(default_pipe())                  # the Calc in front of the user, which opened that pipe

Written against the public `xlwings.base_classes`. What the office does happens in a bridge process (`client`), so
`api` of every object is the engine's own object. Members that no command needs raise NotImplementedError.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import xlwings as xw
from xlwings import base_classes
from xlwings.main import Engine as XwEngine

from addin.engines.calc.cells import Range
from addin.engines.calc.sheets import Book
from addin.engines.calc.values import cleaned, prepared
from addin.engines.office import client
from addin.errors import BookError

NAME = "libreoffice"
ATTACH_S = 5
_BUTTONS = {None: 1, "ok": 1, "ok_cancel": 2, "yes_no": 3, "yes_no_cancel": 4}  # com.sun.star.awt.MessageBoxButtons
_PRESSED = {0: "cancel", 1: "ok", 2: "yes", 3: "no"}  # com.sun.star.awt.MessageBoxResults
# Requests that end an edit in a window: what was typed would be cut short or lost.
_DISTURBING = frozenset({"open", "activate", "copy_sheet", "delete_sheet"})
LOOK_S = 0.1
_KINDS = {None: "MESSAGEBOX", "info": "INFOBOX", "critical": "ERRORBOX"}


def register() -> XwEngine:
    """Add the engine to `xlwings.engines`, once, and return it."""
    known: dict[str, XwEngine] = xw.engines.engines_by_name
    if NAME not in known:
        xw.engines.add(XwEngine(impl=Engine()))
    return known[NAME]


@contextmanager
def private_office() -> Iterator[xw.App]:
    """Yield an app on an office of one's own; its workbooks are closed unsaved at the end.

    Raises OfficeError when LibreOffice or its Python is missing or does not start.
    """
    app = register().apps.add(add_book=False)
    try:
        yield app
    finally:
        app.quit()


def attach(pipe: str | None = None) -> xw.App:
    """Return an app on the running Calc that opened the pipe, `default_pipe()` unless named.

    Raises OfficeError when none listens within 5 s. Quitting the app ends the conversation and leaves the office alone.
    """
    impl: Engine = register().impl
    return xw.App(impl=impl.apps.keep(App(impl.apps, client.Bridge(pipe or default_pipe(), ATTACH_S), None)))


def default_pipe() -> str:
    """Return the pipe that the Calc extension opens: `vdi-sizing-` and the user's name (USER, else USERNAME).

    Characters other than ASCII letters and digits count as "-".
    """
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "user"
    return "vdi-sizing-" + "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in user)


class Engine:
    """What xlwings asks of an engine."""

    name, type = NAME, "desktop"

    def __init__(self) -> None:
        self.apps = Apps(self)

    @staticmethod
    def prepare_xl_data_element(value: Any, options: Any) -> Any:
        return prepared(value)

    @staticmethod
    def clean_value_data(data: Any, dates: Any, empty: Any, numbers: Any, err_to_str: bool) -> list[list[Any]]:
        return cleaned(data, dates, empty, numbers, err_to_str)


class Apps(base_classes.Apps):
    """The offices this process started or attached to, the newest first."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._apps: list[App] = []

    def keep(self, app: App) -> App:
        self._apps.insert(0, app)
        return app

    def forget(self, app: App) -> None:
        if app in self._apps:
            self._apps.remove(app)

    def keys(self) -> list[int]:
        return [app.pid for app in self._apps]

    def add(self, spec: Any = None, add_book: bool | None = None, xl: Any = None, visible: bool | None = None) -> App:
        """Start a private office."""
        office = client.PrivateOffice()
        app = self.keep(App(self, office.bridge, office))
        if add_book:
            app.books.add()
        return app

    @staticmethod
    def cleanup() -> None:
        """Do nothing: every office ends with its app."""

    def __iter__(self) -> Iterator[App]:
        return iter(list(self._apps))

    def __len__(self) -> int:
        return len(self._apps)

    def __getitem__(self, pid: int) -> App:
        for app in self._apps:
            if app.pid == pid:
                return app
        raise KeyError(pid)


class App(base_classes.App):
    """An office, private or attached to.

    The flags below are kept as set: Calc repaints between requests only, asks nothing of a program, and no window may
    stay frozen when a command is killed. While `screen_updating` is off, workbooks are opened without a window.
    """

    screen_updating = display_alerts = True

    def __init__(self, apps: Apps, bridge: client.Bridge, office: client.PrivateOffice | None) -> None:
        self._apps = apps
        self._bridge = bridge
        self._office = office
        self._status: str | bool = False
        self._books = Books(self)

    def ask(self, method: str, *arguments: Any, limit_s: float = client.ANSWER_S) -> Any:
        """Ask the office; what would disturb somebody who types into a cell waits for them, as it does in Excel."""
        while method in _DISTURBING and self.editing:
            time.sleep(LOOK_S)
        return self._bridge.call(method, *arguments, limit_s=limit_s)

    @property
    def api(self) -> App:
        return self

    @property
    def engine(self) -> Engine:
        return self._apps.engine

    @property
    def books(self) -> Books:
        return self._books

    @property
    def pid(self) -> int:
        """Return the process of a private office, or that of the bridge to somebody's."""
        return self._office.pid if self._office else self._bridge.pid

    @property
    def editing(self) -> bool:
        """Whether somebody types into a cell of a window; a private office has none."""
        return self._office is None and bool(self._bridge.call("editing"))

    @property
    def calculation(self) -> str:
        """The mode of the workbook last worked on: Calc keeps it per workbook, and another run may own the others."""
        return "automatic" if self.ask("automatic") else "manual"

    @calculation.setter
    def calculation(self, value: str) -> None:
        if value not in ("automatic", "manual"):
            raise BookError(f"calculation {value!r}: Calc knows automatic and manual. Choose one of them.")
        self.ask("automatic", value == "automatic")

    def calculate(self) -> None:
        self.ask("calculate")

    @property
    def status_bar(self) -> str | bool:
        """The text in the status bar of the workbook last worked on; False gives the bar back."""
        return self._status

    @status_bar.setter
    def status_bar(self, value: str | bool | None) -> None:
        self._status = False if value in (None, False, "") else str(value)
        self.ask("status", self._status or None)

    @property
    def selection(self) -> Range | None:
        found = self.ask("selection")
        if found is None:
            return None
        uid, sheet, area = found
        return Range(self._books.book(uid).sheet(sheet), *area)

    def activate(self, steal_focus: bool = False) -> None:
        """Make this app and its engine the active ones; `Book.activate` brings a window to the front."""
        self._apps.forget(self)
        self._apps.keep(self)
        xw.engines[NAME].activate()

    def alert(self, prompt: str, title: str | None, buttons: str | None, mode: str | None, callback: Any) -> str:
        """Show a message and return the button pressed; a private office shows none and answers "cancel"."""
        arguments = (prompt or "", title or "", _BUTTONS[buttons], _KINDS[mode])
        return _PRESSED[self.ask("alert", *arguments, limit_s=client.NO_LIMIT)]

    def quit(self) -> None:
        """End a private office; leave an attached one alone."""
        self._apps.forget(self)
        if self._office:
            self._office.end()
        else:
            self._bridge.close()


class Books(base_classes.Books):
    """The workbooks open in an office, the active one first."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._books: dict[str, Book] = {}

    @property
    def api(self) -> Books:
        return self

    def book(self, uid: str) -> Book:
        """Return the one object for a workbook."""
        return self._books.setdefault(uid, Book(self, uid))

    def _rows(self) -> list[tuple[str, str, str]]:
        rows: list[tuple[str, str, str]] = self.app.ask("books")
        return rows

    @property
    def active(self) -> Book:
        rows = self._rows()
        if not rows:
            raise BookError("No workbook is open in LibreOffice. Open one.")
        return self.book(rows[0][0])

    def __call__(self, key: int | str) -> Book:
        """Return a workbook by place, path, or name."""
        rows = self._rows()
        if not isinstance(key, str):
            return self.book(rows[int(key) - 1][0])
        found = [row for row in rows if row[2] == key]
        found = found or [row for row in rows if key.lower() == (Path(row[2]).name if row[2] else row[1]).lower()]
        if not found:
            raise KeyError(key)
        if len(found) > 1:
            raise BookError(f"{key}: {len(found)} open workbooks have that name. Name it with its path.")
        return self.book(found[0][0])

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, str) and self(key) is not None
        except KeyError:
            return False

    def __len__(self) -> int:
        return len(self._rows())

    def __iter__(self) -> Iterator[Book]:
        return iter([self.book(uid) for uid, _, _ in self._rows()])

    def add(self) -> Book:
        return self.book(self.app.ask("open", None, False, None, not self.app.screen_updating))

    def open(
        self,
        fullname: str,
        update_links: Any = None,
        read_only: bool | None = None,
        format: Any = None,
        password: str | None = None,
        *others: Any,
    ) -> Book:
        """Open a workbook; links are not updated and macros not run."""
        path = Path(fullname).resolve()
        try:
            return self.book(self.app.ask("open", str(path), bool(read_only), password, not self.app.screen_updating))
        except BookError as error:
            raise BookError(f"{path.name}: {error}") from None
