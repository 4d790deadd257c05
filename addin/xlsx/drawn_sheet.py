"""Put a sheet that was drawn in a workbook of its own into a package.

Loading and saving with openpyxl loses text boxes, extended validations and stored results. So the sheet is drawn in a
workbook of its own, and its sheet, drawing and chart parts are added here under free names. Of the existing parts,
styles.xml, workbook.xml, its relations and the content types change; every other part keeps its bytes. A sheet of the
same title is replaced, together with the parts that only it uses, and made visible if it was hidden.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from itertools import count

from addin.errors import BookError
from addin.xlsx.elements import outline
from addin.xlsx.parts import (
    SHARED_TEXTS,
    STYLES,
    TYPES,
    WORKBOOK,
    Parts,
    content_type,
    relations_of,
    used_only_by,
    with_types,
)
from addin.xlsx.styles import add_styles
from addin.xlsx.workbook_part import check, sheet_parts, titles, with_sheet, with_shown

ONLY_SHEET = "xl/worksheets/sheet1.xml"  # the only sheet of a workbook by openpyxl
_LEFT_OUT = (WORKBOOK, STYLES, TYPES, SHARED_TEXTS, "xl/theme/theme1.xml")
_STYLED = re.compile(rb'(<(?:\w+:)?(?:(?:c|row) [^>]*?\bs|col [^>]*?\bstyle)=")(\d+)"')
_DIFFERENCE = re.compile(rb'(<(?:\w+:)?cfRule [^>]*?\bdxfId=")(\d+)"')
_TARGET = re.compile(rb'(\bTarget="/)([^"]+)"')


def put_sheet(parts: Parts, drawn: Parts, title: str) -> dict[str, bytes]:
    """Return the parts of a workbook with the one sheet of the drawn package added last, or in place of its namesake.

    The drawn package is a workbook of one sheet, written by openpyxl with inline texts. Raises BookError if the package
    lacks a part that every workbook has, or if the namesake is not a worksheet.
    """
    check(parts)
    old = _namesake(parts, title)
    gone = used_only_by(parts, old) if old else set()
    kept = {name: data for name, data in parts.items() if name not in gone}
    new_names = _new_names(kept, drawn, old)
    styles, formats, differences = add_styles(parts[STYLES], drawn[STYLES])
    types = outline(drawn[TYPES])
    content = {new: kind for name, new in new_names.items() if (kind := content_type(types, name))}
    changed = {STYLES: styles, TYPES: with_types(parts[TYPES], gone, content)}
    if old:
        changed[WORKBOOK] = with_shown(parts[WORKBOOK], title)
    else:
        changed |= with_sheet(parts, title, new_names[ONLY_SHEET])
    return kept | changed | _under_new_names(drawn, new_names, formats, differences)


def _namesake(parts: Parts, title: str) -> str | None:
    """Return the part of the sheet with a title, in upper or lower case; None without such a sheet."""
    known = next((known for known in titles(parts) if known.casefold() == title.casefold()), None)
    part = sheet_parts(parts).get(known) if known else None
    if known and not part:
        raise BookError(f"the sheet {title!r} is no sheet of cells. Rename it, and save again.")
    return part


def _new_names(kept: Parts, drawn: Parts, old: str | None) -> dict[str, str]:
    """Return a free name for every part of the drawn sheet; the sheet itself gets the name of the one it replaces."""
    taken = {name.casefold() for name in kept}
    new_names: dict[str, str] = {}
    for name in sorted(drawn, key=lambda n: (len(n), n)):
        if name in _LEFT_OUT or name.endswith(".rels") or name.startswith("docProps/"):
            continue
        stem = re.sub(r"\d+(?=\.\w+$)", "{}", name)
        free = (stem.format(n) for n in count(1))
        new = old if old and name == ONLY_SHEET else next(n for n in free if n.casefold() not in taken)
        taken.add(new.casefold())
        new_names[name] = new
    return new_names


def _under_new_names(
    drawn: Parts, new_names: Mapping[str, str], formats: list[int], differences: list[int]
) -> dict[str, bytes]:
    """Return the drawn parts and their relations under their new names, cell formats renumbered."""

    def target(match: re.Match[bytes]) -> bytes:
        name = match[2].decode()
        return match[1] + new_names.get(name, name).encode() + b'"'

    parts = {new: drawn[name] for name, new in new_names.items()}
    relations = {relations_of(new): drawn.get(relations_of(name)) for name, new in new_names.items()}
    sheet = new_names[ONLY_SHEET]
    for pattern, numbers in ((_STYLED, formats), (_DIFFERENCE, differences)):
        parts[sheet] = pattern.sub(partial(_renumbered, numbers), parts[sheet])
    return parts | {name: _TARGET.sub(target, data) for name, data in relations.items() if data is not None}


def _renumbered(numbers: list[int], match: re.Match[bytes]) -> bytes:
    return match[1] + str(numbers[int(match[2])]).encode() + b'"'
