"""A saved workbook in memory: its parts, the cells in them, what was written since, and the values by the kernel.

Writing changes cells here; the bytes of a sheet follow when somebody needs them (`flushed`). Adding, copying, moving
and deleting sheets change the parts at once.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

from addin.errors import BookError, RequestError
from addin.kernel import Address, Cells, Evaluator, KernelError, Scalar
from addin.xlsx import sheets as splice_sheets
from addin.xlsx import workbook_part
from addin.xlsx.parts import CALCULATION_CHAIN, SHARED_TEXTS, STYLES, WORKBOOK, without
from addin.xlsx.positions import Position, a1, positions_in
from addin.xlsx.read_cells import SheetCells, Stored, read_shared_texts, read_sheet
from addin.xlsx.references import refers
from addin.xlsx.stored_results import with_results
from addin.xlsx.styles import Format, read_formats, with_number_format
from addin.xlsx.write_cells import with_cells

_CLOSE = 1e-12  # a stored result that differs by less is left as it was saved


class Package:
    """The parts of a workbook and what is written over them."""

    def __init__(self, parts: Mapping[str, bytes], name: str) -> None:
        self.name = name
        self._parts = dict(parts)
        self._waiting: dict[str, dict[Position, Stored]] = {}  # by part
        self._sheets: dict[str, tuple[bytes, SheetCells]] = {}  # by part, with the bytes they were read from
        self._cells: Cells | None = None
        self._known: dict[Address, Scalar] = {}  # results of formulas
        self._failed = False  # the kernel could not compute one: its stored result is taken
        self._stale = False  # a cell that others may read has changed: stored results must follow
        self._own: set[str] = set()  # parts of sheets that were added since opening
        self._formulas: set[str] = set()  # parts in which formulas came or went
        self._unchained = False  # a formula came or went: the order of the last computation is no more
        self._formats: tuple[bytes, list[Format]] | None = None
        self._listing: tuple[bytes, dict[str, str]] | None = None

    @cached_property
    def _texts(self) -> list[str]:
        return read_shared_texts(self._parts.get(SHARED_TEXTS))

    @property
    def formats(self) -> list[Format]:
        """The cell formats by number."""
        styles = self._parts[STYLES]
        if self._formats is None or self._formats[0] is not styles:
            self._formats = (styles, read_formats(styles))
        return self._formats[1]

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the sheets of cells in tab order."""
        return tuple(self._listed())

    def _listed(self) -> dict[str, str]:
        book = self._parts[WORKBOOK]
        if self._listing is None or self._listing[0] is not book:
            self._listing = (book, workbook_part.sheet_parts(self._parts))
        return self._listing[1]

    def sheet(self, title: str) -> SheetCells:
        """Return the cells of a sheet as they are now."""
        part = self._part(title)
        data = self._parts[part]
        known = self._sheets.get(part)
        if known is None or known[0] is not data:
            known = self._sheets[part] = (data, read_sheet(data, self._texts))
        return known[1]

    def _part(self, title: str) -> str:
        parts = self._listed()
        if title not in parts:
            raise BookError(f"{self.name}: there is no sheet {title!r}. Restore it, or take a fresh copy.")
        return parts[title]

    @property
    def names(self) -> list[tuple[str, str | None, str]]:
        """The defined names: name, title of the sheet whose own it is, what it stands for."""
        every = workbook_part.titles(self._parts)
        return [
            (name, None if local is None else every[local], text)
            for name, local, text in workbook_part.defined_names(self._parts[WORKBOOK])
        ]

    def values(self, title: str, spots: Iterable[Position]) -> dict[Position, Scalar]:
        """Return what cells show, computed now; the stored result where the kernel cannot compute one."""
        cells = self.sheet(title).cells
        found = {spot: stored.value for spot in spots if (stored := cells.get(spot))}
        wanted = {spot: Address(title, *spot) for spot in found if cells[spot].formula is not None}
        self._compute([address for address in wanted.values() if address not in self._known])
        return found | {spot: self._known[address] for spot, address in wanted.items()}

    def _compute(self, targets: list[Address]) -> None:
        """Compute formula cells and keep them with all they depend on."""
        while targets := [address for address in targets if address not in self._known]:
            evaluator = Evaluator(self._all(), self._known)
            try:
                evaluator.compute(tuple(targets))
            except KernelError as error:
                self._set_aside(error, targets[0])
            finally:
                self._known = {**evaluator.computed, **self._known}

    def _set_aside(self, error: KernelError, address: Address) -> None:
        """Take the stored result of a cell that the kernel cannot compute, so that those that read it still can be."""
        try:
            at = Address.from_a1(error.place)
        except KernelError:
            at = address
        at = address if at in self._known else at
        stored = self.sheet(at.sheet).cells.get((at.row, at.column))
        self._known[at] = stored.value if stored else None
        self._failed = True

    def _all(self) -> Cells:
        """Return the workbook as the kernel takes it."""
        if self._cells is None:
            values: dict[Address, Scalar] = {}
            texts = set()
            for title in self.titles:
                for spot, stored in self.sheet(title).cells.items():
                    if stored.formula is None and stored.value is None:
                        continue
                    address = Address(title, *spot)
                    values[address] = _kernel_text(stored)
                    if stored.formula is None and isinstance(stored.value, str) and stored.value.startswith("="):
                        texts.add(address)
            known = {name: text for name, local, text in self.names if local is None}
            self._cells = Cells(MappingProxyType(values), MappingProxyType(known), self.titles, frozenset(texts))
        return self._cells

    def _forget(self, title: str, *, everything: bool) -> None:
        """Forget what was computed: of a sheet that nobody else reads, or of all."""
        self._cells = None
        self._known = {} if everything else {at: value for at, value in self._known.items() if at.sheet != title}
        self._stale = self._stale or everything

    def write(self, title: str, cells: Mapping[Position, tuple[Scalar, str | None, str | None]]) -> None:
        """Put constants or formulas into cells: value, formula, and the number format that a general one gives way to.

        Raises RequestError when a cell is locked or part of an array formula; then nothing is written.
        """
        sheet, part = self.sheet(title), self._part(title)
        old = [(spot, sheet.cells.get(spot)) for spot in cells]
        for spot in cells:
            self._check(sheet, title, spot, cells)
        waiting = self._waiting.setdefault(part, {})
        shared = {stored.shared for _, stored in old if stored and stored.shared is not None}
        if shared:  # the text of the others stands in one of these cells
            alone = {spot: replace(one, shared=None) for spot, one in sheet.cells.items() if one.shared in shared}
            waiting |= alone
            sheet.cells |= alone
        sheet.arrays -= {area for area in sheet.arrays if positions_in(area) & cells.keys()}
        for spot, (value, formula, code) in cells.items():
            style = sheet.style(spot)
            if code and self.formats[style].code == "General":
                style = self._styled(style, code)
            waiting[spot] = sheet.cells[spot] = Stored(value, formula, style)
            if waiting[spot] == Stored():
                del sheet.cells[spot]
        self._forget(title, everything=part not in self._own or self._read(title))
        if any(formula for _, formula, _ in cells.values()) or any(one and one.formula for _, one in old):
            self._unchained = True
            self._formulas.add(part)

    def _read(self, title: str) -> bool:
        """Return whether a formula of another sheet names a sheet."""
        fold = title.replace("'", "''").casefold()
        return any(
            stored.formula and fold in stored.formula.casefold() and refers(stored.formula, title)
            for other in self.titles
            if other != title
            for stored in self.sheet(other).cells.values()
        )

    def define(self, name: str, sheet: str | None, meaning: str | None) -> None:
        """Let a name, of a sheet or of the whole workbook, stand for something; None deletes it."""
        number = None if sheet is None else self.position(sheet)
        self._parts[WORKBOOK] = workbook_part.with_meaning(self._parts[WORKBOOK], name, number, meaning)
        self._forget("", everything=True)

    def set_format(self, title: str, spots: Iterable[Position], code: str) -> None:
        """Give cells a number format. Raises RequestError when one of them is locked; then nothing is changed."""
        sheet, part = self.sheet(title), self._part(title)
        wanted = list(spots)
        for spot in wanted:
            self._check(sheet, title, spot, None)
        for spot in wanted:
            stored = replace(sheet.cells.get(spot, Stored()), style=self._styled(sheet.style(spot), code), shared=None)
            self._waiting.setdefault(part, {})[spot] = sheet.cells[spot] = stored

    def _check(self, sheet: SheetCells, title: str, spot: Position, others: Container[Position] | None) -> None:
        """Raise BookError for a locked cell, and for one of an array formula unless the others are written as well."""
        if sheet.protected and self.formats[sheet.style(spot)].locked:
            raise BookError(f"{self._place(title, spot)} is locked on a protected sheet. Unprotect the sheet first.")
        array = sheet.array(spot) if sheet.arrays and others is not None else None
        if array is not None and others is not None and not all(one in others for one in positions_in(array)):
            raise BookError(f"{self._place(title, spot)} is part of the array formula in {array}. Change all of it.")

    def _place(self, title: str, spot: Position) -> str:
        return f"{self.name}: {title}!{a1(spot)}"

    def _styled(self, style: int, code: str) -> int:
        self._parts[STYLES], number = with_number_format(self._parts[STYLES], style, code)
        return number

    def flushed(self) -> dict[str, bytes]:
        """Return the parts with everything written so far; stored results follow what has changed."""
        results = self._results()
        for part in {**self._waiting, **results}:
            data = self._parts[part]
            if self._waiting.get(part):
                data = with_cells(data, self._waiting[part])
            if results.get(part):
                data = with_results(data, results[part])
            self._sheets[part] = (data, self._sheets[part][1])
            self._parts[part] = data
        if self._unchained:
            self._parts = without(self._parts, {CALCULATION_CHAIN})
        self._waiting, self._formulas, self._stale, self._unchained = {}, set(), False, False
        return dict(self._parts)

    def _results(self) -> dict[str, dict[Position, Scalar]]:
        """Return the results that differ from the stored ones, by part, those of new formulas included."""
        found: dict[str, dict[Position, Scalar]] = {}
        for title, part in self._listed().items():
            if not self._stale and part not in self._formulas:
                continue
            sheet = self.sheet(title)
            for spot, value in self.values(title, [*sheet.cells]).items():
                stored = sheet.cells[spot]
                if stored.formula is not None and not _same(value, stored.value):
                    found.setdefault(part, {})[spot] = value
                    sheet.cells[spot] = replace(stored, value=value)
        if self._failed and self._stale:
            self._parts[WORKBOOK] = workbook_part.calculated_on_load(self._parts[WORKBOOK])
        return found

    def add(self, title: str) -> None:
        """Add an empty sheet as the last one."""
        self._parts = splice_sheets.add_blank(self._free(), title)
        self._own.add(self._part(title))
        self._forget(title, everything=self._read(title))

    def copy_in(self, source: Package, title: str, new: str) -> None:
        """Add a copy of another package's sheet as the last one, with its charts and formats."""
        self._parts = splice_sheets.copy_in(self._free(), source.flushed(), title, new)
        self._own.add(self._part(new))
        self._forget(new, everything=self._read(new))

    def delete(self, title: str) -> None:
        """Delete a sheet; what refers to it becomes #REF!. Raises RequestError for the only one."""
        parts = self._free()
        if len(self.titles) == 1:
            raise RequestError(f"{title}: the only sheet of {self.name} cannot be deleted. Add another one first.")
        if any(stored.formula for stored in self.sheet(title).cells.values()):
            self._unchained = True
        self._own.discard(self._part(title))
        self._forget(title, everything=self._read(title))
        self._parts = splice_sheets.delete(parts, title)

    def move(self, title: str, place: int) -> None:
        """Put a sheet at a place in the tab order, counted from 0 among all sheets."""
        self._parts = splice_sheets.move(self._free(), title, place)
        self._cells = None

    def rename(self, title: str, new: str) -> None:
        """Give a sheet another title; what refers to it follows."""
        if new != title:
            if new.casefold() in {one.casefold() for one in self.titles} - {title.casefold()}:
                raise RequestError(f"{new}: {self.name} has a sheet of that name. Choose another one.")
            self._parts = splice_sheets.rename(self._free(), title, new)
            self._forget(title, everything=self._read(new))

    def position(self, title: str) -> int:
        """Return the place of a sheet in the tab order, counted from 0 among all sheets."""
        return workbook_part.titles(self._parts).index(title)

    def _free(self) -> dict[str, bytes]:
        """Return the parts as written so far. Raises RequestError when the structure of the workbook is protected."""
        if workbook_part.structure_locked(self._parts[WORKBOOK]):
            raise RequestError(
                f"{self.name}: the structure of the workbook is protected, so its sheets stay as they are. Unprotect "
                "the workbook in the spreadsheet."
            )
        return self.flushed()


def _kernel_text(stored: Stored) -> Scalar:
    """Return what the kernel is given for a cell: the formula, else the constant."""
    if stored.formula is None:
        return stored.value
    return f"={{{stored.formula}}}" if stored.array else stored.formula


def _same(value: Scalar, stored: Scalar) -> bool:
    if isinstance(value, float) and type(stored) is float:
        return math.isclose(value, stored, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return type(value) is type(stored) and value == stored
