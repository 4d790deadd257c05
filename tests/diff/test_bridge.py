"""Bridges: bars add up to the change, are Shapley values, and no order of the inputs matters."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import pytest

from addin.diff import bridge as bridges
from addin.diff.bridge import FORMULAS, OTHERS, Bridge, bridge, wanted
from addin.diff.compared import compare
from addin.kernel import Scalar
from addin.workbook.book import SizingBook
from tests.diff.conftest import changed

OLD: dict[str, Scalar] = {"desktops": 1500.0, "failover": "yes", "discount_ratio": 0.0, "growth_ratio": 0.0}
NEW: dict[str, Scalar] = {"desktops": 2600.0, "failover": "no", "discount_ratio": 0.3, "growth_ratio": 0.15}

pytestmark = pytest.mark.slow


def made(old: SizingBook, new: SizingBook, key: str) -> Bridge:
    found = compare(old, new, outcomes=False)  # which no bridge reads
    (item,) = wanted(found, [key])
    return bridge(found, item, lambda done, total: None)


def change(found: Bridge) -> float:
    assert isinstance(found.old, float)
    assert isinstance(found.new, float)
    return found.new - found.old


def value(book: SizingBook, settings: dict[str, Scalar], key: str) -> float:
    """Return a result of the base design, computed cell by cell."""
    computed = book.values({book.inputs[k].address: each for k, each in settings.items()})
    result = computed.value(book.results[key].address)
    assert isinstance(result, float)
    return result


def amounts(found: Bridge) -> dict[str, float]:
    return {bar.key or bar.label: bar.amount for bar in found.bars}


def by_permutations(book: SizingBook, key: str, keys: Sequence[str]) -> dict[str, float]:
    """Return the average effect of each input over every order of them, computed cell by cell."""
    corners = {}
    for size in range(len(keys) + 1):
        for chosen in itertools.combinations(keys, size):
            corners[frozenset(chosen)] = value(book, {k: NEW[k] if k in chosen else OLD[k] for k in keys}, key)
    totals = dict.fromkeys(keys, 0.0)
    for order in itertools.permutations(keys):
        done = frozenset[str]()
        for each in order:
            totals[each] += corners[done | {each}] - corners[done]
            done |= {each}
    return {each: total / math.factorial(len(keys)) for each, total in totals.items()}


@pytest.mark.parametrize("key", ["npv", "arrays_required"])
def test_bars_are_the_average_over_every_order(book: SizingBook, key: str) -> None:
    found = made(changed(book, OLD), changed(book, NEW), key)
    expected = by_permutations(book, key, list(NEW))
    unmoved = {each for each in NEW if each not in amounts(found)}
    assert all(expected.pop(each) == 0 for each in unmoved)  # the result does not read it
    assert amounts(found) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert math.fsum(amounts(found).values()) == pytest.approx(change(found), rel=1e-9)


def test_the_bars_do_not_depend_on_the_order_of_the_inputs(book: SizingBook) -> None:
    found = compare(changed(book, OLD), changed(book, NEW), outcomes=False)
    (item,) = wanted(found, ["npv"])
    first = bridge(found, item, lambda done, total: None)
    found.changed.pairs.reverse()
    second = bridge(found, item, lambda done, total: None)
    assert amounts(second) == pytest.approx(amounts(first), rel=1e-12, abs=1e-9)
    assert [bar.label for bar in second.bars] == [bar.label for bar in first.bars]


@pytest.mark.parametrize("seed", range(2))
def test_random_changes_add_up(book: SizingBook, seed: int) -> None:
    draw = random.Random(seed)
    numbers = [
        item
        for item in book.inputs.values()
        if isinstance(book.cells.constant(item.address), float) and None not in (item.minimum, item.maximum)
    ]
    near: dict[str, Scalar] = {}
    for item in draw.sample(numbers, 7):
        typed = book.cells.constant(item.address)
        assert isinstance(typed, float)
        assert item.minimum is not None
        assert item.maximum is not None
        near[item.key] = min(max(round(typed * draw.choice([0.8, 0.9, 1.25]), 3), item.minimum), item.maximum)
    other = changed(book, near)
    for key in ("npv", "cost_per_desktop", "ratio_largest"):
        found = made(book, other, key)
        assert found.refusal == "", (near, found.refusal)
        assert math.fsum(amounts(found).values()) == pytest.approx(change(found), rel=1e-9, abs=1e-9)


def test_an_edited_formula_is_the_first_bar(book: SizingBook) -> None:
    at = book.results["npv"].address
    new = changed(book, {"array_price": 120000.0}, {at.a1: f"{book.cells.formula(at)}+1000"})
    found = made(book, new, "npv")
    assert found.bars[0].label == FORMULAS
    assert found.bars[0].amount == pytest.approx(1000.0)
    assert amounts(found)["array_price"] == pytest.approx(90000.0)
    assert FORMULAS not in amounts(made(book, changed(book, {"array_price": 120000.0}), "npv"))


def test_an_input_that_the_result_does_not_read_has_no_bar(book: SizingBook) -> None:
    other = changed(book, {"desktops": 2000.0, "array_price": 95000.0})
    assert set(amounts(made(book, other, "arrays_required"))) == {"desktops"}


def test_no_bridge_leads_through_a_corner_without_a_number(book: SizingBook) -> None:
    card: dict[str, Scalar] = {"My array 1.capacity_tib": 40.0, "My array 1.iops": 90000.0, "My array 1.price": 50000.0}
    old = changed(book, {**card, "array": "NetApp AFF8040"})
    found = made(old, changed(book, {**card, "array": "My array 1", "array_price": None}), "npv")
    assert found.bars == ()
    assert found.refusal == "npv is 'enter a quote' with the old array and the new array_price"
    quote = made(changed(book, {"array_price": None}), book, "npv")
    assert quote.refusal == "npv is 'enter a quote' in the old copy"


def test_a_renamed_row_is_no_change_of_the_input_that_names_it(book: SizingBook) -> None:
    title = next(a for a, value in book.cells.values.items() if value == "My array 1" and a.sheet == "My arrays")
    card: dict[str, Scalar] = {
        "My array 1.capacity_tib": 40.0,
        "My array 1.capacity_kind": book.own["My array 1.capacity_kind"].choices[0],
        "My array 1.iops": 90000.0,
    }
    before = changed(book, {**card, "array": "My array 1"})
    after = changed(before, {"array": "Ours", "desktops": 2000.0}, {title.a1: "Ours"})
    found = made(before, after, "capacity_required_gib")
    assert found.refusal == ""
    assert set(amounts(found)) <= {"desktops", FORMULAS}
    assert amounts(found)["desktops"] == pytest.approx(change(found))


def test_beyond_ten_inputs_the_rest_is_one_bar(book: SizingBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridges, "MOST", 2)
    found = made(changed(book, OLD), changed(book, NEW), "npv")
    assert [bar.label for bar in found.bars][-1] == OTHERS
    assert len(found.bars) == 3
    assert math.fsum(amounts(found).values()) == pytest.approx(change(found), rel=1e-9)
    alone = {k: abs(value(book, {k: NEW[k]}, "npv") - 270000.0) for k in NEW}
    strongest = sorted(alone, key=lambda key: -alone[key])[:2]
    assert {bar.key for bar in found.bars[:2]} == set(strongest)
    assert "4 inputs changed" in found.notes[0]
