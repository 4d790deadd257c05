"""Defined names: whose own a name is, what it may stand for, and how many of them may lead to a cell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from openpyxl import load_workbook
from openpyxl.workbook.defined_name import DefinedName

from addin.engines import file
from addin.kernel import Address, Cells, CycleError, KernelError, ParseError, Scalar, UnknownName, evaluate_all
from addin.kernel.formula.cells import own_name
from addin.kernel.trials.compile import compile_slice
from addin.workbook import live
from addin.workbook.book import open_book
from tests.support import small_workbook

HERE = Address("Sizing", 1, 1)
NAMES = {"k": "2", own_name("Sizing", "k"): "777", own_name("It's", "K"): "5"}


def value(formula: str, names: Mapping[str, str] = NAMES, at: Address = HERE) -> Scalar:
    cells = Cells({at: formula, Address("Sizing", 9, 1): 3.0}, names, ("Inputs", "Sizing", "It's"))
    return evaluate_all(cells)[at]


@pytest.mark.parametrize(
    ("formula", "sheet", "shown"),
    [
        ("=k", "Sizing", 777.0),
        ("=k", "Inputs", 2.0),
        ("=K+0", "It's", 5.0),
        ("=Sizing!k", "Inputs", 777.0),
        ("='It''s'!k", "Sizing", 5.0),
        ("=Inputs!k", "Sizing", 2.0),  # the sheet has none of its own
        ("=[0]!k", "Sizing", 2.0),
        ("=SUM(k,Sizing!k)", "It's", 782.0),
    ],
)
def test_a_name_of_the_sheet_comes_before_one_of_the_workbook(formula: str, sheet: str, shown: float) -> None:
    assert value(formula, at=Address(sheet, 1, 1)) == shown


def test_a_name_in_a_name_is_looked_up_where_that_name_belongs() -> None:
    names = {**NAMES, "double": "k*2", own_name("Sizing", "triple"): "k*3"}
    assert value("=double", names) == 4.0  # of the workbook, also where the sheet has a k of its own
    assert value("=Sizing!triple", names, Address("Inputs", 1, 1)) == 2331.0


def test_a_name_of_one_sheet_is_unknown_on_another() -> None:
    with pytest.raises(UnknownName, match=r"Inputs!A1: There is no defined name 'mine'"):
        value("=mine", {own_name("Sizing", "mine"): "1"}, Address("Inputs", 1, 1))


@pytest.mark.parametrize("meaning", ["Sizing!A9", "Sizing!$A9", "SUM(Sizing!A$9:$A$9)", "1+Sizing!A9"])
def test_a_name_that_moves_with_its_cell_is_refused(meaning: str) -> None:
    with pytest.raises(ParseError, match=r"Sizing!A1: The name 'moving' stands for .* moves with the cell.*\$"):
        value("=moving", {"moving": meaning})
    assert value("=fixed", {"fixed": "Sizing!$A$9"}) == 3.0


def test_an_empty_name_is_refused_only_where_it_is_used() -> None:
    assert value("=1", {"foo": ""}) == 1.0
    with pytest.raises(UnknownName, match=r"Sizing!A1: The name 'foo' stands for nothing"):
        value("=foo", {"foo": ""})


@pytest.mark.parametrize(
    ("names", "error"),
    [
        ({"a": "b+1", "b": "a"}, CycleError),
        ({f"n{i}": f"n{i + 1}" for i in range(100)} | {"n100": "1", "a": "n0"}, ParseError),
        ({f"n{i}": f"n{i + 1}+n{i + 1}" for i in range(60)} | {"n60": "1", "a": "n0"}, ParseError),
    ],
)
def test_names_that_lead_nowhere_or_everywhere_are_refused(names: dict[str, str], error: type[KernelError]) -> None:
    with pytest.raises(error, match="Sizing!A1: The name"):
        value("=a", names)


def test_a_compiled_slice_reads_the_same_names() -> None:
    cells = Cells({HERE: "=k*A9", Address("Sizing", 9, 1): 3.0}, NAMES, ("Inputs", "Sizing"))
    compiled = compile_slice(cells, [Address("Sizing", 9, 1)], [HERE])
    assert compiled.scalars([2.0]) == [1554.0]  # type: ignore[arg-type]
    assert compiled.run([[2.0]]).scalar(0, 0) == 1554.0  # type: ignore[arg-type]


def test_a_saved_workbook_keeps_the_names_of_its_sheets(tmp_path: Path) -> None:
    path = small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {"v": "=k+{x}"})
    book = load_workbook(path)
    book.defined_names["k"] = DefinedName("k", attr_text="2")
    book["Sizing"].defined_names["k"] = DefinedName("k", attr_text="777")
    book.save(path)
    assert open_book(path).evaluate({}, ["v"]) == {"v": 777.5}
    opened = file.open_file(path)
    assert opened.sheets["Sizing"].range("D6").value == 777.5
    assert live.read(opened).evaluate({}, ["v"]) == {"v": 777.5}
