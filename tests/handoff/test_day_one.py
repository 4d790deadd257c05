"""The arrays of the answer and those of the years in one document: why they are not the same number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from addin.results.document.blocks import Text
from addin.results.document.money_chapters import day_one
from addin.results.document.reading import Reading
from addin.workbook.book import open_book
from tests.support.live_sets import SHIPPED

DESIGN = ("desktops=4800", "array_price=180000", "years=3")


def told(*settings: str, prices: bool = True) -> list[str]:
    """Return what the document says of day one."""
    book = open_book(SHIPPED)
    changed = replace(book, cells=book.cells.with_values(book.settings((*DESIGN, *settings))))
    return [each.text.replace("\u00a0", " ") for each in day_one(Reading(changed, prices)) if isinstance(each, Text)]


@pytest.mark.parametrize("prices", [True, False])
def test_where_growth_buys_arrays_the_document_says_which_cost_pays_which(prices: bool) -> None:
    (said,) = told("growth_per_year_ratio=10%", prices=prices)
    assert said.startswith(
        "The answer is of day one, 9 arrays; a year is sized for the desktops it has to hold: "
        "10 arrays in the first, 12 in the last."
    )
    assert ("The cost of day one and cost per desktop count those of day one" in said) == prices


def test_without_growth_there_is_nothing_to_tell() -> None:
    assert told() == []
