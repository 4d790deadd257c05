"""Evidence: every printed result beside ours. The verdict is a formula, so a broken formula turns this sheet red at once."""

from fractions import Fraction

from openpyxl.worksheet.worksheet import Worksheet

from model import canvas, styles
from model.canvas import put
from model.grid import FIRST_ROW, Layout, quoted
from model.read import Data, Evidence
from model.sheets import arithmetic, blocks

NAME = "Evidence"
APPROX, PIN = 0.05, 0.002
_HEADS = ["Id", "Paper", "Where", "What", "Kind", "Rule", "Printed, from", "Printed, to", "Half last digit", "Relative tolerance",
          "Ours", "Difference", "Slack", "Inside", "Verdict", "Pinned at", "Pin tolerance", "Unit", "Note", None, "Verdicts",
          "Rows"]  # fmt: skip
VERDICTS = ("agrees", "known miss", "DIFFERS")


def ours(data: Data, layout: Layout, reference: str) -> tuple[str, str]:
    """Return the cell behind `key@case`, `sum:id` or `blocks:run:what`."""
    if reference.startswith("sum:"):
        return arithmetic.cell(data, reference[4:])
    if reference.startswith("blocks:"):
        return blocks.cell(*reference.split(":")[1:])
    key, _, case = reference.partition("@")
    return layout.cell(key, case)


def differs_cell() -> tuple[str, str]:
    """Return the cell that counts the rows that differ."""
    return NAME, f"V{FIRST_ROW + VERDICTS.index('DIFFERS')}"


def write(ws: Worksheet, data: Data, layout: Layout) -> None:
    """Write one row per printed result and the tally of verdicts."""
    purpose = "Printed against ours. Input = typed from the paper; reproduced = our formulas from other figures; consistency = the paper's own sums."
    widths = [9, 7, 24, 44, 12, 9, 12, 12, 10, 10, 13, 11, 10, 8, 13, 12, 10, 12, 60, 3, 14, 8]
    canvas.head(ws, "Evidence", purpose, [h or "" for h in _HEADS], widths, "E5")
    for row, item in enumerate(data.evidence, FIRST_ROW):
        _row(ws, row, item, data, layout)
    last = FIRST_ROW + len(data.evidence) - 1
    for row, verdict in enumerate(VERDICTS, FIRST_ROW):
        put(ws, row, 21, verdict, "label")
        put(ws, row, 22, f"=COUNTIF($O${FIRST_ROW}:$O${last},U{row})", "output", "flag")
    colours = dict(zip(VERDICTS, (styles.GREEN_FILL, styles.AMBER_FILL, styles.RED_FILL), strict=True))
    canvas.colour_words(ws, f"O{FIRST_ROW}:O{last}", colours)
    canvas.print_setup(ws, 19, last)


def _precision(data: Data, fact_id: str, unit: str) -> float:
    """Return half a unit in the last printed digit, in another unit."""
    fact, units = data.facts.fact(fact_id), data.facts.units
    return float(Fraction(str(fact.precision)) * units[fact.read_as].factor / units[unit].factor)


def _row(ws: Worksheet, row: int, item: Evidence, data: Data, layout: Layout) -> None:
    facts = data.facts
    source = facts.fact(item.low or item.high)
    for column, text in enumerate((item.id, item.paper, source.location, item.label, item.kind, item.rule), 1):
        put(ws, row, column, text, "label")
    low = facts.value(item.low, item.unit) if item.low else None
    high = facts.value(item.high, item.unit) if item.high else None
    precise = item.rule in ("exact", "range", "approx")
    precision = max(_precision(data, i, item.unit) for i in (item.low, item.high) if i) if precise else 0
    put(ws, row, 7, low, "fact", item.unit)
    put(ws, row, 8, high, "fact", item.unit)
    put(ws, row, 9, precision, "tolerance")
    put(ws, row, 10, APPROX if item.rule == "approx" else 0, "tolerance", "ratio")
    sheet, cell = ours(data, layout, item.ours)
    put(ws, row, 11, f"={quoted(sheet)}!{cell}", "output", item.unit)
    put(ws, row, 12, f"=IF(MAX(G{row}:H{row})>0,K{row}/MAX(G{row}:H{row})-1,0)", "calculation")
    ws.cell(row, 12).number_format = "+0.0%;-0.0%;0.0%"
    put(ws, row, 13, f"=I{row}+J{row}*MAX(G{row}:H{row})", "calculation")
    outside = (
        f"AND(COUNT(G{row})>0,K{row}<G{row}-M{row}),AND(COUNT(H{row})>0,K{row}>H{row}+M{row}),"
        f'AND(F{row}="lt",K{row}=H{row}),AND(F{row}="gt",K{row}=G{row})'
    )
    put(ws, row, 14, f"=IF(OR({outside}),0,1)", "check", "flag")
    pinned = f"AND(COUNT(P{row})>0,ABS(K{row}-P{row})<=ABS(P{row})*Q{row})"
    put(ws, row, 15, f'=IF(N{row}=1,"agrees",CHOOSE(1+{pinned},"DIFFERS","known miss"))', "output")
    put(ws, row, 16, item.pin, "tolerance")
    put(ws, row, 17, PIN, "tolerance", "ratio")
    put(ws, row, 18, item.unit, "label")
    put(ws, row, 19, item.note, "note")
    ws.row_dimensions[row].height = 13 * max(1, -(-len(item.note) // 70), -(-len(item.label) // 48), -(-len(source.location) // 26))
