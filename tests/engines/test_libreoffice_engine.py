"""The xlwings engine on LibreOffice: what Excel's engine hands out and takes, said by a real Calc."""

import datetime as dt
import html
import re
import shutil
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference

import build
from addin.engines import addresses
from addin.engines import libreoffice as engine
from addin.errors import BookError
from tests.engines import libreoffice

TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"
FUNCTIONS = Path(build.__file__).parent / "addin" / "kernel" / "functions.csv"


@pytest.fixture(scope="module")
def app():
    libreoffice.soffice()
    with engine.private_office() as app:
        yield app


@pytest.fixture
def book(app):
    with app.books.add() as book:
        yield book


@pytest.fixture
def sheet(book):
    return book.sheets[0]


@pytest.fixture
def sizing(app, tmp_path):
    path = Path(shutil.copy(TEMPLATE, tmp_path / "Müller = quote v2 (final).xlsx"))
    with app.books.open(path) as book:
        yield book


# --- values


def test_a_block_comes_back_as_it_went_in(sheet):
    rows = [[r * 10.0 + c + 0.123456789 for c in range(10)] for r in range(10_000)]
    sheet["B3"].value = rows
    assert sheet["B3:K10002"].value == rows
    assert sheet["B3"].expand().address == "$B$3:$K$10002"


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
        for row, found in zip(sheet.iter_rows(), cells.formula, strict=False):
            for cell, text in zip(row, found, strict=False):
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


def test_an_array_formula_is_read_without_braces(sheet):
    sheet["A1"].value = [1, 2, 3]
    sheet["A2"].formula_array = "=SUM(A1:C1*A1:C1)"
    assert (sheet["A2"].value, sheet["A2"].formula, sheet["A2"].formula_array) == (14.0, *["=SUM(A1:C1*A1:C1)"] * 2)
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
        lambda cells: cells.clear_contents(),
        lambda cells: cells.clear(),
        lambda cells: setattr(cells, "color", (1, 2, 3)),
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
            lambda: book.sheets["Second"].move(before=book.sheets[0]),
        ):
            with pytest.raises(BookError, match=r"^locked\.ods: its structure is protected.*Unprotect"):
                change()
        assert book.sheet_names == ["Sheet1", "Second"]


# --- sheets, names, charts


def charted(path: Path, title: str) -> Path:
    """A workbook with one sheet that has a chart of its own cells."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = title
    for row in (("Array", "Boot min"), ("PS6010XVS", 30), ("AFF8040", 12)):
        sheet.append(row)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=3))
    sheet.add_chart(chart, "D2")
    made.save(path)
    return path


@pytest.mark.parametrize("title", ["Risk", "Results 2026"])
def test_a_copied_sheet_takes_its_charts_along_and_they_show_its_own_cells(app, tmp_path, title):
    drawn = charted(tmp_path / "drawn.xlsx", title)
    target = charted(tmp_path / "target.xlsx", title)  # a namesake: the copy gets another name
    with app.books.open(drawn) as source, app.books.open(target) as book:
        copy = source.sheets[title].copy(after=book.sheets[-1])
        again = source.sheets[title].copy(before=book.sheets[0], name="Of Müller")
        assert book.sheet_names == ["Of Müller", title, f"{title} (2)"]
        assert (copy.name, again.name) == (f"{title} (2)", "Of Müller")
        assert len(copy.charts) == len(again.charts) == len(book.sheets[title].charts) == 1
        book.sheets[title].delete()
        book.save()
    with zipfile.ZipFile(target) as package:
        parts = [package.read(name).decode() for name in package.namelist() if re.match(r"xl/charts/chart\d", name)]
    shown = sorted({sheet for part in parts for sheet in re.findall(r"<c:f>(.+?)!", html.unescape(part))})
    assert shown == sorted(["'Of Müller'", f"'{title} (2)'"])


def test_charts_are_counted_named_moved_and_deleted(app, tmp_path):
    with app.books.open(charted(tmp_path / "drawn.xlsx", "Risk")) as book:
        charts = book.sheets["Risk"].charts
        chart = charts[0]
        chart.name, chart.left, chart.width = "Boot", 30, 200
        assert [one.name for one in charts] == ["Boot"]
        assert (charts["boot"].left, charts["Boot"].width) == (pytest.approx(30, abs=0.1), pytest.approx(200, abs=0.1))
        assert chart.parent == book.sheets["Risk"]
        charts["Boot"].delete()
        assert len(charts) == 0


def test_sheets_are_added_renamed_moved_hidden_and_deleted(book):
    first = book.sheets[0]
    second = book.sheets.add("Zwei", after=first)
    assert book.sheets.active == second
    third = book.sheets.add(before=second)
    assert book.sheet_names == ["Sheet1", third.name, "Zwei"]
    cell = second["A1"]
    book.sheets["Zwei"].name = "Two"
    cell.value = 5
    assert (second.name, book.sheets["two"]["A1"].value, second.index) == ("Two", 5.0, 3)
    second.move(before=first)
    assert book.sheet_names == ["Two", "Sheet1", third.name]
    third.visible = False
    assert (third.visible, second.visible) == (False, True)
    third.delete()
    assert "Two" in [sheet.name for sheet in book.sheets]
    assert third.name not in book.sheets
    with pytest.raises(BookError, match=rf"there is no sheet '{third.name}' any more"):
        third["A1"].value = 1
    with pytest.raises(KeyError):
        book.sheets["No such sheet"]


def test_names_of_workbook_and_sheet_are_told_apart(book):
    sheet = book.sheets.add("My data")
    book.names.add("In_desktops", "='My data'!$B$2")
    book.names.add("Tbl_arrays", "='My data'!$A$4:$C$9")
    book.names.add("Rate", "=0.05*2")
    sheet.names.add("Local", "='My data'!$A$1")
    assert sorted(name.name for name in book.names) == ["'My data'!Local", "In_desktops", "Rate", "Tbl_arrays"]
    assert [name.name for name in sheet.names] == ["'My data'!Local"]
    assert book.names["in_desktops"].refers_to == "='My data'!$B$2"
    assert book.names["Tbl_arrays"].refers_to_range == sheet["A4:C9"]
    assert sheet["Local"] == sheet["A1"]
    assert book.names["Rate"].refers_to == "=0.05*2"
    with pytest.raises(BookError, match=r"the name Rate refers to =0\.05\*2, not to cells"):
        book.names["Rate"].refers_to_range  # noqa: B018
    book.names["Rate"].name = "Tax"
    book.names["Tax"].delete()
    assert "Tax" not in [name.name for name in book.names]
    assert (book.names.contains("Rate"), book.names.contains("In_desktops")) == (False, True)
    with pytest.raises(KeyError):
        book.names["Rate"]


def test_selection_and_active_sheet_are_set_and_read(book):
    other = book.sheets.add("Other", after=book.sheets[0])
    other["B2:C3"].select()
    assert book.selection == other["B2:C3"]
    book.sheets[0].activate()
    assert book.sheets.active == book.sheets[0]
    assert book.app.books.active == book


def test_looks_are_set_and_read(sheet):
    cell = sheet["B2"]
    cell.color, cell.wrap_text, cell.column_width, cell.row_height = "#FFCC00", True, 20, 30
    cell.font.bold, cell.font.italic, cell.font.size, cell.font.color = True, True, 14, (255, 0, 0)
    assert (cell.color, cell.wrap_text) == ((255, 204, 0), True)
    assert (cell.column_width, cell.row_height) == (pytest.approx(20, abs=0.1), pytest.approx(30, abs=0.1))
    font = cell.font
    assert (font.bold, font.italic, font.size, font.color) == (True, True, 14, (255, 0, 0))
    cell.clear_formats()
    assert cell.color is None
    assert (cell.left, cell.top) == (
        pytest.approx(sheet["A1"].width, abs=0.1),
        pytest.approx(sheet["A1"].height, abs=0.1),
    )


def test_clearing_leaves_what_it_should(sheet):
    sheet["A1"].value = [[1, 2], [3, "=A1"]]
    sheet["A1:B2"].color = (9, 9, 9)
    sheet["A1:A2"].clear_contents()
    assert sheet["A1:B2"].value == [[None, 2.0], [None, 0.0]]
    assert sheet["A1"].color == (9, 9, 9)
    sheet.clear()
    assert sheet["A1:B2"].value == [[None, None], [None, None]]
    assert sheet["B2"].color is None


@pytest.mark.parametrize(
    ("start", "direction", "address"),
    [
        ("B2", "down", "$B$4"),
        ("B2", "right", "$C$2"),
        ("B4", "down", "$B$7"),
        ("B7", "down", "$B$1048576"),
        ("B7", "up", "$B$4"),
        ("C2", "left", "$B$2"),
        ("B2", "left", "$A$2"),
        ("H9", "up", "$H$1"),
        ("A3", "right", "$B$3"),
    ],
)
def test_end_goes_where_ctrl_and_an_arrow_go(sheet, start, direction, address):
    sheet["B2"].value = [[1, 2], [3, None], [4, None], [None, None], [None, None], [5, None]]
    assert sheet[start].end(direction).address == address


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("B2", (1, 1, 1, 1)),
        ("$c$3:a1", (0, 0, 2, 2)),
        ("A:B", (0, 0, 1048575, 1)),
        ("3:4", (2, 0, 3, 16383)),
        ("XFD1048576", (1048575, 16383, 1048575, 16383)),
        ("XFE1", None),
        ("A0", None),
        ("A", None),
        ("A1:B", None),
        ("In_desktops", None),
        ("", None),
    ],
)
def test_addresses_are_read_as_excel_reads_them(text, area):
    assert addresses.area_of(text) == area


def test_a_range_that_is_neither_address_nor_name_is_said(sheet):
    with pytest.raises(BookError, match=r"'In_desktopz' is neither a range nor a name"):
        sheet["In_desktopz"].value = 1


# --- files


def test_a_workbook_saved_elsewhere_is_known_by_its_new_name(app, tmp_path):
    with app.books.add() as book:
        book.sheets[0]["A1"].value = "Acme"
        book.save(tmp_path / "Acme = quote v2 (final).xlsx")
        assert book.fullname == str(tmp_path / "Acme = quote v2 (final).xlsx")
        assert app.books["acme = quote v2 (final).xlsx"] == book
        book.to_pdf(tmp_path / "quote.pdf")
        with pytest.raises(BookError, match=r"cannot be saved as 'doc'; expected one of xlsx"):
            book.save(tmp_path / "quote.doc")
    assert openpyxl.load_workbook(tmp_path / "Acme = quote v2 (final).xlsx").active["A1"].value == "Acme"
    assert (tmp_path / "quote.pdf").read_bytes().startswith(b"%PDF")


def test_what_is_no_workbook_is_refused_by_name(app, tmp_path):
    (tmp_path / "torn.xlsx").write_bytes(TEMPLATE.read_bytes()[:5000])
    with pytest.raises(BookError, match=r"^torn\.xlsx: LibreOffice does not open it"):
        app.books.open(tmp_path / "torn.xlsx")
    assert "torn.xlsx" not in app.books


def test_a_workbook_that_was_closed_is_said(app):
    book = app.books.add()
    sheet = book.sheets[0]
    book.close()
    with pytest.raises(BookError, match=r"^the workbook: the workbook was closed\. Open it again\.$"):
        sheet["A1"].value = 1
