"""Changes to a workbook, and where: what the rules of the audit are tried with."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.styles import Protection
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from model.layout.grid import BASE, FIRST_PUBLISHED, HEAD_ROW
from model.layout.styles import ROLES, style_name
from model.sheets.money.growth import YEARS, of_year
from tests.support.shipped import built, fresh

BUILT = built()
Change = Callable[[Workbook], None]


class Fault(NamedTuple):
    """A change that breaks a rule, where the finding has to be, and part of its message."""

    change: Change
    where: str
    words: str


def address(where: str) -> str:
    """Return Sheet!A1 of an address, whichever way it was written."""
    if "!" in where or where.startswith(("name ", "document")):
        return where
    key, _, case = where.partition("@")
    if key.startswith("in:"):
        (sheet, row), column = BUILT.layout.inputs[key[3:]], BUILT.layout.column(case or "Base design")
        return f"{sheet}!{get_column_letter(column)}{row}"
    return "!".join(BUILT.layout.cell(key, case or "Base design"))


def at(book: Workbook, where: str) -> Cell:
    """Return the cell of an address."""
    sheet, _, a1 = address(where).rpartition("!")
    return book[sheet.strip("'")][a1]


def put(where: str, value: object, style: str | None = None) -> Change:
    """Return the change that writes a cell, in a style if one is given."""

    def change(book: Workbook) -> None:
        cell = at(book, where)
        cell.value = value
        if style:
            cell.style = style_name(style)

    return change


def style(where: str, name: str) -> Change:
    """Return the change that restyles a cell and leaves its lock as it was."""

    def change(book: Workbook) -> None:
        cell = at(book, where)
        locked = cell.protection.locked
        cell.style = style_name(name) if name in ROLES else name
        cell.protection = Protection(locked=locked)

    return change


def lock(where: str, locked: bool) -> Change:
    """Return the change that locks or opens a cell."""
    return lambda book: setattr(at(book, where), "protection", Protection(locked=locked))


def line(key: str, formula: str) -> Change:
    """Return the change of a grid line in all columns; {c}, {r} are column and row, {up}, {down} the rows beside."""

    def change(book: Workbook) -> None:
        sheet, row = BUILT.layout.lines[key]
        for column in BUILT.layout.columns:
            names = {"c": get_column_letter(column), "r": row, "up": row - 1, "down": row + 1}
            book[sheet].cell(row, column).value = formula.format(
                old=str(book[sheet].cell(row, column).value)[1:], **names
            )

    return change


def years(key: str, formula: str, which: Iterable[int] = YEARS) -> Change:
    """Return the change of a line in some years of Growth; {up} is the row of the year before, {old} as in `line`."""

    def change(book: Workbook) -> None:
        for year in which:
            sheet, row = BUILT.layout.lines[of_year(key, year)]
            _, before = BUILT.layout.lines[of_year(key, max(1, year - 1))]
            for column in range(BASE, FIRST_PUBLISHED):
                cell = book[sheet].cell(row, column)
                cell.value = formula.format(c=get_column_letter(column), old=str(cell.value)[1:], up=before)

    return change


def sheet(name: str, change: Callable[[Worksheet], None]) -> Change:
    """Return the change of one sheet."""
    return lambda book: change(book[name])


def attribute(path: str, value: object) -> Callable[[object], None]:
    """Return the change that sets an attribute such as page_setup.orientation."""

    def change(target: object) -> None:
        *parents, last = path.split(".")
        for parent in parents:
            target = getattr(target, parent)
        setattr(target, last, value)

    return change


def both(*changes: Change) -> Change:
    """Return several changes as one."""

    def change(book: Workbook) -> None:
        for applied in changes:
            applied(book)

    return change


def name(text: str, address: str) -> Change:
    """Return the change that defines a name."""
    return lambda book: book.defined_names.add(DefinedName(text, attr_text=address))


def rule_of(where: str, **settings: object) -> Change:
    """Return the change of the validation that covers a cell."""

    def change(book: Workbook) -> None:
        tab, _, a1 = address(where).rpartition("!")
        (validation,) = [rule for rule in book[tab.strip("'")].data_validations.dataValidation if a1 in rule.sqref]
        for attribute_name, value in settings.items():
            setattr(validation, attribute_name, value)

    return change


def legend(role: str, column: str) -> str:
    """Return the address of a role's line in the legend."""
    (row,) = [c.row for c in BUILT.workbook["About"]["A"] if c.value == role and c.style == style_name(role)]
    return f"About!{column}{row}"


def text_row(tab: str, text: str) -> str:
    """Return the address of the first cell of column A that holds a text."""
    return f"{tab}!A{next(c.row for c in BUILT.workbook[tab]['A'] if c.value == text)}"


def evidence(heading: str, row: int = 9) -> str:
    """Return a cell of Evidence under a heading."""
    heads = {c.value: c.column_letter for c in BUILT.workbook["Evidence"][HEAD_ROW]}
    return f"Evidence!{heads[heading]}{row}"


def risk_sheet(book: Workbook) -> None:
    """Add a sheet as the add-in makes it: numbers, no styles, no protection, in front of everything."""
    made = book.create_sheet("Monte Carlo 1", 0)
    made.append(["Trials", 65536, "=1+1"])


def changed(change: Change) -> Workbook:
    """Return a fresh workbook with one change."""
    book = fresh()
    change(book)
    return book


def together(faults: Iterable[Fault], apart: Iterable[Fault] = ()) -> list[list[Fault]]:
    """Return the faults in groups that one workbook can have at once: no two of a group are in the same row.

    Each of `apart` is a group of its own.
    """
    groups: list[list[Fault]] = []
    apart = list(apart)
    for fault in faults:
        row = _row(fault)
        open_to_it = (g for g in groups if fault not in apart and g[0] not in apart and row not in map(_row, g))
        home = next(open_to_it, None)
        if home is None:
            groups.append([fault])
        else:
            home.append(fault)
    return groups


def _row(fault: Fault) -> str:
    return re.sub(r"![A-Z]+", "!", address(fault.where))
