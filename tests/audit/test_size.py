"""What counts as one formula to a reader, and that a workbook one formula beyond a limit is refused."""

import pytest
from openpyxl import Workbook

from addin.audit import audit, size, size_table
from addin.audit.book import open_book
from addin.audit.repeats import repeated_rows, years_repeat_their_lines
from addin.audit.size import CALCULATIONS, LINKS, ON_A_SHEET, Size, sizes, stays_readable
from model.sheets.money.growth import NAME, YEARS, grown, year_heading
from model.workbook import TABS, Built
from tests.support.shipped import fresh


def of(**sheets: list[str]) -> Workbook:
    """Return a workbook with formulas below each other in column D of its sheets."""
    workbook = Workbook()
    workbook.remove(workbook.active)
    for name, formulas in sheets.items():
        sheet = workbook.create_sheet(name)
        for row, formula in enumerate(formulas, 1):
            sheet.cell(row, 4).value = formula
    return workbook


def calculations(number: int, first: int = 1) -> list[str]:
    """Return distinct calculations."""
    return [f"=$A${row}*$B$1" for row in range(first, first + number)]


def links(number: int) -> list[str]:
    """Return distinct links."""
    return [f"=$A${row}" for row in range(1, number + 1)]


def spread(formulas: list[str]) -> dict[str, list[str]]:
    """Return formulas on as many sheets as they need, as many on each as it may hold."""
    parts = [formulas[at : at + ON_A_SHEET] for at in range(0, len(formulas), ON_A_SHEET)]
    return {tab.name: part for tab, part in zip(TABS, parts, strict=False)}


def complaints(workbook: Workbook) -> list[tuple[str, str]]:
    return list(stays_readable(open_book(workbook, (), ())))


@pytest.mark.parametrize(
    ("formulas", "expected"),
    [
        (["=B1*C1", "=B2*C2", "=B3 * C3"], Size(1, 0, 3)),  # copies
        (["=B1*C1", "=B1*C1"], Size(2, 0, 2)),  # the same text in another row looks elsewhere
        (["=$B$1*C1", "=$B$1*C2", "=$B1*C3"], Size(2, 0, 3)),
        (["=Cost!D1", "=Cost!D2", "=Cost!E1"], Size(0, 2, 3)),  # links, a copied one counts once
        (["=Cost!D1", "=Cost!D2+0", "=Out_total", "=Cost!D4:D5"], Size(3, 1, 4)),  # a link names one cell
        (["=1+", "=1+", "=SUM("], Size(0, 0, 3)),  # what cannot be read is reported by R19 alone
        (["text", "7", ""], Size(0, 0, 0)),
    ],
)
def test_a_formula_counts_once_however_often_it_is_copied(formulas: list[str], expected: Size) -> None:
    assert sizes(open_book(of(Sizing=formulas), (), ())) == {"Sizing": expected}


def test_sheets_count_apart_and_results_not_at_all() -> None:
    workbook = of(Sizing=["=B1*C1"], Cost=["=B1*C1"], Risk=calculations(900))
    assert sizes(open_book(workbook, (), ())) == {"Sizing": Size(1, 0, 1), "Cost": Size(1, 0, 1)}


@pytest.mark.parametrize(
    ("legal", "one_more", "expected"),
    [
        (
            of(**spread(calculations(CALCULATIONS))),
            of(**spread(calculations(CALCULATIONS + 1))),
            (
                "workbook",
                f"has {CALCULATIONS + 1:,} distinct calculations; expected at most {CALCULATIONS:,}. ",
            ),
        ),
        (
            of(**spread(links(LINKS))),
            of(**spread(links(LINKS + 1))),
            (
                "workbook",
                f"has {LINKS + 1:,} distinct links; expected at most {LINKS:,}. ",
            ),
        ),
        (
            of(**{"Lists": calculations(50) + links(ON_A_SHEET - 50)}),
            of(**{"Lists": calculations(51) + links(ON_A_SHEET - 50)}),
            (
                "Lists!A1",
                f"has {ON_A_SHEET + 1} distinct formulas; expected at most {ON_A_SHEET} on a sheet. Move lines ",
            ),
        ),
    ],
    ids=["calculations", "links", "sheet"],
)
def test_one_beyond_a_limit_is_refused(legal: Workbook, one_more: Workbook, expected: tuple[str, str]) -> None:
    assert complaints(legal) == []
    ((where, message),) = complaints(one_more)
    assert where == expected[0]
    assert message.startswith(expected[1])


def test_lines_that_years_repeat_count_once_as_long_as_they_repeat(built: Built) -> None:
    """The years of Growth are read where they are declared; a year whose heading is gone is a sheet of its own."""
    book = open_book(built.workbook, (), ())
    growth = next(sheet for sheet in book.declared if sheet.name == NAME)
    every, again = {cell.relative for cell in growth.formulas}, repeated_rows(growth)
    assert set(again.values()) == set(range(len(grown())))
    assert len(again) == len(YEARS) * len(grown())
    own = {cell.relative for cell in growth.formulas if cell.row not in again}
    assert sizes(book)[NAME].distinct == len(own)
    assert sizes(book)[NAME].cells == len(growth.formulas)
    assert len(own) <= ON_A_SHEET < len(every)
    changed = fresh()
    heading = next(cell for cell in changed[NAME]["A"] if cell.value == year_heading(4))
    heading.value = "Another year"
    without = open_book(changed, (), ())
    assert sizes(without)[NAME].distinct > sizes(book)[NAME].distinct
    lines = len(YEARS) * len(grown())
    (finding,) = years_repeat_their_lines(without)
    assert finding == (f"{NAME}!A1", f"repeats {lines - len(grown())} lines; expected {lines}. Restore the sheet.")


def test_the_workbook_leaves_room_for_a_constraint_and_for_planted_faults(built: Built) -> None:
    """At a limit, the recipe of a new constraint ends in a refusal, and a fault planted elsewhere in two findings."""
    parts = sizes(open_book(built.workbook, (), ()))
    assert sum(part.calculations for part in parts.values()) <= CALCULATIONS - 3
    assert sum(part.links for part in parts.values()) <= LINKS - 3
    assert {name: part.distinct for name, part in parts.items() if part.distinct > ON_A_SHEET - 1} == {}
    assert parts["Sizing"].distinct <= ON_A_SHEET - 3


@pytest.mark.slow
def test_the_size_is_part_of_the_audit(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = sizes(open_book(built.workbook, (), ()))
    total = sum(part.calculations for part in parts.values())
    monkeypatch.setattr(size, "CALCULATIONS", total)
    assert audit(built.workbook) == ()
    monkeypatch.setattr(size, "CALCULATIONS", total - 1)
    (finding,) = audit(built.workbook)
    assert str(finding).startswith(
        f"Size workbook: has {total:,} distinct calculations; expected at most {total - 1:,}."
    )


def test_the_table_shows_every_sheet_beside_the_limits() -> None:
    workbook = of(Sizing=["=B1*C1", "=Cost!D1"], Cost=["=B1*C1"] * 3)
    assert size_table(workbook).splitlines() == [
        "Sheet    calculations  links   cells",
        "Sizing              1      1       2",
        "Cost                3      0       3",
        "Total               4      1       5",
        f"At most {CALCULATIONS:>13,} {LINKS:>6,}",
        "At most 120 calculations and links on a sheet: Cost has 3",
    ]
