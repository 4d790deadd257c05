"""A row put into a sheet as an application does it: cells below move down, formulas and names follow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token

from addin.kernel import Address, Cells, Scalar
from addin.workbook.book import SizingBook

_CELL = re.compile(r"(\$?[A-Z]{1,3}\$?)([1-9]\d*)")


def with_row(book: SizingBook, sheet: str, row: int, held: Mapping[int, Scalar]) -> SizingBook:
    """Return a copy of a book with a new row above a row of a sheet; `held` are its cells by column."""
    cells = book.cells
    values: dict[Address, Scalar] = {}
    for at, value in cells.values.items():
        formula = cells.formula(at)
        moved = at._replace(row=at.row + 1) if at.sheet == sheet and at.row >= row else at
        values[moved] = _formula(formula, at.sheet, sheet, row) if formula else value
    values |= {Address(sheet, row, column): value for column, value in held.items()}
    names = {name: _formula(f"={text}", "", sheet, row)[1:] if text else text for name, text in cells.names.items()}
    return replace(book, cells=Cells(MappingProxyType(values), MappingProxyType(names), cells.sheets, cells.texts))


def _formula(text: str, home: str, sheet: str, row: int) -> str:
    if home != sheet and sheet not in text:  # most formulas: to split one into tokens takes its time
        return text
    tokens = Tokenizer(text)
    for token in tokens.items:
        if token.type == Token.OPERAND and token.subtype == Token.RANGE:
            title, bang, cells = token.value.rpartition("!")
            if (title.strip("'") or home) == sheet:
                token.value = f"{title}{bang}{_CELL.sub(lambda found: _moved(found, row), cells)}"
    return str(tokens.render())


def _moved(found: re.Match[str], row: int) -> str:
    return f"{found[1]}{int(found[2]) + (int(found[2]) >= row)}"
