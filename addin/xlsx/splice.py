"""Put a sheet drawn elsewhere into a workbook's package.

Loading and saving with openpyxl loses text boxes, extended validations and stored results. So the sheet is drawn in a
workbook of its own, and its sheet, drawing and chart parts are added here under free names. Of the parts that are
there, styles.xml, workbook.xml, its relations and the content types change; every other part keeps its bytes. A sheet
of the same title is replaced with everything that only it uses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from itertools import count
from xml.sax.saxutils import quoteattr

from addin.errors import BookError
from addin.xlsx.outline import edited, outline
from addin.xlsx.parts import (
    RELATIONS,
    STYLES,
    TYPES,
    WORKBOOK,
    Parts,
    check,
    content_type,
    listed_sheets,
    relation_id,
    relations_of,
    targets,
    used_only_by,
    with_types,
)
from addin.xlsx.styles import add_styles

ONLY_SHEET = "xl/worksheets/sheet1.xml"  # where openpyxl writes the only sheet of a workbook
_SHARED = (WORKBOOK, STYLES, TYPES, "xl/theme/theme1.xml", "xl/sharedStrings.xml")
_STYLED = re.compile(rb'(<(?:\w+:)?(?:(?:c|row) [^>]*?\bs|col [^>]*?\bstyle)=")(\d+)"')
_DIFFERENCE = re.compile(rb'(<(?:\w+:)?cfRule [^>]*?\bdxfId=")(\d+)"')
_TARGET = re.compile(rb'(\bTarget="/)([^"]+)"')


def put_sheet(parts: Parts, drawn: Parts, title: str) -> dict[str, bytes]:
    """Return the parts of a workbook with the one sheet of the drawn package added last, or in place of its namesake.

    The drawn package is a workbook of one sheet as openpyxl writes it, its texts inline. Raises BookError when the
    package lacks a part that every workbook has, or the namesake is no sheet of cells.
    """
    check(parts)
    old = _part_of(parts, title)
    gone = used_only_by(parts, old) if old else set()
    kept = {name: data for name, data in parts.items() if name not in gone}
    moved = _moved(kept, drawn, old)
    styles, formats, differences = add_styles(parts[STYLES], drawn[STYLES])
    types = outline(drawn[TYPES])
    content = {new: kind for name, new in moved.items() if (kind := content_type(types, name))}
    changed = {STYLES: styles, TYPES: with_types(parts[TYPES], gone, content)}
    if not old:
        changed |= _listed(parts, title, moved[ONLY_SHEET])
    return kept | changed | _renamed(drawn, moved, formats, differences)


def _part_of(parts: Parts, title: str) -> str | None:
    """Return the part behind a sheet's title, None when there is no such sheet."""
    for sheet in listed_sheets(parts).children:
        if sheet.attributes.get("name", "").casefold() == title.casefold():
            part = targets(parts, WORKBOOK).get(sheet.attributes[relation_id(sheet)], "")
            if not part.startswith("xl/worksheets/") or part not in parts:
                raise BookError(f"the sheet {title!r} is no sheet of cells. Rename it, and save again.")
            return part
    return None


def _moved(kept: Parts, drawn: Parts, old: str | None) -> dict[str, str]:
    """Return a free name for every part of the drawn sheet; the sheet itself takes the name of the one it replaces."""
    taken = {name.casefold() for name in kept}
    moved: dict[str, str] = {}
    for name in sorted(drawn, key=lambda n: (len(n), n)):
        if name in _SHARED or name.endswith(".rels") or name.startswith("docProps/"):
            continue
        stem = re.sub(r"\d+(?=\.\w+$)", "{}", name)
        free = (stem.format(n) for n in count(1))
        new = old if old and name == ONLY_SHEET else next(n for n in free if n.casefold() not in taken)
        taken.add(new.casefold())
        moved[name] = new
    return moved


def _renamed(drawn: Parts, moved: Mapping[str, str], formats: list[int], differences: list[int]) -> dict[str, bytes]:
    """Return the drawn parts and their relations under their new names, cell formats renumbered."""
    found = {}
    for name, new in moved.items():
        found[new] = drawn[name]
        if relations_of(name) in drawn:
            found[relations_of(new)] = _TARGET.sub(
                lambda target: target[1] + moved.get(target[2].decode(), target[2].decode()).encode() + b'"',
                drawn[relations_of(name)],
            )
    sheet = moved[ONLY_SHEET]
    for pattern, numbers in ((_STYLED, formats), (_DIFFERENCE, differences)):
        found[sheet] = pattern.sub(partial(_numbered, numbers), found[sheet])
    return found


def _numbered(numbers: list[int], found: re.Match[bytes]) -> bytes:
    return found[1] + str(numbers[int(found[2])]).encode() + b'"'


def _listed(parts: Parts, title: str, part: str) -> dict[str, bytes]:
    """Return the workbook and its relations with one sheet more."""
    sheets, relations = listed_sheets(parts), outline(parts[relations_of(WORKBOOK)])
    used = {relation.attributes["Id"] for relation in relations.children}
    new = next(name for n in count(1) if (name := f"rId{n}") not in used)
    number = 1 + max(int(sheet.attributes["sheetId"]) for sheet in sheets.children)
    attribute = relation_id(sheets.children[0])
    entry = f'<{sheets.prefix}sheet name={quoteattr(title)} sheetId="{number}" {attribute}="{new}"/>'
    relation = f'<{relations.prefix}Relationship Id="{new}" Type="{RELATIONS}/worksheet" Target="/{part}"/>'
    return {
        WORKBOOK: edited(parts[WORKBOOK], sheets.extended(entry)),
        relations_of(WORKBOOK): edited(parts[relations_of(WORKBOOK)], relations.extended(relation)),
    }
