"""What was typed into an open workbook since it was saved: a copy of its file takes that along."""

from __future__ import annotations

import re
from dataclasses import dataclass

from addin.buttons import COMMANDS
from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.results.applying import Change
from addin.workbook.book import Item, SizingBook, open_book

_TYPES = (".xlsx", ".xlsm")
_NEWER = re.compile(r"_xl(?:fn|ws)\.", re.IGNORECASE)  # files spell some functions so, applications do not


@dataclass(frozen=True)
class Unsaved:
    """What differs in cells that the file has too; the sheets that only one of the two has, result sheets left out."""

    changes: tuple[Change, ...]
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """What a copy of the file has otherwise than the open workbook."""
        lacking = [f"added since it was saved, so not in the copy: {', '.join(self.added)}"] if self.added else []
        left = [f"deleted since it was saved, and still in the copy: {', '.join(self.deleted)}"] if self.deleted else []
        return lacking + left


def unsaved(book: SizingBook) -> Unsaved:
    """Return what was typed into an open workbook since it was saved.

    Raises RequestError for a workbook without a file on this machine, and for one with other formulas than its file:
    these a copy of the file cannot take along.
    """
    if not book.path.is_file() or book.path.suffix.casefold() not in _TYPES:
        raise RequestError(
            f"{book.path.name}: is not saved as .xlsx on this machine, and the demand goes into a copy of the file. "
            "Save it once, then run this again."
        )
    saved = open_book(book.path)
    drawn = {button.sheet for button in COMMANDS.values()}
    here, there = ([title for title in each.cells.sheets if title not in drawn] for each in (book, saved))
    both = set(here) & set(there)
    places = sorted({at for each in (book, saved) for at in each.cells.values if at.sheet in both})
    if other := next((at for at in places if _formula(book, at) != _formula(saved, at)), None):
        raise RequestError(
            f"{book.path.name}: {other.a1} has another formula than in the saved file, and the demand goes into a copy "
            "of the file. Save it, then run this again."
        )
    cells = [(at, _constant(saved, at), _constant(book, at)) for at in places]
    return Unsaved(
        tuple(Change(Item("", at, "typed since it was saved", ""), old, new) for at, old, new in cells if old != new),
        tuple(title for title in here if title not in both),
        tuple(title for title in there if title not in both),
    )


def _constant(book: SizingBook, at: Address) -> Scalar:
    value = None if book.cells.formula(at) else book.cells.constant(at)
    return None if value == "" else value


def _formula(book: SizingBook, at: Address) -> str:
    return _NEWER.sub("", book.cells.formula(at) or "")
