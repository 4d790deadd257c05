"""Published numbers, their units, their papers and the contradictions in them: four plain files, read whole.

    units.csv -> sources.csv -> facts.csv -> discrepancies.csv

Later files cite earlier ones. Every fault is collected with file and row; nothing is returned while one is left.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from model.errors import Complaint, DataError

UNITS = ("unit", "dimension", "factor", "kind", "note")
SOURCES = ("code", "title", "vendor", "date", "citation", "desktops", "provisioning", "measures", "gb_is", "note")
FACTS = (
    *("id", "paper", "location", "system", "quantity", "phase", "value", "precision"),
    *("unit", "reading_unit", "qualifier", "desktops", "notes"),
)
DISCREPANCIES = ("id", "severity", "paper", "topic", "reading_a", "reading_b", "followed", "why", "fact_ids")

KINDS = ("base", "decimal", "binary", "exact", "label")
QUALIFIERS = ("exact", "approx", "lt", "gt", "at_least", "range_low", "range_high")
SEVERITIES = ("H", "M", "L")
FOLLOWED = ("a", "b", "both", "neither")
GB_IS = ("binary", "decimal")
NEAR = Fraction(1, 10)  # two exact prints of one quantity that differ by more are two measurements
LONGEST = 160  # characters in a field of discrepancies.csv

_NUMBER = re.compile(r"-?\d+(\.\d+)?$")
_FACTOR = re.compile(r"\d+(\.\d+)?(/\d+)?$")


@dataclass(frozen=True)
class Unit:
    """A unit: `factor` base units of `dimension`, exact. `kind` label allows no arithmetic."""

    name: str
    dimension: str
    factor: Fraction
    kind: str
    note: str


@dataclass(frozen=True)
class Source:
    """A paper; `gb_is` says how its array and volume capacities read unless a fact says otherwise."""

    code: str
    title: str
    vendor: str
    date: str
    citation: str
    desktops: str
    provisioning: str
    measures: str
    gb_is: str
    note: str


@dataclass(frozen=True)
class Fact:
    """A number as printed; `precision` is half a unit in its last printed digit."""

    id: str
    paper: str
    location: str
    system: str
    quantity: str
    phase: str
    value: float
    precision: float
    unit: str
    reading_unit: str
    qualifier: str
    desktops: int | None
    notes: str
    place: str = field(compare=False)

    @property
    def read_as(self) -> str:
        """Return the unit the number is read in: the printed one unless the data say otherwise."""
        return self.reading_unit or self.unit

    @property
    def exact(self) -> Fraction:
        """Return the printed number without binary rounding."""
        return Fraction(str(self.value))


@dataclass(frozen=True)
class Discrepancy:
    """A contradiction inside a paper: both readings, the one followed (a, b, both, neither) and why."""

    id: str
    severity: str
    paper: str
    topic: str
    reading_a: str
    reading_b: str
    followed: str
    why: str
    fact_ids: tuple[str, ...]


@dataclass(frozen=True)
class FactBook:
    """All facts with the units that convert them."""

    facts: Mapping[str, Fact]
    units: Mapping[str, Unit]
    sources: Mapping[str, Source]
    discrepancies: Mapping[str, Discrepancy]

    def fact(self, id: str, place: str = "") -> Fact:
        """Return the fact with this id; raise DataError naming the closest id when there is none."""
        if id in self.facts:
            return self.facts[id]
        raise DataError([Complaint(place or id, _unknown_fact(id, self.facts))])

    def unit(self, name: str, place: str = "") -> Unit:
        """Return the unit with this name; raise DataError naming the closest one when there is none."""
        if name in self.units:
            return self.units[name]
        raise DataError([Complaint(place or name, unknown_unit(name, self.units))])

    def value(self, id: str, unit: str, place: str = "") -> float:
        """Return a fact in another unit by exact factors.

        Raises DataError naming both units when they measure different things.
        """
        fact, to = self.fact(id, place), self.unit(unit, place)
        read = self.units[fact.read_as]
        if not convertible(read, to):
            found = f"{id} is read in {read.name!r} ({read.dimension}), which does not convert to {to.name!r}"
            found += f" ({to.dimension})."
            raise DataError([Complaint(place or id, found)])
        return float(fact.exact * read.factor / to.factor)

    def group(self, id: str) -> frozenset[str]:
        """Return the ids that print the same thing as this fact, itself included.

        Same paper, phase and desktops, and either the same system and quantity (exact prints that differ by more than
        10 % are two measurements) or the same value, in the same system or in a unit that is neither count nor share.
        """
        fact = self.fact(id)
        others = self._alike[_alike_key(fact)]
        return frozenset(other.id for other in others if other.id == id or self._same(fact, other))

    @cached_property
    def _alike(self) -> Mapping[tuple[object, ...], list[Fact]]:
        alike: dict[tuple[object, ...], list[Fact]] = {}
        for fact in self.facts.values():
            alike.setdefault(_alike_key(fact), []).append(fact)
        return alike

    def _same(self, a: Fact, b: Fact) -> bool:
        unit_a, unit_b = self.units[a.read_as], self.units[b.read_as]
        if unit_a.dimension != unit_b.dimension:
            return False
        value_a, value_b = a.exact * unit_a.factor, b.exact * unit_b.factor
        if (a.system, a.quantity) == (b.system, b.quantity):
            bounded = (a.qualifier, b.qualifier) != ("exact", "exact")
            return bounded or abs(value_a - value_b) <= NEAR * max(value_a, value_b)
        return value_a == value_b and (a.system == b.system or unit_a.dimension not in ("count", "share"))


@dataclass(frozen=True)
class Row:
    """One data row: where it stands and its cells by column."""

    place: str
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]


def convertible(a: Unit, b: Unit) -> bool:
    """Say whether two units measure the same thing; a label converts to nothing but itself."""
    return a.dimension == b.dimension and (a == b or "label" not in (a.kind, b.kind))


def unknown_unit(name: str, units: Mapping[str, Unit]) -> str:
    """Return the message for a unit that is not listed."""
    close = [unit for unit in units if unit.lower() == name.lower()] or get_close_matches(name, units, 1)
    return f"unit {name!r} is not in units.csv; " + (f"use {close[0]!r} or add the unit." if close else "add the unit.")


def read_rows(path: Path, columns: tuple[str, ...], complaints: list[Complaint]) -> Iterator[Row]:
    """Yield the rows of a CSV file with exactly these columns; add what is wrong with the file to `complaints`."""
    name = f"{path.parent.parent.name}/{path.parent.name}/{path.name}"
    if not path.is_file():
        complaints.append(Complaint(name, "the file is missing; restore it."))
        return
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        wrong = _header_fault(next(reader, []), columns)
        if wrong:
            complaints.append(Complaint(f"{name}:1", wrong))
            return
        seen: dict[str, int] = {}
        for cells in reader:
            row, place = reader.line_num, f"{name}:{reader.line_num} ({cells[0] if cells else ''})"
            if len(cells) != len(columns):
                found = f"{len(cells)} cells where {len(columns)} are expected; check commas and quotes."
                complaints.append(Complaint(place, found))
                continue
            if cells[0] in seen:
                found = f"{columns[0]} is already used in row {seen[cells[0]]}; give this row its own."
                complaints.append(Complaint(place, found))
            seen.setdefault(cells[0], row)
            for column, text in zip(columns, cells, strict=True):
                if text[:1] in ("=", "+", "-", "@") and not _NUMBER.match(text):
                    found = f"column {column!r} starts with {text[0]!r}; data holds no formulas: reword the text."
                    complaints.append(Complaint(place, found))
            yield Row(place, dict(zip(columns, cells, strict=True)))


def load_facts(folder: Path) -> FactBook:
    """Read units, sources, facts and discrepancies from a folder.

    Raises DataError with every complaint of the four files.
    """
    complaints: list[Complaint] = []
    units = {row["unit"]: _unit(row, complaints) for row in read_rows(folder / "units.csv", UNITS, complaints)}
    sources = {row["code"]: _source(row, complaints) for row in read_rows(folder / "sources.csv", SOURCES, complaints)}
    facts: dict[str, Fact] = {}
    for row in read_rows(folder / "facts.csv", FACTS, complaints):
        facts[row["id"]] = _fact(row, units, sources, complaints)
    discrepancies: dict[str, Discrepancy] = {}
    for row in read_rows(folder / "discrepancies.csv", DISCREPANCIES, complaints):
        discrepancies[row["id"]] = _discrepancy(row, sources, facts, complaints)
    if complaints:
        raise DataError(complaints)
    return FactBook(facts, units, sources, discrepancies)


def _unit(row: Row, complaints: list[Complaint]) -> Unit:
    _check_choice(row, "kind", KINDS, complaints)
    factor = Fraction(row["factor"]) if _FACTOR.match(row["factor"]) and Fraction(row["factor"]) else None
    if factor is None:
        found = f"factor {row['factor']!r} is not a number above 0; write digits or a fraction such as 1/60."
        complaints.append(Complaint(row.place, found))
    return Unit(row["unit"], row["dimension"], factor or Fraction(1), row["kind"], row["note"])


def _source(row: Row, complaints: list[Complaint]) -> Source:
    _check_choice(row, "gb_is", GB_IS, complaints)
    return Source(*(row[column] for column in SOURCES))


def _fact(row: Row, units: Mapping[str, Unit], sources: Mapping[str, Source], complaints: list[Complaint]) -> Fact:
    _check_paper(row, sources, complaints)
    for column in ("unit", "reading_unit"):
        if row[column] not in units and (row[column] or column == "unit"):
            complaints.append(Complaint(row.place, unknown_unit(row[column], units)))
    _check_choice(row, "qualifier", QUALIFIERS, complaints)
    value, precision = (_number(row, column, complaints) for column in ("value", "precision"))
    if not re.match(r"\d*$", row["desktops"]):
        found = f"desktops {row['desktops']!r} is not a whole number; write digits or leave it blank."
        complaints.append(Complaint(row.place, found))
    desktops = int(row["desktops"]) if row["desktops"].isdecimal() else None
    texts = {column: row[column] for column in FACTS if column not in ("value", "precision", "desktops")}
    return Fact(value=value, precision=precision, desktops=desktops, place=row.place, **texts)


def _discrepancy(
    row: Row, sources: Mapping[str, Source], facts: Mapping[str, Fact], complaints: list[Complaint]
) -> Discrepancy:
    _check_paper(row, sources, complaints)
    _check_choice(row, "severity", SEVERITIES, complaints)
    _check_choice(row, "followed", FOLLOWED, complaints)
    for column in ("topic", "reading_a", "reading_b", "why"):
        if not 0 < len(row[column]) <= LONGEST:
            found = f"{column} has {len(row[column])} characters; write 1 to {LONGEST}."
            complaints.append(Complaint(row.place, found))
    for id in row["fact_ids"].split():
        if id not in facts:
            complaints.append(Complaint(row.place, _unknown_fact(id, facts)))
    texts = {column: row[column] for column in DISCREPANCIES if column != "fact_ids"}
    return Discrepancy(fact_ids=tuple(row["fact_ids"].split()), **texts)


def _check_paper(row: Row, sources: Mapping[str, Source], complaints: list[Complaint]) -> None:
    if row["paper"] not in sources:
        found = f"paper {row['paper']!r} is not in sources.csv; use one of {', '.join(sources)} or add the paper."
        complaints.append(Complaint(row.place, found))


def _check_choice(row: Row, column: str, choices: tuple[str, ...], complaints: list[Complaint]) -> None:
    if row[column] not in choices:
        found = f"{column} {row[column]!r} is unknown; use one of {', '.join(choices)}."
        complaints.append(Complaint(row.place, found))


def _number(row: Row, column: str, complaints: list[Complaint]) -> float:
    if _NUMBER.match(row[column]):
        return float(row[column])
    found = f"{column} {row[column]!r} is not a number; write digits with a decimal point."
    complaints.append(Complaint(row.place, found))
    return 0.0


def _header_fault(found: list[str], columns: tuple[str, ...]) -> str:
    expected = f"the columns are {', '.join(columns)}."
    missing = [column for column in columns if column not in found]
    extra = [column for column in found if column not in columns]
    if missing:
        return f"column {missing[0]!r} is missing; {expected}"
    if extra:
        return f"column {extra[0]!r} is not known; {expected}"
    return "" if tuple(found) == columns else f"the columns stand in another order or twice; {expected}"


def _unknown_fact(id: str, facts: Mapping[str, Fact]) -> str:
    close = get_close_matches(id, facts, 1)
    return f"fact {id!r} is not in facts.csv; " + (f"did you mean {close[0]!r}?" if close else "correct the id.")


def _alike_key(fact: Fact) -> tuple[object, ...]:
    return fact.paper, fact.phase, fact.desktops
