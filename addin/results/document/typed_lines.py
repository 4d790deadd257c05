"""What the sheet Hand-off has: lines that people type, figures to monitor, risks; in the chapters where they belong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from addin.kernel import Address
from addin.results.document import money_chapters as money
from addin.results.document.blocks import TO_FILL, Block, Chapter, Grid, Head, Text
from addin.results.document.reading import Reading
from addin.results.labels import HandOff
from addin.results.report_text import chance_words
from addin.workbook import own_rows
from addin.workbook.book import shown
from model.layout.line import Group
from model.sheets.front import hand_off
from model.sheets.front.hand_off import NO_FIGURE, OPEN, RISK_COLUMNS, typed

LEFT_OUT = "left out of this document"
NOT_SIMULATED = "not simulated"
_ASIDE = f"“{OPEN}”: nothing is typed on the sheet {hand_off.NAME} of the workbook."
_RISKS = ("Risk", "Probability", "Class of the demand", "What is done about it", "Owner")
HOPED = {  # yes-or-no results that are good news: the risk is that they are not so
    "budget_holds": "The cost exceeds the budget",
    "fits": "Arrays in the design do not suffice",
    "pvs_cached": "The image does not fit a PVS server's memory",
    "share_credits_hold": "Credits do not last",
}
NO_RISK = ("no_array", "node_unit")  # what the design is
_MONITORED = (HandOff.FIGURE, HandOff.ACT_AT, HandOff.WHY)


def with_typed(chapter: Chapter, reading: Reading, saved: Reading) -> Chapter:
    """Return a chapter with what the sheet Hand-off has for it; as it is where a copy has no such sheet.

    `saved` is the workbook with prices: a text that it has and `reading` lacks is left out of the document.
    """
    if not _cells(saved, next(iter(hand_off.lines())).key):
        return chapter
    added = [*_lines(chapter.name, reading, saved), *(_monitored(reading) if chapter.name == "load" else ())]
    return replace(chapter, blocks=[*chapter.blocks, *added])


def risk(reading: Reading, saved: Reading) -> Chapter | None:
    """Return the chapter on risk with a table of all risks: simulated and typed; None where there is neither."""
    chapter = money.risk(saved, reading.book)
    rows = [*(_simulated(reading, saved) if chapter else ()), *_typed_risks(reading, saved)]
    if not rows:
        return chapter
    heading = [] if chapter else [Text("The workbook has no simulation: no probability is known.")]
    blocks: list[Block] = [*(chapter.blocks if chapter else heading), Head("Risks, and what is done about them")]
    return Chapter("risk", "Risk", [*blocks, Grid("Risks", _RISKS, rows, frozenset({1}), wide=True)])


def _lines(chapter: str, reading: Reading, saved: Reading) -> Iterator[Block]:
    """Yield a table for each group of lines of a chapter."""
    groups: dict[str, list[tuple[str, str]]] = {}
    title = ""
    for line in hand_off.LINES:
        if isinstance(line, Group):
            title = line.label
        elif line.chapter == chapter:
            (text,) = _texts(line.key, reading, saved)
            groups.setdefault(title, []).append((line.label, text or OPEN))
    for title, rows in groups.items():
        yield Head(title)
        yield Grid(title, ("", ""), rows)
    if any(text == OPEN for rows in groups.values() for _, text in rows):
        yield Text(_ASIDE, "note")


def _cells(reading: Reading, key: str) -> list[Address]:
    return own_rows.area(reading.book.cells, reading.book.cells.names.get(typed(key), ""))


def _texts(key: str, reading: Reading, saved: Reading) -> list[str]:
    """Return what the cells of a name show, empty for a blank one."""
    blank = (None, "")
    return [
        shown(value) if (value := reading.scalar(at)) not in blank else LEFT_OUT * (saved.scalar(at) not in blank)
        for at in _cells(saved, key)
    ]


def _monitored(reading: Reading) -> Iterator[Block]:
    """Yield the figures at which to act, as the sheet computes them."""
    rows = []
    for label, value, why in reading.block(hand_off.NAME, *_MONITORED):
        name, _, unit = str(label).rpartition(", ")
        share = "utilisation" if unit == "ratio" else ""
        if value != NO_FIGURE:
            rows.append((name or unit, reading.figure(value, unit if name else "", share), str(why)))
    yield Head("Figures to monitor")
    if rows:
        yield Grid("Figures to monitor", _MONITORED, rows, frozenset({1}))
    else:
        yield Text("The design has no answer, so no figure to monitor.")


def _simulated(reading: Reading, saved: Reading) -> Iterator[tuple[str, ...]]:
    """Yield the risks that the saved simulation knows, each with its probability and the class of the demand."""
    sealed = reading.prices or money.sealed(saved)
    held, run = (money.holds(saved), money.trials(saved)) if sealed else (None, 0)
    found = {f"The base design of {held[0]} does not suffice": 1 - held[1]} if held else {}
    for key, label, chance in money.simulated(saved, money.by_label(reading.book)) if sealed else ():
        if key not in NO_RISK:
            found.setdefault(HOPED.get(key, label), 1 - chance if key in HOPED else chance)
    for label, chance in found.items():
        yield label, chance_words(chance, run), reading.text("demand_class"), TO_FILL, TO_FILL


def _typed_risks(reading: Reading, saved: Reading) -> Iterator[tuple[str, ...]]:
    """Yield the risks that people typed."""
    columns = (_texts(key, reading, saved) for key, _ in RISK_COLUMNS)
    for name, measure, owner in zip(*columns, strict=True):
        if name or measure or owner:
            yield name or OPEN, NOT_SIMULATED, NOT_SIMULATED, measure or OPEN, owner or OPEN
