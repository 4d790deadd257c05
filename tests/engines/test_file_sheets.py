"""Sheets of saved files through xlwings: copied in, moved, renamed, deleted; saving; the application around them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table

from addin.engines import file
from addin.engines.file.package import Package
from addin.errors import AddinError
from addin.xlsx.package import read_parts, write_parts
from tests.support import file_samples
from tests.support.file_samples import LISTS, TEMPLATE, changed, drawn, saved, small

# --- sheets


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Data Validation extension")  # openpyxl's reader warns
@pytest.mark.parametrize("source", file_samples.SOURCES)
def test_a_result_sheet_is_copied_in_with_its_charts_and_every_other_part_keeps_its_bytes(
    source: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = source(tmp_path)
    book, result = file.open_file(path), file.open_file(drawn(tmp_path / "results.xlsx"))
    copied = result.sheets["Result"].copy(after=book.sheets["Summary"], name="Bob's & result")
    copied["B2"].value = [[10], [20.5], [None]]
    target = saved(book)
    assert changed(path, target) == LISTS
    original, written = openpyxl.load_workbook(path), openpyxl.load_workbook(target)
    sheet = written["Bob's & result"]
    assert written.sheetnames.index(sheet.title) == written.sheetnames.index("Summary") + 1
    assert [sheet["B2"].value, sheet["B3"].value, sheet["B4"].value] == [10, 20.5, None]
    assert (sheet["B4"].number_format, sheet["A1"].font.b, sheet["A1"].font.color.rgb) == (
        '0.000" kg"',
        True,
        "FF112233",
    )
    assert sheet["A1"].hyperlink.target == "https://example.org/?a=1&b=2"
    assert sheet.print_title_rows == "$1:$1"
    assert written["Capacity"].print_title_rows == original["Capacity"].print_title_rows
    (rules,) = [rule for area in sheet.conditional_formatting for rule in area.rules]
    assert rules.dxf.fill.bgColor.rgb == "FFFF0000"
    assert [ws.title for ws in written.worksheets if ws.sheet_view.tabSelected] == [
        ws.title for ws in original.worksheets if ws.sheet_view.tabSelected
    ]
    (chart,) = sheet._charts
    assert chart.series[0].val.numRef.f == "'Bob''s & result'!$B$2:$B$6"
    copied.delete()
    assert read_parts(saved(book, "gone.xlsx")).keys() == read_parts(path).keys()


def test_a_sheet_copied_within_the_book_and_one_with_shared_texts(foreign: Path, tmp_path: Path) -> None:
    book = file.open_file(drawn(tmp_path / "results.xlsx"))
    other = file.open_file(foreign).sheets[0].copy(before=book.sheets[0], name="Foreign")
    copy = book.sheets["Result"].copy()
    assert [sheet.name for sheet in book.sheets] == ["Foreign", "Result", "Result (2)"]
    assert book.sheets["Result"].copy().name == "Result (3)"
    assert other["A1:D1"].value == [" plain & simple ", "rich text", "ab\nc", True]
    assert other["C9"].number_format == "yyyy-mm-dd"
    written = openpyxl.load_workbook(saved(book))
    assert written[copy.name]._charts[0].series[0].val.numRef.f == "'Result (2)'!$B$2:$B$6"
    assert written["Foreign"]["B1"].value == "rich text"


def test_a_sheet_with_a_table_is_not_copied(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.active.append(["a", "b"])
        book.active.append([1, 2])
        book.active.add_table(Table(displayName="Tbl", ref="A1:B2"))

    book = small(tmp_path / "b.xlsx", fill)
    with pytest.raises(AddinError, match="'Sheet' holds a table"):
        book.sheets[0].copy()
    assert [sheet.name for sheet in book.sheets] == ["Sheet"]


@pytest.mark.slow
def test_names_and_the_sheet_on_top_follow_when_sheets_move_and_go(template: Path) -> None:
    book = file.open_file(template)
    original = openpyxl.load_workbook(template)
    titles = {ws.title: ws.print_title_rows for ws in original.worksheets if ws.print_title_rows}
    top = book.sheets.active.name
    assert top == original.sheetnames[0] == "Answer"
    assert len(titles) > 3
    book.sheets.add("Front", before=book.sheets[0])["A1"].value = 1
    book.impl.put("Checks", "Arrays", behind=False)
    book.sheets["Lists"].name = "Unit's list"
    book.sheets["Inputs"].activate()
    written = openpyxl.load_workbook(saved(book))
    order = [{"Lists": "Unit's list"}.get(title, title) for title in original.sheetnames if title != "Checks"]
    order.insert(order.index("Arrays"), "Checks")
    assert written.sheetnames == ["Front", *order]
    assert written.sheetnames[written.worksheets.index(written.active)] == top  # as saved by its user, not as walked
    assert {ws.title: ws.print_title_rows for ws in written.worksheets if ws.print_title_rows} == {
        {"Lists": "Unit's list"}.get(title, title): rows for title, rows in titles.items()
    }
    book.sheets["Front"].delete()
    again = openpyxl.load_workbook(target := saved(book))
    assert again.sheetnames[again.worksheets.index(again.active)] == top
    values = file.open_file(target).names["Out_arrays_required"].refers_to_range.value
    assert values == book.names["Out_arrays_required"].refers_to_range.value
    assert not re.search(rb"<(f|definedName[^>]*)>[^<]*\bLists!", b"".join(read_parts(target).values()))


@pytest.mark.slow
def test_names_are_added_changed_and_deleted(template: Path) -> None:
    book = file.open_file(template)
    count = len(book.names)
    book.names.add("My_units", "=Lists!$A$5:$A$9")
    book.names["My_units"].refers_to = "=Lists!$A$5:$A$8"
    assert book.names["My_units"].refers_to_range.address == "$A$5:$A$8"
    book.names["In_desktops"].refers_to = "=Inputs!$E$6"
    target = saved(book)
    assert changed(template, target) <= {"xl/workbook.xml"} | {
        name for name in read_parts(template) if name.startswith("xl/worksheets/sheet")
    }
    again = file.open_file(target)
    assert (again.names["In_desktops"].refers_to, len(again.names)) == ("=Inputs!$E$6", count + 1)
    del again.names["My_units"]
    assert "My_units" not in file.open_file(saved(again)).names
    with pytest.raises(AddinError, match=r"the name My_share stands for 0\.5, not for cells"):
        _ = again.names.add("My_share", "=0.5").refers_to_range


def test_a_renamed_sheet_has_only_those_read_again_that_refer_to_it(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.active.title = "First"
        book.create_sheet("Second")["A1"] = 5
        book.create_sheet("Third")["A1"] = "=First!A2"

    book = small(tmp_path / "b.xlsx", fill)
    package = book.impl.package
    before = {title: package.sheet(title) for title in ("Second", "Third")}
    book.sheets["First"].name = "Renamed"
    assert [package.sheet(title) is cells for title, cells in before.items()] == [True, False]
    assert book.sheets["Third"]["A1"].formula == "=Renamed!A2"


@pytest.mark.parametrize(("title", "named"), [("Risk", "RISK"), ("R & D", "'R & D'"), ("Größe", "Größe")])
def test_a_formula_that_names_an_added_sheet_follows_what_is_written_there(
    title: str, named: str, tmp_path: Path
) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.active["A1"] = f"={named}!A1*2"
        book.create_sheet("Other")["A1"] = "=3*4"
        book.create_sheet(title)["A1"] = 1

    small(tmp_path / "b.xlsx", fill)
    package = Package(read_parts(tmp_path / "b.xlsx"), "b.xlsx")
    package.take(title)
    package.write(title, {(1, 1): (5.0, None, None)})
    write_parts(tmp_path / "c.xlsx", package.flushed())
    results = openpyxl.load_workbook(tmp_path / "c.xlsx", data_only=True)
    assert [results[sheet]["A1"].value for sheet in (results.sheetnames[0], "Other", title)] == [10, 12, 5]


def test_a_protected_structure_refuses_and_the_last_sheet_stays(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.create_sheet("Second")
        book.security.lockStructure = True

    book = small(tmp_path / "b.xlsx", fill)
    for act in (
        book.sheets.add,
        book.sheets[0].delete,
        book.sheets[0].copy,
        lambda: book.impl.put("Sheet", "Second", behind=True),
    ):
        with pytest.raises(AddinError, match="the structure of the workbook is protected"):
            act()
    alone = small(tmp_path / "c.xlsx", lambda book: None)
    with pytest.raises(AddinError, match=r"the only sheet of c\.xlsx"):
        alone.sheets[0].delete()


# --- saving and the application


@pytest.mark.slow
def test_saving_refuses_in_one_line_and_leaves_the_file(template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = file.open_file(template)
    before = template.read_bytes()
    folder = template.parent

    def refusal(name: str, **more: str) -> str:
        with pytest.raises(AddinError) as caught:
            book.save(folder / name, **more)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "ends in .xlsx" in refusal("out.xlsm")
    assert "there is no folder" in refusal("none/out.xlsx")
    assert "password" in refusal("out.xlsx", password="secret")
    for lock in (".~lock.open.xlsx#", "~$open.xlsx"):
        (folder / lock).write_text("someone", encoding="utf-8")
        assert "is open in a spreadsheet" in refusal("open.xlsx")
        (folder / lock).unlink()

    def denied(*_: object) -> None:
        raise PermissionError("in use")

    monkeypatch.setattr("os.replace", denied)
    book.names["In_desktops"].refers_to_range.value = 4400
    assert "Close it in the spreadsheet" in refusal(template.name)
    assert [path.name for path in folder.iterdir()] == [template.name]
    assert template.read_bytes() == before
    assert book.fullname == str(template)


@pytest.mark.slow
def test_the_original_is_replaced_only_when_asked(template: Path) -> None:
    book = file.open_file(template)
    before = template.read_bytes()
    book.names["In_desktops"].refers_to_range.value = 4400
    target = saved(book)
    assert template.read_bytes() == before
    assert (book.name, book.fullname) == ("out.xlsx", str(target))
    first = target.read_bytes()
    book.save()
    assert target.read_bytes() == first


def test_what_is_no_workbook_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        file.open_file(tmp_path / "none.xlsx")
    (tmp_path / "text.xlsx").write_text("not a zip", encoding="utf-8")
    with pytest.raises(AddinError, match=r"not an \.xlsx workbook"):
        file.open_file(tmp_path / "text.xlsx")
    write_parts(tmp_path / "other.xlsx", {"[Content_Types].xml": b"<Types/>"})
    with pytest.raises(AddinError, match=r"has no part xl/workbook\.xml"):
        file.open_file(tmp_path / "other.xlsx")
    with zipfile.ZipFile(tmp_path / "cut.xlsx", "w") as cut:  # our own writer refuses such a part
        for name, part in {**read_parts(TEMPLATE), "xl/workbook.xml": b"<workbook"}.items():
            cut.writestr(name, part)
    with pytest.raises(AddinError, match=r"cut\.xlsx: xl/workbook\.xml cannot be read"):
        file.open_file(tmp_path / "cut.xlsx")


def test_dates_from_1904_are_refused(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.epoch = CALENDAR_MAC_1904

    with pytest.raises(AddinError, match=r"old\.xlsx: the workbook counts dates from 1904"):
        small(tmp_path / "old.xlsx", fill)


def test_messages_are_printed_and_questions_are_not_answered(
    template: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = file.open_file(template).app
    assert app.alert("All arrays fit.", title="VDI Sizing") == "ok"
    assert capsys.readouterr().err == "VDI Sizing: All arrays fit.\n"
    with pytest.raises(AddinError, match="Go on"):
        app.alert("Go on?", buttons="yes_no")
    with pytest.raises(AddinError, match="automatic, manual"):
        app.calculation = "sometimes"


def test_books_of_one_application_are_told_apart_by_name(template: Path, tmp_path: Path) -> None:
    first = file.open_file(template)
    other = first.app.books.open(drawn(tmp_path / "results.xlsx"))
    assert [book.name for book in first.app.books] == ["results.xlsx", template.name]
    assert first.app.books.open(template) == first
    first.activate()
    assert first.app.books.active.name == template.name
    other.close()
    assert [book.name for book in first.app.books] == [template.name]
    second = file.open_file(template)
    assert second.app != first.app
    first.app.quit()
    assert [app.pid for app in file.register().apps].count(second.app.pid) == 1
