"""Results that a workbook's file stores otherwise than its formulas give."""

from __future__ import annotations

from collections.abc import Iterable

from addin.workbook.book import SizingBook
from addin.xlsx.stored_compared import Stored, differing
from addin.xlsx.stored_results import StoredResults


def stored_otherwise(book: SizingBook, exact: bool = False, keys: Iterable[str] | None = None) -> list[Stored]:
    """Return the cells that the file stores otherwise than their formulas give; none of an open document.

    `exact` holds numbers to 15 digits, where no application computed them; `keys` are the results to look at, every
    formula cell unless given.
    """
    if not isinstance(book.stored, StoredResults):
        return []
    every = (at for at in book.cells.values if book.cells.formula(at) is not None)
    some = (book.results[key].address for key in keys or () if key in book.results)
    places = list(every if keys is None else some)
    return differing(book.cells, book.computed, book.stored.shown(places), exact)
