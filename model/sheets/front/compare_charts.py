"""The charts on Compare: arrays in the first and last year, and present cost, of every design, the best on top.

A design without an answer or a price has no bar.
"""

from openpyxl.chart import Reference, Series
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import charts

ROWS = 9  # that they fill
FIRST, LAST, COST = "arrays_drawn_first", "arrays_drawn_last", "cost_drawn"
DRAWN = (  # key of a row, what it says, its unit, the line it is of
    (FIRST, "first year", "arrays", "arrays_first"),
    (LAST, "last year", "arrays", "arrays_last"),
    (COST, "Present cost, 0 = enter a quote", "USD", "npv"),
)


def draw(ws: Worksheet, top: int, rows: dict[str, int], columns: range) -> None:
    """Draw both below the table, from a row on; `rows` are those of the keys, `columns` those of the designs."""
    first, last = columns[0], columns[-1]
    arrays = charts.bars("bar", "Arrays or nodes, first and last year", "Design", "Arrays", "0")
    cost = charts.bars("bar", "Present cost", "Design", "Amount; no bar: enter a quote", "#,##0")
    parts = ((arrays, FIRST, charts.LIGHT), (arrays, LAST, charts.DARK), (cost, COST, charts.MIDDLE))
    for chart, key, colour in parts:
        series = Series(Reference(ws, min_col=first, max_col=last, min_row=rows[key]), title_from_data=False)
        series.tx = charts.name(ws, rows[key], 1)
        series.cat = charts.categories(ws, first, last, rows["named"], rows["named"])
        series.dLbls = charts.labels(True, "#,##0;;;")
        charts.fill(series, colour)
        chart.series.append(series)
    cost.legend = cost.y_axis.majorGridlines = None
    cost.y_axis.number_format = ";;;"  # the bars say their amounts; a scale of millions would leave them no room
    arrays.legend.position = "r"
    middle = (1 + columns.stop) / 2 + 0.5
    for chart, across in ((arrays, (1.0, middle)), (cost, (middle, float(columns.stop)))):
        chart.gapWidth, chart.overlap = 30, 0
        chart.x_axis.title = None  # its labels say what they are, and need the room
        chart.y_axis.crosses = "max"
        chart.x_axis.scaling.orientation = "maxMin"
        charts.name_every_category(chart)
        charts.enlarge(chart)
        charts.pin(ws, chart, across, (top, top + ROWS))
