"""Two copies in two currencies: each amount with its own, none subtracted from one in the other."""

from __future__ import annotations

import pytest

from addin.diff.bridge import bridge, wanted
from addin.diff.compared import Difference, compare
from addin.shell import diff_text
from addin.workbook.book import SizingBook
from tests.diff.conftest import changed

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(book: SizingBook) -> Difference:
    return compare(book, changed(book, {"currency": "EUR", "array_price": 80000.0, "desktops": 2600.0}))


def test_an_amount_of_each_copy_has_its_own_currency(found: Difference) -> None:
    units = {change.key: change.units for change in (*found.inputs, *found.results)}
    assert units["array_price"] == units["npv"] == ("USD", "EUR")
    assert units["cost_per_desktop"] == ("USD/desktop", "EUR/desktop")
    assert units["desktops"] == ("desktops", "desktops")
    said = diff_text.text(found, [])
    assert "Quote for one array: 90,000 USD -> 80,000 EUR (user)" in said
    assert "1,500 -> 2,600 desktops" in said


def test_no_bridge_is_made_of_amounts_in_two_currencies(found: Difference) -> None:
    made = {item.key: bridge(found, item, lambda done, total: None) for item in wanted(found, [])}
    for key in ("npv", "cost_per_desktop"):
        assert made[key].bars == ()
        assert "two currencies are not subtracted" in made[key].refusal
        assert not isinstance(made[key].old, float)
    assert made["arrays_required"].bars
    said = diff_text.text(found, list(made.values()))
    assert "USD -> " in next(line for line in said.splitlines() if line.startswith("Bridge of Present cost"))


def test_a_currency_alone_names_the_results_that_now_mean_another_amount(book: SizingBook) -> None:
    found = compare(book, changed(book, {"currency": "EUR"}))
    assert found.results == ()
    apart, results, typed = found.notes[:3]
    assert apart.startswith("The old copy is in USD, the new one in EUR: ")
    assert results.startswith("The same number, but in EUR for USD, in these results: ")
    assert {"npv", "cost_per_desktop", "cost_total"} <= set(results.rstrip(".").partition("results: ")[2].split(", "))
    assert typed == "The same number, but in EUR for USD, in these typed amounts: array_price."


def test_copies_in_one_currency_say_nothing_of_it(book: SizingBook) -> None:
    euros = changed(book, {"currency": "EUR"})
    found = compare(euros, changed(euros, {"array_price": 80000.0}))
    assert [change.unit for change in found.inputs] == ["EUR"]
    assert not any("currency" in note for note in found.notes)
