"""Where each cell lies in the array of an emitted program: sheet by sheet, row by row, so that neighbours in a row are
one apart and neighbours in a column a constant step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from addin.kernel.formula.cells import Address
from addin.kernel.formula.graph import Area


@dataclass(frozen=True)
class Layout:
    """The rectangle of each sheet that is in use, and the position of its first cell."""

    areas: Mapping[str, Area]
    starts: Mapping[str, int]
    size: int

    def position(self, sheet: str, row: int, column: int) -> int:
        """Return the position of a cell of the rectangle, from 0."""
        area = self.areas[sheet]
        return self.starts[sheet] + (row - area.top) * self.step(sheet) + column - area.left

    def of(self, address: Address) -> int:
        """Return the position of a cell."""
        return self.position(*address)

    def step(self, sheet: str) -> int:
        """Return how far the cell below lies."""
        return self.areas[sheet].right - self.areas[sheet].left + 1


def laid_out(used: Iterable[Area]) -> Layout:
    """Return a layout that holds all these areas."""
    areas: dict[str, Area] = {}
    for area in used:
        known = areas.get(area.sheet, area)
        areas[area.sheet] = Area(
            area.sheet,
            min(known.top, area.top),
            min(known.left, area.left),
            max(known.bottom, area.bottom),
            max(known.right, area.right),
        )
    starts, size = {}, 0
    for sheet, area in areas.items():
        starts[sheet], size = size, size + area.size
    return Layout(areas, starts, size)
