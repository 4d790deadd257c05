"""The number formats of cells that the page supports: sections of digits or of words, each for some numbers.

The page shows a number as the workbook's cell does. For any other format, such as a date, it uses its own.
Explanations show the words of a cell: -1 may be "not published", and -2 "none".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from addin.kernel import Address, Scalar
from addin.kernel.excel.comparison import OPERATORS
from addin.kernel.excel.rounding import compare
from addin.kernel.scalar.text_format import format_value
from addin.workbook.book import SizingBook, shown
from addin.xlsx.package import open_parts
from addin.xlsx.parts import STYLES
from addin.xlsx.stored_results import StoredResults
from addin.xlsx.styles import read_formats

BETWEEN = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*$)')  # a semicolon outside of quoted words
SECTION = re.compile(r'(?:\[(<=|>=|<>|<|>|=)(-?\d+\.?\d*)\])?(-?)((?:#,##)?0(?:\.0+#*)?%?)?((?: |"[^"]*")*)')

GENERAL = "General"


class Section(NamedTuple):
    """The format of numbers that satisfy `operator bound`, or of all: digits as in TEXT, then words."""

    operator: str
    bound: float
    signed: bool
    digits: str
    words: str


def sections(code: str) -> tuple[Section, ...]:
    """Return the sections of a number format in the order of their tests; empty for an unsupported format."""
    texts = BETWEEN.split(code)[:3]  # a fourth section is for texts
    matches = [SECTION.fullmatch(text) for text in texts]
    parts = [
        Section(m[1] or "", float(m[2] or 0), m[3] == "-", m[4] or "", m[5].replace('"', "")) for m in matches if m
    ]
    conditional = any(part.operator for part in parts)
    others = parts if conditional else parts[:1] + parts[2:]
    if len(parts) < len(texts) or any(part.signed for part in others) or not parts[-1 if conditional else 0].digits:
        return ()
    if conditional:
        return () if parts[-1].operator else tuple(part._replace(signed=True) for part in parts)
    signs = [part._replace(operator=sign) for sign, part in zip("<=", parts[1:], strict=False)]
    return (*signs, parts[0]._replace(signed=True))


def displayed(value: Scalar, code: str) -> str:
    """Return a value as its cell shows it, or in the page's own format for an unsupported one."""
    if isinstance(value, float):
        for operator, bound, signed, digits, words in sections(code):
            if not operator or OPERATORS[operator](compare(value, bound)):
                return (format_value(value if signed else -value, digits) if digits else "") + words
    return shown(value)


def words(book: SizingBook, values: Iterable[tuple[Address, Scalar]]) -> dict[Address, str]:
    """Return what the cells of a saved workbook show in words alone, by their formats; nothing of an open document."""
    stored = book.stored
    if not isinstance(stored, StoredResults) or stored.rows is None:
        return {}
    with open_parts(stored.path) as parts:
        formats = read_formats(parts[STYLES])
    found: dict[Address, str] = {}
    for at, value in values:
        style = stored.rows.style(at)
        word = displayed(value, formats[style].code) if style is not None and isinstance(value, float) else ""
        if word and not any(letter.isdigit() for letter in word):
            found[at] = word.strip()
    return found
