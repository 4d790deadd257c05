"""Put a sheet drawn elsewhere into a workbook's package.

Loading and saving with openpyxl loses text boxes, extended validations and stored results. So the sheet is drawn in a
workbook of its own, and its sheet, drawing and chart parts are added here under free names. Of the parts that are
there, styles.xml, workbook.xml, its relations and the content types change; every other part keeps its bytes. A sheet
of the same title is replaced with everything that only it uses.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from itertools import count
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from addin.engines.places import Edit, Place, edited, outline
from addin.engines.splice_styles import add_styles
from addin.errors import BookError

WORKBOOK, STYLES, TYPES = "xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = "xl/worksheets/sheet1.xml"  # where openpyxl writes the only sheet of a workbook
_SHARED = (WORKBOOK, STYLES, TYPES, "xl/theme/theme1.xml", "xl/sharedStrings.xml")
_STYLED = re.compile(rb'(<(?:c|row) [^>]*?\bs="|<col [^>]*?\bstyle=")(\d+)"')
_TARGET = re.compile(rb'(\bTarget=")([^"]+)"')

Parts = Mapping[str, bytes]


def put_sheet(parts: Parts, drawn: Parts, title: str) -> dict[str, bytes]:
    """Return the parts of a workbook with the one sheet of the drawn package added last, or in place of its namesake.

    The drawn package is a workbook of one sheet as openpyxl writes it, its texts inline. Raises BookError when the
    package lacks a part that every workbook has, or the namesake is no sheet of cells.
    """
    missing = [name for name in (WORKBOOK, STYLES, TYPES, _relations_of(WORKBOOK)) if name not in parts]
    if missing:
        raise BookError(
            f"the package has no part {missing[0]}; expected an .xlsx as spreadsheets save it. Save it anew."
        )
    old = _part_of(parts, title)
    gone = _used_only_by(parts, old) if old else set()
    kept = {name: data for name, data in parts.items() if name not in gone}
    moved = _moved(kept, drawn, old)
    styles, formats = add_styles(parts[STYLES], drawn[STYLES])
    types = {
        place.attributes["PartName"]: place for place in outline(drawn[TYPES]).children if place.name == "Override"
    }
    content = {new: types[f"/{name}"].attributes["ContentType"] for name, new in moved.items() if f"/{name}" in types}
    changed = {STYLES: styles, TYPES: _with_types(parts[TYPES], gone, content)}
    if not old:
        changed |= _listed(parts, title, moved[_SHEET])
    return kept | changed | _renamed(drawn, moved, formats)


def _relations_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _targets(parts: Parts, part: str) -> dict[str, str]:
    """Return the parts that a part refers to, by the id of the relation."""
    relations = parts.get(_relations_of(part))
    if relations is None:
        return {}
    folder = posixpath.dirname(part)
    return {
        relation.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, relation.get("Target", "")))[1:]
        for relation in ElementTree.fromstring(relations)
        if relation.get("TargetMode") != "External"
    }


def _sheets(parts: Parts) -> Place:
    found = outline(parts[WORKBOOK]).child("sheets")
    if found is None or not found.children:
        raise BookError(f"{WORKBOOK} lists no sheets; the file is damaged. Take a fresh copy.")
    return found


def _relation_id(sheet: Place) -> str:
    """Return the attribute that names the relation of a sheet, with the prefix that this file uses."""
    return next(name for name in sheet.attributes if name.endswith(":id"))


def _part_of(parts: Parts, title: str) -> str | None:
    """Return the part behind a sheet's title, None when there is no such sheet."""
    for sheet in _sheets(parts).children:
        if sheet.attributes.get("name", "").casefold() == title.casefold():
            part = _targets(parts, WORKBOOK).get(sheet.attributes[_relation_id(sheet)], "")
            if not part.startswith("xl/worksheets/") or part not in parts:
                raise BookError(f"the sheet {title!r} is no sheet of cells. Rename it, and save again.")
            return part
    return None


def _used_only_by(parts: Parts, sheet: str) -> set[str]:
    """Return a sheet's part and the parts that nothing else leads to, with their relations."""

    def reached(start: Iterable[str], closed: str | None) -> set[str]:
        found, waiting = set(start), list(start)
        while waiting:
            for target in _targets(parts, waiting.pop()).values():
                if target not in found and target != closed:
                    found.add(target)
                    waiting.append(target)
        return found

    only = reached([sheet], None) - reached([""], sheet)
    return {name for part in only for name in (part, _relations_of(part)) if name in parts}


def _moved(kept: Parts, drawn: Parts, old: str | None) -> dict[str, str]:
    """Return a free name for every part of the drawn sheet; the sheet itself takes the name of the one it replaces."""
    taken = {name.casefold() for name in kept}
    moved: dict[str, str] = {}
    for name in sorted(drawn, key=lambda n: (len(n), n)):
        if name in _SHARED or name.endswith(".rels") or name.startswith("docProps/"):
            continue
        stem = re.sub(r"\d+(?=\.\w+$)", "{}", name)
        free = (stem.format(n) for n in count(1))
        new = old if old and name == _SHEET else next(n for n in free if n.casefold() not in taken)
        taken.add(new.casefold())
        moved[name] = new
    return moved


def _renamed(drawn: Parts, moved: Mapping[str, str], formats: list[int]) -> dict[str, bytes]:
    """Return the drawn parts and their relations under their new names, cell formats renumbered."""
    found = {}
    for name, new in moved.items():
        found[new] = drawn[name]
        if _relations_of(name) in drawn:
            found[_relations_of(new)] = _TARGET.sub(
                lambda target: target[1] + b"/" + moved[target[2].decode().lstrip("/")].encode() + b'"',
                drawn[_relations_of(name)],
            )
    sheet = moved[_SHEET]
    found[sheet] = _STYLED.sub(lambda style: style[1] + str(formats[int(style[2])]).encode() + b'"', found[sheet])
    return found


def _with_types(types: bytes, gone: Iterable[str], new: Mapping[str, str]) -> bytes:
    """Return the content types without the parts that are gone and with the new ones."""
    root, dropped = outline(types), {f"/{name}".casefold() for name in gone}
    edits: list[Edit] = [
        (place.start, place.end, b"")
        for place in root.children
        if place.attributes.get("PartName", "").casefold() in dropped
    ]
    lines = (
        f"<{root.prefix}Override PartName={quoteattr('/' + name)} ContentType={quoteattr(kind)}/>"
        for name, kind in new.items()
    )
    return edited(types, [*edits, *root.extended("".join(lines))])


def _listed(parts: Parts, title: str, part: str) -> dict[str, bytes]:
    """Return the workbook and its relations with one sheet more."""
    sheets, relations = _sheets(parts), outline(parts[_relations_of(WORKBOOK)])
    used = {relation.attributes["Id"] for relation in relations.children}
    new = next(name for n in count(1) if (name := f"rId{n}") not in used)
    number = 1 + max(int(sheet.attributes["sheetId"]) for sheet in sheets.children)
    attribute = _relation_id(sheets.children[0])
    entry = f'<{sheets.prefix}sheet name={quoteattr(title)} sheetId="{number}" {attribute}="{new}"/>'
    relation = f'<{relations.prefix}Relationship Id="{new}" Type="{_RELATIONS}/worksheet" Target="/{part}"/>'
    return {
        WORKBOOK: edited(parts[WORKBOOK], sheets.extended(entry)),
        _relations_of(WORKBOOK): edited(parts[_relations_of(WORKBOOK)], relations.extended(relation)),
    }
