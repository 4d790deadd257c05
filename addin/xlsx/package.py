"""The .xlsx file as a package: a zip of parts, read, changed and written so that the same content gives the same bytes.

openpyxl writes the clock into the zip and the document properties and leaves formula cells without a result. Both are
put right here, after it has saved, on the bytes of the parts: whatever is not meant to change stays as it was written.
"""

import hashlib
import io
import math
import os
import re
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from model.errors import BuildError, ModelError

CellValue = float | str | bool

ERROR_TEXTS = frozenset({"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"})
STORED_BELOW_BYTES = 2 * 1024 * 1024  # compressed bytes differ between builds of zlib, stored ones never do
ZIP_EPOCH = datetime(1980, 1, 1, tzinfo=UTC)  # the earliest date a zip entry can carry

_FIRST_PARTS = ("[Content_Types].xml", "_rels/.rels")  # readers that stream the file look for these first
_CORE = "docProps/core.xml"
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


def read_parts(path: Path) -> dict[str, bytes]:
    """Return the parts by name, uncompressed, in the order of the file; raise ModelError when it is not a package."""
    try:
        with zipfile.ZipFile(path) as package:
            return {entry.filename: package.read(entry) for entry in package.infolist() if not entry.is_dir()}
    except zipfile.BadZipFile as fault:
        raise ModelError(f"{path}: not an .xlsx workbook ({fault}). Give a file saved as 'Excel workbook'.") from fault


def write_parts(path: Path, parts: Mapping[str, bytes], timestamp: datetime = ZIP_EPOCH) -> None:
    """Write the parts as a package whose bytes depend on nothing but the parts and the timestamp.

    Content types come first, the rest in order of name; a package under 2 MB is stored uncompressed.
    """
    stored = sum(map(len, parts.values())) < STORED_BELOW_BYTES
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name in _ordered(parts):
            entry = zipfile.ZipInfo(name, _utc(timestamp).timetuple()[:6])
            entry.create_system = 3  # zipfile would note the operating system of the build
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            package.writestr(entry, parts[name], compresslevel=9)
    write_atomically(path, buffer.getvalue())


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file in one step: a reader sees the old bytes or the new ones, and a failure leaves the old."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except PermissionError as fault:
        raise ModelError(f"{path}: the file cannot be replaced. Close it in the spreadsheet and run again.") from fault
    finally:
        temporary.unlink(missing_ok=True)


def normalise(path: Path, timestamp: datetime) -> None:
    """Rewrite the package so that the same content gives the same bytes on every machine.

    `timestamp` (a naive one is UTC) becomes the date of every entry and the created and modified date of the document.
    """
    parts = read_parts(path)
    if _CORE in parts:
        parts[_CORE] = _with_dates(parts[_CORE], _utc(timestamp))
    write_parts(path, parts, timestamp)


def inject_cached_values(path: Path, values: Mapping[tuple[str, str], CellValue]) -> None:
    """Write the result of every formula cell into the sheets, so that readers that do not calculate show it.

    Keys are (sheet, reference), `("Capacity", "D9")`. Numbers are written with the fewest digits that read back as the
    same number; a text that is one of Excel's error values becomes that error. The flag that makes applications
    calculate on opening stays. Raise BuildError unless the keys are exactly the formula cells of the workbook.
    """
    parts = read_parts(path)
    waiting = dict(values)
    missing: list[str] = []
    for sheet, part in _sheet_parts(parts).items():
        cells = _formula_cells(parts[part])
        edits = []
        for cell in cells:
            if (sheet, cell.reference) in waiting:
                edits += cell.edits(_content(waiting.pop((sheet, cell.reference)), f"{sheet}!{cell.reference}"))
            else:
                missing.append(f"{sheet}!{cell.reference}")
        parts[part] = _spliced(parts[part], edits)
    if missing:
        raise BuildError(f"{path.name}: {_some(missing)} hold a formula and got no value. Compute every formula cell.")
    if waiting:
        extra = _some([f"{sheet}!{reference}" for sheet, reference in waiting])
        raise BuildError(f"{path.name}: {extra} got a value and hold no formula. Give values of formula cells only.")
    write_parts(path, parts)


def manifest(path: Path) -> str:
    """Return one line per part, `<sha256>  <name>`, of the uncompressed bytes in order of name."""
    parts = read_parts(path)
    return "".join(f"{hashlib.sha256(parts[name]).hexdigest()}  {name}\n" for name in sorted(parts))


def _ordered(parts: Mapping[str, bytes]) -> list[str]:
    return [name for name in _FIRST_PARTS if name in parts] + sorted(set(parts) - set(_FIRST_PARTS))


def _utc(timestamp: datetime) -> datetime:
    moment = timestamp.replace(tzinfo=UTC) if timestamp.tzinfo is None else timestamp.astimezone(UTC)
    return max(moment, ZIP_EPOCH)


def _with_dates(core: bytes, moment: datetime) -> bytes:
    """Set the created and modified dates of docProps/core.xml, which keeps everything else."""
    stamp = moment.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    return re.sub(rb"(<dcterms:(created|modified)\b[^>]*>)[^<]*(</dcterms:\2>)", rb"\g<1>" + stamp + rb"\g<3>", core)


def _sheet_parts(parts: Mapping[str, bytes]) -> dict[str, str]:
    """Return the part of every worksheet by its tab's name; chart sheets have no cells and are left out."""
    targets = {
        relation.get("Id"): relation.get("Target", "")
        for relation in ElementTree.fromstring(parts["xl/_rels/workbook.xml.rels"]).iter(_RELATIONSHIP)
        if relation.get("Type", "").endswith("/worksheet")
    }
    found = {}
    for sheet in ElementTree.fromstring(parts["xl/workbook.xml"]).iter(f"{_MAIN}sheet"):
        target = targets.get(sheet.get(_RELATION_ID))
        if target is not None:
            found[sheet.get("name", "")] = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    return found


class _FormulaCell:
    """Where one formula cell stands in the bytes of its sheet: start tag, end of the formula, old result."""

    def __init__(self, tag: str, attributes: dict[str, str], start: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.reference = attributes["r"]
        self.start = start
        self.start_tag_end = 0
        self.formula_end = 0
        self.old_value: tuple[int, int] | None = None

    def edits(self, content: tuple[str, str]) -> list[tuple[int, int, bytes]]:
        """Return the replacements (from, to, new bytes) that give the cell this type and text."""
        kind, text = content
        kept = {name: value for name, value in self.attributes.items() if name != "t"} | ({"t": kind} if kind else {})
        start_tag = f"<{self.tag} {' '.join(f'{name}={quoteattr(value)}' for name, value in kept.items())}>"
        value_tag = self.tag[:-1] + "v"  # the same namespace prefix, if the file uses one
        changes = [(self.start, self.start_tag_end, start_tag.encode())]
        changes.append((self.formula_end, self.formula_end, f"<{value_tag}>{text}</{value_tag}>".encode()))
        if self.old_value:
            changes.append((*self.old_value, b""))
        return changes


def _formula_cells(sheet: bytes) -> list[_FormulaCell]:
    """Find the formula cells of a sheet; a parser reports the positions, the bytes stay untouched."""
    parser = expat.ParserCreate()
    found: list[_FormulaCell] = []
    cell: _FormulaCell | None = None
    value_start = 0

    def element_end(tag: str) -> int:
        """Return where the element ends: the parser stands before its end tag, or behind an element like <v/>."""
        here = parser.CurrentByteIndex
        return sheet.index(b">", here) + 1 if sheet.startswith(f"</{tag}".encode(), here) else here

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal cell, value_start
        name = tag.rpartition(":")[2]
        if name == "c":
            cell = _FormulaCell(tag, attributes, parser.CurrentByteIndex)
        elif cell is not None and not cell.start_tag_end:
            cell.start_tag_end = parser.CurrentByteIndex
        if name == "v":
            value_start = parser.CurrentByteIndex

    def end(tag: str) -> None:
        nonlocal cell
        name = tag.rpartition(":")[2]
        if cell is None:
            return
        if name == "f":
            cell.formula_end = element_end(tag)
        elif name == "v":
            cell.old_value = (value_start, element_end(tag))
        elif name == "c":
            if cell.formula_end:
                found.append(cell)
            cell = None

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(sheet, True)
    return found


def _content(value: CellValue, place: str) -> tuple[str, str]:
    """Return the cell type and the escaped text of a result; numbers have no type."""
    if isinstance(value, bool):
        return "b", str(int(value))
    if isinstance(value, str):
        return ("e" if value in ERROR_TEXTS else "str"), _escaped(value)
    number = float(value)
    if not math.isfinite(number):
        raise BuildError(f"{place}: {number} is not a cell value. Give a number, a text, a boolean or an error text.")
    return "", str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _escaped(text: str) -> str:
    """Escape a text for a result: XML's characters, and control characters the way spreadsheets write them."""
    text = re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)
    return escape(re.sub(r"[\x00-\x08\x0b-\x1f]", lambda found: f"_x{ord(found[0]):04X}_", text))


def _spliced(data: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    """Apply replacements that do not overlap."""
    pieces = []
    position = 0
    for start, end, new in sorted(edits):
        pieces += [data[position:start], new]
        position = end
    return b"".join([*pieces, data[position:]])


def _some(places: list[str]) -> str:
    """Name the first few places and count the rest."""
    return ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
