"""What the document says of an own array: a blank of its card is not derived from it."""

from dataclasses import replace

import pytest

from addin.results.document.array_card import card
from addin.results.document.reading import Reading
from addin.workbook.book import open_book
from tests.support.live_sets import SHIPPED

CARD = ("capacity_tb=46", "capacity_kind=usable", "iops=250000", "read_ratio=0.7", "latency_ms=0.5")


def said(*more: str) -> dict[str, str]:
    """Return the source that the document gives each figure of the array."""
    book = open_book(SHIPPED)
    typed = (f"My array 1.{each}" for each in (*CARD, "controllers_active=2", *more))
    settings = book.settings(("array=My array 1", *typed))
    return {label: source for label, _, source in card(Reading(replace(book, cells=book.cells.with_values(settings))))}


@pytest.mark.slow
def test_a_blank_of_the_card_is_not_derived_from_it() -> None:
    found = said()
    assert found["Base latency S"] == "not entered"
    assert found["Write weight, in the base design"] == "assumed: not on its card"


@pytest.mark.slow
def test_no_value_begins_with_a_comma() -> None:
    """A list of what a paper leaves out is joined on the sheet with a comma before each word."""
    book = open_book(SHIPPED)
    cells = book.cells.with_values(book.settings(("array=Kaminario K2 (one K-Block)",)))
    values = [value for _, value, _ in card(Reading(replace(book, cells=cells)))]
    assert [value for value in values if value.startswith("IOPS of pure reads, work of a write")]
    assert [value for value in values if value.startswith(",")] == []


@pytest.mark.slow
def test_what_the_card_tells_is_its_own() -> None:
    found = said("write_weight=2", "base_latency_ms=0.2")
    assert found["Write weight, in the base design"] == "derived: from its card"
    assert found["Base latency S"] != "not entered"
