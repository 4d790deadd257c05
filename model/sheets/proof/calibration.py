"""How often an interval would have been right: each paper's IOPS predicted from the other papers, below Predictions.

A prediction from one test to another is off by ln(printed / ours). The root mean square of the other papers' misses is
the spread; figures of one paper are siblings, so a paper never judges itself. Then an interval of 50, 80 or 90 % holds
the printed figure or does not. So few figures reject gross errors only: the exact interval of the share says how few.
"""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW
from model.reading.records import Data

_TITLE = "How often an interval was right: the IOPS of each paper predicted from the others, its own misses left out"
_SHARES = (0.5, 0.8, 0.9)
_SURE = 0.95  # of the exact interval; a share is rejected beyond it
_LOG, _SQUARE, _SPREAD, _SIZE, _HITS = range(8, 13)  # columns H to L, the hits to N
_ID, _PAPER, _WHAT = 1, 2, 4
_LAST = _HITS + len(_SHARES) - 1
_HEADS = {
    _ID: "Id",
    _PAPER: "Paper",
    _WHAT: "What",
    _LOG: "ln(printed / ours), ratio",
    _SQUARE: "Its square, ratio",
    _SPREAD: "Spread of the others, ratio",
    _SIZE: "Size over spread, ratio",
}
_TALLY = ("Right, count", "Of, count", "Right in truth: at least", "Right in truth: at most", "Verdict")
_APART = 2  # rows from one figure of the tally to the next: a formula each


def write(ws: Worksheet, data: Data, first: int) -> int:
    """Write the misses and the tally from a row on; return the last row."""
    items = [item for item in data.predictions if (item.scope, item.role, item.unit) == ("across", "fixed", "IOPS")]
    heads = [_HEADS.get(column, f"Within {share:.0%}, flag" if share else "")
             for column, share in zip(range(1, _LAST + 1), (0,) * (_HITS - 1) + _SHARES, strict=True)]  # fmt: skip
    canvas.table_head(ws, first - 1, _TITLE, heads, range(_LOG, _LAST + 1))
    for row, text in enumerate(
        ("Interval, share that it should hold (95 %: of the exact one below)", "Half its width, in spreads"), first
    ):
        put(ws, row, _WHAT, text, "label")
    top = first + 3
    bottom = top + len(items) - 1
    for row, item in enumerate(items, top):
        cited = item.low or item.high
        assert cited is not None
        for column, text in ((_ID, item.id), (_PAPER, data.facts.fact(cited).paper), (_WHAT, item.label)):
            put(ws, row, column, text, "label")
        _miss(ws, row, FIRST_ROW + len(data.predictions) - 1, (top, bottom))
    for column, share in enumerate(_SHARES, _HITS):
        _tally(ws, column, share, (top, bottom))
    rows = range(bottom + _APART, bottom + _APART * (len(_TALLY) + 1), _APART)
    for row, text in zip(rows, _TALLY, strict=True):
        put(ws, row, _WHAT, text, "label")
    return rows[-1]


def _miss(ws: Worksheet, row: int, predictions: int, rows: tuple[int, int]) -> None:
    """Write the miss of a prediction and whether each interval holds it."""
    first, last = rows
    log, square, spread, size = (get_column_letter(column) for column in (_LOG, _SQUARE, _SPREAD, _SIZE))
    squares, papers = f"{square}${first}:{square}${last}", f"$B${first}:$B${last}"
    others = f"(SUM({squares})-SUMIFS({squares},{papers},B{row}))/(COUNT({squares})-COUNTIF({papers},B{row}))"
    error = f"INDEX($K${FIRST_ROW}:$K${predictions},MATCH($A{row},$A${FIRST_ROW}:$A${predictions},0))"
    formulas = {
        _LOG: f"=-LN(1+{error})",
        _SQUARE: f"={log}{row}*{log}{row}",
        _SPREAD: f"=SQRT({others})",
        _SIZE: f"=ABS({log}{row})/{spread}{row}",
    }
    for column, formula in formulas.items():
        put(ws, row, column, formula, "output", "ratio")
    for column in range(_HITS, _LAST + 1):
        letter = get_column_letter(column)
        put(ws, row, column, f"=IF(${size}{row}<={letter}${first - 2},1,0)", "output", "flag")


def _tally(ws: Worksheet, column: int, share: float, rows: tuple[int, int]) -> None:
    """Write what an interval should hold and how wide it is above the misses, and how many it holds below them."""
    first, last = rows
    letter = get_column_letter(column)
    nominal = f"{letter}{first - 3}"
    at = [last + _APART * n for n in range(1, len(_TALLY) + 1)]
    hits, count, least, most = (f"{letter}{row}" for row in at[:4])
    upper = f"AVERAGE(1,${get_column_letter(_SIZE)}${first - 3})"
    put(ws, first - 3, column, share, "fact", "ratio")
    put(ws, first - 2, column, f"=_xlfn.NORM.S.INV(AVERAGE(1,{nominal}))", "output", "ratio")
    verdict = f'CHOOSE(1+SIGN(MAX(0,{nominal}-{most})),"not rejected","too narrow")'
    formulas = (
        (f"=SUM({letter}{first}:{letter}{last})", "count"),
        (f"=COUNT({letter}{first}:{letter}{last})", "count"),
        (f"=IF({hits}=0,0,_xlfn.BETA.INV(1-{upper},{hits},{count}-{hits}+1))", "ratio"),
        (f"=IF({hits}={count},1,_xlfn.BETA.INV({upper},{hits}+1,{count}-{hits}))", "ratio"),
        (f'=IF({least}>{nominal},"too wide",{verdict})', "text"),
    )
    for row, (formula, unit) in zip(at, formulas, strict=True):
        put(ws, row, column, formula, "output", unit)
    for row in (first - 3, *at[2:4]):
        ws.cell(row, column).number_format = "0%"
    canvas.centre(ws, at[-1], (column,))
    if column == _HITS:
        put(ws, first - 3, _SIZE, _SURE, "fact", "ratio")
        ws.cell(first - 3, _SIZE).number_format = "0%"
