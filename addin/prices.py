"""A workbook without its prices, for readers who may see the design but not the money.

Prices, discounts, support, rates, budgets and quotes are removed before anything is computed, so that no result and no
text can reveal one: cells then say "enter a quote". Figures of the papers stay, except prices of arrays, which are
beside the quotes.

Everything else passes an allow-list: inputs that are not about money, by key; formulas, texts and numbers that a
release has (addin/leaving). A calculation that a user changed is replaced by its result if neither it nor a cell
behind it is about money. The rest is left out and listed by cell; `keep` includes a cell on purpose.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from openpyxl import Workbook

from addin.audit.parsed import range_of
from addin.errors import BookError, RequestError
from addin.kernel import Address, KernelError, Scalar
from addin.kernel.formula.cells import owner_of
from addin.leaving import about, inserted
from addin.leaving.marks import Known, known, places
from addin.leaving.plain import plain
from addin.leaving.tabs import every_tab, tabs_of
from addin.simulation import risk
from addin.workbook import columns, designs, own_rows
from addin.workbook.book import UNVERSIONED, Item, SizingBook, load
from addin.workbook.item import unit_at
from addin.workbook.ranges import PREFIX, Rule
from addin.workbook.reads import everything_behind
from addin.xlsx.stored_results import StoredResults
from model.layout.codes import CURRENCY, CURRENCY_NAME

LEFT_OUT = "left out"
_WORDS = frozenset(
    ("price", "discount", "support", "capital", "resale", "cost", "tariff", "budget", "quote", "licence")
)
_MONEY = "cost_total"  # a result in the currency of the workbook
_FIXED = "fixed"
_SPREAD = frozenset((risk.KIND, *risk.COLUMNS, risk.VALUES))


def is_money(key: str) -> bool:
    """Return whether an input, or a field of a row of the user's own, is about money, by the words of its key."""
    return not _WORDS.isdisjoint(key.rpartition(".")[2].split("_"))


class PlainBook(SizingBook):
    """A workbook whose saved file shows only texts, formats, charts and limits that a release has."""

    @cached_property
    def workbook(self) -> Workbook | None:
        """The saved workbook as a new one; None for an open document."""
        saved = load(self.path) if isinstance(self.stored, StoredResults) else None
        return None if saved is None else plain(saved, known())

    def _ruled(self, item: Item, rule: Rule) -> Item:
        ends = (end for end in (rule.minimum, rule.maximum, rule.longest) if end is not None)
        texts = (*(f"{end:.15g}" for end in ends), *([rule.source] if rule.source else []))
        bare = rule.source.rpartition("!")[2]
        usual = all(known().text(text) for text in texts) or (bare and known().text(bare))
        return super()._ruled(item, rule if usual else Rule(text=rule.text, integer=rule.integer))


@dataclass(frozen=True)
class Priceless:
    """A workbook without prices. `hidden` are the cells of prices, `sheets` the sheets left out.

    `unknown` are cells with content that no release has, left out too; `results` cells with their result in place of
    a changed formula; `kept` cells included on purpose; `moved` results that differ because of cells left out.
    """

    book: SizingBook
    hidden: frozenset[Address]
    sheets: tuple[str, ...]
    unknown: tuple[Address, ...] = ()
    results: tuple[Address, ...] = ()
    kept: tuple[Address, ...] = ()
    moved: tuple[str, ...] = ()

    def shown(self, values: Mapping[Address, Scalar]) -> dict[Address, Scalar]:
        """Return values of the cells with `LEFT_OUT` in place of each price."""
        gone = self.hidden | set(self.unknown)
        return {at: LEFT_OUT if at in gone else value for at, value in values.items()} | dict.fromkeys(gone, LEFT_OUT)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The cells left out, replaced by results and kept, as sentences."""
        lines = []
        if self.unknown:
            lines.append(f"Left out, content not known: {places(self.unknown)}.")
        if self.sheets:
            lines.append(f"Left out: {len(self.sheets)} sheet{'s' * (len(self.sheets) > 1)} of your own or of results.")
        if self.results:
            lines.append(f"Changed by hand, shown as the result: {places(self.results)}.")
        if self.kept:
            lines.append(f"Kept on purpose (--keep): {places(self.kept)}.")
        if self.moved:
            lines.append(
                f"Not as in the workbook, since cells behind it were left out: {', '.join(self.moved)}. "
                "Keep them with --keep CELL, or hand over with prices."
            )
        return tuple(lines)


def without_prices(book: SizingBook, keep: Sequence[str] = ()) -> Priceless:
    """Return a workbook without prices and with the same answer apart from money; the original is not changed.

    `keep` are cells, such as Sizing!D70, to include though no release has their content. Raises BookError where
    formulas read a sheet that is left out, as it was added or renamed, and RequestError for a cell that cannot be kept.
    """
    named = (text.rpartition("!")[0].strip("'").replace("''", "'") for text in book.cells.names.values())
    sheets = {*every_tab(), *named}
    foreign = tuple(title for title in book.cells.sheets if title not in sheets)
    _check_titles(book, foreign)
    priced = frozenset(_priced(book))  # claims of papers too: their words would reveal the amount
    changes = dict.fromkeys(priced) | dict(_inputs(book)) | dict(_spreads(book))
    kept = _kept(book, keep, foreign, changes.keys())
    found = _Content(book, _known(book, foreign), frozenset(changes), frozenset(foreign)).replaced(kept)
    renamed = not set(tabs_of(book.version)).issubset(book.cells.sheets)  # one of the foreign sheets may be a tab
    _check_unread(book, foreign, () if renamed else found.keys() | changes.keys())
    hidden = {at for at in changes if book.cells.values.get(at) is not None and at.sheet not in foreign} - kept
    changes = {**found, **changes}
    cells = book.cells.with_values(changes)
    cells = replace(
        cells,
        values={at: value for at, value in cells.values.items() if at.sheet not in foreign and value is not None},
        names={name: text for name, text in cells.names.items() if _released_name(name, text)},
        sheets=tuple(title for title in cells.sheets if title not in foreign),
    )
    fields = {each.name: getattr(book, each.name) for each in dataclasses.fields(book)}
    version = book.version if known().text(book.version) or book.version == UNVERSIONED else UNVERSIONED
    priceless = PlainBook(**{**fields, "cells": cells, "version": version})
    unknown = tuple(sorted(at for at, value in found.items() if value is None))
    return Priceless(
        priceless, frozenset(hidden), foreign, unknown,
        tuple(sorted(at for at, value in found.items() if value is not None)), tuple(sorted(kept)),
        tuple(_moved(book, priceless, changes.keys() - found.keys())) if found else (),
    )  # fmt: skip


def name_may_say_a_price(book: SizingBook) -> bool:
    """Return whether the name of the file repeats a price of the workbook or may say an amount."""
    money = {*_priced(book), *dict(_inputs(book))}
    return about.of_a_price("", book.path.stem.replace("_", " "), _amounts(book, money), _money_units(book))


def _amounts(book: SizingBook, money: Collection[Address]) -> set[float]:
    return {price for at in money if isinstance(price := book.values().value(at), float)}


def _known(book: SizingBook, foreign: Sequence[str]) -> Known:
    """Return the content of releases, with the titles there of sheets that were renamed."""
    names = [name for name in tabs_of(book.version) if name not in book.cells.sheets]
    renamed = [title for title in book.cells.sheets if title not in foreign and title not in every_tab()]
    titles = {}
    for title in renamed:
        some = [at for at in book.cells.stored(title) if isinstance(book.cells.constant(at), float)][:50]
        ranked = [(sum(Known(known().marks, {title: n}).constant(book.cells, at) for at in some), n) for n in names]
        if ranked:
            titles[title] = max(ranked)[1]
    return Known(known().marks, titles, designs.as_built(book.cells))


def _released_name(name: str, text: str) -> bool:
    """Return whether a release has a name, and its definition is a text of a release or a range of cells."""
    sheet, bare = owner_of(name)
    return known().text(name if not sheet else bare) and (known().text(text) or range_of(text) is not None)


def _check_titles(book: SizingBook, foreign: Sequence[str]) -> None:
    """Raise BookError for a sheet that was renamed to something with digits: its name would leave."""
    for title in book.cells.sheets:
        if title not in foreign and not known().text(title) and any(letter.isdigit() for letter in title):
            raise BookError(
                f"{book.path.name}: the sheet {title!r} was renamed, and its name would leave. Give it its old name, "
                "or hand over with prices."
            )


def _kept(
    book: SizingBook, keep: Sequence[str], foreign: Sequence[str], money: Collection[Address]
) -> frozenset[Address]:
    kept = set()
    for text in keep:
        try:
            at = Address.from_a1(text.replace("$", ""))
            at = at._replace(sheet=book.cells.sheet(at.sheet))
        except KernelError:
            raise RequestError(f"--keep {text}: expected a cell of the workbook such as Sizing!D70.") from None
        if at.sheet in foreign:
            raise RequestError(f"--keep {text}: is on a sheet of your own, which is left out. Name another cell.")
        if at in money:
            raise RequestError(f"--keep {text}: is about money. Leave it out, or hand over with prices.")
        kept.add(at)
    return frozenset(kept)


@dataclass(frozen=True)
class _Content:
    """The cells of a workbook compared with releases: `money` are cells about money, `foreign` sheets of the user."""

    book: SizingBook
    known: Known
    money: frozenset[Address]
    foreign: frozenset[str]

    def replaced(self, kept: Collection[Address]) -> dict[Address, Scalar]:
        """Return the cells that do not leave unchanged, each with its replacement, None for a blank."""
        cells, found = self.book.cells, dict[Address, Scalar]()
        for at, value in cells.values.items():
            if value is None or at in self.money or at in kept or at.sheet in self.foreign:
                continue
            text = cells.formula(at)
            if self.known.formula(text, at) if text else self.known.constant(cells, at):
                continue
            titled = at in self._about
            misplaced = isinstance(value, str) and at in self._numeric
            if text is None and at in self._typed and not misplaced and not (titled and self._of_a_price(at, value)):
                continue
            found[at] = None if titled else self._result(at, text)
        return found

    def _result(self, at: Address, text: str | None) -> Scalar:
        """Return the result of a formula, or a number typed over one; None if it is about money or depends on money."""
        if at not in self._typed and not self._is_calculation(at):
            return None
        value = self.book.cells.constant(at) if text is None else self.book.values().value(at)
        if not isinstance(value, float) or self._is_of_money(at):
            return None
        return value

    @cached_property
    def _typed(self) -> frozenset[Address]:
        """The cells where people type: inputs, what-ifs, own rows with their names, the document."""
        book, cells, named = self.book, self.book.cells, self.known.name
        inputs = [item for key, item in book.inputs.items() if named(cells, f"{PREFIX}{key}")]
        rows = own_rows.own_items(cells, formulas=True)
        found = {item.address for item in inputs} | self._about.keys() | set(_ranks(book))
        found |= {item.address for field, item in rows if named(cells, f"{own_rows.PREFIX}{field}")}
        found |= {at for i in inputs for at in designs.what_ifs(cells, i.beside)}
        found |= {at for at, key, _ in _risk_rows(book) if not is_money(key)}
        tables = (name for name in cells.names if name.startswith(own_rows.PREFIX) and "." not in name)
        for name in (*tables, CURRENCY_NAME):
            found.update(self._named(name))
        return frozenset(found)

    def _named(self, name: str) -> list[Address]:
        """Return the cells of a name that stands for those of a release; none where it was pointed elsewhere."""
        cells = self.book.cells
        return own_rows.area(cells, cells.names.get(name, "")) if self.known.name(cells, name) else []

    @cached_property
    def _about(self) -> Mapping[Address, str]:
        """The cells about the document itself, project and date, and those of Hand-off, each with its name."""
        return dict(about.places(self.book.cells, self.known))

    def _of_a_price(self, at: Address, value: Scalar) -> bool:
        """Return whether a cell about the document mentions money or repeats a price."""
        return about.of_a_price(self._about[at], value, _amounts(self.book, self.money), _money_units(self.book))

    @cached_property
    def _numeric(self) -> frozenset[Address]:
        """The inputs that take numbers: a text there is not an input."""
        return frozenset(item.address for item in self.book.inputs.values() if not item.text and not item.choices)

    @cached_property
    def _columns(self) -> range:
        """The columns of the designs: the base one, the what-ifs, the published tests."""
        area = own_rows.area(self.book.cells, self.book.cells.names.get(designs.TYPED, ""))
        heads = [inserted.cell(at, self.known.columns) for at in area]
        return range(min((at.column for at in heads), default=1), max((at.column for at in heads), default=0) + 1)

    def _is_calculation(self, at: Address) -> bool:
        """Return whether a cell is in a row of calculations: most other designs have a formula of a release there."""
        others = [at._replace(column=column) for column in self._columns if column != at.column]
        texts = [(other, self.book.cells.formula(other)) for other in others]
        same = sum(bool(text) and self.known.formula(text or "", other) for other, text in texts)
        return at.column in self._columns and 2 * same > len(others)

    def _is_of_money(self, at: Address) -> bool:
        """Return whether a cell is in a unit of money, or depends on money or on a sheet of the user's own."""
        if unit_at(self.book.cells, at).partition("/")[0] in _money_units(self.book):
            return True
        if self.book.cells.formula(at) is None:
            return False
        behind = everything_behind(self.book, at)
        own = at not in self._typed and any(each.sheet in self.foreign for each in behind)
        return own or not self.money.isdisjoint(behind)


def _moved(book: SizingBook, priceless: SizingBook, money: Collection[Address]) -> Iterator[str]:
    """Yield the labels of results that differ from the workbook's though no cell about money is behind them."""
    units = _money_units(book)
    for key, item in book.results.items():
        if item.unit.partition("/")[0] in units or key not in priceless.results:
            continue
        if book.values().value(item.address) == priceless.values().value(item.address):
            continue
        if frozenset(money).isdisjoint(everything_behind(book, item.address)):
            yield item.label


def _check_unread(book: SizingBook, foreign: tuple[str, ...], apart: Collection[Address]) -> None:
    """Raise BookError where a formula reads a sheet that is left out; the cells `apart` do not leave and may."""
    cells = book.cells
    for title in foreign:
        quoted = title.replace("'", "''")
        form = re.compile(rf"(?:(?<![\w.'])|'){re.escape(quoted)}'?!")
        for at in cells.formulas():
            if at.sheet not in foreign and at not in apart and form.search(cells.formula(at) or ""):
                raise BookError(
                    f"{book.path.name}: {at.a1} reads the sheet {title!r}, which was added or renamed: which "
                    "prices it has is unknown. Give it its old name, or hand over with prices."
                )


def neutral(item: Item) -> Scalar:
    """Return the neutral value of an input about money that must not be blank: no discount, no support, no change."""
    if item.choices:
        return item.choices[0]
    if item.text or item.minimum is None or item.maximum is None:
        return None
    return min(max(0.0, item.minimum), item.maximum)


def _inputs(book: SizingBook) -> Iterator[tuple[Address, Scalar]]:
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


def _spreads(book: SizingBook) -> Iterator[tuple[Address, Scalar]]:
    """Yield the cells of spreads about money on Risk inputs, with the values that remove them."""
    for at, key, head in _risk_rows(book):
        if is_money(key):
            yield at, _FIXED if head == risk.KIND else None


def _risk_rows(book: SizingBook) -> Iterator[tuple[Address, str, str]]:
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


def _ranks(book: SizingBook) -> Iterator[Address]:
    """Yield the ranks of correlation that are typed on Risk inputs: numbers from -1 to 1."""
    every = risk.cells(book)
    first = min((at.row for at in every if book.cells.constant(at) == risk.MATRIX), default=None)
    for at in every:
        value = book.cells.constant(at)
        if first is not None and at.row > first and isinstance(value, float) and abs(value) <= 1:
            yield at


def _money_units(book: SizingBook) -> frozenset[str]:
    """Return the units of money: the currency of the workbook, and that of the papers."""
    return frozenset((book.results[_MONEY].unit.partition("/")[0], CURRENCY)) if _MONEY in book.results else frozenset()


def _priced(book: SizingBook) -> Iterator[Address]:
    """Yield every number typed into a row in a unit of money, on any sheet."""
    money = _money_units(book)
    for at, value in book.cells.values.items():
        number = isinstance(value, int | float) and at.column > columns.of(book.cells, at.sheet).unit
        if number and money and unit_at(book.cells, at).partition("/")[0] in money:
            yield at
