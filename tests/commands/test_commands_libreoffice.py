"""The buttons in Calc: what is on the screen counts, crashes and refusals are survived."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pytest
import xlwings as xw
from openpyxl import Workbook, load_workbook
from openpyxl.workbook.defined_name import DefinedName

from addin import commands, numerals
from addin.engines.office import client
from addin.errors import AddinError
from addin.kernel import Address, Evaluator
from addin.results.risk_sheet import TITLE
from addin.results.table_sheets import COMPARED
from addin.running import documents, launch, runfile
from addin.running.runner import run_command
from addin.simulation.runs import Progress
from addin.workbook import live
from tests.commands.test_commands_agree import same
from tests.commands.test_launch import LONG, MANY, cancelling, ended, log_text, own_folder, until
from tests.support import opened
from tests.support.opened import Calc

__all__ = ["own_folder"]

T = TypeVar("T")
REACH = """
import os, sys, uno
context = uno.getComponentContext()
resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
office = resolver.resolve(f"uno:pipe,name={sys.argv[1]};urp;StarOffice.ComponentContext")
desktop = office.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", office)
"""
LEAVE = """
sys.stdout.flush()
os._exit(0)  # uno has crashed while Python took it down, when all was done
"""
PROTECT = REACH + 'for document in desktop.Components: document.protect("")' + LEAVE
SHOW_AT = REACH + "for document in desktop.Components: document.CurrentController.ZoomValue = int(sys.argv[2])" + LEAVE
SHOWN_AT = (
    REACH
    + """
for controller in [document.CurrentController for document in desktop.Components]:
    if controller is not None:
        print(controller.ZoomValue)
"""
    + LEAVE
)

pytestmark = [pytest.mark.slow, pytest.mark.office]


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    with opened.calc() as office:
        yield office


@contextmanager
def open_in(calc: Calc, path: Path) -> Iterator[xw.Book]:
    app = calc.app()
    opened_book = app.books.open(str(path))
    try:
        yield opened_book
    finally:
        with suppress(AddinError):
            opened_book.close()
            app.quit()


@pytest.fixture
def book(calc: Calc, original: Path, tmp_path: Path) -> Iterator[xw.Book]:
    with open_in(calc, opened.copied(original, tmp_path)) as opened_book:
        yield opened_book


def test_what_calc_shows_is_what_the_formulas_give_and_a_locked_sheet_does_not_matter(book: xw.Book) -> None:
    book.names["In_desktops"].refers_to_range.value = 2500
    sizing = live.read(book)
    keys = list(sizing.results)
    computed = sizing.evaluate({}, keys)
    on_screen = sizing.stored.values([item.address for item in sizing.results.values()])
    assert len(on_screen) > 60
    for key, item in sizing.results.items():
        if item.address in on_screen:
            assert same(computed[key], on_screen[item.address]), key
    commands.explain(book, "arrays_required")
    with pytest.raises(AddinError, match="locked"):
        book.names["Out_ratio_largest"].refers_to_range.value = 7


def test_a_german_calc_has_german_numbers_in_its_cells_and_in_what_a_button_writes(
    original: Path, tmp_path: Path
) -> None:
    with opened.calc("de-DE") as calc, open_in(calc, opened.copied(original, tmp_path)) as book:
        before = numerals.use(documents.separators(book))
        try:
            sizing = live.read(book)
            evaluator, on_screen = Evaluator(sizing.cells), sizing.stored.shown  # type: ignore[attr-defined]
            texts = {at: text for at, text in on_screen.items() if isinstance(text, str) and sizing.cells.formula(at)}
            assert any(re.search(r"\d\.\d{3}\b", text) for text in texts.values())
            assert {at.a1: text for at, text in texts.items() if evaluator.value(at) != text} == {}
        finally:
            numerals.use(before)
        assert ended(launch.start("simulate", "libreoffice", book.name, calc.pipe, ["--trials=4096"])) == 0
        assert book.sheets[TITLE]["A3"].value.startswith("4.096 trials of this workbook's own formulas")
        assert "Monte Carlo, 4.096 trials" in log_text()


def test_a_copy_that_calc_saved_works(book: xw.Book, tmp_path: Path) -> None:
    saved = tmp_path / "von Calc gespeichert = ü.xlsx"
    book.save(str(saved))
    book.close()
    file = opened.opened(saved)
    for name in ("scenarios", "seek", "simulate"):
        getattr(commands, name)(file)
    assert file.sheets["Goal seek"]["A2"].value == "Largest desktops with arrays_required <= 1: 4,987 desktops."


def test_a_cancelled_run_shows_what_it_has(
    calc: Calc, book: xw.Book, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = cancelling(monkeypatch, "libreoffice", book.name, calc.pipe)
    assert run_command("simulate", "libreoffice", book.name, calc.pipe, {"trials": MANY}) == 0
    assert set(asked) == {1}
    assert "PARTIAL: see the sheet Risk." in capsys.readouterr().out
    assert book.sheets[TITLE]["A2"].value.startswith("PARTIAL RUN: ")
    assert book.app.status_bar in (False, None, "")


def test_a_calc_that_is_killed_loses_nothing_and_the_next_run_works(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    before = path.read_bytes()
    with opened.calc() as dying:
        app = dying.app()
        app.books.open(str(path))
        pid = launch.start("simulate", "libreoffice", path.name, dying.pipe, [LONG])
        until(lambda: any(runfile.folder().glob("*.lock")))
        dying.kill()
        assert ended(pid) == 2
        with suppress(AddinError):
            app.quit()
    assert log_text().count("error: ") == 1
    assert "Traceback" not in log_text()
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with opened.calc() as healthy:
        again = healthy.app().books.open(str(path))
        assert ended(launch.start("compare", "libreoffice", path.name, healthy.pipe)) == 0, log_text()
        assert again.sheets["Array comparison"]["A1"].value.startswith("Array comparison")


def test_two_documents_in_one_calc_do_not_meet(calc: Calc, book: xw.Book, original: Path, tmp_path: Path) -> None:
    with open_in(calc, opened.copied(original, tmp_path, "zweites Angebot.xlsx")) as other:
        _seek_in_both(calc, book, other)


def _seek_in_both(calc: Calc, book: xw.Book, other: xw.Book) -> None:
    other.names["In_desktops"].refers_to_range.value = 12000
    options = ["--vary=growth_ratio"]
    runs = [launch.start("seek", "libreoffice", document.name, calc.pipe, options) for document in (book, other)]
    until(lambda: all("Goal seek" in document.sheet_names for document in (book, other)))
    cells = cycle(("A1", "A2"))

    def over() -> bool:
        """Do what a user does next: what the workbook that is not in front says stays until then."""
        other.sheets["Goal seek"].range(next(cells)).select()
        time.sleep(1)
        return all(process.poll() is not None for process in launch._STARTED)

    until(over)
    assert [ended(pid) for pid in runs] == [0, 0], log_text()
    assert [document.sheets["Goal seek"]["B7"].value for document in (book, other)] == [1, 3]


def test_sheets_that_two_runs_put_in_at_the_same_moment_all_come_in(calc: Calc, tmp_path: Path) -> None:
    new = Workbook()
    new.active["A1"] = "Result"
    new.save(tmp_path / "package.xlsx")
    data, times, start = (tmp_path / "package.xlsx").read_bytes(), 12, Barrier(2)
    with open_in(calc, new_book(tmp_path / "one.xlsx")) as one, open_in(calc, new_book(tmp_path / "two.xlsx")) as two:

        def put_in(target: xw.Book) -> list[object]:
            start.wait()
            return [target.impl.put_in(data, f"Run {count}", ((), ()), [], "Run", False) for count in range(times)]

        with ThreadPoolExecutor(2) as runs:
            assert list(runs.map(put_in, (one, two))) == [[[]] * times] * 2
        assert [len(target.sheets) for target in (one, two)] == [1 + times] * 2


def new_book(path: Path) -> Path:
    """Write an empty workbook."""
    Workbook().save(path)
    return path


def test_a_workbook_closed_meanwhile_is_one_message(book: xw.Book) -> None:
    class Closing:
        selected: Address | None = None

        def __call__(self, compute: Callable[[Progress], T]) -> T:
            result = compute(lambda done, total: None)
            book.close()
            return result

        def pause(self) -> None:
            pass

        def shows(self) -> bool:
            return False

    with pytest.raises(AddinError, match=r"Open the workbook|not open|was closed|is closed"):
        commands.compare(book, runner=Closing())


def in_office(script: str, calc: Calc, *arguments: str) -> str:
    """Run a script that reaches the office past the engine, and return what it prints."""
    command = [client.bridge_python(), "-I", "-c", script, calc.pipe, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(book: xw.Book, calc: Calc, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line with which a command refuses a workbook."""
    assert run_command("compare", "libreoffice", book.name, calc.pipe, {}) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    return error


def test_the_window_keeps_its_zoom_and_a_protected_structure_is_one_message_and_no_sheet(
    calc: Calc, book: xw.Book, capsys: pytest.CaptureFixture[str]
) -> None:
    in_office(SHOW_AT, calc, "70")
    commands.compare(book)
    assert in_office(SHOWN_AT, calc) == "70\n"
    book.sheets[COMPARED].delete()
    in_office(PROTECT, calc)  # Calc 7.4 does not read it from an .xlsx
    sheets = [sheet.name for sheet in book.sheets]
    error = refused(book, calc, capsys)
    assert re.match(r"error: Acme quote v2 \(final\)\.xlsx: .*its structure is protected.* Unprotect", error), error
    assert [sheet.name for sheet in book.sheets] == sheets


def edited(original: Path, tmp_path: Path, edit: Callable[[Workbook], object]) -> Path:
    """Return a copy of the workbook that somebody changed."""
    path = opened.copied(original, tmp_path)
    workbook = load_workbook(path)
    edit(workbook)
    workbook.save(path)
    return path


def renamed(workbook: Workbook) -> None:
    known = workbook.defined_names.pop("In_desktops")
    workbook.defined_names["In_users"] = DefinedName("In_users", attr_text=known.attr_text)


def without_sizing(workbook: Workbook) -> None:
    del workbook["Sizing"]


def of_an_older_version(workbook: Workbook) -> None:
    for name in [name for name in workbook.defined_names if name.startswith("Out_")]:
        del workbook.defined_names[name]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (renamed, r"the name In_desktops is missing: .*\. Undo the change, or enter your inputs in a fresh copy\."),
        (without_sizing, r"are deleted, with their sheet, .*\. Undo that, or enter your inputs in a fresh copy\."),
        (of_an_older_version, r"the name \w+ is missing: .* of another version\. Undo the change, or"),
    ],
)
def test_a_workbook_that_does_not_fit_is_one_message_and_no_sheet(
    calc: Calc,
    original: Path,
    tmp_path: Path,
    edit: Callable[[Workbook], object],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with open_in(calc, edited(original, tmp_path, edit)) as book:
        sheets = [sheet.name for sheet in book.sheets]
        error = refused(book, calc, capsys)
        assert re.match(rf"error: Acme quote v2 \(final\)\.xlsx: .*{message}", error), error
        assert [sheet.name for sheet in book.sheets] == sheets


@pytest.mark.parametrize("title", ["Inputs", "Arrays", "Sizing"])
def test_a_sheet_deleted_in_calc_is_one_message(
    calc: Calc, book: xw.Book, title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    book.sheets[title].delete()
    error = refused(book, calc, capsys)
    assert re.search(r": the cells of the name \w+ are deleted, with their sheet, row or column\. Undo that", error), (
        error
    )
