"""A result that a file stores is what its formula gives: audit, diff and size say where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.audit.stored import findings
from addin.kernel import Address, ExcelError, Scalar
from addin.workbook.book import open_book
from addin.workbook.stored import stored_otherwise
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.stored_compared import same
from addin.xlsx.stored_results import with_results
from addin.xlsx.workbook_part import sheet_parts
from tests.support import shipped
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
