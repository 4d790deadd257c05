"""The results stored beside formulas in the file (<v>), for readers that do not calculate."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from addin.kernel import Address, Scalar
from addin.kernel.formula.cells import ERROR_TEXTS
from addin.xlsx.cell_values import read_value, written_value
from addin.xlsx.elements import Edit, Element, edited, outline, rows_found, start_tag
from addin.xlsx.escaping import unescape
from addin.xlsx.package import PackageError, open_parts, read_parts, write_parts
from addin.xlsx.parts import APPLICATION_PROPERTIES
from addin.xlsx.plain_sheets import SheetsOfRows
from addin.xlsx.positions import Position, a1, columns_of, rows_of
from addin.xlsx.workbook_part import sheet_parts

CellValue = float | str | bool


@dataclass(frozen=True)
class StoredResults:
    """The results that a saved workbook has beside its formulas."""

    path: Path
    rows: SheetsOfRows | None = None  # of the same workbook, where they have been read

    def values(self, addresses: Iterable[Address]) -> Mapping[Address, Scalar]:
        """Return the stored results of formula cells, truth values as numbers, without texts and missing ones."""
        found = self.shown(addresses).items()
        return {at: float(v) if isinstance(v, bool) else v for at, v in found if not isinstance(v, str)}

    def shown(self, addresses: Iterable[Address]) -> Mapping[Address, Scalar]:
        """Return the stored results of formula cells, including texts, without missing ones."""
        wanted: dict[str, list[Address]] = {}
        results: dict[Address, Scalar] = {}
        for address in addresses:
            if self.rows is None or not self.rows.has_rows_of(address.sheet):
                wanted.setdefault(address.sheet, []).append(address)
            elif (result := self.rows.result(address)) is not None:
                results[address] = result
        if not wanted:
            return results
        with open_parts(self.path) as parts:
            for title, part in sheet_parts(parts).items():
                if title in wanted:
                    stored = _read(parts[part])
                    results |= {at: stored[at[1:]] for at in wanted[title] if at[1:] in stored}
        return results

    @property
    def where(self) -> str:
        """The place of these results and the application that computed them."""
        return f"stored in the file, saved by {self._application()}"

    def _application(self) -> str:
        """Return the application that the file names as its author, or that it is unknown."""
        with open_parts(self.path) as parts:
            for element in ElementTree.fromstring(parts.get(APPLICATION_PROPERTIES, b"<Properties/>")):
                if element.tag.endswith("}Application") and element.text:
                    return element.text
        return "an application that does not name itself"


def store_results(path: Path, values: Mapping[tuple[str, str], CellValue]) -> None:
    """Write the result of every formula cell into the sheets of a file.

    Keys are (sheet, reference), `("Capacity", "D9")`. The text of an Excel error becomes that error. The flag that
    makes applications calculate on opening stays. Raises PackageError unless the keys are exactly the formula cells of
    the workbook and every number is finite.
    """
    parts = read_parts(path)
    waiting = {key: _checked(value, key) for key, value in values.items()}
    missing: list[tuple[str, str]] = []
    for title, part in sheet_parts(parts).items():
        edits: list[Edit] = []
        for position, cell in _formula_cells(parts[part]).items():
            key = (title, a1(position))
            if key in waiting:
                edits += _result(cell, waiting.pop(key))
            else:
                missing.append(key)
        parts[part] = edited(parts[part], edits)
    if missing:
        raise PackageError(
            f"{path.name}: {_some(missing)} hold a formula and got no value. Compute every formula cell."
        )
    if waiting:
        raise PackageError(
            f"{path.name}: {_some(list(waiting))} got a value and hold no formula. Give values of formula cells only."
        )
    write_parts(path, parts)


def with_results(sheet: bytes, results: Mapping[Position, Scalar]) -> bytes:
    """Return a sheet with other stored results; the formulas keep their bytes."""
    cells = _formula_cells(sheet, {row for row, _ in results})
    return edited(sheet, [edit for at, value in results.items() if at in cells for edit in _result(cells[at], value)])


def _formula_cells(sheet: bytes, wanted: Collection[int] | None = None) -> dict[Position, Element]:
    """Return the elements of the formula cells of a sheet, or of some of its rows where they are found at once."""
    cells = {}
    rows = rows_found(sheet, wanted, 3) if wanted is not None else None
    if rows is None:
        rows = outline(sheet, 5).children_of("sheetData")
    for number, row in zip(rows_of(row.attributes.get("r") for row in rows), rows, strict=True):
        columns = columns_of(cell.attributes.get("r") for cell in row.children)
        for column, cell in zip(columns, row.children, strict=True):
            if cell.child("f"):
                cells[number, column] = cell
    return cells


def _result(cell: Element, value: Scalar) -> list[Edit]:
    """Return the edits that give a formula cell another result."""
    formula, old = cell.child("f"), cell.child("v")
    end = formula.end if formula else cell.stop
    kind, text = written_value(value)
    pairs = {name: value for name, value in cell.attributes.items() if name != "t"} | ({"t": kind} if kind else {})
    edits = [(cell.start, cell.content, start_tag(cell.tag, pairs).encode())]
    edits.append((end, end, f"<{cell.prefix}v>{text}</{cell.prefix}v>".encode()))
    return [*edits, old.removed()] if old else edits


def _read(sheet: bytes) -> dict[Position, Scalar]:
    """Return the stored results of the formula cells of a sheet."""
    stored: dict[Position, Scalar] = {}
    for position, cell in _formula_cells(sheet).items():
        result, kind = cell.child("v"), cell.attributes.get("t", "n")
        text = unescape(sheet[result.content : result.stop].decode()) if result else ""
        if text and kind in ("n", "b", "e", "str"):
            stored[position] = read_value(kind, text, [])
    return stored


def _checked(value: CellValue, key: tuple[str, str]) -> Scalar:
    if isinstance(value, str):
        return ERROR_TEXTS.get(value, value)
    if not math.isfinite(value):
        raise PackageError(
            f"{'!'.join(key)}: {value} is not a cell value. Give a number, a text, a boolean or an error text."
        )
    return value if isinstance(value, bool) else float(value)


def _some(keys: list[tuple[str, str]]) -> str:
    """Name the first few cells and count the rest."""
    return ", ".join("!".join(key) for key in keys[:3]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")
