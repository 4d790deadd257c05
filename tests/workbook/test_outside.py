"""A number that its cell would not take, pasted or written by a program, is named beside whatever is computed of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

from addin.errors import RequestError
from addin.kernel import Scalar
from addin.simulation.montecarlo import simulate
from addin.sizing.answers import size
from addin.workbook import live
from addin.workbook.book import open_book
from tests.support import opened, small_workbook


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.5, ()),
        (-1000, ()),
        (-1000.5, ("Inputs!D7: found -1,000.5, outside -1,000 to 1,000 ratio, the range of X. Correct it.",)),
        (1e300, ("Inputs!D7: found 1e+300, outside -1,000 to 1,000 ratio, the range of X. Correct it.",)),
        ("a text", ("Inputs!D7: found a text, no number: X. Type a number, or clear the cell.",)),
        (None, ()),
    ],
)
def test_an_input_outside_its_range_is_named(tmp_path: Path, value: Scalar, said: tuple[str, ...]) -> None:
    path = small_workbook.save(tmp_path / "small.xlsx", {"x": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    book = openpyxl.load_workbook(path)
    book["Inputs"]["D7"].value = value
    book.save(path)
    assert open_book(path).notes == said


@pytest.mark.parametrize("quick", [True, False])
def test_a_date_where_a_number_belongs_is_named(tmp_path: Path, quick: bool) -> None:
    """`1.3` typed in a German Excel is the 1st of March: 82 arrays for 46,082 users, and audit found nothing."""
    path = small_workbook.save(tmp_path / "small.xlsx", {"x": small_workbook.UNIFORM}, {"v": "={x}*2"}, bounds=(0, 1e5))
    book = openpyxl.load_workbook(path)
    cell = book["Inputs"]["D7"]
    cell.value, cell.number_format = datetime(2026, 3, 1, 0 if quick else 6), "d. mmm"
    book.save(path)
    counted = "46,082" if quick else "46,082.25"
    said = f"Inputs!D7: shows a date, counted as {counted}. Type the number, with a number format."
    assert open_book(path).notes == (said,)
    assert live.read(opened.opened(path)).notes == (said,)
    cell.value = 46082
    cell.number_format = "#,##0"
    book.save(path)
    assert open_book(path).notes == ()


@pytest.mark.slow
def test_negative_users_are_no_design_that_holds(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    workbook = openpyxl.load_workbook(path)
    cell = opened.named(workbook, "In_desktops")
    cell.value = -5
    workbook.save(path)
    book = open_book(path)
    said = f"{book.inputs['desktops'].address.a1}: found -5, outside the whole numbers 1 to "
    assert [note for note in size(book, ()).notes if note.startswith(said)]
    with pytest.raises(RequestError, match=r"the base design has no answer: Enter the users\."):
        simulate(book, 64, 1)
