"""The same cases in other engines. A known difference is pinned in the case file with the wrong value and the reason:
the day an engine changes its mind, the pin fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from xml.etree import ElementTree

import pytest

from addin.kernel import ExcelError

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATIVE, ABSOLUTE = 1e-9, 1e-12
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>0</value></prop></item>
</oor:items>
"""


def differences(cases, values, column):
    """Return one line per case where the engine says neither what is expected nor what is pinned."""
    found = []
    for case in cases:
        value, pinned = values.get(case.row), getattr(case, column)
        value = float(value) if type(value) is int else value
        if not case.agrees(value, relative=RELATIVE, absolute=ABSOLUTE, expected=pinned or None):
            found.append(f"cases/{case.file}.csv {case.formula}: {value!r}, expected {pinned or case.expected}")
    return found


@pytest.fixture(scope="session")
def recalculated(cases, case_book, tmp_path_factory):
    """Return what LibreOffice computes for each case, by row."""
    office = shutil.which("soffice")
    if office is None:
        if os.environ.get("CI"):
            pytest.fail("LibreOffice (soffice) is not installed, and CI does not go without it")
        pytest.skip("LibreOffice (soffice) is not installed")
    folder = tmp_path_factory.mktemp("office")
    profile = folder / "profile"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(ALWAYS_RECALCULATE)
    case_book.save(folder / "cases.xlsx")
    command = [office, "--headless", f"-env:UserInstallation={profile.as_uri()}", "--convert-to", "xlsx"]
    command += ["--outdir", str(folder / "out"), str(folder / "cases.xlsx")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with zipfile.ZipFile(folder / "out" / "cases.xlsx") as package:
        sheet = ElementTree.fromstring(package.read("xl/worksheets/sheet1.xml"))
    # openpyxl would turn serials into dates, and fails beyond the year 9999
    found = {cell.get("r"): saved_value(cell) for cell in sheet.iter(f"{MAIN}c")}
    return {case.row: found[f"A{case.row}"] for case in cases}


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
    found = differences(cases, recalculated, "libreoffice_says")
    assert not found, "\n".join(found)
