"""The chapter Why this design says what the saved sheet Decision says, and nothing of it without prices."""

from dataclasses import replace
from pathlib import Path

import pytest

from addin.kernel import Address, Scalar
from addin.results.decision_sheet import TITLE, draw
from addin.results.document.blocks import Grid, Text
from addin.results.document.reading import Reading
from addin.results.document.why_chapter import why
from addin.workbook.book import SizingBook, open_book
from tests.support.decisions import DECISION

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


@pytest.fixture(scope="module")
def decided(book: SizingBook) -> SizingBook:
    """Return the workbook with a sheet Decision."""
    drawn: dict[Address, Scalar] = {
        Address(TITLE, cell.row, cell.column): float(cell.value) if isinstance(cell.value, int) else cell.value
        for row in draw(book, DECISION).ws.iter_rows()
        for cell in row
        if cell.value is not None
    }
    cells = replace(book.cells, sheets=(*book.cells.sheets, TITLE), values={**book.cells.values, **drawn})
    return replace(book, cells=cells)


def test_a_workbook_without_a_decision_has_no_such_chapter(book: SizingBook) -> None:
    assert why(Reading(book, True)) is None


def test_the_chapter_says_what_to_buy_what_certainty_costs_and_how_sure_it_is(decided: SizingBook) -> None:
    chapter = why(Reading(decided, True))
    assert chapter is not None
    lead = chapter.blocks[0]
    assert isinstance(lead, Text)
    assert lead.text.startswith("Buy Alpha x 2: costs least on average, 200,000 USD, and suffices with about 85%.")
    bought, found, sure = (block for block in chapter.blocks if isinstance(block, Grid))
    assert list(bought.rows[0]) == ["80% sure: Alpha x 2", "about 85%", "200,000", "0"]
    assert [row[0] for row in found.rows] == ["Everything", "Demand"]
    assert found.rows[1][-1].startswith("Pilot 30 desktops")
    assert list(sure.headings) == ["Arrays bought", "Alpha", "Beta"]
    assert ["2", "about 85%", "under 1%"] in [list(row) for row in sure.rows]


def test_the_design_of_the_document_has_its_own_chance(decided: SizingBook) -> None:
    """Its certainty was a row of the last table, below a headline about another design."""
    reading = Reading(decided, True)
    assert not [block for block in shown(decided) if "The design of this document" in block]
    heads = next(at for at, value in decided.cells.values.items() if at.sheet == TITLE and value == "Arrays bought")
    own: dict[Address, Scalar] = {
        heads._replace(column=heads.column + 1): reading.input("array"),
        heads._replace(row=heads.row + 1): 3.0,
    }
    named = replace(decided, cells=replace(decided.cells, values={**decided.cells.values, **own}))
    assert [block for block in shown(named) if block.startswith("The design of this document, NetApp AFF8040 x 3,")]


def shown(book: SizingBook) -> list[str]:
    chapter = why(Reading(book, True))
    assert chapter is not None
    return [block.text for block in chapter.blocks if isinstance(block, Text)]


def test_without_prices_no_figure_of_the_decision_is_there(decided: SizingBook) -> None:
    chapter = why(Reading(decided, False))
    assert chapter is not None
    (note,) = chapter.blocks
    assert isinstance(note, Text)
    assert note.text == "Left out: the sheet Decision chooses by cost, so it goes with prices only."
