"""`explain` begins with a sentence: how many arrays, what limits them, demand and supply of that constraint."""

from dataclasses import replace

import pytest

from addin.kernel import Address, Cells
from addin.sizing.answers import start
from addin.sizing.sentence import _digits, _subject, sentence
from addin.workbook.book import SizingBook, open_book
from tests.support import shipped
from tests.support.shell import shell
from tests.support.small_workbook import UNIFORM, save


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write_draft(tmp_path_factory.mktemp("sentence")))


def said(book: SizingBook, name: str, *settings: str) -> str:
    return sentence(book, start(book, name), settings)


def test_the_answer_names_what_limits_it_with_demand_and_supply(book: SizingBook) -> None:
    """The papers' reference design: patching asks for 0.684 of an AFF8040."""
    text = said(book, "arrays_required")
    assert text == "1 array because patching needs 0.68 of one: 31,377 of 45,866 IOPS."
    assert pytest.approx(0.684, abs=5e-4) == 31377 / 45866
    assert said(book, "status") == text


def test_more_arrays_are_told_as_arrays_and_in_the_unit_of_what_limits(book: SizingBook) -> None:
    """20,000 clones with disks of 60 GiB, on arrays that keep 10,639 GiB for them."""
    text = said(book, "arrays_required", "desktops=20000", "disk_gib=60")
    assert text == "8 arrays because capacity needs 7.52 arrays: 80,000 GiB, one has 10,639 GiB."
    assert pytest.approx(7.52, abs=5e-3) == 80000 / 10639


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        ("Login IOPS", "login"),
        ("Login IOPS, after one failure", "login, after one failure,"),
        ("Latency, after one failure", "latency, after one failure,"),
        ("VMs per node", "VMs per node"),
    ],
)
def test_a_constraint_is_the_subject_of_the_sentence_without_its_unit(limit: str, told: str) -> None:
    assert _subject(limit) == told


def test_what_is_unchecked_stands_in_the_sentence(book: SizingBook) -> None:
    text = said(
        book, "arrays_required", "array=My array 1", "My array 1.capacity_tib=40", "My array 1.capacity_kind=usable"
    )
    assert text.startswith("At least 1 array because capacity needs ")
    assert ". Not checked: provisioning, boot, " in text


def test_any_other_number_is_told_with_label_and_unit(book: SizingBook) -> None:
    assert said(book, "desktops") == f"Users: 1,500 desktops, typed at {book.inputs['desktops'].address.a1}."
    assert (
        said(book, "Out_cost_total", "array_price=")
        == "Arrays with support and cloud storage over the years, of day one's users: enter a quote."
    )
    own = book.own["My array 1.capacity_tib"]
    assert said(book, "My array 1.capacity_tib") == f"{own.label}: blank, typed at {own.address.a1}."
    assert said(book, "Sizing!D5").startswith(f"{book.cells.constant(Address('Sizing', 5, 1))}")


def test_a_workbook_without_these_results_is_told_all_the_same(tmp_path) -> None:
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM}, {"sum": "={x}*4"}))
    assert said(book, "sum") == "Sum: 2 ratio."
    assert said(book, "arrays_required") == "Arrays_Required: 1 arrays."


def test_an_error_is_told_as_its_text(book: SizingBook) -> None:
    place = book.results["ratio_largest"].address
    broken = replace(
        book, cells=Cells({**book.cells.values, place: "=1/0"}, book.cells.names, book.cells.sheets, book.cells.texts)
    )
    assert said(broken, "arrays_required") == "Arrays required: #DIV/0!."


def test_explain_says_that_a_check_leaves_no_answer(book: SizingBook, capsys: pytest.CaptureFixture[str]) -> None:
    """A boot after the logins: "3 arrays because latency needs 2.66" had no word of it."""
    fault = ("--set", "boot_at=09:00", "--set", "logins_at=08:00")
    why = "Enter when boot and logins start, both as 07:00, the boot first; or clear both."

    def first_line(*arguments: str) -> str:
        return shell(capsys)("explain", book.path, *arguments)[1].splitlines()[0]

    assert first_line("arrays_required", *fault) == f"Arrays required: no answer: {why}"
    assert first_line("capacity_required_gib", *fault).endswith(f" GiB. The design has no answer: {why}")
    assert "no answer" not in first_line("arrays_required")


@pytest.mark.parametrize(("ratio", "text"), [(0.684, "0.68"), (1.0, "1.00"), (2.0004, "2.0004"), (0.999, "1.00")])
def test_a_need_has_as_many_decimals_as_tell_the_number_of_arrays(ratio: float, text: str) -> None:
    assert _digits(ratio) == text
