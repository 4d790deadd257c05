"""The cells of a saved sheet: constant or formula, stored result, cell format, protection."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from openpyxl.formula.translate import Translator

from addin.kernel import Scalar
from addin.kernel.formula.cells import NO_FORMULA
from addin.xlsx.cell_values import read_formula, read_text, read_value
from addin.xlsx.elements import truth
from addin.xlsx.parts import MAIN
from addin.xlsx.positions import Position, a1, columns_of, inside, rows_of

_M = f"{{{MAIN}}}"
_FORMULA, _VALUE, _INLINE = f"{_M}f", f"{_M}v", f"{_M}is"


@dataclass(frozen=True, slots=True)
class Stored:
    """A cell: its constant or the result stored beside its formula; `array` is the area of an array formula."""

    value: Scalar = None
    formula: str | None = None
    style: int = 0
    array: str | None = None
    shared: str | None = None


@dataclass
class SheetCells:
    """A sheet: cells by row and column, formats of rows and columns, areas of array formulas."""

    cells: dict[Position, Stored] = field(default_factory=dict)
    row_styles: dict[int, int] = field(default_factory=dict)
    column_styles: list[tuple[int, int, int]] = field(default_factory=list)
    arrays: set[str] = field(default_factory=set)
    protected: bool = False
    selected: str = "A1"

    def array(self, position: Position) -> str | None:
        """Return the area of the array formula that a cell belongs to, None for other cells."""
        return next((area for area in self.arrays if inside(area, position)), None)

    def style(self, position: Position) -> int:
        """Return the number of a cell's format: its own, else its row's, else its column's."""
        if position in self.cells:
            return self.cells[position].style
        if position[0] in self.row_styles:
            return self.row_styles[position[0]]
        return next((style for low, high, style in self.column_styles if low <= position[1] <= high), 0)


def read_shared_texts(shared: bytes | None) -> list[str]:
    """Return the shared texts of a workbook by number."""
    if shared is None:
        return []
    return [_runs(item) for item in ElementTree.fromstring(shared).iterfind(f"{_M}si")]


def read_sheet(part: bytes, texts: list[str]) -> SheetCells:
    """Return the cells of a sheet; shared formulas are expanded."""
    root, sheet = ElementTree.fromstring(part), SheetCells()
    protection = root.find(f"{_M}sheetProtection")
    sheet.protected = protection is not None and truth(protection.get("sheet"))
    sheet.selected = _selected(root)
    for column in root.iterfind(f"{_M}cols/{_M}col"):
        span = int(column.get("min", "1")), int(column.get("max", "1"))
        sheet.column_styles.append((*span, int(column.get("style", "0"))))
    masters: dict[str, tuple[str, str]] = {}
    rows = root.findall(f"{_M}sheetData/{_M}row")
    for number, row in zip(rows_of(row.get("r") for row in rows), rows, strict=True):
        if "s" in row.attrib and truth(row.get("customFormat")):
            sheet.row_styles[number] = int(row.get("s", "0"))
        cells = row.findall(f"{_M}c")
        for column_number, cell in zip(columns_of(cell.get("r") for cell in cells), cells, strict=True):
            position = (number, column_number)
            sheet.cells[position] = stored = _stored(cell, position, texts, masters)
            if stored.array:
                sheet.arrays.add(stored.array)
    return sheet


def _selected(root: Element) -> str:
    """Return the first selected area of the active pane."""
    view = root.find(f"{_M}sheetViews/{_M}sheetView")
    pane = None if view is None else view.find(f"{_M}pane")
    active = "topLeft" if pane is None else pane.get("activePane", "topLeft")
    for selection in () if view is None else view.iterfind(f"{_M}selection"):
        if selection.get("pane", "topLeft") == active:
            return selection.get("sqref", "A1").split()[0]
    return "A1"


def _stored(cell: Element, position: Position, texts: list[str], masters: dict[str, tuple[str, str]]) -> Stored:
    style, kind = int(cell.get("s", "0")), cell.get("t", "n")
    first = {child.tag: child for child in reversed(cell)}  # of each tag
    if kind == "inlineStr":
        value: Scalar = _runs(first[_INLINE]) if _INLINE in first else None
    else:
        value = read_value(kind, first[_VALUE].text or "" if _VALUE in first else None, texts)
    formula = first.get(_FORMULA)
    if formula is None:
        return Stored(value, None, style)
    text, role, group = formula.text or "", formula.get("t", "normal"), formula.get("si", "")
    if role == "dataTable":
        return Stored(value, "=TABLE()", style, formula.get("ref"))
    if role == "shared":
        if text:
            masters[group] = (f"={text}", a1(position))
        elif group in masters:
            text = str(Translator(*masters[group]).translate_formula(a1(position)))[1:]
        else:
            return Stored(value, NO_FORMULA, style)
        return Stored(value, read_formula(text), style, shared=group)
    if not text:
        return Stored(value, None, style)
    return Stored(value, read_formula(text), style, formula.get("ref") if role == "array" else None)


def _runs(element: Element) -> str:
    """Return the text of a string item without its phonetic guide."""
    pieces = [node.text or "" for node in element.iterfind(f"{_M}t")]
    pieces += [run.findtext(f"{_M}t") or "" for run in element.iterfind(f"{_M}r")]
    return read_text("".join(pieces))
