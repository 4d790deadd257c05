"""Summary: the answer on one page, base design and what-ifs side by side, with charts; then the figures behind both."""

from functools import lru_cache

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
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, WHATIFS, Layout
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets.catalogue import asks
from model.sheets.catalogue.phases import LABELS, PHASES, capitalised
from model.sheets.proof.check_figures import figures
from model.sheets.sizing.constraints import CONSTRAINTS

NAME = "Summary"
ROWS: tuple[Group | tuple[str, str, str], ...] = (
    # key, label, unit
    ("status", "Answer", "text"),
    ("arrays_required", "Arrays required", "arrays"),
    ("arrays_after_failure", "Arrays required after one failure", "arrays"),
    ("call_words", "Close call", "text"),
    ("binding_constraint", "Limited by", "text"),
    ("next_constraint", "Limited next by", "text"),
    ("constraints_unchecked", "Not checked", "text"),
    ("cost_per_desktop", "Cost per desktop", "USD/desktop"),
    ("cost_total", "Arrays, support, cloud storage", "USD"),
    Group("Load and storms"),
    ("capacity_required_gib", "Capacity required", "GiB"),
    ("boot_iops", "Boot", "IOPS"),
    ("login_iops", "Login", "IOPS"),
    ("steady_iops", "Steady work", "IOPS"),
    ("patching_iops", "Patching", "IOPS"),
    ("share_used_normal", "Share of the design used", "ratio"),
    ("login_latency_ms", "Latency in login", "ms"),
    ("boot_minutes", "Boot of all desktops", "min"),
    ("patching_minutes", "Patching of all desktops", "min"),
    Group("Design"),
    ("provisioned_desktops", "Desktops provisioned", "desktops"),
    ("desktops_at_limit", "Desktops at the limit", "desktops"),
    ("array", "Storage array", "text"),
    ("profile", "Workload profile", "text"),
    ("profile_year", "Year of the profile", "year"),
    ("provisioning", "Provisioning method", "text"),
)
_LINES = {"status": 3, "constraints_unchecked": 3, "profile": 3, "array": 2, "provisioning": 2}
_DESIGNS = range(BASE, BASE + 1 + WHATIFS)
_LAST = BASE + WHATIFS

CHANGED_ROW = FIRST_ROW + len(ROWS)  # how many inputs each what-if changes
CHART_ROW = CHANGED_ROW + 2
CHART_ROWS = 11

DATA_ROW = CHART_ROW + CHART_ROWS + 1  # heading of the figures behind the charts
PHASE_ROW = DATA_ROW + 1  # heading, then one row per phase: demand in D, supply in E
CONSTRAINT_ROW = PHASE_ROW + len(PHASES) + 1  # heading, then one row per constraint: ratio in D, arrays in E
CAPACITY_ROW = CONSTRAINT_ROW + len(CONSTRAINTS) + 1  # one row per part, one column per design
_PARTS = (
    # label, formula: parts of the capacity required, after data reduction, and what they are held against
    ("Desktops", "={disks_physical_gib}+{swap_physical_gib}"),
    ("Images", "={images_physical_gib}"),
    ("User data and containers", "={user_data_physical_gib}"),
    ("Usable in the design", "={usable_after_headroom_gib}*{arrays_fillable}"),
)
_ONE_ARRAY = (
    # label, key: three capacities that data sheets like to mix
    ("Raw, of one array", "raw_gib"),
    ("Usable, of one array", "usable_gib"),
    ("Effective, of one array at this mix", "effective_gib"),
)
USABLE = f"D{CAPACITY_ROW + len(_PARTS)}"  # usable in the design, the base one: the last of the parts
FIGURES_ROW = CAPACITY_ROW + len(_PARTS) + len(_ONE_ARRAY) + 2


@lru_cache(maxsize=1)
def figure_cells(data: Data, layout: Layout) -> dict[str, tuple[str, str]]:
    """Return the cells of the figures that the checks read, by key."""
    return {each.key: (NAME, f"D{row}") for row, each in enumerate(figures(data, layout), FIGURES_ROW + 1)}


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
            _row(ws, row, *item, data, layout)
    _band(ws, DATA_ROW, "Figures behind the charts")
    _chart_figures(ws, layout)
    last = _figures(ws, data, layout)
    columns = f"A{{}}:{get_column_letter(_LAST)}{{}}"
    canvas.print_setup(ws, _LAST, CHART_ROW + CHART_ROWS - 1, further=[columns.format(DATA_ROW, last)])
    ws.page_margins.bottom = 0.4  # answer, table and charts on one page
    fit.rows(ws, last)
    _draw(ws)


def _band(ws: Worksheet, row: int, text: str) -> None:
    for column in range(1, _LAST + 1):
        put(ws, row, column, text if column == 1 else None, "group")


def _row(ws: Worksheet, row: int, key: str, label: str, unit: str, data: Data, layout: Layout) -> None:
    """Write one result for every design, linked to the row that calculates it."""
    put(ws, row, 1, label, "label")
    canvas.put_unit(ws, row, 2, unit)
    put(ws, row, 3, layout.cell(key)[0], "note")
    for column, case in zip(_DESIGNS, layout.case_names, strict=False):
        sheet, cell = layout.cell(key, case)
        put(ws, row, column, f"={sheet}!{cell}", "output", unit)
        ws.cell(row, column).number_format = styles.line_format(key, unit)
        asks.link(ws, ws.cell(row, column).coordinate, key, column, data, layout)
    area = f"{get_column_letter(BASE)}{row}:{get_column_letter(_LAST)}{row}"
    canvas.centre(ws, row, _DESIGNS)
    if unit == "text":
        fit.reserve(ws, row, _LINES.get(key, 1))
    canvas.colour_asks(ws, area)
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
    for column in _DESIGNS[1:]:
        letter = get_column_letter(column)
        put(ws, CHANGED_ROW, column, f"=COUNTA({layout.what_ifs(letter)})", "output", "count")
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
    used = "{fixed:arrays_used}"
    _titles(ws, PHASE_ROW, "Phase", "Demand", "The arrays in the design can serve")
    for row, phase in enumerate(PHASES, PHASE_ROW + 1):
        formulas = (f"=MAX(0,{{load_{phase}}})", f"={{supply_{phase}}}*{used}")
        _figure_row(
            ws, row, capitalised(LABELS[phase]), "IOPS", [layout.resolve(f, NAME, BASE) for f in formulas], "#,##0"
        )
    _titles(ws, CONSTRAINT_ROW, "Constraint", "Arrays needed", "Arrays in the design")
    for row, constraint in enumerate(CONSTRAINTS, CONSTRAINT_ROW + 1):
        formulas = (f"=MAX(0,{{{constraint.ratio}}})", f"={used}")
        _figure_row(
            ws, row, constraint.label, "arrays", [layout.resolve(f, NAME, BASE) for f in formulas], '0.00;-0.00;"-"'
        )
    _titles(ws, CAPACITY_ROW, "Capacity after data reduction", *layout.case_names[: 1 + WHATIFS])
    for row, (name, formula) in enumerate(_PARTS, CAPACITY_ROW + 1):
        _figure_row(ws, row, name, "GiB", [layout.resolve(formula, NAME, column) for column in _DESIGNS], "#,##0")
    for row, (name, key) in enumerate(_ONE_ARRAY, CAPACITY_ROW + len(_PARTS) + 1):
        links = [layout.resolve(f"={{{key}}}", NAME, column) for column in _DESIGNS]
        _figure_row(ws, row, name, "GiB", links, styles.line_format(key, "GiB"), "output")


def _titles(ws: Worksheet, row: int, *texts: str) -> None:
    columns = (1, *_DESIGNS[: len(texts) - 1])
    for column, text in zip(columns, texts, strict=True):
        put(ws, row, column, text, "heading")
    canvas.centre(ws, row, columns[1:])


def _figure_row(
    ws: Worksheet, row: int, label: str, unit: str, formulas: list[str], form: str, role: str = "calculation"
) -> None:
    put(ws, row, 1, label, "label")
    put(ws, row, 2, unit, "label")
    for column, formula in enumerate(formulas, BASE):
        put(ws, row, column, formula, role)
        ws.cell(row, column).number_format = form


def _figures(ws: Worksheet, data: Data, layout: Layout) -> int:
    """Write the figures that checks read; return the last row."""
    _band(ws, FIGURES_ROW, "Figures the checks read")
    every = figures(data, layout)
    forms = {"[{}]": "D{}", "[label {}]": "$A{}", "[labels {}]": "$A${}"}
    rows = {
        name.format(each.key): cell.format(row)
        for row, each in enumerate(every, FIGURES_ROW + 1)
        for name, cell in forms.items()
    }
    for row, each in enumerate(every, FIGURES_ROW + 1):
        formula = layout.resolve(each.formula, NAME, BASE)
        for key, cell in rows.items():
            formula = formula.replace(key, cell)
        _figure_row(ws, row, each.label, "count", [formula], each.form, "output")
    return FIGURES_ROW + len(every)


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
