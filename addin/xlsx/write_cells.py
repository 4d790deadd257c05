"""Write cells into the bytes of a sheet: only the elements of the cells change."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from addin.errors import BookError
from addin.xlsx.cell_values import written_formula, written_value
from addin.xlsx.elements import Edit, Element, edited, outline, start_tag
from addin.xlsx.escaping import quoteattr
from addin.xlsx.positions import Position, a1, boundaries, columns_of, rows_of
from addin.xlsx.read_cells import Stored

_DROPPED = frozenset({"t", "cm", "vm"})  # type and metadata of the old content


def with_cells(sheet: bytes, written: Mapping[Position, Stored]) -> bytes:
    """Return a sheet with written cells; missing rows and cells are added in order."""
    root = outline(sheet, 4)
    data = root.child("sheetData")
    if data is None:
        raise BookError("a sheet has no part sheetData; the file is damaged. Take a fresh copy.")
    edits = list(_dimension(root, written))
    waiting: dict[int, dict[Position, Stored]] = {}
    for position, stored in sorted(written.items()):
        waiting.setdefault(position[0], {})[position] = stored
    rows = dict(zip(rows_of(row.attributes.get("r") for row in data.children), data.children, strict=True))
    last = ""
    following = iter(sorted(rows))
    below = next(following, math.inf)
    for number, cells in waiting.items():
        if number in rows:
            edits += _row_edits(number, rows[number], cells, data.prefix)
            continue
        while below < number:
            below = next(following, math.inf)
        text = _row(number, cells, data.prefix)
        if below == math.inf:
            last += text
        elif text:
            edits.append((rows[int(below)].start, rows[int(below)].start, text.encode()))
    return edited(sheet, [*edits, *(data.extended(last) if last else ())])


def _row(number: int, cells: Mapping[Position, Stored], prefix: str) -> str:
    text = "".join(_cell(position, stored, prefix) for position, stored in cells.items())
    return f'<{prefix}row r="{number}">{text}</{prefix}row>' if text else ""


def _row_edits(number: int, row: Element, waiting: dict[Position, Stored], prefix: str) -> Iterator[Edit]:
    """Yield the edits of a row: existing cells replaced, new ones inserted before the next cell or at the end."""
    cells = [cell for cell in row.children if cell.name == "c"]
    existing = dict(zip(columns_of(cell.attributes.get("r") for cell in cells), cells, strict=True))
    last = ""
    for position, stored in waiting.items():
        cell = existing.get(position[1])
        if cell is not None:
            kept = {name: value for name, value in cell.attributes.items() if name not in _DROPPED}
            yield cell.start, cell.end, _cell(position, stored, prefix, kept).encode()
            continue
        text = _cell(position, stored, prefix)
        behind = next((cell.start for column, cell in existing.items() if column > position[1]), None)
        if behind is None:
            last += text
        elif text:
            yield behind, behind, text.encode()
    if last:
        yield from row.extended(last)


def _cell(position: Position, stored: Stored, prefix: str, attributes: Mapping[str, str] | None = None) -> str:
    """Return the element of a cell; empty for a blank one without a format."""
    pairs = {"r": a1(position), **(attributes or {})} | ({"s": str(stored.style)} if stored.style else {})
    if not stored.style:
        pairs.pop("s", None)
    kind, inner = _content(stored, prefix)
    if not inner and not stored.style:
        return ""
    tag = start_tag(f"{prefix}c", pairs | ({"t": kind} if kind else {}), empty=not inner)
    return f"{tag}{inner}</{prefix}c>" if inner else tag


def _content(stored: Stored, prefix: str) -> tuple[str, str]:
    """Return the type of a cell and the XML of its content."""
    kind, value = written_value(stored.value)
    if stored.formula is not None:
        array = f' t="array" ref={quoteattr(stored.array)}' if stored.array else ""
        formula = f"<{prefix}f{array}>{written_formula(stored.formula)}</{prefix}f>"
        return kind, formula + (f"<{prefix}v>{value}</{prefix}v>" if stored.value is not None else "")
    if stored.value is None:
        return "", ""
    if kind == "str":
        space = ' xml:space="preserve"' if value != value.strip() or "\n" in value else ""
        return "inlineStr", f"<{prefix}is><{prefix}t{space}>{value}</{prefix}t></{prefix}is>"
    return kind, f"<{prefix}v>{value}</{prefix}v>"


def _dimension(root: Element, written: Mapping[Position, Stored]) -> Iterable[Edit]:
    """Yield the edit that extends the stated dimension of the sheet."""
    dimension = root.child("dimension")
    if dimension is None or not written:
        return
    area = dimension.attributes.get("ref", "A1")
    left, top, right, bottom = boundaries(area)
    rows, columns = [row for row, _ in written], [column for _, column in written]
    corners = (min(top, *rows), min(left, *columns)), (max(bottom, *rows), max(right, *columns))
    wider = ":".join(a1(corner) for corner in corners) if corners[0] != corners[1] else a1(corners[0])
    if wider != area:
        yield dimension.start, dimension.end, f"<{dimension.tag} ref={quoteattr(wider)}/>".encode()
