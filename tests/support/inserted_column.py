"""A column put into a sheet of a file as an application does it: cells move right, formulas, names and rules follow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token
from openpyxl.utils import column_index_from_string, get_column_letter

from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.references import rewritten
from addin.xlsx.workbook_part import sheet_parts

_CELL = re.compile(r"(\$?)([A-Z]{1,3})(\$?[1-9]\d*)")
_PLACES = re.compile(rb'((?<=<c )r|sqref|ref)="([^"]*)"')
_COLS = re.compile(rb"<cols>.*?</cols>", re.DOTALL)


def with_column(path: Path, original: Path, sheet: str, column: int, held: Mapping[int, str] = {}) -> Path:
    """Save a copy of a workbook with a new column before a column of a sheet; `held` are texts in it by row."""
    parts = dict(read_parts(original))
    own = sheet_parts(parts)[sheet]
    for name, part in parts.items():
        home = sheet if name == own else ""
        parts[name] = rewritten(name, part, lambda text, home=home: _formula(text, home, sheet, column))  # type: ignore[misc]
    moved = _PLACES.sub(lambda found: found[1] + b'="' + _moved(found[2].decode(), column).encode() + b'"', parts[own])
    parts[own] = _COLS.sub(b"", moved)
    for row, text in held.items():
        letters = get_column_letter(column)
        cell = f'<c r="{letters}{row}" t="inlineStr"><is><t>{text}</t></is></c>'.encode()
        right = b"|".join(get_column_letter(number).encode() for number in range(column + 1, 40))
        later = rb"(?=<c r=\"(?:%s)%d\")" % (right, row)
        parts[own] = re.sub(later, cell, parts[own], count=1)
    write_parts(path, parts)
    return path


def _formula(text: str, home: str, sheet: str, column: int) -> str:
    if home != sheet and sheet not in text:
        return text
    tokens = Tokenizer(f"={text}")
    for token in tokens.items:
        if token.type == Token.OPERAND and token.subtype == Token.RANGE:
            title, bang, cells = token.value.rpartition("!")
            if (title.strip("'") or home) == sheet:
                token.value = f"{title}{bang}{_moved(cells, column)}"
    return str(tokens.render())[1:]


def _moved(cells: str, column: int) -> str:
    def one(found: re.Match[str]) -> str:
        number = column_index_from_string(found[2])
        return f"{found[1]}{get_column_letter(number + (number >= column))}{found[3]}"

    return _CELL.sub(one, cells)
