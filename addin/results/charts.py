"""The native charts of the result sheets, bound to their cells: counts, tornado, histograms, curves, bars."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from openpyxl.chart import Reference, ScatterChart, Series
from openpyxl.chart._chart import ChartBase
from openpyxl.chart.data_source import AxDataSource, NumRef
from openpyxl.chart.label import DataLabel
from openpyxl.chart.marker import DataPoint
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.utils import get_column_letter
from openpyxl.utils.units import pixels_to_EMU
from openpyxl.worksheet.worksheet import Worksheet

from addin.simulation.report import ResultFigures
from addin.workbook.book import Item
from model.layout import charts
from model.layout.grid import quoted

CHART_ROWS, TALL_ROWS = 12, 18
_GAP = pixels_to_EMU(4)
_LINE_WIDTH = 22225  # EMU: 1.75 points


_LABELLED = 0.5e-4  # a smaller share would read 0.00%


def one_section(form: str) -> str:
    """Return the part of a number format that holds for most numbers.

    Charts hold no format of several sections: LibreOffice 7.4 takes each section for a passing format when it copies
    a chart, and removes it from the workbook it copies into, where cells may use it.
    """
    return form.rpartition(";")[2] if "[" in form else form.partition(";")[0]


@dataclass(frozen=True)
class DistributionCells:
    """Where the data of one result stand: first column, first and last row of its bins and of its curve."""

    column: int
    bins: tuple[int, int]
    points: tuple[int, int]


@dataclass(frozen=True)
class Area:
    """Where a table stands: the row of its headings, its first and its last row of values."""

    head: int
    first: int
    last: int


@dataclass(frozen=True)
class Anchor:
    """Where a chart stands: first and last column, top row, rows."""

    columns: tuple[int, int]
    top: int
    rows: int


def counts(ws: Worksheet, label: str, rows: tuple[int, int], top: int) -> None:
    """Draw the probability of each array count."""
    chart = charts.bars("col", f"Probability of each outcome: {label.lower()}", f"{label}, arrays", "Probability", "0%")
    chart.gapWidth, chart.legend, chart.y_axis.scaling.max = 60, None, 1
    series = Series(Reference(ws, min_col=2, min_row=rows[0], max_row=rows[1]), title_from_data=False)
    series.tx = charts.name(ws, rows[0] - 1, 2)
    area = f"{quoted(ws.title)}!$A${rows[0]}:$A${rows[1]}"
    series.cat = AxDataSource(numRef=NumRef(f=area))
    series.dLbls = charts.labels(value=True, form="0.00%")
    for index, (cell,) in enumerate(ws.iter_rows(*rows, 2, 2)):
        if 0 < cell.value < _LABELLED:  # what is not certain never reads 0 %
            series.dLbls.dLbl = [*series.dLbls.dLbl, _no_label(index)]
    charts.fill(series, charts.DARK)
    chart.series.append(series)
    _anchor(ws, chart, (5, 9), top, TALL_ROWS)


def tornado(
    ws: Worksheet,
    item: Item,
    rows: tuple[int, int],
    values: tuple[int, int],
    form: str,
    anchor: Anchor,
    centre: str = "mean",
) -> None:
    """Draw how far each input moves a result from its mean or base, low and high end of the input side by side.

    `rows` are those of the headings and of the last input, `values` the columns of both changes.
    """
    title = f"{item.label}: change of the {centre} with each input"
    chart = charts.bars("bar", title, "Input", f"Change from the {centre}, {item.unit}", one_section(form))
    chart.gapWidth, chart.overlap = 35, 100
    chart.x_axis.scaling.orientation = "maxMin"  # the strongest on top
    chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"  # and the scale stays below
    chart.y_axis.scaling.min = chart.x_axis.title = None
    for column, colour in zip(values, (charts.LIGHT, charts.DARK), strict=True):
        series = Series(Reference(ws, min_col=column, min_row=rows[0] + 1, max_row=rows[1]), title_from_data=False)
        series.tx = charts.name(ws, rows[0], column)
        series.cat = charts.categories(ws, 1, 1, rows[0] + 1, rows[1])
        series.dLbls = charts.labels()
        charts.fill(series, colour)
        chart.series.append(series)
    _anchor(ws, chart, anchor.columns, anchor.top, anchor.rows)


def distribution(ws: Worksheet, result: ResultFigures, cells: DistributionCells, top: int, form: str) -> None:
    """Draw a result's histogram and, beside it, its distribution function."""
    name = f"{result.item.label}, {result.item.unit}"
    bars = charts.bars("col", f"{result.item.label}: histogram", name, "Share of the trials", "0%")
    bars.gapWidth, bars.legend = 5, None
    series = Series(
        Reference(ws, min_col=cells.column + 1, min_row=cells.bins[0], max_row=cells.bins[1]), title_from_data=False
    )
    series.tx = charts.name(ws, cells.bins[0] - 1, cells.column + 1)
    series.cat = charts.categories(ws, cells.column, cells.column, *cells.bins)
    series.dLbls = charts.labels()
    charts.fill(series, charts.DARK)
    bars.series.append(series)
    _anchor(ws, bars, (1, 7), top)

    curve = ScatterChart()
    curve.scatterStyle = "lineMarker"
    charts.style_chart(curve, f"{result.item.label}: probability of staying at or below", name, "Probability", "0%")
    curve.legend, curve.y_axis.scaling.max = None, 1
    curve.x_axis.number_format = one_section(form)
    curve.x_axis.numFmt.sourceLinked = False
    if result.histogram:
        curve.x_axis.scaling.min, curve.x_axis.scaling.max = result.histogram.edges[0], result.histogram.edges[-1]
    xs, ys = (
        Reference(ws, min_col=column, min_row=cells.points[0], max_row=cells.points[1])
        for column in (cells.column, cells.column + 1)
    )
    line = Series(ys, xs, title_from_data=False)
    line.tx = charts.name(ws, cells.points[0] - 1, cells.column + 1)
    line.smooth, line.marker.symbol = False, "none"
    line.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=charts.DARK, w=_LINE_WIDTH))
    curve.series.append(line)
    _anchor(ws, curve, (8, 16), top)


def _no_label(index: int) -> DataLabel:
    return DataLabel(idx=index, showVal=False, showSerName=False, showCatName=False, showLegendKey=False)


def _anchor(ws: Worksheet, chart: ChartBase, columns: tuple[int, int], top: int, rows: int = CHART_ROWS) -> None:
    """Pin a chart to some rows from `top` on, from the first to the last of the columns."""
    right = round(ws.column_dimensions[get_column_letter(columns[1])].width * 7)
    start = AnchorMarker(col=columns[0] - 1, colOff=_GAP, row=top - 1, rowOff=_GAP)
    end = AnchorMarker(col=columns[1] - 1, colOff=pixels_to_EMU(right) - _GAP, row=top + rows - 2, rowOff=_GAP * 4)
    chart.anchor = TwoCellAnchor(editAs="oneCell", _from=start, to=end)
    ws.add_chart(chart)


def columns(
    ws: Worksheet,
    title: str,
    axes: tuple[str, str],
    table: Area,
    value: int,
    anchor: Anchor,
    pale: Collection[int] = (),
) -> None:
    """Draw a column of figures as bars, one for each row of a table, named by its first column.

    `pale` are the rows, from 0, whose bars are light: what a reader must not take for a whole answer.
    """
    chart = charts.bars("bar", title, axes[0], axes[1], "#,##0.0##")
    chart.gapWidth, chart.legend, chart.x_axis.title = 40, None, None
    chart.x_axis.scaling.orientation = "maxMin"  # the first row on top
    chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"
    series = Series(Reference(ws, min_col=value, min_row=table.first, max_row=table.last), title_from_data=False)
    series.tx = charts.name(ws, table.head, value)
    series.cat = charts.categories(ws, 1, 1, table.first, table.last)
    series.dLbls = charts.labels(value=True, form="#,##0.0##")
    charts.fill(series, charts.DARK)
    for index in sorted(pale):
        point = DataPoint(idx=index, invertIfNegative=False)
        charts.fill(point, charts.LIGHT)
        series.dPt.append(point)
    chart.series.append(series)
    _anchor(ws, chart, anchor.columns, anchor.top, anchor.rows)


def curves(
    ws: Worksheet, title: str, axes: tuple[str, str], table: Area, values: tuple[int, ...], form: str, anchor: Anchor
) -> None:
    """Draw columns of figures as lines over the first column of a table."""
    chart = ScatterChart()
    chart.scatterStyle = "lineMarker"
    charts.style_chart(chart, title, axes[0], axes[1], "#,##0.0##")
    chart.x_axis.number_format = one_section(form)
    chart.x_axis.numFmt.sourceLinked = False
    xs = Reference(ws, min_col=1, min_row=table.first, max_row=table.last)
    numbers = [cell.value for (cell,) in ws.iter_rows(table.first, table.last, 1, 1)]
    chart.x_axis.scaling.min, chart.x_axis.scaling.max = min(numbers), max(numbers)
    for column, colour in zip(values, (charts.DARK, charts.MIDDLE), strict=False):
        ys = Reference(ws, min_col=column, min_row=table.first, max_row=table.last)
        line = Series(ys, xs, title_from_data=False)
        line.tx = charts.name(ws, table.head, column)
        line.smooth, line.marker.symbol = False, "none"
        line.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=colour, w=_LINE_WIDTH))
        chart.series.append(line)
    if len(values) == 1:
        chart.legend = None
    _anchor(ws, chart, anchor.columns, anchor.top, anchor.rows)


ABOVE = 4  # parts of a step that stand above zero


@dataclass(frozen=True)
class Step:
    """A bar of a waterfall: where it starts and ends; a total stands on the axis."""

    name: str
    start: float
    end: float
    total: bool = False
    PARTS: ClassVar = ("Chart: free", "Chart: total", "Chart: rise", "Chart: fall", "Rise under 0", "Fall under 0")

    @property
    def amount(self) -> float:
        """What it adds."""
        return self.end - self.start

    @property
    def under(self) -> bool:
        """Whether a part of it stands below zero."""
        return min(self.start, self.end) < 0

    @property
    def heights(self) -> tuple[float | None, ...]:
        """The stacked parts, a column each: what is left free, total, rise and fall, and those below zero."""
        low, high = sorted((self.start, self.end))
        above, below = max(0.0, high) - max(0.0, low), min(0.0, low) - min(0.0, high)
        if self.total:
            return (None, self.end, None, None, None, None)
        free = low if low > 0 else high if high < 0 else None
        rise = self.end >= self.start
        parts = ((above, rise), (above, not rise), (below, rise), (below, not rise))
        return (free, None, *(height if wanted and height else None for height, wanted in parts))


def waterfall(
    ws: Worksheet, title: str, axis: str, table: Area, parts: tuple[int, int], form: str, anchor: Anchor
) -> None:
    """Draw steps as stacked columns on a part that is not drawn; `parts` are first column and number of the heights."""
    chart = charts.bars("col", title, "Step", axis, form)
    chart.grouping, chart.overlap, chart.gapWidth, chart.legend = "stacked", 100, 35, None
    chart.x_axis.title = None
    first, count = parts
    if count > ABOVE:
        chart.y_axis.scaling.min = None
    colours = (None, charts.DARK, charts.MIDDLE, charts.LIGHT, charts.MIDDLE, charts.LIGHT)
    for column, colour in enumerate(colours[:count], first):
        series = Series(Reference(ws, min_col=column, min_row=table.first, max_row=table.last), title_from_data=False)
        series.tx = charts.name(ws, table.head, column)
        series.cat = charts.categories(ws, 1, 1, table.first, table.last)
        sign = {charts.MIDDLE: "+", charts.LIGHT: "-"}.get(colour or "", "")
        series.dLbls = charts.labels(value=bool(sign) and count == ABOVE, form=f"{sign}{form}")  # of a whole bar alone
        if colour is None:
            series.graphicalProperties = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
        else:
            charts.fill(series, colour)
        chart.series.append(series)
    _anchor(ws, chart, anchor.columns, anchor.top, anchor.rows)
