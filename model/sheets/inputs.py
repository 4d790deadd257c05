"""Inputs: what people type. Column D is the base design, E to K are what-ifs (blank inherits), then the published tests, locked."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model import canvas
from model.canvas import put, typed_role
from model.cases import published_value
from model.grid import BASE, BASIS, FIRST_PUBLISHED, FIRST_ROW, LABEL, UNIT, Layout, input_rows
from model.line import Group
from model.read import Data, Input

NAME = "Inputs"
_WIDTHS = [42, 11, 40, 22, *[15] * 7]


def write(ws: Worksheet, data: Data, layout: Layout) -> None:
    """Write every input with validation, and the published columns beside the what-ifs."""
    headings = ["Input", "Unit", "Source of the base value, and help", *layout.case_names]
    widths = [*_WIDTHS, *[17] * len(data.cases)]
    purpose = "Type in column D. What-if columns: a blank cell inherits the base design. Locked columns are the published tests."
    canvas.head(ws, "Inputs", purpose, headings, widths, "D5")
    _answer(ws, layout)
    for row, item in enumerate(input_rows(data.inputs), FIRST_ROW):
        if isinstance(item, Group):
            for column in range(1, BASE + len(layout.case_names)):
                put(ws, row, column, item.label if column == 1 else None, "group")
            continue
        _row(ws, row, item, data)
    canvas.print_setup(ws, FIRST_PUBLISHED - 1, FIRST_ROW + len(input_rows(data.inputs)) - 1)


def _answer(ws: Worksheet, layout: Layout) -> None:
    """Repeat the answer in row 2, where people type."""
    for column, (label, key, form) in enumerate(
        (("Arrays", "arrays_required", "0"), ("Binding", "binding_constraint", None), ("Cost per desktop", "cost_per_desktop", "#,##0.00")),
    ):
        sheet, cell = layout.cell(key)
        at = BASE + 2 * column
        put(ws, 2, at, label, "note")
        put(ws, 2, at + 1, f"={sheet}!{cell}", "output")
        if form:
            ws.cell(2, at + 1).number_format = form


def _row(ws: Worksheet, row: int, item: Input, data: Data) -> None:
    put(ws, row, LABEL, item.label, "label")
    put(ws, row, UNIT, item.unit, "label")
    note = f"{item.value.source}. {item.help}"
    put(ws, row, BASIS, note, "note")
    ws.row_dimensions[row].height = 13 * max(1, -(-len(note) // 48))
    put(ws, row, BASE, item.value.value, typed_role(item.value, unlocked=True), item.unit)
    for column in range(BASE + 1, FIRST_PUBLISHED):
        put(ws, row, column, None, "input", item.unit)
    for column, case in enumerate(data.cases, FIRST_PUBLISHED):
        typed = published_value(data, case, item)
        put(ws, row, column, typed.value, typed_role(typed), item.unit)
    area = f"{get_column_letter(BASE)}{row}:{get_column_letter(FIRST_PUBLISHED - 1)}{row}"
    if item.kind == "choice":
        canvas.allow_list(ws, area, item.choices, item.label)
        for column in range(BASE, BASE + 8 + len(data.cases)):
            canvas.wrap(ws.cell(row, column))
        ws.row_dimensions[row].height = 40
    else:
        canvas.allow_number(ws, area, item.minimum or 0, item.maximum or 0, item.label)
