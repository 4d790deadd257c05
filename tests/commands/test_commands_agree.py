"""The buttons on one workbook in a file and in Calc: the same words, sheets and charts, everything else as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
import xlwings as xw
from openpyxl import load_workbook

from addin import commands
from addin.buttons import COMMANDS
from addin.errors import AddinError
from addin.kernel import Scalar
from addin.results import applying, freshness
from addin.results.document import pdf
from addin.workbook import live
from addin.xlsx.package import read_parts
from tests.commands.test_commands import CHARTED, SHEETS, place, select
from tests.support import opened

REFERENCE = "{http://schemas.openxmlformats.org/drawingml/2006/chart}f"
FIGURES = ("Out_arrays_required", "In_growth_ratio", "Out_ratio_largest", "Out_capacity_required_gib", "Out_cost_total")
CHANGED = {"xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml"}

pytestmark = [pytest.mark.slow, pytest.mark.office]


class Pair(NamedTuple):
    """The workbook open in both engines, where some figures stand, how Calc shows it before a button is pressed."""

    file: xw.Book
    calc: xw.Book
    places: list[str]
    state: dict[str, object]
    formats: list[str]


@pytest.fixture(scope="module")
def pair(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Open a workbook in each engine, once: a command leaves the sheets of the others alone."""
    first, second = (opened.copied(original, tmp_path_factory.mktemp(name)) for name in ("file", "calc"))
    with opened.calc() as office:
        book = office.app().books.open(str(second))
        file = opened.opened(first)
        places = [place(file, name) for name in FIGURES]
        book.app.engine.activate()
        select(book, places[0])
        yield Pair(file, book, places, opened.state(book), formats(book, places))
        with suppress(AddinError):
            book.close()
            book.app.quit()


def pressed(book: xw.Book, name: str, selected: str, **options: object) -> str:
    """Press a button while a cell is selected; return what it says, without the folder."""
    book.app.engine.activate()
    select(book, selected)
    return getattr(commands, name)(book, **options).text.replace(str(Path(book.fullname).parent), "")


@pytest.fixture(scope="module")
def again(pair: Pair, original: Path) -> Pair:
    """Press every button of a sheet with charts once more, so that it is replaced, and save both workbooks.

    The sheets without charts are replaced by the same code: they need only be there.
    """
    for name, title in SHEETS.items():
        few = {"trials": 1024} if name in ("simulate", "sensitivity") else opened.needed(name, original)
        for book in (pair.file, pair.calc):
            missing = title not in [sheet.name for sheet in book.sheets]
            for _ in range(missing + (name in CHARTED)):
                pressed(book, name, pair.places[0], **few)
    for book in (pair.file, pair.calc):
        book.app.engine.activate()
        book.save()
    return pair


def formats(book: xw.Book, places: list[str]) -> list[str]:
    """Return how some cells are shown."""
    split = (cell.rpartition("!") for cell in places)
    return [book.sheets[sheet.strip("'")].range(cell).number_format for sheet, _, cell in split]


def same(first: Scalar, second: Scalar) -> bool:
    if isinstance(first, float) and isinstance(second, float):
        return first == pytest.approx(second, rel=1e-12, abs=1e-12)
    return first == second


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_does_in_calc_what_it_does_in_a_file(
    pair: Pair, name: str, original: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "clock", lambda: "2026-11-22 15:40")  # the two may stand a minute apart
    monkeypatch.setenv(pdf.BROWSER, "")  # the document is printed in tests/handoff
    monkeypatch.setattr(applying, "made", lambda *_: {"a": b""})  # the copy is looked at in test_measure_button.py
    asked = opened.needed(name, original)
    message = pressed(pair.file, name, pair.places[0], **asked)
    assert pressed(pair.calc, name, pair.places[0], **asked) == message
    after = live.read(pair.calc)
    assert opened.state(pair.calc, after) == pair.state
    assert formats(pair.calc, pair.places) == pair.formats
    if name in SHEETS:
        in_calc, in_file = opened.cells(pair.calc, SHEETS[name], after), opened.cells(pair.file, SHEETS[name])
        assert in_calc.keys() == in_file.keys()
        assert [a.a1 for a in in_calc if not same(in_calc[a], in_file[a])] == []


def sheet_of(reference: ElementTree.Element) -> str:
    """Return the sheet that a chart's reference names."""
    assert reference.text is not None
    return reference.text.partition("!")[0].strip("$'")


@pytest.mark.parametrize("name", sorted(CHARTED))
def test_charts_show_the_cells_of_their_own_sheet(again: Pair, name: str) -> None:
    parts = read_parts(Path(again.calc.fullname))
    references = [
        {sheet_of(element) for element in ElementTree.fromstring(part).iter(REFERENCE)}
        for part_name, part in parts.items()
        if part_name.startswith("xl/charts/chart")
    ]
    assert {SHEETS[name]} in references
    assert all(len(sheets) == 1 for sheets in references)  # no chart left pointing at a sheet that is gone


def test_both_save_the_same_sheets_with_as_many_charts(again: Pair, original: Path) -> None:
    by_file, by_calc = (load_workbook(book.fullname) for book in (again.file, again.calc))
    assert by_file.sheetnames == by_calc.sheetnames
    assert {ws.title: len(ws._charts) for ws in by_file} == {ws.title: len(ws._charts) for ws in by_calc}
    assert {title: by_file[title]["A1"].value for title in SHEETS.values()} == {
        title: by_calc[title]["A1"].value for title in SHEETS.values()
    }
    assert all(by_file[title]["A1"].value.startswith(title.split()[0]) for title in SHEETS.values())
    before, after = read_parts(original), read_parts(Path(again.file.fullname))
    assert {name for name in before if before[name] != after.get(name)} == CHANGED
