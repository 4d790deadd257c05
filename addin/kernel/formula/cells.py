"""A workbook as the kernel sees it: typed values, formulas, names. Nothing of openpyxl survives this file."""

from __future__ import annotations

import datetime
import difflib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.utils.datetime import CALENDAR_WINDOWS_1900, to_excel
from openpyxl.workbook import Workbook
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

from addin.kernel.errors import KernelError, UnknownName
from addin.kernel.excel.values import ExcelError, Scalar

ERROR_TEXTS = {error.value: error for error in ExcelError}
PLAIN_SHEET = re.compile(r"[^\W\d]\w*")


class Address(NamedTuple):
    """One cell: sheet title, row and column, both counted from 1."""

    sheet: str
    row: int
    column: int

    @property
    def a1(self) -> str:
        """The address as a formula would write it, such as `Capacity!F9` or `'Risk inputs'!B2`."""
        return f"{quoted(self.sheet)}!{get_column_letter(self.column)}{self.row}"

    @classmethod
    def from_a1(cls, text: str) -> Address:
        """Read `Capacity!F9`, `'Risk inputs'!$B$2`. Raises KernelError for anything else."""
        match = re.fullmatch(r"(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Za-z]{1,3})\$?([1-9]\d*)", text.strip())
        if match is None:
            raise KernelError(f"'{text}' is not the address of one cell.", "Write sheet and cell, such as Capacity!F9.")
        sheet = match[1].replace("''", "'") if match[1] else match[2]
        return cls(sheet, int(match[4]), column_index_from_string(match[3]))


def quoted(sheet: str) -> str:
    """Return a sheet title as formulas write it: in quotes unless it is one plain word."""
    looks_like_cell = re.fullmatch(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*", sheet)
    if PLAIN_SHEET.fullmatch(sheet) and not looks_like_cell:
        return sheet
    return "'" + sheet.replace("'", "''") + "'"


@dataclass(frozen=True, eq=False)
class Cells:
    """The values and formulas of a workbook.

    `values` maps an address to a float, str, bool, ExcelError, None, or the text of a formula starting with "=".
    `texts` lists the few cells whose plain text starts with "=". `names` holds the defined names of workbook scope
    with what they stand for (no leading "="). `sheets` is the tab order.
    """

    values: Mapping[Address, Scalar]
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    sheets: tuple[str, ...] = ()
    texts: frozenset[Address] = frozenset()

    def __post_init__(self) -> None:
        if not self.sheets:
            object.__setattr__(self, "sheets", tuple(dict.fromkeys(address.sheet for address in self.values)))

    @classmethod
    def from_openpyxl(cls, workbook: Workbook) -> Cells:
        """Read an openpyxl workbook that was built or loaded with its formulas (not with data_only).

        Raises KernelError if the workbook counts dates from 1904.
        """
        if workbook.epoch != CALENDAR_WINDOWS_1900:
            raise KernelError(
                "The workbook counts dates from 1904.", "Turn the 1904 date system off in Excel's options."
            )
        values: dict[Address, Scalar] = {}
        texts = set()
        for sheet in workbook.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.value is None:
                        continue
                    address = Address(sheet.title, cell.row, cell.column)
                    values[address] = value = _from_openpyxl(cell.value, cell.data_type)
                    if cell.data_type != "f" and isinstance(value, str) and value.startswith("="):
                        texts.add(address)
        names = {name: defined.attr_text.removeprefix("=") for name, defined in workbook.defined_names.items()}
        return cls(MappingProxyType(values), MappingProxyType(names), tuple(workbook.sheetnames), frozenset(texts))

    def formula(self, address: Address) -> str | None:
        """Return the text of the formula, "=" included, or None where the cell holds none."""
        value = self.values.get(address)
        if isinstance(value, str) and value[:1] == "=" and len(value) > 1 and address not in self.texts:
            return value
        return None

    def constant(self, address: Address) -> Scalar:
        """Return the value of a cell without formula; None where it is blank. NaN and infinity are #NUM!."""
        value = self.values.get(address)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        return float(value) if math.isfinite(value) else ExcelError.NUM

    def formulas(self) -> Iterator[Address]:
        """Yield the address of every formula cell, in the order of `values`."""
        return (address for address in self.values if self.formula(address) is not None)

    def sheet(self, title: str) -> str:
        """Return the title as the workbook spells it. Raises UnknownName."""
        spelled = self._sheets.get(title.casefold())
        if spelled is None:
            raise UnknownName(f"There is no sheet '{title}'.", suggestion(title, self.sheets))
        return spelled

    def name(self, text: str) -> str:
        """Return what a defined name stands for. Raises UnknownName."""
        meaning = self._names.get(text.casefold())
        if meaning is None:
            raise UnknownName(f"There is no defined name '{text}'.", suggestion(text, self.names))
        return meaning

    def with_values(self, overrides: Mapping[Address, Scalar]) -> Cells:
        """Return the same workbook with some cells replaced by plain values; a formula given here stays text."""
        equals = {a for a, value in overrides.items() if isinstance(value, str) and value.startswith("=")}
        texts = (self.texts - overrides.keys()) | equals
        return Cells(MappingProxyType({**self.values, **overrides}), self.names, self.sheets, texts)

    @cached_property
    def _sheets(self) -> dict[str, str]:
        return {title.casefold(): title for title in self.sheets}

    @cached_property
    def _names(self) -> dict[str, str]:
        return {name.casefold(): text for name, text in self.names.items()}


def suggestion(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """Return the advice that follows an unknown word."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"Did you mean '{near[0]}'?" if near else "Add it to the workbook, or correct the formula."


def _from_openpyxl(value: object, data_type: str) -> Scalar:
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
    if data_type == "e":
        return ERROR_TEXTS.get(str(value), ExcelError.VALUE)
    return str(value)
