"""The work of a write is drawn for an array from a data sheet and moves its answer; it moves no other array."""

from pathlib import Path

import pytest

from addin.simulation.montecarlo import simulate
from addin.simulation.report import Report
from addin.workbook.book import open_book
from model.workbook import Built
from tests.model.test_cards import CARD, LOAD
from tests.support.input_sets import Value, overrides, own_arrays
from tests.support.shipped import fresh

TWO_POINTS: dict[str, Value] = {"second_iops": 300000.0, "second_read_ratio": 1.0}


def simulated(built: Built, path: Path, card: dict[str, Value], design: dict[str, Value]) -> Report:
    """Return a simulation of the load on a card."""
    book = fresh()
    for (sheet, cell), value in {**own_arrays(built, [card]), **overrides(built, [{**LOAD, **design}])}.items():
        book[sheet][cell] = value
    book.save(path)
    return simulate(open_book(path), 4096, outputs=["ratio_steady", "arrays_required"])


@pytest.mark.slow
def test_the_work_of_a_write_moves_the_arrays_of_a_card(built: Built, tmp_path: Path) -> None:
    """Pure writes on a 70/30 data sheet: 2.9 arrays at w = 1, 6.0 at w = 4, so a count is never sure."""
    report = simulated(built, tmp_path / "card.xlsx", CARD, {"steady_read_ratio": 0.0, "concurrent_ratio": 1.0})
    assert any(driver.key == "write_weight" for driver in report.drivers[0].drivers)
    arrays = next(result for result in report.results if result.item.key == "arrays_required")
    assert len(arrays.outcomes) >= 3
    assert not any("depends on" in note and "write_weight" in note for note in report.notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("card", "design"),
    [({**CARD, **TWO_POINTS}, {}), (CARD, {"array": "NetApp AFF8040"})],
    ids=["two points", "fitted"],
)
def test_where_the_work_of_a_write_is_told_nothing_hangs_on_the_draw(
    built: Built, tmp_path: Path, card: dict[str, Value], design: dict[str, Value]
) -> None:
    report = simulated(built, tmp_path / "told.xlsx", card, {"steady_read_ratio": 0.0, **design})
    assert any("depends on" in note and "write_weight" in note for note in report.notes)
