"""A price that is typed as a formula is an input that changed: with its value, its label and its bar."""

from __future__ import annotations

from dataclasses import replace

import pytest

from addin.diff.bridge import bridge, wanted
from addin.diff.compared import Difference, compare
from addin.kernel import Address, Cells
from addin.shell import diff_text
from addin.workbook.book import SizingBook, open_book
from tests.support.live_sets import SHIPPED

pytestmark = pytest.mark.slow
CARD = ("array=My array 1", "My array 1.capacity_tib=40", "My array 1.capacity_kind=usable", "My array 1.iops=90000")


@pytest.fixture(scope="module")
def shipped() -> SizingBook:
    return open_book(SHIPPED)


def typed(book: SizingBook, *settings: str) -> SizingBook:
    return replace(book, cells=book.cells.with_values(book.settings(settings)))


def with_cell(book: SizingBook, at: Address, text: str) -> SizingBook:
    cells: Cells = book.cells.with_formula(at, text) if text.startswith("=") else book.cells.with_values({at: text})
    return replace(book, cells=cells)


def told(found: Difference) -> str:
    return diff_text.text(found, [bridge(found, item, lambda done, total: None) for item in wanted(found, [])])


def test_a_quote_typed_as_a_formula_is_an_input_with_value_and_bar(shipped: SizingBook) -> None:
    old = typed(shipped, "array_price=90000")
    found = compare(old, with_cell(old, shipped.inputs["array_price"].address, "=120000*0.9"))
    ((key, label, before, now, note),) = [(c.key, c.label, c.old, c.new, c.note) for c in found.inputs]
    assert (key, label, before, now) == ("array_price", "Quote for one array", 90000, 108000)
    assert note == "user, typed as =120000*0.9"
    assert (found.formulas, found.catalogue) == ((), ())
    text = told(found)
    assert "Quote for one array: 90,000 -> 108,000  +" in text
    assert "Formulas and catalogue" not in text


def test_the_price_of_an_own_array_typed_as_a_formula_keeps_its_key(shipped: SizingBook) -> None:
    old = typed(shipped, *CARD, "My array 1.price=100000")
    found = compare(old, with_cell(old, shipped.own["My array 1.price"].address, "=120000*0.9"))
    assert [(c.key, c.old, c.new) for c in found.own] == [("My array 1.price", 100000, 108000)]
    assert found.formulas == ()


def test_a_formula_that_gives_the_same_value_is_said_and_has_no_bar(shipped: SizingBook) -> None:
    old = typed(shipped, "array_price=90000")
    found = compare(old, with_cell(old, shipped.inputs["array_price"].address, "=100000*0.9"))
    assert [(c.key, c.old, c.new, c.note) for c in found.inputs] == [
        ("array_price", 90000, 90000, "user, typed as =100000*0.9")
    ]
    assert (found.results, found.changed.pairs) == ((), [])


def test_one_formula_in_both_copies_is_no_difference(shipped: SizingBook) -> None:
    both = with_cell(shipped, shipped.inputs["array_price"].address, "=120000*0.9")
    assert compare(both, both).none


def test_another_formula_in_an_input_is_compared_by_its_value(shipped: SizingBook) -> None:
    at = shipped.inputs["array_price"].address
    found = compare(with_cell(shipped, at, "=100000*0.9"), with_cell(shipped, at, "=120000*0.9"))
    assert [(c.key, c.old, c.new) for c in found.inputs] == [("array_price", 90000, 108000)]


def test_a_price_of_a_what_if_typed_as_a_formula_is_an_input(shipped: SizingBook) -> None:
    beside = shipped.inputs["array_price"].beside
    at = beside._replace(column=beside.column + 1)
    found = compare(shipped, with_cell(shipped, at, "=120000*0.9"))
    assert [(c.key, c.where, c.new, c.note) for c in found.inputs] == [
        ("array_price", at.a1, 108000, "what-if, typed as =120000*0.9")
    ]
    assert found.formulas == ()


def test_a_typed_customer_has_its_label(shipped: SizingBook) -> None:
    at = shipped.address(shipped.cells.names["Doc_customer"], "Doc_customer")
    found = compare(shipped, with_cell(shipped, at, "ACME"))
    assert [(c.label, c.where, c.old, c.new) for c in found.inputs] == [("Customer", at.a1, None, "ACME")]
    assert (found.catalogue, found.texts) == ((), ())


def test_rows_of_a_bridge_are_labels(shipped: SizingBook) -> None:
    old = typed(shipped, "array_price=90000")
    text = told(compare(old, typed(old, "desktops=3200", "array_price=95000")))
    assert "Users: 1,500 -> 3,200" in text.partition("Bridge of")[2]
    assert "desktops: 1,500" not in text.partition("Bridge of")[2]
