"""The package `formualizer` as a second opinion: one workbook kept loaded, blocks written, chosen cells computed.

It has no 15-digit view of numbers but in the ROUND family, so comparisons, CEILING and FLOOR go another way beside
whole numbers: never the judge.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import formualizer

from addin.computing.formualizer_engine import KINDS
from addin.kernel import Address, ExcelError, Scalar
from tests.support.compare import Value

Block = Sequence[Sequence[float | str]]


class LoadedWorkbook:
    """A workbook that `formualizer` has loaded."""

    def __init__(self, path: Path) -> None:
        self._book = formualizer.load_workbook(str(path))
        self._book.evaluate_all()

    def recalculate(self, writes: Sequence[tuple[str, int, int, Block]], cells: Sequence[Address]) -> list[Value]:
        """Write blocks, each from a cell of a sheet on ("" empties a cell), and return the values of some cells.

        TRUE and FALSE come back as 1 and 0, errors as text such as #DIV/0!, as they do from LibreOffice.
        """
        for sheet, row, column, rows in writes:
            self._book.set_values_batch(sheet, row, column, [[None if v == "" else v for v in line] for line in rows])
        values = (_scalar(value) for value in self._book.evaluate_cells([tuple(cell) for cell in cells]))
        return [v.value if isinstance(v, ExcelError) else float(v) if isinstance(v, bool) else v for v in values]


def evaluate(values: Mapping[Address, Scalar], cell: Address) -> Scalar:
    """Return what one cell of a small workbook shows; formulas are texts that start with "="."""
    book = formualizer.Workbook()
    for address, value in values.items():
        book.add_sheet(address.sheet)
        if isinstance(value, str) and value.startswith("="):
            book.set_formula(address.sheet, address.row, address.column, value)
        elif isinstance(value, ExcelError):
            book.set_formula(address.sheet, address.row, address.column, f"={value.value}")
        elif value is not None:
            book.set_value(address.sheet, address.row, address.column, value)
    return _scalar(book.evaluate_cell(*cell))


def _scalar(value: Any) -> Scalar:
    """Return a value as the kernel writes it; an error comes as a dict that names its kind."""
    if isinstance(value, dict):
        return KINDS[value["kind"]]
    return float(value) if type(value) is int else value
