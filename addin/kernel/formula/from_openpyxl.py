"""The cells of an openpyxl workbook as the kernel takes them. Nothing of openpyxl survives this file."""

from __future__ import annotations

import datetime

from openpyxl.utils.datetime import CALENDAR_WINDOWS_1900, to_excel
from openpyxl.workbook import Workbook
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ExcelError, Scalar
from addin.kernel.formula.cells import ERROR_TEXTS, NO_FORMULA, Address


def stored(workbook: Workbook) -> tuple[dict[Address, Scalar], frozenset[Address]]:
    """Return the values and formulas of all cells, and which of the texts that begin with = are no formulas.

    Raises KernelError if the workbook counts dates from 1904.
    """
    if workbook.epoch != CALENDAR_WINDOWS_1900:
        raise KernelError("The workbook counts dates from 1904.", "Turn the 1904 date system off in Excel's options.")
    values: dict[Address, Scalar] = {}
    texts = set()
    for sheet in workbook.worksheets:
        for (row, column), cell in sorted(sheet._cells.items()):  # the stored ones: the last may be XFD1048576
            if cell.value is None:
                continue
            address = Address(sheet.title, row, column)
            values[address] = value = _scalar(cell.value, cell.data_type)
            if cell.data_type != "f" and isinstance(value, str) and value.startswith("="):
                texts.add(address)
    return values, frozenset(texts)


def _scalar(value: object, data_type: str) -> Scalar:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, ArrayFormula):
        return f"={{{value.text}}}"  # no grammar has this: parse says that it is array-entered
    if isinstance(value, DataTableFormula):
        return "=TABLE()"
    if isinstance(value, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return float(to_excel(value))
    if data_type == "f" and value == "=":
        return NO_FORMULA
    if data_type == "e":
        return ERROR_TEXTS.get(str(value), ExcelError.VALUE)
    return str(value)
