"""The sheet Changes: the differences from another copy, and a waterfall for each result that moved."""

from __future__ import annotations

import math
from collections.abc import Sequence

from addin.diff.bridge import SHAPLEY, Bridge
from addin.diff.compared import HEADING, SHEET, Difference
from addin.diff.typed import Change
from addin.kernel import Scalar
from addin.numerals import numeral
from addin.results.charts import ABOVE, Anchor, Area, Step, one_section, waterfall
from addin.results.page import Page, form
from addin.results.table_sheets import FROZEN, provenance
from addin.workbook.book import shown
from addin.workbook.digests import both

MOST = 400  # findings of a section on the sheet
_WIDTHS = (30.0, 46.0, 22.0, 22.0, 16.0, 18.0, *(12.0,) * 6)
_CHART_ROWS = 20
_BLANK = "(blank)"
_SIGNS = ("", "", "+", "-", "", "")  # of the parts of a bar, in their number formats and the chart's labels
_FINE = 10.0  # a bridge of smaller steps shows decimals


def draw(found: Difference, bridges: Sequence[Bridge], title: str = SHEET) -> Page:
    """Return the sheet Changes: bridges with their waterfalls, then the findings of each section."""
    page = Page(title, _WIDTHS)
    row = page.head(HEADING, _answer(found, bridges), FROZEN)
    for number, bridge in enumerate(bridges):
        row = _bridge(page, page.new_page(row) if number and bridge.bars else row, bridge)
    if bridges:
        page.new_page(row)
    for key, section, changes in found.sections:
        if changes:
            row = _section(page, row, key, section, changes) + 1
    pairs = [
        ("old copy", f"{found.old.path.name}, version {found.old.version}, {both(found.old.cells)}"),
        ("new copy", f"{found.new.path.name}, version {found.new.version}, {both(found.new.cells)}"),
        *(("bars", SHAPLEY) for _ in bridges[:1]),
        *(("note", note) for note in found.notes),
        *provenance(found.new),
    ]
    page.pairs(row, "Where these figures come from", pairs)
    return page


def _answer(found: Difference, bridges: Sequence[Bridge]) -> str:
    if found.none:
        return f"Nothing differs from {found.old.path.name}"
    counts = [f"{title.lower()} {numeral(len(changes))}" for _, title, changes in found.sections if changes]
    moved = [
        f"; {each.item.label.lower()} {_text(each.old)} -> {_text(each.new)} {each.item.unit}".rstrip()
        for each in bridges[:1]
    ]
    none = "".join(f"{each} " for each in found.unanswered)
    return f"{none}Differs from {found.old.path.name}: {', '.join(counts)}{''.join(moved)}"


def _text(value: Scalar) -> str:
    return shown(value) or _BLANK


def _bridge(page: Page, row: int, bridge: Bridge) -> int:
    """Write the steps of a bridge with the cells of its chart, then the chart; return the next row."""
    item = bridge.item
    row = page.band(row, f"{item.label}: {_text(bridge.old)} -> {_text(bridge.new)} {item.unit}".rstrip())
    if not isinstance(bridge.old, float) or not isinstance(bridge.new, float) or bridge.refusal:
        page.line(row, f"No bridge: {bridge.refusal}.", "label")
        return row + 2
    steps = _steps(bridge, bridge.old, bridge.new)
    largest = max((step.amount for step in steps), key=abs)
    number = "0.000" if abs(largest) < _FINE else form(item.key, item.unit, largest) or "#,##0.##"
    unit = f", {item.unit}" if item.unit else ""
    parts = Step.PARTS if any(step.under for step in steps) else Step.PARTS[:ABOVE]
    headings = ("Step", "Key", "Was", "Is", f"Adds{unit}", f"Result{unit}", *parts)
    head, row = row, page.headings(row, headings, words=(2, 3, 4))
    for step, bar in zip(steps, (None, *bridge.bars, None), strict=True):
        page.put(row, 1, step.name, "label")
        if bar is not None and bar.key:
            page.put(row, 2, bar.key, "label")
            for column, value in ((3, bar.old), (4, bar.new)):
                page.put(row, column, _BLANK if value is None else value, "calculation", form(bar.key, "", value))
                page.align(row, column, "left")
        page.put(row, 5, None if bar is None else step.amount, "calculation", number)
        page.put(row, 6, step.end, "output" if bar is None else "calculation", number)
        for column, height in enumerate(step.heights[: len(parts)], 7):
            page.put(row, column, height, "note", f"{_SIGNS[column - 7]}{number}")
            page.align(row, column, "right")
        row += 1
    for note in bridge.notes:
        page.line(row, note, "purpose")
        row += 1
    title, axis = f"{item.label}: from the old copy to the new one", f"{item.label}{unit}"
    area, anchor = Area(head, head + len(steps)), Anchor((1, 6), row, _CHART_ROWS)
    waterfall(page.ws, title, axis, area, (7, len(parts)), one_section(number), anchor)
    return row + _CHART_ROWS + 1


def _steps(bridge: Bridge, old: float, new: float) -> list[Step]:
    """Return the steps from the old to the new value, each from the end of the one before."""
    steps, at = [Step("old", 0.0, old, total=True)], old
    for number, bar in enumerate(bridge.bars, 1):
        end = math.fsum((old, *(each.amount for each in bridge.bars[:number])))
        steps.append(Step(bar.label, at, end))
        at = end
    return [*steps, Step("new", 0.0, new, total=True)]


def _section(page: Page, row: int, key: str, title: str, changes: Sequence[Change]) -> int:
    count = f": {numeral(len(changes))}" + (f", the first {MOST} shown" if len(changes) > MOST else "")
    row = page.band(row, f"{title}{count}")
    if key == "formulas":
        row = page.headings(row, ("Place", "What it is", "Cells"), words=(2, 3))
        for change in changes[:MOST]:
            page.put(row, 1, change.key or change.where, "label")
            page.put(row, 2, change.label, "label")
            page.line(row, change.note, "note", 3)
            for below, (word, value) in enumerate((("old", change.old), ("new", change.new)), 1):
                page.line(row + below, f"{word}  {_text(value)}", "note", 2)
            row += 3
        return row
    row = page.headings(row, ("Key or place", "What it is", "Was", "Is", "Unit", "Note"), words=(2, 3, 4, 5, 6))
    group = ""
    for change in changes[:MOST]:
        if change.group and change.group != group:
            for column in range(1, 7):
                page.put(row, column, change.group if column == 1 else None, "group")
            row += 1
        group = change.group
        page.put(row, 1, change.key or change.where, "label")
        page.put(row, 2, change.label, "label")
        for column, value in ((3, change.old), (4, change.new)):
            value_form = form(change.key, change.unit, value)
            page.put(row, column, _BLANK if value is None else value, "calculation", value_form)
            page.align(row, column, "left", wrap=True)
        page.put(row, 5, change.unit, "label")
        page.put(row, 6, change.note, "note")
        row += 1
    return row
