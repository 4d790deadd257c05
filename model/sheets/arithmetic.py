"""Paper arithmetic: the papers' own sums, recomputed, and the sums behind predictions that no column makes."""

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put, typed_role
from model.layout.grid import FIRST_ROW
from model.layout.tab import Context, Tab
from model.reading.records import Data

NAME = "Paper arithmetic"
_OPERATIONS = {"product": (1, "A x B"), "ratio": (2, "A / B"), "saving": (3, "1 - B / A"), "total": (4, "A + B")}


def cell(data: Data, sum_id: str) -> tuple[str, str]:
    """Return where the result of one sum stands."""
    return NAME, f"H{FIRST_ROW + [s.id for s in data.sums].index(sum_id)}"


def operation_code(operation: str) -> int:
    """Return the number that stands for an operation in its column."""
    return _OPERATIONS[operation][0]


def write(ws: Worksheet, context: Context) -> None:
    """Write one sum per row: A, B, the operation and our result."""
    data = context.data
    headings = ["Id", "What", "A", "Unit of A", "B", "Unit of B", "Operation", "Result", "Unit", "Facts", "Note"]
    purpose = "The papers' own sums and those behind Predictions. 1 = A x B, 2 = A / B, 3 = 1 - B / A, 4 = A + B."
    widths = [10, 46, 14, 13, 14, 13, 11, 14, 14, 32, 44]
    canvas.head(ws, "Paper arithmetic", purpose, headings, widths, "C5", (3, 5, 7, 8))
    for row, item in enumerate(data.sums, FIRST_ROW):
        put(ws, row, 1, item.id, "label")
        put(ws, row, 2, item.label, "label")
        put(ws, row, 3, item.a.value, typed_role(item.a))
        ws.cell(row, 3).number_format = styles.typed_format(item.a.value)
        put(ws, row, 4, item.a_unit, "label")
        put(ws, row, 5, item.b.value, typed_role(item.b))
        ws.cell(row, 5).number_format = styles.typed_format(item.b.value)
        put(ws, row, 6, item.b_unit, "label")
        put(ws, row, 7, operation_code(item.operation), "fact", "flag")
        put(
            ws,
            row,
            8,
            f"=CHOOSE(G{row},C{row}*E{row},C{row}/E{row},1-E{row}/C{row},C{row}+E{row})",
            "output",
            item.unit,
        )
        if item.unit == "arrays":  # a share of one is shown, not counted as a whole one
            ws.cell(row, 8).number_format = "0.0"
        put(ws, row, 9, item.unit, "label")
        put(ws, row, 10, "; ".join(dict.fromkeys((item.a.source, item.b.source))), "note")
        put(ws, row, 11, item.note, "note")
    canvas.print_setup(ws, len(headings), FIRST_ROW + len(data.sums) - 1)


TAB = Tab(NAME, "table", "calculation", "The papers' own sums, recomputed", write)
