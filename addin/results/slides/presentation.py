"""The slides of a workbook as a file. Same workbook, same bytes."""

from __future__ import annotations

from addin.results.document.page import first_shown
from addin.results.document.reading import Reading
from addin.results.document.theme import Theme
from addin.results.slides.content import Source, slides
from addin.results.slides.deck import check, deck, note
from addin.results.slides.fitting import cut
from addin.workbook.book import SizingBook
from addin.workbook.digests import both

_NAME = 400.0  # points of the footer for the title

__all__ = ("check", "note", "presented")


def presented(book: SizingBook, original: SizingBook, prices: bool, theme: Theme, changed: str = "") -> bytes:
    """Return the five slides as a file.

    `book` is the workbook to describe, without prices where they are left out; `original` the one with prices, whose
    file, version and digest the slides name. `changed` are the inputs changed for them, in words. Raises the errors
    of the kernel.
    """
    reading = Reading(first_shown(book), prices)
    title = reading.named("Doc_project") or original.path.stem
    name = cut(title, (_NAME, 12.0), 9.0)  # so that what tells one copy from another is never cut
    footer = f"{name}. {original.path.name}, version {reading.book.version}, {both(original.cells)}."
    made = slides(Source(reading, Reading(original, prices), changed))
    return deck(made, theme, title, reading.named("Doc_author"), footer)
