"""A workbook without its prices: what goes to somebody who may see the design and not the money.

Prices, discounts, support, rates, budgets and quotes are taken out before anything is computed, so that no result and
no text made of them can carry one: cells then say "enter a quote". What the papers print stays, but for the price of
an array, as it stands beside the quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from openpyxl import Workbook
from openpyxl.cell import MergedCell

from addin.errors import BookError
from addin.kernel import Address, Scalar
from addin.simulation import risk
from addin.workbook import own_rows
from addin.workbook.book import Item, SizingBook
from addin.workbook.item import UNIT, unit_at
from model.layout.codes import CURRENCY
from model.workbook import TABS

LEFT_OUT = "left out"
_WORDS = frozenset(
    ("price", "discount", "support", "capital", "resale", "cost", "tariff", "budget", "quote", "licence")
)
_TOLD = re.compile(r"[$\u20ac]|USD|\bprices?\b", re.IGNORECASE)
_MONEY = "cost_total"  # a result in the currency of the workbook
_DESIGNS = "Tbl_Designs"
_FIXED = "fixed"


def is_money(key: str) -> bool:
    """Say whether an input, or a field of a row of the user's own, is about money, by the words of its key."""
    return not _WORDS.isdisjoint(key.rpartition(".")[2].split("_"))


def tells_money(text: str) -> bool:
    """Say whether a text of the papers speaks of a price."""
    return _TOLD.search(text) is not None


@dataclass(frozen=True)
class Priceless:
    """A workbook without prices. `hidden` are the cells that held one, `sheets` those that were left out."""

    book: SizingBook
    hidden: frozenset[Address]
    sheets: tuple[str, ...]

    def shown(self, values: Mapping[Address, Scalar]) -> dict[Address, Scalar]:
        """Return values of the cells with `LEFT_OUT` where a price stood."""
        return {at: LEFT_OUT if at in self.hidden else value for at, value in values.items()} | dict.fromkeys(
            self.hidden, LEFT_OUT
        )


def without_prices(book: SizingBook) -> Priceless:
    """Return a workbook without prices, its answer but for the money unchanged; the one given keeps its own.

    Raises BookError where formulas read a sheet that is left out, as it was added or renamed.
    """
    named = (text.rpartition("!")[0].strip("'").replace("''", "'") for text in book.cells.names.values())
    kept = {*(tab.name for tab in TABS), *named}
    foreign = tuple(title for title in book.cells.sheets if title not in kept)
    _check_unread(book, foreign)
    priced = frozenset(_priced(book))  # what a paper claims, too: its words would tell the amount
    changes = dict.fromkeys(priced) | dict(_inputs(book)) | dict(_spreads(book))
    typed = {at for at in changes if book.cells.constant(at) is not None}
    cells = book.cells.with_values(changes)
    cells = replace(
        cells,
        values={at: value for at, value in cells.values.items() if at.sheet not in foreign and value is not None},
        sheets=tuple(title for title in cells.sheets if title not in foreign),
    )
    hidden = {at for at in typed | priced if at.sheet not in foreign}
    return Priceless(replace(book, cells=cells), frozenset(hidden), foreign)


def _check_unread(book: SizingBook, foreign: tuple[str, ...]) -> None:
    cells = book.cells
    for title in foreign:
        quoted = title.replace("'", "''")
        form = re.compile(rf"(?:(?<![\w.'])|'){re.escape(quoted)}'?!")
        for at in cells.formulas():
            if at.sheet not in foreign and form.search(cells.formula(at) or ""):
                raise BookError(
                    f"{book.path.name}: {at.a1} reads the sheet {title!r}, which was added or renamed, so that nobody "
                    "knows which prices it holds. Give it its old name, or hand over with prices."
                )


def neutral(item: Item) -> Scalar:
    """Return what stands in an input about money that must not be blank: no discount, no support, no change."""
    if item.choices:
        return item.choices[0]
    if item.text or item.minimum is None or item.maximum is None:
        return None
    return min(max(0.0, item.minimum), item.maximum)


def _inputs(book: SizingBook) -> Iterator[tuple[Address, Scalar]]:
    designs = own_rows.area(book.cells, book.cells.names.get(_DESIGNS, ""))
    for item in book.inputs.values():
        if is_money(item.key):
            blank = book.cells.constant(item.address) is None or (item.minimum or 0) > 0
            yield item.address, None if blank else neutral(item)
            for head in designs:
                at = item.beside._replace(column=head.column)
                if at != item.beside and book.cells.constant(at) is not None:
                    yield at, None
    for item in book.own.values():
        if is_money(item.key):
            yield item.address, None


def _spreads(book: SizingBook) -> Iterator[tuple[Address, Scalar]]:
    """Yield the spreads of inputs about money on Risk inputs: none, then."""
    heads = {
        value: at.column
        for at in book.cells.stored(risk.SHEET)
        if at.row == risk.HEAD_ROW and isinstance(value := book.cells.constant(at), str)
    } if risk.SHEET in book.cells.sheets else {}  # fmt: skip
    every = list(book.cells.stored(risk.SHEET)) if heads else []
    last = min((at.row for at in every if book.cells.constant(at) == risk.MATRIX), default=None)
    for at in every:
        if last is not None and at.row >= last:
            continue  # ranks of correlation
        key = book.cells.constant(at._replace(column=heads.get(risk.KEY, 1)))
        money = at.row > risk.HEAD_ROW and isinstance(key, str) and key in book.inputs and is_money(key)
        if money and at.column in {heads.get(name) for name in (*risk.COLUMNS, risk.VALUES)}:
            yield at, None
        elif money and at.column == heads.get(risk.KIND):
            yield at, _FIXED


def _priced(book: SizingBook) -> Iterator[Address]:
    """Yield every number that is typed into a row in the currency, or in dollars as papers print, of whatever sheet."""
    money = {book.results[_MONEY].unit.partition("/")[0], CURRENCY} if _MONEY in book.results else set()
    for at, value in book.cells.values.items():
        number = isinstance(value, int | float) and at.column > UNIT
        if number and money and unit_at(book.cells, at).partition("/")[0] in money:
            yield at


def cleaned(workbook: Workbook) -> Workbook:
    """Return a workbook without comments, links to files, and what charts remember of their cells."""
    for ws in workbook.worksheets:
        for cell in ws._cells.values():
            if isinstance(cell, MergedCell):
                continue  # covered by the first one, which holds what is shown
            cell.comment = None
            if cell.hyperlink is not None and cell.hyperlink.target and not cell.hyperlink.target.startswith("http"):
                cell.hyperlink = None
        for chart in ws._charts:
            for series in (each for plot in (chart, *chart._charts) for each in plot.ser):
                for data in (series.val, series.cat, series.xVal, series.yVal):
                    for source in (data.numRef, data.strRef if hasattr(data, "strRef") else None) if data else ():
                        if source is not None:
                            source.numCache = source.strCache = None
    return workbook
