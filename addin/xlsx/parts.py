"""The parts of a package: their names, relations and content types."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Mapping
from itertools import count
from xml.etree import ElementTree

from addin.xlsx.elements import Edit, Element, edited, outline, start_tag

TYPES, WORKBOOK, STYLES = "[Content_Types].xml", "xl/workbook.xml", "xl/styles.xml"
SHARED_TEXTS, CALCULATION_CHAIN = "xl/sharedStrings.xml", "xl/calcChain.xml"
CORE_PROPERTIES, APPLICATION_PROPERTIES = "docProps/core.xml", "docProps/app.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"

EXPANDED = 64 * 1024 * 1024  # most bytes of all XML parts together; the shipped workbook has a twentieth
WITH_PICTURES = 4 * EXPANDED  # most bytes of all parts: a command that writes has them in memory, twice

Parts = Mapping[str, bytes]


def relations_of(part: str) -> str:
    """Return the part with the relations of a part."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def targets(parts: Parts, part: str) -> dict[str, str]:
    """Return the parts that a part refers to, by the id of the relation."""
    relations = parts.get(relations_of(part))
    if relations is None:
        return {}
    return {
        relation.get("Id", ""): _resolved(part, relation.get("Target", ""))
        for relation in ElementTree.fromstring(relations)
        if relation.get("TargetMode") != "External"
    }


def _resolved(part: str, target: str) -> str:
    """Return the target of a relation of a part, which is relative to the folder of that part."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(part), target))[1:]


def from_the_root(relations: bytes, part: str) -> bytes:
    """Return the relations of a part with absolute targets."""
    return edited(
        relations,
        [
            relation.with_attributes(Target=f"/{_resolved(part, relation.attributes['Target'])}")
            for relation in outline(relations).children
            if relation.attributes.get("TargetMode") != "External"
        ],
    )


def with_relation(relations: bytes, kind: str, part: str) -> tuple[bytes, str]:
    """Return the relations with one more, of a kind such as worksheet, and its id."""
    root = outline(relations)
    used = {relation.attributes["Id"] for relation in root.children}
    new = next(name for n in count(1) if (name := f"rId{n}") not in used)
    pairs = {"Id": new, "Type": f"{RELATIONS}/{kind}", "Target": f"/{part}"}
    return edited(relations, root.extended(start_tag(f"{root.prefix}Relationship", pairs, empty=True))), new


def reached(parts: Parts, start: Iterable[str], closed: str | None = None) -> set[str]:
    """Return the parts that relations reach from a start, included, without a `closed` part and those behind it."""
    known = set(start)
    waiting = list(known)
    while waiting:
        for target in targets(parts, waiting.pop()).values():
            if target not in known and target != closed:
                known.add(target)
                waiting.append(target)
    return known


def used_only_by(parts: Parts, sheet: str) -> set[str]:
    """Return a sheet's part and the parts that only it reaches, with their relations."""
    only = reached(parts, [sheet]) - reached(parts, [""], sheet)
    return {name for part in only for name in (part, relations_of(part)) if name in parts}


def without(parts: Parts, gone: Container[str]) -> dict[str, bytes]:
    """Return the parts without some of them, their content types and the workbook's relations to them."""
    name, to = relations_of(WORKBOOK), targets(parts, WORKBOOK)
    relations = outline(parts[name]).children
    edits = [relation.removed() for relation in relations if to.get(relation.attributes["Id"]) in gone]
    return {part: data for part, data in parts.items() if part not in gone} | {
        name: edited(parts[name], edits),
        TYPES: with_types(parts[TYPES], [part for part in parts if part in gone], {}),
    }


def content_type(types: Element, part: str) -> str | None:
    """Return the content type of a part: its own, else that of its extension."""
    extension = part.rpartition(".")[2]
    for attribute, wanted in (("PartName", f"/{part}"), ("Extension", extension)):
        for entry in types.children:
            if entry.attributes.get(attribute, "").casefold() == wanted.casefold():
                return entry.attributes["ContentType"]
    return None


def with_types(types: bytes, gone: Iterable[str], new: Mapping[str, str]) -> bytes:
    """Return the content types without removed parts and with new ones."""
    root, dropped = outline(types), {f"/{name}".casefold() for name in gone}
    edits: list[Edit] = [
        entry.removed() for entry in root.children if entry.attributes.get("PartName", "").casefold() in dropped
    ]
    return edited(types, [*edits, *root.extended(_overrides(new, root.prefix))])


def types_of(kinds: Mapping[str, str]) -> bytes:
    """Return the content types of a package that has only these parts."""
    return f'<Types xmlns="{_TYPES}">{_overrides(kinds, "")}</Types>'.encode()


def _overrides(kinds: Mapping[str, str], prefix: str) -> str:
    return "".join(
        start_tag(f"{prefix}Override", {"PartName": f"/{name}", "ContentType": kind}, empty=True)
        for name, kind in kinds.items()
    )
