"""The first page: each number and word of the answer on it, cost only with prices, nothing green over a fault."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import cache

import pytest

from addin.computing.kernel_engine import Once
from addin.kernel import Evaluator
from addin.results.document.blocks import Grid, Points, Text
from addin.results.document.money_chapters import Ranked
from addin.results.document.reading import Reading
from addin.results.document.short_chapter import short
from addin.results.document.sources import Origins
from addin.results.document.theme import Theme
from addin.results.slides.content import Source, needed, slides
from addin.results.slides.deck import deck
from addin.results.slides.records import Bars, Slide
from addin.results.slides.records import Points as Listed
from addin.workbook.book import SizingBook, open_book
from tests.support.live_sets import SHIPPED
from tests.support.needed import package

DESIGNS = {
    "base": (),
    "an own array without figures": ("array=My array 1",),
    "nodes": ("array=Lenovo HX665 V3 Nutanix node",),
    "containers on a cloud share": (
        "container_place=on a cloud share",
        "container_gib=30",
        "share_service=Azure Files SSD v1",
    ),
    "machines on managed disks": ("disk_place=Azure Premium SSD", "disk_vm_iops=20000"),
    "disks and a cloud share": (
        *("disk_place=Azure Premium SSD", "container_place=on a cloud share", "container_gib=30"),
        "share_service=Azure Files SSD v1",
    ),
    "a profile of another time": ("profile=Power user 40 IOPS (CML 2014)",),
    "user groups": (
        *("profile=User groups", "provisioning=User groups", "Group 1.users=1000", "Group 2.users=500"),
        *("Group 1.profile=Knowledge worker W11 MCS (RA-2022 2024)", "Group 1.method=MCS pooled"),
        *("Group 2.profile=Office worker full clone Monday (NTP 2016)", "Group 2.method=Full clone"),
    ),
    "after growth": ("growth_per_year_ratio=10%", "array_price=100000"),
}


@cache
def book() -> SizingBook:
    return open_book(SHIPPED)


@cache
def read(settings: tuple[str, ...], prices: bool = True) -> Reading:
    changed = replace(book(), cells=book().cells.with_values(book().settings(settings)))
    return Reading(replace(changed, engine=Once(evaluator=Evaluator(changed.cells))), prices)


def first_page(settings: tuple[str, ...], prices: bool = True) -> tuple[Reading, str]:
    """Return the workbook as it is read, and every text of the first page."""
    reading = read(settings, prices)
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
@pytest.mark.parametrize("name", DESIGNS)
def test_slides_say_the_same_and_all_of_it_fits(name: str) -> None:
    package("pptx", "slides")
    from pptx import Presentation

    reading, page = first_page(DESIGNS[name])
    made = slides(Source(reading, reading, "; ".join(DESIGNS[name])))
    assert made[0].title.replace("\u00a0", " ") in page
    drawn = Presentation(io.BytesIO(deck(made, Theme(), name, "", name))).slides
    texts = [shape.text_frame.text for slide in drawn for shape in slide.shapes if shape.has_text_frame]
    told = "\n".join(texts).replace("\u00a0", " ")
    for key in ("constraints_unchecked", "call_words", "demand_source"):
        assert reading.text(key).replace("\u00a0", " ").removeprefix("no: ") in told, key
    assert "more in design.html" not in told
    assert "\u2026" not in told
    places = [(shape.top / 12_700, shape.height / 12_700) for slide in drawn for shape in slide.shapes]  # points
    assert max(top + height for top, height in places if top < 505) <= 496.5  # above the footer


@pytest.mark.slow
@pytest.mark.parametrize("prices", [False, True])
@pytest.mark.parametrize("name", ["machines on managed disks", "disks and a cloud share"])
def test_slides_of_a_design_on_disks_count_disks(name: str, prices: bool) -> None:
    """They read "0 arrays in year 1", and drew a bar of 1,500 arrays for as many disks."""
    package("pptx", "slides")
    reading = read(DESIGNS[name], prices)
    made = slides(Source(reading, reading))
    told = "\n".join(filter(None, (line for slide in made for line in spoken(slide)))).replace("\u00a0", " ")
    assert not re.search(r"\b0 arrays|Arrays (needed|in)", told), told
    assert "1,500 disks" in spoken(made[0])[0].replace("\u00a0", " ")
    assert not [part for slide in made for part in (*slide.left, *slide.right) if isinstance(part, Bars)]
    if not prices:
        assert made[4].title == "1,500 disks (P15 of Azure Premium SSD) on day one, and no array"


def spoken(slide: Slide) -> list[str]:
    """Return the title of a slide, and the texts of its tables and lists."""
    found = [slide.title]
    for part in (*slide.left, *slide.right):
        if isinstance(part, Grid):
            found += [part.caption, *part.headings, *(cell for row in part.rows for cell in row)]
        elif isinstance(part, Listed):
            found += [part.heading, *part.items]
    return found


def test_the_bars_of_arrays_leave_out_a_count_of_disks() -> None:
    """1,500 disks beside 3 arrays drew an axis to 1,500, on which nobody sees the arrays."""
    drawn, after = "Arrays after one failure, else required", "Arrays after one failure"
    found = [
        Ranked({"Storage array": name, "State": "fully checked", after: text, drawn: text}, {drawn: count}, False)
        for name, text, count in (("NetApp AFF8040", "3", 3.0), ("Azure Premium SSD", "1,500 disks", 1500.0))
    ]
    (bars,) = needed(found)
    assert (bars.categories, bars.series[0][1]) == (["NetApp AFF8040"], [3.0])
    assert list(needed(found[1:])) == []


@pytest.mark.slow
def test_a_raised_check_is_on_the_first_page() -> None:
    _, page = first_page(DESIGNS["a profile of another time"])
    assert re.search(
        r"Warning, check C\d+ fails\. It expects: The profile is recent enough to transfer\. Measure your own", page
    )


@pytest.mark.slow
def test_without_prices_the_first_page_has_no_amount() -> None:
    _, told = first_page(("array_price=103974",))
    _, page = first_page(("array_price=103974",), prices=False)
    assert "USD" in told
    assert "USD" not in page
    assert "cost" not in page.lower()


@pytest.mark.parametrize("name", ["base", "nodes", "user groups"])
def test_the_bars_of_the_design_end_where_its_table_says(name: str) -> None:
    """Of nodes, those that may be lost are left free: the bar of what limits read 91 % where the table has 100 %."""
    reading = read(DESIGNS[name])
    shares = [share for _, share in reading.block("Compare", "In order", "Share") if isinstance(share, float)]
    assert max(shares) == reading.value("share_used_normal")
