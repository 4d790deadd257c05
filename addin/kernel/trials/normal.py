"""The normal distribution on vectors: trial by trial, the very calls of the scalar evaluator."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def ndtr(x: Floats, out: Floats) -> None:
    """Write the area under the standard normal curve up to x."""
    out[:] = np.fromiter(map(math.erfc, (x / -math.sqrt(2)).tolist()), np.float64, x.size)
    np.multiply(out, 0.5, out)
