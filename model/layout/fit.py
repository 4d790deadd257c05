"""How large texts are: column widths in pixels, and the height a row needs so that no wrapped text is cut off.

Applications fit rows only where no height is stored, and not on protected sheets; so heights are computed here.
"""

import math

from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from model.layout.grid import HEAD_ROW

PIXELS_PER_INCH, POINTS_PER_INCH = 96, 72
DIGIT_PIXELS = 7  # a column's width counts digits of Calibri 11
DEFAULT_WIDTH = 8.43
LINE_POINTS, PADDING_POINTS = 13.0, 3.0
_LEADING, _BOLD = 1.28, 1.05
_CELL_PIXELS, _INDENT_PIXELS = 7, 9
_OTHER_EM = 0.525
_EM = {  # advance widths of Calibri, rounded, in em
    **dict.fromkeys("ijl.,:;'|!I ", 0.25),
    **dict.fromkeys("frt()[]-/J`", 0.33),
    **dict.fromkeys("scz", 0.41),
    **dict.fromkeys("mM", 0.83),
    **dict.fromkeys("wW@%", 0.76),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ_", 0.58),
}


def pixels(ws: Worksheet, letter: str) -> float:
    """Return the width of a column."""
    width = ws.column_dimensions[letter].width if letter in ws.column_dimensions else DEFAULT_WIDTH
    return float(width) * DIGIT_PIXELS


def rows(ws: Worksheet, last_row: int) -> None:
    """Give every row from the headings down the height its typed texts need; a height set before is the least."""
    needed_by_row: dict[int, float] = {}
    for (row, _), cell in ws._cells.items():
        if isinstance(cell.value, str) and HEAD_ROW <= row <= last_row:
            needed_by_row[row] = max(_height(ws, cell), needed_by_row.get(row, 0.0))
    for row in range(HEAD_ROW, last_row + 1):
        needed = needed_by_row.get(row, 0.0)
        set_before = ws.row_dimensions[row].height or 0
        ws.row_dimensions[row].height = round(max(needed, set_before, LINE_POINTS + PADDING_POINTS), 1)


def reserve(ws: Worksheet, row: int, lines: int) -> None:
    """Keep room in a row for texts that formulas make or people choose."""
    ws.row_dimensions[row].height = lines * LINE_POINTS + PADDING_POINTS


def lines(text: str, em: float) -> int:
    """Return how many lines a text fills when words wrap at a width given in em."""
    count, used = 1, 0.0
    for word in text.replace("-", "- ").split(" "):
        width = sum(_EM.get(letter, _OTHER_EM) for letter in word)
        gap = _EM[" "] if used else 0.0
        if used + gap + width <= em:
            used += gap + width
            continue
        count += (used > 0) + max(0, math.ceil(width / em) - 1)
        used = width % em if width > em else width
    return count


def _height(ws: Worksheet, cell: Cell) -> float:
    """Return the points a typed text needs in its column; a text that does not wrap, or a formula's, needs one line."""
    size = float(cell.font.size or LINE_POINTS)
    line = size * _LEADING
    if str(cell.value).startswith("=") or not cell.alignment.wrap_text:
        return line
    room = pixels(ws, cell.column_letter) - _CELL_PIXELS - _INDENT_PIXELS * (cell.alignment.indent or 0)
    em = size / POINTS_PER_INCH * PIXELS_PER_INCH * (_BOLD if cell.font.bold else 1)
    return line * lines(str(cell.value), room / em) + PADDING_POINTS
