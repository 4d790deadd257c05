"""Incomplete gamma and beta functions and their inverses, to about 1e-13.

Series and continued fractions as in Abramowitz and Stegun, 6.5.29, 6.5.31 and 26.5.8; inverses by Newton steps kept
inside a bracket.
"""

from __future__ import annotations

import math
from collections.abc import Callable

TINY = 1e-300
EPSILON = 1e-17
STEPS = 10_000


def gamma_tails(shape: float, x: float) -> tuple[float, float]:
    """Return the lower and the upper regularised incomplete gamma function, P and Q. `shape` > 0, `x` >= 0."""
    if x <= 0:
        return 0.0, 1.0
    scale = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        for step in range(1, STEPS):
            term *= x / (shape + step)
            total += term
            if term < total * EPSILON:
                break
        lower = min(1.0, scale * total)
        return lower, 1 - lower
    upper = min(1.0, scale * _gamma_fraction(shape, x))
    return 1 - upper, upper


def _gamma_fraction(shape: float, x: float) -> float:
    b = x + 1 - shape
    c, d = 1 / TINY, 1 / b
    result = d
    for step in range(1, STEPS):
        a = -step * (step - shape)
        b += 2
        d = 1 / _off_zero(a * d + b)
        c = _off_zero(b + a / c)
        result *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return result


def _off_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY


def beta_tails(a: float, b: float, x: float) -> tuple[float, float]:
    """Return the regularised incomplete beta function I_x(a, b) and 1 - I_x. `a`, `b` > 0, 0 <= x <= 1."""
    if x <= 0:
        return 0.0, 1.0
    if x >= 1:
        return 1.0, 0.0
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    scale = math.exp(log_scale)
    if x < (a + 1) / (a + b + 2):
        lower = min(1.0, scale * _beta_fraction(a, b, x) / a)
        return lower, 1 - lower
    upper = min(1.0, scale * _beta_fraction(b, a, 1 - x) / b)
    return 1 - upper, upper


def _beta_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _off_zero(1 - (a + b) * x / (a + 1))
    result = d
    for step in range(1, STEPS):
        for numerator in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            d = 1 / _off_zero(1 + numerator * d)
            c = _off_zero(1 + numerator / c)
            result *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return result


def gamma_quantile(probability: float, shape: float) -> float:
    """Return x with P(shape, x) = probability, 0 <= probability < 1."""
    if probability <= 0:
        return 0.0
    high = max(shape, 1.0)
    while gamma_tails(shape, high)[0] < probability:
        high *= 2

    def density(x: float) -> float:
        return math.exp((shape - 1) * math.log(x) - x - math.lgamma(shape))

    return _quantile(probability, lambda x: gamma_tails(shape, x), density, high)


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return x with I_x(a, b) = probability, 0 <= probability <= 1."""
    if probability <= 0 or probability >= 1:
        return float(probability >= 1)
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)

    def density(x: float) -> float:
        return math.exp(log_scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))

    return _quantile(probability, lambda x: beta_tails(a, b, x), density, 1.0)


def _quantile(
    probability: float, tails: Callable[[float], tuple[float, float]], density: Callable[[float], float], high: float
) -> float:
    low, x = 0.0, high / 2
    for _ in range(400):
        lower, upper = tails(x)
        error = lower - probability if probability <= 0.5 else (1 - probability) - upper
        if error == 0:
            return x
        low, high = (low, x) if error > 0 else (x, high)
        slope = density(x)
        step = x - error / slope if slope > 0 else low
        following = step if low < step < high else (low + high) / 2
        if abs(following - x) <= 1e-16 * x or high - low <= 1e-16 * high:
            return following
        x = following
    return x


def binomial(successes: int, trials: int, probability: float) -> float:
    """Return the probability of exactly so many successes."""
    if probability in (0.0, 1.0):
        return float(successes == trials * probability)
    if trials <= 1000:
        return math.comb(trials, successes) * probability**successes * (1 - probability) ** (trials - successes)
    logs = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    return math.exp(logs + successes * math.log(probability) + (trials - successes) * math.log1p(-probability))
