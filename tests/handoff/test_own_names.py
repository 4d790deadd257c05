"""A name of one's own that says an amount does not leave without prices: its slot's does, wherever it is chosen."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from addin.errors import BookError
from addin.kernel import Address, Scalar
from addin.leaving import own_names
from addin.leaving.marks import known
from addin.prices import without_prices
from addin.results import handoff
from addin.workbook import own_rows
from addin.workbook.book import SizingBook, open_book
from model.sheets.front.hand_off import typed
from tests.handoff.test_prices import content
from tests.support import opened
from tests.support.live_sets import SHIPPED
from tests.support.shipped import fresh

PRICE = 91357.0
SOLD = f"Pure X20 {PRICE:.0f} EUR"
MONEY, OTHERS = ("late_premium_ratio", "desktop_day_cost", "pilot_cost"), ("spread_other_ratio", "failure_days")
RATIOS = (
    *("discount_ratio", "support_ratio", "resale_ratio", "price_change_ratio", "capital_rate_ratio"),
    "cost_change_ratio",
)
CARD = {"capacity_tib": 40.0, "capacity_kind": "usable", "iops": 90000.0, "read_ratio": 0.6, "latency_ms": 1.0}


@cache
def book() -> SizingBook:
    return open_book(SHIPPED)


def slot(name: str, number: int = 0) -> Address:
    return own_rows.area(book().cells, book().cells.names[name])[number]


def changed(values: dict[Address, Scalar], *settings: str) -> SizingBook:
    cells = book().cells.with_values({**book().settings(settings), **values})
    return replace(book(), cells=cells)


@pytest.mark.parametrize(
    "text",
    [SOLD, f"Pure X20 {PRICE:.0f}", "Pure X20 91,357.00", "Pure 80k USD", "Pure at $90", "ninety euros", "CAD 85,000"],
)
def test_an_amount_in_a_name_is_known_by_its_currency_or_as_a_price(text: str) -> None:
    assert own_names.says_an_amount(text, {PRICE}, {"USD"})


@pytest.mark.parametrize(
    "text",
    [
        *("Dorado 6000 V3", "Windows 11 8 GiB 2024", "AutoCAD 2024", "CAD 2025", "Pure X20", "Euro tower"),
        *("Fort Worth 2", "NetApp A400, 91,358 IOPS"),
    ],
)
def test_a_model_number_is_no_amount(text: str) -> None:
    assert not own_names.says_an_amount(text, {PRICE}, {"USD"})


def renamed(values: dict[Address, Scalar]) -> dict[Address, str]:
    """Return the names that do not leave."""
    cells = changed(values).cells

    def says(text: str) -> bool:
        return own_names.says_an_amount(text, {PRICE}, {"USD"})

    return dict(own_names.renamed(cells, known(), lambda at: cells.values.get(at), says, ()).cells)


@pytest.mark.parametrize(
    ("name", "number", "slots"),
    [("Own_arrays", 2, "My array 2"), ("Own_profiles", 0, "My profile 1"), ("Own_methods", 1, "My method 2"),
     ("Own_caches", 0, "My cache 1"), ("Own_shares", 1, "My share 2"), ("Own_groups", 3, "Group 4"),
     ("Own_phases", 1, "My profile 1 login"), ("Own_quotes", 5, "Array 6"), ("Tbl_Designs", 2, "What-if 2")],
)  # fmt: skip
def test_every_name_that_people_give_is_looked_at(name: str, number: int, slots: str) -> None:
    assert renamed({slot(name, number): SOLD}) == {slot(name, number): slots}
    assert renamed({slot(name, number): PRICE}) == {slot(name, number): slots}
    assert renamed({slot(name, number): "Dorado 6000 V3"}) == {}


def test_another_row_of_that_name_stays_another_one() -> None:
    found = renamed({slot("Own_arrays"): SOLD, slot("Own_arrays", 2): "My array 1"})
    assert found == {slot("Own_arrays"): "My array 1*"}


@pytest.mark.slow
def test_what_reads_the_name_still_agrees() -> None:
    """The array is chosen by its name on Answer: without prices both are the slot's, and it answers as before."""
    card = [f"{SOLD}.{field}={value}" for field, value in CARD.items()]
    base = changed({slot("Own_arrays"): SOLD})
    base = replace(base, cells=base.cells.with_values(base.settings([*card, f"array={SOLD}"])))
    found = without_prices(base)
    chosen = base.inputs["array"].address
    assert (found.book.cells.values[chosen], found.moved) == ("My array 1", ())
    assert any("'My arrays'!D4 is called My array 1 here" in remark for remark in found.remarks)
    answers = [each.values().value(each.results["arrays_required"].address) for each in (base, found.book)]
    assert answers[0] == answers[1]
    assert isinstance(answers[0], float)
    kept = without_prices(base, ("'My arrays'!D4",)).book  # kept on purpose, it may be chosen
    assert (kept.cells.values[slot("Own_arrays")], kept.cells.values[chosen]) == (SOLD, SOLD)


@pytest.mark.slow
def test_the_cell_of_the_currency_is_a_currency_alone() -> None:
    at = Address.from_a1(book().cells.names["Doc_currency"].replace("$", ""))
    assert without_prices(changed({at: "EUR"})).book.cells.values[at] == "EUR"
    assert at not in without_prices(changed({at: "EUR 91357"})).book.cells.values


@pytest.mark.slow
def test_terms_that_are_ratios_do_not_leave_and_spreads_of_the_demand_do() -> None:
    """What late arrays cost more stood in a hand-off: a number of at most 1 below the ranks counted as a rank."""
    run = {name: Address.from_a1(book().cells.names[f"Run_{name}"].replace("$", "")) for name in (*MONEY, *OTHERS)}
    given = dict.fromkeys(RATIOS, 0.3333)
    typed_there: dict[Address, Scalar] = {run[name]: 0.3333 for name in (*MONEY, *OTHERS)}
    typed_there |= {book().inputs[key].address: value for key, value in given.items()}
    found = without_prices(changed(typed_there))
    left = {at for at, value in found.book.cells.values.items() if value == 0.3333}
    assert left == {run[name] for name in OTHERS}
    assert {run[name] for name in MONEY} | {book().inputs[key].address for key in RATIOS} <= found.hidden


@pytest.mark.slow
def test_no_file_has_such_a_name(tmp_path: Path) -> None:
    workbook = fresh()
    for name, number, text in (("Own_arrays", 0, SOLD), ("Own_profiles", 0, f"Profile {PRICE:.0f} EUR")):
        at = slot(name, number)
        workbook[at.sheet].cell(at.row, at.column).value = text
    for field, value in CARD.items():
        at = slot(f"Own_arrays.{field}")
        workbook[at.sheet].cell(at.row, at.column).value = value
    opened.named(workbook, "In_array").value = SOLD
    opened.named(workbook, "In_array_price").value = "=45000+46357"
    opened.named(workbook, typed("raid")).value = "RAID 6"
    workbook.save(path := tmp_path / "deal.xlsx")
    slides = find_spec("pptx") is not None
    written = handoff.write(open_book(path), wanted=handoff.Wanted(live=True, slides=slides))
    digits = f"{PRICE:.0f}".encode()
    assert [file.name for file in written.folder.iterdir() if digits in content(file)] == []
    page = (written.folder / handoff.DOCUMENT).read_text("utf-8")
    assert "My array 1 for 1,500 users" in page
    assert "is called My profile 1 here" in page


def with_sheet(title: str, **names: str) -> SizingBook:
    """Return the workbook with a sheet more, and names that point at its first cell."""
    cells = book().cells
    at = Address(title, 1, 1)
    every = {**cells.names, **dict.fromkeys(names, f"'{title}'!$A$1")}
    values = {**cells.values, at: PRICE}
    added = replace(cells, sheets=(*cells.sheets, title), values=values, names=every)
    return replace(book(), cells=added)


@pytest.mark.slow
def test_an_added_sheet_stays_at_home_also_where_a_name_points_at_it() -> None:
    """It counted as a renamed one, and the hand-off was refused for the digits in its title."""
    found = without_prices(with_sheet("Deal 91357", My_deal=""))
    assert found.sheets == ("Deal 91357",)
    assert "Deal 91357" not in found.book.cells.sheets
    assert "My_deal" not in found.book.cells.names


def test_a_sheet_that_names_of_the_workbook_point_at_is_called_what_it_is() -> None:
    with pytest.raises(BookError, match=r"is not built with a sheet 'Deal 91357', at which names of its cells point"):
        without_prices(with_sheet("Deal 91357", Run_target=""))
    cells = with_sheet("Deal 91357", Run_target="").cells
    gone = tuple(title for title in cells.sheets if title != "Growth")
    with pytest.raises(BookError, match=r"the sheet 'Deal 91357' was renamed, and its name would leave. Give it"):
        without_prices(replace(book(), cells=replace(cells, sheets=gone)))
