"""Copies of one formula in a block of cells, and an order in which all copies can be computed.

A sizing workbook writes a line once and copies it across its designs, its years or its minutes. In relative form (as
R1C1 writes it) such copies are equal, so one function serves them all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.nodes import Cell, Node, Range, rebuilt
from addin.kernel.formula.parse import parse
from addin.kernel.formula.tokens import bracketed


@dataclass(frozen=True)
class Run:
    """A block of cells with one formula, from its top left cell; its copies are counted row by row, from 0.

    Its `height` rows are `apart` rows from one another: the lines of a year come back in the block of the next one.
    """

    first: Address
    height: int = 1
    width: int = 1
    apart: int = 1

    @property
    def count(self) -> int:
        """Number of copies."""
        return self.height * self.width

    def cell(self, n: int) -> Address:
        """Return the cell of a copy."""
        down, right = divmod(n, self.width)
        return Address(self.first.sheet, self.first.row + down * self.apart, self.first.column + right)


@dataclass(frozen=True)
class Step:
    """`count` copies of a run (its number) from copy `first`, which are computed one after the other."""

    run: int
    first: int
    count: int


def runs_of(cells: Cells, formulas: Iterable[Address]) -> list[Run]:
    """Return the formula cells as runs, in the order of sheets, rows and columns."""
    alike: dict[tuple[object, ...], list[Address]] = {}
    for address in formulas:
        text = cells.formula(address) or ""
        key = (address.sheet, bracketed(text), _relative(parse(text), address))
        alike.setdefault(key, []).append(address)
    found = [run for members in alike.values() for run in _blocks(sorted(members))]
    return sorted(found, key=lambda run: (cells.sheets.index(run.first.sheet), run.first))


def _blocks(members: Sequence[Address]) -> Iterator[Run]:
    """Yield blocks of these cells of one sheet, which come row by row: stretches of a row, then equal ones below."""
    rows: dict[tuple[int, int], list[int]] = {}
    start = 0
    for n in range(1, len(members) + 1):
        before = members[n - 1]
        if n == len(members) or members[n] != before._replace(column=before.column + 1):
            rows.setdefault((members[start].column, before.column), []).append(before.row)
            start = n
    for (left, right), found in rows.items():
        for top, height, apart in _progressions(found):
            yield Run(Address(members[0].sheet, top, left), height, right - left + 1, apart)


def _progressions(rows: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield first, number and difference of numbers that are equally far apart."""
    start = 0
    while start < len(rows):
        apart = rows[start + 1] - rows[start] if start + 1 < len(rows) else 1
        end = start + 1
        while end < len(rows) and rows[end] - rows[end - 1] == apart:
            end += 1
        yield rows[start], end - start, apart
        start = end


def _relative(tree: Node, at: Address) -> Node:
    """Return a tree whose references say how far a cell is off, unless they are absolute."""

    def moved(cell: Cell) -> Cell:
        row = cell.row if cell.row_absolute else cell.row - at.row
        return replace(cell, row=row, column=cell.column if cell.column_absolute else cell.column - at.column)

    def change(leaf: Node) -> Node:
        if isinstance(leaf, Cell):
            return moved(leaf)
        return Range(moved(leaf.first), moved(leaf.last)) if isinstance(leaf, Range) else leaf

    return rebuilt(tree, change)


def scheduled(runs: Sequence[Run], reads: Mapping[Address, Collection[Address]]) -> list[Step]:
    """Return all copies of all runs so that each follows what it reads; `reads` names the formula cells each reads.

    A run is computed as a whole where what it reads is known, else those of its copies that can be.
    """
    place = {run.cell(copy): (n, copy) for n, run in enumerate(runs) for copy in range(run.count)}
    waits = {cell: len(reads[cell]) for cell in place}
    readers: dict[Address, list[Address]] = {}
    for cell in place:
        for read in reads[cell]:
            readers.setdefault(read, []).append(cell)
    left = [run.count for run in runs]
    ready: dict[int, list[int]] = {}  # of each run the copies that can be computed
    whole: dict[int, None] = {}  # the runs of which all that is left can be

    def offer(cell: Address) -> None:
        n, copy = place[cell]
        ready.setdefault(n, []).append(copy)
        if len(ready[n]) == left[n]:
            whole[n] = None

    for cell, count in waits.items():
        if not count:
            offer(cell)
    steps: list[Step] = []
    while ready:
        n = next(iter(whole or ready))
        whole.pop(n, None)
        copies = sorted(ready.pop(n))
        left[n] -= len(copies)
        steps += [Step(n, first, count) for first, count in _stretches(copies)]
        for copy in copies:
            for reader in readers.get(runs[n].cell(copy), ()):
                waits[reader] -= 1
                if not waits[reader]:
                    offer(reader)
    return steps


def only(steps: Iterable[Step], runs: Sequence[Run], wanted: Collection[Address]) -> list[Step]:
    """Return a schedule for some of the cells, in the same order."""
    found = []
    for step in steps:
        copies = [n for n in range(step.first, step.first + step.count) if runs[step.run].cell(n) in wanted]
        found += [Step(step.run, first, count) for first, count in _stretches(copies)]
    return found


def _stretches(copies: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and number of numbers that follow one another."""
    start = 0
    for n in range(1, len(copies) + 1):
        if n == len(copies) or copies[n] != copies[n - 1] + 1:
            yield copies[start], n - start
            start = n
