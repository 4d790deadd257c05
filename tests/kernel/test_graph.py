"""Precedents, order and circles."""

from __future__ import annotations

import pytest

from addin.kernel import Address, Cells, CycleError, ParseError, UnknownName, ancestors, order, precedents


def at(text):
    return Address.from_a1(text if "!" in text else f"S!{text}")


def book(values, names=None, sheets=("S", "Two words")):
    return Cells({at(cell): value for cell, value in values.items()}, names or {}, sheets)


def a1(addresses):
    return [address.a1 for address in addresses]


def test_precedents_are_the_cells_of_the_text_each_once():
    cells = book({"C1": "=A1+SUM(A1:B2)*'two WORDS'!$D$4"})
    assert a1(precedents(cells, at("C1"))) == ["S!A1", "S!B1", "S!A2", "S!B2", "'Two words'!D4"]


def test_a_defined_name_is_replaced_by_its_cells():
    cells = book({"C1": "=Total+1"}, {"total": "S!$A$1:$A$2"})
    assert a1(precedents(cells, at("C1"))) == ["S!A1", "S!A2"]


def test_a_constant_has_no_precedents():
    assert precedents(book({"A1": 1.0}), at("A1")) == ()


def test_text_that_looks_like_a_formula_is_text():
    cells = Cells({at("A1"): "=B1"}, texts=frozenset({at("A1")}))
    assert cells.formula(at("A1")) is None
    assert precedents(cells, at("A1")) == ()


def test_row_and_column_do_not_read_what_a_reference_holds():
    cells = book({"A1": "=ROW(A1)+COLUMNS(A1:C1)+B1"})
    assert a1(precedents(cells, at("A1"))) == ["S!B1"]


def test_each_cell_comes_after_what_it_reads():
    cells = book({"A3": "=A2+A1", "A1": "=B1", "A2": "=SUM(A1:A1)", "B1": 5.0})
    assert a1(order(cells, [at("A3")])) == ["S!A1", "S!A2", "S!A3"]


def test_ancestors_are_the_formulas_behind_a_cell_without_itself():
    cells = book({"A3": "=A2+B1", "A2": "=A1*2", "A1": "=B1", "B1": 5.0, "C1": "=A3"})
    assert a1(ancestors(cells, at("A3"))) == ["S!A1", "S!A2"]


def test_a_circle_names_its_cells():
    cells = book({"A1": "=A2", "A2": "=A3", "A3": "=SUM(A1:A2)", "B1": "=A1"})
    with pytest.raises(CycleError, match=r"S!A1: .* S!A1 <- S!A2 <- S!A3 <- S!A1\."):
        order(cells, [at("B1")])


def test_a_cell_that_reads_itself_is_a_circle():
    with pytest.raises(CycleError, match="S!A1 <- S!A1"):
        order(book({"A1": "=A1+1"}), [at("A1")])


def test_a_long_circle_is_shortened():
    cells = book({f"A{row}": f"=A{row % 500 + 1}" for row in range(1, 501)})
    with pytest.raises(CycleError, match=r"S!A12 <- \.\.\. <- S!A1\."):
        order(cells, [at("A1")])


def test_names_that_stand_for_each_other_are_a_circle():
    with pytest.raises(CycleError, match="name 'one' refers to itself"):
        precedents(book({"A1": "=one"}, {"one": "two", "two": "one"}), at("A1"))


def test_an_unknown_name_is_answered_with_the_nearest():
    cells = book({"A1": "=In_desktop"}, {"In_desktops": "S!$B$1"})
    with pytest.raises(UnknownName, match=r"S!A1: There is no defined name 'In_desktop'. Did you mean 'In_desktops'\?"):
        precedents(cells, at("A1"))


def test_an_unknown_sheet_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match=r"There is no sheet 'Two word'. Did you mean 'Two words'\?"):
        precedents(book({"A1": "='Two word'!A1"}), at("A1"))


def test_an_error_in_a_formula_names_its_cell():
    with pytest.raises(ParseError, match=r"'Two words'!B2: "):
        precedents(book({"'Two words'!B2": "=A:A"}), at("'Two words'!B2"))


def test_cells_that_differ_in_anything_have_another_content():
    values = {"A1": 1.0, "B1": "=A1", "C1": "=x"}
    plain = book(values)
    changed = [
        book({**values, "A1": 2.0}),
        book({**values, "A1": True}),
        book({**values, "A1": "1.0"}),
        book({**values, "A2": 1.0}),
        book(values, {"x": "S!$A$1"}),
        book(values, sheets=("S", "Others")),
        Cells(plain.values, plain.names, plain.sheets, frozenset([at("C1")])),
        plain.with_values({at("A1"): 2.0}),
        plain.with_values({at("A1"): 2}),
        plain.with_values({at("A1"): "2.0"}),
        plain.with_values({at("A1"): 2.0}).with_values({at("A2"): 3.0}),
    ]
    assert len({each.content for each in (plain, *changed)}) == len(changed) + 1


def test_the_same_cells_have_the_same_content():
    first, second = (book({"A1": 1.0, "B1": "=A1"}) for _ in range(2))
    assert first.content == second.content
    changes = [{at("A1"): 2.0, at("A2"): "t"}, {at("A2"): "t", at("A1"): 2.0}]
    assert first.with_values(changes[0]).content == second.with_values(changes[1]).content


def test_what_formulas_read_is_looked_up_once_for_copies_with_the_same_formulas_alone():
    cells = book({"A1": 1.0, "B1": "=A1", "C1": "=SUM(A1:B1)", "D1": "=C1+B1"})
    assert a1(order(cells, (at("D1"),))) == ["S!B1", "S!C1", "S!D1"]
    assert cells.with_values({at("A1"): 2.0}).followed is cells.followed
    over = cells.with_values({at("B1"): 2.0})
    for typed in (over, over.with_values({at("A1"): 3.0})):
        assert a1(order(typed, (at("D1"),))) == ["S!C1", "S!D1"]
    more = cells.with_formula(at("A1"), "=E1")
    assert a1(order(more, (at("D1"),))) == ["S!A1", "S!B1", "S!C1", "S!D1"]


def test_copies_with_the_same_names_and_sheets_share_what_formulas_read():
    first, copy, other = (book({"S!A2": "=Rate"}, {"Rate": cell}) for cell in ("S!$B$1", "S!$B$1", "S!$B$2"))
    assert [a1(precedents(each, at("S!A2"))) for each in (first, copy, other)] == [["S!B1"], ["S!B1"], ["S!B2"]]
    assert first.read is copy.read
    assert first.read is not other.read
