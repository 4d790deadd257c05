"""Write cells into the bytes of a sheet: the elements of the cells change, every other byte stays."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from openpyxl.formula import Tokenizer
from openpyxl.utils.cell import range_boundaries

from addin.errors import BookError
from addin.kernel import ExcelError, Scalar, safe_functions
from addin.xlsx.outline import Edit, Place, edited, outline
from addin.xlsx.read_cells import Spot, Stored, a1, spot_of

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0d\x0e-\x1f]|_(?=x[0-9A-Fa-f]{4}_)")
_DROPPED = frozenset({"t", "cm", "vm"})  # type and metadata belong to the old content


def with_cells(sheet: bytes, written: Mapping[Spot, Stored]) -> bytes:
    """Return a sheet in which the cells hold what is written; rows and cells that it lacks are added in place."""
    root = outline(sheet, 4)
    data = root.child("sheetData")
    if data is None:
        raise BookError("a sheet has no part sheetData; the file is damaged. Take a fresh copy.")
    edits = list(_dimension(root, written))
    waiting: dict[float, dict[Spot, Stored]] = {}
    for spot, stored in sorted(written.items()):
        waiting.setdefault(spot[0], {})[spot] = stored
    rows = list(_rows(data))
    for number, row in rows:
        if number in waiting:
            edits += _row_edits(int(number), row, waiting.pop(number), data.prefix)
    last = []
    following = iter(rows)
    number, row = next(following, (math.inf, data))
    for new, cells in waiting.items():
        while number < new:
            number, row = next(following, (math.inf, data))
        text = _row(int(new), cells, data.prefix)
        if number == math.inf:
            last.append(text)
        elif text:
            edits.append((row.start, row.start, text.encode()))
    if "".join(last):
        edits += data.extended("".join(last))
    return edited(sheet, edits)


def with_results(sheet: bytes, results: Mapping[Spot, Scalar]) -> bytes:
    """Return a sheet whose formula cells store other results; the formulas keep their bytes."""
    data = outline(sheet, 5).child("sheetData")
    edits: list[Edit] = []
    for number, row in _rows(data) if data else ():
        column = 0
        for cell in row.children:
            column = spot_of(cell.attributes["r"])[1] if "r" in cell.attributes else column + 1
            formula, old = cell.child("f"), cell.child("v")
            if formula is None or (int(number), column) not in results:
                continue
            kind, text = written(results[int(number), column])
            pairs = {name: value for name, value in cell.attributes.items() if name != "t"} | (
                {"t": kind} if kind else {}
            )
            edits.append((cell.start, cell.content, _tag(cell.tag, pairs)))
            edits.append((formula.end, formula.end, f"<{cell.prefix}v>{text}</{cell.prefix}v>".encode()))
            if old is not None:
                edits.append((old.start, old.end, b""))
    return edited(sheet, edits)


def _tag(tag: str, attributes: Mapping[str, str]) -> bytes:
    return f"<{tag}{''.join(f' {name}={quoteattr(value)}' for name, value in attributes.items())}>".encode()


def _rows(data: Place) -> Iterator[tuple[float, Place]]:
    number = 0
    for row in data.children:
        number = int(row.attributes.get("r", number + 1))
        yield number, row


def _row(number: int, cells: Mapping[Spot, Stored], prefix: str) -> str:
    text = "".join(_cell(spot, stored, prefix) for spot, stored in cells.items())
    return f'<{prefix}row r="{number}">{text}</{prefix}row>' if text else ""


def _row_edits(number: int, row: Place, waiting: dict[Spot, Stored], prefix: str) -> Iterable[Edit]:
    """Yield the edits of a row: cells replaced where they stand, the others before the next one or at the end."""
    column = 0
    before: list[tuple[int, int]] = []  # column, position of the cells that are there
    for cell in row.children:
        if cell.name != "c":
            continue
        column = spot_of(cell.attributes["r"])[1] if "r" in cell.attributes else column + 1
        before.append((column, cell.start))
        stored = waiting.pop((number, column), None)
        if stored is not None:
            kept = {name: value for name, value in cell.attributes.items() if name not in _DROPPED}
            yield cell.start, cell.end, _cell((number, column), stored, prefix, kept).encode()
    last = []
    for spot, stored in sorted(waiting.items()):
        text = _cell(spot, stored, prefix)
        position = next((start for at, start in before if at > spot[1]), None)
        if position is None:
            last.append(text)
        elif text:
            yield position, position, text.encode()
    if "".join(last):
        yield from row.extended("".join(last))


def _cell(spot: Spot, stored: Stored, prefix: str, attributes: Mapping[str, str] | None = None) -> str:
    """Return the element of a cell; nothing for a blank one without a format of its own."""
    pairs = {"r": a1(spot), **(attributes or {})} | ({"s": str(stored.style)} if stored.style else {})
    if not stored.style:
        pairs.pop("s", None)
    kind, inner = _content(stored, prefix)
    if not inner and not stored.style:
        return ""
    text = "".join(f" {name}={quoteattr(value)}" for name, value in (pairs | ({"t": kind} if kind else {})).items())
    return f"<{prefix}c{text}>{inner}</{prefix}c>" if inner else f"<{prefix}c{text}/>"


def _content(stored: Stored, prefix: str) -> tuple[str, str]:
    """Return the type of a cell and what is in it."""
    kind, value = written(stored.value)
    if stored.formula is not None:
        array = f' t="array" ref={quoteattr(stored.array)}' if stored.array else ""
        formula = f"<{prefix}f{array}>{escape(_prefixed(stored.formula)[1:])}</{prefix}f>"
        return kind, formula + (f"<{prefix}v>{value}</{prefix}v>" if stored.value is not None else "")
    if stored.value is None:
        return "", ""
    if kind == "str":
        space = ' xml:space="preserve"' if value != value.strip() or "\n" in value else ""
        return "inlineStr", f"<{prefix}is><{prefix}t{space}>{value}</{prefix}t></{prefix}is>"
    return kind, f"<{prefix}v>{value}</{prefix}v>"


def written(value: Scalar) -> tuple[str, str]:
    """Return the type and the text of a value in the file; numbers have no type."""
    if isinstance(value, bool):
        return "b", str(int(value))
    if isinstance(value, ExcelError):
        return "e", value.value
    if isinstance(value, str):
        return "str", escape(_CONTROL.sub(lambda found: f"_x{ord(found[0]):04X}_", value))
    if value is None:
        return "", ""
    return "", str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _prefixed(formula: str) -> str:
    """Return a formula as the file holds it: functions newer than Excel 2007 carry a prefix."""
    known = safe_functions()
    found = Tokenizer(formula)
    for token in found.items:
        if token.type == "FUNC" and token.subtype == "OPEN":
            function = known.get(token.value[:-1].upper())
            if function is not None and function.since > 2007:
                token.value = f"_xlfn.{token.value}"
    return str(found.render())


def _dimension(root: Place, written: Mapping[Spot, Stored]) -> Iterable[Edit]:
    """Yield the edit that widens the area the sheet says it uses."""
    place = root.child("dimension")
    if place is None or not written:
        return
    area = place.attributes.get("ref", "A1")
    left, top, right, bottom = range_boundaries(area)
    rows, columns = [row for row, _ in written], [column for _, column in written]
    corners = (min(top, *rows), min(left, *columns)), (max(bottom, *rows), max(right, *columns))
    wider = ":".join(a1(corner) for corner in corners) if corners[0] != corners[1] else a1(corners[0])
    if wider != area:
        yield place.start, place.end, f"<{place.tag} ref={quoteattr(wider)}/>".encode()
