"""Units: the only place with conversion factors. GB against GiB is the storage sizing bug: every factor is a row.

Below them the constants: how wide the bell of the logins is, how finely the timeline is drawn, what stands for none.
"""

from statistics import NormalDist

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_ROW, Block
from model.layout.tab import Context, Tab
from model.reading.records import Data

NAME = "Units"
STEPS = 120  # of the timeline
SIGMAS = 3  # of the normal arrivals, on either side of the middle of the window
MISSING, NONE = -1, -2  # stand for words: no formula counts with them
CLOSE_CALL = 0.1
MOST_WRITE_WEIGHT = 10  # beyond it two points do not describe one array
SHARE_GAP = 0.3  # between the read shares of a data sheet and of the demand
MAY_ADD = 0.6
HIGHEST_WRITE_WEIGHT = 4  # of the range assumed; the lowest is 1
ASK_STEP = 100
RANK_STEP = 1000  # more than any count of arrays worth ranking
SHORT_TEXT = 26  # letters that fit the table on Answer
MOST_YEARS = 7
MOST_LIFE = 15
MOST_DRAWN = 1.5  # of the design: a longer bar would flatten the others
PROFILE_YEARS = 5  # older ones do not transfer
# key, label, from unit, to unit
_FACTORS = (
    ("gib_per_gb", "GiB in one GB", "GB", "GiB"),
    ("kib_per_gib", "KiB in one GiB", "GiB", "KiB"),
    ("mb_per_kib", "MB in one KiB", "KiB", "MB"),
    ("kib_per_b", "KiB in one byte", "B", "KiB"),
    ("mb_per_b", "MB in one byte", "B", "MB"),
    ("seconds_per_minute", "Seconds in one minute", "min", "s"),
    ("seconds_per_hour", "Seconds in one hour", "h", "s"),
    ("us_per_ms", "Microseconds in one ms", "ms", "us"),
    ("gib_per_mb", "GiB in one MB", "MB", "GiB"),
    ("gib_per_tb", "GiB in one TB", "TB", "GiB"),
    ("gib_per_tib", "GiB in one TiB", "TiB", "GiB"),
)
_TAIL = NormalDist().cdf(-SIGMAS)
# key, label, unit, definition, value
_CONSTANTS = (
    ("arrival_sigmas", "Half the window of normal arrivals", "count", "standard deviations", SIGMAS),
    ("normal_tail", "Share of a normal curve before the window", "ratio", "left out", _TAIL),
    ("normal_inside", "Share of a normal curve inside the window", "ratio", "made 1 again", 1 - 2 * _TAIL),
    ("timeline_steps", "Steps of the timeline", "count", "definition", STEPS),
    ("code_missing", "A figure that nobody published or entered", "count", "shown in words", MISSING),
    ("code_none", "Demand of a phase that the method does not have", "count", "shown in words", NONE),
    ("close_call_ratio", "A close call is as near to a whole number", "ratio", "definition", CLOSE_CALL),
    ("most_write_weight", "Most work of a write against a read", "ratio", "definition", MOST_WRITE_WEIGHT),
    ("high_write_weight", "Work of a write, high end of what is assumed", "ratio", "definition", HIGHEST_WRITE_WEIGHT),
    ("read_share_gap", "Read shares further apart do not compare", "ratio", "definition", SHARE_GAP),
    ("may_add_ratio", "IOPS and MB/s may add above this share of both", "ratio", "definition", MAY_ADD),
    ("ask_step", "What a vendor is asked for is rounded up to", "count", "IOPS or MB/s, definition", ASK_STEP),
    ("rank_step", "Weight of a place in the ranking over the next", "count", "definition", RANK_STEP),
    ("short_text", "Letters of a short list on Answer", "count", "definition", SHORT_TEXT),
    ("months_per_year", "Months of a year", "count", "definition", 12),
    ("hours_per_year", "Hours of a year", "count", "definition: 365 days", 8760),
    ("most_years", "Most years looked at", "years", "definition", MOST_YEARS),
    ("most_life", "Longest life of an array", "years", "definition", MOST_LIFE),
    ("w_per_kw", "Watts of a kilowatt", "count", "exact", 1000),
    ("most_drawn_ratio", "Longest bar of the chart on Answer", "ratio", "definition", MOST_DRAWN),
    ("claim_digits", "A claim is shown to whole thousands", "count", "decimals left: it is printed so", -3),
    ("profile_years", "Years after which a profile does not transfer", "years", "definition", PROFILE_YEARS),
)
_CONSTANTS_ROW = FIRST_ROW + len(_FACTORS) + 1


def blocks(data: Data) -> dict[str, Block]:
    """Return where each factor and constant stands."""
    rows = [*enumerate(_FACTORS, FIRST_ROW), *enumerate(_CONSTANTS, _CONSTANTS_ROW)]
    return {f"unit:{key}": Block(NAME, row, row, BASE, BASE) for row, (key, *_) in rows}


def write(ws: Worksheet, context: Context) -> None:
    """Write one labelled factor or constant per row."""
    data = context.data
    purpose = "Exact conversion factors. GB and TB are decimal, GiB and TiB binary."
    canvas.head(ws, "Units", purpose, ["Factor", "Unit", "Per", "Value"], [40, 12, 20, 22], "A5", (4,))
    units = data.facts.units
    for row, (_, label, old, new) in enumerate(_FACTORS, FIRST_ROW):
        _row(ws, row, (label, new, old), float(units[old].factor / units[new].factor), "0.0000000000")
    for column, text in enumerate(("Constant", "Unit", "Meaning", "Value"), 1):
        put(ws, _CONSTANTS_ROW - 1, column, text, "heading")
    canvas.centre(ws, _CONSTANTS_ROW - 1, (BASE,))
    for row, (_, label, unit, meaning, value) in enumerate(_CONSTANTS, _CONSTANTS_ROW):
        _row(ws, row, (label, unit, meaning), value, "0" if unit == "count" else "0.0000000000")
    canvas.print_setup(ws, BASE, _CONSTANTS_ROW + len(_CONSTANTS) - 1)


def _row(ws: Worksheet, row: int, texts: tuple[str, str, str], value: float, form: str) -> None:
    for column, text in enumerate(texts, 1):
        put(ws, row, column, text, "label")
    put(ws, row, BASE, value, "fact")
    ws.cell(row, BASE).number_format = form


TAB = Tab(NAME, "catalogue", "catalogue", "Conversion factors", write, blocks)
