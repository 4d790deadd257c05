"""Fingerprints of the content of a release: its formulas, its texts of any kind, its numbers with their places.

The mark of a formula comes from its relative form, so that all copies share one; that of a text from the text alone,
independent of its place; that of a number from sheet, row label, column and 13 digits; that of a name from label and
columns of its cells, which inserted rows do not change. A file of marks has them sorted, six bytes each.
`python -m addin.leaving BOOK FILE` writes one from a released workbook.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from addin.audit.parsed import relative
from addin.kernel import Address, Cells, ExcelError, Scalar
from addin.kernel.formula.cells import quoted
from addin.leaving import inserted
from addin.workbook import columns, designs, own_rows, tabs
from addin.workbook.shipped import MARKS, shipped

SIZE = 6  # bytes of a mark
RELEASES = Path(__file__).parent / "releases"
BUILT = shipped(MARKS)  # of the current build
_PROMPTS = ("promptTitle", "prompt", "errorTitle", "error", "formula1", "formula2")
HEADERS = ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")
SIDES = ("left", "center", "right")
PROPERTIES = ("title", "subject", "creator", "description", "keywords", "version", "category")


def _mark(*parts: str) -> bytes:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()[:SIZE]


def _of_text(text: str) -> bytes:
    return _mark("text", text)


def _of_formula(text: str, at: Address) -> bytes:
    return _of_form(relative(text, at.row, at.column))


@lru_cache(maxsize=1 << 16)
def _of_form(form: str) -> bytes:
    return _mark("formula", form)  # once for all copies


def _of_number(sheet: str, label: Scalar, at: Address, value: float | bool) -> bytes:
    row = label if isinstance(label, str) else str(at.row)
    return _mark("number", sheet, row, str(at.column), f"{value:.13g}")  # applications round the 15th digit


def _of_name(cells: Cells, name: str, area: Sequence[Address], sheet: str, as_built: inserted.Columns) -> bytes:
    """Return the mark of a name: what it is called, sheet and columns of its cells, and what the sheet calls them.

    Rows of people's own begin with a name that they type: the heading above them counts there.
    """
    first, last = (inserted.cell(at, as_built) for at in (area[0], area[-1]))
    label = columns.label(cells, first)
    if first.row > 1 and any(label in own_rows.area(cells, cells.names.get(each, "")) for each in _tables(cells, name)):
        label = first._replace(row=first.row - 1)
    return _mark("name", name, sheet, f"{first.column}-{last.column}", str(cells.values.get(label)))


def _tables(cells: Cells, name: str) -> list[str]:
    """Return the names of cells that people fill and that may call the rows of a name: its table's, or its tab's."""
    table, dot, _ = name.partition(".")
    if dot or not name.startswith(own_rows.PREFIX):
        return [table]
    tab = cells.names[name].rpartition("!")[0]
    every = (each for each, text in cells.names.items() if text.rpartition("!")[0] == tab)
    return [each for each in every if each.startswith(own_rows.PREFIX) and "." not in each]


@dataclass(frozen=True)
class Known:
    """The marks of all releases; the titles there of sheets that were renamed, the columns of sheets with more."""

    marks: frozenset[bytes]
    titles: Mapping[str, str] = field(default_factory=dict)
    columns: inserted.Columns = field(default_factory=dict)

    def text(self, text: str) -> bool:
        """Return whether a release has a text, in any place."""
        return _of_text(text) in self.marks

    def formula(self, text: str, at: Address) -> bool:
        """Return whether a formula is a copy of one of a release."""
        text, at = inserted.formula(text, at.sheet, self.columns), inserted.cell(at, self.columns)
        for title, name in self.titles.items():
            text = text.replace(f"{quoted(title)}!", f"{quoted(name)}!")
        return _of_formula(text, at) in self.marks

    def name(self, cells: Cells, name: str) -> bool:
        """Say whether a name stands for the cells that it has in a release, wherever rows have moved them."""
        area = own_rows.area(cells, cells.names.get(name, ""))
        sheet = self.titles.get(area[0].sheet, area[0].sheet) if area else ""
        return bool(area) and _of_name(cells, name, area, sheet, self.columns) in self.marks

    def constant(self, cells: Cells, at: Address) -> bool:
        """Return whether a release has a typed value in the same place; a text may be in any place."""
        value = cells.values.get(at)
        if value is None:
            return True
        if isinstance(value, str | ExcelError):
            return self.text(value if isinstance(value, str) else value.value)
        sheet = self.titles.get(at.sheet, at.sheet)
        place = inserted.cell(at, self.columns)
        return _of_number(sheet, cells.constant(columns.label(cells, at)), place, value) in self.marks


@lru_cache(maxsize=1)
def known() -> Known:
    """Return the marks of all releases, and of the current build."""
    files = [*sorted(RELEASES.glob("*.marks")), *([BUILT] if BUILT.is_file() else [])]
    marks: set[bytes] = set()
    for file in files:
        data = file.read_bytes()
        marks.update(data[at : at + SIZE] for at in range(0, len(data), SIZE))
    return Known(frozenset(marks))


def as_shipped(cells: Cells) -> Callable[[Address], bool]:
    """Return what says of a cell whether it is blank or has a typed value that a release has there."""
    return partial(replace(known(), titles=tabs.renamed(cells), columns=designs.as_built(cells)).constant, cells)


def marks_of(workbook: Workbook, cells: Cells) -> bytes:
    """Return the file of marks of a workbook: the content that may leave in a copy without prices."""
    found = {_of_text(text) for text in texts_of(workbook)}
    for at, value in cells.values.items():
        text = cells.formula(at)
        if text is not None:
            found.add(_of_formula(text, at))
        elif isinstance(value, str | ExcelError):
            found.add(_of_text(value if isinstance(value, str) else value.value))
        elif value is not None:
            found.add(_of_number(at.sheet, cells.constant(columns.label(cells, at)), at, value))
    for name, meaning in cells.names.items():
        found |= {_of_text(name), _of_text(meaning)}
        if area := own_rows.area(cells, meaning):
            found.add(_of_name(cells, name, area, area[0].sheet, {}))
    return b"".join(sorted(found))


def texts_of(workbook: Workbook) -> Iterator[str]:
    """Yield every text of a workbook outside its cells: formats, prompts, headers, charts, properties."""
    yield from (str(value) for name in PROPERTIES if (value := getattr(workbook.properties, name)))
    for ws in workbook.worksheets:
        yield ws.title
        yield from {cell.number_format for cell in ws._cells.values()}
        for rule in ws.data_validations.dataValidation:
            yield from (text for name in _PROMPTS if (text := getattr(rule, name)))
        for area in HEADERS:
            yield from (text for side in SIDES if (text := getattr(getattr(ws, area), side).text))
        for link in (cell.hyperlink for cell in ws._cells.values() if cell.hyperlink is not None):
            yield from (text for text in (link.target, link.location, link.tooltip, link.display) if text)
        for rules in ws.conditional_formatting:
            yield from (text for rule in rules.rules for text in texts_of_rule(rule))
        for chart in ws._charts:
            yield from texts_of_chart(chart)


def texts_of_rule(rule: Any) -> Iterator[str]:
    """Yield the texts of a conditional format."""
    yield from (str(text) for text in (*rule.formula, rule.text) if text)
    if rule.dxf is not None and rule.dxf.numFmt is not None:
        yield rule.dxf.numFmt.formatCode


def texts_of_chart(chart: Any) -> Iterator[str]:
    """Yield the texts of a chart, without its cache of cells."""
    for node in chart._write().iter():
        found = (node.text, node.get("formatCode"), node.get("typeface"))
        yield from (text for text in found if text and text.strip())


def places(addresses: Iterable[Address]) -> str:
    """Return cells as text, sheet by sheet: `Sizing!D70, E70; Lists!D5`."""
    sheets: dict[str, list[str]] = {}
    for at in sorted(addresses):
        sheets.setdefault(at.sheet, []).append(at.a1.rpartition("!")[2])
    return "; ".join(f"{quoted(sheet)}!{', '.join(cells)}" for sheet, cells in sheets.items())
