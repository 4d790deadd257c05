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
from dataclasses import dataclass, field, replace
from functools import cached_property

from openpyxl import Workbook

from addin.audit.parsed import range_of
from addin.errors import BookError, RequestError
from addin.kernel import Address, KernelError, Scalar
from addin.kernel.formula.cells import owner_of
from addin.leaving import about, inserted, money_cells, own_names
from addin.leaving.marks import Known, known, places
from addin.leaving.money_cells import is_money
from addin.leaving.own_names import Renamed
from addin.leaving.plain import plain
from addin.leaving.tabs import every_tab, tabs_of
from addin.workbook import designs, own_rows
from addin.workbook.book import UNVERSIONED, Item, SizingBook, load
from addin.workbook.item import unit_at
from addin.workbook.ranges import PREFIX, Rule
from addin.workbook.reads import everything_behind
from addin.xlsx.stored_results import StoredResults
from model.layout.codes import CURRENCY_NAME

__all__ = ["LEFT_OUT", "PlainBook", "Priceless", "is_money", "name_may_say_a_price", "without_prices"]
LEFT_OUT = "left out"


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
    a changed formula; `kept` cells included on purpose; `moved` results that differ because of cells left out;
    `renamed` names of people's own that may say an amount, with those of their slots.
    """

    book: SizingBook
    hidden: frozenset[Address]
    sheets: tuple[str, ...]
    unknown: tuple[Address, ...] = ()
    results: tuple[Address, ...] = ()
    kept: tuple[Address, ...] = ()
    moved: tuple[str, ...] = ()
    renamed: Renamed = field(default_factory=Renamed)

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
        if self.renamed.cells:
            names = (f"{places([at])} is called {slot} here" for at, slot in sorted(self.renamed.cells.items()))
            lines.append(f"Left out, names that may say an amount: {', '.join(names)}.")
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
    sheets = {*every_tab(), *_homes(book)}
    foreign = tuple(title for title in book.cells.sheets if title not in sheets)
    _check_titles(book, foreign)
    priced = frozenset(money_cells.priced(book))  # claims of papers too: their words would reveal the amount
    settings = money_cells.settings(book, money=True)
    changes = dict.fromkeys((*priced, *settings)) | dict(money_cells.inputs(book)) | dict(money_cells.spreads(book))
    kept = _kept(book, keep, foreign, changes.keys())
    content = _Content(book, _known(book, foreign), frozenset(changes), frozenset(foreign), kept)
    found, names = content.replaced(), content.renamed
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
    results = (at for at, value in found.items() if value is not None and not isinstance(value, str))
    moved = tuple(_moved(book, priceless, changes.keys() - found.keys(), names)) if found else ()
    return Priceless(
        priceless, frozenset(hidden), foreign, unknown, tuple(sorted(results)), tuple(sorted(kept)), moved, names
    )


def name_may_say_a_price(book: SizingBook) -> bool:
    """Return whether the name of the file repeats a price of the workbook or may say an amount."""
    money = {*money_cells.priced(book), *dict(money_cells.inputs(book))}
    amounts, units = money_cells.amounts(book, money), money_cells.units(book)
    return about.of_a_price("", book.path.stem.replace("_", " "), amounts, units)


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


def _homes(book: SizingBook) -> Iterator[str]:
    """Yield the sheets with cells that a release names, whatever these sheets are called now."""
    for name, text in book.cells.names.items():
        if (
            not owner_of(name)[0] and "_" in name and known().text(name)
        ):  # a name of somebody's own may point at an added sheet
            yield text.rpartition("!")[0].strip("'").replace("''", "'")


def _check_titles(book: SizingBook, foreign: Sequence[str]) -> None:
    """Raise BookError for a sheet whose name has digits and would leave: it was renamed, or names point at it."""
    for title in book.cells.sheets:
        if title not in foreign and not known().text(title) and any(letter.isdigit() for letter in title):
            said = (
                f"the workbook is not built with a sheet {title!r}, at which names of its cells point: it would leave"
            )
            todo = "Point them at its own cells"
            if not set(tabs_of(book.version)).issubset(book.cells.sheets):
                said, todo = f"the sheet {title!r} was renamed, and its name would leave", "Give it its old name"
            raise BookError(f"{book.path.name}: {said}. {todo}, or hand over with prices.")


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
    kept: frozenset[Address]

    def replaced(self) -> dict[Address, Scalar]:
        """Return the cells that do not leave unchanged, each with its replacement, None for a blank."""
        cells, found = self.book.cells, dict[Address, Scalar]()
        for at, value in cells.values.items():
            if value is None or at in self.money or at in self.kept or at.sheet in self.foreign:
                continue
            text = cells.formula(at)
            if self.known.formula(text, at) if text else self.known.constant(cells, at):
                continue
            titled = at in self._about
            misplaced = isinstance(value, str) and at in self._numeric
            if slot := self._slot(at):
                found[at] = slot
            elif text is not None or at not in self._typed or misplaced or self._of_a_price(at, value):
                found[at] = None if titled else self._result(at, text)
        return found

    @cached_property
    def renamed(self) -> Renamed:
        """The names of people's own that may say an amount, with those of their slots."""
        return own_names.renamed(self.book.cells, self.known, self.book.values().value, self._says_an_amount, self.kept)

    def _slot(self, at: Address) -> str:
        """Return the slot's name for such a name, also where it is chosen; empty for any other cell."""
        if at in self.renamed.cells or at not in self._typed or not self.renamed.words:
            return self.renamed.cells.get(at, "")
        value = self.book.values().value(at)
        told = self.renamed.told(value)
        return told if isinstance(told, str) and told != value else ""

    def _says_an_amount(self, text: str) -> bool:
        return own_names.says_an_amount(text, self._amounts, self._units)

    @cached_property
    def _amounts(self) -> set[float]:
        return money_cells.amounts(self.book, self.money)

    @cached_property
    def _units(self) -> frozenset[str]:
        return money_cells.units(self.book)

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
        found = {item.address for item in inputs} | self._about.keys() | set(money_cells.ranks(book))
        found |= {item.address for field, item in rows if named(cells, f"{own_rows.PREFIX}{field}")}
        found |= {at for i in inputs for at in designs.what_ifs(cells, i.beside)}
        found |= {at for at, key, _ in money_cells.risk_rows(book) if not is_money(key)}
        found |= {at for at in money_cells.settings(book, money=False) if isinstance(cells.constant(at), float)}
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
        """Return whether a typed cell repeats a price or says an amount; one about the document may not mention money.

        That of the currency is its word alone, and a name that is kept on purpose may be chosen.
        """
        if at in self._about:
            return about.of_a_price(self._about[at], value, self._amounts, self._units)
        if not isinstance(value, str) or any(value == self.book.cells.values.get(each) for each in self.kept):
            return False
        if at in self._named(CURRENCY_NAME):
            return any(sign.isdigit() for sign in value)
        return self._says_an_amount(value)

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
        if unit_at(self.book.cells, at).partition("/")[0] in self._units:
            return True
        if self.book.cells.formula(at) is None:
            return False
        behind = everything_behind(self.book, at)
        own = at not in self._typed and any(each.sheet in self.foreign for each in behind)
        return own or not self.money.isdisjoint(behind)


def _moved(book: SizingBook, priceless: SizingBook, money: Collection[Address], names: Renamed) -> Iterator[str]:
    """Yield the labels of results that differ from the workbook's though no cell about money is behind them."""
    units = money_cells.units(book)
    for key, item in book.results.items():
        if item.unit.partition("/")[0] in units or key not in priceless.results:
            continue
        if names.within(book.values().value(item.address)) == priceless.values().value(item.address):
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
