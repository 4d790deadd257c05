"""A workbook as the kernel sees it: typed values, formulas, names. Computing needs no openpyxl."""

from __future__ import annotations

import difflib
import math
import re
from abc import abstractmethod
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from addin.kernel.errors import KernelError, UnknownName
from addin.kernel.excel.values import ERROR_TEXTS as ERROR_TEXTS
from addin.kernel.excel.values import NO_FORMULA as NO_FORMULA
from addin.kernel.excel.values import ExcelError, Scalar
from addin.kernel.formula.columns import LAST_COLUMN, LAST_ROW, column_letters, column_number

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook


BOUND = "_xlpm."  # begins what LET and LAMBDA call their own, as files have it
PLAIN_SHEET = re.compile(r"[^\W\d]\w*")


class Address(NamedTuple):
    """One cell: sheet title, row and column, both counted from 1."""

    sheet: str
    row: int
    column: int

    @property
    def a1(self) -> str:
        """The address as a formula would write it, such as `Capacity!F9` or `'Risk inputs'!B2`."""
        return f"{quoted(self.sheet)}!{column_letters(self.column)}{self.row}"

    @classmethod
    def from_a1(cls, text: str) -> Address:
        """Read `Capacity!F9`, `'Risk inputs'!$B$2`. Raises KernelError for anything else."""
        match = re.fullmatch(r"(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Za-z]{1,3})\$?([1-9]\d*)", text.strip())
        if match is None:
            raise KernelError(f"'{text}' is not the address of one cell.", "Write sheet and cell, such as Capacity!F9.")
        sheet = match[1].replace("''", "'") if match[1] else match[2]
        row, column = int(match[4]), column_number(match[3])
        if row > LAST_ROW or column > LAST_COLUMN:
            raise KernelError(f"'{text}' leaves the sheet.", "The last cell is XFD1048576.")
        return cls(sheet, row, column)


@lru_cache(maxsize=4096)
def quoted(sheet: str) -> str:
    """Return a sheet title as formulas write it: in quotes unless it is one plain word."""
    looks_like_cell = re.fullmatch(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*", sheet)
    if PLAIN_SHEET.fullmatch(sheet) and not looks_like_cell:
        return sheet
    return in_quotes(sheet)


def in_quotes(sheet: str) -> str:
    """Return a sheet title in the quotes of a formula."""
    return "'" + sheet.replace("'", "''") + "'"


class Held(Mapping[Address, Scalar]):
    """Values that are read when they are asked for: by address, sheet by sheet in the tab order, row by row."""

    @abstractmethod
    def on(self, sheet: str) -> Collection[Address]:
        """Return the cells of a sheet that hold something; those of the others need not be read for it."""


class Replaced(Held):
    """Values with others in some cells; what was not there before comes last."""

    def __init__(self, values: Held, new: Mapping[Address, Scalar]) -> None:
        self._values, self._new = values, dict(new)
        if isinstance(values, Replaced):
            self._values, self._new = values._values, {**values._new, **new}

    def __getitem__(self, address: Address) -> Scalar:
        return self._new[address] if address in self._new else self._values[address]

    def get(self, address: Address, default: Scalar = None) -> Scalar:  # type: ignore[override]
        """Return a value, the default where the cell holds nothing."""
        return self._new[address] if address in self._new else self._values.get(address, default)

    def __iter__(self) -> Iterator[Address]:
        yield from self._values
        yield from (address for address in self._new if address not in self._values)

    def __len__(self) -> int:
        return len(self._values) + sum(address not in self._values for address in self._new)

    def on(self, sheet: str) -> Collection[Address]:
        """Return the cells of a sheet that hold something."""
        new = {address: None for address in self._new if address.sheet == sheet}
        return (dict.fromkeys(self._values.on(sheet)) | new).keys()


@dataclass(frozen=True, eq=False)
class Cells:
    """The values and formulas of a workbook.

    `values` maps an address to a float, str, bool, ExcelError, None, or the text of a formula starting with "=".
    `texts` lists the few cells whose plain text starts with "=". `names` holds the defined names with what they stand
    for (no leading "="), those of one sheet under `own_name`. `sheets` is the tab order. `followed` keeps the formula
    cells in an area, those that a formula reads (graph.py) and the order of what some cells need (evaluate.py), for
    every copy with the same formulas.
    """

    values: Mapping[Address, Scalar]
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    sheets: tuple[str, ...] = ()
    texts: frozenset[Address] = frozenset()
    followed: dict[tuple[Any, ...], tuple[Address, ...]] = field(default_factory=dict, init=False, repr=False)
    _replaced: tuple[Cells, Mapping[Address, Scalar]] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.sheets:
            object.__setattr__(self, "sheets", tuple(dict.fromkeys(address.sheet for address in self.values)))

    @classmethod
    def from_openpyxl(cls, workbook: Workbook) -> Cells:
        """Read an openpyxl workbook that was built or loaded with its formulas (not with data_only).

        Raises KernelError if the workbook counts dates from 1904.
        """
        from addin.kernel.formula.from_openpyxl import stored  # and with it openpyxl, which takes its time

        values: dict[Address, Scalar] = {}
        texts = set()
        for title, row, column, value, is_formula in stored(workbook):
            values[address := Address(title, row, column)] = value
            if not is_formula and isinstance(value, str) and value.startswith("="):
                texts.add(address)
        names = {name: meaning(defined.attr_text) for name, defined in workbook.defined_names.items()}
        for sheet in workbook.worksheets:
            names |= {own_name(sheet.title, name): meaning(own.attr_text) for name, own in sheet.defined_names.items()}
        return cls(MappingProxyType(values), MappingProxyType(names), tuple(workbook.sheetnames), frozenset(texts))

    def formula(self, address: Address) -> str | None:
        """Return the text of the formula, "=" included, or None where the cell holds none."""
        value = self.values.get(address)
        if isinstance(value, str) and value[:1] == "=" and len(value) > 1 and address not in self.texts:
            return value
        return None

    def constant(self, address: Address) -> Scalar:
        """Return the value of a cell without formula; None where it is blank. NaN and infinity are #NUM!."""
        value = self.values.get(address)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        return float(value) if math.isfinite(value) else ExcelError.NUM

    def formulas(self) -> Iterator[Address]:
        """Yield the address of every formula cell, in the order of `values`."""
        return (address for address in self.values if self.formula(address) is not None)

    def sheet(self, title: str) -> str:
        """Return the title as the workbook spells it. Raises UnknownName."""
        spelled = self._sheets.get(title) or self._sheets.get(title.casefold())
        if spelled is None and "[" in title:
            raise UnknownName(f"'{title}' is in another workbook.", "Type the figure into the cell, or break the link.")
        if spelled is None:
            raise UnknownName(f"There is no sheet '{title}'.", suggestion(title, self.sheets))
        return spelled

    def name(self, text: str) -> str:
        """Return what a defined name of the workbook stands for. Raises UnknownName."""
        return self.owned(text, "")[0]

    def owned(self, text: str, sheet: str) -> tuple[str, str]:
        """Return what a defined name stands for on a sheet, and the title of the sheet whose own it is, or "".

        As in Excel a name of the sheet comes before one of the workbook. Raises UnknownName.
        """
        for scope in (sheet, "") if sheet else ("",):
            known = self._names.get((own_name(scope, text) if scope else text).casefold())
            if known is not None:
                return known, scope
        if text.casefold().startswith(BOUND):
            shown = f"'{text[len(BOUND) :]}'"
            raise UnknownName(f"{shown} is a name of LET or LAMBDA, not computed here.", "Write the cell without them.")
        raise UnknownName(f"There is no defined name '{text}'.", suggestion(text, self.names))

    def with_values(self, overrides: Mapping[Address, Scalar]) -> Cells:
        """Return the same workbook with some cells replaced by plain values; a formula given here stays text."""
        equals = {a for a, value in overrides.items() if isinstance(value, str) and value.startswith("=")}
        changed = self._with(overrides, (self.texts - overrides.keys()) | equals)
        object.__setattr__(changed, "_replaced", (self, dict(overrides)))
        if all(self.formula(address) is None for address in overrides):
            object.__setattr__(changed, "followed", self.followed)
        return changed

    def with_formula(self, address: Address, text: str) -> Cells:
        """Return the same workbook with a formula, "=" included, in one cell."""
        return self._with({address: text}, self.texts - {address})

    def only(self, values: Mapping[Address, Scalar], formulas: Container[Address]) -> Cells:
        """Return some cells alone; what begins with "=" in any but `formulas` is a text."""
        texts = {
            at for at, value in values.items() if isinstance(value, str) and value[:1] == "=" and at not in formulas
        }
        return Cells(values, self.names, self.sheets, frozenset(texts))

    def _with(self, new: Mapping[Address, Scalar], texts: frozenset[Address]) -> Cells:
        changed = Cells(_replaced(self.values, new), self.names, self.sheets, texts)
        object.__setattr__(changed, "read", self.read)
        object.__setattr__(changed, "placed", self.placed)
        return changed

    @cached_property
    def content(self) -> str:
        """A digest of all there is: what differs has another. The same cells in another order may have another too."""
        import hashlib  # what computes one design does not wait for it

        if self._replaced is None:
            held: object = (
                self.sheets,
                sorted(self.names.items()),
                sorted(self.texts),
                [(*at, value) for at, value in self.values.items()],
            )
        else:
            held = (self._replaced[0].content, sorted(self._replaced[1].items(), key=repr))
        return hashlib.sha256(repr(held).encode()).hexdigest()

    def stored(self, sheet: str) -> Sequence[Address]:
        """Return the cells of a sheet that hold something, row by row."""
        if not isinstance(self.values, Held):
            return self._by_sheet.get(sheet, ())
        if sheet not in self._sorted:
            self._sorted[sheet] = sorted(self.values.on(sheet))
        return self._sorted[sheet]

    @cached_property
    def read(self) -> dict[tuple[str, str], tuple[Any, ...]]:
        """What formulas read, by sheet and text: graph.py finds it. Copies with the same names and sheets share it."""
        return _read(frozenset(self.names.items()), self.sheets)[0] if self.names else {}

    @cached_property
    def placed(self) -> dict[tuple[str, str], tuple[Any, ...]]:
        """The shapes of formulas and what they refer to, by sheet and text, as `read`."""
        return _read(frozenset(self.names.items()), self.sheets)[1] if self.names else {}

    @cached_property
    def _sorted(self) -> dict[str, list[Address]]:
        return {}

    @cached_property
    def _by_sheet(self) -> dict[str, list[Address]]:
        by_sheet: dict[str, list[Address]] = {}
        for address in sorted(self.values):
            by_sheet.setdefault(address.sheet, []).append(address)
        return by_sheet

    @cached_property
    def _sheets(self) -> dict[str, str]:
        return {title.casefold(): title for title in self.sheets} | {title: title for title in self.sheets}

    @cached_property
    def _names(self) -> dict[str, str]:
        return {name.casefold(): text for name, text in self.names.items()}


def _replaced(values: Mapping[Address, Scalar], new: Mapping[Address, Scalar]) -> Mapping[Address, Scalar]:
    if isinstance(values, Held):
        return Replaced(values, new)
    copied = values.copy() if isinstance(values, dict | MappingProxyType) else dict(values)  # {**proxy} takes ten times
    copied.update(new)
    return MappingProxyType(copied)


@lru_cache(maxsize=4)  # of the two copies of a comparison, and of them without prices
def _read(
    names: frozenset[tuple[str, str]], sheets: tuple[str, ...]
) -> tuple[dict[tuple[str, str], tuple[Any, ...]], ...]:
    return {}, {}


def own_name(sheet: str, name: str) -> str:
    """Return the key among `Cells.names` of a name that belongs to one sheet: the sheet in quotes stands before it."""
    return f"{in_quotes(sheet)}!{name}"


def owner_of(key: str) -> tuple[str, str]:
    """Return the sheet whose own a key among `Cells.names` is, "" for one of the workbook, and the name without it."""
    sheet, _, name = key.rpartition("!")
    return sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet, name


def of_the_format(name: str) -> bool:
    """Say whether a name is one that Excel keeps for itself, such as the area to print."""
    return name.startswith("_xl") or name in ("Print_Area", "Print_Titles", "_FilterDatabase")


def meaning(text: str | None) -> str:
    """Return what a defined name stands for, without "="; nothing for a name that the file leaves empty."""
    return (text or "").strip().removeprefix("=")


def suggestion(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """Return the advice that follows an unknown word."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"Did you mean '{near[0]}'?" if near else "Add it to the workbook, or correct the formula."
