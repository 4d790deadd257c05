"""The sources of the figures of a design: every input with its status and its source in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from addin.kernel import Address, Scalar
from addin.leaving.amounts import mentions_money
from addin.prices import is_money
from addin.results.document.reading import BLANK, PHASE_NAMES, Reading
from addin.results.labels import Design, Evidence, Lists, Predictions
from addin.workbook import columns, tables, tabs
from addin.workbook.book import Item, shown
from model.layout.grid import LISTS
from model.reading.inputs import Input
from model.reading.read import read
from model.sheets.catalogue.general import ASSUMED

_FACTS = ("Sources", "Evidence")  # below Evidence since 0.3.0
_CONTRADICTIONS = ("Discrepancies", "Predictions")  # below Predictions since 0.3.0
FACT = re.compile(r"\b[A-Z][A-Z0-9]{1,3}-\d{3,}\b")
MOST_FACTS = 4  # quoted in the source of one figure
_FUNCTION = re.compile(r"[a-z_0-9]+\(")
_PHASE_SOURCES = {
    "iops_per_desktop": Lists.SOURCE_OF_IOPS,
    "run_min": Lists.SOURCE_OF_MINUTES,
    "read_ratio": Lists.SOURCE_OF_SHARE,
    "block_kib": Lists.SOURCE_OF_BLOCK,
}
_REDUCTION = (Lists.REDUCTION_PLAIN, Lists.REDUCTION_INLINE)
_TABLES = {  # defaults for blanks: a table of Lists, its row unless the design chooses one, its figures
    "data_reduction_ratio": (Lists.METHOD, "", _REDUCTION),
    "image_reduction_ratio": (Lists.COMPONENT, Lists.IMAGES, _REDUCTION),
    "user_data_reduction_ratio": (Lists.COMPONENT, Lists.USER_DATA, _REDUCTION),
    "swap_reduction_ratio": (Lists.COMPONENT, Lists.SWAP, _REDUCTION),
    "latency_limit_ms": (Lists.CLASS, "", (Lists.LATENCY_LIMIT,)),
    "boot_latency_limit_ms": (Lists.CLASS, "", (Lists.LATENCY_LIMIT,)),
}
_TOLD = (
    *(Predictions.ID, Predictions.SEVERITY, Predictions.TOPIC, Predictions.FIRST, Predictions.SECOND),
    *(Predictions.FOLLOWED, Predictions.WHY),
)
_MISSED = (
    *(Evidence.ID, Evidence.WHAT, Evidence.PRINTED_FROM, Evidence.PRINTED_TO, Evidence.OURS, Evidence.UNIT),
    Evidence.NOTE,
)
_ON_FILE = {  # what a card has, and the input that chooses the card
    "array_price": "array",
    "support_included_years": "array",
    "container_array_price": "container_array",
}
MEASURED = "Your own measurement"
SHOWN_BY = frozenset(("review_case", "timeline_case", "older_arrays"))  # affect the display of a sheet, no result
"""Status of a figure: user (typed or chosen for this design), published, derived, assumed, measured."""


@dataclass(frozen=True)
class Origin:
    """An input of the design: label, value used, status, source in words."""

    item: Item
    label: str
    value: str
    status: str
    source: str


@dataclass(frozen=True)
class Origins:
    """The inputs of a design with their sources."""

    reading: Reading

    @cached_property
    def _facts(self) -> Mapping[str, Mapping[str, Address]]:
        sheet = _first(self.reading, _FACTS)
        rows = tables.rows(self.reading.book, sheet, having=Evidence.QUANTITY)
        return {shown(self.reading.scalar(row[Evidence.ID])): row for row in rows if Evidence.ID in row}

    def _fact_cell(self, id_: str, heading: str) -> str:
        row = self._facts.get(id_, {})
        return self.reading.at(row[heading]) if heading in row else ""

    def paper(self, code: str) -> str:
        """Return a paper as people cite it: publisher, title, date."""
        title = self._fact_cell(code, Evidence.WHERE)
        publisher, date = (self._fact_cell(code, heading) for heading in (Evidence.SYSTEM, Evidence.PAPER))
        return f"{publisher}, {title} ({date})" if title else code

    def fact(self, id_: str) -> str:
        """Return a printed figure in words: quantity, value, paper, place."""
        if id_ not in self._facts:
            return id_
        heads = (Evidence.QUANTITY, Evidence.PRINTED, Evidence.UNIT)
        what, value, unit = (self._fact_cell(id_, heading) for heading in heads)
        paper = self._fact_cell(id_, Evidence.PAPER)
        return f"{what} {value} {unit}".strip() + f", {paper} {self._fact_cell(id_, Evidence.WHERE)}"

    def in_words(self, source: str) -> tuple[str, str]:
        """Return status and words of a source in the notation of the workbook: user, assumed: why, facts."""
        source = source.partition(" | ")[0].strip()
        if source.startswith("assumed"):
            return "assumed", source.removeprefix("assumed").lstrip(": ")
        facts = list(dict.fromkeys(FACT.findall(source)))
        if facts:
            words = "; ".join(self.fact(id_) for id_ in facts[:MOST_FACTS])
            more = "; and others" if len(facts) > MOST_FACTS else ""
            return ("published", words) if source == facts[0] else ("derived", f"from {words}{more}")
        if source.startswith("published"):
            return "published", source.removeprefix("published").lstrip(": ") or "named in its paper"
        if _FUNCTION.match(source):
            return "derived", f"computed from the tables of the papers: {source.partition('(')[0].replace('_', ' ')}"
        return "user", ""

    @cached_property
    def inputs(self) -> tuple[Origin, ...]:
        """Every input of the base design in the order of the sheets; those about money only with prices."""
        items = sorted(self.reading.book.inputs.values(), key=lambda item: item.address)
        wanted = [item for item in items if item.key not in SHOWN_BY]
        return tuple(self._origin(item) for item in wanted if self.reading.prices or not is_money(item.key))

    @property
    def left_out(self) -> int:
        """The number of inputs about money that are left out."""
        return 0 if self.reading.prices else sum(is_money(key) for key in self.reading.book.inputs)

    def _origin(self, item: Item) -> Origin:
        reading, cells = self.reading, self.reading.book.cells
        typed = reading.book.held(item)
        basis = shown(cells.constant(columns.basis(cells, item.beside))).removeprefix("Typed on Answer. ")
        source, _, help_ = basis.partition(". ")
        label, _, instead = reading.words_of(item.address, item.label).partition(" (blank = ")
        if typed is None:
            return self._blank(item, label, instead.rstrip(")") or help_.partition("blank = ")[2], help_ or source)
        shipped = _shipped().get(item.key)
        value = reading.figure(typed, item.unit, item.key)
        status, words = self.in_words(source)
        if MEASURED in basis:
            return Origin(item, label, value, "measured", "your own measurement, as typed")
        if shipped is not None and not _same(typed, shipped.value.value):
            before = reading.figure(shipped.value.value, item.unit, item.key).replace(BLANK, "none")
            return Origin(item, label, value, "user", f"typed for this design; the workbook ships with {before}")
        if shipped is not None and status == "user":
            status, words = self.in_words(shipped.value.source)
        return Origin(item, label, value, status, words or "as the workbook ships; confirm it")

    def _blank(self, item: Item, label: str, instead: str, help_: str) -> Origin:
        """Return a blank input with the default that the workbook uses for it, if any."""
        reading, used = self.reading, self.reading.used(item)
        if not (isinstance(used, float) and used > 0):
            return Origin(item, label, "not entered", "blank", f"blank = {instead}" if instead else help_)
        value, status, words = reading.figure(used, item.unit, item.key), "derived", ""
        source = self._of_profile(item) or self._of_table(item.key, used)
        if source:
            status, words = self.in_words(source)
        if general_default(reading, item.key):
            status, words = "assumed", f"a general default in place of your own figure: {words}"
        instead = self._on_file(item.key) or instead or "the profile's"
        where = f"not entered: {instead}"
        return Origin(item, label, value, status, f"{where}; {words}" if words else where)

    def _on_file(self, key: str) -> str:
        """Return which quote a blank price, or blank years of support, are from; empty for any other input."""
        reading, choice = self.reading, _ON_FILE.get(key)
        if choice is None or choice not in reading.book.inputs:
            return ""
        name, own = reading.used(reading.book.inputs[choice]), reading.book.own
        items = (own.get(f"{name}.{field}") for field in ("price", "quote_id"))
        parts = (reading.figure(reading.scalar(item.address), item.unit) for item in items if item is not None)
        return ", ".join(("from the quote on file", *(part for part in parts if part != BLANK)))

    def _sheet(self, name: str) -> str:
        """Return the sheet of a catalogue: its own in copies of 0.2.0, Lists in later ones."""
        cells = self.reading.book.cells
        return name if name in cells.sheets else tabs.title(cells, LISTS)

    def _of_profile(self, item: Item) -> str:
        """Return the source of a figure of the design's profile; empty for any other input."""
        profile = self.reading.used(self.reading.book.inputs["profile"])
        phase, _, figure = item.key.partition("_")
        heading = _PHASE_SOURCES.get(figure)
        if heading and phase in PHASE_NAMES:
            rows = self.reading.block(self._sheet("Workloads"), Lists.PROFILE, Lists.PHASE, heading)
            return next((str(row[2] or "") for row in rows if row[:2] == [profile, PHASE_NAMES[phase]]), "")
        key = f"{item.key}_source"
        if key not in self.reading.book.results:
            return ""
        wanted = (self.reading.value(key), (item.also or item.label).partition(" (blank")[0])
        return next((text for row, column, text in self._defaults if (row, column) == wanted), "")

    def _of_table(self, key: str, used: Scalar) -> str:
        """Return the source of a default on Lists; empty where the array has its own figure."""
        if key not in _TABLES:
            return ""
        reading, (table, name, figures) = self.reading, _TABLES[key]
        method = reading.used(reading.book.inputs["provisioning"])
        chosen = {Lists.METHOD: method, Lists.CLASS: self._class}.get(table, name)
        rows = reading.block(self._sheet("Provisioning"), table, Lists.SOURCE, *figures)
        return next((str(row[1] or "") for row in rows if row[0] == chosen and used in row[2:]), "")

    @property
    def _class(self) -> Scalar:
        """The class of the design's array: flash, hybrid or disk."""
        names = [row[0] for row in self.reading.block(self._sheet("Provisioning"), Lists.CLASS)]
        at = self.reading.line(Design.SHEET, Design.CLASS_ROW)
        row = at and self.reading.scalar(at._replace(column=self.reading.book.inputs["provisioning"].beside.column))
        return names[int(row) - 1] if isinstance(row, float) and 1 <= row <= len(names) else None

    @cached_property
    def _defaults(self) -> tuple[tuple[Scalar, str, str], ...]:
        """(profile, label, source) of every figure that belongs to a profile."""
        reading = self.reading
        sheet = self._sheet("Defaults")
        first = reading.heading(sheet, Lists.SOURCES)
        heads = [at for at in reading.book.cells.stored(sheet) if reading.book.cells.values[at] == Lists.PROFILE]
        head = max((at for at in heads if first is not None and at.row < first.row), default=None)
        if first is None or head is None:
            return ()
        columns = {
            at.column: reading.at(at).rpartition(", ")[0]
            for at in reading.book.cells.stored(sheet)
            if at.row == head.row
        }
        return tuple(
            (reading.scalar(left), label, reading.at(left._replace(column=column)))
            for _, _, left in reading.lines(sheet) if left.row > first.row
            for column, label in columns.items()
        )  # fmt: skip


def general_default(reading: Reading, key: str) -> bool:
    """Return whether a blank input uses the general default, as the profile has no figure for it either."""
    source = reading.value(f"{key}_source")
    return isinstance(source, str) and source.startswith(ASSUMED)


def _first(reading: Reading, titles: Iterable[str]) -> str:
    """Return the first of some sheets that the workbook has, whatever it is called there; empty without one."""
    cells = reading.book.cells
    return next((title for name in titles if (title := tabs.title(cells, name)) in cells.sheets), "")


def _same(one: Scalar, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other))
    return one == other


@cache
def _shipped() -> Mapping[str, Input]:
    return {each.key: each for each in read().inputs}


def touching(reading: Reading, facts: set[str], papers: set[str]) -> Iterator[tuple[str, ...]]:
    """Yield the contradictions within some papers about a fact that the design cites."""
    sheet = _first(reading, _CONTRADICTIONS)
    for row in tables.rows(reading.book, sheet, having=Predictions.SEVERITY):
        cited = set(FACT.findall(reading.at(row[Predictions.FACTS]))) if Predictions.FACTS in row else set()
        if cited & facts and reading.at(row[Predictions.PAPER]) in papers:
            yield tuple(_whole(reading.at(row[head])) if head in row else BLANK for head in _TOLD)


def misses(reading: Reading, papers: set[str]) -> Iterator[tuple[str, ...]]:
    """Yield the printed results of some papers that the formulas do not reproduce, with the reason."""
    wanted = {Evidence.KNOWN_MISS, Evidence.DIFFERS}
    for row in tables.rows(reading.book, _first(reading, _FACTS[1:])):
        verdict = reading.at(row[Evidence.VERDICT]) if Evidence.VERDICT in row else ""
        if verdict in wanted and reading.at(row[Evidence.PAPER]) in papers:
            found = tuple(_whole(reading.at(row[head])) if head in row else BLANK for head in _MISSED)
            if reading.prices or not any(map(mentions_money, found)):
                yield found


def _whole(text: str) -> str:
    """Return a text with a non-breaking hyphen in ids such as NTP-14."""
    return re.sub(r"\b([A-Z][A-Z0-9]+)-(\d)", "\\1\u2011\\2", text)
