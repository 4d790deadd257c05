"""Names and packages as Excel wants them, of all that is shipped.

What commands write is judged where they are tested, and `python -m tests.judges.schema` judges all of it, in copies
that Calc saved too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import build
from addin.xlsx.package import read_parts
from tests.judges.names import faults
from tests.support.file_samples import TEMPLATE

BOOK, SHEET, GONE = "xl/workbook.xml", b"worksheets/sheet2.xml", b"worksheets/gone.xml"
TEMPLATES = Path(build.__file__).parent / "templates"


@pytest.mark.parametrize("name", [TEMPLATE.name, build.PROBE, "vdi-sizing.xlam"])
def test_what_is_shipped_has_no_fault(name: str) -> None:
    assert faults(read_parts(TEMPLATES / name)) == []


@pytest.mark.parametrize(
    ("part", "old", "new", "said"),
    [
        (BOOK, b'name="In_array"', b'name="in_DESKTOPS"', "the name in_desktops stands twice (sheet any)"),
        (BOOK, b">Checks!$M$5<", b">Gone!$M$5<", "the name Chk_Master stands for cells of Gone, which is no sheet"),
        (BOOK, b">Checks!$M$5<", b">#REF!<", "the name Chk_Master stands for #REF!"),
        ("xl/_rels/workbook.xml.rels", SHEET, GONE, "xl/_rels/workbook.xml.rels: leads to xl/worksheets/gone.xml"),
        ("[Content_Types].xml", SHEET, GONE, "the type of xl/worksheets/gone.xml is of no part"),
    ],
)  # fmt: skip
def test_a_fault_is_named(part: str, old: bytes, new: bytes, said: str) -> None:
    parts = dict(read_parts(TEMPLATE))
    assert old in parts[part]
    parts[part] = parts[part].replace(old, new, 1)
    assert any(line.startswith(said) for line in faults(parts)), faults(parts)
