"""The same results for many values of a few cells: what reads none of these cells is computed once for all."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from addin.kernel.excel.values import Scalar
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import Area, areas, formula_reader, order
from addin.kernel.scalar.evaluate import Evaluator


class Variants:
    """A workbook of which some cells change and no others: each result is what an evaluator of its own would give.

    Raises KernelError for a target that cannot be computed.
    """

    def __init__(self, cells: Cells, changed: Collection[Address], targets: Collection[Address]) -> None:
        self._changed = frozenset(changed)
        self._cells = cells.with_values(dict.fromkeys(self._changed))
        ordered = order(self._cells, targets)
        reads, anew = formula_reader(self._cells), dict[Address, None]()
        for at in ordered:
            if any(read in anew for read in reads(at)) or any(map(self._meets, areas(self._cells, at))):
                anew[at] = None
        once = Evaluator(self._cells)
        once.follow(tuple(at for at in ordered if at not in anew))
        self._once, self._anew = once.computed, tuple(anew)

    def values(self, overrides: Mapping[Address, Scalar]) -> Evaluator:
        """Return the evaluator for values of the cells that change, the targets computed."""
        if not overrides.keys() <= self._changed:
            raise ValueError(f"{sorted(overrides.keys() - self._changed)[0].a1} is no cell that changes")
        found = Evaluator(self._cells, overrides)
        found.take_all(self._once)
        found.follow(self._anew)
        return found

    def _meets(self, area: Area) -> bool:
        sheet, top, left, bottom, right = area
        return any(at.sheet == sheet and top <= at.row <= bottom and left <= at.column <= right for at in self._changed)
