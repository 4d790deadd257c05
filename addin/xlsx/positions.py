"""Positions of cells on a sheet (row and column, from 1) and references such as D9."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from addin.kernel.formula.columns import column_letters, column_number

Position = tuple[int, int]  # row and column, from 1
_PLAIN = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")


def position_of(reference: str) -> Position:
    """Return row and column of a reference such as D9."""
    if plain := _PLAIN.fullmatch(reference):
        return int(plain[2]), column_number(plain[1])
    from openpyxl.utils.cell import column_index_from_string, coordinate_from_string  # for $D$9 and other text

    letters, row = coordinate_from_string(reference)
    return row, column_index_from_string(letters)


def boundaries(area: str) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of an area such as A1:B9 or D9. Raises ValueError for others."""
    first, _, last = area.partition(":")
    if (start := _PLAIN.fullmatch(first)) and (end := _PLAIN.fullmatch(last or first)):
        return column_number(start[1]), int(start[2]), column_number(end[1]), int(end[2])
    from openpyxl.utils.cell import range_boundaries  # for $ marks and other text

    left, top, right, bottom = range_boundaries(area)
    if None in (left, top, right, bottom):
        raise ValueError(f"{area!r} is no area of cells")
    return left, top, right, bottom


def inside(area: str, position: Position) -> bool:
    """Return whether a cell is in an area such as A1:B9."""
    left, top, right, bottom = boundaries(area)
    return top <= position[0] <= bottom and left <= position[1] <= right


def size_of(area: str) -> int:
    """Return the number of cells of an area."""
    left, top, right, bottom = boundaries(area)
    return (right - left + 1) * (bottom - top + 1)


def a1(position: Position) -> str:
    """Return the reference of a position, such as D9."""
    return f"{column_letters(position[1])}{position[0]}"


def rows_of(numbers: Iterable[str | None]) -> Iterator[int]:
    """Yield the numbers of rows; a row without a number is the one after the row before."""
    row = 0
    for number in numbers:
        row = int(number) if number else row + 1
        yield row


def columns_of(references: Iterable[str | None]) -> Iterator[int]:
    """Yield the columns of the cells of a row; a cell without a reference is the one after the cell before."""
    column = 0
    for reference in references:
        column = position_of(reference)[1] if reference else column + 1
        yield column
