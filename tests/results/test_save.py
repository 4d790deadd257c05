"""The copy with the sheet Risk: figures as reported, charts that open, every part that is not meant to change kept."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from addin.audit import audit
from addin.engines.office import application
from addin.results.page import STATE_ROW
from addin.results.report_text import flag_label
from addin.results.risk_sheet import main_results
from addin.results.saving import prepare, save
from addin.shell.main import main
from addin.simulation.montecarlo import simulate
from addin.simulation.report import Report
from addin.workbook.book import open_book
from addin.xlsx.elements import outline
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.parts import WORKBOOK
from tests.judges.names import faults
from tests.support import libreoffice, small_workbook
from tests.support.one_sheet import one_sheet

pytestmark = pytest.mark.slow

CHANGED = {"xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml"}
TRIALS = 4096
VALIDATION = (
    '<extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}" '
    'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:dataValidations count="1" '
    'xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:dataValidation type="list" allowBlank="1">'
    "<x14:formula1><xm:f>Lists!$A$5:$A$9</xm:f></x14:formula1><xm:sqref>H40</xm:sqref></x14:dataValidation>"
    "</x14:dataValidations></ext></extLst>"
)
TEXT_BOX = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col>
<xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>4</xdr:col>
<xdr:colOff>0</xdr:colOff><xdr:row>4</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:sp macro="" textlink="">
<xdr:nvSpPr><xdr:cNvPr id="2" name="TextBox 1"/><xdr:cNvSpPr txBox="1"/></xdr:nvSpPr><xdr:spPr>
<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr><xdr:txBody><a:bodyPr/><a:p><a:r><a:t>Ask Mia first</a:t>
</a:r></a:p></xdr:txBody></xdr:sp><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>"""


@pytest.fixture(scope="module")
def report(original: Path) -> Report:
    return simulate(open_book(original), TRIALS)


@pytest.fixture(scope="module")
def saved(original: Path, report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_copy(original, tmp_path_factory.mktemp("quote v2 ü") / "saved.xlsx", report)


@pytest.fixture(scope="module")
def written(saved: Path) -> Workbook:
    """Return that copy, read; no test changes it."""
    return load_workbook(saved)


def saved_copy(source: Path, target: Path, report: Report, *settings: str) -> Path:
    save(prepare(open_book(source), target), report, settings)
    return target


@pytest.fixture
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workbook of one input and one result, in a folder of its own: for what does not depend on its size."""
    folder = tmp_path_factory.mktemp("small")
    return small_workbook.save(folder / "b.xlsx", {"x": small_workbook.UNIFORM}, {"sum": "={x}"})


def kept(before: Path, after: Path) -> None:
    """Check that of the parts of the original only the four that list and dress sheets have changed."""
    old, new = read_parts(before), read_parts(after)
    assert {name for name in old if old[name] != new.get(name)} == CHANGED
    assert {name.rpartition("/")[0] for name in set(new) - set(old)} <= {
        *("xl/worksheets", "xl/worksheets/_rels", "xl/drawings", "xl/drawings/_rels", "xl/charts")
    }


def same(figures: object) -> object:
    """Compare to the 16 digits that openpyxl writes."""
    return pytest.approx(figures, rel=1e-15, abs=0)


def rows(ws: Worksheet, label: str) -> list[list[object]]:
    return [[cell.value for cell in row] for row in ws.iter_rows() if row[0].value == label]


def test_the_copy_changes_four_parts_and_keeps_every_other_byte(original: Path, saved: Path) -> None:
    kept(original, saved)


def test_cells_hold_the_figures_of_the_report_and_only_the_state_of_its_inputs_is_computed(
    saved: Path, written: Workbook, report: Report
) -> None:
    ws = written["Risk"]
    inputs = next(row for row in range(ws.max_row, 0, -1) if ws.cell(row, 1).value == "Input")
    computed = {(cell.row, cell.column) for row in ws.iter_rows() for cell in row if cell.data_type == "f"}
    assert computed == {(STATE_ROW, 1), *((row, 3) for row in range(inputs + 1, ws.max_row + 1))}
    shown = one_sheet(saved, "Risk", data_only=True).cell(STATE_ROW, 1).value
    assert str(shown).endswith("; current")
    for result in report.results:
        if result.chance is not None:  # of a yes or no, its probability alone
            assert [row[1:3] for row in rows(ws, flag_label(result.item))] == [
                [same(result.chance.value), same(result.chance.half_width)]
            ]
            continue
        row = next(row for row in rows(ws, result.item.label) if row[1] == result.item.unit)
        figures = [result.base, result.mean.value, *(p.interval.value for p in result.percentiles)]
        assert row[2:15] == same([*figures, result.sd.value, result.minimum, result.maximum])
    assert report.holds is not None
    assert rows(ws, "Design of 1 array suffices")[0][1] == same(report.holds.interval.value)
    assert report.main is not None
    for driver in report.main.drivers:
        row = rows(ws, driver.label)[0]
        figures = [driver.total.value, driver.first.value, driver.rank, driver.low, driver.high]
        assert [row[1], row[3], *row[5:8]] == same(figures)


def test_the_sheet_says_where_its_figures_come_from(written: Workbook, report: Report) -> None:
    ws = written["Risk"]
    for name, text in (*report.provenance, ("changed inputs", "none")):
        assert rows(ws, name)[0][1] == text
    assert [row[1] for row in rows(ws, "note")] == list(report.notes)


def test_a_partial_run_and_a_warning_stand_on_top(original: Path, report: Report, tmp_path: Path) -> None:
    cut = replace(report, spent=replace(report.spent, partial=True, asked=8192), warnings=("A check fails.",))
    ws = one_sheet(saved_copy(original, tmp_path / "out.xlsx", cut), "Risk")
    assert ws["A2"].value.startswith("PARTIAL RUN: The base design of 1 array suffices with probability")
    assert "interrupted before 8,192 trials" in ws["A3"].value
    assert "A check fails." in ws["A5"].value
    assert rows(ws, "warning")[0][1] == "A check fails."


def test_bins_and_curve_of_every_main_result_stand_in_cells(written: Workbook, report: Report) -> None:
    cells = {(cell.row, cell.column): cell.value for row in written["Risk"].iter_rows() for cell in row}
    shown = main_results(report)
    assert [result.item.key for result in shown] == [
        "ratio_largest", "capacity_required_gib", "login_iops", "cost_per_desktop"
    ]  # fmt: skip
    heads = sorted(place for place, value in cells.items() if value == "Bin")
    for (row, column), result in zip(heads, shown, strict=True):
        assert result.histogram is not None
        for at, (label, share) in enumerate(result.histogram.bars(), row + 1):
            assert cells[at, column] == label
            assert cells[at, column + 1] == same(share)
    for (row, column), result in zip(sorted(p for p, value in cells.items() if value == "x"), shown, strict=True):
        assert result.curve is not None
        curve = sorted(zip(result.curve.x.tolist(), (1 - result.curve.probability).tolist(), strict=True))
        points = []
        while cells.get((row + 1, column)) is not None:
            row += 1
            points.append((cells[row, column], cells[row, column + 1]))
        assert len(points) > 20
        assert all(any(point == same(pair) for pair in curve) for point in points)


def test_charts_are_native_bound_to_the_sheet_and_show_their_axes(original: Path, saved: Path) -> None:
    parts = read_parts(saved)
    assert faults(parts) == []
    charts = [parts[name].decode() for name in parts if "charts/chart" in name and name not in read_parts(original)]
    assert len(charts) == 2 + 2 * 4
    for chart in charts:
        assert set(re.findall(r"<delete val=\"(\d)\"", chart)) == {"0"}
        assert chart.count("<delete ") == 2
        assert not re.search(r'<smooth val="1"|<smooth ?/>', chart)
        assert all(area.replace("'", "").startswith("Risk!$") for area in re.findall(r"<f>([^<]*)</f>", chart))
    assert sum('<gapWidth val="5"' in chart for chart in charts) == 4
    assert sum("<scatterChart>" in chart and '<smooth val="0"' in chart for chart in charts) == 4
    assert sum('<overlap val="100"' in chart and '<tickLblPos val="low"' in chart for chart in charts) == 1


def test_saving_again_replaces_the_sheet_and_leaves_nothing_behind(saved: Path, report: Report) -> None:
    again = saved_copy(saved, saved.with_name("again.xlsx"), report)
    assert again.read_bytes() == saved.read_bytes()
    assert load_workbook(again).sheetnames.count("Risk") == 1
    smaller = saved_copy(saved, saved.with_name("less.xlsx"), simulate(open_book(saved), 256, outputs=["login_iops"]))
    assert len(one_sheet(smaller, "Risk")._charts) == 3  # tornado, histogram, curve
    assert len(read_parts(smaller)) == len(read_parts(saved)) - 7


def test_a_hidden_sheet_that_is_replaced_is_shown_again(small: Path, tmp_path: Path) -> None:
    report, again = simulate(open_book(small), 256, outputs=["sum"]), tmp_path / "again.xlsx"
    parts = read_parts(saved_copy(small, tmp_path / "first.xlsx", report))
    entry = re.search(rb'<sheet [^>]*name="Risk"[^>]*?(?=/?>)', parts[WORKBOOK])
    assert entry is not None
    hidden = entry[0].replace(b' state="visible"', b"") + b' state="veryHidden"'
    write_parts(again, {**parts, WORKBOOK: parts[WORKBOOK].replace(entry[0], hidden)})
    assert one_sheet(again, "Risk").sheet_state == "veryHidden"
    save(prepare(open_book(again), again), report)
    assert one_sheet(again, "Risk").sheet_state == "visible"


def test_the_same_seed_gives_the_same_bytes(original: Path, saved: Path) -> None:
    target = saved.with_name("same.xlsx")
    assert main(["simulate", str(original), "--trials", str(TRIALS), "--save", str(target), "--workers", "2"]) == 0
    assert target.read_bytes() == saved.read_bytes()


def test_a_copy_carrying_results_has_no_audit_findings(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(saved)]) == 0
    assert "all rules passed" in capsys.readouterr().out


def test_text_boxes_and_extended_validations_of_excel_stay_as_they_are(
    original: Path, report: Report, tmp_path: Path
) -> None:
    parts = read_parts(original)
    sheet, drawing = "xl/worksheets/sheet2.xml", "xl/drawings/drawing70.xml"
    root = outline(parts[sheet])
    at = root.stop
    parts[sheet] = (
        parts[sheet][:at]
        + b'<drawing xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId9"/>'
        + VALIDATION.encode()
        + parts[sheet][at:]
    )
    parts[drawing] = TEXT_BOX.encode()
    parts["xl/worksheets/_rels/sheet2.xml.rels"] = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" '
        b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing" '
        b'Target="../drawings/drawing70.xml"/></Relationships>'
    )
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(
        b"</Types>",
        b'<Override PartName="/xl/drawings/drawing70.xml" '
        b'ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/></Types>',
    )
    source = tmp_path / "excel.xlsx"
    write_parts(source, parts)
    target = saved_copy(source, tmp_path / "out.xlsx", report)
    kept(source, target)
    again = saved_copy(target, tmp_path / "again.xlsx", report)
    assert again.read_bytes() == target.read_bytes()
    assert read_parts(again)[drawing] == TEXT_BOX.encode()


def test_styles_of_the_workbook_keep_their_numbers(original: Path, saved: Path, written: Workbook) -> None:
    before, after = load_workbook(original), written
    for ws in before.worksheets:
        for row in ws.iter_rows():
            for cell in row:
                other = after[ws.title][cell.coordinate]
                assert (cell._style, cell.number_format) == (other._style, other.number_format)
    old, new = (outline(read_parts(path)["xl/styles.xml"]).child("cellXfs") for path in (original, saved))
    assert old is not None
    assert new is not None
    assert len(new.children) == int(new.attributes["count"]) > len(old.children)
    risk = after["Risk"]
    assert risk["A1"].font.b
    assert risk["A6"].fill.fgColor.rgb == "001F3A5F"
    assert risk["E7"].number_format == "#,##0"


def test_a_prefixed_namespace_is_followed(original: Path, report: Report, tmp_path: Path) -> None:
    parts = read_parts(original)
    for name in ("xl/workbook.xml", "xl/styles.xml"):
        text = parts[name].decode()
        text = re.sub(r"<(/?)(?=[a-zA-Z])", r"<\1x:", text).replace(" xmlns=", " xmlns:x=")
        parts[name] = text.encode()
    source = tmp_path / "prefixed.xlsx"
    write_parts(source, parts)
    target = saved_copy(source, tmp_path / "out.xlsx", report)
    assert one_sheet(target, "Risk")["A6"].font.b
    assert b"<x:sheet name=" in read_parts(target)["xl/workbook.xml"]


def test_libreoffice_opens_the_copy_and_a_copy_it_saved_takes_the_sheet(
    original: Path, saved: Path, written: Workbook, report: Report, tmp_path: Path
) -> None:
    libreoffice.soffice()
    own, bare = application.convert([saved, original], tmp_path / "office", application.XLSX)
    by_office = load_workbook(own)
    assert len(by_office["Risk"]._charts) == 10
    for ws in (by_office["Risk"], written["Risk"]):
        assert rows(ws, "Arrays needed, unrounded")[0][3] == pytest.approx(report.results[1].mean.value, rel=1e-14)
    first = saved_copy(bare, tmp_path / "first.xlsx", report)
    kept(bare, first)
    replaced = saved_copy(own, tmp_path / "replaced.xlsx", report)  # its own Risk goes
    findings = [str(finding) for finding in audit(load_workbook(bare))]
    for path in (first, replaced):
        book = load_workbook(path)
        assert book.sheetnames.count("Risk") == 1
        assert len(book["Risk"]._charts) == 10
        assert [str(finding) for finding in audit(book)] == findings
    application.convert([first, replaced], tmp_path / "pdf", application.PDF)


def refused(capsys: pytest.CaptureFixture[str], book: Path, target: Path) -> str:
    assert main(["simulate", str(book), "--trials", "256", "--save", str(target)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


def test_what_cannot_be_written_is_one_line_before_the_run(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = small.read_bytes()
    assert "there is no folder" in refused(capsys, small, tmp_path / "none" / "out.xlsx")
    assert "ends in .xlsx" in refused(capsys, small, tmp_path / "out.xlsm")
    (tmp_path / "folder.xlsx").mkdir()
    assert "is a folder" in refused(capsys, small, tmp_path / "folder.xlsx")
    for lock in (".~lock.open.xlsx#", "~$open.xlsx"):
        (tmp_path / lock).write_text("someone", encoding="utf-8")
        assert "is open in a spreadsheet" in refused(capsys, small, tmp_path / "open.xlsx")
        (tmp_path / lock).unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.xlsx"]
    assert small.read_bytes() == before


def test_a_file_that_cannot_be_replaced_keeps_its_bytes(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, target = simulate(open_book(small), 256, outputs=["sum"]), tmp_path / "out.xlsx"
    target.write_bytes(b"mine")

    def denied(*_: object) -> None:
        raise PermissionError("in use")

    monkeypatch.setattr("os.replace", denied)
    with pytest.raises(Exception, match="Close it in the spreadsheet"):
        saved_copy(small, target, report)
    assert [path.name for path in tmp_path.iterdir()] == ["out.xlsx"]
    assert target.read_bytes() == b"mine"


def test_the_workbook_itself_is_replaced_only_when_named(original: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.xlsx"
    book.write_bytes(original.read_bytes())
    assert main(["simulate", str(book), "--trials", "256", "--save", str(book)]) == 0
    kept(original, book)
    assert [path.name for path in tmp_path.iterdir()] == ["book.xlsx"]


def test_a_file_that_is_no_earlier_report_is_not_replaced(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    minutes, other, report = tmp_path / "minutes.xlsx", tmp_path / "other.xlsx", tmp_path / "report.xlsx"
    minutes.write_bytes(b"minutes of a meeting")
    other.write_bytes(small.read_bytes())
    for target in (minutes, other):
        before = target.read_bytes()
        assert "is there already, and has no sheet Risk of this program" in refused(capsys, small, target)
        assert target.read_bytes() == before
    for _ in range(2):  # the report of the run before is replaced
        assert main(["simulate", str(small), "--trials", "256", "--save", str(report)]) == 0


def test_a_sheet_of_that_name_that_is_not_ours_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = small_workbook.save(tmp_path / "b.xlsx", {"x": small_workbook.UNIFORM}, {"sum": "={x}"})
    book = load_workbook(path)
    book.create_sheet("RISK")["A1"] = "Register of risks"
    book.save(path)
    assert "'RISK' of b.xlsx was not made by this program" in refused(capsys, path, tmp_path / "out.xlsx")


def test_a_protected_structure_takes_no_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = small_workbook.save(tmp_path / "b.xlsx", {"x": small_workbook.UNIFORM}, {"sum": "={x}"})
    book = load_workbook(path)
    book.security.lockStructure = True
    book.save(path)
    assert "the structure of b.xlsx is protected, so it takes no sheet." in refused(capsys, path, tmp_path / "out.xlsx")
    assert [file.name for file in tmp_path.iterdir()] == ["b.xlsx"]


def test_hostile_labels_stay_text_and_errors_are_named(tmp_path: Path) -> None:
    path = small_workbook.save(
        tmp_path / "b.xlsx", {"x": small_workbook.UNIFORM}, {"sum": "=1/ROUND({x},0)", "fixed": "=2", "bad": "={x}/0"}
    )
    book = load_workbook(path)
    for row in book["Sizing"].iter_rows(min_col=1, max_col=1):
        if row[0].value == "Sum":
            row[0].value, row[0].data_type = "=HYPERLINK(1) <&> ü", "s"
    book.save(path)
    report = simulate(open_book(path), 256, outputs=["sum", "fixed", "bad"])
    target = saved_copy(path, tmp_path / "out.xlsx", report, "y=1")
    ws = one_sheet(target, "Risk")
    part = read_parts(target)["xl/worksheets/sheet4.xml"]
    assert b"<f>HYPERLINK" not in part
    assert b"<f>=HYPERLINK" not in part
    assert "<t>=HYPERLINK(1) &lt;&amp;&gt; ü</t>".encode() in part
    assert rows(ws, "changed inputs")[0][1] == "y=1"
    assert any("#DIV/0!" in str(row[1]) for row in rows(ws, "excluded trials"))
