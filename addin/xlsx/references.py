"""References to a sheet: in formulas of cells, in names, in rules and in charts."""

from __future__ import annotations

import re
from collections.abc import Callable

from addin.kernel.formula.cells import quoted
from addin.xlsx.escaping import escape, unescape
from addin.xlsx.parts import SHARED_TEXTS, STYLES, Parts

_FORMULA = re.compile(rb"(<(?:\w+:)?(?:f|formula|formula1|formula2|definedName)\b[^>]*(?<!/)>)([^<]+)(?=</)")
_CELLS = r"(?:\$?[A-Z]{0,3}\$?\d*(?::\$?[A-Z]{0,3}\$?\d*)?)"  # after the sheet
_LITERAL = re.compile(r'("(?:[^"]|"")*")')


def refers(formula: str, title: str) -> bool:
    """Return whether a formula refers to a sheet."""
    return _replaced(formula, title, "") != formula


def renamed(formula: str, title: str, new: str) -> str:
    """Return a formula with its references to one sheet changed to another."""
    return _replaced(formula, title, f"{quoted(new)}!")


def lost(formula: str, title: str) -> str:
    """Return a formula with its references to a deleted sheet changed to #REF!."""
    return _replaced(formula, title, "#REF!", _CELLS)


def _replaced(formula: str, title: str, by: str, more: str = "") -> str:
    """Return a formula with a replacement for a sheet, its exclamation mark and more, except inside texts."""
    doubled, folded = title.replace("'", "''"), formula.casefold()
    if title.casefold() not in folded and doubled.casefold() not in folded:
        return formula  # the usual case
    pattern = re.compile(rf"(?:'{re.escape(doubled)}'|(?<![\w.\]'!]){re.escape(title)})!{more}", re.IGNORECASE)
    pieces = _LITERAL.split(formula)
    return "".join(piece if piece[:1] == '"' else pattern.sub(lambda _: by, piece) for piece in pieces)


def with_formulas(parts: Parts, change: Callable[[str], str]) -> dict[str, bytes]:
    """Return the parts with changed formulas in cells, names, rules and charts; other parts keep their bytes."""
    return {name: rewritten(name, data, change) for name, data in parts.items()}


def rewritten(name: str, part: bytes, change: Callable[[str], str]) -> bytes:
    """Return one part with changed formulas; a part without formulas is returned unchanged."""

    def formula(match: re.Match[bytes]) -> bytes:
        text = unescape(match[2].decode())
        new = change(text)
        return match[0] if new == text else match[1] + escape(new).encode()

    formulas = name.startswith("xl/") and name.endswith(".xml") and name not in (STYLES, SHARED_TEXTS)
    return _FORMULA.sub(formula, part) if formulas else part
