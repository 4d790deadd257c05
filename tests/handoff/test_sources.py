"""What stands in the document for an input that is blank: its status and the reason beside it."""

from __future__ import annotations

import dataclasses

import pytest

from addin.results.document.blocks import Grid
from addin.results.document.reading import Reading
from addin.results.document.review_chapters import sources
from addin.results.document.sources import Origin, Origins
from addin.workbook.book import open_book
from tests.support.live_sets import SHIPPED


def origins(*settings: str) -> dict[str, Origin]:
    """Return the inputs of the shipped design, some of them changed, by key."""
    book = open_book(SHIPPED)
    changed = dataclasses.replace(book, cells=book.cells.with_values(book.settings(settings)))
    return {each.item.key: each for each in Origins(Reading(changed)).inputs}


@pytest.mark.slow
def test_a_likely_value_and_the_limit_of_a_class_are_assumptions_with_their_reason() -> None:
    told = origins()
    for key, value, reason in (
        ("data_reduction_ratio", "6:1", "the method's likely value; without inline reduction only arrays that"),
        ("image_reduction_ratio", "2:1", "likely value; not published; compressed, and the copies of an image"),
        ("user_data_reduction_ratio", "2:1", "likely value; office files, mostly compressed already"),
        ("swap_reduction_ratio", "1:1", "likely value; memory pages, written once"),
        ("latency_limit_ms", "5\u00a0ms", "limit of the array's class; what flash arrays are bought for"),
    ):
        assert (told[key].value, told[key].status) == (value, "assumed"), key
        assert reason in told[key].source


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "key", "reason"),
    [
        (("array=Dell EqualLogic PS6510E",), "latency_limit_ms", "criterion of the EQL tests (EQL-046); range 10-30"),
        (("provisioning=Full clone",), "data_reduction_ratio", "clones that are patched one by one"),
    ],
)
def test_the_reason_is_that_of_the_class_and_method_chosen(settings: tuple[str, ...], key: str, reason: str) -> None:
    assert reason in origins(*settings)[key].source


@pytest.mark.slow
def test_an_array_that_reduces_less_than_is_likely_is_no_assumption() -> None:
    own = ("array=My array 1", "My array 1.capacity_tib=40", "My array 1.capacity_kind=usable", "My array 1.iops=90000")
    told = origins(*own, "My array 1.reduction_ratio=3")["data_reduction_ratio"]
    assert (told.value, told.status) == ("3:1", "derived")


@pytest.mark.slow
def test_a_quote_has_its_own_currency_and_the_price_says_that_it_is_the_quote() -> None:
    """A price of 90,000 EUR read "90,000 USD" among the own cards, and the price of the design "the profile's"."""
    array = "NetApp AFF8040"
    fields = ("price=90000", "quote_currency=EUR", "quote_rate=1.1", "quote_id=Q1", "support_included_years=3")
    settings = (f"array={array}", *(f"{array}.{field}" for field in fields))
    book = open_book(SHIPPED)
    book = dataclasses.replace(book, cells=book.cells.with_values(book.settings(settings)))
    assert book.own[f"{array}.price"].unit == "EUR"
    assert book.own["Huawei Dorado 6000 V3.price"].unit == "USD"
    told = {each.item.key: each for each in Origins(Reading(book, True)).inputs}
    assert told["array_price"].value == "99,000\u00a0USD"
    for key in ("array_price", "support_included_years"):
        assert told[key].source == "not entered: from the quote on file, 90,000\u00a0EUR, Q1", key
    own = {row[0]: row[2] for block in sources(Reading(book, True), Origins(Reading(book, True))).blocks
           if isinstance(block, Grid) and block.caption == "Own cards" for row in block.rows}  # fmt: skip
    assert own[f"{array}.price"] == "90,000\u00a0EUR"
