"""What to buy, and how sure: how many of each array suffice with a chance of 80, 90, 95 and 99 %, and what they cost.

All arrays are sized for the same draws of the inputs on Risk inputs (common random numbers), so that they differ by the
array alone. How many a trial needs is `arrays_required` of the workbook's own formulas, and the cost of a number of
arrays is its present cost with that many installed, at the values of the design: no second model of either. An array
whose constraints are not all checked gets no chance: what nobody checked cannot be sure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.numerals import numeral
from addin.simulation import sampling
from addin.simulation.montecarlo import SEED
from addin.simulation.preparing import prepared
from addin.simulation.risk import read_risk, title
from addin.simulation.runs import Progress, Run
from addin.simulation.statistics import statistics
from addin.sizing.tables import Table
from addin.sizing.whatif import candidates, of_another_array
from addin.workbook.book import SizingBook

CERTAINTIES = (0.8, 0.9, 0.95, 0.99)
TRIALS = 16_384  # each array has as many
LAST_BITS = 1e-12  # of a sum of chances
COUNT, INSTALLED, COST, ARRAY = "arrays_required", "arrays_installed", "npv", "array"
UNCHECKED, NONE = "constraints_unchecked", "none"
NOT_CHECKED, NO_QUOTE = "not checked", "enter a quote"


@dataclass(frozen=True)
class Choice:
    """An array: how many the design needs, the chance that each number suffices, the present cost of each certainty.

    `chances` is empty where something is unchecked; `costs` has None where no quote counts for the array.
    """

    array: str
    designed: float
    unchecked: str
    chances: Mapping[float, float] = field(default_factory=dict)
    costs: Mapping[float, float | None] = field(default_factory=dict)

    def enough(self, certainty: float) -> float | None:
        """Return the least number of arrays that suffices with that chance; None where nothing is known."""
        return _enough(self.chances, certainty)

    @property
    def holds(self) -> float | None:
        """The chance that the number designed suffices."""
        below = [chance for count, chance in self.chances.items() if count <= self.designed]
        return max(below, default=0.0) if self.chances else None

    def cost(self, certainty: float) -> float | None:
        """Return the present cost of the number that suffices with that chance."""
        count = self.enough(certainty)
        return None if count is None else self.costs.get(count)


def choices(
    book: SizingBook,
    settings: Iterable[str] = (),
    trials: int | None = None,
    seed: int = SEED,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Choice]:
    """Return every array that can be sized, in the order of the list.

    Raises RequestError where no input is uncertain, for an array among the settings, and as `SizingBook.settings`.
    """
    array = book.find(book.inputs, ARRAY, "input")
    base = book.settings(settings)
    if array.address in base:
        raise RequestError("array: decide takes every array of the list. Leave it out of --set.")
    if INSTALLED in book.inputs and base.get(book.inputs[INSTALLED].address) is not None:
        raise RequestError(f"{INSTALLED}: decide finds how many to buy. Leave it out of --set.")
    names = candidates(book, array, base)
    found = []
    for number, name in enumerate(names, 1):
        chosen = {array.address: name}
        overrides = {**base, **of_another_array(book, base, chosen), **chosen}
        if INSTALLED in book.inputs:
            overrides[book.inputs[INSTALLED].address] = None
        found.append(_choice(book, str(name), overrides, trials or TRIALS, seed, workers))
        if progress is not None:
            progress(number, len(names))
    return found


def _choice(
    book: SizingBook, name: str, overrides: dict[Address, Scalar], trials: int, seed: int, workers: int
) -> Choice:
    values = book.evaluate(overrides, [COUNT, *([UNCHECKED] if UNCHECKED in book.results else [])])
    designed, unchecked = values[COUNT], str(values.get(UNCHECKED, NONE))
    if not isinstance(designed, float) or unchecked != NONE:
        return Choice(name, designed if isinstance(designed, float) else 0.0, unchecked)
    chances = _chances(book, overrides, trials, seed, workers)
    wanted = {_enough(chances, level) for level in CERTAINTIES}
    costs = {count: _cost(book, overrides, count) for count in wanted if count is not None}
    return Choice(name, designed, unchecked, chances, costs)


def _enough(chances: Mapping[float, float], certainty: float) -> float | None:
    return next((count for count, chance in sorted(chances.items()) if chance >= certainty - LAST_BITS), None)


def _chances(
    book: SizingBook, overrides: dict[Address, Scalar], trials: int, seed: int, workers: int
) -> dict[float, float]:
    """Return the share of the trials in which each number of arrays suffices."""
    plan = sampling.plan(trials, where="--trials", chunk=book.engine.budget.chunk)
    risk = read_risk(book, overrides)
    if not risk.uncertain:
        raise RequestError(f"{book.path.name}: no input of {title(book)} has a spread. Give one a distribution there.")
    job = prepared(book, risk, overrides, [COUNT], plan, seed, "sobol", workers).job
    x, _ = job.draw(plan.per_replicate, range(plan.replicates), 0, plan.block)
    job.model.runner().checked(x.reshape(len(x), -1), seed)
    ran = Run(job, None)
    with ThreadPoolExecutor(workers) as threads:
        ran.through(threads, workers, None)
    if ran.part is None:
        raise KeyboardInterrupt
    enough, chances = 0.0, {}
    for each in statistics(ran.part.summary, COUNT).outcomes():
        enough += each.interval.value
        chances[each.outcome] = min(1.0, enough)
    return chances


def _cost(book: SizingBook, overrides: Mapping[Address, Scalar], count: float) -> float | None:
    """Return the present cost of that many arrays, installed on day one; None without a quote."""
    if COST not in book.results or INSTALLED not in book.inputs:
        return None
    installed = {**overrides, book.inputs[INSTALLED].address: count}
    value = book.evaluate(installed, [COST])[COST]
    return value if isinstance(value, float) and value > 0 else None


def table(found: Sequence[Choice], book: SizingBook) -> Table:
    """Return a row for each array: how many suffice at each certainty, with their present cost where one is known."""
    priced = any(each.costs.get(count) is not None for each in found for count in each.costs)
    unit = book.results[COST].unit if priced else ""
    counts = tuple(f"{_percent(level)} sure" for level in CERTAINTIES)
    costs = tuple(f"Present cost, {_percent(level)} sure" for level in CERTAINTIES) if priced else ()
    headings = ("Storage array", "As designed", "Chance that it suffices", *counts, *costs, "Not checked")
    units = ("", "arrays", "", *("arrays",) * len(counts), *(unit,) * len(costs), "")
    rows = []
    for each in ranked(found):
        shown: list[Scalar] = [each.array, each.designed]
        shown.append(NOT_CHECKED if each.holds is None else about(each.holds))
        shown += [NOT_CHECKED if (count := each.enough(level)) is None else count for level in CERTAINTIES]
        if priced:
            shown += [NO_QUOTE if (cost := each.cost(level)) is None else cost for level in CERTAINTIES]
        rows.append((*shown, each.unchecked))
    return Table(headings, units, tuple(rows), (*_said(found, priced, unit), *book.notes))


def ranked(found: Sequence[Choice]) -> list[Choice]:
    """Return what is fully checked first, by the present cost of the highest certainty; the others in their order."""
    last = CERTAINTIES[-1]
    return sorted(found, key=lambda each: (not each.chances, math.inf if (cost := each.cost(last)) is None else cost))


def _percent(share: float) -> str:
    return numeral(share, ".0%")


def about(share: float) -> str:
    """Return a chance with the digits that assumed spreads support: whole percent, never 0 % or 100 %."""
    if share > 0.99:
        return "over 99%"
    return f"about {_percent(share)}" if share >= 0.01 else "under 1%"


def _said(found: Sequence[Choice], priced: bool, unit: str) -> Iterator[str]:
    """Yield what the rows say: the cheapest at each certainty and what a step costs; without quotes, only counts."""
    checked = [each for each in found if each.chances]
    if not checked:
        yield "No array is fully checked, so none gets a chance. Enter the figures named under Not checked."
        return
    if not priced:
        yield "No quote is entered: compare numbers of one array, not of two. Enter quotes on Arrays or My arrays."
    else:
        steps = [(level, _cheapest(checked, level)) for level in CERTAINTIES]
        for level, best in steps:
            if best:
                count, cost, name = best
                yield f"{_percent(level)} sure: {name}, {count:.0f}, costs least, {numeral(cost, ',.0f')} {unit}."
        costs = [(level, best[1]) for level, best in steps if best]
        if len(costs) > 1 and costs[-1][1] > costs[0][1]:
            more = numeral(costs[-1][1] - costs[0][1], ",.0f")
            yield f"From {_percent(costs[0][0])} to {_percent(costs[-1][0])} sure costs {more} {unit} more."
        if any(each.cost(CERTAINTIES[0]) is None for each in checked):
            yield "Arrays without a quote are not ranked."
    yield "These chances are right only if the spreads on Risk inputs are. All arrays are sized for the same draws."


def _cheapest(found: Sequence[Choice], level: float) -> tuple[float, float, str] | None:
    """Return number, present cost and name of the array that costs least at a certainty."""
    priced = [
        (cost, count, each.array)
        for each in found
        if (count := each.enough(level)) is not None and (cost := each.cost(level)) is not None
    ]
    if not priced:
        return None
    cost, count, name = min(priced)
    return count, cost, name
