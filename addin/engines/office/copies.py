"""What LibreOffice leaves behind when it imports a sheet from another workbook: its page and its view."""

from __future__ import annotations

from typing import Any

READ_ONLY = 16  # com.sun.star.beans.PropertyAttribute
XML = "UserDefinedAttributes"  # what an .ods holds that the office does not know: an object, never the same
FROZEN = 2  # mode of a split in the settings of a view


def bring(source: Any, name: str, target: Any, made: Any, dispatcher: Any) -> None:
    """Give an imported sheet the page, printed areas, grid lines and frozen panes that it has in its own workbook.

    It is shown at the zoom of the sheet that the user looks at.
    """
    sheet = source.Sheets.getByName(name)
    made.PageStyle = page(source, sheet.PageStyle, target, made.Name)
    index = made.RangeAddress.Sheet
    areas = sheet.getPrintAreas()
    if areas:  # none set means the whole sheet, an empty list of them no page at all
        made.setPrintAreas(tuple(moved(area, index) for area in areas))
    made.setPrintTitleRows(sheet.getPrintTitleRows())
    made.setTitleRows(moved(sheet.getTitleRows(), index))
    old = view(source, name)
    controller = target.CurrentController
    shown, zoom = controller.ActiveSheet, controller.ZoomValue  # per cent: Calc gives all sheets the one that is set
    controller.setActiveSheet(made)
    if not old.get("ShowGrid", True):  # an imported sheet shows them
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


def page(source: Any, name: str, target: Any, sheet: str) -> str:
    """Copy a page style into another workbook under a name of its own and return that."""
    old = source.StyleFamilies.getByName("PageStyles").getByName(name)
    styles = target.StyleFamilies.getByName("PageStyles")
    new = f"PageStyle_{sheet}"
    if not styles.hasByName(new):
        styles.insertByName(new, target.createInstance("com.sun.star.style.PageStyle"))
    style = styles.getByName(new)
    known = style.PropertySetInfo
    names = [
        described.Name
        for described in old.PropertySetInfo.Properties
        if not described.Attributes & READ_ONLY and described.Name != XML and known.hasPropertyByName(described.Name)
    ]
    for one in sorted(names, key=lambda one: one.endswith("Content")):  # headers have contents only once they are on
        value = old.getPropertyValue(one)
        # Each change of a style in use lays out the whole workbook: a sheet that is replaced keeps what is the same.
        if value is not None and told(value) != told(style.getPropertyValue(one)):
            style.setPropertyValue(one, value)
    return new


def told(value: Any) -> Any:
    """Return what tells two values of a property apart: the texts of a header or footer, else the value itself."""
    if hasattr(value, "LeftText"):
        return value.LeftText.String, value.CenterText.String, value.RightText.String
    return value


def unused(sheets: Any) -> str:
    """Return a name that no sheet has."""
    name = "-"
    while sheets.hasByName(name):
        name += "-"
    return name


def moved(area: Any, sheet: int) -> Any:
    """Return an area on another sheet."""
    area.Sheet = sheet
    return area


def view(book: Any, name: str) -> dict[str, Any]:
    """Return how a sheet was shown when its workbook was saved; known for a workbook opened without a window only."""
    views = book.getViewData()
    for one in views.getByIndex(0) if views.getCount() else ():
        if one.Name == "Tables" and one.Value.hasByName(name):
            return {item.Name: item.Value for item in one.Value.getByName(name)}
    return {}
