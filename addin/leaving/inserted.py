"""Cells and formulas as they stand in a release, where somebody has inserted columns into a sheet of inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from addin.kernel import Address
from addin.kernel.formula.columns import column_letters, column_number

Columns = Mapping[str, Mapping[int, int]]  # of the sheets with inserted columns: the column as built by the present one
_LITERAL = re.compile(r'("(?:[^"]|"")*")')
_AREA = re.compile(
    r"(?<![\w.!$'])((?:'(?:[^']|'')+'|[^\W\d][\w.]*)!)?(\$?)([A-Z]{1,3})(\$?\d+)(?:(:\$?)([A-Z]{1,3})(\$?\d+))?(?![\w(.])"
)


def cell(at: Address, columns: Columns) -> Address:
    """Return where a cell stands as built; one in an inserted column stays where it is."""
    return at._replace(column=_built(at.column, columns[at.sheet])) if at.sheet in columns else at


def _built(column: int, columns: Mapping[int, int]) -> int:
    """Return a column as built; those behind the designs, limits of inputs, have moved as far as the last of these."""
    last = max(columns, default=0)
    return columns.get(column, column - last + columns[last] if 0 < last < column else column)


def formula(text: str, home: str, columns: Columns) -> str:
    """Return a formula of a sheet with its references as built."""
    if home not in columns and not any(title in text.replace("''", "'") for title in columns):
        return text  # the usual case

    def area(found: re.Match[str]) -> str:
        title, *ends = found.groups()
        sheet = title[:-1].strip("'").replace("''", "'") if title else home
        if sheet not in columns:
            return found[0]
        ends[1::3] = [letters and _letters(letters, columns[sheet]) for letters in ends[1::3]]
        return "".join(part or "" for part in (title, *ends))

    return "".join(part if part[:1] == '"' else _AREA.sub(area, part) for part in _LITERAL.split(text))


def _letters(letters: str, columns: Mapping[int, int]) -> str:
    number = column_number(letters)
    return column_letters(_built(number, columns))
