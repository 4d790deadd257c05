"""What to buy, how sure, and what to find out first.

All arrays are sized for the same draws of the inputs on Risk inputs (common random numbers), so that they differ by the
array alone. How many a trial needs is `arrays_required` of the workbook's own formulas. A design is an array and a
number bought on day one; where a quote is known it has a cost in every trial (designs.py), and where a day below the
agreed level has a cost too, so has what is not known yet (finding_out.py). An array whose constraints are not all
checked gets no chance: what nobody checked cannot be sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from addin.computing.kernel_engine import Kernel
from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.simulation import designs, finding_out, information, sampling, turning
from addin.simulation.designs import COST, FIRST, INSTALLED, Outcomes
from addin.simulation.finding_out import Worth
from addin.simulation.montecarlo import SEED
from addin.simulation.preparing import prepared
from addin.simulation.risk import GROWTH_ONCE, Risk, read_risk, title
from addin.simulation.runs import Progress, Run
from addin.simulation.stakes import Stakes, require_a_quote
from addin.simulation.statistics import Interval, statistics, t_interval
from addin.simulation.trials import Job
from addin.sizing import answers
from addin.sizing.whatif import candidates, of_another_choice, require_an_array
from addin.workbook.book import SizingBook

CERTAINTIES = (0.8, 0.9, 0.95, 0.99)
BOUGHT = (0.05, 0.2, 0.35, 0.5, 0.65, *CERTAINTIES, 0.999)  # chances that the numbers compared suffice with
TRIALS = 16_384  # each array has as many
LAST_BITS = 1e-12  # of a sum of chances
NO_ARRAY = "no_array"
NO_QUOTE = "No quote is entered."
APART = ("container_arrays", "share_total_gib", "tier_gib")
COUNT, ARRAY = "arrays_required", "array"
UNCHECKED, NONE = "constraints_unchecked", "none"


@dataclass(frozen=True)
class Choice:
    """An array: how many the design needs, and the chance that each number suffices.

    `chances` is empty where something is unchecked, and where the trials are too few to say one.
    """

    array: str
    designed: float
    unchecked: str
    chances: Mapping[float, float] = field(default_factory=dict)

    def enough(self, certainty: float) -> float | None:
        """Return the least number of arrays that suffices with that chance; None where nothing is known."""
        found = (count for count, chance in sorted(self.chances.items()) if chance >= certainty - LAST_BITS)
        return next(found, None)

    def suffices(self, count: float) -> float:
        """Return the chance that a number of arrays suffices."""
        return max((chance for each, chance in self.chances.items() if each <= count), default=0.0)

    @property
    def holds(self) -> float | None:
        """The chance that the number designed suffices."""
        return self.suffices(self.designed) if self.chances else None


@dataclass(frozen=True)
class Design:
    """A number of an array bought on day one, with a quote: the chance that it suffices and its cost over the draws.

    `normal` is the chance in normal operation alone, `lasting` that of no other purchase to the last year. `regret` is
    what it costs more, on average, than what turns out best, `best` the share of the trials in which it is that;
    `dominated` names a design that is as sure for less, or surer for no more. At a quote of `turns` it begins or ceases
    to be the choice, as `rival` costs the same (turning.py); None where no quote does that. Both are in the currency
    `quoted_in`, a unit of which is `rate` of the workbook's. `replicates` are the mean costs of the scrambles.
    """

    array: str
    number: float
    chance: float
    normal: float
    lasting: float
    mean: Interval
    p95: float
    regret: float
    best: float
    dominated: str = ""
    quote: float | None = None
    turns: float | None = None
    rival: str = ""
    quoted_in: str = ""
    rate: float = 1.0
    replicates: tuple[float, ...] = ()

    @property
    def name(self) -> str:
        """The array and how many of it."""
        return f"{self.array} x {self.number:.0f}"


@dataclass(frozen=True)
class Decision:
    """Every array with its chances, every design with a quote in the order of its cost, what knowing more is worth.

    `worths` hold everything first; none where it cannot be said, `why` says why then. `apart`: the design also has
    arrays for containers, a cloud share or managed disks, which take no part in the chances. `no_rate` are the arrays
    without a cost because their quote is in another currency. With growth per year (`yearly`) the chances are those of
    year 1; `undrawn` says what is not drawn then. `alerts` are what `size` says of the base design.
    """

    choices: tuple[Choice, ...]
    designs: tuple[Design, ...]
    worths: tuple[Worth, ...]
    why: str
    stakes: Stakes
    trials: int
    apart: bool = False
    no_rate: tuple[str, ...] = ()
    yearly: bool = False
    undrawn: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    seed: int = SEED

    def chosen(self, certainty: float) -> Design | None:
        """Return the design with the least mean cost of those that suffice with that chance."""
        sure = [each for each in self.designs if each.chance >= certainty - LAST_BITS]
        return min(sure, key=lambda each: each.mean.value, default=None)

    def open_with(self, certainty: float) -> Design | None:
        """Return a design as sure whose mean cost is that of the chosen one within the error of the draws."""
        best = self.chosen(certainty)
        others = [each for each in self.designs if each != best and each.chance >= certainty - LAST_BITS]
        other = min(others, key=lambda each: each.mean.value, default=None)
        if best is None or other is None:
            return None
        more = np.subtract(other.replicates, best.replicates)
        return other if len(more) and t_interval(float(more.mean()), more).low <= 0 else None

    @property
    def cheapest(self) -> Design | None:
        """The design with the least mean cost, however sure."""
        return self.chosen(0.0)


@dataclass(frozen=True)
class _Sized:
    """An array that is fully checked, as it was run: its choice, what it sets, what it draws."""

    choice: Choice
    overrides: dict[Address, Scalar]
    risk: Risk
    job: Job


@dataclass(frozen=True, eq=False)
class _Drawn:
    """The draws x (k, replicates, trials) of all inputs, and the key and label of each."""

    names: tuple[tuple[str, str], ...]
    x: information.Floats

    @property
    def trials(self) -> int:
        """Trials of all replicates."""
        return int(self.x[0].size)


def decide(
    book: SizingBook,
    settings: Iterable[str] = (),
    trials: int | None = None,
    seed: int = SEED,
    workers: int = 1,
    progress: Progress | None = None,
    stakes: Stakes | None = None,
) -> Decision:
    """Return what to buy at each certainty, and what is worth finding out first.

    Raises RequestError where no input is uncertain, for an array among the settings, and as `SizingBook.settings`.
    """
    array = book.find(book.inputs, ARRAY, "input")
    base = book.settings(settings)
    if array.address in base:
        raise RequestError("array: decide takes every array of the list. Leave it out of --set.")
    if INSTALLED in book.inputs and base.get(book.inputs[INSTALLED].address) is not None:
        raise RequestError(f"{INSTALLED}: decide finds how many to buy. Leave it out of --set.")
    if NO_ARRAY in book.results and book.evaluate(base, [NO_ARRAY])[NO_ARRAY] == 1:
        raise RequestError(
            f"{book.path.name}: nothing of this design is on an array; decide compares numbers of arrays. "
            "simulate says whether its disks suffice."
        )
    require_an_array(book, base)
    names = candidates(book, array, base)
    others = frozenset(map(str, names)) - {str(book.cells.constant(array.address))}
    found: list[Choice] = []
    sized: list[_Sized] = []
    for number, name in enumerate(names, 1):
        chosen = {array.address: name}
        overrides = {**base, **of_another_choice(book, base, chosen), **chosen}
        if INSTALLED in book.inputs:
            overrides[book.inputs[INSTALLED].address] = None
        each = _sized(book, str(name), overrides, (TRIALS if trials is None else trials, seed, workers), others)
        found.append(each.choice if isinstance(each, _Sized) else each)
        sized += [each] if isinstance(each, _Sized) else []
        if progress is not None:
            progress(number, len(names))
    stakes, parts = stakes or Stakes(), [key for key in APART if key in book.results]
    apart = any(value not in (0, NONE) for value in book.evaluate(base, parts).values())
    outcomes, drawn, why = _outcomes(book, sized, stakes)
    no_rate = _without_rate(book, sized, outcomes)
    if why == NO_QUOTE:
        require_a_quote(stakes)
    said = _said(book, settings, sized)
    run = sized[0].job.plan.trials if sized else TRIALS if trials is None else trials
    if not outcomes or drawn is None:
        return Decision(tuple(found), (), (), why, stakes, run, apart, no_rate, *said, seed)
    chances = {each.choice.array: each.choice for each in sized}
    made, costs = _designs(outcomes, chances, stakes)
    why = _no_information(stakes, made)
    desktops = book.evaluate(base, [designs.DESKTOPS])[designs.DESKTOPS]
    pilots = finding_out.Pilots(stakes.pilot, desktops if isinstance(desktops, float) else 0.0)
    worths = [] if why else _worths(outcomes, costs, drawn, pilots)
    order = sorted(made, key=lambda each: (each.mean.value, each.name))
    return Decision(tuple(found), tuple(order), tuple(worths), why, stakes, run, apart, no_rate, *said, seed)


def _said(
    book: SizingBook, settings: Iterable[str], sized: Sequence[_Sized]
) -> tuple[bool, tuple[str, ...], tuple[str, ...]]:
    """Return whether growth per year counts, what is not drawn for it, and what the base design raises."""
    risk = sized[0].risk if sized else None
    undrawn = () if risk is None else tuple(note for note in risk.notes if note.endswith(GROWTH_ONCE))
    alerts = tuple(each.line for each in answers.answer(book, settings)[1])
    return risk is not None and risk.yearly, undrawn, alerts


def _sized(
    book: SizingBook,
    name: str,
    overrides: dict[Address, Scalar],
    run: tuple[int, int, int],
    others: frozenset[str],
) -> Choice | _Sized:
    """Run an array that is fully checked; `run` are trials, seed and threads, `others` all but that of the design."""
    values = book.evaluate(overrides, [COUNT, *([UNCHECKED] if UNCHECKED in book.results else [])])
    designed, unchecked = values[COUNT], str(values.get(UNCHECKED, NONE))
    if not isinstance(designed, float) or unchecked != NONE:
        return Choice(name, designed if isinstance(designed, float) else 0.0, unchecked)
    trials, seed, workers = run
    plan = sampling.plan(trials, where="--trials", chunk=book.engine.budget.chunk)
    risk = read_risk(book, overrides)
    if not risk.uncertain:
        raise RequestError(f"{book.path.name}: no input of {title(book)} has a spread. Give one a distribution there.")
    if plan.trials < information.LEAST_TRIALS:
        return Choice(name, designed, unchecked)
    key = _counted(book, overrides, risk)
    job = prepared(book, risk, overrides, [key], plan, seed, "sobol", workers).job
    if name in others:
        job = designs.with_own_streams(job, name, others)
    return _Sized(Choice(name, designed, unchecked, _chances(job, key, workers)), overrides, risk, job)


def _counted(book: SizingBook, overrides: Mapping[Address, Scalar], risk: Risk) -> str:
    """Return the result that says how many arrays a trial needs: with growth per year those of year 1, growth included.

    The growth to plan for, which is drawn without it, is that of the first year too.
    """
    if not risk.yearly or FIRST not in book.results:
        return COUNT
    return FIRST if isinstance(book.evaluate(overrides, [FIRST])[FIRST], float) else COUNT


def _chances(job: Job, key: str, workers: int) -> dict[float, float]:
    """Return the share of the trials in which each number of arrays suffices."""
    plan = job.plan
    x, _ = job.draw(plan.per_replicate, range(plan.replicates), 0, plan.block)
    job.model.runner().checked(x.reshape(len(x), -1), job.seed)
    ran = Run(job, None)
    with ThreadPoolExecutor(workers) as threads:
        ran.through(threads, workers, None)
    if ran.part is None:
        raise KeyboardInterrupt
    enough, chances = 0.0, {}
    for each in statistics(ran.part.summary, key).outcomes():
        enough += each.interval.value
        chances[each.outcome] = min(1.0, enough)
    return chances


def _outcomes(book: SizingBook, sized: Sequence[_Sized], stakes: Stakes) -> tuple[list[Outcomes], _Drawn | None, str]:
    """Return the costs of every array with a quote and the draws of all inputs; without costs, the reason."""
    missing = [key for key in (*designs.RESULTS, INSTALLED) if key not in book.results and key not in book.inputs]
    if missing:
        return [], None, f"This copy has no result {missing[0]}, so costs are left out. Take a fresh copy."
    if not isinstance(book.engine, Kernel):
        return [], None, f"Costs are left out: {book.engine.name} is too slow for them."
    priced = [each for each in sized if _is_priced(book, each)]
    if not priced:
        return [], None, NO_QUOTE
    priced.sort(key=lambda each: each.choice.array)
    keys, x = designs.drawn([each.job for each in priced], priced[0].job.plan.trials)
    found = []
    for each in priced:
        counts = designs.numbers(count for level in BOUGHT if (count := each.choice.enough(level)) is not None)
        rows = x[[keys.index(key) for key in each.job.keys]]
        made = designs.outcomes(book, each.choice.array, each.overrides, each.risk, rows, counts, stakes)
        found += [made] if made is not None else []
    labels = {
        key: f"{entry.item.short}{'' if key == entry.key else f', {each.choice.array}'}"
        for each in priced
        for key, entry in zip(each.job.keys, each.risk.uncertain, strict=True)
    }
    drawn = _Drawn(tuple((key, labels[key]) for key in keys), x)
    return (
        found,
        drawn,
        "" if found else "Some trials end in an error, so costs are left out. See the command simulate.",
    )


def _is_priced(book: SizingBook, sized: _Sized) -> bool:
    """Return whether an array has a cost with every input at its median: a quote may be a range on Risk inputs."""
    medians = {entry.item.address: entry.spread.median for entry in sized.risk.uncertain}
    cost = book.evaluate({**sized.overrides, **sized.risk.fixed, **medians}, [COST])[COST]
    return isinstance(cost, float) and cost > 0


def _without_rate(book: SizingBook, sized: Sequence[_Sized], outcomes: Sequence[Outcomes]) -> tuple[str, ...]:
    """Return the arrays without a cost whose quote is in another currency than the workbook and has no rate."""
    priced = {each.array for each in outcomes}
    found = []
    for each in sized:
        array = each.choice.array
        keys = (designs.CURRENCY, f"{array}.price", *designs.quote_keys(array))
        own, price, quoted, rate = (designs.typed(book, key, each.overrides) for key in keys)
        if array not in priced and price and quoted and not rate and str(quoted).casefold() != str(own).casefold():
            found.append(array)
    return tuple(found)


def _designs(
    outcomes: Sequence[Outcomes], choices: Mapping[str, Choice], stakes: Stakes
) -> tuple[list[Design], information.Floats]:
    """Return the designs and their costs (designs, replicates, trials), by array and number."""
    costs = np.stack([each.costs[count] for each in outcomes for count in each.costs])
    pairs = [(each, count) for each in outcomes for count in each.costs]
    chances = [choices[each.array].suffices(count) for each, count in pairs]
    means, p95 = information.mean_and_p95(costs)
    regret, best = information.regret(costs), information.often_best(costs)
    better = information.dominated_by(chances, [mean.value for mean in means])
    made = []
    for n, (each, count) in enumerate(pairs):
        shares = chances[n], each.normal[count], each.lasting[count]
        made.append(Design(each.array, count, *shares, means[n], p95[n], float(regret[n]), float(best[n])))
    lines = [
        turning.Priced(d.array, d.name, d.chance + LAST_BITS, d.mean.value, each.quote, each.slopes.get(count, 0.0))
        for d, (each, count) in zip(made, pairs, strict=True)
    ]
    turns = turning.turns(lines, (0.0,) if stakes.money_decides else CERTAINTIES)
    named = []
    for design, (each, count), surer in zip(made, pairs, better, strict=True):
        dominated = "" if surer is None else made[surer].name
        means_of = tuple(map(float, each.costs[count].mean(axis=1)))
        found = replace(design, dominated=dominated, quote=each.quote, replicates=means_of)
        found = replace(found, quoted_in=each.quoted_in, rate=each.rate)
        turn = turns.get(design.name)
        named.append(found if turn is None else replace(found, turns=turn.quote, rival=turn.rival))
    return named, costs


def _no_information(stakes: Stakes, made: Sequence[Design]) -> str:
    """Return why it is not said what knowing more is worth; nothing where it is."""
    if not stakes.money_decides:
        return (
            "The worth of finding out more is not shown, as no cost of a desktop below the agreed level is typed: the "
            "least mean cost would buy too few arrays, so certainty alone decides. Type it on Risk inputs."
        )
    if len(made) < 2:
        return "There is one design only, so nothing that can be found out changes the choice."
    return ""


def _worths(
    outcomes: Sequence[Outcomes], costs: information.Floats, drawn: _Drawn, pilots: finding_out.Pilots
) -> list[Worth]:
    of = tuple(n for n, each in enumerate(outcomes) for _ in each.costs)
    return finding_out.worths(costs, drawn.x, drawn.names, np.stack([each.need for each in outcomes]), of, pilots)
