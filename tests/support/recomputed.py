"""The kernel's evaluator for tests that size one workbook hundreds of times, each time with other inputs.

What the inputs typed do not reach, such as the published tests and the checks of them, is computed once for all tests.
`test_recomputed.py` holds it against the kernel's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice
from weakref import WeakKeyDictionary

from addin import kernel
from addin.kernel import Address, Cells, KernelError, Scalar
from addin.kernel.formula.graph import Area, areas, cells_in, order

MANY = 5_000  # formulas behind a cell: those of one design are some two thousand
SEVERAL = 10  # evaluators of a workbook from which on it is worth while to know what reads what
_begun: WeakKeyDictionary[Cells, int] = WeakKeyDictionary()  # how many evaluators of a workbook there were


class Base:
    """A workbook as it is: its values, as far as they were needed, and which formulas read which of its cells."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.evaluator = kernel.Evaluator(cells)
        self.size = 0  # formulas of `evaluator` that are known here
        self._behind: dict[Address, int] = {}
        self._readers: dict[Area, list[Address]] = defaultdict(list)
        self._areas: dict[Address, list[Area]] = defaultdict(list)  # those that hold a cell

    def many(self, targets: Iterable[Address]) -> bool:
        """Say whether MANY formulas or more are behind cells, those behind several counted for each."""
        total = 0
        for target in targets:
            if target not in self._behind:
                self._behind[target] = len(order(self.cells, (target,)))
            total += self._behind[target]
            if total >= MANY:  # behind all formulas of a book are millions
                return True
        return False

    def grow(self, targets: Iterable[Address]) -> None:
        """Compute cells that hold a formula, and note what reads what."""
        self.evaluator.compute(tuple(at for at in targets if self.cells.formula(at) is not None))
        for at in islice(self.evaluator.computed, self.size, None):
            for area in areas(self.cells, at):
                if area not in self._readers:
                    for cell in cells_in(self.cells, area):
                        self._areas[cell].append(area)
                self._readers[area].append(at)
        self.size = len(self.evaluator.computed)

    def reached(self, changed: Iterable[Address]) -> set[Address]:
        """Return the cells changed and the formulas that read them, or read what reads them."""
        found, passed = set(changed), set[Area]()
        waiting = list(found)
        while waiting:
            for area in self._areas.get(waiting.pop(), ()):
                if area not in passed:
                    passed.add(area)
                    new = [at for at in self._readers[area] if at not in found]
                    found.update(new)
                    waiting += new
        return found


class Evaluator(kernel.Evaluator):
    """As the kernel's; what its inputs do not reach has the values of the workbook that they were typed into."""

    def __init__(self, cells: Cells, overrides: Mapping[Address, Scalar] | None = None) -> None:
        super().__init__(cells, overrides)
        root, typed = self.cells, set[Address]()
        while root._replaced is not None:
            root, new = root._replaced
            typed |= new.keys()
        self._typed, self._base, self._size = typed, _base(root) if typed else None, -1

    def compute(self, targets: tuple[Address, ...]) -> None:
        """Compute the targets and what they need, precedents first."""
        if self._base is not None:
            try:
                self._take(self._base, targets)
            except KernelError:  # without the inputs typed it may not be computable
                self._base = None
        super().compute(targets)

    def _take(self, base: Base, targets: tuple[Address, ...]) -> None:
        """Take the values that the inputs do not reach, where they are many: to find them takes its time, too."""
        if not base.many(targets):
            return
        base.grow(targets)
        if self._size != base.size:
            self._size, reached = base.size, base.reached(self._typed)
            self._known |= {at: value for at, value in base.evaluator.computed.items() if at not in reached}


def _base(cells: Cells) -> Base | None:
    """Return what is known of a workbook that several evaluators began with."""
    _begun[cells] = _begun.get(cells, 0) + 1
    return _kept(cells) if _begun[cells] >= SEVERAL else None


@lru_cache(maxsize=4)
def _kept(cells: Cells) -> Base:
    return Base(cells)
