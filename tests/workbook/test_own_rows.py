"""Rows of the user's own by `<row>.<field>`: typed as at the cell, wherever --set is taken."""

from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from addin.errors import RequestError
from addin.kernel import Address, Cells
from addin.simulation.risk import SHEET, read_risk
from addin.sizing.answers import explain, size
from addin.sizing.seek import seek
from addin.sizing.whatif import compare, whatif
from addin.workbook.book import SizingBook, open_book
from model.workbook import Built
from tests.support import shipped

USABLE, STEADY = "My array 1.capacity_kind=usable", "My array 1.rating_steady_iops=90000"
FILLED = ("array=My array 1", "My array 1.capacity_tib=40", USABLE, STEADY)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write_draft(tmp_path_factory.mktemp("own")))


def with_values(book: SizingBook, values: dict) -> SizingBook:
    """Return the workbook with other values in its cells."""
    return replace(book, cells=Cells(values, book.cells.names, book.cells.sheets, book.cells.texts))


def renamed(book: SizingBook, name: str) -> SizingBook:
    """Return the workbook with another name for the first array of the user's own."""
    place = book.own["My array 1.capacity_tib"].address
    head = next(a for a, value in book.cells.values.items() if value == "My array 1" and a[::2] == place[::2])
    return with_values(book, {**book.cells.values, head: name})


def test_every_open_cell_of_the_own_arrays_and_profiles_has_a_key(book: SizingBook, built: Built) -> None:
    named = {item.address for item in book.own.values()}
    open_cells = {
        Address(ws.title, cell.row, cell.column)
        for ws in (built.workbook[name] for name in ("My arrays", "My profiles", "User groups", "Arrays"))
        for row in ws.iter_rows()
        for cell in row
        if not cell.protection.locked
    }
    names = {a for a in open_cells if a.row == 4 if a.sheet == "My arrays"}
    names |= {a for a in open_cells if a.column == 1 if a.sheet in ("My profiles", "User groups")}
    assert len(names) == 6 + 7 + 2 + 2 + 2 + 6  # arrays, profiles, methods, caches, shares, groups
    assert named == open_cells - names
    assert all(item.accepts and item.label for item in book.own.values())


@pytest.mark.slow
def test_a_value_that_is_set_is_sized(book: SizingBook) -> None:
    (row,) = size(book, FILLED, ["usable_gib"]).rows
    assert row[1] == 40 * 1024
    (row,) = size(book, ["profile=My profile 1", "My profile 1.login_iops=20"], ["login_iops"]).rows
    assert row[1] == 20 * 1500  # IOPS a desktop x desktops of the shipped design


@pytest.mark.slow
def test_it_is_taken_by_whatif_compare_seek_and_explain(book: SizingBook) -> None:
    table = whatif(book, FILLED, ["My array 1.capacity_tib=20,40"], ["usable_gib"])
    assert [row[:2] for row in table.rows] == [(20, 20 * 1024), (40, 40 * 1024)]
    assert "My array 1" in [row[0] for row in compare(book, FILLED[1:]).rows]
    assert "My array 1" not in [row[0] for row in compare(book, ()).rows]
    sought = seek(book, (FILLED[0], USABLE, STEADY), "My array 1.capacity_tib", "usable_gib=30720").rows[0]
    assert sought[:2] == (30, 30 * 1024)
    assert explain(book, "My array 1.capacity_tib", FILLED)[-1].endswith(" = 40")


def test_it_is_drawn_where_its_key_stands_on_risk_inputs(book: SizingBook) -> None:
    drawn = min(a for a, value in book.cells.values.items() if a.sheet == SHEET and value == "growth_ratio")
    spread = {drawn._replace(column=drawn.column + n): value for n, value in enumerate(("pert", 30, 40, 50), 1)}
    values = {**book.cells.values, drawn: "My array 1.capacity_tib", **spread}
    keys = read_risk(with_values(book, values)).keys
    assert "My array 1.capacity_tib" in keys


@pytest.mark.slow
def test_a_row_is_called_what_its_name_cell_says(book: SizingBook) -> None:
    copy = renamed(book, "Vendor X, 2.0 = new")
    key = "Vendor X, 2.0 = new.capacity_tib"
    (row,) = size(
        copy, ["array=Vendor X, 2.0 = new", f"{key}=40", "Vendor X, 2.0 = new.capacity_kind=usable"], ["usable_gib"]
    ).rows
    assert row[1] == 40 * 1024
    with pytest.raises(RequestError, match="there is no row 'My array 1'; did you mean"):
        copy.settings(["My array 1.capacity_tib=40000"])
    assert "My array 1.capacity_tib" not in renamed(book, " ").own


def test_a_name_taken_from_another_row_follows_it(book: SizingBook) -> None:
    place = next(a for a, value in book.cells.values.items() if value == "My array 2" and a.sheet == "My arrays")
    before = place._replace(column=place.column - 2).a1.rpartition("!")[2]
    copy = with_values(book, {**book.cells.values, place: f'={before}&" with shelf"'})
    assert "My array 1 with shelf.capacity_tib" in copy.own
    assert "My array 2.capacity_tib" not in with_values(book, {**book.cells.values, place: "=NOSUCH(1)"}).own


def test_a_name_that_stands_twice_means_the_first_row_as_in_the_workbook(book: SizingBook) -> None:
    copy = renamed(book, "my array 2")
    assert copy.entry("My array 2.capacity_tib").address == book.own["My array 1.capacity_tib"].address


def test_labels_and_any_case_are_accepted(book: SizingBook) -> None:
    wanted = book.own["My array 1.capacity_tib"].address
    assert book.settings([f"my ARRAY 1.{book.own['My array 1.capacity_tib'].label}=5"]) == {wanted: 5}
    raid = book.own["My array 1.raid"].address
    assert book.settings(["My array 1.raid=raid 10"]) == {raid: "RAID 10"}
    assert book.settings(["My array 1.raid="]) == {raid: None}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            "My array 1.capacity_tibs=1",
            r"My array 1 has no field 'capacity_tibs'; did you mean capacity_tib \(Capacity",
        ),
        ("My array 9.capacity_tib=1", r"there is no row 'My array 9'; did you mean My array 1.capacity_tib \("),
        (
            "My array 1.capacity_tib=-1",
            "My array 1.capacity_tib=-1: outside 0.01 to 1,000,000 TiB, the range of 'My arrays'!D",
        ),
        ("My array 1.year=1812", "outside 1990 to 2100 year, the range of 'My arrays'!D"),
        ("My array 1.capacity_tib=much", "expected a number in TiB"),
        ("My array 1.raid=RAID 9", "not in the list of 'My arrays'!D.*; did you mean 'RAID 0', 'RAID 5', "),
        ("My array 1.read_hit_ratio=30", "did you mean 30 %[?]"),
        ("My profile 1.read_ratio=2", "outside 0 to 1 ratio, the range of 'My profiles'!G"),
    ],
)
def test_what_the_cell_refuses_is_refused_in_one_line(book: SizingBook, setting: str, message: str) -> None:
    with pytest.raises(RequestError, match=message) as refused:
        book.settings([setting])
    assert "\n" not in str(refused.value)
    assert str(refused.value).count(" (") <= 5 + 5  # at most five, each with what it accepts


def test_a_formula_in_such_a_row_is_no_input_and_a_lost_column_no_key(book: SizingBook) -> None:
    place = book.own["My array 1.capacity_tib"].address
    values = {**book.cells.values, place: "=1+1"}
    assert "My array 1.capacity_tib" not in with_values(book, values).own
    names = {**book.cells.names, "Own_arrays.raid": "#REF!", "Own_arrays.drives": "Arrays!$A$1"}
    lost = Cells(book.cells.values, names, book.cells.sheets, book.cells.texts)
    assert book.own.keys() - replace(book, cells=lost).own.keys() == {
        f"My array {n}.{field}" for n in range(1, 7) for field in ("raid", "drives")
    }


@pytest.mark.slow
def test_rows_added_below_a_table_of_one_row_each_are_read(tmp_path: Path) -> None:
    """A sheet with a row for each profile, headings with their unit above: the shape of a card for own profiles."""
    workbook = shipped.fresh()
    ws = workbook.create_sheet("Cards")
    for column, text in enumerate(("Method", "Boot work, I/Os", "Note"), 1):
        ws.cell(3, column).value = text
    ws.cell(4, 1).value, ws.cell(5, 1).value = "Mine", "Yours"
    rule = openpyxl.worksheet.datavalidation.DataValidation("textLength", formula1="1", formula2="9")
    rule.add("C4:C5")
    ws.add_data_validation(rule)
    for name, area in (("", "A"), (".boot_ios", "B"), (".note", "C")):
        full = f"Own_cards{name}"
        workbook.defined_names[full] = openpyxl.workbook.defined_name.DefinedName(
            full, attr_text=f"Cards!${area}$4:${area}$5"
        )
    path = tmp_path / "cards.xlsx"
    workbook.save(path)
    book = open_book(path)
    item = book.entry("Yours.boot_ios")
    assert (item.label, item.unit, item.address.a1) == ("Boot work", "I/Os", "Cards!B5")
    assert book.settings(["Yours.note=as quoted", "Yours.boot_ios=5000"]) == {
        Address("Cards", 5, 3): "as quoted",
        Address("Cards", 5, 2): 5000,
    }
