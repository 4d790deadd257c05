"""The size at which texts fit a box, from the widths of Calibri's letters: alike on every machine, whatever its fonts.

Widths are rounded up to 0.05 of the size of the text; Carlito, which LibreOffice takes for Calibri, has the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

LINE = 1.22  # height of a line over the size of its text
_WIDTHS = {
    0.25: " \u00a0',ijl",
    0.30: ".:;I`",
    0.35: "!()-J[]frt{}",
    0.40: "/\\sz",
    0.45: '"Lcx',
    0.50: "#*+<=>?EFSTYZ^_aegkvy|~\u2013",
    0.55: "$0123456789BCKPRXbdhnopqu",
    0.60: "AV",
    0.65: "DGHNU",
    0.70: "&OQ",
    0.75: "%w",
    0.80: "m",
    0.90: "@MW",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_SPARE = 0.5  # points: a height that was added up in another order still fits
_BOLD = 1.04  # bold text over plain text, of a whole alphabet


def width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line in points."""
    return sum(_letter(each) for each in text) * size * (_BOLD if bold else 1.0)


def _letter(letter: str) -> float:
    wide = unicodedata.east_asian_width(letter) in ("W", "F")
    return _WIDTH.get(letter, 1.0 if wide else 0.0 if unicodedata.combining(letter) else 0.75)


def lines(text: str, room: float, size: float, bold: bool = False) -> int:
    """Return how many lines a text takes in a width in points; a word that is wider than it is broken."""
    count, used = 1, 0.0
    for word in text.split(" "):
        needed = width(word, size, bold)
        if used and used + width(" ", size, bold) + needed <= room:
            used += width(" ", size, bold) + needed
            continue
        count += bool(used)
        whole = int(needed // room) if needed > room else 0
        count, used = count + whole, needed - whole * room
    return count


def height(texts: Iterable[str], room: float, size: float, between: float = 0.0, bold: bool = False) -> float:
    """Return the height in points of paragraphs with a space after each."""
    return sum(lines(text, room, size, bold) * size * LINE + between for text in texts)


def size_for(
    texts: Sequence[str], room: tuple[float, float], sizes: Sequence[float], between: float = 0.0, bold: bool = False
) -> float | None:
    """Return the first of some sizes at which paragraphs fit a width and height in points; None where none does."""
    return next((size for size in sizes if height(texts, room[0], size, between, bold) <= room[1] + _SPARE), None)


def kept(
    texts: Sequence[str], room: tuple[float, float], sizes: Sequence[float], between: float, more: str
) -> tuple[list[str], float]:
    """Return the paragraphs that fit with the size at which they do; `more` says of the others where they are.

    `more` has a place {} for their number. At least one paragraph is kept, cut at the end where it alone is too long.
    """
    if size := size_for(texts, room, sizes, between):
        return list(texts), size
    for count in range(len(texts) - 1, 0, -1):
        some = [*texts[:count], more.format(len(texts) - count)]
        if size_for(some, room, sizes[-1:], between):
            return some, sizes[-1]
    rest = [more.format(len(texts) - 1)] if len(texts) > 1 else []
    left = room[0], room[1] - height(rest, room[0], sizes[-1], between)
    return [cut(texts[0], left, sizes[-1]), *rest], sizes[-1]


def cut(text: str, room: tuple[float, float], size: float, bold: bool = False) -> str:
    """Return a text, or as much of its beginning as fits a width and height in points, with three dots."""
    shown = text
    while shown and not size_for([shown], room, (size,), bold=bold):
        shown = f"{shown[: max(len(shown) - max(len(shown) // 20, 4), 0)].rstrip()}\u2026" if len(shown) > 5 else ""
    return shown
