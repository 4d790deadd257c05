"""Where a sheet has its labels, units and sources, also after somebody has inserted a column.

Every sheet of the workbook shows the banner above its labels, and heads the column of units. A sheet without them has
the columns that the layout gives it.
"""

from __future__ import annotations

from typing import NamedTuple

from addin.kernel import Address, Cells

BANNER, BANNER_ROW = "=chk_banner", 2  # the formula above the labels, whatever its case
UNIT, HEAD_ROW = "Unit", 4  # the heading of the units, and the row of all headings
_SOURCES = ("Source", "Meaning", "Read from", "From sheet")  # how the heading of the sources begins
_MOST = 12  # columns that are looked at for each of them


class Columns(NamedTuple):
    """The columns that describe a row, counted from 1."""

    label: int = 1
    unit: int = 2
    basis: int = 3


BUILT = Columns()


def of(cells: Cells, sheet: str) -> Columns:
    """Return the columns of a sheet."""
    headed = cells.values.get(Address(sheet, HEAD_ROW, BUILT.unit)) == UNIT and _source(cells, sheet, BUILT.basis)
    if headed and _banner(cells, sheet, BUILT.label):
        return BUILT
    label = next((column for column in range(1, _MOST) if _banner(cells, sheet, column)), None)
    if label is None:
        return BUILT
    right = range(label + 1, label + _MOST)
    unit = next((c for c in right if cells.values.get(Address(sheet, HEAD_ROW, c)) == UNIT), None)
    if unit is None:
        return Columns(label, label + 1, label + 2)
    return Columns(label, unit, next((c for c in right if c > unit and _source(cells, sheet, c)), unit + 1))


def label(cells: Cells, at: Address) -> Address:
    """Return the cell with the label of a cell's row."""
    return at._replace(column=of(cells, at.sheet).label)


def unit(cells: Cells, at: Address) -> Address:
    """Return the cell with the unit of a cell's row."""
    return at._replace(column=of(cells, at.sheet).unit)


def basis(cells: Cells, at: Address) -> Address:
    """Return the cell that says where the figures of a cell's row come from."""
    return at._replace(column=of(cells, at.sheet).basis)


def _banner(cells: Cells, sheet: str, column: int) -> bool:
    text = cells.values.get(Address(sheet, BANNER_ROW, column))
    return isinstance(text, str) and text.casefold() == BANNER


def _source(cells: Cells, sheet: str, column: int) -> bool:
    text = cells.values.get(Address(sheet, HEAD_ROW, column))
    return isinstance(text, str) and text.startswith(_SOURCES)
