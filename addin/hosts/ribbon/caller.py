"""What the ribbon calls through RunPython: hand the command and the name of the workbook on, and return at once.

RunPython waits for Python and shows what it writes on stderr, so a failure leaves one sentence there and no trace.
"""

import sys
from collections.abc import Sequence

from addin.errors import AddinError
from addin.running import launch

_BOOK, _WINDOW = "--wb=", "--hwnd="


def book_name(arguments: Sequence[str]) -> str | None:
    """Return the workbook that RunPython names: everything behind the first `=`, for names may hold more of them."""
    return next((item.removeprefix(_BOOK) for item in arguments if item.startswith(_BOOK)), None)


def process_of(arguments: Sequence[str]) -> str | None:
    """Return the number of the process whose window RunPython names: of several, the Excel with the button pressed."""
    handle = next((item.removeprefix(_WINDOW) for item in arguments if item.startswith(_WINDOW)), "")
    if sys.platform == "win32" and handle.isdecimal():
        import ctypes

        process = ctypes.c_ulong()
        ctypes.windll.user32.GetWindowThreadProcessId(int(handle), ctypes.byref(process))
        return str(process.value) if process.value else None
    return None


def start(command: str, selected: str = "") -> None:
    """Start a command on the workbook that the button was pressed on; exit with one sentence when it cannot be.

    `selected` is what was selected then, every letter as four hexadecimal digits.
    """
    place = bytes.fromhex(selected).decode("utf-16-be", "replace")
    try:
        launch.start(command, engine="excel", book=book_name(sys.argv), pipe=process_of(sys.argv), selected=place)
    except (AddinError, OSError) as error:
        sys.exit(f"{command} was not started: {error}")


def cancel() -> None:
    """Ask what runs on the workbook to stop; the status bar says so when nothing does."""
    try:
        launch.cancel(engine="excel", book=book_name(sys.argv), pipe=process_of(sys.argv))
    except (AddinError, OSError) as error:
        sys.exit(f"Nothing was cancelled: {error}")
