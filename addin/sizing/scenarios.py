"""Every design that a workbook holds beside the base one, and a grid around the value of one input. Tables out."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import takewhile

from addin.errors import BookError
from addin.kernel import Address, Evaluator
from addin.sizing.result_keys import SCENARIOS
from addin.sizing.tables import Table
from addin.sizing.whatif import ALL, whatif
from addin.workbook.book import LABEL, Item, SizingBook, shown
from addin.workbook.item import CLOCK

VARIED = "desktops"  # the input that is varied and sought unless another one is named or selected
POINTS = 20  # of a grid, at least half as many
MOST_DESIGNS, MOST_NAMED = 100, 5


def designs(book: SizingBook) -> Table:
    """Return one row for each design in the columns of the workbook: base, what-ifs, published tests.

    A design is a column: inputs and results of a design stand in the same column of their rows. A what-if without an
    entry is left out, as it repeats the base. Raises BookError where the columns have no headings.
    """
    base = book.find(book.inputs, VARIED, "input").beside
    items = [book.results[key] for key in SCENARIOS if key in book.results]
    evaluator = Evaluator(book.cells)
    rows, idle = [], []
    for column, name in enumerate(names(book), base.column):
        entered = () if column == base.column else _entered(book, column)
        if column != base.column and not entered:
            idle.append(name)
            continue
        values = tuple(evaluator.value(item.address._replace(column=column)) for item in items)
        rows.append((name, *values, "; ".join(entered)))
    notes = (f"Left out, as nothing is entered and they repeat the base design: {', '.join(idle)}.",) if idle else ()
    headings = ("Design", *(item.label for item in items), "Changed inputs")
    units, keys = ("", *(item.unit for item in items), ""), ("", *(item.key for item in items), "")
    return Table(headings, units, tuple(rows), notes, keys)


def names(book: SizingBook) -> list[str]:
    """Return what the designs in the columns of the workbook are called, the base design first."""
    base = book.find(book.inputs, VARIED, "input").beside
    head = _heading_row(book, base)
    columns = range(base.column, base.column + MOST_DESIGNS)
    headings = (book.cells.constant(Address(base.sheet, head, column)) for column in columns)
    return [name for name in takewhile(lambda name: isinstance(name, str), headings) if isinstance(name, str)]


def _heading_row(book: SizingBook, base: Address) -> int:
    for row in range(base.row - 1, 0, -1):
        above = base._replace(row=row)
        if isinstance(book.cells.constant(above), str) and book.cells.formula(above) is None:
            return row
    raise BookError(f"{book.path.name}: there is no heading above {base.a1}. Restore the headings of {base.sheet}.")


def _entered(book: SizingBook, column: int) -> tuple[str, ...]:
    """Return the inputs of a design that differ from the base design's, as key=value; the first ones of many."""
    changed, evaluator = [], Evaluator(book.cells)
    for item in sorted(book.inputs.values(), key=lambda item: item.address):
        own, base = (evaluator.value(a) for a in (item.beside._replace(column=column), item.address))
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
            and book.cells.constant(address._replace(column=LABEL)) == (item.also or item.label)
        ]  # fmt: skip
        value = Evaluator(book.cells).value(same[0]) if same else None
    return value if isinstance(value, float) else 0.0
