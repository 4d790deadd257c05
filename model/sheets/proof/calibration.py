"""How often an interval would have been right: each paper's IOPS predicted from the other papers, below Predictions.

A prediction from one test to another is off by ln(printed / ours). The root mean square of the misses of its generation
in which a paper has no part is the spread it is judged by, of its phase alone where enough of them are; figures of one
paper are siblings. Then an interval of 50, 80 or 90 % holds the printed figure or does not, for
each paper and for each generation. So few figures reject gross errors only: the exact interval
of the share (Clopper and Pearson) says how few. Each of its ends is an exact test at 5 %. The interval score
(Gneiting and Raftery 2007) weighs width against misses.
"""

from collections.abc import Callable, Sequence

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW
from model.reading.proof import Prediction
from model.reading.records import Data
from model.sheets.catalogue.phases import MEASURED
from model.sheets.proof import phase_spreads
from model.sheets.proof.phase_spreads import OTHER, THIS

_TITLE = "How often an interval was right: the IOPS of each paper, judged by misses in which it has no part"
_HITS_TITLE = "Right, and how near: by the paper predicted"
_EXACT_TITLE = "Share of figures that such intervals hold, from so few: exact intervals, each end an exact test at 5 %"
_NOTES = (
    "Every figure is from a laboratory, and those of this generation are all from one: customers differ more, so "
    "these spreads are a lower bound for customers.",
    "Of this generation, login peaks of desktops alone compare: steady work is charted as reads and writes apart, and "
    "one document has session hosts.",
    "Figures of one paper depend on each other, so the shares are less sure than the exact intervals say.",
    "Score of an interval: its width and, for a figure outside, 2 / (1 - share) times the distance, as logarithms of "
    "ratios. Of two spreads that are right as often, the one with the smaller mean score is better.",
)
SHARES = (0.5, 0.8, 0.9)
_SURE = 0.9  # of the exact interval: 5 % beyond each of its ends
ALL = "*"  # counts every paper
GENERATIONS = {OTHER: "All papers across generations", THIS: "All papers of this generation"}
_SCOPES = {"across": OTHER, "generation": THIS}
_ID, _PAPER, _FROM, _WHAT, _PHASE, _GENERATION, COUNTED = 1, 2, 3, 4, 5, 6, 7
LOG, SQUARE, SPREAD = 8, 9, 10  # columns H to J
HITS, SCORES = 11, 14  # columns K to M and N to P: one for each share
COUNT, RIGHT, MEAN = 8, 9, 12  # of the papers: column H, I to K, L to N
LEAST, MOST, VERDICT = 8, 11, 14  # columns H to J, K to M, N to P
_LAST = SCORES + len(SHARES) - 1
_Row = Callable[[int], dict[int, tuple[str, str]]]


def write(ws: Worksheet, data: Data, first: int) -> int:
    """Write the misses and what they come to, by paper, from a row on; return the last row."""
    items = _items(data)
    labels = {_ID: "Id", _PAPER: "Paper", _FROM: "From", _WHAT: "What", _PHASE: "Phase", _GENERATION: "Generation"}
    labels |= {COUNTED: "Phase of the others that count, * = all phases", LOG: "ln(printed / ours), ratio"}
    labels |= {SQUARE: "Its square, ratio", SPREAD: "Spread of the others, ratio"}
    heads = labels | _by_share(HITS, "Within {}, flag") | _by_share(SCORES, "Score of {}, ratio")
    _head(ws, first - 1, _TITLE, heads, _LAST)
    _shares(ws, first)
    rows = range(first + 3, first + 3 + len(items))
    for row, item in zip(rows, items, strict=True):
        put(ws, row, _ID, item.id, "label")
        put(ws, row, _PAPER, _paper(data, item), "label")
        put(ws, row, _FROM, item.from_paper, "label")
        put(ws, row, _WHAT, item.label, "label")
        put(ws, row, _PHASE, phase_of(item), "label")
        put(ws, row, _GENERATION, _SCOPES[item.scope], "label")
        _formulas(ws, row, _miss(row, FIRST_ROW + len(data.predictions) - 1, rows))
    papers = _tallied(data)
    top = rows[-1] + 4
    heads = {_PAPER: "Paper", _WHAT: "What", _GENERATION: "Generation", COUNT: "Figures, count"}
    heads |= _by_share(RIGHT, "Right, of {}, count") | _by_share(MEAN, "Mean score of {}, ratio")
    last = _papers(ws, top, (_HITS_TITLE, heads), papers, lambda row: _tally(row, rows))
    below = last + 4
    heads = {_PAPER: "Paper", _WHAT: "What", _GENERATION: "Generation", **_by_share(LEAST, "At least, of {}")}
    heads |= _by_share(MOST, "At most, of {}") | _by_share(VERDICT, "Verdict on {}")
    last = _papers(ws, below, (_EXACT_TITLE, heads), papers, lambda row: _exact(row, row - below + top, first))
    for row in range(below, last + 1):
        canvas.centre(ws, row, range(VERDICT, VERDICT + len(SHARES)))
        for column in range(LEAST, VERDICT):
            ws.cell(row, column).number_format = "0%"
    for row, text in enumerate(_NOTES, last + 1):
        put(ws, row, _PAPER, text, "note")
        canvas.overflow(ws, row, _PAPER)
    return phase_spreads.write(ws, phases_row(data, first), rows, f"${get_column_letter(COUNTED)}${first}")


def phases_row(data: Data, first: int) -> int:
    """Return the first row of the spreads by phase, below all that is written from a row on."""
    tables = 3 + len(_items(data)) + 2 * (3 + len(_tallied(data)))  # the shares and the misses, then two tallies
    return first + tables + len(_NOTES) + 3


def _tallied(data: Data) -> list[tuple[str, str]]:
    """Return paper and generation of each row of the tallies: every paper, then all of them by generation."""
    papers = ((_paper(data, item), ALL) for item in _items(data))
    return list(dict.fromkeys((*papers, *((ALL, each) for each in GENERATIONS))))


def _items(data: Data) -> list[Prediction]:
    """Return the predictions of IOPS from other papers that count, those across generations first."""
    return [item for item in data.predictions if item.scope in _SCOPES and (item.role, item.unit) == ("fixed", "IOPS")]


def phase_of(item: Prediction) -> str:
    """Return the phase that a prediction names."""
    (found,) = (phase for phase in MEASURED if phase in item.label.casefold())
    return found


def _paper(data: Data, item: Prediction) -> str:
    cited = item.low or item.high
    assert cited is not None
    return data.facts.fact(cited).paper


def _by_share(first: int, text: str) -> dict[int, str]:
    """Return a heading for each share, from a column on."""
    return {column: text.format(f"{share:.0%}") for column, share in enumerate(SHARES, first)}


def _head(ws: Worksheet, row: int, title: str, heads: dict[int, str], last: int) -> None:
    canvas.table_head(ws, row, title, [heads.get(column, "") for column in range(1, last + 1)], range(LOG, last + 1))


def _shares(ws: Worksheet, first: int) -> None:
    """Write the shares that intervals should hold, how sure the exact one is, and how wide each interval is."""
    texts = (
        "Figures for a spread of its phase; share an interval should hold, first that of the exact interval",
        "Half its width, in spreads",
    )
    for row, text in enumerate(texts, first):
        put(ws, row, _WHAT, text, "label")
    put(ws, first, COUNTED, phase_spreads.LEAST, "fact", "count")
    for column, share in enumerate((_SURE, *SHARES), HITS - 1):
        put(ws, first, column, share, "fact", "ratio")
        ws.cell(first, column).number_format = "0%"
    for column in range(HITS, HITS + len(SHARES)):
        letter = get_column_letter(column)
        _formulas(ws, first + 1, {column: (f"=_xlfn.NORM.S.INV(AVERAGE(1,{letter}{first}))", "ratio")})


def _formulas(ws: Worksheet, row: int, formulas: dict[int, tuple[str, str]]) -> None:
    for column, (formula, unit) in formulas.items():
        put(ws, row, column, formula, "output", unit)


def _miss(row: int, predictions: int, rows: range) -> dict[int, tuple[str, str]]:
    """Return the miss of a prediction, whether each interval holds it and the interval's score."""
    log, spread = get_column_letter(LOG), get_column_letter(SPREAD)
    squares, papers, other, phases, ages = (f"{at}${rows[0]}:{at}${rows[-1]}" for at in "IBCEF")
    others = f'{papers},"<>"&B{row},{other},"<>"&B{row},{ages},F{row},{phases}'
    error = f"INDEX($K${FIRST_ROW}:$K${predictions},MATCH($A{row},$A${FIRST_ROW}:$A${predictions},0))"
    found = {
        LOG: (f"=-LN(1+{error})", "ratio"),
        SQUARE: (f"={log}{row}*{log}{row}", "ratio"),
        COUNTED: (f'=IF(COUNTIFS({others},E{row})<G${rows[0] - 3},"*",E{row})', "text"),
        SPREAD: (f"=SQRT(AVERAGEIFS({squares},{others},G{row}))", "ratio"),
    }
    share, wide = rows[0] - 3, rows[0] - 2
    for n in range(len(SHARES)):
        letter = get_column_letter(HITS + n)
        half = f"${spread}{row}*{letter}${wide}"
        beyond = f"MAX(0,ABS(${log}{row})-{half})/AVERAGE(1,-{letter}${share})"  # by half of what is outside
        found[HITS + n] = (f"=IF(ABS(${log}{row})<={half},1,0)", "flag")
        found[SCORES + n] = (f"={half}+{half}+{beyond}", "ratio")
    return found


def _area(column: int, rows: range) -> str:
    letter = get_column_letter(column)
    fixed = f"${letter}" if column < LOG else letter
    return f"{fixed}${rows[0]}:{fixed}${rows[-1]}"


def _papers(
    ws: Worksheet, top: int, head: tuple[str, dict[int, str]], papers: Sequence[tuple[str, str]], row_of: _Row
) -> int:
    """Write a table with a row for each paper, the last for each generation; return its last row."""
    title, heads = head
    _head(ws, top - 1, title, heads, max(heads))
    for row, (paper, generation) in enumerate(papers, top):
        put(ws, row, _PAPER, paper, "label")
        put(ws, row, _WHAT, GENERATIONS.get(generation, "IOPS of this paper"), "label")
        put(ws, row, _GENERATION, generation, "label")
        _formulas(ws, row, row_of(row))
    return top + len(papers) - 1


def _tally(row: int, rows: range) -> dict[int, tuple[str, str]]:
    """Return how many figures a paper has, how many each interval holds, and the intervals' mean scores."""
    papers = f"{_area(_PAPER, rows)},$B{row},{_area(_GENERATION, rows)},$F{row}"
    found = {COUNT: (f"=COUNTIFS({papers})", "count")}
    for n in range(len(SHARES)):
        found[RIGHT + n] = (f"=SUMIFS({_area(HITS + n, rows)},{papers})", "count")
        found[MEAN + n] = (f"=AVERAGEIFS({_area(SCORES + n, rows)},{papers})", "ratio")
    return found


def _exact(row: int, tally: int, first: int) -> dict[int, tuple[str, str]]:
    """Return the exact interval of each share, and whether it refutes the share that the interval should hold."""
    found = {}
    count, upper = f"${get_column_letter(COUNT)}{tally}", f"AVERAGE(1,${get_column_letter(HITS - 1)}${first})"
    for n in range(len(SHARES)):
        hits = f"{get_column_letter(RIGHT + n)}{tally}"
        least, most = (f"{get_column_letter(column + n)}{row}" for column in (LEAST, MOST))
        share = f"{get_column_letter(HITS + n)}${first}"
        words = f'CHOOSE(1+SIGN(MAX(0,{share}-{most})),"not rejected","too narrow")'
        found[LEAST + n] = (f"=IF({hits}=0,0,_xlfn.BETA.INV(1-{upper},{hits},{count}-{hits}+1))", "ratio")
        found[MOST + n] = (f"=IF({hits}={count},1,_xlfn.BETA.INV({upper},{hits}+1,{count}-{hits}))", "ratio")
        found[VERDICT + n] = (f'=IF({least}>{share},"too wide",{words})', "text")
    return found
