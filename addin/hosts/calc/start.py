"""Part of the Calc extension, run by the user's Python: start the command that a button asked for, and return at once.

Argument: a file with four lines, command, pipe, the selection at the click, and document. It is overwritten with the
message for the user, empty when the command has started. Only the standard library is used before the packages are
known to be installed, and any Python 3 can read this file, so that one that is too old is reported.
"""

from __future__ import annotations

import importlib.util
import os
import sys

SETTINGS = os.path.join(os.path.expanduser("~"), ".vdi-sizing", "calc.conf")
PACKAGES = ("numpy", "openpyxl", "xlwings", "addin")
SET_UP = """Open a terminal in the folder of VDI Storage Sizing and run
    python -m pip install -r requirements.lock
    python -m addin install --calc
'python -m addin doctor' says what is missing."""


def settings() -> dict[str, str]:
    """Return the settings of the installation by name."""
    with open(SETTINGS, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)


def start(command: str, pipe: str, selected: str, book: str) -> str:
    """Start or cancel a command; return the message for the user."""
    if sys.version_info < (3, 11):  # noqa: UP036  the user's Python may be older than the project's
        return f"{sys.executable} is Python {sys.version.split()[0]}; 3.11 or newer is needed.\n\n{SET_UP}"
    folder = settings().get("path", "")
    if folder:
        sys.path.insert(1, folder)
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        return f"{sys.executable} has no package {', '.join(missing)}.\n\n{SET_UP}"
    from addin.errors import AddinError
    from addin.running import launch

    try:
        if command != "cancel":
            launch.start(command, engine="libreoffice", book=book, pipe=pipe, selected=selected)
        else:
            launch.cancel(engine="libreoffice", book=book, pipe=pipe)
    except (AddinError, OSError) as error:
        return f"{command} was not started: {error}"
    return ""


def main(path: str) -> None:
    """Read the request, execute it, and write the answer in its place."""
    with open(path, encoding="utf-8") as file:
        command, pipe, selected, book = file.read().split("\n", 3)
    answer = start(command, pipe, selected, book.rstrip("\n"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(answer)


if __name__ == "__main__":
    main(sys.argv[1])
