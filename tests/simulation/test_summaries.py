"""Summaries: the same bytes in any order, exact sums, and memory that does not grow."""

from __future__ import annotations

import math
import random
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from addin.errors import RequestError
from addin.simulation.exact_sums import ExactSums
from addin.simulation.sampling import blocks, plan
from addin.simulation.summaries import Summary, layout

KEYS = ("a", "b", "c")


def state(summary: Summary) -> tuple[object, ...]:
    return (
        summary.trials,
        summary.counts.tobytes(),
        [summary.sums.total(*index) for index in np.ndindex(summary.sums.shape)],
        summary.minimum.tobytes(),
        summary.maximum.tobytes(),
        summary.errors.tobytes(),
        summary.first_error.tobytes(),
        summary.fractional.tobytes(),
        summary.lowest.tobytes(),
        summary.highest.tobytes(),
    )


def outputs(u: np.ndarray) -> np.ndarray:
    price = 23_104.5 * np.ceil(u[1] * 7 + np.where(u[0] > 0.9999, u[2] * 20, 0.0))  # a few that no pilot sees
    y = np.stack([u.sum(axis=0), np.exp(3 * u[0]) * 1e-5, np.ceil(u[1] * 7), price])
    y[1][u[2] < 0.01] = np.nan
    return y


def test_chunks_added_at_once_leave_the_same_bytes(monkeypatch: pytest.MonkeyPatch):
    """Four chunks at once, with errors, values no pilot has seen, and rows that are one value all through."""
    size = plan(2**17)
    level = (7.0, 1 / 3, 2.0**53, -3.5)

    def drawn(start: int, count: int) -> np.ndarray:
        y = outputs(blocks(KEYS, size.per_replicate, 1, range(16), start=start, count=count))
        flat = np.repeat(np.array(level), y[0].size).reshape(len(level), *y.shape[1:])
        return np.concatenate([y, flat])

    names = [f"y{number}" for number in range(4 + len(level))]
    bins = layout(names, drawn(0, 64).reshape(len(names), -1), 16)
    bins.pivot[4:] = (4, 0.1, 2.0**53 + 123_456_787_654_322, 0)  # what a pilot saw may be far from what a run sees
    kinds = np.int8(3) * np.isnan(drawn(0, size.per_replicate))

    def run(chunks: int) -> tuple[object, ...]:
        summary, count = Summary(bins), chunks * size.block
        for start in range(0, size.per_replicate, count):
            summary.add(drawn(start, count), start, lambda: kinds[:, :, start : start + count], size.block)  # noqa: B023
        return state(summary)

    at_once = run(4)
    assert at_once == run(1)
    monkeypatch.setattr("addin.simulation.summaries._SMALL", -1)  # every value is looked at
    assert at_once == run(1)


def test_chunks_merge_in_any_order_to_the_same_bytes():
    size = plan(2**18)
    spans = list(size.spans())
    pilot = outputs(blocks(KEYS, size.per_replicate, 1, range(16), count=64).reshape(3, -1))
    bins = layout(["sum", "product", "count", "price"], pilot, 16)
    assert set(bins.listed[3]) >= {23_104.5 * n for n in range(1, 8)}

    def run(order: list[int], workers: int) -> tuple[object, ...]:
        parts = [Summary(bins) for _ in range(workers)]
        for turn, number in enumerate(order):
            start, count = spans[number]
            u = blocks(KEYS, size.per_replicate, 1, range(16), start=start, count=count)
            parts[turn % workers].add(outputs(u), start)
        whole = parts.pop()
        while parts:
            whole.merge(parts.pop())
        return state(whole)

    expected = run(list(range(len(spans))), 1)
    assert run(list(range(len(spans))), 2) == expected
    shuffled = list(range(len(spans)))
    random.Random(1).shuffle(shuffled)
    assert run(shuffled, 5) == expected


def test_sums_are_exact():
    values = np.array([1e300, 1.0, -1e300, 1e-300, 5e-324, -0.0, 2.0**-1074 * 7, -3.5, 1e16, 1.7976931348623157e308])
    values = np.concatenate([values, np.random.default_rng(1).normal(size=500) * 10.0 ** np.arange(-250, 250)])
    sums = ExactSums((1,))
    for value in values:
        sums.add(np.array([value]))
    assert sums.total(0) == sum(map(Fraction, values.tolist()))
    assert float(ExactSums((2,)).total(1)) == 0


def test_sums_of_an_array_stay_apart():
    sums = ExactSums((2, 3))
    values = np.arange(6.0).reshape(2, 3) - 2.5
    for _ in range(3):
        sums.add(values)
    assert [[float(sums.total(i, j)) for j in range(3)] for i in range(2)] == (3 * values).tolist()


@pytest.mark.slow
def test_memory_stays_under_500_mb_at_any_number_of_trials():
    # 40 outputs x 16 replicates x 2,048 bins; a hundred chunks here, and no chunk adds anything to keep
    rng = np.random.default_rng(1)
    values = rng.random((40, 16, 1024))
    tracemalloc.start()
    summary = Summary(layout([f"y{k}" for k in range(40)], values[:, :, :64].reshape(40, -1), 16))
    summary.add(values, 0)
    after_one = tracemalloc.get_traced_memory()[0]
    for chunk in range(1, 100):
        summary.add(values, chunk * 1024)
    after_all, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after_all - after_one < 100_000
    assert peak < 30e6
    assert summary.trials == 100 * 16 * 1024


def test_counts_hold_10_to_the_11_trials_of_one_value():
    # a count and a word of a sum are 64 bits: 2^31 chunks before the first can overflow
    assert 1e11 / 16_384 < 2**31


def test_values_outside_the_bins_are_counted_under_and_over():
    bins = layout(["y"], np.linspace(0, 1, 50)[None], 1)
    summary = Summary(bins)
    summary.add(np.array([[[-5.0, 0.5, 0.5, 7.0, 1e200]]]), 0)
    assert (summary.counts[0, 0, 0], summary.counts[0, 0, -1], summary.counts.sum()) == (1, 1, 4)
    assert (summary.minimum[0], summary.maximum[0]) == (-5, 7)
    assert summary.errors.sum() == 1  # 1e200: its square is no float


def test_whole_numbers_have_a_bin_each_and_fractions_are_noticed():
    summary = Summary(layout(["y"], np.array([[3.0, 5.0, 4.0]]), 1))
    summary.add(np.array([[[3.0, 3.0, 900.0, 4.4]]]), 0)
    slots = np.flatnonzero(summary.counts[0, 0])
    assert list(summary.layout.low[0] + slots - 0.5) == [3, 4, 900]
    assert summary.fractional[0] == 1


def test_a_wide_whole_number_output_gets_equal_bins():
    wide = np.arange(0.0, 100_000, 37)[None]
    assert layout(["y"], wide, 1).whole == (False,)
    assert layout(["y"], wide[:, :20], 1).whole == (True,)


def test_few_values_are_counted_one_by_one_and_unseen_ones_by_the_gap_they_are_in():
    bins = layout(["y"], np.repeat([[1.5, 2.5, 9.5]], 8, axis=1), 1)
    summary = Summary(bins)
    summary.add(np.array([[[2.5, 1.5, 2.5, 3.1, 9.4, 3.1, 0.1, 50.0]]]), 0)
    assert bins.listed[0].tolist() == [1.5, 2.5, 9.5]
    assert summary.counts[0, 0, :8].tolist() == [1, 1, 0, 2, 3, 0, 1, 0]
    assert summary.lowest[0].tolist() == [0.1, math.inf, 3.1, 50]
    assert summary.highest[0].tolist() == [0.1, -math.inf, 9.4, 50]


@pytest.mark.parametrize(
    ("values", "listed"),
    [
        (np.repeat([0.5, 1.5], 8), 2),
        (np.repeat([0.5, 1.5], 7), 0),  # too seldom to know
        (np.append(np.repeat([0.5, 1.5], 50), [7.5, 8.5, 9.5]), 5),  # rare ones
        (np.append(np.repeat([0.5, 1.5], 50), np.arange(5) + 0.1), 0),  # most that there are may be unseen
        (np.tile(np.arange(300) + 0.5, 20), 0),  # too many
        (np.tile([1.0, 2.0], 20), 0),  # whole numbers have bins of their own
        (np.full(20, 1 / 3), 1),
    ],
)
def test_which_results_are_counted_value_by_value(values, listed):
    assert layout(["y"], values[None], 1).listed[0].size == listed


def test_a_pilot_with_a_wild_tail_keeps_its_resolution():
    values = np.concatenate([np.linspace(0, 1, 10_000), [1e9]])
    assert layout(["y"], values[None], 1).width[0] < 0.003


def test_a_pilot_without_values_still_gives_bins():
    bins = layout(["y"], np.full((1, 5), np.nan), 2)
    assert math.isfinite(bins.low[0])
    assert bins.width[0] > 0


@pytest.mark.parametrize("shape", [(2, 4, 8), (1, 3, 8), (1, 32)])
def test_a_chunk_of_another_shape_is_refused(shape):
    summary = Summary(layout(["y"], np.zeros((1, 4)), 4))
    with pytest.raises(RequestError, match=r"chunk at 0: shape .*, expected \(1, 4, trials\)\. Reshape it\."):
        summary.add(np.zeros(shape), 0)


def test_names_and_pilot_must_match():
    with pytest.raises(RequestError, match="pilot run: 1 rows for 2 outputs"):
        layout(["a", "b"], np.zeros((1, 4)), 4)
