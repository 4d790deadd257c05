"""Histograms on rounded edges: every trial is in one bar, whatever the spread looks like."""

from __future__ import annotations

import numpy as np
import pytest

from addin.simulation.histogram import MOST_BARS, histogram
from addin.simulation.quantiles import normal_quantile
from addin.simulation.sampling import blocks
from addin.simulation.statistics import statistics
from addin.simulation.summaries import Summary, layout


def bars(values: np.ndarray) -> list[tuple[str, float]]:
    summary = Summary(layout(["y"], values[None, :, :256].reshape(1, -1), len(values)))
    summary.add(values[None], 0)
    drawn = histogram(statistics(summary, "y"))
    return list(drawn.bars()) if drawn else []


@pytest.fixture(scope="module")
def uniform() -> np.ndarray:
    return blocks(("a",), 4096, 1, range(16))[0]


def test_a_uniform_result_fills_equal_bars(uniform):
    drawn = bars(2 * uniform)
    assert [label for label, _ in drawn][:2] == ["0.0 to 0.2", "0.2 to 0.4"]
    assert [share for _, share in drawn] == pytest.approx([0.1] * 10, abs=1e-3)


def test_the_tails_are_counted_in_bars_of_their_own(uniform):
    drawn = bars(100_000 + 1000 * normal_quantile(uniform))
    assert drawn[0][0].startswith("below ")
    assert drawn[-1][0].endswith(" or more")
    assert drawn[0][1] + drawn[-1][1] < 0.011


def test_an_integer_has_a_bar_and_its_exact_share(uniform):
    drawn = bars(np.where(uniform < 0.75, 1.0, np.where(uniform < 0.9, 2.0, 4.0)))
    assert [label for label, _ in drawn] == ["1", "2", "3", "4"]
    assert [share for _, share in drawn] == pytest.approx([0.75, 0.15, 0, 0.1], abs=1e-4)


def test_many_integers_share_bars(uniform):
    drawn = bars(np.floor(1000 * uniform))
    assert drawn[0][0] == "0 to 99"
    assert [share for _, share in drawn] == pytest.approx([0.1] * 10, abs=1e-3)


@pytest.mark.parametrize("scale", [1e-9, 0.3, 7.0, 1e12])
@pytest.mark.parametrize("shift", [0.0, -5.0, 100.0])
def test_every_trial_is_in_one_bar_and_bars_are_few(uniform, scale, shift):
    for values in (uniform, np.exp(3 * normal_quantile(uniform)), np.where(uniform < 0.5, 0.1, 9.3)):
        drawn = bars(scale * (values + shift))
        assert sum(share for _, share in drawn) == pytest.approx(1, abs=1e-12)
        assert 1 <= len(drawn) <= MOST_BARS
        assert len({label for label, _ in drawn}) == len(drawn)


def test_a_result_that_never_changes_has_one_bar_and_one_without_numbers_none(uniform):
    assert bars(np.full_like(uniform, 3.0)) == [("3", 1.0)]
    assert sum(share for _, share in bars(np.full_like(uniform, 3.5))) == pytest.approx(1)
    assert bars(np.full_like(uniform, np.nan)) == []
