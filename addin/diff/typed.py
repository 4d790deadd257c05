"""Typed cells that differ between two copies: inputs, rows of the user's own, what-ifs, catalogue cells, texts."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from addin.diff import currencies
from addin.diff.lines import HEAD_ROW, Alignment, typed_text
from addin.diff.same import same_formula
from addin.kernel import Address, Cells, KernelError, Scalar, shared_evaluator
from addin.kernel.formula.graph import Area, areas, cells_in
from addin.sizing.scenarios import names
from addin.sizing.tables import in_words
from addin.workbook import columns, designs, own_rows
from addin.workbook.book import Item, SizingBook
from addin.workbook.item import DATE, date_text
from model.layout.codes import HAND_OFF_NAMES

ABSENT = "not there"
DIGITS_15 = 6e-15  # relative: half a unit of the 15th digit, to which LibreOffice rounds what it saves
DOCUMENT = "Doc_"  # names of the cells about the document itself
_STATUS = (
    (re.compile(r"user\b|Typed on\b"), "user"),
    (re.compile(r"assumed\b"), "assumed"),
    (re.compile(r"measured\b"), "measured"),
    (re.compile(r"[A-Z][A-Z0-9]{1,3}-\d{3,}\b"), "published"),
    (re.compile(r"[a-z_]+\("), "derived"),
)


@dataclass(frozen=True)
class Change:
    """One finding: label, place, old and new value. `key` is that of an input, a result or a check.

    `unit` names two, as currencies.TO joins them, of an amount that is in another currency in each copy.

    `group` is the common subject of several findings in a row, such as an array of the catalogue; the labels omit it.
    """

    key: str
    label: str
    where: str
    old: Scalar
    new: Scalar
    unit: str = ""
    note: str = ""
    group: str = ""

    @property
    def units(self) -> tuple[str, str]:
        """The unit of the old and of the new value."""
        old, _, new = self.unit.partition(currencies.TO)
        return old, new or old

    @property
    def full_label(self) -> str:
        """The label with the group, for a finding on its own."""
        return ": ".join(part for part in (self.label, self.group) if part)


@dataclass
class Typed:
    """Typed cells that differ. `seen` are the cells of the new copy behind these findings.

    `pairs` are the inputs of both copies with different values, old and new: the steps of a bridge. `renamed` are rows
    of the user's own, old name to new name.
    """

    inputs: list[Change] = field(default_factory=list)
    own: list[Change] = field(default_factory=list)
    seen: set[Address] = field(default_factory=set)
    pairs: list[tuple[Item, Item]] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)


def same_value(old: Scalar, new: Scalar) -> bool:
    """Return whether two typed values are equal; applications save at least 15 digits of a number."""
    if isinstance(old, float) and isinstance(new, float):
        return math.isclose(old, new, rel_tol=DIGITS_15)
    return type(old) is type(new) and old == new


def inputs(old: SizingBook, new: SizingBook, alignment: Alignment) -> Typed:
    """Return the inputs, what-ifs and fields of own rows that differ; a formula typed there counts as its result."""
    found = Typed(renamed=_renamed(old, new, alignment))
    copies = _Copies(old, new, _own(old), _own(new), alignment, currencies.both(old, new))
    _compare(found.inputs, found, copies, [(key, key) for key in {**old.inputs, **new.inputs}])
    _document(found, copies)
    _what_ifs(found, copies)
    for before, after in found.renamed.items():
        found.own.append(Change(after, "Name of the row", "", before, after))
    keys = {_carried(key, found.renamed): key for key in copies.old_own}
    _compare(found.own, found, copies, [(keys.get(key, key), key) for key in {**keys, **copies.new_own}])
    found.seen |= {at for _, at in _titles(new)}
    return found


@dataclass(frozen=True)
class _Copies:
    """The two copies, with the fields of their own rows, including those with a formula."""

    old: SizingBook
    new: SizingBook
    old_own: Mapping[str, Item]
    new_own: Mapping[str, Item]
    alignment: Alignment
    currencies: tuple[str, str] | None = None

    def same(self, before: Address, after: Address) -> bool:
        """Return whether two cells have the same formula, or the same value."""
        texts = self.old.cells.formula(before), self.new.cells.formula(after)
        if all(texts):
            return same_formula(texts[0] or "", before, texts[1] or "", after, self.alignment)
        return not any(texts) and same_value(self.old.cells.constant(before), self.new.cells.constant(after))


def _own(book: SizingBook) -> Mapping[str, Item]:
    """Return the fields of own rows by key, including those with a formula."""
    return {item.key: book.own.get(item.key, item) for _, item in own_rows.own_items(book.cells, formulas=True)}


def _compare(into: list[Change], found: Typed, copies: _Copies, keys: Iterable[tuple[str, str]]) -> None:
    """Add the entries that differ or that only one copy has; `keys` are pairs of old and new key."""
    old, new = copies.old, copies.new
    for before, after in keys:
        mine = old.inputs.get(before) or copies.old_own.get(before)
        theirs = new.inputs.get(after) or copies.new_own.get(after)
        item, book = (theirs, new) if theirs is not None else (mine, old)
        if item is None or (mine and theirs and copies.same(mine.address, theirs.address)):
            if theirs is not None and new.cells.formula(theirs.address) is None:
                found.seen.add(theirs.address)
            continue
        if theirs is not None:
            found.seen.add(theirs.address)
        value = ABSENT if mine is None else _held(old, mine.address)
        fresh = ABSENT if theirs is None else _held(new, theirs.address)
        if {value, fresh} == {ABSENT, None}:
            continue
        note = ", ".join(part for part in (status(book, item), _formula_note(copies, mine, theirs)) if part)
        was, is_now = (told(item, each) for each in (value, fresh))
        unit = currencies.unit(mine, theirs, copies.currencies)
        into.append(Change(after, title(item, book.cells), item.address.a1, was, is_now, unit, note))
        if mine is not None and theirs is not None and not same_value(value, fresh):
            found.pairs.append((mine, theirs))


def told(item: Item, value: Scalar) -> Scalar:
    """Return a value of an input, a time of day and a date as one."""
    return date_text(value) if item.unit == DATE and isinstance(value, float) else in_words("", item.unit, value)


def _formula_note(copies: _Copies, mine: Item | None, theirs: Item | None) -> str:
    """Return a note on the formula behind a compared value."""
    was = mine and copies.old.cells.formula(mine.address)
    now = theirs and copies.new.cells.formula(theirs.address)
    if now:
        return f"typed as {now}"
    return f"typed as {was} before" if was else ""


def _document(found: Typed, copies: _Copies) -> None:
    """Add the changed cells about the document, project and author, and the changed texts of Hand-off."""
    taken = {item.address for item in copies.new.inputs.values()}
    for name, text in copies.new.cells.names.items():
        prefix = next((each for each in (DOCUMENT, HAND_OFF_NAMES) if name.startswith(each)), "")
        before = own_rows.area(copies.old.cells, copies.old.cells.names.get(name, ""))
        after = own_rows.area(copies.new.cells, text)
        if not prefix or not before or len(before) != len(after) or after[0] in taken:
            continue
        label = name.removeprefix(prefix).replace("_", " ").capitalize()
        for number, (was, now) in enumerate(zip(before, after, strict=True), 1):
            found.seen.add(now)
            if not copies.same(was, now):
                told = f"{label} {number}" if len(after) > 1 else label
                found.inputs.append(Change("", told, now.a1, _held(copies.old, was), _held(copies.new, now)))


def _what_ifs(found: Typed, copies: _Copies) -> None:
    """Add the changed cells of what-ifs; the designs of published tests state every input and are no what-ifs."""
    old, new = copies.old, copies.new
    before, after = ({name: n for n, name in enumerate(names(book))} for book in (old, new))
    both = [(key, item, new.inputs[key]) for key, item in old.inputs.items() if key in new.inputs]
    for name in [name for name in after if before.get(name) and after[name]]:
        numbers, cell = (before[name], after[name]), designs.typed_in
        cells = [
            (key, cell(old.cells, mine.beside, numbers[0]), theirs, cell(new.cells, theirs.beside, numbers[1]))
            for key, mine, theirs in both
        ]
        if 2 * sum(new.cells.constant(place) is None for *_, place in cells) <= len(cells):
            continue
        for key, held, item, at in cells:
            formula = new.cells.formula(at)
            if copies.same(held, at) or (formula and old.cells.formula(held)):
                continue
            found.seen.add(at)
            label, note = f"{name}: {title(item, new.cells)}", f"what-if, typed as {formula}" if formula else "what-if"
            values = _held(old, held), _held(new, at)
            if formula or not same_value(*values):
                old_value, new_value = (told(item, each) for each in values)
                unit = currencies.unit(old.inputs[key], item, copies.currencies)
                found.inputs.append(Change(key, label, at.a1, old_value, new_value, unit, note))


def _held(book: SizingBook, at: Address) -> Scalar:
    """Return the value of a what-if: typed, or the result of the formula that it ships with."""
    return book.cells.constant(at) if book.cells.formula(at) is None else book.values().value(at)


def _titles(book: SizingBook) -> Iterator[tuple[str, Address]]:
    """Yield the names of the user's own rows with their cells."""
    for name, text in book.cells.names.items():
        if name.startswith(own_rows.PREFIX) and "." not in name and not name.startswith(HAND_OFF_NAMES):
            for at in own_rows.area(book.cells, text):
                value = book.cells.constant(at)
                if isinstance(value, str) and book.cells.formula(at) is None:
                    yield value.strip(), at


def _renamed(old: SizingBook, new: SizingBook, alignment: Alignment) -> dict[str, str]:
    """Return renamed rows of the user's own: the same cell, with each name in only one copy."""
    before, after = ({at: name for name, at in _titles(book)} for book in (old, new))
    pairs = ((name, after.get(alignment.new(at) or at)) for at, name in before.items())
    return {
        name: other
        for name, other in pairs
        if other is not None and name not in after.values() and other not in before.values()
    }


def _carried(key: str, renamed: Mapping[str, str]) -> str:
    row, dot, name = key.rpartition(".")
    return f"{renamed.get(row, row)}{dot}{name}"


def title(item: Item, cells: Cells) -> str:
    """Return the label of an input; for one made by a formula, the label beside the other designs."""
    row, dot, _ = item.key.rpartition(".")
    label = item.also if item.label.startswith("=") and item.also else item.label
    return f"{row}: {label}" if dot else label


def status(book: SizingBook, item: Item) -> str:
    """Return the status of an input's shipped value (user, assumed ...), empty where its row states none."""
    for at in (item.beside, item.address):
        text = book.cells.constant(columns.basis(book.cells, at))
        word = next((word for form, word in _STATUS if isinstance(text, str) and form.match(text)), "")
        if word:
            return word
    return ""


def others(
    old: Cells, new: Cells, pairs: Iterable[tuple[Address, Address]], seen: set[Address]
) -> tuple[list[Change], list[Change]]:
    """Return typed cells that differ: those with an effect (numbers, texts that a formula reads), and other texts."""
    counting, texts = [], list[tuple[Address, Change]]()
    for before, after in pairs:
        if after in seen or old.formula(before) is not None or new.formula(after) is not None:
            continue
        values = old.constant(before), new.constant(after)
        if same_value(*values):
            continue
        heading = column_heading(new, after)
        change = Change("", row_label(new, after), after.a1, *values, group=heading)
        if all(value is None or isinstance(value, str) for value in values):
            texts.append((after, change))
        else:
            counting.append(change)
    read = _read(new) if texts else set()
    counting += [change for at, change in texts if at in read]
    return counting, [change for at, change in texts if at not in read]


def _read(cells: Cells) -> set[Address]:
    """Return the cells that formulas read."""
    rectangles: set[Area] = set()
    for at in cells.formulas():
        try:
            rectangles.update(areas(cells, at))
        except KernelError:  # reported where its value is needed
            continue
    return {at for area in rectangles for at in cells_in(cells, area) if at in cells.values}


def grouped(changes: Iterable[Change], groups: Container[str]) -> list[Change]:
    """Return findings with those of each of `groups` together; the labels of all others include their heading."""
    found: dict[object, list[Change]] = {}
    for number, change in enumerate(changes):
        together = change.group in groups
        alone = change if together else replace(change, label=change.full_label, group="")
        found.setdefault(change.group if together else number, []).append(alone)
    return [
        change if len(each) > 1 else replace(change, label=change.full_label, group="")
        for each in found.values()
        for change in each
    ]


def label_of(cells: Cells, address: Address) -> str:
    """Return the label of a cell's row, with the heading of its column if it has one."""
    return ": ".join(part for part in (row_label(cells, address), column_heading(cells, address)) if part)


def row_label(cells: Cells, address: Address) -> str:
    """Return the text in the first column of a cell's row, empty for that column itself.

    Where tables are side by side, with an empty column between them, it is the first column of the cell's table; but a
    name that a formula writes into the first column of the sheet, as in a list of arrays, is the label of the row.
    """
    first, alone = _table(cells, address)
    label = columns.label(cells, address)
    if alone:
        return typed_text(cells, label) if address.column > label.column else ""
    if cells.formula(label) is None:
        label = address._replace(column=first)
    return _text(cells, label) if label.column < address.column else ""


def column_heading(cells: Cells, address: Address) -> str:
    """Return the text in the nearest heading row above a cell, except in the columns that describe a row.

    Where tables are side by side, it is the nearest text above the cell, below the heading row, without a blank cell
    between the two.
    """
    first, alone = _table(cells, address)
    if alone:
        head = max((row for row in _heads(cells, address.sheet) if row < address.row), default=HEAD_ROW)
        described = columns.of(cells, address.sheet)
        units = typed_text(cells, Address(address.sheet, head, described.unit)) == columns.UNIT
        beside = described.basis if units else described.label
        above = address.row > head and address.column > beside
        return typed_text(cells, address._replace(row=head)) if above else ""
    text = typed_text(cells, address._replace(row=HEAD_ROW)) if address.column > first else ""
    if text or not row_label(cells, address):
        return text
    at = address
    while not text and (at := at._replace(row=at.row - 1)).row > HEAD_ROW and cells.values.get(at) is not None:
        text = typed_text(cells, at)
    return text


def _table(cells: Cells, address: Address) -> tuple[int, bool]:
    """Return the first column of a cell's table, and whether it is the only table of its sheet."""
    used = _columns(cells, address.sheet) | {address.column}
    gaps = set(range(1, max(used))) - used
    return max((gap + 1 for gap in gaps if gap < address.column), default=1), not gaps


@lru_cache(maxsize=100)  # the sheets of two copies
def _columns(cells: Cells, sheet: str) -> frozenset[int]:
    """Return the columns of a sheet with any content."""
    return frozenset(at.column for at in cells.stored(sheet))


@lru_cache(maxsize=100)  # the sheets of two copies
def _heads(cells: Cells, sheet: str) -> tuple[int, ...]:
    """Return the rows of headings: that of the sheet, and every row of typed texts alone below a blank row."""
    rows: dict[int, list[Address]] = {}
    for at in cells.stored(sheet):
        rows.setdefault(at.row, []).append(at)
    alone = [row for row, held in rows.items() if row > HEAD_ROW and row - 1 not in rows and len(held) > 1]
    return (HEAD_ROW, *(row for row in alone if all(typed_text(cells, at) for at in rows[row])))


def _text(cells: Cells, address: Address) -> str:
    """Return the text of a cell, typed or computed."""
    try:
        value = shared_evaluator(cells).value(address) if cells.formula(address) else cells.constant(address)
    except KernelError:  # reported where its value is needed
        return ""
    return value if isinstance(value, str) else ""
