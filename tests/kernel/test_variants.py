"""Many values of a few cells: what reads them, by any way, is computed anew; the rest once; the results to the bit."""

from pathlib import Path

import pytest

from addin.kernel import Address, Cells, Evaluator, Scalar, Variants
from addin.workbook.book import open_book

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


def at(cell: str) -> Address:
    return Address.from_a1(f"S!{cell}")


WAYS = {  # how a formula reaches B1, or B2, which nobody has filled
    "directly": "=B1+1",
    "by a range": "=SUM(A1:C2)",
    "by a name": "=Typed*2",
    "by a look-up": "=INDEX(B1:B2,A1)",
    "through another formula": '=D1&"x"',
    "in one branch": "=IF(A1=1,A2,B1)",
    "a blank one": "=COUNT(B2)",
}


@pytest.mark.parametrize("way", WAYS)
def test_what_reads_a_cell_that_changes_is_computed_anew(way: str) -> None:
    values: dict[Address, Scalar] = {at("A1"): 1.0, at("A2"): 5.0, at("B1"): 3.0, at("D1"): "=B1*A2", at("D2"): "=A2+1"}
    cells = Cells({**values, at("E1"): WAYS[way]}, {"Typed": "S!$B$1"}, ("S",))
    targets = (at("E1"), at("D2"))
    variants = Variants(cells, [at("B1"), at("B2")], targets)
    pairs: tuple[tuple[Scalar, Scalar], ...] = ((7.0, None), (-2.0, 4.0), ("text", 0.0))
    for first, second in pairs:
        overrides = {at("B1"): first, at("B2"): second}
        alone = Evaluator(cells, overrides)
        assert [variants.values(overrides).value(each) for each in targets] == [alone.value(each) for each in targets]


def test_a_formula_that_is_replaced_is_a_value_then() -> None:
    cells = Cells({at("A1"): 2.0, at("B1"): "=A1*3", at("C1"): "=B1+1"}, {}, ("S",))
    variants = Variants(cells, [at("B1")], [at("C1")])
    assert variants.values({at("B1"): 10.0}).value(at("C1")) == 11.0
    assert variants.values({at("B1"): 20.0}).value(at("C1")) == 21.0
    assert Evaluator(cells).value(at("C1")) == 7.0


def test_a_cell_that_was_not_named_is_refused() -> None:
    variants = Variants(Cells({at("A1"): 2.0, at("C1"): "=A1+1"}, {}, ("S",)), [at("A1")], [at("C1")])
    with pytest.raises(ValueError, match="S!B7"):
        variants.values({at("B7"): 1.0})


@pytest.mark.slow
def test_every_result_of_the_workbook_is_that_of_an_evaluator_of_its_own() -> None:
    book = open_book(SHIPPED)
    inputs = [book.inputs[key].address for key in ("desktops", "array", "write_cache_gib")]
    places = [item.address for item in book.results.values()]
    variants = Variants(book.cells, inputs, places)
    for case in ((1, "NetApp AFF8040", None), (20_000, "NetApp FAS3270", 3.0), (1500, "Dell EqualLogic PS6510E", 0.0)):
        overrides = dict(zip(inputs, (float(case[0]), *case[1:]), strict=True))
        shared, alone = variants.values(overrides), Evaluator(book.cells, overrides)
        assert {each.a1: shared.value(each) for each in places} == {each.a1: alone.value(each) for each in places}


def test_the_order_is_that_of_the_formulas_that_there_are() -> None:
    """A copy in which a formula is a value has an order of its own."""
    cells = Cells({at("A1"): 2.0, at("B1"): "=A1*3", at("C1"): "=B1+1"}, {}, ("S",))
    assert Evaluator(cells).value(at("C1")) == 7.0
    assert Evaluator(cells, {at("A1"): 3.0}).value(at("C1")) == 10.0
    assert Evaluator(cells, {at("B1"): 1.0}).value(at("C1")) == 2.0
    assert Evaluator(cells.with_formula(at("C1"), "=B1*A1")).value(at("C1")) == 12.0
    assert Evaluator(cells).value(at("C1")) == 7.0
