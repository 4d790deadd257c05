"""The Calc extension as its users meet it: installed by unopkg, clicked in a window, the sheet in the document."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from openpyxl import load_workbook

from addin import commands
from addin.buttons import BUTTONS, COMMANDS
from addin.hosts.calc import make
from addin.results import risk_sheet, table_sheets
from addin.results.page import STATE_ROW
from addin.running import documents
from addin.running.runner import Cancelled, ProgressRunner
from addin.xlsx.package import read_parts
from tests.support.calc_window import NAME, ROOT, USER, Calc, attached, opened_calc, until

pytestmark = pytest.mark.office

CELLS = slice(130, 820), slice(40, 1330)  # of the screen: what is left of it without bars and headings


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    """A window for the tests of this file."""
    with opened_calc() as opened:
        yield opened


def cells(values: list[list[Any]]) -> dict[tuple[int, int], Any]:
    """Return the cells that hold something, by row and column."""
    return {
        (row, column): value
        for row, line in enumerate(values)
        for column, value in enumerate(line)
        if value not in (None, "")
    }


def by_file(tmp_path: Path, command: str, sheet: str) -> dict[tuple[int, int], Any]:
    """Return the result sheet that the same command makes without an application."""
    (tmp_path / command).mkdir()
    book = Path(shutil.copy(ROOT / "templates" / "vdi-storage-sizing.xlsx", tmp_path / command / NAME))
    arguments = [sys.executable, "-m", "addin", command, str(book), "--sheet"]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return cells([list(row) for row in load_workbook(book, data_only=True)[sheet].iter_rows(values_only=True)])


@pytest.mark.slow
def test_buttons_clicked_in_calc_give_the_sheets_of_the_file_engine(calc, tmp_path, monkeypatch):
    monkeypatch.setenv("USER", USER)
    before = read_parts(calc.book)
    for command, sheet in (("compare", table_sheets.COMPARED), ("simulate", risk_sheet.TITLE)):
        calc.press(command)
        app = until(attached)
        book = app.books[NAME]
        until(partial(_has_sheet, book, sheet))
        until(lambda: not calc.running())
        expected = by_file(tmp_path, command, sheet)
        size = (max(row for row, _ in expected) + 1, max(column for _, column in expected) + 1)
        shown = cells(book.sheets[sheet].range((1, 1), size).options(ndim=2).value)
        assert set(shown) == set(expected)
        different = {
            place: (shown[place], expected[place]) for place in shown if not _same(shown[place], expected[place])
        }
        times = different.pop((STATE_ROW - 1, 0), ("; current", "; current"))  # the runs may stand a minute apart
        assert [text.endswith("; current") for text in times] == [True, True]
        assert different == {}
        assert len(shown) > 50
        book.sheets[sheet].activate()
        time.sleep(1)
        calc.screen.save(tmp_path / f"{command}.png")
        assert _painted_anew(calc, book, sheet), "the charts stand where their cells are"
        app.quit()
    assert read_parts(calc.book) == before, "the file is the user's: nothing is saved"


def _painted_anew(calc: Calc, book: Any, sheet: str) -> bool:
    """Return whether a sheet looks the same once Calc has counted its sheets anew and thus placed all charts again."""
    before = calc.screen.picture()[CELLS].copy()
    book.sheets.add("passing", before=book.sheets[sheet]).delete()
    book.sheets[sheet].activate()
    time.sleep(1)
    return bool((calc.screen.picture()[CELLS] == before).all())


def _has_sheet(book: Any, sheet: str) -> bool:
    return sheet in [worksheet.name for worksheet in book.sheets]


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, int | float) and isinstance(second, int | float):
        return abs(first - second) <= 1e-9 * max(abs(first), abs(second)) + 1e-12
    return str(first) == str(second)


@pytest.fixture
def typing(calc, monkeypatch) -> Iterator[tuple[Any, Callable[[str], None]]]:
    """Yield the workbook in the window while somebody has typed 17 into its first input, and what types on."""
    monkeypatch.setenv("USER", USER)
    app = attached()
    if app is None:
        calc.press("compare")  # the first button opens the pipe
        app = until(attached)
        until(lambda: table_sheets.COMPARED in [worksheet.name for worksheet in app.books[NAME].sheets])
    until(lambda: not list((calc.home.parent / "tmp").glob("vdi-sizing-*/*.run")))
    book = app.books[NAME]
    app.activate()
    first = book.names["In_desktops"].refers_to_range
    first.sheet.activate()
    first.select()
    window = calc.window()

    def type_(*keys: str) -> None:
        for key in keys:
            calc.screen.key(key, window)

    type_("1", "7")
    until(lambda: app.api.editing)
    yield book, type_
    app.quit()


def watching(book: Any, show: Callable[[str], None], asked: Callable[[], bool]) -> ProgressRunner:
    watch = ProgressRunner("Compare arrays", show, asked)
    watch.busy = partial(documents.editing, book)
    return watch


@pytest.mark.slow
def test_a_result_waits_for_the_cell_that_is_being_edited(typing):
    book, type_ = typing
    lines: list[str] = []

    def show(line: str) -> None:
        if "Finish the cell that is being edited" in line and not lines:
            lines.append(line)
            type_("0", "1", "Return")

    commands.compare(book, runner=watching(book, show, lambda: False))
    assert lines
    assert book.names["In_desktops"].refers_to_range.value == 1701
    assert table_sheets.COMPARED in book.sheet_names


@pytest.mark.slow
def test_a_command_that_waits_for_a_cell_can_be_cancelled(typing):
    book, type_ = typing
    lines: list[str] = []
    before = book.sheet_names
    watch = watching(book, lines.append, lambda: any("Finish the cell" in line for line in lines))
    with pytest.raises(Cancelled):
        commands.seek(book, runner=watch)
    assert book.sheet_names == before
    type_("0", "2", "Return")
    until(lambda: book.names["In_desktops"].refers_to_range.value == 1702)


@pytest.mark.slow
def test_a_python_that_is_gone_is_said_in_a_window_and_calc_goes_on(calc, tmp_path):
    settings = calc.home / ".vdi-sizing" / "calc.conf"
    kept = settings.read_bytes()
    settings.write_text("python=/nowhere/python\n")
    try:
        calc.press("audit")
        shown = until(lambda: calc.screen.windows("^VDI Sizing$"), 20)
        calc.screen.save(tmp_path / "missing.png")
        calc.screen.key("Return", shown[0])
        until(lambda: not calc.screen.windows("^VDI Sizing$"), 20)
    finally:
        settings.write_bytes(kept)
    assert calc.office.poll() is None


def test_every_button_of_the_ribbon_is_in_toolbar_and_menu():
    parts = make.extension_parts()
    tree = ElementTree.fromstring(parts["Addons.xcu"])
    name = "{http://openoffice.org/2001/registry}name"
    (toolbar,) = (node for node in tree.iter("node") if node.get(name) == "OfficeToolBar")
    (menu,) = (node for node in tree.iter("node") if node.get(name) == "Submenu")
    basic = parts["VdiSizing/Buttons.xba"].decode()
    for button in BUTTONS:
        url = f"vnd.sun.star.script:VdiSizing.Buttons.{button.id}?language=Basic&location=application"
        for bar in (toolbar, menu):
            assert [value.text for value in bar.iter("value")].count(url) == 1
        assert f'Sub {button.id}\n    StartCommand("{button.key}")' in basic.replace("&quot;", '"')


def test_the_buttons_are_the_commands_and_cancel():
    labels = {button.key: button.label for button in BUTTONS}
    assert labels == {name: command.label for name, command in COMMANDS.items()} | {"cancel": "Cancel"}
    assert all(callable(getattr(commands, name)) for name in COMMANDS)


def test_two_builds_of_the_extension_give_the_same_bytes(tmp_path):
    first, second = (make.write_extension(tmp_path / name).read_bytes() for name in ("a.oxt", "b.oxt"))
    assert first == second


def started(tmp_path: Path, request: str, *options: str, conf: str = "") -> str:
    """Run start.py as the extension does and return its answer."""
    home, asked = tmp_path / "home", tmp_path / "request = ü"
    (home / ".vdi-sizing").mkdir(parents=True)
    (home / ".vdi-sizing" / "calc.conf").write_text(conf, encoding="utf-8")
    asked.write_text(request, encoding="utf-8")
    environment = os.environ | {"HOME": str(home), "USERPROFILE": str(home), "TMPDIR": str(tmp_path)}
    script = shutil.copy(ROOT / "addin" / "hosts" / "calc" / "start.py", tmp_path)
    subprocess.run([sys.executable, *options, str(script), str(asked)], cwd=tmp_path, env=environment, check=True)
    return asked.read_text(encoding="utf-8")


def test_missing_packages_are_said_in_words(tmp_path):
    answer = started(tmp_path, "simulate\nvdi-sizing-x\n5,4,Inputs\nbook.xlsx\n", "-S")
    assert "has no package numpy, openpyxl, xlwings, addin." in answer
    assert "python -m addin install --calc" in answer


def test_cancel_without_a_run_opens_no_window(tmp_path):
    """The status bar says so, from a process of its own: tests/hosts/test_calc_shown.py."""
    assert started(tmp_path, "cancel\nvdi-sizing-x\n5,4,Inputs\nbook.xlsx\n", conf=f"python=x\npath={ROOT}\n") == ""
