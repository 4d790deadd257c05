"""The buttons in Calc: the figures of the file engine, everything else as it was, charts on their own sheet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xlwings as xw
from openpyxl import load_workbook

from addin import commands
from addin.commands import COMMANDS
from addin.errors import AddinError
from addin.kernel import Scalar
from model.package import read_parts
from tests.addin import opened
from tests.addin.opened import Calc
from tests.addin.test_commands import CHARTED, SHEETS, original, select

__all__ = ["original"]

REFERENCE = "{http://schemas.openxmlformats.org/drawingml/2006/chart}f"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    with opened.calc() as found:
        yield found


@pytest.fixture
def book(calc: Calc, original: Path, tmp_path: Path) -> Iterator[xw.Book]:
    app = calc.app()
    found = app.books.open(str(opened.copied(original, tmp_path)))
    yield found
    with suppress(AddinError):
        found.close()
        app.quit()


def formats(book: xw.Book) -> list[str]:
    """Return how some figures of the user's own sheets are shown."""
    cells = ("Inputs!D7", "Sizing!D11", "Sizing!D71", "Capacity!D22", "Cost!D11")
    return [book.sheets[name.partition("!")[0]].range(name.partition("!")[2]).number_format for name in cells]


def same(one: Scalar, other: Scalar) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-12, abs=1e-12)
    return one == other


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_holds_what_the_file_engine_puts_there(
    book: xw.Book, original: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").mkdir()
    file = opened.opened(opened.copied(original, tmp_path / "file"))
    select(file, "Sizing!D39")
    COMMANDS[name].run(file)
    book.app.engine.activate()
    select(book, "Sizing!D39")
    before, shown = opened.state(book), formats(book)
    COMMANDS[name].run(book)
    assert opened.state(book) == before
    assert formats(book) == shown
    title = SHEETS[name]
    ours, theirs = opened.cells(book, title), opened.cells(file, title)
    assert ours.keys() == theirs.keys()
    assert [a.a1 for a in ours if not same(ours[a], theirs[a])] == []


@pytest.mark.parametrize("name", sorted(CHARTED))
def test_charts_show_the_cells_of_their_own_sheet(book: xw.Book, tmp_path: Path, name: str) -> None:
    COMMANDS[name].run(book)
    COMMANDS[name].run(book)  # the sheet is replaced, with its charts
    saved = tmp_path / "saved.xlsx"
    book.save(str(saved))
    title = SHEETS[name]
    parts = read_parts(saved)
    references = [
        {element.text.partition("!")[0].strip("$'") for element in ElementTree.fromstring(part).iter(REFERENCE)}
        for part_name, part in parts.items()
        if part_name.startswith("xl/charts/chart")
    ]
    assert {title} in references
    assert all(len(sheets) == 1 for sheets in references)  # no chart left pointing at a sheet that is gone
    assert load_workbook(saved)[title]["A1"].value.startswith(title.split()[0])


def test_what_calc_shows_is_what_the_formulas_give(book: xw.Book) -> None:
    book.sheets["Inputs"]["D6"].value = 2500
    found = commands.live.read(book)
    keys = list(found.results)
    computed = found.evaluate({}, keys)
    on_screen = found.stored.values([item.address for item in found.results.values()])
    assert len(on_screen) > 60
    for key, item in found.results.items():
        if item.address in on_screen:
            assert same(computed[key], on_screen[item.address]), key


def test_a_locked_input_sheet_does_not_matter(book: xw.Book) -> None:
    commands.explain_cell(book, "arrays_required")
    with pytest.raises(AddinError, match="locked"):
        book.sheets["Sizing"]["D39"].value = 7
