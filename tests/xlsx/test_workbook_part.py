"""What every workbook.xml has; a package without it is refused in one line."""

import re
from pathlib import Path

import pytest

from addin.errors import BookError
from addin.xlsx.package import read_parts
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.workbook_part import check, sheet_parts
from tests.support.formula_workbook import save_workbook


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (rb"<sheets>.*</sheets>", "lists no sheets; the file is damaged"),
        (rb'name="Capacity"', "lists a sheet without name, number or part; the file is damaged"),
        (rb'\S*:id="rId1"', "lists a sheet without name, number or part; the file is damaged"),
        (rb"</workbook>", r"cannot be read; the file is damaged"),
    ],
)
def test_a_damaged_list_of_sheets_is_refused(tmp_path: Path, pattern: bytes, message: str) -> None:
    parts = read_parts(save_workbook(tmp_path / "book.xlsx", {}))
    check(parts)
    parts[WORKBOOK], count = re.subn(pattern, b"", parts[WORKBOOK])
    assert count == 1
    with pytest.raises(BookError, match=f"xl/workbook.xml {message}"):
        check(parts)


def test_a_package_without_styles_is_refused(tmp_path: Path) -> None:
    parts = read_parts(save_workbook(tmp_path / "book.xlsx", {}))
    del parts["xl/styles.xml"]
    with pytest.raises(BookError, match=r"the package has no part xl/styles.xml; expected an .xlsx"):
        check(parts)


def test_sheets_lead_to_their_parts_in_tab_order(tmp_path: Path) -> None:
    parts = read_parts(save_workbook(tmp_path / "book.xlsx", {}))
    assert list(sheet_parts(parts).items()) == [
        ("Capacity", "xl/worksheets/sheet1.xml"),
        ("Notes & more", "xl/worksheets/sheet2.xml"),
    ]
