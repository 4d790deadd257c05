"""A busy Excel loses nothing: a run ends with its sheet in the workbook or in a file that is named, and Excel is not
called closed while it lives. Excel is the fake of tests/support/busy_excel.py, behind xlwings' own code for Windows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

import openpyxl
import pytest
import xlwings as xw

from addin import commands, excel
from addin.buttons import COMMANDS
from addin.commands import CommandResult, Runner
from addin.errors import AddinError
from addin.kernel import Address, Cells
from addin.results import kept
from addin.results.page import Page
from addin.running import documents
from addin.running.runner import run_command
from addin.workbook import live
from addin.workbook.book import SizingBook
from addin.workbook.reads import Read, Reads
from tests.commands.test_launch import own_folder
from tests.support import shipped, windows_xlwings
from tests.support.busy_excel import Excel, Schedule, alone, attached, never, phases

__all__ = ["own_folder"]

TITLE = COMMANDS["compare"].sheet
CODES = (excel.REJECTED, excel.IGNORED, excel.LATER)
SERVER_GONE, DISCONNECTED = 0x800706BA, 0x80010108
DESKTOPS, BLANK, READER = Address("Inputs", 2, 2), Address("Inputs", 3, 2), Address("Notes", 1, 1)
SHARED = "https://tenant.sharepoint.com/sites/x/Shared Documents/General/Quote.xlsx"


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
        sizing = SizingBook(live.path_of(book), cells, {}, "0", live.OnScreen({}, live.application(book)))
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


def every(number: int) -> Schedule:
    """Return a schedule that lets one call of some pass, with the codes in turn."""
    return lambda fake: CODES[fake.calls % len(CODES)] if fake.calls % number else None


SHORT = [
    *(alone(seed, CODES, share) for seed in range(40) for share in (0.02, 0.3)),
    *(phases(seed, sorted(excel.BUSY), (0.01, 8.0), (0.01, 0.5)) for seed in range(120)),
    *(every(number) for number in (2, 3, 5)),
]
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


def from_putting_in(code: int) -> Schedule:
    """Return a schedule with one answer from the moment on when the drawn sheet is opened."""
    begun: list[int] = []

    def schedule(fake: Excel) -> int | None:
        if fake.member == "Open":
            begun.append(1)
        return code if begun else None

    return schedule


@pytest.mark.parametrize("code", [SERVER_GONE, DISCONNECTED])
def test_closed_is_said_for_the_two_codes_of_an_excel_that_has_ended_and_the_result_is_kept(
    quote, monkeypatch, capsys, code
) -> None:
    attached(monkeypatch, quote, from_putting_in(code))
    ended, line = said(Excel.current, capsys)
    assert ended == 2
    assert "Excel or the workbook was closed." in line
    assert saved(line)["B9"].value == 2200


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


@pytest.mark.parametrize("member", ["Copy", "Name =", "Close", "Formula2", "Formula2 =", "Delete"])
def test_a_refusal_at_any_step_of_the_exchange_leaves_nothing_half_done(quote, monkeypatch, capsys, member) -> None:
    fake = attached(monkeypatch, quote, busy_from(member, 25.0, lambda fake: None))
    assert outcome(fake, capsys) == "book"
    assert fake.slept > 20


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


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without OneDrive, whose disk is not to be searched."""

    def search(*_: object) -> str:
        raise AssertionError("the disk is searched")

    monkeypatch.setattr("xlwings.utils.search_local_sharepoint_path", search)
    for name in ("OneDrive", "OneDriveCommercial", "OneDriveConsumer"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "address",
    [
        SHARED,
        "https://tenant-my.sharepoint.com/personal/ann_tenant_com/Documents/Quote.xlsx",
        "https://d.docs.live.net/1234abcd/Quote.xlsx",
        "https://dav.example.org/Quote.xlsx",
    ],
    ids=["SharePoint and Teams", "OneDrive for Business", "OneDrive", "another server"],
)
def test_a_workbook_in_a_cloud_is_worked_on_as_it_is_open(quote, monkeypatch, capsys, no_search, address) -> None:
    fake = attached(monkeypatch, quote, never, address)
    assert outcome(fake, capsys) == "book"
    for named in ("Quote.xlsx", address):
        assert documents.find("excel", named).name == "Quote.xlsx"
    assert live.path_of(documents.find("excel")).name == "Quote.xlsx"


def test_what_a_cloud_keeps_is_never_taken_for_a_namesake_on_this_machine(quote, monkeypatch, no_search) -> None:
    attached(monkeypatch, quote, never, SHARED)
    monkeypatch.chdir(quote.parent)
    assert not live.path_of(documents.find("excel")).is_file()


def test_the_result_for_a_workbook_in_a_cloud_is_kept_in_the_users_documents(
    quote, monkeypatch, capsys, no_search, tmp_path
) -> None:
    (tmp_path / "Documents").mkdir()
    fake = attached(monkeypatch, quote, from_putting_in(0x800A03EC), SHARED)
    assert saved(said(fake, capsys)[1])["B9"].value == 2200
    assert (tmp_path / "Documents" / f"Quote - {TITLE}.xlsx").is_file()


def test_where_excel_does_not_say_where_a_workbook_is_saved_is_one_line(quote, monkeypatch, capsys) -> None:
    fake = attached(monkeypatch, quote, lambda fake: 0x80004005 if fake.member == "FullName" else None)
    code, line = said(fake, capsys)
    assert code == 2
    assert "Quote.xlsx: the application does not say where it is saved (ComError). Save it on this machine" in line


def test_on_a_mac_where_xlwings_gives_no_address_the_name_stands_for_it(monkeypatch) -> None:
    class Book:
        """A workbook that xlwings searches the disk for."""

        app, name = SimpleNamespace(engine=SimpleNamespace(name="excel")), "Quote.xlsx"

        @property
        def fullname(self) -> str:
            raise UnboundLocalError("root")

    monkeypatch.setattr(excel, "sys", SimpleNamespace(platform="darwin"))
    assert excel.full_name(cast(xw.Book, Book())) == "Quote.xlsx"


@pytest.mark.slow
def test_an_audit_of_a_workbook_in_a_cloud_asks_for_a_copy(tmp_path, monkeypatch, no_search) -> None:
    attached(monkeypatch, shipped.write_reference(tmp_path), never, SHARED)
    with pytest.raises(AddinError, match=rf": is saved at {SHARED}; .* Save a copy on this machine"):
        commands.audit(documents.find("excel"))


@pytest.mark.slow
def test_a_real_command_in_a_busy_excel_gives_the_sheet_of_a_file(tmp_path, monkeypatch, capsys) -> None:
    path = shipped.write_reference(tmp_path)
    fake = attached(monkeypatch, path, phases(1, CODES, (0.1, 9.0), (0.05, 1.0)))
    assert run_command("explain", "excel", path.name, None, {"name": "arrays_required"}) == 0
    assert "explained: see the sheet Explanation." in capsys.readouterr().out
    assert str(fake.file.sheets["Explanation"]["E7"].value).startswith("=")
