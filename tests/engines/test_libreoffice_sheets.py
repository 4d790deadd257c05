"""Sheets, names, charts and files of the xlwings engine on LibreOffice."""

import html
import operator
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference

import build
from addin.engines import addresses
from addin.errors import BookError
from addin.results import risk_sheet
from addin.simulation.montecarlo import simulate
from addin.workbook.book import open_book
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.parts import targets
from addin.xlsx.workbook_part import sheet_parts

pytestmark = pytest.mark.office

TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"
FUNCTIONS = Path(build.__file__).parent / "addin" / "kernel" / "scalar" / "functions.csv"

PAGE = ("page_setup.orientation", "page_setup.fitToHeight", "sheet_view.showGridLines", "freeze_panes")


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
        book.save()
        assert charts(target) == {"Of Müller": 1, title: 1, f"{title} (2)": 1}
        book.sheets[title].delete()
        book.save()
    with zipfile.ZipFile(target) as package:
        parts = [package.read(name).decode() for name in package.namelist() if re.match(r"xl/charts/chart\d", name)]
    shown = sorted({sheet for part in parts for sheet in re.findall(r"<c:f>(.+?)!", html.unescape(part))})
    assert shown == sorted(["'Of Müller'", f"'{title} (2)'"])


@pytest.mark.slow
def test_a_copied_result_sheet_looks_as_drawn_and_leaves_the_workbook_as_it_was(app, sizing, drawn, tmp_path):
    saved = tmp_path / "out.xlsx"
    before = looks(openpyxl.load_workbook(sizing.fullname))
    active = sizing.sheets.active.name
    with app.properties(screen_updating=False), app.books.open(drawn) as source:
        source.sheets["Risk"].copy(after=sizing.sheets["Summary"])
    assert sizing.sheets.active.name == active
    sizing.save(saved)
    original, copied = openpyxl.load_workbook(drawn)["Risk"], openpyxl.load_workbook(saved)
    sheet = copied["Risk"]
    assert len(sheet._charts) == len(original._charts) > 5
    assert looks({"Risk": sheet}.values()) == looks({"Risk": original}.values())
    for setting in PAGE:
        assert operator.attrgetter(setting)(sheet) == operator.attrgetter(setting)(original), setting
    copied.remove(sheet)
    assert looks(copied) == before


@pytest.mark.slow
def test_a_sheet_replaced_again_and_again_looks_as_drawn_and_does_not_end_the_office(app, sizing, drawn, tmp_path):
    saved = tmp_path / "out.xlsx"
    names = [*sizing.sheet_names, "Risk"]
    own, risk = charts(TEMPLATE), charts(drawn)["Risk"]
    assert risk > 5
    with app.properties(screen_updating=False):
        for turn in range(8):  # an import that met the painting ended the office within ten turns
            beside = sizing.sheets["Summary"] if turn % 2 else sizing.sheets[-1]
            old = sizing.sheets["Risk"] if "Risk" in sizing.sheet_names else None
            if old is not None:
                old.name = "Risk before 1"
            with app.books.open(drawn) as source:
                source.sheets["Risk"].copy(after=beside)
            if old is not None:
                old.delete()
            assert sorted(sizing.sheet_names) == sorted(names)
            if turn % 4 == 1:
                sizing.sheets["Risk"].activate()
            sizing.save()
            assert charts(sizing.fullname) == own | {"Risk": risk}
    sizing.save(saved)
    original, copied = openpyxl.load_workbook(drawn)["Risk"], openpyxl.load_workbook(saved)["Risk"]
    for setting in PAGE:
        assert operator.attrgetter(setting)(copied) == operator.attrgetter(setting)(original), setting


@pytest.fixture(scope="module")
def drawn(tmp_path_factory) -> Path:
    """The sheet Risk with its charts in a workbook of its own, as a button has it drawn.

    No formula of it reads another sheet: copied, it would read the file, and Calc opens that anew for as long as it
    takes to compute it. On a busy machine that never ended.
    """
    path = tmp_path_factory.mktemp("drawn") / "risk.xlsx"
    write_parts(path, risk_sheet.draw(simulate(open_book(TEMPLATE), trials=1024)).package())
    return path


def charts(path) -> dict[str, int]:
    """How many charts each sheet of a file has; those without one are left out.

    Counted in the parts that a sheet refers to: to read the whole workbook for it takes as long as to save it.
    """
    parts, found = read_parts(Path(path)), {}
    for title, part in sheet_parts(parts).items():
        drawings = [to for to in targets(parts, part).values() if to.startswith("xl/drawings/drawing")]
        charts = [to for each in drawings for to in targets(parts, each).values() if to.startswith("xl/charts/")]
        assert all(to in parts for to in charts)
        found[title] = len(charts)
    return {title: count for title, count in found.items() if count}


def looks(sheets) -> dict[tuple[str, str], str]:
    """The number format of every cell with a number."""
    return {
        (sheet.title, cell.coordinate): re.sub(r'[\\"]', "", cell.number_format)  # LibreOffice quotes as it likes
        for sheet in sheets
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, int | float) or cell.data_type == "f"
    }


def test_sheets_are_added_renamed_and_deleted(book):
    first = book.sheets[0]
    second = book.sheets.add("Zwei", after=first)
    assert book.sheets.active == second
    third = book.sheets.add(before=second)
    assert book.sheet_names == ["Sheet1", third.name, "Zwei"]
    cell = second["A1"]
    book.sheets["Zwei"].name = "Two"
    cell.value = 5
    assert (second.name, book.sheets["two"]["A1"].value, second.index) == ("Two", 5.0, 3)
    assert book.sheet_names == ["Sheet1", third.name, "Two"]
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
    with pytest.raises(BookError, match=r"the name Rate stands for 0\.05\*2, not for cells"):
        book.names["Rate"].refers_to_range  # noqa: B018
    book.names["Rate"].delete()
    assert "Rate" not in [name.name for name in book.names]
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


def test_a_range_that_is_neither_address_nor_name_is_reported(sheet):
    with pytest.raises(BookError, match=r"'In_desktopz' is neither a range nor a name"):
        sheet["In_desktopz"].value = 1


# --- files


def test_a_workbook_saved_elsewhere_is_known_by_its_new_name(app, tmp_path):
    with app.books.add() as book:
        book.sheets[0]["A1"].value = "Acme"
        book.save(tmp_path / "Acme = quote v2 (final).xlsx")
        assert book.fullname == str(tmp_path / "Acme = quote v2 (final).xlsx")
        assert app.books["acme = quote v2 (final).xlsx"] == book
        with pytest.raises(BookError, match=r"cannot be saved as 'doc'; expected one of xlsx"):
            book.save(tmp_path / "quote.doc")
    assert openpyxl.load_workbook(tmp_path / "Acme = quote v2 (final).xlsx").active["A1"].value == "Acme"


def test_what_is_no_workbook_is_refused_by_name(app, tmp_path):
    (tmp_path / "torn.xlsx").write_bytes(TEMPLATE.read_bytes()[:5000])
    with pytest.raises(BookError, match=r"^torn\.xlsx: LibreOffice does not open it"):
        app.books.open(tmp_path / "torn.xlsx")
    assert "torn.xlsx" not in app.books


def test_a_workbook_that_was_closed_is_reported(app):
    book = app.books.add()
    sheet = book.sheets[0]
    book.close()
    with pytest.raises(BookError, match=r"^the workbook: the workbook was closed\. Open it again\.$"):
        sheet["A1"].value = 1
