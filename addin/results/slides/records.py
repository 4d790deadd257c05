"""What a slide holds, as plain records without any formatting; texts are cleaned of what a package cannot hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from addin.results.document.blocks import Grid

BESIDE, OVER, STACKED = "beside", "over", "stacked"
_SPACES = re.compile(r"[^\S\u00a0]+")  # a number and its unit stay on one line
_NOT_IN_XML = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class Box(NamedTuple):
    """A place on a slide: left, top, width and height in points."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class Points:
    """A list of sentences below a heading."""

    heading: str
    items: Sequence[str]


@dataclass(frozen=True)
class Bars:
    """A chart of bars: a title, a sentence that says the same, categories, series, the format of figures.

    The bars lie where `across`, else stand; those of several series are beside each other, over each other where only
    one has a figure, or stacked. `most` is the end of the scale, None for what the figures need.
    """

    title: str
    said: str
    categories: Sequence[str]
    series: Sequence[tuple[str, Sequence[float | None]]]
    form: str = "#,##0"
    across: bool = True
    kind: str = BESIDE
    most: float | None = None


Part = Points | Bars | Grid


@dataclass(frozen=True)
class Slide:
    """A slide: its subject in a word or two, the sentence that is its title, the parts left and right."""

    subject: str
    title: str
    left: Sequence[Part]
    right: Sequence[Part]
    share: float = 0.5  # of the width, for the left


def clean(text: str) -> str:
    """Return a text in one line, with a mark in place of each character that XML does not have."""
    return _NOT_IN_XML.sub("\ufffd", _SPACES.sub(" ", text)).strip()
