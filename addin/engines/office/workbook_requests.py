"""The requests about the office, its workbooks and sheets, a method for each; see `session`.

Workbooks are identified by their RuntimeUID, sheets by their names, areas by (first row, first column, last row, last
column) counted from 0. Cells are read and written in blocks, never one by one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import uno
from com.sun.star.beans import UnknownPropertyException
from com.sun.star.lang import DisposedException
from com.sun.star.task import ErrorCodeIOException

from addin.engines.office import dialogs, editing
from addin.engines.office.import_sheet import import_sheet
from addin.engines.office.main_thread import MainThread
from addin.engines.office.put_in import cell_reader, name_reader, put_in, select

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Area = Sequence[int]
T = TypeVar("T")
FILTERS = {
    "xlsx": "Calc MS Excel 2007 XML",
    "xlsm": "Calc MS Excel 2007 VBA XML",
    "ods": "calc8",
}
REFUSALS = 200  # loads refused in a row, a tenth of a second apart, after which no other run's load is to blame
GOING = (UnknownPropertyException, DisposedException)  # raised by a workbook that is closing


class Occupied(Exception):
    """A cell is being edited, or another run's sheet comes in: nothing was done, and the request can be repeated."""


class Refused(Exception):
    """A request that is wrong for the workbook; the text is for the user."""


def properties(**pairs: Any) -> tuple[Any, ...]:
    """Return named values as the office's PropertyValues."""
    return tuple(struct("beans.PropertyValue", name, 0, value, state("DIRECT_VALUE")) for name, value in pairs.items())


def struct(name: str, *values: Any) -> Any:
    """Return a structure of the office."""
    return uno.createUnoStruct("com.sun.star." + name, *values)


def state(name: str) -> Any:
    """Return a state of a property."""
    return uno.Enum("com.sun.star.beans.PropertyState", name)


def alive(context: Any) -> bool:
    """Return whether an office still answers."""
    try:
        return bool(context.ServiceManager.getAvailableServiceNames())
    except Exception:
        return False


class Office:
    """A running office and the workbooks open in it."""

    def __init__(self, context: Any, private: bool, main_thread: Callable[[Callable[[], Any]], Any]) -> None:
        self.context = context
        self.on_main_thread = main_thread
        self.inside = not isinstance(main_thread, MainThread)  # of the office's own process
        self.private = private
        self.desktop = self.service("com.sun.star.frame.Desktop")
        self.last: Any = None  # the workbook last used: its window shows the status
        self.indicator: Any = None
        self.hidden: list[str] = []  # workbooks without a window
        self.refusals = 0  # of the load of a package, in a row

    def service(self, name: str, *arguments: Any) -> Any:
        """Return a service of the office."""
        manager = self.context.ServiceManager
        if arguments:
            return manager.createInstanceWithArgumentsAndContext(name, arguments, self.context)
        return manager.createInstanceWithContext(name, self.context)

    def leave(self) -> None:
        """Clear the status and close the hidden workbooks."""
        self.status(None)
        for uid, book in self._of_each(lambda book: (book.RuntimeUID, book)):
            if self.private or uid in self.hidden:
                book.setModified(False)
                book.close(True)

    # --- workbooks

    def _documents(self) -> list[Any]:
        documents, components = [], self.desktop.Components.createEnumeration()
        while components.hasMoreElements():
            component = components.nextElement()
            if component.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
                documents.append(component)
        return documents

    def _of_each(self, what: Callable[[Any], T]) -> list[T]:
        """Return the result of a function for every open workbook, except one that is closing."""
        each = []
        for book in self._documents():
            with suppress(*GOING):
                each.append(what(book))
        return each

    def book(self, uid: str) -> Any:
        """Return a workbook of the office, and note it as the one last used."""
        if self.last is None or self.last.RuntimeUID != uid:
            opened = dict(self._of_each(lambda book: (book.RuntimeUID, book)))
            if uid not in opened:
                raise Refused("the workbook was closed. Open it again.")
            self.last = opened[uid]
        return self.last

    def sheet(self, uid: str, name: str) -> Any:
        """Return a sheet of the office."""
        sheets = self.book(uid).Sheets
        if not sheets.hasByName(name):
            raise Refused(f"there is no sheet {name!r} any more. Restore it, or take a fresh copy.")
        return sheets.getByName(name)

    def books(self) -> list[tuple[str, str, str]]:
        """Return (identity, title, path or "") of every open workbook, the active one first.

        Hidden ones of other sessions or of macros are left out, as they may close at any moment.
        """
        active = self.desktop.getCurrentComponent()
        first = getattr(active, "RuntimeUID", None)
        rows = [row for row, hidden in self._of_each(self._listed) if not hidden or row[0] in self.hidden]
        return sorted(rows, key=lambda row: row[0] != first)

    def _listed(self, book: Any) -> tuple[tuple[str, str, str], bool]:
        return self._described(book), any(item.Name == "Hidden" and item.Value for item in book.Args)

    def _described(self, book: Any) -> tuple[str, str, str]:
        return book.RuntimeUID, book.Title, uno.fileUrlToSystemPath(book.URL) if book.URL else ""

    def described(self, uid: str) -> tuple[str, str, str]:
        """Return (identity, title, path or "") of a workbook."""
        return self._described(self.book(uid))

    def open(self, path: str | None, hidden: bool) -> str:
        """Open a workbook, or make a new one, and return its identity; a hidden one is closed with the session.

        A hidden workbook loses its views when it is saved, so a private office opens its workbooks in windows.
        """
        options = properties(Hidden=hidden, MacroExecutionMode=0, UpdateDocMode=0)
        url = uno.systemPathToFileUrl(path) if path else "private:factory/scalc"
        book = self.desktop.loadComponentFromURL(url, "_blank", 0, options)
        if book is None:
            raise Refused("LibreOffice does not open it. It may be damaged or need a password.")
        if not book.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
            book.close(True)
            raise Refused("is not a workbook.")
        self.last = book
        if hidden:
            self.hidden.append(book.RuntimeUID)
        return str(book.RuntimeUID)

    def close(self, uid: str) -> None:
        """Close a workbook without saving it."""
        book = self.book(uid)
        self.status(None)
        self.last = None
        book.setModified(False)
        book.close(True)

    def save(self, uid: str, path: str | None) -> None:
        """Save a workbook in place, or under another path, which becomes its own."""
        book = self.book(uid)
        if path is None:
            book.store()
            return
        ending = path.rpartition(".")[2].lower()
        if ending not in FILTERS:
            raise Refused(f"cannot be saved as {ending!r}; expected one of {', '.join(FILTERS)}.")
        book.storeAsURL(uno.systemPathToFileUrl(path), properties(FilterName=FILTERS[ending], Overwrite=True))

    def activate(self, uid: str, sheet: str | None = None, area: Area | None = None) -> None:
        """Bring a workbook to the front, or show a sheet of it, or select an area of a sheet."""
        controller = self.book(uid).CurrentController
        if area is not None:
            top, left, bottom, right = area
            select(self.book(uid), self.sheet(uid, str(sheet)).getCellRangeByPosition(left, top, right, bottom))
        elif sheet is not None:
            controller.setActiveSheet(self.sheet(uid, sheet))
        else:
            controller.Frame.activate()
            if not self.private:
                controller.Frame.ContainerWindow.toFront()

    def selection(self) -> tuple[str, str, Area] | None:
        """Return workbook, sheet and area selected in the active workbook; None for any other selection."""
        book = self.desktop.getCurrentComponent()
        if book not in self._documents():
            book = self.last
        selected = book and book.CurrentSelection
        if not selected or not hasattr(selected, "RangeAddress"):
            return None
        area = selected.RangeAddress
        corners = (area.StartRow, area.StartColumn, area.EndRow, area.EndColumn)
        return book.RuntimeUID, selected.Spreadsheet.Name, corners

    def editing(self) -> bool:
        """Return whether a cell of any window is being edited."""
        transformer = self.service("com.sun.star.util.URLTransformer")
        return any(self._of_each(lambda book: editing.editing(book, transformer)))

    def check_free(self) -> None:
        """Raise Occupied while a cell is being edited."""
        if not self.private and self.editing():
            raise Occupied

    def calculate(self) -> None:
        """Recalculate the changed cells of every open workbook."""
        self._of_each(lambda book: book.calculate())

    def automatic(self, value: bool | None = None) -> bool:
        """Return, after setting it, whether the workbook last used recalculates automatically."""
        book = self.last or (self._documents() or [None])[0]
        if book is None:
            return True
        if value is not None:
            book.enableAutomaticCalculation(value)
        return bool(book.isAutomaticCalculationEnabled())

    def status(self, text: str | None) -> None:
        """Show a text in the status bar of the workbook last used; None clears it."""
        if text is None:
            if self.indicator is not None:
                self.indicator.end()
            self.indicator = None
        elif self.indicator is not None:
            self.indicator.setText(text)
        else:
            frame = self._frame()
            if frame is not None:
                self.indicator = frame.createStatusIndicator()
                self.indicator.start(text, 100)

    def _frame(self) -> Any:
        """Return the window of the workbook last used; the current one may be another run's."""
        return self.last.CurrentController.Frame if self.last else self.desktop.getCurrentFrame()

    def alert(self, prompt: str, title: str, buttons: int, kind: str) -> int:
        """Show a message box over the window of the workbook last used and return the pressed button."""
        frame = self._frame()
        return 0 if frame is None or self.private else dialogs.alert(self.service, frame, prompt, title, buttons, kind)

    def choose_files(self, title: str, several: bool) -> list[str] | None:
        """Let the user choose a workbook file, or several files of any kind; None if cancelled."""
        folder = self.last.URL.rpartition("/")[0] if self.last else ""
        return None if self.private else dialogs.choose_files(self.service, folder, title, several)

    def ask_line(self, prompt: str, title: str, suggested: str) -> str | None:
        """Let the user type a line over the window of the workbook last used; None if cancelled."""
        frame = self._frame()
        return (
            None if frame is None or self.private else dialogs.ask_line(self.service, frame, prompt, title, suggested)
        )

    # --- sheets

    def sheets(self, uid: str) -> list[str]:
        """Return the names of the sheets in order."""
        return list(self.book(uid).Sheets.ElementNames)

    def active_sheet(self, uid: str) -> str:
        """Return the name of the sheet shown."""
        return str(self.book(uid).CurrentController.ActiveSheet.Name)

    def _structure(self, uid: str) -> Any:
        book = self.book(uid)
        if book.isProtected():
            raise Refused(
                "its structure is protected, so its sheets stay as they are. Unprotect it: Tools, Protect Spreadsheet "
                "Structure."
            )
        return book.Sheets

    def add_sheet(self, uid: str, name: str, position: int) -> None:
        """Add an empty sheet."""
        self._structure(uid).insertNewByName(name, position)

    def rename_sheet(self, uid: str, name: str, new: str) -> None:
        """Give a sheet another name."""
        self._structure(uid)
        self.sheet(uid, name)
        self.name_sheet(self.book(uid), name, new)

    @staticmethod
    def name_sheet(book: Any, name: str, new: str) -> None:
        """Give a sheet of a workbook another name; its charts keep what they draw."""
        sheet = book.Sheets.getByName(name)
        for index in range(sheet.Charts.Count):
            # LibreOffice 7.4 empties the charts of a sheet that is moved, then renamed, unless they were read before.
            sheet.Charts.getByIndex(index).getRanges()
        sheet.Name = new

    def delete_sheet(self, uid: str, name: str) -> None:
        """Delete a sheet with its charts."""
        sheets = self._structure(uid)
        if len(sheets.ElementNames) == 1:
            raise Refused(f"{name!r} is its only sheet and cannot be deleted.")
        self.sheet(uid, name)
        sheets.removeByName(name)

    def copy_sheet(self, uid: str, name: str, target: str, new: str, position: int) -> None:
        """Copy a sheet with its charts to a position, within the workbook or into another one."""
        source = self.book(uid)
        self.sheet(uid, name)
        if uid == target:
            self._structure(uid).copyByName(name, new, position)
        else:
            book = self.book(target)
            self._structure(target)
            dispatcher = self.service("com.sun.star.frame.DispatchHelper")
            self.on_main_thread(lambda: import_sheet(source, name, book, new, position, dispatcher))

    def put_in(
        self,
        uid: str,
        data: bytes,
        title: str,
        cells: Sequence[tuple[str, int, int]],
        names: Sequence[tuple[str, str]],
        written: Sequence[tuple[int, int, Sequence[str]]],
        label: str,
        show: bool,
    ) -> list[tuple[Any, ...]]:
        """Put the sheet of a package in, in one turn of the office. Raises Occupied while a cell is being edited.

        `cells` (sheet, row, column) and `names` (sheet or "", name) may refer to the sheet that it replaces. Return
        (cell or name, formula) of those that could not be redirected to the new one. `written` are the blocks (row,
        column, column of formulas) of the new sheet that read the rest of the workbook. `show` brings it to the front.
        """

        def turn() -> list[tuple[Any, ...]]:
            self._structure(uid)
            book = self.book(uid)
            kinds = book.NumberFormats
            readers = [
                cell_reader((sheet, row, column), self.sheet(uid, sheet).getCellByPosition(column, row), kinds)
                for sheet, row, column in cells
            ]
            for scope, name in names:
                owner = self.sheet(uid, scope) if scope else book
                readers.append(name_reader((scope, name), owner.NamedRanges.getByName(name)))
            return put_in(self, book, data, title, readers, written, label, show)

        result: list[tuple[Any, ...]] = self.on_main_thread(turn)
        return result

    def load_bytes(self, data: bytes) -> Any:
        """Return the workbook of a package in memory; the caller closes it.

        It has no frame: even a hidden frame would take the keys that are pressed while it opens. LibreOffice serves
        other requests while it loads, and refuses a load within a load: the second run of two raises Occupied.
        """
        book = self.service("com.sun.star.sheet.SpreadsheetDocument")
        stream = self.service("com.sun.star.io.SequenceInputStream", uno.ByteSequence(data))
        options = {"URL": "private:stream", "InputStream": stream, "FilterName": FILTERS["xlsx"], "Hidden": True}
        try:
            book.load(properties(**options, MacroExecutionMode=0, UpdateDocMode=0))
        except ErrorCodeIOException:
            self.refusals += 1
            if self.refusals > REFUSALS:
                raise
            raise Occupied from None
        self.refusals = 0
        return book

    def used(self, uid: str, name: str) -> Area:
        """Return the area from the first to the last cell in use."""
        cursor = self.sheet(uid, name).createCursor()
        cursor.gotoStartOfUsedArea(False)
        cursor.gotoEndOfUsedArea(True)
        area = cursor.RangeAddress
        return area.StartRow, area.StartColumn, area.EndRow, area.EndColumn
