"""Compare with a copy, as a user of Calc meets it: a click, the office's dialog for files, the sheet, one line else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import CalledProcessError

import pytest
from openpyxl import load_workbook

from addin.buttons import COMMANDS
from addin.diff.compared import SHEET
from addin.workbook.book import open_book
from addin.xlsx.package import read_parts
from tests.support.calc_window import NAME, USER, Calc, attached, opened_calc, until

pytestmark = [pytest.mark.office, pytest.mark.slow]

Press = Callable[[Path | None], str]
ASKS = COMMANDS["diff"].asks
TRIES = 6


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    with opened_calc() as opened:
        yield opened


@pytest.fixture
def pressed(calc: Calc, monkeypatch: pytest.MonkeyPatch) -> Press:
    """Press the button; return what chooses a file in the dialog, None to cancel it, and returns the log."""
    monkeypatch.setenv("USER", USER)
    before = set(logs(calc))
    calc.screen.move_away()
    calc.press("diff")

    def choose(path: Path | None) -> str:
        (dialog,) = until(lambda: calc.screen.windows(f"^{ASKS}$"))
        for _ in range(TRIES):  # it takes no keys until it has listed its folder
            with suppress(AssertionError, CalledProcessError):  # the latter where it closes late, before the next key
                if path is not None:
                    calc.screen.key("ctrl+a", dialog)
                    calc.screen.type(str(path), dialog)
                calc.screen.key("Escape" if path is None else "Return", dialog)
                until(lambda: not calc.screen.windows(f"^{ASKS}$"), 10)
                break
        until(lambda: not calc.running())
        (log,) = set(logs(calc)) - before
        said: str = until(lambda: log.read_text(encoding="utf-8"))
        return said

    return choose


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
    said = pressed(older)
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
    assert pressed(None) == "Compare with a copy: cancelled. Nothing was changed.\n"
    assert calc.screen.windows("^VDI Sizing$") == []
    assert app.books[NAME].sheet_names == before
    app.quit()


def test_a_file_that_is_not_a_sizing_workbook_is_one_line_in_a_window(calc: Calc, pressed: Press) -> None:
    other = calc.home / "notes.xlsx"
    other.write_text("not a workbook", encoding="utf-8")
    app = until(attached)
    before = app.books[NAME].sheet_names
    said = pressed(other)
    assert said.startswith("error: notes.xlsx: cannot be read as .xlsx")
    (window,) = until(lambda: calc.screen.windows("^VDI Sizing$"))
    calc.screen.key("Return", window)
    until(lambda: not calc.screen.windows("^VDI Sizing$"))
    assert app.books[NAME].sheet_names == before
    app.quit()
