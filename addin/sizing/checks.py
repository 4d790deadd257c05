"""The checks of a workbook that are raised: what reports name. A book in, records out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from addin.computing.kernel_engine import Values
from addin.errors import BookError
from addin.kernel import Address, Cells, Evaluator
from addin.kernel.formula.graph import formula_reader
from addin.workbook.book import SizingBook, shown
from addin.workbook.tables import rows

ERROR, ALERT = "error", "alert"
MASTER = "Chk_Master"  # stands on the sheet of the checks, whatever that is called
_TOLD = ("Id", "Check", "Type", "What to do")
HEADINGS = (*_TOLD, "Raised")
NEAR = 250  # formula cells that a quick answer computes for a check beyond those of the design: the proof has more


@dataclass(frozen=True)
class Raised:
    """A check that is raised: its id and kind (error, alert, sensitivity), what should be true, what to do."""

    id: str
    label: str
    kind: str
    todo: str

    @property
    def line(self) -> str:
        """What a report says of it."""
        return f"{self.kind} {self.id} raised. Expected: {self.label}. {self.todo}."


def raised(book: SizingBook, values: Values, *, quick: bool = False) -> list[Raised]:
    """Return the checks that are raised, in the order of their sheet.

    `quick` takes the proof as saved: errors that much of the workbook stands behind beyond what `values` has computed,
    such as the published tests.
    Raises BookError where a heading is missing.
    """
    sheet = book.address(book.cells.names[MASTER], MASTER).sheet
    checks = list(rows(book, sheet))
    for heading in HEADINGS:
        if any(heading not in row for row in checks):
            raise BookError(f"{book.path.name}: no column of {sheet} is headed {heading!r}. Restore its headings.")
    errors = (row["Raised"] for row in checks if book.cells.constant(row["Type"]) == ERROR)
    saved = book.stored.values(far(book.cells, values, errors)) if quick else {}
    found = []
    for row in checks:
        flag = row["Raised"]
        if (saved[flag] if flag in saved else values.value(flag)) != 0:
            found.append(Raised(*(shown(values.value(row[heading])) for heading in _TOLD)))
    return found


def far(cells: Cells, values: Values, flags: Iterable[Address]) -> list[Address]:
    """Return the flags of checks behind which more formula cells stand than a quick answer computes."""
    reads = formula_reader(cells)
    computed = values.computed if isinstance(values, Evaluator) else {}

    def cost(flag: Address) -> int:
        seen, ahead = {flag}, [flag]
        while ahead and len(seen) <= NEAR:
            found = [cell for cell in reads(ahead.pop()) if cell not in seen and cell not in computed]
            seen.update(found)
            ahead += found
        return len(seen)

    return [flag for flag in flags if cost(flag) > NEAR]
