"""The positions of the elements of an XML part, so that an edit changes them and no other byte."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from addin.xlsx.escaping import quoteattr

_START_TAG = re.compile(rb"""<(?:"[^"]*"|'[^']*'|[^>"'])*>""")

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


def outline(part: bytes, levels: int = 3) -> Element:
    """Return the root element of a part with its descendants down to `levels`."""
    parser = expat.ParserCreate()
    open_elements: list[Element] = []
    roots: list[Element] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        here = parser.CurrentByteIndex
        written = _START_TAG.match(part, here)
        element = Element(tag, attributes, here, written.end() if written else here)
        if not open_elements:
            roots.append(element)
        elif len(open_elements) < levels:
            open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        element = open_elements.pop()
        if part[element.content - 2 : element.content] == b"/>":
            element.stop = element.end = element.content
        else:
            element.stop = parser.CurrentByteIndex
            element.end = part.index(b">", element.stop) + 1

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(part, True)
    return roots[0]


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
