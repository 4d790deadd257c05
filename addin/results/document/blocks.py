"""The blocks of a chapter: plain records for the template, without any formatting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TO_FILL = "\u200b"  # a cell to fill in by hand: drawn as a line


@dataclass(frozen=True)
class Text:
    """A paragraph; `role` is plain, lead (the answer itself), note (small) or code (to copy as it is)."""

    text: str
    role: str = "plain"
    kind: str = "text"


@dataclass(frozen=True)
class Head:
    """A heading inside a chapter."""

    text: str
    kind: str = "head"


@dataclass(frozen=True)
class Points:
    """A list of sentences."""

    items: Sequence[str]
    kind: str = "points"


@dataclass(frozen=True)
class Grid:
    """A table: headings, rows of texts, the columns of numbers, and a caption for screen readers.

    On a small screen a `wide` table scrolls in its own box; any other is drawn row by row.
    """

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()
    wide: bool = False
    kind: str = "grid"


@dataclass(frozen=True)
class Picture:
    """A chart as SVG, with the sentence that says the same."""

    svg: str
    caption: str
    kind: str = "picture"


Block = Text | Head | Points | Grid | Picture


@dataclass(frozen=True)
class Chapter:
    """A chapter: the name of its anchor, its title, its blocks, and whether it starts a page in print."""

    name: str
    title: str
    blocks: Sequence[Block]
    new_page: bool = False
