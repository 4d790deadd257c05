"""The calls of a button: start a command in its own process, or ask a running one to stop.

A button must not make the application wait. `start` returns at once; the process attaches to the application, shows
its progress in the status bar and ends with a result sheet or a message. No heavy module is imported here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import addin
from addin.buttons import COMMANDS
from addin.errors import RequestError
from addin.running import runfile
from addin.running.documents import EXCEL, FILE

if sys.platform == "win32":
    _FLAGS = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _FLAGS = 0
NOTHING_RUNS = "Nothing is running on this workbook."
_STARTED: list[subprocess.Popen[bytes]] = []  # polled, not waited for


def start(
    command: str,
    engine: str,
    book: str | None = None,
    pipe: str | None = None,
    options: Sequence[str] = (),
    selected: str = "",
) -> int:
    """Start a command on an open document in its own process; return the number of that process.

    `command` is one of buttons.COMMANDS; `engine` is excel or libreoffice; `book` is the name or full name of an open
    workbook, None for the active one; `pipe` chooses one of several applications: the pipe of an office, the process
    number of an Excel; `options` are further ones of the command, such as --trials=1024; `selected` is row, column and
    sheet of the cell selected at the click, such as 5,4,Inputs. Raises RequestError where the user's folder for
    running commands cannot be used, or for an unknown command.
    """
    if command not in COMMANDS:
        raise RequestError("this button is of an older version. Run python -m addin install again, then restart.")
    _reap()
    token = runfile.new_token()
    arguments = [sys.executable, "-m", "addin", command, "--run", token]
    arguments += [f"--engine={engine}"] if engine != FILE else []
    arguments += [f"--book={book}"] if book else []
    arguments += [f"--{'pid' if engine == EXCEL else 'pipe'}={pipe}"] if pipe else []
    arguments += [f"--selected={selected}"] if selected else []
    clicked = time.time()
    process = _detached([*arguments, *options], token)
    runfile.write(runfile.Record(token, process.pid, command, engine, book or "", pipe or "", clicked))
    return process.pid


def _detached(arguments: Sequence[str], token: str) -> subprocess.Popen[bytes]:
    """Start a process that outlives this one; its output goes into the log of a run."""
    with runfile.log_of(token).open("wb") as log:
        process = subprocess.Popen(
            arguments,
            cwd=Path(addin.__file__).parent.parent,  # the folder of a workbook must not become an import path
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            creationflags=_FLAGS,
            start_new_session=os.name == "posix",
        )
    _STARTED.append(process)
    return process


def _reap() -> None:
    """Reap the processes that ended: until then their numbers count as alive."""
    for process in _STARTED:
        process.poll()


def cancel(engine: str, book: str | None = None, pipe: str | None = None) -> int:
    """Ask the commands on a document to stop, without `book` all of the application; return their number.

    A simulation shows its results so far, marked partial; every other command leaves no trace. If none is running, the
    status bar of the application says so.
    """
    _reap()
    asked = [record for record in runfile.running() if record.concerns(engine, book, pipe)]
    for record in asked:
        runfile.ask_to_stop(record.token)
    if not asked and engine != FILE:
        notice = [sys.executable, "-m", "addin.running.notice", engine, book or "", pipe or "", NOTHING_RUNS]
        _detached(notice, runfile.new_token())
    return len(asked)
