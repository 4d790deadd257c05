"""The quote at which the choice changes: of the vendor whose array is not the choice, or is it no longer.

A quote moves the cost of every number of its array, in a straight line. The choice turns where the cheapest of them
costs what the cheapest design of all other arrays does, both as sure as is asked; any are where money decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Priced:
    """A design: its array, its chance and mean cost; the quote of the array and how the cost changes with it."""

    array: str
    name: str
    chance: float
    mean: float
    quote: float | None = None
    slope: float = 0.0


@dataclass(frozen=True)
class Turn:
    """The quote at which a design becomes or ceases to be the choice, and the design that costs the same there."""

    quote: float
    rival: str


def turns(made: Sequence[Priced], levels: Sequence[float]) -> dict[str, Turn]:
    """Return by design the quote that changes the choice for one of some certainties, the nearest to that in use.

    A design that is never the cheapest of its array where the choice turns has none.
    """
    found: dict[str, Turn] = {}
    for array in dict.fromkeys(each.array for each in made):
        for level in levels:
            name, turn = _turn([each for each in made if each.chance >= level], array)
            if turn is None:
                continue
            quote = next(each.quote for each in made if each.name == name) or 0.0
            if name not in found or abs(turn.quote - quote) < abs(found[name].quote - quote):
                found[name] = turn
    return found


def _turn(sure: Sequence[Priced], array: str) -> tuple[str, Turn | None]:
    """Return the design of an array that costs as much as the cheapest of the others last, as its quote rises."""
    own = [each for each in sure if each.array == array]
    rival = min((each for each in sure if each.array != array), key=lambda each: each.mean, default=None)
    if rival is None or not own or any(each.quote is None or each.slope <= 0 for each in own):
        return "", None
    at = {each.name: (each.quote or 0.0) + (rival.mean - each.mean) / each.slope for each in own}
    last = max(at, key=lambda name: at[name])
    return (last, Turn(at[last], rival.name)) if at[last] > 0 else ("", None)
