"""The command that writes a copy of the workbook."""

import argparse

from addin.kernel import Scalar
from addin.numerals import numeral
from addin.workbook.book import CURRENCY_KEY, SizingBook, in_currency, shown
from addin.workbook.digests import both
from addin.workbook.item import calendar_text

WORKBOOKS = (".xlsx", ".xlsm")


def apply(book: SizingBook, options: argparse.Namespace) -> int:
    """Write a copy with the changes of a file, and print them; exit 1 where they leave no answer."""
    from addin.results import applying  # imports numpy
    from addin.sizing.refusals import why_none

    older = options.changes.suffix.lower() in WORKBOOKS
    notes: list[str] = []
    if older:
        from addin.results.carried import carry

        changes, notes = carry(book, options.changes, options.save)
    else:
        changes = applying.apply(book, options.changes, options.save)
    options.waiting.end()
    after = in_currency(book, [f"{CURRENCY_KEY}={each.now}" for each in changes if each.item.key == CURRENCY_KEY])
    for each in changes:
        unit = after.entry(each.item.key).unit if after.is_entry(each.item.key) else each.item.unit
        print(f"{each.item.key}: {_stored(each.before, each.item.unit)} -> {_stored(each.now, unit)}")
    print(*notes or [f"{book.path.name} is {both(book.cells)}, as the page was made from."], sep="\n")
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
