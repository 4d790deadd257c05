"""A number that its cell would not take, pasted or written by a program, is named beside whatever is computed of it."""

from __future__ import annotations

from dataclasses import replace
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
from addin.workbook.outside import beyond
from addin.workbook.own_rows import titles
from tests.support import opened, shipped, small_workbook
from tests.support.shell import Run


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.5, ()),
        (-1000, ()),
        (-1000.5, ("Inputs!D7: found -1,000.5, outside -1,000 to 1,000 ratio, the range of X. Correct it.",)),
        (1e300, ("Inputs!D7: found 1e+300, outside -1,000 to 1,000 ratio, the range of X. Correct it.",)),
        ("a text", ("Inputs!D7: found the text 'a text', no number: X. Type a number, or clear the cell.",)),
        ("'1500", ("Inputs!D7: found the text '1500', no number: X. Type a number, or clear the cell.",)),
        ('=""', ("Inputs!D7: found an empty text, no number: X. Type a number, or clear the cell.",)),
        ("=#REF!", ("Inputs!D7: found #REF!, no number: X. Correct the formula, or type a number.",)),
        (None, ()),
    ],
)
def test_an_input_outside_its_range_is_named(tmp_path: Path, value: Scalar, said: tuple[str, ...]) -> None:
    path = small_workbook.save(tmp_path / "small.xlsx", {"x": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    book = openpyxl.load_workbook(path)
    cell = book["Inputs"]["D7"]
    cell.value = value.removeprefix("'") if isinstance(value, str) else value
    if isinstance(value, str) and not value.startswith("="):
        cell.data_type = "s"  # also of a text that looks like a number
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
@pytest.mark.parametrize(
    ("cell", "typed", "said"),
    [
        ("Answer!D12", "Yes.", "found 'Yes.', not in the list of Survive one failure (no, yes)"),
        ("Answer!D12", 1.0, "found '1.0', not in the list of Survive one failure (no, yes)"),
        (
            "More inputs!D42",
            "this array ",
            "found 'this array ', not in the list of Machines' disks are on (this array, ",
        ),
        ("Answer!D12", "YES", None),  # Excel compares without regard to capitals
    ],
)
def test_a_choice_outside_its_list_is_named(
    original: Path, tmp_path: Path, cell: str, typed: Scalar, said: str | None
) -> None:
    """`Yes.` pasted over yes made two arrays of three, with no word."""
    path = opened.copied(original, tmp_path)
    workbook = openpyxl.load_workbook(path)
    sheet, _, at = cell.partition("!")
    workbook[sheet][at].value = typed
    workbook.save(path)
    book = open_book(path)
    if said is None:
        assert book.notes == ()
        assert size(book, ()).rows[0][1] != "no answer"
    else:
        (note,) = book.notes
        assert said in note
        assert sheet != "Answer" or size(book, ()).rows == (("Answer", "no answer", ""),)


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


OWN = (
    ("'My profiles'!H5", 16384, "16,384, outside 0.5 to 4,096 KiB, the range of Block size"),  # bytes
    ("'My profiles'!G5", 35, "35, outside 0 to 1 ratio, the range of Read share"),  # percent
    ("'My profiles'!D15", 0.5, "0.5, outside 1 to 1,000 ratio, the range of Peak over mean"),
    ("'User groups'!D5", 80, "80, outside 0 to 1 ratio, the range of Share at work at the same time (blank = all)"),
    (
        "'User groups'!G5",
        8192,
        "8,192, outside 0.25 to 1,024 GiB, the range of Memory per desktop (blank = the profile's)",
    ),
    ("'My arrays'!D15", 128, "128, outside 1 to 64 count, the range of Controllers serving I/O"),
    ("'My profiles'!M66", 0.5, "0.5, outside the whole numbers 0 to 1 flag, the range of "),
)


@pytest.fixture(scope="module")
def pasted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference design with one number of a row of one's own outside the limits of its cell on each tab."""
    path = shipped.write_reference(tmp_path_factory.mktemp("pasted"))
    workbook = openpyxl.load_workbook(path)
    for place, value, _ in OWN:
        sheet, _, cell = place.replace("'", "").partition("!")
        workbook[sheet][cell].value = value
    workbook["User groups"]["A5"].value = None  # a group counts without a name
    workbook.save(path)
    return path


@pytest.mark.slow
def test_a_cell_of_the_users_own_rows_outside_its_limits_is_named_in_every_answer(pasted: Path, run: Run) -> None:
    said = [f"{place}: found {words}" for place, _, words in OWN]
    for command in (
        ["size"],
        ["size", "--json"],
        ["compare"],
        ["explain", "arrays_required"],
        ["whatif", "--vary", "desktops=2000"],
    ):
        code, out, _ = run(command[0], pasted, *command[1:])
        assert (code, [line for line in said if line not in out]) == (0, []), command
    code, out, _ = run("audit", pasted)
    assert (code, [line for line in said if f"R17 {line}" not in out]) == (1, [])


@pytest.mark.slow
def test_a_formula_typed_into_an_own_row_counts_and_one_that_nothing_computes_is_left(
    original: Path, tmp_path: Path
) -> None:
    path = opened.copied(original, tmp_path)
    workbook = openpyxl.load_workbook(path)
    workbook["My profiles"]["H5"].value, workbook["My profiles"]["G5"].value = "=16*1024", "=CUBEVALUE(1,2)"
    workbook.save(path)
    (said,) = open_book(path).notes
    assert said.startswith("'My profiles'!H5: found 16,384, outside 0.5 to 4,096 KiB")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("NetApp AFF8040", "'NetApp AFF8040', which another row has: only the first of them counts. Rename it."),
        ("netapp  aff8040", "'netapp  aff8040', which another row has: only the first of them counts. Rename it."),
        ("NetApp AFF8040*", "'NetApp AFF8040*': a look-up takes *, ? and ~ for other letters. Rename it without."),
        ("AFF ~ 8040", "'AFF ~ 8040': a look-up takes *, ? and ~ for other letters. Rename it without."),
        ("NetApp AFF8040 of ours", ""),
    ],
)
def test_an_own_array_whose_name_finds_another_one_is_named(original: Path, name: str, said: str) -> None:
    """A card of one's own under the name of a paper's array: the paper's figures counted, without a word."""
    book = open_book(original)
    (card, _) = next(titles(book.cells))
    assert card.sheet == "My arrays"
    typed = replace(book, cells=book.cells.with_values({card: name}))
    assert [words for at, words in beyond(typed) if at == card.a1] == ([f"found the name {said}"] if said else [])
