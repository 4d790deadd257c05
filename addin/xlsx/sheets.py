"""Add, copy in, delete, move and rename the sheets of a package; parts that do not refer to one keep their bytes."""

from __future__ import annotations

import re

from addin.errors import RequestError
from addin.xlsx.drawn_sheet import ONLY_SHEET, put_sheet
from addin.xlsx.elements import edited, outline, start_tag
from addin.xlsx.parts import (
    MAIN,
    SHARED_TEXTS,
    STYLES,
    TYPES,
    WORKBOOK,
    Parts,
    content_type,
    from_the_root,
    reached,
    relations_of,
    types_of,
    used_only_by,
    without,
)
from addin.xlsx.references import lost, renamed, rewritten, with_formulas
from addin.xlsx.workbook_part import Name, defined_names, listed, sheet_parts, titles, with_names, with_order

_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_BLANK = f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>'.encode()
_TAG = re.compile(r"<(/?)(?:\w+:)?(?=\w)")
_SELECTED = re.compile(rb'(?<=\s)tabSelected="\w+"\s?')


def add_blank(parts: Parts, title: str) -> dict[str, bytes]:
    """Return the parts with an empty sheet added last."""
    drawn = {ONLY_SHEET: _BLANK, STYLES: parts[STYLES], TYPES: types_of({ONLY_SHEET: _SHEET_TYPE})}
    return put_sheet(parts, drawn, title) | {STYLES: parts[STYLES]}


def copy_in(parts: Parts, source: Parts, title: str, new: str) -> dict[str, bytes]:
    """Return the parts with a copy of a sheet of another package added last, with all parts that it reaches.

    Raises RequestError for a sheet with tables or pivot tables: their names and caches belong to one workbook.
    """
    copied = put_sheet(parts, _alone(source, title, new), new)
    own, last = titles(source).index(title), len(titles(copied)) - 1
    names = [
        Name(name, last, renamed(meaning, title, new))
        for name, sheet, meaning in defined_names(source[WORKBOOK])
        if sheet == own
    ]
    return copied | {WORKBOOK: with_names(copied[WORKBOOK], names)}


def delete(parts: Parts, title: str) -> dict[str, bytes]:
    """Return the parts without a sheet, its own parts and its names; names of its cells become #REF!."""
    every = titles(parts)
    kept = without(parts, used_only_by(parts, sheet_parts(parts)[title]))
    order = [number for number, other in enumerate(every) if other != title]
    kept[WORKBOOK] = with_order(parts[WORKBOOK], order)
    return with_formulas(kept, lambda formula: lost(formula, title))


def move(parts: Parts, title: str, index: int) -> dict[str, bytes]:
    """Return the parts with a sheet moved to an index of the new tab order, counted from 0."""
    every = titles(parts)
    order = [number for number, other in enumerate(every) if other != title]
    order.insert(index, every.index(title))
    return dict(parts) | {WORKBOOK: with_order(parts[WORKBOOK], order)}


def rename(parts: Parts, title: str, new: str) -> dict[str, bytes]:
    """Return the parts with a renamed sheet; formulas, names and charts that refer to it follow."""
    sheet = listed(parts)[titles(parts).index(title)]
    workbook = edited(parts[WORKBOOK], [sheet.with_attributes(name=new)])
    return with_formulas({**parts, WORKBOOK: workbook}, lambda formula: renamed(formula, title, new))


def _alone(source: Parts, title: str, new: str) -> dict[str, bytes]:
    """Return a package of one sheet for `put_sheet`: inline texts, absolute relations."""
    part = sheet_parts(source)[title]
    members = {name for name in reached(source, [part]) if name in source}
    held = next((name for name in sorted(members) if name.startswith(("xl/tables/", "xl/pivot"))), None)
    if held:
        raise RequestError(f"the sheet {title!r} holds a table ({held}), which cannot be copied. Copy the cells.")
    types = outline(source[TYPES])
    alone, kinds = {STYLES: source[STYLES]}, {}
    for name in members:
        own, data = ONLY_SHEET if name == part else name, source[name]
        if name == part:  # Excel would edit two selected tabs together
            data = _SELECTED.sub(b"", _with_texts(data, source.get(SHARED_TEXTS)))
        alone[own] = rewritten(name, data, lambda formula: renamed(formula, title, new))
        kinds[own] = content_type(types, name) or ""
        if relations_of(name) in source:
            alone[relations_of(own)] = from_the_root(source[relations_of(name)], name)
    return alone | {TYPES: types_of(kinds)}


def _with_texts(sheet: bytes, shared: bytes | None) -> bytes:
    """Return a sheet with inline texts in place of shared ones."""
    if shared is None:
        return sheet
    texts, edits = outline(shared, 2), []
    for cell in (cell for row in outline(sheet, 5).children_of("sheetData") for cell in row.children):
        value = cell.child("v")
        if cell.attributes.get("t") == "s" and value is not None:
            item = texts.children[int(sheet[value.content : value.stop])]
            inner = _TAG.sub(rf"<\1{cell.prefix}", shared[item.content : item.stop].decode())
            tag = start_tag(cell.tag, cell.attributes | {"t": "inlineStr"})
            text = f"{tag}<{cell.prefix}is>{inner}</{cell.prefix}is></{cell.tag}>"
            edits.append((cell.start, cell.end, text.encode()))
    return edited(sheet, edits)
