"""Evidence: every printed result beside ours. The verdict is a formula: a broken one turns this sheet red at once."""

from fractions import Fraction

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model import canvas, styles
from model.canvas import put
from model.grid import FIRST_ROW, Layout, quoted
from model.records import Data, Evidence
from model.sheets import arithmetic, blocks

NAME = "Evidence"
APPROX, PIN = 0.05, 0.002
_HEADS = ["Id", "Paper", "Where", "What", "Kind", "Rule", "Printed, from", "Printed, to", "Half last digit",
          "Relative tolerance", "Pinned at", "Pin tolerance", "Ours", "Difference", "Slack", "Too low", "Too high",
          "Verdict", "Unit", "Note", None, "Verdicts", "Rows"]  # fmt: skip
VERDICTS = ("agrees", "known miss", "DIFFERS")


def ours(data: Data, layout: Layout, reference: str) -> tuple[str, str]:
    """Return the cell behind `key@case`, `sum:id` or `blocks:run:what`."""
    if reference.startswith("sum:"):
        return arithmetic.cell(data, reference[4:])
    if reference.startswith("blocks:"):
        return blocks.cell(*reference.split(":")[1:])
    key, _, case = reference.partition("@")
    return layout.cell(key, case)


def column(heading: str) -> int:
    """Return the column under a heading."""
    return _HEADS.index(heading) + 1


def cell(row: int, heading: str) -> tuple[str, str]:
    """Return a row's cell under a heading."""
    return NAME, f"{get_column_letter(column(heading))}{row}"


def differs_cell() -> tuple[str, str]:
    """Return the cell that counts the rows that differ."""
    return cell(FIRST_ROW + VERDICTS.index("DIFFERS"), "Rows")


def write(ws: Worksheet, data: Data, layout: Layout) -> None:
    """Write one row per printed result and the tally of verdicts."""
    purpose = (
        "Printed against ours. Input = typed from the paper; reproduced = our formulas from other figures; "
        "consistency = the paper's own sums."
    )
    widths = [10, 8, 24, 42, 13, 9, 12, 12, 11, 11, 12, 11, 13, 12, 11, 9, 9, 14, 14, 60, 3, 14, 8]
    canvas.head(ws, "Evidence", purpose, [h or "" for h in _HEADS], widths, "E5", (*range(7, 19), 23))
    for row, item in enumerate(data.evidence, FIRST_ROW):
        _row(ws, row, item, data, layout)
    last = FIRST_ROW + len(data.evidence) - 1
    for row, verdict in enumerate(VERDICTS, FIRST_ROW):
        put(ws, row, 22, verdict, "label")
        put(ws, row, 23, f"=COUNTIF($R${FIRST_ROW}:$R${last},V{row})", "output", "flag")
    colours = dict(zip(VERDICTS, (styles.GREEN_FILL, styles.AMBER_FILL, styles.RED_FILL), strict=True))
    canvas.colour_words(ws, f"R{FIRST_ROW}:R{last}", colours)
    canvas.print_setup(ws, 20, last)


def _precision(data: Data, fact_id: str, unit: str) -> float:
    """Return half a unit in the last printed digit, in another unit."""
    fact, units = data.facts.fact(fact_id), data.facts.units
    return float(Fraction(str(fact.precision)) * units[fact.read_as].factor / units[unit].factor)


def _row(ws: Worksheet, row: int, item: Evidence, data: Data, layout: Layout) -> None:
    facts = data.facts
    source = facts.fact(item.low or item.high)
    for at, text in enumerate((item.id, item.paper, source.location, item.label, item.kind, item.rule), 1):
        put(ws, row, at, text, "label")
    low = facts.value(item.low, item.unit) if item.low else None
    high = facts.value(item.high, item.unit) if item.high else None
    precise = item.rule in ("exact", "range", "approx")
    precision = max(_precision(data, i, item.unit) for i in (item.low, item.high) if i) if precise else 0
    put(ws, row, 7, low, "fact", item.unit)
    put(ws, row, 8, high, "fact", item.unit)
    put(ws, row, 9, precision, "tolerance")
    put(ws, row, 10, APPROX if item.rule == "approx" else 0, "tolerance", "ratio")
    put(ws, row, 11, item.pin, "tolerance")
    put(ws, row, 12, PIN, "tolerance", "ratio")
    sheet, address = ours(data, layout, item.ours)
    put(ws, row, 13, f"={quoted(sheet)}!{address}", "output", item.unit)
    put(ws, row, 14, f"=IF(MAX(G{row}:H{row})>0,M{row}/MAX(G{row}:H{row})-1,0)", "calculation")
    ws.cell(row, 14).number_format = "+0.0%;-0.0%;0.0%"
    put(ws, row, 15, f"=I{row}+J{row}*MAX(G{row}:H{row})", "calculation")
    below = f'AND(COUNT(G{row})>0,M{row}<G{row}-O{row}),AND(F{row}="gt",M{row}=G{row})'
    put(ws, row, 16, f"=IF(OR({below}),1,0)", "check", "flag")
    above = f'AND(COUNT(H{row})>0,M{row}>H{row}+O{row}),AND(F{row}="lt",M{row}=H{row})'
    put(ws, row, 17, f"=IF(OR({above}),1,0)", "check", "flag")
    pinned = f"AND(COUNT(K{row})>0,ABS(M{row}-K{row})<=ABS(K{row})*L{row})"
    put(ws, row, 18, f'=IF(MAX(P{row}:Q{row})=0,"agrees",CHOOSE(1+{pinned},"DIFFERS","known miss"))', "output")
    canvas.centre(ws, row, (18,))
    for at in (9, 11):
        ws.cell(row, at).number_format = styles.typed_format(ws.cell(row, at).value)
    put(ws, row, 19, item.unit, "label")
    put(ws, row, 20, item.note, "note")
