"""What a button does with the window: its sheet in front unless somebody works on, and what is typed counts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from addin.buttons import CANCEL
from addin.results.list_sheets import EXPLAINED
from addin.results.table_sheets import COMPARED, SCENARIOS
from addin.running.launch import NOTHING_RUNS
from tests.support.calc_window import NAME, USER, Calc, attached, opened_calc, until

pytestmark = [pytest.mark.office, pytest.mark.slow]

FRONT, INPUT = "Answer", "In_desktops"
STATUS = slice(870, 900), slice(0, 600)  # of the screen: the left end of the status bar
CHART = slice(560, 840), slice(40, 1330)  # what shows the first chart of a comparison


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    with opened_calc() as opened:
        opened.press("compare")  # the first button opens the pipe
        until(lambda: any(log.read_text("utf-8") for log in logs(opened)))  # which says that it is done
        yield opened


@pytest.fixture
def book(calc: Calc, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The workbook in the window, its front page shown and the first input selected; no button is at work."""
    monkeypatch.setenv("USER", USER)
    app = until(attached)
    book = app.books[NAME]
    until(lambda: not calc.running())
    app.activate()
    for title in {COMPARED, SCENARIOS, EXPLAINED} & set(book.sheet_names):
        book.sheets[title].delete()
    cell = book.names[INPUT].refers_to_range
    cell.sheet.activate()
    cell.select()
    calc.screen.move_away()
    time.sleep(1)
    yield book
    app.quit()


def keys(calc: Calc, *names: str) -> None:
    window = calc.window()
    for name in names:
        calc.screen.key(name, window)


def logs(calc: Calc) -> set[Path]:
    return set((calc.home.parent / "tmp").glob("vdi-sizing-*/*.log"))


def _said(calc: Calc, before: set[Path]) -> bool:
    return any(log.read_text("utf-8") for log in logs(calc) - before)


def test_the_result_comes_to_the_front_where_nothing_was_done_since_the_click(calc: Calc, book: Any) -> None:
    calc.press("compare")
    until(lambda: book.sheets.active.name == COMPARED)
    assert COMPARED in book.sheet_names


def test_a_sheet_that_replaces_its_forerunner_shows_its_charts_in_the_same_place(calc: Calc, book: Any) -> None:
    pictures = []
    for _ in range(2):
        before = logs(calc)
        calc.press("compare")
        calc.screen.move_away()
        until(partial(_said, calc, before))
        time.sleep(3)
        pictures.append(calc.screen.picture()[CHART].copy())
    assert book.sheets.active.name == COMPARED
    assert (pictures[0] == pictures[1]).all()
    assert (pictures[0] != pictures[0][0, 0]).any()


def test_somebody_who_works_on_keeps_the_sheet_and_is_told_until_the_next_action(calc: Calc, book: Any) -> None:
    idle = calc.screen.picture()[STATUS].copy()
    calc.press("scenarios")
    calc.screen.move_away()
    until(calc.running)
    until(lambda: (calc.screen.picture()[STATUS] != idle).any())
    keys(calc, "Right")
    until(lambda: SCENARIOS in book.sheet_names)
    until(lambda: not calc.running())
    assert book.sheets.active.name == FRONT
    time.sleep(2)
    said = calc.screen.picture()[STATUS].copy()
    time.sleep(8)  # longer than a sentence lingers
    assert (calc.screen.picture()[STATUS] == said).all()
    keys(calc, "Left")
    until(lambda: (calc.screen.picture()[STATUS] != said).any(), 10)


def test_a_value_that_is_being_typed_is_waited_for_and_counts(calc: Calc, book: Any) -> None:
    cell = book.names[INPUT].refers_to_range
    before = cell.value
    keys(calc, "2", "3", "4", "5")
    until(lambda: book.app.api.editing)
    calc.press("compare")
    until(calc.running)
    time.sleep(4)
    assert (cell.value, COMPARED in book.sheet_names) == (before, False)
    keys(calc, "Return")
    until(lambda: COMPARED in book.sheet_names)
    assert cell.value == 2345
    assert str(book.sheets[COMPARED]["A4"].value).endswith("; current")


def test_the_cell_that_was_selected_at_the_click_is_explained(calc: Calc, book: Any) -> None:
    cell = book.names[INPUT].refers_to_range
    at_click = f"{cell.sheet.name}!{cell.address.replace('$', '')}"
    calc.press("explain")
    calc.screen.move_away()
    keys(calc, "Down", "Down")
    until(lambda: EXPLAINED in book.sheet_names)
    assert str(book.sheets[EXPLAINED]["A2"].value).startswith(f"{at_click} ")
    until(lambda: not calc.running())
    assert book.sheets.active.name == FRONT  # who has moved on is not taken away


def test_a_second_press_is_said_in_the_status_bar_alone(calc: Calc, book: Any) -> None:
    before = logs(calc)
    calc.press("scenarios")
    calc.screen.move_away()
    until(lambda: "scenarios" in calc.at_work())  # of two clicks, the one that has the document first goes on
    calc.press("compare")
    said = until(lambda: [text for log in logs(calc) - before if "still running" in (text := log.read_text("utf-8"))])
    assert [text.count("\n") for text in said] == [1]
    assert calc.screen.windows("^VDI Sizing$") == []
    until(lambda: SCENARIOS in book.sheet_names and not calc.running())
    assert COMPARED not in book.sheet_names


def test_cancel_without_a_run_is_said_in_the_status_bar_alone(calc: Calc, book: Any) -> None:
    before = logs(calc)
    calc.press(CANCEL)
    calc.screen.move_away()
    until(lambda: [log for log in logs(calc) - before if log.read_text("utf-8") == f"{NOTHING_RUNS}\n"])
    time.sleep(1)
    said = calc.screen.picture()[STATUS].copy()
    assert calc.screen.windows("^VDI Sizing$") == []
    until(lambda: (calc.screen.picture()[STATUS] != said).any(), 20)  # the bar is given back
