"""An open workbook as the commands read it: what the application holds, ranges from the file, refusals in words."""

from __future__ import annotations

import datetime
from pathlib import Path

import openpyxl
import pytest
import xlwings as xw

from addin.errors import BookError
from addin.kernel import Address
from addin.workbook import live
from addin.workbook.book import SizingBook, open_book
from addin.workbook.ranges import Rule, saved_rules, shipped_rules
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.workbook_part import sheet_parts
from tests.support import opened

EXTENDED = (
    '<extLst><ext uri="{{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}}" '
    'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:dataValidations count="1" '
    'xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:dataValidation type="list" allowBlank="1">'
    "<x14:formula1><xm:f>'All arrays'!$D$4:$F$4</xm:f></x14:formula1><xm:sqref>{area}</xm:sqref></x14:dataValidation>"
    "</x14:dataValidations></ext></extLst>"
)


@pytest.fixture
def book(original: Path, tmp_path: Path) -> xw.Book:
    return opened.opened(opened.copied(original, tmp_path))


@pytest.fixture(scope="module")
def saved(original: Path) -> SizingBook:
    return open_book(original)


@pytest.mark.slow
def test_an_open_workbook_reads_like_its_file(book: xw.Book, saved: SizingBook) -> None:
    sizing = live.read(book)
    assert dict(sizing.cells.values) == dict(saved.cells.values)
    assert dict(sizing.cells.names) == dict(saved.cells.names)
    assert (sizing.cells.sheets, sizing.cells.texts) == (saved.cells.sheets, saved.cells.texts)
    assert (dict(sizing.inputs), dict(sizing.results)) == (dict(saved.inputs), dict(saved.results))
    assert sizing.version == saved.version
    assert sizing.path.name == opened.NAME


@pytest.mark.slow
def test_what_an_application_gives_in_blocks_is_what_a_file_has(book: xw.Book) -> None:
    book.sheets.add("Mine", after=book.sheets[-1])["B2"].value = datetime.date(2026, 11, 22)
    of_file = live.read(book)
    cells, shown, shows_date = live.in_blocks(book, of_file.cells.names, None)
    assert dict(cells.values) == {at: opened.as_shown(value) for at, value in of_file.cells.values.items()}
    assert (cells.sheets, cells.texts) == (of_file.cells.sheets, of_file.cells.texts)
    assert isinstance(of_file.stored, live.OnScreen)
    every = {at: of_file.stored.shown.get(at) for at in cells.values if cells.formula(at) is not None}
    assert {at: shown.get(at) or "" for at in every} == {at: value or "" for at, value in every.items()}
    dated = {at for at in cells.values if shows_date(at)}
    assert Address("Mine", 2, 2) in dated
    assert {at for at in cells.values if of_file.shows_date(at)} == dated


@pytest.mark.slow
def test_changes_that_are_not_saved_count(book: xw.Book, saved: SizingBook) -> None:
    book.names["In_desktops"].refers_to_range.value = 4400
    sizing = live.read(book)
    desktops = sizing.inputs["desktops"].address
    assert sizing.cells.constant(desktops) == 4400.0
    assert saved.cells.constant(desktops) != 4400.0
    required = sizing.results["arrays_required"].address
    assert sizing.stored.values([required]) == {required: sizing.evaluate({}, ["arrays_required"])["arrays_required"]}
    assert sizing.stored.where.startswith("on screen")


@pytest.mark.slow
def test_a_text_that_looks_like_a_formula_stays_one(book: xw.Book) -> None:
    sheet = book.sheets.add("Mine", after=book.sheets[-1])
    sheet["B2"].value = "'=D6*2"
    sheet["B3"].value = "=1+1"
    sizing = live.read(book)
    text, formula = Address("Mine", 2, 2), Address("Mine", 3, 2)
    assert (sizing.cells.values[text], sizing.cells.formula(text)) == ("=D6*2", None)
    assert sizing.cells.formula(formula) == "=1+1"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["In_desktops", "Out_arrays_required", "Chk_Master"])
def test_a_renamed_part_is_named_with_what_to_do(original: Path, tmp_path: Path, name: str) -> None:
    path = opened.copied(original, tmp_path)
    workbook = openpyxl.load_workbook(path)
    del workbook.defined_names[name]
    workbook.save(path)
    with pytest.raises(BookError, match=rf"the name {name} is missing: it was renamed or deleted, or .*\. Undo"):
        live.read(opened.opened(path))


def test_any_other_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shopping.xlsx"
    openpyxl.Workbook().save(path)
    with pytest.raises(BookError, match=r"shopping\.xlsx: is not a VDI storage sizing workbook\. Open one"):
        live.read(opened.opened(path))


@pytest.mark.slow
def test_ranges_are_those_of_the_saved_copy(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    workbook = openpyxl.load_workbook(path)
    desktops = opened.named(workbook, "In_desktops")
    for rule in desktops.parent.data_validations.dataValidation:
        if desktops.coordinate in rule.cells:
            rule.formula2 = "2500"
    workbook.save(path)
    assert live.read(opened.opened(path)).inputs["desktops"].maximum == 2500


@pytest.mark.slow
def test_lists_that_excel_stores_as_an_extension_are_read(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    parts = dict(read_parts(path))
    array = opened.named(openpyxl.load_workbook(path), "In_array")
    part = sheet_parts(parts)[array.parent.title]
    sheet = parts[part]
    assert b"<dataValidations" in sheet
    extended = EXTENDED.format(area=f"{array.coordinate}:K{array.row}").encode()
    parts[part] = sheet.replace(b"</worksheet>", extended + b"</worksheet>")
    write_parts(path, parts)
    assert saved_rules(path)["array"] == Rule(source="'All arrays'!$D$4:$F$4")
    sizing = open_book(path)
    assert sizing.inputs["array"].choices == tuple(
        str(sizing.cells.constant(Address("Arrays", 4, column))) for column in (4, 5, 6)
    )


@pytest.mark.slow
def test_a_document_that_was_never_saved_has_the_ranges_it_shipped_with(saved: SizingBook, tmp_path: Path) -> None:
    assert not saved_rules(tmp_path / "Untitled 1")
    shipped = shipped_rules()
    for key, item in saved.inputs.items():
        rule = shipped[key]
        assert (rule.minimum, rule.maximum, rule.integer) == (item.minimum, item.maximum, item.integer)
        assert bool(rule.source) == bool(item.choices)
