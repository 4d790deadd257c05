"""The first printed page of every kind of design: from the answer to who signs, with the longest notes above it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from addin.results.document import page as document
from addin.results.document.pdf import print_page
from addin.results.document.theme import Theme
from model.sheets.front.sign_off import SIGNED_BY
from tests.handoff.test_short import DESIGNS, book, read
from tests.support.libreoffice import pdf_text
from tests.support.needed import program

pytestmark = pytest.mark.slow


def made(name: str, prices: bool) -> str:
    """Return the document of a design, with its settings named on the first page."""
    reading = read(DESIGNS[name], prices)
    changed = replace(reading.book, engine=reading.book.engine)
    return document.page(changed, book(), document.HANDOFF, prices, Theme(), "; ".join(DESIGNS[name]))


@pytest.mark.parametrize("name", DESIGNS)
def test_who_signs_is_on_the_first_page(name: str, tmp_path: Path) -> None:
    program("chromium", "Chromium")
    (page := tmp_path / "design.html").write_text(made(name, prices=True), encoding="utf-8")
    assert print_page(page, tmp_path / "design.pdf") == ""
    first, second = (" ".join(text.split()) for text in pdf_text(tmp_path / "design.pdf")[:2])
    for part in ("In short", "What could change it", "What is assumed", "Decision", *SIGNED_BY):
        assert part in first
    assert "Decision" not in second


@pytest.mark.parametrize("name", ["an own array without figures"])
def test_a_design_without_an_answer_has_no_picture_of_one(name: str) -> None:
    text = made(name, prices=False)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text)
    assert [each for each in captions if "dashed line is the design" in each or "no answer" in each] == []
    assert "in the design: 0" not in text
    assert "so that the answer is a lower bound" not in text, "there is no answer"
    assert "Not checked: " in text


def test_a_part_that_is_lost_has_the_name_that_the_picture_draws() -> None:
    text = made("base", prices=False)
    assert "Each array has 2 controllers serving I/O." in text
    assert "After the loss of one controller of an array" in text
