"""The dialogs of a run, shown by the application of the workbook or by the operating system: messages, questions."""

from __future__ import annotations

import subprocess
import sys

import xlwings as xw

from addin import excel
from addin.buttons import COMMANDS, FILES, LINE, WORKBOOK, Question
from addin.console import program
from addin.errors import BookError, RequestError
from addin.reported import squashed
from addin.running.documents import FILE, LIBREOFFICE

TITLE = "VDI Sizing"
_FILTER, _ANY = "Excel workbooks (*.xlsx;*.xlsm), *.xlsx;*.xlsm", "All files (*.*), *.*"
_MESSAGE = ("on run argv", f'display dialog (item 1 of argv) with title "{TITLE}" buttons {{"OK"}}', "end run")
_CHOICE = ("on run argv", "POSIX path of (choose file with prompt (item 1 of argv))", "end run")
_CHOICES = (
    "on run argv",
    "set chosen to choose file with prompt (item 1 of argv) with multiple selections allowed",
    "set named to {}",
    "repeat with each in chosen",
    "set end of named to POSIX path of each",
    "end repeat",
    "set AppleScript's text item delimiters to linefeed",
    "return named as text",
    "end run",
)
_TYPED = (
    "on run argv",
    f'return text returned of (display dialog (item 1 of argv) default answer (item 2 of argv) with title "{TITLE}")',
    "end run",
)
_NEEDED = {
    WORKBOOK: "no other copy is named. Name it: {command} OLD NEW --sheet",
    FILES: "no file is named. Name those of the customer's tools: {command} BOOK FILE... --sheet",
    LINE: "no options are named. Name them: {command} BOOK FILE... --hours 08:00-18:00 --sheet",
}
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


def ask(book: xw.Book, question: Question) -> object:
    """Let the user answer a question in a dialog of the application that has a workbook open; None if cancelled.

    The answer is a path, paths, or a line of text. Excel on macOS does not offer its dialogs to other programs: there
    they are the system's. Raises RequestError for a workbook that no application has open, BookError where the dialog
    cannot be shown.
    """
    engine = book.app.engine.name
    if engine == FILE:
        command = next(each for each in COMMANDS.values() if question in each.asks)
        what = _NEEDED[question.kind].format(command=f"{program()} {command.key}")
        raise RequestError(f"{book.name}: {what}")
    if engine == LIBREOFFICE:
        return _in_calc(book, question)
    if sys.platform == "darwin":
        return _on_a_mac(question)
    return _in_excel(book, question)


def _in_calc(book: xw.Book, question: Question) -> object:
    if question.kind == LINE:
        return book.app.api.ask_line(question.text, TITLE, question.suggested)
    chosen: list[str] | None = book.app.api.choose_files(question.text, question.kind == FILES)
    return chosen if chosen is None or question.kind == FILES else chosen[0]


def _in_excel(book: xw.Book, question: Question) -> object:
    """Ask with the dialogs of Excel on Windows, which answer False where they are cancelled."""
    excel_itself = book.app.api
    if question.kind == LINE:
        line = excel_itself.InputBox(question.text, TITLE, question.suggested)
        return line if isinstance(line, str) else None
    if question.kind == FILES:
        named = excel_itself.GetOpenFilename(_ANY, 1, question.text, "", True)
        return [str(each) for each in named] if isinstance(named, tuple | list) else None
    named = excel_itself.GetOpenFilename(_FILTER, 1, question.text)
    return named if isinstance(named, str) else None


def _on_a_mac(question: Question) -> object:
    script = {LINE: _TYPED, FILES: _CHOICES}.get(question.kind, _CHOICE)
    done = _apple_script(script, question.text, *([question.suggested] if question.kind == LINE else []))
    if done.returncode and _CANCELLED not in done.stderr:
        raise BookError(f"The dialog could not be shown: {squashed(done.stderr)} Name what it asks for in a terminal.")
    answer = done.stdout.rstrip("\n")
    if done.returncode:
        return None
    return answer.split("\n") if question.kind == FILES else answer


def _apple_script(lines: tuple[str, ...], *arguments: str) -> subprocess.CompletedProcess[str]:
    words = [part for line in lines for part in ("-e", line)]
    return subprocess.run(["osascript", *words, *arguments], check=False, capture_output=True, text=True)
