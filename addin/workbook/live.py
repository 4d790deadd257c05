"""A workbook that is open in an application, read in blocks: formulas, values and names, one block for each sheet.

What counts is what the application holds, unsaved changes included. Only the ranges of the inputs come from the saved
file, or from the workbook as it was shipped where there is none.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import xlwings as xw
from openpyxl.utils.datetime import to_excel

from addin import excel
from addin.errors import BookError
from addin.kernel import Address, Cells, ExcelError, Scalar
from addin.kernel.formula.cells import ERROR_TEXTS, meaning, of_the_format, own_name, owner_of
from addin.numerals import numeral
from addin.workbook import tabs
from addin.workbook.book import UNVERSIONED, SizingBook, check_names
from addin.workbook.outside import DATES
from addin.workbook.ranges import saved_rules, shipped_rules

FILE = "file"  # the engine of this program
_APPLICATIONS = {"excel": "Excel", "libreoffice": "LibreOffice", FILE: "this program"}
_PREFIXES = ("In_", "Out_", "Tbl_", "Chk_", "Own_")
_RISK = "Tbl_Distributions"  # on a sheet that only simulations need, which report its absence themselves
MOST_CELLS = 2_000_000  # of the area that a sheet uses
ABOUT, VERSION = "About", "Version"  # the sheet and the label that say how old a workbook is


class Shown(Protocol):
    """What cells show: a dictionary, or what computes a value when it is needed."""

    def get(self, address: Address, /) -> Scalar:
        """Return what a cell shows, None for a blank one."""


Read = tuple[Cells, Shown, Callable[[Address], bool]]  # cells, what they show, whether that is a date


@dataclass(frozen=True)
class OnScreen:
    """The results that an application shows."""

    shown: Shown
    application: str

    def values(self, addresses: Iterable[Address]) -> Mapping[Address, Scalar]:
        """Return the numbers, truth values and errors of some formula cells as shown."""
        results = {address: self.shown.get(address) for address in addresses}
        return {a: value for a, value in results.items() if isinstance(value, float | bool | ExcelError)}

    @property
    def where(self) -> str:
        """Say where these results stand and who computed them."""
        return f"on screen, computed by {self.application}"


def read(book: xw.Book, pause: Callable[[], None] | None = None) -> SizingBook:
    """Read an open workbook; nothing in it changes. `pause` is called between blocks and may raise to end it.

    Raises BookError where a name or a sheet that every sizing workbook has is missing.
    """
    names = dict(_names(book))
    check_names(book.name, names)
    _whole(book.name, names, [sheet.name for sheet in book.sheets])
    path = path_of(book)
    rules = saved_rules(path) or shipped_rules()
    if pause is not None:
        pause()
    cells, shown, shows_date = of_file(book) if book.app.engine.name == FILE else in_blocks(book, names, pause)
    return SizingBook(path, cells, rules, _version(cells), OnScreen(shown, application(book)), shows_date=shows_date)


def of_file(book: xw.Book) -> Read:
    """Return what this program has of a workbook in memory, without taking it through xlwings cell by cell."""
    package = book.impl.package
    computed = package.computed()
    return computed.cells, computed, package.shows_date


def in_blocks(book: xw.Book, names: Mapping[str, str], pause: Callable[[], None] | None) -> Read:
    """Read the sheets of an application, one block each."""
    values: dict[Address, Scalar] = {}
    shown: dict[Address, Scalar] = {}
    texts: set[Address] = set()
    dated: set[Address] = set()
    for sheet in book.sheets:
        if pause is not None:
            pause()
        for address, formula, given in _cells(sheet):
            value = _scalar(given)
            if isinstance(formula, str) and formula.startswith("=") and len(formula) > 1:
                values[address] = formula
                if formula == value:
                    texts.add(address)
                else:
                    shown[address] = value
            elif value is not None:
                values[address] = value
                if isinstance(given, DATES):
                    dated.add(address)
    sheets = tuple(sheet.name for sheet in book.sheets)
    cells = Cells(MappingProxyType(values), MappingProxyType(dict(names)), sheets, frozenset(texts))
    return cells, shown, dated.__contains__


def path_of(book: xw.Book) -> Path:
    """Return where a workbook is saved; for one that was never saved, its name alone.

    The path of one that a cloud keeps is made of its address: it has its name, and no file of this machine has it.
    """
    return Path(excel.full_name(book))


def values(book: xw.Book, addresses: Iterable[Address]) -> dict[Address, Scalar]:
    """Return what some cells of an open workbook show; blank ones are left out. Raises BookError for a lost sheet."""
    wanted = set(addresses)
    titles = {sheet.name for sheet in book.sheets}
    if lost := sorted({at.sheet for at in wanted} - titles):
        raise BookError(f"{book.name}: the sheet {lost[0]!r} is gone. Undo that, then run this again.")
    return {
        at: value
        for title in sorted({at.sheet for at in wanted})
        for at, _, value in _cells(book.sheets[title])
        if at in wanted and value is not None
    }


def in_excel(sizing: SizingBook) -> bool:
    """Return whether a workbook was read from Excel."""
    return isinstance(sizing.stored, OnScreen) and sizing.stored.application == _APPLICATIONS[excel.EXCEL]


def application(book: xw.Book) -> str:
    """Return what people call the application that holds a workbook."""
    name = book.app.engine.name
    return _APPLICATIONS.get(name, name)


def _whole(book: str, names: Mapping[str, str], sheets: Sequence[str]) -> None:
    """Raise BookError where an input, a result or a list stood on a sheet, row or column that was deleted."""
    for name, text in names.items():
        sheet = text.rpartition("!")[0].strip("'").replace("''", "'")
        lost = "#REF!" in text
        if name.startswith(_PREFIXES) and name != _RISK and (lost or sheet not in sheets):
            where = "" if lost else f", {text}"
            raise BookError(
                f"{book}: the cells of the name {name}{where} are deleted, with their sheet, row or column. Undo that, "
                "or enter your inputs in a fresh copy."
            )


def _names(book: xw.Book) -> Iterator[tuple[str, str]]:
    """Yield the names with what they stand for, those of one sheet as Cells has them, without those of the format."""
    for name in book.names:
        sheet, local = owner_of(name.name)
        if not of_the_format(local):
            yield own_name(sheet, local) if sheet else local, meaning(str(name.refers_to or ""))


def _cells(sheet: xw.Sheet) -> Iterator[tuple[Address, str | None, Any]]:
    """Yield address, formula or text, and value of every cell of a sheet that is not empty."""
    area = sheet.used_range
    rows, columns = area.shape
    if rows * columns > MOST_CELLS:
        raise BookError(
            f"{sheet.book.name}: the sheet {sheet.name!r} uses {numeral(rows)} rows and {numeral(columns)} columns. "
            "Delete what stands far from the other cells, formats included, and save the workbook."
        )
    top, left, title = area.row, area.column, sheet.name
    formulas = _grid(area.formula)
    values = _grid(area.options(ndim=2, err_to_str=True).value)
    for row, (texts, shown) in enumerate(zip(formulas, values, strict=True), top):
        for column, (text, value) in enumerate(zip(texts, shown, strict=True), left):
            if text not in (None, "") or value is not None:
                yield Address(title, row, column), text, value


def _grid(block: Any) -> list[list[Any]]:
    """Return a block as rows: applications give one cell as a value, and one row or column as they like."""
    if not isinstance(block, list | tuple):
        return [[block]]
    return [list(row) if isinstance(row, list | tuple) else [row] for row in block]


def _scalar(value: object) -> Scalar:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float | Decimal):  # Excel gives Decimal for cells formatted as currency
        return float(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return float(to_excel(value))
    return ERROR_TEXTS.get(str(value), str(value))


def _version(cells: Cells) -> str:
    """Return the version that the sheet About states."""
    about = tabs.title(cells, ABOUT)
    for address, value in cells.values.items():
        if address.sheet == about and value == VERSION:
            stated = cells.constant(address._replace(column=address.column + 1))
            version = re.match(r"\S+", stated) if isinstance(stated, str) else None
            return version[0] if version else UNVERSIONED
    return UNVERSIONED
