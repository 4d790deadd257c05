"""The checks of a workbook that are raised: what reports name. A book in, records out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from addin.computing.kernel_engine import Values
from addin.errors import BookError
from addin.kernel import Address
from addin.kernel.formula.graph import formula_reader
from addin.workbook.book import SizingBook, shown
from addin.workbook.tables import rows

ERROR, ALERT = "error", "alert"
MASTER = "Chk_Master"  # stands on the sheet of the checks, whatever that is called
_TOLD = ("Id", "Check", "Type", "What to do")
HEADINGS = (*_TOLD, "Raised")
NEAR = 400  # formula cells behind a check that are computed for a quick answer


@dataclass(frozen=True)
class Raised:
    """A check that does not hold: its id and kind (error, alert, sensitivity), what should hold, what to do."""

    id: str
    label: str
    kind: str
    todo: str

    @property
    def line(self) -> str:
        """What a report says of it."""
        return f"{self.kind} {self.id}, does not hold: {self.label}. {self.todo}."


def raised(book: SizingBook, values: Values, *, quick: bool = False) -> list[Raised]:
    """Return the checks that are raised, in the order of their sheet.

    `quick` takes the proof, errors that much of the workbook stands behind such as the published tests, as saved.
    Raises BookError where a heading is missing.
    """
    sheet = book.address(book.cells.names[MASTER], MASTER).sheet
    checks = list(rows(book, sheet))
    for heading in HEADINGS:
        if any(heading not in row for row in checks):
            raise BookError(f"{book.path.name}: no column of {sheet} is headed {heading!r}. Restore its headings.")
    errors = (row["Raised"] for row in checks if book.cells.constant(row["Type"]) == ERROR)
    reads = formula_reader(book.cells)
    saved = book.stored.values([flag for flag in errors if _far(flag, reads)]) if quick else {}
    found = []
    for row in checks:
        flag = row["Raised"]
        if (saved[flag] if flag in saved else values.value(flag)) != 0:
            found.append(Raised(*(shown(book.cells.constant(row[heading])) for heading in _TOLD)))
    return found


def _far(flag: Address, reads: Callable[[Address], tuple[Address, ...]]) -> bool:
    """Say whether more formula cells stand behind a check than a quick answer computes."""
    seen, ahead = {flag}, [flag]
    while ahead:
        for cell in reads(ahead.pop()):
            if cell not in seen:
                seen.add(cell)
                ahead.append(cell)
                if len(seen) > NEAR:
                    return True
    return False
