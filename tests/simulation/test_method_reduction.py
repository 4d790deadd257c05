"""Data reduction is drawn as the design's own method and array have it: an array that reduces nothing stays at 1:1."""

from pathlib import Path

import numpy as np
import pytest

from addin.errors import RequestError
from addin.simulation import method_reduction
from addin.simulation.montecarlo import simulate
from addin.simulation.risk import Risk, read_risk
from addin.simulation.spreads import Spread
from addin.workbook.book import SizingBook, open_book

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
KEY = method_reduction.KEY
CARD = (
    *("array=My array 1", "provisioning=Full clone", "desktops=3000", "My array 1.capacity_tb=40"),
    *("My array 1.capacity_kind=usable", "My array 1.iops=200000", "My array 1.read_ratio=0.7"),
    *("My array 1.latency_ms=1", "My array 1.controllers_active=2"),
)


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


def drawn(risk: Risk) -> Spread | None:
    return next((each.spread for each in risk.uncertain if each.key == KEY), None)


def figures(book: SizingBook, *settings: str) -> tuple[float, ...] | None:
    spread = drawn(read_risk(book, book.settings(settings)))
    return None if spread is None else spread.parameters


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ((), (2, 6, 17.6)),  # MCS pooled on an array with inline reduction: K2's figures
        (("provisioning=Full clone",), (2, 4, 8)),
        (("provisioning=PVS",), (1, 1.2, 2)),
        (CARD, None),  # the card has no inline reduction
        ((*CARD, "My array 1.reduction_ratio=2", "My array 1.inline_reduction=1"), None),  # 2, 2 and 2
        ((*CARD, "My array 1.reduction_ratio=3", "My array 1.inline_reduction=1"), (2, 3, 3)),
        ((*CARD, "My array 1.reduction_ratio=6", "My array 1.inline_reduction=1"), (2, 4, 6)),
        (("data_reduction_ratio=6",), None),
        (("guest_encryption=everything",), None),
    ],
)
def test_the_method_and_the_array_give_the_range(
    book: SizingBook, settings: tuple[str, ...], expected: tuple[float, ...] | None
) -> None:
    assert figures(book, *settings) == (None if expected is None else pytest.approx(expected))


def test_half_of_the_trials_are_on_either_side_of_the_figure_that_sizes(book: SizingBook) -> None:
    spread = drawn(read_risk(book))
    assert spread is not None
    assert spread.median == pytest.approx(6, rel=1e-12)
    assert np.mean(spread.ppf((np.arange(1000) + 0.5) / 1000).values < 6) == 0.5


def test_an_array_that_reduces_nothing_is_as_sure_as_with_1_typed(book: SizingBook) -> None:
    """3,000 full clones store 96,000 GiB at 1:1. No trial came near: they were drawn at 2 to 17.6."""
    blank, typed = (
        simulate(book, 1024, settings=(*CARD, *more), outputs=["capacity_required_gib"])
        for more in ((), ("data_reduction_ratio=1",))
    )
    assert blank.results[0].percentiles == typed.results[0].percentiles
    assert float(str(blank.results[0].base)) == pytest.approx(96000, rel=1e-3)
    middle = next(each for each in blank.results[0].percentiles if each.probability == 0.5)
    assert middle.interval.value == pytest.approx(96000, rel=0.15)


def test_another_input_has_no_method(book: SizingBook) -> None:
    with pytest.raises(RequestError, match=r"X9: found 'by method', which is for data_reduction_ratio alone"):
        method_reduction.spread(book, book.inputs["desktops"], {}, "X9")
