"""The sheet Assumed figures: each at both ends of its range, what changes the number of arrays first."""

from __future__ import annotations

import re

from addin.buttons import COMMANDS
from addin.numerals import numeral
from addin.results.page import Page, form
from addin.results.table_sheets import FROZEN, provenance
from addin.sizing.tables import Table
from addin.workbook.book import SizingBook

TITLE = COMMANDS["assumed"].sheet
HEADING = "Assumed figures: what each end of a range does to the number of arrays"
_UNIT, _USED, _ENDS, _COUNTS = 1, 2, 5, 7  # columns of the table: its unit, its value; those before here have its unit
_DECIMAL = re.compile(r"\d+\.\d+")
_WIDTHS = (46.0, 14.0, *(11.0,) * 7)


def draw(book: SizingBook, table: Table) -> Page:
    """Return the sheet: a row for each figure, the arrays at either end as results."""
    counts = len(table.headings) - len(_WIDTHS) - 3
    page = Page(TITLE, (*_WIDTHS, *(11.0,) * counts, 28.0, 30.0, 70.0))
    row = page.head(HEADING, table.notes[0], FROZEN)
    for note in table.notes[1:]:
        page.line(row, note, "note")
        row += 1
    row = page.band(row, "Each figure alone; all others as in the base design")
    words = {2, *range(len(table.headings) - 2, len(table.headings) + 1)}
    head, row = row, page.headings(row, table.headings, words=words)
    page.ws.row_dimensions[head].height = 44.0
    for values in table.rows:
        unit = str(values[_UNIT])
        source = _DECIMAL.sub(lambda found: numeral(float(found[0]), "g"), str(values[-1]))  # as the office writes it
        for column, value in enumerate((*values[:-1], source)):
            role = "label" if column < _USED or isinstance(value, str) else "calculation"
            at = unit if column < _ENDS else "arrays"
            page.put(row, column + 1, value, "output" if _ENDS <= column < _COUNTS else role, form("", at, value))
            if isinstance(value, str):
                page.align(row, column + 1, "left", wrap=True)
        row += 1
    page.pairs(row + 1, "Where these figures come from", provenance(book))
    return page
