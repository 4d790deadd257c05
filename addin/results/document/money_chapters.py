"""The chapters about money and alternatives: cost or arrays over the years, alternatives, risk."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from addin.kernel import Address, Scalar
from addin.leaving.marks import places
from addin.prices import is_money
from addin.results import risk_sheet
from addin.results.document import charts
from addin.results.document.blocks import Block, Chapter, Grid, Head, Picture, Text
from addin.results.document.reading import BLANK, Reading, keys_of
from addin.results.labels import OLDER, Compare, CostReview
from addin.results.page import STATE_ROW
from addin.results.report_text import chance_words, flag_label
from addin.workbook.book import Item, SizingBook

LEFT_OUT = "Prices and everything made of them are left out of this document."
RANKED = "Fully checked designs come first, then the fewest. “At least”: a figure that counts is not published."
_COSTS = keys_of("""
    price_shown cost_status npv cost_per_desktop_month cost_per_user_month paid_total capex_total running_total
    equal_yearly_cost cost_total cost_per_desktop over_budget next_purchase_year purchase_reason desktop_month_words
    horizon_words
""")


_PAID = (
    *(CostReview.ARRAYS, CostReview.INSTALLATION, CostReview.SUPPORT, CostReview.HOSTS, CostReview.LICENCES),
    *(CostReview.POWER, CostReview.RACK, CostReview.ADMINISTRATION, CostReview.CLOUD),
)
_COUNTED = (CostReview.NEEDED, CostReview.OWNED)
_COMPARED = (
    *(Compare.ARRAY, Compare.YEAR, Compare.STATE, Compare.NORMAL, Compare.AFTER),
    *(Compare.LIMIT, Compare.UNCHECKED),
)
_COMPARED_MONEY = (Compare.ARRAY, Compare.PRICE, Compare.PRESENT_COST, Compare.PER_MONTH, Compare.BREAK_EVEN)
_NOT_COMPARED = (Compare.EMPTY_CARD, Compare.LEFT_OUT, "", BLANK)
_HOLDS = re.compile(r"Design of (.+) (?:holds?|suffices)")
_TRIALS = re.compile(r"([\d,]{1,20}) trials of this workbook")
_DISKS = re.compile(r"\d+(?= disks$)")
_IF_RIGHT = ", if the spreads on Risk inputs are right"
_UNSEALED = (
    f"Left out, content not known: {risk_sheet.TITLE}, whose figures are not those that a simulation wrote. Simulate "
    "again with --save, or hand over with prices."
)


def cost(reading: Reading) -> Chapter:
    """Return the arrays year by year, with prices also their cost."""
    years = list(_years(reading))
    blocks: list[Block] = []
    if reading.prices:
        blocks += [
            Text("Storage cost before tax and VAT: not the cost of a desktop."),
            Grid("Cost in short", ("", ""), reading.rows(_COSTS), frozenset({1})),
        ]
    else:
        rows = reading.rows(("arrays_first", "arrays_last", "next_purchase_year", "purchase_reason"))
        blocks += [Text(LEFT_OUT), Grid("Purchases", ("", ""), rows, frozenset({1}))]
    blocks += [*day_one(reading), *_lines(reading)]
    if years:
        blocks.append(Grid("Year by year", years[0], years[1:], frozenset(range(1, len(years[0]))), wide=True))
        blocks += list(_year_charts(reading))
    return Chapter("cost", "Cost over the years" if reading.prices else "Arrays over the years", blocks)


def _lines(reading: Reading) -> Iterator[Block]:
    """Yield the lines from the list price to the present cost; nothing without prices, or without a quote."""
    heads = (CostReview.FROM_LIST, CostReview.AMOUNT, CostReview.UNIT, CostReview.SOURCE)
    rows = [
        (str(label), reading.figure(amount, str(unit)) if amount else BLANK, reading.figure(source))
        for label, amount, unit, source in reading.block(CostReview.SHEET, *heads)
    ]
    if reading.prices and isinstance(reading.value("npv"), float):
        yield Head(CostReview.FROM_LIST)
        yield Grid("Cost by line", ("Line", heads[1], heads[3]), rows, frozenset({1}))


def day_one(reading: Reading) -> list[Block]:
    """Return why the arrays of the answer differ from those of the years; nothing where they are equal."""
    now, first, last = (reading.number(key) for key in ("arrays_used", "arrays_first", "arrays_last"))
    if not first or now == first == last:
        return []
    years = f"a year is sized for the desktops it has to hold: {reading.several(first)} in the first, {last:,.0f} in"
    text = f"The answer is of day one, {reading.several(now)}; {years} the last."
    paid = " The cost of day one and cost per desktop count those of day one, present cost those of the years."
    return [Text(text + paid * reading.prices)]


def _year_columns(reading: Reading) -> tuple[Address, list[int]] | None:
    """Return the heading of the first year and the columns of the years of the study."""
    first = reading.heading(CostReview.SHEET, CostReview.FIRST_YEAR)
    if first is None:
        return None
    row = {at.column for at in reading.book.cells.values if at[:2] == first[:2]}
    looked_at = reading.number("arrays_first") and reading.used(reading.book.inputs["years"])
    wanted = range(first.column, first.column + int(looked_at if isinstance(looked_at, float) else 7))
    return first, [column for column in wanted if column in row]


def _year_rows(reading: Reading) -> Iterator[tuple[str, str, list[Scalar]]]:
    """Yield (label, unit, value of each year) of Cost review, down to the figures behind the page."""
    found = _year_columns(reading)
    if found is None:
        return
    first, columns = found
    for label, unit, at in reading.lines(CostReview.SHEET):
        if label in (CostReview.BEHIND, CostReview.FROM_LIST):
            return
        if at.row > first.row:
            yield label, unit, [reading.scalar(at._replace(column=column)) for column in columns]


def _years(reading: Reading) -> Iterator[tuple[str, ...]]:
    found = _year_columns(reading)
    if found is None:
        return
    yield "", *(reading.at(found[0]._replace(column=column)) for column in found[1])
    money = reading.book.results["cost_total"].unit if "cost_total" in reading.book.results else "USD"
    for label, unit, values in _year_rows(reading):
        if all(value in (None, "") for value in values) or (unit == money and not reading.prices):
            continue
        titled = label if unit in ("", "arrays", "desktops", "count", "%") else f"{label}, {unit}"
        share = ("ratio", "share") if unit == "%" else ("", "")
        yield titled, *(reading.figure(value, *share) for value in values)


Years = Sequence[tuple[str, list[float]]]


def yearly(reading: Reading) -> tuple[list[str], Years, Years]:
    """Return the years, the arrays needed and owned in each, and what is paid in each, the largest first."""
    rows = {label: values for label, _, values in _year_rows(reading)}
    found = _year_columns(reading)
    labels = [str(number + 1) for number in range(len(found[1]))] if found else []

    def series(*names: str) -> list[tuple[str, list[float]]]:
        found = [(name, [v for v in rows.get(name, ()) if isinstance(v, float) and v >= 0]) for name in names]
        return [(name, values) for name, values in found if labels and len(values) == len(labels)]

    counted = [(name.replace("Array", reading.word.capitalize()), values) for name, values in series(*_COUNTED)]
    if not reading.prices:
        return labels, counted, []
    paid = [(name, values) for name, values in series(*_PAID) if sum(values) > 0]
    largest = sorted(paid, key=lambda each: -sum(each[1]))
    kept, rest = largest[:3], largest[3:]
    if rest:
        kept.append(("Other", [sum(year) for year in zip(*(values for _, values in rest), strict=True)]))
    return labels, counted, kept


def _year_charts(reading: Reading) -> Iterator[Picture]:
    labels, counted, paid = yearly(reading)
    if counted:
        said = f"{reading.word.capitalize()}s needed and owned in each year."
        yield Picture(charts.columns("Arrays needed and owned by year", labels, counted, unit="year"), said)
    if paid:
        picture = charts.columns("Paid by year", labels, paid, stacked=True, unit="year")
        yield Picture(picture, f"What is paid in each year, in {reading.book.results['cost_total'].unit}.")


class Ranked(NamedTuple):
    """A design of Compare: its rows as texts, and those that are numbers, by their labels."""

    texts: dict[str, str]
    figures: dict[str, float]
    base: bool


def ranked(reading: Reading) -> list[Ranked]:
    """Return the designs of the workbook that can be compared, the best first."""
    rows, found = dict[str, Address](), []
    for label, _, at in reading.lines(Compare.SHEET):
        rows.setdefault(OLDER.get(label, label), at)
    first = reading.heading(Compare.SHEET, Compare.BASE)
    if first is None:
        return []
    for column in sorted(at.column for at in reading.book.cells.values if at[:2] == first[:2]):
        texts = {label: _cell(reading, at._replace(column=column)) for label, at in rows.items()}
        values = {label: reading.scalar(at._replace(column=column)) for label, at in rows.items()}
        figures = {label: value for label, value in values.items() if isinstance(value, float)}
        if column >= first.column and texts.get(Compare.STATE) not in _NOT_COMPARED:
            found.append(Ranked(texts, figures, column == first.column))
    return sorted(found, key=lambda each: each.figures.get(Compare.RANK, math.inf))


def heads(found: Sequence[Ranked], wanted: Iterable[str]) -> list[str]:
    """Return those rows of Compare that it has, by their labels there: with nodes it says "Arrays or nodes"."""
    either = ((label, re.sub(r"^Arrays (?=in|after)", "Arrays or nodes ", label)) for label in wanted)
    return [label for labels in either for label in dict.fromkeys(labels) if label in found[0].texts]


def alternatives(reading: Reading) -> Chapter:
    """Return the designs of the workbook for the same load, the best first."""
    found = ranked(reading)
    if not found:
        return Chapter("alternatives", "Alternatives", [Text("The workbook holds no alternative that can be sized.")])

    def table(caption: str, wanted: Sequence[str], numbers: frozenset[int]) -> Grid:
        labels = heads(found, wanted)
        return Grid(caption, labels, [[each.texts[label] for label in labels] for each in found], numbers, wide=True)

    blocks: list[Block] = [Text(RANKED), table("Alternatives", _COMPARED, frozenset({3, 4}))]
    if reading.prices:
        blocks += [Head("What they cost"), table("Cost of the alternatives", _COMPARED_MONEY, frozenset(range(1, 5)))]
    return Chapter("alternatives", "Alternatives for the same load", blocks)


def _cell(reading: Reading, at: Address) -> str:
    value = reading.scalar(at)
    text = reading.figure(value, "year" if isinstance(value, float) and 1900 < value < 2200 else "")
    return _DISKS.sub(lambda match: f"{int(match[0]):,}", text)


def chances(reading: Reading, results: Mapping[str, Item]) -> Iterator[tuple[str, str]]:
    """Yield the yes-or-no results of the saved simulation, each with its probability; of money only with prices."""
    run = trials(reading)
    yield from ((label, chance_words(chance, run)) for _, label, chance in simulated(reading, results))


def simulated(reading: Reading, results: Mapping[str, Item]) -> Iterator[tuple[str, str, float]]:
    """Yield (key, label, probability) of the yes-or-no results of the saved simulation."""
    flags = {label: item.key for label, item in results.items() if item.unit == "flag"}
    for at in sorted(reading.book.cells.stored(risk_sheet.TITLE)):
        label, chance = reading.at(at), reading.scalar(at._replace(column=at.column + 1))
        if at.column != 1 or label not in flags or (is_money(flags[label]) and not reading.prices):
            continue
        if isinstance(chance, float):
            yield flags[label], label, chance


def trials(saved: Reading) -> int:
    """Return the number of trials of the saved simulation; 0 where its sheet does not say it."""
    texts = (saved.at(at) for at in sorted(saved.book.cells.stored(risk_sheet.TITLE)) if at.row < STATE_ROW)
    found = next((match for match in map(_TRIALS.match, texts) if match), None)
    return int(found[1].replace(",", "")) if found else 0


def holds(saved: Reading) -> tuple[str, float] | None:
    """Return the design that was simulated, such as 3 arrays, and the probability that it holds; None without one."""
    rows = ((str(each), chance) for each, chance in saved.block(risk_sheet.TITLE, "Arrays required", "Probability"))
    found = ((_HOLDS.fullmatch(each), chance) for each, chance in rows)
    return next(((match[1], chance) for match, chance in found if match and isinstance(chance, float)), None)


def sealed(saved: Reading) -> bool:
    """Return whether the figures of the sheet Risk are those that the simulation wrote."""
    return risk_sheet.is_sealed(saved.book.cells)


def by_label(book: SizingBook) -> dict[str, Item]:
    """Return the results of a workbook by their labels, as the sheet Risk names them."""
    return {label: item for item in book.results.values() for label in (item.label, flag_label(item))}


def risk(reading: Reading, priceless: SizingBook) -> Chapter | None:
    """Return the results of the saved simulation; None for a workbook without one.

    Its sheet is read from the workbook with prices, as the one without has no such sheet. Without prices its numbers
    are shown under the labels and units of `priceless`; its sentences are free text, and listed as left out, as
    is the whole sheet if a figure is not the one that the simulation wrote.
    """
    sheet = risk_sheet.TITLE
    head = reading.heading(sheet, "Result") if sheet in reading.book.cells.sheets else None
    if head is None or reading.at(Address(sheet, 1, 1)) != risk_sheet.HEADING:
        return None
    if not reading.prices and not sealed(reading):
        return Chapter("risk", "Risk", [Text(_UNSEALED, "note")])
    wanted = ("Result", "Unit", "Base", "Mean", "P5", "P50", "P95")
    results = by_label(priceless)
    money = reading.book.results["cost_total"].unit.partition("/")[0] if "cost_total" in reading.book.results else ""
    columns = {reading.at(at): at.column for at in reading.book.cells.values if at[:2] == head[:2]}
    rows, at = [], head._replace(row=head.row + 1)
    while reading.at(at):
        label, unit = (reading.at(at._replace(column=columns[name])) for name in wanted[:2])
        figures = [reading.scalar(at._replace(column=columns[name])) for name in wanted[2:] if name in columns]
        known = results.get(label)
        if not reading.prices and known:
            unit, figures = known.unit, [figure if isinstance(figure, float) else None for figure in figures]
        percent = unit == "ratio" and any(word in label.lower() for word in ("utilisation", "share"))
        share = ("ratio", "share") if percent else ("", "")
        if reading.prices or (known and not is_money(known.key) and unit.partition("/")[0] != money):
            rows.append([label, "" if share[0] else unit, *(reading.figure(value, *share) for value in figures)])
        at = at._replace(row=at.row + 2)  # error bars are between
    state = sorted(at for at in reading.book.cells.values if at.sheet == sheet and at.row == STATE_ROW)
    heads = [name for name in wanted if name in columns]
    sentence = Address(sheet, 2, 1)
    left = f"Left out, content not known: {places([sentence, *state[:1]])}, the sentences of the saved simulation."
    blocks: list[Block] = [
        *([Text(reading.at(sentence))] if reading.prices else ()),
        *(Text(f"{label} with probability {chance}{_IF_RIGHT}") for label, chance in chances(reading, results)),
        *((Text(reading.at(at), "note") for at in state[:1]) if reading.prices else (Text(left, "note"),)),
        Grid("Results of the simulation", heads, rows, frozenset(range(2, 7)), wide=True),
        Text("Pn is not exceeded in n % of the trials.", "note"),
    ]
    return Chapter("risk", "Risk", blocks)
