"""Risk inputs: a distribution per uncertain input, the rank correlations between them, what the buttons run with, and
what each kind of distribution needs.

Defaults are the papers' own spread where they print one (EQL table 7, K2's data reduction), assumed elsewhere. A row
keeps its position for ever: the draws of an input hang on it, so new inputs are added at the end.
"""

from dataclasses import dataclass

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import BASIS, FIRST_ROW, LABEL, UNIT, Block
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.reading.risk import DISTRIBUTIONS, NUMBERS, RiskRow

NAME = "Risk inputs"
KEY, KIND, FIRST_PARAMETER = 4, 5, 6
_LIKELY = FIRST_PARAMETER + 1
COLUMNS = (*NUMBERS, "values")
LISTED = FIRST_PARAMETER + len(NUMBERS)
HEADINGS = (
    "Input",
    "Unit",
    "Source of the spread, and help",
    "Key",
    "Distribution",
    "Minimum",
    "Likely, mean or value",
    "Maximum",
    "Spread",
    "Shape",
    "Second shape",
    "Values",
)
EVERY_PHASE = "demand_scale_ratio"
MATRIX = "Rank correlation"
SETTINGS = "Run settings"
NEEDS = "What each distribution needs"
_WIDTHS = [34, 12, 44, 23, 17, *[15] * 6, 22]
_LONGEST = 250
_LARGEST_SHAPE = 10_000.0
_EXPLAINED = {
    "fixed": "no spread; blank = the figure on Inputs",
    "uniform": "every figure between the two as likely as any other",
    "triangular": "rises to the likely figure, falls to the maximum",
    "pert": "as triangular but rounder; shape 4 unless given, larger = narrower",
    "normal": "mean and spread (standard deviation); cut at the range of the input",
    "truncated normal": "normal within minimum and maximum",
    "lognormal": "mean and spread (standard deviation) of the figure itself, not of its logarithm",
    "beta": "two shapes between minimum and maximum",
    "gamma": "shape, with the scale as spread",
    "discrete": "values with weights, such as 1:70; 2:30",
    "empirical": "measured values, each as likely as the others, such as 7.1; 7.4; 8.0",
    "by class": "lognormal around the profile: of every phase as wide as its class is under Run settings, blank = as "
    "Predictions; of one phase what Predictions has beyond that",
    "by method": "low, likely and high of the design's method on Lists, at most what its array is sold with; half of "
    "the trials below the likely figure; a figure typed is not drawn",
    "joint rows": "those of Measured, each as likely as the others, where the design has the profile measured",
}


@dataclass(frozen=True)
class _Setting:
    """A cell that buttons of the add-in read: name behind `Run_`, label, help, value and range; no range = a text."""

    name: str
    label: str
    help: str
    value: float | None = None
    least: float = 0
    most: float | None = None
    unit: str = "count"
    source: str = "user"


_SETTINGS = (
    _Setting("trials", "Trials", "Monte Carlo, Sensitivity: rounded up to 16 x a power of two", 65536, 16, 2**24),
    _Setting("seed", "Seed", "Monte Carlo, Sensitivity: same seed, same figures", 1, 0, 10**9 - 1),
    _Setting(
        "late_premium_ratio",
        "Late arrays: price premium",
        "Decide: 0.25 = an array that turns out to be missing costs a quarter more than in the first order",
        0.25,
        most=10,
        unit="ratio",
        source="assumed: no paper prints the premium of a second order; range 0-0.5",
    ),
    _Setting(
        "late_days",
        "Arrays bought late: working days until in use",
        "Decide: until then desktops the arrays cannot carry are below the agreed level",
        30,
        most=1000,
        unit="day",
        source="assumed: six weeks from order to use; range 10-60",
    ),
    _Setting(
        "desktop_day_cost",
        "Cost of a desktop below the agreed level, per working day",
        "Decide: blank = certainty alone decides, as it is not known what a day of bad service costs",
        most=100_000,
        unit="USD/desktop",
    ),
    _Setting(
        "failure_days",
        "Days a year after a failure",
        "Decide: on these days the arrays have to carry what they carry after a failure; blank = 0",
        1,
        most=366,
        unit="day",
        source="assumed: one failure a year, replaced within a day; range 0-10",
    ),
    _Setting(
        "pilot_cost",
        "Cost of a pilot desktop, measured",
        "Decide: 200 = a pilot of 30 desktops costs 6,000; blank = the worth of pilots is shown without their cost",
        most=100_000,
        unit="USD/desktop",
    ),
    _Setting(
        "spread_published_ratio",
        "Spread of a published profile of this generation",
        "Standard deviation of the logarithm: 0.2 = two of three sites within a factor of 1.22",
        0.2,
        most=3,
        unit="ratio",
        source="assumed: three documents print 52.9, 40.9 and 42.1 IOPS per desktop logging in (NX22-067, NX53-044, "
        "NX20-006), standard deviation of the logarithm x square root of 2 as one predicts another; one laboratory, so "
        "customers scatter more; range 0.15-0.35",
    ),
    _Setting(
        "spread_other_ratio",
        "Spread of a typed profile, or one of another generation",
        "Standard deviation of the logarithm: 0.59 = two of three sites within a factor of 1.8",
        0.59,
        most=3,
        unit="ratio",
        source="assumed: root mean square of ln(printed / ours) of the IOPS that Predictions takes from one test to "
        "another; range 0.4-1",
    ),
    _Setting(
        "spread_measured_ratio",
        "Spread of a profile measured here, without joint rows",
        "Standard deviation of the logarithm: what measure prints as the error, or the spread after an update",
        0.1,
        most=3,
        unit="ratio",
        source="assumed: thirty pilots give a mean within 10 %; range 0.05-0.2",
    ),
    _Setting(
        "centre_published_ratio",
        "Demand expected over a published profile of this generation",
        "Blank = 1, the profile's figure. The three documents of the spread above print 0.85 of the highest, which is "
        "the shipped profile, on average. Less than 1 makes fewer arrays look enough",
        least=0.1,
        most=3,
        unit="ratio",
    ),
    _Setting(
        "centre_other_ratio",
        "Demand expected over a typed profile, or one of another generation",
        "Blank = 1, the profile's figure. What tests print is 0.71 of what Predictions takes from other tests, on "
        "average of 13 figures of five papers: too few to lower a demand by",
        least=0.1,
        most=3,
        unit="ratio",
    ),
    _Setting("target", "Target", "Goal seek: such as arrays_required=2; blank = the arrays of the present answer"),
    _Setting(
        "explained", "Explained", "Explain this cell: a result such as cost_per_desktop; blank = the selected cell"
    ),
)


def _coupled(data: Data) -> list[RiskRow]:
    """Return the inputs of the matrix: what a phase has beyond the others moves with no input."""
    return [item for item in data.risk if item.distribution != "by class" or item.input.key == EVERY_PHASE]


def _starts(data: Data) -> tuple[int, int, int]:
    """Return the heading rows of the matrix, of the run settings and of the table of distributions."""
    matrix = FIRST_ROW + len(data.risk) + 1
    settings = matrix + len(_coupled(data)) + 2
    return matrix, settings, settings + len(_SETTINGS) + 2


def blocks(data: Data) -> dict[str, Block]:
    """Return where the run settings, the list of distributions and kind and likely value of every input stand."""
    _, settings, needs = _starts(data)
    cells = enumerate(_SETTINGS, settings + 1)
    kinds = {f"risk:{item.input.key}": (row, KIND) for row, item in enumerate(data.risk, FIRST_ROW)}
    likely = {f"risk_value:{key.partition(':')[2]}": (row, _LIKELY) for key, (row, _) in kinds.items()}
    return {
        **{f"Run_{each.name}": Block(NAME, row, row, KIND, KIND) for row, each in cells},
        **{key: Block(NAME, row, row, at, at) for key, (row, at) in (kinds | likely).items()},
        "distributions": Block(NAME, needs + 1, needs + len(DISTRIBUTIONS), 1, 1),
    }


def numbers(data: Data) -> list[str]:
    """Return the areas that hold figures, top down: the spreads, the rank correlations, trials and seed."""
    matrix, settings, _ = _starts(data)
    last = FIRST_ROW + len(data.risk) - 1
    whole = [row for row, each in enumerate(_SETTINGS, settings + 1) if each.most is not None]
    coupled = len(_coupled(data))
    ranks = f"{get_column_letter(KEY + 1)}{matrix + 2}:{get_column_letter(KEY + coupled - 1)}"
    typed = get_column_letter(KIND)
    return [
        f"{get_column_letter(FIRST_PARAMETER)}{FIRST_ROW}:{get_column_letter(LISTED - 1)}{last}",
        f"{ranks}{matrix + coupled}",
        f"{typed}{min(whole)}:{typed}{max(whole)}",
    ]


def write(ws: Worksheet, context: Context) -> None:
    """Write the spreads, the lower triangle of the matrix and the table of distributions."""
    data = context.data
    purpose = "Inputs that the simulation draws; below, the buttons' settings. The distribution ignores grey cells."
    matrix, settings, needs = _starts(data)
    last_column = max(LISTED, KEY + len(_coupled(data)))
    widths = [*_WIDTHS, *[10] * (last_column - len(_WIDTHS))]
    canvas.head(ws, NAME, purpose, HEADINGS, widths, "D5", range(FIRST_PARAMETER, LISTED + 1))
    canvas.select(ws, f"{get_column_letter(KIND)}{FIRST_ROW}")
    for row, item in enumerate(data.risk, FIRST_ROW):
        _spread(ws, row, item)
    _matrix(ws, matrix, data)
    _run_settings(ws, settings)
    _needs(ws, needs)
    last = FIRST_ROW + len(data.risk) - 1
    kinds = f"{needs + 1}:{{0}}${needs + len(DISTRIBUTIONS)}"
    used = f"INDEX(F${kinds.format('F')},MATCH($E{FIRST_ROW},$A${kinds.format('$A')},0))"
    grey = FormulaRule(
        formula=[f'{used}=""'], fill=PatternFill("solid", bgColor="D9DDE2"), font=Font(color=styles.GREY, strike=True)
    )
    ws.conditional_formatting.add(f"F{FIRST_ROW}:{get_column_letter(LISTED)}{last}", grey)
    canvas.colour_not_numbers(ws, numbers(data))
    canvas.print_setup(ws, last_column, needs + len(DISTRIBUTIONS), titles="A:A")


def _spread(ws: Worksheet, row: int, item: RiskRow) -> None:
    key, unit, label = item.input.key, item.input.unit, item.input.label
    low, high = item.input.minimum or 0, item.input.maximum or 0
    role = "assumed_input" if item.source.startswith("assumed") else "input"
    put(ws, row, LABEL, label, "label")
    canvas.put_unit(ws, row, UNIT, unit)
    put(ws, row, BASIS, f"{item.source}. {item.help}", "note")
    put(ws, row, KEY, key, "label")
    put(ws, row, KIND, item.distribution, role)
    canvas.allow_list(ws, f"{get_column_letter(KIND)}{row}", "Tbl_Distributions", label)
    for column, name in enumerate(NUMBERS, FIRST_PARAMETER):
        put(ws, row, column, item.cells[name].value, role, "ratio" if "shape" in name else unit)
    put(ws, row, LISTED, item.listed or None, role)
    spread, shape, second = (get_column_letter(FIRST_PARAMETER + n) for n in (3, 4, 5))
    canvas.allow_number(ws, f"F{row}:H{row}", low, high, label)
    canvas.allow_number(ws, f"{spread}{row}", 0, high - low, label)
    canvas.allow_number(ws, f"{shape}{row}:{second}{row}", 0, _LARGEST_SHAPE, label)
    canvas.allow_text(ws, f"{get_column_letter(LISTED)}{row}", label, _LONGEST)


def _matrix(ws: Worksheet, top: int, data: Data) -> None:
    """Write the lower triangle: a row and a column for each input, in the order above."""
    items = _coupled(data)
    keys = [item.input.key for item in items]
    pairs = {frozenset((pair.first, pair.second)): pair.rank for pair in data.correlations}
    for column, text in enumerate((MATRIX, "Unit", "Source of the row's figures", "Key", *keys), 1):
        put(ws, top, column, text, "heading")
    for row, item in enumerate(items, top + 1):
        before = keys[: row - top - 1]
        typed = {key: rank for key in before if (rank := pairs.get(frozenset((key, item.input.key))))}
        sources = list(dict.fromkeys(rank.source for rank in typed.values()))
        source = "; ".join(sorted(sources, key=lambda text: not text.startswith("assumed"))) or "user"
        role = "assumed_input" if source.startswith("assumed") else "input"
        put(ws, row, LABEL, item.input.label, "label")
        put(ws, row, UNIT, "ratio", "label")
        put(ws, row, BASIS, f"{source}. -1 to 1; 0 = the two do not move together", "note")
        put(ws, row, KEY, item.input.key, "label")
        for column, key in enumerate(before, KEY + 1):
            put(ws, row, column, typed[key].value if key in typed else 0, role, "ratio")
        if before:
            area = f"{get_column_letter(KEY + 1)}{row}:{get_column_letter(KEY + len(before))}{row}"
            canvas.allow_number(ws, area, -1, 1, item.input.label)


def _run_settings(ws: Worksheet, top: int) -> None:
    """Write what the buttons run with; no formula reads it."""
    for column, text in enumerate((SETTINGS, "Unit", "Which button reads it, and help", "Name", "Value"), 1):
        put(ws, top, column, text, "heading")
    for row, each in enumerate(_SETTINGS, top + 1):
        unit = "any text" if each.most is None else each.unit
        role = "assumed_input" if each.source.startswith("assumed") else "input"
        put(ws, row, LABEL, each.label, "label")
        canvas.put_unit(ws, row, UNIT, unit)
        put(ws, row, BASIS, f"{each.source}. {each.help}", "note")
        put(ws, row, KEY, f"Run_{each.name}", "label")
        put(ws, row, KIND, each.value, role, unit)
        cell = f"{get_column_letter(KIND)}{row}"
        if each.most is None:
            canvas.allow_text(ws, cell, each.label)
        else:
            whole = each.unit == "count"
            canvas.allow_number(ws, cell, each.least, each.most, each.label, whole=whole, help=each.help)


def _needs(ws: Worksheet, top: int) -> None:
    for column in range(1, LISTED + 1):
        text = NEEDS if column == 1 else "Meaning" if column == BASIS else None
        put(ws, top, column, text or (HEADINGS[column - 1] if column >= FIRST_PARAMETER else None), "heading")
    for row, (kind, needed) in enumerate(DISTRIBUTIONS.items(), top + 1):
        put(ws, row, LABEL, kind, "label")
        put(ws, row, BASIS, _EXPLAINED[kind], "note")
        for column, name in enumerate(COLUMNS, FIRST_PARAMETER):
            text = "needed" if name in needed else "optional" if f"{name}?" in needed else None
            put(ws, row, column, text, "note")


TAB = Tab(NAME, "risk", "input", "How far the inputs may be off, and which move together", write, blocks)
