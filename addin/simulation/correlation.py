"""Rank correlation between inputs, by a Gaussian copula on their uniform draws.

The rank (Spearman) correlations become those of normal scores; draws are made to correlate in the order of the
inputs, each from those before it. A new input therefore comes last: the draws of the others stay as they were, to
the last bit, and so do those of inputs that correlate with nothing before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.numerals import numeral
from addin.simulation.quantiles import normal_probability, normal_quantile

Floats = NDArray[np.float64]

_NOTHING = 1e-12  # a variance left over that is rounding only
_SLACK = 1e-9  # negative eigenvalues that are rounding, and differences between the two halves of a matrix


@dataclass(frozen=True)
class Repair:
    """What was changed to make a matrix possible: the largest change and its pair, in rank correlations."""

    first: str
    second: str
    asked: float
    used: float

    @property
    def note(self) -> str:
        """One line for the report."""
        return (
            f"Correlations contradict each other and were moved to the nearest possible set; the largest change is "
            f"{self.first} with {self.second}: {numeral(self.asked, '.3f')} became {numeral(self.used, '.3f')}."
        )


@dataclass(frozen=True, eq=False)
class Coupling:
    """A checked matrix, ready for use: rank correlations in force (d, d), their factor, and the repair if any."""

    names: tuple[str, ...]
    ranks: Floats
    factor: Floats  # lower triangular, rows of length 1: scores correlated = factor @ scores independent
    repair: Repair | None = None


def coupling(matrix: Floats, names: Sequence[str], where: str = "correlation") -> Coupling:
    """Check a rank-correlation matrix (d, d) and return what `couple` needs; `names` in the permanent order of inputs.

    Raises RequestError with one line for each fault: not square, not symmetric, not 1 on the diagonal, outside -1 to 1.
    A matrix that no inputs can have is repaired to the nearest one that some can; a repair may move every pair.
    """
    asked = np.asarray(matrix, dtype=np.float64)
    complaints = _complaints(asked, names)
    if complaints:
        raise RequestError("\n".join(f"{where}: {complaint}" for complaint in complaints))
    asked = (asked + asked.T) / 2
    scores = 2 * np.sin(np.pi / 6 * asked)  # K. Pearson 1907: Spearman's rho to the correlation of normal scores
    np.fill_diagonal(scores, 1.0)
    repair = None
    if asked.size and float(np.linalg.eigvalsh(scores)[0]) < -_SLACK:
        scores = nearest_correlation(scores)
        used = 6 / np.pi * np.arcsin(np.clip(scores, -1, 1) / 2)
        i, j = divmod(int(np.argmax(np.abs(used - asked))), len(asked))
        repair = Repair(names[i], names[j], float(asked[i, j]), float(used[i, j]))
        asked = used
    return Coupling(tuple(names), asked, _factor(scores), repair)


def _complaints(matrix: Floats, names: Sequence[str]) -> list[str]:
    if matrix.ndim != 2 or matrix.shape != (len(names), len(names)):
        size = " x ".join(map(str, matrix.shape))
        return [f"the matrix is {size}, expected {len(names)} x {len(names)}. Give a row and a column for each input."]
    complaints = []
    for i, first in enumerate(names):
        if matrix[i, i] != 1:
            itself = numeral(matrix[i, i], "g")
            complaints.append(f"{first} with itself is {itself}, expected 1. Set the diagonal to 1.")
        for j in range(i):
            below, above, pair = matrix[i, j], matrix[j, i], f"{first} with {names[j]}"
            if not (abs(below) <= 1 and abs(above) <= 1):
                worse = above if abs(below) <= 1 else below
                complaints.append(f"{pair} is {numeral(worse, 'g')}, expected -1 to 1. Correct the cell.")
            elif abs(below - above) > _SLACK:
                one, other = numeral(below, "g"), numeral(above, "g")
                complaints.append(f"{pair} is {one} but {other} the other way round. Give both cells one value.")
    return complaints


def nearest_correlation(matrix: Floats, steps: int = 500) -> Floats:
    """Return the positive semi-definite matrix with ones on the diagonal that is nearest to a symmetric `matrix`.

    N. J. Higham, "Computing the nearest correlation matrix", IMA J. Numer. Anal. 22 (2002), algorithm 3.3:
    alternating projections with Dykstra's correction. Nearest in the Frobenius norm.
    """
    result: Floats = matrix.copy()
    correction = np.zeros_like(matrix)
    for _ in range(steps):
        shifted = result - correction
        values, vectors = np.linalg.eigh(shifted)
        possible = (vectors * np.maximum(values, 0.0)) @ vectors.T
        correction = possible - shifted
        before, result = result, (possible + possible.T) / 2
        np.fill_diagonal(result, 1.0)
        if np.max(np.abs(result - before)) < 1e-12:
            break
    values, vectors = np.linalg.eigh(result)  # the last digits: clip once more and scale back to ones
    result = (vectors * np.maximum(values, 0.0)) @ vectors.T
    scale = np.sqrt(np.diag(result))
    result /= np.outer(scale, scale)
    np.fill_diagonal(result, 1.0)
    return result


def _factor(matrix: Floats) -> Floats:
    """Return the Cholesky factor of a positive semi-definite matrix, row by row: later rows do not touch earlier ones.

    A variable that those before it determine gets a zero on the diagonal. Rows are scaled to length 1, so that
    scores stay standard normal.
    """
    size = len(matrix)
    factor = np.zeros_like(matrix)
    for i in range(size):
        for j in range(i):
            rest = matrix[i, j] - np.sum(factor[i, :j] * factor[j, :j])
            factor[i, j] = rest / factor[j, j] if factor[j, j] > 0 else 0.0
        left = 1.0 - np.sum(factor[i, :i] ** 2)
        factor[i, i] = np.sqrt(left) if left > _NOTHING else 0.0
        factor[i, : i + 1] /= np.sqrt(np.sum(factor[i, : i + 1] ** 2))
    factor[np.abs(factor) < 1e-15] = 0.0
    return factor


def couple(u: Floats, coupled: Coupling) -> Floats:
    """Return uniform draws, shaped as `u` (d, ...), with the rank correlations of the coupling.

    Rows are in the order of its names. A row that depends on none before it is returned as it came, bit for bit. The
    sums run in a fixed order, so chunks of any size give the same bytes. Raises RequestError if the rows do not fit.
    """
    if len(u) != len(coupled.names):
        raise RequestError(f"correlation: {len(u)} rows of draws for {len(coupled.names)} inputs. Pass one row each.")
    factor = coupled.factor
    partners = [np.flatnonzero(row[:i]) for i, row in enumerate(factor)]
    needed = {int(j) for row in partners for j in row} | {i for i, row in enumerate(partners) if row.size}
    scores = {i: normal_quantile(np.ascontiguousarray(u[i])) for i in sorted(needed)}
    result = u.copy()
    for i, others in enumerate(partners):
        if others.size:
            mixed = factor[i, i] * scores[i]
            for j in others:
                mixed += factor[i, j] * scores[int(j)]
            result[i] = normal_probability(mixed)
    return result
