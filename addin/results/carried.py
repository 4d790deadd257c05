"""What people typed into a copy of another release, carried into a fresh copy of this one: by names, never by address.

What a release ships in a cell was typed by nobody: the fresh copy keeps what its own release ships there, and the
report names the inputs where the two differ. What the fresh copy does not accept is named, never bent to fit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from addin.console import program
from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.leaving import filled, money_cells
from addin.leaving.marks import as_shipped, known
from addin.results.applying import Change, check, write
from addin.sizing.sentence import STATUS
from addin.workbook import own_rows
from addin.workbook.book import SizingBook, open_book, shown
from addin.workbook.item import Item, folded
from addin.workbook.ranges import PREFIX
from addin.workbook.retired import refusal


def carry(book: SizingBook, older: Path, target: Path) -> tuple[list[Change], list[str]]:
    """Write a copy of a fresh workbook with what was typed into an older one; return the changes, and what to know.

    Raises RequestError, with nothing written: the older one cannot be read or nothing was typed into it, or the target
    exists or cannot be written.
    """
    check(book, target)
    old = open_book(older)
    changes, notes = carried(old, book)
    if not changes:
        raise RequestError(f"{older.name}: nothing was typed that {book.path.name} does not have. Name the older copy.")
    write(book, changes, target)
    was, now = (shown(each.evaluate({}, [STATUS])[STATUS]) for each in (old, open_book(target)))
    said = f"Answer of version {old.version}: {was}; of version {book.version}: {now}."
    return changes, [*notes, said, f"What moved, and why: {program()} diff {older.name} {target.name}"]


def carried(old: SizingBook, new: SizingBook) -> tuple[list[Change], list[str]]:
    """Return what was typed into an old copy as changes of a fresh one, and sentences on what is not the same there."""
    changes: list[Change] = []
    notes: list[str] = []
    kept: list[str] = []
    nobody_typed = _nobody_typed(old)
    own = {folded(title) for _, title in own_rows.titles(old.cells)}  # on the lists of the fresh copy once it has them
    for name, before, item in _pairs(old, new):
        value, formula = _held(old, before), old.cells.formula(before)
        ships = new.cells.formula(item.address) is not None
        held = None if ships else new.cells.constant(item.address)
        if (formula and known().formula(formula, before)) or (value == held and not (ships and value is not None)):
            continue
        if not formula and nobody_typed(name, before):
            kept += [] if ships else [item.key.partition(", ")[0]]
            continue
        listed = isinstance(value, str) and bool(item.choices) and folded(value) in own
        try:
            now = value if listed or value is None else _accepted(new, item, value)
        except RequestError as error:
            notes.append(f"Not carried: {error}")
            continue
        changes.append(Change(item, held, now))
        if formula:
            notes.append(f"{item.key}: typed as {formula}, carried as {shown(value, item.unit)}.")
    if kept:
        notes.append(f"As this release ships them, since nobody typed them: {', '.join(dict.fromkeys(kept))}.")
    return changes, [*notes, *_left(old, new, nobody_typed)]


def _nobody_typed(old: SizingBook) -> Callable[[str, Address], bool]:
    """Return what says whether a cell holds what its release ships, of an unknown one what any release does.

    The spread of an input is one thing: where somebody typed one of its cells, all of them count as typed.
    """
    ships, elsewhere = filled.shipped_values(old.version), as_shipped(old.cells)

    def holds(name: str, at: Address) -> bool:
        value = old.cells.constant(at)
        if ships is None:
            return not isinstance(value, str) and elsewhere(at)
        return value == ships.get(name)

    every = filled.places(old)
    spreads = {
        name.partition(", ")[0] for name, at in every.items() if name.startswith(filled.RISK) and not holds(name, at)
    }
    return lambda name, at: name.partition(", ")[0] not in spreads and holds(name, at)


def _held(book: SizingBook, at: Address) -> Scalar:
    """Return what a cell holds: the value typed there, or the result of a formula."""
    return book.cells.constant(at) if book.cells.formula(at) is None else book.values().value(at)


def _accepted(new: SizingBook, item: Item, value: Scalar) -> Scalar:
    """Return a value as the fresh copy's cell takes it; raise RequestError where it does not."""
    if not isinstance(value, str | float):
        raise RequestError(f"{item.key}: holds {value}; expected a number or a text. Type it anew.")
    return value if item.text and isinstance(value, float) else new.value_for(item, value)


def _pairs(old: SizingBook, new: SizingBook) -> Iterator[tuple[str, Address, Item]]:
    """Yield every cell of the old copy that people fill, with its name there, and its item of the fresh copy."""
    there = filled.places(new)
    items = {item.address: item for item in (*new.own_cells, *new.inputs.values())}
    rows = _rows(old, new)
    taken: set[Address] = set()
    for name, before in filled.places(old).items():
        at = there.get(rows.get(name, name))
        if at is None or at in taken:
            continue
        taken.add(at)
        key, _, what_if = name.partition(filled.WHAT_IF)
        loose = Item(name.partition(filled.PLACE)[0], at, "", "", text=isinstance(_held(old, before), str))
        item = items.get(at, loose)
        if what_if and (base := there.get(key)) in items:
            item = replace(items[base], key=f"What-if {what_if}: {items[base].key}", address=at, linked=None)
        yield name, before, replace(item, key=_called(old, name)) if name.startswith(own_rows.PREFIX) else item


def _called(old: SizingBook, name: str) -> str:
    """Return what the report calls a cell of an own row: `<row>.<field>`, of a row's name its table and place."""
    field, _, place = name.removeprefix(own_rows.PREFIX).partition(filled.PLACE)
    table, dot, part = field.partition(".")
    rows = own_rows.area(old.cells, old.cells.names.get(own_rows.PREFIX + table, ""))
    title = _held(old, rows[int(place)]) if dot and int(place) < len(rows) else None
    return f"{title}.{part}" if isinstance(title, str) else f"{field} {int(place) + 1}"


def _rows(old: SizingBook, new: SizingBook) -> Mapping[str, str]:
    """Return names of the fresh copy by those of the old one where own rows have moved: of one title, else in order."""
    found: dict[str, str] = {}
    tables = [name for name in old.cells.names if name.startswith(own_rows.PREFIX) and "." not in name]
    for table in tables:
        titles = [[_held(book, at) for at in own_rows.area(book.cells, book.cells.names.get(table, ""))]
                  for book in (old, new)]  # fmt: skip
        moved = dict(_matched(*titles))
        fields = [name for name in old.cells.names if name == table or name.startswith(f"{table}.")]
        for field in fields:
            found |= {f"{field}{filled.PLACE}{here}": f"{field}{filled.PLACE}{there}" for here, there in moved.items()}
    return found


def _matched(old: list[Scalar], new: list[Scalar]) -> Iterator[tuple[int, int]]:
    """Yield the places of rows of one title, then those of the rest in their order."""
    free: defaultdict[Scalar, list[int]] = defaultdict(list)
    for place, title in enumerate(new):
        free[title].append(place)
    rest = []
    for place, title in enumerate(old):
        if free[title]:
            yield place, free[title].pop(0)
        else:
            rest.append(place)
    yield from zip(rest, sorted(place for places in free.values() for place in places), strict=False)


def _left(old: SizingBook, new: SizingBook, nobody_typed: Callable[[str, Address], bool]) -> Iterator[str]:
    """Yield a sentence on what was typed and has no cell in the fresh copy."""
    for key, item in old.inputs.items():
        if key not in new.inputs and not nobody_typed(f"{PREFIX}{key}", item.address):
            yield f"Not carried: {key}. {refusal(key) or 'This release has no such input.'}"
    for name, text in old.cells.names.items():
        if name.startswith(own_rows.PREFIX) and "." not in name:
            rows = own_rows.area(old.cells, text)
            fewer = len(rows) - len(own_rows.area(new.cells, new.cells.names.get(name, "")))
            if fewer > 0 and any(old.cells.constant(at) is not None for at in rows[-fewer:]):
                table = name.removeprefix(own_rows.PREFIX)
                yield f"Not carried: {fewer} of {table}, for which this release has no rows."
    if any(old.cells.constant(at) for at in money_cells.ranks(old)):
        yield "Not carried: the ranks of correlation on Risk inputs. Type them anew."
