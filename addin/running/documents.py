"""Find the workbook for a command: open in Excel or in Calc, or saved in a file."""

from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from addin import excel
from addin.errors import BookError, RequestError
from addin.excel import EXCEL as EXCEL
from addin.numerals import ENGLISH, SAMPLE, Separators, of_sample

if TYPE_CHECKING:
    import xlwings as xw

    from addin.kernel import Address
    from addin.workbook.book import SizingBook

LIBREOFFICE, FILE = "libreoffice", "file"
KERNEL = "kernel"  # the shell's word for a saved workbook computed by the kernel
QUIET_S = 1.0  # the user is idle before a result is put in
ENGINES = (EXCEL, LIBREOFFICE, FILE)


def find(engine: str, book: str | None = None, pipe: str | None = None) -> xw.Book:
    """Return an open workbook by its name or full name, by default the active one; with `file` the file.

    `pipe` is the pipe of an office (by default that of the extension) or the process number of an Excel (by default
    any). Raises BookError where the application is not running or has no such workbook open, RequestError for an
    unknown engine and for a file without a name.
    """
    if engine == FILE:
        return _file(book)
    if engine == LIBREOFFICE:
        from addin.engines.calc import attach

        return _open([attach(pipe)], book, "LibreOffice Calc")
    if engine == EXCEL:
        import xlwings as xw

        if EXCEL not in [known.name for known in xw.engines]:
            raise BookError("Excel does not run on this machine. Use --engine libreoffice, or name a file.")
        excel.be_patient()
        return _open(_of_process(list(xw.engines[EXCEL].apps), pipe), book, "Excel")
    raise RequestError(f"--engine {engine}: expected one of {', '.join(ENGINES)}. Choose one.")


def _of_process(apps: list[xw.App], process: str | None) -> list[xw.App]:
    """Return the Excel with a process number, all of them without a number."""
    found = [app for app in apps if process is None or str(app.pid) == process]
    if apps and not found:
        running = ", ".join(str(app.pid) for app in apps)
        raise BookError(f"No Excel runs as process {process}; running is {running}. Name that one, or leave out --pid.")
    return found


def read(engine: str, book: str | None = None, pipe: str | None = None) -> SizingBook:
    """Read an open workbook, found as by `find`. Raises BookError also while a cell of it is being edited."""
    from addin.workbook import live

    found = find(engine, book, pipe)
    if editing(found):
        raise BookError(f"{found.name}: a cell is being edited: finish it with Enter or Esc, then run this again.")
    return live.read(found)


def editing(book: xw.Book) -> bool:
    """Return whether a cell is being edited in Calc, which then takes no result; Excel says so of each call."""
    return book.app.engine.name == LIBREOFFICE and bool(book.app.api.editing)


def separators(book: xw.Book) -> Separators:
    """Return the separators in the numbers of an application; English ones where they are unknown."""
    with suppress(Exception):  # a window is closing, or Excel cannot evaluate now
        api = book.app.api
        if book.app.engine.name == LIBREOFFICE:
            return of_sample(api.written(SAMPLE, 1))
        if book.app.engine.name == EXCEL:
            fixed = f"FIXED({SAMPLE!r},1)"
            return of_sample(str(api.evaluate(name=fixed) if sys.platform == "darwin" else api.Evaluate(fixed)))
    return ENGLISH


class Activity:
    """The user's activity in the window of a workbook: typing into a cell, moving on, or none.

    A file has no window. Excel refuses each call while a cell is being edited, and `addin.excel` repeats it.
    """

    def __init__(self, book: xw.Book, clicked: Address | None = None) -> None:
        """Look for the first time; `clicked` is the cell that was selected when a button was pressed."""
        self._book = book
        self._engine = book.app.engine.name
        self._first = self._seen = self._look()
        self._since = 0.0
        self._moved = clicked is not None and self._first[2] != "" and not _contains(self._first[2:], clicked)

    def __call__(self) -> bool:
        """Look, and return whether a result has to wait: the user is typing, or has moved on within the last second."""
        if self._engine != LIBREOFFICE:
            return False
        seen = self._look()
        now = time.monotonic()
        if seen != self._seen or seen[0]:
            self._seen, self._since, self._moved = seen, now, self._moved or seen != self._first
        return now - self._since < QUIET_S

    def stayed(self) -> bool:
        """Look, and return whether the user has done nothing in this window since the first look."""
        return not self._moved and self._first[1] == self._book.name and self._look() == self._first

    def _look(self) -> tuple[bool, str, str, str]:
        """Return whether a cell is being edited, the workbook in front, and the selected sheet and cells."""
        selected = self._book.app.selection if self._engine != FILE else None
        if selected is None:
            return False, "", "", ""
        return editing(self._book), selected.sheet.book.name, selected.sheet.name, selected.address


def _contains(selected: tuple[str, ...], cell: Address) -> bool:
    """Return whether a cell is one of those selected, given sheet and address as xlwings gives them."""
    from openpyxl.utils.cell import range_boundaries

    sheet, address = selected
    for area in address.split(","):
        left, top, right, bottom = (edge or 0 for edge in range_boundaries(area))  # 0 of whole columns or rows
        if left <= cell.column <= (right or cell.column) and top <= cell.row <= (bottom or cell.row):
            return sheet == cell.sheet
    return False


def _file(book: str | None) -> xw.Book:
    if not book:
        raise RequestError("No workbook is named. Give the path of one, or --engine excel or libreoffice.")

    from addin.engines.file import open_file
    from addin.workbook.book import open_book

    if any("\ud800" <= letter <= "\udfff" for letter in book):  # what Python makes of bytes that are no text
        raise RequestError(f"{book!a}: the name is no text in this locale, so no file can show it. Rename it.")
    open_book(Path(book))  # raises the same errors as the other commands
    return open_file(book)


def _open(apps: Iterable[xw.App], book: str | None, application: str) -> xw.Book:
    offered = [(app, each) for app in apps for each in app.books]
    if not offered:
        raise BookError(f"No workbook is open in {application}. Open one, then run this again.")
    if not book:
        app = offered[0][0]
        app.engine.activate()
        return app.books.active
    wanted = _folded(book)
    matching = [pair for pair in offered if _full_name(pair[1]) == wanted]  # the very file before a namesake
    matching = matching or [pair for pair in offered if _folded(pair[1].name) == wanted]
    if len(matching) > 1:
        raise BookError(
            f"{book}: {len(matching)} workbooks of that name are open in {application}, so it is not sure which one is "
            "meant. Close the others, also those of a second window of the application, then run this again."
        )
    for app, each in matching:
        app.engine.activate()
        return each
    names = ", ".join(each.name for _, each in offered)
    raise BookError(f"{book}: is not open in {application}; open are {names}. Open it, or name one of these.")


def _full_name(book: xw.Book) -> str:
    try:
        return _folded(excel.full_name(book))
    except BookError:  # of one of several workbooks, perhaps not the one that is meant
        return _folded(book.name)


def _folded(name: str) -> str:
    """Return a name in the form for a comparison that ignores case and composition of letters."""
    return unicodedata.normalize("NFC", name).casefold()
