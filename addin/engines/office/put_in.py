"""Put a drawn sheet into a workbook without interruption by the user, and as one Undo entry.

A single Undo reverts the new sheet, the changed references, and the removal of the old sheet. LibreOffice records all
of this by itself, except a sheet from another workbook, which `Import` records. The order of the actions matters, since
the office records sheets by number.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import uno

from addin.engines.office.import_sheet import import_last, place, take_page, take_page_and_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TEXT = 256  # com.sun.star.util.NumberFormat: an entered formula becomes a text


class Reader(NamedTuple):
    """A cell or name that may refer to the sheet: how to read and write its formula, and whether it is fixed."""

    where: tuple[Any, ...]
    read: Callable[[], str]
    write: Callable[[str], None]
    fixed: Callable[[], bool]


class Import:
    """The import of a sheet from a package as the last one: a com.sun.star.document.XUndoAction."""

    def __init__(self, office: Any, book: Any, data: bytes, label: str) -> None:
        self._office, self._book, self._data, self.Title = office, book, data, label
        self._title = ""  # of the imported sheet
        self.shown = ""  # the sheet that was in front before

    def getTypes(self) -> tuple[Any, ...]:
        """Return the UNO interfaces of this object."""
        return (uno.getTypeByName("com.sun.star.document.XUndoAction"),)

    def undo(self) -> None:
        """Remove the sheet.

        While it undoes, the office must not record anything; inserting sheets turns recording on again, so it is locked
        here.
        """
        controller, sheets = self._book.CurrentController, self._book.Sheets
        if controller.ActiveSheet.Name == self._title and sheets.hasByName(self.shown):
            controller.setActiveSheet(sheets.getByName(self.shown))
        self._book.UndoManager.lock()
        try:
            sheets.removeByName(self._title)
        finally:
            self._book.UndoManager.unlock()

    def redo(self) -> None:
        """Import the sheet again."""
        with self.source() as source:
            imported = self.bring(source)
            dispatcher = self._office.service("com.sun.star.frame.DispatchHelper")
            take_page_and_view(source, source.Sheets.ElementNames[0], self._book, imported, dispatcher)

    @contextmanager
    def source(self) -> Iterator[Any]:
        """Open the package, without a window."""
        source = self._office.load_bytes(self._data)
        try:
            yield source
        finally:
            source.close(True)

    def bring(self, source: Any) -> Any:
        """Copy the sheet of the package after the last one and return it."""
        imported = import_last(source, source.Sheets.ElementNames[0], self._book)
        self._title = str(imported.Name)
        return imported


def put_in(
    office: Any,
    book: Any,
    data: bytes,
    title: str,
    readers: Sequence[Reader],
    written: Sequence[tuple[int, int, Sequence[str]]],
    label: str,
    show: bool,
) -> list[tuple[Any, ...]]:
    """Put the one sheet of a package into a workbook, in place of its namesake or last.

    Return (where, formula) of those readers that could not be redirected to the new sheet. A failure is rolled back.
    Raises Occupied, with nothing done, while a cell is being edited. `show` brings the sheet to the front, unless the
    user has gone to another sheet while the package was opened.
    """
    sheet, undoing = Import(office, book, data, label), book.UndoManager
    office.check_free()
    before = book.CurrentController.ActiveSheet.Name
    with sheet.source() as source:
        office.check_free()  # a key may have been pressed during the opening
        old = next((name for name in book.Sheets.ElementNames if name.casefold() == title.casefold()), None)
        shown, selected = book.CurrentController.ActiveSheet.Name, area_selected(book)
        sheet.shown = shown
        undoing.enterUndoContext(label)
        whole = False
        try:
            left = _changed(office, book, sheet, source, title, old, readers, written)
            whole = True
        finally:
            undoing.leaveUndoContext()
            if not whole and undoing.isUndoPossible() and undoing.getCurrentUndoActionTitle() == label:
                undoing.undo()
        if show and shown == before:
            book.CurrentController.setActiveSheet(book.Sheets.getByName(title))
        else:
            show_again(book, title if shown == old else shown, selected)
    return left


def _changed(
    office: Any,
    book: Any,
    sheet: Import,
    source: Any,
    title: str,
    old: str | None,
    readers: Sequence[Reader],
    written: Sequence[tuple[int, int, Sequence[str]]],
) -> list[tuple[Any, ...]]:
    sheets = book.Sheets
    before = [reader.read() for reader in readers]
    passing = free(sheets, title)
    position = sheets.ElementNames.index(old) + 1 if old else len(sheets.ElementNames)
    if old:
        office.name_sheet(book, old, passing)
    new = sheet.bring(source)
    if office.inside:  # an object outside the office's process would end with the session
        book.UndoManager.addUndoAction(sheet)
    place(new, book, title, position, counted=old is not None)
    dispatcher = office.service("com.sun.star.frame.DispatchHelper")
    # Before the old sheet is removed: print areas recorded later crash LibreOffice 7.4 when the removal is undone.
    take_page(source, source.Sheets.ElementNames[0], book, new, dispatcher)
    for row, column, formulas in written:
        cells = new.getCellRangeByPosition(column, row, column, row + len(formulas) - 1)
        cells.setFormulaArray(tuple((formula,) for formula in formulas))
    left = []
    for reader, text in zip(readers, before):  # noqa: B905  (no strict in Python 3.8)
        if reader.read() != text and not _redirected(reader, text):  # it has followed the old sheet's new name
            left.append((reader.where, text))
    if old:
        sheets.removeByName(passing)
    return left


def _redirected(reader: Reader, text: str) -> bool:
    if not reader.fixed():
        with suppress(Exception):  # any error of the office: the caller reports the formula
            reader.write(text)
            return True
    return False


def cell_reader(where: tuple[Any, ...], cell: Any, formats: Any) -> Reader:
    """Return a cell as a reader; it is fixed if it is locked, in an array formula or formatted as text."""

    def fixed() -> bool:
        locked = cell.Spreadsheet.isProtected() and cell.CellProtection.IsLocked
        return bool(locked or cell.ArrayFormula or formats.getByKey(cell.NumberFormat).Type & TEXT)

    return Reader(where, cell.getFormula, cell.setFormula, fixed)


def name_reader(where: tuple[Any, ...], name: Any) -> Reader:
    """Return a defined name as a reader."""
    return Reader(where, name.getContent, name.setContent, lambda: False)


def free(sheets: Any, title: str) -> str:
    """Return a free name for a sheet that is about to be removed."""
    taken, number = {name.casefold() for name in sheets.ElementNames}, 1
    while f"{title} before {number}".casefold() in taken:
        number += 1
    return f"{title} before {number}"


def area_selected(book: Any) -> Any:
    """Return the selected area of a workbook; None for any other selection."""
    selected = book.CurrentSelection
    return selected.RangeAddress if selected and hasattr(selected, "RangeAddress") else None


def show_again(book: Any, title: str, area: Any) -> None:
    """Show a sheet again and select an area of it, unless that is the current state."""
    controller = book.CurrentController
    sheet = book.Sheets.getByName(title)
    if controller.ActiveSheet.Name != title:
        controller.setActiveSheet(sheet)
    now = area_selected(book)
    if area is not None and (now is None or edges(now) != edges(area)):
        select(book, sheet.getCellRangeByPosition(*edges(area)))


def select(book: Any, cells: Any) -> None:
    """Select cells."""
    controller = book.CurrentController
    controller.select(cells)
    left, top, right, bottom = edges(cells.RangeAddress)
    if (left, top) == (right, bottom):
        # A marked cell keeps the cursor: Enter after a value would not go to the next cell.
        controller.select(book.createInstance("com.sun.star.sheet.SheetCellRanges"))


def edges(area: Any) -> tuple[int, int, int, int]:
    """Return an area as first column, first row, last column, last row."""
    return area.StartColumn, area.StartRow, area.EndColumn, area.EndRow
