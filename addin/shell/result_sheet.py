"""`--sheet`: a command puts its result sheet into the workbook, open in Excel or Calc or saved, as buttons do.

The hand-off, which puts no sheet in, runs the same way: it uses the workbook as shown on the screen.
"""

from __future__ import annotations

import argparse
import inspect
import logging
import sys

from addin.buttons import COMMANDS
from addin.console import program
from addin.errors import RequestError
from addin.kernel import Address
from addin.running.documents import EXCEL, LIBREOFFICE

_OF_THE_SHELL = {"command", "run", "book", "named", "engine", "pipe", "sheet", "token", "waiting", "selected"}
_OPTIONS = {
    "settings": "set",
    "results": "result",
    "live_page": "live",
    "dry_run": "dry-run",
}  # options with another name as parameter
_OLD_NAMES = {
    "monte_carlo": "simulate",
    "goal_seek": "seek",
    "compare_arrays": "compare",
    "explain_cell": "explain",
    "audit_book": "audit",
    "hand_off": "handoff",
}


def add(command: argparse.ArgumentParser, name: str) -> None:
    """Add the options to a command with a button; launch.start passes `--run`, `--book` and `--selected`."""
    if COMMANDS[name].sheet:
        text = "put the result sheet into the workbook, open or saved, instead of printing"
        command.add_argument("--sheet", action="store_true", help=text)
    command.add_argument("--run", dest="token", metavar="TOKEN", help=argparse.SUPPRESS)
    command.add_argument("--book", dest="named", metavar="NAME", help=argparse.SUPPRESS)
    command.add_argument("--selected", metavar="ROW,COLUMN,SHEET", help=argparse.SUPPRESS)


def add_application(command: argparse.ArgumentParser) -> None:
    """Add the options that choose between several running applications."""
    text = "the pipe that LibreOffice listens on, if not the extension's"
    command.add_argument("--pipe", metavar="NAME", help=text)
    text = "the process number of Excel, where several run"
    command.add_argument("--pid", dest="pipe", metavar="NUMBER", help=text)


def check_running(options: argparse.Namespace) -> None:
    """Raise RequestError for a running application that is named and not asked: the engine reads a file."""
    asked = getattr(options, "pipe", None)  # commands that write a copy have no such option
    if asked is not None and options.engine not in (EXCEL, LIBREOFFICE):
        raise RequestError(
            f"--pid or --pipe {asked}: says which running application; --engine {options.engine} reads a file. "
            f"Add --engine {EXCEL} or {LIBREOFFICE}, or leave it out."
        )


def wanted(options: argparse.Namespace) -> bool:
    """Return whether a command is to work as its button does."""
    button = COMMANDS.get(options.command)
    return button is not None and bool(options.token or not button.sheet or options.sheet)


def run(options: argparse.Namespace, engine: str) -> int:
    """Run the command on the workbook. Raises RequestError for options that only affect printing."""
    if options.token:
        from addin.running import runfile  # only runs of buttons have a record

        runfile.check_token(options.token)
        # xlwings imports matplotlib where it is installed: half a second, and no button draws with it
        sys.modules.setdefault("matplotlib", None)  # type: ignore[arg-type]
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it reports building its font cache
    from addin import commands
    from addin.running.runner import run_command

    given = {k: v for k, v in vars(options).items() if k not in _OF_THE_SHELL and v not in (None, False, [])}
    taken = inspect.signature(getattr(commands, options.command)).parameters
    for name in given:
        if name not in taken:
            option = _OPTIONS.get(name, name)
            raise RequestError(f"{options.command} --sheet: takes no --{option}. Leave it out.")
    book = options.named or (str(options.book) if options.book else None)
    return run_command(options.command, engine, book, options.pipe, given, options.token, clicked(options.selected))


def clicked(place: str | None) -> Address | None:
    """Return the cell that was selected when a button was pressed, None where it is unknown."""
    row, column, sheet = (*(place or "").split(",", 2), "", "")[:3]
    return Address(sheet, int(row), int(column)) if sheet and row.isdecimal() and column.isdecimal() else None


def check_name(arguments: list[str]) -> None:
    """Raise RequestError with the new name for a command under its old name."""
    name = arguments[0] if arguments else ""
    if name == "do":
        old = next((word for word in arguments[1:] if not word.startswith("-")), "")
        key = _OLD_NAMES.get(old, old)
        asked = f"do {old}".rstrip()
        if key not in COMMANDS:
            known = ", ".join(COMMANDS)
            raise RequestError(f"{asked}: expected one of {known}. Use: {program()} COMMAND BOOK --sheet")
    elif name in _OLD_NAMES:
        asked, key = name, _OLD_NAMES[name]
    else:
        return
    option = " --sheet" if COMMANDS[key].sheet else ""
    raise RequestError(f"{asked}: is now `{key}{option}`. Use: {program()} {key} BOOK{option}")
