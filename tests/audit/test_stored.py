"""A result that a file stores is what its formula gives: audit, diff and size say where it is not."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from openpyxl import load_workbook

import build
from addin.audit.stored import findings
from addin.kernel import Address, Cells, Evaluator, ExcelError, KernelError, Scalar
from addin.shell.proof import HEADING, LEFT_OUT, proof
from addin.workbook.book import open_book
from addin.workbook.stored import stored_otherwise
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.stored_compared import same
from addin.xlsx.stored_results import with_results
from addin.xlsx.workbook_part import sheet_parts
from tests.support import shipped, small_workbook
from tests.support.shell import Run, shell

APPLICATION = "LibreOffice 24.8"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return shell(capsys)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shipped.write(tmp_path_factory.mktemp("stored"))


def planted(made: Path, folder: Path, results: dict[Address, Scalar]) -> Path:
    """A copy that stores other results; every formula is as it was."""
    parts, titles = read_parts(made), sheet_parts(read_parts(made))
    for at, value in results.items():
        parts[titles[at.sheet]] = with_results(parts[titles[at.sheet]], {(at.row, at.column): value})
    write_parts(folder / "copy.xlsx", parts)
    return folder / "copy.xlsx"


@pytest.mark.slow
def test_a_four_stored_where_the_formula_gives_three_is_named_everywhere(made: Path, tmp_path: Path, run: Run) -> None:
    book = open_book(made)
    at = book.results["arrays_required"].address
    copy = planted(made, tmp_path, {at: 4.0})
    code, out, _ = run("audit", copy)
    assert code == 1
    assert out.startswith(
        f"Results {at.a1}: stores 4, its formula gives 3. No application that computes saved the file"
    )
    assert "Compute it anew: Ctrl+Alt+F9 in Excel" in out
    for command in (("size", copy), ("diff", made, copy)):
        _, out, err = run(*command)
        assert f"warning: copy.xlsx: {at.a1} stores 4, its formula gives 3. See the command audit." in err
        assert "warning" not in out
    assert run("size", made)[2] == ""


@pytest.mark.slow
def test_any_result_changed_in_any_way_is_found_and_the_first_is_that_which_nothing_explains(
    made: Path, tmp_path: Path
) -> None:
    book = open_book(made)
    cost, ranked, words = (book.results[key].address for key in ("ratio_largest", "arrays_required", "status"))
    assert stored_otherwise(book, exact=True) == []
    computed = book.values()
    slightly = float(str(computed.value(cost))) * (1 + 1e-13)
    for value in (slightly, "about two", ExcelError.NA, True):
        wrong = stored_otherwise(open_book(planted(made, tmp_path, {cost: value})), exact=True)
        assert [each.address for each in wrong] == [cost]
    both = stored_otherwise(open_book(planted(made, tmp_path, {cost: 9.0, ranked: 9.0, words: "9 arrays"})))
    assert sorted(each.address for each in both) == sorted((cost, ranked, words))
    (finding,) = findings(both, APPLICATION)
    assert finding.where == cost.a1
    assert "; 2 more cells differ. LibreOffice 24.8 saved the file, and its last digits do not explain" in str(finding)


@pytest.mark.slow
def test_last_digits_are_forgiven_to_an_application_and_texts_of_links_are_no_results(
    made: Path, tmp_path: Path
) -> None:
    book = open_book(made)
    at = book.results["ratio_largest"].address
    slightly = float(str(book.values().value(at))) * (1 + 1e-13)
    assert stored_otherwise(open_book(planted(made, tmp_path, {at: slightly}))) == []
    linked = [
        cell
        for sheet in load_workbook(made, data_only=True)
        for row in sheet.iter_rows()
        for cell in row
        if cell.hyperlink and cell.value == cell.hyperlink.location
    ]
    assert linked  # what a reader of the file sees in an empty cell that is a link; none of them is a difference
    assert stored_otherwise(book, exact=True) == []


@pytest.mark.parametrize(
    ("stored", "computed", "alike"),
    [(0.1 + 0.2, 0.3, True), (3.0, 4.0, False), ("", None, True), ("", 0.0, False), ("3", 3.0, False),
     (ExcelError.NA, ExcelError.NA, True), (ExcelError.NA, ExcelError.DIV0, False), ("None", "none", False)],
)  # fmt: skip
def test_results_are_alike_to_fifteen_digits_letter_and_kind(stored: Scalar, computed: Scalar, alike: bool) -> None:
    assert same(stored, computed) is alike


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Two formulas, of which one stores what it gives and the other one digit more."""
    path = small_workbook.save(tmp_path / "small.xlsx", {"x": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    return stored_in(path, {(5, 4): 1.0, (6, 4): 1.5})


def stored_in(path: Path, results: dict[tuple[int, int], Scalar]) -> Path:
    parts = read_parts(path)
    part = sheet_parts(parts)["Sizing"]
    write_parts(path, {**parts, part: with_results(parts[part], results)})
    return path


def test_the_proof_is_one_file_beside_the_workbook_with_the_cells_that_differ(small: Path, run: Run) -> None:
    code, out, err = run("audit", small, "--stored")
    target = small.with_name("small stored.txt")
    assert (code, err) == (1, "")
    assert out.startswith(f"2 stored results, 1 differ from the kernel: {target}\n")
    lines = target.read_text("utf-8").splitlines()
    assert lines[0] == HEADING
    assert f"sha256 {hashlib.sha256(small.read_bytes()).hexdigest()}" in lines[1]
    assert {"formulas\t2", "stored\t2", "the same to 15 digits\t1", "different\t1"} <= set(lines)
    assert lines[lines.index("cell\tformula\tstored\tkernel") + 1 :] == ["Sizing!D6\t=Inputs!D7*2\t1.5\t1.0"]
    assert run("audit", small, "--stored")[0] == 1  # again, over its own file


def test_a_file_that_is_half_calculated_is_said(small: Path, run: Run) -> None:
    workbook = load_workbook(small)
    workbook.save(small)  # which stores no result
    code, out, _ = run("audit", stored_in(small, {(5, 4): 1.0}), "--stored")
    assert code == 1
    assert "1 formulas have no stored result. Compute all (Ctrl+Alt+F9 in Excel) and save." in out
    assert small.with_name("small stored.txt").read_text("utf-8").endswith("\nSizing!D6\t=Inputs!D7*2\t\t\n")


def test_without_a_stored_result_or_over_a_file_of_somebody_else_nothing_is_written(small: Path, run: Run) -> None:
    target = small.with_name("small stored.txt")
    target.write_text("my notes", "utf-8")
    code, _, err = run("audit", small, "--stored")
    assert (code, target.read_text("utf-8")) == (2, "my notes")
    assert err == f"error: {target}: is no file of this command. Move it away, and run again.\n"
    target.unlink()
    load_workbook(small).save(small)
    code, _, err = run("audit", small, "--stored")
    assert (code, target.exists()) == (2, False)
    assert err.startswith("error: small.xlsx: stores no result beside its formulas; expected those of an application.")


def test_the_amounts_of_cells_about_money_are_left_out(small: Path) -> None:
    text = proof(small, open_book(small).cells, {Address("Sizing", 6, 4)}).text
    assert text.endswith(f"Sizing!D6\t=Inputs!D7*2\t{LEFT_OUT}\t{LEFT_OUT}\n")


def computed(evaluator: Evaluator, at: Address) -> Scalar:
    try:
        return evaluator.value(at)
    except KernelError:  # ISLOGICAL, with which the probe looks at a result
        return True


def test_the_probe_has_a_proof_too(tmp_path: Path, run: Run) -> None:
    """Saved by an application, here with the results that its cases expect."""
    path, parts = tmp_path / "excel-probe.xlsx", read_parts(Path(build.__file__).parent / "templates" / build.PROBE)
    write_parts(path, parts)
    (part,) = sheet_parts(parts).values()
    evaluator = Evaluator(Cells.from_openpyxl(load_workbook(path)))
    results = {at: computed(evaluator, at) for at in evaluator.cells.formulas()}
    write_parts(path, {**parts, part: with_results(parts[part], {at[1:]: value for at, value in results.items()})})
    code, out, err = run("audit", path, "--stored")
    assert (code, err) == (0, "")
    assert out.startswith(f"{len(results)} stored results, 0 differ from the kernel: ")
