"""Results for many values of some numeric inputs at once, each as the scalar evaluator would give it.

Results are compiled. A cell that has no compiled form (free text, such as the answer in words) and what follows from it
is computed cell by cell from the nearest compiled cells, once for each different set of their values.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from addin.computing.kernel_engine import KERNEL
from addin.errors import RequestError
from addin.kernel import Address, Cells, Evaluator, Scalar, precedents
from addin.kernel.formula.graph import order
from addin.kernel.trials.compile import Disagreement, Result, Slice, UnsupportedOnPath, compile_slice, difference
from addin.kernel.trials.fold import Limits
from addin.workbook.book import Item, SizingBook

Floats = NDArray[np.float64]
MOST_BY_CELL = 20_000  # different sets of values for which cells are computed one by one
TOLERANCE = 1e-9  # relative, as for a simulation
FEW = 3  # so few rows are computed cell by cell sooner than a slice is compiled


class Columns:
    """The results of a book as columns over values of numeric inputs.

    `inputs` and `results` are what varies and what is wanted, in the order of rows of `x` and of the columns.
    """

    def __init__(self, book: SizingBook, inputs: Sequence[Item], results: Sequence[Item]) -> None:
        self._book, self._results = book, tuple(results)
        self._inputs = tuple(item.address for item in inputs)
        self._limits: dict[Address, Limits] = {
            item.address: (item.minimum, item.maximum)
            for item in inputs
            if item.minimum is not None and item.maximum is not None
        }
        self._outputs = tuple(item.address for item in results)
        self._engine = book.engine
        self._refused: set[Address] = set()
        self._by_cell = 0

    def compute(self, fixed: Mapping[Address, Scalar], x: Floats) -> list[list[Scalar]]:
        """Return one column for each result; x has shape (inputs, rows), `fixed` replaces cells for all rows.

        Raises RequestError where a result without compiled form takes too many different values, Disagreement where a
        row differs from the scalar evaluator, and every error of the kernel.
        """
        if self._engine != KERNEL and self._inputs:
            return self._one_by_one(fixed, x)
        if not self._inputs or x.shape[1] < FEW:
            rows = [self._row(fixed, x[:, n]) for n in range(x.shape[1])]
            return [list(column) for column in zip(*rows, strict=True)]
        cells = self._book.cells.with_values(fixed)
        while True:
            sources = self._sources(cells)
            wanted = tuple(dict.fromkeys(a for group in sources for a in group if a not in self._inputs))
            try:
                compiled = compile_slice(cells, self._inputs, wanted, emitter="numpy", limits=self._limits)
                break
            except UnsupportedOnPath as error:
                self._refuse(cells, error)
        known = self._known(compiled, x)
        return [
            known[output] if group == (output,) else self._derived(cells, item, group, [known[a] for a in group])
            for output, item, group in zip(self._outputs, self._results, sources, strict=True)
        ]

    def _row(self, fixed: Mapping[Address, Scalar], x: Floats) -> list[Scalar]:
        values = self._book.values({**fixed, **dict(zip(self._inputs, map(float, x), strict=True))})
        return [values.value(output) for output in self._outputs]

    def _one_by_one(self, fixed: Mapping[Address, Scalar], x: Floats) -> list[list[Scalar]]:
        """Return the columns from an engine that compiles nothing."""
        runner = self._engine.runner(self._book.cells, self._inputs, self._outputs, fixed, self._limits)
        result = runner.run(x, os.cpu_count() or 1)
        return [_column(result, place, logical=False) for place in range(len(self._outputs))]

    def _refuse(self, cells: Cells, error: UnsupportedOnPath) -> None:
        """Note the cell that has no compiled form. Raises the error where that would not help."""
        place = Address.from_a1(error.address) if error.address else None
        if place is None or place in self._refused or place not in order(cells, self._outputs):
            raise error
        self._refused.add(place)

    def _sources(self, cells: Cells) -> list[tuple[Address, ...]]:
        """Return for each result the cells that it is taken from: itself, or what its cells without form read."""
        if not self._refused:
            return [(output,) for output in self._outputs]
        varying, tainted = set(self._inputs), set[Address]()
        reads: dict[Address, tuple[Address, ...]] = {}
        for cell in order(cells, self._outputs):
            reads[cell] = tuple(read for read in precedents(cells, cell) if read in varying)
            if reads[cell]:
                varying.add(cell)
            if cell in self._refused or not tainted.isdisjoint(reads[cell]):
                tainted.add(cell)
        return [(output,) if output not in tainted else _frontier(output, reads, tainted) for output in self._outputs]

    def _known(self, compiled: Slice, x: Floats) -> dict[Address, list[Scalar]]:
        """Return the columns of the compiled cells and of the inputs; one row is checked against the evaluator."""
        known: dict[Address, list[Scalar]] = {a: row.tolist() for a, row in zip(self._inputs, x, strict=True)}
        result, row = compiled.run(x), x.shape[1] // 2
        for place, (address, value) in enumerate(zip(compiled.outputs, compiled.scalars(x[:, row]), strict=True)):
            column = _column(result, place, logical=isinstance(value, bool))
            if (gap := difference(result.scalar(place, row), value)) > TOLERANCE:
                raise Disagreement(
                    f"Row {row + 1} gives {column[row]!r} compiled and {value!r} cell by cell (difference {gap:.1g}).",
                    "Report this as a bug, with the workbook.",
                    address.a1,
                )
            known[address] = column
        return known

    def _derived(
        self, cells: Cells, item: Item, sources: Sequence[Address], columns: Sequence[list[Scalar]]
    ) -> list[Scalar]:
        """Return a result that is computed cell by cell from the values of its sources."""
        rows = list(zip(*columns, strict=True))
        found: dict[tuple[Scalar, ...], Scalar] = dict.fromkeys(rows)
        self._by_cell += len(found)
        if self._by_cell > MOST_BY_CELL:
            raise RequestError(
                f"{item.key}: has no compiled form and would be computed cell by cell {self._by_cell:,} times; "
                f"at most {MOST_BY_CELL:,}. Leave it out: name the other results with --result."
            )
        near = _near(cells, item.address, sources)
        for row in found:
            found[row] = Evaluator(near, dict(zip(sources, row, strict=True))).value(item.address)
        return [found[row] for row in rows]


def _near(cells: Cells, output: Address, sources: Sequence[Address]) -> Cells:
    """Return no more cells than an output needs once its sources are known: each evaluation copies them."""
    stopped = cells.with_values(dict.fromkeys(sources, 0.0))
    needed = {a for cell in order(stopped, (output,)) for a in (cell, *precedents(stopped, cell))}
    values = {address: stopped.values[address] for address in needed if address in stopped.values}
    return Cells(MappingProxyType(values), cells.names, cells.sheets, cells.texts)


def _frontier(
    output: Address, reads: Mapping[Address, tuple[Address, ...]], tainted: set[Address]
) -> tuple[Address, ...]:
    """Return the cells with compiled form that the cells without, on the way to an output, read directly."""
    found: dict[Address, None] = {}
    seen, ahead = {output}, [output]
    while ahead:
        for read in reads[ahead.pop()]:
            if read not in tainted:
                found[read] = None
            elif read not in seen:
                seen.add(read)
                ahead.append(read)
    return tuple(found)


def _column(result: Result, place: int, *, logical: bool) -> list[Scalar]:
    """Return one result of every trial as its cell shows it."""
    numbers = result.values[place].tolist()
    column: list[Scalar] = [bool(number) for number in numbers] if logical else numbers
    for trial in np.flatnonzero(result.codes[place]):
        column[trial] = result.scalar(place, int(trial))
    return column
