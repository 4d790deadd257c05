"""`explain` of a cell on Answer names what stands beside that very cell; what is checked comes last."""

from pathlib import Path

import pytest

from addin.kernel import Address, Scalar
from addin.sizing.answers import MOST_STEPS, cut, explain, legible, start, steps
from addin.sizing.labels import named
from addin.sizing.sentence import sentence
from addin.workbook.book import SizingBook, open_book
from model.workbook import Built
from tests.support import shipped

# the column of the labels beside each column of figures: START HERE, then ANSWER; below them everything is named in A
BESIDE = {"D": "A", "G": "F", "H": "F"}
HEADED = {"G": ", normal", "H": ", after one failure"}
TABLE = {"D": "year", "F": "limited by, after one failure", "G": "normal", "H": "after one failure",
         "J": "not checked", "M": "cost per desktop"}  # fmt: skip


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write(Path(tmp_path_factory.mktemp("labels"))))


def test_every_figure_of_answer_has_the_label_that_is_printed_beside_it(book: SizingBook, built: Built) -> None:
    values, ws = book.values(), built.workbook["Answer"]
    table = next(row for row in range(5, 40) if str(ws.cell(row, 1).value).startswith("ALTERNATIVES"))
    seen = 0
    for row in range(5, table + 16):
        for letter in TABLE:
            if ws[f"{letter}{row}"].value is None or row == table or (row == table - 2):
                continue
            at = Address.from_a1(f"Answer!{letter}{row}")
            if table < row < table + 9:
                label = values.value(at._replace(column=1))
                wanted = f"{label}, {TABLE[letter]}"
            elif letter in BESIDE:
                home = BESIDE[letter] if row < table else "A"
                wanted = f"{values.value(Address.from_a1(f'Answer!{home}{row}'))}{HEADED.get(letter, '')}"
            else:
                continue
            assert named(book, values, at)[0] == wanted, at.a1
            seen += 1
    assert seen > 70


@pytest.mark.slow
def test_a_cell_of_the_answer_is_named_as_its_block_names_it(book: SizingBook) -> None:
    assert sentence(book, Address.from_a1("Answer!G5")) == "Arrays needed, normal: 2."
    assert sentence(book, Address.from_a1("Answer!H10")).startswith(
        "Login latency, ms (limit 5), after one failure: 2."
    )
    assert sentence(book, Address.from_a1("Answer!D5")) == "Users: 1,500 desktops, typed at Answer!D5."


def test_what_is_checked_comes_last(book: SizingBook) -> None:
    chain = steps(book, Address.from_a1("Answer!G10"), depth=1)
    assert chain[0].address.sheet == "Answer"
    assert chain[-1].address.sheet == "Checks"
    assert "Login latency, ms (limit 5), normal" in explain(book, "Answer!G10")[0]


def test_a_code_reads_as_the_word_that_its_cell_shows(book: SizingBook) -> None:
    chain = explain(book, "arrays_required")
    assert any("Patching IOPS = none (-2)  =" in line for line in chain)
    assert not any("Arrays required = " in line and "(" in line.partition("=")[2].partition("=")[0] for line in chain)


def test_a_chain_leaves_out_the_fields_of_arrays_that_have_none_and_says_where_it_ends(book: SizingBook) -> None:
    chain = steps(book, start(book, "cost_per_desktop"))
    empty = [step.address for step in chain if step.address.sheet == "All arrays" and step.value == ""]
    listed = [step.address for step in legible(chain)]
    assert len(empty) > 10
    assert not set(empty) & set(listed)
    assert len(listed) > 250
    assert (len(chain), len(cut(chain)), cut(chain[:9])) == (MOST_STEPS, 1, [])


TASK, UNPUBLISHED = "Task worker PVS (EQL 2012)", "A figure neither published nor entered"


def on_lists(book: SizingBook, *first: Scalar) -> int:
    """Return the row of Lists that begins with these cells: rows move when a catalogue grows."""
    at = (Address("Lists", row, 1) for row in range(1, 2000))
    return next(
        a.row for a in at if all(book.cells.values.get(a._replace(column=n)) == v for n, v in enumerate(first, 1))
    )


def test_a_figure_of_a_table_is_named_by_its_row_and_its_heading(book: SizingBook) -> None:
    """`explain` printed C01, PVS or Task worker PVS for every figure of such a row."""
    values = book.values()
    wanted = {
        "Checks!H5": "Every choice is in its catalogue, Raised",
        "Checks!C7": "Every required input of the base design is filled, Type",
        "Checks!M6": "alert, Number raised",
        "Checks!O5": "Alerts raised, joined",
        f"Lists!A{on_lists(book, 'PVS', 1.0)}": "Provisioning method",
        f"Lists!Q{on_lists(book, 'PVS', 1.0)}": "PVS, I/Os per boot, high, I/O/desktop",
        f"Lists!D{on_lists(book, TASK, 'Login')}": f"{TASK}, Login, IOPS, IOPS/desktop",
        f"Lists!B{on_lists(book, 'RAID 0')}": "RAID 0, Write penalty, count",
        f"Lists!D{on_lists(book, UNPUBLISHED)}": UNPUBLISHED,
        "Timeline!C9": "Minute",
        "User groups!C5": "Group 1, Users, desktops",
        book.results["capacity_required_gib"].address.a1: "Capacity required",
    }
    assert {at: named(book, values, Address.from_a1(at))[0] for at in wanted} == wanted
