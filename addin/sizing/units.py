"""What a design is counted in: arrays, or the nodes of a hyper-converged system."""

from __future__ import annotations

from addin.computing.kernel_engine import Values
from addin.workbook.book import SizingBook

ARRAY, NODE = "array", "node"
_WORD = "unit_word"  # the result that says it


def bought(book: SizingBook, values: Values) -> str:
    """Return the word for one of what the base design is built of; a workbook that does not say it has arrays."""
    item = book.results.get(_WORD)
    return NODE if item and values.value(item.address) == NODE else ARRAY


def counted(text: str, word: str) -> str:
    """Return a label or a unit of the base design with nodes for arrays, where it is built of nodes."""
    return text if word == ARRAY else text.replace("Array", "Node").replace("array", "node")
