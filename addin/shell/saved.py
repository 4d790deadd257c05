"""The command that writes a copy of the workbook."""

import argparse

from addin.kernel import Scalar
from addin.numerals import numeral
from addin.workbook.book import CURRENCY_KEY, SizingBook, in_currency, shown
from addin.workbook.digests import both
from addin.workbook.item import calendar_text


def apply(book: SizingBook, options: argparse.Namespace) -> int:
    """Write a copy with the changes of a file, and print them; exit 1 where they leave no answer."""
    from addin.results import applying  # imports numpy
    from addin.sizing.refusals import why_none

    changes = applying.apply(book, options.changes, options.save)
    options.waiting.end()
    after = in_currency(book, [f"{CURRENCY_KEY}={each.now}" for each in changes if each.item.key == CURRENCY_KEY])
    for each in changes:
        was, unit = each.item.unit, after.entry(each.item.key).unit
        print(f"{each.item.key}: {_stored(each.before, was)} -> {_stored(each.now, unit)}")
    print(f"{book.path.name} is {both(book.cells)}, as the page was made from.")
    print(f"{len(changes)} input{'' if len(changes) == 1 else 's'} written: {options.save}.")
    if why := why_none(book, book.values({each.item.address: each.now for each in changes})):
        print(f"The copy has no answer: {why}.")
        return 1
    return 0


def _stored(value: Scalar, unit: str) -> str:
    """Return an input for people with every digit that is stored: 9,000.5 is not written as 9,000."""
    text = shown(value, unit) or "blank"
    if not isinstance(value, float) or calendar_text(value, unit):
        return text
    return text.replace(shown(value), numeral(value, ",.15g"), 1)
