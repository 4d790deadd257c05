"""The cells of a workbook about money: prices, discounts, support, rates, budgets and quotes, and what removes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from addin.kernel import Address, Scalar
from addin.leaving.marks import known
from addin.simulation import risk
from addin.workbook import columns, designs, own_rows, run_settings
from addin.workbook.book import Item, SizingBook
from addin.workbook.item import unit_at
from model.layout.codes import CURRENCY

_WORDS = frozenset(
    ("price", "discount", "support", "capital", "resale", "cost", "tariff", "budget", "quote", "licence", "premium")
)
_MONEY = "cost_total"  # a result in the currency of the workbook
_FIXED = "fixed"
_SPREAD = frozenset((risk.KIND, *risk.COLUMNS, risk.VALUES))


def is_money(key: str) -> bool:
    """Return whether an input, or a field of a row of the user's own, is about money, by the words of its key."""
    return not _WORDS.isdisjoint(key.rpartition(".")[2].split("_"))


def amounts(book: SizingBook, money: Collection[Address]) -> set[float]:
    """Return the numbers that cells about money hold or compute."""
    return {price for at in money if isinstance(price := book.values().value(at), float)}


def neutral(item: Item) -> Scalar:
    """Return the neutral value of an input about money that must not be blank: no discount, no support, no change."""
    if item.choices:
        return item.choices[0]
    if item.text or item.minimum is None or item.maximum is None:
        return None
    return min(max(0.0, item.minimum), item.maximum)


def inputs(book: SizingBook) -> Iterator[tuple[Address, Scalar]]:
    """Yield the cells of inputs, what-ifs and own rows about money, with the values that remove them."""
    for item in book.inputs.values():
        if is_money(item.key):
            blank = book.cells.values.get(item.address) is None or (item.minimum or 0) > 0
            yield item.address, None if blank else neutral(item)
            for at in designs.what_ifs(book.cells, item.beside):
                text = book.cells.formula(at)
                if at != item.beside and at in book.cells.values and not (text and known().formula(text, at)):
                    yield at, None
    for _, item in own_rows.own_items(book.cells, formulas=True):
        if is_money(item.key):
            yield item.address, None


def spreads(book: SizingBook) -> Iterator[tuple[Address, Scalar]]:
    """Yield the cells of spreads about money on Risk inputs, with the values that remove them."""
    for at, key, head in risk_rows(book):
        if is_money(key):
            yield at, _FIXED if head == risk.KIND else None


def risk_rows(book: SizingBook) -> Iterator[tuple[Address, str, str]]:
    """Yield the cells of spreads on Risk inputs: cell, key of the input, heading."""
    every = risk.cells(book)
    heads = {at.column: value for at in every if at.row == risk.HEAD_ROW
             and isinstance(value := book.cells.constant(at), str)}  # fmt: skip
    keys = next((column for column, head in heads.items() if head == risk.KEY), 1)
    last = min((at.row for at in every if book.cells.constant(at) == risk.MATRIX), default=None)
    for at in every:
        key = book.cells.constant(at._replace(column=keys))
        if at.row <= risk.HEAD_ROW or (last is not None and at.row >= last):
            continue  # below are ranks of correlation
        if isinstance(key, str) and key in book.inputs and heads.get(at.column) in _SPREAD:
            yield at, key, heads[at.column]


def ranks(book: SizingBook) -> Iterator[Address]:
    """Yield the ranks of correlation that are typed on Risk inputs: numbers from -1 to 1."""
    every = risk.cells(book)
    first = min((at.row for at in every if book.cells.constant(at) == risk.MATRIX), default=None)
    settings = min((at.row for at in run_settings.cells(book)), default=None)  # below the ranks, and no ranks
    for at in every:
        value = book.cells.constant(at)
        within = first is not None and at.row > first and (settings is None or at.row < settings)
        if within and isinstance(value, float) and abs(value) <= 1:
            yield at


def settings(book: SizingBook, *, money: bool) -> Iterator[Address]:
    """Yield the cells of run settings that are about money, or those that are numbers about something else."""
    for name in run_settings.NUMBERS:
        if is_money(name) == money:
            yield from run_settings.cells(book, name)


def units(book: SizingBook) -> frozenset[str]:
    """Return the units of money: the currency of the workbook, and that of the papers."""
    return frozenset((book.results[_MONEY].unit.partition("/")[0], CURRENCY)) if _MONEY in book.results else frozenset()


def priced(book: SizingBook) -> Iterator[Address]:
    """Yield every number typed into a row in a unit of money, on any sheet."""
    money = units(book)
    for at, value in book.cells.values.items():
        number = isinstance(value, int | float) and at.column > columns.of(book.cells, at.sheet).unit
        if number and money and unit_at(book.cells, at).partition("/")[0] in money:
            yield at
