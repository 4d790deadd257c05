"""`apply`: what was changed on the live page goes into a new copy of the workbook, and nowhere else."""

import json
import re
from pathlib import Path

import pytest

from addin.kernel import evaluate_all
from addin.workbook.book import SizingBook, open_book
from addin.workbook.digests import digest
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.stored_results import StoredResults
from addin.xlsx.workbook_part import sheet_parts
from tests.judges.names import faults
from tests.support.javascript import same
from tests.support.shell import Run

OWN = {"array": "My array 1", "My array 1.capacity_tib": 40.5}
CHANGED = {"desktops": 2200, "growth_ratio": 0.15, **OWN, "array_price": 90.125}  # no person typed that point


@pytest.fixture(scope="module")
def opened(original: Path) -> SizingBook:
    return open_book(original)


def file_of(folder: Path, content: object) -> Path:
    """Write a file of changes and return where it is."""
    path = folder / "changes.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_copy_holds_the_inputs_and_results_that_follow_from_them(
    run: Run, original: Path, opened: SizingBook, tmp_path: Path
) -> None:
    before, new = original.read_bytes(), tmp_path / "new.xlsx"
    changes = file_of(tmp_path, {"workbook digest": digest(opened.cells), "inputs": CHANGED})
    code, out, err = run("apply", original, changes, "--save", new)
    *_, written, answer = out.splitlines()
    assert (code, err, written) == (1, "", f"5 inputs written: {new}.")
    assert answer.startswith("The copy has no answer: ")  # the card of My array 1 lacks its figures
    assert "desktops: 1,500 desktops -> 2,200 desktops" in out
    copy = open_book(new)
    assert {key: copy.cells.constant(copy.entry(key).address) for key in CHANGED} == CHANGED
    assert {at for at, value in copy.cells.values.items() if opened.cells.values.get(at) != value} == {
        opened.entry(key).address for key in CHANGED
    }
    values = evaluate_all(copy.cells)
    stored = StoredResults(new).values(values)
    wrong = [at.a1 for at, value in stored.items() if not same(value, values[at]) and not isinstance(values[at], bool)]
    assert (len(stored) > 10_000, wrong) == (True, [])
    assert original.read_bytes() == before
    assert faults(read_parts(new)) == []


@pytest.mark.slow
def test_amounts_are_told_in_the_currency_that_is_applied(
    run: Run, original: Path, opened: SizingBook, tmp_path: Path
) -> None:
    inputs = {"currency": "EUR", "My array 1.price": 120000}
    changes = file_of(tmp_path, {"workbook digest": digest(opened.cells), "inputs": inputs})
    code, out, _ = run("apply", original, changes, "--save", tmp_path / "new.xlsx")
    assert (code, out.splitlines()[1]) == (0, "My array 1.price: blank -> 120,000 EUR")


@pytest.mark.slow
def test_a_number_is_told_with_every_digit_that_is_written(
    run: Run, original: Path, opened: SizingBook, tmp_path: Path
) -> None:
    """9,000.5 read "9,000 IOPS", 1.23456 "1.235"."""
    inputs = {"array_price": 9000.5, "growth_ratio": 0.123456, "design_year": 2027}
    changes = file_of(tmp_path, {"workbook digest": digest(opened.cells), "inputs": inputs})
    _, out, _ = run("apply", original, changes, "--save", tmp_path / "new.xlsx")
    told = [line.partition(" -> ")[2] for line in out.splitlines()[:3]]
    assert told == ["9,000.5 USD", "0.123456 ratio", "2027"]


@pytest.mark.slow
def test_a_blank_is_written_as_a_blank(run: Run, original: Path, opened: SizingBook, tmp_path: Path) -> None:
    new = tmp_path / "new.xlsx"
    changes = file_of(tmp_path, {"workbook digest": digest(opened.cells), "inputs": {"desktops": None}})
    code, out, err = run("apply", original, changes, "--save", new)
    copy = open_book(new)
    assert copy.inputs["desktops"].address not in copy.cells.values
    assert (code, err) == (1, "")  # as `size` of it
    assert out.splitlines()[-2] == f"1 input written: {new}."
    assert out.splitlines()[-1] == "The copy has no answer: Enter the users."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[1]", "holds no object"),
        ({"workbook digest": "abc", "inputs": {}}, "made from formulas abc"),
        ({"inputs": {}}, "changes.json: has no 'workbook digest'. Expected {"),
        ({"workbook digest": "", "inputs": {}}, "changes.json: 'inputs' is empty, so nothing would change. Change an"),
        ({"workbook digest": "", "inputs": [1]}, "'inputs' holds no keys with values"),
        (
            {"workbook digest": "", "inputs": {"desktop": 3}},
            "changes.json: there is no input 'desktop'; did you mean desktops",
        ),
        (
            {"workbook digest": "", "inputs": {"desktops": 0}},
            "changes.json: desktops=0: outside the whole numbers 1 to 100,000",
        ),
        ({"workbook digest": "", "inputs": {"desktops": 2200.5}}, "desktops=2200.5: outside the whole numbers 1 to"),
        ({"workbook digest": "", "inputs": {"desktops": "1,500"}}, "expected a number in desktops"),
        ({"workbook digest": "", "inputs": {"desktops": True}}, "expected a number or a text"),
        ({"workbook digest": "", "inputs": {"array": "=1+1"}}, "array==1+1: not in the list"),
        ({"workbook digest": "", "inputs": {"desktops": 5, "array": 3}}, "array=3: not in the list"),
        ({"workbook digest": "", "inputs": {"My array 1.speed": 3}}, "changes.json: My array 1 has no field 'speed'"),
        ('\ufeff{"inputs": {}}', "changes.json: has no 'workbook digest'"),  # as Windows saves a text
        (
            {"workbook digest": "", "inputs": {"desktops": "DIGITS"}},
            "changes.json: desktops=inf: outside the whole numbers",
        ),
    ],
)
def test_a_file_that_cannot_be_applied_is_one_line_and_writes_nothing(
    run: Run, original: Path, opened: SizingBook, tmp_path: Path, content: object, message: str
) -> None:
    if isinstance(content, dict) and content.get("workbook digest") == "":
        content = {**content, "workbook digest": digest(opened.cells)}
    text = content if isinstance(content, str) else json.dumps(content).replace('"DIGITS"', "9" * 5000)
    changes, new = file_of(tmp_path, text), tmp_path / "new.xlsx"
    code, out, err = run("apply", original, changes, "--save", new)
    assert (code, out, err.count("\n"), new.exists()) == (2, "", 1, False)
    assert message in err


@pytest.mark.slow
def test_a_copy_whose_names_lead_to_other_cells_takes_no_changes_of_the_page(
    run: Run, original: Path, opened: SizingBook, tmp_path: Path
) -> None:
    copy, new, parts = tmp_path / "renamed.xlsx", tmp_path / "new.xlsx", read_parts(original)
    for key, cell in (("desktops", b"Inputs!$Z$900"), ("growth_ratio", b"Inputs!$D$8")):
        name = b'(<definedName name="In_%s"[^>]*>)[^<]*' % key.encode()
        meaning, count = re.subn(name, rb"\g<1>" + cell, parts[WORKBOOK])
        assert count == 1
        write_parts(copy, {**parts, WORKBOOK: meaning})
        changes = file_of(tmp_path, {"workbook digest": digest(opened.cells), "inputs": {key: 0.5}})
        code, out, err = run("apply", copy, changes, "--save", new)
        assert (code, out, err.count("\n"), new.exists()) == (2, "", 1, False)
        assert "was made from formulas" in err


@pytest.mark.slow
def test_a_locked_cell_is_named_in_the_workbook_that_has_it(run: Run, original: Path, tmp_path: Path) -> None:
    copy, new, parts = tmp_path / "locked.xlsx", tmp_path / "new.xlsx", read_parts(original)
    name = rb'(<definedName name="In_discount_ratio"[^>]*>)[^<]*'
    write_parts(copy, {**parts, WORKBOOK: re.sub(name, rb"\g<1>Inputs!$A$59", parts[WORKBOOK])})
    changes = file_of(tmp_path, {"workbook digest": digest(open_book(copy).cells), "inputs": {"discount_ratio": 0.5}})
    code, _, err = run("apply", copy, changes, "--save", new)
    assert (code, err, new.exists()) == (
        2,
        "error: locked.xlsx: Inputs!A59 is locked on a protected sheet. Unprotect the sheet first.\n",
        False,
    )


@pytest.mark.slow
def test_an_input_that_merged_cells_cover_is_refused(
    run: Run, original: Path, opened: SizingBook, tmp_path: Path
) -> None:
    copy, new, parts = tmp_path / "merged.xlsx", tmp_path / "new.xlsx", read_parts(original)
    part = sheet_parts(parts)["Inputs"]
    at = parts[part].index(b"</sheetData>") + len(b"</sheetData>")
    row = opened.inputs["capacity_headroom_ratio"].address.row
    merge = b'<mergeCells count="1"><mergeCell ref="C%d:D%d"/></mergeCells>' % (row, row)
    write_parts(copy, {**parts, part: parts[part][:at] + merge + parts[part][at:]})
    content = {"workbook digest": digest(opened.cells), "inputs": {"capacity_headroom_ratio": 0.25}}
    code, _, err = run("apply", copy, file_of(tmp_path, content), "--save", new)
    assert (code, err.count("\n"), new.exists()) == (2, 1, False)
    assert f"merged.xlsx: Inputs!D{row} is covered by the merged cells C{row}:D{row}" in err


def test_only_a_new_file_is_written(run: Run, original: Path, opened: SizingBook, tmp_path: Path) -> None:
    changes = file_of(tmp_path, {"workbook digest": digest(opened.cells), "inputs": {}})
    taken = tmp_path / "taken.xlsx"
    taken.write_bytes(b"somebody's")
    for target, message in (
        (taken, "is there already, and changes go into a new file"),
        (original, "is there already"),
        (tmp_path / "new.ods", "expected a file name that ends in .xlsx"),
        (tmp_path / "no" / "new.xlsx", "there is no folder"),
    ):
        code, _, err = run("apply", original, changes, "--save", target)
        assert (code, message in err) == (2, True), err
    assert taken.read_bytes() == b"somebody's"


def test_a_missing_file_of_changes_is_named(run: Run, original: Path, tmp_path: Path) -> None:
    code, _, err = run("apply", original, tmp_path / "none.json", "--save", tmp_path / "new.xlsx")
    assert (code, "none.json: cannot be read (No such file or directory)" in err) == (2, True)
