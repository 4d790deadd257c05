"""Formulas of the office as Excel writes them, where two of one shape have to be distinguished."""

import pytest

from addin.engines.calc.formulas import to_excel

PAIRS = {
    "a sheet that is called as a cell": (
        ("=$Q1.$A$1+B2", "=Q1!$A$1+B2"),
        ("=$Q2.$A$1+B3", "=Q2!$A$1+B3"),
    ),
    "a quoted sheet with a cell in its name": (
        ("=$'Use B2; x'.C3*C4", "='Use B2; x'!C3*C4"),
        ("=$'Use B3; x'.C5*C6", "='Use B3; x'!C5*C6"),
    ),
    "a function that is called as a cell": (
        ("=LOG10(A1)+ATAN2(B1;C1)", "=LOG10(A1)+ATAN2(B1,C1)"),
        ("=LOG10(D4)+ATAN2(E4;F4)", "=LOG10(D4)+ATAN2(E4,F4)"),
    ),
    "a text with marks and cells in it": (
        ('="A1;B2~"&C3&";"', '="A1;B2~"&C3&";"'),
        ('="A9;B9~"&D4&";"', '="A9;B9~"&D4&";"'),
    ),
    "an inline array beside cells": (
        ('=SUM({1;2|3;4};A1;{"A1;"|"B"})', '=SUM({1,2;3,4},A1,{"A1;";"B"})'),
        ('=SUM({1;2|3;4};B7;{"A2;"|"B"})', '=SUM({1,2;3,4},B7,{"A2;";"B"})'),
    ),
    "truth values and other names": (
        ("=IF(A1;TRUE();CEILING.XCL(B1;C1))", "=IF(A1,TRUE,CEILING(B1,C1))"),
        ("=IF(D4;TRUE();CEILING.XCL(E4;F4))", "=IF(D4,TRUE,CEILING(E4,F4))"),
    ),
    "a name with a cell in it, an error, a union": (
        ("=SUM(Own_A1;#DIV/0!;A1~B2)", "=SUM(Own_A1,#DIV/0!,A1,B2)"),
        ("=SUM(Own_A2;#DIV/0!;C1~D2)", "=SUM(Own_A2,#DIV/0!,C1,D2)"),
    ),
    "an array formula": (
        ("{=SUM($A$1:$A$9*B1)}", "=SUM($A$1:$A$9*B1)"),
        ("{=SUM($C$1:$C$9*D1)}", "=SUM($C$1:$C$9*D1)"),
    ),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_formulas_of_one_shape_keep_their_own_cells_sheets_and_texts(pair: tuple[tuple[str, str], ...]) -> None:
    for office, excel in pair:
        assert to_excel(office) == excel
