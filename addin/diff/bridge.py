"""The bridge from a result of the old copy to that of the new one: the effect of formulas, then of each input.

    old inputs, old formulas -> old inputs, new formulas      one bar, "Formulas and catalogue"
    old inputs -> new inputs, new formulas                    one bar for each input: its Shapley value

The Shapley value of an input is its effect averaged over every order in which the inputs could have changed (Shapley,
A value for n-person games, 1953): the bars sum to the change, and no order of the inputs is preferred. All 2^n corners
(each input with its old or its new value) are computed with the formulas of the new copy, numeric ones in one batch.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from addin.diff import currencies
from addin.diff.compared import Difference, Progress
from addin.diff.typed import ABSENT, title, told
from addin.errors import BookError
from addin.kernel import Address, KernelError, Scalar
from addin.sizing.answers import NONE
from addin.sizing.columns import Columns
from addin.sizing.tables import in_words
from addin.workbook.book import Item, SizingBook, shown
from addin.workbook.reads import everything_behind

MOST = 10  # inputs with their own bar; the others share one
HEADLINE = ("npv", "cost_per_desktop", "arrays_required")
SHAPLEY = "An input's bar is its Shapley value: its effect averaged over every order in which the inputs could change."
FORMULAS, OTHERS = "Formulas and catalogue", "All others together"


@dataclass(frozen=True)
class Bar:
    """A step of a bridge: its label and the amount it adds; for an input also the old and the new value."""

    key: str
    label: str
    amount: float
    old: Scalar = None
    new: Scalar = None


@dataclass(frozen=True)
class Bridge:
    """The steps of one result from its old value to its new one; without bars, `refusal` says why."""

    item: Item
    old: Scalar
    new: Scalar
    bars: tuple[Bar, ...] = ()
    refusal: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Cell:
    """A changed input of the new copy, with its old and its new value."""

    item: Item
    old: Scalar
    new: Scalar

    @property
    def numeric(self) -> bool:
        """Whether both values are numbers."""
        return isinstance(self.old, float) and isinstance(self.new, float)


Player = tuple[_Cell, ...]  # one input, or all others together
Corner = frozenset[int]  # the players with their new value


class _NoNumberError(Exception):
    """A corner whose result is not a number; the text names it."""


def wanted(found: Difference, keys: Sequence[str]) -> list[Item]:
    """Return the results to bridge: those named, else the headline results that moved. Raises RequestError."""
    if keys:
        return [found.new.find(found.new.results, key, "result") for key in keys]
    moved = {change.key for change in found.results}
    return [found.new.results[key] for key in HEADLINE if key in moved and key in found.new.results]


def bridge(found: Difference, item: Item, progress: Progress) -> Bridge:
    """Return the bridge of one result, without bars where a corner is not a number.

    Raises BookError where a copy cannot be computed.
    """
    old_item = found.old.results.get(item.key)
    old = ABSENT if old_item is None else _value(found.old, {}, old_item)
    none_old, none_new = found.why_none
    made = Bridge(item, NONE if none_old else old, NONE if none_new else _value(found.new, {}, item))
    if old_item is None:
        return replace(made, refusal=f"the old copy has no result {item.key}")
    for copy, value in (("old", made.old), ("new", made.new)):
        if not isinstance(value, float):
            return replace(made, refusal=f"{item.key} is {shown(value) or 'blank'!r} in the {copy} copy")
    pair = currencies.both(found.old, found.new)
    if currencies.apart(old_item, item, pair):
        was = f"{shown(made.old)} {old_item.unit}"  # a word, so that nothing subtracts it
        units = f"in {old_item.unit} in the old copy and in {item.unit} in the new one"
        return replace(made, old=was, refusal=f"{item.key} is {units}: two currencies are not subtracted")
    try:
        return _bridged(found, made, progress)
    except _NoNumberError as error:
        return replace(made, refusal=str(error))


def _bridged(found: Difference, made: Bridge, progress: Progress) -> Bridge:
    corners = _Corners(found.new, made.item, progress)
    reached = everything_behind(found.new, made.item.address)
    cells = [cell for cell in _changed(found) if cell.item.address in reached]
    players: list[Player] = [(cell,) for cell in cells]
    notes: tuple[str, ...] = ()
    if len(cells) > MOST:
        players, notes = corners.strongest(cells)
    amounts, start = corners.shapley(players)
    bars = []
    formulas = start - _number(made.old)
    if formulas or found.formulas or found.catalogue:
        bars.append(Bar("", FORMULAS, formulas))
    for player, amount in zip(players, amounts, strict=True):
        first = player[0]
        if len(player) > 1:
            bars.append(Bar("", OTHERS, amount))
        else:
            was, is_now = (told(first.item, value) for value in (first.old, first.new))
            bars.append(Bar(first.item.key, title(first.item, found.new.cells), amount, was, is_now))
    ranked = sorted(bars, key=_rank)
    return replace(made, bars=tuple(ranked), notes=notes)


def _rank(bar: Bar) -> tuple[object, ...]:
    """Return the sort key of a bar: the formulas, the inputs from the largest bar on, all others."""
    return bar.label != FORMULAS, bar.label == OTHERS, -float(f"{abs(bar.amount):.9g}"), bar.key


def _number(value: Scalar) -> float:
    return value if isinstance(value, float) else math.nan


def _changed(found: Difference) -> Iterator[_Cell]:
    """Yield the inputs of both copies with different values; an old name of a row counts as its new one."""
    names = found.changed.renamed
    for mine, theirs in found.changed.pairs:
        old, new = found.old.held(mine), found.new.held(theirs)
        old = names.get(old, old) if isinstance(old, str) else old
        if old != new:
            yield _Cell(theirs, old, new)


def _value(book: SizingBook, overrides: Mapping[Address, Scalar], item: Item) -> Scalar:
    try:
        return in_words(item.key, item.unit, book.values(overrides).value(item.address))
    except KernelError as error:
        raise BookError(f"{book.path.name}: {error}") from None


class _Corners:
    """One result of a book, with some inputs at their old values and the others at their new ones."""

    def __init__(self, book: SizingBook, item: Item, progress: Progress) -> None:
        self._book, self._item, self._progress = book, item, progress

    def strongest(self, cells: Sequence[_Cell]) -> tuple[list[Player], tuple[str, ...]]:
        """Return the cells that move the result most, each alone, as players, and the rest as one player."""
        before = {cell.item.address: cell.old for cell in cells}
        start = _value(self._book, before, self._item)

        def effect(cell: _Cell) -> float:
            moved = _value(self._book, before | {cell.item.address: cell.new}, self._item)
            both = isinstance(start, float) and isinstance(moved, float)
            return abs(_number(moved) - _number(start)) if both else math.inf

        ranked = sorted(cells, key=lambda cell: (-effect(cell), cell.item.key))
        note = (
            f"{len(cells)} inputs changed: the {MOST} that move it most, each alone, have a bar of their own; "
            f"{OTHERS.lower()}: {', '.join(title(cell.item, self._book.cells) for cell in ranked[MOST:])}."
        )
        return [*((cell,) for cell in ranked[:MOST]), tuple(ranked[MOST:])], (note,)

    def shapley(self, players: Sequence[Player]) -> tuple[list[float], float]:
        """Return the Shapley value of each player, and the result with all inputs at their old values.

        Raises _NoNumberError for the first corner that is not a number.
        """
        values = self._values(players)
        count = len(players)
        shares = [math.factorial(n) * math.factorial(count - n - 1) / math.factorial(count) for n in range(count)]
        amounts = [
            math.fsum(
                shares[len(corner)] * (values[corner | {player}] - value)
                for corner, value in values.items()
                if player not in corner
            )
            for player in range(count)
        ]
        return amounts, values[frozenset()]

    def _values(self, players: Sequence[Player]) -> dict[Corner, float]:
        """Return the result of every corner: one compiled slice for each combination of non-numeric inputs."""
        numeric = [n for n, player in enumerate(players) if all(cell.numeric for cell in player)]
        others = [n for n in range(len(players)) if n not in numeric]
        moving, still = ([(n, cell) for n in chosen for cell in players[n]] for chosen in (numeric, others))
        points = [frozenset(c) for size in range(len(numeric) + 1) for c in itertools.combinations(numeric, size)]
        x = [[_number(cell.new if n in point else cell.old) for point in points] for n, cell in moving]
        rows = np.array(x, dtype=np.float64).reshape(len(moving), len(points))
        columns = Columns(self._book, [_between(cell) for _, cell in moving], [self._item])
        found: dict[Corner, float] = {}
        combinations = [frozenset(c) for size in range(len(others) + 1) for c in itertools.combinations(others, size)]
        for done, combination in enumerate(combinations, 1):
            fixed = {cell.item.address: cell.new if n in combination else cell.old for n, cell in still}
            try:
                (column,) = columns.compute(fixed, rows)
            except KernelError as error:
                raise BookError(f"{self._book.path.name}: {error}") from None
            for point, value in zip(points, column, strict=True):
                found[combination | point] = self._checked(players, combination | point, value)
            self._progress(done, len(combinations))
        return found

    def _checked(self, players: Sequence[Player], corner: Corner, value: Scalar) -> float:
        worded = in_words(self._item.key, self._item.unit, value)
        if isinstance(worded, float):
            return worded
        sides = [
            f"the {word} {', '.join(cell.item.key for n in chosen for cell in players[n])}"
            for chosen, word in (([n for n in range(len(players)) if n not in corner], "old"), (sorted(corner), "new"))
            if chosen
        ]
        raise _NoNumberError(f"{self._item.key} is {shown(worded) or 'blank'!r} with {' and '.join(sides)}")


def _between(cell: _Cell) -> Item:
    """Return an input with its two values as its range, which a compiled slice may rely on."""
    low, high = sorted((_number(cell.old), _number(cell.new)))
    return replace(cell.item, minimum=low, maximum=high)
