"""The names that people give, of rows of their own and of what-ifs: one that may say an amount leaves as its slot's.

A name is known by its words alone, so that model numbers count for nothing: it is an amount with a currency, or a
number that is typed as a price somewhere. Where it is chosen, its slot's name is chosen too, and answers agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from addin.kernel import Address, Cells, Scalar
from addin.leaving import about
from addin.leaving.amounts import names_an_amount
from addin.leaving.marks import Known
from addin.workbook import own_rows
from addin.workbook.item import folded
from model.reading import choices
from model.sheets.catalogue.phases import LABELS, LISTED

_SLOTS: Mapping[str, tuple[str, ...]] = {  # what the cells of a name are called as built, in their order
    "Own_arrays": choices.OWN_ARRAYS,
    "Own_profiles": choices.OWN_PROFILES,
    "Own_phases": tuple(f"{name} {LABELS[phase]}" for name in choices.OWN_PROFILES for phase in LISTED),
    "Own_methods": choices.OWN_METHODS,
    "Own_caches": choices.OWN_CACHES,
    "Own_shares": choices.OWN_SHARES,
    "Own_groups": choices.GROUP_ROWS,
    "Own_quotes": ("Array 1",),
    "Tbl_Designs": choices.CASE_HEADINGS,
}


def says_an_amount(text: str, prices: Collection[float], currencies: Collection[str]) -> bool:
    """Return whether a name says an amount with a currency, or repeats a price that is typed somewhere."""
    return names_an_amount(text, currencies) or about.repeats(text, prices)


@dataclass(frozen=True)
class Renamed:
    """Names that do not leave: the cell of each with its slot's name, and these by the name in small letters."""

    cells: Mapping[Address, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    def within(self, value: Scalar) -> Scalar:
        """Return a value with its slots' names within its text too."""
        if not isinstance(value, str):
            return value
        for name, slot in sorted(self.words.items(), key=lambda each: -len(each[0])):
            value = slot.join(re.split(r"\s+".join(map(re.escape, name.split())), value, flags=re.IGNORECASE))
        return value

    def told(self, value: Scalar) -> Scalar:
        """Return a value with its slots' names in place of those that do not leave."""
        return self.words.get(folded(value), value) if isinstance(value, str) else value

    def key(self, key: str) -> str:
        """Return the key of a field of such a row as it is called now; any other one as it is."""
        row, dot, field = key.rpartition(".")
        return f"{self.told(row)}{dot}{field}"


def renamed(
    cells: Cells,
    known: Known,
    value_of: Callable[[Address], Scalar],
    says: Callable[[str], bool],
    kept: Collection[Address],
) -> Renamed:
    """Return the names that do not leave: those that say an amount, numbers, and what a formula makes of cells."""
    found: dict[Address, str] = {}
    words: dict[str, str] = {}
    for at, slot in _slots(cells, known):
        if at in kept or known.constant(cells, at):
            continue
        value, made = value_of(at), cells.formula(at) is not None
        if not made and isinstance(value, str) and not says(value):
            continue
        found[at] = slot
        if isinstance(value, str) and value.strip():
            words.setdefault(folded(value), slot)
    return Renamed(found, words)


def _slots(cells: Cells, known: Known) -> Iterator[tuple[Address, str]]:
    """Yield each cell of a name that is filled, with a name of its slot that no other cell has."""
    for name, built in _SLOTS.items():
        area = own_rows.area(cells, cells.names.get(name, "")) if known.name(cells, name) else []
        step = max(1, len(area) // len(built)) if len(built) > 1 else 1  # cards of two columns
        filled = {at: cells.values[at] for at in area if cells.values.get(at) not in (None, "")}
        for number, at in enumerate(area):
            if at in filled:
                others = {folded(text) for other, text in filled.items() if other != at and isinstance(text, str)}
                yield at, _free(built, number // step, others)


def _free(built: tuple[str, ...], number: int, taken: Collection[str]) -> str:
    """Return the name of a slot as built, with a sign behind it where another row is called that."""
    name = built[number] if number < len(built) else f"{built[0].rpartition(' ')[0]} {number + 1}"
    while folded(name) in taken:
        name += "*"
    return name
