"""Values, texts and formulas of cells: as a file writes them, and read from it."""

from __future__ import annotations

import re
from datetime import datetime

from addin.errors import BookError
from addin.kernel import ExcelError, Scalar, safe_functions
from addin.kernel.formula.cells import ERROR_TEXTS
from addin.xlsx.elements import truth
from addin.xlsx.escaping import escape

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_PREFIX = re.compile(r"_xl(?:fn|ws)\.")
_HALF = re.compile(r"[\ud800-\udfff]")
_ESCAPE = re.compile(r"[\x00-\x08\x0b-\x1f]|_(?=x[0-9A-Fa-f]{4}_)")  # XML has no such characters


def written_text(text: str) -> str:
    """Return a text as XML, with control characters written as _x000D_. Raises BookError for a lone surrogate."""
    if _HALF.search(text):
        raise BookError(f"{text[:20]!r}: holds half of a character, which no file can hold. Type the text again.")
    return escape(_ESCAPE.sub(lambda match: f"_x{ord(match[0]):04X}_", text))


def read_text(text: str) -> str:
    """Return a text with the characters that the file writes as _x000D_; a lone surrogate stays written so."""
    if "_x" not in text:
        return text
    read = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    read = read.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")  # two halves are one character
    return _HALF.sub(lambda match: f"_x{ord(match[0]):04X}_", read)


def written_value(value: Scalar) -> tuple[str, str]:
    """Return the type and the text of a value; a number has no type and no more digits than it needs."""
    if isinstance(value, bool):
        return "b", str(int(value))
    if isinstance(value, ExcelError):
        return "e", value.value
    if isinstance(value, str):
        return "str", written_text(value)
    if value is None:
        return "", ""
    return "", str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def read_value(kind: str, text: str | None, shared: list[str]) -> Scalar:
    """Return the value of a cell from its type and the text of its element <v>; `shared` are the shared texts."""
    if text is None or (text == "" and kind != "str"):
        return None
    if kind == "s":
        return shared[int(text)]
    if kind == "str":
        return read_text(text)
    if kind == "b":
        return truth(text)
    if kind == "e":
        return ERROR_TEXTS.get(text, ExcelError.VALUE)
    if kind == "d":
        from openpyxl.utils.datetime import to_excel

        return float(to_excel(datetime.fromisoformat(text)))
    if text in ERROR_TEXTS:  # written without its type by some programs
        return ERROR_TEXTS[text]
    return float(text)


def plain_value(value: Scalar) -> float | str | bool | None:
    """Return a value as texts and JSON take it: an error as its text."""
    return value.value if isinstance(value, ExcelError) else value


def written_formula(formula: str) -> str:
    """Return a formula in the notation of the file: without =, functions newer than Excel 2007 with their prefix."""
    from openpyxl.formula import Tokenizer  # not loaded by commands that only read

    known = safe_functions()
    tokens = Tokenizer(formula)
    for token in tokens.items:
        if token.type == "FUNC" and token.subtype == "OPEN":
            function = known.get(token.value[:-1].upper())
            if function is not None and function.since > 2007:
                token.value = f"_xlfn.{token.value}"
    return escape(str(tokens.render())[1:])


def read_formula(formula: str) -> str:
    """Return a formula as Excel shows it: with =, without the prefixes of newer functions."""
    return "=" + (_PREFIX.sub("", formula) if "_xl" in formula else formula)
