"""The cells of a saved sheet as the file holds them: constant or formula, stored result, cell format, protection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from openpyxl.formula.translate import Translator
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import column_index_from_string, coordinate_from_string, range_boundaries
from openpyxl.utils.datetime import to_excel

from addin.kernel import ExcelError, Scalar
from addin.kernel.formula.cells import ERROR_TEXTS

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")

Spot = tuple[int, int]  # row and column, from 1


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
    """A sheet: cells by row and column, formats of rows and columns without cells, areas of array formulas."""

    cells: dict[Spot, Stored] = field(default_factory=dict)
    row_styles: dict[int, int] = field(default_factory=dict)
    column_styles: list[tuple[int, int, int]] = field(default_factory=list)
    arrays: set[str] = field(default_factory=set)
    protected: bool = False
    selected: str = "A1"

    def array(self, spot: Spot) -> str | None:
        """Return the area of the array formula that a cell belongs to, None for other cells."""
        return next((area for area in self.arrays if spot in spots_of(area)), None)

    def style(self, spot: Spot) -> int:
        """Return the number of a cell's format: its own, else its row's, else its column's."""
        if spot in self.cells:
            return self.cells[spot].style
        if spot[0] in self.row_styles:
            return self.row_styles[spot[0]]
        return next((style for low, high, style in self.column_styles if low <= spot[1] <= high), 0)


@dataclass(frozen=True)
class Format:
    """A cell format, as far as values depend on it."""

    code: str
    locked: bool

    @property
    def date(self) -> bool:
        """Whether a number in it is shown as a date or a time."""
        return bool(is_date_format(self.code))


def read_formats(styles: bytes) -> list[Format]:
    """Return the cell formats of styles.xml in their order."""
    root = ElementTree.fromstring(styles)
    codes = {int(one.get("numFmtId", "0")): one.get("formatCode", "") for one in root.iter(f"{MAIN}numFmt")}
    found = []
    for one in root.iterfind(f"{MAIN}cellXfs/{MAIN}xf"):
        number, protection = int(one.get("numFmtId", "0")), one.find(f"{MAIN}protection")
        code = codes.get(number) or BUILTIN_FORMATS.get(number, "General")
        locked = protection is None or truth(protection.get("locked", "1"))
        found.append(Format(code, locked))
    return found or [Format("General", True)]


def read_texts(shared: bytes | None) -> list[str]:
    """Return the shared texts of a workbook by number."""
    if shared is None:
        return []
    return [_runs(one) for one in ElementTree.fromstring(shared).iterfind(f"{MAIN}si")]


def read_sheet(part: bytes, texts: list[str]) -> SheetCells:
    """Return the cells of a sheet; formulas that share one text are written out."""
    root, found = ElementTree.fromstring(part), SheetCells()
    protection = root.find(f"{MAIN}sheetProtection")
    found.protected = protection is not None and truth(protection.get("sheet", "0"))
    found.selected = _selected(root)
    for column in root.iterfind(f"{MAIN}cols/{MAIN}col"):
        span = int(column.get("min", "1")), int(column.get("max", "1"))
        found.column_styles.append((*span, int(column.get("style", "0"))))
    masters: dict[str, tuple[str, str]] = {}
    row_number = 0
    for row in root.iterfind(f"{MAIN}sheetData/{MAIN}row"):
        row_number = int(row.get("r", row_number + 1))
        if "s" in row.attrib and truth(row.get("customFormat", "0")):
            found.row_styles[row_number] = int(row.get("s", "0"))
        for spot, cell in located(row, row_number):
            found.cells[spot] = stored = _stored(cell, spot, texts, masters)
            if stored.array:
                found.arrays.add(stored.array)
    return found


def _selected(root: Element) -> str:
    """Return the first area that is selected in the pane in use."""
    view = root.find(f"{MAIN}sheetViews/{MAIN}sheetView")
    pane = None if view is None else view.find(f"{MAIN}pane")
    active = "topLeft" if pane is None else pane.get("activePane", "topLeft")
    for selection in () if view is None else view.iterfind(f"{MAIN}selection"):
        if selection.get("pane", "topLeft") == active:
            return selection.get("sqref", "A1").split()[0]
    return "A1"


def located(row: Element, number: int) -> Iterator[tuple[Spot, Element]]:
    """Yield the cells of a row with their places; a cell that names none stands behind the one before."""
    column = 0
    for cell in row.iterfind(f"{MAIN}c"):
        column = spot_of(cell.get("r", ""))[1] if cell.get("r") else column + 1
        yield (number, column), cell


def spot_of(reference: str) -> Spot:
    """Return row and column of a reference such as D9."""
    letters, row = coordinate_from_string(reference)
    return row, column_index_from_string(letters)


def spots_of(area: str) -> set[Spot]:
    """Return the cells of an area such as A1:B9."""
    left, top, right, bottom = range_boundaries(area)
    return {(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)}


def a1(spot: Spot) -> str:
    """Return the reference of a place, such as D9."""
    return f"{get_column_letter(spot[1])}{spot[0]}"


def truth(text: str) -> bool:
    """Read a truth value of the file format."""
    return text in ("1", "true", "on")


def _stored(cell: Element, spot: Spot, texts: list[str], masters: dict[str, tuple[str, str]]) -> Stored:
    style, kind = int(cell.get("s", "0")), cell.get("t", "n")
    value = _value(cell, kind, texts)
    formula = cell.find(f"{MAIN}f")
    if formula is None:
        return Stored(value, None, style)
    text, role, group = formula.text or "", formula.get("t", "normal"), formula.get("si", "")
    if role == "dataTable":
        return Stored(value, "=TABLE()", style, formula.get("ref"))
    if role == "shared":
        if text:
            masters[group] = (f"={text}", a1(spot))
        elif group in masters:
            text = str(Translator(*masters[group]).translate_formula(a1(spot)))[1:]
        return Stored(value, f"={plain(text)}", style, shared=group)
    if not text:
        return Stored(value, None, style)
    return Stored(value, f"={plain(text)}", style, formula.get("ref") if role == "array" else None)


def plain(formula: str) -> str:
    """Return a formula as Excel shows it: without the file format's prefixes of newer functions."""
    return re.sub(r"_xl(?:fn|ws)\.", "", formula)


def _value(cell: Element, kind: str, texts: list[str]) -> Scalar:
    if kind == "inlineStr":
        inline = cell.find(f"{MAIN}is")
        return None if inline is None else _runs(inline)
    text = cell.findtext(f"{MAIN}v")
    if text is None or (text == "" and kind != "str"):
        return None
    if kind == "s":
        return texts[int(text)]
    if kind == "str":
        return unescaped(text)
    if kind == "b":
        return truth(text)
    if kind == "e":
        return ERROR_TEXTS.get(text, ExcelError.VALUE)
    if kind == "d":
        return float(to_excel(datetime.fromisoformat(text)))
    return float(text)


def _runs(element: Element) -> str:
    """Return the text of a string item without its phonetic guide."""
    pieces = [one.text or "" for one in element.iterfind(f"{MAIN}t")]
    pieces += [one.findtext(f"{MAIN}t") or "" for one in element.iterfind(f"{MAIN}r")]
    return unescaped("".join(pieces))


def unescaped(text: str) -> str:
    """Return a text with the control characters that the file format spells out."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def read_names(workbook: bytes) -> list[tuple[str, int | None, str]]:
    """Return the defined names: name, number of the sheet whose own it is, what it stands for."""
    root = ElementTree.fromstring(workbook)
    return [
        (one.get("name", ""), int(local) if (local := one.get("localSheetId")) else None, one.text or "")
        for one in root.iterfind(f"{MAIN}definedNames/{MAIN}definedName")
    ]


def active_sheet(workbook: bytes) -> int:
    """Return the number of the sheet on top, from 0."""
    view = ElementTree.fromstring(workbook).find(f"{MAIN}bookViews/{MAIN}workbookView")
    return 0 if view is None else int(view.get("activeTab", "0"))


def kernel_text(stored: Stored) -> Scalar:
    """Return what the kernel is given for a cell: the formula, else the constant."""
    if stored.formula is None:
        return stored.value
    return f"={{{stored.formula}}}" if stored.array else stored.formula
