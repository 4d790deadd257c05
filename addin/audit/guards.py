"""The guards of a workbook: R15 names, R16 locks, R17 validation, R18 nothing hidden."""

import re
from datetime import date, time, timedelta
from typing import Any

from addin.audit.book import INPUT_ROLES, TYPING, Book, Cell, Faults, Sheet
from addin.audit.formulas import VOLATILE
from addin.audit.parsed import a1, parsed
from addin.reported import plain
from addin.xlsx.validations import bound
from model.layout import styles
from model.layout.grid import BASE, HEAD_ROW

PREFIXES = ("In_", "Out_", "Chk_", "Tbl_", "Own_", "Doc_", "Run_")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(E[+-]?\d+)?$")


def names_are_the_interface(book: Book) -> Faults:
    """Names refer to inputs, results, checks, tables, own rows: workbook scope, absolute, none broken, tables used."""
    used = _names_in_use(book)
    for name, text in book.names.items():
        where = f"name {name}"
        target = book.target(name)
        if not name.startswith(PREFIXES):
            remedy = "expected one of these prefixes. Rename or delete it."
            yield where, f"begins with none of {', '.join(PREFIXES)}; {remedy}"
        elif target is None:
            remedy = "expected an absolute address. Correct it in the name manager."
            yield where, f"refers to {text!r}, no range of this workbook; {remedy}"
        elif not all(cell.row_absolute and cell.column_absolute for cell in (target.first, target.last)):
            yield where, f"refers to {text}, which moves; expected $ before column and row. Make it absolute."
        elif name.startswith(("In_", "Out_")) and not (target.first == target.last and target.first.column == BASE):
            remedy = "expected one cell of column D, the base design. Correct it in the name manager."
            yield where, f"refers to {text}; {remedy}"
        if name.startswith(("Tbl_", "Chk_")) and name not in used:
            yield where, "is used by no formula and no list; expected a use. Use it or delete it."
    for name, where in used.items():
        if name.startswith(("In_", "Out_")):
            remedy = "expected a cell of its own column. Write the address."
            yield where, f"uses the name {name}, which always means the base design; {remedy}"
        elif name not in book.names:
            remedy = "expected a defined name or a cell. Define it or write the address."
            yield where, f"uses the name {name}, which is not defined; {remedy}"
    for sheet in book.declared:
        for name in sheet.ws.defined_names:
            fault = "belongs to one sheet; expected workbook scope. Define it for the workbook, or delete it."
            yield f"name {sheet.name}!{name}", fault


def _names_in_use(book: Book) -> dict[str, str]:
    """Return every name that formulas, validations or conditional formats use, with its first place."""
    used: dict[str, str] = {}
    for sheet in book.declared:
        for cell in sheet.formulas:
            for name in cell.parsed.names:
                used.setdefault(name, sheet.address(cell.a1))
        for rule in sheet.ws.data_validations.dataValidation:
            for text in (rule.formula1, rule.formula2):
                for name in _named(str(text or "")):
                    used.setdefault(name, sheet.address(str(rule.sqref).split()[0]))
        for area in sheet.ws.conditional_formatting:
            for text in (text for entry in area.rules for text in entry.formula):
                for name in _named(text):
                    used.setdefault(name, sheet.address(str(area.sqref).split()[0]))
    return used


def _named(text: str) -> tuple[str, ...]:
    """Return the names in the formula of a validation or a conditional format, and its other invalid operands."""
    formula = parsed(f"={text.removeprefix('=')}")
    return formula.names + tuple(operand for operand in formula.refused if not operand.startswith("{"))


def only_inputs_are_open(book: Book) -> Faults:
    """Every sheet is protected without a password, and exactly its input cells are unlocked."""
    for sheet in book.declared:
        if not sheet.ws.protection.sheet:
            fault = "the sheet is not protected; expected protection without a password. Protect the sheet."
            yield sheet.address("A1"), fault
        elif sheet.ws.protection.password or sheet.ws.protection.hashValue:
            remedy = "expected none, so that people can change it. Protect without one."
            yield sheet.address("A1"), f"the protection has a password; {remedy}"
        typing = sheet.kind in TYPING
        for cell in sheet.cells.values():
            if cell.unlocked and not (typing and cell.role in INPUT_ROLES):
                fault = f"is unlocked but styled {cell.role!r}; expected only input cells open. Lock the cell."
                yield sheet.address(cell.a1), fault
            elif typing and cell.role in INPUT_ROLES and not cell.unlocked:
                remedy = "expected an open cell. Unlock it under Format Cells, Protection."
                yield sheet.address(cell.a1), f"is an input but locked; {remedy}"


def inputs_are_validated(book: Book) -> Faults:
    """Input cells refuse values outside their range with a message; cells for figures have no text, TRUE or error."""
    for sheet in book.of(*TYPING):
        rules = _rules_by_cell(sheet)
        for cell in sheet.body:
            if cell.role not in INPUT_ROLES:
                continue
            rule = rules.get((cell.row, cell.column))
            unit_column = sheet.unit_column(cell.row)
            unit = None
            if sheet.kind in ("input", "card", "catalogue") and cell.row > HEAD_ROW and unit_column:
                unit = sheet.currency(cell.row, unit_column) or sheet.text(cell.row, unit_column)
            fault = "has no validation; expected a range or a list." if rule is None else _lax(rule, unit)
            if fault:
                yield sheet.address(cell.a1), f"{fault} Set it under Data, Validation."
            if rule is not None and rule.type in _FIGURES and (found := _no_number(cell)):
                counted = f"; LibreOffice counts {found} as a number" if found in _TRUTHS else ""
                yield sheet.address(cell.a1), f"found {found}, no number{counted}. Type a number, or clear the cell."
            if rule is not None and rule.type in _NUMBERS and isinstance(cell.value, _DATES):
                remedy = "expected a number. Type the number, with a number format."
                yield sheet.address(cell.a1), f"shows a date, counted as its day since 1900; {remedy}"


def truth_values(book: Book) -> list[str]:
    """Return the cells for figures that contain TRUE or FALSE, which applications count differently."""
    beginnings = tuple(f"found {truth}," for truth in _TRUTHS)
    return [where for where, fault in inputs_are_validated(book) if fault.startswith(beginnings)]


def _no_number(cell: Cell) -> str:
    """Return the text, TRUE, FALSE or error in a cell for a figure; empty for a number, a blank, any other formula."""
    if cell.formula is not None:
        found = cell.formula.lstrip("=").removesuffix("()").upper()  # LibreOffice saves TRUE as =TRUE()
        return found if found in _TRUTHS else ""
    if cell.value is None or cell.number:
        return ""
    return str(cell.value).upper() if isinstance(cell.value, bool) else repr(plain(str(cell.value)))


def _rules_by_cell(sheet: Sheet) -> dict[tuple[int, int], Any]:
    rules: dict[tuple[int, int], Any] = {}
    for rule in sheet.ws.data_validations.dataValidation:
        for area in rule.sqref.ranges:
            rows, columns = range(area.min_row, area.max_row + 1), range(area.min_col, area.max_col + 1)
            if len(rows) * len(columns) <= len(sheet.cells):
                rules |= {(row, column): rule for row in rows for column in columns}
            else:
                rules |= {at: rule for at in sheet.cells if at[0] in rows and at[1] in columns}
    return rules


_NUMBERS = ("decimal", "whole")
_FIGURES = (*_NUMBERS, "date", "time")
_DATES = (date, time, timedelta)
_TRUTHS = ("TRUE", "FALSE")
_TYPES = {"date": ("date",), "clock": ("time",), "any text": ("textLength",)}  # kinds of validation by unit
_NAMED = {"date": "date", "clock": "time"}


def _lax(rule: Any, unit: str | None) -> str:
    """Return the defect of a validation for a line in a unit (None = no line), empty without one."""
    if not rule.showErrorMessage or not rule.error or (rule.errorStyle or "stop") != "stop":
        return "accepts wrong values without a word; expected an error message that stops."
    if rule.type == "list":
        name = str(rule.formula1 or "").lstrip("=")
        fault = f"lists {name!r}; expected the entries of a name Tbl_..., which every sheet can read."
        return "" if name.startswith("Tbl_") else fault
    if unit in ("", styles.WORDS):
        return f"is a choice validated as {rule.type!r}; expected a list."
    bounds = [str(text or "") for text in (rule.formula1, rule.formula2)]
    types = _TYPES.get(unit or "", ("decimal", "whole", "textLength"))
    between = rule.type in types and (rule.operator or "between") == "between"
    if not between or not _in_order(bounds):
        expected = f"expected a {_NAMED.get(unit or '', 'number')} between a minimum and a maximum."
        return f"accepts {rule.type} {rule.operator} {' to '.join(bounds)}; {expected}"
    return ""


def _in_order(bounds: list[str]) -> bool:
    """Return whether bounds are numbers in order; the larger one may depend on another cell: MIN(number,...)."""
    try:
        low, high = map(bound, bounds)
    except ValueError:
        return False
    return low <= high


def nothing_is_hidden(book: Book) -> Faults:
    """Nothing is hidden or merged; no other file, no macro and no volatile function is involved."""
    workbook = book.workbook
    if workbook.vba_archive is not None:
        yield "workbook", "carries a macro project; expected none. Save it as .xlsx."
    for link in workbook._external_links:
        target = getattr(getattr(link, "file_link", None), "Target", "another file")
        yield "workbook", f"links to {target}; expected no other file. Break the link under Data, Edit Links."
    for sheet in book.sheets.values():
        ws = sheet.ws
        if ws.sheet_state != "visible":
            yield sheet.address("A1"), f"the sheet is {ws.sheet_state}; expected every sheet visible. Unhide it."
        for letter, dimension in ws.column_dimensions.items():
            if dimension.hidden or dimension.width == 0:
                fault = f"column {letter} is hidden; expected every column visible. Unhide it."
                yield sheet.address(f"{letter}1"), fault
        for row, dimension in ws.row_dimensions.items():
            if dimension.hidden or dimension.height == 0:
                fault = f"row {row} is hidden; expected every row visible. Unhide it, or clear the filter."
                yield sheet.address(f"A{row}"), fault
        for area in ws.merged_cells.ranges:
            yield sheet.address(str(area)), "cells are merged; expected single cells. Unmerge them."
        for cell in sheet.formulas:
            if cell.parsed.outside or not cell.parsed.functions.isdisjoint(VOLATILE):
                yield from _outside(sheet, cell)


def _outside(sheet: Sheet, cell: Cell) -> Faults:
    for name in sorted(cell.parsed.functions & VOLATILE):
        fault = f"calls {name}, which changes on its own; expected a typed value. Use INDEX or a typed date."
        yield sheet.address(cell.a1), fault
    for area in cell.parsed.outside:
        remedy = "expected this workbook. Copy the figure onto Inputs."
        yield sheet.address(cell.a1), f"reads {area.first.sheet}!{a1(area)} in another file; {remedy}"
