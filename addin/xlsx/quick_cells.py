"""The cells of a saved workbook as Cells.from_openpyxl gives them, without openpyxl, which takes five times as long.

Most of that time goes into styles, charts and page setup, which no computation needs. This reader takes sheets in the
shape that most files have (plain_sheets.py) and gives the very cells that openpyxl gives; anything rare or doubtful
raises Unread and is left to openpyxl. Every part must be well formed, but a wrong attribute of a style or a page setup
is found only by code that reads these.
"""

from __future__ import annotations

import re
from collections import Counter
from types import MappingProxyType
from xml.etree import ElementTree
from xml.parsers import expat

from addin.kernel import Address, Cells
from addin.kernel.formula.cells import meaning, of_the_format, own_name
from addin.xlsx.limits import MERGED
from addin.xlsx.parts import CORE_PROPERTIES, MAIN, SHARED_TEXTS, STYLES, TYPES, WORKBOOK, Parts, targets
from addin.xlsx.plain_sheets import SheetsOfRows
from addin.xlsx.positions import boundaries

_M = f"{{{MAIN}}}"
_SHEETS = "xl/worksheets/sheet"
_KINDS = (b"sheet.main+xml", b"sheet.macroEnabled.main+xml", b"template.main+xml", b"template.macroEnabled.main+xml")
_LOCAL = ("_xlnm.Print_Titles", "_xlnm.Print_Area", "_xlnm._FilterDatabase")
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}  # formats that have no code in the file
_UNREAD_IN_CODE = re.compile(r'"[^"]*"|\[(?!hh?\]|mm?\]|ss?\])[\w$-]*\]')
_OF_A_DATE = re.compile(r"[dmhys]", re.IGNORECASE)


class Unread(Exception):
    """Something that this reader leaves to openpyxl."""


def _require(plain: bool) -> None:
    if not plain:
        raise Unread


def read_cells(parts: Parts) -> Cells:
    """Return the cells and names of a workbook. Raises Unread for anything that openpyxl might read differently."""
    _require(all(name in parts for name in (TYPES, WORKBOOK, STYLES)))
    _require(any(kind in parts[TYPES] for kind in _KINDS))
    try:
        for name, data in parts.items():
            if name.endswith((".xml", ".rels")) and not name.startswith(_SHEETS):
                expat.ParserCreate().Parse(data, True)
        root = ElementTree.fromstring(parts[WORKBOOK])
        by_title = _sheets(parts, root)
        names = _names(root, list(by_title))
        held = SheetsOfRows(_shared(parts.get(SHARED_TEXTS)), _styles(parts[STYLES]))
        for title, part in by_title.items():
            around = held.without_rows(title, parts[part])
            if around is None:
                raise Unread
            _check(title, around, held)
    except (ElementTree.ParseError, expat.ExpatError, KeyError, ValueError, IndexError, OverflowError):
        raise Unread from None
    return Cells(held, MappingProxyType(names), tuple(by_title))


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


def _check(title: str, around: bytes, held: SheetsOfRows) -> None:
    """Leave a sheet alone with cells beside its rows, merged areas that hide values, or links that fill empty cells."""
    root = ElementTree.fromstring(around)
    _require(root.tag == f"{_M}worksheet")
    counts = Counter(element.tag.removeprefix(_M) for element in root.iter())
    rows = root.findall(f"{_M}sheetData/{_M}row")
    _require(counts["sheetData"] == len(root.findall(f"{_M}sheetData")) == 1 and counts["row"] == len(rows))
    _require(not any(counts[tag] for tag in ("c", "v", "f", "is", "t")))
    for rule in root.iter(f"{_M}dataValidation"):
        for area in rule.get("sqref", "").split():
            boundaries(area)
    for merge in root.iter(f"{_M}mergeCell"):
        left, top, right, bottom = boundaries(merge.attrib["ref"])
        _require((bottom - top + 1) * (right - left + 1) <= MERGED)
        inside = ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1))
        _require(all(at == (top, left) or Address(title, *at) not in held for at in inside))
    for link in root.iter(f"{_M}hyperlink"):
        left, top, right, bottom = boundaries(link.attrib["ref"])
        _require((left, top) == (right, bottom) and Address(title, top, left) in held)
