"""Write a grid sheet: one formula per row, the same in every column, with unit and basis."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model import canvas
from model.canvas import put
from model.grid import BASE, BASIS, FIRST_PUBLISHED, FIRST_ROW, LABEL, UNIT, Layout
from model.line import GridSheet, Group

_WIDTHS = [44, 11, 44, *[15] * 8]
PAGE = 8


def write(ws: Worksheet, grid: GridSheet, layout: Layout) -> None:
    """Write all lines of a grid in all columns."""
    headings = ["Line item", "Unit", "Source or basis", *layout.case_names]
    published = len(layout.case_names) - (FIRST_PUBLISHED - BASE)
    canvas.head(ws, grid.title, grid.purpose, headings, [*_WIDTHS, *[15] * published], "D5")
    for row, line in enumerate(grid.rows, FIRST_ROW):
        if isinstance(line, Group):
            for column in range(1, layout.columns.stop):
                put(ws, row, column, line.label if column == 1 else None, "group")
            continue
        put(ws, row, LABEL, line.label, "label")
        put(ws, row, UNIT, line.unit, "label")
        put(ws, row, BASIS, line.basis, "note")
        role = "output" if line.output else "calculation"
        for column in layout.columns:
            put(ws, row, column, layout.resolve(line.formula, grid.name, column), role, line.unit)
            if line.unit == "text":
                canvas.wrap(ws.cell(row, column))
        if line.unit == "text":
            ws.row_dimensions[row].height = 52 if line.key in ("status", "constraints_unchecked") else 39
    last = FIRST_ROW + len(grid.rows) - 1
    canvas.print_setup(ws, FIRST_PUBLISHED - 1, last, titles="A:C")
    _published_pages(ws, published, last)


def _published_pages(ws: Worksheet, published: int, last: int) -> None:
    """Print the published columns on further pages of at most eight, with columns A to C repeated."""
    areas = [f"A1:{get_column_letter(FIRST_PUBLISHED - 1)}{last}"]
    for start in range(FIRST_PUBLISHED, FIRST_PUBLISHED + published, PAGE):
        end = min(start + PAGE, FIRST_PUBLISHED + published) - 1
        areas.append(f"{get_column_letter(start)}1:{get_column_letter(end)}{last}")
    ws.print_area = ",".join(areas)
