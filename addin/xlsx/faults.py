"""What in a sheet keeps it from being read, with its place: looked for only once a workbook could not be read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from openpyxl.utils.exceptions import CellCoordinatesException
from openpyxl.worksheet.cell_range import MultiCellRange

from addin.kernel.formula.cells import Address
from addin.xlsx.parts import Parts
from addin.xlsx.positions import position_of
from addin.xlsx.workbook_part import sheet_parts

SHOWN = 40  # characters of what stands there


def fault(parts: Parts) -> str:
    """Return the first fault of the sheets of a package as a sentence without its end, empty where there is none."""
    return next((f for title, part in sheet_parts(parts).items() for f in _faults(title, parts[part])), "")


def _faults(title: str, sheet: bytes) -> Iterator[str]:
    for element in ElementTree.fromstring(sheet).iter():
        name = element.tag.rpartition("}")[2]
        if name == "c":
            yield from _of_cell(title, element)
        elif name == "dataValidation" and not _read(MultiCellRange, element.get("sqref") or "A1"):
            area = element.get("sqref", "")[:SHOWN]
            yield f"the sheet {title!r} has a list or limit for {area!r}, which is no area of cells"


def _of_cell(title: str, cell: ElementTree.Element) -> Iterator[str]:
    reference, text = cell.get("r"), cell.findtext("{*}v")
    if reference is not None and not _read(position_of, reference):
        yield f"the sheet {title!r} has a cell at {reference[:SHOWN]!r}, which no sheet has"
    elif cell.get("t", "n") == "n" and text and not _is_number(text):
        place = Address(title, *position_of(reference)).a1 if reference else f"a cell of the sheet {title!r}"
        yield f"{place} holds {text[:SHOWN]!r} where a number should be"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _read(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text)
    except (ValueError, TypeError, CellCoordinatesException):
        return False
    return True
