"""Checks: each reads one cell and holds it between two bounds. Only errors make the master check fail."""

from collections.abc import Callable

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, OWN_ARRAYS, OWN_PROFILES, WHATIFS, Block, Layout, quoted
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets import blocks, evidence, summary, timeline

NAME = "Checks"
TALLY = 10  # column of the tally's labels
KINDS = ("error", "alert", "sensitivity")
_HEADS = [
    "Id",
    "Check",
    "Type",
    "Found",
    "At least",
    "At most",
    "Raised",
    "What to do",
    None,
    "Type",
    "Raised",
]
_MANY = 1e9


def master_cell() -> tuple[str, str]:
    """Return the cell that counts the errors raised."""
    return NAME, f"{get_column_letter(TALLY + 1)}{FIRST_ROW}"


def _blocks(_: Data) -> dict[str, Block]:
    return {"errors_raised": Block(NAME, FIRST_ROW, FIRST_ROW, TALLY + 1, TALLY + 1)}


def _checks(data: Data, layout: Layout) -> list[tuple[str, str, tuple[str, str], float, float, str]]:
    """Return (type, label, cell read, at least, at most, what to do)."""
    required = sum(not i.optional for i in data.inputs)
    line: Callable[[str], tuple[str, str]] = layout.cell
    rows = [
        (
            "error",
            "Every choice stands in its catalogue",
            summary.figure("choices_found"),
            4 * (1 + WHATIFS) + 1,
            4 * (1 + WHATIFS) + 1,
            "Choose array, profile, method, cache and Timeline's design from the lists on Inputs",
        ),
        (
            "error",
            "Every required input of the base design is filled",
            summary.figure("required_entered"),
            required,
            required,
            "Fill the blank cells of column D on Inputs",
        ),
        (
            "error",
            "No printed result differs from ours",
            evidence.differs_cell(),
            0,
            0,
            "Look for DIFFERS on Evidence: a formula has changed",
        ),
        (
            "error",
            "Supply is at least what each test demonstrated",
            summary.figure("supply_against_tests"),
            0.999,
            _MANY,
            "Compare the rating on Arrays with the load demonstrated",
        ),
        (
            "error",
            "Arrays required is the largest ratio rounded up",
            summary.figure("count_margin"),
            0,
            1,
            "A formula on Sizing has changed",
        ),
        (
            "error",
            "Capacity per desktop and in total agree",
            summary.figure("capacity_margin"),
            0.999999,
            1.000001,
            "A formula on Capacity has changed",
        ),
        (
            "error",
            "Start rate x minutes are the desktops booted",
            summary.figure("starts_conserved"),
            0.999999,
            1.000001,
            "A formula on Storms has changed",
        ),
        (
            "error",
            "Served is what is asked wherever the arrays suffice, and never more",
            summary.figure("served_faults"),
            0,
            0,
            "A formula on Demand or Storms has changed",
        ),
        (
            "error",
            "Timeline: the area under the curve is the work",
            timeline.card("area_ratio"),
            0.999999,
            1.000001,
            "A formula on Timeline has changed",
        ),
        (
            "error",
            "Timeline: the peak is that of Demand and Summary",
            timeline.card("peak_ratio"),
            0.999999999,
            1.000000001,
            "A formula on Timeline or Demand has changed",
        ),
        (
            "error",
            "Timeline: the largest mean over a step is the peak, less what a step hides",
            timeline.card("step_ratio"),
            0.97,
            1.000001,
            "A formula on Timeline or Demand has changed",
        ),
    ]
    for run, label, *_ in blocks.RUNS:
        rows.append(
            (
                "error",
                f"{label}: block shares add up to 1",
                blocks.cell(run, "shares"),
                0.995,
                1.005,
                "Correct Block sizes",
            )
        )
        rows.append(
            (
                "error",
                f"{label}: profile's read share is the table's",
                blocks.cell(run, "agreement"),
                0.995,
                1.005,
                "Correct Workloads or Block sizes",
            )
        )
    rows += [
        ("alert", "The arrays in the base design suffice", line("fits"), 1, 1, "Add arrays or lower the demand"),
        (
            "alert",
            "Every constraint of the base design is checked",
            line("unchecked_count"),
            0,
            0,
            "Enter the missing ratings; see Sizing",
        ),
        (
            "alert",
            "The base design stays within published evidence",
            line("beyond_evidence"),
            0,
            0,
            "Ask the vendor for a test at this size",
        ),
        (
            "alert",
            "The boot of the base design keeps its latency limit",
            summary.figure("boot_latency_over_limit"),
            0,
            1,
            "Start fewer desktops per minute or add arrays",
        ),
        (
            "alert",
            "The login peak of the base design stays below full utilisation",
            line("login_peak_utilisation"),
            0,
            1,
            "Widen the login window, boot more desktops beforehand or add arrays",
        ),
        (
            "alert",
            "The local cache disk suffices",
            line("local_disk_short"),
            0,
            0,
            "Enlarge the hosts' local disk or size without the cache",
        ),
        (
            "alert",
            "The local cache disk is fast enough",
            line("local_iops_short"),
            0,
            0,
            "Fewer desktops per host, or a faster local disk",
        ),
        (
            "alert",
            "The latency limit is above the array's base latency",
            line("latency_limit_below"),
            0,
            0,
            "Raise the limit or take a faster array: more arrays do not help",
        ),
        (
            "alert",
            "Peaks stay below full utilisation",
            line("peak_utilisation"),
            0,
            1,
            "Means decide the arrays; a peak above 1 waits until it is served",
        ),
    ]
    for n, name in enumerate(OWN_ARRAYS, 1):
        rows.append(
            (
                "alert",
                f"{name} is blank or complete",
                summary.figure(f"array_{n}_unusable"),
                0,
                0,
                "Enter a rating, flash capacity or drives",
            )
        )
    for n, name in enumerate(OWN_PROFILES, 1):
        rows.append(
            (
                "alert",
                f"{name} is blank or complete",
                summary.figure(f"profile_{n}_unusable"),
                0,
                0,
                "Enter IOPS for at least one phase",
            )
        )
    rows.append(
        (
            "sensitivity",
            "No what-if is in use",
            summary.figure("whatifs_entered"),
            0,
            0,
            "Columns E to K differ from the base design",
        )
    )
    return rows


def write(ws: Worksheet, context: Context) -> None:
    """Write the checks and the tally; its first row is the master check."""
    data, layout = context.data, context.layout
    canvas.head(
        ws,
        "Checks",
        "1 = raised. The master check counts raised errors and stands on every sheet.",
        [h or "" for h in _HEADS],
        [8, 50, 13, 13, 12, 12, 10, 56, 3, 14, 10],
        "C5",
        (4, 5, 6, 7, 11),
    )
    checks = _checks(data, layout)
    for row, (kind, label, (sheet, cell), low, high, todo) in enumerate(checks, FIRST_ROW):
        put(ws, row, 1, f"C{row - FIRST_ROW + 1:02d}", "label")
        put(ws, row, 2, label, "label")
        put(ws, row, 3, kind, "label")
        put(ws, row, 4, f"={quoted(sheet)}!{cell}", "output")
        put(ws, row, 5, low, "tolerance")
        put(ws, row, 6, high, "tolerance")
        _formats(ws, row, low, high)
        put(ws, row, 7, f"=IF(AND(D{row}>=E{row},D{row}<=F{row}),0,1)", "check", "flag")
        put(ws, row, 8, todo, "note")
    last = FIRST_ROW + len(checks) - 1
    for row, kind in enumerate(KINDS, FIRST_ROW):
        put(ws, row, TALLY, kind, "label")
        put(ws, row, TALLY + 1, f"=SUMIF($C${FIRST_ROW}:$C${last},J{row},$G${FIRST_ROW}:$G${last})", "check", "flag")
    for kind, colour in zip(KINDS, (styles.RED_FILL, styles.AMBER_FILL, "FFF3BF"), strict=True):
        rule = FormulaRule(
            formula=[f'AND($G{FIRST_ROW}=1,$C{FIRST_ROW}="{kind}")'], fill=PatternFill("solid", bgColor=colour)
        )
        ws.conditional_formatting.add(f"A{FIRST_ROW}:H{last}", rule)
    canvas.print_setup(ws, len(_HEADS), last)


def _formats(ws: Worksheet, row: int, low: float, high: float) -> None:
    """Show the figure found and its bounds with the digits of the finer bound; no bound is said in words."""
    finer = max((low, high), key=lambda bound: len(styles.typed_format(bound)))
    whole = isinstance(low, int) and isinstance(high, int) and (low, high) != (0, 1)
    form = "#,##0" if whole else max(styles.typed_format(finer), "0.000", key=len)
    for column in (4, 5, 6):
        ws.cell(row, column).number_format = form
    if high >= _MANY:
        ws.cell(row, 6).number_format = '"no limit"'


TAB = Tab(NAME, "table", "check", "What holds and what does not", write, _blocks)
