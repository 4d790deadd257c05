"""Parts of charts: native and driven by cells, so they follow every input. Each sheet's module draws its own.

What an application may get wrong by default is set: axes shown, lines unsmoothed, scale from 0, every label switch.
Dark against light carries the meaning, so that the charts read in greyscale and with any colour vision.
"""

from collections.abc import Sequence

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference, ScatterChart, Series
from openpyxl.chart._chart import ChartBase
from openpyxl.chart.data_source import AxDataSource, StrRef
from openpyxl.chart.label import DataLabelList
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
from model.layout.grid import quoted

DARK, MIDDLE, LIGHT, OUTLINE, TEXT = "1F3A5F", "E08214", "C9D8EC", "6B7A8C", "3A4552"
GRID = "E3E8EE"
_TITLE, _CELL, _AXIS, _DENSE = 11, 10, 9, 8  # points


def scatter(ws: Worksheet, columns: tuple[int, int], rows: tuple[int, int], named: tuple[int, int]) -> Series:
    """Return a series of a scatter chart: columns of y and x, first and last row, row and column of its name."""
    y, x = (Reference(ws, min_col=column, min_row=rows[0], max_row=rows[1]) for column in columns)
    series = Series(y, x, title_from_data=False)
    series.tx, series.dLbls, series.smooth = name(ws, *named), labels(), False
    return series


def curves(title: str, across: str, value: str, forms: tuple[str, str]) -> ScatterChart:
    """Return an empty chart of curves over numbers from 0 on; `forms` are the formats of what runs across and up."""
    chart = ScatterChart()
    chart.scatterStyle = "lineMarker"
    style_chart(chart, title, across, value, forms[1])
    chart.x_axis.scaling.min, chart.x_axis.number_format = 0, forms[0]
    chart.x_axis.numFmt.sourceLinked = False
    return chart


def bars(direction: str, title: str, category: str, value: str, form: str) -> BarChart:
    """Return an empty bar chart with titles, both axes shown, and the scale from 0."""
    chart = BarChart()
    chart.type, chart.grouping, chart.varyColors = direction, "clustered", False
    style_chart(chart, title, category, value, form)
    return chart


def style_chart(chart: ChartBase, title: str, category: str, value: str, form: str) -> None:
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


def add_columns(
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


def name_every_category(chart: BarChart) -> None:
    """Leave no category out, however small the letters."""
    chart.x_axis.tickLblSkip, chart.x_axis.txPr = 1, _text(_DENSE)


def enlarge(chart: BarChart) -> None:
    """Make all letters as large as those of cells, where a sheet prints so small that smaller ones are not legible."""
    for axis in (chart.x_axis, chart.y_axis):
        axis.txPr = _text(_CELL)
        if axis.title is not None:
            axis.title = _title(_words(axis.title), _CELL)
    if chart.legend is not None:
        chart.legend.txPr = _text(_CELL)
    for series in chart.series:
        series.dLbls.txPr = _text(_CELL)


def alt_texts(book: Workbook) -> dict[str, list[str]]:
    """Return what is said of every chart to those who do not see it, by sheet: its titles and what its axes show."""
    return {ws.title: [_said(chart, ws.title) for chart in ws._charts] for ws in book.worksheets if ws._charts}


def _said(chart: ChartBase, sheet: str) -> str:
    title, across, up = (_words(each.title) for each in (chart, chart.x_axis, chart.y_axis))
    kind = "Bar chart" if isinstance(chart, BarChart) else "Curves"
    axes = f"{up} over {across.lower()}" if across and up else across or up
    return f"{kind}: {title}. {axes}; the figures stand on the sheet {sheet}."


def _words(title: Title | None) -> str:
    return "" if title is None else "".join(run.t for paragraph in title.tx.rich.p for run in paragraph.r)


def _title(text: str, size: int, bold: bool = False) -> Title:
    run = RegularTextRun(rPr=_letters(size, bold), t=text)
    rich = RichText(p=[Paragraph(pPr=ParagraphProperties(defRPr=_letters(size, bold)), r=[run])])
    return Title(tx=Text(rich=rich), overlay=False)


def _text(size: int) -> RichText:
    return RichText(p=[Paragraph(pPr=ParagraphProperties(defRPr=_letters(size)), endParaRPr=_letters(size))])


def _letters(size: int, bold: bool = False) -> CharacterProperties:
    return CharacterProperties(sz=size * 100, b=bold, solidFill=TEXT, latin=Font(typeface=styles.FONT))


def pin(ws: Worksheet, chart: ChartBase, columns: tuple[float, float], rows: tuple[int, int]) -> None:
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


def column_at(ws: Worksheet, column: int, x: float) -> float:
    """Return the column, with its part, that lies so many pixels right of the left border of another."""
    while (width := fit.pixels(ws, get_column_letter(column))) <= x:
        x -= width
        column += 1
    return column + x / width


def _marker(ws: Worksheet, column: float, row: int) -> AnchorMarker:
    whole = int(column)
    offset = round((column - whole) * fit.pixels(ws, get_column_letter(whole)))
    return AnchorMarker(col=whole - 1, colOff=pixels_to_EMU(offset), row=row - 1, rowOff=0)
