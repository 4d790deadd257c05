"""Discrepancies: where a paper contradicts itself, both readings and the one followed."""

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW
from model.layout.tab import Context, Tab

NAME = "Discrepancies"
_SEVERITY = {"H": "high", "M": "medium", "L": "low"}
_FOLLOWED = {"a": "first", "b": "second", "both": "both", "neither": "neither"}


def write(ws: Worksheet, context: Context) -> None:
    """Write every contradiction with both readings, the one followed and why."""
    data = context.data
    headings = ["Id", "Severity", "Paper", "Topic", "First reading", "Second reading", "Followed", "Why", "Facts"]
    purpose = (
        "Where the papers contradict themselves: high changes an answer, medium leaves a figure open, low is a typo."
    )
    canvas.head(ws, "Discrepancies", purpose, headings, [10, 10, 8, 34, 44, 44, 11, 46, 24], "B5")
    items = list(data.facts.discrepancies.values())
    for row, item in enumerate(items, FIRST_ROW):
        texts = (item.id, _SEVERITY[item.severity], item.paper, item.topic, item.reading_a, item.reading_b,
                 _FOLLOWED[item.followed], item.why, " ".join(item.fact_ids[:6]))  # fmt: skip
        for column, text in enumerate(texts, 1):
            put(ws, row, column, text, "note" if column > 4 else "label")
    canvas.print_setup(ws, len(headings), FIRST_ROW + len(items) - 1)


TAB = Tab(NAME, "front", "result", "Where the papers contradict themselves", write)
