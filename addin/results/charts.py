"""The native charts of the result sheets, bound to their cells: counts, tornado, histograms, curves, bars."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from openpyxl.chart import BarChart, ScatterChart, Series
from openpyxl.chart._chart import ChartBase
from openpyxl.chart.data_source import AxDataSource, NumRef
from openpyxl.chart.label import DataLabel
from openpyxl.chart.marker import DataPoint, Marker
from openpyxl.chart.series import SeriesLabel
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
_NUMBER = "#,##0.0##"
_MARKS = ((charts.DARK, "circle"), (charts.MIDDLE, "diamond"), (charts.OUTLINE, "square"), ("5B9A68", "triangle"))


def one_section(form: str) -> str:
    """Return the section of a number format that applies to most numbers.

    A chart gets no format of several sections: when LibreOffice 7.4 copies a chart, it treats each section as a
    temporary format and deletes it from the target workbook, where cells may use it.
    """
    return form.rpartition(";")[2] if "[" in form else form.partition(";")[0]


@dataclass(frozen=True)
class Area:
    """The rows of a table: its headings and its last row of values."""

    head: int
    last: int

    @property
    def first(self) -> int:
        """The first row of values."""
        return self.head + 1


@dataclass(frozen=True)
class Anchor:
    """The place of a chart: first and last column, top row, number of rows."""

    columns: tuple[int, int]
    top: int
    rows: int = CHART_ROWS


def counts(ws: Worksheet, label: str, table: Area, top: int) -> None:
    """Draw the probability of each array count."""
    chart = charts.bars("col", f"Probability of each outcome: {label.lower()}", f"{label}, arrays", "Probability", "0%")
    chart.gapWidth, chart.legend, chart.y_axis.scaling.max = 60, None, 1
    series = _column(chart, ws, table, 2)
    series.dLbls = charts.labels(value=True, form="0.00%")
    series.cat = AxDataSource(numRef=NumRef(f=f"{quoted(ws.title)}!$A${table.first}:$A${table.last}"))
    for index, (cell,) in enumerate(ws.iter_rows(table.first, table.last, 2, 2)):
        if 0 < cell.value < _LABELLED:  # an uncertain outcome never reads 0 %
            hidden = DataLabel(idx=index, showVal=False, showSerName=False, showCatName=False, showLegendKey=False)
            series.dLbls.dLbl = [*series.dLbls.dLbl, hidden]
    _place(ws, chart, Anchor((5, 9), top, TALL_ROWS))


def tornado(
    ws: Worksheet,
    item: Item,
    table: Area,
    values: tuple[int, int],
    form: str,
    anchor: Anchor,
    centre: str = "mean",
) -> None:
    """Draw how far the low and the high end of each input move a result from its mean or base.

    `values` are the columns of the two changes.
    """
    title = f"{item.label}: change of the {centre} with each input"
    chart = charts.bars("bar", title, "Input", f"Change from the {centre}, {item.unit}", one_section(form))
    chart.gapWidth, chart.overlap = 35, 100
    chart.y_axis.scaling.min = chart.x_axis.title = None
    _first_row_on_top(chart)
    charts.add_columns(chart, ws, values, (charts.LIGHT, charts.DARK), table.head, table.last)
    _place(ws, chart, anchor)


def distribution(
    ws: Worksheet, result: ResultFigures, column: int, tables: tuple[Area, Area], top: int, form: str
) -> None:
    """Draw a result's histogram and, beside it, its distribution function.

    `column` is the first one of both tables: the bins with their shares, the points of the curve.
    """
    name = f"{result.item.label}, {result.item.unit}"
    bins, points = tables
    bars = charts.bars("col", f"{result.item.label}: histogram", name, "Share of the trials", "0%")
    bars.gapWidth, bars.legend = 5, None
    _column(bars, ws, bins, column + 1).cat = charts.categories(ws, column, column, bins.first, bins.last)
    _place(ws, bars, Anchor((1, 7), top))

    title = f"{result.item.label}: probability of staying at or below"
    edges = (result.histogram.edges[0], result.histogram.edges[-1]) if result.histogram else None
    curve = _lines(title, (name, "Probability"), (form, "0%"), edges)
    curve.legend, curve.y_axis.scaling.max = None, 1
    _line(curve, ws, points, (column, column + 1), charts.DARK)
    _place(ws, curve, Anchor((8, 16), top))


def columns(
    ws: Worksheet,
    title: str,
    axes: tuple[str, str],
    table: Area,
    value: int,
    anchor: Anchor,
    pale: Collection[int] = (),
    form: str = _NUMBER,
) -> None:
    """Draw a column of figures as bars, one for each row of a table, named by its first column.

    `pale` are the rows, from 0, with light bars: figures that are not the whole answer.
    """
    chart = charts.bars("bar", title, axes[0], axes[1], form)
    chart.gapWidth, chart.legend, chart.x_axis.title = 40, None, None
    _first_row_on_top(chart)
    series = _column(chart, ws, table, value)
    series.dLbls = charts.labels(value=True, form=form)
    for index in sorted(pale):
        point = DataPoint(idx=index, invertIfNegative=False)
        charts.fill(point, charts.LIGHT)
        series.dPt.append(point)
    _place(ws, chart, anchor)


def curves(
    ws: Worksheet, title: str, axes: tuple[str, str], table: Area, values: tuple[int, ...], form: str, anchor: Anchor
) -> None:
    """Draw columns of figures as lines over the first column of a table."""
    numbers = [cell.value for (cell,) in ws.iter_rows(table.first, table.last, 1, 1)]
    chart = _lines(title, axes, (form, _NUMBER), (min(numbers), max(numbers)))
    for column, colour in zip(values, (charts.DARK, charts.MIDDLE), strict=False):
        _line(chart, ws, table, (1, column), colour)
    if len(values) == 1:
        chart.legend = None
    _place(ws, chart, anchor)


def points(
    ws: Worksheet,
    title: str,
    axes: tuple[str, str],
    series: Sequence[tuple[str, Area, tuple[int, int]]],
    forms: tuple[str, str],
    anchor: Anchor,
) -> None:
    """Draw points joined by lines: each of `series` has a name, its rows, and the columns of x and y.

    As many series as there are marks, so that they differ without colour too.
    """
    chart = charts.curves(title, *axes, forms)
    for (name, area, (x, y)), (colour, symbol) in zip(series, _MARKS, strict=False):
        line = charts.scatter(ws, (y, x), (area.first, area.last), (area.head, y))
        line.tx, line.dLbls = SeriesLabel(v=name), None
        line.marker = Marker(symbol=symbol, size=8)
        line.marker.graphicalProperties = GraphicalProperties(solidFill=colour, ln=LineProperties(solidFill=colour))
        line.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=colour, w=_LINE_WIDTH))
        chart.series.append(line)
    for axis, form in ((chart.x_axis, forms[0]), (chart.y_axis, forms[1])):
        if form == "0%":
            axis.scaling.max = 1
        elif form == "0":
            axis.majorUnit = 1
    _place(ws, chart, anchor)


def _column(chart: BarChart, ws: Worksheet, table: Area, column: int, colour: str = charts.DARK) -> Series:
    """Add a column of a table to a chart of bars and return the series."""
    charts.add_columns(chart, ws, (column,), (colour,), table.head, table.last)
    return chart.series[-1]


def _lines(title: str, axes: tuple[str, str], forms: tuple[str, str], ends: tuple[float, float] | None) -> ScatterChart:
    """Return an empty chart of lines; `forms` are the formats of x and y, `ends` those of the x axis."""
    chart = charts.curves(title, *axes, (one_section(forms[0]), forms[1]))
    chart.x_axis.scaling.min, chart.x_axis.scaling.max = ends or (None, None)
    return chart


def _line(chart: ScatterChart, ws: Worksheet, table: Area, columns: tuple[int, int], colour: str) -> None:
    """Add one column of a table, over another, to a chart of lines."""
    x, y = columns
    line = charts.scatter(ws, (y, x), (table.first, table.last), (table.head, y))
    line.marker.symbol, line.dLbls = "none", None
    line.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=colour, w=_LINE_WIDTH))
    chart.series.append(line)


def _first_row_on_top(chart: BarChart) -> None:
    chart.x_axis.scaling.orientation = "maxMin"
    chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"  # and the scale stays below


def _place(ws: Worksheet, chart: ChartBase, anchor: Anchor) -> None:
    """Pin a chart to its rows and columns."""
    first, last = anchor.columns
    right = round(ws.column_dimensions[get_column_letter(last)].width * 7)
    start = AnchorMarker(col=first - 1, colOff=_GAP, row=anchor.top - 1, rowOff=_GAP)
    bottom = anchor.top + anchor.rows - 2
    end = AnchorMarker(col=last - 1, colOff=pixels_to_EMU(right) - _GAP, row=bottom, rowOff=_GAP * 4)
    chart.anchor = TwoCellAnchor(editAs="oneCell", _from=start, to=end)
    ws.add_chart(chart)


ABOVE = 4  # parts of a step above zero


@dataclass(frozen=True)
class Step:
    """A bar of a waterfall: its start and its end; a total starts at zero."""

    name: str
    start: float
    end: float
    total: bool = False
    PARTS: ClassVar = ("Chart: free", "Chart: total", "Chart: rise", "Chart: fall", "Rise under 0", "Fall under 0")

    @property
    def amount(self) -> float:
        """The change that it adds."""
        return self.end - self.start

    @property
    def under(self) -> bool:
        """Whether a part of it is below zero."""
        return min(self.start, self.end) < 0

    @property
    def heights(self) -> tuple[float | None, ...]:
        """The heights of the stacked parts, in the order of PARTS."""
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
    """Draw steps as stacked columns over an invisible part.

    `parts` are the column of the first part and the number of parts.
    """
    chart = charts.bars("col", title, "Step", axis, form)
    chart.grouping, chart.overlap, chart.gapWidth, chart.legend = "stacked", 100, 35, None
    chart.x_axis.title = None
    first, count = parts
    if count > ABOVE:
        chart.y_axis.scaling.min = None
    colours = (charts.DARK, charts.DARK, charts.MIDDLE, charts.LIGHT, charts.MIDDLE, charts.LIGHT)
    for column, colour in enumerate(colours[:count], first):
        sign = {charts.MIDDLE: "+", charts.LIGHT: "-"}.get(colour, "")
        series = _column(chart, ws, table, column, colour)
        series.dLbls = charts.labels(value=bool(sign) and count == ABOVE, form=f"{sign}{form}")  # where bars are whole
    invisible = chart.series[0]
    invisible.graphicalProperties = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
    invisible.invertIfNegative = None
    _place(ws, chart, anchor)
