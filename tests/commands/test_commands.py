"""What each button does, on a file: its own sheet, the shell's figures, nothing else touched, clear refusals."""

from __future__ import annotations

import html
import re
from pathlib import Path

import openpyxl
import pytest
import xlwings as xw

from addin import commands
from addin.buttons import COMMANDS
from addin.errors import BookError, RequestError
from addin.kernel import Address
from addin.results import freshness
from addin.results.list_sheets import AUDITED, EXPLAINED
from addin.results.table_sheets import COMPARED, SCENARIOS, SOUGHT
from addin.shell.main import parser
from addin.simulation.montecarlo import simulate
from addin.sizing.answers import DEPTH, legible, start, steps
from addin.sizing.seek import seek
from addin.sizing.whatif import compare
from addin.workbook import live
from addin.workbook.book import open_book
from addin.xlsx.package import read_parts
from tests.judges.names import faults
from tests.support import opened

pytestmark = pytest.mark.slow

SHEETS = {name: button.sheet for name, button in COMMANDS.items() if button.sheet}
CHARTED = {"scenarios", "simulate", "sensitivity", "seek", "compare", "decide"}


def place(book: xw.Book, name: str) -> str:
    """Return the cell that a name stands for, as people write it."""
    return str(book.names[name].refers_to).lstrip("=").replace("$", "").replace("'", "")


@pytest.fixture
def book(original: Path, tmp_path: Path) -> xw.Book:
    return opened.opened(opened.copied(original, tmp_path))


def select(book: xw.Book, address: str) -> None:
    sheet, _, cell = address.partition("!")
    book.sheets[sheet].activate()
    book.sheets[sheet].range(cell).select()


def column(book: xw.Book, title: str, letter: str) -> list[object]:
    used = book.sheets[title].used_range
    return list(book.sheets[title].range(f"{letter}1:{letter}{used.last_cell.row}").value)


@pytest.mark.parametrize("name", SHEETS)
def test_a_command_adds_its_sheet_and_leaves_everything_else(book: xw.Book, name: str, original: Path) -> None:
    select(book, place(book, "Out_arrays_required"))
    before = opened.state(book)
    getattr(commands, name)(book, **opened.needed(name, original))
    assert opened.state(book) == before
    sheet = book.sheets[SHEETS[name]]
    assert str(sheet["A1"].value).startswith(SHEETS[name].split()[0])
    assert "formulas" in column(book, sheet.name, "A")  # where the figures come from
    book.save()
    parts = read_parts(Path(book.fullname))
    assert faults(parts) == []
    charts = [part.decode() for name, part in parts.items() if name.startswith("xl/charts/chart")]
    assert any(f"{sheet.name.split()[0]}" in chart for chart in charts) == (name in CHARTED)


def test_a_second_run_replaces_the_sheet_where_it_stands(book: xw.Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "clock", lambda: "2026-11-22 15:40")
    commands.compare(book)
    commands.explain(book, "arrays_required")
    first = opened.cells(book, COMPARED)
    commands.compare(book)
    assert [sheet.name for sheet in book.sheets][-2:] == [COMPARED, EXPLAINED]
    assert opened.cells(book, COMPARED) == first


def test_monte_carlo_gives_the_report_of_the_shell(book: xw.Book, original: Path) -> None:
    commands.simulate(book, trials=4096, seed=7)
    report = simulate(open_book(original), 4096, 7)
    ratio = next(result for result in report.results if result.item.key == "ratio_largest")
    row = column(book, "Risk", "A").index(ratio.item.label) + 1
    figures = [ratio.mean.value, *(p.interval.value for p in ratio.percentiles)]
    assert book.sheets["Risk"].range(f"D{row}:L{row}").value == pytest.approx(figures, rel=1e-14)


def test_arrays_are_compared_as_in_the_shell(book: xw.Book, original: Path) -> None:
    commands.compare(book)
    table = compare(open_book(original), ())
    names, ratios = column(book, COMPARED, "A"), column(book, COMPARED, "C")
    for row in table.rows:
        assert ratios[names.index(row[0])] == pytest.approx(row[2], rel=1e-14)


def test_scenarios_vary_the_selected_input(book: xw.Book) -> None:
    select(book, place(book, "In_profile"))
    done = commands.scenarios(book)
    assert "profile" in done.text
    labels = column(book, SCENARIOS, "A")
    assert {"Base design", "NTP 1500, one node", "Medium MCS pooled (ICA 2012)"} <= set(labels)


def test_a_what_if_that_is_filled_in_becomes_a_scenario(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    changed = openpyxl.load_workbook(path)
    base = open_book(path).inputs["desktops"].beside
    changed[base.sheet].cell(base.row, base.column + 1).value = 4000  # the first what-if
    changed.save(path)
    book = opened.opened(path)
    commands.scenarios(book)
    row = column(book, SCENARIOS, "A").index("What-if 1") + 1
    assert book.sheets[SCENARIOS].range(f"M{row}").value == "desktops=4,000"


def test_goal_seek_takes_the_selected_input_and_the_present_arrays(book: xw.Book, original: Path) -> None:
    select(book, place(book, "In_demand_scale_ratio"))
    done = commands.seek(book)
    expected = seek(open_book(original), (), "demand_scale_ratio", "arrays_required=1")
    assert done.text.startswith(expected.notes[0])
    select(book, place(book, "In_array"))  # a text is not sought: the desktops are
    assert commands.seek(book).text.startswith("Largest desktops with arrays_required <= 1")
    assert book.sheets[SOUGHT]["A2"].value.startswith("Largest desktops")


def test_a_chain_is_explained_from_the_selected_cell(book: xw.Book, original: Path) -> None:
    select(book, place(book, "Out_arrays_required"))
    commands.explain(book)
    source = open_book(original)
    expected = legible(steps(source, start(source, "arrays_required"), depth=DEPTH))
    shown = column(book, EXPLAINED, "A")[6 : 6 + len(expected)]
    assert [str(text).strip() for text in shown] == [step.address.a1 for step in expected]
    assert str(book.sheets[EXPLAINED]["E7"].value).startswith("=")
    assert not live.read(book).cells.formula(Address(EXPLAINED, 7, 5))


def test_an_audit_counts_what_an_edit_broke(book: xw.Book) -> None:
    before = commands.audit(book).findings
    opened.type_in(book, "In_desktops", 2200)
    assert commands.audit(book).findings == before
    book.sheets.add("Mine", after=book.sheets[-1])
    book.sheets["Mine"]["A1"].value = "my own notes"
    assert commands.audit(book).findings == before
    assert book.sheets[AUDITED]["A2"].value in ("All rules passed", f"{before} findings")


def test_a_hand_off_can_be_read_without_this_program(book: xw.Book) -> None:
    opened.type_in(book, "In_desktops", 2500)  # not saved: what stands on the screen counts
    before = opened.state(book)
    done = commands.handoff(book)
    assert opened.state(book) == before
    folder = Path(book.fullname).with_name("Acme quote v2 (final) hand-off")
    assert str(folder) in done.text
    document = html.unescape((folder / "design.html").read_text(encoding="utf-8")).replace("\u00a0", " ")
    assert "of NetApp AFF8040 for 2,500 users" in document
    assert re.search(r">Boot: IOPS per desktop</th><td[^>]*>[\d.]+ IOPS/desktop</td>", document)
    assert "known miss" not in document  # the reasons stand there, not the verdicts
    values = openpyxl.load_workbook(folder / "values.xlsx")
    assert not [c for ws in values for row in ws.iter_rows() for c in row if c.data_type == "f"]
    assert opened.named(values, "In_desktops").value == 2500
    sheet, cell = place(book, "Out_arrays_required").split("!")
    assert values[sheet][cell].value == live.read(book).evaluate({}, ["arrays_required"])["arrays_required"]
    assert f"{cell}\t=" in (folder / "formulas.txt").read_text(encoding="utf-8")
    assert commands.handoff(book).text == done.text  # an older one is replaced


def test_a_folder_of_the_users_own_is_left_alone(book: xw.Book) -> None:
    folder = Path(book.fullname).with_name("Acme quote v2 (final) hand-off")
    folder.mkdir()
    (folder / "mine.txt").write_text("keep")
    with pytest.raises(RequestError, match=r"is not a hand-off of this program\. Rename it"):
        commands.handoff(book)
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_a_sheet_of_the_users_own_is_left_alone(book: xw.Book) -> None:
    book.sheets.add("risk", after=book.sheets[-1])
    book.sheets["risk"]["A1"].value = "My risks"
    with pytest.raises(RequestError, match=r"the sheet 'risk' was not made by this program\. Rename it"):
        commands.simulate(book, trials=1024)
    assert book.sheets["risk"]["A1"].value == "My risks"


def test_a_blank_cell_is_not_explained(book: xw.Book) -> None:
    blank = place(book, "In_latency_limit_ms")
    select(book, blank)
    with pytest.raises(RequestError, match=rf"{blank} is selected, which holds no value\. Select a cell"):
        commands.explain(book)


def broken(original: Path, folder: Path, *, name: str = "", sheet: str = "") -> xw.Book:
    path = opened.copied(original, folder)
    workbook = openpyxl.load_workbook(path)
    if name:
        del workbook.defined_names[name]
    if sheet:
        del workbook[sheet]
    workbook.save(path)
    return opened.opened(path)


@pytest.fixture(scope="module")
def without_desktops(original: Path, tmp_path_factory: pytest.TempPathFactory) -> xw.Book:
    """The workbook without the name of an input, for all commands: they leave it as it is."""
    return broken(original, tmp_path_factory.mktemp("broken"), name="In_desktops")


@pytest.mark.parametrize("name", SHEETS)
def test_a_deleted_input_is_one_message_and_no_sheet(original: Path, without_desktops: xw.Book, name: str) -> None:
    book = without_desktops
    before = book.sheet_names
    with pytest.raises(BookError, match=r"Acme quote v2 \(final\)\.xlsx: the name In_desktops is missing: .*\. Undo"):
        getattr(commands, name)(book, **({"old": original} if name == "diff" else {}))
    assert SHEETS[name] not in [sheet.name for sheet in book.sheets]
    assert book.sheet_names == before


def test_a_workbook_without_risk_inputs_says_what_to_do(original: Path, tmp_path: Path) -> None:
    book = broken(original, tmp_path, sheet="Risk inputs")
    with pytest.raises(BookError, match=r"there is no sheet 'Risk inputs'\. Take it from a fresh copy"):
        commands.simulate(book)
    assert "Risk" not in [sheet.name for sheet in book.sheets]


def test_a_deleted_calculation_sheet_is_one_message(original: Path, tmp_path: Path) -> None:
    book = broken(original, tmp_path, sheet="Sizing")
    with pytest.raises(BookError, match=r"the name Out_\w+, Sizing!\$D\$\d+ are deleted, .*\. Undo that"):
        commands.seek(book)
    assert SOUGHT not in [sheet.name for sheet in book.sheets]


def test_the_shell_knows_every_button() -> None:
    known = vars(next(iter(parser()._subparsers._group_actions)))["choices"]  # type: ignore[union-attr]
    assert {name: known[name].description for name in COMMANDS} == {k: b.summary for k, b in COMMANDS.items()}
    assert set(SHEETS) == set(COMMANDS) - {"handoff"}
