"""Where a paper, or a vendor's pages, contradict themselves, with the reading followed: a table below Predictions."""

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.reading.records import Data

_TITLE = (
    "Where papers, or pages of one vendor, contradict themselves: high changes an answer, medium leaves a figure open, "
    "low is a typo; the reading that is followed, and why"
)
_SEVERITY = {"H": "high", "M": "medium", "L": "low"}
_FOLLOWED = {"a": "first", "b": "second", "both": "both", "neither": "neither"}
_HEADS = (*("Id", "Paper", "Topic", "First reading", "Severity", "Followed", "Second reading", "Facts"),
          *("",) * 8, "Why")  # fmt: skip
_FACTS = _HEADS.index("Facts") + 1
_NOTES = {4, 7, _FACTS, len(_HEADS)}  # columns of long texts


def write(ws: Worksheet, data: Data, first: int) -> int:
    """Write every contradiction with both readings, the one followed and why, from a row on; return the last row."""
    canvas.table_head(ws, first - 1, _TITLE, _HEADS)
    row = first
    for row, item in enumerate(data.facts.discrepancies.values(), first):
        texts = (item.id, item.paper, item.topic, item.reading_a, _SEVERITY[item.severity], _FOLLOWED[item.followed],
                 item.reading_b, " ".join(item.fact_ids[:6]), *[None] * 8, item.why)  # fmt: skip
        for column, text in enumerate(texts, 1):
            if text is not None:
                put(ws, row, column, text, "note" if column in _NOTES else "label")
        canvas.overflow(ws, row, _FACTS)
    return row
