"""Rows and columns repeated on every page have one name a sheet: a second one makes Excel offer a repair."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from pathlib import Path

import openpyxl
import pytest

from addin import commands
from addin.xlsx.in_memory import saved
from addin.xlsx.package import open_parts, read_parts
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.print_titles import mended
from tests.judges.names import faults
from tests.support import opened
from tests.support.file_samples import TEMPLATE, as_office

NAME = '<definedName function="false" name="_xlnm.Print_Titles" localSheetId="{}">{}</definedName>'
QUOTED = "&apos;A, B $1&apos;"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ([(3, "Cost!$1:$4,Cost!$A:$B")], [(3, "Cost!$A:$B,Cost!$1:$4")]),
        ([(3, "Cost!$A:$B,Cost!$1:$4")], [(3, "Cost!$A:$B,Cost!$1:$4")]),
        ([(3, "Cost!$1:$4")], [(3, "Cost!$1:$4")]),
        ([(0, f"{QUOTED}!$1:$4,{QUOTED}!$A:$A")], [(0, f"{QUOTED}!$A:$A,{QUOTED}!$1:$4")]),
        (
            [(3, "Cost!$1:$4,Cost!$A:$B"), (4, "Arrays!$1:$4"), (3, "Cost!$A:$B,Cost!$1:$4")],
            [(3, "Cost!$A:$B,Cost!$1:$4"), (4, "Arrays!$1:$4")],
        ),
    ],
)
def test_each_sheet_has_the_name_once_with_columns_first(
    written: list[tuple[int, str]], expected: list[tuple[int, str]]
) -> None:
    other = '<definedName name="In_years">Inputs!$D$66</definedName>'
    before, after = (f"<a>{other}{''.join(NAME.format(*each) for each in names)}</a>" for names in (written, expected))
    assert mended(before.encode()).decode() == after


def names(workbook: bytes) -> list[tuple[str, str]]:
    """Return sheet and name of every defined name, "" for one of the workbook."""
    tags = re.findall(r"<(?:\w+:)?definedName\b([^<>]*)>", workbook.decode())
    found = [(re.search(r'localSheetId="(\d+)"', tag), re.search(r'\bname="([^"]+)"', tag)) for tag in tags]
    return [(sheet[1] if sheet else "", name[1].casefold()) for sheet, name in found if name]


def part(path: Path) -> bytes:
    with open_parts(path) as parts:
        return parts[WORKBOOK]


def twice(workbook: bytes) -> list[tuple[str, str]]:
    return [name for name, count in Counter(names(workbook)).items() if count > 1]


def test_openpyxl_writes_them_in_that_order_here() -> None:
    book = openpyxl.Workbook()
    book.active.print_title_rows, book.active.print_title_cols = "1:4", "A:B"
    with open_parts(io.BytesIO(saved(book))) as parts:
        assert b"'Sheet'!$A:$B,'Sheet'!$1:$4<" in parts[WORKBOOK]


@pytest.mark.slow
def test_a_sheet_put_into_a_copy_with_pairs_of_names_leaves_one_of_each(tmp_path: Path) -> None:
    parts = read_parts(TEMPLATE)
    several = re.sub(
        rb"<definedName [^>]*Print_Titles[^>]*>([^<,]*),([^<]*)</definedName>",
        lambda name: name[0] + name[0].replace(name[1] + b"," + name[2], name[2] + b"," + name[1]),
        parts[WORKBOOK],
    )
    path = tmp_path / "copy.xlsx"
    with zipfile.ZipFile(path, "w") as package:
        for name, data in {**parts, WORKBOOK: several}.items():
            package.writestr(name, data)
    assert len(twice(part(path))) > 10
    book = opened.opened(path)
    commands.compare(book)
    book.save()
    assert twice(part(path)) == []
    assert faults(read_parts(path)) == []
    assert sorted(names(part(path))) == sorted(names(parts[WORKBOOK]))


@pytest.mark.slow
@pytest.mark.office
def test_a_copy_that_calc_saved_has_every_name_once(tmp_path: Path) -> None:
    assert len(names(part(as_office(tmp_path)))) > 400
    assert twice(part(TEMPLATE)) == []
    assert twice(part(as_office(tmp_path))) == []
    assert faults(read_parts(as_office(tmp_path))) == []
