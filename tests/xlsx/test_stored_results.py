"""Results stored beside formulas: digits, types, escapes, and not a byte of anything else."""

import math
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest

from addin.xlsx import package
from addin.xlsx.package import PackageError
from addin.xlsx.stored_results import CellValue, store_results
from tests.support.formula_workbook import save_workbook

DAY = datetime(2026, 3, 14, 12, 0, 0, tzinfo=UTC)
SHEET = "xl/worksheets/sheet1.xml"


def cached(path: Path, reference: str, sheet: str = "Capacity") -> object:
    """Read a cached result the way a previewer does."""
    return openpyxl.load_workbook(path, data_only=True)[sheet][reference].value


def inject_one(tmp_path: Path, value: CellValue) -> Path:
    """Save a workbook with one result in Capacity!B1."""
    path = save_workbook(tmp_path / "one.xlsx", {"B1": "=A1*2"})
    store_results(path, {("Capacity", "B1"): value, ("Notes & more", "A1"): 7})
    return path


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (14, b"<v>14</v>"),
        (14.0, b"<v>14</v>"),
        (0.1 + 0.2, b"<v>0.30000000000000004</v>"),
        (1 / 3, b"<v>0.3333333333333333</v>"),
        (-0.0, b"<v>0</v>"),
        (1e-7, b"<v>1e-07</v>"),
        (1e300, b"<v>1e+300</v>"),
        (123456789012345680000.0, b"<v>1.2345678901234568e+20</v>"),
    ],
)
def test_numbers_are_written_with_the_digits_that_read_back(tmp_path, value, written):
    path = inject_one(tmp_path, value)
    assert b'<c r="B1"><f>A1*2</f>' + written + b"</c>" in package.read_parts(path)[SHEET]
    assert cached(path, "B1") == value


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("enter a quote", b't="str"><f>A1*2</f><v>enter a quote</v></c>'),
        ("", b't="str"><f>A1*2</f><v></v></c>'),
        ("a < b & c > d", b't="str"><f>A1*2</f><v>a &lt; b &amp; c &gt; d</v></c>'),
        ("caf\u00e9 \u2265 1", 't="str"><f>A1*2</f><v>caf\u00e9 \u2265 1</v></c>'.encode()),
        ("tab\tline\nreturn\r", b't="str"><f>A1*2</f><v>tab\tline\nreturn_x000D_</v></c>'),
        ("_x000D_", b't="str"><f>A1*2</f><v>_x005F_x000D_</v></c>'),
        (True, b't="b"><f>A1*2</f><v>1</v></c>'),
        (False, b't="b"><f>A1*2</f><v>0</v></c>'),
        ("#DIV/0!", b't="e"><f>A1*2</f><v>#DIV/0!</v></c>'),
        ("#N/A", b't="e"><f>A1*2</f><v>#N/A</v></c>'),
        ("#none", b't="str"><f>A1*2</f><v>#none</v></c>'),
    ],
)
def test_texts_booleans_and_errors_carry_their_type(tmp_path, value, written):
    assert written in package.read_parts(inject_one(tmp_path, value))[SHEET]


def test_a_second_injection_replaces_the_first(tmp_path):
    path = inject_one(tmp_path, "enter a quote")
    store_results(path, {("Capacity", "B1"): 2.5, ("Notes & more", "A1"): 7})
    assert cached(path, "B1") == 2.5
    assert package.read_parts(path)[SHEET].count(b"<v>2.5</v>") == 1


def test_parts_without_formulas_and_the_rest_of_a_sheet_stay_as_written(tmp_path):
    path = save_workbook(tmp_path / "book.xlsx", {"B1": "=A1*2"})
    before = package.read_parts(path)
    store_results(path, {("Capacity", "B1"): 14, ("Notes & more", "A1"): 7})
    after = package.read_parts(path)
    assert {name for name in before if before[name] != after[name]} == {SHEET, "xl/worksheets/sheet2.xml"}
    assert after[SHEET].replace(b"<v>14</v>", b"<v />") == before[SHEET].replace(b"<v></v>", b"<v />")


def test_applications_still_calculate_on_opening(tmp_path):
    path = inject_one(tmp_path, 14)
    package.normalise(path, DAY)
    assert b'fullCalcOnLoad="1"' in package.read_parts(path)["xl/workbook.xml"]


def test_styles_of_formula_cells_stay(tmp_path):
    path = tmp_path / "styled.xlsx"
    book = openpyxl.Workbook()
    book.active["A1"] = "=1+1"
    book.active["A1"].number_format = "0.00%"
    book.save(path)
    store_results(path, {("Sheet", "A1"): 2})
    assert openpyxl.load_workbook(path)["Sheet"]["A1"].number_format == "0.00%"
    assert openpyxl.load_workbook(path)["Sheet"]["A1"].value == "=1+1"


def test_namespace_prefixes_and_shared_formulas_are_understood(tmp_path):
    path = save_workbook(tmp_path / "book.xlsx", {"B1": "=A1*2"})
    parts = package.read_parts(path)
    parts[SHEET] = (
        b'<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1">'
        b'<x:c r="A1" t="inlineStr"><x:is><x:t>f</x:t></x:is></x:c><x:c r="B1" s="1" t="str"><x:f t="shared" '
        b'ref="B1:C1" si="0">A1&amp;"&gt;"</x:f><x:v>old</x:v></x:c><x:c r="C1"><x:f t="shared" si="0"/></x:c>'
        b'<x:c r="D1"/></x:row></x:sheetData></x:worksheet>'
    )
    package.write_parts(path, parts)
    store_results(path, {("Capacity", "B1"): 3, ("Capacity", "C1"): "t", ("Notes & more", "A1"): 7})
    sheet = package.read_parts(path)[SHEET]
    assert b'<x:c r="B1" s="1"><x:f t="shared" ref="B1:C1" si="0">A1&amp;"&gt;"</x:f><x:v>3</x:v></x:c>' in sheet
    assert b'<x:c r="C1" t="str"><x:f t="shared" si="0"/><x:v>t</x:v></x:c><x:c r="D1"/>' in sheet


def test_a_formula_cell_without_a_value_is_refused_and_the_file_kept(tmp_path):
    path = save_workbook(tmp_path / "book.xlsx", {f"B{row}": "=A1" for row in range(1, 6)})
    before = path.read_bytes()
    with pytest.raises(
        PackageError, match=r"Capacity!B2, Capacity!B3, Capacity!B4 and 2 more hold a formula and got no"
    ):
        store_results(path, {("Capacity", "B1"): 1})
    assert path.read_bytes() == before


@pytest.mark.parametrize("key", [("Capacity", "A1"), ("Capacity", "Z9"), ("Nowhere", "B1")])
def test_a_value_for_a_cell_without_formula_is_refused(tmp_path, key):
    path = save_workbook(tmp_path / "book.xlsx", {"B1": "=A1*2"})
    values = {("Capacity", "B1"): 14, ("Notes & more", "A1"): 7, key: 1}
    with pytest.raises(PackageError, match=rf"book.xlsx: {key[0]}!{key[1]} got a value and hold no formula"):
        store_results(path, values)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_number_that_no_cell_can_hold_is_refused(tmp_path, number):
    with pytest.raises(PackageError, match=r"Capacity!B1: (nan|inf) is not a cell value"):
        inject_one(tmp_path, number)
