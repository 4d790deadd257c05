"""The checks a report names are those that are raised: each raised once, and read wherever checks are reported."""

import json
from dataclasses import replace

import pytest
from openpyxl import Workbook

from addin.errors import BookError, RequestError
from addin.kernel import Address, Cells, Evaluator
from addin.results.document.reading import Reading
from addin.results.document.review_chapters import failing
from addin.shell import json_documents
from addin.simulation.montecarlo import simulate
from addin.sizing import checks
from addin.sizing.answers import answer, headline, size
from addin.sizing.checks import Raised, raised
from addin.sizing.sentence import sentence
from addin.workbook.book import SizingBook, open_book
from addin.workbook.tables import rows
from model.errors import BuildError
from model.layout import canvas
from model.layout.grid import repeated
from model.sheets.sizing import outcome
from tests.support import shipped

HOLDS = 1.0  # every check is held to plain cells, so that none costs the whole workbook


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write_draft(tmp_path_factory.mktemp("checks")))


@pytest.fixture(scope="module")
def calm(book: SizingBook) -> SizingBook:
    """The workbook with the figure of every check typed between its bounds."""
    lines = list(rows(book, "Checks"))
    return edited(book, {row["Found"]: book.cells.constant(row["At least"]) for row in lines})


def edited(book: SizingBook, changes: dict) -> SizingBook:
    return replace(book, cells=book.cells.with_values(changes))


@pytest.mark.slow
def test_each_check_raised_alone_is_the_one_that_every_report_names(calm: SizingBook) -> None:
    lines = list(rows(calm, "Checks"))
    assert len(lines) >= 35
    assert raised(calm, Evaluator(calm.cells)) == []
    values = Evaluator(calm.cells)  # what to do may be a line of the design
    for row in lines:
        copy = edited(calm, {row["Found"]: -1e12})
        id_, label, kind, todo = (values.value(row[head]) for head in ("Id", "Check", "Type", "What to do"))
        wanted = Raised(str(id_), str(label), str(kind), str(todo))
        assert raised(copy, copy.values()) == [wanted]  # which the chapter reads too
        named = [f"{id_}, {kind}: {label}. {todo}."]
        assert failing(Reading(copy)) == ([] if kind == "sensitivity" else named)


@pytest.mark.parametrize("id_", ["C02", "C22"])
def test_size_and_its_json_name_the_error_and_the_alert(calm: SizingBook, id_: str) -> None:
    row = next(row for row in rows(calm, "Checks") if calm.cells.constant(row["Id"]) == id_)
    copy = edited(calm, {row["Found"]: -1e12})
    label, kind, todo = (calm.cells.constant(row[head]) for head in ("Check", "Type", "What to do"))
    assert size(copy, ()).notes == (f"{kind} {id_} raised. Expected: {label}. {todo}.",)
    content = json.loads(json_documents.text("size", copy, json_documents.results(*answer(copy, ()), copy.notes)))
    assert content["checks"] == [{"id": id_, "kind": kind, "check": label, "todo": todo}]


WITHOUT_ANSWER = {
    "users missing": (["desktops="], ["C04", "C05"], "Enter the users"),
    "a card without figures": (["array=My array 1"], ["C07"], "fill the card of this array"),
    "a card begun": (
        ["array=My array 1", "My array 1.iops=300000", "My array 1.capacity_tib=100"],
        ["C06", "C07"],
        "correct the card of this array",
    ),
    "reserves above the capacity": (
        ["capacity_headroom_ratio=0.6", "snapshot_reserve_ratio=0.6"],
        ["C08"],
        "does not fit: lower free space or snapshot reserve",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", WITHOUT_ANSWER)
def test_a_design_without_an_answer_shows_no_figure_but_its_errors(book: SizingBook, case: str) -> None:
    settings, ids, state = WITHOUT_ANSWER[case]
    table = size(book, settings)
    ((label, said, _),) = table.rows
    assert label == "Answer"
    assert state in str(said)
    assert [note.split(" raised")[0] for note in table.notes if note.startswith("error")] == [
        f"error {id_}" for id_ in ids
    ]
    _, found = answer(book, settings)
    assert [each.id for each in found if each.kind == "error"] == ids
    assert state in sentence(book, book.results["arrays_required"].address, settings)
    with pytest.raises(RequestError, match="the base design has no answer: ") as refused:
        simulate(book, 1024, settings=settings)
    assert state in str(refused.value)
    copy = replace(book, cells=book.cells.with_values(book.settings(settings)))
    reading = Reading(copy)
    assert {
        reading.text(key) for key in ("arrays_normal", "room_normal", "headroom_desktops", "capacity_required_gib")
    } == {"no answer"}


@pytest.mark.slow
def test_what_a_card_lacks_is_said_as_beside_its_cells(book: SizingBook) -> None:
    settings = WITHOUT_ANSWER["a card begun"][0]
    said = size(book, settings).notes[-1]
    assert said.startswith("My array 1 says beside its cells: Which capacity that is (which capacity?), Read share of")
    assert "Latency at these IOPS (enter it)" in said
    mended = [*settings, "My array 1.capacity_kind=usable", "My array 1.read_ratio=0.7", "My array 1.latency_ms=1"]
    assert not [note for note in size(book, mended).notes if "error" in note or "beside its cells" in note]


@pytest.mark.slow
def test_a_quick_answer_takes_nothing_as_saved_but_the_proof(book: SizingBook) -> None:
    computed = Evaluator(book.cells)
    for key in headline(book):
        computed.value(book.results[key].address)
    checked = {row["Raised"]: book.cells.constant(row["Check"]) for row in rows(book, "Checks")
               if book.cells.constant(row["Type"]) == "error"}  # fmt: skip
    named = {str(checked[flag]).partition(":")[0] for flag in checks.far(book.cells, computed, checked)}
    proof = {"No printed result differs from ours", "Supply is at least what each test demonstrated", "Timeline",
             "Served IOPS equal demand where the arrays suffice"}  # fmt: skip
    behind = {f"No row of {', '.join(sheets)} has an error" for sheets in outcome.BEHIND}  # of all eight designs
    assert named == proof | behind


@pytest.mark.slow
def test_an_alert_of_the_design_as_it_was_changed_is_named(book: SizingBook) -> None:
    settings = ["array=My array 1", "My array 1.capacity_tib=40"]
    told = " ".join(size(book, settings).notes)
    assert "raised. Expected: Every constraint of the base design is checked." in told
    assert "raised. Expected: My array 1 is blank or complete." in told


def test_a_heading_of_another_table_beside_it_is_never_read(book: SizingBook) -> None:
    """The tally stands beside the checks: its headings gave the wrong checks once."""
    head = next(a for a, value in book.cells.values.items() if a.sheet == "Checks" and value == "Id")
    beside = {Address("Checks", head.row, column): text for column, text in ((12, "Type"), (13, "Raised"))}
    twice = edited(book, beside)
    assert list(rows(twice, "Checks")) == list(rows(book, "Checks"))
    with pytest.raises(BookError, match="Checks!G4: the heading 'Type' appears twice"):
        list(rows(edited(book, {Address("Checks", head.row, 7): "Type"}), "Checks"))
    with pytest.raises(BookError, match="no column of Checks is headed 'What to do'"):
        raised(edited(book, {Address("Checks", head.row, 9): "To do"}), Evaluator(book.cells))


def test_a_renamed_sheet_of_checks_is_found_by_its_name(calm: SizingBook) -> None:
    row = next(rows(calm, "Checks"))
    copy = edited(calm, {row["Found"]: -1e12})
    values = {a._replace(sheet="Proof") if a.sheet == "Checks" else a: value for a, value in copy.cells.values.items()}
    names = {name: text.replace("Checks!", "Proof!") for name, text in copy.cells.names.items()}
    sheets = tuple("Proof" if sheet == "Checks" else sheet for sheet in copy.cells.sheets)
    renamed = replace(copy, cells=Cells(values, names, sheets, copy.cells.texts))
    assert [each.id for each in raised(renamed, Evaluator(renamed.cells))] == ["C01"]


def test_the_build_refuses_headings_and_labels_that_stand_twice() -> None:
    ws = Workbook().create_sheet("Table")
    with pytest.raises(BuildError, match="Table: two columns of a table are headed 'unit'"):
        canvas.head(ws, "Table", "", ["Id", "Unit", "unit"], [9, 9, 9], "A5")
    assert repeated(["Boot", "boot"]) == "boot"
    assert repeated(["Boot", "Login"]) == ""


@pytest.mark.slow
def test_a_text_where_a_figure_belongs_is_named_with_its_cell(book: SizingBook) -> None:
    typed = {book.entry("support_included_years").address: "3 years", book.entry("My array 1.iops").address: True}
    told = size(edited(book, typed), ()).notes
    assert any(
        ": found the text '3 years', no number: Years of support the price includes. Type" in line for line in told
    )
    assert any(": found TRUE, no number: IOPS. Type a number, or clear the cell." in line for line in told)
