"""Every text by which results read a sheet is on that sheet of the built workbook: one renamed there is found here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from addin.computing.kernel_engine import Once
from addin.kernel import Evaluator
from addin.results import labels, sized
from addin.results.document import money_chapters as money
from addin.results.document import page
from addin.results.document.blocks import Grid
from addin.results.document.reading import Reading
from addin.results.document.theme import Theme
from addin.results.slides import content
from addin.workbook import tables
from addin.workbook.book import SizingBook, open_book
from tests.support.live_sets import SHIPPED
from tests.support.released import write


@cache
def book() -> SizingBook:
    found = open_book(SHIPPED)
    return replace(found, engine=Once(evaluator=Evaluator(found.cells)))


def texts(sheet: type) -> dict[str, str]:
    """Return the labels of a sheet, by their names in the code."""
    return {name: text for name, text in vars(sheet).items() if not name.startswith("_") and name != "SHEET"}


@cache
def on(sheet: str) -> str:
    """Return all that a sheet shows, a cell a line: a label may be a formula, or have its unit behind it."""
    reading = Reading(book())
    shown = (reading.at(at).replace("Arrays or nodes", "Arrays") for at in book().cells.stored(sheet))
    return "\n".join(["", *shown, ""])


@pytest.mark.parametrize("sheet", labels.SHEETS, ids=lambda sheet: sheet.SHEET)
def test_every_label_is_on_its_sheet(sheet: type) -> None:
    home = vars(sheet)["SHEET"]
    assert home in book().cells.sheets
    began = ("SOLD_WITH",)  # read by how it begins: its unit follows
    gone = {
        name: text for name, text in texts(sheet).items()
        if f"\n{text}" not in on(home) or (f"\n{text}\n" not in on(home) and name not in began)
    }  # fmt: skip
    assert not gone


def test_no_label_is_read_that_is_not_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the document and the slides look for is declared, so that the test above looks for it."""
    asked: set[str] = set()

    class Recorded(dict):
        """A row of texts that remembers what it was asked for."""

        def __getitem__(self, key: str) -> object:
            asked.add(key)
            return super().__getitem__(key)

        def __contains__(self, key: object) -> bool:
            asked.add(str(key))
            return super().__contains__(key)

        def get(self, key: str, default: object = None) -> object:
            asked.add(key)
            return super().get(key, default)

    for name in ("block", "heading", "line"):
        found = getattr(Reading, name)

        def recorded(self: Reading, sheet: str, *heads: str, found: Any = found) -> Any:
            asked.update(heads)
            return found(self, sheet, *heads)

        monkeypatch.setattr(Reading, name, recorded)
    rows, ranked = tables.rows, money.ranked

    def of_tables(*given: Any, **named: Any) -> Iterator[object]:
        yield from (Recorded(row) for row in rows(*given, **named))

    def of_designs(reading: Reading) -> list[money.Ranked]:
        return [each._replace(texts=Recorded(each.texts), figures=Recorded(each.figures)) for each in ranked(reading)]

    monkeypatch.setattr(tables, "rows", of_tables)
    monkeypatch.setattr(money, "ranked", of_designs)
    page.page(book(), book(), page.HANDOFF, True, Theme(), "")
    reading = Reading(book(), True)
    content.slides(content.Source(reading, reading))
    declared = {text for sheet in labels.SHEETS for text in texts(sheet).values()}
    either = {text.replace("Arrays or nodes", "Arrays") for text in asked}
    assert {labels.Compare.RANK, labels.Evidence.VERDICT, labels.Lists.SOURCES} <= asked
    assert either <= declared, sorted(either - declared)


def test_the_shares_of_user_groups_are_found() -> None:
    assert sized._SHARES in texts(labels.Lists).values()


def test_older_copies_are_ranked_too(tmp_path: Path) -> None:
    """0.2.0 says "Place" of what is called "Rank" now: base design and what-ifs are in that order."""
    then = open_book(write("0.2.0", tmp_path / "then.xlsx"))
    places = [each.figures[labels.Compare.RANK] for each in money.ranked(Reading(then))]
    assert len(places) > 1
    assert places == sorted(places)


def test_the_slide_says_which_place_the_base_design_takes() -> None:
    found = money.ranked(Reading(book()))
    assert [each.figures[labels.Compare.RANK] for each in found] == list(range(1, len(found) + 1))
    slide = content._alternatives(Reading(book()))
    base = next(each for each in found if each.base)
    rank, table = base.texts[labels.Compare.RANK], slide.left[0]
    assert slide.title == f"{base.texts[labels.Compare.ARRAY]} ranks {rank} of {len(found)}"
    assert isinstance(table, Grid)
    assert table.headings[0] == labels.Compare.RANK
