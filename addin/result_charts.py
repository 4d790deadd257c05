"""The native charts of the sheet Risk, bound to its data blocks: array counts, tornado, histograms, curves."""

from __future__ import annotations

from dataclasses import dataclass

from openpyxl.chart import Reference, ScatterChart, Series
from openpyxl.chart._chart import ChartBase
from openpyxl.chart.data_source import AxDataSource, NumRef
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.utils import get_column_letter
from openpyxl.utils.units import pixels_to_EMU
from openpyxl.worksheet.worksheet import Worksheet

from addin.report import Finding
from model import charts
from model.grid import quoted

CHART_ROWS, TALL_ROWS = 12, 18
_GAP = pixels_to_EMU(4)
_LINE_WIDTH = 22225  # EMU: 1.75 points


@dataclass(frozen=True)
class Block:
    """Where the data of one result stand: first column, first and last row of its bins and of its curve."""

    column: int
    bins: tuple[int, int]
    points: tuple[int, int]


def counts(ws: Worksheet, label: str, rows: tuple[int, int], top: int) -> None:
    """Draw the probability of each array count."""
    chart = charts.bars("col", f"Probability of each outcome: {label.lower()}", f"{label}, arrays", "Probability", "0%")
    chart.gapWidth, chart.legend, chart.y_axis.scaling.max = 60, None, 1
    series = Series(Reference(ws, min_col=2, min_row=rows[0], max_row=rows[1]), title_from_data=False)
    series.tx = charts.name(ws, rows[0] - 1, 2)
    area = f"{quoted(ws.title)}!$A${rows[0]}:$A${rows[1]}"
    series.cat = AxDataSource(numRef=NumRef(f=area))
    series.dLbls = charts.labels(value=True, form='[=0]0%;[<0.0001]"<0.01%";0.00%')
    charts.fill(series, charts.DARK)
    chart.series.append(series)
    _place(ws, chart, (5, 9), top, TALL_ROWS)


def tornado(ws: Worksheet, found: Finding, rows: tuple[int, int], top: int, form: str) -> None:
    """Draw how far each driver moves the mean of a result; `rows` are those of the headings and of the last driver."""
    title = f"{found.item.label}: change of the mean with each input"
    chart = charts.bars("bar", title, "Input", f"Change from the mean, {found.item.unit}", form)
    chart.gapWidth, chart.overlap = 35, 100
    chart.x_axis.scaling.orientation = "maxMin"  # the strongest on top
    chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"  # and the scale stays below
    chart.y_axis.scaling.min = chart.x_axis.title = None
    for column, colour in ((9, charts.LIGHT), (10, charts.DARK)):
        series = Series(Reference(ws, min_col=column, min_row=rows[0] + 1, max_row=rows[1]), title_from_data=False)
        series.tx = charts.name(ws, rows[0], column)
        series.cat = charts.categories(ws, 1, 1, rows[0] + 1, rows[1])
        series.dLbls = charts.labels()
        charts.fill(series, colour)
        chart.series.append(series)
    _place(ws, chart, (10, 16), top, TALL_ROWS)


def distribution(ws: Worksheet, found: Finding, block: Block, top: int, form: str) -> None:
    """Draw a result's histogram and, beside it, its distribution function."""
    name = f"{found.item.label}, {found.item.unit}"
    bars = charts.bars("col", f"{found.item.label}: histogram", name, "Share of the trials", "0%")
    bars.gapWidth, bars.legend = 5, None
    series = Series(
        Reference(ws, min_col=block.column + 1, min_row=block.bins[0], max_row=block.bins[1]), title_from_data=False
    )
    series.tx = charts.name(ws, block.bins[0] - 1, block.column + 1)
    series.cat = charts.categories(ws, block.column, block.column, *block.bins)
    series.dLbls = charts.labels()
    charts.fill(series, charts.DARK)
    bars.series.append(series)
    _place(ws, bars, (1, 7), top)

    curve = ScatterChart()
    curve.scatterStyle = "lineMarker"
    charts.dress(curve, f"{found.item.label}: probability of staying at or below", name, "Probability", "0%")
    curve.legend, curve.y_axis.scaling.max = None, 1
    curve.x_axis.number_format = form
    curve.x_axis.numFmt.sourceLinked = False
    if found.histogram:
        curve.x_axis.scaling.min, curve.x_axis.scaling.max = found.histogram.edges[0], found.histogram.edges[-1]
    xs, ys = (
        Reference(ws, min_col=column, min_row=block.points[0], max_row=block.points[1])
        for column in (block.column, block.column + 1)
    )
    line = Series(ys, xs, title_from_data=False)
    line.tx = charts.name(ws, block.points[0] - 1, block.column + 1)
    line.smooth, line.marker.symbol = False, "none"
    line.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=charts.DARK, w=_LINE_WIDTH))
    curve.series.append(line)
    _place(ws, curve, (8, 16), top)


def _place(ws: Worksheet, chart: ChartBase, columns: tuple[int, int], top: int, rows: int = CHART_ROWS) -> None:
    """Pin a chart to some rows from `top` on, from the first to the last of the columns."""
    right = round(ws.column_dimensions[get_column_letter(columns[1])].width * 7)
    start = AnchorMarker(col=columns[0] - 1, colOff=_GAP, row=top - 1, rowOff=_GAP)
    end = AnchorMarker(col=columns[1] - 1, colOff=pixels_to_EMU(right) - _GAP, row=top + rows - 2, rowOff=_GAP * 4)
    chart.anchor = TwoCellAnchor(editAs="oneCell", _from=start, to=end)
    ws.add_chart(chart)
