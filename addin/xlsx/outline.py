"""Where the elements of an XML part stand in its bytes, so that an edit touches them and leaves every other byte."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

_START_TAG = re.compile(rb"""<(?:"[^"]*"|'[^']*'|[^>"'])*>""")

Edit = tuple[int, int, bytes]


@dataclass
class Place:
    """An element: its tag as written, where it starts, where its content starts and stops, where it ends."""

    tag: str
    attributes: dict[str, str]
    start: int
    content: int
    stop: int = 0
    end: int = 0
    children: list[Place] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The tag without the prefix of its namespace."""
        return self.tag.rpartition(":")[2]

    @property
    def prefix(self) -> str:
        """The prefix of its namespace with the colon, empty without one."""
        return self.tag[: len(self.tag) - len(self.name)]

    def child(self, name: str) -> Place | None:
        """Return the first child of that name."""
        return next((child for child in self.children if child.name == name), None)

    def extended(self, more: str, **attributes: object) -> list[Edit]:
        """Return the edits that add children at its end and change some attributes."""
        empty = self.stop == self.end
        edits = [(self.stop, self.stop, more.encode() + (f"</{self.tag}>".encode() if empty else b""))]
        if empty or attributes:
            pairs = self.attributes | {name: str(value) for name, value in attributes.items()}
            text = "".join(f" {name}={quoteattr(value)}" for name, value in pairs.items())
            edits.insert(0, (self.start, self.content, f"<{self.tag}{text}>".encode()))
        return edits


def outline(part: bytes, levels: int = 3) -> Place:
    """Return the root element of a part with its children and theirs; what lies below the levels is not listed."""
    parser = expat.ParserCreate()
    open_places: list[Place] = []
    roots: list[Place] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        here = parser.CurrentByteIndex
        found = _START_TAG.match(part, here)
        place = Place(tag, attributes, here, found.end() if found else here)
        if not open_places:
            roots.append(place)
        elif len(open_places) < levels:
            open_places[-1].children.append(place)
        open_places.append(place)

    def end(_: str) -> None:
        place = open_places.pop()
        if part[place.content - 2 : place.content] == b"/>":
            place.stop = place.end = place.content
        else:
            place.stop = parser.CurrentByteIndex
            place.end = part.index(b">", place.stop) + 1

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(part, True)
    return roots[0]


def edited(part: bytes, edits: Iterable[Edit]) -> bytes:
    """Apply edits that do not overlap; two at one place in the order given."""
    pieces, position = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [part[position:start], new]
        position = end
    return b"".join([*pieces, part[position:]])
