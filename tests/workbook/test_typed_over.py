"""A formula of the design that somebody typed over is named beside whatever is computed of the workbook."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from addin.kernel import Address
from addin.sizing.answers import size
from addin.workbook import typed_over
from addin.workbook.book import SizingBook, open_book

PLACES = ("Demand!D64", "Capacity!D30", "Years!D21", "Net cost!D40")


@pytest.fixture(scope="module")
def book(original: Path) -> SizingBook:
    """Return the workbook as shipped."""
    return open_book(original)


def test_the_shipped_workbook_has_none(book: SizingBook) -> None:
    assert list(typed_over.found(book.cells, book.results)) == []


@pytest.mark.parametrize("place", PLACES)
def test_a_figure_in_place_of_a_formula_is_named(book: SizingBook, place: str) -> None:
    sheet, cell = place.split("!")
    at = Address.from_a1(f"'{sheet}'!{cell}")
    assert book.cells.formula(at) is not None
    spoilt = replace(book, cells=book.cells.with_values({at: 1000.0}))
    (note,) = [each for each in size(spoilt, ()).notes if "in place of its formula" in each]
    assert note.startswith(f"{at.a1} holds a figure")
    assert "command audit" in note


def test_many_are_counted(book: SizingBook) -> None:
    at = [address for address in book.cells.formulas() if address.sheet == "Demand" and address.column == 4][:5]
    spoilt = book.cells.with_values(dict.fromkeys(at, 1.0))
    (said,) = typed_over.said(spoilt, book.results, {})
    assert said.startswith(
        ", ".join(each.a1 for each in at[:3]) + " and 2 more hold figures in place of their formulas"
    )


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (3000.0, "Answer!D5: no design reads this cell any more, so Users typed there moves nothing."),
        ("=Answer!D5*2", "Inputs!D6 computes with Answer!D5, Users, in place of taking it."),
        ("=Answer!$D$5", ""),
    ],
)
def test_a_link_to_an_input_that_is_typed_over_is_named(book: SizingBook, typed: float | str, words: str) -> None:
    """3,000 typed over the link to Users: six arrays, whatever was typed into Users or set."""
    at = Address("Inputs", 6, 4)
    cells = book.cells
    changed = cells.with_formula(at, typed) if isinstance(typed, str) else cells.with_values({at: typed})
    notes = [each for each in size(replace(book, cells=changed), ()).notes if "Answer!D5" in each]
    assert [each.partition(" Take a fresh copy")[0] for each in notes] == ([words] if words else [])
