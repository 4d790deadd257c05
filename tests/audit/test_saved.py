"""An audit tells what the application changed that saved a copy from what people changed in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.audit import audit_saved
from addin.diff import since_build
from addin.engines.office import application
from addin.workbook.book import load, open_book
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.workbook_part import sheet_parts
from model.provenance import provenance
from model.workbook import TABS
from tests.support import libreoffice
from tests.support.file_samples import TEMPLATE, as_excel, as_office
from tests.support.json_schema import faults
from tests.support.shell import Run, shell

pytestmark = pytest.mark.slow
PROPERTIES = "docProps/app.xml"
MADE_BY = (
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">{}</Properties>'
)
EXCEL = MADE_BY.format("<Application>Microsoft Excel</Application><AppVersion>16.0300</AppVersion>").encode()
OFFICE = MADE_BY.format("<Application>LibreOffice/24.8.1.2$Windows_x86 LibreOffice_project/1</Application>").encode()
BOOK = open_book(TEMPLATE)
VERSION = provenance().version
TYPED, ANSWER = BOOK.entry("vm_headroom_ratio").address, BOOK.results["arrays_required"].address
EDITED = f"={str(BOOK.cells.formula(ANSWER)).lstrip('=')}+1"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return shell(capsys)


def edited(folder: Path, cells: Mapping[str, object]) -> Path:
    """A copy of the workbook with cells typed over."""
    workbook = load_workbook(TEMPLATE)
    for a1, value in cells.items():
        sheet, _, cell = a1.rpartition("!")
        workbook[sheet.strip("'")][cell] = value
    path = folder / "copy.xlsx"
    workbook.save(path)
    return path


def saved_by_office(path: Path) -> Path:
    """The copy as Calc saves it."""
    libreoffice.soffice()
    (folder := path.parent / "saved").mkdir()
    return application.convert([path], folder, application.XLSX)[0]


@pytest.mark.office
def test_what_calc_leaves_out_is_no_finding(tmp_path: Path, run: Run) -> None:
    path = as_office(tmp_path)
    code, out, err = run("audit", path)
    assert (code, err) == (0, "")
    assert out.startswith(f"{path.name}: all rules passed.\n\nSaved by LibreOffice ")
    assert f"{len(TABS)} tab colours left out (R01)" in out
    assert f"Changed by hand since version {VERSION} was built: nothing." in out


@pytest.mark.office
def test_what_people_change_stands_apart_from_what_calc_does(tmp_path: Path, run: Run) -> None:
    path = saved_by_office(edited(tmp_path, {ANSWER.a1: EDITED, "Inputs!A6": "Seats", TYPED.a1: 0.3}))
    code, out, _ = run("audit", path)
    assert code == 1
    findings = [line for line in out.splitlines() if re.match(r"R\d\d |Size ", line)]
    assert findings
    others = [line for line in findings if ANSWER.a1 not in line and f"D{ANSWER.row}" not in line]
    assert others == []
    assert f"{len(TABS)} tab colours left out" in out
    assert f"Changed by hand since version {VERSION} was built: formulas 1, labels and notes 1, inputs 1." in out
    code, out, _ = run("audit", path, "--json")
    content = json.loads(out)
    schema = json.loads(
        (Path(since_build.__file__).parents[1] / "shell/schemas/audit.json").read_text(encoding="utf-8")
    )
    assert list(faults(content, schema)) == []
    assert content["by_hand"]["formulas"][0]["new"] == EDITED
    assert [each["new"] for each in content["by_hand"]["texts"]] == ["Seats"]
    assert content["by_hand"]["inputs"][0]["new"] == 0.3


def test_what_one_sheet_lost_is_a_finding_of_people(tmp_path: Path) -> None:
    """Calc leaves out the colours of all tabs, never of one, and merges headlines, never other cells."""
    workbook = load_workbook(TEMPLATE)
    workbook["Cost"].sheet_properties.tabColor = None
    workbook["Cost"].freeze_panes = None
    workbook["Cost"].merge_cells("A8:B8")
    path = tmp_path / "copy.xlsx"
    workbook.save(path)
    write_parts(path, {**read_parts(path), PROPERTIES: OFFICE})
    report = audit_saved(load(path), path)
    assert report.application == "LibreOffice 24.8"
    assert {(finding.rule, finding.where) for finding in report.findings} >= {
        ("R01", "Cost!A1"),
        ("R13", "Cost!A1"),
        ("R18", "Cost!A8:B8"),
    }
    assert report.rewritten == ()


def test_what_excel_writes_anew_is_no_finding(tmp_path: Path) -> None:
    """The order of computation, its own properties, stored results, formulas shared by the cells of a row."""
    path = as_excel(tmp_path)
    parts = read_parts(path)
    parts[PROPERTIES] = EXCEL
    part = sheet_parts(parts)[ANSWER.sheet]
    parts[part] = shared(re.sub(rb"<v>\d+\.\d+</v>", b"<v>1.5</v>", parts[part]), ANSWER.row)
    write_parts(path, parts)
    report = audit_saved(load(path), path)
    assert (report.application, report.findings, report.rewritten) == ("Microsoft Excel 16", (), ())
    found = since_build.changes_by_people(open_book(path))
    assert found is not None
    assert since_build.sections(found) == []


def shared(sheet: bytes, row: int) -> bytes:
    """Let the designs of a row share the formula of the base design, as Excel stores formulas that were filled."""
    cells = re.compile(rb'(<c r="([E-K])%d"[^>]*>)<f>[^<]*</f>' % row)
    base = re.compile(rb'(<c r="D%d"[^>]*>)<f>' % row)
    sheet, count = cells.subn(rb'\1<f t="shared" si="0"/>', sheet)
    assert count == 7
    sheet, count = base.subn(rb'\1<f t="shared" ref="D%d:K%d" si="0">' % (row, row), sheet)
    assert count == 1
    return sheet


def test_without_the_workbook_of_its_version_people_are_told_how_to_compare(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(since_build, "SHIPPED", tmp_path / "none.xlsx")
    assert since_build.NOT_COMPARED in run("audit", TEMPLATE)[1]
    assert json.loads(run("audit", TEMPLATE, "--json")[1])["by_hand"] is None
