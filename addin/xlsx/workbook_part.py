"""The part xl/workbook.xml: the sheets and their parts, defined names, the active sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError

from addin.errors import BookError
from addin.xlsx.elements import Edit, Element, edited, outline, start_tag, truth
from addin.xlsx.escaping import escape
from addin.xlsx.parts import MAIN, STYLES, TYPES, WORKBOOK, Parts, relations_of, targets, with_relation

_VISIBLE = "visible"
_BEFORE_NAMES = ("sheets", "functionGroups", "externalReferences")  # the order of the elements is fixed


class Name(NamedTuple):
    """A defined name, the number of its sheet (None: of the workbook), and its definition."""

    name: str
    sheet: int | None
    meaning: str


def check(parts: Parts) -> None:
    """Raise BookError if the package lacks a part that every workbook has, or counts dates from 1904."""
    missing = [name for name in (WORKBOOK, STYLES, TYPES, relations_of(WORKBOOK)) if name not in parts]
    if missing:
        raise BookError(
            f"the package has no part {missing[0]}; expected an .xlsx as spreadsheets save it. Save it anew."
        )
    try:
        complete = all(_is_listed_whole(sheet) for sheet in listed(parts))
        settings = outline(parts[WORKBOOK]).child("workbookPr")
    except ExpatError:
        raise BookError(f"{WORKBOOK} cannot be read; the file is damaged. Take a fresh copy.") from None
    if not complete:
        what = "a sheet without name, number or part"
        raise BookError(f"{WORKBOOK} lists {what}; the file is damaged. Take a fresh copy.")
    if settings is not None and truth(settings.attributes.get("date1904")):
        raise BookError("the workbook counts dates from 1904. Turn the 1904 date system off in Excel's options.")


def titles(parts: Parts) -> list[str]:
    """Return the titles of all sheets in tab order, chart sheets included."""
    return [sheet.attributes.get("name", "") for sheet in listed(parts)]


def sheet_parts(parts: Parts) -> dict[str, str]:
    """Return the part of every sheet of cells by its title, in tab order."""
    to = targets(parts, WORKBOOK)
    relations = [sheet.attributes.get(_relation_id(sheet), "") for sheet in listed(parts)]
    by_title = {title: to.get(relation, "") for title, relation in zip(titles(parts), relations, strict=True)}
    return {title: part for title, part in by_title.items() if part.startswith("xl/worksheets/") and part in parts}


def listed(parts: Parts) -> list[Element]:
    """Return the entries of all sheets in tab order. Raises BookError without any."""
    return _listing(parts[WORKBOOK]).children


def _listing(workbook: bytes) -> Element:
    sheets = outline(workbook).child("sheets")
    if sheets is None or not sheets.children:
        raise BookError(f"{WORKBOOK} lists no sheets; the file is damaged. Take a fresh copy.")
    return sheets


def _is_listed_whole(sheet: Element) -> bool:
    return "name" in sheet.attributes and sheet.attributes.get("sheetId", "").isdecimal() and bool(_relation_id(sheet))


def _relation_id(sheet: Element) -> str:
    """Return the attribute with the relation of a sheet, with the prefix that this file uses; empty without one."""
    return next((name for name in sheet.attributes if name.endswith(":id")), "")


def with_sheet(parts: Parts, title: str, part: str) -> dict[str, bytes]:
    """Return workbook.xml and its relations with a sheet added last."""
    sheets, name = _listing(parts[WORKBOOK]), relations_of(WORKBOOK)
    relations, relation = with_relation(parts[name], "worksheet", part)
    number = 1 + max(int(sheet.attributes["sheetId"]) for sheet in sheets.children)
    first = sheets.children[0]
    key = _relation_id(first)
    declared = f"xmlns:{key.partition(':')[0]}"  # on every entry, where openpyxl wrote the file by lxml
    spaces = {declared: first.attributes[declared]} if declared in first.attributes else {}
    pairs = {**spaces, "name": title, "sheetId": str(number), key: relation}
    entry = start_tag(f"{sheets.prefix}sheet", pairs, empty=True)
    return {WORKBOOK: edited(parts[WORKBOOK], sheets.extended(entry)), name: relations}


def with_shown(workbook: bytes, title: str) -> bytes:
    """Return the workbook with a sheet visible; its title may be in upper or lower case."""
    wanted = [sheet for sheet in _listing(workbook).children if sheet.attributes["name"].casefold() == title.casefold()]
    return edited(workbook, [sheet.with_attributes(state=_VISIBLE) for sheet in wanted if not _is_visible(sheet)])


def _is_visible(sheet: Element) -> bool:
    return sheet.attributes.get("state", _VISIBLE) == _VISIBLE


def defined_names(workbook: bytes) -> list[Name]:
    """Return the defined names in the order of the file."""
    return [
        Name(entry.get("name", ""), int(local) if (local := entry.get("localSheetId")) else None, entry.text or "")
        for entry in ElementTree.fromstring(workbook).iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName")
    ]


def with_names(workbook: bytes, names: Iterable[Name]) -> bytes:
    """Return the workbook with new names."""
    root = outline(workbook)
    tag = f"{root.prefix}definedName"
    text = ""
    for name, sheet, meaning in names:
        local = {} if sheet is None else {"localSheetId": str(sheet)}
        text += f"{start_tag(tag, {'name': name, **local})}{escape(meaning)}</{tag}>"
    existing = root.child("definedNames")
    if not text:
        return workbook
    if existing is not None:
        return edited(workbook, existing.extended(text))
    return edited(workbook, [_behind(root, f"<{tag}s>{text}</{tag}s>", *_BEFORE_NAMES)])


def with_meaning(workbook: bytes, name: str, sheet: int | None, meaning: str | None) -> bytes:
    """Return the workbook with a defined name; a meaning of None deletes it. `sheet` is the number of its sheet."""
    local = None if sheet is None else str(sheet)
    same = [
        entry
        for entry in outline(workbook).children_of("definedNames")
        if entry.attributes["name"].casefold() == name.casefold() and entry.attributes.get("localSheetId") == local
    ]
    if meaning is None:
        return edited(workbook, [entry.removed() for entry in same])
    if same:
        return edited(workbook, [(same[0].content, same[0].stop, escape(meaning).encode())])
    return with_names(workbook, [Name(name, sheet, meaning)])


def _behind(root: Element, text: str, *names: str) -> Edit:
    """Return the edit that adds an element after the last of those named."""
    last = [element for name in names if (element := root.child(name)) is not None][-1]
    return last.end, last.end, text.encode()


def active_sheet(workbook: bytes) -> int:
    """Return the number of the active sheet, from 0."""
    views = outline(workbook).children_of("bookViews")
    return int(views[0].attributes.get("activeTab", "0")) if views else 0


def structure_locked(workbook: bytes) -> bool:
    """Return whether the workbook is protected against adding, moving and deleting sheets."""
    protection = outline(workbook).child("workbookProtection")
    return protection is not None and truth(protection.attributes.get("lockStructure"))


def calculated_on_load(workbook: bytes) -> bytes:
    """Return the workbook with the flag that makes applications compute every cell on opening."""
    root = outline(workbook)
    existing = root.child("calcPr")
    if existing is not None:
        return edited(workbook, [existing.with_attributes(fullCalcOnLoad=1)])
    text = f'<{root.prefix}calcPr fullCalcOnLoad="1"/>'
    return edited(workbook, [_behind(root, text, *_BEFORE_NAMES, "definedNames")])


def with_order(workbook: bytes, order: list[int]) -> bytes:
    """Return the workbook with its sheets in another order, given as old numbers; omitted ones are deleted.

    Numbers of sheets follow: in names, the active sheet, the first visible tab. A deleted one is replaced by the next
    visible sheet, since an application does not activate a hidden one.
    """
    root = outline(workbook)
    sheets = root.children_of("sheets")
    new = {old: number for number, old in enumerate(order)}
    visible = [number for number, old in enumerate(order) if _is_visible(sheets[old])] or [0]
    edits: list[Edit] = []
    for number, sheet in enumerate(sheets):
        at = sheets[order[number]] if number < len(order) else None
        edits.append((sheet.start, sheet.end, workbook[at.start : at.end] if at else b""))
    for name in root.children_of("definedNames"):
        local = name.attributes.get("localSheetId")
        if local is not None and int(local) not in new:
            edits.append(name.removed())
        elif local is not None and new[int(local)] != int(local):
            edits.append(name.with_attributes(localSheetId=new[int(local)]))
    for view in root.children_of("bookViews"):
        wanted = {}
        for tab in ("activeTab", "firstSheet"):
            old = int(view.attributes.get(tab, "0"))
            wanted[tab] = new.get(old, min(visible, key=lambda number: (number < old, abs(number - old))))
        if any(int(view.attributes.get(tab, "0")) != number for tab, number in wanted.items()):
            edits.append(view.with_attributes(**wanted))
    return edited(workbook, edits)
