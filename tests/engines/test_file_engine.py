"""The xlwings engine on saved files: what is read is computed, what is written touches nothing else."""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles import Protection
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet.formula import ArrayFormula

import build
from addin.engines import file
from addin.engines.office.recompute import stored_values
from addin.errors import AddinError
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.workbook_part import sheet_parts
from addin.xlsx.write_cells import with_cells
from tests.support import file_samples, libreoffice
from tests.support.file_samples import MAIN, TEMPLATE, changed, drawn, saved, small

LEFT_OVER = 1e-10  # thousands of desktops less as many leave 0 in one engine and 1e-11 in another


@pytest.fixture(scope="module")
def cached() -> openpyxl.Workbook:
    """Return the values that the build stored."""
    return stored_values(TEMPLATE)


# --- values


@pytest.mark.slow
def test_importing_has_no_side_effect_and_registering_twice_adds_one() -> None:
    code = (
        "import xlwings as xw; import addin.engines.file as file; n = len(xw.engines); "
        "assert 'file' not in [e.name for e in xw.engines]; "
        "assert file.register().name == file.register().name == 'file'; assert len(xw.engines) == n + 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(build.__file__).parent)


@pytest.mark.slow
def test_values_are_computed_and_equal_those_that_the_build_stored(template: Path, cached: openpyxl.Workbook) -> None:
    book = file.open_file(template)
    for sheet in book.sheets:
        area = sheet.used_range
        for row, values in enumerate(area.options(ndim=2, err_to_str=True).value, area.row):
            for column, value in enumerate(values, area.column):
                stored = cached[sheet.name].cell(row, column).value
                if isinstance(value, datetime.datetime):
                    value = to_excel(value)
                if isinstance(stored, int | float) and not isinstance(stored, bool):
                    stored = pytest.approx(stored, rel=1e-14, abs=0)
                assert value == (None if stored == "" else stored), (sheet.name, row, column)


def cell_of(workbook: openpyxl.Workbook, name: str) -> tuple[str, str]:
    """Return the sheet and the cell that a name stands for."""
    ((sheet, cell),) = workbook.defined_names[name].destinations
    return sheet, cell.replace("$", "")


def part_of(path: Path, sheet: str) -> str:
    """Return the part that holds a sheet."""
    return sheet_parts(read_parts(path))[sheet]


@pytest.mark.slow
def test_a_stale_result_is_not_believed(template: Path, cached: openpyxl.Workbook) -> None:
    parts = read_parts(template)
    sheet, cell = cell_of(cached, "Out_arrays_required")
    part = part_of(template, sheet)
    parts[part], count = re.subn(rb"<v>[^<]*</v>", b"<v>77</v>", parts[part])
    assert count > 500
    write_parts(template, parts)
    book = file.open_file(template)
    assert book.names["Out_arrays_required"].refers_to_range.value == cached[sheet][cell].value != 77


def test_a_cell_that_the_kernel_does_not_compute_shows_its_stored_result_and_is_read_on(tmp_path: Path) -> None:
    path = tmp_path / "b.xlsx"

    def fill(book: openpyxl.Workbook) -> None:
        sheet = book.active
        sheet["A1"], sheet["A2"], sheet["A3"], sheet["A4"] = 2, "=OFFSET(A1,0,0)*10", "=A2+A1", "=A1*3"

    small(path, fill)
    parts = read_parts(path)
    part = "xl/worksheets/sheet1.xml"
    parts[part], count = re.subn(rb"(OFFSET.A1,0,0.\*10</f>)<v ?/>", rb"\1<v>20</v>", parts[part])
    assert count == 1
    write_parts(path, parts)
    book = file.open_file(path)
    sheet = book.sheets[0]
    assert sheet["A1:A4"].value == [2.0, 20.0, 22.0, 6.0]
    sheet["A1"].value = 3
    assert sheet["A1:A4"].value == [3.0, 20.0, 23.0, 9.0]
    target = saved(book)
    assert b'fullCalcOnLoad="1"' in read_parts(target)["xl/workbook.xml"]


def test_cells_are_read_as_any_application_writes_them(foreign: Path) -> None:
    sheet = file.open_file(foreign).sheets[0]
    assert sheet["A1:D1"].value == [" plain & simple ", "rich text", "ab\nc", True]
    assert sheet["B2:B4"].value == [2.0, 5.0, 0.0]
    formulas: object = sheet["B2:B4"].formula
    assert formulas == (("=$A2*2",), ("=$A3*2",), ("=$A4*2",))
    assert sheet["D2:D3"].options(err_to_str=True).value == [46347.0, "#N/A"]
    assert sheet["C9"].number_format == sheet["F4"].number_format == "yyyy-mm-dd"


def test_writing_where_a_shared_formula_stands_leaves_the_others_their_formulas(foreign: Path) -> None:
    book = file.open_file(foreign)
    sheet = book.sheets[0]
    sheet["B2"].value = "gone"
    sheet["E1"].value = sheet["A9"].value = "added"
    formulas: object = sheet["B2:B4"].formula
    assert formulas == (("gone",), ("=$A3*2",), ("=$A4*2",))
    target = saved(book)
    again = file.open_file(target).sheets[0]
    formulas_again: object = again["B2:B4"].formula
    assert formulas_again == (("gone",), ("=$A3*2",), ("=$A4*2",))
    assert again["A1:E1"].value == [" plain & simple ", "rich text", "ab\nc", True, "added"]
    written = openpyxl.load_workbook(target).active
    assert (written["B3"].value, written["A9"].value, written["E1"].value) == ("=$A3*2", "added", "added")
    assert written.dimensions == "A1:E9"


# --- writing


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Data Validation extension")  # openpyxl's reader warns
@pytest.mark.parametrize("source", file_samples.SOURCES)
def test_an_input_is_written_into_its_cell_and_results_follow(source: Callable[[Path], Path], tmp_path: Path) -> None:
    path = source(tmp_path)
    book = file.open_file(path)
    book.names["In_desktops"].refers_to_range.value = 5000
    arrays = book.names["Out_arrays_required"].refers_to_range.value
    assert arrays > 1
    target = saved(book)
    before, after = read_parts(path), read_parts(target)
    parts = changed(path, target)
    unchanged = openpyxl.load_workbook(path)
    sheet, required = cell_of(unchanged, "Out_arrays_required")
    start, desktops = cell_of(unchanged, "In_desktops")
    inputs = part_of(path, start)
    assert {inputs, part_of(path, "Inputs"), part_of(path, sheet)} <= parts  # Inputs shows what was typed on Answer
    assert all(name.startswith("xl/worksheets/sheet") for name in parts)
    cell = rb'<c r="%s" [^>]*><v>\d+</v></c>' % desktops.encode()
    assert re.sub(cell, b"", before[inputs]).count(b"<c ") == before[inputs].count(b"<c ") - 1
    for name in parts:  # results aside, not a byte has changed
        typed = desktops if name == inputs else ""
        assert _without_results(before[name], typed) == _without_results(after[name], typed)
    stored = openpyxl.load_workbook(target, data_only=True)
    assert (stored[start][desktops].value, stored[sheet][required].value) == (5000, arrays)
    assert stored[start][desktops].number_format == unchanged[start][desktops].number_format


def _without_results(part: bytes, typed: str) -> bytes:
    """Return the part of a sheet without its results and the cell that was typed, if it has one."""
    if typed:
        part = re.sub(rb'<c (?=[^>]*r="%s")[^>]*><v>\d+</v></c>' % typed.encode(), b"", part)
    part = re.sub(rb"<v>[^<]*</v>|<v/>", b"", part)
    return re.sub(rb"<c [^>]*>", lambda tag: re.sub(rb' t="\w+"', b"", tag[0]).replace(b'" >', b'">'), part)


@pytest.mark.slow
def test_results_stored_beside_a_new_input_are_those_of_libreoffice(template: Path, tmp_path: Path) -> None:
    libreoffice.soffice()
    book = file.open_file(template)
    book.names["In_desktops"].refers_to_range.value = 4400
    book.names["In_array"].refers_to_range.value = "NetApp AFF8040"
    target = saved(book)
    stored = stored_values(target)
    judged = libreoffice.recalculate([target], tmp_path / "judged")[target]
    count = 0
    for sheet in stored.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                other = judged[sheet.title][cell.coordinate].value
                if isinstance(cell.value, float | int) and not isinstance(cell.value, bool):
                    assert other == pytest.approx(cell.value, rel=1e-12, abs=LEFT_OVER), (sheet.title, cell.coordinate)
                else:
                    assert str(other or "").strip() == str(cell.value or "").strip()
                count += 1
    assert count > 6000


@pytest.mark.slow
def test_opening_and_saving_changes_nothing(excel: Path) -> None:
    book = file.open_file(excel)
    for sheet in book.sheets:
        assert sheet.used_range.value is not None
    target = saved(book)
    assert read_parts(target) == read_parts(excel)
    assert excel.read_bytes() == saved(file.open_file(excel), "again.xlsx").read_bytes()


def test_a_formula_written_is_stored_with_its_result_and_prefix(tmp_path: Path) -> None:
    book = small(tmp_path / "b.xlsx", lambda book: book.active.append([2, 4]))
    sheet = book.sheets[0]
    sheet["C1"].formula = '=ROUND(NORM.S.INV(0.975)*A1,2)&" < x & ""y"""'
    sheet["D1:D2"].formula = "=$A1+B1"
    assert sheet["C1"].value == '3.92 < x & "y"'
    assert sheet["D1:D2"].formula == (("=$A1+B1",), ("=$A2+B2",))
    target = saved(book)
    part = read_parts(target)["xl/worksheets/sheet1.xml"].decode()
    assert '<f>ROUND(_xlfn.NORM.S.INV(0.975)*A1,2)&amp;" &lt; x &amp; ""y"""</f><v>3.92 &lt; x &amp; "y"</v>' in part
    assert openpyxl.load_workbook(target, data_only=True).active["D1"].value == 6
    assert file.open_file(target).sheets[0]["C1"].formula == sheet["C1"].formula


@pytest.mark.slow
def test_the_order_of_the_last_computation_goes_only_with_a_formula(excel: Path, tmp_path: Path) -> None:
    book = file.open_file(excel)
    file.open_file(drawn(tmp_path / "r.xlsx")).sheets[0].copy(after=book.sheets[-1])["B2"].value = 5
    assert "xl/calcChain.xml" in read_parts(saved(book))
    book.names["In_desktops"].refers_to_range.formula = "=1000+1"
    parts = read_parts(saved(book))
    assert "xl/calcChain.xml" not in parts
    assert b"calcChain" not in parts["xl/_rels/workbook.xml.rels"] + parts["[Content_Types].xml"]


def test_locked_cells_and_parts_of_array_formulas_refuse_and_nothing_is_written(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        sheet = book.active
        sheet["A1"], sheet["B1"] = 1, 2
        sheet["B1"].protection = Protection(locked=False)
        sheet.protection.sheet = True
        free = book.create_sheet("Free sheet")
        free["A1"] = ArrayFormula("A1:A2", "=SUM(Sheet!A1:B1)")

    path = tmp_path / "b.xlsx"
    book = small(path, fill)
    sheet, free = book.sheets
    with pytest.raises(AddinError, match=r"b\.xlsx: Sheet!A1 is locked on a protected sheet\. Unprotect the sheet"):
        sheet["A1:B1"].value = [[5, 6]]
    with pytest.raises(AddinError, match="Sheet!C7 is locked"):
        sheet["C7"].value = 1  # a cell that is not in the file has the format of its column: locked
    with pytest.raises(AddinError, match="Sheet!A1 is locked"):
        sheet["A1"].number_format = "0.0"
    with pytest.raises(AddinError, match=r"Free sheet!A2 is part of the array formula in A1:A2"):
        free["A2"].value = 1
    sheet["B1"].value = 3
    assert sheet["A1:B1"].value == [1.0, 3.0]
    before = free["A1"].has_array
    free["A1:A2"].value = 7
    assert (before, free["A1"].has_array) == (True, False)
    assert free["A1:A2"].value == [7.0, 7.0]
    assert changed(path, saved(book)) == {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"}


def test_times_and_moments_are_datetimes(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        sheet = book.active
        sheet.append([0.75, 46347.75, 46347.75])
        sheet["A1"].number_format, sheet["B1"].number_format = "hh:mm", "yyyy-mm-dd hh:mm"

    sheet = small(tmp_path / "b.xlsx", fill).sheets[0]
    half_past = datetime.datetime(1899, 12, 30, 18), datetime.datetime(2026, 11, 21, 18)
    assert sheet["A1:C1"].value == [*half_past, 46347.75]


def test_rows_and_cells_come_in_order_whatever_is_there() -> None:
    from addin.xlsx.read_cells import Stored, read_sheet

    sheet = f'<worksheet {MAIN}><sheetData><row r="3"><c r="B3"><v>1</v></c></row><row r="5"/></sheetData></worksheet>'
    positions = [(1, 1), (3, 1), (3, 3), (4, 2), (5, 9), (9, 1), (2, 28)]
    part = with_cells(sheet.encode(), {position: Stored(float(n)) for n, position in enumerate(positions)})
    places = re.findall(r'<c r="(\w+)"', part.decode())
    assert places == ["A1", "AB2", "A3", "B3", "C3", "B4", "I5", "A9"]
    assert {position: cell.value for position, cell in read_sheet(part, []).cells.items()} == {
        **{position: float(n) for n, position in enumerate(positions)},
        (3, 2): 1.0,
    }
    blank = with_cells(f"<worksheet {MAIN}><sheetData/></worksheet>".encode(), {(2, 2): Stored("x"), (3, 3): Stored()})
    assert b'<sheetData><row r="2"><c r="B2" t="inlineStr"><is><t>x</t></is></c></row></sheetData>' in blank
