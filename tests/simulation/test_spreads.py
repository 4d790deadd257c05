"""Every kind of spread against scipy or a closed form, its bounds, and what it says about wrong parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from addin.errors import RequestError
from addin.simulation.spreads import KINDS, LISTS, TABLE_ERROR, Spread

U = np.concatenate([np.random.default_rng(3).random(20_000), 2.0 ** -np.arange(1, 42), 1 - 2.0 ** -np.arange(2, 42)])


def lognormal(mean, sd):
    sigma = math.sqrt(math.log(1 + (sd / mean) ** 2))
    return stats.lognorm(sigma, scale=mean * math.exp(-(sigma**2) / 2))


EXACT = [
    ("uniform", (2.0, 6.0), stats.uniform(2, 4)),
    ("triangular", (1.0, 2.0, 5.0), stats.triang(0.25, 1, 4)),
    ("triangular", (1.0, 1.0, 5.0), stats.triang(0, 1, 4)),
    ("triangular", (1.0, 5.0, 5.0), stats.triang(1, 1, 4)),
    ("normal", (17.0, 2.5), stats.norm(17, 2.5)),
    ("truncated normal", (10.0, 3.0, 6.0, 18.0), stats.truncnorm(-4 / 3, 8 / 3, 10, 3)),
    ("truncated normal", (0.0, 1.0, 6.0, 9.0), stats.truncnorm(6, 9, 0, 1)),
    ("lognormal", (29.3, 12.0), lognormal(29.3, 12.0)),
]


class Halves:
    """Half of the draws below `mode`: scipy's beta(3, 3), each half stretched to its side."""

    def __init__(self, low: float, mode: float, high: float) -> None:
        self.low, self.mode, self.high = low, mode, high

    def ppf(self, u):
        place = 2 * stats.beta(3, 3).ppf(u) - 1
        return self.mode + place * np.where(place < 0, self.mode - self.low, self.high - self.mode)

    def std(self):
        return float(np.std(self.ppf(U)))


TABULATED = [
    ("by method", (2.0, 6.0, 17.6), Halves(2.0, 6.0, 17.6), 2e-8),
    ("by method", (4.0, 8.0, 12.0), stats.beta(3, 3, 4, 8), 2e-8),
    ("by method", (1.0, 1.0, 5.0), Halves(1.0, 1.0, 5.0), 2e-8),
    ("pert", (1.0, 2.0, 5.0), stats.beta(2, 4, 1, 4), 2e-8),
    ("pert", (0.0, 0.0, 1.0), stats.beta(1, 5), 2e-8),
    ("pert", (0.0, 1.0, 1.0), stats.beta(5, 1), 2e-8),
    ("pert", (7.0, 8.0, 18.0, 10.0), stats.beta(1 + 10 / 11, 1 + 100 / 11, 7, 11), 2e-8),
    ("beta", (2.0, 3.0), stats.beta(2, 3), 2e-8),
    ("beta", (0.1, 0.1, -3.0, 4.0), stats.beta(0.1, 0.1, -3, 7), TABLE_ERROR),
    ("beta", (0.1, 10.0), stats.beta(0.1, 10), TABLE_ERROR),
    ("beta", (10_000.0, 10_000.0), stats.beta(10_000, 10_000), TABLE_ERROR),
    ("gamma", (0.1, 2.0), stats.gamma(0.1, scale=2), TABLE_ERROR),
    ("gamma", (3.0, 2.0), stats.gamma(3, scale=2), TABLE_ERROR),
    ("gamma", (10_000.0, 1.0), stats.gamma(10_000), TABLE_ERROR),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "parameters", "judge"), EXACT)
def test_closed_forms_agree_with_scipy(kind, parameters, judge):
    drawn = Spread(kind, parameters).ppf(U)
    assert drawn.values == pytest.approx(judge.ppf(U), rel=1e-11, abs=1e-12)
    assert (drawn.below, drawn.above) == (0, 0)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("kind", "parameters"), [each[:2] for each in (*EXACT, *TABULATED)])
def test_draws_written_over_their_probabilities_are_the_same(kind, parameters, whole):
    spread = Spread(kind, parameters, low=0.5, high=4.5, whole_number=whole)
    u = U[:20_000].reshape(4, -1)
    fresh, over = spread.ppf(u), u.copy()
    drawn = spread.ppf(over, out=over)
    assert drawn.values is over
    assert over.tobytes() == fresh.values.tobytes()
    assert (drawn.below, drawn.above) == (fresh.below, fresh.above)


def test_a_fixed_value_is_drawn_every_time():
    assert set(Spread("fixed", (7.5,)).ppf(U).values) == {7.5}


@pytest.mark.parametrize(("kind", "parameters", "judge", "bound"), TABULATED)
def test_tables_stay_within_their_stated_error(kind, parameters, judge, bound):
    error = np.abs(Spread(kind, parameters).ppf(U).values - judge.ppf(U)) / judge.std()
    assert error.max() <= bound


@pytest.mark.parametrize(("kind", "parameters", "judge", "bound"), TABULATED)
def test_tables_rise_with_probability(kind, parameters, judge, bound):
    assert np.all(np.diff(Spread(kind, parameters).ppf(np.sort(U)).values) >= 0)


def test_every_kind_is_tried():
    assert {case[0] for case in EXACT} | {case[0] for case in TABULATED} | {"fixed"} == set(KINDS)
    assert set(LISTS) == {"discrete", "empirical"}


def test_discrete_values_come_in_proportion_to_their_weights():
    spread = Spread("discrete", values=(3.0, 1.0, 2.0, 9.0), weights=(5.0, 2.0, 3.0, 0.0))
    drawn = spread.ppf((np.arange(1000) + 0.5) / 1000).values
    assert dict(zip(*np.unique(drawn, return_counts=True), strict=True)) == {1.0: 200, 2.0: 300, 3.0: 500}
    assert np.all(np.diff(drawn) >= 0)


def test_empirical_values_are_equally_likely():
    drawn = Spread("empirical", values=(8.0, 7.0, 8.0, 11.0)).ppf((np.arange(400) + 0.5) / 400).values
    assert dict(zip(*np.unique(drawn, return_counts=True), strict=True)) == {7.0: 100, 8.0: 200, 11.0: 100}


def test_lists_take_probabilities_next_to_1():
    nearly = np.array([1 - 2.0**-53])
    assert Spread("empirical", values=tuple(map(float, range(1000)))).ppf(nearly).values == 999
    assert Spread("discrete", values=(1.0, 2.0), weights=(0.1, 0.2)).ppf(nearly).values == 2


def test_draws_beyond_the_bounds_are_cut_and_counted():
    drawn = Spread("normal", (0.0, 1.0), low=-1.0, high=2.0).ppf((np.arange(10_000) + 0.5) / 10_000)
    assert (drawn.below, drawn.above) == (1587, 228)  # 15.87 % and 2.28 % of a standard normal
    assert (drawn.values.min(), drawn.values.max()) == (-1.0, 2.0)


def test_whole_numbers_are_rounded_after_the_inverse():
    drawn = Spread("uniform", (0.5, 4.5), whole_number=True).ppf((np.arange(4000) + 0.5) / 4000)
    assert dict(zip(*np.unique(drawn.values, return_counts=True), strict=True)) == dict.fromkeys(
        (1.0, 2.0, 3.0, 4.0), 1000
    )


def test_whole_numbers_stay_within_fractional_bounds():
    drawn = Spread("uniform", (0.0, 10.0), low=1.4, high=8.6, whole_number=True).ppf((np.arange(1000) + 0.5) / 1000)
    assert (drawn.values.min(), drawn.values.max()) == (2.0, 8.0)
    assert (drawn.below, drawn.above) == (150, 150)


def test_the_median_is_drawn_like_any_value():
    assert Spread("triangular", (0.0, 1.0, 2.0), low=1.3).median == 1.3
    assert Spread("uniform", (0.0, 5.0), whole_number=True).median == 3.0


WRONG = [
    (("normal", (10.0, 0.0)), "sd is 0, expected more than 0. Use kind fixed for a single value."),
    (("uniform", (5.0, 5.0)), "minimum 5 is not below maximum 5. Swap them, or use kind fixed for a single value."),
    (("triangular", (1.0, 9.0, 5.0)), "mode 9 is outside 1 to 5. Give minimum <= mode <= maximum."),
    (("pert", (1.0, 0.5, 5.0)), "mode 0.5 is outside 1 to 5. Give minimum <= mode <= maximum."),
    (("pert", (1.0, 2.0, 5.0, -1.0)), "peak is -1, expected more than 0. Use kind fixed for a single value."),
    (("lognormal", (-2.0, 1.0)), "mean is -2, expected more than 0. Use kind fixed for a single value."),
    (("beta", (0.01, 2.0)), "alpha is 0.01, expected 0.1 to 10000. Use another kind for a shape beyond."),
    (("gamma", (2.0, 0.0)), "scale is 0, expected more than 0. Use kind fixed for a single value."),
    (
        ("truncated normal", (0.0, 1.0, 50.0, 60.0)),
        "no probability between 50 and 60. Move the range nearer to the mean 0.",
    ),
    (("normal", (math.nan, 1.0)), "mean is nan, expected a number. Type a figure."),
    (("normal", (1.0,)), "normal has 1 parameters, expected mean, sd. Fill in or empty the others."),
    (
        ("pert", (1.0, 2.0)),
        "pert has 2 parameters, expected minimum, mode, maximum[, peak]. Fill in or empty the others.",
    ),
    (("discrete", (), (1.0, 2.0), (1.0,)), "2 values but 1 weights. Give one weight for each value."),
    (("discrete", (), (1.0, 2.0), (1.0, -1.0)), "weight -1 is not 0 or more. Give the share of each value."),
    (("discrete", (), (1.0, 2.0), (0.0, 0.0)), "all weights are 0. Give at least one value a share."),
    (("empirical",), "empirical has no values. List at least one."),
    (("empirical", (), (1.0, math.inf)), "value inf is not a number. Type a figure."),
    (("empirical", (), (1.0,), (1.0,)), "empirical takes no weights. Remove them, or use kind discrete."),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_parameters_are_named_in_one_line(given, message):
    kind, parameters, values, weights = (*given, (), (), ())[:4]
    with pytest.raises(RequestError) as error:
        Spread(kind, parameters, values, weights, where="Risk!B7")
    assert str(error.value) == f"Risk!B7: {message}"


def test_an_unknown_kind_lists_the_known_ones():
    with pytest.raises(
        RequestError, match=r"^Risk!B7: kind 'weibull' is not known\. Use one of fixed, .*, empirical\.$"
    ):
        Spread("weibull", (1.0,), where="Risk!B7")


def test_all_complaints_come_at_once():
    with pytest.raises(RequestError) as error:
        Spread("lognormal", (-1.0, 0.0), low=3.0, high=2.0)
    assert len(str(error.value).splitlines()) == 3


def test_bounds_without_a_whole_number_are_refused():
    with pytest.raises(RequestError, match=r"no whole number between the bounds 1\.2 and 1\.8\. Widen them\."):
        Spread("uniform", (0.0, 3.0), low=1.2, high=1.8, whole_number=True)
