"""The sign-off below Cost review: a line of its own for each who decides, to fill in by hand on the printed page."""

from openpyxl.styles import Border, Side
from openpyxl.worksheet.worksheet import Worksheet

from model.layout.canvas import put
from model.layout.styles import LINE

SIGNED_BY = ("Budget holder", "Storage architect", "Customer")
ROWS = len(SIGNED_BY) + 1  # with the headings
_HEADINGS = {1: "Sign-off: the cost above is approved", 3: "Name", 6: "Date", 8: "Signature"}  # by column
_HEIGHT = 30
_UNDER = Border(bottom=Side(style="thin", color=LINE))


def write(ws: Worksheet, first: int, last_column: int) -> None:
    """Write the headings in a row, and below them a line for each who signs."""
    for column in range(1, last_column + 1):
        put(ws, first, column, _HEADINGS.get(column), "group")
    for row, role in enumerate(SIGNED_BY, first + 1):
        ws.row_dimensions[row].height = _HEIGHT
        for column in range(1, last_column + 1):
            put(ws, row, column, role if column == 1 else None, "label")
            ws.cell(row, column).border = _UNDER
