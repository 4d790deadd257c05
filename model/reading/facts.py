"""Published numbers, their units, their papers and the contradictions in them, as five plain files hold them.

    units.csv -> sources.csv -> facts.csv -> discrepancies.csv
                             -> facts_elsewhere.csv

Later files cite earlier ones. What was published elsewhere, not in one of the papers that the workbook is checked
against, fills catalogues: figures may rest on it, no evidence can.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from model.errors import Complaint, DataError
from model.reading.columns import ANY, Column, Key, Note, PaperCode, UnitName

KINDS = ("base", "decimal", "binary", "exact", "label")
QUALIFIERS = ("exact", "approx", "lt", "gt", "at_least", "range_low", "range_high")
SEVERITIES = ("H", "M", "L")
FOLLOWED = ("a", "b", "both", "neither")
GB_IS = ("binary", "decimal")
PAPER, ELSEWHERE = "paper", "elsewhere"
PRINTED, DIGITISED = "printed", "digitised"
NEAR = Fraction(1, 10)  # two exact prints of one quantity that differ by more are two measurements
UNDATED = "undated"
_MONTH = re.compile(rf"(19|20)\d\d-(0[1-9]|1[0-2])|{UNDATED}")
_Sentence = Annotated[str, Column(longest=160)]


@dataclass(frozen=True)
class Unit:
    """A unit: `factor` base units of `dimension`, exact. `kind` label allows no arithmetic."""

    name: Annotated[str, Column("unit", key=True)]
    dimension: str
    factor: Fraction
    kind: Annotated[str, Column(choices=KINDS)]
    note: Note


@dataclass(frozen=True)
class Source:
    """A paper; `gb_is` says how its array and volume capacities read unless a fact says otherwise.

    `kind` elsewhere: not one of the papers that the workbook is checked against.
    """

    code: Key
    title: str
    vendor: str
    date: str
    citation: str
    desktops: Note
    provisioning: str
    measures: str
    kind: Annotated[str, Column(choices=(PAPER, ELSEWHERE))]
    gb_is: Annotated[str, Column(choices=GB_IS)]
    note: str

    def faults(self) -> Iterator[str]:
        """Yield a date that is no month."""
        if not _MONTH.fullmatch(self.date):
            yield f"date {self.date!r} is no month; write 2024-07, or {UNDATED}."


@dataclass(frozen=True)
class Fact:
    """A number as printed; `precision` is half a unit in its last printed digit."""

    id: Key
    paper: PaperCode
    location: str
    system: str
    quantity: str
    phase: str
    value: Annotated[float, Column(within=ANY)]
    precision: Annotated[float, Column(within=(1e-9, 1e9))]
    unit: UnitName
    reading_unit: Annotated[str, Column(refers="units", blank=True)]
    qualifier: Annotated[str, Column(choices=QUALIFIERS)]
    desktops: Annotated[int | None, Column(within=(1, 1e6))]
    notes: Note

    @property
    def read_as(self) -> str:
        """Return the unit the number is read in: the printed one unless the data say otherwise."""
        return self.reading_unit or self.unit

    @property
    def exact(self) -> Fraction:
        """Return the printed number without binary rounding."""
        return Fraction(str(self.value))


@dataclass(frozen=True)
class FactElsewhere(Fact):
    """A number published elsewhere: printed, or read off a chart (digitised), and the file of the source it is from."""

    paper: Annotated[str, Column(refers="elsewhere")]
    status: Annotated[str, Column(choices=(PRINTED, DIGITISED))]
    statistic: Note
    os: Note
    provisioning: Note
    file: str


@dataclass(frozen=True)
class Discrepancy:
    """A contradiction inside a paper, or between the pages of a vendor: both readings, the one followed and why."""

    id: Key
    severity: Annotated[str, Column(choices=SEVERITIES)]
    paper: Annotated[str, Column(refers="sources")]
    topic: _Sentence
    reading_a: _Sentence
    reading_b: _Sentence
    followed: Annotated[str, Column(choices=FOLLOWED)]
    why: _Sentence
    fact_ids: Annotated[tuple[str, ...], Column(refers="printed", blank=True)]


@dataclass(frozen=True)
class FactBook:
    """All facts with the units that convert them: those of the papers, and those published elsewhere."""

    facts: Mapping[str, Fact]
    units: Mapping[str, Unit]
    sources: Mapping[str, Source]
    discrepancies: Mapping[str, Discrepancy]
    facts_elsewhere: Mapping[str, FactElsewhere]
    sources_elsewhere: Mapping[str, Source]

    @cached_property
    def every(self) -> Mapping[str, Fact]:
        """Return the facts that a figure may rest on."""
        return {**self.facts, **self.facts_elsewhere}

    def digitised(self, ids: Iterable[str]) -> bool:
        """Say whether one of these facts was read off a chart."""
        return any(self.facts_elsewhere[id].status == DIGITISED for id in ids if id in self.facts_elsewhere)

    def fact(self, id: str, where: str = "") -> Fact:
        """Return the fact with this id; raise DataError naming the closest id when there is none."""
        if id in self.every:
            return self.every[id]
        raise DataError([Complaint(where or id, unknown_fact(id, self.every))])

    def unit(self, name: str, where: str = "") -> Unit:
        """Return the unit with this name; raise DataError naming the closest one when there is none."""
        if name in self.units:
            return self.units[name]
        raise DataError([Complaint(where or name, unknown_unit(name, self.units))])

    def value(self, id: str, unit: str, where: str = "") -> float:
        """Return a fact in another unit by exact factors.

        Raises DataError naming both units when they measure different things.
        """
        fact, to = self.fact(id, where), self.unit(unit, where)
        read = self.units[fact.read_as]
        if not convertible(read, to):
            fault = f"{id} is read in {read.name!r} ({read.dimension}), which does not convert to {to.name!r}"
            fault += f" ({to.dimension})."
            raise DataError([Complaint(where or id, fault)])
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
        for fact in self.every.values():
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


def convertible(a: Unit, b: Unit) -> bool:
    """Say whether two units measure the same thing; a label converts to nothing but itself."""
    return a.dimension == b.dimension and (a == b or "label" not in (a.kind, b.kind))


def unknown_unit(name: str, units: Mapping[str, Unit]) -> str:
    """Return the message for a unit that is not listed."""
    close = [unit for unit in units if unit.lower() == name.lower()] or get_close_matches(name, units, 1)
    return f"unit {name!r} is not in units.csv; " + (f"use {close[0]!r} or add the unit." if close else "add the unit.")


def unknown_fact(id: str, facts: Mapping[str, Fact]) -> str:
    """Return the message for a fact that is not listed."""
    close = get_close_matches(id, facts, 1)
    return f"fact {id!r} is not in facts.csv; " + (f"did you mean {close[0]!r}?" if close else "correct the id.")


def _alike_key(fact: Fact) -> tuple[object, ...]:
    return fact.paper, fact.phase, fact.desktops
