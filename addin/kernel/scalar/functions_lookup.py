"""Lookup functions. ROW, COLUMN, ROWS and COLUMNS look at where a reference is and live in walk.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from addin.kernel.excel.comparison import raw_order, text_matcher
from addin.kernel.excel.values import ExcelError, Fault, Grid, Scalar, Value, as_grid
from addin.kernel.scalar.signatures import Table

T = TypeVar("T")


def match_exact(wanted: Scalar, values: Sequence[Scalar]) -> int | None:
    """Return the first position of an equal value, from 0: text by wildcard and without case, numbers to the bit."""
    if isinstance(wanted, str):
        matches = text_matcher(wanted)
        return next((i for i, value in enumerate(values) if isinstance(value, str) and matches(value)), None)
    return next((i for i, value in enumerate(values) if type(value) is type(wanted) and value == wanted), None)


def match_ascending(wanted: Scalar, values: Sequence[Scalar]) -> int | None:
    """Return the last position of a value at or below `wanted` in ascending values; other types are passed over."""
    positions = [i for i, value in enumerate(values) if type(value) is type(wanted)]
    low, high = 0, len(positions)
    while low < high:
        middle = (low + high) // 2
        if raw_order(values[positions[middle]], wanted) <= 0:
            low = middle + 1
        else:
            high = middle
    return positions[low - 1] if low else None


def match_descending(wanted: Scalar, values: Sequence[Scalar]) -> int | None:
    """Return the position of the smallest value at or above `wanted` in values sorted downwards."""
    result = None
    for position, value in enumerate(values):
        if type(value) is not type(wanted):
            continue
        order = raw_order(value, wanted)
        if order < 0:
            break
        result = position
        if order == 0:
            break
    return result


def _line(value: Value) -> list[Scalar]:
    grid = as_grid(value)
    if 1 not in grid.shape:
        raise Fault(ExcelError.NA)
    return list(grid.flat())


def match(wanted: Scalar, values: Value, kind: float = 1.0) -> float:
    """Return MATCH. Raises Fault with #N/A where nothing fits or the range is no row and no column."""
    search = match_exact if kind == 0 else match_ascending if kind > 0 else match_descending
    position = search(0.0 if wanted is None else wanted, _line(values))
    if position is None:
        raise Fault(ExcelError.NA)
    return float(position + 1)


def _position(wanted: Scalar, values: Sequence[Scalar], approximate: bool) -> int:
    position = (match_ascending if approximate else match_exact)(0.0 if wanted is None else wanted, values)
    if position is None:
        raise Fault(ExcelError.NA)
    return position


def vlookup(wanted: Scalar, table: Value, column: float, approximate: bool = True) -> Scalar:
    """Return VLOOKUP. A column below 1 is #VALUE!, beyond the table #REF!; no match is #N/A."""
    rows = as_grid(table).rows
    if column < 1 or isinstance(table, str):
        raise Fault(ExcelError.VALUE)
    if column >= len(rows[0]) + 1:
        raise Fault(ExcelError.REF)
    return rows[_position(wanted, [row[0] for row in rows], approximate)][int(column) - 1]


def hlookup(wanted: Scalar, table: Value, row: float, approximate: bool = True) -> Scalar:
    """Return HLOOKUP: VLOOKUP on the table turned on its side."""
    if isinstance(table, str):
        raise Fault(ExcelError.VALUE)
    grid: Grid[Scalar] = as_grid(table)
    return vlookup(wanted, Grid(tuple(zip(*grid.rows, strict=True))), row, approximate)


def lookup(wanted: Scalar, values: Value, results: Value | None = None) -> Scalar:
    """Return LOOKUP: the vector form, or the array form, which searches the longer side's first line."""
    grid = as_grid(values)
    if results is not None:
        answers = _line(results)
        position = _position(wanted, first_line(grid), approximate=True)
        if position >= len(answers):
            raise Fault(ExcelError.NA)
        return answers[position]
    rows = grid.rows if grid.shape[0] >= grid.shape[1] else tuple(zip(*grid.rows, strict=True))
    return rows[_position(wanted, first_line(grid), approximate=True)][-1]


def first_line(grid: Grid[T]) -> list[T]:
    """Return what LOOKUP searches: the first column of an area, the first row of one that is wider than high."""
    return [row[0] for row in grid.rows] if grid.shape[0] >= grid.shape[1] else list(grid.rows[0])


def index(values: Value, row: float, column: float | None = None) -> Grid[Scalar]:
    """Return INDEX, still a reference; 0 takes the whole row or column.

    Raises Fault with #VALUE! for a place below 0, #REF! outside the range.
    """
    grid = as_grid(values)
    height, width = grid.shape
    if int(row) < 0:
        raise Fault(ExcelError.VALUE)
    if column is None and min(height, width) > 1:
        raise Fault(ExcelError.REF)
    if column is None:
        row, column = (1.0, row) if height == 1 else (row, 1.0 if width == 1 else 0.0)
    return part(grid, int(row), int(column))


def part(grid: Grid[T], top: int, left: int) -> Grid[T]:
    """Return a cell of a grid, still a reference; 0 takes a whole row or column. Raises Fault outside the grid."""
    height, width = grid.shape
    if top < 0 or left < 0:
        raise Fault(ExcelError.VALUE)
    if top > height or left > width:
        raise Fault(ExcelError.REF)
    rows = grid.rows if top == 0 else grid.rows[top - 1 : top]
    if left:
        rows = tuple(line[left - 1 : left] for line in rows)
    origin = grid.origin
    if origin is not None:
        origin = (origin[0], origin[1] + max(0, top - 1), origin[2] + max(0, left - 1))
    return Grid(rows, origin)


FUNCTIONS: Table = {
    "HLOOKUP": ("sanb", hlookup),
    "INDEX": ("ann", index),
    "LOOKUP": ("smm", lookup),
    "MATCH": ("san", match),
    "VLOOKUP": ("sanb", vlookup),
}
