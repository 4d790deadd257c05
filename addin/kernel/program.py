"""A slice ready to be emitted: the operations that its outputs need, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from addin.kernel.bounds import Bounds
from addin.kernel.share import Operation


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
    tells what it ends in, -1 for outputs that are always numbers. `watched` may overflow. `cells` names the cell of
    each operation.
    """

    operations: tuple[Operation, ...]
    bounds: tuple[Bounds, ...]
    cells: tuple[object, ...]
    values: tuple[int, ...]
    codes: tuple[int, ...]
    watched: tuple[int, ...]
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

    @property
    def _results(self) -> list[int]:
        return [node for node in (*self.values, *self.codes) if node >= 0]
