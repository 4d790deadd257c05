"""What Excel offers to repair in a package: names that stand twice or lead nowhere, relations and types of no part."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

_NAMED = re.compile(r"(?:'((?:[^']|'')+)'|([^\W\d][\w.]*))!")  # a sheet in what a name stands for
_LITERAL = re.compile(r'"[^"]*"')
_WORKBOOK = "xl/workbook.xml"


def faults(parts: Mapping[str, bytes]) -> list[str]:
    """Return what is wrong with the names, relations and types of a package, a line each."""
    return [*_names(parts[_WORKBOOK]), *_relations(parts), *_types(parts)]


def _names(workbook: bytes) -> Iterator[str]:
    """Yield names that stand twice in a scope, are of no sheet, or stand for cells of no sheet."""
    root = ElementTree.fromstring(workbook)
    titles = [sheet.get("name", "") for sheet in root.iterfind("{*}sheets/{*}sheet")]
    known = {title.casefold() for title in titles}
    names = root.findall("{*}definedNames/{*}definedName")
    scopes = Counter((name.get("localSheetId", ""), name.get("name", "").casefold()) for name in names)
    twice = [scope for scope, number in scopes.items() if number > 1]
    yield from (f"the name {name} stands twice (sheet {sheet or 'any'})" for sheet, name in twice)
    yield from (f"the sheet {title} stands twice" for title, n in Counter(map(str.casefold, titles)).items() if n > 1)
    for name in names:
        called, text, sheet = name.get("name", ""), name.text or "", name.get("localSheetId")
        if sheet is not None and int(sheet) >= len(titles):
            yield f"the name {called} is of sheet {sheet}, of {len(titles)}"
        if not text or "#REF!" in text:
            yield f"the name {called} stands for {text or 'nothing'}"
        for quoted, plain in _NAMED.findall(_LITERAL.sub("", text)):
            title = quoted.replace("''", "'") or plain
            if title.casefold() not in known:
                yield f"the name {called} stands for cells of {title}, which is no sheet"


def _relations(parts: Mapping[str, bytes]) -> Iterator[str]:
    """Yield relations to parts that are not there, or with an id twice."""
    for name, part in parts.items():
        if not name.endswith(".rels"):
            continue
        folder = posixpath.dirname(posixpath.dirname(name))
        relations = list(ElementTree.fromstring(part))
        ids = Counter(each.get("Id") for each in relations)
        yield from (f"{name}: the id {id_} stands twice" for id_, n in ids.items() if n > 1)
        for each in relations:
            target = each.get("Target", "")
            place = target[1:] if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            if each.get("TargetMode") != "External" and not target.startswith("#") and place not in parts:
                yield f"{name}: leads to {place}, which is no part"


def _types(parts: Mapping[str, bytes]) -> Iterator[str]:
    """Yield parts without a type, and types of no part or given twice."""
    root = ElementTree.fromstring(parts["[Content_Types].xml"])
    endings = {each.get("Extension", "").casefold() for each in root.iterfind("{*}Default")}
    own = [each.get("PartName", "").removeprefix("/") for each in root.iterfind("{*}Override")]
    yield from (f"the type of {name} stands twice" for name, n in Counter(own).items() if n > 1)
    yield from (f"the type of {name} is of no part" for name in own if name not in parts)
    for name in parts:
        if name != "[Content_Types].xml" and name not in own and name.rpartition(".")[2].casefold() not in endings:
            yield f"{name} has no type"
