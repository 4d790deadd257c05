"""Amounts on the page are in the currency that is typed there, each design's in its own."""

from __future__ import annotations

import pytest

from tests.live.test_entries import OPEN_ALL, field, said
from tests.support.live_pages import click, shown, text

pytestmark = pytest.mark.slow
TYPED = {
    "array_price": "90000",
    "discount_ratio": "12%",
    "support_ratio": "10%",
    "years": "7",
    "growth_per_year_ratio": "11%",
}
LABEL = "(entry => document.querySelector(`label[for='${entry}']`).textContent)"
ROWS = "[...document.querySelectorAll('#sides tbody tr')].map(row => [...row.children].map(cell => cell.textContent))"


@pytest.fixture
def quoted(again, program):
    """The page with a quote in the currency of the workbook, all fields open."""
    again.evaluate(OPEN_ALL)
    again.settle()
    for key, value in TYPED.items():
        again.fill(field(program, key), value)
    yield again
    if shown(again, "unpin"):
        click(again, "unpin")


def test_every_amount_has_the_currency_that_is_typed(quoted, program):
    quoted.fill(field(program, "currency"), "CHF")
    quoted.fill(field(program, "budget"), "500000")
    quoted.settle()
    price = field(program, "array_price")
    assert said(quoted, price) == ["read as 90,000 CHF", "false"]
    assert quoted.evaluate(f"{LABEL}('{price[1:]}')").endswith(", CHF")
    assert "CHF" in text(quoted, f"{price[1:]}-help")
    assert "Arrays, CHF" in text(quoted, "years")
    assert "Paid in the year, CHF" in quoted.evaluate(
        "document.querySelector('#year-charts svg').getAttribute('aria-label')"
    )
    assert "CHF/desktop" in text(quoted, "bar-rest")
    assert "Budget for all years: blank \u2192 500,000 CHF" in text(quoted, "changes")
    every = quoted.evaluate("document.body.innerText").splitlines()
    assert [line for line in every if "USD" in line and "dated list prices" not in line] == [
        "Currency of all amounts: USD \u2192 CHF"
    ]
    quoted.fill(field(program, "tariff_per_kwh"), "much")
    assert said(quoted, field(program, "tariff_per_kwh"))[0].endswith("Write a number in CHF/kWh.")


def test_a_number_opened_and_its_sweep_are_in_the_currency_typed(quoted, program):
    quoted.fill(field(program, "currency"), "CHF")
    quoted.evaluate(
        f"document.querySelector('{field(program, 'array_price')}').parentElement.querySelector('.moves').click()"
    )
    quoted.wait_for("document.querySelector('#moves-drawn svg')")
    assert "USD" not in text(quoted, "chain").replace("The saved workbook has", "")
    assert "CHF" in text(quoted, "moves-told")
    quoted.evaluate("document.getElementById('chain-close').click()")


def test_amounts_of_two_designs_in_two_currencies_are_not_subtracted(quoted, program):
    click(quoted, "pin")
    quoted.fill(field(program, "currency"), "CHF")
    quoted.fill(field(program, "array_price"), "80000")
    quoted.settle()
    rows = {label: cells for label, *cells in quoted.evaluate(ROWS)}
    amounts = [cells for label, cells in rows.items() if label.endswith(", CHF")]
    assert len(amounts) == 3, rows  # of a desktop, of all of them, net present
    assert all([cell.rpartition(" ")[2] for cell in cells] == ["USD", "CHF", "differs"] for cells in amounts)
    assert "90,000 USD \u2192 80,000 CHF" in text(quoted, "sides-inputs")
    click(quoted, "split")
    quoted.wait_for("document.querySelector('#bridges figure')")
    assert "in USD in design A and in CHF in design B" in text(quoted, "bridges")
