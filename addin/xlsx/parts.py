"""The parts of a workbook's package and what leads from one to another: relations, content types, list of sheets."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError
from xml.sax.saxutils import quoteattr

from addin.errors import BookError
from addin.xlsx.outline import Edit, Place, edited, outline

WORKBOOK, STYLES, TYPES = "xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

Parts = Mapping[str, bytes]


def relations_of(part: str) -> str:
    """Return the part that holds the relations of a part."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def targets(parts: Parts, part: str) -> dict[str, str]:
    """Return the parts that a part refers to, by the id of the relation."""
    relations = parts.get(relations_of(part))
    if relations is None:
        return {}
    folder = posixpath.dirname(part)
    return {
        relation.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, relation.get("Target", "")))[1:]
        for relation in ElementTree.fromstring(relations)
        if relation.get("TargetMode") != "External"
    }


def check(parts: Parts) -> None:
    """Raise BookError when the package lacks a part that every workbook has, or counts dates from 1904."""
    missing = [name for name in (WORKBOOK, STYLES, TYPES, relations_of(WORKBOOK)) if name not in parts]
    if missing:
        raise BookError(
            f"the package has no part {missing[0]}; expected an .xlsx as spreadsheets save it. Save it anew."
        )
    try:
        listed_sheets(parts)
        settings = outline(parts[WORKBOOK]).child("workbookPr")
        if settings is not None and settings.attributes.get("date1904") in ("1", "true", "on"):
            raise BookError("the workbook counts dates from 1904. Turn the 1904 date system off in Excel's options.")
    except ExpatError as error:
        raise BookError(f"{WORKBOOK} cannot be read ({error}); the file is damaged. Take a fresh copy.") from None


def listed_sheets(parts: Parts) -> Place:
    """Return the list of the sheets in the workbook. Raises BookError when there is none."""
    found = outline(parts[WORKBOOK]).child("sheets")
    if found is None or not found.children:
        raise BookError(f"{WORKBOOK} lists no sheets; the file is damaged. Take a fresh copy.")
    return found


def relation_id(sheet: Place) -> str:
    """Return the attribute that names the relation of a sheet, with the prefix that this file uses."""
    return next(name for name in sheet.attributes if name.endswith(":id"))


def reached(parts: Parts, start: Iterable[str], closed: str | None = None) -> set[str]:
    """Return the parts that lead from a start by relations, the start included, without what a closed one leads to."""
    found = set(start)
    waiting = list(found)
    while waiting:
        for target in targets(parts, waiting.pop()).values():
            if target not in found and target != closed:
                found.add(target)
                waiting.append(target)
    return found


def used_only_by(parts: Parts, sheet: str) -> set[str]:
    """Return a sheet's part and the parts that nothing else leads to, with their relations."""
    only = reached(parts, [sheet]) - reached(parts, [""], sheet)
    return {name for part in only for name in (part, relations_of(part)) if name in parts}


def content_type(types: Place, part: str) -> str | None:
    """Return the content type of a part: its own, else that of its extension."""
    own = f"/{part}".casefold()
    extension = part.rpartition(".")[2].casefold()
    for place in types.children:
        if place.attributes.get("PartName", "").casefold() == own:
            return place.attributes["ContentType"]
    for place in types.children:
        if place.attributes.get("Extension", "").casefold() == extension:
            return place.attributes["ContentType"]
    return None


def with_types(types: bytes, gone: Iterable[str], new: Mapping[str, str]) -> bytes:
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
