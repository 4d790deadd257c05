"""The sheet Decision: what to buy at each certainty, what to find out first, three charts; every design below."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace

from openpyxl.styles import Font

from addin.buttons import COMMANDS
from addin.numerals import numeral
from addin.results.charts import Anchor, Area, columns, points
from addin.results.page import Page, form
from addin.results.table_sheets import provenance
from addin.simulation import decision_tables
from addin.simulation.decide import Decision
from addin.simulation.decision_words import unit
from addin.sizing.tables import Table
from addin.workbook.book import SizingBook
from model.layout import styles

TITLE = COMMANDS["decide"].sheet
HEADING = "Decision: what to buy, how sure it is, what to find out first"
FROZEN = "Values only: the sheet does not follow later changes, the next run replaces it."
TO_BUY = "Buy, to be"
CHANCE = '[>0.99]"over 99%";[<0.01]"under 1%";0%'  # never 0 % or 100 %: the spreads do not support it
_WIDTHS = (40.0, *(12.0,) * 10, 26.0, 40.0)
_ROWS = 17  # of a chart
_LINE = 170  # characters of a note
_SURE, _COST, _WORTH = (1, 4), (5, 10), (11, 13)  # the columns of the three charts


def draw(book: SizingBook, decision: Decision) -> Page:
    """Return the sheet of a decision."""
    page = Page(TITLE, _WIDTHS)
    row = page.head(HEADING, decision_tables.answer(decision, book), FROZEN, decision.alerts)
    found = decision_tables.information(decision, book)
    if decision.designs:
        row = _to_buy(page, row, decision, book)
        row = page.band(row + 1, "What to find out first: what the answer is worth before you buy, at most")
        area, row = _table(page, row, found, long=True) if found.rows else (None, row)
        said = () if found.rows else (decision.why or "Nothing: no answer would change the choice.",)
        row = _lines(page, row, (*said, *found.notes))
        if area:
            axes = ("Find out", unit(book))
            title = "What finding out is worth, at most"
            columns(page.ws, title, axes, area, 2, Anchor(_WORTH, row + 1, _ROWS), form="#,##0")
    top = row + 1
    row += _ROWS + 2 if any(each.chances for each in decision.choices) else 1  # nothing checked, nothing drawn
    if decision.designs:
        row = _designs(page, page.new_page(row), book, decision, top)
    row = _chances(page, row, decision, top)
    row = page.band(row, "Every array: fully checked ones first, the same draws for all")
    table = decision_tables.arrays(decision, book)
    _, row = _table(page, row, table, long=True)
    row = _lines(page, row + 1, table.notes[1:])
    run = (("trials", f"{numeral(decision.trials)} for each array"), ("seed", str(decision.seed)))
    page.pairs(row + 1, "Where these figures come from", (*provenance(book), *run))
    return page


def _to_buy(page: Page, row: int, decision: Decision, book: SizingBook) -> int:
    """Write the design of each certainty; the certainty, the array and the number as one text."""
    table = decision_tables.chosen(decision, book)
    rows = tuple((f"{sure}: {array} x {count:.0f}", *rest) for sure, array, count, *rest in table.rows)
    short = Table((TO_BUY, *table.headings[3:]), ("", *table.units[3:]), rows)
    row = page.band(row, "What to buy: the least mean cost of all designs that are as sure")
    return _table(page, row, short, strong=2)[1]


def _chances(page: Page, row: int, decision: Decision, top: int) -> int:
    """Write the chance that each number of arrays suffices, drawn at `top`; nothing where no array is checked."""
    table = decision_tables.chances(decision)
    if not table.rows:
        return row
    row = page.band(row, "How sure each number of arrays is, in every operation that the design has to carry")
    area, row = _table(page, row, table, chances=range(1, len(table.headings)))
    series = [(heading, area, (1, n)) for n, heading in enumerate(table.headings[1:], 2)]
    axes, title = ("Arrays bought on day one", "Chance"), "Chance that the arrays suffice"
    points(page.ws, title, axes, series, ("0", "0%"), Anchor(_SURE, top, _ROWS))
    return row + 1


def _designs(page: Page, row: int, book: SizingBook, decision: Decision, top: int) -> int:
    """Write every design; its cost over its chance is drawn at `top`, a line for each array."""
    table = _without(decision_tables.designs(decision, book, chances=True), "Arrays")
    made = decision_tables.by_array(decision)
    grey = [n for n, each in enumerate(made) if each.dominated]
    row = page.band(
        row, "Every design: an array and the number bought on day one; grey = another one is surer and no dearer"
    )
    area, row = _table(page, row, table, chances=(1, 2, 3), grey=grey)
    series = []
    for array in dict.fromkeys(each.array for each in made):
        own = [n for n, each in enumerate(made) if each.array == array]
        series.append((array, Area(area.first + own[0] - 1, area.first + own[-1]), (2, 5)))
    axes = ("Chance that it suffices", f"Mean cost, {unit(book)}")
    points(page.ws, "Mean cost against certainty", axes, series, ("0%", "#,##0"), Anchor(_COST, top, _ROWS))
    return row + 1


def _without(table: Table, heading: str) -> Table:
    """Return a table without one of its columns."""
    kept = [n for n, each in enumerate(table.headings) if each != heading]
    headings, units = (tuple(row[n] for n in kept) for row in (table.headings, table.units))
    return replace(table, headings=headings, units=units, rows=tuple(tuple(row[n] for n in kept) for row in table.rows))


def _table(
    page: Page,
    row: int,
    table: Table,
    strong: int = -1,
    chances: Sequence[int] = (),
    grey: Sequence[int] = (),
    long: bool = False,
) -> tuple[Area, int]:
    """Write a table. Columns from 0: `strong` is a result, `chances` are shares; the rows `grey` are pale.

    With `long` the last column is a text that runs on over the columns to its right.
    """
    words = {n for n, value in enumerate(table.rows[0], 1) if isinstance(value, str)}
    head, row = row, page.headings(row, table.titles, words=words)
    page.ws.row_dimensions[head].height = 32.0
    last = len(table.headings)
    for number, values in enumerate(table.rows):
        forms = [form("", unit, value) for unit, value in zip(table.units, values, strict=True)]
        for column in chances:
            forms[column] = CHANCE
        page.values(row, values[: last - long], forms[: last - long], strong)
        if long:
            page.line(row, str(values[-1]), "label", last)
        if number in grey:
            _pale(page, row)
        row += 1
    return Area(head, row - 1), row


def _pale(page: Page, row: int) -> None:
    """Write a row in grey: no design to buy, as another one is better in every respect."""
    for cell in page.ws[row]:
        cell.font = Font(name=styles.FONT, size=cell.font.sz, color=styles.GREY)


def _lines(page: Page, row: int, notes: Sequence[str]) -> int:
    for note in notes:
        for line in textwrap.wrap(note, _LINE):
            page.line(row, line, "purpose")
            row += 1
    return row
