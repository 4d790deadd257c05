"""The cells of a saved workbook in one pass of expat, as Cells.from_openpyxl gives them, without openpyxl.

openpyxl takes five times as long, most of it for styles, charts and page setup that no computation asks for. What is
rare or doubtful is left to it: this reader says Unread, or gives the very cells that openpyxl gives. Every part has to
be whole, but an attribute that makes no sense in a style or a page setup is found only by who needs these.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from types import MappingProxyType
from xml.etree import ElementTree
from xml.parsers import expat

from addin.kernel import Address, Cells, ExcelError, Scalar
from addin.kernel.formula.cells import ERROR_TEXTS, NO_FORMULA, meaning, of_the_format, own_name
from addin.kernel.formula.columns import column_number
from addin.xlsx.limits import MERGED
from addin.xlsx.parts import CORE_PROPERTIES, MAIN, SHARED_TEXTS, STYLES, TYPES, WORKBOOK, Parts, targets
from addin.xlsx.plain_sheets import LAST_COLUMN, LAST_ROW, SheetsOfRows

_M = f"{{{MAIN}}}"
_SHEETS = "xl/worksheets/sheet"
_KINDS = (b"sheet.main+xml", b"sheet.macroEnabled.main+xml", b"template.main+xml", b"template.macroEnabled.main+xml")
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_LOCAL = ("_xlnm.Print_Titles", "_xlnm.Print_Area", "_xlnm._FilterDatabase")
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}  # formats that have no code in the file
_UNREAD_IN_CODE = re.compile(r'"[^"]*"|\[(?!hh?\]|mm?\]|ss?\])[\w$-]*\]')
_OF_A_DATE = re.compile(r"[dmhys]", re.IGNORECASE)
_PLAIN_DAYS = range(61, 2958466)  # whole numbers that openpyxl makes a date of, and the date the same number again


class Unread(Exception):
    """Something that this reader leaves to openpyxl."""


def _require(plain: bool) -> None:
    if not plain:
        raise Unread


def read_cells(parts: Parts) -> Cells:
    """Return the cells and names of a workbook. Raises Unread for whatever openpyxl might read otherwise."""
    _require(all(name in parts for name in (TYPES, WORKBOOK, STYLES)))
    _require(any(kind in parts[TYPES] for kind in _KINDS))
    try:
        for name, data in parts.items():
            if name.endswith((".xml", ".rels")) and not name.startswith(_SHEETS):
                expat.ParserCreate().Parse(data, True)
        root = ElementTree.fromstring(parts[WORKBOOK])
        by_title = _sheets(parts, root)
        names = _names(root, list(by_title))
        styles, texts = _styles(parts[STYLES]), _shared(parts.get(SHARED_TEXTS))
        reader = _Sheets(texts, styles, SheetsOfRows(texts, styles))
        for title, part in by_title.items():
            reader.read(title, parts[part])
    except (ElementTree.ParseError, expat.ExpatError, KeyError, ValueError, IndexError, OverflowError):
        raise Unread from None
    return Cells(reader.held, MappingProxyType(names), tuple(by_title), frozenset(reader.texts))


def version(parts: Parts) -> str:
    """Return the version among the properties of a workbook, empty without one."""
    if CORE_PROPERTIES not in parts:
        return ""
    try:
        return ElementTree.fromstring(parts[CORE_PROPERTIES]).findtext("{*}version") or ""
    except ElementTree.ParseError:
        raise Unread from None


def _sheets(parts: Parts, root: ElementTree.Element) -> dict[str, str]:
    """Return the part of every sheet by its title; leave alone chart sheets, links to other files, dates from 1904."""
    _require(root.tag == f"{_M}workbook" and root.find(f"{_M}externalReferences") is None)
    settings = root.find(f"{_M}workbookPr")
    _require(settings is None or settings.get("date1904", "0") in ("0", "false"))
    to = targets(parts, WORKBOOK)
    found: dict[str, str] = {}
    titles: set[str] = set()
    for sheet in root.iterfind(f"{_M}sheets/{_M}sheet"):
        relation = next((value for key, value in sheet.attrib.items() if key.endswith("}id")), "")
        part, title = to.get(relation, ""), sheet.get("name", "")
        _require(bool(title) and part not in found.values() and part.startswith("xl/worksheets/") and part in parts)
        titles.add(title.casefold())
        found[title] = part
        _require(len(titles) == len(found))
    _require(bool(found))
    return found


def _names(root: ElementTree.Element, titles: list[str]) -> dict[str, str]:
    """Return the names as Cells has them: those of the workbook, then those of each sheet; none of the format's own."""
    names: dict[str, str] = {}
    local: dict[str, dict[str, str]] = {title: {} for title in titles}
    known: set[tuple[str | None, str]] = set()
    for entry in root.iterfind(f"{_M}definedNames/{_M}definedName"):
        name, sheet = entry.get("name", ""), entry.get("localSheetId")
        key = (sheet, name.casefold())
        _require(bool(name) and len(entry) == 0 and (key not in known or of_the_format(name)))
        known.add(key)
        if sheet is None:
            if name not in _LOCAL:
                names[name] = meaning(entry.text)
        elif not name.startswith("_xlnm."):
            local[titles[int(sheet)]][own_name(titles[int(sheet)], name)] = meaning(entry.text)
        else:
            _require(name in _LOCAL)
    for own in local.values():
        names |= own
    return names


def _styles(part: bytes) -> dict[str, bool]:
    """Return for each cell format, by its number as written, whether it might be that of a date."""
    root = ElementTree.fromstring(part)
    _require(root.tag == f"{_M}styleSheet")
    dates = set(_DATES)
    for code in root.iterfind(f"{_M}numFmts/{_M}numFmt"):
        number = int(code.get("numFmtId", ""))
        dates.discard(number)
        first = code.get("formatCode", "").partition(";")[0]  # openpyxl looks at no other section
        if _OF_A_DATE.search(_UNREAD_IN_CODE.sub("", first)):
            dates.add(number)
    forms = root.iterfind(f"{_M}cellXfs/{_M}xf")
    return {str(number): int(form.get("numFmtId", "0")) in dates for number, form in enumerate(forms)}


def _shared(part: bytes | None) -> list[str]:
    """Return the shared texts by number, as openpyxl reads them."""
    if part is None:
        return []
    root = ElementTree.fromstring(part)
    _require(root.tag == f"{_M}sst")
    return [_runs(item).replace("x005F_", "") for item in root.iterfind(f"{_M}si")]


def _runs(item: ElementTree.Element) -> str:
    found = [item.findall(f"{_M}t"), *(run.findall(f"{_M}t") for run in item.iterfind(f"{_M}r"))]
    _require(all(len(texts) <= 1 for texts in found))
    return "".join(text.text or "" for texts in found for text in texts)


@dataclass
class _Sheets:
    """What is read so far: values, texts that begin with "="."""

    shared: list[str]
    dates: dict[str, bool]
    held: SheetsOfRows
    texts: set[Address] = field(default_factory=set)
    columns: dict[str, int] = field(default_factory=dict)

    def read(self, title: str, part: bytes) -> None:
        """Read one sheet. Raises Unread, and what expat and bad numbers raise."""
        values: dict[Address, Scalar] = {}
        texts, value_of, columns, make = self.texts, self._value, self.columns, tuple.__new__
        cell: dict[str, str] = {}
        formula: str | None = None
        inside = how = shown = line = ""
        row = column = 0
        inline = capture = filled = False
        linked: list[str] = []
        merged: list[str] = []
        piece: list[str] = []

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal cell, formula, inside, how, shown, line, row, column, inline, capture, filled
            if tag == "c":
                cell, formula, shown, inline = attributes, None, "", False
                reference = attributes["r"]
                at = columns.get(reference[: -len(line)]) if reference.endswith(line) else None
                if at is None:
                    at = columns[reference[: -len(line)]] = _column(reference, line)
                if inside != "row" or at <= column:
                    raise Unread
                column, inside = at, "c"
            elif tag == "v":
                _require(inside == "c" and not shown)
                capture = True
                piece.clear()
            elif tag == "f":
                how = attributes.get("t", "normal")
                _require(inside == "c" and formula is None and how in ("normal", "array", "dataTable"))
                capture = True
                piece.clear()
            elif tag == "row":
                line, number = attributes["r"], _index(attributes["r"])
                _require(inside == "sheetData" and row < number <= LAST_ROW and line[0] != "0")
                row, column, inside = number, 0, "row"
            elif tag == "t":
                _require(inside == "is" and not shown)
                capture = True
                piece.clear()
            elif tag == "is":
                _require(inside == "c" and not inline)
                inline, inside = True, "is"
            elif tag == "sheetData":
                _require(inside == "worksheet" and not filled)
                inside, filled = tag, True
            elif inside == "is":
                raise Unread
            elif tag == "mergeCell":
                merged.append(attributes["ref"])
            elif tag == "dataValidation":
                for area in attributes.get("sqref", "").split():
                    _corners(area)
            elif tag == "hyperlink":
                linked.append(attributes["ref"])
            elif tag == "worksheet":
                _require(not inside and attributes.get("xmlns") == MAIN)
                inside = tag

        def end(tag: str) -> None:
            nonlocal formula, inside, shown, capture
            if tag == "c":
                inside = "row"
                value = value_of(cell, formula, how, shown, inline)
                if value is not None:
                    address = make(Address, (title, row, column))
                    values[address] = value
                    if formula is None and isinstance(value, str) and value[:1] == "=":
                        texts.add(address)
            elif tag == "v":
                shown, capture = "".join(piece), False
            elif tag == "f":
                formula, capture = "".join(piece), False
            elif tag == "t":
                shown, capture = "".join(piece), False
            elif tag == "row":
                inside = "sheetData"
            elif tag == "is":
                inside = "c"
            elif tag == "sheetData":
                inside = "worksheet"

        def characters(text: str) -> None:
            if capture:
                piece.append(text)

        def refused(*_: object) -> None:
            raise Unread

        around = self.held.without_rows(title, part)
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = characters, refused
        parser.Parse(around, True)
        _require(inside == "worksheet" and filled)
        if around is part:
            self.held.add(title, values)
        self._check(title, merged, linked)

    def _value(self, cell: dict[str, str], formula: str | None, how: str, shown: str, inline: bool) -> Scalar:
        """Return the value of a cell, None for an empty one."""
        kind, date = cell.get("t", "n"), self.dates.get(cell.get("s", "0"))
        if date is None:
            raise Unread
        if formula is not None:
            if how == "dataTable":
                return "=TABLE()"
            text = f"={formula}"
            return f"={{{text}}}" if how == "array" else NO_FORMULA if text == "=" else text
        if kind == "inlineStr":
            return shown if inline else None
        _require(not inline)
        if not shown:
            return None
        if kind == "s":
            return self.shared[_index(shown)]
        if kind == "n":
            number = float(shown)
            _require(math.isfinite(number) and shown.isascii() and "_" not in shown)
            _require(not date or (number.is_integer() and int(number) in _PLAIN_DAYS))
            return number
        if kind == "b":
            return bool(_index(shown))
        if kind == "e":
            return ERROR_TEXTS.get(shown, ExcelError.VALUE)
        _require(kind == "str")
        return shown

    def _check(self, title: str, merged: list[str], linked: list[str]) -> None:
        """Leave a sheet alone whose merged areas hide values, or whose links fill empty cells."""
        for area in merged:
            (top, left), (bottom, right) = _corners(area)
            _require((bottom - top + 1) * (right - left + 1) <= MERGED)
            inside = ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1))
            _require(all(at == (top, left) or Address(title, *at) not in self.held for at in inside))
        for cell in linked:
            first, last = _corners(cell)
            _require(first == last and Address(title, *first) in self.held)


def _column(reference: str, row: str) -> int:
    """Return the column of a cell in a row. Raises Unread for a reference that is not plain, or of another row."""
    match = _REFERENCE.fullmatch(reference)
    _require(match is not None and match[2] == row and column_number(match[1]) <= LAST_COLUMN)
    return column_number(match[1]) if match else 0


def _index(text: str) -> int:
    _require(text.isascii() and text.isdigit())
    return int(text)


def _corners(area: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return row and column of the first and the last cell of an area."""
    ends = [_REFERENCE.fullmatch(end) for end in area.split(":")]
    corners = [(int(end[2]), column_number(end[1])) for end in ends if end is not None]
    _require(len(corners) == len(ends) <= 2)
    return corners[0], corners[-1]
