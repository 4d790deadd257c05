"""A quote in another currency counts with a typed rate, and without one gives words: two currencies are not ranked."""

import pytest

from addin.kernel import Scalar
from tests.support.answers import answers, changed, number
from tests.support.input_sets import Value, own_arrays
from tests.support.money import BUILT, CELLS, DEAR, FAST

DESIGN: dict[str, Value] = {"array": "My array 1", "array_price": None, "failover": "no"}


def said(card: dict[str, Value], design: dict[str, Value], *keys: str) -> tuple[Scalar, ...]:
    """Return results of a design on an own array with a quote of 100,000, in the first what-if."""
    cells = changed(CELLS, own_arrays(BUILT, [{**FAST, "price": 100_000.0, **card}]))
    return answers(BUILT, cells, [DEAR, {**DESIGN, **design}], *keys)[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("card", "price", "missing"),
    [
        ({}, 100_000, 0),
        ({"quote_currency": "USD"}, 100_000, 0),
        ({"quote_currency": "usd", "quote_rate": 1.1}, 100_000, 0),  # that of the workbook needs no rate
        ({"quote_rate": 1.1}, 100_000, 0),
        ({"quote_currency": "EUR", "quote_rate": 1.08}, 108_000, 0),
        ({"quote_currency": "EUR"}, "no rate", 1),
        ({"quote_currency": "EUR", "quote_rate": "parity"}, "no rate", 1),
    ],
)
def test_a_quote_counts_in_the_currency_of_the_workbook_or_not_at_all(
    card: dict[str, Value], price: Value, missing: int
) -> None:
    shown, flag, worth, total, rests = said(card, {}, "price_shown", "rate_missing", "npv", "cost_total", "cost_status")
    assert (shown, flag) == (price, missing)
    assert ({worth, total} == {"no rate"}) == bool(missing)
    assert missing or number(total) % number(shown) == 0
    assert str(rests).startswith("no rate" if missing else "quote on file")  # "no quote" of one that is on file


def test_a_price_typed_for_the_design_needs_no_rate() -> None:
    typed = said({"quote_currency": "EUR"}, {"array_price": 90_000.0}, "price_shown", "rate_missing")
    assert typed == (90_000, 0)


def test_containers_on_an_array_without_a_rate_have_no_cost() -> None:
    away: dict[str, Value] = {
        **{"array_price": 90_000.0, "container_place": "another array"},
        **{"container_array": "My array 1", "container_gib": 30.0},
    }
    assert said({"quote_currency": "EUR"}, away, "container_cost", "rate_missing") == ("no rate", 1)
    assert said({"quote_currency": "EUR", "quote_rate": 1.0}, away, "rate_missing") == (0,)
