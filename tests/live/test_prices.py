"""What leaves without prices holds none; the same workbook gives the same bytes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from addin.live import page
from addin.prices import without_prices
from addin.workbook.book import open_book
from tests.live.conftest import SHIPPED
from tests.support.javascript import legible

pytestmark = pytest.mark.slow
QUOTES = {
    "array_price": 918273.0,
    "discount_ratio": 0.37193,
    "support_ratio": 0.17391,
    "budget": 7654321.0,
    "capital_rate_ratio": 0.071717,
    "tariff_per_kwh": 0.31313,
    "host_price": 13579.531,
    "admin_cost_per_h": 97.531,
    "installation_cost": 24681.375,
    "resale_ratio": 0.13531,
    "My array 1.price": 565656.0,
}


@pytest.fixture(scope="module")
def quoted(book):
    typed = {book.entry(key).address: value for key, value in QUOTES.items()}
    beside = book.inputs["array_price"].beside
    typed |= {beside._replace(column=beside.column + 1): 424242.0}
    return replace(book, cells=book.cells.with_values(typed))


def test_without_prices_no_digit_of_one_is_in_the_bytes(quoted):
    made = legible(page(quoted, prices=False).decode())
    prices = (*QUOTES.values(), 424242.0)
    assert [value for value in prices if f"{value:.10g}" in made] == []
    # with a separator it is a number of its own: a list of places may have its digits side by side by chance
    grouped = [f"{value:,.0f}" for value in prices if value > 1000]
    assert [text for text in grouped if re.search(rf"(?<!\d){text}(?!\d)", made)] == []
    npv, cost = (quoted.evaluate({}, [key])[key] for key in ("npv", "cost_per_desktop"))
    assert isinstance(npv, float)
    assert isinstance(cost, float)
    assert f"{npv:.6g}"[:6] not in made
    assert repr(cost) not in made


def test_with_prices_they_are(quoted):
    made = page(quoted, prices=True).decode()
    assert "918273" in legible(made)


def test_without_prices_the_design_still_has_its_answer(quoted):
    left = without_prices(quoted).book
    keys = ["status", "arrays_required", "boot_minutes", "cost_per_desktop"]
    assert {**quoted.evaluate({}, keys), "cost_per_desktop": "enter a quote"} == left.evaluate({}, keys)
    assert left.values().value(left.address(left.cells.names["Chk_Master"], "Chk_Master")) == 0


def test_the_same_workbook_gives_the_same_bytes(live):
    assert page(open_book(SHIPPED), prices=True) == live
