"""Goal seek: how far one input can go until a result misses its target. A book in, a table out.

The compiled result is looked at all over the input's range, which shows where it is not monotone, then by bisection in
a thousand parts at a time; the answer and its neighbour are held against the scalar evaluator.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.kernel import Address, KernelError, Scalar
from addin.numerals import numeral
from addin.sizing.columns import Columns
from addin.sizing.refusals import require_some_answer, why_none
from addin.sizing.sentence import ALL_CHECKED, COUNT, STATUS, UNCHECKED
from addin.sizing.tables import Table
from addin.sizing.whatif import finite_number, parted
from addin.workbook.book import Item, SizingBook, shown
from addin.workbook.item import CLOCK, clock_text, currency, unit_at

Floats = NDArray[np.float64]
Steps = NDArray[np.int64]
DIGITS = 10  # an answer that is no whole number is exact to 1 in 10^10 of its range
CENTS = 2
MINUTES = 1440.0  # of a day
SAME = 5e-15  # Excel compares 15 digits


@dataclass(frozen=True)
class Goal:
    """What is sought: the last value of `item` that meets a target. `low` and `high` count steps, `parts` of 1."""

    item: Item
    result: Item
    at_most: bool
    target: float
    smallest: bool
    low: int
    high: int
    digits: int
    parts: float

    @property
    def text(self) -> str:
        """The target as a person writes it."""
        return f"{self.result.key} {'<=' if self.at_most else '>='} {numeral(self.target, ',.12g')}"

    @property
    def range(self) -> str:
        """The range as a person writes it."""
        return f"{self.item.key} from {self.number(self.low)} to {self.number(self.high)}"

    def number(self, step: int) -> str:
        """Return an input value in full."""
        if self.item.unit == CLOCK:
            return clock_text(step / self.parts)
        return numeral(float(self.values(np.array([step]))[0]), ",.15g")

    def values(self, steps: Steps) -> Floats:
        """Return the input values of steps, each the double nearest to the decimal number."""
        return steps / self.parts

    def met(self, values: Floats) -> NDArray[np.bool_]:
        """Return where a result meets the target; NaN never does."""
        slack = abs(self.target) * SAME
        return values <= self.target + slack if self.at_most else values >= self.target - slack


def seek(book: SizingBook, settings: Iterable[str], vary: str, target: str, *, smallest: bool = False) -> Table:
    """Return the largest value of an input for which a result stays at or below a target.

    `vary` is `key` (the range of its cell) or `key=low:high`; `target` is `result=number`. `smallest` asks for the
    smallest value at which the result reaches the target; `result<=number` and `result>=number` choose the side.
    Raises RequestError where the target is never met, and where the result is no number or stays the same.
    """
    base = book.settings(settings)
    goal = _goal(book, vary, target, smallest)
    if goal.item.address in base:
        raise RequestError(f"{goal.item.key}: is varied and cannot be set as well. Leave it out of --set.")
    columns = Columns(book, [goal.item], [goal.result])

    def look(low: int, high: int, points: int) -> tuple[Steps, list[Scalar], Floats]:
        steps = np.unique(np.linspace(low, high, min(points, high - low + 1)).round().astype(np.int64))
        column = columns.compute(base, goal.values(steps)[None, :])[0]
        numbers = np.array([v if isinstance(v, float) else math.nan for v in column])
        return (steps[::-1], column[::-1], numbers[::-1]) if smallest else (steps, column, numbers)

    steps, column, numbers = look(goal.low, goal.high, book.engine.budget.points)
    try:
        _usable(goal, column, numbers)
    except RequestError:  # the reason may be that nothing in the range is a design
        looked_at = ({goal.item.address: float(value)} for value in goal.values(steps[:: max(len(steps) // 2, 1)]))
        require_some_answer(book, base, looked_at)
        raise
    last = _last_met(goal, steps, numbers)
    notes = _remarks(goal, steps, column, numbers, last)
    while last < len(steps) - 1 and abs(int(steps[last + 1] - steps[last])) > 1:
        low, high = sorted((int(steps[last]), int(steps[last + 1])))
        steps, column, numbers = look(low, high, book.engine.budget.parts)
        last = _last_met(goal, steps, numbers)
    positions = [int(step) for step in steps[last : last + 2]]
    rows = [
        (float(goal.values(np.array([step]))[0]), _proved(book, goal, base, step, n))
        for n, step in enumerate(positions)
    ]
    sentence = f"{'Smallest' if smallest else 'Largest'} {goal.item.key} with {goal.text}: {goal.number(positions[0])}"
    if goal.digits:
        rows = rows[:1]  # the neighbour differs in a digit that no table shows
    unit = f" {goal.item.unit}" if goal.item.unit not in ("count", "ratio", CLOCK) else ""
    verdicts = ("met", "missed")
    return Table(
        (goal.item.key, goal.result.label, "Target"),
        (goal.item.unit, goal.result.unit, goal.text.partition(" ")[2]),
        tuple((*row, verdict) for row, verdict in zip(rows, verdicts, strict=False)),
        (f"{sentence}{unit}.", *_open(book, {**base, goal.item.address: rows[0][0]}), *notes, *book.notes),
        ("", goal.result.key, ""),
        1,
    )


def _goal(book: SizingBook, vary: str, target: str, smallest: bool) -> Goal:
    parts = re.fullmatch(r"\s*(\w+)\s*(<=|>=|=)\s*(.+?)\s*", target)
    if parts is None:
        raise RequestError(f"{target!r}: expected result=number, such as arrays_required=2.")
    result = book.find(book.results, parts[1], "result")
    number = finite_number(parts[3], target)
    key, wanted = book.pair(vary) or (vary, "")
    item = book.entry(key)
    if item.choices:
        raise RequestError(
            f"{item.key}: takes texts from a list; seek needs a number. Use whatif --vary {item.key}=all."
        )
    low, high = item.minimum, item.maximum
    if wanted:
        ends = parted(item, wanted)
        if len(ends) != 2:
            raise RequestError(f"{vary}: expected {item.key} alone or {item.key}=low:high.")
        bounds = [book.value_for(item, finite_number(end, vary, item)) for end in ends]
        low, high = (end if isinstance(end, float) else None for end in bounds)
    if low is None or high is None:
        raise RequestError(f"{item.key}: {item.address.a1} accepts any number. Give a range: {item.key}=low:high.")
    digits = 0 if item.whole or item.unit == CLOCK else DIGITS - math.floor(math.log10(max(high - low, 1e-6)))
    amount = unit_at(book.cells, item.address) == currency(book.cells)  # of a quote in another currency too
    digits = min(digits, CENTS) if amount else max(digits, 0)
    parts_of_1 = MINUTES if item.unit == CLOCK else 10.0**digits  # a clock goes by minutes
    first, last = math.ceil(low * parts_of_1 - 1e-6), math.floor(high * parts_of_1 + 1e-6)
    if last <= first:
        raise RequestError(f"{vary}: expected low < high, at least {numeral(10.0**-digits, 'g')} {item.unit} apart.")
    at_most = parts[2] == "<=" if parts[2] != "=" else not smallest
    return Goal(item, result, at_most, number, smallest, first, last, digits, parts_of_1)


def _usable(goal: Goal, column: list[Scalar], numbers: Floats) -> None:
    """Raise RequestError for a result without numbers, and for one that stays the same."""
    some = numbers[~np.isnan(numbers)]
    if not len(some):
        raise RequestError(
            f"{goal.result.key}: is not a number but {shown(column[0])!r} for {goal.range}. "
            "Choose a result that is a number."
        )
    if len(some) == len(numbers) and some.min() == some.max():
        raise RequestError(
            f"{goal.result.key}: is {numeral(some[0], ',.6g')} for every {goal.range}. "
            "Vary an input that it depends on."
        )


def _last_met(goal: Goal, steps: Steps, numbers: Floats) -> int:
    """Return the last step that meets the target. Raises RequestError where none does."""
    met = np.flatnonzero(goal.met(numbers))
    if not len(met):
        best = int(np.nanargmin(numbers) if goal.at_most else np.nanargmax(numbers))
        raise RequestError(
            f"{goal.text}: never met by {goal.range}; the {'least' if goal.at_most else 'most'} is "
            f"{numeral(numbers[best], ',.6g')} at {goal.item.key}={goal.number(int(steps[best]))}. "
            "Choose another target."
        )
    return int(met[-1])


def _remarks(goal: Goal, steps: Steps, column: list[Scalar], numbers: Floats, last: int) -> list[str]:
    """Return what a reader of the answer has to know: range reached, not monotone, targets missed on the way, texts."""
    notes = []
    met = goal.met(numbers)
    if last == len(steps) - 1:
        where = "over the whole range" if met.all() else "at this end of the range"
        notes.append(f"The target is met {where}, {goal.range}: the range limits the answer.")
    change = np.diff(numbers[~np.isnan(numbers)])
    slack = 1e-12 * np.nanmax(np.abs(numbers))
    if (change > slack).any() and (change < -slack).any():
        notes.append(f"{goal.result.key} is not monotone in {goal.item.key}: it rises and falls over {goal.range}.")
    missed = np.flatnonzero(~met[:last])
    if len(missed):
        ends = sorted(int(steps[missed[n]]) for n in (0, -1))
        between = f"between {goal.item.key} {goal.number(ends[0])} and {goal.number(ends[1])}"
        share = f"{numeral(len(missed))} of {numeral(last)}"
        notes.append(f"On the way the target is missed at {share} points looked at, {between}.")
    texts = np.flatnonzero(np.isnan(numbers))
    if len(texts):
        share = f"{numeral(len(texts))} of {numeral(len(numbers))}"
        notes.append(f"{share} points are {shown(column[texts[0]])!r}: counted as missed.")
    return notes


def _open(book: SizingBook, overrides: Mapping[Address, Scalar]) -> list[str]:
    """Return what the workbook says of the design found where that is no plain count: a part of it is not checked."""
    keys = (STATUS, UNCHECKED)
    if not all(key in book.results for key in keys):
        return []
    status, unchecked = (shown(value) for value in book.evaluate(overrides, keys).values())
    if COUNT.search(status) and (why := why_none(book, book.values(overrides))):
        status = f"no answer: {why}"
    if unchecked == ALL_CHECKED and status[:1].isdigit():
        return []
    return [f"The answer there: {status}. Not checked: {unchecked}."]


def _proved(book: SizingBook, goal: Goal, base: Mapping[Address, Scalar], step: int, position: int) -> Scalar:
    """Return the result at the answer (position 0) or its neighbour (1) from the scalar evaluator."""
    value = float(goal.values(np.array([step]))[0])
    computed = book.evaluate({**base, goal.item.address: value}, [goal.result.key])[goal.result.key]
    met = isinstance(computed, float) and bool(goal.met(np.array([computed]))[0])
    if met != (position == 0):
        raise KernelError(
            f"{goal.item.key}={goal.number(step)} gives {computed!r} cell by cell, not what was compiled.",
            "Report this as a bug, with the workbook.",
            goal.result.address.a1,
        )
    return computed
