"""Addresses in Excel's A1 notation, shared by the engines."""

from __future__ import annotations

import re

from openpyxl.utils import column_index_from_string, get_column_letter

Area = tuple[int, int, int, int]  # first row, first column, last row, last column, counted from 0
LAST_ROW, LAST_COLUMN = 1_048_576 - 1, 16_384 - 1  # from 0
_ADDRESS = re.compile(r"\$?([A-Z]{1,3})?\$?(\d+)?(?::\$?([A-Z]{1,3})?\$?(\d+)?)?", re.IGNORECASE)


def area_of(address: str) -> Area | None:
    """Return the area of an A1 address; None for any other text."""
    match = _ADDRESS.fullmatch(address)
    if match is None or not any(match.groups()):
        return None
    left, top, right, bottom = match.groups()
    if ":" not in address:
        if left is None or top is None:
            return None
        right, bottom = left, top
    if (left is None) != (right is None) or (top is None) != (bottom is None):
        return None
    columns = (
        sorted(column_index_from_string(letters) - 1 for letters in (left, right))
        if left and right
        else (0, LAST_COLUMN)
    )
    rows = sorted(int(digits) - 1 for digits in (top, bottom)) if top and bottom else (0, LAST_ROW)
    if rows[0] < 0 or rows[1] > LAST_ROW or columns[1] > LAST_COLUMN:
        return None
    return rows[0], columns[0], rows[1], columns[1]


def address_of(area: Area) -> str:
    """Return the absolute A1 address of an area."""
    top, left, bottom, right = area
    first, last = f"${get_column_letter(left + 1)}${top + 1}", f"${get_column_letter(right + 1)}${bottom + 1}"
    return first if first == last else f"{first}:{last}"
