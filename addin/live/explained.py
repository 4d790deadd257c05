"""What the page needs to open a number: of every cell behind one its formula, label, unit, source and format.

Values come from the cells that the page computes. Those that no input moves are not among them: they come with their
values, so that a chain ends at a fact of the catalogue and not at the first cell that never changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from addin.computing.kernel_engine import Values
from addin.kernel import Address, Cells
from addin.kernel.formula.cells import quoted
from addin.kernel.formula.graph import Area, areas, cells_in
from addin.kernel.formula.tokens import Kind, tokens
from addin.kernel.script import Program
from addin.kernel.script.runs import Run, runs_of
from addin.live.sources import facts, reader
from addin.sizing.answers import basis
from addin.sizing.checks import MASTER
from addin.sizing.labels import Naming, naming, one_name_a_row
from addin.workbook import columns
from addin.workbook.book import SizingBook
from addin.workbook.number_formats import GENERAL, sections
from addin.xlsx.cell_values import plain_value

DYNAMIC = "="  # before the column of a label that is computed or typed; no text of a label begins with it
Json = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """What a sheet says of a cell."""

    name: Naming
    unit: str
    basis: str


@dataclass(frozen=True)
class Chains:
    """All cells behind the numbers of the page, sheet by sheet, with what is said of each."""

    cells: Mapping[Address, Said]

    def labels(self, book: SizingBook, typed: Collection[Address]) -> list[Address]:
        """Return the cells with labels that may change on the page."""
        beside = {each.name.beside for each in self.cells.values() if each.name.beside is not None}
        return sorted(at for at in beside if at in typed or book.cells.formula(at) is not None)


def chains(book: SizingBook, shown: Iterable[Address], typed: Collection[Address], named: SizingBook) -> Chains:
    """Return the chains behind cells that the page shows, and behind the labels in them that may change.

    Blank cells are left out, as `explain` does, but for those in `typed`. `named` is the workbook that names the units.
    """
    reached: dict[Address, Said] = {}
    say = _reader(named)
    waiting, looked_at = [*shown, *typed], set[Area]()
    while waiting:
        at = waiting.pop()
        if at in reached or (book.cells.values.get(at) is None and at not in typed):
            continue
        found = reached[at] = say(at)
        for area in areas(book.cells, at):
            if area not in looked_at:
                looked_at.add(area)
                waiting += cells_in(book.cells, area)
        if found.name.beside is not None and book.cells.formula(found.name.beside) is not None:
            waiting.append(found.name.beside)
    order = {sheet: n for n, sheet in enumerate(book.cells.sheets)}
    return Chains({at: reached[at] for at in sorted(reached, key=lambda at: (order[at.sheet], at))})


def _reader(book: SizingBook) -> Callable[[Address], Said]:
    """Return what reads what is said of a cell. Where a sheet has no blocks, a row says the same of all its figures."""
    last: dict[str, float] = {}  # of a sheet without blocks the last column that describes its rows
    rows: dict[tuple[str, int], Said] = {}

    def read(at: Address) -> Said:
        name = naming(book, at)
        head = book.cells.constant(columns.unit(book.cells, at)._replace(row=columns.HEAD_ROW))
        has_unit = head == columns.UNIT and name.unit != columns.UNIT  # a list of arrays has other things there
        return Said(name, name.unit if has_unit else "", basis(book, at))

    def say(at: Address) -> Said:
        if at.sheet not in last:
            last[at.sheet] = max(columns.of(book.cells, at.sheet)) if one_name_a_row(book, at) else math.inf
        if at.column <= last[at.sheet]:
            return read(at)
        key = at.sheet, at.row
        if key not in rows:
            rows[key] = read(at)
        return rows[key]

    return say


def explained(
    book: SizingBook,
    values: Values,
    program: Program,
    found: Chains,
    typed: Collection[Address],
    told: Sequence[str],
    helps: Sequence[str],
) -> Json:
    """Return the chains for the page. `told` are texts that the page has already: they are not repeated.

    `helps` are the texts of its fields, which name printed figures too.
    """
    checks = book.address(book.cells.names[MASTER], MASTER).sheet
    used = {checks, *(at.sheet for at in found.cells)}  # no other sheet of the user's is named on the page
    number = {sheet: n for n, sheet in enumerate(sheet for sheet in book.cells.sheets if sheet in used)}
    still = [at for at in found.cells if at not in program.reads and at not in typed]
    fixed = runs_of(book.cells, [at for at in still if book.cells.formula(at) is not None])
    runs = [*program.runs, *fixed]
    texts = {text: n for n, text in enumerate(dict.fromkeys(("", *told)))}
    known = len(texts)
    entries: dict[tuple[int, ...], int] = {}
    spans: list[list[int]] = []  # cells of a row side by side with one entry
    source_of = reader(book)
    tabs = {} if book.workbook is None else {sheet: book.workbook[sheet] for sheet in number}
    for at, said in found.cells.items():
        text = "" if at in typed else said.basis  # the field says it
        source = "" if at in typed or book.cells.formula(at) is not None else source_of(at)
        code = str(tabs[at.sheet].cell(at.row, at.column).number_format) if tabs else GENERAL
        words = _label(book, values, said.name, typed), said.name.heading, said.unit, text, code, source
        n = entries.setdefault(tuple(texts.setdefault(text, len(texts)) for text in words), len(entries))
        row = [number[at.sheet], at.row]
        if spans and spans[-1][:2] == row and spans[-1][4] == n and spans[-1][2] + spans[-1][3] == at.column:
            spans[-1][3] += 1
        else:
            spans.append([*row, at.column, 1, n])
    listed = list(texts)
    codes = sorted({entry[4] for entry in entries})
    return {
        "sheets": [[sheet, quoted(sheet), *_corner(program, sheet)] for sheet in number],
        "checks": number[checks],
        "formulas": [book.cells.formula(run.first) for run in runs],
        "fixed": [[number[run.first.sheet], *run.first[1:], run.height, run.width, run.apart] for run in fixed],
        "values": [
            [number[at.sheet], at.row, at.column, plain_value(values.value(at))]
            for at in still
            if at not in program.constants
        ],
        "facts": facts(book, values, [*listed, *helps]),
        "heads": _heads(book, values, found, number),
        "names": _names(book.cells, runs, number),
        "texts": listed[known:],
        "entries": _columns(entries),
        "spans": _columns(spans),
        "formats": [[code, parts] for code in codes if (parts := sections(listed[code]))],
    }


def _corner(program: Program, sheet: str) -> list[int]:
    """Return where a sheet's rectangle begins in the program's cells, and its ends; nothing for a sheet without one."""
    area = program.layout.areas.get(sheet)
    return [] if area is None else [program.layout.starts[sheet], area.top, area.left, area.bottom, area.right]


def _label(book: SizingBook, values: Values, name: Naming, typed: Collection[Address]) -> str:
    if name.beside is None:
        return name.title
    if name.beside in typed or book.cells.formula(name.beside) is not None:
        return f"{DYNAMIC}{name.beside.column} {name.title}"
    beside = values.value(name.beside)
    return beside if isinstance(beside, str) and beside else name.title


def _heads(book: SizingBook, values: Values, found: Chains, number: Mapping[str, int]) -> list[dict[int, str]]:
    """Return the headings of the columns of each sheet whose rows have one name for all figures: designs, arrays."""
    heads: list[dict[int, str]] = [{} for _ in number]
    for sheet, column in dict.fromkeys((at.sheet, at.column) for at in found.cells):
        at = Address(sheet, columns.HEAD_ROW, column)
        text = values.value(at) if one_name_a_row(book, at) else None
        if isinstance(text, str) and text:
            heads[number[sheet]][column] = text
    return heads


def _names(cells: Cells, runs: Iterable[Run], number: Mapping[str, int]) -> dict[str, list[list[int]]]:
    """Return what each defined name in a formula stands for: areas, each a sheet with its ends."""
    found: dict[str, list[list[int]]] = {}
    for run in runs:
        for token in tokens(cells.formula(run.first) or "="):
            if token.kind is Kind.OPERAND and token.text in cells.names and token.text not in found:
                alone = cells.with_formula(run.first, f"={token.text}")
                read = areas(alone, run.first)
                found[token.text] = [[number[each.sheet], *each[1:]] for each in read if each.sheet in number]
    return found


def _columns(rows: Iterable[Sequence[int]]) -> list[list[int]]:
    """Return rows of numbers as columns of differences, which pack better."""
    turned = zip(*rows, strict=True)
    return [[now - before for before, now in zip((0, *column), column, strict=False)] for column in turned]
