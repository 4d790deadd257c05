"""The same cases in other engines. A known difference is pinned in the case file with the wrong value and the reason:
the day an engine changes its mind, the pin fails."""

from __future__ import annotations

import zipfile
from xml.etree import ElementTree

import numpy as np
import pytest

from addin.engines.office import application
from addin.kernel import ExcelError
from tests.support import libreoffice

pytestmark = pytest.mark.office

ERRORS = {error.value for error in ExcelError}
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATIVE, ABSOLUTE = 1e-9, 1e-12


def differences(cases, values, column):
    """Return one line per case where the engine says neither what is expected nor what is pinned."""
    lines = []
    for case in cases:
        value, pinned = values[case.row], getattr(case, column)
        if not case.agrees(value, relative=RELATIVE, absolute=ABSOLUTE, expected=pinned or None):
            lines.append(f"cases/{case.file}.csv {case.formula}: {value!r}, expected {pinned or case.expected}")
    return lines


@pytest.fixture(scope="session")
def recalculated(cases, case_book, tmp_path_factory):
    """Return what LibreOffice computes for each case, by row."""
    libreoffice.soffice()
    folder = tmp_path_factory.mktemp("office")
    case_book.save(folder / "cases.xlsx")
    (copy,) = application.convert([folder / "cases.xlsx"], folder / "out", application.XLSX)
    with zipfile.ZipFile(copy) as package:
        sheet = ElementTree.fromstring(package.read("xl/worksheets/sheet1.xml"))
    # openpyxl would turn serials into dates, and fails beyond the year 9999
    by_cell = {cell.get("r"): saved_value(cell) for cell in sheet.iter(f"{MAIN}c")}
    return {case.row: by_cell[f"A{case.row}"] for case in cases}


def saved_value(cell):
    """Return the value of a cell element; a formula's text is stored in place (t="str")."""
    text = cell.findtext(f"{MAIN}v") or ""
    kind = cell.get("t", "n")
    if kind == "e":
        return ExcelError(text)
    if kind == "b":
        return text == "1"
    return text if kind == "str" else float(text)


def test_libreoffice_says_the_same_or_what_is_pinned(cases, recalculated):
    """Its own errors (Err:502 ...) have no Excel name: the file holds #VALUE! for all of them."""
    for case in cases:
        if recalculated[case.row] is ExcelError.VALUE and case.expected.startswith("#") and not case.libreoffice_says:
            recalculated[case.row] = ExcelError(case.expected)
    lines = differences(cases, recalculated, "libreoffice_says")
    assert not lines, "\n".join(lines)


REFUSED = '"refused"'


@pytest.fixture(scope="session")
def formulas_values(cases, workbook_of, tmp_path_factory):
    """Return what `formulas` computes for each case, by row.

    A formula that it cannot read stops the load of the whole workbook, so those that are pinned as refused stay out.
    """
    formulas = pytest.importorskip("formulas")
    folder = tmp_path_factory.mktemp("formulas")
    read = [case for case in cases if case.formulas_says != REFUSED]
    workbook_of(read).save(folder / "cases.xlsx")
    solution = formulas.ExcelModel().loads(str(folder / "cases.xlsx")).finish().calculate()
    values = {case.row: "refused" for case in cases}
    for case in read:
        result = solution.get(f"'[cases.xlsx]CASES'!A{case.row}")
        if result is not None:
            values[case.row] = plain(result.value[0, 0])
    return values


def plain(value):
    """Return a value of `formulas` as a value of the kernel; what Excel has no value for is named by its type."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return ExcelError(str(value)) if str(value) in ERRORS else str(value)
    if isinstance(value, complex) or value != value:
        return "complex" if isinstance(value, complex) else "nan"
    return float(value) if type(value) is int else value


def test_formulas_says_the_same_or_what_is_pinned(cases, formulas_values):
    lines = differences(cases, formulas_values, "formulas_says")
    assert not lines, "\n".join(lines)


def test_what_formulas_is_said_to_refuse_it_refuses(cases):
    parser = pytest.importorskip("formulas").Parser()
    for case in cases:
        if case.formulas_says == REFUSED:
            with pytest.raises(Exception, match="Not a valid formula"):
                parser.ast(case.formula)
