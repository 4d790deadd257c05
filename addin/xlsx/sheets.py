"""Add, copy out, delete, move and rename the sheets of a package; parts that do not name a sheet keep their bytes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr, unescape

from addin.errors import RequestError
from addin.kernel.formula.cells import quoted
from addin.xlsx.outline import Edit, Place, edited, outline
from addin.xlsx.parts import (
    STYLES,
    TYPES,
    WORKBOOK,
    Parts,
    content_type,
    listed_sheets,
    reached,
    relation_id,
    relations_of,
    targets,
    used_only_by,
    with_types,
)
from addin.xlsx.splice import ONLY_SHEET, put_sheet

_SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_TEXTS = "xl/sharedStrings.xml"
_BLANK = f'<worksheet xmlns="{_SPREADSHEET}"><sheetData/></worksheet>'.encode()
_CHAIN = "xl/calcChain.xml"
_ENTITIES = {"&quot;": '"', "&apos;": "'"}
_REFERRING = re.compile(rb"(<(?:\w+:)?(?:f|formula|formula1|formula2|definedName)\b[^>]*(?<!/)>)([^<]+)(?=</)")
_PLACE = r"(?:\$?[A-Z]{0,3}\$?\d*(?::\$?[A-Z]{0,3}\$?\d*)?)"  # the cells behind a sheet
_TAG = re.compile(r"<(/?)(?:\w+:)?(?=\w)")
_SELECTED = re.compile(rb'(?<=\s)tabSelected="\w+"\s?')
_LITERAL = re.compile(r'("(?:[^"]|"")*")')


def titles(parts: Parts) -> list[str]:
    """Return the titles of all sheets in tab order, chart sheets included."""
    return [sheet.attributes["name"] for sheet in listed_sheets(parts).children]


def sheet_parts(parts: Parts) -> dict[str, str]:
    """Return the part of every sheet of cells by its title, in tab order."""
    to = targets(parts, WORKBOOK)
    found = {
        sheet.attributes["name"]: to.get(sheet.attributes[relation_id(sheet)], "")
        for sheet in listed_sheets(parts).children
    }
    return {title: part for title, part in found.items() if part.startswith("xl/worksheets/") and part in parts}


def add_blank(parts: Parts, title: str) -> dict[str, bytes]:
    """Return the parts with an empty sheet added last."""
    drawn = {ONLY_SHEET: _BLANK, STYLES: parts[STYLES], TYPES: _types({ONLY_SHEET: _SHEET_TYPE})}
    return put_sheet(parts, drawn, title) | {STYLES: parts[STYLES]}


def copy_in(parts: Parts, source: Parts, title: str, new: str) -> dict[str, bytes]:
    """Return the parts with a copy of a sheet of another package added last, with all that the sheet leads to.

    Raises RequestError for a sheet with tables or pivot tables: their names and caches belong to one workbook.
    """
    found = put_sheet(parts, _alone(source, title, new), new)
    own = titles(source).index(title)
    names = [
        (place.attributes["name"], renamed(_inner(source[WORKBOOK], place), title, new))
        for place in _names(source)
        if place.attributes.get("localSheetId") == str(own)
    ]
    return found | {WORKBOOK: _with_names(found[WORKBOOK], names, len(titles(found)) - 1)}


def delete(parts: Parts, title: str) -> dict[str, bytes]:
    """Return the parts without a sheet and what only it uses. Its names go, names of its cells become #REF!."""
    listed = listed_sheets(parts).children
    number = titles(parts).index(title)
    part = sheet_parts(parts)[title]
    gone = used_only_by(parts, part)
    kept = {name: data for name, data in parts.items() if name not in gone}
    relation = listed[number].attributes[relation_id(listed[number])]
    relations = outline(parts[relations_of(WORKBOOK)])
    place = next(one for one in relations.children if one.attributes["Id"] == relation)
    kept[relations_of(WORKBOOK)] = edited(parts[relations_of(WORKBOOK)], [(place.start, place.end, b"")])
    kept[TYPES] = with_types(parts[TYPES], gone, {})
    kept[WORKBOOK] = edited(parts[WORKBOOK], [(listed[number].start, listed[number].end, b"")])
    order = [old for old in range(len(listed)) if old != number]
    kept[WORKBOOK] = _renumbered(kept[WORKBOOK], order)
    return _with_formulas(kept, lambda text: _replaced(text, title, "#REF!", _PLACE))


def move(parts: Parts, title: str, place: int) -> dict[str, bytes]:
    """Return the parts with a sheet as the one of that number, counted from 0 in the tab order that results."""
    listed = listed_sheets(parts).children
    order = list(range(len(listed)))
    number = titles(parts).index(title)
    order.remove(number)
    order.insert(place, number)
    book = parts[WORKBOOK]
    edits = [
        (there.start, there.end, book[listed[old].start : listed[old].end])
        for there, old in zip(listed, order, strict=True)
    ]
    return dict(parts) | {WORKBOOK: _renumbered(edited(book, edits), order)}


def rename(parts: Parts, title: str, new: str) -> dict[str, bytes]:
    """Return the parts with a sheet under another title; formulas, names and charts that refer to it follow."""
    found = dict(parts)
    sheet = listed_sheets(parts).children[titles(parts).index(title)]
    found[WORKBOOK] = edited(parts[WORKBOOK], _changed(sheet, name=new))
    return _with_formulas(found, lambda text: renamed(text, title, new))


def renamed(formula: str, title: str, new: str) -> str:
    """Return a formula whose references to one sheet name another."""
    return _replaced(formula, title, f"{quoted(new)}!")


def refers(formula: str, title: str) -> bool:
    """Return whether a formula refers to a sheet."""
    return _replaced(formula, title, "") != formula


def _replaced(formula: str, title: str, by: str, more: str = "") -> str:
    """Return a formula with something in the place of a sheet, its exclamation mark and more; texts stay."""
    inside = re.escape(title.replace("'", "''"))
    pattern = re.compile(rf"(?:'{inside}'|(?<![\w.\]'!]){re.escape(title)})!{more}", re.IGNORECASE)
    pieces = _LITERAL.split(formula)
    return "".join(piece if piece[:1] == '"' else pattern.sub(lambda _: by, piece) for piece in pieces)


def _with_formulas(parts: Parts, change: Callable[[str], str]) -> dict[str, bytes]:
    """Return the parts with other formulas in cells, names, rules and charts."""
    skipped = (STYLES, _TEXTS)
    return {
        name: _rewritten(data, change)
        if name.startswith("xl/") and name.endswith(".xml") and name not in skipped
        else data
        for name, data in parts.items()
    }


def _rewritten(part: bytes, change: Callable[[str], str]) -> bytes:
    """Return a part whose formulas have changed; those that have not keep their bytes."""

    def one(found: re.Match[bytes]) -> bytes:
        text = unescape(found[2].decode(), _ENTITIES)
        new = change(text)
        return found[0] if new == text else found[1] + escape(new).encode()

    return _REFERRING.sub(one, part)


def without_calculation_chain(parts: Parts) -> dict[str, bytes]:
    """Return the parts without the order in which Excel computed last: it names cells that may hold no formula now."""
    if _CHAIN not in parts:
        return dict(parts)
    relations = outline(parts[relations_of(WORKBOOK)])
    ends = [
        (place.start, place.end, b"") for place in relations.children if place.attributes["Type"].endswith("/calcChain")
    ]
    return {name: data for name, data in parts.items() if name != _CHAIN} | {
        relations_of(WORKBOOK): edited(parts[relations_of(WORKBOOK)], ends),
        TYPES: with_types(parts[TYPES], [_CHAIN], {}),
    }


def structure_locked(workbook: bytes) -> bool:
    """Return whether the workbook is protected against adding, moving and deleting sheets."""
    place = outline(workbook).child("workbookProtection")
    return place is not None and place.attributes.get("lockStructure") in ("1", "true", "on")


def calculated_on_load(workbook: bytes) -> bytes:
    """Return the workbook with the flag that makes applications compute every cell on opening."""
    root = outline(workbook)
    place = root.child("calcPr")
    if place is not None:
        return edited(workbook, _changed(place, fullCalcOnLoad=1))
    before = _last(root, "sheets", "functionGroups", "externalReferences", "definedNames")
    text = f'<{root.prefix}calcPr fullCalcOnLoad="1"/>'
    return edited(workbook, [(before.end, before.end, text.encode())])


def _last(root: Place, *names: str) -> Place:
    """Return the last of the elements behind which another one has its place."""
    return [place for name in names if (place := root.child(name)) is not None][-1]


def _types(kinds: Mapping[str, str]) -> bytes:
    ours = "".join(
        f"<Override PartName={quoteattr('/' + name)} ContentType={quoteattr(kind)}/>" for name, kind in kinds.items()
    )
    return f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{ours}</Types>'.encode()


def _alone(source: Parts, title: str, new: str) -> dict[str, bytes]:
    """Return a package of one sheet, as `put_sheet` takes it: texts inline, relations from the root."""
    part = sheet_parts(source)[title]
    members = {name for name in reached(source, [part]) if name in source}
    held = next((name for name in sorted(members) if name.startswith(("xl/tables/", "xl/pivot"))), None)
    if held:
        raise RequestError(f"the sheet {title!r} holds a table ({held}), which cannot be copied. Copy the cells.")
    known, types = {name: ONLY_SHEET if name == part else name for name in members}, outline(source[TYPES])
    found, kinds = {STYLES: source[STYLES]}, {}
    for name, own in known.items():
        data = source[name]
        if name == part:  # two selected tabs would be edited together
            data = _SELECTED.sub(b"", _inline(data, source.get(_TEXTS)))
        found[own] = _rewritten(data, lambda text: renamed(text, title, new)) if name.endswith(".xml") else data
        kinds[own] = content_type(types, name) or ""
        if relations_of(name) in source:
            found[relations_of(own)] = _from_root(source[relations_of(name)], posixpath.dirname(name))
    return found | {TYPES: _types(kinds)}


def _from_root(relations: bytes, folder: str) -> bytes:
    root = outline(relations)
    edits: list[Edit] = []
    for place in root.children:
        if place.attributes.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, place.attributes["Target"]))
            text = "".join(f" {n}={quoteattr(v)}" for n, v in (place.attributes | {"Target": target}).items())
            edits.append((place.start, place.end, f"<{place.tag}{text}/>".encode()))
    return edited(relations, edits)


def _inline(sheet: bytes, shared: bytes | None) -> bytes:
    """Return a sheet whose cells hold the texts they share with others."""
    if shared is None:
        return sheet
    texts, root = outline(shared, 2), outline(sheet, 5)
    data, edits = root.child("sheetData"), []
    for cell in (cell for row in (data.children if data else ()) for cell in row.children):
        value = cell.child("v")
        if cell.attributes.get("t") == "s" and value is not None:
            item = texts.children[int(sheet[value.content : value.stop])]
            pairs = "".join(f" {n}={quoteattr(v)}" for n, v in (cell.attributes | {"t": "inlineStr"}).items())
            inner = _TAG.sub(rf"<\1{cell.prefix}", shared[item.content : item.stop].decode())
            text = f"<{cell.tag}{pairs}><{cell.prefix}is>{inner}</{cell.prefix}is></{cell.tag}>"
            edits.append((cell.start, cell.end, text.encode()))
    return edited(sheet, edits)


def _names(parts: Parts) -> list[Place]:
    found = outline(parts[WORKBOOK]).child("definedNames")
    return found.children if found else []


def _inner(part: bytes, place: Place) -> str:
    return unescape(part[place.content : place.stop].decode(), _ENTITIES)


def with_name(workbook: bytes, name: str, sheet: int | None, meaning: str | None) -> bytes:
    """Return the workbook with a name that stands for something; None deletes it. `sheet` numbers its sheet, if any."""
    root = outline(workbook)
    place = root.child("definedNames")
    local = None if sheet is None else str(sheet)
    edits: list[Edit] = []
    for one in place.children if place else ():
        attributes = one.attributes
        if attributes["name"].casefold() == name.casefold() and attributes.get("localSheetId") == local:
            if meaning is not None:
                return edited(workbook, [(one.content, one.stop, escape(meaning).encode())])
            edits.append((one.start, one.end, b""))
    if meaning is None:
        return edited(workbook, edits)
    return _with_names(workbook, [(name, meaning)], sheet)


def _with_names(workbook: bytes, names: Iterable[tuple[str, str]], sheet: int | None) -> bytes:
    root = outline(workbook)
    local = "" if sheet is None else f' localSheetId="{sheet}"'
    text = "".join(
        f"<{root.prefix}definedName name={quoteattr(name)}{local}>{escape(meaning)}</{root.prefix}definedName>"
        for name, meaning in names
    )
    if not text:
        return workbook
    place = root.child("definedNames")
    if place is not None:
        return edited(workbook, place.extended(text))
    home = _last(root, "sheets", "functionGroups", "externalReferences")
    tag = f"{root.prefix}definedNames"
    return edited(workbook, [(home.end, home.end, f"<{tag}>{text}</{tag}>".encode())])


def _renumbered(workbook: bytes, order: list[int]) -> bytes:
    """Return the workbook after its sheets took another order: new to old numbers. What belongs to a sheet follows."""
    root = outline(workbook)
    new = {old: number for number, old in enumerate(order)}
    edits: list[Edit] = []
    names, views = root.child("definedNames"), root.child("bookViews")
    for place in names.children if names else ():
        local = place.attributes.get("localSheetId")
        if local is not None and int(local) not in new:
            edits.append((place.start, place.end, b""))
        elif local is not None and new[int(local)] != int(local):
            edits += _changed(place, localSheetId=new[int(local)])
    for place in views.children if views else ():
        wanted = {}
        for name in ("activeTab", "firstSheet"):
            old = int(place.attributes.get(name, "0"))
            wanted[name] = new.get(old, min(old, len(order) - 1))
        if any(int(place.attributes.get(name, "0")) != number for name, number in wanted.items()):
            edits += _changed(place, **wanted)
    return edited(workbook, edits)


def _changed(place: Place, **attributes: object) -> list[Edit]:
    """Return the edit that gives an element other attributes."""
    pairs = place.attributes | {name: str(value) for name, value in attributes.items()}
    text = "".join(f" {name}={quoteattr(value)}" for name, value in pairs.items())
    end = "/>" if place.stop == place.end else ">"
    return [(place.start, place.content, f"<{place.tag}{text}{end}".encode())]
