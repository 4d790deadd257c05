"""Ctrl-C in the shell and Cancel at the very start: one line, no half-written sheet, the office goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import xlwings as xw

from addin import commands
from addin.running.runner import Cancelled, ProgressRunner
from addin.workbook import live
from tests.commands.test_launch import MANY, own_folder
from tests.support import opened
from tests.support.opened import Calc

pytestmark = pytest.mark.office

__all__ = ["own_folder"]

WAIT_S = 120
# The signal goes to the whole process group, as a terminal sends it.
PRESSED = """
import os, signal, sys
from addin.running import runner
from addin.workbook import live
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
line, cells, printed = runner.ProgressRunner.line, live._cells, []

def press():
    if not printed:
        printed.append(1)
        os.killpg(0, signal.SIGINT)

def computing(watch, now):
    if watch._done:
        press()
    return line(watch, now)

def reading(sheet):
    listed = list(cells(sheet))
    press()
    return listed

moment, book, pipe, trials = sys.argv[1:]
if moment == "reading":
    live._cells = reading
else:
    runner.ProgressRunner.line = computing
sys.exit(runner.run_command("simulate", "libreoffice", book, pipe, {"trials": int(trials)}))
"""


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    with opened.calc() as office:
        yield office


@pytest.fixture
def book(calc: Calc, original: Path, tmp_path: Path) -> Iterator[xw.Book]:
    app = calc.app()
    opened_book = app.books.open(str(opened.copied(original, tmp_path)))
    yield opened_book
    opened_book.close()
    app.quit()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a process group cannot be sent Ctrl-C from outside of its console")
@pytest.mark.parametrize(
    ("moment", "code", "message", "sheet"),
    [
        ("reading", 2, "Monte Carlo: cancelled. Nothing was changed.\n", None),
        ("computing", 0, "PARTIAL: see the sheet Risk.\n", "PARTIAL RUN: "),
    ],
)
def test_ctrl_c_is_one_line_and_the_office_goes_on(
    calc: Calc, book: xw.Book, moment: str, code: int, message: str, sheet: str | None
) -> None:
    before = book.sheet_names
    done = subprocess.run(
        [sys.executable, "-c", PRESSED, moment, book.name, calc.pipe, str(MANY)],
        cwd=Path(commands.__file__).parent.parent,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=WAIT_S,
    )
    printed = done.stdout + done.stderr
    assert (done.returncode, printed.count("\n")) == (code, 1), printed
    assert printed.endswith(message)
    assert book.sheet_names == (before if sheet is None else [*before, "Risk"])
    if sheet is not None:
        assert book.sheets["Risk"]["A2"].value.startswith(sheet)
    commands.compare(book)


def test_nothing_is_read_after_a_request_to_stop(original: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    cells = live._cells

    def noted(sheet: xw.Sheet) -> object:
        read.append(sheet.name)
        return cells(sheet)

    monkeypatch.setattr(live, "_cells", noted)
    monkeypatch.setattr(live, "FILE", "")  # the file is read as an application is, a sheet after the other
    with pytest.raises(Cancelled):
        commands.compare(opened.opened(original), runner=ProgressRunner("x", lambda line: None, lambda: len(read) == 3))
    assert len(read) == 3
