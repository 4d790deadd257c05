"""The chapter Why this design: what the saved sheet Decision says of certainty, cost and what to find out."""

from __future__ import annotations

from addin.kernel import Address, Scalar
from addin.results import decision_sheet
from addin.results.document.blocks import Block, Chapter, Grid, Head, Text
from addin.results.document.reading import Reading
from addin.results.page import STATE_ROW
from addin.simulation.decision_words import about

NAME, TITLE = "why", "Why this design"
_BOUGHT = "Arrays bought"
_PRICED = "Left out: the sheet Decision chooses by cost, so it goes with prices only."


def why(reading: Reading) -> Chapter | None:
    """Return what the saved decision says; None for a workbook without one.

    Its sentences and figures rest on quotes, so without prices the chapter has none of them.
    """
    sheet = decision_sheet.TITLE
    if sheet not in reading.book.cells.sheets or reading.at(Address(sheet, 1, 1)) != decision_sheet.HEADING:
        return None
    if not reading.prices:
        return Chapter(NAME, TITLE, [Text(_PRICED, "note")])
    blocks: list[Block] = [Text(reading.at(Address(sheet, 2, 1)), "lead")]
    if own := _of_this_document(reading, *_table(reading, sheet, _BOUGHT)):
        blocks.append(Text(own))
    if state := reading.at(Address(sheet, STATE_ROW, 1)):
        blocks.append(Text(state, "note"))
    for heading, title in (
        (decision_sheet.TO_BUY, "What each certainty costs"),
        ("Find out", "What to find out first"),
        (_BOUGHT, "How sure each number of arrays is"),
    ):
        heads, rows = _table(reading, sheet, heading)
        if rows:
            shown = [[_words(reading, head, value) for head, value in zip(heads, row, strict=True)] for row in rows]
            figures = (n for row in rows for n, value in enumerate(row) if n and isinstance(value, float))
            blocks += [Head(title), Grid(title, heads, shown, frozenset(figures))]
    blocks.append(
        Text("A chance is right only if the spreads on Risk inputs are. Mean costs are present costs.", "note")
    )
    return Chapter(NAME, TITLE, blocks)


def _of_this_document(reading: Reading, heads: list[str], rows: list[list[Scalar]]) -> str:
    """Return how sure the design of the document is, which need not be the one that the decision buys."""
    array, count = reading.input("array"), reading.number("arrays_used")
    chances = {row[0]: row[heads.index(array)] for row in rows} if array in heads else {}
    chance = chances.get(count)
    if not isinstance(chance, float):
        return ""
    return f"The design of this document, {array} x {count:.0f}, suffices with {about(chance)}."


def _table(reading: Reading, sheet: str, heading: str) -> tuple[list[str], list[list[Scalar]]]:
    """Return the headings and rows of a table by its first heading; nothing where the sheet has none."""
    first = reading.heading(sheet, heading)
    if first is None:
        return [], []
    heads: list[str] = []
    while text := reading.at(first._replace(column=first.column + len(heads))):
        heads.append(text)
    rows: list[list[Scalar]] = []
    at = first._replace(row=first.row + 1)
    while reading.at(at) and reading.scalar(at._replace(column=at.column + 1)) is not None:  # a note has one cell
        rows.append([reading.scalar(at._replace(column=at.column + n)) for n in range(len(heads))])
        at = at._replace(row=at.row + 1)
    return heads, rows


def _words(reading: Reading, head: str, value: Scalar) -> str:
    """Return a value as it is read: below the name of an array a chance, in the first column a number of arrays."""
    if isinstance(value, float) and 0 <= value <= 1 and ", " not in head and head != _BOUGHT:
        return about(value)
    return reading.figure(value)
