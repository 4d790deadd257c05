"""Charts of Summary, Timeline and Latency points: native and driven by cells, so they follow every input.

What an application may get wrong by default is set: axes shown, lines unsmoothed, scale from 0, every label switch.
Dark against light carries the meaning, so that the charts read in greyscale and with any colour vision.
"""

import math
from collections.abc import Sequence

from openpyxl.chart import BarChart, LineChart, Reference, ScatterChart, Series
from openpyxl.chart._chart import ChartBase
from openpyxl.chart.data_source import AxDataSource, StrRef
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText, Text
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.drawing.text import CharacterProperties, Font, Paragraph, ParagraphProperties, RegularTextRun
from openpyxl.utils import get_column_letter
from openpyxl.utils.units import pixels_to_EMU
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import fit, styles
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, WHATIFS, Layout, quoted
from model.reading.records import Array, Data
from model.sheets import latency_points, summary, timeline

DARK, MIDDLE, LIGHT, OUTLINE, TEXT = "1F3A5F", "E08214", "C9D8EC", "6B7A8C", "3A4552"
GRID = "E3E8EE"
_TITLE, _AXIS, _DENSE = 11, 9, 7  # points
_TIMELINE_ROWS = 20
_ROOM = 1.25  # above the highest printed latency: the curve leaves the chart at the top
_POINTS = {"fitted": ("circle", DARK, 8), "predicted": ("diamond", OUTLINE, 9), "bound": ("dash", MIDDLE, 12)}


def add(ws: Worksheet, _: Layout) -> None:
    """Put three charts below the comparison table: load by phase, arrays by constraint, capacity by design."""
    charts = (_phases(ws), _constraints(ws), _capacity(ws))
    edges = (BASE + 1, BASE + 1 + WHATIFS / 2, BASE + 1 + WHATIFS)
    start = 1.0
    for chart, end in zip(charts, edges, strict=True):
        _place(ws, chart, (start, end), (summary.CHART_ROW, summary.CHART_ROW + summary.CHART_ROWS))
        start = end


def add_timeline(ws: Worksheet) -> None:
    """Put three charts beside the timeline: the load, the desktops that make it, the latency they meet."""
    first, last = timeline.CHART_COLUMN, timeline.CHART_COLUMN + timeline.CHART_COLUMNS
    top = FIRST_ROW
    for title, value, keys in (
        ("Logins of the design drawn: IOPS, mean of every step", "IOPS", ("iops",)),
        ("Logins of the design drawn: desktops", "Desktops", ("logging_in", "working")),
        ("Logins of the design drawn: latency", "ms", ("latency",)),
    ):
        chart = ScatterChart()
        chart.scatterStyle = "lineMarker"
        dress(chart, title, "Minute", value, "0.00" if value == "ms" else "#,##0")
        chart.x_axis.scaling.min, chart.x_axis.number_format = 0, "0"
        chart.x_axis.numFmt.sourceLinked = False
        for key, colour in zip(keys, (DARK, MIDDLE), strict=False):
            column = timeline.series(key)
            places, rows = (column, timeline.series("minute")), (FIRST_ROW, timeline.LAST_ROW)
            series = _scatter(ws, places, rows, (HEAD_ROW, column))
            series.marker = Marker(symbol="none")
            line = LineProperties(solidFill=colour, w=22225, prstDash="solid" if colour == DARK else "dash")
            series.graphicalProperties = GraphicalProperties(ln=line)
            chart.series.append(series)
        _place(ws, chart, (first, last), (top, top + _TIMELINE_ROWS))
        top += _TIMELINE_ROWS + 1


def add_curves(ws: Worksheet, data: Data) -> None:
    """Put a chart for every array with a curve: the curve, and the printed points by their role."""
    arrays, own = latency_points.drawn(data), latency_points.column("Utilisation drawn") + 1
    columns = range(latency_points.CHART_COLUMN, own + len(arrays))
    total = sum(fit.pixels(ws, get_column_letter(at)) for at in columns)
    edges = [_column_at(ws, columns[0], total * number / len(arrays)) for number in range(len(arrays) + 1)]
    rows = latency_points.CHART_ROW, latency_points.CHART_ROW + latency_points.CHART_ROWS
    for number, array in enumerate(arrays):
        _place(ws, _curve(ws, data, array, own + number), (edges[number], edges[number + 1]), rows)


def _curve(ws: Worksheet, data: Data, array: Array, column: int) -> ScatterChart:
    """Draw an array's latency curve over utilisation, with the fitted and predicted points and the bounds."""
    printed = [float(point.latency_ms.value or 0) for point in data.points if point.array == array.name]
    chart = ScatterChart()
    chart.scatterStyle = "lineMarker"
    dress(chart, f"{array.name}: latency over utilisation", "Utilisation", "Mean latency, ms", "0.0")
    chart.y_axis.scaling.max = math.ceil(max(printed) * _ROOM)
    chart.x_axis.scaling.min, chart.x_axis.scaling.max, chart.x_axis.number_format = 0, 1, "0%"
    chart.x_axis.numFmt.sourceLinked = False
    rows = FIRST_ROW, FIRST_ROW + latency_points.STEPS - 1
    curve = _scatter(ws, (column, latency_points.column("Utilisation drawn")), rows, (HEAD_ROW, column))
    curve.marker, curve.smooth = Marker(symbol="none"), True
    curve.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=DARK, w=22225))
    chart.series.append(curve)
    places = latency_points.column("Printed, ms"), latency_points.column("Utilisation")
    for role, rows in latency_points.spans(data, array.name).items():
        symbol, colour, size = _POINTS[role]
        points = _scatter(ws, places, rows, (rows[0], latency_points.column("Role")))
        fills = GraphicalProperties(solidFill=colour, ln=LineProperties(solidFill=colour))
        points.marker = Marker(symbol=symbol, size=size, spPr=fills)
        points.graphicalProperties = GraphicalProperties(ln=LineProperties(noFill=True))
        chart.series.append(points)
    return chart


def _scatter(ws: Worksheet, columns: tuple[int, int], rows: tuple[int, int], named: tuple[int, int]) -> Series:
    """Return a series of a scatter chart: columns of y and x, first and last row, row and column of its name."""
    y, x = (Reference(ws, min_col=column, min_row=rows[0], max_row=rows[1]) for column in columns)
    series = Series(y, x, title_from_data=False)
    series.tx, series.dLbls, series.smooth = name(ws, *named), labels(), False
    return series


def _phases(ws: Worksheet) -> BarChart:
    """Draw the base design's demand beside what its arrays can serve, phase by phase."""
    first, last = summary.PHASE_ROW, summary.CONSTRAINT_ROW - 1
    chart = bars("col", "Base design: IOPS demanded and served, by phase", "Phase", "IOPS", "#,##0")
    chart.gapWidth, chart.overlap = 60, 0
    _series(chart, ws, (BASE, BASE + 1), (DARK, LIGHT), first, last)
    return chart


def _constraints(ws: Worksheet) -> BarChart:
    """Draw how many arrays each constraint asks for, in front of the arrays in the design."""
    first, last = summary.CONSTRAINT_ROW, summary.CAPACITY_ROW - 1
    chart = bars("bar", "Base design: arrays each constraint needs", "Constraint", "Arrays", "0.0#")
    chart.gapWidth, chart.overlap = 35, 100
    _series(chart, ws, (BASE + 1, BASE), (LIGHT, DARK), first, last)
    chart.x_axis.scaling.orientation = "maxMin"  # first constraint on top
    chart.x_axis.tickLblSkip, chart.x_axis.txPr = 1, _text(_DENSE)  # every one of them named
    chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"  # and the scale stays below
    chart.series[1].dLbls = labels(value=True, form='0.00;-0.00;"-"')
    return chart


def _capacity(ws: Worksheet) -> BarChart:
    """Draw what every design stores after data reduction, with the usable capacity as a mark."""
    chart = bars("col", "All designs: capacity in GiB, after data reduction", "Design", "GiB", "#,##0")
    chart.grouping, chart.gapWidth, chart.overlap = "stacked", 50, 100
    head, marks = summary.CAPACITY_ROW, LineChart()
    for number in range(1, summary.PARTS + 1):
        row = head + number
        series = Series(Reference(ws, min_col=BASE, max_col=BASE + WHATIFS, min_row=row), title_from_data=False)
        series.tx = name(ws, row, 1)
        series.cat = categories(ws, BASE, BASE + WHATIFS, HEAD_ROW, HEAD_ROW)
        series.dLbls = labels()
        if number < summary.PARTS:
            fill(series, (DARK, MIDDLE, LIGHT)[number - 1])
            chart.series.append(series)
            continue
        series.smooth = False
        series.graphicalProperties = GraphicalProperties(ln=LineProperties(noFill=True))
        series.marker = Marker(symbol="dash", size=12, spPr=GraphicalProperties(solidFill="000000"))
        marks.series.append(series)
    marks.dLbls = labels()
    marks.x_axis, marks.y_axis = chart.x_axis, chart.y_axis
    chart += marks
    return chart


def bars(direction: str, title: str, category: str, value: str, form: str) -> BarChart:
    """Return an empty bar chart with titles, both axes shown, and the scale from 0."""
    chart = BarChart()
    chart.type, chart.grouping, chart.varyColors = direction, "clustered", False
    dress(chart, title, category, value, form)
    return chart


def dress(chart: ChartBase, title: str, category: str, value: str, form: str) -> None:
    """Give an empty chart titles, fonts, lines, both axes shown, and the scale of values from 0."""
    chart.title = _title(title, _TITLE, bold=True)
    chart.legend.position, chart.legend.overlay, chart.legend.txPr = "b", False, _text(_AXIS)
    chart.roundedCorners, chart.style = False, 2
    chart.display_blanks, chart.visible_cells_only = "gap", True
    chart.dLbls = labels()
    chart.graphical_properties = GraphicalProperties(solidFill="FFFFFF", ln=LineProperties(solidFill=styles.LINE))
    for axis, text in ((chart.x_axis, category), (chart.y_axis, value)):
        axis.delete, axis.title, axis.txPr = False, _title(text, _AXIS), _text(_AXIS)
        axis.majorTickMark = axis.minorTickMark = "none"
        axis.tickLblPos = "low"
        axis.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=OUTLINE))
    chart.x_axis.scaling.orientation = chart.y_axis.scaling.orientation = "minMax"
    chart.x_axis.majorGridlines = None
    chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill=GRID))
    chart.y_axis.scaling.min = 0
    chart.y_axis.number_format = form
    chart.y_axis.numFmt.sourceLinked = False


def _series(
    chart: BarChart, ws: Worksheet, columns: Sequence[int], colours: Sequence[str], first: int, last: int
) -> None:
    """Add one series per column; its heading stands in the first row, its categories in column A."""
    for column, colour in zip(columns, colours, strict=True):
        series = Series(Reference(ws, min_col=column, min_row=first + 1, max_row=last), title_from_data=False)
        series.tx = name(ws, first, column)
        series.cat = categories(ws, 1, 1, first + 1, last)
        series.dLbls = labels()
        fill(series, colour)
        chart.series.append(series)


def fill(series: Series, colour: str) -> None:
    """Fill bars with a colour; light ones get an outline, negative ones keep the colour."""
    outline = LineProperties(solidFill=OUTLINE if colour == LIGHT else colour, w=6350)
    series.graphicalProperties = GraphicalProperties(solidFill=colour, ln=outline)
    series.invertIfNegative = False


def name(ws: Worksheet, row: int, column: int) -> SeriesLabel:
    """Return a series name bound to a cell."""
    return SeriesLabel(strRef=StrRef(f"{quoted(ws.title)}!{_absolute(row, column)}"))


def categories(ws: Worksheet, first_column: int, last_column: int, first: int, last: int) -> AxDataSource:
    """Return categories bound to an area of texts."""
    area = f"{_absolute(first, first_column)}:{_absolute(last, last_column)}"
    return AxDataSource(strRef=StrRef(f"{quoted(ws.title)}!{area}"))


def _absolute(row: int, column: int) -> str:
    return f"${get_column_letter(column)}${row}"


def labels(value: bool = False, form: str = "General") -> DataLabelList:
    """Return data labels with every part switched on or off by name."""
    labels = DataLabelList()
    labels.showVal = value
    labels.showSerName = labels.showCatName = labels.showLegendKey = labels.showPercent = False
    labels.showBubbleSize = labels.showLeaderLines = False
    if value:
        labels.numFmt, labels.txPr = form, _text(_AXIS)
    return labels


def _title(text: str, size: int, bold: bool = False) -> Title:
    run = RegularTextRun(rPr=_letters(size, bold), t=text)
    rich = RichText(p=[Paragraph(pPr=ParagraphProperties(defRPr=_letters(size, bold)), r=[run])])
    return Title(tx=Text(rich=rich), overlay=False)


def _text(size: int) -> RichText:
    return RichText(p=[Paragraph(pPr=ParagraphProperties(defRPr=_letters(size)), endParaRPr=_letters(size))])


def _letters(size: int, bold: bool = False) -> CharacterProperties:
    return CharacterProperties(sz=size * 100, b=bold, solidFill=TEXT, latin=Font(typeface=styles.FONT))


def _place(ws: Worksheet, chart: ChartBase, columns: tuple[float, float], rows: tuple[int, int]) -> None:
    """Pin a chart to cells, from one column and row up to another; parts of a column count."""
    gap = pixels_to_EMU(4)
    left, right = _marker(ws, columns[0], rows[0]), _marker(ws, columns[1], rows[1])
    left.colOff += gap
    if not right.colOff:  # a chart that ends on a border stays inside the column before it
        right.col -= 1
        right.colOff = pixels_to_EMU(round(fit.pixels(ws, get_column_letter(right.col + 1))))
    right.colOff -= gap
    chart.anchor = TwoCellAnchor(editAs="oneCell", _from=left, to=right)
    ws.add_chart(chart)


def _column_at(ws: Worksheet, column: int, x: float) -> float:
    """Return the column, with its part, that lies so many pixels right of the left border of another."""
    while (width := fit.pixels(ws, get_column_letter(column))) <= x:
        x -= width
        column += 1
    return column + x / width


def _marker(ws: Worksheet, column: float, row: int) -> AnchorMarker:
    whole = int(column)
    offset = round((column - whole) * fit.pixels(ws, get_column_letter(whole)))
    return AnchorMarker(col=whole - 1, colOff=pixels_to_EMU(offset), row=row - 1, rowOff=0)
