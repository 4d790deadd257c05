"""The file engine's results for tests that save hundreds of copies: what an edit does not reach is computed once.

A copy with the formulas of the shipped workbook takes from it every result that its own inputs do not reach, and which
formula reads which cells. `test_flushed.py` holds it against the engine's own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

from addin.engines.file import open_file
from addin.engines.file.computed import Computed
from addin.kernel import Address, Cells, Scalar
from tests.support import recomputed, shipped

WRITTEN: tuple[Callable[[Path], Path], ...] = (shipped.write_reference, shipped.write)
MANY = 40  # cells that differ: the other one is looked at too


class Flushed(Computed):
    """As the file engine's; what the inputs of a copy do not reach has the values of the workbook as shipped."""

    _taken = False

    def compute(self, targets: Iterable[Address]) -> None:
        """Compute formula cells, and keep them and their precedents."""
        asked = list(targets)
        if len(asked) > 1 and not self._taken:  # a sheet, and soon the others
            self._taken = True
            self._take()
        super().compute(asked)

    def _take(self) -> None:
        best: tuple[set[Address], Root] | None = None
        for number in range(len(WRITTEN)):
            typed = (root := made(number)).typed(self.cells)
            if typed is not None and (best is None or len(typed) < len(best[0])):
                best = typed, root
            if typed is not None and len(typed) < MANY:
                break
        if best is not None:
            typed, root = best
            self.cells.followed.update(root.cells.followed)
            self._evaluator.take_all({at: value for at, value in root.unreached(typed).items() if at not in self.known})


class Root:
    """A workbook with all its results."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self._base = recomputed.Base(cells)
        self._base.grow([*cells.formulas()])
        self._values = dict(cells.values)

    def typed(self, cells: Cells) -> set[Address] | None:
        """Return the cells of its sheets in which a copy holds something else; None where that is a formula or name."""
        if any(cells.names.get(name) != text for name, text in self.cells.names.items()):
            return None
        sheets = frozenset(self.cells.sheets)
        theirs = {at: value for at, value in cells.values.items() if at.sheet in sheets}
        changed = {at for at, value in theirs.items() if not _same(self._values.get(at), value)}
        changed |= {at for at, value in self._values.items() if value is not None and at not in theirs}
        if any(each.formula(at) is not None for at in changed for each in (cells, self.cells)):
            return None
        return changed

    def unreached(self, typed: set[Address]) -> Mapping[Address, Scalar]:
        """Return the results that some cells do not reach."""
        reached = self._base.reached(typed)
        return {at: value for at, value in self._base.evaluator.computed.items() if at not in reached}


def _same(one: Scalar, other: Scalar) -> bool:
    return one is other or (type(one) is type(other) and one == other)


@cache
def made(number: int) -> Root:
    """Return one of the workbooks shipped, as the file engine reads it."""
    with tempfile.TemporaryDirectory() as folder:
        return Root(open_file(WRITTEN[number](Path(folder))).impl.package._all())
