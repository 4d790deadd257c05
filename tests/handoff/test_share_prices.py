"""Prices of a cloud share are prices: a workbook without them has none, typed or listed, and no cost made of one."""

import re
from dataclasses import replace

import pytest

from addin.kernel import Address, Scalar
from addin.live import page
from addin.prices import LEFT_OUT, Priceless, without_prices
from addin.results.document.design_chapters import scope
from addin.results.document.reading import Reading
from addin.workbook.book import SizingBook, open_book
from tests.support.live_sets import SHIPPED

LISTED = (
    *("container_place=on a cloud share", "share_service=Azure Files SSD v2", "desktops=1000", "container_gib=30"),
    *("capacity_headroom_ratio=0", "share_signins=all at once", "container_block_kib=16", "array_price=90000"),
    "price_basis=dated list prices",
)
TYPED = (*LISTED[:-1], "share_gib_price=0.314159", "share_iops_price=0.0271828", "share_mib_price=0.0577215")
DIGITS = ("314159", "271828", "577215")
COST = "4,296.65"


def book(*settings: str) -> SizingBook:
    made = open_book(SHIPPED)
    return replace(made, cells=made.cells.with_values(made.settings(settings)))


def values(priceless: Priceless) -> dict[Address, Scalar]:
    return {at: priceless.book.values().value(at) for at in priceless.book.cells.values}


@pytest.mark.parametrize("settings", [LISTED, TYPED], ids=["listed", "typed"])
def test_no_cell_of_a_workbook_without_prices_holds_one_of_the_share(settings: tuple[str, ...]) -> None:
    priced = book(*settings)
    (told,) = priced.evaluate({}, ["share_cost_told"]).values()
    assert "USD a month" in str(told)
    priceless = without_prices(priced)
    shown = values(priceless)
    texts = " ".join(str(value) for value in shown.values() if isinstance(value, str))
    assert not re.search(r"\d USD a month|0\.000\d{2}", texts)
    assert "list prices of 2026" not in texts
    figures = {f"{value:.6g}" for value in shown.values() if isinstance(value, float)}
    assert figures.isdisjoint({"0.314159", "0.0271828", "0.0577215", "0.10001", "0.14746", "4296.65", "4.29665"})
    assert priceless.book.evaluate({}, ["share_cost_month"]) == {"share_cost_month": "enter a price"}


def test_the_list_prices_stay_at_home_too() -> None:
    priceless = without_prices(book(*LISTED))
    prices = priceless.book.cells
    first = next(at for at, value in prices.values.items() if value == "Azure Files SSD v2, eastus2")
    row = [at for at in priceless.hidden if at[:2] == first[:2]]
    assert len(row) >= 3  # a GiB, an IOPS, a MiB/s
    assert {priceless.shown({})[at] for at in row} == {LEFT_OUT}


@pytest.mark.slow
def test_the_page_holds_the_prices_of_the_share_only_where_it_may() -> None:
    priced = book(*TYPED, LISTED[-1])
    without, held = (page(priced, prices=told).decode() for told in (False, True))
    figures = (*DIGITS, "0.10001", "0.14746")
    assert [each for each in (*figures, COST) if each in without] == []
    assert all(each in held for each in figures)


def test_the_scope_tells_the_cost_of_the_share_with_its_day_only_with_prices() -> None:
    def said(made: SizingBook) -> str:
        return " ".join(str(block) for block in scope(Reading(made)).blocks)

    priced = book(*LISTED)
    assert f"cost: {COST} USD a month, 4.30 a user, list prices of 2026-09-19, eastus2: verify" in said(priced)
    assert "cost: enter a price" in said(without_prices(priced).book)
    assert "2026-09-19" not in said(without_prices(priced).book)
