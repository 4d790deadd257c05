"""Units, tables of Lists. GB against GiB is the storage sizing bug: every conversion factor is a row here alone.

Below them the constants: how wide the bell of the logins is, how finely the timeline is drawn, what stands for none.
"""

import re
from statistics import NormalDist

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import BASE, Block
from model.layout.grid import LISTS as NAME
from model.provenance import built_on
from model.reading.records import Data
from model.sheets.catalogue import defaults

STEPS = 120  # of the timeline
SIGMAS = 3  # of the normal arrivals, on either side of the middle of the window
MISSING, NONE = -1, -2  # stand for words: no formula counts with them
NO_ROOM, NO_LIMIT = -0.5, -1.5  # of room, which is a whole number, below 0 where a design is short
CLOSE_CALL = 0.1
MOST_WRITE_WEIGHT = 10  # beyond it two points do not describe one array
SHARE_GAP = 0.3  # between the read shares of a data sheet and of the demand
MAY_ADD = 0.6
HIGHEST_WRITE_WEIGHT = 4  # of the range assumed; the lowest is 1
ASK_STEP = 100
RANK_STEP = 1000  # more than any count of arrays worth ranking
SHORT_TEXT = 26  # letters that fit the table on Answer
CLOCK_DIGITS = 2
EVENING_BEFORE = 1080  # 18 hours: a boot still earlier comes after the logins of that day
MOST_YEARS = 7
MOST_LIFE = 15
MOST_DRAWN = 1.5  # of the design: a longer bar would flatten the others
AT_POINT = 1.000001  # of the IOPS printed: the load of the point itself counts as within them
LATENCY_DIGITS = 2
MOST_CHANGE = 0.5  # growth may double the desktops, and falls no further
PROFILE_YEARS = 5  # older ones do not transfer
STALE_DAYS = 180  # list prices of a cloud change more often than that
_RANGE = re.compile(r"range ([\d.]+)-([\d.]+)")
# key, label, from unit, to unit
_FACTORS = (
    ("kib_per_gib", "KiB in one GiB", "GiB", "KiB"),
    ("mb_per_kib", "MB in one KiB", "KiB", "MB"),
    ("kib_per_mib", "KiB in one MiB", "MiB", "KiB"),
    ("kib_per_b", "KiB in one byte", "B", "KiB"),
    ("mb_per_b", "MB in one byte", "B", "MB"),
    ("seconds_per_minute", "Seconds in one minute", "min", "s"),
    ("seconds_per_hour", "Seconds in one hour", "h", "s"),
    ("minutes_per_hour", "Minutes in one hour", "h", "min"),
    ("minutes_per_day", "Minutes in one day", "day", "min"),
    ("us_per_ms", "Microseconds in one ms", "ms", "us"),
    ("gib_per_mb", "GiB in one MB", "MB", "GiB"),
    ("gib_per_tb", "GiB in one TB", "TB", "GiB"),
    ("gib_per_tib", "GiB in one TiB", "TiB", "GiB"),
    ("gib_per_gb", "GiB in one GB", "GB", "GiB"),  # these three in the order of the rows of a card
)
_TAIL = NormalDist().cdf(-SIGMAS)
# key, label, unit, definition, value
_CONSTANTS = (
    ("arrival_sigmas", "Half the window of normal arrivals", "count", "standard deviations", SIGMAS),
    ("normal_tail", "Share of a normal curve before the window", "ratio", "left out", _TAIL),
    ("normal_inside", "Share of a normal curve inside the window", "ratio", "made 1 again", 1 - 2 * _TAIL),
    ("timeline_steps", "Steps of the timeline", "count", "definition", STEPS),
    ("code_missing", "A figure neither published nor entered", "count", "shown in words", MISSING),
    ("code_none", "Demand of a phase that the method does not have", "count", "shown in words", NONE),
    ("code_no_room", "Room for more desktops that is not known", "ratio", "shown in words", NO_ROOM),
    ("code_no_limit", "Room for more desktops without a limit", "ratio", "shown in words", NO_LIMIT),
    ("close_call_ratio", "A close call is as near to a whole number", "ratio", "definition", CLOSE_CALL),
    ("most_write_weight", "Most work of a write against a read", "ratio", "definition", MOST_WRITE_WEIGHT),
    ("high_write_weight", "Write weight, high end of what is assumed", "ratio", "definition", HIGHEST_WRITE_WEIGHT),
    ("read_share_gap", "Read shares further apart do not compare", "ratio", "definition", SHARE_GAP),
    ("may_add_ratio", "IOPS and MB/s may add above this share of both", "ratio", "definition", MAY_ADD),
    ("ask_step", "Figures to ask a vendor for are rounded up to", "count", "IOPS or MB/s, definition", ASK_STEP),
    ("rank_step", "Weight of a place in the ranking over the next", "count", "definition", RANK_STEP),
    ("short_text", "Letters of a short list on Answer", "count", "definition", SHORT_TEXT),
    ("months_per_year", "Months in one year", "count", "definition", 12),
    ("hours_per_year", "Hours in one year", "count", "definition: 365 days", 8760),
    ("most_years", "Most years counted", "years", "definition", MOST_YEARS),
    ("most_life", "Longest life of an array", "years", "definition", MOST_LIFE),
    ("first_year", "Year in which days begin to count", "year", "day 1 is 1 January 1900", 1900),
    ("days_per_year", "Days in one year, on average", "ratio", "a leap year every four, 1901 to 2100", 365.25),
    ("w_per_kw", "Watts in one kilowatt", "count", "exact", 1000),
    ("most_drawn_ratio", "Longest bar of the chart on Answer", "ratio", "definition", MOST_DRAWN),
    ("claim_digits", "A claim is shown to whole thousands", "count", "decimals left: it is printed so", -3),
    ("at_point_ratio", "A load is within the IOPS printed below", "ratio", "definition", AT_POINT),
    ("latency_digits", "Decimals of a latency in words", "count", "definition", LATENCY_DIGITS),
    ("clock_digits", "Digits of an hour or a minute", "count", "definition", CLOCK_DIGITS),
    ("evening_before", "Most minutes from the start of a boot to the logins", "count", "definition", EVENING_BEFORE),
    ("profile_years", "Years after which a profile does not transfer", "years", "definition", PROFILE_YEARS),
    ("most_change_ratio", "Most by which growth or a cost changes in a year", "ratio", "definition", MOST_CHANGE),
    ("stale_days", "Days after which a list price is old", "count", "definition", STALE_DAYS),
)
_RANGED = ("rho_cap_ratio", "card_cap_ratio", "logoff_window_min")  # assumed inputs whose range formulas read
_SHIPPED = ("container_signin_iops", "container_signin_s")  # those of which they read only what they ship with
_TITLE = "Units: exact conversion factors, GB and TB decimal, GiB and TiB binary; then constants"


def _constants(data: Data) -> tuple[tuple[str, str, str, str, float], ...]:
    """Return the constants, then what an assumed input ships with and the ends of its range, as its source says."""
    ranged = [*_cache_ends(data), *_clone_ends(data), *_share_ends(data)]
    for key in (*_RANGED, *_SHIPPED):
        item = data.input(key)
        found = _RANGE.search(item.value.source)
        low, high = found.groups() if found else (item.value.value, item.value.value)
        ends = (("assumed", "as shipped", item.value.value), ("low", "low end", low), ("high", "high end", high))
        for end, words, value in ends if key in _RANGED else ends[:1]:
            ranged.append((f"{key}_{end}", f"{item.label}: {words}", item.unit, "source on its row", float(value or 0)))
    built = ("build_day", "Day of the build", "date", "newest entry of the change log", canvas.serial(built_on()))
    return (*_CONSTANTS, built, *ranged)


def _cache_ends(data: Data) -> list[tuple[str, str, str, str, float]]:
    """Return the widest range of the write cache that profiles assume, the high end first: formulas slide over them."""
    figures = (data.profile_default(name, "write_cache_gib") for name in data.profile_names())
    found = [_RANGE.search(figure.source) for figure in figures if figure and figure.status == "assumed"]
    ranges = [(float(each[1]), float(each[2])) for each in found if each] or [(0.0, 0.0)]
    ends = (("high", max(high for _, high in ranges)), ("low", min(low for low, _ in ranges)))
    label, meaning = "Write cache or difference disk that a profile assumes", "sources of the profiles, above"
    return [(f"write_cache_gib_{end}", f"{label}: {end} end", "GiB", meaning, value) for end, value in ends]


def _clone_ends(data: Data) -> list[tuple[str, str, str, str, float]]:
    """Return the share written of a full clone's disk that ships, and the ends of its range on Risk inputs."""
    (row,) = (row for row in data.risk if row.input.key == "disk_used_ratio")
    ends = (("assumed", "as shipped", row.mode), ("high", "high end", row.maximum), ("low", "low end", row.minimum))
    key, label = row.input.key, row.input.label
    return [
        (f"{key}_{end}", f"{label}: {words}", "ratio", "Risk inputs", float(f.value or 0)) for end, words, f in ends
    ]


def _share_ends(data: Data) -> list[tuple[str, str, str, str, float]]:
    """Return the usable share of raw capacity that is assumed, and the ends of its range."""
    (field,) = (field for field in data.card_fields if field.key == "raid_efficiency_ratio")
    found = _RANGE.search(field.value.source)
    shipped = field.value.value
    low, high = found.groups() if found else (shipped, shipped)
    return [
        (f"{field.key}_{end}", f"{field.label}: {words}", field.unit, "source on its card", float(value or 0))
        for end, words, value in (
            ("assumed", "as shipped", shipped),
            ("low", "low end", low),
            ("high", "high end", high),
        )
    ]


def first_row(data: Data) -> int:
    """Return the row of the first factor: below what travels with a profile, a title and the headings."""
    return defaults.end(data) + 3


def _constants_row(data: Data) -> int:
    return first_row(data) + len(_FACTORS) + 1


def end(data: Data) -> int:
    """Return the row below the last constant."""
    return _constants_row(data) + len(_constants(data))


def blocks(data: Data) -> dict[str, Block]:
    """Return where each factor and constant stands."""
    rows = [*enumerate(_FACTORS, first_row(data)), *enumerate(_constants(data), _constants_row(data))]
    return {f"unit:{key}": Block(NAME, row, row, BASE, BASE) for row, (key, *_) in rows}


def cell(key: str, data: Data) -> str:
    """Return the cell of a factor for other rows of the sheet."""
    return f"${get_column_letter(BASE)}${blocks(data)[f'unit:{key}'].first_row}"


def write(ws: Worksheet, data: Data) -> None:
    """Write one labelled factor or constant per row."""
    canvas.table_head(ws, first_row(data) - 1, _TITLE, ("Factor", "Unit", "Per", "Value"), (BASE,))
    units, first = data.facts.units, _constants_row(data)
    for row, (_, label, old, new) in enumerate(_FACTORS, first_row(data)):
        _row(ws, row, (label, new, old), float(units[old].factor / units[new].factor), "0.0000000000")
    for column, text in enumerate(("Constant", "Unit", "Meaning", "Value"), 1):
        put(ws, first - 1, column, text, "heading")
    canvas.centre(ws, first - 1, (BASE,))
    for row, (_, label, unit, meaning, value) in enumerate(_constants(data), first):
        form = {"count": "0", "date": styles.number_format("date")}.get(unit, "0.0000000000")
        _row(ws, row, (label, unit, meaning), value, form)


def _row(ws: Worksheet, row: int, texts: tuple[str, str, str], value: float, form: str) -> None:
    for column, text in enumerate(texts, 1):
        put(ws, row, column, text, "label")
    put(ws, row, BASE, value, "fact")
    ws.cell(row, BASE).number_format = form
