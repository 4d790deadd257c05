"""Designs without an answer: no figure of them is printed, in a table of all designs nor as JSON."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from addin.sizing.answers import NONE
from addin.sizing.scenarios import designs
from addin.workbook.book import open_book
from addin.workbook.designs import typed_in
from tests.support.shell import shell

FIGURES = ("arrays_required", "capacity_required_gib", "login_iops")


def test_a_design_without_an_answer_has_no_figure_and_its_text_is_named(original: Path) -> None:
    """A text in place of the users of a what-if: it was sized for those of the base design, as if it had been typed."""
    book = open_book(original)
    users, card = (typed_in(book.cells, book.inputs[key].beside, at) for key, at in (("desktops", 1), ("array", 2)))
    spoilt = replace(book, cells=book.cells.with_values({users: "2,000", card: "My array 1"}))
    table = designs(spoilt)
    rows = {row[0]: dict(zip(table.keys, row, strict=True)) for row in table.rows}
    assert isinstance(rows["Base design"]["arrays_required"], float)
    for name in ("What-if 1", "What-if 2"):
        assert [rows[name][key] for key in FIGURES] == [NONE] * 3, name
    assert "fill the card" in str(rows["What-if 2"]["status"])
    assert [note for note in table.notes if note.startswith(f"{users.a1}: found the text '2,000', no number: Users.")]
    assert not any("found" in note for note in designs(book).notes)


@pytest.mark.parametrize("more", [(), ("--result", "arrays_required")])
def test_json_has_no_figure_where_there_is_no_answer(
    original: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    """A blank card: "1.0" arrays for a program that reads the key, "no answer" for a person."""
    code, out, _ = shell(capsys)("size", original, "--set", "array=My array 1", "--json", *more)
    values = [each["value"] for each in json.loads(out)["results"]]
    assert code == 1
    assert values
    assert all(isinstance(value, str) for value in values), values
