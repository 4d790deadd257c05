"""Positions of cells on a sheet: row and column, from 1, and how references such as D9 write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import column_index_from_string, coordinate_from_string, range_boundaries

Position = tuple[int, int]  # row and column, from 1


def position_of(reference: str) -> Position:
    """Return row and column of a reference such as D9."""
    letters, row = coordinate_from_string(reference)
    return row, column_index_from_string(letters)


def inside(area: str, position: Position) -> bool:
    """Say whether a cell belongs to an area such as A1:B9."""
    left, top, right, bottom = range_boundaries(area)
    return bool(top <= position[0] <= bottom and left <= position[1] <= right)


def size_of(area: str) -> int:
    """Return how many cells an area has."""
    left, top, right, bottom = range_boundaries(area)
    return int((right - left + 1) * (bottom - top + 1))


def a1(position: Position) -> str:
    """Return the reference of a position, such as D9."""
    return f"{get_column_letter(position[1])}{position[0]}"


def rows_of(numbers: Iterable[str | None]) -> Iterator[int]:
    """Yield the numbers of rows; a row that states none stands below the one before."""
    row = 0
    for number in numbers:
        row = int(number) if number else row + 1
        yield row


def columns_of(references: Iterable[str | None]) -> Iterator[int]:
    """Yield the columns of the cells of a row; a cell that states no reference stands behind the one before."""
    column = 0
    for reference in references:
        column = position_of(reference)[1] if reference else column + 1
        yield column
