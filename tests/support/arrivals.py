"""Arrivals of users in the login window, by scipy: what the closed forms of the workbook are held against."""

from collections.abc import Callable

import numpy as np
from scipy.stats import truncnorm


def arrivals(shape: str, window: float) -> Callable[[np.ndarray], np.ndarray]:
    """Return the share of the users that have come by a minute."""
    if shape == "uniform":
        return lambda t: np.clip(t / window, 0, 1)
    curve = truncnorm(-3, 3, loc=window / 2, scale=window / 6)
    return lambda t: curve.cdf(np.clip(t, 0, window))
