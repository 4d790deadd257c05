"""The changes by people in a copy since the workbook of its version was built, for an audit."""

from __future__ import annotations

from addin.console import program
from addin.diff.compared import Difference, compare
from addin.diff.typed import Change
from addin.errors import AddinError
from addin.numerals import numeral
from addin.workbook.book import SizingBook, open_book
from addin.workbook.digests import as_built
from addin.workbook.shipped import BOOK, shipped

SHIPPED = shipped(BOOK)
NOT_COMPARED = (
    "What people changed is not listed: the workbook of this version is not here. "
    f"With the copy you started from: {program()} diff OLD NEW"
)
_SECTIONS = ("formulas", "catalogue", "texts", "own_rows", "inputs")


def changes_by_people(book: SizingBook) -> Difference | None:
    """Return the differences from the shipped workbook of the same digest; None without one, or without a digest."""
    made = as_built(book.cells)
    try:
        shipped = open_book(SHIPPED) if made else None
        return compare(shipped, book, outcomes=False) if shipped and as_built(shipped.cells) == made else None
    except AddinError:  # an install without the workbook, or a copy without the labels of its rows
        return None


def not_compared(book: SizingBook) -> str:
    """Return why no change is listed, and for a copy of another version that other rules applied to its build."""
    try:
        rules = open_book(SHIPPED).version
    except AddinError:
        return NOT_COMPARED
    older = f"The rules are those of version {rules}; what the copy breaks may be so in its release, {book.version}. "
    return NOT_COMPARED if book.version == rules else f"{older}{NOT_COMPARED}"


def sections(found: Difference) -> list[tuple[str, str, tuple[Change, ...]]]:
    """Return key, title and findings of every section with changes, formulas first."""
    by_key = {key: (key, title, changes) for key, title, changes in found.sections}
    return [by_key[key] for key in _SECTIONS if by_key[key][2]]


def sentence(found: Difference) -> str:
    """Return the number of changes by people as one sentence."""
    counts = [f"{title.lower()} {numeral(len(changes))}" for _, title, changes in sections(found)]
    return f"Changed by hand since version {found.old.version} was built: {', '.join(counts) or 'nothing'}"
