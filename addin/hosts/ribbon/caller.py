"""The calls of the ribbon through RunPython: pass on the command and the name of the workbook, and return at once.

RunPython waits for Python and shows its stderr, so a failure writes one sentence there and no traceback.
"""

import sys
from collections.abc import Sequence

from addin.errors import AddinError
from addin.running import launch

_BOOK, _WINDOW = "--wb=", "--hwnd="


def book_name(arguments: Sequence[str]) -> str | None:
    """Return the workbook that RunPython names: everything after the first `=`, as a name may contain another."""
    return next((item.removeprefix(_BOOK) for item in arguments if item.startswith(_BOOK)), None)


def process_of(arguments: Sequence[str]) -> str | None:
    """Return the process of the window that RunPython names: the Excel, of several, where the button was pressed."""
    handle = next((item.removeprefix(_WINDOW) for item in arguments if item.startswith(_WINDOW)), "")
    if sys.platform == "win32" and handle.isdecimal():
        import ctypes

        process = ctypes.c_ulong()
        ctypes.windll.user32.GetWindowThreadProcessId(int(handle), ctypes.byref(process))
        return str(process.value) if process.value else None
    return None


def start(command: str, selected: str = "") -> None:
    """Start a command on the workbook where the button was pressed; exit with one sentence on failure.

    `selected` is the selection at that moment, each character as four hexadecimal digits.
    """
    place = bytes.fromhex(selected).decode("utf-16-be", "replace")
    try:
        launch.start(command, engine="excel", book=book_name(sys.argv), pipe=process_of(sys.argv), selected=place)
    except (AddinError, OSError) as error:
        sys.exit(f"{command} was not started: {error}")


def cancel() -> None:
    """Ask the commands on the workbook to stop; if none is running, the status bar says so."""
    try:
        launch.cancel(engine="excel", book=book_name(sys.argv), pipe=process_of(sys.argv))
    except (AddinError, OSError) as error:
        sys.exit(f"Nothing was cancelled: {error}")
