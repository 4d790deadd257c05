"""Before pass 1: the shape of a formula, its text with a mark where each reference stands.

A workbook repeats few formulas over many rows and columns: tens of thousands of texts have some hundred shapes.
Formulas of one shape have the same tokens and the same tree but for the references in it, so that each shape is split
and parsed once.
"""

from __future__ import annotations

import re

MARK = "\\r"  # by the grammar a name: a formula that holds a backslash itself has no other shape
_CELL = r"\$?[A-Za-z]{1,3}\$?[1-9]\d*"
_SHEET = r"(?:'[^'\[\]]+'|[^\W\d]\w*)!"
_BEFORE, _AFTER = r"(?<=[-+*/^&=<>,( ])", r"(?=[-+*/^&=<>,)% ]|$)"  # an operand ends there, whatever it is
_TEXT, _QUOTED = '"[^"]*"', "'[^']*'"  # nothing inside is a reference; a doubled quote ends one and begins another
_REFERENCE = re.compile(rf"{_TEXT}|{_BEFORE}((?:{_SHEET})?{_CELL}(?::{_CELL})?){_AFTER}|{_QUOTED}")


def shape(text: str) -> tuple[str, list[str]]:
    """Return a formula with MARK for each of its plain references, and these from left to right.

    A reference of another kind stays in the shape.
    """
    references: list[str] = []
    if "\\" in text:
        return text, references

    def marked(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        references.append(match[1])
        return MARK

    return _REFERENCE.sub(marked, text), references
