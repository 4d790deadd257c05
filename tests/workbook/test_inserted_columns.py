"""A column inserted on Inputs shifts nothing: labels, units, designs and prices are found where they stand now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

from addin.kernel import Address, Evaluator, Scalar
from addin.leaving.inserted import formula
from addin.prices import without_prices
from addin.sizing.result_keys import COMPARE
from addin.sizing.scenarios import designs
from addin.sizing.whatif import compare
from addin.workbook.book import SizingBook, open_book
from addin.workbook.designs import typed_in
from tests.support.file_samples import TEMPLATE
from tests.support.inserted_column import with_column

REMARKS = {4: "Remarks", 6: "asked on Monday"}
SECRET = 84131.5
HEADS = ("Base design", "What-if 1", "What-if 2")
ARRAYS = {"Small": 500, "Large": 2000}  # desktops on one


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook in the layout of ours: 1,500 users, as many in a first what-if, 2,200 in a second one."""
    book = Workbook()
    inputs, sizing = book.worksheets[0], book.create_sheet("Sizing")
    inputs.title = "Inputs"
    for sheet, first in ((inputs, "Input"), (sizing, "Line item")):
        sheet["A1"].value, sheet["A2"].value = sheet.title, "=Chk_Banner"
        for column, head in enumerate((first, "Unit", "Source of the value", *HEADS), 1):
            sheet.cell(4, column).value = head
    rows = (("desktops", "Users", "desktops", (1500, None, 2200)), ("array", "Array", "-", ("Small", None, "Large")))
    for row, (key, label, unit, held) in enumerate(rows, 6):
        for column, each in enumerate((label, unit, "user", *held), 1):
            inputs.cell(row, column).value = each
        book.defined_names[f"In_{key}"] = DefinedName(f"In_{key}", attr_text=f"Inputs!$D${row}")
    rule = DataValidation("list", formula1=f'"{",".join(ARRAYS)}"')
    rule.add("D7:F7")
    inputs.add_data_validation(rule)
    for letter in "DEF":
        for row in (6, 7):
            sizing[f"{letter}{row}"].value = f"=IF(ISBLANK(Inputs!{letter}{row}),Inputs!$D{row},Inputs!{letter}{row})"
        sizing[f"{letter}8"].value = f'=ROUNDUP({letter}6/IF({letter}7="Small",500,2000),0)'
    for key in dict.fromkeys(("arrays_required", *COMPARE)):
        book.defined_names[f"Out_{key}"] = DefinedName(f"Out_{key}", attr_text="Sizing!$D$8")
    for name, place in (
        ("Chk_Master", "Sizing!$D$8"),
        ("Chk_Banner", "Sizing!$D$8"),
        ("Tbl_Designs", "Inputs!$D$4:$F$4"),
    ):
        book.defined_names[name] = DefinedName(name, attr_text=place)
    path = tmp_path_factory.mktemp("typed") / "typed.xlsx"
    book.save(path)
    return path


@pytest.fixture(params=[1, 2, 3, 4, 5, 6, 7], ids="before {}".format)
def book(typed: Path, tmp_path: Path, request: pytest.FixtureRequest) -> SizingBook:
    return open_book(with_column(tmp_path / "a.xlsx", typed, "Inputs", request.param, REMARKS))


def test_inputs_have_their_labels_and_units_and_are_set_by_either(book: SizingBook) -> None:
    assert {key: (i.label, i.unit, i.choices) for key, i in book.inputs.items()} == {
        "desktops": ("Users", "desktops", ()),
        "array": ("Array", "", tuple(ARRAYS)),
    }
    assert book.evaluate(book.settings(["Users=1001"]), ["arrays_required"]) == {"arrays_required": 3}


def test_each_design_has_its_own_results_and_entries(book: SizingBook) -> None:
    """1,500 users on arrays of 500, 2,200 on arrays of 2,000; the first what-if repeats the base."""
    rows = [(row[0], row[1], row[-1]) for row in designs(book).rows]
    assert rows == [("Base design", 3, ""), ("What-if 2", 2, "desktops=2,200; array=Large")]


def test_every_array_is_compared_in_the_column_of_a_what_if(book: SizingBook) -> None:
    """In the inserted column no array is chosen: each row was the result of one array."""
    assert [row[:2] for row in compare(book, ()).rows] == [("Small", 3), ("Large", 1)]


@pytest.mark.slow
def test_cost_review_and_timeline_show_the_design_chosen_beside_a_column_between_the_designs(tmp_path: Path) -> None:
    """They counted the inserted column: What-if 3 was shown under the name of What-if 2."""
    built = open_book(TEMPLATE)
    copy = open_book(with_column(tmp_path / "a.xlsx", TEMPLATE, "Inputs", 6, {4: "Remarks"}))

    def shown(book: SizingBook) -> dict[str, Scalar]:
        typed: dict[Address, Scalar] = {
            typed_in(book.cells, book.inputs["desktops"].beside, number): 1000.0 * number for number in (1, 2, 3)
        }
        typed |= {book.inputs[key].address: "What-if 2" for key in ("review_case", "timeline_case")}
        values = Evaluator(book.cells.with_values(typed))
        sheets = ("Cost review", "Timeline")
        cells = [at for sheet in sheets for at in built.cells.stored(sheet) if built.cells.formula(at)]
        return {at.a1: values.value(at) for at in cells}

    assert shown(copy) == shown(built)


@pytest.mark.slow
def test_the_workbook_leaves_without_its_prices_and_with_all_else(tmp_path: Path) -> None:
    """Beside the remarks, which no release has. The price is that of the second what-if."""
    book = open_book(with_column(tmp_path / "a.xlsx", TEMPLATE, "Inputs", 4, REMARKS))
    price, users = (typed_in(book.cells, book.inputs[key].beside, 2) for key in ("array_price", "desktops"))
    assert (price.column, users.column) == (7, 7)
    book = replace(book, cells=book.cells.with_values({price: SECRET, users: 2200.0}))
    left = without_prices(book)
    assert SECRET not in left.book.cells.values.values()
    assert left.book.cells.constant(users) == 2200
    assert [at.a1 for at in left.unknown] == ["Inputs!D4", "Inputs!D6"]
    assert left.results == ()


@pytest.mark.parametrize(
    ("text", "home", "built"),
    [
        ("=IF(COUNT(Inputs!E6)=0,Inputs!$E6,Capacity!E6)", "Design", "=IF(COUNT(Inputs!D6)=0,Inputs!$D6,Capacity!E6)"),
        ('=SUM(Inputs!D6:F9)&"Inputs!E6"', "Design", '=SUM(Inputs!D6:E9)&"Inputs!E6"'),
        ("=IF($E11=Arrays!$J$4,LOG10(E2),F11)", "Inputs", "=IF($D11=Arrays!$J$4,LOG10(D2),E11)"),
        ("=E6+Doc_E1", "Design", "=E6+Doc_E1"),
    ],
)
def test_a_formula_is_known_by_its_references_as_built(text: str, home: str, built: str) -> None:
    assert formula(text, home, {"Inputs": {1: 1, 2: 2, 3: 3, 5: 4, 6: 5}}) == built
