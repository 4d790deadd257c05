"""Names of inputs that people have redefined, and formulas that they have typed into inputs."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType

import pytest

from addin.errors import BookError
from addin.kernel import Cells
from addin.sizing.scenarios import in_effect
from addin.workbook.book import SizingBook, open_book
from addin.workbook.item import currency
from tests.diff.conftest import SHIPPED, changed


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


def named(book: SizingBook, name: str, meaning: str) -> SizingBook:
    """Return a copy in which a name stands for something else."""
    cells, names = book.cells, {**book.cells.names, name: meaning}
    return replace(book, cells=Cells(cells.values, MappingProxyType(names), cells.sheets, cells.texts))


def test_two_inputs_in_one_cell_are_refused_with_both_names(book: SizingBook) -> None:
    other = book.cells.names["In_years"]
    cell = re.escape(other.replace("$", ""))
    with pytest.raises(BookError, match=rf"the names In_\w+ and In_\w+ both point at {cell}; expected a"):
        _ = named(book, "In_growth_timing", other).inputs


@pytest.mark.parametrize("meaning", ["Inputs!$A$1048577", "Inputs!$XFE$1", "Inputs!$A$0", "#REF!", "Inputs!$A$1:$A$2"])
def test_a_name_that_leads_to_no_cell_is_refused(book: SizingBook, meaning: str) -> None:
    with pytest.raises(BookError, match=r"the name In_years points at .* not at one cell"):
        _ = named(book, "In_years", meaning).inputs
    assert currency(named(book, "Doc_currency", meaning).cells) == "USD"


def test_an_input_holds_what_a_formula_typed_there_gives(book: SizingBook) -> None:
    copy = changed(book, {"desktops": "=1000+700", "discount_ratio": "=1+1"})
    desktops = copy.inputs["desktops"]
    assert (copy.held(desktops), in_effect(copy, desktops)) == (1700.0, 1700.0)
    assert [note for note in copy.notes if "found 2, outside 0 to 1 ratio" in note]
