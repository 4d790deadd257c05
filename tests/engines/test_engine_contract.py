"""The engines `file` and `libreoffice` show the same through xlwings, and what Excel shows where that is documented."""

from __future__ import annotations

import inspect
from pathlib import Path

import openpyxl
import pytest
import xlwings as xw
from xlwings import base_classes

import build
from addin import commands, excel
from addin.engines import calc, file
from addin.results import kept
from addin.running import dialogs, documents, runner
from addin.sizing import selected
from addin.workbook import insertion, live, references
from tests.support import contract, members
from tests.support import libreoffice as office
from tests.support.contract import DAY, MOMENT

pytestmark = pytest.mark.office

Seen = dict[str, object]
SAVED = "saved ä=1.xlsx"
TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"
DIGITS = 1e-14  # LibreOffice saves 15 digits of a number
NEAR_ZERO = 1e-15  # it also takes a difference in the last bit for none

# What Excel's documentation says of Range.Value, Range.Formula, UsedRange, Sheets.Add, Worksheet.Copy and Application.
EXCEL: Seen = {
    "sheet by name": "Calc sheet",
    "one cell": (1500.0, "1500", "Desktops", "Kaminario K2"),
    "errors are None": [None, None],
    "errors as text": ["#DIV/0!", "#N/A"],
    "blank": (None, None, "-", ""),
    "text formula": (None, '=""'),
    "types": ["float", "str", "datetime", "bool", "float", "bool"],
    "used range of Inputs": ("$A$2:$B$10", (9, 2), "$B$10"),
    "used range of Free": ("$C$3", (1, 1), "$C$3"),
    "formats of dates": (DAY, MOMENT, 2.0),
    "input written": (
        4400.0,
        [[11.0], [22.0], ["many"], ["#DIV/0!"], ["#N/A"], [contract.NEXT_DAY], [True], [33.0], [None],
         [1.9599639845400536], ["Nimble & co"]],
    ),
    "block written": (
        [["Label", 1.0, 2.5, True], [None, None, "=A1", "007"], [DAY, MOMENT, 2.0, "#N/A"]],
        [["Label", "1", "2.5"], ["", "", "=A1"], ["46347", "46347.7708333333", "=B1*2"]],
        [["007"], ["#N/A"]],
    ),
    "filled": (
        [[7.0, 7.0], [7.0, 7.0], [2.0, 3.5], [1.0, "#VALUE!"]],
        [["7", "7"], ["7", "7"], ["=B1+1", "=C1+1"], ["=B2+1", "=C2+1"]],
    ),
    "typed": ([["one"], ["two"]], [[1000.0, 5.0, True, "x5"]]),
    "added": (["Inputs", "Calc sheet", "Free", "Added"], "Added", "$B$2", 3.0),
    "added before": (["First", "Sheet1", "Inputs", "Calc sheet", "Free", "Added"], "Sheet1"),
    "renamed": (
        ["First", "Sheet1", "Risk of 'us' & them", "Inputs", "Calc sheet", "Free", "Old risk", "Added"],
        "='Old risk'!C2*2",
        61.5,
    ),
    "deleted while read": (["Risk of 'us' & them", "Inputs", "Calc sheet", "Free", "Added"], "#REF!"),
    "selection": ("Inputs", "$B$2:$B$3", "Inputs"),
    "status": (False, "12 % done"),
    "status back": (True, False),
    "calculation off": "manual",
    "calculation back": "automatic",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contract")


@pytest.fixture(scope="module")
def on_file(folder: Path) -> Seen:
    return run(file.register().apps.add(add_book=False), folder / "file")


@pytest.fixture(scope="module")
def on_office(folder: Path) -> Seen:
    office.soffice()
    with calc.private_office() as app:
        return run(app, folder / "office")


def run(app: xw.App, folder: Path) -> Seen:
    folder.mkdir()
    seen = list(contract.script(app, contract.sizing(folder), contract.results(folder), folder / SAVED))
    assert len(dict(seen)) == len(seen)
    return dict(seen)


def alike(first: object, second: object) -> bool:
    """Compare observations; numbers to the digits that LibreOffice saves."""
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(alike, first, second))
    if type(first) is float and type(second) is float:
        return first == pytest.approx(second, rel=DIGITS, abs=NEAR_ZERO)
    return type(first) is type(second) and first == second


def test_both_engines_show_the_same(on_file: Seen, on_office: Seen) -> None:
    assert list(on_file) == list(on_office)
    differing = {
        label: (seen, on_office[label]) for label, seen in on_file.items() if not alike(seen, on_office[label])
    }
    assert differing == {}


def test_the_file_engine_shows_what_excel_shows(on_file: Seen) -> None:
    assert {label: on_file[label] for label in EXCEL} == EXCEL


def test_libreoffice_shows_what_excel_shows(on_office: Seen) -> None:
    assert {label: on_office[label] for label in EXCEL} == EXCEL


def test_a_locked_cell_is_named_by_both_in_the_same_words(on_file: Seen, on_office: Seen) -> None:
    for seen in (on_file, on_office):
        for label in ("locked value", "locked formula"):
            assert seen[label] == (
                f"{contract.NAME}: Calc sheet!B3 is locked on a protected sheet. Unprotect the sheet first."
            )
        assert "Inputs!A2 is locked" in str(seen["locked block"])
        assert "Calc sheet!B2 is locked" in str(seen["locked clear"])


def test_the_saved_files_hold_the_same_cells_and_charts(on_file: Seen, on_office: Seen, folder: Path) -> None:
    assert on_file["saved as"] == on_office["saved as"] == (SAVED, True)
    by_file, by_office = (openpyxl.load_workbook(folder / name / SAVED, data_only=True) for name in ("file", "office"))
    assert by_file.sheetnames == by_office.sheetnames
    for sheet in by_file.worksheets:
        other = by_office[sheet.title]
        assert len(sheet._charts) == len(other._charts) == (2 if sheet.title.startswith("Risk") else 0)
        cells = {cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row if cell.value is not None}
        saved = {cell.coordinate: cell.value for row in other.iter_rows() for cell in row if cell.value is not None}
        assert {at: value for at, value in cells.items() if not alike(plain(value), plain(saved.get(at)))} == {}
        assert set(saved) <= set(cells)
        assert sheet.protection.sheet == other.protection.sheet


def plain(value: object) -> object:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


# --- members: whatever our commands use of xlwings is there in both engines

MODULES = (commands, dialogs, documents, excel, insertion, kept, live, references, runner, selected)
IMPLEMENTATIONS = {
    "file": (file.application, file.book, file.range),
    "libreoffice": (calc.application, calc.book, calc.range),
}


def test_every_module_that_uses_xlwings_is_looked_at() -> None:
    addin = Path(commands.__file__).parent
    sources = [
        path
        for path in addin.rglob("*.py")
        if "import xlwings" in path.read_text("utf-8") and "engines" not in path.relative_to(addin).parts
    ]
    assert {path.stem for path in sources} == {Path(str(module.__file__)).stem for module in MODULES}


def test_the_members_in_use_are_found() -> None:
    used = members.used(MODULES)
    assert {
        *(("Book", "sheets"), ("Book", "names"), ("Book", "app"), ("App", "screen_updating"), ("App", "books")),
        *(("Sheet", "used_range"), ("Sheet", "copy"), ("Sheet", "delete"), ("Sheet", "name"), ("Name", "refers_to")),
        *(("Range", "value"), ("Range", "formula"), ("Range", "options"), ("Range", "select"), ("Books", "open")),
        *(("App", "status_bar"), ("App", "alert"), ("App", "engine"), ("Book", "fullname")),
    } <= used
    assert set(members.reached("Sheet", "select")) == {"book", "select"}
    assert set(members.reached("Range", "resize")) >= {"shape", "__call__"}


@pytest.mark.parametrize("engine", IMPLEMENTATIONS)
def test_every_member_that_commands_reach_is_written_by(engine: str) -> None:
    missing = []
    for kind, member in sorted(members.used(MODULES)):
        if not hasattr(base_classes, kind):  # RangeRows and RangeColumns are xlwings' own
            continue
        base = getattr(base_classes, kind)
        written_class = next(
            written for module in IMPLEMENTATIONS[engine] if (written := vars(module).get(kind)) is not None
        )
        for name in set(members.reached(kind, member)) & set(vars(base)):
            attribute = inspect.getattr_static(written_class, name)
            if attribute is vars(base)[name] and "NotImplementedError" in _source(attribute):
                missing.append(f"{kind}.{name}, which {kind}.{member} asks for")
    assert missing == []


def _source(member: object) -> str:
    function = member.fget if isinstance(member, property) else member
    return inspect.getsource(function) if inspect.isfunction(function) else ""
