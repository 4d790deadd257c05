"""What a chapter consists of: plain records that the template draws, and nothing of how they look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TO_FILL = "\u200b"  # a cell somebody fills in by hand: drawn as a line


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
    """A table: headings, rows of texts, and which columns hold numbers. `caption` names it for those who cannot see it.

    `wide` says that it scrolls in a box of its own on a small screen; others are drawn row by row there.
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
    """A chapter: the name of its anchor, its title, what it says, and whether it starts a page in print."""

    name: str
    title: str
    blocks: Sequence[Block]
    new_page: bool = False
