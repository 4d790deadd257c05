"""Buttons that ask, as a user of Calc meets them: a click, dialogs of the office, the sheet, one line else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import CalledProcessError

import pytest
from openpyxl import load_workbook

from addin.buttons import COMMANDS, LINE
from addin.diff.compared import SHEET
from addin.running.dialogs import TITLE
from addin.workbook.book import open_book
from addin.xlsx.package import read_parts
from tests.support import opened
from tests.support.calc_window import NAME, USER, Calc, attached, opened_calc, until

pytestmark = [pytest.mark.office, pytest.mark.slow]

Press = Callable[..., str]
CANCELLED = "cancelled. Nothing was changed.\n"
TRIES = 6


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    with opened_calc() as opened:
        yield opened


@pytest.fixture
def pressed(calc: Calc, monkeypatch: pytest.MonkeyPatch) -> Press:
    """Return what presses a button and answers its dialogs; it returns what the run has said.

    An answer is a file to choose, a line to type, "" for the line as it is suggested, None to cancel.
    """
    monkeypatch.setenv("USER", USER)

    def press(command: str, *answers: Path | str | None) -> str:
        before = set(logs(calc))
        calc.screen.move_away()
        calc.press(command)
        for question, answer in zip(COMMANDS[command].asks, answers, strict=False):
            answered(calc, f"^{TITLE if question.kind == LINE else question.text}$", answer)
        until(lambda: not calc.running())
        (log,) = set(logs(calc)) - before
        said: str = until(lambda: log.read_text(encoding="utf-8"))
        return said

    return press


def answered(calc: Calc, title: str, answer: Path | str | None) -> None:
    """Answer one dialog."""
    (dialog,) = until(lambda: calc.screen.windows(title))
    for _ in range(TRIES):  # that of files takes no keys until it has listed its folder
        with suppress(AssertionError, CalledProcessError):  # the latter where it closes late, before the next key
            if answer:
                calc.screen.key("ctrl+a", dialog)
                calc.screen.type(str(answer), dialog)
            calc.screen.key("Escape" if answer is None else "Return", dialog)
            until(lambda: not calc.screen.windows(title), 10)
            return


def logs(calc: Calc) -> list[Path]:
    return list((calc.home.parent / "tmp").glob("vdi-sizing-*/*.log"))


def test_the_chosen_copy_is_compared_with_the_open_workbook(calc: Calc, pressed: Press) -> None:
    price, users = (open_book(calc.book).entry(key).address for key in ("array_price", "desktops"))
    older = Path(shutil.copy(calc.book, calc.home / "monday = older (1).xlsx"))
    workbook = load_workbook(older)
    workbook[price.sheet].cell(price.row, price.column).value = 90000
    workbook[users.sheet].cell(users.row, users.column).value = 1234
    workbook.save(older)
    before = read_parts(calc.book), older.read_bytes()
    said = pressed("diff", older)
    assert said.startswith(f"Compared with {older.name}, ")
    assert f"findings: see the sheet {SHEET}." in said
    app = until(attached)
    sheet = app.books[NAME].sheets[SHEET]
    found = {row[0]: row[2:4] for row in sheet.range("A1:F400").value if row[0]}
    assert found["desktops"] == [1234, 1500]
    assert found["array_price"] == [90000, "(blank)"]
    app.quit()
    assert (read_parts(calc.book), older.read_bytes()) == before


def test_a_cancelled_dialog_is_said_in_the_status_bar_alone(calc: Calc, pressed: Press) -> None:
    app = until(attached)
    before = app.books[NAME].sheet_names
    assert pressed("diff", None) == f"Compare with a copy: {CANCELLED}"
    assert calc.screen.windows("^VDI Sizing$") == []
    assert app.books[NAME].sheet_names == before
    app.quit()


def test_a_file_that_is_not_a_sizing_workbook_is_one_line_in_a_window(calc: Calc, pressed: Press) -> None:
    other = calc.home / "notes.xlsx"
    other.write_text("not a workbook", encoding="utf-8")
    app = until(attached)
    before = app.books[NAME].sheet_names
    said = pressed("diff", other)
    assert said.startswith("error: notes.xlsx: cannot be read as .xlsx")
    (window,) = until(lambda: calc.screen.windows("^VDI Sizing$"))
    calc.screen.key("Return", window)
    until(lambda: not calc.screen.windows("^VDI Sizing$"))
    assert app.books[NAME].sheet_names == before
    app.quit()


def test_measured_files_go_into_a_copy_with_what_is_typed_and_not_saved(calc: Calc, pressed: Press) -> None:
    pilots, target = Path(opened.measured()), calc.book.with_name(f"{calc.book.stem} measured.xlsx")
    app = until(attached)
    book, before = app.books[NAME], read_parts(calc.book)
    assert pressed("measure", pilots, None) == f"Measure: {CANCELLED}"
    assert not target.exists()
    book.names["In_desktops"].refers_to_range.value = 1700
    said = pressed("measure", pilots, "hours 08:00-18:00 login 08:00-09:30 keep-first-days")
    assert said.startswith("Measured on 12 desktops, 7 days, 5-minute means; 95 % upper bound")
    assert f"Written into My profile 1 of {target}: open that copy" in said
    sheet = COMMANDS["measure"].sheet
    assert "pilots.csv (" in " ".join(str(row[0]) for row in book.sheets[sheet].range("A1:B40").value)
    copy = open_book(target)
    assert copy.cells.constant(copy.entry("desktops").address) == 1700
    assert any(key.startswith("Measured: 12 desktops") for key in copy.own)
    assert sheet not in copy.cells.sheets
    assert read_parts(calc.book) == before
    app.quit()
