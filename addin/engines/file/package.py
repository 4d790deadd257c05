"""A saved workbook in memory, computed by the kernel: cells show the current results of their formulas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

from addin.engines.file.computed import Computed
from addin.kernel import Address, Cells, Scalar
from addin.kernel.formula.cells import meaning, of_the_format, own_name
from addin.xlsx.edited_package import EditedPackage
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.positions import Position
from addin.xlsx.quick_cells import Unread, read_cells
from addin.xlsx.read_cells import Stored
from addin.xlsx.workbook_part import calculated_on_load
from addin.xlsx.write_cells import with_cells

_CLOSE = 1e-12  # a stored result that differs by less is not rewritten


class Package(EditedPackage):
    """The parts of a workbook with pending edits, and the values of its cells."""

    def __init__(self, parts: Mapping[str, bytes], name: str) -> None:
        super().__init__(parts, name)
        self._computed: Computed | None = None  # of the cells as they are now
        self._known: Mapping[Address, Scalar] = {}  # results of formulas
        self._failed = False  # the kernel could not compute a cell: its stored result is used
        self._stale = False  # a cell has changed that others may read: stored results must follow

    def values(self, title: str, positions: Iterable[Position]) -> dict[Position, Scalar]:
        """Return the current values of cells; the stored result where the kernel cannot compute one."""
        cells = self.sheet(title).cells
        values = {position: stored.value for position in positions if (stored := cells.get(position))}
        formulas = {position: Address(title, *position) for position in values if cells[position].formula is not None}
        if unknown := [address for address in formulas.values() if address not in self._known]:
            computed = self.computed()
            computed.compute(unknown)
            self._failed = self._failed or computed.failed
        return values | {position: self._known[address] for position, address in formulas.items()}

    def computed(self) -> Computed:
        """Return the values of the cells as they are now."""
        if self._computed is None:
            self._computed = Computed(self._all(), self._known, self._stored)
            self._known = self._computed.known
        return self._computed

    def shows_date(self, at: Address) -> bool:
        """Return whether a cell contains a number and has the format of a date."""
        stored = self.sheet(at.sheet).cells.get((at.row, at.column))
        if stored is None or stored.formula is not None or type(stored.value) is not float:
            return False
        return self.formats[stored.style].date

    def _stored(self, at: Address) -> Scalar:
        stored = self.sheet(at.sheet).cells.get((at.row, at.column))
        return stored.value if stored else None

    def _all(self) -> Cells:
        """Return the workbook as the kernel's Cells, most of them read later if every sheet has the plain shape."""
        edited = {part: with_cells(self._parts[part], cells) for part, cells in self._waiting.items()}
        with suppress(Unread):
            return read_cells({**self._parts, **edited})
        values: dict[Address, Scalar] = {}
        texts = set()
        for title in self.titles:
            for position, stored in self.sheet(title).cells.items():
                if stored.formula is None and stored.value is None:
                    continue
                address = Address(title, *position)
                values[address] = _kernel_text(stored)
                if stored.formula is None and isinstance(stored.value, str) and stored.value.startswith("="):
                    texts.add(address)
        names = {
            name if sheet is None else own_name(sheet, name): meaning(stands_for)
            for name, sheet, stands_for in self.names
            if not of_the_format(name)
        }
        return Cells(MappingProxyType(values), MappingProxyType(names), self.titles, frozenset(texts))

    def _changed(self, title: str, *, everywhere: bool) -> None:
        """Forget computed values: those of a sheet that no other one reads, or all."""
        self._computed = None
        self._known = {} if everywhere else {at: value for at, value in self._known.items() if at.sheet != title}
        self._stale = self._stale or everywhere

    def flushed(self) -> dict[str, bytes]:
        parts = super().flushed()
        self._stale = False
        return parts

    def _results(self) -> dict[str, dict[Position, Scalar]]:
        """Return the results that differ from the stored ones, by part, including those of new formulas."""
        results: dict[str, dict[Position, Scalar]] = {}
        for title, part in self._listed().items():
            if not self._stale and part not in self._formulas:
                continue
            sheet = self.sheet(title)
            for position, value in self.values(title, [*sheet.cells]).items():
                stored = sheet.cells[position]
                if stored.formula is not None and not _same(value, stored.value):
                    results.setdefault(part, {})[position] = value
                    sheet.cells[position] = replace(stored, value=value)
        if self._failed and self._stale:
            self._parts[WORKBOOK] = calculated_on_load(self._parts[WORKBOOK])
        return results


def _kernel_text(stored: Stored) -> Scalar:
    """Return the content of a cell for the kernel: the formula, else the constant."""
    if stored.formula is None:
        return stored.value
    return f"={{{stored.formula}}}" if stored.array else stored.formula


def _same(value: Scalar, stored: Scalar) -> bool:
    if isinstance(value, float) and type(stored) is float:
        return math.isclose(value, stored, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return type(value) is type(stored) and value == stored
