"""The inverse distribution functions against scipy, tails included."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from addin.simulation import quantiles

TAILS = np.concatenate([2.0 ** -np.arange(1, 42), np.linspace(0.01, 0.5, 50)])


def test_normal_quantiles_agree_with_scipy_to_the_last_digits():
    u = np.concatenate(
        [np.random.default_rng(1).random(50_000), 2.0 ** -np.arange(1.0, 200), 1 - 2.0 ** -np.arange(2, 53)]
    )
    assert quantiles.normal_quantile(u) == pytest.approx(special.ndtri(u), rel=2e-15, abs=1e-16)


def test_normal_probabilities_stay_within_the_stated_error():
    z = np.linspace(-8, 8, 40_001)
    probability, expected = quantiles.normal_probability(z), special.ndtr(z)
    assert np.max(np.abs(probability - expected)) < 2e-11
    assert np.max(np.abs(probability / expected - 1)) < 1e-7


def test_normal_probabilities_never_reach_0_or_1():
    u = quantiles.normal_probability(np.array([-40.0, -9.0, 9.0, 40.0]))
    assert u.min() > 0
    assert u.max() < 1


@pytest.mark.parametrize(
    ("a", "b"), [(1, 5), (5, 1), (2, 4), (1, 1), (0.1, 0.1), (0.1, 10), (10, 0.1), (100, 3), (1e4, 1e4), (1e4, 0.1)]
)
def test_beta_quantiles_agree_with_scipy(a, b):
    x, slope = quantiles.beta_quantile(TAILS, a, b)
    assert x == pytest.approx(special.betaincinv(a, b, TAILS), rel=1e-11)
    with np.errstate(over="ignore"):
        assert slope * stats.beta.pdf(x, a, b) == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("shape", [0.1, 0.5, 1, 2, 30, 1e3, 1e4])
def test_gamma_quantiles_agree_with_scipy_in_both_tails(shape):
    assert quantiles.gamma_quantile(TAILS, shape)[0] == pytest.approx(special.gammaincinv(shape, TAILS), rel=1e-11)
    upper = quantiles.gamma_quantile(TAILS, shape, upper=True)[0]
    assert upper == pytest.approx(special.gammainccinv(shape, TAILS), rel=1e-11)


@pytest.mark.parametrize(("freedom", "printed"), [(1, 12.706), (2, 4.303), (7, 2.365), (15, 2.131), (30, 2.042)])
def test_student_quantiles_are_those_of_the_printed_table(freedom, printed):
    # NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.2, column 0.975
    assert quantiles.student_quantile(0.975, freedom) == pytest.approx(printed, abs=5e-4)
