"""The case files of this folder, read once, and the workbook that holds all of them.

cases/*.csv    formula, expected, source, what an engine is known to say instead (formulas_says, libreoffice_says), why
data.csv       the cells that the formulas refer to

Values are written as Excel shows them: 1.5, "text", TRUE, #N/A. `~1188.44` means: to the digits that are printed.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from addin.kernel import Cells, ExcelError, Scalar, safe_functions

HERE = Path(__file__).parent
NAMES = {"Ten": "Data!$A$1", "Range_B": "Data!$B$1:$B$5", "Rate": "0.1"}


@dataclass(frozen=True)
class Case:
    """One line of a case file; `row` is its row on the sheet Cases."""

    row: int
    file: str
    formula: str
    expected: str
    source: str
    formulas_says: str
    libreoffice_says: str
    why: str

    def agrees(self, value: Scalar, *, relative: float, absolute: float, expected: str | None = None) -> bool:
        """Return whether a value is the expected one, or another that is given."""
        text = self.expected if expected is None else expected
        tolerance = 0.0
        if text.startswith("~"):
            text = text[1:]
            exponent = Decimal(text).as_tuple().exponent
            assert isinstance(exponent, int)
            tolerance = 0.5000001 * 10.0**exponent
        wanted = read(text)
        if isinstance(wanted, float) and type(value) is float:
            return abs(value - wanted) <= max(tolerance, absolute, relative * abs(wanted))
        return type(value) is type(wanted) and value == wanted


def read(text: str) -> Scalar:
    """Read a value as the case files write it."""
    if text.startswith('"'):
        return text[1:-1].replace('""', '"')
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    if text.startswith("#"):
        return ExcelError(text)
    return float(text)


def read_cases() -> list[Case]:
    """Return every case of every file, numbered through."""
    rows = []
    for path in sorted((HERE / "cases").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            rows += [(path.stem, row) for row in csv.DictReader(lines)]
    return [Case(number, file, **row) for number, (file, row) in enumerate(rows, 1)]


def in_file(formula: str) -> str:
    """Return the formula as a file holds it: functions newer than 2007 with their prefix."""
    functions = safe_functions()

    def prefixed(match: re.Match[str]) -> str:
        known = functions.get(match[1])
        return f"_xlfn.{match[0]}" if known and known.since > 2007 else match[0]

    return re.sub(r"([A-Z][A-Z0-9.]*)\(", prefixed, formula)


def make_workbook(cases: list[Case]) -> openpyxl.Workbook:
    """Return a workbook with the data and one case per row, in column A of the sheet Cases."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Cases"
    for case in cases:
        sheet.cell(case.row, 1, in_file(case.formula))
    with (HERE / "data.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["sheet"] not in book.sheetnames:
                book.create_sheet(row["sheet"])
            value = read(row["value"])
            cell = book[row["sheet"]][row["cell"]]
            cell.value = str(value) if isinstance(value, ExcelError) else value
            if isinstance(value, str):
                cell.data_type = "s"
    for name, text in NAMES.items():
        book.defined_names[name] = DefinedName(name, attr_text=text)
    return book


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    return read_cases()


@pytest.fixture(scope="session")
def workbook_of() -> Callable[[list[Case]], openpyxl.Workbook]:
    return make_workbook


@pytest.fixture(scope="session")
def case_book(cases: list[Case]) -> openpyxl.Workbook:
    return make_workbook(cases)


@pytest.fixture(scope="session")
def case_cells(case_book: openpyxl.Workbook) -> Cells:
    return Cells.from_openpyxl(case_book)
