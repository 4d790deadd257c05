"""A histogram that people read: at most 20 bars on rounded edges, the tails counted in bars of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from addin.numerals import numeral
from addin.simulation.statistics import OutputStatistics

MOST_BARS = 20
TAIL = 0.005  # what each open bar holds at most, but for ties
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Histogram:
    """Shares of the trials between ascending rounded edges; `below` the first and from the last edge on, `above`.

    Every share but `below` counts its lower edge. `whole` results have integers as edges: 2 to 3 is the integer 2.
    """

    edges: tuple[float, ...]
    shares: tuple[float, ...]
    below: float
    above: float
    whole: bool

    def bars(self) -> tuple[tuple[str, float], ...]:
        """Return label and share of every bar, from left to right; an open bar only where it holds a trial."""
        one_each = self.whole and self.edges[1] - self.edges[0] == 1
        last = [upper - 1 if self.whole else upper for upper in self.edges[1:]]
        texts = self._texts((*self.edges, *last))
        lower, upper = texts[: len(self.edges)], texts[len(self.edges) :]
        names = [low if one_each else f"{low} to {high}" for low, high in zip(lower, upper, strict=False)]
        inner = list(zip(names, self.shares, strict=True))
        left = [(f"below {lower[0]}", self.below)] if self.below > 0 else []
        right = [(f"{lower[-1]} or more", self.above)] if self.above > 0 else []
        return (*left, *inner, *right)

    def _texts(self, values: tuple[float, ...]) -> list[str]:
        """Return numbers with as many decimals as the step between the edges has."""
        step = self.edges[1] - self.edges[0]
        decimals = next((n for n in range(16) if round(step * 10**n) and abs(step * 10**n % 1 - 0.5) > 0.499999), 16)
        return [numeral(value, f",.{decimals}f") for value in values]


def histogram(figures: OutputStatistics, bars: int = MOST_BARS) -> Histogram | None:
    """Return the bars of one result, None when no trial gave a number.

    The edges span P0.5 to P99.5 in steps of 1, 2, 2.5 or 5 times a power of ten; whole numbers in steps of integers.
    """
    if not figures.valid:
        return None
    whole = figures.is_whole
    low, high = (figures.percentile(p).interval.value for p in (TAIL, 1 - TAIL))
    step = _step(high - low + whole, bars - 3, 1.0 if whole else 0.0) or _step(abs(low), bars, 0.0) or 1.0
    first = math.floor(low / step + 1e-9)
    last = max(math.floor(high / step + 1e-9) if whole else math.ceil(high / step - 1e-9), first + (not whole))
    edges = tuple(_round(n * step) for n in range(first, last + 1 + whole))
    reached = [
        # the bins of a summary reach a little beyond the values
        share if figures.minimum < edge <= figures.maximum else float(edge > figures.maximum)
        for edge, share in zip(edges, figures.below([edge - whole / 2 for edge in edges]).tolist(), strict=True)
    ]
    shares = tuple(max(0.0, b - a) for a, b in pairwise(reached))
    return Histogram(edges, shares, max(0.0, reached[0]), max(0.0, 1 - reached[-1]), whole)


def _step(span: float, bars: int, least: float) -> float:
    """Return the smallest rounded step that covers a span with so many bars; 0 for no span."""
    if span <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(span / bars))
    fitting = (_round(power * step) for step in _STEPS)
    return max(least, next(step for step in fitting if step * bars >= span * (1 - 1e-9)))


def _round(value: float) -> float:
    return float(f"{value:.12g}")
