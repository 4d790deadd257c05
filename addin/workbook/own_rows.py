"""What people type outside Inputs: rows of their own in a catalogue, a key `<row>.<field>` for every cell.

The workbook declares such a table by its names: `Own_<table>` over the cells that hold the rows' names, one row or one
column of them, and `Own_<table>.<field>` over the cells of a field in the same order. A row is called what stands in
its name cell now; where a name stands twice, its first cell counts, as in a look-up.
"""

from __future__ import annotations

from collections.abc import Iterator

from addin.kernel import Address, Cells, KernelError, shared_evaluator
from addin.kernel.formula.graph import Area, cells_in
from addin.workbook import columns
from addin.workbook.item import Item, currency, folded, unit_at
from addin.xlsx.positions import boundaries

PREFIX = "Own_"
_QUOTES, _OF_TABLE = f"{PREFIX}quotes", frozenset("._")  # a name with one of these is of a field, or of a report
_QUOTED_IN = "quote_currency"  # the field that says which currency the amounts of a row are in; blank = the workbook's


def area(cells: Cells, text: str) -> list[Address]:
    """Return the cells of an area such as Arrays!$D$4:$F$4, row by row; none where it is broken or no area."""
    sheet, _, edges = text.replace("$", "").rpartition("!")
    if not edges or "#REF" in sheet + edges:
        return []
    try:
        left, top, right, bottom = boundaries(edges)
    except ValueError:  # a formula, whole columns, or a text that is no area
        return []
    return list(cells_in(cells, Area(sheet.strip("'").replace("''", "'"), top, left, bottom, right)))


def own_items(cells: Cells, *, formulas: bool = False) -> Iterator[tuple[str, Item]]:
    """Yield (name of the field's cells without its prefix, item) of every cell that is typed into such rows.

    With `formulas` also of cells that hold a formula, shipped or typed.
    """
    for field, item in own_cells(cells):
        if item.key and (formulas or cells.formula(item.address) is None):
            yield field, item


def own_cells(cells: Cells) -> Iterator[tuple[str, Item]]:
    """Yield (name of the field's cells without its prefix, item) of every cell of such rows.

    The key is empty where the row has no name, or has the one of a row above it.
    """
    places = {name: area(cells, text) for name, text in cells.names.items() if name.startswith(PREFIX)}
    for name, fields in places.items():
        table, dot, field = name.partition(".")
        rows = places.get(table, [])
        if not dot or not fields or len(rows) != len(fields):
            continue
        others = [places[each][0] for each in places if each.startswith(f"{table}.") and places[each]]
        label, unit = _heading(cells, rows, others, fields[0])
        quoted = places.get(f"{table}.{_QUOTED_IN}", []) if unit == currency(cells) else []
        units = [_title(cells, at) or unit for at in quoted] or [unit] * len(fields)
        taken: set[str] = set()
        for row, address, counted in zip(rows, fields, units, strict=True):
            title = _title(cells, row)
            known = bool(title) and folded(title) not in taken
            taken.add(folded(title))
            yield name.removeprefix(PREFIX), Item(f"{title}.{field}" if known else "", address, label, counted)


def titles(cells: Cells) -> Iterator[tuple[Address, str]]:
    """Yield (cell, name) of each row of the user's own where its name is typed; quotes are of rows of the catalogue."""
    for name, text in cells.names.items():
        if name.startswith(PREFIX) and name != _QUOTES and _OF_TABLE.isdisjoint(name.removeprefix(PREFIX)):
            for at in area(cells, text):
                if cells.formula(at) is None and (title := _title(cells, at)):
                    yield at, title


def _title(cells: Cells, place: Address) -> str:
    """Return what a row is called: the text typed there, or that of a formula, such as the name of another row."""
    try:
        value = shared_evaluator(cells).value(place) if cells.formula(place) else cells.constant(place)
    except KernelError:
        return ""
    return value.strip() if isinstance(value, str) else ""


def _heading(cells: Cells, rows: list[Address], others: list[Address], first: Address) -> tuple[str, str]:
    """Return label and unit of a field: what stands left of a row of cells, or above a column of them."""
    if len({address.row for address in rows}) == 1 and len(rows) > 1:
        return _text(cells.constant(columns.label(cells, first))), unit_at(cells, first)
    others_in = {address.column for address in others}
    for row in range(rows[0].row - 1, 0, -1):
        if all(isinstance(cells.constant(Address(first.sheet, row, column)), str) for column in others_in):
            label, _, unit = _text(cells.constant(first._replace(row=row))).rpartition(", ")
            return (label, unit) if label else (unit, "")
    return "", ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
