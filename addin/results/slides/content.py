"""The five slides of a design, in the workbook's own texts: answer, alternatives, what limits, risk, cost.

No price is read here that `Reading` was not given: without prices it has none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from addin.kernel import Scalar
from addin.results import risk_sheet
from addin.results.document import money_chapters as money
from addin.results.document.blocks import Grid, Text
from addin.results.document.design_chapters import both, disks, lead
from addin.results.document.load_chapters import latency
from addin.results.document.reading import BLANK, PHASES, Reading
from addin.results.document.review_chapters import assumptions
from addin.results.document.short_chapter import COSTS, assumed, changes, used
from addin.results.document.sources import Origins
from addin.results.labels import Compare
from addin.results.page import STATE_ROW
from addin.results.report_text import chance_words, whole_percent
from addin.results.slides.records import OVER, STACKED, Bars, Part, Points, Slide
from addin.sizing.sentence import sentence

_NOTHING = ("none", BLANK, "")
_NODES = "Arrays or nodes"
_COUNTED = re.compile(rf"({_NODES}|Arrays)(?= (in normal operation|after one failure)$)")
_COMPARED = (
    *(Compare.RANK, Compare.ARRAY, Compare.YEAR, Compare.NORMAL, Compare.AFTER),
    *(Compare.LIMIT, Compare.UNCHECKED),
)
_STATES = (Compare.CHECKED, Compare.AT_LEAST)
_LEFT_OUT = "Prices and everything made of them are left out of these slides."
_MOST_ASSUMED, _MOST_RESULTS = 12, 4  # rows of the tables of the slide on risk


@dataclass(frozen=True)
class Source:
    """What the slides are made of: the design, the workbook as saved with its simulation, what was changed for it."""

    reading: Reading
    saved: Reading
    changed: str = ""


def slides(source: Source) -> tuple[Slide, ...]:
    """Return the five slides."""
    reading, origins = source.reading, Origins(source.reading)
    return (
        _answer(reading, source.changed),
        _alternatives(reading),
        _limits(reading),
        _risk(source, origins),
        _cost(reading),
    )


def _answer(reading: Reading, changed: str) -> Slide:
    why = [_why(reading), *filter(None, [used(reading)])]
    left: list[Part] = [both(reading)]
    if changed:
        left.append(Points("Changed for these slides, not in the workbook", [changed]))
    right = [Points("Why", why), Points("What could change it", list(changes(reading)))]
    return Slide("Answer", lead(reading), left, right, 0.55)


def _why(reading: Reading) -> str:
    """Return why the design needs what it does; one without an array is as large as its machines ask of their disks."""
    if reading.without_arrays:
        return f"No load is on an array: the limit is {reading.text('binding_constraint')}"
    return sentence(reading.book, reading.book.results["arrays_required"].address, ())


def _alternatives(reading: Reading) -> Slide:
    """Return the designs of Compare in their order, with the arrays that each needs."""
    found = money.ranked(reading)
    base = next((each for each in found if each.base), None)
    if not found:
        said = "The workbook holds no alternative that can be sized."
        return Slide("Alternatives", said, [], [])
    title = f"{len(found)} designs for the same load" + "; the base design is not among them" * (base is None)
    if base and Compare.RANK in base.texts:
        name = base.texts.get(Compare.ARRAY, "The base design")
        title = f"{name} ranks {base.texts[Compare.RANK]} of {len(found)}"
    heads = money.heads(found, [*_COMPARED, *([Compare.PRESENT_COST] if reading.prices else [])])
    instead = {Compare.ARRAY: Compare.NUMBERED, Compare.UNCHECKED: Compare.UNCHECKED_SHORT}
    rows = [[_told(each, instead.get(head, head), head) for head in heads] for each in found]
    figures = (Compare.RANK, "Arrays", Compare.PRESENT_COST)
    counts = frozenset(n for n, head in enumerate(heads) if head.startswith(figures))
    shown = [f"{head}, {_unit(reading)}" if head == Compare.PRESENT_COST else _counted(head, found) for head in heads]
    table = Grid("Alternatives for the same load", shown, rows, counts)
    right: list[Part] = [*needed(found), Points("", [money.RANKED])]
    return Slide("Alternatives", title, [table], right, 0.66)


def _counted(head: str, found: Sequence[money.Ranked]) -> str:
    """Return the heading of a count; where designs on disks are among them it names no unit, as each figure does."""
    return _COUNTED.sub("Needed", head) if any(map(_on_disks, found)) else head


def _on_disks(design: money.Ranked) -> bool:
    return any(text.endswith(" disks") for label, text in design.texts.items() if _COUNTED.match(label))


def _told(design: money.Ranked, *labels: str) -> str:
    """Return the first of some rows that says something of a design: a short one is blank where there is nothing."""
    return next((text for label in labels if (text := design.texts.get(label, "")) not in ("", BLANK)), BLANK)


def needed(found: list[money.Ranked]) -> Iterator[Bars]:
    """Yield a chart of the arrays that each design needs, leaving out designs on disks; a shade marks "at least"."""
    found = [each for each in found if not _on_disks(each)]
    if not found or any(Compare.DRAWN not in each.figures for each in found):
        return
    names = [_told(each, Compare.NUMBERED, Compare.ARRAY) for each in found]
    drawn = [(each.texts[Compare.STATE], each.figures[Compare.DRAWN]) for each in found]
    series = [(state, [count if said == state else None for said, count in drawn]) for state in _STATES]
    said = "; ".join(f"{name}: {each.texts[Compare.DRAWN]}" for name, each in zip(names, found, strict=True))
    nodes = any(label.startswith(_NODES) for label in found[0].texts)
    yield Bars(Compare.DRAWN.replace("Arrays", _NODES) if nodes else Compare.DRAWN, said, names, series, kind=OVER)


def _limits(reading: Reading) -> Slide:
    """Return what limits each phase, with the share of the design that it uses and the room that is left."""
    if reading.without_arrays:
        unchecked = [f"{label}: {text}" for label, text in reading.rows(("constraints_unchecked",))]
        return Slide("What limits", _why(reading), [both(reading)], [Points("Limits", unchecked)], 0.55)
    rows = [
        [*reading.met(phase), reading.text(f"utilisation_{phase}"),
         reading.text(f"failover_utilisation_{phase}"), latency(reading, phase), latency(reading, f"failover_{phase}")]
        for phase in PHASES if reading.text(f"{phase}_iops") not in _NOTHING
    ]  # fmt: skip
    heads = ("Phase", "Load", "Utilisation", "after one failure", "Latency", "after one failure")
    table = Grid("Load of each phase, utilisation and latency", heads, rows, frozenset(range(1, 6)))
    keys = ("binding_constraint", "next_constraint", "room_normal", "room_after_failure", "constraints_unchecked")
    told = [f"{label}: {text}" for label, text in reading.rows(keys)]
    return Slide("What limits", _why(reading), [*_shares(reading)], [table, Points("Limits and room", told)], 0.42)


def _shares(reading: Reading) -> Iterator[Bars]:
    """Yield the share of the design that each constraint uses, the largest first, as on Answer."""
    drawn = [
        (str(name).rpartition(", ")[0], share)
        for name, share in reading.block(Compare.SHEET, Compare.IN_ORDER, Compare.SHARE)
        if isinstance(share, float) and share > 0
    ]
    after = reading.value("share_used_after_failure")
    if isinstance(after, float) and after > 0:
        drawn.append((f"{reading.text('limited_by_after_failure')}, after one failure", after))
    if not drawn or reading.unanswered:
        return
    drawn.sort(key=lambda each: -each[1])
    said = "; ".join(f"{name}: {whole_percent(share)}" for name, share in drawn)
    most = 1.0 if drawn[0][1] <= 1 else None
    names, shares = [name for name, _ in drawn], [share for _, share in drawn]
    yield Bars("Share of the design used", said, names, [("Share of the design used", shares)], "0%", most=most)


def _risk(source: Source, origins: Origins) -> Slide:
    """Return how far the demand may be off, what is assumed, and what the saved simulation says."""
    reading, sheet = source.reading, risk_sheet.TITLE
    keys = ("demand_source", "demand_class", "matters_words", "constraints_unchecked")
    rows = [f"{label.partition(':')[0]}: {text}" for label, text in reading.rows(keys) if text not in _NOTHING]
    left = [Points("Demand", rows), Points("What is assumed", list(assumed(reading, origins)))]
    chapter = money.risk(source.saved, reading.book)
    if chapter is None:
        said = "No simulation was run: how sure the design is, is not known"
        table = Grid(
            "Assumed, as nobody published it",
            ("Input", "Value used"),
            [(each.label, each.value) for each in assumptions(reading, origins)[:_MOST_ASSUMED]],
            frozenset({1}),
        )
        return Slide("Risk", said, left, [table], 0.55)
    grid = next((block for block in chapter.blocks if isinstance(block, Grid)), None)
    told = [block.text for block in chapter.blocks if isinstance(block, Text) and (block.role == "plain" or not grid)]
    if grid is None:
        return Slide("Risk", "The saved simulation is left out", left, [Points("Simulation", told)])
    chances = [(each, chance) for each, chance in source.saved.block(sheet, "Arrays required", "Probability")]
    said = "What the simulation says"
    if holds := money.holds(source.saved):
        sure = chance_words(holds[1], money.trials(source.saved))
        said = f"The base design of {holds[0]} suffices with probability {sure}"
    told = [*_stale(source.saved), *(text for text in told if not text.startswith("The base design of"))]
    told.append("Probabilities are right if the spreads on Risk inputs are. Pn is not exceeded in n % of the trials.")
    heads = [n for n, head in enumerate(grid.headings) if head != "Mean"]
    some = [[row[n] for n in heads] for row in grid.rows[:_MOST_RESULTS]]
    table = Grid(grid.caption, [grid.headings[n] for n in heads], some, frozenset(range(2, len(heads))))
    right: list[Part] = [*_counts(chances, f"{reading.word.capitalize()}s required"), table]
    return Slide("Risk", said, [*left, Points("Simulation", told)], right, 0.45)


def _counts(rows: Iterable[tuple[Scalar, Scalar]], name: str) -> Iterator[Bars]:
    """Yield the probability of each number of arrays; the rows below these are about the design."""
    drawn = [
        (f"{each:,.0f}" if isinstance(each, float) else str(each), chance)
        for each, chance in rows
        if isinstance(chance, float) and str(each)[:1].isdigit()
    ]
    if drawn:
        said = "; ".join(f"{each}: {whole_percent(chance)}" for each, chance in drawn)
        title, chances = f"{name}: probability of each number", [chance for _, chance in drawn]
        most = min(math.ceil(12 * max(chances)) / 10, 1.0)  # room for a figure above the highest bar
        series = [("Probability", chances)]
        yield Bars(title, said, [each for each, _ in drawn], series, "0%", across=False, most=most)


def _stale(saved: Reading) -> list[str]:
    """Return that inputs were changed since the simulation, in our own words: what the cell says may be anything."""
    state = next((at for at in sorted(saved.book.cells.values) if at[:2] == (risk_sheet.TITLE, STATE_ROW)), None)
    current = state is None or saved.at(state).endswith("; current")
    return [] if current else ["Inputs were changed since the simulation: run it again."]


def _unit(reading: Reading) -> str:
    """Return the currency of the workbook."""
    return reading.book.results["cost_total"].unit if "cost_total" in reading.book.results else "USD"


def _cost(reading: Reading) -> Slide:
    """Return the cost of the design by year, without prices the arrays by year."""
    years, counted, paid = money.yearly(reading)
    word = reading.word.capitalize()
    drawn = counted and not reading.without_arrays
    bars = [Bars(f"{word}s needed and owned by year", "", years, counted, across=False)] if drawn else []
    if not reading.prices and reading.without_arrays:
        rows = [(label, text) for label, text in reading.rows(("disk_told", "share_told")) if text not in _NOTHING]
        said = f"{disks(reading)} ({reading.text('tier_name')}) on day one, and no array"
        return Slide("Without prices", said, [Grid("Purchases", ("", ""), rows), Points("", [_LEFT_OUT])], [])
    if not reading.prices:
        keys = ("arrays_first", "arrays_last", "next_purchase_year", "purchase_reason")
        table = Grid("Purchases", ("", ""), reading.rows(keys), frozenset({1}))
        left_out = Points("", [_LEFT_OUT])
        said = f"{reading.text(keys[0])} in year 1, {reading.text(keys[1])} in the last year"
        said = "No answer, so nothing to buy" if reading.unanswered else said
        return Slide("Without prices", said, [table, left_out], bars)
    if paid:
        bars = [Bars(f"Paid by year, {_unit(reading)}", "", years, paid, across=False, kind=STACKED)]
    (label, text), *_ = reading.rows(("npv", "cost_total"))
    told = (*COSTS, "cost_per_user_month", "paid_total", "running_total")
    table = Grid("Cost", ("", ""), reading.rows(told), frozenset({1}))
    notes = [f"{name}: {words}." for name, words in reading.rows(("cost_status",))]
    notes += [each.text for each in money.day_one(reading) if isinstance(each, Text)]
    notes.append("Storage cost before tax and VAT: not the cost of a desktop.")
    return Slide("Cost", f"{label}: {text}", [table, Points("", notes)], bars)
