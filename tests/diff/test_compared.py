"""What differs between two copies is found by key and label, each difference once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from addin.diff.bridge import bridge
from addin.diff.compared import Difference, compare
from addin.diff.typed import ABSENT
from addin.kernel import Address, Cells, Evaluator, Scalar
from addin.kernel.formula.cells import quoted
from addin.shell.diff_text import text
from addin.workbook.book import SizingBook
from tests.diff.conftest import changed
from tests.support.inserted_row import with_row

pytestmark = pytest.mark.slow


def sections(found: Difference) -> list[str]:
    """Return the keys of the sections that hold findings."""
    return [key for key, _, changes in found.sections if changes]


def row_of(book: SizingBook, key: str) -> tuple[Address, list[Address]]:
    """Return the cell of a result, and the formula cells of its row in all designs."""
    at = book.results[key].address
    stored = book.cells.stored(at.sheet)
    return at, [c for c in stored if c.row == at.row and c.column >= at.column and book.cells.formula(c)]


def test_two_equal_copies_differ_in_nothing(book: SizingBook) -> None:
    found = compare(book, replace(book))
    assert found.none
    assert sections(found) == []


def test_a_changed_quote_is_one_input_and_the_results_that_it_moved(book: SizingBook) -> None:
    found = compare(book, changed(book, {"array_price": 120000.0}))
    (quote,) = found.inputs
    assert (quote.key, quote.old, quote.new) == ("array_price", 90000.0, 120000.0)
    assert (quote.unit, quote.note) == ("USD", "user")
    moved = {change.key: (change.old, change.new) for change in found.results}
    assert moved["npv"] == (270000.0, 360000.0)
    assert moved["cost_per_desktop"] == (180.0, 240.0)
    assert "arrays_required" not in moved
    assert sections(found) == ["inputs", "results"]


def test_a_text_of_hand_off_is_a_finding_and_no_row_that_was_renamed(book: SizingBook) -> None:
    """They read "Nothing differs" for a protocol typed in one copy alone."""
    protocol, risk = (Address.from_a1(book.cells.names[f"Own_handoff_{key}"].replace("$", "").partition(":")[0])
                      for key in ("protocol", "risk"))  # fmt: skip
    old, new = (replace(book, cells=book.cells.with_values(values))
                for values in ({protocol: "iSCSI"}, {protocol: "NVMe/TCP", risk: "Old images"}))  # fmt: skip
    found = compare(old, new)
    told = [(change.label, change.old, change.new) for change in found.inputs]
    assert told == [("Protocol", "iSCSI", "NVMe/TCP"), ("Risk 1", None, "Old images")]
    assert sections(found) == ["inputs"]


def test_a_quote_that_is_taken_out_is_blank(book: SizingBook) -> None:
    found = compare(book, changed(book, {"array_price": None}))
    assert [(change.old, change.new) for change in found.inputs] == [(90000.0, None)]
    assert ("npv", 270000.0, "enter a quote") in [(c.key, c.old, c.new) for c in found.results]


def test_a_formula_edited_in_all_designs_is_one_finding(book: SizingBook) -> None:
    at, row = row_of(book, "boot_minutes")
    edits = {cell.a1: f"{book.cells.formula(cell)}+1" for cell in row}
    found = compare(book, changed(book, cells=edits))
    (edit,) = found.formulas
    assert (edit.label, edit.old, edit.new) == (
        book.results["boot_minutes"].label,
        book.cells.formula(at),
        f"{book.cells.formula(at)}+1",
    )
    assert edit.note == f"{len(row)} cells"
    assert edit.where.startswith(f"{quoted(at.sheet)}!D{at.row}:")
    assert ("boot_minutes", 31.0, 32.0) in [(c.key, c.old, c.new) for c in found.results]


def test_an_edit_that_a_check_catches_leaves_no_figure(book: SizingBook) -> None:
    """One dollar more in every total: the parts no longer add up to what is paid."""
    _, row = row_of(book, "cost_total")
    found = compare(book, changed(book, cells={cell.a1: f"{book.cells.formula(cell)}+1" for cell in row}))
    assert ("cost_total", 270000.0, "no answer") in [(c.key, c.old, c.new) for c in found.results]


def test_another_spelling_of_a_formula_is_no_difference(book: SizingBook) -> None:
    at, _ = row_of(book, "cost_total")
    text = book.cells.formula(at) or ""
    spelled = text.replace(",", " , ").lower().replace(f"d{at.row - 1}", f"$D${at.row - 1}")
    assert spelled != text
    assert compare(book, changed(book, cells={at.a1: spelled})).none


def test_brackets_that_change_what_is_computed_are_a_difference(book: SizingBook) -> None:
    at, _ = row_of(book, "npv")
    assert sections(compare(book, changed(book, cells={at.a1: f"={at.a1.replace('D', 'E')}-1"})))[0] == "formulas"
    before = changed(book, cells={at.a1: "=0.3-0.1*3"})
    after = changed(book, cells={at.a1: "=(0.3-0.1*3)"})
    assert [change.new for change in compare(before, after).formulas] == ["=(0.3-0.1*3)"]


def test_a_formula_that_was_typed_over_is_a_finding_of_formulas(book: SizingBook) -> None:
    at, _ = row_of(book, "cost_total")
    (typed,) = compare(book, changed(book, cells={at.a1: 5.0})).formulas
    assert (typed.where, typed.old, typed.new) == (at.a1, book.cells.formula(at), 5.0)


def test_a_formula_typed_into_an_input_is_an_input_and_its_results_are_told(book: SizingBook) -> None:
    found = compare(book, changed(book, {"desktops": "=1000+700"}))
    assert [(each.key, each.old, each.new) for each in found.inputs] == [("desktops", 1500.0, 1700.0)]
    assert found.formulas == ()
    assert ("arrays_required", 3.0, 4.0) in [(each.key, each.old, each.new) for each in found.results]


def test_an_inserted_row_is_one_finding(book: SizingBook) -> None:
    at, row = row_of(book, "cost_total")
    held = {1: "A line of mine", 2: "USD", **{cell.column: "=1+1" for cell in row}}
    longer = with_row(book, at.sheet, at.row, held)
    found = compare(book, longer)
    assert sections(found) == ["formulas"], found
    (new,) = found.formulas
    assert (new.label, new.old, new.new) == ("A line of mine", ABSENT, "=1+1")
    assert new.note == f"new row, {len(held)} cells"
    back = compare(longer, book)
    assert [(each.label, each.new) for each in back.formulas] == [("A line of mine", ABSENT)]
    assert sections(back) == ["formulas"]


def test_a_row_inserted_among_inputs_and_cards_is_one_finding(book: SizingBook) -> None:
    for sheet, row in (("Inputs", 20), ("Answer", 9), ("My arrays", 12), ("Checks", 20), ("Timeline", 60)):
        found = compare(book, with_row(book, sheet, row, {1: "A note of mine"}))
        assert sections(found) == ["texts"], (sheet, found)
        assert len(found.texts) == 1


def test_an_edit_beside_an_inserted_row_is_found_under_its_new_address(book: SizingBook) -> None:
    at, _ = row_of(book, "cost_total")
    longer = with_row(book, at.sheet, at.row - 5, {1: "A line of mine", 4: "=2"})
    below = at._replace(row=at.row + 1)
    found = compare(book, changed(longer, cells={below.a1: f"{longer.cells.formula(below)}*2"}))
    assert [change.where for change in found.formulas] == [below.a1, at._replace(row=at.row - 5).a1]


def test_a_sum_over_an_inserted_row_moves_what_it_gives(book: SizingBook) -> None:
    at, _ = row_of(book, "npv")
    text = book.cells.formula(at) or ""
    sheet = "Years"
    (first,) = [area for area in _areas_of(book, at) if area[0] == sheet][:1]
    found = compare(book, with_row(book, sheet, first[1] + 1, {1: "A line of mine", 4: 1000.0}))
    assert "SUM(" in text
    assert ("npv", 270000.0, 271000.0) in [(c.key, c.old, c.new) for c in found.results]
    assert [c.label for c in found.catalogue] == ["A line of mine"]


def _areas_of(book: SizingBook, at: Address) -> Iterator[tuple[str, int]]:
    from addin.kernel.formula.graph import areas

    yield from ((area.sheet, area.top) for area in areas(book.cells, at) if area.bottom > area.top)


def test_a_renamed_profile_is_a_row_with_another_name(book: SizingBook) -> None:
    before = changed(book, {"My profile 2.steady_iops": 12.0, "profile": "My profile 2"})
    title = next(at for at, value in book.cells.values.items() if value == "My profile 2" and at.sheet == "My profiles")
    after = changed(before, {"profile": "Traders"}, {title.a1: "Traders"})
    found = compare(before, after)
    assert [(c.key, c.old, c.new) for c in found.own] == [("Traders", "My profile 2", "Traders")]
    assert [(c.key, c.old, c.new) for c in found.inputs] == [("profile", "My profile 2", "Traders")]
    assert found.catalogue == found.formulas == ()
    assert [c for c in found.results if c.key == "arrays_required"] == []


def test_a_field_of_a_card_is_found_by_row_and_field(book: SizingBook) -> None:
    found = compare(book, changed(book, {"My array 1.capacity_tib": 40.0}))
    assert [(c.key, c.old, c.new, c.unit) for c in found.own] == [("My array 1.capacity_tib", None, 40.0, "TiB")]
    assert found.inputs == ()


def test_what_is_typed_for_a_what_if_is_an_input_of_that_design(book: SizingBook) -> None:
    beside = book.inputs["desktops"].beside
    at = beside._replace(column=beside.column + 6)
    found = compare(book, changed(book, cells={at.a1: 700.0}))
    assert [(c.key, c.label.partition(":")[0], c.new) for c in found.inputs] == [("desktops", "What-if 6", 700.0)]


def test_an_array_typed_over_the_one_a_what_if_ships_with_is_an_input_too(book: SizingBook) -> None:
    beside = book.inputs["array"].beside
    at = beside._replace(column=beside.column + 1)
    shipped = book.values().value(at)
    found = compare(book, changed(book, cells={at.a1: "NetApp FAS3270"}))
    assert [(c.key, c.old, c.new) for c in found.inputs] == [("array", shipped, "NetApp FAS3270")]
    assert found.formulas == ()


def test_a_fact_of_the_catalogue_is_found_with_row_and_column(book: SizingBook) -> None:
    at = next(a for a in book.cells.stored("Arrays") if a.row > 5 and isinstance(book.cells.values[a], float))
    found = compare(book, changed(book, cells={at.a1: 77.0}))
    assert [(c.where, c.new) for c in found.catalogue] == [(at.a1, 77.0)]
    assert str(book.cells.values[at._replace(column=1)]) in found.catalogue[0].label


def test_a_label_that_nothing_reads_is_a_text_and_one_that_is_looked_up_is_not(book: SizingBook) -> None:
    note = book.inputs["failover"].beside._replace(column=3)
    (text,) = compare(book, changed(book, cells={note.a1: "asked the customer"})).texts
    assert (text.where, text.new) == (note.a1, "asked the customer")
    name = next(a for a, value in book.cells.values.items() if value == "NetApp FAS3270" and a.sheet == "Arrays")
    found = compare(book, changed(book, cells={name.a1: "NetApp FAS 3270"}))
    assert [(c.label, c.old, c.new) for c in found.own] == [("Name of the row", "NetApp FAS3270", "NetApp FAS 3270")]
    assert (found.catalogue, found.texts) == ((), ())  # a quote is typed under this name, so it is a row with a key


def test_a_check_that_is_raised_now_is_named_with_what_to_do(book: SizingBook) -> None:
    found = compare(book, changed(book, {"years": 2.5}))
    raised = [(c.old, c.new, bool(c.note)) for c in found.checks]
    assert raised == [("holds", "alert", True)]
    back = compare(changed(book, {"years": 2.5}), book)
    assert [(c.old, c.new) for c in back.checks] == [("alert", "holds")]


def test_a_sheet_with_another_title_is_the_same_sheet(book: SizingBook) -> None:
    def renamed(at: Address) -> Address:
        return at._replace(sheet="Expenses") if at.sheet == "Cost" else at

    values = {
        renamed(at): value.replace("Cost!", "Expenses!") if isinstance(value, str) and value.startswith("=") else value
        for at, value in book.cells.values.items()
    }
    names = {name: text.replace("Cost!", "Expenses!") for name, text in book.cells.names.items()}
    sheets = tuple("Expenses" if title == "Cost" else title for title in book.cells.sheets)
    other = replace(book, cells=Cells(values, names, sheets, book.cells.texts))
    found = compare(book, other)
    assert [(c.old, c.new, c.note) for c in found.formulas] == [("Cost", "Expenses", "renamed sheet")]
    assert sections(found) == ["formulas"]


def test_result_sheets_are_named_and_not_compared(book: SizingBook) -> None:
    cells = book.cells
    values = {**cells.values, Address("Risk", 1, 1): "old run"}
    with_risk = replace(book, cells=Cells(values, cells.names, (*cells.sheets, "Risk"), cells.texts))
    found = compare(book, with_risk)
    assert found.none
    assert found.notes == ("Sheets of results are not compared: Risk.",)


def test_a_name_that_points_elsewhere_is_a_finding(book: SizingBook) -> None:
    cells = book.cells
    at, other = book.results["npv"].address, book.results["cost_total"].address
    names = {**cells.names, "Out_npv": cells.names["Out_cost_total"]}
    found = compare(book, replace(book, cells=Cells(cells.values, names, cells.sheets, cells.texts)))
    assert [(c.key, c.new) for c in found.formulas] == [("Out_npv", f"={cells.names['Out_cost_total']}")]
    assert at != other


@pytest.mark.parametrize("digits", [14, 13])
def test_numbers_are_compared_to_15_digits(book: SizingBook, digits: int) -> None:
    number = 325.9629011154175
    before = changed(book, cells={"Arrays!D6": number})
    after = changed(book, cells={"Arrays!D6": float(f"{number:.{digits}g}")})
    assert compare(before, changed(book, cells={"Arrays!D6": 325.962901115418})).none
    assert [c.new for c in compare(before, after).catalogue] == [float(f"{number:.{digits}g}")]


def test_a_cell_of_a_page_is_called_as_people_call_it(book: SizingBook) -> None:
    """The sheet Answer holds tables side by side: a label on the left is not one of the table on the right."""
    cells = {"Answer!G5": "=1+1", "Answer!H6": "=1+2", "Answer!G18": "=1+3", "Answer!D27": "=1+4"}
    found = compare(book, changed(book, cells=cells))
    rival = Evaluator(book.cells).value(Address.from_a1("Answer!A18"))
    assert {each.where: each.label for each in found.formulas} == {
        "Answer!G5": "Arrays needed: normal",
        "Answer!H6": "Limited by, share used: after one failure",
        "Answer!G18": f"{rival}: normal",
        "Answer!D27": "CLOSE CALL",
    }


def test_the_changed_figures_of_one_array_stand_together_and_name_it_once(book: SizingBook) -> None:
    heads = [at for at in book.cells.stored("Arrays") if at.row == 4 and at.column > 3]
    first, second = (str(book.cells.values[at]) for at in heads[:2])
    cells: dict[str, Scalar] = {}
    for row in (6, 8):
        for at in heads[:2]:
            cells[at._replace(row=row).a1] = 4321.0 if row == 8 else 3.0
    del cells[heads[1]._replace(row=6).a1]
    found = compare(book, changed(book, cells=cells))
    told = [(each.group, each.label) for each in found.catalogue]
    price = str(book.cells.values[Address("Arrays", 8, 1)])
    assert [group for group, _ in told] == [first, first, ""]
    assert told[2] == ("", f"{price}: {second}")
    assert not any(first in label for _, label in told)
    printed = text(found, [])
    assert printed.count(f"\n  {first}\n") == 1
    assert [each.full_label for each in found.catalogue][1] == f"{price}: {first}"


def test_a_cell_of_a_later_table_has_the_heading_of_that_table(book: SizingBook) -> None:
    """They read "Login: Days, count" for the lower end of an interval: the headings of the first table."""
    cells = {"Measured!C11": 15.4, "Measured!D11": 14.2, "Measured!F112": 0.04}
    found = compare(book, changed(book, cells=cells))
    assert {change.where: change.full_label for change in found.catalogue} == {
        "Measured!C11": "Login: Design, IOPS/desktop",
        "Measured!D11": "Login: 95 % from, IOPS/desktop",
        "Measured!F112": "Login: Error of ln, ratio",
    }


def test_a_text_typed_for_a_figure_is_quoted_without_the_unit(book: SizingBook) -> None:
    was, now = ({"user_data_gib": value} for value in (0.0, "2 GiB"))
    printed = text(compare(changed(book, was), changed(book, now)), ())
    assert 'User data on this array: 0 GiB/desktop -> "2 GiB" (user)' in " ".join(printed.split())
    printed = text(compare(changed(book, now), changed(book, was)), ())
    assert 'User data on this array: "2 GiB" -> 0 GiB/desktop (user)' in " ".join(printed.split())


def test_no_more_findings_are_announced_than_there_are(book: SizingBook) -> None:
    """A section of two results in another order than they are printed in said "... and 0 more"."""
    found = compare(book, changed(book, {"array_price": 120000.0}))
    some = {change.key: change for change in found.results}
    printed = text(replace(found, results=(some["cost_per_desktop"], some["cost_total"])), ())
    assert "more" not in printed
    assert printed.index("cost_total") < printed.index("cost_per_desktop")


def test_a_copy_without_an_answer_says_so_first_and_shows_no_figure(book: SizingBook) -> None:
    """A boot at a time without a start of the logins is no design: neither arrays nor a cost is one of it."""
    found = compare(book, changed(book, {"boot_at": 0.25, "order_date": 46348.0}))
    moved = {change.key: (change.old, change.new) for change in found.results}
    assert moved["arrays_required"] == (3.0, "no answer")
    assert moved["npv"] == (270000.0, "no answer")
    assert not [change for change in found.results if isinstance(change.new, float)]
    printed = text(found, [bridge(found, found.new.results["npv"], lambda done, total: None)])
    assert printed.split("\n\n")[1].startswith("The new copy, vdi-storage-sizing.xlsx, has no answer: Enter when boot")
    assert "no answer USD" not in printed
    assert "npv is 'no answer' in the new copy" in printed
    assert "(blank) -> 2026-11-22" in " ".join(printed.split()), "a date as apply prints it"
