"""The data validations of a saved sheet.

Excel writes a list on another sheet as an extension (x14); both forms are read.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from addin.xlsx.positions import Position, boundaries

_CELLS, _END = b"<sheetData>", b"</sheetData>"
_MOST = re.compile(r"MIN\((\d+(?:\.\d+)?),.+\)")  # a maximum that another cell may lower


@dataclass(frozen=True)
class Validation:
    """A rule for some cells: its kind (whole, decimal, list ...), its operator, and the formulas of its bounds."""

    kind: str
    operator: str
    first: str
    second: str
    areas: tuple[tuple[int, int, int, int], ...]  # left, top, right and bottom, from 1

    def covers(self, position: Position) -> bool:
        """Return whether a cell, given by row and column, is one of its cells."""
        row, column = position
        return any(left <= column <= right and top <= row <= bottom for left, top, right, bottom in self.areas)


def bound(text: str) -> float:
    """Return a bound as a number: the number itself, or the one that MIN(number,...) never exceeds.

    Raises ValueError for anything else.
    """
    number = _MOST.fullmatch(text)
    return float(number[1] if number else text)


def read_validations(sheet: bytes) -> Iterator[Validation]:
    """Yield the validations of a sheet in the order of the file."""
    for _, element in ElementTree.iterparse(io.BytesIO(_without_cells(sheet))):
        name = _name(element.tag)
        if name == "dataValidation":
            texts = {_name(child.tag): "".join(child.itertext()).strip() for child in element}
            yield Validation(
                element.get("type", "none"),
                element.get("operator", "between"),
                texts.get("formula1", ""),
                texts.get("formula2", ""),
                tuple(boundaries(area) for area in (element.get("sqref") or texts.get("sqref", "")).split()),
            )
        elif name == "row":
            element.clear()


def _without_cells(sheet: bytes) -> bytes:
    """Return a sheet without its cells, its largest part; unchanged if they are not as Excel writes them."""
    start, end = sheet.find(_CELLS), sheet.rfind(_END)
    return sheet[: start + len(_CELLS)] + sheet[end:] if 0 <= start < end else sheet


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]
