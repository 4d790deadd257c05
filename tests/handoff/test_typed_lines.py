"""What is typed on Hand-off is in the document, in the chapter where a reader looks for it; without prices no price."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from addin.kernel import Address, Scalar
from addin.prices import without_prices
from addin.results import risk_sheet
from addin.results.document import typed_lines
from addin.results.document.blocks import Chapter, Grid, Text
from addin.results.document.reading import Reading, keys_of
from addin.workbook.book import SizingBook, open_book
from model.sheets.front.hand_off import OPEN, THRESHOLDS, lines, typed
from tests.support.live_sets import SHIPPED
from tests.support.released import write

PRICE = 84140.4
RISKY = keys_of("""
    array_faulty array_incomplete beyond_evidence boot_limit_below budget_broken card_blocks_larger card_boot_worse
    card_in_use card_may_add card_mix_far card_open card_slow disk_varies disk_wrong latency_limit_below
    local_disk_short local_iops_short machine_capped nothing_sizes pair_unmeasured profile_counted_twice
    profile_too_old purchase_before_year_3 quotes_expired rate_borrowed reduction_beyond share_assumed share_price_old
    users_per_vm_overstates
""")
CHAPTERS = ("design", "load", "failure", "tests")


@cache
def book() -> SizingBook:
    return open_book(SHIPPED)


def filled(texts: dict[str, Scalar], *settings: str) -> SizingBook:
    """Return the workbook with texts, formulas too, typed on Hand-off."""
    cells = book().cells.with_values(book().settings(settings))
    for key, value in texts.items():
        at = Address.from_a1(cells.names[typed(key)].replace("$", "").partition(":")[0])
        formula = isinstance(value, str) and value.startswith("=")
        cells = cells.with_formula(at, str(value)) if formula else cells.with_values({at: value})
    return replace(book(), cells=cells)


def rows(found: SizingBook, chapter: str, shown: SizingBook | None = None) -> dict[str, str]:
    """Return the labelled texts that a chapter gets; `shown` is the workbook without prices."""
    made = typed_lines.with_typed(Chapter(chapter, "", []), Reading(shown or found), Reading(found))
    return {row[0]: row[1] for block in made.blocks if isinstance(block, Grid) for row in block.rows}


def test_no_line_is_silent() -> None:
    """Each line is in one chapter of the document, open until it is typed."""
    found = [rows(book(), chapter) for chapter in CHAPTERS]
    told = {label: text for each in found for label, text in each.items() if text == OPEN}
    assert set(told) == {line.label for line in lines()}
    assert sum(len(each) for each in found) == len(lines()) + len(rows(book(), "load")) - 1


def test_what_is_typed_is_where_a_reader_looks_for_it() -> None:
    texts = {"protocol": "NVMe/TCP", "recovery": "RPO 24 h, RTO 4 h", "rollback": "30 days", "monitoring": "NOC"}
    found = filled(dict(texts))
    told = {chapter: set(rows(found, chapter).values()) & set(texts.values()) for chapter in CHAPTERS}
    assert told == {"design": {"NVMe/TCP"}, "failure": {"RPO 24 h, RTO 4 h"}, "tests": {"30 days"}, "load": {"NOC"}}


def test_the_figures_to_monitor_have_their_units() -> None:
    told = rows(filled({}, "latency_limit_ms=3"), "load")
    assert told["Mean latency of users' I/O"] == "3\u00a0ms"
    assert told["Steady work: load on the arrays"] == "45,407\u00a0IOPS"
    labels = {each.label for each in THRESHOLDS}
    assert labels - told.keys() == {each.label for each in THRESHOLDS if each.line.startswith(("tier_", "share_"))}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "leaves"),
    [
        ("4 paths a host, round robin", True),
        ("RPO 24 h, RTO 4 h, 2026", True),
        ("Acme took it at 84,140.40", False),  # the price
        ("Below 90 000 EUR", False),
        ("each 13579 euros", False),
        ("thirty thousand dollars", False),
        ("RAID-TP, quoted 11223344", False),
        ("Budgeted at 66,554", False),
        ("haggle to 44,332", False),
        ("Tool costs 77k", False),
        ("120,000 IOPS at 1,024 MB/s", True),
        ("Cost centre of the desktop team", True),
        ("10.120.130.14 and 192.168.100.1, VLAN 2100", True),
        ("12 345,67 and 3.260 m", False),
        (84140.0, False),
        (46000.0, False),  # a date elsewhere
        ("=42070.2*2", False),
        ('="Floor "&84140', False),
    ],
)
def test_a_text_leaves_and_a_price_does_not(value: str | float, leaves: bool) -> None:
    """The document names what it leaves out, and does not call it open."""
    found = filled({"multipathing": value}, f"array_price={PRICE}")
    told = rows(found, "design", without_prices(found).book)["Multipathing"]
    assert told == (value if leaves else typed_lines.LEFT_OUT)


def test_a_price_typed_as_a_formula_is_known_by_its_result_in_a_text() -> None:
    at = book().inputs["array_price"].address
    found = filled({"multipathing": "Acme took it at 97,531.11 IOPS", "protocol": "NVMe/TCP"})
    found = replace(found, cells=found.cells.with_formula(at, "=97531.11+0"))
    told = rows(found, "design", without_prices(found).book)
    assert (told["Multipathing"], told["Protocol"]) == (typed_lines.LEFT_OUT, "NVMe/TCP")


def test_a_typed_risk_is_in_the_chapter_on_risk_also_without_a_simulation() -> None:
    assert typed_lines.risk(Reading(book()), Reading(book())) is None
    found = filled({"risk": "Old images", "owner": "Desktop team"})
    chapter = typed_lines.risk(Reading(found), Reading(found))
    assert chapter is not None
    (said,) = (block.text for block in chapter.blocks if isinstance(block, Text))
    assert said == "The workbook has no simulation: no probability is known."
    (grid,) = (block for block in chapter.blocks if isinstance(block, Grid))
    assert grid.rows == [("Old images", "not simulated", "not simulated", OPEN, "Desktop team")]


def simulated(chance: float, said: str = "", **flags: float) -> SizingBook:
    """Return the workbook with the sheet Risk, as far as the chapter reads it, with yes-or-no results by key."""
    sheet = risk_sheet.TITLE
    values: dict[Address, Scalar] = {
        Address(sheet, row, column): value
        for row, line in enumerate(
            ((risk_sheet.HEADING,), (said,), ("Result", "Unit", "Base"), ("",), ("Arrays required", "Probability"),
             ("Design of 3 arrays holds", chance),
             *((book().results[key].label, each) for key, each in flags.items())), 1,
        )
        for column, value in enumerate(line, 1)
    }  # fmt: skip
    cells = replace(book().cells, sheets=(*book().cells.sheets, sheet), values={**book().cells.values, **values})
    return replace(book(), cells=cells)


def test_a_simulated_risk_has_its_probability_and_the_class_of_the_demand() -> None:
    found = simulated(0.75)
    chapter = typed_lines.risk(Reading(found, True), Reading(found, True))
    assert chapter is not None
    grid = next(block for block in chapter.blocks if isinstance(block, Grid) and block.caption == "Risks")
    assert grid.rows[0][:3] == ("The base design of 3 arrays does not suffice", "25%", "published")


def test_a_simulated_risk_is_as_sure_as_its_trials() -> None:
    found = simulated(1.0, "16 trials of this workbook's own formulas on draws of the sheet Risk inputs.")
    chapter = typed_lines.risk(Reading(found, True), Reading(found, True))
    assert chapter is not None
    grid = next(block for block in chapter.blocks if isinstance(block, Grid) and block.caption == "Risks")
    assert grid.rows[0][:2] == ("The base design of 3 arrays does not suffice", "below 17%")


def risks(found: SizingBook) -> dict[str, str]:
    chapter = typed_lines.risk(Reading(found, True), Reading(found, True))
    assert chapter is not None
    grid = next(block for block in chapter.blocks if isinstance(block, Grid) and block.caption == "Risks")
    return {row[0]: row[1] for row in grid.rows}


def test_what_one_hopes_for_is_a_risk_where_it_fails() -> None:
    told = risks(simulated(0.75, budget_holds=0.004, purchase_before_year_3=0.2, fits=0.9, no_array=1.0))
    assert told["The cost exceeds the budget"] == ">99%"
    assert told["More arrays are bought before year 3"] == "20%"
    assert told["Arrays in the design do not suffice"] == "10%"
    assert len(told) == 4


def test_the_budget_is_one_risk_however_it_was_simulated() -> None:
    told = risks(simulated(0.75, budget_holds=0.3, budget_broken=0.7))
    assert (told["The cost exceeds the budget"], len(told)) == ("70%", 2)


def test_every_yes_or_no_result_is_a_risk_or_known_not_to_be_one() -> None:
    """A new one that is good news belongs into HOPED: it would be told as a risk otherwise."""
    flags = {key for key, item in book().results.items() if item.unit == "flag"}
    assert flags >= {*typed_lines.HOPED, *typed_lines.NO_RISK}
    assert flags - {*typed_lines.HOPED, *typed_lines.NO_RISK} == set(RISKY)


def test_a_probability_that_somebody_typed_over_does_not_leave_without_prices() -> None:
    """Without prices only figures that a simulation wrote are shown: this sheet has no seal."""
    found = simulated(0.75)
    chapter = typed_lines.risk(Reading(found), Reading(found))
    assert chapter is not None
    assert [block for block in chapter.blocks if isinstance(block, Grid)] == []


@pytest.mark.slow
def test_a_copy_of_a_release_without_the_sheet_is_as_it_was(tmp_path_factory: pytest.TempPathFactory) -> None:
    old = open_book(write("0.2.0", tmp_path_factory.mktemp("old") / "old.xlsx"))
    assert rows(old, "design") == {}
    assert typed_lines.risk(Reading(old), Reading(old)) is None
