"""The papers' contradictions and what differs stand in an appendix, in sentences, behind what is signed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from addin.results.document.blocks import Grid, Points, Text
from addin.results.document.papers_chapter import FOLLOWED, POINTER, TITLE, papers
from addin.results.document.reading import Reading
from addin.results.document.review_chapters import questions
from addin.results.document.sources import Origins
from addin.workbook import tables
from addin.workbook.book import SizingBook, open_book

pytestmark = pytest.mark.slow
SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


def of(book: SizingBook, *settings: str, prices: bool = False) -> Reading:
    return Reading(replace(book, cells=book.cells.with_values(book.settings(settings))), prices)


def sentences(reading: Reading) -> list[str]:
    chapter = papers(reading, Origins(reading))
    assert chapter is not None
    assert (chapter.title, chapter.new_page) == (TITLE, True)
    assert not any(isinstance(block, Grid) for block in chapter.blocks)
    return [item for block in chapter.blocks if isinstance(block, Points) for item in block.items]


def test_a_contradiction_is_told_in_sentences_with_both_readings(book: SizingBook) -> None:
    """Typed by hand from discrepancies.csv, row EQL-01."""
    told = sentences(of(book, "array=Dell EqualLogic PS6010XVS", "profile=Task worker PVS (EQL 2012)"))
    found = next(each for each in told if "(EQL\u201101," in each)
    assert found == (
        "Write cache per desktop: deployed size against the size in the formula (EQL\u201101, severity high). "
        "First reading: 2 GB deployed: the formula gives 535.5 desktops, 630 were tested. "
        "Second reading: 1.5 GB in the formula: 642.6 desktops, printed as around 640. "
        "The workbook uses both, each for its purpose. "
        "1.5 GB is 75 % of 2 GB: the model takes 2 GB and a used share; thick disks give 535."
    )
    assert all(each.endswith((".", "!", "?")) for each in told)


def test_what_is_printed_and_not_reproduced_has_both_figures(book: SizingBook) -> None:
    told = sentences(of(book))
    found = next(each for each in told if "(E307)" in each)
    assert found.startswith("Boot of 1,500 desktops on one node (E307): printed 16 min, computed 11.22 min. NTP")
    assert any("(E208): printed at most 0.5 ms, computed 0.7827 ms." in each for each in told), "only an upper end"


def test_every_reading_that_is_followed_has_its_sentence(book: SizingBook) -> None:
    listed = list(tables.rows(book, "Predictions", having="Severity"))
    assert len(listed) > 50
    assert {str(book.cells.constant(row["Followed"])) for row in listed} <= FOLLOWED.keys()


def test_the_open_questions_only_point_to_the_appendix(book: SizingBook) -> None:
    reading = of(book)
    blocks = questions(reading, Origins(reading)).blocks
    assert [block.text for block in blocks if isinstance(block, Text)][-1] == POINTER
    assert not any("Contradiction" in block.caption for block in blocks if isinstance(block, Grid))


def test_without_prices_no_sentence_is_about_money(book: SizingBook) -> None:
    without, told = (sentences(of(book, prices=prices)) for prices in (False, True))
    assert not [each for each in without if re.search(r"\$|price", each)]
    assert any("$39" in each for each in told)
