"""One Undo in Calc takes back one run of a command, and nothing else: real keys in a window."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from addin import commands
from addin.results.table_sheets import COMPARED
from tests.support.calc_window import NAME, ROOT, USER, Calc, attached, opened_calc, until

pytestmark = [pytest.mark.office, pytest.mark.slow]

SHEET, PLACE, TYPED = "My notes", "B3", 42


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    with opened_calc() as opened:
        opened.press("compare")  # the first button opens the pipe
        yield opened


@pytest.fixture
def book(calc: Calc, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The workbook in the window without a result sheet, a sheet of the user's own in front."""
    monkeypatch.setenv("USER", USER)
    app = until(attached)
    book = app.books[NAME]
    until(lambda: COMPARED in book.sheet_names and not calc.running())
    app.activate()
    book.sheets[COMPARED].delete()
    notes = book.sheets.add(SHEET, before=book.sheets[0])
    notes.activate()
    notes[PLACE].select()
    yield book
    app.quit()


def press(calc: Calc, *keys: str) -> None:
    window = calc.window()
    for key in keys:
        calc.screen.key(key, window)
        time.sleep(0.2)


def seen(book: Any) -> tuple[Any, ...]:
    """Return sheets in order, what was typed, and the values of the result sheet."""
    notes, names = book.sheets[SHEET], book.sheet_names
    values = book.sheets[COMPARED]["A1:E20"].value if COMPARED in names else None
    return names, notes[PLACE].value, notes["D3"].value, notes["D3"].formula, values


def test_one_undo_takes_back_one_run_and_the_next_one_the_users_own_edit(calc: Calc, book: Any) -> None:
    empty = seen(book)
    press(calc, "4", "2", "Return")
    until(lambda: book.sheets[SHEET][PLACE].value == TYPED)
    typed = seen(book)
    arguments = [sys.executable, "-m", "addin", "compare", "--sheet", "--engine=libreoffice", f"--book={NAME}"]
    subprocess.run(arguments, cwd=ROOT, check=True)  # as of a button: it has ended before anything is undone
    first = seen(book)
    assert first[0] == [*typed[0], COMPARED]

    press(calc, "ctrl+z")
    until(lambda: seen(book) == typed)
    press(calc, "ctrl+z")
    until(lambda: seen(book) == empty)
    press(calc, "ctrl+y", "ctrl+y")
    until(partial(_same, book, first))

    book.sheets[SHEET]["D3"].formula = f"='{COMPARED}'!B7"
    book.names["In_desktops"].refers_to_range.value = 4 * book.names["In_desktops"].refers_to_range.value
    before = seen(book)
    book.sheets[SHEET].activate()  # an Undo shows what it has changed
    commands.compare(book)
    after = seen(book)
    assert book.sheets.active.name == SHEET
    assert after[4] != before[4]
    assert after[3] == before[3]
    assert after[2] != before[2]
    press(calc, "ctrl+z")
    until(lambda: seen(book) == before)
    press(calc, "ctrl+y")
    until(partial(_same, book, after))


def _same(book: Any, state: tuple[Any, ...]) -> bool:
    return seen(book) == state
