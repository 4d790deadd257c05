"""A new workbook with the cells of another one, and of everything around them only the content of releases.

Only what is named here is copied, so that any other part of a package does not leave: comments, links, names,
properties, prompts, headers, number formats, charts, drawings, pictures, scenarios, hidden parts.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import MergedCell
from openpyxl.styles import Alignment, Border, Color, Font, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from addin.leaving.marks import HEADERS, PROPERTIES, SIDES, Known, texts_of_chart, texts_of_rule

_FONT = "Calibri"
_SIDES = ("left", "right", "top", "bottom")


def plain(source: Workbook, known: Known) -> Workbook:
    """Return a new workbook with cells, styles and print settings of another one, as far as releases have them."""
    made = Workbook()
    made.remove(made.worksheets[0])
    for ws in source.worksheets:
        sheet = made.create_sheet(ws.title)
        _cells(ws, sheet, known)
        _sizes(ws, sheet)
        _printing(ws, sheet, known)
        _rules(ws, sheet, known)
    for name, defined in source.defined_names.items():
        if known.text(name) and known.text(defined.attr_text or ""):
            made.defined_names[name] = DefinedName(name, attr_text=defined.attr_text)
    for name in PROPERTIES:
        value = getattr(source.properties, name)
        setattr(made.properties, name, value if isinstance(value, str) and known.text(value) else None)
    made.properties.created = made.properties.modified = source.properties.created
    return made


def _cells(ws: Worksheet, sheet: Worksheet, known: Known) -> None:
    """Copy cells with their styles: each style is made once, and shared."""
    looks: dict[tuple[int, ...], Any] = {}
    for (row, column), cell in ws._cells.items():
        if isinstance(cell, MergedCell):
            continue
        new = sheet.cell(row, column)
        new.value = cell.value
        if cell.data_type == "s" and isinstance(cell.value, str) and cell.value.startswith("="):
            new.data_type = "s"
        style = tuple(cell._style or ())  # None for a cell without a style
        if style not in looks:
            _dress(cell, new, known)
            looks[style] = copy(new._style)
        new._style = copy(looks[style])
        link = cell.hyperlink
        if link is not None and all(map(known.text, filter(None, (link.target, link.location)))):
            new.hyperlink = Hyperlink(new.coordinate, location=link.location, target=link.target)
    for area in ws.merged_cells.ranges:
        sheet.merge_cells(str(area))


def _dress(cell: Any, new: Any, known: Known) -> None:
    font = cell.font
    new.font = Font(_FONT, font.sz, font.b, font.i, underline=font.u, strike=font.strike, color=_colour(font.color))
    new.fill = PatternFill(cell.fill.fill_type, _colour(cell.fill.fgColor), _colour(cell.fill.bgColor))
    edges = {name: side for name in _SIDES if (side := getattr(cell.border, name)) is not None}
    new.border = Border(**{name: Side(side.style, _colour(side.color)) for name, side in edges.items()})
    asked = cell.alignment
    new.alignment = Alignment(asked.horizontal, asked.vertical, wrap_text=asked.wrap_text, indent=asked.indent)
    new.number_format = cell.number_format if known.text(cell.number_format) else "General"
    new.protection = copy(cell.protection)


def _colour(colour: Any) -> Color | None:
    return copy(colour) if isinstance(colour, Color) else None


def _sizes(ws: Worksheet, sheet: Worksheet) -> None:
    for letter, column in ws.column_dimensions.items():
        new = sheet.column_dimensions[letter]
        new.width, new.min, new.max, new.hidden = column.width, column.min, column.max, column.hidden
    for number, row in ws.row_dimensions.items():
        if row.height is not None or row.hidden:
            sheet.row_dimensions[number].height, sheet.row_dimensions[number].hidden = row.height, row.hidden
    sheet.freeze_panes = ws.freeze_panes
    sheet.sheet_view.showGridLines = ws.sheet_view.showGridLines
    sheet.sheet_properties.tabColor = _colour(ws.sheet_properties.tabColor)
    sheet.protection.sheet = ws.protection.sheet


def _printing(ws: Worksheet, sheet: Worksheet, known: Known) -> None:
    sheet.page_setup.orientation, sheet.page_setup.paperSize = ws.page_setup.orientation, ws.page_setup.paperSize
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = ws.page_setup.fitToWidth, ws.page_setup.fitToHeight
    sheet.sheet_properties.pageSetUpPr = copy(ws.sheet_properties.pageSetUpPr)
    sheet.print_title_rows, sheet.print_title_cols = ws.print_title_rows, ws.print_title_cols
    for area in HEADERS:
        for side in SIDES:
            text = getattr(getattr(ws, area), side).text
            if text and known.text(text):
                getattr(getattr(sheet, area), side).text = text


def _rules(ws: Worksheet, sheet: Worksheet, known: Known) -> None:
    """Copy validations, conditional formats and charts if a release has all their texts."""
    for rule in ws.data_validations.dataValidation:
        texts = {name: getattr(rule, name) for name in ("formula1", "formula2", "promptTitle", "prompt")}
        if all(known.text(str(text)) for text in texts.values() if text):
            sheet.add_data_validation(
                DataValidation(
                    rule.type, texts["formula1"], texts["formula2"], rule.showErrorMessage, rule.showInputMessage,
                    allow_blank=rule.allowBlank, sqref=str(rule.sqref), promptTitle=texts["promptTitle"],
                    prompt=texts["prompt"], operator=rule.operator,
                )
            )  # fmt: skip
    for area in ws.conditional_formatting:
        for rule in area.rules:
            if all(map(known.text, texts_of_rule(rule))):
                sheet.conditional_formatting.add(str(area.sqref), copy(rule))
    for chart in ws._charts:
        drop_cache(chart)
        if all(map(known.text, texts_of_chart(chart))):
            sheet.add_chart(chart)


def drop_cache(chart: Any) -> None:
    """Remove the cached values of a chart's cells."""
    for series in (each for plot in (chart, *chart._charts) for each in plot.ser):
        for data in (series.val, series.cat, getattr(series, "xVal", None), getattr(series, "yVal", None), series.tx):
            for source in (getattr(data, "numRef", None), getattr(data, "strRef", None)) if data else ():
                if source is not None:
                    for cache in ("numCache", "strCache"):
                        if hasattr(source, cache):
                            setattr(source, cache, None)


def cleaned(workbook: Workbook) -> Workbook:
    """Return a workbook without comments, links to files, and the cached values of charts."""
    for ws in workbook.worksheets:
        for cell in ws._cells.values():
            if isinstance(cell, MergedCell):
                continue  # covered by the first cell of the merged area
            cell.comment = None
            if cell.hyperlink is not None and cell.hyperlink.target and not cell.hyperlink.target.startswith("http"):
                cell.hyperlink = None
        for chart in ws._charts:
            drop_cache(chart)
    return workbook
