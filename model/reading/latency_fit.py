"""The latency curve R = S / (1 - rho^m): base latency S and shape m from printed points, in logs.

The capacity behind rho is fixed before and never fitted. m is 1 unless at least four points have their least spread
strictly inside 1 to 16: fewer points, or points that want the edge, do not determine the shape.
"""

import math
from collections.abc import Sequence
from statistics import fmean, pvariance

SHAPES = (1.0, 16.0)
ENOUGH = 4  # points that may determine a shape
_STEPS = 150  # of ternary search: far below a double's digits


def _logs(points: Sequence[tuple[float, float]], shape: float) -> list[float]:
    """Return ln S as each point alone gives it."""
    return [math.log(latency * (1 - rho**shape)) for latency, rho in points]


def shape(points: Sequence[tuple[float, float]]) -> float:
    """Return m of points (latency, utilisation), latencies in any one unit, utilisations below 1."""
    if len(points) < ENOUGH:
        return SHAPES[0]
    low, high = SHAPES
    for _ in range(_STEPS):
        third = (high - low) / 3
        if pvariance(_logs(points, low + third)) <= pvariance(_logs(points, high - third)):
            high -= third
        else:
            low += third
    inside = SHAPES[0] + 1e-6 < low < SHAPES[1] - 1e-6
    return low if inside else SHAPES[0]


def base_latency(points: Sequence[tuple[float, float]]) -> float:
    """Return S of points (latency, utilisation), in the unit of the latencies: least squares of ln R at their m."""
    return math.exp(fmean(_logs(points, shape(points))))
