"""The parts of a waterfall's bars stand where the bar does, above zero, below it and across."""

from __future__ import annotations

import pytest

from addin.results.charts import Step


@pytest.mark.parametrize(
    ("start", "end", "heights"),
    [
        (10.0, 15.0, (10.0, None, 5.0, None, None, None)),
        (15.0, 10.0, (10.0, None, None, 5.0, None, None)),
        (0.0, 4.0, (None, None, 4.0, None, None, None)),
        (-10.0, -4.0, (-4.0, None, None, None, -6.0, None)),
        (-4.0, -10.0, (-4.0, None, None, None, None, -6.0)),
        (-3.0, 2.0, (None, None, 2.0, None, -3.0, None)),
        (2.0, -3.0, (None, None, None, 2.0, None, -3.0)),
        (5.0, 5.0, (5.0, None, None, None, None, None)),
    ],
)
def test_a_step_is_stacked_on_what_is_not_drawn(start: float, end: float, heights: tuple[float | None, ...]) -> None:
    step = Step("x", start, end)
    assert step.heights == heights
    assert step.amount == end - start
    assert step.under is (min(start, end) < 0)


def test_a_total_stands_on_the_axis() -> None:
    assert Step("new", 0.0, -7.0, total=True).heights == (None, -7.0, None, None, None, None)
