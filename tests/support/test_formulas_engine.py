"""The package `formulas` as a judge: overrides reach every formula, calculations are independent, faults are pinned."""

from collections.abc import Mapping
from pathlib import Path
from unittest import mock

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from tests.support import formulas_engine
from tests.support.compare import Value
from tests.support.formulas_engine import LoadedWorkbook
from tests.support.formulas_steps import Formula

FORMULAS = {
    "A1": "=IF(COUNT('My inputs'!B1)=1,'My inputs'!B1,'My inputs'!A1)",
    "A2": "='My inputs'!A2&\"!\"",
    "A3": "=SUM('My inputs'!A1:C1)",
    "A4": "=A1>5",
    "A5": "=1/0",
    "A6": "='My inputs'!B2",
    "A7": '=IF(A1>100,"","yes")',
    "A8": "=COUNTA('My inputs'!A1:A3)",
    "A9": "=SUMPRODUCT('My inputs'!A1:C1*('My inputs'!A1:C1>1))",
    "A10": "=MATCH(\"none\",'My inputs'!A1:A3,0)",
    "A11": "=In_desktops*2",
}
DEFAULTS = (5, "text!", 5, False, "#DIV/0!", 0, "yes", 2, 5, "#N/A", 10)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sheets: inputs, partly blank, and formulas over them."""
    path = tmp_path_factory.mktemp("formulas") / "Sizing book.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "My inputs"
    book.active["A1"], book.active["A2"] = 5, "text"
    calculation = book.create_sheet("Calc")
    for reference, formula in FORMULAS.items():
        calculation[reference] = formula
    book.defined_names["In_desktops"] = DefinedName("In_desktops", attr_text="'My inputs'!$A$1")
    book.save(path)
    return path


def results(path: Path, overrides: Mapping[str, Value] | None = None) -> tuple[object, ...]:
    """Calculate with overrides on the inputs and return the column of results."""
    named = {("My inputs", reference): value for reference, value in (overrides or {}).items()}
    computed = formulas_engine.load(path).calculate(named)
    return tuple(computed["Calc", reference] for reference in FORMULAS)


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({}, DEFAULTS),
        ({"B1": 9}, (9, "text!", 14, True, "#DIV/0!", 0, "yes", 2, 14, "#N/A", 10)),
        ({"B1": 9, "B2": 4, "A3": "none"}, (9, "text!", 14, True, "#DIV/0!", 4, "yes", 3, 14, 3, 10)),
        ({"A1": None, "A2": None}, (0, "!", 0, False, "#DIV/0!", 0, "yes", 0, 0, "#N/A", 0)),
        ({"A1": 101, "A2": 3}, (101, "3!", 101, True, "#DIV/0!", 0, "", 2, 101, "#N/A", 202)),
        ({"B1": "typed text"}, (*DEFAULTS[:8], "#VALUE!", "#N/A", 10)),
    ],
)
def test_overrides_reach_every_formula(path, overrides, expected):
    assert results(path, overrides) == expected


def test_a_calculation_leaves_nothing_behind(path):
    for overrides in ({"B1": 9, "C1": 4}, {"A1": None}, {"A2": None, "A3": 1}):
        results(path, overrides)
        assert results(path) == DEFAULTS


def test_typed_cells_and_overrides_are_returned_under_their_own_names(path):
    computed = formulas_engine.load(path).calculate({("My inputs", "C1"): 2})
    assert (computed["My inputs", "A1"], computed["My inputs", "A2"], computed["My inputs", "C1"]) == (5, "text", 2)


def test_defined_names_are_no_cells(path):
    assert {sheet for sheet, _ in formulas_engine.load(path).calculate()} == {"My inputs", "Calc"}


def test_the_steps_give_what_the_package_itself_calculates(path):
    stepped, package = LoadedWorkbook(path), LoadedWorkbook(path, itself=True)
    for typed in ({}, {"B1": 9}, {"A1": None, "A3": "none"}, {"A1": 7}, {"A1": 7, "C1": True}, {}):
        named = {("My inputs", reference): value for reference, value in typed.items()}
        assert stepped.calculate(named) == package.calculate(named)


def test_a_cell_whose_arguments_are_those_of_before_is_not_computed_again(path):
    stepped = LoadedWorkbook(path)
    stepped.calculate()
    with mock.patch.object(Formula, "__call__", side_effect=AssertionError("computed again")):
        stepped.calculate()
        with pytest.raises(AssertionError, match="computed again"):
            stepped.calculate({("My inputs", "A2"): "another"})


def test_a_workbook_is_loaded_once(path):
    assert formulas_engine.load(path) is formulas_engine.load(path)


def test_an_unknown_sheet_is_refused(path):
    with pytest.raises(AssertionError, match=r"Sizing book.xlsx has no sheet 'Nowhere'"):
        formulas_engine.load(path).calculate({("Nowhere", "A1"): 1})


@pytest.mark.parametrize(
    ("formula", "wrong", "right"),
    [
        ("=ROUNDUP(1.1*100,0)", 111, 110),  # does not look at 15 digits
        ("=SUMPRODUCT(--(A1:A2>0),A1:A2)", 0, 7),  # ignores the negated condition
        ("=IF(0.1+0.2=0.3,1,0)", 0, 1),  # compares all bits
    ],
)
def test_known_faults_are_still_there(tmp_path, formula, wrong, right):
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"], book.active["B1"] = 3, 4, formula
    book.save(tmp_path / "fault.xlsx")
    actual = formulas_engine.load(tmp_path / "fault.xlsx").calculate()["Sheet", "B1"]
    assert actual == wrong, f"formulas now gives {actual} where Excel gives {right}; remove the pin"
