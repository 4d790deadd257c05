"""What `decide` prints: the answer and its tables, as text or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from addin.kernel import Scalar
from addin.shell import json_documents
from addin.shell.json_documents import Content
from addin.simulation import decision_tables
from addin.simulation.decide import Decision
from addin.simulation.decision_words import answered, supported
from addin.sizing.tables import Table
from addin.workbook.book import SizingBook

ERROR, MEAN_ERROR = "Error", "Error of the mean"
SIMULATED = (ERROR, "Worth up to", "Worth less its cost", "Mean cost")  # amounts with the error of their row
NO_ERROR = ("P95 of the cost", "Choice changes at a quote of")  # no more digits than the answer has either


def text(decision: Decision, book: SizingBook, table_text: Callable[[Table], str]) -> str:
    """Return the answer, what to buy at each certainty, what to find out, every design and every array."""
    tables = [_chosen(decision, book), _supported(decision_tables.information(decision, book), ERROR)]
    tables += [_brief(decision_tables.designs(decision, book), decision.yearly)] if decision.designs else []
    shown = [table_text(table) for table in tables if table.rows]
    said = "\n".join([decision_tables.answer(decision, book), *decision.alerts])
    return "\n\n".join([said, *shown, table_text(_arrays(decision, book))])


def _chosen(decision: Decision, book: SizingBook) -> Table:
    """Return a row for each design that is chosen, with all certainties that it is chosen for."""
    table = decision_tables.chosen(decision, book)
    rows: list[tuple[Scalar, ...]] = []
    for design, same in groupby(table.rows, key=lambda row: row[1:]):
        *more, last = (str(row[0]) for row in same)
        sure = ", ".join(each.removesuffix(" sure") for each in more)
        rows.append((f"{sure} and {last}" if more else last, *design))
    return Table(table.headings, table.units, tuple(rows), table.notes)


def _supported(table: Table, error: str) -> Table:
    """Return a table with the amounts of each row to the digit that their error begins with."""
    at = table.headings.index(error)
    rows = []
    for row in table.rows:
        own = found if isinstance(found := row[at], float) else 0.0
        rows.append(tuple(_by_heading(value, own, name) for value, name in zip(row, table.headings, strict=True)))
    return Table(table.headings, table.units, tuple(rows), table.notes)


def _by_heading(value: Scalar, error: float, heading: str) -> Scalar:
    if heading in NO_ERROR and isinstance(value, float) and error:
        return answered(value, error)
    return supported(value, error) if heading in SIMULATED and isinstance(value, float) else value


def _arrays(decision: Decision, book: SizingBook) -> Table:
    """Return every array; answer and alerts, first of the notes, stand above already."""
    table = decision_tables.arrays(decision, book)
    return Table(table.headings, table.units, table.rows, table.notes[1 + len(decision.alerts) :])


def _brief(table: Table, yearly: bool) -> Table:
    """Return the designs without what only the sheet and JSON have room for; `yearly` growth asks for more later."""
    table = _supported(table, MEAN_ERROR)
    left_out = {MEAN_ERROR, "Mean regret", "Cheapest in", *([] if yearly else ["To the last year"])}
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
