"""A workbook whose formulas were replaced by their values: it shows an answer that no input moves."""

from __future__ import annotations

from addin.errors import BookError
from addin.kernel import Address, KernelError
from addin.kernel.formula.graph import areas, cells_in
from addin.workbook.book import SizingBook


def check_moves(book: SizingBook) -> None:
    """Raise BookError where no formula leads from an input to a result, as in a copy that holds values only."""
    inputs = {item.address for item in book.inputs.values()}
    seen: set[Address] = set()
    waiting = [item.address for item in book.results.values()]
    while waiting:
        cell = waiting.pop()
        if cell in inputs:
            return
        if cell not in seen:
            seen.add(cell)
            try:
                waiting += [read for area in areas(book.cells, cell) for read in cells_in(book.cells, area)]
            except KernelError:  # a formula that cannot be read: what computes it says so
                return
    raise BookError(
        f"{book.path.name}: holds values only, no formula leads from an input to a result; expected the workbook with "
        "its formulas. Open the workbook that these values were made from."
    )
