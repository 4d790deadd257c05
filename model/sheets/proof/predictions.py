"""Predictions: what the model says of a test from figures of other tests, and by how much it misses.

The formula that follows the model's rules counts; every other that was tried is shown as a variant. Means are
compared with means and peaks with peaks; of a printed range the nearer end counts; of two comparisons of which each
implies the other, (1 + a)(1 + b) = 1, the larger miss counts. What only looks like a prediction comes last, with
the reason. Below is where the papers contradict themselves.
"""

from itertools import count

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, HEAD_ROW, Layout, quoted
from model.layout.tab import Context, Tab
from model.reading.proof import Prediction
from model.reading.records import Data
from model.sheets.proof import calibration, discrepancies, evidence, phase_spreads

NAME = "Predictions"
_ROLES = {"fixed": "prediction", "variant": "variant", "none": "none"}
BLOCKS = {(scope, role): f"{scope}: {_ROLES[role]}" for scope in ("within", "across") for role in ("fixed", "variant")}
_HEADS = ["Id", "Paper", "Where", "What", "Scope", "Role", "How", "Printed, from", "Printed, to", "Ours", "Error",
          *BLOCKS.values(), "Unit", "Why it misses, or why it is no prediction", "",
          "Size of error", *BLOCKS.values()]  # fmt: skip
_SHARE = "+0.0%;-0.0%;0.0%"
_SIZES = _HEADS.index("Error") + 2  # first of the columns that hold the sizes of errors, block by block
TALLY = _HEADS.index("Size of error") + 1  # column of the tally's labels, the blocks on its right
_TALLY = (("Rows", "COUNT", "0"), ("Median", "MEDIAN", "0.0%"), ("Worst", "MAX", "0.0%"))


def column(heading: str) -> int:
    """Return the column under a heading."""
    return _HEADS.index(heading) + 1


def write(ws: Worksheet, context: Context) -> None:
    """Write one row per prediction and the tally of their errors."""
    data, layout = context.data, context.layout
    purpose = (
        "The formula that follows the model's rules counts, others are beside it; of a range the nearer end, of an "
        "inverse pair the larger miss. None rests on the figure it is compared with."
    )
    widths = [8, 8, 24, 38, 9, 12, 42, 12, 12, 13, 11, *[11] * 4, 14, 44, 3, 12, *[11] * 4]
    values = (*range(8, _SIZES + len(BLOCKS)), *range(TALLY + 1, len(_HEADS) + 1))
    canvas.head(ws, "Predictions", purpose, _HEADS, widths, "E5", values)
    for row, item in enumerate(data.predictions, FIRST_ROW):
        _row(ws, row, item, data, layout)
    _tally(ws, FIRST_ROW + len(data.predictions) - 1)
    last = calibration.write(ws, data, _below(data))
    last = discrepancies.write(ws, data, last + 4)
    canvas.print_setup(ws, len(_HEADS), last)


def _below(data: Data) -> int:
    """Return the first row of the hit rates, below the predictions."""
    return FIRST_ROW + len(data.predictions) + 3


def _tally(ws: Worksheet, last: int) -> None:
    """Write what the sizes of the errors come to, block by block."""
    for row, (label, function, form) in zip(count(FIRST_ROW, 2), _TALLY, strict=False):  # apart: a formula each
        put(ws, row, TALLY, label, "label")
        for place in range(len(BLOCKS)):
            letter = get_column_letter(_SIZES + place)
            put(ws, row, TALLY + 1 + place, f"={function}({letter}${FIRST_ROW}:{letter}${last})", "output")
            ws.cell(row, TALLY + 1 + place).number_format = form


def _row(ws: Worksheet, row: int, item: Prediction, data: Data, layout: Layout) -> None:
    cited = item.low or item.high
    fact = data.facts.fact(cited) if cited else None
    texts = (item.id, fact.paper if fact else "", fact.location if fact else "not printed", item.label, item.scope)
    for at, text in enumerate((*texts, _ROLES[item.role], item.how or "no formula"), 1):
        put(ws, row, at, text, "label")
    for at, fact_id in ((8, item.low), (9, item.high)):
        put(ws, row, at, data.facts.value(fact_id, item.unit) if fact_id else None, "fact", item.unit)
    if item.ours:
        sheet, address = evidence.computed_cell(data, layout, item.ours)
        put(ws, row, 10, f"={quoted(sheet)}!{address}", "output", item.unit)
    if item.ours and item.low and item.high:
        put(ws, row, 11, f"=J{row}/IF(J{row}+J{row}<H{row}+I{row},H{row},I{row})-1", "calculation")  # nearer end
        ws.cell(row, 11).number_format = _SHARE
    for at in range(_SIZES, _SIZES + len(BLOCKS)):
        counts = f'AND($E{row}&": "&$F{row}={get_column_letter(at)}${HEAD_ROW},ISNUMBER($K{row}))'
        put(ws, row, at, f'=IF({counts},ABS($K{row}),"")', "output")
        ws.cell(row, at).number_format = "0.0%"
    put(ws, row, column("Unit"), item.unit, "label")
    put(ws, row, column("Unit") + 1, item.why, "note")


TAB = Tab(
    NAME,
    "table",
    "result",
    "What the model predicts of each test, and its errors; contradictions in the papers",
    write,
    lambda data: phase_spreads.blocks(calibration.phases_row(data, _below(data))),
)
