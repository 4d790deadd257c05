"""Evidence: each printed result beside the workbook's own. The verdict is a formula: an error turns the sheet red.

Below are the papers' own sums, the block sizes that one of them measured, and every published figure in use.
"""

from fractions import Fraction

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, Layout, quoted
from model.layout.tab import Context, Tab
from model.reading.proof import Evidence
from model.reading.records import Data
from model.sheets.proof import arithmetic, blocks, sources

NAME = "Evidence"
APPROX, PIN = 0.05, 0.002
NO_LIMIT = 1e15
STRICT = 1e-12  # "over" and "under" leave the printed figure itself out
_HEADS = ["Id", "Paper", "Where", "What", "Kind", "Rule", "Printed, from", "Printed, to", "Half last digit",
          "Relative tolerance", "Pinned at", "Accepted, from", "Accepted, to", "Expected", "Ours", "Difference",
          "Verdict", "Unit", "Note", None, "Verdicts", "Rows"]  # fmt: skip
VERDICTS = ("agrees", "known miss", "DIFFERS")


def computed_cell(data: Data, layout: Layout, reference: str) -> tuple[str, str]:
    """Return the cell behind `key@case`, `sum:id` or `blocks:run:what`."""
    if reference.startswith("sum:"):
        return NAME, arithmetic.cell(data, reference[4:])
    if reference.startswith("blocks:"):
        return NAME, blocks.cell(data, *reference.split(":")[1:])
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


def write(ws: Worksheet, context: Context) -> None:
    """Write one row per printed result and the tally of verdicts."""
    data, layout = context.data, context.layout
    purpose = (
        "Printed against ours. Input = typed from the paper; reproduced = our formulas from other figures; "
        "consistency = the paper's own sums, wide bounds. Accepted = printed, within its digits; a known miss, its pin."
    )
    widths = [10, 8, 24, 42, 13, 9, 12, 12, 11, 11, 12, 13, 13, 13, 13, 12, 14, 14, 60, 3, 14, 8]
    canvas.head(ws, "Evidence", purpose, [h or "" for h in _HEADS], widths, "E5", (*range(7, 18), 22))
    for row, item in enumerate(data.evidence, FIRST_ROW):
        _row(ws, row, item, data, layout)
    last = FIRST_ROW + len(data.evidence) - 1
    for row, verdict in enumerate(VERDICTS, FIRST_ROW):
        put(ws, row, 21, verdict, "label")
        put(ws, row, 22, f"=COUNTIF($Q${FIRST_ROW}:$Q${last},U{row})", "output", "flag")
    colours = dict(zip(VERDICTS, (styles.GREEN_FILL, styles.AMBER_FILL, styles.RED_FILL), strict=True))
    canvas.colour_words(ws, f"Q{FIRST_ROW}:Q{last}", colours)
    arithmetic.write(ws, data)
    blocks.write(ws, context)
    canvas.print_setup(ws, 19, sources.write(ws, data, blocks.end(data) + 3))


def printed(item: Evidence, data: Data) -> tuple[float, float]:
    """Return the least and largest figure that agree with what the paper prints."""
    low = data.facts.value(item.low, item.unit) if item.low else None
    high = data.facts.value(item.high, item.unit) if item.high else None
    slack = _precision(data, item)
    if item.rule == "approx":
        slack += APPROX * max(each for each in (low, high) if each is not None)
    strict = STRICT if item.rule in ("lt", "gt") else 0
    return (
        -NO_LIMIT if low is None else low + strict * abs(low) - slack,
        NO_LIMIT if high is None else high - strict * abs(high) + slack,
    )


def accepted(item: Evidence, data: Data) -> tuple[float, float]:
    """Return the least and largest figure that keep a row's verdict; a known miss never counts what would agree."""
    low, high = printed(item, data)
    if item.pin is None:
        return low, high
    room = abs(item.pin) * PIN
    if item.pin > high:
        return max(item.pin - room, high + STRICT * abs(high)), item.pin + room
    return item.pin - room, min(item.pin + room, low - STRICT * abs(low))


def _precision(data: Data, item: Evidence) -> float:
    """Return half a unit in the last printed digit, in the row's unit; 0 for "over" and "under"."""
    if item.rule in ("lt", "gt"):
        return 0.0
    facts, to = data.facts, data.facts.units[item.unit].factor
    cited = [facts.fact(id) for id in (item.low, item.high) if id]
    return max(float(Fraction(str(f.precision)) * facts.units[f.read_as].factor / to) for f in cited)


def _row(ws: Worksheet, row: int, item: Evidence, data: Data, layout: Layout) -> None:
    facts = data.facts
    source = facts.fact(item.low or item.high)
    for at, text in enumerate((item.id, item.paper, source.location, item.label, item.kind, item.rule), 1):
        put(ws, row, at, text, "label")
    put(ws, row, 7, facts.value(item.low, item.unit) if item.low else None, "fact", item.unit)
    put(ws, row, 8, facts.value(item.high, item.unit) if item.high else None, "fact", item.unit)
    put(ws, row, 9, _precision(data, item), "tolerance")
    put(ws, row, 10, APPROX if item.rule == "approx" else 0, "tolerance", "ratio")
    put(ws, row, 11, item.pin, "tolerance")
    for at, bound in enumerate(accepted(item, data), 12):
        put(ws, row, at, bound, "tolerance")
    put(ws, row, 14, VERDICTS[0] if item.pin is None else VERDICTS[1], "label")
    sheet, address = computed_cell(data, layout, item.ours)
    put(ws, row, 15, f"={address}" if sheet == NAME else f"={quoted(sheet)}!{address}", "output", item.unit)
    least, most = f"MIN(G{row}:H{row})", f"MAX(G{row}:H{row})"
    put(ws, row, 16, f"=O{row}/IF(O{row}+O{row}<{least}+{most},{least},{most})-1", "calculation")  # nearer end
    ws.cell(row, 16).number_format = "+0.0%;-0.0%;0.0%"
    put(ws, row, 17, f'=IF(AND(O{row}>=L{row},O{row}<=M{row}),N{row},"DIFFERS")', "output")
    canvas.centre(ws, row, (14, 17))
    for at in (9, 11, 12, 13):
        value = ws.cell(row, at).value
        bound = at > 11 and abs(value) >= NO_LIMIT
        ws.cell(row, at).number_format = '"no limit";"no limit"' if bound else styles.typed_format(value)
    put(ws, row, 18, item.unit, "label")
    put(ws, row, 19, item.note, "note")


TAB = Tab(
    NAME,
    "table",
    "result",
    "Every printed result beside ours; the papers' own sums, and every published figure in use",
    write,
)
