"""An open workbook as openpyxl's: the cells of the application, the styles of the saved file. For audit and hand-off.

Styles, validations, protection and charts can only be read from the file; formulas, values and names come from the
application, unsaved changes included.
"""

from __future__ import annotations

import warnings
from collections.abc import Container, Mapping

from openpyxl import Workbook, load_workbook
from openpyxl.cell import MergedCell
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from addin.errors import BookError
from addin.kernel import Address, ExcelError, Scalar
from addin.kernel.formula.cells import owner_of
from addin.numerals import numeral
from addin.workbook.book import SizingBook

MOST_CELLS = 2_000_000  # of the rectangle that a sheet's cells span


def overlaid(book: SizingBook) -> Workbook:
    """Return the workbook with its formulas; without a saved file its cells have no styles."""
    workbook, sheets = _saved(book), book.cells.sheets
    for ws in [ws for ws in workbook.worksheets if ws.title not in sheets]:
        workbook.remove(ws)
    for title in sheets:
        if title not in workbook.sheetnames:
            workbook.create_sheet(title)
    workbook._sheets.sort(key=lambda ws: sheets.index(ws.title))
    _fill(workbook, book.cells.values, book.cells.texts)
    for names in (workbook.defined_names, *(ws.defined_names for ws in workbook.worksheets)):
        names.clear()
    for key, text in book.cells.names.items():
        sheet, name = owner_of(key)
        names = workbook[sheet].defined_names if sheet else workbook.defined_names
        names[name] = DefinedName(name, attr_text=text)
    return workbook


def values_only(workbook: Workbook, values: Mapping[Address, Scalar]) -> Workbook:
    """Return a workbook, as `overlaid` gives it, with values in place of its cells: what starts with = is a text."""
    _fill(workbook, values, values.keys())
    return workbook


def _fill(workbook: Workbook, cells: Mapping[Address, Scalar], texts: Container[Address]) -> None:
    """Put cells in place of those of a workbook; what starts with = in one of `texts` is no formula."""
    by_sheet: dict[str, dict[Address, Scalar]] = {title: {} for title in workbook.sheetnames}
    for address, value in cells.items():
        by_sheet[address.sheet][address] = value
    for title, wanted in by_sheet.items():
        _fill_sheet(workbook[title], wanted, texts)


def _saved(book: SizingBook) -> Workbook:
    if not book.path.is_file():
        workbook = Workbook()
        workbook.remove(workbook.worksheets[0])
        return workbook
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl's remarks on extensions that it does not keep
        workbook = load_workbook(book.path)
    for ws in workbook.worksheets:
        if ws.max_row * ws.max_column > MOST_CELLS:  # a formatted cell far out, which somebody once touched
            for key in [key for key, cell in ws._cells.items() if cell.value is None]:
                del ws._cells[key]
        if ws.max_row * ws.max_column > MOST_CELLS:
            raise BookError(
                f"{book.path.name}: the sheet {ws.title!r} reaches to row {numeral(ws.max_row)} and column "
                f"{numeral(ws.max_column)}. Delete the cells far from the others."
            )
    return workbook


def _fill_sheet(ws: Worksheet, wanted: Mapping[Address, Scalar], texts: Container[Address]) -> None:
    for (row, column), cell in ws._cells.items():
        if cell.value is not None and Address(ws.title, row, column) not in wanted:
            cell.value = None
    for address, value in wanted.items():
        cell = ws.cell(address.row, address.column)
        if isinstance(cell, MergedCell):
            continue  # covered: nobody sees what it holds, and openpyxl holds nothing there
        plain = value.value if isinstance(value, ExcelError) else value
        if cell.value != plain:
            cell.value = plain
        if isinstance(plain, str) and plain.startswith("=") and address in texts:
            cell.data_type = "s"
