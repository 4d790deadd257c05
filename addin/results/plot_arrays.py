"""Draw a comparison: every array for one workload, a bar each. A PNG, the extra [plot]."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from addin.kernel import Scalar
from addin.results.plot import BLUE, GREY, SKY, drawn, plain_numbers, store
from addin.sizing.result_keys import COMPARE
from addin.sizing.tables import Table
from addin.workbook.book import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NONE = "none"  # the workbook's word if all constraints are checked
COUNT, RATIO, BINDING, UNCHECKED = (
    1 + COMPARE.index(key)  # the first column names the array
    for key in ("arrays_required", "ratio_largest", "binding_constraint", "constraints_unchecked")
)


def plot(table: Table, path: Path, head: str) -> None:
    """Draw a table of `compare` under a heading and save it whole or not at all. Raises RequestError."""
    store(path, png(table, head))


def png(table: Table, head: str) -> bytes:
    """Return the picture."""
    return drawn(lambda canvas: _bars(canvas, table, head))


def remark(row: Sequence[Scalar]) -> tuple[str, str]:
    """Return the text beside a bar: the rounded count with its limit, and the constraints not checked, if any."""
    count, unchecked = row[COUNT], shown(row[UNCHECKED])
    arrays = f"{shown(count)} array{'' if count == 1 else 's'}" if isinstance(count, float) else shown(count)
    least = unchecked != NONE
    text = f"{'at least ' if least and isinstance(count, float) else ''}{arrays}, {shown(row[BINDING])}"
    return text, f"not checked: {unchecked}" if least else ""


def _bars(canvas: Figure, table: Table, head: str) -> None:
    axes = canvas.subplots()
    rows = table.rows
    ratios = [value if isinstance(value := row[RATIO], float) else 0.0 for row in rows]
    for position, (row, ratio) in enumerate(zip(rows, ratios, strict=True)):
        text, unchecked = remark(row)
        if unchecked:
            axes.barh(position, ratio, 0.6, color="white", edgecolor=SKY, hatch="////")
        else:
            axes.barh(position, ratio, 0.6, color=BLUE)
        _beside(axes, (ratio, position), text, unchecked)
    axes.set_yticks(range(len(rows)), [textwrap.fill(shown(row[0]), 30) for row in rows], fontsize=12)
    axes.set_ylim(max(len(rows), 4) - 0.5, -0.5)  # the first of the catalogue on top
    axes.set_xlim(0, 1.6 * max([*ratios, 1.0]))  # room for the text beside the longest bar
    plain_numbers(axes)
    axes.yaxis.grid(False)
    axes.set(xlabel="Arrays needed before rounding up (the largest of all ratios of demand to one array)")
    axes.set_title("Blue: every constraint checked. Hatched: at least, as some are not.", fontsize=11, color=GREY)
    canvas.suptitle(textwrap.fill(head, 110), fontsize=18 if len(head) < 90 else 12, fontweight="bold")
    canvas.supxlabel(textwrap.fill(" ".join(table.notes), 160), fontsize=9, color=GREY, x=0.99, ha="right")


def _beside(axes: Axes, end: tuple[float, float], text: str, unchecked: str) -> None:
    """Write beside the end of a bar; the constraints not checked in grey below."""
    lift = 8 if unchecked else 0
    axes.annotate(text, end, (8, lift), textcoords="offset points", va="center", fontsize=12, fontweight="bold")
    if unchecked:
        axes.annotate(unchecked, end, (8, -lift), textcoords="offset points", va="center", fontsize=10, color=GREY)
