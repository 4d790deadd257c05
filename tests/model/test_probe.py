"""The probe says whether a spreadsheet computes what this project does: the kernel does, others almost."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import openpyxl
import pytest

import build
from addin.engines.office import application
from addin.kernel import Address, Cells, Evaluator, ExcelError, Scalar
from addin.xlsx.package import read_parts
from model.errors import DataError
from model.probe import sheet
from tests.support import gnumeric, libreoffice
from tests.support.shipped import built

PROBE = Path(build.__file__).parent / "templates" / build.PROBE
CASES = sheet.cases()
CALLED = re.compile(r"([A-Z][A-Z0-9.]*)\(")
# What LibreOffice 7.4 and Gnumeric 1.12 compute otherwise; no formula of the sizing workbook rests on it.
LIBREOFFICE = {
    "=AVERAGE(M5:M8)": "TRUE of a file is a number",
    "=COUNT(M5:M8)": "TRUE of a file is a number",
    "=SUM(M5:M8)": "TRUE of a file is a number",
    "=COUNTIF(L5:L9,7)": "a number stored as text does not count",
    "=INDEX(J5:J9,9)": "an error of its own, Err:502",
    "=SQRT(-16)": "an error of its own, Err:502",
    '=SUM("5",15,TRUE)': "a text is no argument",
    "=0^0": "1",
    "=(0.5-0.4-0.1)=0": "within brackets too",
    "=1=TRUE": "TRUE is 1",
    '=TRUE>"z"': "TRUE is 1",
}

GNUMERIC = {
    "=SUM(INDEX(J5:K9,0,1))": "no whole column",
    '=SUM("5",15,TRUE)': "texts and truth values are no arguments",
    "=2^3^2": "from right to left",
    "=0.5-0.4-0.1": "nothing is dropped",
}


def shown(path: Path) -> tuple[str, dict[str, object]]:
    """Return the line on top, and the results that are not as expected by their formulas."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Gnumeric writes no default style
        ws = openpyxl.load_workbook(path, data_only=True)[sheet.NAME]
    rows = range(sheet.FIRST_ROW, sheet.FIRST_ROW + len(CASES))
    return str(ws["A1"].value), {
        ws.cell(row, 2).value: ws.cell(row, 3).value for row in rows if ws.cell(row, 6).value != 1
    }


def test_the_kernel_meets_every_case() -> None:
    evaluator = Evaluator(Cells.from_openpyxl(openpyxl.load_workbook(PROBE)))
    for row, case in enumerate(CASES, sheet.FIRST_ROW):
        value: Scalar = evaluator.value(Address(sheet.NAME, row, 3))
        expected = ExcelError(case.expected) if case.kind == "error" else case.value
        assert (type(value), value) == (type(expected), expected), case


def test_every_function_of_the_workbook_has_a_case() -> None:
    cells = (cell.value for ws in built().workbook.worksheets for row in ws.iter_rows() for cell in row)
    used = {name for text in cells if isinstance(text, str) and text.startswith("=") for name in CALLED.findall(text)}
    assert len(used) > 40
    assert used - {name for case in CASES for name in CALLED.findall(case.formula)} == set()


def test_nothing_is_stored_so_that_each_result_is_of_the_program_that_opens_it() -> None:
    parts = read_parts(PROBE)
    assert not [name for name in parts if "vba" in name.casefold() or "externalLink" in name]
    formulas = re.findall(rb"<f>[^<]*</f><v ?/?>([^<]*)", parts["xl/worksheets/sheet1.xml"])
    assert len(formulas) > 2 * len(CASES)
    assert set(formulas) == {b""}


@pytest.mark.office
@pytest.mark.slow
def test_libreoffice_differs_where_it_is_known_to(tmp_path: Path) -> None:
    libreoffice.soffice()
    line, others = shown(application.convert([PROBE], tmp_path, application.XLSX)[0])
    assert set(others) == set(LIBREOFFICE)
    assert line.startswith(f"{len(CASES) - len(LIBREOFFICE)} of {len(CASES)} as expected. First: row 7, AVERAGE")


@pytest.mark.office
def test_gnumeric_differs_where_it_is_known_to(tmp_path: Path) -> None:
    (copy,) = gnumeric.converted([PROBE], tmp_path)
    line, others = shown(copy)
    assert set(others) == set(GNUMERIC)
    assert line == f"{len(CASES) - len(GNUMERIC)} of {len(CASES)} as expected. First: row 33, INDEX"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("about,formula", "formula,about", "cases.csv:1: expected about,formula,kind,expected,source."),
        (
            "=ABS(-4),number,4",
            "=ABS(-4),numbers,4",
            "cases.csv:2: kind 'numbers'; expected one of number, text,",
        ),
        ("=ABS(-4),number,4", "=ABS(-4),number,", "cases.csv:2: expected 5 columns, none of them empty."),
        ("error,#REF!", "error,#REF", "cases.csv:29: error '#REF'; expected one of #NULL!, #DIV/0!"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = sheet.CASES.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "cases.csv"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=re.escape(said)):
        sheet.cases(path)
