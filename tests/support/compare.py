"""When do two engines agree on a cell, and on a workbook?

Numbers agree when |x - y| <= 1e-9 max(|x|, |y|) + 1e-12 x the largest direct precedent: the second term lets a
difference of two large numbers carry the rounding of what it was computed from. Texts and errors agree when equal.
"""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from openpyxl.formula import Tokenizer
from openpyxl.utils.cell import get_column_letter, range_boundaries
from openpyxl.workbook import Workbook

from addin.engines.office.recompute import stored_values

Value = float | str | bool | None
Address = tuple[str, str]

RELATIVE = 1e-9
OF_PRECEDENT = 1e-12


@dataclass(frozen=True)
class Difference:
    """One cell on which two engines disagree."""

    sheet: str
    cell: str
    expected: Value
    actual: Value

    def __str__(self) -> str:
        return f"{self.sheet}!{self.cell}: expected {self.expected!r}, found {self.actual!r}"


def agree(x: Value, y: Value, largest_precedent: float = 0.0) -> bool:
    """Tell whether two values are the same result; a blank is the empty text, TRUE is 1 as some engines return it."""
    x, y = "" if x is None else x, "" if y is None else y
    if isinstance(x, str) or isinstance(y, str):
        return type(x) is type(y) and x == y
    return abs(x - y) <= RELATIVE * max(abs(x), abs(y)) + OF_PRECEDENT * abs(largest_precedent)


def differences(
    expected: Mapping[Address, Value],
    actual: Mapping[Address, Value],
    precedents: Mapping[Address, float] | None = None,
) -> list[Difference]:
    """Return the cells of `expected` on which `actual` disagrees; a cell that `actual` lacks counts as blank there.

    `precedents` gives the largest direct precedent of a cell, see `largest_precedents`.
    """
    largest = precedents or {}
    return [
        Difference(*address, value, actual.get(address))
        for address, value in expected.items()
        if not agree(value, actual.get(address), largest.get(address, 0.0))
    ]


def largest_difference(
    expected: Mapping[Address, Value], actual: Mapping[Address, Value]
) -> tuple[float, Address | None]:
    """Return the largest |x - y| / max(|x|, |y|) over the cells that are numbers in both, and where it is."""
    worst: tuple[float, Address | None] = (0.0, None)
    for address, x in expected.items():
        y = actual.get(address)
        if isinstance(x, int | float) and isinstance(y, int | float) and x != y:
            worst = max(worst, (abs(x - y) / max(abs(x), abs(y)), address), key=lambda pair: pair[0])
    return worst


def formula_cells(book: Workbook) -> dict[Address, str]:
    """Return the formula of every formula cell of a workbook that was loaded with formulas."""
    return {
        (sheet.title, cell.coordinate): str(cell.value)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }


def cell_values(book: Workbook, addresses: Iterable[Address] | None = None) -> dict[Address, Value]:
    """Return the values of a workbook that was loaded with `data_only`: of the given cells, or of all that hold one."""
    if addresses is not None:
        return {(sheet, reference): book[sheet][reference].value for sheet, reference in addresses}
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


def largest_precedents(formulas: Mapping[Address, str], values: Mapping[Address, Value]) -> dict[Address, float]:
    """Return the largest absolute number among the cells that each formula names directly.

    Reads A1 references and ranges, with or without sheet; a defined name adds nothing, which only makes it stricter.
    """
    known: dict[Address, float] = {}

    def largest(sheet: str, area: str) -> float:
        if (sheet, area) not in known:
            numbers = (values.get((sheet, reference)) for reference in _references(area))
            known[sheet, area] = max((abs(v) for v in numbers if isinstance(v, int | float)), default=0.0)
        return known[sheet, area]

    return {
        address: max((largest(*operand) for operand in _operands(address[0], formula)), default=0.0)
        for address, formula in formulas.items()
    }


def handed_on(formulas: Mapping[Address, str], *values: Mapping[Address, Value]) -> set[Address]:
    """Return the cells that show what another of these cells does, in all values: that one is judged in their place.

    A check of a difference of large numbers shows it twice, far from the numbers that it is the rest of.
    """
    return {
        at
        for at, formula in formulas.items()
        for sheet, area in _operands(at[0], formula)
        for reference in _references(area)
        if (sheet, reference) in formulas and all(each.get((sheet, reference)) == each.get(at) for each in values)
    }


@functools.cache
def _operands(home: str, formula: str) -> list[tuple[str, str]]:
    """Return the areas (sheet, A1:B2) that a formula names."""
    operands = []
    for token in Tokenizer(formula).items:
        if token.type == token.OPERAND and token.subtype == token.RANGE:
            sheet, _, area = token.value.rpartition("!")
            name = sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet
            operands.append((name or home, area.replace("$", "")))
    return operands


@functools.cache
def _references(area: str) -> list[str]:
    """Return the cells of an area; nothing for a name or for whole columns and rows."""
    try:
        left, top, right, bottom = range_boundaries(area)
    except ValueError:
        return []
    if None in (left, top, right, bottom):
        return []
    return [f"{get_column_letter(column)}{row}" for row in range(top, bottom + 1) for column in range(left, right + 1)]


def load_values(path: Path) -> dict[Address, Value]:
    """Return the cached values of a saved workbook."""
    return cell_values(stored_values(path))
