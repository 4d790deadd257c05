"""The shell as a test calls it."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from addin.shell import diff_command
from addin.shell import main as shell_main
from addin.workbook.book import SizingBook, open_book
from addin.xlsx.stored_results import StoredResults

Run = Callable[..., tuple[int, str, str]]
KEPT = 3  # workbooks with what was computed of them, those read last
SAME = ("computed", "inputs", "own", "results")  # what a copy with the same bytes has too
_books: OrderedDict[str, SizingBook] = OrderedDict()


def shell(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command and returns its exit code, what it printed and its errors.

    Files with the same bytes are read once for all commands, which also share what was computed of them.
    """

    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.MonkeyPatch.context() as patched:
            for module in (shell_main, diff_command):
                if module.open_book is open_book:  # a test may have its own in place of it
                    patched.setattr(module, "open_book", read_once)
            code = shell_main.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def read_once(path: Path) -> SizingBook:
    """Return what `open_book` does; it reads a file whose bytes it has not met."""
    try:
        known = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""  # a pipe or device has no end
    except OSError:
        known = ""
    if not known:
        return open_book(path)
    if (first := _books.pop(known, None)) is None:
        first = open_book(path)
    _books[known] = first
    if len(_books) > KEPT:
        _books.popitem(last=False)
    if path == first.path or not isinstance(first.stored, StoredResults):
        return first
    copy = replace(first, path=path, stored=replace(first.stored, path=path))
    copy.__dict__.update({name: made for name, made in first.__dict__.items() if name in SAME})
    return copy
