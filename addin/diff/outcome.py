"""The results of two copies that differ: results of the base design, and checks that fail in only one.

Only cells affected by a change are computed, in both copies: not, for example, an untouched sheet of published tests.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Set

from addin.diff import currencies
from addin.diff.typed import ABSENT, Change
from addin.errors import BookError
from addin.kernel import Address, Cells, Evaluator, KernelError, Scalar
from addin.kernel.formula.graph import Area, areas, cells_in
from addin.sizing.answers import without_figure
from addin.sizing.checks import MASTER
from addin.sizing.refusals import why_unanswered
from addin.sizing.tables import in_words
from addin.workbook.book import SizingBook, shown
from addin.workbook.tables import rows

SAME = 1e-12  # relative difference of equal results
HOLDS = "holds"
Reached = Set[Address] | None  # None: all cells


def reached(cells: Cells, changed: Iterable[Address]) -> Set[Address]:
    """Return the changed cells and all formula cells that depend on one of them."""
    found, waiting = set(changed), list(changed)
    if not found:
        return found
    readers = _readers(cells)
    while waiting:
        for reader in readers.get(waiting.pop(), ()):
            if reader not in found:
                found.add(reader)
                waiting.append(reader)
    return found


def _readers(cells: Cells) -> dict[Address, list[Address]]:
    """Return the formula cells that read each cell directly."""
    by_area: defaultdict[Area, list[Address]] = defaultdict(list)
    for at in cells.formulas():
        try:
            for area in areas(cells, at):
                by_area[area].append(at)
        except KernelError:  # reported where its value is needed
            continue
    readers: defaultdict[Address, list[Address]] = defaultdict(list)
    for area, of_area in by_area.items():
        for read in cells_in(cells, area):
            readers[read] += of_area
    return readers


Outcome = tuple[list[Change], list[Change], tuple[str, str]]


def compared(old: SizingBook, new: SizingBook, within: Reached) -> Outcome:
    """Return the results of the base design that differ, the checks that fail in only one copy, why one has no answer.

    `within` are the cells that can have changed, given that no cell has moved; None where some have. Raises BookError
    where a copy cannot be computed.
    """
    both = old.results.keys() & new.results.keys()
    every = {**old.results, **new.results}
    results = [key for key in every if within is None or key not in both or new.results[key].address in within]
    checks = {id_: row for id_, row in _checks(new).items() if within is None or row["Raised"] in within}
    before = _Copy(old, results, checks.keys(), Evaluator(old.cells))
    values = Evaluator(new.cells)
    if within is not None:
        for at in before.computed.keys() - within:
            values.take(at, before.computed[at])
    after = _Copy(new, results, checks.keys(), values)
    found = []
    money = currencies.both(old, new)
    for key in results:
        item = (new if key in new.results else old).results[key]
        pair = before.results[key], after.results[key]
        if not _same(*pair):
            was, now = (in_words(key, item.unit, value) for value in pair)
            unit = currencies.unit(old.results.get(key), new.results.get(key), money)
            found.append(Change(key, item.label, item.address.a1, was, now, unit))
    return found, list(_flipped(before, after)), (before.why, after.why)


def _flipped(before: _Copy, after: _Copy) -> Iterable[Change]:
    """Yield the checks that fail in one copy and not in the other."""
    for id_ in after.checks:
        was, now = before.checks[id_], after.checks[id_]
        if (was in (HOLDS, ABSENT)) != (now in (HOLDS, ABSENT)):
            label, todo = after.words[id_]
            yield Change(id_, label, "", was, now, "", todo if now != HOLDS else "")


class _Copy:
    """One copy with some of its results and checks computed."""

    def __init__(self, book: SizingBook, results: Iterable[str], checks: Iterable[str], values: Evaluator) -> None:
        known, self.computed, self._book = _checks(book), values.computed, book
        self.results: dict[str, Scalar] = {}
        self.checks: dict[str, str] = {}
        self.words: dict[str, tuple[str, str]] = {}
        try:
            for key in results:
                item = book.results.get(key)
                self.results[key] = ABSENT if item is None else values.value(item.address)
            for id_ in checks:
                row = known.get(id_)
                if row is None:
                    self.checks[id_] = ABSENT
                    continue
                kind, label, todo = (shown(values.value(row[h])) for h in ("Type", "Check", "What to do"))
                self.checks[id_] = HOLDS if values.value(row["Raised"]) == 0 else kind
                self.words[id_] = label, todo
            self.why = why_unanswered(book, values)
        except KernelError as error:
            raise BookError(f"{book.path.name}: {error}") from None
        except KeyError as error:
            raise BookError(f"{book.path.name}: no column of Checks is headed {error}. Restore its headings.") from None
        if self.why:  # as `size` says it: no figure
            self.results = {key: self._without_figure(key, value) for key, value in self.results.items()}

    def _without_figure(self, key: str, value: Scalar) -> Scalar:
        return value if value == ABSENT else without_figure(self._book.results[key], value)


def _checks(book: SizingBook) -> dict[str, dict[str, Address]]:
    """Return the cells of every check by id."""
    sheet = book.address(book.cells.names[MASTER], MASTER).sheet
    return {shown(book.cells.constant(row["Id"])): dict(row) for row in rows(book, sheet)}


def _same(old: Scalar, new: Scalar) -> bool:
    if isinstance(old, float) and isinstance(new, float):
        return math.isclose(old, new, rel_tol=SAME)
    return old == new
