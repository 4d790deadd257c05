"""Agreement of two engines: the tolerance, blanks, booleans, and where a difference is reported."""

import openpyxl
import pytest

from tests.support import compare
from tests.support.compare import Address, Difference, Value


@pytest.mark.parametrize(
    ("x", "y", "largest_precedent"),
    [
        (1.0, 1.0, 0),
        (3, 3.0, 0),
        (1.0, 1.0 + 0.9e-9, 0),
        (-1e12, -1e12 * (1 - 0.9e-9), 0),
        (0.0, 5.5e-17, 1.0),
        (0.0, 0.9e-6, 1e6),
        (None, "", 0),
        (None, None, 0),
        (True, 1.0, 0),
        (False, 0, 0),
        ("enter a quote", "enter a quote", 0),
        ("#N/A", "#N/A", 0),
    ],
)
def test_the_same_result_agrees(x, y, largest_precedent):
    assert compare.agree(x, y, largest_precedent)
    assert compare.agree(y, x, largest_precedent)


@pytest.mark.parametrize(
    ("x", "y", "largest_precedent"),
    [
        (1.0, 1.0 + 1.2e-9, 0),
        (0.0, 5.5e-17, 0),
        (0.0, 1.2e-6, 1e6),
        (None, 0, 0),
        ("", 0.0, 1e6),
        ("1", 1, 0),
        ("yes", "Yes", 0),
        ("#N/A", "#VALUE!", 0),
        (True, "TRUE", 0),
        (float("nan"), float("nan"), 0),
    ],
)
def test_different_results_do_not_agree(x, y, largest_precedent):
    assert not compare.agree(x, y, largest_precedent)
    assert not compare.agree(y, x, largest_precedent)


def test_differences_name_the_cell_and_both_values():
    expected: dict[Address, Value] = {("Capacity", "D9"): 5.0, ("Capacity", "D10"): "no", ("Capacity", "D11"): 7.0}
    expected["Cost", "D9"] = None
    actual: dict[Address, Value] = {("Capacity", "D9"): 6.0, ("Capacity", "D10"): "no", ("Sizing", "A1"): 1}
    listed = compare.differences(expected, actual)
    assert listed == [Difference("Capacity", "D9", 5.0, 6.0), Difference("Capacity", "D11", 7.0, None)]
    assert str(listed[0]) == "Capacity!D9: expected 5.0, found 6.0"


def test_differences_use_the_precedents_of_their_own_cell():
    expected, actual = {("A", "B1"): 0.0, ("A", "B2"): 0.0}, {("A", "B1"): 1e-7, ("A", "B2"): 1e-7}
    assert compare.differences(expected, actual, {("A", "B1"): 1e6}) == [Difference("A", "B2", 0.0, 1e-7)]


def test_the_largest_difference_is_relative_and_located():
    expected: dict[Address, Value] = {("A", "B1"): 100.0, ("A", "B2"): 1.0, ("A", "B3"): "text", ("A", "B4"): 0.0}
    actual = {("A", "B1"): 101.0, ("A", "B2"): 1.25, ("A", "B3"): 4.0, ("A", "B4"): 0.0}
    assert compare.largest_difference(expected, actual) == (0.2, ("A", "B2"))
    assert compare.largest_difference({}, actual) == (0.0, None)


def test_the_largest_precedent_is_found_in_cells_ranges_and_other_sheets():
    formulas = {
        ("Calc", "A1"): "=$B$1-B2",
        ("Calc", "A2"): "=SUM(B1:C2)/2",
        ("Calc", "A3"): "=INDEX('My inputs'!$A$1:$A$3,MATCH(\"x\",B1:B2,0))",
        ("Calc", "A4"): "=1+In_desktops",
        ("Calc", "A5"): "=IF(B3,0,1)",
    }
    values: dict[Address, Value] = {
        ("Calc", "B1"): 3.0,
        ("Calc", "B2"): -8.0,
        ("Calc", "C2"): 10.0,
        ("Calc", "B3"): "text",
        ("My inputs", "A2"): 99.0,
    }
    assert [compare.largest_precedents(formulas, values)[key] for key in formulas] == [8.0, 10.0, 99.0, 0.0, 0.0]


def test_formulas_and_values_of_a_saved_workbook_are_read(tmp_path):
    path = tmp_path / "book.xlsx"
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"] = 4, "=A1*2"
    book.save(path)
    assert compare.formula_cells(openpyxl.load_workbook(path)) == {("Sheet", "A2"): "=A1*2"}
    assert compare.load_values(path) == {("Sheet", "A1"): 4}
    assert compare.cell_values(openpyxl.load_workbook(path), [("Sheet", "A3")]) == {("Sheet", "A3"): None}


def test_a_cell_that_shows_what_another_one_does_is_judged_there() -> None:
    formulas = {("Sum", "A1"): "=B1-B2", ("Checks", "F1"): "=Sum!A1", ("Checks", "G1"): "=IF(ISERROR(F1),0,F1)"}
    computed: dict[compare.Address, compare.Value] = dict.fromkeys(formulas, 0.5)
    judged: dict[compare.Address, compare.Value] = dict.fromkeys(formulas, 0.25)
    assert compare.handed_on(formulas, computed, judged) == {("Checks", "F1"), ("Checks", "G1")}
    assert compare.handed_on(formulas, computed, {**judged, ("Checks", "G1"): 0.75}) == {("Checks", "F1")}
