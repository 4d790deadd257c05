"""Outcome: what the front sheets show of every design, in normal operation and after one failure side by side.

The counts are Sizing's. Shares and room are those of the arrays in the design, bought for a failure or not; of nodes
those that may be lost are left out.
"""

from collections.abc import Iterator

from model.layout import gridwriter, table
from model.layout.line import GridSheet, Line
from model.reading.records import Data
from model.sheets.catalogue import general
from model.sheets.sizing import assumed
from model.sheets.sizing.constraints import ALL_LABELS, ALL_RATIOS, NORMAL_RATIOS

NAME = "Outcome"
# sheets whose rows stand behind every result, in the order in which they compute
BEHIND = (
    ("Design", "Capacity", "Demand", "Performance", "Containers"),
    ("Shares", "Sizing", "Latency", "Storms"),
    ("Cost", "Growth", "Years", "Net cost", NAME),
)
_BEFORE = "{range:computed:ask_words}"  # all rows of Outcome before these


def _faulty() -> Iterator[Line]:
    """Yield whether a row of some sheets holds an error though the design can be computed; the last holds these."""
    for number, sheets in enumerate(BEHIND, 1):
        areas = ",".join(_BEFORE if sheet == NAME else f"{{rows:{sheet}}}" for sheet in sheets)
        yield Line(
            f"rows_faulty_{number}",
            f"An error in a row of {', '.join(sheets)}",
            "flag",
            f"=IF(ISERROR(SUM({areas})),{{computed}},0)",
            "0 = none, or the design cannot be computed: then it shows no figure",
        )


def sheet(data: Data) -> GridSheet:
    """Return the Outcome sheet for the general defaults of the data files."""
    defaults = general.rows(data)
    return table.sheet(
        __file__,
        NAME,
        "Every design in normal operation and after one failure, and figures to ask a vendor for",
        rows={"general": defaults, **assumed.ROWS, "errors": tuple(_faulty())},
        texts={
            "NORMAL_RATIOS": NORMAL_RATIOS,
            "ALL_LABELS": ALL_LABELS,
            "ALL_RATIOS": ALL_RATIOS,
            "GENERAL_WORDS": "&".join(f"{{{line.key}}}" for line in defaults),
            **assumed.TEXTS,
        },
    )


TAB = gridwriter.tab(NAME, "Normal operation and after one failure, side by side", sheet)
