"""A fault of a row's formula is one line at file and line, not one for each column and each copy of the row."""

from types import SimpleNamespace
from typing import Any

import pytest

import build
from addin.audit import Finding
from addin.kernel.errors import ParseError
from addin.kernel.formula.tokens import tokens
from model.errors import DataError
from model.layout import row_checks
from model.layout.grid import lay_out
from model.layout.line import GridSheet, Line


def test_a_finding_of_a_row_is_named_once_by_its_line() -> None:
    """Row 10 of Capacity is line 14 of its file; Growth!E158 is the copy of the same row for a year."""
    findings = [Finding(f"{cell}", f"calls IFF on {cell[-3:]}", "R19") for cell in ("Capacity!D10", "Capacity!E10")]
    findings += [Finding("Growth!E158", "calls IFF on E15", "R19"), Finding("Capacity!D11", "calls IFF on D11", "R20")]
    places = {("Capacity", 10): "model/sheets/sizing/capacity.rows:14"}
    assert list(map(str, build.placed(findings, places))) == [
        "R19 model/sheets/sizing/capacity.rows:14 (Capacity!D10): calls IFF on D10",
        "R20 Capacity!D11: calls IFF on D11",
    ]


def test_a_finding_of_no_row_stays_as_it_is() -> None:
    findings = [Finding("In_array", "points at no cell", "R15"), Finding("'Risk inputs'!A1:X84", "prints", "R14")]
    assert build.placed(findings, {}) == findings


def faults(*formulas: str) -> list[str]:
    """Return the complaints about the rows a, b and so on of one sheet."""
    rows = tuple(
        Line(key, key, "count", formula, "Made for a test", where=f"made.rows:{number}")
        for number, (key, formula) in enumerate(zip("abc", formulas, strict=False), 1)
    )
    grid = GridSheet("Made", "Made", "A sheet for tests", rows)
    none: Any = SimpleNamespace(cases=(), inputs=())
    layout = lay_out(none, (grid,), {})
    try:
        row_checks.check((grid,), layout, {"count"})
    except DataError as error:
        return str(error).splitlines()
    return []


def test_rows_that_read_each_other_or_themselves_are_named_by_file_and_line() -> None:
    """a reads b, which stands below it and reads a: the cycle is a's fault alone; c reads itself."""
    assert faults("={b}+1", "={a}+1", "={c}") == [
        "made.rows:1: formula: {b} is a lower row; move one above the other.",
        "made.rows:3: formula: {c} is this row itself; a formula reads rows above it.",
    ]


def test_rows_that_read_rows_above_and_their_own_label_have_no_fault() -> None:
    assert faults("=1", "={a}", "={label:c}&SUM({range:a:b})") == []


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("=ROUNDUP(D7;0)", "has ';' without an array constant. Separate arguments by commas."),
        ("=D7*0,95", "has a comma between digits. Write a decimal point."),
    ],
)
def test_the_separators_of_another_language_are_named(formula: str, message: str) -> None:
    with pytest.raises(ParseError) as error:
        tokens(formula)
    assert str(error.value).endswith(message)
