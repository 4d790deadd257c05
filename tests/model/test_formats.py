"""Formats that every Excel reads alike: a priority for each rule of a sheet, no separator of one country."""

from __future__ import annotations

import re
from collections import Counter

from tests.support.shipped import built

WORKBOOK = built().workbook
LITERAL = re.compile(r'"([^"]*)"|\\(.)')


def test_no_two_rules_of_a_sheet_have_one_priority() -> None:
    for sheet in WORKBOOK.worksheets:
        rules = [rule.priority for area in sheet.conditional_formatting for rule in area.rules]
        assert [number for number, count in Counter(rules).items() if count > 1] == [], sheet.title


def test_no_format_writes_a_separator_as_text() -> None:
    codes = {cell.number_format for sheet in WORKBOOK.worksheets for row in sheet.iter_rows() for cell in row}
    assert len(codes) > 20
    texts = {text: code for code in codes for pair in LITERAL.findall(code) for text in pair}
    assert {text: code for text, code in texts.items() if re.search(r"[.,]\d", text)} == {}
