"""What every workbook.xml has; a package without it is refused in one line."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from addin.errors import BookError
from addin.xlsx.package import read_parts
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.workbook_part import active_sheet, check, sheet_parts, with_order, with_sheet, with_shown
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


TABS = (
    b'<workbook><bookViews><workbookView activeTab="%d"/></bookViews><sheets><sheet name="A"/><sheet name="B"/>'
    b'<sheet name="C" state="hidden"/><sheet name="D" state="veryHidden"/><sheet name="E"/></sheets></workbook>'
)


@pytest.mark.parametrize(
    ("active", "order", "top"),
    [
        (1, [0, 2, 3, 4], 3),  # B is deleted: C and D behind it are hidden
        (4, [0, 1, 2, 3], 1),  # E, the last one
        (0, [1, 2, 3, 4], 0),
        (1, [4, 3, 2, 1, 0], 3),
        (1, [2, 3], 0),  # no sheet is visible
    ],
)
def test_a_hidden_sheet_never_comes_on_top_in_the_place_of_one_that_is_deleted(
    active: int, order: list[int], top: int
) -> None:
    assert active_sheet(with_order(TABS % active, order)) == top


def test_a_hidden_sheet_is_shown_and_a_visible_one_keeps_its_bytes() -> None:
    tabs = TABS % 0
    assert with_shown(tabs, "d") == tabs.replace(b"veryHidden", b"visible")
    assert with_shown(tabs, "B") == tabs


def test_a_sheet_is_added_where_every_entry_declares_its_own_namespace() -> None:
    """As openpyxl writes where lxml is installed: the prefix of one entry says nothing of another."""
    main, office = "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://schemas.openxmlformats.org"
    relations = f"{office}/officeDocument/2006/relationships"
    entry = f'<sheet xmlns:r="{relations}" name="A" sheetId="1" r:id="rId1"/>'
    parts = {
        WORKBOOK: f'<workbook xmlns="{main}"><sheets>{entry}</sheets></workbook>'.encode(),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="rId1" '
            f'Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
        ).encode(),
    }
    added = ElementTree.fromstring(with_sheet(parts, "B", "xl/worksheets/sheet2.xml")[WORKBOOK])
    assert [sheet.get(f"{{{relations}}}id") for sheet in added.iter(f"{{{main}}}sheet")] == ["rId1", "rId2"]
