"""The part xl/styles.xml: cell formats, and added styles, which go last so that others keep their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from openpyxl.styles import Border, Fill, Font
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

from addin.xlsx.elements import Edit, edited, outline, start_tag, truth
from addin.xlsx.escaping import escape
from addin.xlsx.parts import MAIN

_M = f"{{{MAIN}}}"
_FIRST_OWN_FORMAT = 164  # number formats below are built into the applications
# ECMA-376 part 1, 18.8.39: the lists of the styles, in this order; Excel calls a file in another one corrupt
_LISTS = ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs")
_AFTER_LISTS = ("tableStyles", "colors", "extLst")
_APPLIED = ("applyNumberFormat", "applyFont", "applyFill", "applyBorder", "applyAlignment")
# list, attribute of a cell format, key for a comparison: applications write the same font in many ways
_KINDS: tuple[tuple[str, str, Callable[[Element], object]], ...] = (
    ("fonts", "fontId", Font.from_tree),
    ("fills", "fillId", Fill.from_tree),
    ("borders", "borderId", Border.from_tree),
)


@dataclass(frozen=True)
class Format:
    """The parts of a cell format that affect values."""

    code: str
    locked: bool

    @cached_property
    def date(self) -> bool:
        """Whether a number in it is shown as a date or a time."""
        return bool(is_date_format(self.code))


def read_formats(styles: bytes) -> list[Format]:
    """Return the cell formats in their order."""
    root = ElementTree.fromstring(styles)
    codes = {int(entry.get("numFmtId", "0")): entry.get("formatCode", "") for entry in root.iter(f"{_M}numFmt")}
    formats = []
    for entry in _list(root, "cellXfs"):
        number, protection = int(entry.get("numFmtId", "0")), entry.find(f"{_M}protection")
        code = codes.get(number) or BUILTIN_FORMATS.get(number, "General")
        formats.append(Format(code, protection is None or truth(protection.get("locked", "1"))))
    return formats or [Format("General", True)]


def add_styles(styles: bytes, drawn: bytes) -> tuple[bytes, list[int], list[int]]:
    """Return the workbook's styles with those of the drawn sheet, and the new numbers of its formats.

    The two lists are for its cell formats and its conditional formats. Existing fonts, fills, borders, number formats
    and cell formats are reused.
    """
    target, source = _Styles(styles), ElementTree.fromstring(drawn)
    own_formats = _list(source, "numFmts")
    numbers = {entry.get("numFmtId", ""): target.number_format(entry.get("formatCode", "")) for entry in own_formats}
    moved = {attribute: target.add(name, _list(source, name), alike) for name, attribute, alike in _KINDS}
    cell_formats = []
    for own in _list(source, "cellXfs")[1:]:
        new = Element(f"{_M}xf", numFmtId=numbers.get(own.get("numFmtId", "0"), own.get("numFmtId", "0")))
        for attribute, others in moved.items():
            new.set(attribute, str(others[int(own.get(attribute, "0"))]))
        new.set("xfId", "0")
        for attribute in _APPLIED:
            new.set(attribute, "1")
        new.extend(own.findall(f"{_M}alignment"))
        protection = own.findall(f"{_M}protection")
        if protection:
            new.set("applyProtection", "1")
            new.extend(protection)
        cell_formats.append(new)
    formats = target.add("cellXfs", cell_formats)
    differences = target.add("dxfs", _list(source, "dxfs"))
    return target.edited(), [0, *formats], differences  # the first format is that of cells without one


def with_number_format(styles: bytes, number: int, code: str) -> tuple[bytes, int]:
    """Return the styles with a variant of a cell format that has another number format, and its number."""
    target = _Styles(styles)
    builtin = next((str(n) for n, known in BUILTIN_FORMATS.items() if known == code), None)
    new = ElementTree.fromstring(ElementTree.tostring(_list(target.root, "cellXfs")[number]))
    new.set("numFmtId", builtin or target.number_format(code))
    new.set("applyNumberFormat", "1")
    (added,) = target.add("cellXfs", [new])
    return target.edited(), added


class _Styles:
    """The styles of a workbook and those to add."""

    def __init__(self, styles: bytes) -> None:
        self.root = ElementTree.fromstring(styles)
        self._styles = styles
        self._outline = outline(styles)
        self._added: dict[str, list[Element]] = {}
        self._codes = {entry.get("formatCode", ""): entry.get("numFmtId", "") for entry in _list(self.root, "numFmts")}

    def number_format(self, code: str) -> str:
        """Return the number of a number format, after adding it if the workbook has none of that code."""
        if code not in self._codes:
            self._codes[code] = str(max([_FIRST_OWN_FORMAT - 1, *map(int, self._codes.values())]) + 1)
            self._added.setdefault("numFmts", []).append(
                Element(f"{_M}numFmt", numFmtId=self._codes[code], formatCode=code)
            )
        return self._codes[code]

    def add(self, name: str, wanted: Iterable[Element], alike: Callable[[Element], object] | None = None) -> list[int]:
        """Add the missing elements to a list of the styles; return the number of each wanted one."""
        read = alike or _key
        known, numbers = [read(element) for element in _list(self.root, name)], []
        for element in wanted:
            key = read(element)
            if key not in known:
                known.append(key)
                self._added.setdefault(name, []).append(element)
            numbers.append(known.index(key))
        return numbers

    def edited(self) -> bytes:
        """Return the styles with the added ones."""
        edits: list[Edit] = []
        for name, elements in sorted(self._added.items(), key=lambda added: _LISTS.index(added[0])):
            text = "".join(_text(element, self._outline.prefix) for element in elements)
            existing, count = self._outline.child(name), len(_list(self.root, name)) + len(elements)
            if existing:
                edits += existing.extended(text, count=count)
            else:
                tag, behind = f"{self._outline.prefix}{name}", (*_LISTS, *_AFTER_LISTS)[_LISTS.index(name) + 1 :]
                at = next((child.start for child in self._outline.children if child.name in behind), self._outline.stop)
                edits.append((at, at, f'<{tag} count="{count}">{text}</{tag}>'.encode()))
        return edited(self._styles, edits)


def _list(styles: Element, name: str) -> list[Element]:
    return styles.findall(f"{_M}{name}/*")


def _key(element: Element) -> tuple[object, ...]:
    """Return the key for a comparison of elements: name, attributes in any order, children."""
    return (element.tag, tuple(sorted(element.attrib.items())), *(_key(child) for child in element))


def _text(element: Element, prefix: str) -> str:
    """Write an element of the main namespace under the prefix that the part uses for it."""
    tag = prefix + element.tag.removeprefix(_M)
    inner = escape(element.text or "") + "".join(_text(child, prefix) for child in element)
    return f"{start_tag(tag, element.attrib)}{inner}</{tag}>" if inner else start_tag(tag, element.attrib, empty=True)
