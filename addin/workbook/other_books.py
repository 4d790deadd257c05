"""Formulas that read other workbooks: nothing here can follow them. A result may not depend on one."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TYPE_CHECKING

from addin.errors import BookError
from addin.kernel import Address, Cells, KernelError
from addin.kernel.formula.graph import areas, cells_in
from addin.workbook import own_rows
from addin.workbook.item import echoed

if TYPE_CHECKING:
    from openpyxl import Workbook

_COMPUTED = ("In_", "Out_", "Chk_")  # names of cells that commands compute
_WORD = re.compile(r"[^\W\d][\w.]*")
_TEXT = re.compile(r'"[^"]*"')
_OTHER = re.compile(r"\[([^\[\]]+)\][^\[\]!\"]*!")  # [other.xlsx]Sheet1!A1, in a file [1]Sheet1!A1
_WAY_OUT = "Type the figure into the cell, or break the link in Excel under Data, Edit Links."


def checked(book: str, workbook: Workbook, cells: Cells) -> str:
    """Return which other workbook is linked though no result depends on it; raise BookError where one does."""
    if found := refusal(workbook, cells):
        raise BookError(f"{book}: {found}")
    return remark(workbook, cells)


def refusal(workbook: Workbook, cells: Cells) -> str:
    """Return what of the results reads other workbooks, the cell first, and what to do; empty where nothing does."""
    links = _links(workbook)
    found = _reading(cells) if links else {}
    needed = _behind_results(cells, found) if found else []
    if not needed:
        return ""
    place, text = needed[0], cells.formula(needed[0]) or ""
    more = f", as {len(needed) - 1} more cell{'s do' if len(needed) > 2 else ' does'}" if len(needed) > 1 else ""
    return f"{place.a1} reads another workbook{_named(found[place], links)}: found {echoed(text)}{more}. {_WAY_OUT}"


def remark(workbook: Workbook, cells: Cells) -> str:
    """Return which other workbook is linked though no result depends on it; empty where none is."""
    links = _links(workbook)
    if not links:
        return ""
    found = next(iter(_reading(cells).items()), None)
    if found is None:
        return f"Linked to another workbook{_named('1', links)}, which no cell reads."
    return f"{found[0].a1} reads another workbook{_named(found[1], links)}, and no result depends on it."


def _links(workbook: Workbook) -> list[str]:
    return [getattr(getattr(link, "file_link", None), "Target", None) or "" for link in workbook._external_links]


def _reading(cells: Cells) -> dict[Address, str]:
    """Return the cells whose formulas name another workbook, or a name that stands for one, with that workbook."""
    names = {name.casefold(): other for name, text in cells.names.items() if (other := _other(text))}
    found = {}
    for at in cells.formulas():
        text = cells.formula(at) or ""
        used = (names[word] for word in _WORD.findall(_TEXT.sub("", text).casefold()) if word in names) if names else ()
        if other := _other(text) or next(iter(used), ""):
            found[at] = other
    return found


def _behind_results(cells: Cells, reading: Container[Address]) -> list[Address]:
    """Return those of some cells that results, or inputs that are formulas, are computed from."""
    waiting = [
        at for name, text in cells.names.items() if name.startswith(_COMPUTED) for at in own_rows.area(cells, text)
    ]
    seen: set[Address] = set()
    needed = []
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        if at in reading:
            needed.append(at)
            continue
        try:
            waiting += [each for area in areas(cells, at) for each in cells_in(cells, area)]
        except KernelError:  # a formula that cannot be read: what computes it says so
            continue
    return sorted(needed)


def _other(text: str) -> str:
    """Return the workbook that a formula names in brackets: its number in the list of links, or its name."""
    match = _OTHER.search(_TEXT.sub("", text)) if "[" in text else None
    return match[1] if match else ""


def _named(other: str, links: list[str]) -> str:
    """Return the name of a linked workbook in brackets, empty where the file does not give it."""
    number = int(other) - 1 if other.isdecimal() else -1
    name = links[number] if 0 <= number < len(links) else ("" if other.isdecimal() else other)
    return f" ({echoed(name)})" if name else ""
