"""The figures on Compare that the chart on Answer draws: the share of the design every constraint uses."""

from openpyxl.worksheet.worksheet import Worksheet

from model.layout.canvas import put
from model.layout.grid import BASE, Layout
from model.sheets.sizing.constraints import CONSTRAINTS

NAME = "Compare"
_DRAWN = tuple(each for each in CONSTRAINTS if each.key != "failover")  # Answer shows that need beside them
ROWS = len(_DRAWN)
_HEADS = (
    "Constraint",
    "Unit",
    "Code",
    "Share of the design used",
    "Order",
    "In order",
    "Share",
    "Drawn",
    "Row",
    "Its code",
)
_STATES = '"not checked","none"'  # of the codes -1 and -2; only a published test has the third


def write(ws: Worksheet, head: int, layout: Layout) -> None:
    """Write every share of the base design below a heading row, then the largest first."""
    for column, text in enumerate(_HEADS):
        put(ws, head, column + 1, text, "heading")
    first, last = head + 1, head + ROWS
    for row, constraint in enumerate(_DRAWN, first):
        put(ws, row, 1, constraint.label, "label")
        put(ws, row, 2, "ratio", "label")
        ratio = layout.resolve(f"{{{constraint.ratio}}}", NAME, BASE)
        put(ws, row, 3, f"=MIN(0,{ratio})", "calculation", "count")
        used = layout.resolve(f"=MAX(0,{ratio})/MAX(1,{{fixed:arrays_fillable}})", NAME, BASE)
        put(ws, row, 4, used, "calculation", "ratio")
        order = f"=RANK(D{row},D${first}:D${last})+COUNTIF(D${first}:D{row},D{row})-1"
        put(ws, row, 5, order, "calculation", "count")
        put(ws, row, 9, f"=MATCH(ROWS(A${first}:A{row}),$E${first}:$E${last},0)", "calculation", "count")
        put(ws, row, 7, f"=INDEX($D${first}:$D${last},I{row})", "calculation", "ratio")
        most = layout.resolve("{unit:most_drawn_ratio}", NAME, BASE)
        share = f'TEXT(G{row},"0%")&IF(G{row}>H{row}," (bar cut)","")'
        words = f"CHOOSE(1-J{row},{share},{_STATES})"
        put(ws, row, 6, f'=INDEX($A${first}:$A${last},I{row})&", "&{words}', "calculation")
        put(ws, row, 8, f"=MIN(G{row},{most})", "calculation", "ratio")
        put(ws, row, 10, f"=INDEX($C${first}:$C${last},I{row})", "calculation", "count")
