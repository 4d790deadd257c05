"""Inputs typed on a sheet of their own, and the link to each in the sheet where all designs stand in columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from addin.kernel import Address, Cells, KernelError, precedents
from addin.workbook import columns
from addin.workbook.item import Item, unit_at


def linked(cells: Cells, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items; with those that are typed elsewhere where they are linked, and label and unit that stand there.

    A link reads one cell, typed in the column of the inputs of a sheet where less is typed, and stands in that of the
    sheet where all designs stand in columns.
    """
    ranked = [sheet for sheet, _ in Counter(item.address.sheet for item in items).most_common()]
    typed = {item.address for item in items if item.address.sheet != ranked[0]} if ranked else set()
    found: dict[Address, Address] = {}
    base = {sheet: Counter(i.address.column for i in items if i.address.sheet == sheet).most_common(1)[0][0]
            for sheet in ranked}  # fmt: skip
    sheets = [sheet for sheet in cells.sheets if sheet in ranked] if typed else []
    for at in (at for sheet in sheets for at in cells.stored(sheet)):
        read = _precedents(cells, at)
        if (
            len(read) == 1
            and read[0] in typed
            and (at.column, read[0].column) == (base[at.sheet], base[read[0].sheet])
            and ranked.index(at.sheet) < ranked.index(read[0].sheet)
        ):
            found.setdefault(read[0], at)
    for item in items:
        link = found.get(item.address)
        if link is None:
            yield item
            continue
        label = cells.constant(columns.label(cells, link))
        yield replace(item, linked=link, also=str(label or ""), unit=item.unit or unit_at(cells, link))


def _precedents(cells: Cells, at: Address) -> Sequence[Address]:
    try:
        return precedents(cells, at)
    except KernelError:  # a formula of the user's that cannot be read is no link
        return ()
