"""What of the user's own reads a result sheet goes on reading it when the sheet is replaced."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import xlwings as xw
from openpyxl import load_workbook
from openpyxl.styles import Alignment, Font
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula

from addin import commands
from addin.engines import calc
from addin.xlsx.package import read_parts
from addin.xlsx.workbook_part import sheet_parts
from tests.support import opened
from tests.support.one_sheet import one_sheet

pytestmark = pytest.mark.office

TITLE = "Array comparison"
FORMULAS = {
    "B2": "='Array comparison'!B7*2",
    "B3": "=SUM('Array comparison'!B7:B8)&\" of 'Array comparison'!B7\"",
    "B4": "=IF('array comparison'!$A$1=\"\",1,My_best)",
    "B5": "=Answer!D5",
}


@pytest.fixture(scope="module")
def with_readers(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook with an array comparison, and a sheet of the user's own that reads it."""
    path = opened.copied(original, tmp_path_factory.mktemp("readers"))
    book = opened.opened(path)
    commands.compare(book)
    book.save()
    workbook = load_workbook(path)
    mine = workbook.create_sheet("Mine")
    for place, formula in FORMULAS.items():
        mine[place] = formula
        mine[place].font, mine[place].number_format = Font(bold=True), "0.000"
        mine[place].alignment = Alignment(horizontal="center")
    workbook.defined_names["My_best"] = DefinedName("My_best", attr_text="'Array comparison'!$B$12")
    workbook.save(path)
    return path


def part(path: Path, title: str) -> str:
    """Return a sheet as the file holds it, without the results that are stored beside formulas."""
    parts = read_parts(path)
    return re.sub(r"<v>[^<]*</v>|<v ?/>|(?<=\d\") t=\"str\"", "", parts[sheet_parts(parts)[title]].decode())


def formulas(book: xw.Book) -> dict[str, object]:
    return {place: book.sheets["Mine"][place].formula for place in FORMULAS}


def test_formulas_of_a_file_read_the_new_sheet_and_keep_their_bytes(with_readers: Path, tmp_path: Path) -> None:
    path = opened.copied(with_readers, tmp_path)
    before, first = part(path, "Mine"), opened.opened(path)
    first.names["In_desktops"].refers_to_range.value = 4000
    assert commands.compare(first).text == "Arrays compared: see the sheet Array comparison."
    first.save()
    assert part(path, "Mine") == before
    again = opened.opened(path)
    assert again.names["My_best"].refers_to == "='Array comparison'!$B$12"
    arrays = again.sheets[TITLE]["B7"].value
    assert again.sheets["Mine"]["B2"].value == 2 * arrays
    assert again.sheets["Mine"]["B4"].value == again.sheets[TITLE]["B12"].value
    assert one_sheet(path, "Mine", data_only=True)["B2"].value == 2 * arrays


@pytest.mark.slow
def test_formulas_in_calc_read_the_new_sheet(with_readers: Path, tmp_path: Path) -> None:
    path = opened.copied(with_readers, tmp_path)
    with calc.private_office() as app:
        app.activate()
        book = app.books.open(str(path))
        before = formulas(book)
        book.names["In_desktops"].refers_to_range.value = 4000
        assert commands.compare(book).text == "Arrays compared: see the sheet Array comparison."
        assert formulas(book) == before
        best = book.names["My_best"].refers_to
        assert best is not None
        assert best.replace("$'", "'") == "='Array comparison'!$B$12"
        mine, arrays = book.sheets["Mine"], book.sheets[TITLE]["B7"].value
        assert mine["B2"].value == 2 * arrays
        assert mine["B4"].value == book.sheets[TITLE]["B12"].value
        assert mine["B2"].number_format == "0.000"
        book.save()
    assert one_sheet(path, "Mine")["B2"].font.bold


def test_what_cannot_follow_is_said(with_readers: Path, tmp_path: Path) -> None:
    path = opened.copied(with_readers, tmp_path)
    workbook = load_workbook(path)
    locked = workbook.create_sheet("Locked")
    locked["A1"] = f"='{TITLE}'!B7"
    locked.protection.sheet = True
    workbook["Mine"]["D2"] = ArrayFormula("D2:D3", f"='{TITLE}'!B7:B8")
    workbook["Mine"]["D5"] = f"='{TITLE}'!B9"
    workbook["Mine"]["D5"].number_format = "@"
    workbook.save(path)
    text = commands.compare(opened.opened(path)).text
    assert text.endswith("Enter them again.")
    for place in ("Locked!A1 (='Array comparison'!B7)", "Mine!D2 (", "Mine!D5 (='Array comparison'!B9)"):
        assert place in text
