"""The papers' own sums, recomputed, and the sums behind predictions that no column makes: a table of Evidence."""

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put, typed_role
from model.layout.grid import FIRST_ROW
from model.reading.records import Data

TITLE = "The papers' own sums, and those behind Predictions: 1 = A x B, 2 = A / B, 3 = 1 - B / A, 4 = A + B"
_OPERATIONS = {"product": (1, "A x B"), "ratio": (2, "A / B"), "saving": (3, "1 - B / A"), "total": (4, "A + B")}
_HEADS = ("Id", "Operation", "Facts", "What", "A", "Unit of A", "B", "Unit of B", "Result", "Unit", "Note")
A, B, OPERATION, RESULT, NOTE = (_HEADS.index(head) + 1 for head in ("A", "B", "Operation", "Result", "Note"))


def first_row(data: Data) -> int:
    """Return the row of the first sum: below the printed results, a title and the headings."""
    return FIRST_ROW + len(data.evidence) + 3


def end(data: Data) -> int:
    """Return the row below the last sum."""
    return first_row(data) + len(data.sums)


def cell(data: Data, sum_id: str) -> str:
    """Return the cell with the result of one sum."""
    return f"I{first_row(data) + [s.id for s in data.sums].index(sum_id)}"


def operation_code(operation: str) -> int:
    """Return the number of an operation in its column."""
    return _OPERATIONS[operation][0]


def write(ws: Worksheet, data: Data) -> None:
    """Write one sum per row: A, B, the operation and our result."""
    first = first_row(data)
    canvas.table_head(ws, first - 1, TITLE, _HEADS, (B - 1, A, B, RESULT))
    for row, item in enumerate(data.sums, first):
        sources = "; ".join(dict.fromkeys((item.a.source, item.b.source)))
        texts = {1: item.id, 4: item.label, 6: item.a_unit, 8: item.b_unit, 10: item.unit}
        for column, text in texts.items():
            put(ws, row, column, text, "label")
        put(ws, row, OPERATION, operation_code(item.operation), "fact", "flag")
        put(ws, row, 3, sources, "note")
        for column, typed in ((A, item.a), (B, item.b)):
            put(ws, row, column, typed.value, typed_role(typed))
            ws.cell(row, column).number_format = styles.typed_format(typed.value)
        formula = f"=CHOOSE(B{row},E{row}*G{row},E{row}/G{row},1-G{row}/E{row},E{row}+G{row})"
        put(ws, row, RESULT, formula, "output", item.unit)
        if item.unit == "arrays":  # a share of one is shown, not counted as a whole one
            ws.cell(row, RESULT).number_format = "0.0"
        put(ws, row, NOTE, item.note, "note")
        canvas.overflow(ws, row, NOTE)
