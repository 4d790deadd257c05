"""Native charts of slides, each with a workbook of its own that holds its figures and nothing else.

The workbook is not python-pptx's: that takes a name that begins with = for a formula, and dates the file.
"""

from __future__ import annotations

from typing import Any

from openpyxl import Workbook

from addin.results.slides.records import BESIDE, OVER, STACKED, Bars, Box, clean
from addin.xlsx.in_memory import saved

_SHEET = "Sheet1"  # by this name the chart refers to its figures
_TEXT, _TITLE = 11, 12  # points
_GAPS = {BESIDE: 60, OVER: 60, STACKED: 45}  # between bars, percent of a bar
_MOST_LETTERS = 40  # of a category


def bars(slide: Any, part: Bars, box: Box) -> None:
    """Draw a chart into a place on a slide."""
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
    from pptx.util import Pt

    class Data(CategoryChartData):
        """The figures of a chart with a workbook of our own."""

        xlsx_blob = _workbook(part)

    make: Any = Data  # python-pptx has types for some of its functions only
    data = make(number_format=part.form)
    data.categories = [_brief(each) for each in part.categories]
    for name, values in part.series:
        data.add_series(clean(name), values)
    kinds = {
        (True, False): XL_CHART_TYPE.BAR_CLUSTERED,
        (True, True): XL_CHART_TYPE.BAR_STACKED,
        (False, False): XL_CHART_TYPE.COLUMN_CLUSTERED,
        (False, True): XL_CHART_TYPE.COLUMN_STACKED,
    }
    frame = slide.shapes.add_chart(kinds[part.across, part.kind == STACKED], *map(Pt, box), data)
    frame._element.nvGraphicFramePr.cNvPr.set("descr", clean(f"{part.title}. {part.said}".removesuffix(" ")))
    chart = frame.chart
    chart.font.size = Pt(_TEXT)
    chart.has_title = True
    chart.chart_title.text_frame.text = clean(part.title)
    font = chart.chart_title.text_frame.paragraphs[0].runs[0].font
    font.size, font.bold = Pt(_TITLE), True
    chart.chart_title.include_in_layout = False
    chart.has_legend = len(part.series) > 1
    if chart.has_legend:
        chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    _axes(chart, part)
    _looks(chart.plots[0], part)


def _axes(chart: Any, part: Bars) -> None:
    """Leave the scale out, as every bar has its figure; the first category is at the top."""
    from pptx.enum.chart import XL_TICK_MARK

    scale, names = chart.value_axis, chart.category_axis
    scale.has_major_gridlines, scale.visible, scale.minimum_scale = False, False, 0
    if part.most is not None:
        scale.maximum_scale = part.most
    names.major_tick_mark, names.reverse_order = XL_TICK_MARK.NONE, part.across


def _looks(plot: Any, part: Bars) -> None:
    """Colour the series with the theme's colours and put the figure at each bar."""
    from pptx.enum.chart import XL_LABEL_POSITION
    from pptx.enum.dml import MSO_THEME_COLOR

    plot.gap_width = _GAPS[part.kind]
    plot.overlap = 0 if part.kind == BESIDE else 100
    colours = (
        *(MSO_THEME_COLOR.ACCENT_1, MSO_THEME_COLOR.ACCENT_4),
        *(MSO_THEME_COLOR.ACCENT_2, MSO_THEME_COLOR.ACCENT_3),
    )
    for series, colour in zip(plot.series, colours, strict=False):
        series.format.fill.solid()
        series.format.fill.fore_color.theme_color = colour
        series.invert_if_negative = False
        labels = series.data_labels
        inside = part.kind == STACKED
        form = f"{part.form};-{part.form};" if inside else part.form  # a 0 would stand on the line between two parts
        labels.show_value, labels.number_format, labels.number_format_is_linked = True, form, False
        labels.position = XL_LABEL_POSITION.CENTER if inside else XL_LABEL_POSITION.OUTSIDE_END
        dark = inside and colour != MSO_THEME_COLOR.ACCENT_4
        labels.font.color.theme_color = MSO_THEME_COLOR.BACKGROUND_1 if dark else MSO_THEME_COLOR.TEXT_1


def _brief(text: str) -> str:
    """Return a category, cut where a long name would leave no room for its bar."""
    text = clean(text)
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1].rstrip()}\u2026"


def _workbook(part: Bars) -> bytes:
    """Return the workbook with the figures: categories in the first column, a series in each of the others."""
    book = Workbook()
    sheet = book.active
    sheet.title = _SHEET
    texts = [(row, 1, _brief(each)) for row, each in enumerate(part.categories, 2)]
    texts += [(1, column, clean(name)) for column, (name, _) in enumerate(part.series, 2)]
    for row, column, text in texts:
        cell = sheet.cell(row, column)
        cell.value = text
        cell.data_type = "s"  # a name that begins with = is a name
    for column, (_, values) in enumerate(part.series, 2):
        for row, value in enumerate(values, 2):
            cell = sheet.cell(row, column)
            cell.value, cell.number_format = value, part.form
    book.properties.creator = None
    return saved(book, dated=False)
