"""Write a grid sheet: one formula per row, the same in every column, with unit and basis."""

from collections.abc import Callable

from openpyxl.cell import Cell
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit, styles
from model.layout.canvas import put
from model.layout.grid import BASE, BASIS, FIRST_PUBLISHED, FIRST_ROW, LABEL, UNIT, Layout
from model.layout.line import GridSheet, Group, Line
from model.layout.tab import Context, Tab
from model.reading.records import Data

_WIDTHS = [42, 13, 40, *[17] * 8]
_PUBLISHED_WIDTH = 17
_RIGHT = Alignment(horizontal="right", vertical="center")


def tab(name: str, purpose: str, sheet: Callable[[Data], GridSheet]) -> Tab:
    """Return the tab of a grid sheet; its lines may depend on the data."""

    def write_grid(ws: Worksheet, context: Context) -> None:
        write(ws, sheet(context.data), context.layout)

    return Tab(name, "grid", "calculation", purpose, write_grid, grid=sheet)


def write(ws: Worksheet, grid: GridSheet, layout: Layout) -> None:
    """Write all lines of a grid in all columns."""
    columns = layout.columns if grid.published else range(BASE, FIRST_PUBLISHED)
    cases = layout.case_names[: len(columns)]
    headings = ["Line item", "Unit", "Source or basis", *cases]
    widths = [*_WIDTHS, *[_PUBLISHED_WIDTH] * (len(columns) - (FIRST_PUBLISHED - BASE))]
    canvas.head(ws, grid.title, grid.purpose, headings, widths, "D5", columns)
    for row, line in enumerate(grid.rows, FIRST_ROW):
        if isinstance(line, Group):
            for column in range(1, columns.stop):
                put(ws, row, column, line.label if column == 1 else None, "group")
            continue
        _line(ws, row, line, grid.name, layout, columns)
        if line.key == "status":
            last = get_column_letter(columns.stop - 1)
            canvas.colour_answer(ws, f"{get_column_letter(BASE)}{row}:{last}{row}")
    last = FIRST_ROW + (grid.printed or len(grid.rows)) - 1
    canvas.print_setup(ws, FIRST_PUBLISHED - 1, last, titles="A:C")  # published tests are proof, no part of a design
    fit.rows(ws, FIRST_ROW + len(grid.rows) - 1)


def _line(ws: Worksheet, row: int, line: Line, sheet: str, layout: Layout, columns: range) -> None:
    put(ws, row, LABEL, line.label, "label")
    canvas.put_unit(ws, row, UNIT, line.unit)
    put(ws, row, BASIS, line.basis, "note")
    styled: dict[bool, Cell] = {}  # the first cell of the designs, the first of the published tests
    for column in columns:
        formula, published = layout.resolve(line.formula, sheet, column), column >= FIRST_PUBLISHED
        if published in styled:
            canvas.put_like(styled[published], column, formula)
            continue
        put(ws, row, column, formula, "output" if line.output else "calculation")
        styled[published] = cell = ws.cell(row, column)
        cell.number_format = styles.line_format(line.key, line.unit, published)
        # a text such as "enter a quote" stands where its number would
        cell.alignment = canvas.CENTRED if line.unit == "text" else _RIGHT
    if line.unit == "text":
        fit.reserve(ws, row, line.text_lines)
