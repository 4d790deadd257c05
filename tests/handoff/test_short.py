"""The first page: each number and word of the answer on it, cost only with prices, nothing green over a fault."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest

from addin.results.document.blocks import Grid, Points, Text
from addin.results.document.reading import Reading
from addin.results.document.short_chapter import short
from addin.results.document.sources import Origins
from addin.workbook.book import SizingBook, open_book
from tests.support.live_sets import SHIPPED

DESIGNS = {
    "base": (),
    "an own array without figures": ("array=My array 1",),
    "nodes": ("array=Lenovo HX665 V3 Nutanix node",),
    "containers on a cloud share": (
        "container_place=on a cloud share",
        "container_gib=30",
        "share_service=Azure Files SSD v1",
    ),
    "a profile of another time": ("profile=Power user 40 IOPS (CML 2014)",),
    "after growth": ("growth_per_year_ratio=10%", "array_price=100000"),
}


@cache
def book() -> SizingBook:
    return open_book(SHIPPED)


def first_page(settings: Iterable[str], prices: bool = True) -> tuple[Reading, str]:
    """Return the workbook as it is read, and every text of the first page."""
    changed = replace(book(), cells=book().cells.with_values(book().settings(list(settings))))
    reading = Reading(changed, prices)
    texts: list[str] = []
    for block in short(reading, Origins(reading)).blocks:
        if isinstance(block, Text):
            texts.append(block.text)
        elif isinstance(block, Points):
            texts += block.items
        elif isinstance(block, Grid):
            texts += [cell for row in block.rows for cell in row]
    return reading, "\n".join(texts).replace("\u00a0", " ")


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_every_word_of_the_answer_is_on_the_first_page(name: str) -> None:
    reading, page = first_page(DESIGNS[name])
    count, _, remark = reading.text("status").replace("\u00a0", " ").partition("; ")
    assert count.partition(" and ")[0].lower() in page.lower()
    assert remark in page
    for key in ("constraints_unchecked", "matters_words", "call_words"):
        text = reading.text(key)
        assert text in ("none", "no", "-") or text.removeprefix("no: ") in page, key
    for key in ("cost_total", "npv"):
        assert reading.text(key).replace("\u00a0", " ") in page
    assert "Budget holder" in page


@pytest.mark.slow
def test_a_raised_check_is_on_the_first_page() -> None:
    _, page = first_page(DESIGNS["a profile of another time"])
    assert "Failed check: The profile is recent enough to transfer. Measure your own desktops" in page


@pytest.mark.slow
def test_without_prices_the_first_page_has_no_amount() -> None:
    _, told = first_page(("array_price=103974",))
    _, page = first_page(("array_price=103974",), prices=False)
    assert "USD" in told
    assert "USD" not in page
    assert "cost" not in page.lower()
