"""Poisson and binomial terms, incomplete gamma and beta functions and their inverses, to about 1e-13.

Terms by C. Loader, "Fast and accurate computation of binomial probabilities" (2000), which loses no digits for large
counts. Series and continued fractions as in Abramowitz and Stegun, 6.5.29, 6.5.31 and 26.5.8; inverses by Newton steps
kept inside a bracket.
"""

from __future__ import annotations

import math
from collections.abc import Callable

TINY = 1e-300
EPSILON = 1e-17
STEPS = 10_000


def stirling_rest(x: float) -> float:
    """Return what Stirling's formula leaves of log x!, for x > 0."""
    if x <= 15:
        return math.lgamma(x + 1) - (x + 0.5) * math.log(x) + x - 0.5 * math.log(2 * math.pi)
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x


def deviance(x: float, mean: float) -> float:
    """Return x log(x/mean) + mean - x without loss of digits where the two are close. Both are positive."""
    if abs(x - mean) >= 0.1 * (x + mean):
        return x * math.log(x / mean) + mean - x
    v = (x - mean) / (x + mean)
    total, power = (x - mean) * v, 2 * x * v
    for step in range(1, STEPS):
        power *= v * v
        following = total + power / (2 * step + 1)
        if following == total:
            break
        total = following
    return total


def poisson(count: float, mean: float) -> float:
    """Return mean^count e^-mean / count!, for a count that need not be whole."""
    if mean == 0 or count == 0:
        return math.exp(-mean) if count == 0 else 0.0
    return math.exp(-stirling_rest(count) - deviance(count, mean)) / math.sqrt(2 * math.pi * count)


def binomial(hits: float, misses: float, chance: float, rest: float) -> float:
    """Return (hits+misses)! / (hits! misses!) chance^hits rest^misses, with chance + rest = 1."""
    if chance <= 0 or rest <= 0:
        return float(hits == 0 if chance <= 0 else misses == 0)
    tries = hits + misses
    if hits == 0 or misses == 0:
        chosen, other = (rest, chance) if hits == 0 else (chance, rest)
        return math.exp(tries * (math.log1p(-other) if other < 0.1 else math.log(chosen)))
    logs = stirling_rest(tries) - stirling_rest(hits) - stirling_rest(misses)
    logs -= deviance(hits, tries * chance) + deviance(misses, tries * rest)
    return math.exp(logs) * math.sqrt(tries / (2 * math.pi * hits * misses))


def gamma_tails(shape: float, x: float) -> tuple[float, float]:
    """Return the lower and the upper regularised incomplete gamma function, P and Q. `shape` > 0, `x` >= 0."""
    if x <= 0:
        return 0.0, 1.0
    scale = shape * poisson(shape, x)
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
    scale = a * b / (a + b) * binomial(a, b, x, 1 - x)
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

    return _quantile(probability, lambda x: gamma_tails(shape, x), lambda x: shape * poisson(shape, x) / x, high)


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return x with I_x(a, b) = probability, 0 <= probability <= 1."""
    if probability <= 0 or probability >= 1:
        return float(probability >= 1)

    def density(x: float) -> float:
        return a * b / (a + b) * binomial(a, b, x, 1 - x) / (x * (1 - x)) if 0 < x < 1 else 0.0

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
        if abs(following - x) <= 1e-16 * x or high - low <= 1e-16 * high or following == 0:
            return following
        x = following
    return x
