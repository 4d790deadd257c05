"""Data files into records: columns are the record's fields, every cell is checked, complaints name file and row.

A value is a number, a text or an expression over facts (`EQL-055`, `per_desktop(EQL-145,EQL-055)`). An expression
carries its own provenance; a typed number must say `user`, `published` (texts) or `assumed: reason` as its source.
"""

import csv
import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from model.errors import Complaint, DataError
from model.reading.columns import Column, Typed, columns, header
from model.reading.derive import derive
from model.reading.facts import FactBook, unknown_fact, unknown_paper, unknown_unit

NUMBER = re.compile(r"-?\d+(\.\d+)?$")
_FACTOR = re.compile(r"\d+(\.\d+)?(/\d+)?$")
_FORMULA = ("=", "+", "-", "@")
_STATUS = ("published", "derived", "assumed", "user")
_UNREADABLE = Typed(None, "assumed", "unreadable")
R = TypeVar("R")


def _unknown_key(key: str, known: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"expected one of {', '.join(list(known)[:6])} ..."
    return f"{key!r} is unknown; {hint}"


_UNKNOWN: dict[str, Callable[[str, Mapping[str, Any]], str]] = {
    "units": unknown_unit,
    "sources": unknown_paper,
    "facts": unknown_fact,
}


@dataclass(frozen=True)
class Row:
    """One row of a data file: where it stands and its cells by heading."""

    where: str
    cells: Mapping[str, str]


class Reader:
    """Reads one folder and keeps the complaints until `done` raises them together.

    `known` holds what other files may refer to: the records of a file by its key.
    """

    def __init__(self, folder: Path, facts: FactBook | None = None) -> None:
        self.folder, self.facts = folder, facts
        self.complaints: list[Complaint] = []
        self.known: dict[str, Mapping[str, Any]] = {}
        if facts:
            self.known |= {"units": facts.units, "sources": facts.sources, "facts": facts.facts}

    def complain(self, where: str, message: str) -> None:
        self.complaints.append(Complaint(where, message))

    def done(self) -> None:
        """Raise DataError when there was something to complain about."""
        if self.complaints:
            raise DataError(self.complaints)

    def table(self, name: str, record: type[R]) -> tuple[R, ...]:
        """Return the rows of a file as records; a record's own `faults` complain about the row as a whole."""
        every = tuple(columns(record))
        keys = [each.name for each in every if each.key]
        seen: dict[tuple[str, ...], int] = {}
        records, by_key = [], {}
        for line, row in self._rows(name, header(record)):
            key = tuple(sorted(row.cells[each] for each in keys))  # a pair is the same pair in either order
            if keys and key in seen:
                fault = f"{' and '.join(keys)} is already used in row {seen[key]}; give this row its own."
                self.complain(row.where, fault)
            seen.setdefault(key, line)
            made = record(**{each.field: self._value(row, each) for each in every})
            for fault in getattr(made, "faults", tuple)():
                self.complain(row.where, fault)
            records.append(made)
            by_key[key[0] if keys else ""] = made
        if len(keys) == 1:
            self.known[name] = by_key
        return tuple(records)

    def _rows(self, name: str, expected: tuple[str, ...]) -> Iterator[tuple[int, Row]]:
        """Yield line and row of a file with exactly these headings; no cell may hold a formula."""
        path, shown = self.folder / f"{name}.csv", f"model/data/{name}.csv"
        if not path.is_file():
            self.complain(shown, "the file is missing; restore it.")
            return
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file)
            if wrong := _header_fault(next(reader, []), expected):
                self.complain(f"{shown}:1", wrong)
                return
            for cells in reader:
                where = f"{shown}:{reader.line_num} ({cells[0] if cells else ''})"
                if len(cells) != len(expected):
                    fault = f"{len(cells)} cells where {len(expected)} are expected; check commas and quotes."
                    self.complain(where, fault)
                    continue
                for heading, text in zip(expected, cells, strict=True):
                    if text.startswith(_FORMULA) and not NUMBER.match(text):
                        fault = f"column {heading!r} starts with {text[0]!r}; data holds no formulas: reword the text."
                        self.complain(where, fault)
                yield reader.line_num, Row(where, dict(zip(expected, cells, strict=True)))

    def _value(self, row: Row, rules: Column) -> Any:
        """Return what a cell holds, as the type of its field."""
        text = row.cells[rules.name]
        if rules.needed and not text:
            self.complain(row.where, f"{next(iter(row.cells.values()))} has no {rules.name}; {rules.needed}.")
        if rules.choices and text not in rules.choices:
            fault = f"{rules.name} {text!r} is unknown; use one of {', '.join(rules.choices)}."
            self.complain(row.where, fault)
        if rules.type is Typed:
            return self._figure(row, rules)
        if rules.refers:
            return self._reference(row, rules)
        if rules.type is str:
            return text
        value, expected = _PLAIN[rules.type](text)
        if expected:
            self.complain(row.where, f"{rules.name} {text!r} is not {expected}.")
        return value

    def _reference(self, row: Row, rules: Column) -> Any:
        """Return the text, the texts, or the record that stands under the text in the file referred to."""
        known, text = self.known.get(rules.refers, {}), row.cells[rules.name]
        several = rules.type == tuple[str, ...]
        for each in text.split() if several else [text]:
            if each not in known and (each or not rules.blank):
                self.complain(row.where, _UNKNOWN.get(rules.refers, _unknown_key)(each, known))
        return tuple(text.split()) if several else text if rules.type is str else known.get(text)

    def _figure(self, row: Row, rules: Column) -> Typed:
        """Read a value and its provenance."""
        text = row.cells[rules.name]
        source = row.cells[rules.source] if rules.source else ""
        if rules.numbers_only and not NUMBER.match(text):
            source = ""
        unit, kind = row.cells.get(rules.unit, rules.unit), row.cells.get("kind", "number")
        if rules.of:
            file, heading = rules.of.split(":")
            described = self.known[file].get(row.cells[heading])
            if described is None:
                return _UNREADABLE
            unit, kind = described.unit, described.kind
        return self.typed(row.where, text, source, unit, kind == "number")

    def typed(self, where: str, text: str, source: str, unit: str, number: bool = True) -> Typed:
        """Return a value with where it comes from; `unit` is what the workbook shows."""
        status = source.split(":")[0]
        if source and status not in _STATUS:
            self.complain(where, f"source {source!r}: expected a fact, user, published or 'assumed: reason'.")
        if status == "assumed" and not source.partition(":")[2].strip():
            self.complain(where, "source 'assumed' gives no reason; write 'assumed: reason'.")
        if not text:
            return Typed(None, status or "user", source or "user")
        if not number:
            if not source:
                self.complain(where, f"{text!r} has no source; name a fact, user, published or 'assumed: reason'.")
            return Typed(text, status, source)
        if NUMBER.match(text):
            if not source:
                self.complain(where, f"{text} has no source; name a fact, user or 'assumed: reason'.")
            return Typed(float(text), status, source)
        assert self.facts is not None, "expressions are read after the facts"
        try:
            derived = derive(text, self.facts, unit, where)
        except DataError as error:
            self.complaints.extend(error.complaints)
            return _UNREADABLE
        own = "published" if text in derived.fact_ids else "derived"
        shown = f"{source} | {text}" if source else text
        if self.facts.digitised(derived.fact_ids):
            shown += " (read off a chart)"
        return Typed(derived.value, status or own, shown, derived.fact_ids)


def _number(text: str) -> tuple[float, str]:
    return (float(text), "") if NUMBER.match(text) else (0.0, "a number; write digits with a decimal point")


def _number_or_blank(text: str) -> tuple[float | None, str]:
    return _number(text) if text else (None, "")


def _count(text: str) -> tuple[int | None, str]:
    whole = not text or text.isdecimal()
    return int(text) if text.isdecimal() else None, "" if whole else "a whole number; write digits or leave it blank"


def _factor(text: str) -> tuple[Fraction, str]:
    if _FACTOR.match(text) and Fraction(text):
        return Fraction(text), ""
    return Fraction(1), "a number above 0; write digits or a fraction such as 1/60"


def _yes(text: str) -> tuple[bool, str]:
    return text == "yes", "" if text in ("yes", "no") else "yes or no"


# type of a field: what a cell's text becomes, and what was expected where it cannot
_PLAIN: dict[Any, Callable[[str], tuple[Any, str]]] = {
    float: _number,
    float | None: _number_or_blank,
    int | None: _count,
    Fraction: _factor,
    bool: _yes,
}


def _header_fault(headings: list[str], columns: tuple[str, ...]) -> str:
    expected = f"the columns are {', '.join(columns)}."
    missing = [column for column in columns if column not in headings]
    extra = [column for column in headings if column not in columns]
    if missing:
        return f"column {missing[0]!r} is missing; {expected}"
    if extra:
        return f"column {extra[0]!r} is not known; {expected}"
    return "" if tuple(headings) == columns else f"the columns stand in another order or twice; {expected}"
