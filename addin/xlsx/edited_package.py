"""A saved workbook in memory: its parts, their cells, and pending edits.

Writing changes cells here; the bytes of a sheet follow when they are needed (`flushed`). Adding, copying, moving and
deleting sheets change the parts at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from addin.errors import BookError, RequestError
from addin.kernel import Scalar
from addin.xlsx import sheets, workbook_part
from addin.xlsx.parts import CALCULATION_CHAIN, SHARED_TEXTS, STYLES, WORKBOOK, without
from addin.xlsx.positions import Position, a1, inside, size_of
from addin.xlsx.read_cells import SheetCells, Stored, read_shared_texts, read_sheet
from addin.xlsx.references import refers
from addin.xlsx.stored_results import with_results
from addin.xlsx.styles import Format, read_formats, with_number_format
from addin.xlsx.write_cells import with_cells

Entry = tuple[Scalar, str | None, str | None]  # value, formula, and the number format that replaces General


class EditedPackage:
    """The parts of a workbook with pending edits. Results of formulas are left to a subclass."""

    def __init__(self, parts: Mapping[str, bytes], name: str) -> None:
        self.name = name
        self._parts = dict(parts)
        self._waiting: dict[str, dict[Position, Stored]] = {}  # by part
        self._sheets: dict[str, tuple[bytes, SheetCells]] = {}  # by part, with the bytes they were read from
        self._own: set[str] = set()  # parts of sheets that were added since opening
        self._formulas: set[str] = set()  # parts with added or removed formulas
        self._unchained = False  # a formula was added or removed: the calculation chain is out of date
        self._formats: tuple[bytes, list[Format]] | None = None
        self._listing: tuple[bytes, dict[str, str]] | None = None

    def _changed(self, title: str, *, everywhere: bool) -> None:
        """Handle a change of values: of the cells of a sheet that no other one reads, or of any cell."""

    def _results(self) -> Mapping[str, Mapping[Position, Scalar]]:
        """Return the results of formulas that differ from the stored ones, by part."""
        return {}

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
        if known is None or known[0] is not data:  # written anew, maybe with the same bytes
            cells = known[1] if known is not None and known[0] == data else read_sheet(data, self._texts)
            known = self._sheets[part] = (data, cells)
        return known[1]

    def _part(self, title: str) -> str:
        parts = self._listed()
        if title not in parts:
            raise BookError(f"{self.name}: there is no sheet {title!r}. Restore it, or take a fresh copy.")
        return parts[title]

    @property
    def names(self) -> list[tuple[str, str | None, str]]:
        """The defined names: name, title of its sheet (None: of the workbook), definition."""
        every = workbook_part.titles(self._parts)
        return [
            (name, None if sheet is None else every[sheet], meaning)
            for name, sheet, meaning in workbook_part.defined_names(self._parts[WORKBOOK])
        ]

    def index(self, title: str) -> int:
        """Return the index of a sheet in the tab order, counted from 0 among all sheets."""
        return workbook_part.titles(self._parts).index(title)

    def write(self, title: str, cells: Mapping[Position, Entry]) -> None:
        """Put constants or formulas into cells.

        Raises BookError, with nothing written, for a locked cell or a part of an array formula.
        """
        sheet, part = self.sheet(title), self._part(title)
        old = [sheet.cells.get(position) for position in cells]
        for position in cells:
            self._check(sheet, title, position, cells)
        waiting = self._waiting.setdefault(part, {})
        shared = {stored.shared for stored in old if stored and stored.shared is not None}
        if shared:  # one of these cells has the text of the others' formula
            alone = {at: replace(stored, shared=None) for at, stored in sheet.cells.items() if stored.shared in shared}
            waiting |= alone
            sheet.cells |= alone
        sheet.arrays -= {area for area in sheet.arrays if any(inside(area, position) for position in cells)}
        for position, (value, formula, code) in cells.items():
            style = sheet.style(position)
            if code and self.formats[style].code == "General":
                style = self._styled(style, code)
            waiting[position] = sheet.cells[position] = Stored(value, formula, style)
            if waiting[position] == Stored():
                del sheet.cells[position]
        self._changed(title, everywhere=part not in self._own or self._read(title))
        if any(formula for _, formula, _ in cells.values()) or any(stored and stored.formula for stored in old):
            self._unchained = True
            self._formulas.add(part)

    def set_format(self, title: str, positions: Iterable[Position], code: str) -> None:
        """Give cells a number format. Raises BookError, with nothing changed, if one of them is locked."""
        sheet, part = self.sheet(title), self._part(title)
        wanted = list(positions)
        for position in wanted:
            self._check(sheet, title, position, None)
        for position in wanted:
            style = self._styled(sheet.style(position), code)
            stored = replace(sheet.cells.get(position, Stored()), style=style, shared=None)
            self._waiting.setdefault(part, {})[position] = sheet.cells[position] = stored

    def _check(self, sheet: SheetCells, title: str, position: Position, others: Collection[Position] | None) -> None:
        """Raise BookError for a locked cell, and for one of an array formula unless all its cells are written."""
        cell = f"{self.name}: {title}!{a1(position)}"
        if sheet.protected and self.formats[sheet.style(position)].locked:
            raise BookError(f"{cell} is locked on a protected sheet. Unprotect the sheet first.")
        array = sheet.array(position) if sheet.arrays and others is not None else None
        if array is None or others is None:
            return
        if sum(inside(array, other) for other in others) < size_of(array):
            raise BookError(f"{cell} is part of the array formula in {array}. Change all of it.")

    def _styled(self, style: int, code: str) -> int:
        self._parts[STYLES], number = with_number_format(self._parts[STYLES], style, code)
        return number

    def _read(self, title: str) -> bool:
        """Return whether a formula of another sheet names a sheet."""
        folded = title.replace("'", "''").casefold()
        return any(
            stored.formula and folded in stored.formula.casefold() and refers(stored.formula, title)
            for other, part in self._listed().items()
            if other != title and (part in self._waiting or _may_contain(self._parts[part], folded))
            for stored in self.sheet(other).cells.values()
        )

    def define(self, name: str, sheet: str | None, meaning: str | None) -> None:
        """Define a name, of a sheet or of the whole workbook; None deletes it."""
        number = None if sheet is None else self.index(sheet)
        self._parts[WORKBOOK] = workbook_part.with_meaning(self._parts[WORKBOOK], name, number, meaning)
        self._changed("", everywhere=True)

    def flushed(self) -> dict[str, bytes]:
        """Return the parts with all edits so far, and with updated stored results."""
        results = self._results()
        for part in {**self._waiting, **results}:
            data = self._parts[part]
            if self._waiting.get(part):
                data = with_cells(data, self._waiting[part])
            if results.get(part):
                data = with_results(data, results[part])
            self._sheets[part] = (data, self._sheets[part][1])
            self._parts[part] = data
        if self._unchained and CALCULATION_CHAIN in self._parts:
            self._parts = without(self._parts, {CALCULATION_CHAIN})
        self._waiting, self._formulas, self._unchained = {}, set(), False
        return dict(self._parts)

    def take(self, title: str) -> None:
        """Take a sheet for one that was added since opening: results of others that do not name it stay as stored."""
        self._own.add(self._part(title))

    def add(self, title: str) -> None:
        """Add an empty sheet as the last one."""
        self._parts = sheets.add_blank(self._free(), title)
        self._own.add(self._part(title))
        self._changed(title, everywhere=self._read(title))

    def copy_in(self, source: EditedPackage, title: str, new: str) -> None:
        """Add a copy of another package's sheet as the last one, with its charts and formats."""
        self._parts = sheets.copy_in(self._free(), source.flushed(), title, new)
        self._own.add(self._part(new))
        self._changed(new, everywhere=self._read(new))

    def delete(self, title: str) -> None:
        """Delete a sheet; references to it become #REF!. Raises RequestError for the only one."""
        parts = self._free()
        if len(self.titles) == 1:
            raise RequestError(f"{title}: the only sheet of {self.name} cannot be deleted. Add another one first.")
        if any(stored.formula for stored in self.sheet(title).cells.values()):
            self._unchained = True
        self._own.discard(self._part(title))
        self._changed(title, everywhere=self._read(title))
        self._parts = sheets.delete(parts, title)

    def move(self, title: str, index: int) -> None:
        """Put a sheet at an index of the tab order, counted from 0 among all sheets."""
        self._parts = sheets.move(self._free(), title, index)
        self._changed(title, everywhere=False)

    def rename(self, title: str, new: str) -> None:
        """Give a sheet another title; references to it follow."""
        if new != title:
            if new.casefold() in {other.casefold() for other in self.titles} - {title.casefold()}:
                raise RequestError(f"{new}: {self.name} has a sheet of that name. Choose another one.")
            self._parts = sheets.rename(self._free(), title, new)
            self._changed(title, everywhere=self._read(new))

    def _free(self) -> dict[str, bytes]:
        """Return the parts with all edits so far. Raises RequestError if the structure of the workbook is protected."""
        if workbook_part.structure_locked(self._parts[WORKBOOK]):
            raise RequestError(
                f"{self.name}: the structure of the workbook is protected, so its sheets stay as they are. Unprotect "
                "the workbook in the spreadsheet."
            )
        return self.flushed()


def _may_contain(sheet: bytes, folded: str) -> bool:
    """Return whether a sheet may name a title in a formula; False only where its bytes exclude it, which is quick."""
    if not folded.isascii() or any(mark in folded for mark in "&<>\"'") or b"&#" in sheet or b"\0" in sheet:
        return True  # it may be written in more than one way
    return folded in sheet.decode(errors="replace").casefold()
