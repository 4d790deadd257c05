"""The positions of the elements of an XML part, so that an edit changes them and no other byte."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from addin.xlsx.escaping import quoteattr

_START_TAG = re.compile(rb"""<(?:"[^"]*"|'[^']*'|[^>"'])*>""")

_ROW, _ROW_END = re.compile(rb'<row r="([0-9]{1,7})"'), b"</row>"

Edit = tuple[int, int, bytes]  # from, to, replacement


@dataclass
class Element:
    """An element: its tag as written, and the positions of its start, of its content from and to, and of its end."""

    tag: str
    attributes: dict[str, str]
    start: int
    content: int
    stop: int = 0
    end: int = 0
    children: list[Element] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The tag without the prefix of its namespace."""
        return self.tag.rpartition(":")[2]

    @property
    def prefix(self) -> str:
        """The prefix of its namespace with the colon, empty without one."""
        return self.tag[: len(self.tag) - len(self.name)]

    def child(self, name: str) -> Element | None:
        """Return the first child of that name."""
        return next((child for child in self.children if child.name == name), None)

    def children_of(self, name: str) -> list[Element]:
        """Return the children of the first child of that name; empty without one."""
        parent = self.child(name)
        return parent.children if parent else []

    def removed(self) -> Edit:
        """Return the edit that removes it."""
        return self.start, self.end, b""

    def with_attributes(self, **attributes: object) -> Edit:
        """Return the edit that changes some attributes."""
        pairs = self.attributes | {name: str(value) for name, value in attributes.items()}
        return self.start, self.content, start_tag(self.tag, pairs, empty=self.stop == self.end).encode()

    def extended(self, more: str, **attributes: object) -> list[Edit]:
        """Return the edits that add children at its end and change some attributes."""
        if self.stop < self.end:
            changed = [self.with_attributes(**attributes)] if attributes else []
            return [*changed, (self.stop, self.stop, more.encode())]
        pairs = self.attributes | {name: str(value) for name, value in attributes.items()}
        return [(self.start, self.end, f"{start_tag(self.tag, pairs)}{more}</{self.tag}>".encode())]


def start_tag(tag: str, attributes: Mapping[str, str], *, empty: bool = False) -> str:
    """Return a start tag, or the whole tag of an element without content."""
    pairs = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    return f"<{tag}{pairs}{'/' if empty else ''}>"


def outline(part: bytes, levels: int = 3, start: int = 0, stop: int | None = None) -> Element:
    """Return the root element of a part, or of the element from `start` to `stop`, with its descendants.

    Of these it has those down to `levels`; positions are those in the part. Raises ExpatError.
    """
    parser = expat.ParserCreate()
    open_elements: list[Element] = []
    roots: list[Element] = []
    deeper = 0  # open elements below the last level

    def opened(tag: str, attributes: dict[str, str]) -> None:
        nonlocal deeper
        if len(open_elements) == levels:
            deeper += 1
            return
        here = start + parser.CurrentByteIndex
        written = _START_TAG.match(part, here)
        element = Element(tag, attributes, here, written.end() if written else here)
        (open_elements[-1].children if open_elements else roots).append(element)
        open_elements.append(element)

    def closed(_: str) -> None:
        nonlocal deeper
        if deeper:
            deeper -= 1
            return
        element = open_elements.pop()
        if part[element.content - 2 : element.content] == b"/>":
            element.stop = element.end = element.content
        else:
            element.stop = start + parser.CurrentByteIndex
            element.end = part.index(b">", element.stop) + 1

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.Parse(part if (start, stop) == (0, None) else part[start:stop], True)
    return roots[0]


def rows_found(sheet: bytes, numbers: Collection[int], levels: int) -> list[Element] | None:
    """Return some rows of a sheet, with their descendants, without reading the others.

    None where a search might find something else, or not find a row: the caller reads the sheet as a whole.
    """
    first, last = sheet.find(b"<sheetData>"), sheet.rfind(b"</sheetData>")
    if first < 0 or b"<!" in sheet or sheet.find(b"<?", 2) >= 0:
        return None
    starts = [(int(row[1]), row.start()) for row in _ROW.finditer(sheet, first, last)]
    at = dict(starts)
    if len(at) < len(starts) or not at.keys() >= set(numbers):
        return None
    rows = []
    for start in sorted(at[number] for number in numbers):
        tag = _START_TAG.match(sheet, start)
        if tag is None:
            return None
        stop = tag.end() if tag[0].endswith(b"/>") else sheet.find(_ROW_END, start, last) + len(_ROW_END)
        try:
            rows.append(outline(sheet, levels, start, stop))
        except expat.ExpatError:
            return None
    return rows


def edited(part: bytes, edits: Iterable[Edit]) -> bytes:
    """Apply edits that do not overlap; those at one position in the given order."""
    pieces, position = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [part[position:start], new]
        position = end
    return b"".join([*pieces, part[position:]])


def truth(text: str | None) -> bool:
    """Read a truth value of the file format."""
    return text in ("1", "true", "on")
