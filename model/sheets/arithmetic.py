"""Paper arithmetic: the papers' own sums, recomputed from the figures they print."""

from openpyxl.worksheet.worksheet import Worksheet

from model import canvas
from model.canvas import put, typed_role
from model.grid import FIRST_ROW
from model.read import Data

NAME = "Paper arithmetic"
_OPERATIONS = {"product": (1, "A x B"), "ratio": (2, "A / B"), "saving": (3, "1 - B / A"), "total": (4, "A + B")}


def cell(data: Data, sum_id: str) -> tuple[str, str]:
    """Return where the result of one sum stands."""
    return NAME, f"H{FIRST_ROW + [s.id for s in data.sums].index(sum_id)}"


def write(ws: Worksheet, data: Data) -> None:
    """Write one sum per row: A, B, the operation and our result."""
    headings = ["Id", "What", "A", "Unit of A", "B", "Unit of B", "Operation: 1 A x B, 2 A / B, 3 1 - B / A, 4 A + B", "Result",
                "Unit", "Facts", "Note"]  # fmt: skip
    canvas.head(ws, "Paper arithmetic", "Each paper's own sums, recomputed; consistency, not prediction.", headings,
                [9, 46, 13, 12, 13, 12, 16, 14, 12, 28, 44], "C5")  # fmt: skip
    ws.row_dimensions[4].height = 60
    for row, item in enumerate(data.sums, FIRST_ROW):
        put(ws, row, 1, item.id, "label")
        put(ws, row, 2, item.label, "label")
        put(ws, row, 3, item.a.value, typed_role(item.a))
        put(ws, row, 4, None, "label")
        put(ws, row, 5, item.b.value, typed_role(item.b))
        put(ws, row, 6, None, "label")
        put(ws, row, 7, _OPERATIONS[item.operation][0], "fact", "flag")
        put(ws, row, 8, f"=CHOOSE(G{row},C{row}*E{row},C{row}/E{row},1-E{row}/C{row},C{row}+E{row})", "output", item.unit)
        put(ws, row, 9, item.unit, "label")
        put(ws, row, 10, "; ".join(dict.fromkeys((item.a.source, item.b.source))), "note")
        put(ws, row, 11, item.note, "note")
    canvas.print_setup(ws, len(headings), FIRST_ROW + len(data.sums) - 1)
