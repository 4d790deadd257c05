"""What the page needs to split the change of a result between two designs by input, as `diff` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from addin.diff.bridge import HEADLINE
from addin.workbook.book import SizingBook
from addin.workbook.item import Item
from addin.workbook.reads import everything_behind
from model.layout.codes import code_words


def bridged(book: SizingBook, entries: Sequence[Item]) -> list[dict[str, Any]]:
    """Return for each headline result its key, the inputs that it reads by number, and its codes of missing figures."""
    found = []
    for key in HEADLINE:
        if item := book.results.get(key):
            reached = everything_behind(book, item.address)
            behind = [n for n, entry in enumerate(entries) if entry.address in reached]
            found.append({"key": key, "behind": behind, "codes": sorted(code_words(key, item.unit))})
    return found
