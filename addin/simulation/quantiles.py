"""Inverse distribution functions on arrays: normal, beta, gamma, Student's t, and a table that makes them fast.

numpy has none of these. The special functions are computed here with logarithms of both tails, so that a
probability of 1e-12 is as exact as one of a half.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from addin.kernel.trials.memory import Scratch

Floats = NDArray[np.float64]

OCTAVES = 40  # the table reaches probabilities down to 2**-41; what is nearer to 0 or 1 is treated as 2**-41
CELLS = 32  # cells in each octave, a power of two
SHIFT = 47  # 52 bits of fraction less log2(CELLS)
FRACTION = (1 << 52) - 1  # the bits of a fraction
LOWEST = (1023 - OCTAVES - 1) * CELLS  # cell number of 2**-41

_MEMORY = Scratch()
_Ratio = tuple[tuple[float, ...], tuple[float, ...]]


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split()))


# M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988),
# routine PPND16, relative accuracy about 1e-16. Coefficients from the highest power down.
_CENTRE = (
    _numbers(
        "2509.0809287301227 33430.57558358813 67265.7709270087 45921.95393154987 "
        "13731.69376550946 1971.5909503065513 133.14166789178438 3.3871328727963665"
    ),
    _numbers(
        "5226.495278852854 28729.085735721943 39307.89580009271 21213.794301586597 "
        "5394.196021424751 687.1870074920579 42.31333070160091 1.0"
    ),
)
_MIDDLE = (
    _numbers(
        "0.0007745450142783414 0.022723844989269184 0.2417807251774506 1.2704582524523684 "
        "3.6478483247632045 5.769497221460691 4.630337846156546 1.4234371107496835"
    ),
    _numbers(
        "1.0507500716444169e-09 0.0005475938084995345 0.015198666563616457 0.14810397642748008 "
        "0.6897673349851 1.6763848301838038 2.053191626637759 1.0"
    ),
)
_FAR = (
    _numbers(
        "2.0103343992922881e-07 2.7115555687434876e-05 0.0012426609473880784 0.026532189526576124 "
        "0.29656057182850487 1.7848265399172913 5.463784911164114 6.657904643501103"
    ),
    _numbers(
        "2.0442631033899397e-15 1.421511758316446e-07 1.8463183175100548e-05 0.0007868691311456133 "
        "0.014875361290850615 0.1369298809227358 0.599832206555888 1.0"
    ),
)


def _ratio(coefficients: _Ratio, x: Floats) -> Floats:
    top, bottom = (np.full_like(x, column[0]) for column in coefficients)
    for above, below in zip(*(column[1:] for column in coefficients), strict=True):
        top *= x
        top += above
        bottom *= x
        bottom += below
    top /= bottom
    return top


def normal_quantile(u: Floats) -> Floats:
    """Return z with P(Z <= z) = u, Z standard normal; same shape as `u`, 0 < u < 1.

    Wichura (1988), AS 241.
    """
    centred = u - 0.5
    z = centred * _ratio(_CENTRE, 0.180625 - centred * centred)
    outer = np.flatnonzero(np.abs(centred) > 0.425)
    if outer.size:
        far = u.reshape(-1)[outer]
        root = np.sqrt(-np.log(np.minimum(far, 1.0 - far)))
        size = _ratio(_MIDDLE, root - 1.6)
        farther = np.flatnonzero(root > 5.0)
        if farther.size:
            size[farther] = _ratio(_FAR, root[farther] - 5.0)
        z.reshape(-1)[outer] = np.where(far < 0.5, -size, size)
    return z


def normal_tail(z: float) -> float:
    """Return P(Z <= z) of one standard normal value, exact in the lower tail."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


_STEP = 1 / 128
_REACH = 9.0


@lru_cache(maxsize=1)
def _normal_cells() -> Floats:
    """Return the coefficients (4, cells) of the cubics that carry the normal distribution function."""
    z = np.arange(-_REACH, _REACH + _STEP, _STEP)
    value = np.array([normal_tail(point) for point in z])
    return _cubics(value, np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi), np.full(len(z) - 1, _STEP))


def normal_probability(z: Floats) -> Floats:
    """Return P(Z <= z), standard normal, strictly between 0 and 1; same shape as `z`.

    Cubics between exact values 1/128 apart: absolute error below 2e-11, relative below 1e-7 for z > -8.
    """
    position = np.clip(z, -_REACH, _REACH - _STEP)
    position += _REACH
    position *= 1 / _STEP
    cell = position.astype(np.int32)
    position -= cell
    probability = _evaluate(_normal_cells(), cell, position)
    np.minimum(probability, 1 - 2.0**-53, out=probability)
    return probability


def _cubics(value: Floats, slope: Floats, width: Floats) -> Floats:
    """Return Hermite cubics (4, cells), lowest power first, in the fraction of a cell; `value` at all its edges."""
    start, end = slope[:-1] * width, slope[1:] * width
    rise = value[1:] - value[:-1]
    return np.stack([value[:-1], start, 3 * rise - 2 * start - end, start + end - 2 * rise])


def _evaluate(cubics: Floats, cell: NDArray[np.signedinteger], fraction: Floats, out: Floats | None = None) -> Floats:
    result: Floats = cubics[3].take(cell, out=out, mode="clip")  # no cell lies outside; "raise" would copy
    factor = _MEMORY.take("factor", (fraction.size,)).reshape(fraction.shape)
    for power in (2, 1, 0):
        result *= fraction
        result += cubics[power].take(cell, out=factor, mode="clip")
    return result


@dataclass(frozen=True, eq=False)
class QuantileTable:
    """An inverse distribution function as cubics whose cells halve towards both tails: 32 cells in each octave."""

    cubics: Floats  # (4, 2 * cells of a tail)

    @cached_property
    def cells(self) -> Floats:
        """The four numbers of each cell side by side (2 * cells of a tail, 4)."""
        return np.ascontiguousarray(self.cubics.T)

    def ends(self, least: float) -> tuple[float, float]:
        """Return the smallest and the largest value for `least` <= u <= 1 - `least`, but for rounding: cubics lie
        between the points that control them (Bezier)."""
        first = (int(np.float64(least).view(np.int64)) >> SHIFT) - LOWEST
        start, slope, square, cube = self.cubics.reshape(4, 2, -1)[:, :, first:]
        control = (start, start + slope / 3, start + (2 * slope + square) / 3, start + slope + square + cube)
        return float(np.min(control)), float(np.max(control))

    def __call__(self, u: Floats, out: Floats | None = None) -> Floats:
        """Return the quantiles of `u`, same shape, 0 < u < 1; in `out`, which may be `u`, if it is given."""
        u, shape = u.reshape(-1), u.shape
        upper = np.greater(u, 0.5, out=_MEMORY.take("upper", u.shape, np.bool_))
        tail = np.subtract(1.0, u, out=_MEMORY.take("tail", u.shape))
        np.minimum(u, tail, out=tail)
        least = 2.0 ** -(OCTAVES + 1)
        if tail.min(initial=0.5) < least:
            np.maximum(tail, least, out=tail)
        bits = tail.view(np.int64)
        cell = np.right_shift(bits, SHIFT, out=_MEMORY.take("cell", u.shape, np.intp))
        cell -= LOWEST
        cell += np.multiply(upper, self.cubics.shape[1] // 2, out=_MEMORY.take("half", u.shape, np.intp))
        bits <<= 52 - SHIFT  # the fraction of a cell as that of a float from 1 to 2
        bits &= FRACTION
        bits |= 1023 << 52
        tail -= 1.0
        return _evaluate(self.cubics, cell, tail, None if out is None else out.reshape(-1)).reshape(shape)


Tail = Callable[[Floats], tuple[Floats, Floats]]


def quantile_table(lower: Tail, upper: Tail) -> QuantileTable:
    """Tabulate an inverse distribution function.

    `lower` takes probabilities p <= 1/2 and returns the values x with P(X <= x) = p and their slopes dx/dp; `upper`
    does the same for P(X > x) = p, with dx/dp negative.
    """
    octave = np.repeat(np.arange(-OCTAVES - 1, -1), CELLS)
    edges = np.append(np.ldexp(1 + np.tile(np.arange(CELLS) / CELLS, OCTAVES), octave), 0.5)
    halves = []
    for tail in (lower, upper):
        value, slope = tail(edges)
        cells = _cubics(value, slope, np.diff(edges))
        middle = np.array([[value[-1]], [0.0], [0.0], [0.0]])  # p = 1/2 itself opens a cell of its own
        halves.append(np.concatenate([cells, middle], axis=1))
    return QuantileTable(np.ascontiguousarray(np.concatenate(halves, axis=1)))


def _lentz(first: Floats, terms: Callable[[int], tuple[Floats, Floats | float]]) -> Floats:
    """Return 1 / (first + a1 / (b1 + a2 / (b2 + ...))) by Lentz's method; `terms(k)` gives a_k and b_k.

    Where it is used the parts stay away from zero, and no division needs a guard.
    """
    result = d = 1 / first
    c = np.full_like(first, np.inf)
    for step in range(1, 20_000):
        a, b = terms(step)
        d = 1 / (b + a * d)
        c = b + a / c
        change = c * d
        result = result * change
        if step % 2 == 0 and np.abs(change - 1).max(initial=0.0) < 1e-14:
            break
    return result


def _log_beta_tail(a: float, b: float, log_x: Floats, log_rest: Floats) -> Floats:
    """Return log I_x(a, b) from log x and log(1 - x). Abramowitz and Stegun 26.5.8, on the side where it converges."""

    def direct(a: float, b: float, log_x: Floats, log_rest: Floats) -> Floats:
        x = np.exp(log_x)

        def terms(step: int) -> tuple[Floats, float]:
            m = step // 2
            if step % 2:
                return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1.0
            return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1.0

        fraction = _lentz(np.ones_like(x), terms)
        return a * log_x + b * log_rest - _log_beta(a, b) - math.log(a) + np.log(fraction)

    result = np.empty_like(log_x)
    near = np.exp(log_x) < (a + 1) / (a + b + 2)
    result[near] = direct(a, b, log_x[near], log_rest[near])
    other = direct(b, a, log_rest[~near], log_x[~near])
    result[~near] = np.log(-np.expm1(np.minimum(other, -1e-300)))
    return result


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _newton(start: Floats, step: Callable[[Floats], Floats]) -> Floats:
    """Follow Newton's steps to the last digits; the functions solved here are concave, so none runs away.

    The error is squared at each step: one of 1e-7 is followed by rounding alone.
    """
    y = start
    for _ in range(100):
        change = step(y)
        y = y - change
        if np.abs(change).max() <= 1e-7:
            break
    return y


def beta_quantile(p: Floats, a: float, b: float) -> tuple[Floats, Floats]:
    """Return x with I_x(a, b) = p and the slope dx/dp, both shaped as `p`; 0 < p < 1, shapes a and b > 0.

    Newton's method on log I_x as a function of log(x / (1 - x)).
    """
    log_p = np.log(p)
    log_start = np.minimum((log_p + math.log(a) + _log_beta(a, b)) / a, -1e-3)
    logit = log_start - np.log(-np.expm1(log_start))

    def logs(y: Floats) -> tuple[Floats, Floats]:
        return -np.logaddexp(0.0, -y), -np.logaddexp(0.0, y)

    def step(y: Floats) -> Floats:
        log_x, log_rest = logs(y)
        log_tail = _log_beta_tail(a, b, log_x, log_rest)
        slope = np.exp(a * log_x + b * log_rest - _log_beta(a, b) - log_tail)
        return np.clip((log_tail - log_p) / slope, -50.0, 50.0)

    log_x, log_rest = logs(_newton(logit, step))
    return np.exp(log_x), np.exp(_log_beta(a, b) - (a - 1) * log_x - (b - 1) * log_rest)


def _log_gamma_tails(shape: float, x: Floats, upper: bool) -> Floats:
    """Return log P(shape, x), or log Q. Series below shape + 1, continued fraction above (A&S 6.5.29, 6.5.31)."""
    result = np.empty_like(x)
    log_scale = shape * np.log(x) - x - math.lgamma(shape)
    small = x < shape + 1
    below, above = x[small], x[~small]
    term = total = np.full_like(below, 1 / shape)
    for step in range(1, 20_000):
        term = term * (below / (shape + step))
        total = total + term
        if step % 4 == 0 and np.all(term <= 1e-17 * total):
            break
    low = log_scale[small] + np.log(total)
    high = log_scale[~small] + np.log(
        _lentz(above + 1 - shape, lambda k: (np.full_like(above, k * (shape - k)), above + (2 * k + 1 - shape)))
    )
    result[small] = np.log(-np.expm1(np.minimum(low, -1e-300))) if upper else low
    result[~small] = high if upper else np.log(-np.expm1(np.minimum(high, -1e-300)))
    return result


def gamma_quantile(p: Floats, shape: float, upper: bool = False) -> tuple[Floats, Floats]:
    """Return x with P(shape, x) = p, or Q(shape, x) = p if `upper`, and the slope dx/dp; 0 < p < 1, shape > 0.

    Newton's method on the logarithm of the tail as a function of log x. The upper tail starts from the bound
    x <= shape + sqrt(2 shape t) + t, t = -log p (Boucheron, Lugosi and Massart 2013, section 2.4).
    """
    log_p = np.log(p)
    if upper:
        start = np.log(shape + np.sqrt(-2 * shape * log_p) - log_p)
    else:
        start = (log_p + math.lgamma(shape + 1)) / shape
    sign = -1.0 if upper else 1.0

    def step(y: Floats) -> Floats:
        x = np.exp(y)
        log_tail = _log_gamma_tails(shape, x, upper)
        slope = sign * np.exp(shape * y - x - math.lgamma(shape) - log_tail)
        return (log_tail - log_p) / slope

    y = _newton(start, step)
    x = np.exp(y)
    return x, sign * np.exp(math.lgamma(shape) + x - (shape - 1) * y)


@lru_cache(maxsize=64)
def student_quantile(probability: float, freedom: int) -> float:
    """Return t with P(T <= t) = probability, 0.5 <= probability < 1, Student's t. Abramowitz and Stegun 26.7.1."""
    x = float(beta_quantile(np.array([2 * (1 - probability)]), freedom / 2, 0.5)[0][0])
    return math.sqrt(freedom * (1 - x) / x)
