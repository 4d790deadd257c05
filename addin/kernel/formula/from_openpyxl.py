"""The cells of an openpyxl workbook as the kernel takes them. Nothing of openpyxl survives this file."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator

from openpyxl.utils.datetime import CALENDAR_WINDOWS_1900, to_excel
from openpyxl.workbook import Workbook
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ERROR_TEXTS, NO_FORMULA, ExcelError, Scalar


def stored(workbook: Workbook) -> Iterator[tuple[str, int, int, Scalar, bool]]:
    """Yield sheet, row, column and value of every cell that is not empty, and whether it is a formula.

    Raises KernelError if the workbook counts dates from 1904.
    """
    if workbook.epoch != CALENDAR_WINDOWS_1900:
        raise KernelError("The workbook counts dates from 1904.", "Turn the 1904 date system off in Excel's options.")
    for sheet in workbook.worksheets:
        for (row, column), cell in sorted(sheet._cells.items()):  # the stored ones: the last may be XFD1048576
            if cell.value is not None:
                yield sheet.title, row, column, _scalar(cell.value, cell.data_type), cell.data_type == "f"


def _scalar(value: object, data_type: str) -> Scalar:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:  # hundreds of digits
            return math.inf
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
