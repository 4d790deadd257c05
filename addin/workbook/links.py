"""Inputs typed on a sheet of their own, and the link to each in the sheet where all designs stand in columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from addin.kernel import Address, Cells, KernelError, precedents
from addin.workbook.item import LABEL, UNIT, Item


def linked(cells: Cells, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items; with those that are typed elsewhere where they are linked, and label and unit that stand there.

    The sheet of all designs is the one on which most of them are typed; a link reads nothing but the typed cell.
    """
    counted = Counter(item.address.sheet for item in items).most_common(1)
    designs = counted[0][0] if counted else ""
    elsewhere = {item.address for item in items if item.address.sheet != designs}
    found: dict[Address, Address] = {}
    for at in cells.formulas() if elsewhere else ():
        if at.sheet == designs and len(read := _precedents(cells, at)) == 1 and read[0] in elsewhere:
            found.setdefault(read[0], at)
    for item in items:
        link = found.get(item.address)
        if link is None:
            yield item
            continue
        label, unit = (cells.constant(link._replace(column=column)) for column in (LABEL, UNIT))
        yield replace(item, linked=link, also=str(label or ""), unit=item.unit or str(unit or ""))


def _precedents(cells: Cells, at: Address) -> Sequence[Address]:
    try:
        return precedents(cells, at)
    except KernelError:  # a formula of the user's that cannot be read is no link
        return ()
