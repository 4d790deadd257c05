"""Measured: a customer's own estate as `measure --save` writes it, or as people type it: what a design was sized from.

Below what prints are the joint rows of the bootstrap: each is one estate that the pilots may have come from, every
phase over its design figure, with its read share and block size: at the peak of login and steady work, over the run of
boot, log-off and patching. A design takes one of them by its number; the simulation draws them.
"""

from collections.abc import Sequence

from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, charts
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, Block, not_numbers
from model.layout.tab import Context, Tab
from model.reading.catalogue import ProfilePhase
from model.reading.records import Data
from model.sheets.catalogue import defaults, user_groups
from model.sheets.catalogue.phases import (
    JOINT_MIX,
    LABELS,
    MEASURED,
    MIXED,
    capitalised,
    joint_heading,
    joint_mix_heading,
)

NAME = "Measured"
MOST_ROWS, MOST_FILES, MOST_FINDINGS, MOST_GROUPS, HALF_HOURS = 200, 20, 12, 6, 48
MOST_LINES = MOST_GROUPS * len(MEASURED)  # of types: each in each phase
LONGEST = 250  # letters of a finding
_A, _B, _FIRST, _LAST = 1, 2, 3, 8  # columns: name, words, the first and the last of figures
_HOURS, _DESIGN, _LOW, _HIGH, _SIZED, _PILOTS, _PUBLISHED = range(_B, _LAST + 1)
_PURPOSE = (
    "What a customer's own estate did: measure --save fills this tab beside My profiles; it can be typed too. Empty, "
    "it changes no number."
)
_WIDTHS = [50, 48, 18, 18, 16, 18, 18, 26, 16, 18, *[18] * 7]
_STUDY = (  # row 4 and the line below it: column, key, heading, unit; no unit = words
    (_A, "profile", "Profile (its name on My profiles)", ""),
    (_B, "span", "First and last day", ""),
    (3, "desktops", "Desktops, desktops", "desktops"),
    (4, "days", "Days, count", "count"),
    (5, "interval_min", "Means over, min", "min"),
    (6, "coverage_ratio", "Coverage, ratio", "ratio"),
    (7, "bound", "Sized on", ""),
    (8, "conditions", "Method and system", ""),
)
_PHASE = (  # column, key, heading, unit
    (_HOURS, "hours", "Hours, and the design bin", ""),
    (_DESIGN, "design", "Design, IOPS/desktop", "IOPS/desktop"),
    (_LOW, "low", "95 % from, IOPS/desktop", "IOPS/desktop"),
    (_HIGH, "high", "95 % to, IOPS/desktop", "IOPS/desktop"),
    (_SIZED, "sized", "Sized on, IOPS/desktop", "IOPS/desktop"),
    (_PILOTS, "pilots", "Pilots for 10 %, desktops", "desktops"),
)
_FINDING = ((_A, "level", "Kind of finding", ""), (_B, "finding", "What was found, and what it did to the figures", ""))
_FILE = (
    (_A, "file", "File", ""),
    (_B, "tool", "Tool, and what was taken", ""),
    (3, "first", "First", ""),
    (4, "last", "Last", ""),
    (5, "every_s", "Every, s", "s"),
    (6, "clock", "Clock", ""),
    (7, "sha256", "sha256, first 12", ""),
)
_GROUP = (
    (_A, "group", "Group of the estate", ""),
    (_B, "taken", "Used GiB are (machines): examples; file", ""),
    (3, "machines", "In the estate, desktops", "desktops"),
    (4, "pilots", "Measured, desktops", "desktops"),
    (5, "steady", "Steady design, IOPS/desktop", "IOPS/desktop"),
    (6, "memory", "Memory, GiB", "GiB"),
    (7, "disk", "Disk, GiB", "GiB"),
    (8, "used", "Used, GiB", "GiB"),
)
_TYPE = (
    (_A, "line", "Type and phase, its busiest half hour", ""),
    (_B, "profile", "Profile (its name on My profiles; blank = that of all)", ""),
    (3, "design", "Design, IOPS/desktop", "IOPS/desktop"),
    (4, "low", "95 % from, IOPS/desktop", "IOPS/desktop"),
    (5, "high", "95 % to, IOPS/desktop", "IOPS/desktop"),
    (6, "sized", "Upper bound, IOPS/desktop", "IOPS/desktop"),
    (7, "pilots", "Pilots for 10 %, desktops", "desktops"),
    (8, "read_ratio", "Read share at the peak, ratio", "ratio"),
    (9, "block_kib", "Block size, KiB", "KiB"),
)
_GROUPS_WITH = 10  # of a type's profile, beside what prints
_AFTER = (  # of a phase after go-live; the two figures behind them are formulas
    (_B, "verdict", "After go-live, each against the other", ""),
    (3, "before", "Sized, IOPS/desktop", "IOPS/desktop"),
    (4, "measured", "Measured, IOPS/desktop", "IOPS/desktop"),
    (5, "prior", "Prior spread of ln, ratio", "ratio"),
    (6, "error", "Error of ln, ratio", "ratio"),
)
_WEIGHT, _CORRECTED = 7, 8
_DAY = (
    (3, "hour", "Half hour begins, h", "h"),
    (4, "mean", "Mean, IOPS/desktop", "IOPS/desktop"),
    (5, "low", "95 % from, IOPS/desktop", "IOPS/desktop"),
    (6, "high", "95 % to, IOPS/desktop", "IOPS/desktop"),
)
_LIMITS = {"h": 48, "desktops": 100_000, "count": 366, "min": 60, "ratio": 1, "s": 3_600, "IOPS/desktop": 100_000,
           "GiB": 100_000, "KiB": 4_096}  # fmt: skip
_STUDY_ROW, WORDS_ROW, _COUNT_ROW = range(FIRST_ROW, FIRST_ROW + 3)
PHASE_ROW = _COUNT_ROW + 3
_CHART_ROW, _CHART_ROWS = PHASE_ROW + len(MEASURED) + 1, 16
_FINDING_ROW = _CHART_ROW + _CHART_ROWS + 2
_FILE_ROW = _FINDING_ROW + MOST_FINDINGS + 2
GROUP_ROW = _FILE_ROW + MOST_FILES + 2
_ALL_ROW = GROUP_ROW + MOST_GROUPS + 2  # above the types: all desktops together
TYPE_ROW = _ALL_ROW + 1
AFTER_ROW = TYPE_ROW + MOST_LINES + 2
_PRINTED = AFTER_ROW + len(MEASURED) - 1
DAY_ROW = _PRINTED + 3
FILLED_ROW = DAY_ROW + HALF_HOURS + 2  # how many joint rows each phase has
TOGETHER_ROW = FILLED_ROW + 1  # all desktops over the types together: as typed, and as it counts
_FACTOR_ROW = TOGETHER_ROW + 1
JOINT_ROW = _FACTOR_ROW + 1
_LAST_JOINT = JOINT_ROW + MOST_ROWS - 1
_FIRST_MIX = _FIRST + len(MEASURED)  # the column right of the phases
_JOINT_HEADS = (  # column, heading, unit, least, most
    *((_FIRST + n, joint_heading(phase), "ratio", 0.0001, 1_000) for n, phase in enumerate(MEASURED)),
    *(
        (_FIRST_MIX + n * len(MIXED) + m, joint_mix_heading(phase, *JOINT_MIX[figure]), JOINT_MIX[figure][1], *ends)
        for n, (figure, ends) in enumerate({"read_ratio": (0.0001, 1), "block_kib": (0.5, 4_096)}.items())
        for m, phase in enumerate(MIXED)
    ),
)
_LAST_MIX = _JOINT_HEADS[-1][0]
_FIRST_PHASE, _LAST_PHASE, _LAST_OF_ALL = map(get_column_letter, (_FIRST, _FIRST_MIX - 1, _LAST_MIX))
_JOINT = f"{_FIRST_PHASE}{JOINT_ROW}:{_LAST_OF_ALL}{_LAST_JOINT}"
_FIGURES = (
    f"C{_STUDY_ROW}:F{_STUDY_ROW}",
    f"C{PHASE_ROW}:G{PHASE_ROW + len(MEASURED) - 1}",
    f"E{_FILE_ROW}:E{_FILE_ROW + MOST_FILES - 1}",
    f"C{GROUP_ROW}:H{GROUP_ROW + MOST_GROUPS - 1}",
    f"C{TYPE_ROW}:I{TYPE_ROW + MOST_LINES - 1}",
    f"C{AFTER_ROW}:F{_PRINTED}",
    f"C{DAY_ROW}:F{DAY_ROW + HALF_HOURS - 1}",
    f"{_FIRST_PHASE}{TOGETHER_ROW}:{_LAST_PHASE}{TOGETHER_ROW}",
    _JOINT,
)


def blocks(_: Data) -> dict[str, Block]:
    """Return what Design looks up, and the names by which commands find what is typed."""
    last_phase, last_finding = PHASE_ROW + len(MEASURED) - 1, _FINDING_ROW + MOST_FINDINGS - 1
    tables = (
        ("phases", PHASE_ROW, last_phase, _PHASE),
        ("findings", _FINDING_ROW, last_finding, _FINDING),
        ("files", _FILE_ROW, _FILE_ROW + MOST_FILES - 1, _FILE),
        ("groups", GROUP_ROW, GROUP_ROW + MOST_GROUPS - 1, _GROUP),
        ("types", TYPE_ROW, TYPE_ROW + MOST_LINES - 1, _TYPE),
        ("after", AFTER_ROW, _PRINTED, _AFTER),
        ("day", DAY_ROW, DAY_ROW + HALF_HOURS - 1, _DAY),
    )
    ranges = {
        f"Own_measured_{table}_{key}": Block(NAME, first, last, column, column)
        for table, first, last, columns in tables
        for column, key, *_ in columns
    }
    for column, key, *_rest in _STUDY:
        ranges[f"Own_measured_{key}"] = Block(NAME, _STUDY_ROW, _STUDY_ROW, column, column)
    return {
        **ranges,
        "Own_measured_rows": Block(NAME, JOINT_ROW, _LAST_JOINT, _FIRST, _FIRST_MIX - 1),
        "Own_measured_mixes": Block(NAME, JOINT_ROW, _LAST_JOINT, _FIRST_MIX, _LAST_MIX),
        "Own_measured_together": Block(NAME, TOGETHER_ROW, TOGETHER_ROW, _FIRST, _FIRST_MIX - 1),
        "measured:factors": Block(NAME, _FACTOR_ROW, _FACTOR_ROW, _FIRST, _LAST_MIX),
        "measured:names": Block(NAME, _ALL_ROW, TYPE_ROW + MOST_LINES - 1, _B, _B),
        "measured:type_names": ranges["Own_measured_types_profile"],
        "measured:by_type": Block(NAME, _COUNT_ROW, _COUNT_ROW, _B, _B),
        "measured:figures": Block(NAME, JOINT_ROW, _LAST_JOINT, _FIRST, _LAST_MIX),
        "measured:heads": Block(NAME, FILLED_ROW - 1, FILLED_ROW - 1, _FIRST, _LAST_MIX),
        "measured:profile": ranges["Own_measured_profile"],
        "measured:words": Block(NAME, WORDS_ROW, WORDS_ROW, _B, _B),
        "measured:rows": Block(NAME, _COUNT_ROW, _COUNT_ROW, _FIRST, _FIRST),
        "measured:columns": Block(NAME, _COUNT_ROW, _COUNT_ROW, _FIRST + 2, _FIRST + 2),
        "measured:not_numbers": Block(NAME, _COUNT_ROW, _COUNT_ROW, _LAST - 1, _LAST - 1),
    }


def cell(row: int, column: int = _A) -> str:
    """Return a cell of the tab as other sheets name it."""
    return f"{NAME}!${get_column_letter(column)}${row}"


WORDS, BY_TYPE = cell(WORDS_ROW, _B), cell(_COUNT_ROW, _B)
PROFILES = f"{cell(_ALL_ROW, _B)}:$B${TYPE_ROW + MOST_LINES - 1}"


def write(ws: Worksheet, context: Context) -> None:
    """Write the tables one below the other; all cells are empty but for those of the newest published profile."""
    headings = [heading for _, _, heading, _ in _STUDY]
    canvas.head(ws, "Measured at the customer's", _PURPOSE, headings, _WIDTHS, "B5", range(_FIRST, _LAST + 1))
    _typed(ws, _STUDY_ROW, 1, _STUDY)
    canvas.allow_list(ws, f"A{_STUDY_ROW}", "Tbl_Measured", _STUDY[0][2], blank=True)
    for cell in (f"E{_STUDY_ROW}", f"F{_STUDY_ROW}"):
        ws[cell].number_format = "0%" if cell[0] == "F" else "0"
    _derived(ws)
    _phases(ws, context.data)
    tables = ((_FINDING_ROW, MOST_FINDINGS, _FINDING), (_FILE_ROW, MOST_FILES, _FILE), (GROUP_ROW, MOST_GROUPS, _GROUP))
    for row, count, columns in tables:
        _headed(ws, row, columns)
        _typed(ws, row, count, columns)
    for row in range(_FINDING_ROW, _FINDING_ROW + MOST_FINDINGS):
        canvas.overflow(ws, row, _B)
    _types(ws)
    _after(ws)
    _day(ws)
    _joint_rows(ws)
    canvas.colour_not_numbers(ws, _FIGURES)
    canvas.print_setup(ws, len(_TYPE), _PRINTED)


def _headed(ws: Worksheet, first: int, columns: Sequence[tuple[int, str, str, str]]) -> None:
    """Write the headings of a table above its first row."""
    for column, _, heading, _ in columns:
        put(ws, first - 1, column, heading, "heading")
    canvas.centre(ws, first - 1, [column for column, *_ in columns if column >= _FIRST])


def _typed(ws: Worksheet, first: int, count: int, columns: tuple[tuple[int, str, str, str], ...]) -> None:
    """Write open cells below the headings, with what they accept."""
    for column, key, heading, unit in columns:
        letter = get_column_letter(column)
        area = f"{letter}{first}:{letter}{first + count - 1}"
        for row in range(first, first + count):
            put(ws, row, column, None, "input", unit or "text")
        if unit:
            canvas.allow_number(ws, area, 0, _LIMITS[unit], heading.rpartition(", ")[0])
        elif key != "profile":
            canvas.allow_text(ws, area, heading, LONGEST)


def _derived(ws: Worksheet) -> None:
    """Write what was measured in words, how many joint rows and columns count, and how many cells hold no number."""
    row = _STUDY_ROW
    put(ws, WORDS_ROW, _A, "In words, as Answer and the hand-off say it", "label")
    desktops, days, minutes = (f'TEXT({letter}{row},"0")' for letter in "CDE")
    said = f'"measured on "&{desktops}&" desktops, "&{days}&" days, "&{minutes}&"-minute means; "&G{row}'
    put(ws, WORDS_ROW, _B, f'=IF(C{row}=0,"none yet",{said})', "output")
    put(ws, _COUNT_ROW, _A, "Joint rows to draw; columns; no number where one belongs", "label")
    counts = f"{get_column_letter(_GROUPS_WITH)}{TYPE_ROW}:{get_column_letter(_GROUPS_WITH)}{TYPE_ROW + MOST_LINES - 1}"
    put(ws, _COUNT_ROW, _B, f'=REPT("; by type where a type has enough pilots",SIGN(SUM({counts})))', "output")
    phases, every = (f"{_FIRST_PHASE}{FILLED_ROW}:{last}{FILLED_ROW}" for last in (_LAST_PHASE, _LAST_OF_ALL))
    put(ws, _COUNT_ROW, _FIRST, f"=MAX({phases})", "output", "count")
    put(ws, _COUNT_ROW, _FIRST + 2, f'=COUNTIF({every},">0")', "output", "count")
    half = len(_FIGURES) // 2  # a formula is short enough to read
    put(ws, _COUNT_ROW, _LAST - 2, not_numbers(_FIGURES[:half]), "calculation", "count")
    rest = f"{not_numbers(_FIGURES[half:])}+{get_column_letter(_LAST - 2)}{_COUNT_ROW}"
    put(ws, _COUNT_ROW, _LAST - 1, rest, "output", "count")


def _phases(ws: Worksheet, data: Data) -> None:
    """Write a line per phase, and beside it the same figure of the newest published profile."""
    for column, _, heading, _ in ((_A, "", "Phase", ""), *_PHASE):
        put(ws, PHASE_ROW - 1, column, heading, "heading")
    newest = defaults.newest(data)[0]
    put(ws, PHASE_ROW - 1, _PUBLISHED, f"{newest}, IOPS/desktop", "heading")
    canvas.centre(ws, PHASE_ROW - 1, range(_FIRST, _LAST + 1))
    published = {row.phase: row for row in data.profiles if row.profile == newest}
    for row, phase in enumerate(MEASURED, PHASE_ROW):
        put(ws, row, _A, capitalised(LABELS[phase]), "label")
        _published(ws, row, published.get(phase))
    _typed(ws, PHASE_ROW, len(MEASURED), _PHASE)


def _published(ws: Worksheet, row: int, found: ProfilePhase | None) -> None:
    value = found.iops.value if found else None
    if found is None or value is None:
        put(ws, row, _PUBLISHED, "not published", "note")
        return
    put(ws, row, _PUBLISHED, value, canvas.typed_role(found.iops), "IOPS/desktop")


def _types(ws: Worksheet) -> None:
    """Write a line per type and phase, and beside it how many lines of User groups have its profile."""
    _headed(ws, _ALL_ROW, (*_TYPE, (_GROUPS_WITH, "", "Groups that have it, count", "count")))
    put(ws, _ALL_ROW, _A, "All desktops together, as above", "label")
    put(ws, _ALL_ROW, _B, f'=A{_STUDY_ROW}&""', "calculation")
    _typed(ws, TYPE_ROW, MOST_LINES, _TYPE)
    profile = get_column_letter(_B)
    for row in range(TYPE_ROW, TYPE_ROW + MOST_LINES):
        groups = f"=COUNTIF({user_groups.area(user_groups.PROFILE)},{profile}{row})"
        put(ws, row, _GROUPS_WITH, groups, "calculation", "count")
    named = f"{profile}{TYPE_ROW}:{profile}{TYPE_ROW + MOST_LINES - 1}"
    canvas.allow_list(ws, named, "Tbl_Measured", "Profile", blank=True)


def _after(ws: Worksheet) -> None:
    """Write a line per phase after go-live: what was sized and measured, and by formula the normal update of both."""
    derived = ((_WEIGHT, "", "Weight of measured, ratio", ""), (_CORRECTED, "", "Corrected, IOPS/desktop", ""))
    _headed(ws, AFTER_ROW, ((_A, "", "Phase", ""), *_AFTER, *derived))
    _typed(ws, AFTER_ROW, len(MEASURED), _AFTER)
    for row, phase in enumerate(MEASURED, AFTER_ROW):
        put(ws, row, _A, capitalised(LABELS[phase]), "label")
        weight = f'=IF(COUNT(E{row})*SUM(F{row})=0,"none",E{row}*E{row}/(E{row}*E{row}+F{row}*F{row}))'
        put(ws, row, _WEIGHT, weight, "output", "ratio")
        corrected = f"C{row}*EXP(G{row}*LN(D{row}/C{row}))"
        lacking = f"COUNT(G{row})*SUM(C{row})*SUM(D{row})=0"
        put(ws, row, _CORRECTED, f'=IF({lacking},"none",{corrected})', "output", "IOPS/desktop")
        canvas.centre(ws, row, (_WEIGHT, _CORRECTED))


def _day(ws: Worksheet) -> None:
    """Write the open cells of the busiest day, and above the findings its chart."""
    put(ws, DAY_ROW - 1, _A, "The busiest day, half an hour each", "heading")
    for column, _, heading, _ in _DAY:
        put(ws, DAY_ROW - 1, column, heading, "heading")
    canvas.centre(ws, DAY_ROW - 1, [column for column, *_ in _DAY])
    _typed(ws, DAY_ROW, HALF_HOURS, _DAY)
    chart = charts.curves(
        "The busiest day measured, half an hour each", "Hour of the day", "IOPS per desktop", ("0", "#,##0")
    )
    for (column, _, _, _), colour in zip(_DAY[1:], (charts.DARK, charts.MIDDLE, charts.MIDDLE), strict=True):
        series = charts.scatter(ws, (column, _DAY[0][0]), (DAY_ROW, DAY_ROW + HALF_HOURS - 1), (DAY_ROW - 1, column))
        series.marker.symbol = "none"
        dashes = None if colour == charts.DARK else "dash"
        line = LineProperties(solidFill=colour, w=22225 if dashes is None else 12700, prstDash=dashes)
        series.graphicalProperties = GraphicalProperties(ln=line)
        chart.series.append(series)
    charts.pin(ws, chart, (_A, _LAST + 1), (_CHART_ROW, _CHART_ROW + _CHART_ROWS))


def _joint_rows(ws: Worksheet) -> None:
    """Write the open cells of the joint rows, and above them how many are filled."""
    put(ws, FILLED_ROW - 1, _A, "Joint row: IOPS of a resample over the design figure, and its mix", "heading")
    put(ws, FILLED_ROW, _A, "Filled, count", "label")
    _together(ws)
    for row in range(JOINT_ROW, _LAST_JOINT + 1):
        put(ws, row, _A, f"Row {row - JOINT_ROW + 1}", "label")
    for column, heading, unit, least, most in _JOINT_HEADS:
        letter = get_column_letter(column)
        area = f"{letter}{JOINT_ROW}:{letter}{_LAST_JOINT}"
        put(ws, FILLED_ROW - 1, column, heading, "heading")
        put(ws, FILLED_ROW, column, f"=COUNT({area})", "calculation", "count")
        for row in range(JOINT_ROW, _LAST_JOINT + 1):
            put(ws, row, column, None, "input", unit)
        canvas.allow_number(ws, area, least, most, heading.rpartition(", ")[0])
    canvas.centre(ws, FILLED_ROW - 1, range(_FIRST, _LAST_MIX + 1))


def _together(ws: Worksheet) -> None:
    """Write what all desktops ask for over the sum of the types, and the factor that a joint row of groups gets."""
    by_type = cell(_COUNT_ROW, _B).partition("!")[2]
    put(ws, TOGETHER_ROW, _A, "All desktops over the types together (blank = 1)", "label")
    put(ws, _FACTOR_ROW, _A, "Counts where user groups have the profile of a type", "label")
    for column in range(_FIRST, _FIRST_MIX):
        typed = f"{get_column_letter(column)}{TOGETHER_ROW}"
        put(ws, TOGETHER_ROW, column, None, "input", "ratio")
        canvas.allow_number(ws, typed, 0.0001, 1_000, "All over the types together")
        put(ws, _FACTOR_ROW, column, f"=IF(LEN({by_type})*COUNT({typed})=0,1,{typed})", "calculation", "ratio")
    for column in range(_FIRST_MIX, _LAST_MIX + 1):  # read share and block size of types are their own
        put(ws, _FACTOR_ROW, column, f"=1-SIGN(LEN({by_type}))", "calculation", "ratio")


TAB = Tab(NAME, "rows", "input", "What a customer's own estate did, and what it was measured on", write, blocks)
