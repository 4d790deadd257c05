"""A busy Excel loses nothing: a run ends with its sheet in the workbook or in a file that is named, and Excel is not
called closed while it lives. Excel is the fake of tests/support/busy_excel.py, behind xlwings' own code for Windows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from addin import excel
from addin.running import documents
from addin.running.runner import run_command
from addin.xlsx.package import PackageError, write_parts
from tests.commands.test_launch import own_folder
from tests.support import shipped, windows_xlwings
from tests.support.busy_excel import Excel, Schedule, alone, attached, never, phases
from tests.support.small_run import TITLE, from_putting_in, outcome, quote, said, saved, small_command, whole

__all__ = ["own_folder", "quote", "small_command"]

CODES = (excel.REJECTED, excel.IGNORED, excel.LATER)
SERVER_GONE, DISCONNECTED = 0x800706BA, 0x80010108


def every(number: int) -> Schedule:
    """Return a schedule that lets one call of some pass, with the codes in turn."""
    return lambda fake: CODES[fake.calls % len(CODES)] if fake.calls % number else None


SHORT = [
    *(alone(seed, CODES, share) for seed in range(40) for share in (0.02, 0.3)),
    *(phases(seed, sorted(excel.BUSY), (0.01, 8.0), (0.01, 0.5)) for seed in range(120)),
    *(every(number) for number in (2, 3, 5)),
]
IN_TURN = 600  # schedules, each with one call that is refused: of a run's 300 or so every one, with each code in turn
LONG = [phases(seed, CODES, (5.0, 60.0), (0.02, 0.4)) for seed in range(100)]


@pytest.mark.slow
def test_short_refusals_of_any_call_end_with_the_sheet_in_the_workbook(quote, monkeypatch, capsys) -> None:
    for number, schedule in enumerate(SHORT):
        fake = attached(monkeypatch, quote, schedule)
        assert (number, outcome(fake, capsys)) == (number, "book")


@pytest.mark.slow
def test_long_refusals_end_with_the_sheet_in_the_workbook_or_in_a_file_and_nothing_half_done(
    quote, monkeypatch, capsys
) -> None:
    found = []
    for schedule in LONG:
        fake = attached(monkeypatch, quote, schedule)
        found.append(outcome(fake, capsys))
        assert whole(fake)
    assert set(found) == {"book", "file"}


@pytest.mark.parametrize("code", [*CODES, 0x80020009])
def test_an_excel_that_stays_busy_leaves_the_result_in_a_file_after_a_minute(quote, monkeypatch, capsys, code) -> None:
    fake = attached(monkeypatch, quote, lambda fake: code if fake.computed else None)
    assert outcome(fake, capsys) == "file"
    assert 55 < fake.now - fake.computed < 130
    assert (quote.parent / f"Quote - {TITLE}.xlsx").is_file()
    assert fake.file.sheets[TITLE]["B9"].value == 1


def test_an_excel_that_is_busy_before_anything_was_read_is_said_to_be_busy(quote, monkeypatch, capsys) -> None:
    attached(monkeypatch, quote, lambda fake: excel.LATER)
    code, line = said(Excel.current, capsys)
    assert (code, line.partition(":")[0]) == (2, "error")
    assert "Excel is busy: a cell is being edited" in line
    assert "Nothing was lost. Finish the cell" in line


@pytest.mark.parametrize("code", CODES)
def test_a_status_line_that_excel_does_not_take_is_left_out(quote, monkeypatch, capsys, code) -> None:
    fake = attached(monkeypatch, quote, lambda fake: code if fake.member == "StatusBar =" else None)
    assert outcome(fake, capsys) == "book"
    assert fake.lines == []


def test_a_line_that_a_busy_excel_kept_is_taken_back_at_the_end(quote, monkeypatch, capsys) -> None:
    def schedule(fake: Excel) -> int | None:
        """Refuse the lines for a while, once one was shown."""
        shown.append(fake.now) if fake.lines and not shown else None
        return excel.LATER if shown and fake.now < shown[0] + 5 and fake.member == "StatusBar =" else None

    shown: list[float] = []
    fake = attached(monkeypatch, quote, schedule)
    assert outcome(fake, capsys) == "book"
    assert fake.lines[-1] is False


@pytest.mark.parametrize("code", [SERVER_GONE, DISCONNECTED])
def test_closed_is_said_for_the_two_codes_of_an_excel_that_has_ended_and_the_result_is_kept(
    quote, monkeypatch, capsys, code
) -> None:
    attached(monkeypatch, quote, from_putting_in(code))
    ended, line = said(Excel.current, capsys)
    assert ended == 2
    assert "Excel or the workbook was closed." in line
    assert saved(line)["B9"].value == 2200


def test_a_button_shows_the_name_of_the_file_in_a_dialog(quote, monkeypatch, capsys) -> None:
    shown: list[str] = []
    monkeypatch.setattr("addin.running.dialogs.show_message", lambda app, text: shown.append(text))
    attached(monkeypatch, quote, lambda fake: excel.LATER if fake.computed else None)
    assert run_command("compare", "excel", "Quote.xlsx", str(windows_xlwings.PID), {}, "a-button") == 2
    (line,) = shown
    assert saved(line)["B9"].value == 2200


def test_where_the_folder_of_the_workbook_takes_no_file_another_one_does(quote, monkeypatch, capsys) -> None:
    def refused(path: Path, parts: Any, *, new: bool) -> None:
        if path.parent == quote.parent:
            raise PackageError(f"{path}: cannot be written")
        write_parts(path, parts, new=new)

    monkeypatch.setattr("addin.results.kept.write_parts", refused)
    attached(monkeypatch, quote, lambda fake: excel.LATER if fake.computed else None)
    assert outcome(Excel.current, capsys) == "file"
    assert (quote.parents[1] / f"Quote - {TITLE}.xlsx").is_file()


@pytest.mark.parametrize("code", [0x800A03EC, 0x80004005, 0x80010105])
def test_any_other_code_is_not_called_closed_and_the_result_is_kept(quote, monkeypatch, capsys, code) -> None:
    attached(monkeypatch, quote, from_putting_in(code))
    ended, line = said(Excel.current, capsys)
    assert ended == 2
    assert "closed" not in line
    assert saved(line)["B9"].value == 2200


def busy_from(member: str, seconds: float, then: Callable[[Excel], object]) -> Schedule:
    """Return a schedule with one busy time, which begins as a member is asked for while the sheet is put in."""
    since: list[float] = []
    over: list[int] = []

    def schedule(fake: Excel) -> int | None:
        if fake.member == member and fake.computed and not since:
            since.append(fake.now)
        if not since or over:
            return None
        if fake.now < since[0] + seconds:
            return excel.IGNORED
        over.append(1)
        then(fake)
        return None

    return schedule


def test_what_was_typed_while_excel_was_busy_stays_and_is_said(quote, monkeypatch, capsys) -> None:
    """The try gives up, takes back what it began, and a second one finds the newer value."""

    def type_in(fake: Excel) -> None:
        fake.file.sheets["Inputs"]["B2"].value = 2500
        fake.file.sheets["Inputs"]["B3"].value = 0.1

    fake = attached(monkeypatch, quote, busy_from("Copy", 25.0, type_in))
    code, line = said(fake, capsys)
    assert code == 0
    assert "Typed while Excel was busy, and left as typed: Desktops, Inputs!B3. The sheet is of the values" in line
    assert fake.file.sheets["Inputs"]["B2"].value == 2500
    assert fake.file.sheets[TITLE]["B9"].value == 2200
    assert whole(fake)


def test_a_formula_that_was_typed_over_meanwhile_is_not_written_back(quote, monkeypatch, capsys) -> None:
    """Excel was busy because somebody was typing into the very cell that read the old sheet."""

    def type_in(fake: Excel) -> None:
        fake.file.sheets["Notes"]["A1"].value = 42

    fake = attached(monkeypatch, quote, busy_from("Copy", 5.0, type_in))
    code, line = said(fake, capsys)
    assert (code, fake.file.sheets["Notes"]["A1"].value) == (0, 42)
    assert "Typed meanwhile, and left as typed: Notes!A1." in line


@pytest.mark.parametrize(("moved_to", "front"), [("", TITLE), ("Notes", "Notes")])
def test_the_result_takes_no_key_of_somebody_who_has_moved_on_while_it_was_put_in(
    quote, monkeypatch, capsys, moved_to, front
) -> None:
    """It comes to the front where nothing was done since the click, until its last moment."""

    def move_on(fake: Excel) -> None:
        if moved_to:
            fake.file.sheets[moved_to].impl.activate()  # that of xlwings would make another engine the active one

    fake = attached(monkeypatch, quote, busy_from("Delete", 5.0, move_on))
    monkeypatch.setattr("addin.running.runner.LINGER_S", 0.0)
    monkeypatch.setattr("addin.running.runner.STAYS_S", 0.0)
    assert run_command("compare", "excel", "Quote.xlsx", str(windows_xlwings.PID), {}, "a-button") == 0
    assert fake.file.sheets.active.name == front


@pytest.mark.parametrize("member", ["Copy", "Name =", "Close", "Formula2", "Formula2 =", "Delete"])
def test_a_refusal_at_any_step_of_the_exchange_leaves_nothing_half_done(quote, monkeypatch, capsys, member) -> None:
    fake = attached(monkeypatch, quote, busy_from(member, 25.0, lambda fake: None))
    assert outcome(fake, capsys) == "book"
    assert fake.slept > 20


def test_a_first_sheet_that_was_taken_back_leaves_the_user_on_the_same_sheet(quote, monkeypatch, capsys) -> None:
    """Excel goes to the copied sheet, and to a neighbour of it when that is deleted."""
    book = openpyxl.load_workbook(quote)
    del book[TITLE]
    book.save(quote)
    fake = attached(monkeypatch, quote, busy_from("Formula =", 25.0, lambda fake: None))
    assert said(fake, capsys)[0] == 0
    assert fake.slept > 20
    assert (fake.file.sheet_names[-1], fake.file.sheets.active.name) == (TITLE, "Inputs")


def test_an_excel_that_stays_busy_in_the_middle_of_an_exchange_is_explained(quote, monkeypatch, capsys) -> None:
    """Nothing can be taken back then: the message says what may be left, and the result is kept."""
    attached(monkeypatch, quote, busy_from("Copy", 1e9, lambda fake: None))
    code = run_command("compare", "excel", "Quote.xlsx", None, {})
    line = capsys.readouterr().err
    assert code == 2
    assert "closed" not in line
    assert f"Where there is a sheet '{TITLE} before 1', delete '{TITLE}' and rename that one." in line
    assert saved(line)["B9"].value == 2200


def test_an_excel_that_refuses_to_say_what_is_selected_costs_no_result(quote, monkeypatch, capsys) -> None:
    fake = attached(monkeypatch, quote, lambda fake: 0x80004005 if fake.computed and fake.member == "Name" else None)
    ended, line = said(fake, capsys)
    assert ended == 2
    assert "closed" not in line
    assert saved(line)["B9"].value == 2200


def test_a_refused_look_up_in_a_collection_is_not_taken_for_none(quote, monkeypatch) -> None:
    """xlwings' own wrapper gives up after the first refusal there, and returns None."""
    fake = attached(monkeypatch, quote, never)
    book = documents.find("excel", "Quote.xlsx")
    fake.schedule = every(2)
    assert book.app.books["Quote.xlsx"].sheets["Inputs"]["B2"].value == 2200


def test_our_retries_are_installed_once_and_xlwings_own_are_off() -> None:
    windows = windows_xlwings.windows()
    excel.be_patient()
    method = windows.COMRetryObjectWrapper.__getattr__
    excel.be_patient()
    assert windows.COMRetryObjectWrapper.__getattr__ is method
    assert windows.N_COM_ATTEMPTS == 1


@pytest.mark.slow
def test_a_real_command_in_a_busy_excel_gives_the_sheet_of_a_file(tmp_path, monkeypatch, capsys) -> None:
    path = shipped.write_reference(tmp_path)
    fake = attached(monkeypatch, path, phases(1, CODES, (0.1, 9.0), (0.05, 1.0)))
    assert run_command("explain", "excel", path.name, None, {"name": "arrays_required"}) == 0
    assert "explained: see the sheet Explanation." in capsys.readouterr().out
    assert str(fake.file.sheets["Explanation"]["E7"].value).startswith("=")
