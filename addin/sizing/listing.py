"""Everything that can be typed, with its key: what to give to --set, found by any word of it. A book in, items out."""

from __future__ import annotations

from dataclasses import dataclass

from addin.errors import RequestError
from addin.kernel import Scalar
from addin.sizing.tables import Table
from addin.workbook.book import Item, SizingBook, shown
from addin.workbook.item import CLOCK, YEAR, folded, nearest, one_of

MOST_CHOICES = 6  # shown in a table's row


@dataclass(frozen=True)
class Entry:
    """Something typed: its key and cell, what it accepts, and what is typed there now; None where it is blank."""

    item: Item
    value: Scalar


def entries(book: SizingBook, find: str | None = None) -> list[Entry]:
    """Return the base inputs, with `find` also the rows of the user's own: those in which all its words stand, by tab.

    Words are looked for in key, label, unit, value and what is accepted. Raises RequestError where none is found.
    """
    known = book.inputs if find is None else book.entries
    tab = book.cells.sheets.index
    ordered = sorted(
        known.values(), key=lambda item: (item.key not in book.inputs, tab(item.address.sheet), item.address)
    )
    listed = [Entry(item, book.cells.constant(item.address)) for item in ordered]
    if find is None:
        return listed
    words = folded(find).split()
    found = [entry for entry in listed if all(word in _text(entry) for word in words)]
    if not found:
        near = one_of(nearest(find, known.values()))
        raise RequestError(f"{book.path.name}: no input holds {find!r} in key, label, unit, value or choices; {near}")
    return found


def inputs(book: SizingBook, find: str | None = None) -> Table:
    """Return them as a table, one row for each; a long list of choices is cut."""
    listed = entries(book, find)
    once: dict[tuple[str, ...], str] = {}  # what is the same in every row of the user's own stands there once
    rows, same = [], set[str]()
    for entry in listed:
        item = entry.item
        row, _, field = item.key.rpartition(".")
        shows = (item.label, _now(entry), item.unit, _accepts(item))
        if row and once.setdefault((field, *shows), row) != row and folded(row) not in folded(find or ""):
            same.add(row)
            continue
        rows.append((item.key, *shows))
    notes = []
    if same:
        notes.append(f"The same for {', '.join(sorted(same))}: put its name before the point.")
    if find is None and book.own:
        notes.append(f"{len(book.own):,} more keys, <row>.<field>, for rows of your own: --find finds them.")
    return Table(("Key", "Label", "Value", "Unit", "Accepts"), ("",) * 5, tuple(rows), (*notes, *book.notes))


def _text(entry: Entry) -> str:
    item = entry.item
    return folded(" ".join((item.key, item.label, item.also, item.unit, item.accepts, _now(entry))))


def _now(entry: Entry) -> str:
    return shown(entry.value, entry.item.unit if entry.item.unit in (CLOCK, YEAR) else "") or "(blank)"


def _accepts(item: Item) -> str:
    if len(item.choices) > MOST_CHOICES:
        return f"{', '.join(item.choices[:MOST_CHOICES])} ... ({len(item.choices)} choices)"
    return item.accepts.removesuffix(f" {item.unit}") if not item.choices else item.accepts
