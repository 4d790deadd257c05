"""Figures and error bars against closed forms; above all, whether a 95 % bar holds the truth 95 times in 100."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from addin.errors import RequestError
from addin.simulation.quantiles import normal_quantile
from addin.simulation.sampling import blocks
from addin.simulation.statistics import PERCENTILES, Interval, statistics, wilson_interval
from addin.simulation.summaries import Summary, layout

KEYS = ("a", "b", "c", "d", "e")


def summarise(values: np.ndarray, **kwargs) -> Summary:
    """One output from values (replicates, n)."""
    summary = Summary(layout(["y"], values[None, :, : min(256, values.shape[1])].reshape(1, -1), len(values), **kwargs))
    summary.add(values[None], 0)
    return summary


@pytest.fixture(scope="module")
def draws() -> np.ndarray:
    return blocks(KEYS, 4096, 1, range(16))


def test_a_sum_of_two_uniforms_has_its_known_figures(draws):
    figures = statistics(summarise(draws[0] + draws[1]), "y")
    assert figures.mean.value == pytest.approx(1, abs=1e-4)
    assert figures.sd.value == pytest.approx(np.sqrt(1 / 6), abs=2e-4)
    for percentile in figures.percentiles():
        p = percentile.probability
        truth = np.sqrt(2 * p) if p <= 0.5 else 2 - np.sqrt(2 * (1 - p))
        assert percentile.interval.value == pytest.approx(truth, abs=2 * percentile.resolution)
        assert percentile.interval.low < percentile.interval.value < percentile.interval.high


@pytest.mark.parametrize(
    ("make", "judge"),
    [
        (lambda z: 3 + 2 * z[0], stats.norm(3, 2)),
        (lambda z: np.exp(0.3 * z[:3].sum(axis=0)), stats.lognorm(0.3 * np.sqrt(3))),
        (lambda z: (z[:4] ** 2).sum(axis=0), stats.chi2(4)),
    ],
)
def test_percentiles_agree_with_closed_forms(draws, make, judge):
    figures = statistics(summarise(make(normal_quantile(draws))), "y")
    for percentile in figures.percentiles():
        assert percentile.interval.value == pytest.approx(
            judge.ppf(percentile.probability), abs=3 * percentile.interval.half_width + percentile.resolution
        )
    assert figures.mean.value == pytest.approx(judge.mean(), abs=3 * figures.mean.half_width)
    assert figures.sd.value == pytest.approx(judge.std(), abs=3 * figures.sd.half_width)


def test_moments_agree_with_numpy(draws):
    y = 1e9 + normal_quantile(draws[0])  # a distance from the pivot keeps the digits of the variance
    figures = statistics(summarise(y), "y")
    assert figures.mean.value == pytest.approx(y.mean(), rel=1e-15)
    assert figures.sd.value == pytest.approx(np.std(y - 1e9, ddof=1), rel=1e-9)


def test_the_resolution_of_a_percentile_is_small_and_stated(draws):
    figures = statistics(summarise(normal_quantile(draws[0])), "y")
    assert all(
        percentile.resolution == pytest.approx(figures.percentile(0.5).resolution)
        for percentile in figures.percentiles()
    )
    assert figures.percentile(0.5).resolution < 0.005  # of a standard deviation


def test_percentiles_beyond_the_bins_lie_between_the_last_edge_and_the_extreme():
    summary = Summary(layout(["y"], np.linspace(0, 1, 100)[None], 4))
    values = np.tile(np.linspace(0, 10, 400), (4, 1))  # the pilot saw a tenth of the range
    summary.add(values[None], 0)
    percentile = statistics(summary, "y").percentile(0.99)
    assert percentile.interval.value == pytest.approx(9.9, abs=0.05)
    assert percentile.resolution > 8  # and the stated error is the whole way


COVERED = {
    "sum of five normals": (lambda u: normal_quantile(u).sum(axis=0), stats.norm(0, np.sqrt(5))),
    "lognormal": (lambda u: np.exp(0.4 * normal_quantile(u[:3]).sum(axis=0)), stats.lognorm(0.4 * np.sqrt(3))),
    "maximum of five": (lambda u: u.max(axis=0), stats.beta(5, 1)),
}


@pytest.mark.slow
@pytest.mark.parametrize(("sampler", "names"), [("sobol", list(COVERED)), ("plain", ["lognormal"])])
def test_a_95_percent_bar_covers_the_truth_in_95_of_100_runs(sampler, names):
    seeds, replicates, n = 2000, 16, 256
    u = blocks(KEYS, n, 7, range(seeds * replicates), sampler).reshape(len(KEYS), seeds, replicates, n)
    judges = {name: COVERED[name][1] for name in names}
    truth = {name: {"mean": law.mean(), 0.5: law.median(), 0.95: law.ppf(0.95)} for name, law in judges.items()}
    hits = {(name, figure): 0 for name in names for figure in ("mean", 0.5, 0.95)}
    y = np.stack([COVERED[name][0](u) for name in names])  # (outputs, seeds, replicates, n)
    bins = layout(names, y[:, 0].reshape(len(names), -1), replicates)
    for seed in range(seeds):
        summary = Summary(bins)
        summary.add(y[:, seed], 0)
        for name in names:
            figures = statistics(summary, name)
            bars: dict[str | float, Interval] = {p: figures.percentile(p).interval for p in (0.5, 0.95)}
            bars["mean"] = figures.mean
            for figure, bar in bars.items():
                hits[name, figure] += bar.low <= truth[name][figure] <= bar.high
    covered = {key: count / seeds for key, count in hits.items()}
    for (name, figure), share in covered.items():
        print(f"{sampler}: {name}, {figure}: {share:.1%}")
    assert {key: share for key, share in covered.items() if not 0.935 <= share <= 0.965} == {}


def test_a_whole_number_output_has_the_probability_of_each_outcome(draws):
    arrays = np.ceil(draws[0] * 4 + 0.5)  # 1 to 5 with shares 1/8, 1/4, 1/4, 1/4, 1/8
    figures = statistics(summarise(arrays), "y")
    shares = {share.outcome: share for share in figures.outcomes()}
    assert list(shares) == [1, 2, 3, 4, 5]
    assert [shares[k].interval.value for k in shares] == pytest.approx([0.125, 0.25, 0.25, 0.25, 0.125], abs=1e-3)
    assert sum(share.trials for share in shares.values()) == 65_536
    for share in shares.values():
        assert share.interval.low < share.interval.value < share.interval.high
        assert share.replicate_half_width <= share.interval.half_width  # strata do better than the binomial says


def test_percentiles_of_whole_numbers_are_whole(draws):
    figures = statistics(summarise(np.ceil(draws[0] * 4 + 0.5)), "y")
    assert [percentile.interval.value for percentile in figures.percentiles()] == [1, 1, 2, 3, 4, 5, 5, 5]
    assert all(percentile.interval.low == percentile.interval.high for percentile in figures.percentiles())
    assert all(percentile.resolution == 0 for percentile in figures.percentiles())


def test_a_percentile_at_the_edge_of_two_whole_numbers_says_that_it_may_be_either():
    u = blocks(KEYS, 256, 3, range(16), "plain")
    percentile = statistics(summarise(np.where(u[0] < 0.5, 2.0, 3.0)), "y").percentile(0.5)
    assert (percentile.interval.low, percentile.interval.high) == (2, 3)


def test_an_outcome_never_seen_has_probability_0_and_a_bar_all_the_same(draws):
    figures = statistics(summarise(np.ceil(draws[0] * 4)), "y")
    never = figures.outcome(9)
    assert (never.trials, never.interval.value, never.interval.low) == (0, 0, 0)
    assert 0 < never.interval.high < 1e-4


def test_success_is_the_outcome_1_of_a_yes_or_no_output(draws):
    holds = (draws[:3].sum(axis=0) < 2).astype(float)  # Irwin-Hall: 5/6
    success = statistics(summarise(holds), "y").outcome(1)
    assert success.interval.low < 5 / 6 < success.interval.high


def test_wilson_intervals_are_those_of_the_paper_behind_them():
    # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (score without continuity correction)
    for hits, trials, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        bar = wilson_interval(hits, trials)
        assert (bar.low, bar.high) == pytest.approx((low, high), abs=5e-5)


def test_the_exceedance_curve_falls_from_1_to_0_and_meets_the_percentiles(draws):
    figures = statistics(summarise(draws[0] + draws[1]), "y")
    curve = figures.exceedance()
    assert len(curve.x) == 128
    assert np.all(np.diff(curve.probability) <= 0)
    assert curve.probability[[0, -1]] == pytest.approx([1, 0], abs=1e-3)
    truth = np.where(curve.x < 1, 1 - curve.x**2 / 2, (2 - curve.x) ** 2 / 2)
    assert curve.probability == pytest.approx(np.clip(truth, 0, 1), abs=2e-3)
    assert np.all(curve.half_width < 2e-3)


def test_the_exceedance_curve_of_whole_numbers_has_a_point_for_each(draws):
    curve = statistics(summarise(np.ceil(draws[0] * 4)), "y").exceedance()
    assert list(curve.x) == [1, 2, 3, 4]
    assert curve.probability == pytest.approx([0.75, 0.5, 0.25, 0], abs=1e-3)


def test_errors_are_counted_located_and_left_out(draws):
    y = normal_quantile(draws[0])
    codes = np.zeros(y.shape, dtype=np.int8)
    codes[3, 17:27], y[3, 17:27] = 1, np.nan  # #DIV/0!
    y[5, 8] = np.inf
    summary = Summary(layout(["y"], y[:, :100].reshape(1, -1), 16))
    summary.add(y[None], 0, lambda: codes)
    figures = statistics(summary, "y")
    assert [(e.kind, e.trials, e.first) for e in figures.errors] == [
        ("#DIV/0!", 10, (3, 17)),
        ("not a number", 1, (5, 8)),
    ]
    assert (figures.valid, summary.trials) == (65_525, 65_536)
    assert figures.mean.value == pytest.approx(y[np.isfinite(y)].mean(), abs=1e-15)
    assert figures.maximum == y[np.isfinite(y)].max()


def test_a_result_that_is_always_an_error_has_no_figures():
    figures = statistics(summarise(np.full((4, 8), np.nan)), "y")
    assert figures.errors[0].trials == 32
    assert np.isnan(figures.mean.value)
    assert all(np.isnan(percentile.interval.value) for percentile in figures.percentiles())
    assert figures.outcomes() == ()


@pytest.mark.parametrize("value", [0.0, 3.0, -2.5, 1e12, 1e-12])
def test_a_result_that_never_changes_has_that_value_everywhere(value):
    figures = statistics(summarise(np.full((4, 8), value)), "y")
    assert (figures.mean.value, figures.mean.half_width, figures.sd.value) == (value, 0, 0)
    for percentile in figures.percentiles(PERCENTILES):
        assert percentile.interval.value == pytest.approx(value, rel=1e-8)


def test_an_unknown_result_is_named(draws):
    with pytest.raises(RequestError, match=r"'cost' is not a result of this run\. Use one of y\."):
        statistics(summarise(draws[0]), "cost")


def prices(draws: np.ndarray) -> np.ndarray:
    """Return 1 to 7 arrays of 23,104.50 each, and one in 5,000 designs with 8 to 27."""
    return 23_104.5 * np.ceil(draws[1] * 7 + np.where(draws[0] > 0.9998, draws[2] * 20, 0.0))


def test_percentiles_of_a_price_times_a_count_are_prices_that_occur(draws):
    values = prices(draws)
    figures = statistics(summarise(values), "y")
    assert figures.is_stepped
    assert not figures.is_whole
    exact = np.sort(values.reshape(-1))
    for percentile in figures.percentiles():
        assert percentile.interval.value == exact[int(np.ceil(percentile.probability * exact.size)) - 1]
        assert percentile.interval.low in exact
        assert percentile.interval.high in exact
        assert percentile.resolution == 0


def test_each_price_has_its_probability_and_its_step_of_the_curve(draws):
    values = prices(draws)
    figures = statistics(summarise(values), "y")
    first = figures.outcomes()[:7]
    assert [chance.outcome for chance in first] == [23_104.5 * n for n in range(1, 8)]
    assert [chance.trials for chance in first] == [np.count_nonzero(values == chance.outcome) for chance in first]
    assert sum(chance.trials for chance in figures.outcomes()) == values.size
    assert figures.outcome(46_209.0).trials == first[1].trials
    assert figures.outcome(46_210.0).trials == 0
    curve = figures.exceedance()
    assert curve.stepped
    for x, more in zip(curve.x[:7], curve.probability[:7], strict=True):
        assert more == pytest.approx(np.mean(values > x), abs=1e-12)
    assert figures.below([46_209.0, 46_209.1]) == pytest.approx([np.mean(values < 46_209.0), np.mean(values <= 46_209)])


def test_a_percentile_among_values_that_the_pilot_did_not_see_says_how_far_they_are_apart():
    summary = Summary(layout(["y"], np.repeat([[1.5, 2.5]], 8, axis=1), 2))
    summary.add(np.array([[[1.5] * 5 + [7.5] * 3 + [8.5, 9.5]] * 2]), 0)
    percentile = statistics(summary, "y").percentile(0.9)
    assert (percentile.interval.value, percentile.resolution) == (9.5, 2)
    alone = Summary(summary.layout)
    alone.add(np.array([[[1.5] * 5 + [7.5] * 5] * 2]), 0)
    percentile = statistics(alone, "y").percentile(0.9)
    assert (percentile.interval.value, percentile.resolution) == (7.5, 0)
