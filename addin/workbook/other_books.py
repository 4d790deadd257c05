"""Formulas that read other workbooks: nothing here can follow them, so the cells are named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from addin.kernel import Cells
from addin.workbook.item import echoed

if TYPE_CHECKING:
    from openpyxl import Workbook

_TEXT = re.compile(r'"[^"]*"')
_OTHER = re.compile(r"\[([^\[\]]+)\][^\[\]!\"]*!")  # [other.xlsx]Sheet1!A1, in a file [1]Sheet1!A1
_WAY_OUT = "Type the figure into the cell, or break the link in Excel under Data, Edit Links."


def refusal(workbook: Workbook, cells: Cells) -> str:
    """Return what reads other workbooks, the cell first, and what to do; empty where the workbook has no such link."""
    links = [getattr(getattr(link, "file_link", None), "Target", None) or "" for link in workbook._external_links]
    if not links:
        return ""
    found = [(at.a1, text, other) for at in cells.formulas() if (other := _other(text := cells.formula(at) or ""))]
    if found:
        place, text, other = found[0]
        more = f", as {len(found) - 1} more cell{'s do' if len(found) > 2 else ' does'}" if len(found) > 1 else ""
        return f"{place} reads another workbook{_named(other, links)}: found {echoed(text)}{more}. {_WAY_OUT}"
    for name, text in cells.names.items():
        if other := _other(text):
            return (
                f"the name {name} reads another workbook{_named(other, links)}: found {echoed(text)}. Delete the name, "
                "or break the link in Excel under Data, Edit Links."
            )
    found_in = _named("1", links)
    return (
        f"links to another workbook{found_in}, though no cell reads it. Break the link in Excel under Data, Edit Links."
    )


def _other(text: str) -> str:
    """Return the workbook that a formula names in brackets: its number in the list of links, or its name."""
    match = _OTHER.search(_TEXT.sub("", text)) if "[" in text else None
    return match[1] if match else ""


def _named(other: str, links: list[str]) -> str:
    """Return the name of a linked workbook in brackets, empty where the file does not give it."""
    number = int(other) - 1 if other.isdecimal() else -1
    name = links[number] if 0 <= number < len(links) else ("" if other.isdecimal() else other)
    return f" ({echoed(name)})" if name else ""
