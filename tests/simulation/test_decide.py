"""The command decide: how many of each array suffice with which chance, at what cost; none for what is unchecked."""

from pathlib import Path

import openpyxl
import pytest

from addin.errors import RequestError
from addin.simulation.decide import CERTAINTIES, Choice, about, choices, ranked, table
from addin.simulation.montecarlo import simulate
from addin.workbook.book import SizingBook, open_book
from tests.support.shell import Run

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
TRIALS = 4096
BASE = "NetApp AFF8040"
CARD = (
    *("My array 1.capacity_tb=46", "My array 1.capacity_kind=usable", "My array 1.iops=250000"),
    *("My array 1.read_ratio=0.7", "My array 1.latency_ms=0.5", "My array 1.controllers_active=2"),
    *("My array 1.base_latency_ms=0.2", "My array 1.throughput_mb_s=5000", "My array 1.price=120000"),
)


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


@pytest.fixture(scope="module")
def found(book: SizingBook) -> dict[str, Choice]:
    return {each.array: each for each in choices(book, ("array_price=90000", *CARD), TRIALS)}


def test_the_chance_of_the_base_design_is_that_of_simulate(book: SizingBook, found: dict[str, Choice]) -> None:
    report = simulate(book, TRIALS, settings=("array_price=90000", *CARD))
    assert report.holds is not None
    assert found[BASE].holds == pytest.approx(report.holds.interval.value, abs=1e-9)


def test_more_certainty_never_needs_fewer_arrays_nor_costs_less(found: dict[str, Choice]) -> None:
    for each in found.values():
        if not each.chances:
            continue
        counts = [each.enough(level) for level in CERTAINTIES]
        costs = [each.cost(level) for level in CERTAINTIES]
        assert counts == sorted(counts)  # type: ignore[type-var]
        assert costs == sorted(costs)  # type: ignore[type-var]
        assert max(each.chances.values()) == pytest.approx(1.0)


def test_the_cost_is_the_workbooks_present_cost_with_that_many_installed(
    book: SizingBook, found: dict[str, Choice]
) -> None:
    for name, more in ((BASE, ("array_price=90000",)), ("My array 1", ())):
        count = found[name].enough(0.95)
        settings = book.settings((*CARD, *more, f"array={name}", f"arrays_installed={count:g}"))
        assert book.evaluate(settings, ["npv"])["npv"] == found[name].cost(0.95)


def test_an_array_that_is_not_fully_checked_gets_no_chance(book: SizingBook, found: dict[str, Choice]) -> None:
    open_ = [each for each in found.values() if each.unchecked != "none"]
    assert len(open_) >= 6
    made = table(list(found.values()), book)
    for each in open_:
        assert each.holds is None
        assert each.enough(0.8) is None
        (row,) = (row for row in made.rows if row[0] == each.array)
        assert row[2:7] == ("not checked",) * 5
        assert row[-1] == each.unchecked


def test_the_cheapest_at_each_certainty_is_named_and_what_certainty_costs(
    book: SizingBook, found: dict[str, Choice]
) -> None:
    """By hand: three AFF8040 cost 270,000 and four 360,000, one of the card 120,000 and two 240,000."""
    notes = table(list(found.values()), book).notes
    counts = {name: [found[name].enough(level) for level in CERTAINTIES] for name in (BASE, "My array 1")}
    assert {count for each in counts.values() for count in each} <= {1.0, 2.0, 3.0, 4.0}
    for level, note in zip(CERTAINTIES, notes, strict=False):
        least = min(
            90_000 * float(found[BASE].enough(level) or 0), 120_000 * float(found["My array 1"].enough(level) or 0)
        )
        assert note.startswith(f"{level:.0%} sure: My array 1, ")
        assert f"{least:,.0f} USD" in note
    assert any(note.startswith("From 80% to 99% sure costs ") for note in notes)


def test_without_quotes_only_counts_are_compared(book: SizingBook) -> None:
    made = table(choices(book, (), 1024), book)
    assert not [heading for heading in made.headings if "cost" in heading.casefold()]
    assert made.notes[0].startswith("No quote is entered: compare numbers of one array")


def test_the_order_of_the_arrays_changes_no_figure(book: SizingBook, found: dict[str, Choice]) -> None:
    again = choices(book, ("array_price=90000", *CARD), TRIALS)
    assert {each.array: each for each in reversed(again)} == found
    assert next(each.array for each in ranked(list(found.values()))) == "My array 1"


def test_another_number_of_workers_gives_the_same(book: SizingBook, found: dict[str, Choice]) -> None:
    assert {each.array: each for each in choices(book, ("array_price=90000", *CARD), TRIALS, workers=2)} == found


@pytest.mark.parametrize(
    ("share", "words"),
    [(1.0, "over 99%"), (0.994, "over 99%"), (0.8234, "about 82%"), (0.01, "about 1%"), (0.002, "under 1%")],
)
def test_a_chance_has_no_more_digits_than_its_spreads_support(share: float, words: str) -> None:
    assert about(share) == words


@pytest.mark.parametrize("setting", ["array=NetApp AFF A800", "arrays_installed=3"])
def test_what_decide_finds_cannot_be_set(book: SizingBook, setting: str) -> None:
    with pytest.raises(RequestError, match=r"Leave it out of --set\.$"):
        choices(book, (setting,), 1024)


def test_no_spread_is_one_line(tmp_path: Path, run: Run) -> None:
    workbook = openpyxl.load_workbook(SHIPPED)
    sheet = workbook["Risk inputs"]
    for row in range(5, 23):
        sheet.cell(row, 5).value = "fixed"
    workbook.save(tmp_path / "fixed.xlsx")
    code, out, err = run("decide", tmp_path / "fixed.xlsx")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "Give one a distribution there." in err
