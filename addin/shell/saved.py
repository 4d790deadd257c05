"""The command that writes a copy of the workbook."""

import argparse

from addin.workbook.book import CURRENCY_KEY, SizingBook, in_currency, shown
from addin.workbook.digests import both


def apply(book: SizingBook, options: argparse.Namespace) -> int:
    """Write a copy with the changes of a file, and print them."""
    from addin.results import applying  # imports numpy

    changes = applying.apply(book, options.changes, options.save)
    options.waiting.end()
    after = in_currency(book, [f"{CURRENCY_KEY}={each.now}" for each in changes if each.item.key == CURRENCY_KEY])
    for each in changes:
        was, unit = each.item.unit, after.entry(each.item.key).unit
        print(f"{each.item.key}: {shown(each.before, was) or 'blank'} -> {shown(each.now, unit) or 'blank'}")
    print(f"{book.path.name} is {both(book.cells)}, as the page was made from.")
    print(f"{len(changes)} input{'' if len(changes) == 1 else 's'} written: {options.save}.")
    return 0
