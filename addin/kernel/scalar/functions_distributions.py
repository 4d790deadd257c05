"""Probability distributions, each as its page in Microsoft's function reference states domain and errors."""

from __future__ import annotations

import math

from addin.kernel.excel.values import ExcelError, Fault, finite
from addin.kernel.scalar import special
from addin.kernel.scalar.signatures import Table


def require(condition: bool) -> None:
    """Raise Fault with #NUM! unless the arguments are in the function's domain."""
    if not condition:
        raise Fault(ExcelError.NUM)


def standard_normal(z: float, cumulative: bool) -> float:
    """Return NORM.S.DIST."""
    return 0.5 * math.erfc(-z / math.sqrt(2)) if cumulative else math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def standard_quantile(probability: float) -> float:
    """Return NORM.S.INV for 0 < probability < 1."""
    from statistics import NormalDist  # which loads much that few formulas need

    require(0 < probability < 1)
    return NormalDist().inv_cdf(probability)


def normal(x: float, mean: float, deviation: float, cumulative: bool) -> float:
    """Return NORM.DIST for a positive deviation."""
    require(deviation > 0)
    height = standard_normal((x - mean) / deviation, cumulative)
    return height if cumulative else height / deviation


def normal_quantile(probability: float, mean: float, deviation: float) -> float:
    """Return NORM.INV for 0 < probability < 1 and a positive deviation."""
    require(deviation > 0)
    return mean + deviation * standard_quantile(probability)


def lognormal_quantile(probability: float, mean: float, deviation: float) -> float:
    """Return LOGNORM.INV for 0 < probability < 1 and a positive deviation."""
    exponent = normal_quantile(probability, mean, deviation)
    require(exponent < 709)
    return math.exp(exponent)


def beta_quantile(probability: float, alpha: float, beta: float, low: float = 0.0, high: float = 1.0) -> float:
    """Return BETA.INV for 0 < probability < 1, positive shapes, and a range that is not empty."""
    require(0 < probability < 1 and alpha > 0 and beta > 0 and low < high)
    return low + (high - low) * special.beta_quantile(probability, alpha, beta)


def gamma_quantile(probability: float, alpha: float, beta: float) -> float:
    """Return GAMMA.INV for 0 <= probability < 1 and positive shape and scale."""
    require(0 <= probability < 1 and alpha > 0 and beta > 0)
    return finite(beta * special.gamma_quantile(probability, alpha))


def binomial(successes: float, trials: float, probability: float, cumulative: bool) -> float:
    """Return BINOM.DIST; counts are truncated, 0 <= successes <= trials."""
    hits, tries = math.trunc(successes), math.trunc(trials)
    require(0 <= hits <= tries and 0 <= probability <= 1)
    if not cumulative:
        return special.binomial(hits, tries - hits, probability, 1 - probability)
    if hits == tries:
        return 1.0
    return special.beta_tails(tries - hits, hits + 1, 1 - probability)[0]


def poisson(events: float, mean: float, cumulative: bool) -> float:
    """Return POISSON.DIST; events are truncated, both at least 0."""
    seen = math.trunc(events)
    require(events >= 0 and mean >= 0)
    if cumulative:
        return special.gamma_tails(seen + 1, mean)[1]
    return special.poisson(seen, mean)


FUNCTIONS: Table = {
    "BETA.INV": ("nnnnn", beta_quantile),
    "BINOM.DIST": ("nnnb", binomial),
    "GAMMA.INV": ("nnn", gamma_quantile),
    "LOGNORM.INV": ("nnn", lognormal_quantile),
    "NORM.DIST": ("nnnb", normal),
    "NORM.INV": ("nnn", normal_quantile),
    "NORM.S.DIST": ("nb", standard_normal),
    "NORM.S.INV": ("n", standard_quantile),
    "POISSON.DIST": ("nnb", poisson),
}
