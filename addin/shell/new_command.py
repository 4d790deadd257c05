"""`python -m addin new NEW.xlsx`: a fresh copy of the shipped workbook; it takes no workbook."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
from pathlib import Path

from addin.console import path_of, program
from addin.errors import BookError, RequestError
from addin.workbook.shipped import BOOK, shipped
from addin.xlsx import destination
from addin.xlsx.package import write_atomically

NAME = "new"
EXAMPLE = "my-deal.xlsx"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a command line."""
    text = "Write a fresh copy of the workbook under a name of your own."
    usage, example = f"{program()} {NAME} NEW.xlsx", f"example: {program()} {NAME} {EXAMPLE}"
    sub = commands.add_parser(NAME, help=text, description=text, usage=usage, epilog=example)
    sub.add_argument("new", type=path_of, metavar="NEW.xlsx", help="the copy; no file of that name may exist")


def run(options: argparse.Namespace) -> int:
    """Write the copy, whole or not at all; print its name and the command to type next.

    Raises RequestError for a name that is taken or cannot be a workbook's, BookError where the workbook to copy is
    missing or the copy cannot be written.
    """
    write(options.new, shipped(BOOK))
    print(f"Wrote {options.new}")
    print(f"Next: {program()} size {typed(options.new)} --set desktops=2200")
    return 0


def write(new: Path, original: Path) -> None:
    """Write a copy of a workbook into a new file; raises as `run` does."""
    destination.check(new, original, str(new))
    if new.exists():
        raise RequestError(f"{new}: is there already, and `{NAME}` replaces no file. Name another.")
    try:
        data = original.read_bytes()
    except OSError as error:
        raise BookError(
            f"{original}: the workbook of this version cannot be read ({error.strerror}). Install the package again, "
            "or run build.py in a checkout."
        ) from None
    write_atomically(new, data, new=True)


def typed(path: Path) -> str:
    """Return a path as it is typed in the shell of this system."""
    return subprocess.list2cmdline([str(path)]) if os.name == "nt" else shlex.quote(str(path))
