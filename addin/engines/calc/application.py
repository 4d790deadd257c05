"""The offices of the `libreoffice` engine and the workbooks open in them; see `libreoffice`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from addin.engines import applications, workbooks
from addin.engines.calc.book import Book
from addin.engines.office import client
from addin.errors import BookError

_BUTTONS = {None: 1, "ok": 1, "ok_cancel": 2, "yes_no": 3, "yes_no_cancel": 4}  # com.sun.star.awt.MessageBoxButtons
_PRESSED = {0: "cancel", 1: "ok", 2: "yes", 3: "no"}  # com.sun.star.awt.MessageBoxResults
_KINDS = {None: "MESSAGEBOX", "info": "INFOBOX", "critical": "ERRORBOX"}
LOOK_S = 0.1


class Apps(applications.Apps):
    """The offices this process started or attached to."""

    def add(self, spec: Any = None, add_book: bool | None = None, xl: Any = None, visible: bool | None = None) -> App:
        """Start a private office."""
        office = client.PrivateOffice()
        app = App(self, office.bridge, office)
        if add_book:
            app.books.add()
        return app

    def attach(self, bridge: client.Bridge) -> App:
        """Return an app on the office behind a bridge."""
        return App(self, bridge, None)


class App(applications.App):
    """An office, private or attached; `pid` is the process of a private one, or of the bridge to the user's.

    The flags are only stored: Calc repaints between requests, shows no alert to a program, and no window may stay
    frozen when a command is killed. While `screen_updating` is off, workbooks are opened without a window.
    """

    def __init__(self, apps: Apps, bridge: client.Bridge, office: client.PrivateOffice | None) -> None:
        super().__init__(apps, office.pid if office else bridge.pid)
        self._bridge = bridge
        self._office = office
        self._status: str | bool = False
        self._books = Books(self)

    def ask(self, method: str, *arguments: Any, limit_s: float = client.REPLY_S) -> Any:
        """Send a request to the office; one that would disturb an edit of a cell waits for its end, as in Excel."""
        while True:
            try:
                return self._bridge.call(method, *arguments, limit_s=limit_s)
            except client.Busy:
                time.sleep(LOOK_S)

    @property
    def books(self) -> Books:
        return self._books

    @property
    def editing(self) -> bool:
        """Whether a cell of a window is being edited; a private office has no window."""
        return self._office is None and bool(self._bridge.call("editing"))

    @property
    def calculation(self) -> str:
        """The mode of the workbook last used: Calc has one for each workbook, and other runs may use the others."""
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
        """The text in the status bar of the workbook last used; False clears it."""
        return self._status

    @status_bar.setter
    def status_bar(self, value: str | bool | None) -> None:
        self._status = False if value in (None, False, "") else str(value)
        self.ask("status", self._status or None)

    def written(self, number: float, decimals: int) -> str:
        """Return a number as text, with the separators of the office's locale."""
        return str(self.ask("written", number, decimals))

    @property
    def selection(self) -> workbooks.Range | None:
        selected = self.ask("selection")
        if selected is None:
            return None
        uid, title, area = selected
        return self._books.book(uid).sheet(title).area(area)

    def alert(self, prompt: str, title: str | None, buttons: str | None, mode: str | None, callback: Any) -> str:
        """Show a message and return the pressed button; a private office shows none and returns "cancel"."""
        arguments = (prompt or "", title or "", _BUTTONS[buttons], _KINDS[mode])
        return _PRESSED[self.ask("alert", *arguments, limit_s=client.NO_LIMIT)]

    def choose_files(self, title: str, several: bool) -> list[str] | None:
        """Let the user choose a workbook file, or several files of any kind, in a dialog; None if cancelled."""
        chosen: list[str] | None = self.ask("choose_files", title, several, limit_s=client.NO_LIMIT)
        return chosen

    def ask_line(self, prompt: str, title: str, suggested: str) -> str | None:
        """Let the user type a line in a dialog of the office; None if cancelled."""
        typed: str | None = self.ask("ask_line", prompt, title, suggested, limit_s=client.NO_LIMIT)
        return typed

    def quit(self) -> None:
        """End a private office; only detach from the user's."""
        super().quit()
        if self._office:
            self._office.end()
        else:
            self._bridge.close()


class Books(applications.Books):
    """The workbooks open in an office."""

    app: App

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._books: dict[str, Book] = {}

    def book(self, uid: str) -> Book:
        """Return the single object for a workbook."""
        return self._books.setdefault(uid, Book(self.app, self.app.ask, uid))

    def listed(self) -> list[tuple[workbooks.Book[Any], str, str]]:
        rows: list[tuple[str, str, str]] = self.app.ask("books")
        return [(self.book(uid), Path(path).name if path else title, path) for uid, title, path in rows]

    def add(self) -> Book:
        return self._opened(None)

    def open(self, fullname: str, *_: Any, **__: Any) -> Book:
        """Open a workbook without updating links or running macros; the options of Excel's dialogs do not apply."""
        path = Path(fullname).resolve()
        try:
            return self._opened(str(path))
        except BookError as error:
            raise BookError(f"{path.name}: {error}") from None

    def _opened(self, path: str | None) -> Book:
        return self.book(self.app.ask("open", path, not self.app.screen_updating))
