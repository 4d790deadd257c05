"""The quote that changes the choice: of one array against the cheapest design of all others, as sure as is asked."""

import pytest

from addin.simulation.turning import Priced, turns

TWO = (
    Priced("One", "One x 1", 0.5, 165.0, 150.0, 1.1),
    Priced("One", "One x 2", 1.0, 330.0, 150.0, 2.2),
    Priced("Two", "Two x 2", 0.8, 180.0, 80.0, 2.0),
    Priced("Two", "Two x 3", 1.0, 240.0, 80.0, 3.0),
    Priced("Two", "Two x 4", 1.0, 320.0, 80.0, 4.0),
)


def test_a_quote_turns_the_choice_and_not_the_order_of_two_others() -> None:
    """By hand, 90 % sure: One x 2 costs 2.2 times its quote and Two x 3 240: 240 / 2.2, and 330 / 3 of Two x 3."""
    found = turns(TWO, (0.9,))
    assert {name: turn.rival for name, turn in found.items()} == {"One x 2": "Two x 3", "Two x 3": "One x 2"}
    assert found["One x 2"].quote == pytest.approx(240 / 2.2)
    assert found["Two x 3"].quote == pytest.approx(110)


def test_where_money_decides_each_array_has_one_quote_that_turns_the_choice() -> None:
    """By hand: Two x 2 costs 165, as One x 1 does, at 80 - 15 / 2 = 72.5, where Two x 3 still costs 217.5."""
    found = turns(TWO, (0.0,))
    assert {name: turn.rival for name, turn in found.items()} == {"One x 1": "Two x 2", "Two x 2": "One x 1"}
    assert found["One x 1"].quote == pytest.approx(180 / 1.1)
    assert found["Two x 2"].quote == pytest.approx(72.5)


def test_of_several_certainties_the_change_nearest_to_the_quote_is_named() -> None:
    """By hand: One x 2 costs 180 at 81.8 and 240 at 109.1; of 150 the latter is nearer."""
    found = turns(TWO, (0.8, 0.9))["One x 2"]
    assert (round(found.quote, 1), found.rival) == (109.1, "Two x 3")


def test_without_a_quote_or_another_array_nothing_turns() -> None:
    assert turns(TWO[:2], (0.0,)) == {}
    assert "Two x 2" not in turns((*TWO[:2], Priced("Two", "Two x 2", 0.8, 180.0)), (0.0,))
