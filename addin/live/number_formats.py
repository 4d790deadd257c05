"""Number formats of cells, as far as the page writes them: sections of digits or of words, each for some numbers.

The page shows a number as the workbook's cell does. A format of another kind, such as a date, is left to the page's
own way of writing numbers.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from addin.kernel import Scalar
from addin.kernel.excel.comparison import OPERATORS
from addin.kernel.excel.rounding import compare
from addin.kernel.scalar.text_format import format_value
from addin.workbook.book import shown

BETWEEN = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*$)')  # a semicolon that is no part of words
SECTION = re.compile(r'(?:\[(<=|>=|<>|<|>|=)(-?\d+\.?\d*)\])?(-?)((?:#,##)?0(?:\.0+#*)?%?)?((?: |"[^"]*")*)')

GENERAL = "General"


class Section(NamedTuple):
    """What is written of numbers that compare so with `bound`, or of all: digits as TEXT has them, then words."""

    operator: str
    bound: float
    signed: bool
    digits: str
    words: str


def sections(code: str) -> tuple[Section, ...]:
    """Return the sections of a number format in the order in which they are asked; none for a format of other kinds."""
    texts = BETWEEN.split(code)[:3]  # what a fourth says is of texts
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
    """Return a value as its cell shows it, or as the page writes numbers where the format is of another kind."""
    if isinstance(value, float):
        for operator, bound, signed, digits, words in sections(code):
            if not operator or OPERATORS[operator](compare(value, bound)):
                return (format_value(value if signed else -value, digits) if digits else "") + words
    return shown(value)
