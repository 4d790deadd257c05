"""How an uncertain input is spread: a kind of distribution, its parameters, the bounds of the input.

Arrays in, arrays out. Probabilities become values through the inverse distribution function, so that the stratified
samples of sampling.py keep their strata. Draws beyond the bounds are cut to them and counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.numerals import numeral
from addin.simulation.quantiles import (
    QuantileTable,
    beta_quantile,
    gamma_quantile,
    normal_quantile,
    normal_tail,
    quantile_table,
)

Floats = NDArray[np.float64]
Quantiles = Callable[[Floats], Floats]

SHAPES = (0.1, 10_000.0)  # shapes of beta and gamma for which the error bound of the tables is tested
TABLE_ERROR = 1e-6  # largest error of a tabulated draw, in standard deviations; a PERT stays below 2e-8


@dataclass(frozen=True)
class Draws:
    """Values of one input, how many of them were cut to its lower bound, and how many to its upper bound."""

    values: Floats
    below: int = 0
    above: int = 0


@dataclass(frozen=True)
class Spread:
    """A distribution with the bounds of the input that it belongs to.

    `parameters` in the order of KINDS; `values` (and `weights`) for the kinds discrete and empirical. Units are those
    of the input. `low` and `high` are the bounds of the input, `where` is what messages call it.
    Raises RequestError with one line for each parameter that does not fit.
    """

    kind: str
    parameters: tuple[float, ...] = ()
    values: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    whole_number: bool = False
    where: str = field(default="spread", compare=False)

    def __post_init__(self) -> None:
        complaints = _complaints(self)
        if complaints:
            raise RequestError("\n".join(f"{self.where}: {complaint}" for complaint in complaints))

    def ppf(self, u: Floats, out: Floats | None = None) -> Draws:
        """Return the draws of the probabilities `u`, same shape, 0 < u < 1: inverse, whole number, bounds.

        Whole-number inputs are rounded to the nearest integer (halves up) and kept within the integers between the
        bounds. The values stand in `out`, contiguous and perhaps `u` itself, if it is given.
        """
        quantiles = self.quantiles
        x = quantiles(u, out) if isinstance(quantiles, QuantileTable) else quantiles(u)
        low, high = self.ends
        if self.whole_number:
            x = np.floor(x + 0.5)
        below = int(np.count_nonzero(x < low)) if x.min(initial=math.inf) < low else 0
        above = int(np.count_nonzero(x > high)) if x.max(initial=-math.inf) > high else 0
        if below or above:
            np.clip(x, low, high, out=x)
        if out is not None and x is not out:
            out[:] = x
        return Draws(x if out is None else out, below, above)

    @property
    def quantiles(self) -> Quantiles:
        """The inverse distribution function, before rounding and bounds."""
        return _quantiles(self.kind, self.parameters, self.values, self.weights)

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest value that a draw may have: the bounds, or the integers between them."""
        if not self.whole_number:
            return self.low, self.high
        return float(np.ceil(self.low)), float(np.floor(self.high))

    @property
    def median(self) -> float:
        """The value in the middle of the distribution, rounded and bounded as a draw is."""
        return float(self.ppf(np.array([0.5])).values[0])


@dataclass(frozen=True)
class Kind:
    """What a kind of distribution needs: names of its parameters, a check, and the inverse it builds."""

    names: tuple[str, ...]
    check: Callable[..., list[str]]
    build: Callable[..., Quantiles]
    defaults: tuple[float, ...] = ()


def _range(minimum: float, maximum: float) -> list[str]:
    if minimum < maximum:
        return []
    return [
        f"minimum {numeral(minimum, 'g')} is not below maximum {numeral(maximum, 'g')}. "
        "Swap them, or use kind fixed for a single value."
    ]


def _mode(minimum: float, mode: float, maximum: float) -> list[str]:
    if minimum <= mode <= maximum or minimum >= maximum:
        return []
    return [
        f"mode {numeral(mode, 'g')} is outside {numeral(minimum, 'g')} to {numeral(maximum, 'g')}. "
        "Give minimum <= mode <= maximum."
    ]


def _positive(name: str, value: float) -> list[str]:
    return (
        []
        if value > 0
        else [f"{name} is {numeral(value, 'g')}, expected more than 0. Use kind fixed for a single value."]
    )


def _shape(name: str, value: float) -> list[str]:
    if SHAPES[0] <= value <= SHAPES[1]:
        return []
    return [
        f"{name} is {numeral(value, 'g')}, expected {numeral(SHAPES[0], 'g')} to {numeral(SHAPES[1], 'g')}. "
        "Use another kind for a shape beyond."
    ]


@dataclass(frozen=True)
class Uniform:
    """Inverse distribution function from `minimum` to `maximum`; called with 0 < u < 1, as those below are."""

    minimum: float
    maximum: float

    def __call__(self, u: Floats) -> Floats:
        """Return the quantiles of `u`, same shape."""
        return self.minimum + (self.maximum - self.minimum) * u


@dataclass(frozen=True)
class Triangular:
    """Evans, Hastings and Peacock, Statistical Distributions: two square roots that meet at the mode."""

    minimum: float
    mode: float
    maximum: float

    @property
    def factors(self) -> tuple[float, float, float]:
        """What stands below the roots, of the side that rises and the one that falls; the probability of the mode."""
        width, rise = self.maximum - self.minimum, self.mode - self.minimum
        return width * rise, width * (self.maximum - self.mode), rise / width

    def __call__(self, u: Floats) -> Floats:
        """Return the quantiles of `u`, same shape."""
        rise, fall, split = self.factors
        rising = self.minimum + np.sqrt(u * rise)
        falling = self.maximum - np.sqrt((1.0 - u) * fall)
        return np.where(u < split, rising, falling)


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ascending `values` (k,), each as likely as the others."""

    values: Floats

    def __call__(self, u: Floats) -> Floats:
        """Return the quantiles of `u`, same shape."""
        return self.values.take(np.minimum((u * len(self.values)).astype(np.int64), len(self.values) - 1))


@dataclass(frozen=True, eq=False)
class Weighted:
    """Ascending `values` (k,) and the probabilities `edges` (k - 1,) from which on the next one is drawn."""

    edges: Floats
    values: Floats

    def __call__(self, u: Floats) -> Floats:
        """Return the quantiles of `u`, same shape."""
        return self.values.take(np.searchsorted(self.edges, u, side="right"))


def _scaled_beta(a: float, b: float, minimum: float, maximum: float) -> Quantiles:
    def lower(p: Floats) -> tuple[Floats, Floats]:
        x, slope = beta_quantile(p, a, b)
        return minimum + (maximum - minimum) * x, (maximum - minimum) * slope

    def upper(p: Floats) -> tuple[Floats, Floats]:
        rest, slope = beta_quantile(p, b, a)  # 1 - X has the shapes exchanged
        return maximum - (maximum - minimum) * rest, -(maximum - minimum) * slope

    return quantile_table(lower, upper)


def _pert(minimum: float, mode: float, maximum: float, peak: float) -> Quantiles:
    """Malcolm, Roseboom, Clark and Fazar (1959): a beta whose mean is (minimum + peak mode + maximum) / (peak + 2)."""
    width = maximum - minimum
    a, b = 1 + peak * (mode - minimum) / width, 1 + peak * (maximum - mode) / width
    return _scaled_beta(a, b, minimum, maximum)


def _halves(minimum: float, mode: float, maximum: float) -> Quantiles:
    """As often below the mode as above it: the halves of a symmetric PERT, each as wide as its side."""
    shape, below, above = 3.0, 2 * (mode - minimum), 2 * (maximum - mode)

    def lower(p: Floats) -> tuple[Floats, Floats]:
        x, slope = beta_quantile(p, shape, shape)
        return minimum + below * x, below * slope

    def upper(p: Floats) -> tuple[Floats, Floats]:
        rest, slope = beta_quantile(p, shape, shape)
        return maximum - above * rest, -above * slope

    return quantile_table(lower, upper)


def _gamma(shape: float, scale: float) -> QuantileTable:
    def tail(upper: bool) -> Callable[[Floats], tuple[Floats, Floats]]:
        def values(p: Floats) -> tuple[Floats, Floats]:
            x, slope = gamma_quantile(p, shape, upper)
            return scale * x, scale * slope

        return values

    return quantile_table(tail(upper=False), tail(upper=True))


def _normal(mean: float, sd: float) -> Quantiles:
    return lambda u: mean + sd * normal_quantile(u)


def _tails(mean: float, sd: float, minimum: float, maximum: float) -> tuple[float, float, float]:
    """Return the probabilities between which a truncated normal draws, taken in the nearer tail, and that tail's sign.

    The sign is -1 where the range lies above the mean: there 1 - P would have lost its digits.
    """
    low, high = (minimum - mean) / sd, (maximum - mean) / sd
    if low > 0:
        return normal_tail(-low), normal_tail(-high), -1.0
    return normal_tail(low), normal_tail(high), 1.0


def _truncated_normal(mean: float, sd: float, minimum: float, maximum: float) -> Quantiles:
    start, end, sign = _tails(mean, sd, minimum, maximum)

    def quantiles(u: Floats) -> Floats:
        x = mean + sign * sd * normal_quantile(start * (1.0 - u) + end * u)
        return np.clip(x, minimum, maximum)  # rounding in the last digit, no draw is lost

    return quantiles


def _lognormal(mean: float, sd: float) -> Quantiles:
    """Johnson, Kotz and Balakrishnan (1994), chapter 14; `mean` and `sd` are those of the value, not of its log."""
    variance = math.log1p((sd / mean) ** 2)
    centre, width = math.log(mean) - variance / 2, math.sqrt(variance)
    return lambda u: np.exp(centre + width * normal_quantile(u))


def _check_truncated(mean: float, sd: float, minimum: float, maximum: float) -> list[str]:
    complaints = _positive("sd", sd) + _range(minimum, maximum)
    if complaints:
        return complaints
    start, end, _ = _tails(mean, sd, minimum, maximum)
    if abs(end - start) > 1e-300:
        return []
    return [
        f"no probability between {numeral(minimum, 'g')} and {numeral(maximum, 'g')}. "
        f"Move the range nearer to the mean {numeral(mean, 'g')}."
    ]


KINDS: Mapping[str, Kind] = {
    "fixed": Kind(("value",), lambda value: [], lambda value: Uniform(value, value)),
    "uniform": Kind(("minimum", "maximum"), _range, Uniform),
    "triangular": Kind(
        ("minimum", "mode", "maximum"), lambda low, mode, high: _range(low, high) + _mode(low, mode, high), Triangular
    ),
    "pert": Kind(
        ("minimum", "mode", "maximum", "peak"),
        lambda low, mode, high, peak: (
            _range(low, high) + _mode(low, mode, high) + (_positive("peak", peak) or _shape("peak + 1", peak + 1))
        ),
        _pert,
        defaults=(4.0,),
    ),
    "by method": Kind(
        ("minimum", "mode", "maximum"), lambda low, mode, high: _range(low, high) + _mode(low, mode, high), _halves
    ),
    "normal": Kind(("mean", "sd"), lambda mean, sd: _positive("sd", sd), _normal),
    "truncated normal": Kind(("mean", "sd", "minimum", "maximum"), _check_truncated, _truncated_normal),
    "lognormal": Kind(("mean", "sd"), lambda mean, sd: _positive("mean", mean) + _positive("sd", sd), _lognormal),
    "beta": Kind(
        ("alpha", "beta", "minimum", "maximum"),
        lambda a, b, low, high: _shape("alpha", a) + _shape("beta", b) + _range(low, high),
        _scaled_beta,
        defaults=(0.0, 1.0),
    ),
    "gamma": Kind(("shape", "scale"), lambda shape, scale: _shape("shape", shape) + _positive("scale", scale), _gamma),
}
LISTS = ("discrete", "empirical")  # kinds that take values: with weights, and each as likely as the others


def _complaints(spread: Spread) -> list[str]:
    """Return what is wrong with a spread, each with what was expected and what to do."""
    bounds: list[str] = []
    low, high = spread.low, spread.high
    if not low <= high:
        bounds = [f"bounds {numeral(low, 'g')} to {numeral(high, 'g')} hold nothing. Give low <= high."]
    elif spread.whole_number and math.isfinite(low) and math.isfinite(high) and math.ceil(low) > math.floor(high):
        bounds = [f"no whole number between the bounds {numeral(low, 'g')} and {numeral(high, 'g')}. Widen them."]
    if spread.kind in LISTS:
        return _list_complaints(spread) + bounds
    if spread.kind not in KINDS:
        return [f"kind '{spread.kind}' is not known. Use one of {', '.join([*KINDS, *LISTS])}.", *bounds]
    kind, given = KINDS[spread.kind], len(spread.parameters)
    required = len(kind.names) - len(kind.defaults)
    if not required <= given <= len(kind.names):
        need = ", ".join(kind.names[:required]) + "".join(f"[, {name}]" for name in kind.names[required:])
        return [f"{spread.kind} has {given} parameters, expected {need}. Fill in or empty the others.", *bounds]
    wrong = [
        f"{name} is {value}, expected a number. Type a figure."
        for name, value in zip(kind.names, spread.parameters, strict=False)
        if not math.isfinite(value)
    ]
    return (wrong or kind.check(*_filled(spread.kind, spread.parameters))) + bounds


def _list_complaints(spread: Spread) -> list[str]:
    values, weights = spread.values, spread.weights
    if not values:
        return [f"{spread.kind} has no values. List at least one."]
    wrong = [f"value {value} is not a number. Type a figure." for value in values if not math.isfinite(value)]
    if spread.kind == "empirical":
        return wrong + (["empirical takes no weights. Remove them, or use kind discrete."] if weights else [])
    if len(weights) != len(values):
        return [*wrong, f"{len(values)} values but {len(weights)} weights. Give one weight for each value."]
    wrong += [f"weight {numeral(weight, 'g')} is not 0 or more. Give the share of each value." for weight in weights
              if not (weight >= 0 and math.isfinite(weight))]  # fmt: skip
    if not wrong and not sum(weights) > 0:
        wrong.append("all weights are 0. Give at least one value a share.")
    return wrong


def _filled(kind: str, parameters: tuple[float, ...]) -> tuple[float, ...]:
    missing = len(KINDS[kind].names) - len(parameters)
    return parameters + (KINDS[kind].defaults[-missing:] if missing else ())


@lru_cache(maxsize=512)
def _quantiles(
    kind: str, parameters: tuple[float, ...], values: tuple[float, ...], weights: tuple[float, ...]
) -> Quantiles:
    """Return the inverse distribution function, built once for each set of parameters."""
    if kind in KINDS:
        return KINDS[kind].build(*_filled(kind, parameters))
    order = np.argsort(np.array(values), kind="stable")
    ranked = np.array(values)[order]
    if kind == "empirical":
        return Ranked(ranked)
    share = np.array(weights)[order]
    drawn = share > 0
    reached = np.cumsum(share[drawn])
    return Weighted(reached[:-1] / reached[-1], ranked[drawn])
