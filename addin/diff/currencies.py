"""Copies in two currencies: each amount keeps its own, and none is subtracted from one in the other.

Nothing is converted: a workbook has one currency and no rate to that of another copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from addin.computing.kernel_engine import Values
from addin.errors import BookError
from addin.kernel import KernelError
from addin.sizing.tables import in_words
from addin.workbook.book import Item, SizingBook
from addin.workbook.item import currency

TO = " -> "  # between the units of an old and a new amount


def both(old: SizingBook, new: SizingBook) -> tuple[str, str] | None:
    """Return the currencies of two copies; None where they are the same."""
    pair = currency(old.cells), currency(new.cells)
    return None if pair[0] == pair[1] else pair


def _is_money(item: Item, of: str) -> bool:
    return item.unit.partition("/")[0] == of


def apart(mine: Item | None, theirs: Item | None, pair: tuple[str, str] | None) -> bool:
    """Say whether an item is an amount in both copies, in another currency in each."""
    return pair is not None and all(each and _is_money(each, of) for each, of in zip((mine, theirs), pair, strict=True))


def unit(mine: Item | None, theirs: Item | None, pair: tuple[str, str] | None) -> str:
    """Return the unit of a pair of values, that of each where it is an amount in two currencies."""
    if mine is not None and theirs is not None and apart(mine, theirs, pair):
        return f"{mine.unit}{TO}{theirs.unit}"
    item = theirs or mine
    return item.unit if item else ""


def notes(old: SizingBook, new: SizingBook) -> Iterator[str]:
    """Yield that the currencies differ, and which results and typed amounts have the same number in both.

    Raises BookError where a result cannot be computed.
    """
    pair = both(old, new)
    if pair is None:
        return
    yield (
        f"The old copy is in {pair[0]}, the new one in {pair[1]}: amounts are shown each in its own currency, neither "
        "converted nor subtracted, and no bridge is made of them."
    )
    values = [_Amounts(book, book.values()) for book in (old, new)]
    for word, before, after in (
        ("results", old.results, new.results),
        ("typed amounts", old.entries, new.entries),
    ):
        same = []
        for key, item in after.items():
            mine = before.get(key)
            if mine is not None and apart(mine, item, pair):
                amount = values[0].of(mine)
                same += [key] if amount and amount == values[1].of(item) else []
        if same:
            yield f"The same number, but in {pair[1]} for {pair[0]}, in these {word}: {', '.join(same)}."


@dataclass(frozen=True)
class _Amounts:
    """The amounts of a copy."""

    book: SizingBook
    values: Values

    def of(self, item: Item) -> float:
        """Return an amount; 0 for a word, or for a code that stands for one."""
        try:
            worded = in_words(item.key, item.unit, self.values.value(item.address))
        except KernelError as error:
            raise BookError(f"{self.book.path.name}: {error}") from None
        return worded if isinstance(worded, float) else 0.0
