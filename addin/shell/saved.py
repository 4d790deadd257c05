"""The command that writes a copy of the workbook."""

import argparse

from addin.workbook.book import SizingBook, shown
from addin.workbook.digests import both


def apply(book: SizingBook, options: argparse.Namespace) -> int:
    """Write a copy with the changes of a file, and print them."""
    from addin.results import applying  # imports numpy

    changes = applying.apply(book, options.changes, options.save)
    options.waiting.end()
    for each in changes:
        unit = each.item.unit
        print(f"{each.item.key}: {shown(each.before, unit) or 'blank'} -> {shown(each.now, unit) or 'blank'}")
    print(f"{book.path.name} is {both(book.cells)}, as the page was made from.")
    print(f"{len(changes)} input{'' if len(changes) == 1 else 's'} written: {options.save}.")
    return 0
