"""Results for many values of some numeric inputs at once, each as the scalar evaluator would give it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from addin.computing.kernel_engine import KERNEL
from addin.kernel import Address, Scalar
from addin.kernel.trials.compile import Disagreement, Result, compile_slice, difference
from addin.kernel.trials.fold import Limits
from addin.workbook.book import Item, SizingBook

Floats = NDArray[np.float64]
TOLERANCE = 1e-9  # relative, as for a simulation
FEW = 3  # so few rows are computed cell by cell sooner than a slice is compiled


class Columns:
    """The results of a book as columns over values of numeric inputs.

    `inputs` and `results` are what varies and what is wanted, in the order of rows of `x` and of the columns.
    """

    def __init__(self, book: SizingBook, inputs: Sequence[Item], results: Sequence[Item]) -> None:
        self._book = book
        self._inputs = tuple(item.address for item in inputs)
        self._limits: dict[Address, Limits] = {
            item.address: (item.minimum, item.maximum)
            for item in inputs
            if item.minimum is not None and item.maximum is not None
        }
        self._outputs = tuple(item.address for item in results)
        self._engine = book.engine

    def compute(self, fixed: Mapping[Address, Scalar], x: Floats) -> list[list[Scalar]]:
        """Return one column for each result; x has shape (inputs, rows), `fixed` replaces cells for all rows.

        Raises Disagreement where a row differs from the scalar evaluator, and every error of the kernel.
        """
        if self._engine != KERNEL and self._inputs:
            return self._one_by_one(fixed, x)
        if not self._inputs or x.shape[1] < FEW:
            rows = [self._row(fixed, x[:, n]) for n in range(x.shape[1])]
            return [list(column) for column in zip(*rows, strict=True)]
        cells = self._book.cells.with_values(fixed)
        compiled = compile_slice(cells, self._inputs, self._outputs, emitter="numpy", limits=self._limits)
        result, row = compiled.run(x), x.shape[1] // 2
        columns = []
        for output, (address, value) in enumerate(zip(self._outputs, compiled.scalars(x[:, row]), strict=True)):
            columns.append(_column(result, output, logical=isinstance(value, bool)))
            if (gap := difference(result.scalar(output, row), value)) > TOLERANCE:
                raise Disagreement(
                    f"Row {row + 1} gives {columns[-1][row]!r} compiled and {value!r} cell by cell "
                    f"(difference {gap:.1g}).",
                    "Report this as a bug, with the workbook.",
                    address.a1,
                )
        return columns

    def _row(self, fixed: Mapping[Address, Scalar], x: Floats) -> list[Scalar]:
        values = self._book.values({**fixed, **dict(zip(self._inputs, map(float, x), strict=True))})
        return [values.value(output) for output in self._outputs]

    def _one_by_one(self, fixed: Mapping[Address, Scalar], x: Floats) -> list[list[Scalar]]:
        """Return the columns from an engine that compiles nothing."""
        runner = self._engine.runner(self._book.cells, self._inputs, self._outputs, fixed, self._limits)
        result = runner.run(x, os.cpu_count() or 1)
        return [_column(result, output, logical=False) for output in range(len(self._outputs))]


def _column(result: Result, output: int, *, logical: bool) -> list[Scalar]:
    """Return one result of every trial as its cell shows it."""
    numbers = result.values[output].tolist()
    column: list[Scalar] = [bool(number) for number in numbers] if logical else numbers
    for trial in np.flatnonzero(result.codes[output]):
        column[trial] = result.scalar(output, int(trial))
    return column
