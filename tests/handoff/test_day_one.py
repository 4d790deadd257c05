"""Money in one document: why arrays of the answer and of the years differ, and the lines of the cost that add up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from addin.results.document.blocks import Grid, Text
from addin.results.document.money_chapters import cost, day_one
from addin.results.document.reading import Reading
from addin.workbook.book import open_book
from tests.support.live_sets import SHIPPED

DESIGN = ("desktops=4800", "array_price=180000", "years=3")


def read(*settings: str, prices: bool = True) -> Reading:
    book = open_book(SHIPPED)
    return Reading(replace(book, cells=book.cells.with_values(book.settings((*DESIGN, *settings)))), prices)


def told(*settings: str, prices: bool = True) -> list[str]:
    """Return what the document says of day one."""
    blocks = day_one(read(*settings, prices=prices))
    return [each.text.replace("\u00a0", " ") for each in blocks if isinstance(each, Text)]


@pytest.mark.parametrize("prices", [True, False])
def test_the_lines_of_the_cost_add_up_and_leave_with_prices_only(prices: bool) -> None:
    """By hand: 10 arrays at 180,000 on day one, one more in each later year; support of 10 % on 10, 11 and 12 arrays.

    At 8 %: 1,980,000 + 378,000 / 1.08 + 396,000 / 1.08^2.
    """
    reading = read("growth_per_year_ratio=10%", "support_ratio=0.1", prices=prices)
    tables = [block for block in cost(reading).blocks if isinstance(block, Grid) and block.caption == "Cost by line"]
    if not prices:
        assert tables == []
        return
    lines = {line: amount.removesuffix("\u00a0USD") for line, amount, _ in tables[0].rows}
    assert lines["List price of the arrays of year 1"] == "1,800,000"
    assert lines["Arrays bought later for growth"] == "360,000"
    assert lines["Support beyond the years the price includes"] == "594,000"
    assert lines["Paid to year 3, less resale"] == "2,754,000"
    assert lines["Present cost"] == "2,669,506"


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
