"""Add the styles of a drawn sheet to a workbook's styles.xml: what is there keeps its number, what is new goes last."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from openpyxl.styles import Border, Fill, Font
from openpyxl.styles.numbers import BUILTIN_FORMATS

from addin.xlsx.outline import Edit, edited, outline

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_FIRST_OWN_FORMAT = 164  # number formats below are built into the applications
_APPLIED = ("applyNumberFormat", "applyFont", "applyFill", "applyBorder", "applyAlignment")
# list, attribute of a cell format, how two elements are compared: applications write the same font in many ways
_KINDS: tuple[tuple[str, str, Callable[[Element], object]], ...] = (
    ("fonts", "fontId", Font.from_tree),
    ("fills", "fillId", Fill.from_tree),
    ("borders", "borderId", Border.from_tree),
)


def add_styles(styles: bytes, drawn: bytes) -> tuple[bytes, list[int], list[int]]:
    """Return the workbook's styles with those of the drawn sheet, and the new numbers of its cell formats.

    The last list are the new numbers of its conditional formats.

    A font, fill, border, number format or cell format that is there already is used again.
    """
    place, theirs, ours = outline(styles), ElementTree.fromstring(styles), ElementTree.fromstring(drawn)
    edits: list[Edit] = []

    def append(name: str, wanted: Iterable[Element], read: Callable[[Element], object]) -> list[int]:
        """Add what is missing to one list of the styles; return the place of each of the wanted."""
        known = [read(element) for element in _list(theirs, name)]
        there, new, places = len(known), [], []
        for element in wanted:
            key = read(element)
            if key not in known:
                known.append(key)
                new.append(_text(element, place.prefix))
            places.append(known.index(key))
        home = place.child(name)
        if new and home:
            edits.extend(home.extended("".join(new), count=there + len(new)))
        elif new:
            tag, count = f"{place.prefix}{name}", len(new)
            edits.append((place.content, place.content, f'<{tag} count="{count}">{"".join(new)}</{tag}>'.encode()))
        return places

    formats = _formats(theirs, ours)
    append("numFmts", (Element(f"{_MAIN}numFmt", numFmtId=n, formatCode=code) for code, n in formats.items()), _key)
    numbers = {own.get("numFmtId", ""): formats[own.get("formatCode", "")] for own in _list(ours, "numFmts")}
    places = {attribute: append(name, _list(ours, name), alike) for name, attribute, alike in _KINDS}
    cell_formats = []
    for own in _list(ours, "cellXfs")[1:]:
        new = Element(f"{_MAIN}xf", numFmtId=numbers.get(own.get("numFmtId", "0"), own.get("numFmtId", "0")))
        for attribute, moved in places.items():
            new.set(attribute, str(moved[int(own.get(attribute, "0"))]))
        new.set("xfId", "0")
        for attribute in _APPLIED:
            new.set(attribute, "1")
        new.extend(own.findall(f"{_MAIN}alignment"))
        protection = own.findall(f"{_MAIN}protection")
        if protection:
            new.set("applyProtection", "1")
            new.extend(protection)
        cell_formats.append(new)
    moved = append("cellXfs", cell_formats, _key)
    differences = append("dxfs", _list(ours, "dxfs"), _key)
    return edited(styles, edits), [0, *moved], differences  # the first format is that of cells without one


def with_number_format(styles: bytes, number: int, code: str) -> tuple[bytes, int]:
    """Return the styles with a cell format that is another one with its own number format, and its number."""
    place, root = outline(styles, 4), ElementTree.fromstring(styles)
    codes = {one.get("formatCode", ""): one.get("numFmtId", "") for one in _list(root, "numFmts")}
    edits: list[Edit] = []
    builtin = next((str(n) for n, known in BUILTIN_FORMATS.items() if known == code), None)
    form = builtin or codes.get(code)
    if form is None:
        form = str(max([_FIRST_OWN_FORMAT - 1, *map(int, codes.values())]) + 1)
        one = f"<{place.prefix}numFmt numFmtId={quoteattr(form)} formatCode={quoteattr(code)}/>"
        home = place.child("numFmts")
        if home:
            edits.extend(home.extended(one, count=len(codes) + 1))
        else:
            tag = f"{place.prefix}numFmts"
            edits.append((place.content, place.content, f'<{tag} count="1">{one}</{tag}>'.encode()))
    formats = _list(root, "cellXfs")
    new = ElementTree.fromstring(ElementTree.tostring(formats[number]))
    new.set("numFmtId", form)
    new.set("applyNumberFormat", "1")
    known = [_key(one) for one in formats]
    if _key(new) in known:
        return edited(styles, edits), known.index(_key(new))
    home = place.child("cellXfs")
    if home:
        edits.extend(home.extended(_text(new, place.prefix), count=len(formats) + 1))
    return edited(styles, edits), len(formats)


def _formats(theirs: Element, ours: Element) -> dict[str, str]:
    """Return the number of each format that the drawn sheet uses, by its code."""
    known = {one.get("formatCode", ""): one.get("numFmtId", "") for one in _list(theirs, "numFmts")}
    following = max([_FIRST_OWN_FORMAT - 1, *(int(number) for number in known.values())]) + 1
    found = {}
    for one in _list(ours, "numFmts"):
        code = one.get("formatCode", "")
        if code not in known:
            known[code] = str(following)
            following += 1
        found[code] = known[code]
    return found


def _list(styles: Element, name: str) -> list[Element]:
    found = styles.find(f"{_MAIN}{name}")
    return [] if found is None else list(found)


def _key(element: Element) -> tuple[object, ...]:
    """Return what makes two elements the same: name, attributes in any order, children."""
    return (element.tag, tuple(sorted(element.attrib.items())), *(_key(child) for child in element))


def _text(element: Element, prefix: str) -> str:
    """Write an element of the main namespace under the prefix that the part uses for it."""
    tag = prefix + element.tag.removeprefix(_MAIN)
    pairs = "".join(f" {name}={quoteattr(value)}" for name, value in element.attrib.items())
    inner = escape(element.text or "") + "".join(_text(child, prefix) for child in element)
    return f"<{tag}{pairs}>{inner}</{tag}>" if inner else f"<{tag}{pairs}/>"
