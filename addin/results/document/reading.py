"""A workbook as the chapters read it: results and inputs by key, tables by headings, values in words.

A figure that an older workbook does not have is left out of its table, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from addin.computing.kernel_engine import Values
from addin.kernel import Address, ExcelError, KernelError, Scalar
from addin.sizing.sentence import no_answer
from addin.sizing.tables import in_words
from addin.sizing.units import bought, counted
from addin.workbook import columns, tabs
from addin.workbook.book import Item, SizingBook, shown
from addin.workbook.item import CLOCK, clock_text, unit_at
from model.layout.styles import is_percent


def keys_of(text: str) -> tuple[str, ...]:
    """Return the keys that a text lists."""
    return tuple(text.split())


PHASES = ("provisioning", "boot", "login", "steady", "logoff", "patching", "scheduled")
PHASE_NAMES = {
    **{"provisioning": "Provisioning", "boot": "Boot", "login": "Login", "steady": "Steady work"},
    **{"logoff": "Log-off", "patching": "Patching", "scheduled": "Scheduled load"},
}
_SHARES = ("utilisation", "share", "free_ratio", "saved_ratio", "used_ratio", "margin")
_SPACE = "\u00a0"  # keeps a number and its unit on one line
BLANK, NO_ANSWER = "\u2013", "no answer"
_AFTER = "arrays_after_failure"
_ROOM = "room_"  # in words where no constraint limits it, which says nothing of a design without an answer
_NEVER_ZERO = keys_of("""
    raw_gib usable_gib effective_gib usable_tib effective_tib usable_after_headroom_gib desktops_by_capacity
    base_latency_ms
""")
_NOT_KNOWN = keys_of("""
    desktop_gib logical_gib capacity_required_gib reduction_saved_gib reduction_saved_ratio overall_reduction_ratio
""")  # 0 of these means: the data of a desktop is not known
_NEVER_IDLE = ("utilisation", "share_used")
NOT_ENTERED = "not entered"
_COARSE = ("min", "IOPS/desktop", "GiB", "TiB", "MB/s")  # three digits below 100


def _rounded(value: float, unit: str) -> str:
    """Return a result with no more digits than its sources have: at most two decimals, none from 100 on."""
    if value == int(value) or abs(value) >= 100 or unit.startswith("desktops"):
        return f"{value:,.0f}"
    return f"{value:,.2f}" if abs(value) >= 0.1 and (unit not in _COARSE) else f"{value:,.3g}"


def _brief(percent: float) -> str:
    return f"{percent:,.0f}" if abs(percent) >= 10 else f"{percent:,.2g}"


@dataclass(frozen=True)
class Reading:
    """The workbook that a document describes, with its values; `prices` says whether money may be shown."""

    book: SizingBook
    prices: bool = False

    @cached_property
    def values(self) -> Values:
        """The evaluator of the cells, which computes each one once."""
        return self.book.values()

    @cached_property
    def without_arrays(self) -> bool:
        """Whether nothing of the design is on an array; its machines' disks are elsewhere then."""
        return "no_array" in self.book.results and self.number("no_array") == 1

    @cached_property
    def logins_meet_boot(self) -> bool:
        """Whether users log in while machines boot: utilisation and latency of the login are those of both together."""
        return self.number("together_iops") > self.number("login_iops")

    def met(self, phase: str) -> tuple[str, str]:
        """Return the name of a phase and its load, as far as its utilisation and latency are of it."""
        if phase == "login" and self.logins_meet_boot:
            return "Login, with the boot", self.text("together_iops")
        return PHASE_NAMES[phase], self.text(f"{phase}_iops")

    @property
    def word(self) -> str:
        """The word for one storage system of the design: array or node."""
        return bought(self.book, self.values)

    @cached_property
    def unanswered(self) -> bool:
        """Whether the workbook cannot size the design: then no result is a figure."""
        return bool(no_answer(self.book, self.values))

    def value(self, key: str) -> Scalar:
        """Return a result, as a number or in words; None where the workbook has no such result."""
        item = self.book.results.get(key)
        if item is None:
            return None
        value = in_words(item.key, item.unit, self.values.value(item.address))
        figure = isinstance(value, float | ExcelError) or key.startswith(_ROOM)
        return NO_ANSWER if self.unanswered and figure else value

    def known(self, key: str) -> Scalar:
        """Return a result as `value` does, but in words where the number stands for an unknown value."""
        value, after = self.value(key), self.value(_AFTER)
        if (key.startswith("failover_") or key.endswith("_after_failure")) and isinstance(after, str):
            return after  # such as: failover unknown
        phase = key.removeprefix("failover_").removeprefix("utilisation_")
        if phase in PHASES and not isinstance(self.value(f"ratio_{phase}"), float):
            return "none" if self.value(f"ratio_{phase}") == "none" else "not checked"
        if (key in _NEVER_ZERO and value == 0) or (key == "free_ratio" and self.value("usable_gib") == 0):
            return "not published"
        if value == 0 and any(word in key for word in _NEVER_IDLE) and not self._idle:
            return "not checked"
        if value == 0 and key == "running_total" and "left out" in str(self.value("cost_status")):
            return NOT_ENTERED
        if key in _NOT_KNOWN and self._stores_unknown:
            return "not known" if self.value("capacity_required_gib") == 0 else value
        return value

    @cached_property
    def _idle(self) -> bool:
        """Whether the arrays have no load: then a utilisation of 0 is a figure."""
        return all(self.value(f"{phase}_iops") == 0 for phase in ("login", "steady"))

    @cached_property
    def _stores_unknown(self) -> bool:
        """Whether the data that the provisioning method stores is unknown."""
        return "what the method stores" in str(self.value("constraints_unchecked"))

    def number(self, key: str) -> float:
        """Return a numeric result, 0 for any other."""
        value = self.known(key)
        return value if isinstance(value, float) and not isinstance(value, bool) else 0.0

    def text(self, key: str) -> str:
        """Return a result as a person reads it, with its unit."""
        item = self.book.results.get(key)
        return BLANK if item is None else self.figure(self.known(key), item.unit, item.key)

    def input(self, key: str) -> str:
        """Return the value that the design uses for an input, with its unit."""
        item = self.book.inputs.get(key)
        if item is None:
            return BLANK
        used = self.used(item)
        blank = used == 0 and self.book.held(item) is None  # the 0 behind a blank is not a figure
        return NOT_ENTERED if blank else self.figure(used, item.unit, key)

    def changed(self, key: str) -> str:
        """Return an input, or a field of a row of the user's own, with its value as one reads it."""
        item = self.book.entry(key)
        held, own = self.book.held(item), item.key not in self.book.inputs
        label = item.label.removesuffix(f", {item.unit}")
        name = f"{item.key.rpartition('.')[0]}, {label}" if own else self.words_of(item.address, item.label)
        return f"{name}: {'blank' if held is None else self.figure(held, item.unit, item.key)}"

    def label(self, key: str) -> str:
        """Return the label of a result or an input in the workbook, without what it says of its cell."""
        item = self.book.results.get(key) or self.book.inputs[key]
        label = self.words_of(item.address, item.also or item.label).partition(" (blank")[0]
        return counted(label.removesuffix(", in words"), self.word)

    def words_of(self, address: Address, label: str) -> str:
        """Return a label, computed where it is a formula."""
        return self.at(columns.label(self.book.cells, address)) if label.startswith("=") else label

    def figure(self, value: Scalar, unit: str = "", key: str = "") -> str:
        """Return a value as a person reads it: percent for shares, years without a comma, yes and no for flags."""
        if isinstance(value, ExcelError):
            return value.value
        if value is None or value == "":
            return BLANK
        if isinstance(value, bool) or not isinstance(value, float | int):
            return str(value)
        if unit == "ratio" and (is_percent(key, unit) if key in self.book.inputs else any(s in key for s in _SHARES)):
            return f"{_brief(100 * value)}{_SPACE}%"
        if unit == "flag":
            return "yes" if value else "no"
        if unit == "year":
            return f"{value:.0f}"
        if unit == "x:1":
            return f"{value:.3g}:1"
        if unit == "date":
            return self.date(value)
        if unit == CLOCK:
            return clock_text(value)
        text = shown(value) if key in self.book.inputs else _rounded(float(value), unit)
        unit = counted(unit, self.word) if unit not in ("ratio", "count") else ""
        if value == 1 and unit in ("arrays", "nodes", "desktops"):
            unit = unit[:-1]
        return f"{text}{_SPACE}{unit}" if unit else text

    @staticmethod
    def date(value: float) -> str:
        """Return Excel's serial number of a day as year-month-day."""
        from openpyxl.utils.datetime import from_excel

        return f"{from_excel(value):%Y-%m-%d}"

    def rows(self, keys: Iterable[str]) -> list[tuple[str, str]]:
        """Return (label, value) of those keys that are results of the workbook."""
        return [(self.label(key), self.text(key)) for key in keys if key in self.book.results]

    def at(self, address: Address) -> str:
        """Return the text that a cell shows."""
        return shown(self.scalar(address))

    def scalar(self, address: Address) -> Scalar:
        """Return the value of a cell."""
        value: Scalar = self.values.value(address)
        return value

    # --- inputs ---

    def used(self, item: Item) -> Scalar:
        """Return the value that the design uses: the typed one, else the default for a blank."""
        value = self.book.held(item)
        if value is not None:
            return value
        at = self._lines.get((item.beside.column, item.also or item.label))
        return None if at is None else self.scalar(at)

    def entered(self, key: str) -> float | None:
        """Return the number that the design uses for an input; None for any other value."""
        item = self.book.inputs.get(key)
        value = None if item is None else self.used(item)
        return value if isinstance(value, float) and value >= 0 else None

    @cached_property
    def _lines(self) -> Mapping[tuple[int, str], Address]:
        """Return the first formula cell of each (column, label), outside the sheets where people type."""
        cells, lines = self.book.cells, dict[tuple[int, str], Address]()
        place = cache(lambda sheet: columns.of(cells, sheet).label)
        typed = {each.beside.sheet for each in self.book.inputs.values()}
        typed |= {each.address.sheet for each in self.book.inputs.values()}
        for at in cells.formulas():
            if at.sheet not in typed:
                label = cells.constant(at._replace(column=place(at.sheet)))
                if isinstance(label, str):
                    lines.setdefault((at.column, label), at)
        return lines

    # --- tables by their headings ---

    def heading(self, sheet: str, text: str) -> Address | None:
        """Return the first cell of a sheet with a given text."""
        cells = self.book.cells
        return next((at for at in cells.stored(tabs.title(cells, sheet)) if cells.values[at] == text), None)

    def block(self, sheet: str, *headings: str) -> Iterator[list[Scalar]]:
        """Yield the rows under some headings of one row, down to the first blank cell of the first column."""
        cells = self.book.cells
        sheet = tabs.title(cells, sheet)
        for first in (at for at in cells.stored(sheet) if cells.values[at] == headings[0]):
            row = {at.column: self.at(at) for at in cells.stored(sheet) if at.row == first.row}
            found = (
                [n for n, text in sorted(row.items()) if text == heading and n >= first.column] for heading in headings
            )
            columns = [each[0] for each in found if each]
            if len(columns) == len(headings):
                break
        else:
            return
        at = first._replace(row=first.row + 1)
        while cells.values.get(at) is not None:
            yield [self.scalar(at._replace(column=column)) for column in columns]
            at = at._replace(row=at.row + 1)

    @cached_property
    def _labels(self) -> Mapping[str, list[Address]]:
        labels: dict[str, list[Address]] = {}
        place = cache(lambda sheet: columns.of(self.book.cells, sheet).label)
        for at in sorted(at for at in self.book.cells.values if at.column == place(at.sheet)):
            labels.setdefault(at.sheet, []).append(at)
        return labels

    def lines(self, sheet: str) -> Iterator[tuple[str, str, Address]]:
        """Yield (label, unit, cell in the column of labels) of every row of a sheet, from the top."""
        for at in self._labels.get(tabs.title(self.book.cells, sheet), ()):
            yield self.at(at), unit_at(self.book.cells, at), at

    def line(self, sheet: str, label: str) -> Address | None:
        """Return the cell of a label in the first column of a sheet."""
        return next((at for text, _, at in self.lines(sheet) if text == label), None)

    def named(self, name: str) -> str:
        """Return the text of a named cell, empty without such a name."""
        text = self.book.cells.names.get(name)
        if text is None:
            return ""
        try:
            at = self.book.address(text, name)
            value = self.scalar(at)
        except (KernelError, ValueError):
            return ""
        return shown(value) if not isinstance(value, float) else self.date(value) if value > 20000 else shown(value)

    def several(self, count: float) -> str:
        """Return a number of arrays or nodes in words."""
        return f"{count:,.0f}{_SPACE}{self.word}{'' if count == 1 else 's'}"
