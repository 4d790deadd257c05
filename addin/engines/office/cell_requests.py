"""The requests about cells and names, a method for each; see `session`."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, Any

import uno

from addin.engines.office.workbook_requests import Office, Refused, struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from addin.engines.office.workbook_requests import Area

EPOCH = datetime.datetime(1899, 12, 30)
DATE, TIME, LOGICAL = 2, 4, 1024  # com.sun.star.util.NumberFormat
DATE_CONSTANTS = 2  # com.sun.star.sheet.CellFlags
VALUE, STRING, ERROR = 1, 2, 4  # com.sun.star.sheet.FormulaResult
FORMATS_PER_LOCALE = 10000  # keys of number formats; the first of each locale is General
# Error codes of the office as its own Excel export translates them (sc/source/filter/excel/xltools.cxx).
ERRORS = {503: "#NUM!", 521: "#NULL!", 523: "#NUM!", 524: "#REF!", 525: "#NAME?", 526: "#NAME?", 527: "#NAME?"}
ERRORS.update({502: "#VALUE!", 504: "#VALUE!", 519: "#VALUE!", 522: "#VALUE!", 532: "#DIV/0!", 32767: "#N/A"})
NO_CODE = "#N/A"
DATE_LETTERS = re.compile(r'AM/PM|A/P|"[^"]*"|\[[A-Z]{3,}\]|[YMDHS]+')


class Cells:
    """The cells of the workbooks open in an office."""

    def __init__(self, office: Office) -> None:
        self.office = office

    def _cells(self, uid: str, sheet: str, area: Area) -> Any:
        top, left, bottom, right = area
        return self.office.sheet(uid, sheet).getCellRangeByPosition(left, top, right, bottom)

    def _free(self, uid: str, sheet: str, area: Area) -> Any:
        """Return cells to be changed. Raises Refused if one of them is locked on a protected sheet, as in Excel."""
        cells = self._cells(uid, sheet, area)
        if cells.Spreadsheet.isProtected():
            for part in groups(cells):
                if part.CellProtection.IsLocked:
                    address = part.RangeAddresses[0]
                    cell = cells.Spreadsheet.getCellByPosition(address.StartColumn, address.StartRow).AbsoluteName
                    cell = cell.rpartition(".")[2].replace("$", "")
                    raise Refused(f"{sheet}!{cell} is locked on a protected sheet. Unprotect the sheet first.")
        return cells

    # --- values

    def read(self, uid: str, sheet: str, area: Area) -> tuple[list[list[Any]], list[tuple[int, int, str]]]:
        """Return a block of values, None for a blank cell, and (row, column, text) of its errors.

        Dates and booleans, plain numbers in the office, are recognised by their number format.
        """
        cells = self._cells(uid, sheet, area)
        rows = [list(row) for row in cells.getDataArray()]
        top, left = area[0], area[1]
        errors = []
        for row, column in cells_of(cells.queryFormulaCells(ERROR)) if any(None in values for values in rows) else ():
            code = cells.getCellByPosition(column - left, row - top).getError()
            errors.append((row - top, column - left, ERRORS.get(code, NO_CODE)))
        if any("" in values for values in rows):
            empty = set(cells_of(cells.queryFormulaCells(STRING)))
            for r, values in enumerate(rows):
                for c, value in enumerate(values):
                    if value == "" and (r + top, c + left) not in empty:
                        values[c] = None
        self._typed(uid, cells, rows, DATE | LOGICAL)
        return rows, errors

    def _typed(self, uid: str, cells: Any, rows: list[list[Any]], wanted: int) -> None:
        """Convert the numbers that are shown as dates or booleans, or as one of the two."""
        top, left, _, _ = area_of(cells.RangeAddress)
        kinds = Kinds(self.office.book(uid).NumberFormats)

        def become(kind: int, changed: Iterator[tuple[int, int]]) -> None:
            for row, column in changed:
                rows[row - top][column - left] = typed(rows[row - top][column - left], kind & wanted)

        for address in cells.queryContentCells(DATE_CONSTANTS).RangeAddresses if wanted & DATE else ():
            for part in groups(rectangle(cells, *area_of(address))):
                become(kinds[part.NumberFormat] & DATE, cells_of(part))
        computed = set(cells_of(cells.queryFormulaCells(VALUE)))
        flags = {(r + top, c + left) for r, values in enumerate(rows) for c, value in enumerate(values) if flag(value)}
        if not computed | flags:
            return
        lines, columns = zip(*(computed | flags))  # noqa: B905  (no strict in Python 3.8)
        area = (min(lines), min(columns), max(lines), max(columns))
        for part in groups(rectangle(cells, *area)):
            key, addresses = part.NumberFormat, part.RangeAddresses
            if key % FORMATS_PER_LOCALE:
                if kinds[key] & (DATE | LOGICAL):
                    become(kinds[key], positions(addresses))
                continue
            # a formula that yields a boolean formats its cell
            for row, column in computed & flags & set(positions(addresses)):
                cell = cells.getCellByPosition(column - left, row - top)
                become(kinds[cell.NumberFormat] & LOGICAL, iter([(row, column)]))

    def formulas(self, uid: str, sheet: str, area: Area) -> tuple[Any, Any]:
        """Return a block of formulas in the office's grammar, constants as typed, and its values.

        Dates stay numbers, as in Excel's formulas.
        """
        cells = self._cells(uid, sheet, area)
        texts, rows = cells.getFormulaArray(), [list(row) for row in cells.getDataArray()]
        if any(flag(v) and texts[r][c] in ("0", "1") for r, row in enumerate(rows) for c, v in enumerate(row)):
            self._typed(uid, cells, rows, LOGICAL)
        return texts, rows

    def write(
        self,
        uid: str,
        sheet: str,
        area: Area,
        rows: Sequence[Sequence[Any]],
        formulas: Sequence[tuple[int, int, Sequence[str]]],
        formatted: dict[int, Sequence[tuple[int, int]]],
    ) -> None:
        """Write a block of numbers and texts ("" clears a cell), then runs of formulas in it.

        `formatted` lists the cells that get the standard format of a kind unless they have another than General.
        """
        cells = self._free(uid, sheet, area)
        cells.setDataArray(tuple(map(tuple, rows)))
        for row, column, run in formulas:
            cells.getCellRangeByPosition(column, row, column + len(run) - 1, row).setFormulaArray((tuple(run),))
        book = self.office.book(uid)
        index = cells.RangeAddress.Sheet
        for kind, wanted in formatted.items():
            chosen = book.createInstance("com.sun.star.sheet.SheetCellRanges")
            for r, c in wanted:
                row, column = area[0] + r, area[1] + c
                chosen.addRangeAddress(struct("table.CellRangeAddress", index, column, row, column, row), True)
            standard = book.NumberFormats.getStandardFormat(kind, struct("lang.Locale"))
            for address in chosen.RangeAddresses:
                for part in groups(rectangle(cells, *area_of(address))):
                    if part.NumberFormat % FORMATS_PER_LOCALE == 0:
                        part.NumberFormat = standard

    def fill(self, uid: str, sheet: str, area: Area, formula: str) -> None:
        """Write a formula into the first cell and fill the area with it; relative references move."""
        cells = self._free(uid, sheet, area)
        cells.getCellByPosition(0, 0).setFormula(formula)
        rows, columns = area[2] - area[0], area[3] - area[1]
        if columns:
            cells.getCellRangeByPosition(0, 0, columns, 0).fillAuto(
                uno.Enum("com.sun.star.sheet.FillDirection", "TO_RIGHT"), 1
            )
        if rows:
            cells.fillAuto(uno.Enum("com.sun.star.sheet.FillDirection", "TO_BOTTOM"), 1)

    def array(self, uid: str, sheet: str, area: Area) -> str:
        """Return the array formula of an area, "" without one."""
        return str(self._cells(uid, sheet, area).ArrayFormula)

    # --- number formats

    def number_format(self, uid: str, sheet: str, area: Area, code: str | None = None) -> str | None:
        """Return, after setting it, the number format of an area; None if it has several."""
        book_formats = self.office.book(uid).NumberFormats
        if code is not None:
            english = struct("lang.Locale", "en", "US", "")
            key = book_formats.queryKey(code, english, False)
            key = book_formats.addNew(code, english) if key == -1 else key
            self._free(uid, sheet, area).NumberFormat = key
        keys = {part.NumberFormat for part in groups(self._cells(uid, sheet, area))}
        if len(keys) > 1:
            return None
        key = keys.pop()
        if key % FORMATS_PER_LOCALE == 0:
            return "General"
        chosen = book_formats.getByKey(key)
        code = str(chosen.FormatString)
        return DATE_LETTERS.sub(as_excel, code) if chosen.Type & (DATE | TIME) else code

    def written(self, number: float, decimals: int) -> str:
        """Return a number as text, with the separators of the office's locale."""
        function = self.office.service("com.sun.star.sheet.FunctionAccess")
        return str(function.callFunction("FIXED", (number, float(decimals))))

    # --- names

    def names(self, uid: str) -> list[tuple[str, str, str]]:
        """Return (sheet or "", name, content in the office's grammar) of every defined name."""
        book = self.office.book(uid)
        scopes = [("", book.NamedRanges)] + [
            (sheet.Name, sheet.NamedRanges) for sheet in map(book.Sheets.getByName, book.Sheets.ElementNames)
        ]
        return [(scope, name, names.getByName(name).Content) for scope, names in scopes for name in names.ElementNames]

    def _names(self, uid: str, scope: str) -> Any:
        return (self.office.sheet(uid, scope) if scope else self.office.book(uid)).NamedRanges

    def define(self, uid: str, scope: str, name: str, content: str | None) -> None:
        """Give a name a content, adding the name; None deletes it."""
        names = self._names(uid, scope)
        if content is None:
            names.removeByName(name)
        elif names.hasByName(name):
            names.getByName(name).setContent(content)
        else:
            names.addNewByName(name, content, struct("table.CellAddress"), 0)


class Kinds(dict):  # type: ignore[type-arg]
    """The kind (com.sun.star.util.NumberFormat) of each number format, looked up once."""

    def __init__(self, book_formats: Any) -> None:
        super().__init__()
        self.formats = book_formats

    def __missing__(self, key: int) -> int:
        self[key] = int(self.formats.getByKey(key).Type)
        return int(self[key])


def typed(value: Any, kind: int) -> Any:
    """Return a number as the date or the boolean that its format shows."""
    if not isinstance(value, float):
        return value
    if kind & LOGICAL:
        return bool(value)
    if kind & DATE:
        return EPOCH + datetime.timedelta(milliseconds=round(value * 86_400_000))
    return value


def flag(value: Any) -> bool:
    """Return whether a number could be a boolean."""
    return value in (0.0, 1.0) and isinstance(value, float)


def rectangle(cells: Any, top: int, left: int, bottom: int, right: int) -> Any:
    """Return another area of the sheet that some cells are on."""
    return cells.Spreadsheet.getCellRangeByPosition(left, top, right, bottom)


def as_excel(letters: Any) -> str:
    """Return a piece of a date format in Excel's notation: y, m, d, h, s in lower case, anything else unchanged."""
    return str(letters[0].lower() if set(letters[0]) <= set("YMDHS") else letters[0])


def groups(cells: Any) -> Iterator[Any]:
    """Yield the groups of cells with the same format."""
    every = cells.getUniqueCellFormatRanges()
    for index in range(every.Count):
        yield every.getByIndex(index)


def cells_of(cells: Any) -> Iterator[tuple[int, int]]:
    """Return row and column of the cells of several areas of the office."""
    return positions(cells.RangeAddresses)


def positions(addresses: Any) -> Iterator[tuple[int, int]]:
    """Yield row and column of the cells of some areas of the office, row by row."""
    for address in addresses:
        for row in range(address.StartRow, address.EndRow + 1):
            for column in range(address.StartColumn, address.EndColumn + 1):
                yield row, column


def area_of(address: Any) -> Area:
    """Return a range address of the office as first row, first column, last row, last column."""
    return address.StartRow, address.StartColumn, address.EndRow, address.EndColumn
