"""Summary: the answer on one page, base design and what-ifs side by side, with charts; then the figures behind both."""

from openpyxl.chart import BarChart, LineChart, Reference, Series
from openpyxl.chart.marker import Marker
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, charts, fit, styles
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_PUBLISHED, FIRST_ROW, HEAD_ROW, OWN_ARRAYS, OWN_PROFILES, WHATIFS, Layout
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets import timeline
from model.sheets.constraints import CONSTRAINTS
from model.sheets.phases import LABELS, PHASES, capitalised
from model.sheets.workloads import NAME as WORKLOADS

NAME = "Summary"
ROWS: tuple[Group | tuple[str, str, str], ...] = (
    # key, label, unit
    ("status", "Answer", "text"),
    ("arrays_required", "Arrays required", "arrays"),
    ("binding_constraint", "Binding constraint", "text"),
    ("next_constraint", "Next constraint", "text"),
    ("constraints_unchecked", "Constraints unchecked", "text"),
    ("cost_per_desktop", "Cost per desktop", "USD/desktop"),
    ("cost_total", "Total cost", "USD"),
    Group("Load and storms"),
    ("capacity_required_gib", "Capacity required", "GiB"),
    ("boot_iops", "Boot", "IOPS"),
    ("login_iops", "Login", "IOPS"),
    ("steady_iops", "Steady work", "IOPS"),
    ("patching_iops", "Patching", "IOPS"),
    ("peak_phase_utilisation", "Highest utilisation", "ratio"),
    ("login_latency_ms", "Latency in login", "ms"),
    ("boot_minutes", "Boot of all desktops", "min"),
    ("login_peak_iops", "Login peak over time", "IOPS"),
    ("patching_minutes", "Patching of all desktops", "min"),
    Group("Design"),
    ("provisioned_desktops", "Desktops provisioned", "desktops"),
    ("desktops_at_limit", "Desktops at the limit", "desktops"),
    ("array", "Storage array", "text"),
    ("profile", "Workload profile", "text"),
    ("provisioning", "Provisioning method", "text"),
)
_LINES = {"status": 4, "constraints_unchecked": 3, "profile": 3, "array": 2, "provisioning": 2}
_DESIGNS = range(BASE, BASE + 1 + WHATIFS)
_LAST = BASE + WHATIFS

CHANGED_ROW = FIRST_ROW + len(ROWS)  # how many inputs each what-if changes
CHART_ROW = CHANGED_ROW + 2
CHART_ROWS = 12

DATA_ROW = CHART_ROW + CHART_ROWS + 1  # heading of the figures behind the charts
PHASE_ROW = DATA_ROW + 1  # heading, then one row per phase: demand in D, supply in E
CONSTRAINT_ROW = PHASE_ROW + len(PHASES) + 1  # heading, then one row per constraint: ratio in D, arrays in E
CAPACITY_ROW = CONSTRAINT_ROW + len(CONSTRAINTS) + 1  # one row per part, one column per design
_PARTS = (
    # label, formula: parts of the capacity required, after data reduction, and what they are held against
    ("Desktops", "={desktops_stored_gib}/MAX(1,{data_reduction_ratio})"),
    ("Images", "={images_physical_gib}"),
    ("User data", "={user_data_stored_gib}/MAX(1,{data_reduction_ratio})"),
    ("Usable in the design", "={usable_after_headroom_gib}*{arrays_used}"),
)
FIGURES_ROW = CAPACITY_ROW + len(_PARTS) + 2


def figure(key: str) -> tuple[str, str]:
    """Return the cell of a figure that the checks read."""
    return NAME, f"D{FIGURES_ROW + 1 + _FIGURES.index(key)}"


_FIGURES = (
    "choices_found",
    "optional_entered",
    "required_entered",
    "whatifs_entered",
    "supply_against_tests",
    "count_margin",
    "capacity_summed",
    "capacity_margin",
    "starts_conserved",
    "served_faults",
    "boot_latency_over_limit",
    *(f"array_{n}_unusable" for n in range(1, len(OWN_ARRAYS) + 1)),
    *(f"profile_{n}_unusable" for n in range(1, len(OWN_PROFILES) + 1)),
)


def write(ws: Worksheet, context: Context) -> None:
    """Write answer and comparison table, leave room for the charts, then the figures behind charts and checks."""
    data, layout = context.data, context.layout
    headings = ["Result", "Unit", "From sheet", *layout.case_names[: 1 + WHATIFS]]
    purpose = "The answer for the base design and the seven what-ifs; grey columns are what-ifs not in use"
    canvas.head(ws, "Summary", purpose, headings, [34, 13, 13, 34, *[20] * 7], "D5", _DESIGNS)
    canvas.answer_band(ws, layout, BASE)
    _changed(ws, layout)  # first: its grey goes before every other colour
    for row, item in enumerate(ROWS, FIRST_ROW):
        if isinstance(item, Group):
            _band(ws, row, item.label)
        else:
            _row(ws, row, *item, layout)
    _band(ws, DATA_ROW, "Figures behind the charts")
    _chart_figures(ws, layout)
    _figures(ws, data, layout)
    last = FIGURES_ROW + len(_FIGURES)
    columns = f"A{{}}:{get_column_letter(_LAST)}{{}}"
    canvas.print_setup(ws, _LAST, CHART_ROW + CHART_ROWS - 1, further=[columns.format(DATA_ROW, last)])
    ws.page_margins.bottom = 0.4  # answer, table and charts on one page
    fit.rows(ws, last)
    _draw(ws)


def _band(ws: Worksheet, row: int, text: str) -> None:
    for column in range(1, _LAST + 1):
        put(ws, row, column, text if column == 1 else None, "group")


def _row(ws: Worksheet, row: int, key: str, label: str, unit: str, layout: Layout) -> None:
    """Write one result for every design, linked to the row that calculates it."""
    put(ws, row, 1, label, "label")
    put(ws, row, 2, unit, "label")
    put(ws, row, 3, layout.cell(key)[0], "note")
    for column, case in zip(_DESIGNS, layout.case_names, strict=False):
        sheet, cell = layout.cell(key, case)
        put(ws, row, column, f"={sheet}!{cell}", "output", unit)
    area = f"{get_column_letter(BASE)}{row}:{get_column_letter(_LAST)}{row}"
    canvas.centre(ws, row, _DESIGNS)
    if unit == "text":
        fit.reserve(ws, row, _LINES.get(key, 1))
    if key == "status":
        canvas.colour_answer(ws, area)
    if key == "constraints_unchecked":
        amber = PatternFill("solid", bgColor=styles.AMBER_FILL)
        first = area.partition(":")[0]
        ws.conditional_formatting.add(area, FormulaRule(formula=[f'{first}<>"none"'], fill=amber))


def _changed(ws: Worksheet, layout: Layout) -> None:
    """Count the inputs every what-if changes; a column that changes none is grey."""
    put(ws, CHANGED_ROW, 1, "Inputs changed by the what-if", "label")
    put(ws, CHANGED_ROW, 2, "count", "label")
    put(ws, CHANGED_ROW, 3, "Inputs", "note")
    first, last = min(layout.inputs.values()), max(layout.inputs.values())
    for column in _DESIGNS[1:]:
        letter = get_column_letter(column)
        put(ws, CHANGED_ROW, column, f"=COUNTA(Inputs!{letter}{first}:{letter}{last})", "output", "count")
    canvas.centre(ws, CHANGED_ROW, _DESIGNS[1:])
    start, end = get_column_letter(BASE + 1), get_column_letter(_LAST)
    pale = PatternFill("solid", bgColor="F5F7FA")
    unused = FormulaRule(
        formula=[f"{start}${CHANGED_ROW}=0"], font=Font(color="6F7A88", bold=False), fill=pale, stopIfTrue=True
    )
    results = [row for row, item in enumerate(ROWS, FIRST_ROW) if not isinstance(item, Group)]
    area = " ".join(f"{start}{row}:{end}{row}" for row in (*results, CHANGED_ROW))
    ws.conditional_formatting.add(area, unused)


def _chart_figures(ws: Worksheet, layout: Layout) -> None:
    """Write what the charts draw: each cell a link to a calculation, or a product of two or three."""
    used = "{arrays_used}"
    _titles(ws, PHASE_ROW, "Phase", "Demand", "The arrays in the design can serve")
    for row, phase in enumerate(PHASES, PHASE_ROW + 1):
        formulas = (f"=MAX(0,{{{phase}_iops}})", f"={{supply_{phase}}}*{used}")
        _figure_row(
            ws, row, capitalised(LABELS[phase]), "IOPS", [layout.resolve(f, NAME, BASE) for f in formulas], "#,##0"
        )
    _titles(ws, CONSTRAINT_ROW, "Constraint", "Arrays needed", "Arrays in the design")
    for row, constraint in enumerate(CONSTRAINTS, CONSTRAINT_ROW + 1):
        formulas = (f"=MAX(0,{{{constraint.ratio}}})", "={arrays_used}")
        _figure_row(
            ws, row, constraint.label, "arrays", [layout.resolve(f, NAME, BASE) for f in formulas], '0.00;-0.00;"-"'
        )
    _titles(ws, CAPACITY_ROW, "Capacity after data reduction", *layout.case_names[: 1 + WHATIFS])
    for row, (name, formula) in enumerate(_PARTS, CAPACITY_ROW + 1):
        _figure_row(ws, row, name, "GiB", [layout.resolve(formula, NAME, column) for column in _DESIGNS], "#,##0")


def _titles(ws: Worksheet, row: int, *texts: str) -> None:
    columns = (1, *_DESIGNS[: len(texts) - 1])
    for column, text in zip(columns, texts, strict=True):
        put(ws, row, column, text, "heading")
    canvas.centre(ws, row, columns[1:])


def _figure_row(ws: Worksheet, row: int, label: str, unit: str, formulas: list[str], form: str) -> None:
    put(ws, row, 1, label, "label")
    put(ws, row, 2, unit, "label")
    for column, formula in enumerate(formulas, BASE):
        put(ws, row, column, formula, "calculation")
        ws.cell(row, column).number_format = form


def _figures(ws: Worksheet, data: Data, layout: Layout) -> None:
    _band(ws, FIGURES_ROW, "Figures the checks read")
    last = get_column_letter(FIRST_PUBLISHED - 1)
    first_published, last_published = get_column_letter(FIRST_PUBLISHED), get_column_letter(layout.columns.stop - 1)
    rows = layout.lines
    found = f"Design!D{rows['array_row'][1]}:{last}{rows['cache_row'][1]}"
    first_input, last_input = min(layout.inputs.values()), max(layout.inputs.values())
    optional = ",".join(_optional_areas(data, layout))
    first_override = min(layout.inputs[i.key] for i in data.inputs if i.group.startswith("Phase"))
    margin = rows["demonstrated_margin"][1]
    formulas = {
        "choices_found": (
            "Choices found in the catalogues",
            f"=COUNT({found},{_place(timeline.card('found'))})",
        ),
        "optional_entered": ("Optional inputs of the base design entered", f"=COUNTA({optional})"),
        "required_entered": (
            "Required inputs of the base design entered",
            f"=COUNTA(Inputs!D{first_input}:D{first_override - 1})-{figure('optional_entered')[1]}",
        ),
        "whatifs_entered": ("What-if cells in use", f"=COUNTA(Inputs!E{first_input}:{last}{last_input})"),
        "supply_against_tests": (
            "Least supply over what a test demonstrated",
            f"=MIN(Performance!{first_published}{margin}:{last_published}{margin})",
        ),
    }
    formulas["count_margin"] = (
        "Arrays required above the largest ratio, at most 1",
        layout.resolve("=MIN(1,{arrays_required}-{ratio_largest})", NAME, BASE),
    )
    formulas["capacity_summed"] = (
        "Capacity summed per desktop, GiB",
        layout.resolve("={desktop_physical_gib}*{provisioned_desktops}+{images_physical_gib}", NAME, BASE),
    )
    summed, total = figure("capacity_summed")[1], "{capacity_required_gib}"
    formulas["capacity_margin"] = (
        "The same over capacity summed in total",
        layout.resolve(f"=IF({total}>0,{summed}/{total},1)", NAME, BASE),
    )
    started = "{effective_start_rate}*({boot_minutes}-{boot_tail_min})/{boot_desktops}"
    formulas["starts_conserved"] = (
        "Start rate x minutes over the desktops booted",
        layout.resolve(f"=IF({{boot_desktops}}>0,{started},1)", NAME, BASE),
    )
    faults = rows["served_faults"][1]
    formulas["served_faults"] = (
        "Phases served otherwise than asked, all designs and tests",
        f"=SUM(Storms!{get_column_letter(BASE)}{faults}:{last_published}{faults})",
    )
    saturated = "(1-COUNT({boot_latency_ms}))*SIGN({base_latency_ms})*(1+{boot_storm_utilisation})"
    formulas["boot_latency_over_limit"] = (
        "Boot latency over its limit; 0 = no figure, 2 = saturated",
        layout.resolve(
            "=IF({boot_latency_limit_ms}>0,SUM({boot_latency_ms})/{boot_latency_limit_ms}+" + saturated + ",0)",
            NAME,
            BASE,
        ),
    )
    first_array = BASE + len(data.arrays)
    for n, name in enumerate(OWN_ARRAYS, 1):
        letter = get_column_letter(first_array + n - 1)
        formulas[f"array_{n}_unusable"] = (
            f"{name}: started, but without a supply figure",
            _array_formula(layout, letter),
        )
    per = len(data.phases)
    for n, name in enumerate(OWN_PROFILES, 1):
        start = FIRST_ROW + per * (len(data.profile_names()) + n - 1)
        area = f"{WORKLOADS}!$D{start}:$D{start + per - 1}"
        text = f"=SIGN(COUNTA({WORKLOADS}!$D{start}:$H{start + per - 1}))*(1-SIGN(SUM({area})))"
        formulas[f"profile_{n}_unusable"] = (f"{name}: started, but without IOPS", text)
    for row, key in enumerate(_FIGURES, FIGURES_ROW + 1):
        label, formula = formulas[key]
        put(ws, row, 1, label, "label")
        put(ws, row, 2, "count", "label")
        put(ws, row, BASE, formula, "output")
        ws.cell(row, BASE).number_format = "0" if key.endswith(("entered", "found", "unusable")) else "0.00"


def _optional_areas(data: Data, layout: Layout) -> list[str]:
    """Return the base cells of the optional inputs before the overrides, neighbours as one area."""
    rows = sorted(layout.inputs[i.key] for i in data.inputs if i.optional and not i.group.startswith("Phase"))
    starts = [row for row in rows if row - 1 not in rows]
    ends = [row for row in rows if row + 1 not in rows]
    return [f"Inputs!D{a}" if a == b else f"Inputs!D{a}:D{b}" for a, b in zip(starts, ends, strict=True)]


def _place(cell: tuple[str, str]) -> str:
    return "!".join(cell)


def _array_formula(layout: Layout, letter: str) -> str:
    """Return 1 when a column of the user's own arrays holds something but no rating, flash capacity or drives."""
    first = min(b.first_row for k, b in layout.blocks.items() if k.startswith("arrays:"))
    last = max(b.last_row for k, b in layout.blocks.items() if k.startswith("arrays:"))
    supply = [layout.blocks[f"arrays:{key}"].first_row for key in ("rating_provisioning_iops", "drives")]
    entered = f"COUNTA(Arrays!{letter}{first}:{letter}{last})"
    return f"=SIGN({entered})*(1-SIGN(SUM(Arrays!{letter}{supply[0]}:{letter}{supply[1]})))"


def _draw(ws: Worksheet) -> None:
    """Put three charts below the comparison table: load by phase, arrays by constraint, capacity by design."""
    edges = (BASE + 1, BASE + 1 + WHATIFS / 2, BASE + 1 + WHATIFS)
    start = 1.0
    for chart, end in zip((_phases(ws), _constraints(ws), _capacity(ws)), edges, strict=True):
        charts.pin(ws, chart, (start, end), (CHART_ROW, CHART_ROW + CHART_ROWS))
        start = end


def _phases(ws: Worksheet) -> BarChart:
    """Draw the base design's demand beside what its arrays can serve, phase by phase."""
    first, last = PHASE_ROW, CONSTRAINT_ROW - 1
    chart = charts.bars("col", "Base design: IOPS demanded and served, by phase", "Phase", "IOPS", "#,##0")
    chart.gapWidth, chart.overlap = 60, 0
    charts.add_columns(chart, ws, (BASE, BASE + 1), (charts.DARK, charts.LIGHT), first, last)
    return chart


def _constraints(ws: Worksheet) -> BarChart:
    """Draw how many arrays each constraint asks for, in front of the arrays in the design."""
    first, last = CONSTRAINT_ROW, CAPACITY_ROW - 1
    chart = charts.bars("bar", "Base design: arrays each constraint needs", "Constraint", "Arrays", "0.0#")
    chart.gapWidth, chart.overlap = 35, 100
    charts.add_columns(chart, ws, (BASE + 1, BASE), (charts.LIGHT, charts.DARK), first, last)
    chart.x_axis.scaling.orientation = "maxMin"  # first constraint on top
    charts.name_every_category(chart)
    chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"  # and the scale stays below
    chart.series[1].dLbls = charts.labels(value=True, form='0.00;-0.00;"-"')
    return chart


def _capacity(ws: Worksheet) -> BarChart:
    """Draw what every design stores after data reduction, with the usable capacity as a mark."""
    chart = charts.bars("col", "All designs: capacity in GiB, after data reduction", "Design", "GiB", "#,##0")
    chart.grouping, chart.gapWidth, chart.overlap = "stacked", 50, 100
    head, marks = CAPACITY_ROW, LineChart()
    for number in range(1, len(_PARTS) + 1):
        row = head + number
        series = Series(Reference(ws, min_col=BASE, max_col=BASE + WHATIFS, min_row=row), title_from_data=False)
        series.tx = charts.name(ws, row, 1)
        series.cat = charts.categories(ws, BASE, BASE + WHATIFS, HEAD_ROW, HEAD_ROW)
        series.dLbls = charts.labels()
        if number < len(_PARTS):
            charts.fill(series, (charts.DARK, charts.MIDDLE, charts.LIGHT)[number - 1])
            chart.series.append(series)
            continue
        series.smooth = False
        series.graphicalProperties = GraphicalProperties(ln=LineProperties(noFill=True))
        series.marker = Marker(symbol="dash", size=12, spPr=GraphicalProperties(solidFill="000000"))
        marks.series.append(series)
    marks.dLbls = charts.labels()
    marks.x_axis, marks.y_axis = chart.x_axis, chart.y_axis
    chart += marks
    return chart


TAB = Tab(NAME, "front", "result", "The answer on one page, with charts", write)
