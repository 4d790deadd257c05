"""A slice ready to be emitted: the operations that its outputs need, in order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from addin.kernel.trials.bounds import Bounds
from addin.kernel.trials.one_by_one import OneByOne
from addin.kernel.trials.operations import Operation

INEXACT, OUTSIDE = 1, 2  # the status of a chunk: results left the exact range; an input left its limits
KEEP_SIGN = {"mul", "div", "floor", "up", "down", "half", "above", "below", "sqrt"}  # of what is not negative


def live(operations: Sequence[Operation], outputs: Iterable[int]) -> list[int]:
    """Return the numbers of the operations that the outputs need, in order."""
    needed = bytearray(len(operations))
    for output in outputs:
        needed[output] = 1
    for number in range(len(operations) - 1, -1, -1):
        if needed[number]:
            for arg in operations[number].args:
                needed[arg] = 1
    return [number for number in range(len(operations)) if needed[number]]


@dataclass(frozen=True)
class Program:
    """A slice ready to be emitted.

    `values` holds an operation for each output: the number, NaN where the trial ends otherwise. `codes` holds one that
    gives what it ends in, -1 for outputs that are always numbers. `watched` may overflow. `cells` names the cell of
    each operation. `formulas` are those that an operation computes trial by trial.
    """

    operations: tuple[Operation, ...]
    bounds: tuple[Bounds, ...]
    cells: tuple[object, ...]
    values: tuple[int, ...]
    codes: tuple[int, ...]
    watched: tuple[int, ...]
    formulas: tuple[OneByOne, ...]
    inputs: int

    @cached_property
    def needed(self) -> list[int]:
        """The operations to compute, in order."""
        return live(self.operations, [*self._results, *self.watched])

    @cached_property
    def idle(self) -> list[int]:
        """The operations that only their overflow could make an output differ."""
        useful = set(live(self.operations, self._results))
        return [node for node in self.watched if node not in useful]

    def is_unsigned(self, node: int) -> bool:
        """Return whether a result is never minus zero: it is never zero, or comes from what is not below zero."""
        if node not in self._unsigned:
            operation, bounds = self.operations[node], self.bounds[node]
            name, args = operation.name, operation.args
            if name == "const":
                result = operation.data[0] != 0 or math.copysign(1.0, operation.data[0]) > 0
            elif bounds.low > 0 or bounds.high < 0 or name in ("abs", "number"):
                result = True
            elif name in ("add", "sub"):
                result = self.is_unsigned(args[0]) or (name == "add" and self.is_unsigned(args[1]))
            else:
                args = args[1:] if name == "select" else args
                positive = name in KEEP_SIGN and all(self.bounds[arg].low >= 0 for arg in args)
                result = (positive or name in ("min", "max", "select")) and all(map(self.is_unsigned, args))
            self._unsigned[node] = result
        return self._unsigned[node]

    @cached_property
    def _unsigned(self) -> dict[int, bool]:
        return {}

    def listing(self) -> Iterator[str]:
        """Yield a line for each operation to compute: number, name, arguments, constants, and the bounds it has."""
        for node in self.needed:
            operation, bounds = self.operations[node], self.bounds[node]
            parts = [operation.name, *map(str, operation.args), *(f"{value:g}" for value in operation.data)]
            yield f"{node:5d}  {' '.join(parts):40s}  {bounds.low:g} .. {bounds.high:g}{' whole' * bounds.whole}"

    @property
    def _results(self) -> list[int]:
        return [node for node in (*self.values, *self.codes) if node >= 0]
