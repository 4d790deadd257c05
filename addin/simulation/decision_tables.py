"""A decision in tables and sentences: what to buy at each certainty, every design, what to find out first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from addin.kernel import Scalar
from addin.numerals import number_of, numeral
from addin.simulation.decide import CERTAINTIES, NO_QUOTE, NONE, Choice, Decision, Design
from addin.simulation.decision_words import LEAST_DIGITS, about, answered, money, percent, supported, unit
from addin.simulation.finding_out import PILOT, Worth
from addin.simulation.information import LEAST_TRIALS
from addin.simulation.stakes import FAILURE_DAYS, LATE_DAYS, PREMIUM, Stakes
from addin.sizing.tables import Table
from addin.workbook.book import SizingBook

AS_GIVEN, TYPED = "as given", "Risk inputs"  # where a figure is from
NOT_CHECKED, TOO_FEW = "not checked", "too few trials"
ONE_ARRAY = "No quote is entered: compare numbers of one array, not of two. Enter quotes on Arrays or My arrays."
ONE_ARRAY_NO_RATE = (
    "No quote counts, as the rate of its currency is not typed: compare numbers of one array, not of two. Type the "
    "rate on My arrays."
)
NONE_CHECKED = "No array is fully checked, so none gets a chance. Enter the figures named under Not checked."
OF_YEAR_1 = "That certainty is of year 1, its growth included."


def _on_average(design: Design, book: SizingBook) -> str:
    return money(answered(design.mean.value, design.mean.half_width), unit(book))


def answer(decision: Decision, book: SizingBook) -> str:
    """Return what to buy, how sure it is and what to find out first, in one or two sentences."""
    checked = [each for each in decision.choices if each.chances]
    if not checked:
        few = any(each.unchecked == NONE for each in decision.choices)
        return _of_few(decision.trials) if few else NONE_CHECKED
    if not decision.designs:
        said = "; ".join(f"{each.array}: {_counts(each)}" for each in checked[:3])
        unpriced = ONE_ARRAY_NO_RATE if decision.no_rate else ONE_ARRAY
        year = f"{OF_YEAR_1} " * decision.yearly
        return f"{said}. {year}{unpriced if decision.why == NO_QUOTE else decision.why}"
    best = decision.cheapest
    if decision.stakes.money_decides and best is not None:
        cost = _on_average(best, book)
        said = f"Buy {best.name}: costs least on average, {cost}, and suffices {_until(decision, best)}."
        return f"{said} {_first(decision, book)}".rstrip()
    return " ".join((*_steps(decision, book), *((OF_YEAR_1,) * decision.yearly)))


def _until(decision: Decision, design: Design) -> str:
    """Return the chance that a design suffices; with growth per year that of year 1, and of no later purchase."""
    if not decision.yearly:
        return f"with {about(design.chance)}"
    return f"in year 1 with {about(design.chance)}, to the last year with {about(design.lasting)}"


def _of_few(trials: int) -> str:
    points = numeral(math.ceil(100 * 1.96 * math.sqrt(0.25 / trials)))  # of an even chance, at most
    return (
        f"{numeral(trials)} trials are too few to say what to buy: a chance could be off by {points} points. "
        f"Ask for {numeral(LEAST_TRIALS)} or more."
    )


def _counts(choice: Choice) -> str:
    """Return how many of an array are 80 % sure and how many 99 %."""
    counts = [(level, numeral(choice.enough(level) or 0, ".0f")) for level in (0.8, 0.95, 0.99)]
    return ", ".join(f"{count} {'is' if count == '1' else 'are'} {percent(level)} sure" for level, count in counts)


def _steps(decision: Decision, book: SizingBook) -> Iterator[str]:
    """Yield the design of each certainty, levels with the same design together."""
    chosen = [(level, design) for level in CERTAINTIES if (design := decision.chosen(level)) is not None]
    for name, steps in groupby(chosen, key=lambda each: each[1].name):
        levels = list(steps)
        ends = dict.fromkeys(percent(level) for level in (levels[0][0], levels[-1][0]))
        yield f"{' to '.join(ends)} sure: {name}, {_on_average(levels[0][1], book)} on average."


def _first(decision: Decision, book: SizingBook) -> str:
    """Return what is worth finding out first, or that nothing is."""
    if decision.why:
        return ""
    worth = [each for each in decision.worths if each.value.value > 0]
    known = [each for each in worth if each.keys]
    if not worth:
        return "Find out nothing first: no answer would change the choice."
    if not known:
        return "No single figure is worth finding out first: none would change the choice by itself."
    if any(each.cost is not None for each in decision.worths):  # what is left of a pilot after its cost counts
        known = [each for each in known if each.pays and (each.pilots or PILOT not in each.action)]
    if not known:
        return "Find out nothing first, buy: no pilot is worth its cost, and nothing else would change the choice."
    first = max(known, key=lambda each: each.net)
    if first.cost is not None:
        alike = _pilots_like(first, known)
        sizes = " or ".join(str(each.pilots) for each in alike)
        said = f"pilot {sizes} desktops{', no clear best' if len(alike) > 1 else ''}, then run measure"
        return f"Find out first: {said}, worth {_after_cost(alike, unit(book))}.{_beside(first, known)}"
    how = f"{first.action[:1].lower()}{first.action[1:]}"
    digits = 2 if first.value.half_width < first.value.value / 10 else 1  # as many as the draws support
    up_to = money(first.value.value, unit(book), digits)
    return f"Find out first: {first.what.lower()}, worth up to {up_to}: {how}.{_beside(first, known)}"


def _pilots_like(best: Worth, among: Sequence[Worth]) -> list[Worth]:
    """Return the pilots that the draws do not tell apart from the best one, with it, the smallest first."""
    return sorted((each for each in among if each.pilots and each.like(best)), key=lambda each: each.pilots)


def _after_cost(alike: Sequence[Worth], currency: str) -> str:
    """Return what is left of pilots and what they cost, each in the order given."""
    left = _amounts([each.net for each in alike], currency, 2)
    spent = _amounts([each.cost or 0.0 for each in alike], currency, LEAST_DIGITS)
    return f"{left} {currency} after its cost of {spent} {currency}"


def _amounts(values: Sequence[float], currency: str, digits: int) -> str:
    texts = dict.fromkeys(money(each, currency, digits).removesuffix(f" {currency}") for each in values)
    return " or ".join(texts)


def _beside(first: Worth, known: Sequence[Worth]) -> str:
    """Return what else may be worth as much. A group says nothing of an input of its own, nor one pilot of another."""

    def other(each: Worth) -> bool:
        keys, own = set(each.keys), set(first.keys)
        return not (keys <= own or own <= keys) and each.like(first)

    alike = [each.what.lower() for each in known if other(each)]
    return f" As good within the error: {'; '.join(alike)}." if alike else ""


def arrays(decision: Decision, book: SizingBook) -> Table:
    """Return a row for each array: the chance of the number designed, how many suffice at each certainty."""
    counts = tuple(f"{percent(level)} sure" for level in CERTAINTIES)
    headings = ("Storage array", "As designed", "Chance that it suffices", *counts, "Not checked")
    units = ("", "arrays", "", *("arrays",) * len(counts), "")
    rows = []
    for each in ranked(decision):
        unsaid = TOO_FEW if each.unchecked == NONE else NOT_CHECKED
        shown: list[Scalar] = [each.array, each.designed, unsaid if each.holds is None else about(each.holds)]
        shown += [unsaid if (count := each.enough(level)) is None else count for level in CERTAINTIES]
        rows.append((*shown, each.unchecked))
    return Table(
        headings, units, tuple(rows), (answer(decision, book), *decision.alerts, *notes(decision, book), *book.notes)
    )


def ranked(decision: Decision) -> list[Choice]:
    """Return what is fully checked first, by the mean cost of the highest certainty; the others in their order."""

    def cost(choice: Choice) -> float:
        own = [each for each in decision.designs if each.array == choice.array]
        sure = [each.mean.value for each in own if each.number == choice.enough(CERTAINTIES[-1])]
        return min(sure, default=math.inf)

    return sorted(decision.choices, key=lambda each: (each.unchecked != NONE, cost(each)))


def chosen(decision: Decision, book: SizingBook) -> Table:
    """Return a row for each certainty: the design that costs least on average, and what the certainty costs.

    Amounts have the digits that the error of their means supports.
    """
    currency = unit(book)
    headings = ("Certainty", "Storage array", "Arrays", "Chance it suffices", "Mean cost", "Price of certainty")
    rows: list[tuple[Scalar, ...]] = []
    least = decision.cheapest
    for level in CERTAINTIES:
        design = decision.chosen(level)
        if design is None or least is None:
            continue
        error, of_least = design.mean.half_width, least.mean.half_width
        more = supported(design.mean.value - least.mean.value, max(error, of_least))
        row = (design.array, design.number, about(design.chance), supported(design.mean.value, error), more)
        rows.append((f"{percent(level)} sure", *row))
    units = ("", "", "arrays", "", currency, currency)
    return Table(headings, units, tuple(rows))


def designs(decision: Decision, book: SizingBook, chances: bool = False) -> Table:
    """Return a row for each design, by array and number; with `chances` as numbers, else in words."""
    currency = unit(book)
    headings = (
        *("Design", "Arrays", "Chance it suffices", "In normal operation", "To the last year", "Mean cost"),
        *("Error of the mean", "P95 of the cost", "Mean regret", "Cheapest in"),
        *("Quote", "Choice changes at a quote of", "Then as cheap as", "Remark"),
    )
    money_units = (*(currency,) * 4, "", currency, currency, "", "")
    rows = []
    for each in by_array(decision):
        rows.append(
            (
                each.name,
                each.number,
                *((share if chances else about(share)) for share in (each.chance, each.normal, each.lasting)),
                each.mean.value,
                each.mean.half_width,
                each.p95,
                each.regret,
                f"{percent(each.best)} of trials",
                None if each.quote is None else each.quote * each.rate,
                None if each.turns is None else each.turns * each.rate,
                each.rival or None,
                "; ".join(filter(None, (remark(decision, each), _quoted(each)))),
            )
        )
    return Table(headings, ("", "arrays", "", "", "", *money_units), tuple(rows))


def _quoted(design: Design) -> str:
    """Return a quote in another currency as the vendor has it, and where it changes the choice; else nothing."""
    if not design.quoted_in or design.quote is None:
        return ""
    said = f"quoted at {money(design.quote, design.quoted_in)}"
    if design.turns is None:
        return said
    turns = answered(design.turns, design.mean.half_width / max(1.0, design.number) / design.rate)
    return f"{said}, choice changes at {money(turns, design.quoted_in)}"


def by_array(decision: Decision) -> list[Design]:
    """Return the designs of the array with the least mean cost first, those of one array by number."""
    order = list(dict.fromkeys(each.array for each in decision.designs))
    return sorted(decision.designs, key=lambda each: (order.index(each.array), each.number))


def remark(decision: Decision, design: Design) -> str:
    """Return what a design is chosen for, or which one is better in every respect."""
    said = []
    levels = [level for level in CERTAINTIES if (found := decision.chosen(level)) and found.name == design.name]
    if decision.cheapest and decision.cheapest.name == design.name:
        said.append("least mean cost")
    if levels:
        said.append(f"chosen for {', '.join(map(percent, levels))}")
    if design.dominated:
        said.append(f"dominated by {design.dominated}")
    return "; ".join(said)


def information(decision: Decision, book: SizingBook) -> Table:
    """Return a row for what is worth finding out, the most first; what is worth nothing is named below."""
    currency = unit(book)
    worth = [each for each in decision.worths if each.value.value > 0]
    rows = [(each.what, each.value.value, each.value.half_width, each.action) for each in worth]
    headings: tuple[str, ...] = ("Find out", "Worth up to", "Error", "How")
    units: tuple[str, ...] = ("", currency, currency, "")
    notes = (*_not_worth(decision.worths), *_of_pilots(decision, currency))
    if decision.stakes.pilot is None or not any(each.pilots for each in worth):
        return Table(headings, units, tuple(rows), notes)
    costs = [(each.cost, None if each.cost is None else each.net) for each in worth]
    beside = tuple((*row[:3], *cost, row[3]) for row, cost in zip(rows, costs, strict=True))
    headings = (*headings[:3], "Cost", "Worth less its cost", headings[3])
    return Table(headings, (*units[:3], currency, currency, ""), beside, notes)


def _of_pilots(decision: Decision, currency: str) -> Iterator[str]:
    """Yield which number of pilot desktops is worth most after its cost, or that their cost is not counted."""
    tried = [each for each in decision.worths if each.pilots]
    if not tried:
        return
    *most, last = sorted(each.pilots for each in tried)
    sizes = f"{', '.join(map(str, most))} and {last}" if most else f"{last}"
    if decision.stakes.pilot is None:
        yield "What a pilot costs is not counted. Type the cost of a pilot desktop on Risk inputs to have it counted."
    elif best := max((each for each in tried if each.pays), key=lambda each: each.net, default=None):
        alike = _pilots_like(best, [each for each in tried if each.pays])
        which = " or ".join(str(each.pilots) for each in alike)
        unsure = ", which the draws do not tell apart" if len(alike) > 1 else ""
        yield f"Of pilots of {sizes} desktops, that of {which} is worth most{unsure}: {_after_cost(alike, currency)}."
    else:
        yield f"Of pilots of {sizes} desktops, none is worth its cost beyond the error of the draws."


def _not_worth(worths: Sequence[Worth]) -> Iterator[str]:
    nothing = [each.what for each in worths if each.value.value == 0 and len(each.keys) == 1]
    if nothing:
        yield f"Worth nothing by themselves, as no value of them would change the choice: {'; '.join(nothing)}."


def notes(decision: Decision, book: SizingBook) -> tuple[str, ...]:
    """Return what the figures rest on."""
    return tuple(_notes(decision, unit(book)))


def _notes(decision: Decision, currency: str) -> Iterator[str]:
    checked = [each for each in decision.choices if each.chances]
    if not checked:
        return
    if len(compared := {each.array for each in decision.designs or checked}) == 1:
        priced = " and has a quote that counts" * bool(decision.designs)
        yield f"Only {min(compared)} is fully checked{priced}: only counts of it are compared, not other arrays."
    if decision.designs:
        yield from _of_costs(decision, checked, currency)
    if decision.yearly:
        yield "A number suffices where it carries year 1 with the growth of that year; normal operation is of day one."
        yield from decision.undrawn
    yield "These chances are right only if the spreads on Risk inputs are. All arrays are sized for the same draws."
    if decision.no_rate:
        arrays = "; ".join(decision.no_rate)
        yield f"Not ranked, as the quote is in another currency and its rate is not typed: {arrays}."
    if decision.apart:
        yield "Arrays for containers, a cloud share and managed disks take no part in these chances."
    if len(checked) < len(decision.choices):
        yield "No chance is shown for an array that is not fully checked: it is unknown whether it suffices."


def _of_costs(decision: Decision, checked: Sequence[Choice], currency: str) -> Iterator[str]:
    steps = [design for level in CERTAINTIES if (design := decision.chosen(level)) is not None]
    more = steps[-1].mean.value - steps[0].mean.value
    if more > 0:
        ends = percent(CERTAINTIES[0]), percent(CERTAINTIES[-1])
        yield f"From {ends[0]} to {ends[1]} sure costs {money(more, currency)} more on average."
    else:
        ends = percent(CERTAINTIES[0]), percent(CERTAINTIES[-1])
        yield f"{steps[0].name} costs least at every certainty from {ends[0]} to {ends[1]}."
    levels = (0.0,) if decision.stakes.money_decides else CERTAINTIES
    for level in levels:
        best, other = decision.chosen(level), decision.open_with(level)
        if best is not None and other is not None:
            sure = f"At {percent(level)}: " if level else ""
            yield f"{sure}{best.name} and {other.name} cost the same within the error of the draws: the choice is open."
    stakes = decision.stakes
    words = f"An array that turns out to be missing is bought {_late(stakes)}"
    if stakes.desktop_day is None:
        yield f"{words}."
        yield decision.why
    else:
        day = numeral(stakes.desktop_day, ",.2f")
        days = number_of(stakes.failure_days, "day")
        yield f"{words}; a desktop below the agreed level costs {day} {currency} a working day."
        yield f"A shortfall that only a failure brings counts on {days} a year ({_from(stakes, FAILURE_DAYS)})."
        if decision.why:
            yield decision.why
    yield "Mean cost and P95 are present costs over the draws, late purchases included."
    if gaps := [array for array, own in groupby(by_array(decision), key=lambda each: each.array) if _has_gap(own)]:
        yield f"Of {'; '.join(gaps)} not every number is compared: those in between are left out."
    priced = {each.array for each in decision.designs}
    without = [each.array for each in checked if each.array not in {*priced, *decision.no_rate}]
    if without:
        yield f"Not ranked, as they have no quote: {'; '.join(without)}."


def _late(stakes: Stakes) -> str:
    """Return how much dearer and how late, and where each figure is from."""
    said = (f"{percent(stakes.late_premium)} dearer", f"{numeral(stakes.late_days, ',g')} working days late")
    first, second = _from(stakes, PREMIUM), _from(stakes, LATE_DAYS)
    if first == second:
        return f"{said[0]} and {said[1]} ({first})"
    return f"{said[0]} ({first}) and {said[1]} ({second})"


def _from(stakes: Stakes, setting: str) -> str:
    return AS_GIVEN if setting in stakes.given else TYPED


def _has_gap(own: Iterable[Design]) -> bool:
    """Return whether a number is missing among those of an array, which stand in their order."""
    numbers = [each.number for each in own]
    return numbers[-1] - numbers[0] >= len(numbers)


def chances(decision: Decision, most: int = 4) -> Table:
    """Return the chance that each number suffices: a row a number, a column for each of the first arrays checked."""
    order = [each.array for each in by_array(decision)]  # with a quote first, so that both charts mark an array alike
    checked = [each for each in ranked(decision) if each.chances]
    shown = sorted(checked, key=lambda each: order.index(each.array) if each.array in order else len(order))[:most]
    first = min((each.enough(0.05) or 1.0 for each in shown), default=1.0)
    last = max((each.enough(0.999) or 1.0 for each in shown), default=1.0)
    numbers = range(max(1, int(first) - 1), int(last) + 1) if shown else range(0)
    rows = tuple((float(n), *(each.suffices(n) for each in shown)) for n in numbers)
    return Table(("Arrays bought", *(each.array for each in shown)), ("", *("",) * len(shown)), rows)
