"""A base design without an answer: commands print no figure for it, and say what is missing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.sizing.seek import seek
from addin.sizing.whatif import compare, require_an_array
from addin.workbook.book import open_book
from tests.support.shell import Run

pytestmark = pytest.mark.slow
WITHOUT = {  # what is set, the check that says so, what to do
    "desktops=": ("C04", "Enter the users"),
    "currency=": ("C03", "Fill the blank cells of column D on Inputs"),
    "boot_at=07:00": ("C27", "Enter when boot and logins start, both as 07:00, the boot first; or clear both"),
    "array=My array 1": ("C07", "fill the card of this array on My arrays"),
}
WHATEVER_ARRAY = ("desktops=", "boot_at=07:00")
SEEK = ("seek", "--vary", "growth_ratio", "--target", "arrays_required=3")
OF_THE_BASE = [
    *((("simulate", "--trials", "16"), setting) for setting in WITHOUT),
    *((("assumed",), setting) for setting in ("desktops=", "boot_at=07:00")),
    *((SEEK, setting) for setting in ("desktops=", "array=My array 1")),
]
OF_EVERY_ARRAY = (("compare",), ("decide", "--trials", "16"), ("handoff",))


@pytest.mark.parametrize("setting", WITHOUT)
def test_a_result_asked_for_by_name_is_no_figure_and_the_errors_stand_below(
    run: Run, original: Path, setting: str
) -> None:
    id_, _ = WITHOUT[setting]
    asked = ("--result", "arrays_required", "--result", "login_iops", "--result", "status")
    code, out, err = run("size", original, "--set", setting, *asked)
    arrays, iops, status = out.splitlines()[1:4]
    assert (code, err) == (1, "")
    assert [line.split("  ")[0] for line in (arrays, iops, status)] == ["Arrays required", "IOPS in login", "Answer"]
    assert all(line.endswith("no answer") for line in (arrays, iops)), "neither a number nor a unit"
    assert not any(letter.isdigit() for letter in arrays + iops + status.replace("My array 1", ""))
    assert f"error {id_} raised. Expected: " in out
    assert "alert" not in out, "what was asked for stays short"
    code, out, _ = run("size", original, "--set", setting, "--result", "arrays_required", "--json")
    content = json.loads(out)
    assert (code, len(content["results"])) == (1, 1)
    assert id_ in [each["id"] for each in content["checks"]]


def test_a_design_with_an_answer_has_no_line_below_what_was_asked_for(run: Run, original: Path) -> None:
    code, out, _ = run("size", original, "--set", "data_reduction_ratio=30", "--result", "arrays_required")
    assert (code, out.splitlines()[-1].split("  ")[0]) == (0, "Arrays required")


def refusal(book: Path, setting: str) -> str:
    """Return the one line of every command."""
    return f"error: {book.name}: the base design has no answer: {WITHOUT[setting][1]}. Then run this again.\n"


@pytest.mark.parametrize(("command", "setting"), OF_THE_BASE)
def test_what_is_computed_from_the_base_design_is_refused_with_its_reason(
    run: Run, original: Path, command: tuple[str, ...], setting: str
) -> None:
    code, out, err = run(command[0], original, *command[1:], "--set", setting)
    assert (code, out, err) == (2, "", refusal(original, setting))


@pytest.mark.parametrize(
    ("command", "setting"),
    # a document names the errors of its workbook: a text in a price keeps nobody from handing the design on
    [(each, s) for each in OF_EVERY_ARRAY for s in WHATEVER_ARRAY if (*each, s) != ("handoff", "boot_at=07:00")],
)
def test_what_no_array_answers_is_refused_with_its_reason(
    run: Run, original: Path, tmp_path: Path, command: tuple[str, ...], setting: str
) -> None:
    copy = tmp_path / original.name
    copy.write_bytes(original.read_bytes())
    code, out, err = run(command[0], copy, *command[1:], "--set", setting)
    assert (code, out, err) == (2, "", refusal(copy, setting))
    assert list(tmp_path.iterdir()) == [copy], "no folder of a hand-off"


def test_alternatives_of_a_blank_card_are_answered(original: Path) -> None:
    book = open_book(original)
    require_an_array(book, book.settings(["array=My array 1"]))
    with pytest.raises(RequestError, match="Enter the users"):
        compare(book, ["desktops="])


def test_seek_says_that_a_value_it_found_is_of_a_design_without_an_answer(original: Path) -> None:
    found = seek(open_book(original), ["boot_at=07:00"], "growth_ratio", "arrays_required=3")
    assert found.notes[1].startswith("The answer there: no answer: Enter when boot and logins start, both as 07:00, ")


def test_seek_over_the_input_that_is_missing_has_an_answer(original: Path) -> None:
    book = open_book(original)
    blank = replace(book, cells=book.cells.with_values({book.inputs["desktops"].address: None}))
    assert seek(blank, (), "desktops", "arrays_required=3").rows[0][2] == "met"
