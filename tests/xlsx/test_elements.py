"""Rows found by a search are those that reading the whole sheet gives, or the sheet is read as a whole."""

from __future__ import annotations

import pytest

from addin.xlsx.elements import Element, outline, rows_found
from addin.xlsx.stored_results import with_results

ROWS = (
    b'<row r="1" ht="16"><c r="A1"><f>B1&gt;"&amp;"</f><v>1</v></c></row><row r="3" spans="1:2"/>'
    b'<row r="12"><c r="A12" t="str"><f>1</f><v>x</v></c><c r="B12"/></row>'
)


def sheet(rows: bytes = ROWS, head: bytes = b"", tag: bytes = b"<sheetData>") -> bytes:
    return head + b'<worksheet xmlns="m"><cols/>' + tag + rows + b'</sheetData><pageSetup r="1"/></worksheet>'


def read_whole(part: bytes) -> list[Element]:
    return outline(part, 5).children_of("sheetData")


def test_rows_found_are_those_of_the_whole_sheet():
    part = sheet(head=b'<?xml version="1.0"?>')
    first, second, third = read_whole(part)
    assert rows_found(part, {12, 1}, 3) == [first, third]
    assert rows_found(part, {3}, 3) == [second]
    assert rows_found(part, set(), 3) == []


@pytest.mark.parametrize(
    "part",
    [
        sheet(ROWS + b'<row r="4"/>').replace(b'"4"', b'"1"'),
        sheet(ROWS.replace(b'r="12"', b"r='12'")),
        sheet(ROWS.replace(b'<row r="12"', b'<row ht="9" r="12"')),
        sheet(ROWS.replace(b'<row r="12"', b"<row")),
        sheet(b'<!-- <row r="12"/> -->' + ROWS),
        sheet(ROWS, tag=b'<?a <row r="12"?><sheetData>'),
        sheet(ROWS.replace(b'">1</f>', b'"><![CDATA[1]]></f>').replace(b"<f>1</f>", b"<f><![CDATA[1]]></f>")),
        sheet(ROWS, tag=b'<sheetData a="1">'),
    ],
)
def test_where_a_search_may_be_wrong_the_sheet_is_read_as_a_whole(part):
    assert rows_found(part, {12}, 3) is None


@pytest.mark.parametrize("rows", [ROWS, ROWS.replace(b'<row r="12"', b'<row ht="9" r="12"')])
def test_a_result_is_written_alike_either_way(rows):
    written = with_results(sheet(rows), {(12, 1): 2.5, (12, 2): 9.0, (3, 1): 9.0})
    assert written == sheet(rows.replace(b'<c r="A12" t="str"><f>1</f><v>x</v>', b'<c r="A12"><f>1</f><v>2.5</v>'))
