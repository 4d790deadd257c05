"""The faults of a workbook that cannot be read, or only ambiguously, with their places.

Used only after the quick reader has refused a file. Excel calls such a file damaged; other readers choose one of the
readings, and may compute with cells that nobody sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from openpyxl.utils.exceptions import CellCoordinatesException
from openpyxl.worksheet.cell_range import MultiCellRange

from addin.kernel.formula.cells import Address, of_the_format
from addin.kernel.formula.columns import LAST_COLUMN, LAST_ROW
from addin.xlsx.parts import MAIN, WORKBOOK, Parts, targets
from addin.xlsx.positions import position_of
from addin.xlsx.workbook_part import sheet_parts

SHOWN = 40  # characters of a quoted text
_STRICT = "{http://purl.oclc.org/ooxml/"


def fault(parts: Parts) -> str:
    """Return the first fault of the sheets of a package as a sentence without its end, empty without one."""
    return next((f for title, part in sheet_parts(parts).items() for f in _faults(title, parts[part])), "")


def contradiction(parts: Parts) -> str:
    """Return the first ambiguity or silently ignored content as a sentence without its end, empty without one."""
    return next(_contradictions(parts), "")


def _contradictions(parts: Parts) -> Iterator[str]:
    root, to = ElementTree.fromstring(parts[WORKBOOK]), targets(parts, WORKBOOK)
    if root.tag.startswith(_STRICT):
        yield "is saved as Strict Open XML; expected an Excel workbook (.xlsx)"
    titles, held = set[str](), set[str]()
    for sheet in root.iterfind("{*}sheets/{*}sheet"):
        title, part = sheet.get("name", ""), to.get(next((v for k, v in sheet.items() if k.endswith("}id")), ""), "")
        if title.casefold() in titles or (part and part in held):
            yield f"the sheet {title[:SHOWN]!r} is there twice"
        if part and part not in parts:  # openpyxl passes over it
            yield f"the sheet {title[:SHOWN]!r} is listed and its part is missing"
        titles.add(title.casefold())
        held.add(part)
    names = set[tuple[str | None, str]]()
    for name in root.iterfind("{*}definedNames/{*}definedName"):
        key = name.get("localSheetId"), name.get("name", "").casefold()
        if key in names and not of_the_format(name.get("name", "")):  # some applications write those twice
            yield f"the name {name.get('name', '')[:SHOWN]} is defined twice"
        names.add(key)
    for title, part in sheet_parts(parts).items():
        yield from _of_sheet(title, parts[part])


def _of_sheet(title: str, part: bytes) -> Iterator[str]:
    root = ElementTree.fromstring(part)
    if root.tag != f"{{{MAIN}}}worksheet" or root.find(f"{{{MAIN}}}sheetData") is None:
        yield f"the sheet {title!r} is no sheet of cells as Excel writes it"
    seen = set[str]()
    for cell in root.iterfind("{*}sheetData/{*}row/{*}c"):
        place = cell.get("r", "")
        if place and place in seen:
            yield f"{Address(title, *position_of(place)).a1} is there twice"
        seen.add(place)
        if place and not _on_a_sheet(place):  # openpyxl ignores some of them
            yield f"the sheet {title!r} has a cell at {place[:SHOWN]!r}, which no sheet has"
        if sum(bool(value.text) for value in cell.iterfind("{*}v")) > 1:
            yield f"{place or 'a cell'} of the sheet {title!r} has two values"
        text = cell.findtext("{*}v") or ""
        if cell.get("t", "n") == "n" and not (text.isascii() and "_" not in text):  # Python reads those as numbers
            yield from _of_cell(title, cell)


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


def _on_a_sheet(reference: str) -> bool:
    try:
        row, column = position_of(reference)
    except (ValueError, TypeError, CellCoordinatesException):
        return False
    return 0 < row <= LAST_ROW and 0 < column <= LAST_COLUMN


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and text.isascii() and "_" not in text
    except ValueError:
        return False


def _read(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text)
    except (ValueError, TypeError, CellCoordinatesException):
        return False
    return True
