"""A small command on a small workbook in a fake Excel, and where its result ends: in the workbook or in a file."""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import Any

import openpyxl
import pytest
import xlwings as xw

from addin import commands
from addin.buttons import COMMANDS
from addin.commands import CommandResult, Runner
from addin.kernel import Address, Cells, Scalar
from addin.results import kept
from addin.results.page import Page
from addin.running.runner import run_command
from addin.workbook import live
from addin.workbook.book import SizingBook
from addin.workbook.reads import Read, Reads
from tests.support.busy_excel import Excel, Schedule

TITLE = COMMANDS["compare"].sheet
DESKTOPS, BLANK, READER = Address("Inputs", 2, 2), Address("Inputs", 3, 2), Address("Notes", 1, 1)


@pytest.fixture
def quote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workbook with two inputs and with an older result sheet that a formula reads, in a folder of its own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    book = openpyxl.Workbook()
    inputs = book.worksheets[0]
    inputs.title = "Inputs"
    inputs["A2"], inputs["B2"], inputs["A3"] = "Desktops", 2200, "Discount"
    book.create_sheet("Notes")["A1"] = f"='{TITLE}'!B9*2"
    old = book.create_sheet(TITLE)
    old["A1"], old["B9"] = TITLE, 1
    path = tmp_path / "offers" / "Quote.xlsx"
    path.parent.mkdir()
    book.save(path)
    return path


@pytest.fixture(autouse=True)
def small_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that the tests run: it reads an input, computes beside Excel and draws a sheet with its result."""

    def compare(book: xw.Book, *, runner: Runner) -> CommandResult:
        desktops = live.values(book, [DESKTOPS])[DESKTOPS]
        known = {READER: f"='{TITLE}'!B9*2"}
        cells = Cells(MappingProxyType(known), MappingProxyType({}), ("Inputs", "Notes", TITLE))
        shown = live.OnScreen(dict[Address, Scalar](), live.application(book))
        sizing = SizingBook(live.path_of(book), cells, {}, "0", shown)
        read = Reads((Read("Desktops", "desktops", "", DESKTOPS, desktops),), (BLANK,))

        def drawn(_: object) -> Page:
            page = Page(TITLE, (30, 12, 12))
            page.head(TITLE, "An answer", "A purpose")
            page.put(9, 2, desktops, "calculation")
            Excel.current.computed = Excel.current.now
            return page

        return CommandResult(kept.put_in(book, runner(drawn), TITLE, sizing, read, runner.shows))

    monkeypatch.setattr(commands, "compare", compare)
    monkeypatch.setattr("addin.running.runner.TICK_S", 0.001)
    monkeypatch.setattr("addin.running.runner.SHOW_S", 0.0)


def said(fake: Excel, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run the command; return its exit code and its one line."""
    code = run_command("compare", "excel", "Quote.xlsx", None, {})
    printed = "".join(capsys.readouterr())
    assert printed.count("\n") == 1, printed
    return code, printed


def whole(fake: Excel) -> bool:
    """Return whether the workbook is as people left it but for the result sheet: nothing half done, nothing open."""
    book = fake.file
    return (
        book.sheet_names == ["Inputs", "Notes", TITLE]
        and book.sheets.active.name == "Inputs"
        and book.sheets["Notes"]["A1"].formula == f"='{TITLE}'!B9*2"
        and [each.name for each in book.app.books] == ["Quote.xlsx"]
        and (fake.screen, fake.alerts) == (True, True)
    )


def outcome(fake: Excel, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command and return where its result is, "book" or "file"; it is in one of them, whole."""
    code, line = said(fake, capsys)
    assert "closed" not in line
    if code == 0:
        assert fake.file.sheets[TITLE]["B9"].value == 2200
        assert whole(fake)
        return "book"
    assert code == 2
    assert "Nothing was lost." in line
    assert saved(line)["B9"].value == 2200
    return "file"


def saved(line: str) -> Any:
    """Return the sheet in the file that a message names."""
    (named,) = re.findall(r"is kept: it is saved as (.+\.xlsx)\.$", line, re.M)
    (sheet,) = openpyxl.load_workbook(named).worksheets
    assert sheet.title == TITLE
    assert "into which it was not put" in str(sheet["A4"].value)
    return sheet


def from_putting_in(code: int) -> Schedule:
    """Return a schedule with one answer from the moment on when the drawn sheet is opened."""
    begun: list[int] = []

    def schedule(fake: Excel) -> int | None:
        if fake.member == "Open":
            begun.append(1)
        return code if begun else None

    return schedule
