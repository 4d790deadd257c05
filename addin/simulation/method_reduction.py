"""The data reduction of desktops' disks as a spread: the low, likely and high figure of the design's own method.

They are those of Lists, with or without inline reduction as the array has it, and at most what the array is sold with:
an array that reduces nothing is drawn at 1:1. A trial is as often below the likely figure, which sizes, as above it.
"""

from __future__ import annotations

from collections.abc import Mapping

from addin.errors import RequestError
from addin.kernel import Address, Evaluator, Scalar
from addin.simulation.spreads import Spread
from addin.workbook.book import Item, SizingBook

KIND, KEY = "by method", "data_reduction_ratio"
LOW, USED, HIGH, CAP = ENDS = ("disk_low", "disk_reduction", "disk_high", "array_reduction")  # results
STANDARD = Spread(KIND, (-1.0, 0.0, 1.0))  # low, likely and high as -1, 0 and 1


def spread(book: SizingBook, item: Item, settled: Mapping[Address, Scalar], where: str) -> Spread | None:
    """Return the spread for the design; None where one figure is certain: typed, encrypted, 1:1, of no known range.

    Raises RequestError for another input than that of the row.
    """
    if item.key != KEY:
        raise RequestError(f"{where}: found {KIND!r}, which is for {KEY} alone. Choose another distribution.")
    if book.held(item) is not None or any(key not in book.results for key in ENDS):
        return None
    values = Evaluator(book.cells, settled)
    found = [values.value(book.results[key].address) for key in ENDS]
    low, likely, high, cap = (each if isinstance(each, float) else 0.0 for each in found)
    low, high = (max(1.0, min(end, cap) if cap > 0 else end) for end in (low, high))
    if not low <= likely <= high or low == high:
        return None
    least, most = item.minimum or 1.0, item.maximum or high
    return Spread(KIND, (low, likely, high), low=least, high=most, where=where)
