"""What `decide` prints: the answer and its tables, as text or as JSON."""

from __future__ import annotations

from collections.abc import Callable

from addin.shell import json_documents
from addin.shell.json_documents import Content
from addin.simulation import decision_tables
from addin.simulation.decide import Decision
from addin.sizing.tables import Table
from addin.workbook.book import SizingBook


def text(decision: Decision, book: SizingBook, table_text: Callable[[Table], str]) -> str:
    """Return the answer, what to buy at each certainty, what to find out, every design and every array."""
    tables = [decision_tables.chosen(decision, book), decision_tables.information(decision, book)]
    tables += [_brief(decision_tables.designs(decision, book))] if decision.designs else []
    shown = [table_text(table) for table in tables if table.rows]
    return "\n\n".join([decision_tables.answer(decision, book), *shown, table_text(_arrays(decision, book))])


def _arrays(decision: Decision, book: SizingBook) -> Table:
    """Return every array; the answer, first of the notes, stands above already."""
    table = decision_tables.arrays(decision, book)
    return Table(table.headings, table.units, table.rows, table.notes[1:])


def _brief(table: Table) -> Table:
    """Return the designs without what only the sheet and JSON have room for."""
    left_out = {"Error of the mean", "Mean regret", "Cheapest in", "To the last year"}
    kept = [n for n, heading in enumerate(table.headings) if heading not in left_out]
    headings, units = (tuple(row[n] for n in kept) for row in (table.headings, table.units))
    return Table(headings, units, tuple(tuple(row[n] for n in kept) for row in table.rows), table.notes)


def as_content(decision: Decision, book: SizingBook) -> Content:
    """Return the answer and the arrays as a table; beside it what was chosen, the designs, what is worth knowing."""
    stakes = decision.stakes
    return {
        "answer": decision_tables.answer(decision, book),
        **json_documents.table(decision_tables.arrays(decision, book)),
        "chosen": json_documents.table(decision_tables.chosen(decision, book)),
        "designs": json_documents.table(decision_tables.designs(decision, book, chances=True)),
        "information": json_documents.table(decision_tables.information(decision, book)),
        "stakes": {
            "late_premium_ratio": stakes.late_premium,
            "late_days": stakes.late_days,
            "desktop_day_cost": stakes.desktop_day,
            "failure_days": stakes.failure_days,
            "pilot_cost": stakes.pilot,
        },
    }
