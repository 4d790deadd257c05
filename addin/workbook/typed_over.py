"""Formulas of the design that somebody typed over: the answer then rests on a figure that no input moves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from addin.kernel import Address, Cells
from addin.workbook.item import Item

SHOWN = 3
_REMEDY = "Take a fresh copy, or see the command audit."
_QUOTED, _COMPUTES = (
    re.compile(r"'[^']*'|\"[^\"]*\""),
    re.compile(r"[-+*/^&]"),
)  # of a link: names of sheets, arithmetic
_BELOW = 40  # rows looked at below the last result of a sheet


def found(cells: Cells, results: Mapping[str, Item]) -> Iterator[Address]:
    """Yield each cell of the base design that holds a constant beside a formula of the same row."""
    sheets: dict[str, list[Address]] = {}
    for item in results.values():
        sheets.setdefault(item.address.sheet, []).append(item.address)
    for sheet, places in sheets.items():
        columns = [at.column for at in places]
        base = max(set(columns), key=columns.count)
        for row in range(1, max(at.row for at in places) + _BELOW):
            at = Address(sheet, row, base)
            typed = isinstance(cells.constant(at), float) and cells.formula(at) is None
            if typed and cells.formula(at._replace(column=base + 1)) is not None:
                yield at


def said(cells: Cells, results: Mapping[str, Item], inputs: Mapping[str, Item]) -> Iterator[str]:
    """Yield sentences that name the formulas somebody typed over, nothing if nobody did."""
    yield from _links(cells, inputs)
    over = [at.a1 for at in found(cells, results)]
    if not over:
        return
    more = f" and {len(over) - SHOWN} more" if len(over) > SHOWN else ""
    which = "holds a figure in place of its formula" if len(over) == 1 else "hold figures in place of their formulas"
    yield f"{', '.join(over[:SHOWN])}{more} {which}: no input moves it. {_REMEDY}"


def _links(cells: Cells, inputs: Mapping[str, Item]) -> Iterator[str]:
    """Yield a sentence for each input of the first sheet whose link to the sheet of all designs is another formula."""
    linked = [item for item in inputs.values() if item.linked is not None]
    front = {item.address.sheet for item in linked}
    for item in inputs.values():
        if item.linked is None and item.address.sheet in front:
            at = item.address.a1
            yield f"{at}: no design reads this cell any more, so {item.label} typed there moves nothing. {_REMEDY}"
        elif item.linked is not None and _COMPUTES.search(_QUOTED.sub("", cells.formula(item.linked) or "")):
            yield f"{item.linked.a1} computes with {item.address.a1}, {item.label}, in place of taking it. {_REMEDY}"
