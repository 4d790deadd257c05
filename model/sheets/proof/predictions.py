"""Predictions: what the model says of a test from figures of other tests, and by how much it misses.

The formula that follows the model's rules counts; every other that was tried stands beside it as a variant. Means are
compared with means and peaks with peaks; of a printed range the nearer end counts; of two comparisons of which each
implies the other, (1 + a)(1 + b) = 1, the larger miss counts. What looks like a prediction and is none stands last,
with the reason. Below stands where the papers contradict themselves.
"""

from itertools import count, groupby

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, Layout, quoted
from model.layout.tab import Context, Tab
from model.reading.records import Data, Prediction
from model.sheets.proof import discrepancies, evidence

NAME = "Predictions"
_HEADS = ["Id", "Paper", "Where", "What", "Scope", "Role", "How", "Printed, from", "Printed, to", "Ours", "Error",
          "Size of error", "Unit", "Why it misses, or why it is no prediction", None,
          "Predictions", "Rows", "Median error", "Worst error"]  # fmt: skip
_SHARE = "+0.0%;-0.0%;0.0%"
TALLY = 16  # column of the tally's labels
BLOCKS = {
    ("within", "fixed"): "Within a paper",
    ("within", "variant"): "Within a paper, variants",
    ("across", "fixed"): "Across papers",
    ("across", "variant"): "Across papers, variants",
}


def column(heading: str) -> int:
    """Return the column under a heading."""
    return _HEADS.index(heading) + 1


def cell(row: int, heading: str) -> tuple[str, str]:
    """Return a row's cell under a heading."""
    return NAME, f"{get_column_letter(column(heading))}{row}"


def spans(data: Data) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the first and last row of every block of predictions; blocks stand together in the data."""
    rows: dict[tuple[str, str], tuple[int, int]] = {}
    numbered = enumerate(data.predictions, FIRST_ROW)
    for key, block in groupby(numbered, key=lambda entry: (entry[1].scope, entry[1].role)):
        numbers = [number for number, _ in block]
        rows[key] = numbers[0], numbers[-1]
    return rows


def write(ws: Worksheet, context: Context) -> None:
    """Write one row per prediction and the tally of their errors."""
    data, layout = context.data, context.layout
    purpose = (
        "The formula that follows the model's rules counts, others are beside it; of a range the nearer end, of an "
        "inverse pair the larger miss. None rests on the figure it is compared with."
    )
    widths = [8, 8, 24, 38, 9, 10, 44, 12, 12, 13, 11, 11, 14, 52, 3, 26, 8, 10, 10]
    canvas.head(ws, "Predictions", purpose, [h or "" for h in _HEADS], widths, "E5", (*range(8, 13), *range(17, 20)))
    for row, item in enumerate(data.predictions, FIRST_ROW):
        _row(ws, row, item, data, layout)
    for row, (key, label) in zip(count(FIRST_ROW, 2), BLOCKS.items(), strict=False):  # apart: each reads its own rows
        first, last = spans(data)[key]
        put(ws, row, TALLY, label, "label")
        sizes = f"L{first}:L{last}"
        put(ws, row, TALLY + 1, f"=COUNT({sizes})", "output", "flag")
        put(ws, row, TALLY + 2, f"=MEDIAN({sizes})", "output", "ratio")
        put(ws, row, TALLY + 3, f"=MAX({sizes})", "output", "ratio")
        for at in (TALLY + 2, TALLY + 3):
            ws.cell(row, at).number_format = "0.0%"
    last = discrepancies.write(ws, data, FIRST_ROW + len(data.predictions) + 3)
    canvas.print_setup(ws, len(_HEADS), last)


def _row(ws: Worksheet, row: int, item: Prediction, data: Data, layout: Layout) -> None:
    cited = item.low or item.high
    fact = data.facts.fact(cited) if cited else None
    role = {"fixed": "prediction", "variant": "variant", "none": "none"}[item.role]
    texts = (item.id, fact.paper if fact else "", fact.location if fact else "not printed", item.label, item.scope)
    for at, text in enumerate((*texts, role, item.how or "no formula"), 1):
        put(ws, row, at, text, "label")
    for at, fact_id in ((8, item.low), (9, item.high)):
        put(ws, row, at, data.facts.value(fact_id, item.unit) if fact_id else None, "fact", item.unit)
    if item.ours:
        sheet, address = evidence.computed_cell(data, layout, item.ours)
        put(ws, row, 10, f"={quoted(sheet)}!{address}", "output", item.unit)
    if item.ours and item.low and item.high:
        put(ws, row, 11, f"=J{row}/IF(J{row}+J{row}<H{row}+I{row},H{row},I{row})-1", "calculation")  # nearer end
        put(ws, row, 12, f"=ABS(K{row})", "output")
        ws.cell(row, 11).number_format = _SHARE
        ws.cell(row, 12).number_format = "0.0%"
    put(ws, row, 13, item.unit, "label")
    put(ws, row, 14, item.why, "note")


TAB = Tab(
    NAME, "table", "result", "What the model predicts of each test, and its errors; contradictions in the papers", write
)
