"""Copy a sheet of one workbook of the office into another, with its page and view, which LibreOffice loses."""

from __future__ import annotations

from typing import Any

READ_ONLY = 16  # com.sun.star.beans.PropertyAttribute
XML = "UserDefinedAttributes"  # unknown attributes of an .ods: an object that never equals another
FROZEN = 2  # mode of a split in the settings of a view


def import_sheet(source: Any, name: str, target: Any, new: str, position: int, dispatcher: Any) -> None:
    """Copy a sheet with its charts to a position of another workbook, under another name.

    `dispatcher` is the office's com.sun.star.frame.DispatchHelper.
    """
    imported = import_last(source, name, target)
    place(imported, target, new, position)
    take_page(source, name, target, imported, dispatcher)


def import_last(source: Any, name: str, target: Any) -> Any:
    """Copy a sheet after the last one of another workbook and return it.

    LibreOffice 7.4 crashes when a sheet is deleted after an import to any other position.
    """
    sheets = target.Sheets
    return sheets.getByIndex(sheets.importSheet(source, name, len(sheets.ElementNames)))


def place(imported: Any, target: Any, new: str, position: int, *, counted: bool = False) -> None:
    """Give a sheet that was imported last its name and its position.

    A window paints the charts with the columns of another sheet until the sheets are renumbered, so a sheet is inserted
    and removed; in a large workbook that takes as long as the import. `counted` skips it: the caller removes a sheet
    before this one later.
    """
    sheets = target.Sheets
    last = len(sheets.ElementNames) - 1
    if imported.Name != new:
        imported.Name = new
    if not counted:
        passing = unused(sheets)
        sheets.insertNewByName(passing, last)
        sheets.removeByName(passing)
    if position < last:
        sheets.moveByName(new, position)


def take_page(source: Any, name: str, target: Any, imported: Any, dispatcher: Any) -> None:
    """Give an imported sheet its print areas, page and view."""
    take_printed_areas(source, name, imported)
    take_page_and_view(source, name, target, imported, dispatcher)


def take_printed_areas(source: Any, name: str, imported: Any) -> None:
    """Give an imported sheet its print areas and repeated rows."""
    sheet, index = source.Sheets.getByName(name), imported.RangeAddress.Sheet
    areas = sheet.getPrintAreas()
    if areas:  # none means the whole sheet, an empty list would mean no page
        imported.setPrintAreas(tuple(on_sheet(area, index) for area in areas))
    imported.setPrintTitleRows(sheet.getPrintTitleRows())
    imported.setTitleRows(on_sheet(sheet.getTitleRows(), index))


def take_page_and_view(source: Any, name: str, target: Any, imported: Any, dispatcher: Any) -> None:
    """Give an imported sheet the page, grid lines and frozen panes of its source.

    It gets the zoom of the sheet in front. The office records none of this for Undo.
    """
    imported.PageStyle = copied_style(source, source.Sheets.getByName(name).PageStyle, target, imported.Name)
    old = view(source, name)
    controller = target.CurrentController
    shown, zoom = controller.ActiveSheet, controller.ZoomValue  # per cent; Calc sets it for all sheets
    controller.setActiveSheet(imported)
    if not old.get("ShowGrid", True):  # an imported sheet shows the grid
        dispatcher.executeDispatch(controller.Frame, ".uno:ToggleSheetGrid", "", 0, ())
    columns, rows = (
        old.get(f"{way}SplitPosition", 0) if old.get(f"{way}SplitMode") == FROZEN else 0
        for way in ("Horizontal", "Vertical")
    )
    if columns or rows:
        controller.freezeAtPosition(columns, rows)
    if controller.ZoomValue != zoom:
        controller.ZoomValue = zoom
    controller.setActiveSheet(shown)


def copied_style(source: Any, name: str, target: Any, sheet: str) -> str:
    """Copy a page style into another workbook under a new name and return that."""
    old = source.StyleFamilies.getByName("PageStyles").getByName(name)
    styles = target.StyleFamilies.getByName("PageStyles")
    new = f"PageStyle_{sheet}"
    if not styles.hasByName(new):
        styles.insertByName(new, target.createInstance("com.sun.star.style.PageStyle"))
    style = styles.getByName(new)
    known = style.PropertySetInfo
    names = [
        item.Name
        for item in old.PropertySetInfo.Properties
        if not item.Attributes & READ_ONLY and item.Name != XML and known.hasPropertyByName(item.Name)
    ]
    for item in sorted(names, key=lambda item: item.endswith("Content")):  # headers have these only when they are on
        value = old.getPropertyValue(item)
        # Each change of a style in use triggers a layout of the whole workbook, so only differences are set.
        if value is not None and compared(value) != compared(style.getPropertyValue(item)):
            style.setPropertyValue(item, value)
    return new


def compared(value: Any) -> Any:
    """Return a value of a property in comparable form: the texts of a header or footer, else the value itself."""
    if hasattr(value, "LeftText"):
        return value.LeftText.String, value.CenterText.String, value.RightText.String
    return value


def unused(sheets: Any) -> str:
    """Return a name that no sheet has."""
    name = "-"
    while sheets.hasByName(name):
        name += "-"
    return name


def on_sheet(area: Any, sheet: int) -> Any:
    """Return an area on another sheet."""
    area.Sheet = sheet
    return area


def view(book: Any, name: str) -> dict[str, Any]:
    """Return the saved view of a sheet; available only for a workbook opened without a window."""
    views = book.getViewData()
    for settings in views.getByIndex(0) if views.getCount() else ():
        if settings.Name == "Tables" and settings.Value.hasByName(name):
            return {item.Name: item.Value for item in settings.Value.getByName(name)}
    return {}
