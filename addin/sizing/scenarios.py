"""Every design that a workbook holds beside the base one, and a grid around the value of one input. Tables out."""

from __future__ import annotations

import math
from dataclasses import replace

from addin.errors import BookError
from addin.kernel import Address, Evaluator
from addin.sizing.answers import without_figure
from addin.sizing.result_keys import SCENARIOS
from addin.sizing.sentence import no_answer
from addin.sizing.tables import Table
from addin.sizing.whatif import ALL, whatif
from addin.workbook import columns
from addin.workbook import designs as in_columns
from addin.workbook.book import Item, SizingBook, shown
from addin.workbook.item import CLOCK
from addin.workbook.outside import not_numbers

VARIED = "desktops"  # the input that is varied and sought unless another one is named or selected
POINTS = 20  # of a grid, at least half as many
MOST_NAMED = 5


def designs(book: SizingBook) -> Table:
    """Return one row for each design in the columns of the workbook: base, what-ifs, published tests.

    A design is a column. A what-if without an entry is left out, as it repeats the base. Raises BookError where the
    columns have no headings.
    """
    items = [book.results[key] for key in SCENARIOS if key in book.results]
    evaluator = Evaluator(book.cells)
    rows, idle, notes = [], [], []
    for number, name in enumerate(names(book)):
        entered = _entered(book, number) if number else ()
        if number and not entered:
            idle.append(name)
            continue
        values = [evaluator.value(shifted(item.address, number)) for item in items]
        words = _texts(book, number) if number else []
        if words or no_answer(book, evaluator, number):
            values = [without_figure(item, value) for item, value in zip(items, values, strict=True)]
            notes += words
        rows.append((name, *values, "; ".join(entered)))
    if idle:
        notes.append(f"Left out, as nothing is entered and they repeat the base design: {', '.join(idle)}.")
    headings = ("Design", *(item.label for item in items), "Changed inputs")
    units, keys = ("", *(item.unit for item in items), ""), ("", *(item.key for item in items), "")
    return Table(headings, units, tuple(rows), tuple(notes), keys)


def _texts(book: SizingBook, number: int) -> list[str]:
    """Return a sentence for each text of a design in a cell of a number: the design would be computed without it."""
    cells = [replace(i, address=in_columns.typed_in(book.cells, i.beside, number)) for i in book.inputs.values()]
    return list(not_numbers(book, cells))


def names(book: SizingBook) -> list[str]:
    """Return what the designs in the columns of the workbook are called, the base design first."""
    varied = book.find(book.inputs, VARIED, "input")
    if found := in_columns.names(book.cells, varied.beside):
        return found
    base = varied.beside
    raise BookError(f"{book.path.name}: there is no heading above {base.a1}. Restore the headings of {base.sheet}.")


def shifted(base: Address, number: int) -> Address:
    """Return the cell of a result in a design, from that of the base."""
    return base._replace(column=base.column + number)


def _entered(book: SizingBook, number: int) -> tuple[str, ...]:
    """Return the inputs of a design that differ from the base design's, as key=value; the first ones of many."""
    changed, evaluator = [], Evaluator(book.cells)
    for item in sorted(book.inputs.values(), key=lambda item: item.address):
        own, base = (evaluator.value(a) for a in (in_columns.typed_in(book.cells, item.beside, number), item.address))
        if own is not None and own != base:
            changed.append(f"{item.key}={shown(own, item.unit if item.unit == CLOCK else '')}")
    more = (f"and {len(changed) - MOST_NAMED} more",) if len(changed) > MOST_NAMED else ()
    return (*changed[:MOST_NAMED], *more)


def grid(book: SizingBook, item: Item, centre: float | None = None) -> Table:
    """Return the results for values of one input around its present one, or around another centre."""
    table = whatif(book, (), (span(book, item, centre),), [key for key in SCENARIOS if key in book.results])
    return replace(table, headings=(item.label, *table.headings[1:]))


def span(book: SizingBook, item: Item, centre: float | None = None) -> str:
    """Return the values worth a look as --vary writes them: the whole list, or half to double the present value.

    Steps are 1, 2 or 5 times a power of ten; an input that is 0 or not known is varied from the low end of its range.
    """
    if item.choices:
        return f"{item.key}={ALL}"
    present = centre if centre is not None else in_effect(book, item)
    least = -math.inf if item.minimum is None else item.minimum
    most = math.inf if item.maximum is None else item.maximum
    if present:
        low, high = sorted((present / 2, present * 2))
    else:
        low = least if math.isfinite(least) else 0.0
        high = min(most, low + (POINTS if item.whole else 1.0))
    low, high = max(low, least), min(high, most)
    step = _step((high - low) / POINTS, item.whole)
    first = max(math.ceil(low / step - 1e-9) * step, least)
    last = max(min(math.floor(high / step + 1e-9) * step, most), first)
    return f"{item.key}={first:.12g}:{last:.12g}:{step:.12g}"


def _step(rough: float, whole: bool) -> float:
    power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough * (1 - 1e-9))
    return max(1.0, step) if whole else step


def in_effect(book: SizingBook, item: Item) -> float:
    """Return the number that the base design uses for an input: its own, or the one that stands in for a blank.

    That one stands under the same label in the same column of a further sheet. 0 where there is none.
    """
    value = book.held(item)
    if value is None:
        same = [
            address
            for address in book.cells.formulas()
            if address.column == item.beside.column and address.sheet not in (item.address.sheet, item.beside.sheet)
            and book.cells.constant(columns.label(book.cells, address)) == (item.also or item.label)
        ]  # fmt: skip
        value = Evaluator(book.cells).value(same[0]) if same else None
    return value if isinstance(value, float) else 0.0
