"""The dialogs of a run, shown by the application of the workbook or by the operating system."""

from __future__ import annotations

import subprocess
import sys

import xlwings as xw

from addin import excel
from addin.console import program
from addin.errors import BookError, RequestError
from addin.reported import one_line
from addin.running.documents import FILE, LIBREOFFICE

TITLE = "VDI Sizing"
_FILTER = "Excel workbooks (*.xlsx;*.xlsm), *.xlsx;*.xlsm"
_MESSAGE = ("on run argv", f'display dialog (item 1 of argv) with title "{TITLE}" buttons {{"OK"}}', "end run")
_CHOICE = ("on run argv", "POSIX path of (choose file with prompt (item 1 of argv))", "end run")
_CANCELLED = "-128"  # of AppleScript: the user chose Cancel


def show_message(app: xw.App | None, text: str) -> None:
    """Show a message in the application, or without one in a dialog of the operating system."""
    if app is not None:
        try:
            with excel.patience(0):  # a busy Excel has no dialog; the system has
                app.alert(text, TITLE)
            return
        except Exception as error:
            print(f"no message box: {error}", file=sys.stderr, flush=True)
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(0, text, TITLE, 0x10040)  # information, in front
    elif sys.platform == "darwin":
        _apple_script(_MESSAGE, text)


def choose_workbook(book: xw.Book, title: str) -> str | None:
    """Let the user choose a file in a dialog of the application that has a workbook open; None if cancelled.

    Excel on macOS does not offer its dialog to other programs: there it is the system's. Raises RequestError for a
    workbook that no application has open, BookError where the dialog cannot be shown.
    """
    engine = book.app.engine.name
    if engine == FILE:
        raise RequestError(f"{book.name}: no other copy is named. Name it: {program()} diff OLD NEW --sheet")
    if engine == LIBREOFFICE:
        chosen: str | None = book.app.api.choose_file(title)
        return chosen
    if sys.platform == "darwin":
        done = _apple_script(_CHOICE, title)
        if done.returncode and _CANCELLED not in done.stderr:
            raise BookError(f"The dialog could not be shown: {one_line(done.stderr)} Name the copy in a terminal.")
        return None if done.returncode else done.stdout.rstrip("\n")
    named = book.app.api.GetOpenFilename(_FILTER, 1, title)
    return named if isinstance(named, str) else None  # False where it was cancelled


def _apple_script(lines: tuple[str, ...], argument: str) -> subprocess.CompletedProcess[str]:
    words = [part for line in lines for part in ("-e", line)]
    return subprocess.run(["osascript", *words, argument], check=False, capture_output=True, text=True)
