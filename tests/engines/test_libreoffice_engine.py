"""The xlwings engine on LibreOffice: what Excel's engine hands out and takes, as a real Calc has it."""

import datetime as dt
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula

import build
from addin.errors import BookError

pytestmark = pytest.mark.office

TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"
FUNCTIONS = Path(build.__file__).parent / "addin" / "kernel" / "scalar" / "functions.csv"


# --- values


def test_a_block_comes_back_as_it_went_in(sheet):
    rows = [[r * 10.0 + c + 0.123456789 for c in range(10)] for r in range(10_000)]
    sheet["B3"].value = rows
    assert sheet["B3:K10002"].value == rows


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (3, 3.0),
        (True, True),
        (False, False),
        (None, None),
        ("", None),
        ("Müller & Söhne", "Müller & Söhne"),
        ("2200", 2200.0),
        ("-1.5e3", -1500.0),
        ("'2200", "2200"),
        ("true", True),
        ("12 arrays", "12 arrays"),
        ("=1+1", 2.0),
        ("'=1+1", "=1+1"),
        (dt.datetime(2026, 7, 1), dt.datetime(2026, 7, 1)),
        (dt.date(2026, 7, 1), dt.datetime(2026, 7, 1)),
        (dt.datetime(2026, 7, 1, 8, 45, 30), dt.datetime(2026, 7, 1, 8, 45, 30)),
        (float("nan"), None),
        (float("inf"), None),
        ("#N/A", None),
    ],
)
def test_a_value_is_taken_as_excel_takes_it(sheet, written, read):
    sheet["B2"].value = written
    assert sheet["B2"].value == read
    assert type(sheet["B2"].value) is type(read)


def test_values_of_every_kind_share_a_block(sheet):
    sheet["A1"].value = [["x", 1, None, True], [dt.datetime(2020, 2, 29), "=B1*2", "=1/0", "=B1=1"]]
    assert sheet["A1:D2"].value == [["x", 1.0, None, True], [dt.datetime(2020, 2, 29), 2.0, None, True]]


def test_errors_are_none_unless_asked_for_as_text(sheet):
    formulas = ["=1/0", "=NA()", "=nosuchname", "=EXP(1000)", '="a"+1', "=#REF!+1", "=#NULL!"]
    sheet["A1"].value = [formulas]
    texts = ["#DIV/0!", "#N/A", "#NAME?", "#NUM!", "#VALUE!", "#REF!", "#NULL!"]
    cells = sheet["A1:G1"]
    assert cells.value == [None] * 7
    assert cells.options(err_to_str=True).value == texts
    assert cells.raw_value == [
        [-2146826281, -2146826246, -2146826259, -2146826252, -2146826273, -2146826265, -2146826288]
    ]


def test_a_blank_cell_is_told_from_an_empty_text(sheet):
    sheet["A1"].value = ['=""', None, "x"]
    assert sheet["A1:C1"].raw_value == [["", None, "x"]]
    assert sheet["A1:C1"].value == [None, None, "x"]


def test_numbers_of_other_formats_stay_numbers(sheet):
    codes = ["0%", "#,##0.00", "hh:mm AM/PM", "@", "General"]
    sheet["A1"].value = [1, 0, 0.5, 1, 0]
    for cell, code in zip(sheet["A1:E1"], codes, strict=True):
        cell.number_format = code
    assert sheet["A1:E1"].value == [1.0, 0.0, 0.5, 1.0, 0.0]
    assert [cell.number_format for cell in sheet["A1:E1"]] == codes
    assert sheet["A1:E1"].number_format is None
    sheet["A2"].number_format = "yyyy-mm-dd"
    assert sheet["A2"].number_format == "yyyy-mm-dd"


def test_options_of_xlwings_hold(sheet):
    sheet["A1"].options(transpose=True).value = [1, 2, 3]
    assert sheet["A1:A3"].options(ndim=2, numbers=int).value == [[1], [2], [3]]
    assert sheet["A1:A4"].options(empty="-").value == [1.0, 2.0, 3.0, "-"]


# --- formulas


def test_every_formula_of_the_workbook_reads_as_the_file_says(sizing):
    book = openpyxl.load_workbook(TEMPLATE)
    compared = 0
    for sheet in book:
        cells = sizing.sheets[sheet.title].used_range
        assert (cells.row, cells.column) == (1, 1)
        for row, texts in zip(sheet.iter_rows(), cells.formula, strict=False):
            for cell, text in zip(row, texts, strict=False):
                if cell.data_type == "f":
                    assert text == re.sub(r"_xlfn\.", "", cell.value), cell.coordinate
                    compared += 1
    assert compared > 5000


@pytest.mark.parametrize(
    "formula",
    [
        "=SUM(A1:B2,C3,Sheet1!D4)",
        '=IF(A1>1,"a,b;c""d",\'My "x", y\'!B2)',
        "='It''s 10.5'!$A$1:$B$2",
        '=MATCH("b",{"a;b","b","c";"x","y","z"},0)',
        "=INDEX({1,2;3,4},2,1)",
        "=IF(TRUE,FALSE,1)",
        "=IFERROR(#N/A,#DIV/0!)",
        "=SUM(A:A,2:3,Sheet1!$A:$B)",
        "=-A1^2%&LOG10(B1)",
        "=NORM.INV(0.9,1,2)+CEILING(A1,2)+FLOOR(A1,2)",
        "=In_desktops*2",
        "=1E+300*2",
    ],
)
def test_formulas_go_in_and_out_unchanged(book, formula):
    book.sheets.add('My "x", y')
    book.sheets.add("It's 10.5")
    sheet = book.sheets["Sheet1"]
    book.names.add("In_desktops", "=Sheet1!$H$9")
    sheet["E5"].formula = formula
    assert sheet["E5"].formula == formula


def test_every_function_of_the_safe_list_is_known_by_its_name(sheet):
    names = [line.split(",")[0] for line in FUNCTIONS.read_text(encoding="utf-8").splitlines()[1:] if line.strip()]
    names = [name for name in names if re.fullmatch(r"[A-Z0-9.]+", name)]
    assert len(names) > 90
    for name in names:
        sheet["A1"].formula = f"={name}(B1,B2,B3)"
        assert sheet["A1"].formula == f"={name}(B1,B2,B3)"
        assert sheet["A1"].options(err_to_str=True).value != "#NAME?", name


def test_formulas_of_new_functions_are_written_as_files_hold_them(sheet):
    sheet["A1"].formula = "=_xlfn.NORM.S.INV(0.975)"
    assert sheet["A1"].value == pytest.approx(1.959963984540054)
    assert sheet["A1"].formula == "=NORM.S.INV(0.975)"


def test_one_formula_fills_an_area_with_references_moving_along(sheet):
    sheet["A1"].value = [[1, 2], [3, 4]]
    sheet["D1:E2"].formula = "=A1*$A$1+1"
    assert sheet["D1:E2"].value == [[2.0, 3.0], [4.0, 5.0]]
    assert sheet["E2"].formula == "=B2*$A$1+1"


def test_constants_read_as_formulas_give_what_would_type_them(sheet):
    sheet["A1"].value = ["x", 0.1, 1200000, None, "'=1", "=A1"]
    assert sheet["A1:F1"].formula == (("x", "0.1", "1200000", "", "=1", "=A1"),)


def test_an_array_formula_is_read_without_braces(app, tmp_path):
    made = openpyxl.Workbook()
    made.active.append([1, 2, 3])
    made.active["A2"] = ArrayFormula("A2", "=SUM(A1:C1*A1:C1)")
    made.save(tmp_path / "array.xlsx")
    with app.books.open(tmp_path / "array.xlsx") as book:
        sheet = book.sheets[0]
        assert (sheet["A2"].value, sheet["A2"].formula) == (14.0, "=SUM(A1:C1*A1:C1)")
        assert sheet["A2"].has_array
        assert not sheet["A1"].has_array


# --- the sizing workbook


def test_an_input_changes_the_result_behind_its_name(sizing):
    desktops, arrays = sizing.names["In_desktops"].refers_to_range, sizing.names["Out_arrays_required"].refers_to_range
    before = arrays.value
    desktops.value = desktops.value * 4
    assert arrays.value > before


def test_manual_calculation_waits_for_the_word(sizing):
    desktops, arrays = sizing.names["In_desktops"].refers_to_range, sizing.names["Out_arrays_required"].refers_to_range
    before = arrays.value
    with sizing.app.properties(calculation="manual"):
        desktops.value = desktops.value * 4
        assert arrays.value == before
        sizing.app.calculate()
        assert arrays.value > before
    assert sizing.app.calculation == "automatic"


@pytest.mark.parametrize(
    "change",
    [
        lambda cells: setattr(cells, "value", 1),
        lambda cells: setattr(cells, "formula", "=1"),
        lambda cells: setattr(cells, "number_format", "0"),
    ],
)
def test_a_locked_cell_is_refused_by_name_and_nothing_is_written(sizing, change):
    sheet = sizing.sheets["Inputs"]
    desktops = sizing.names["In_desktops"].refers_to_range
    block = sheet.range((desktops.row, 1), (desktops.row, desktops.column))
    before = block.formula
    with pytest.raises(BookError, match=rf"\.xlsx: Inputs!A{desktops.row} is locked on a protected sheet\. Unprotect"):
        change(block)
    assert block.formula == before


def test_a_sheet_of_a_protected_structure_stays(app, tmp_path):
    plain, locked = tmp_path / "plain.ods", tmp_path / "locked.ods"  # its xlsx filter forgets the protection
    with app.books.add() as book:
        book.sheets.add("Second", after=book.sheets[0])
        book.save(plain)
    with zipfile.ZipFile(plain) as package, zipfile.ZipFile(locked, "w") as copy:
        for name in package.namelist():
            tag = b"<office:spreadsheet"
            copy.writestr(name, package.read(name).replace(tag, tag + b' table:structure-protected="true"', 1))
    with app.books.open(locked) as book:
        for change in (
            lambda: book.sheets["Second"].delete(),
            lambda: setattr(book.sheets["Second"], "name", "Third"),
            lambda: book.sheets.add("Third"),
            lambda: book.sheets["Second"].copy(name="Third"),
        ):
            with pytest.raises(BookError, match=r"^locked\.ods: its structure is protected.*Unprotect"):
                change()
        assert book.sheet_names == ["Sheet1", "Second"]


def test_a_format_changed_between_two_readings_counts(sheet):
    cells = sheet["A1:B2"]
    cells.value = [[1, 0], [1, 5]]
    assert cells.formula == (("1", "0"), ("1", "5"))
    sheet["A1:B1"].number_format = "BOOLEAN"
    assert cells.value == [[True, False], [1.0, 5.0]]
    assert cells.formula == (("TRUE", "FALSE"), ("1", "5"))
    assert cells.value == [[True, False], [1.0, 5.0]]
