"""Designs to choose from, each an array and a number bought on day one: their costs on the same draws.

A trial's cost is the present cost of the workbook's own formulas with that number installed (what is missing is bought
in year 1), and two figures on top that the workbook does not have: the premium of the arrays bought late, and the
desktop-days below the agreed level until they are in use. Arrays that growth asks for after year 1 are bought in time:
growth is seen coming. On the days a year after a failure the arrays have to carry what they carry after a failure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from addin.kernel import Address, Scalar
from addin.simulation import sampling
from addin.simulation.information import Floats
from addin.simulation.risk import Risk
from addin.simulation.stakes import Stakes
from addin.simulation.trials import Job
from addin.workbook.book import SizingBook
from addin.workbook.reads import everything_behind

COUNT, NEED, NORMAL, DESKTOPS = "arrays_required", "ratio_largest", "ratio_normal", "provisioned_desktops"
COST, NET, FIRST, LAST = "npv", "array_net", "arrays_first", "arrays_last"
RESULTS = (COUNT, NEED, NORMAL, DESKTOPS, COST, NET, FIRST, LAST)
INSTALLED, PRICE = "arrays_installed", "array_price"
OWN, APART = ("data_reduction_ratio", "write_weight"), ": "  # what an array does with a load; behind its name
DAYS_A_YEAR = 365.0
MOST_NUMBERS = 24  # of one array that are compared without a gap
CURRENCY = "currency"
DEARER = 2.0  # a quote so many times as high says how the cost depends on it, which is a straight line
MOST_KEPT = 65_536  # trials whose costs are kept; chances count every trial


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What an array comes to on every draw: `need` unrounded (replicates, trials), costs of each number bought.

    `normal` and `lasting` are the shares of the trials in which each number suffices in normal operation, and without
    another purchase to the last year of the planning horizon. `quote` is the price it is bought at, `slopes` how the
    mean cost of each number changes with it; None where the price is drawn or no single cell holds it. It is in
    `quoted_in`, empty for the currency of the workbook; a unit of that is `rate` of the workbook's.
    """

    array: str
    need: Floats
    costs: dict[float, Floats]
    normal: dict[float, float]
    lasting: dict[float, float]
    quote: float | None
    slopes: dict[float, float]
    quoted_in: str = ""
    rate: float = 1.0


def own_key(array: str, key: str) -> str:
    """Return the key that an array's own unknown is drawn by; any other input is drawn once for all arrays."""
    return f"{array}{APART}{key}" if key in OWN else key


def with_own_streams(job: Job, array: str, arrays: Iterable[str]) -> Job:
    """Return the job of an array with streams of their own for its unknowns; with correlated inputs as it is.

    Every array of `arrays` has Sobol dimensions of its own, whatever their order.
    """
    if job.coupling is not None:
        return job
    dimensions = job.dimensions.including(own_key(each, key) for each in sorted(arrays) for key in OWN)
    return replace(job, keys=tuple(own_key(array, key) for key in job.keys), dimensions=dimensions)


def drawn(jobs: Sequence[Job], trials: int) -> tuple[tuple[str, ...], Floats]:
    """Return the keys of all inputs of some jobs, and their first trials (k, replicates, trials).

    Correlated inputs are drawn as in the job that has most of them: they have no streams of their own.
    """
    if jobs[0].coupling is not None:
        first = max(jobs, key=lambda job: len(job.keys))
        spreads = dict(zip(first.keys, first.spreads, strict=True))
    else:
        first = max(jobs, key=lambda job: len(job.dimensions.numbers))
        spreads = {key: spread for job in jobs for key, spread in zip(job.keys, job.spreads, strict=True)}
    plan = sampling.plan(min(trials, MOST_KEPT), chunk=first.plan.chunk)
    common = replace(first, keys=tuple(spreads), spreads=tuple(spreads.values()), plan=plan)
    x, _ = common.draw(plan.per_replicate, range(plan.replicates), 0, plan.per_replicate)
    return common.keys, x


def outcomes(
    book: SizingBook,
    array: str,
    overrides: Mapping[Address, Scalar],
    risk: Risk,
    x: Floats,
    counts: Sequence[float],
    stakes: Stakes,
) -> Outcomes | None:
    """Return what an array costs on draws x (k, replicates, trials) of its `risk`; None where a trial is an error."""
    priced = _price_cell(book, array, overrides, risk)
    installed = book.inputs[INSTALLED].address
    varied = [*(entry.item.address for entry in risk.uncertain), installed, *([priced[0]] if priced else [])]
    limits = {
        entry.item.address: (entry.spread.low, entry.spread.high)
        for entry in risk.uncertain
        if math.isfinite(entry.spread.low) and math.isfinite(entry.spread.high)
    }
    fixed = {at: value for at, value in {**risk.fixed, **overrides}.items() if at not in varied}
    results = tuple(book.results[key].address for key in RESULTS)
    runner = book.engine.runner(book.cells, tuple(varied), results, fixed, limits)
    flat = x.reshape(len(x), -1)

    def run(count: float, price: float | None) -> dict[str, Floats]:
        more = [count, *([price] if price is not None else [])]
        trials = np.concatenate([flat, np.repeat(np.array(more)[:, None], flat.shape[1], axis=1)])
        return dict(zip(RESULTS, runner.run(trials).values.copy(), strict=True))

    price = priced[1] if priced else None
    costs, slopes, normal, lasting, need = {}, {}, {}, {}, None
    for count in counts:
        found = run(count, price)
        total = cost(found, count, stakes)
        if not np.isfinite(total).all():
            return None
        need = found[NEED]
        costs[count] = total.reshape(x.shape[1:])
        normal[count], lasting[count] = (float((found[key] <= count).mean()) for key in (NORMAL, LAST))
        if price:
            dearer = float(cost(run(count, DEARER * price), count, stakes).mean())
            slopes[count] = (dearer - float(total.mean())) / ((DEARER - 1) * price)
    assert need is not None
    money = _money_of(book, array, overrides) if priced and priced[0] != book.entry(PRICE).address else ("", 1.0)
    return Outcomes(array, need.reshape(x.shape[1:]), costs, normal, lasting, price, slopes, *money)


def numbers(wanted: Iterable[float]) -> list[float]:
    """Return the numbers of an array to compare: those wanted and, unless they are far apart, all between them."""
    found = sorted(set(wanted))
    if not found or found[-1] - found[0] >= MOST_NUMBERS:
        return found
    return [float(number) for number in range(int(found[0]), int(found[-1]) + 1)]


def cost(found: Mapping[str, Floats], count: float, stakes: Stakes) -> Floats:
    """Return the cost of each trial with `count` arrays bought on day one; `found` are its RESULTS."""
    late = np.maximum(0.0, np.maximum(found[COUNT], found[FIRST]) - count)
    total = found[COST] + stakes.late_premium * late * found[NET]
    if stakes.desktop_day:
        normal = _short(count, found[NORMAL])
        spare = np.maximum(0.0, found[COUNT] - np.maximum(1.0, np.ceil(found[NEED])))  # nodes kept for a failure
        after = np.where(late > 0, _short(np.maximum(0.0, count - spare), found[NEED]), 0.0)
        share = stakes.failure_days / DAYS_A_YEAR
        below = found[DESKTOPS] * ((1 - share) * normal + share * np.maximum(normal, after))
        total = total + stakes.desktop_day * stakes.late_days * np.where(late > 0, below, 0.0)
    return total


def _short(count: float | Floats, need: Floats) -> Floats:
    """Return the share of the desktops that so many arrays cannot carry."""
    short: Floats = np.maximum(0.0, 1 - count / np.maximum(need, np.maximum(count, 1e-9)))
    return short


def _price_cell(
    book: SizingBook, array: str, overrides: Mapping[Address, Scalar], risk: Risk
) -> tuple[Address, float] | None:
    """Return the cell that the quote of an array is typed in, and the quote; None where it is drawn or in no cell."""
    keys = [PRICE, f"{array}.price"]
    for key in keys:
        if not book.is_entry(key):
            continue
        at = book.entry(key).address
        value = typed(book, key, overrides)
        if isinstance(value, float) and value > 0:
            drawn_too = {entry.item.address for entry in risk.uncertain}
            follows = at not in overrides and bool(drawn_too & everything_behind(book, at))  # no quote of its own
            return None if key in risk.keys or at in risk.fixed or follows else (at, value)
    return None


def typed(book: SizingBook, key: str, overrides: Mapping[Address, Scalar]) -> Scalar:
    """Return what an input or a row of the user's own holds, or what a formula typed there gives; None of no entry."""
    if not book.is_entry(key):
        return None
    at = book.entry(key).address
    if at in overrides:
        return overrides[at]
    return book.cells.constant(at) if book.cells.formula(at) is None else book.values(overrides).value(at)


def _money_of(book: SizingBook, array: str, overrides: Mapping[Address, Scalar]) -> tuple[str, float]:
    """Return the currency that an array of the user's own is quoted in, empty for the workbook's, and its rate."""
    own, quoted, rate = (typed(book, key, overrides) for key in (CURRENCY, *quote_keys(array)))
    if not quoted or str(quoted).casefold() == str(own).casefold() or not isinstance(rate, float):
        return "", 1.0
    return str(quoted), rate


def quote_keys(array: str) -> tuple[str, str]:
    """Return the keys of the currency of an array's quote and of its rate."""
    return f"{array}.quote_currency", f"{array}.quote_rate"
