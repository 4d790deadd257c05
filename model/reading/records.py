"""What the data files hold, as frozen records: the fields of a record are the columns of its file, in their order.

`faults` of a record says what is wrong with a row as a whole; single cells follow the rules of their columns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from model.reading.catalogue import (
    Array,
    ArrayClass,
    ArrayField,
    Cache,
    CardField,
    Component,
    Encryption,
    Hypervisor,
    Method,
    Phase,
    ProfileField,
    ProfilePhase,
    RaidLevel,
    TableRow,
)
from model.reading.columns import Column, FactId, Key, PaperCode, Typed, UnitName
from model.reading.facts import FactBook
from model.reading.risk import DISTRIBUTIONS, NUMBERS

_InputFigure = Annotated[Typed, Column(of="inputs:key", source="source")]  # in the unit of the input its row names


@dataclass(frozen=True)
class Input:
    """One input row: `value.value` is None for an optional input that ships blank.

    `kind` is number or choice; or, typed once for the whole workbook, case: the name of a design, or text.
    `blank` says whether the cell may stay empty: yes, no, or profile: it ships empty, an empty cell takes the
    figure that travels with the profile, and `value` is the general default, for profiles that have none.
    """

    key: Key
    sheet: Annotated[str, Column(choices=("Inputs", "More inputs"))]
    group: str
    label: str
    unit: UnitName
    kind: Annotated[str, Column(choices=("number", "choice", "case", "text"))]
    value: Annotated[Typed, Column(unit="unit", source="source")]
    minimum: Annotated[float | None, Column("min")]
    maximum: Annotated[float | None, Column("max")]
    blank: Annotated[str, Column("optional", choices=("yes", "no", "profile"))]
    choices: Annotated[str, Column("list")]
    help: str

    @property
    def optional(self) -> bool:
        """Say whether its cells may stay empty."""
        return self.blank != "no"

    @property
    def once(self) -> bool:
        """Say whether it is typed once for all designs."""
        return self.kind in ("case", "text")

    @property
    def travels(self) -> bool:
        """Say whether an empty cell takes the profile's figure."""
        return self.blank == "profile"

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with range and value."""
        low, high, value = self.minimum, self.maximum, self.value.value
        if low is None or high is None:
            if self.kind == "number":
                yield f"{self.key} has no min or max; every number needs a range."
        elif isinstance(value, float) and not low <= value <= high:
            yield f"{self.key} is {value:g}, outside {low:g} to {high:g}; correct the value or the range."
        if value is None and self.blank != "yes":
            yield f"{self.key} has no value; only an optional input may ship blank."
        if self.travels and self.kind != "number":
            yield f"{self.key} is a {self.kind}; only numbers travel with a profile."


@dataclass(frozen=True)
class ProfileDefault:
    """One figure that travels with a profile: an input's, or a field of its own (`profile_fields.csv`)."""

    profile: Annotated[str, Column(key=True, refers="profiles")]
    figure: Annotated[ProfileField | Input | None, Column("key", key=True, refers="profile_figures")]
    value: Annotated[Typed, Column(of="profile_figures:key", source="source")]

    def faults(self) -> Iterator[str]:
        """Yield a value outside the range of its cell."""
        value = self.value.value
        if self.figure and isinstance(value, float):
            low, high = self.figure.minimum or 0, self.figure.maximum or 0
            if not low <= value <= high:
                yield f"{self.figure.key} is {value:g}, outside {low:g} to {high:g}."


@dataclass(frozen=True)
class CaseValue:
    """One input of one published test, as the file holds it."""

    case: Key
    paper: PaperCode
    input: Annotated[Input | None, Column("key", key=True, refers="inputs")]
    value: _InputFigure


@dataclass(frozen=True)
class Case:
    """A published test: a column that runs through the user's own formulas."""

    name: str
    paper: str
    values: dict[str, Typed]


@dataclass(frozen=True)
class Sum:
    """A piece of a paper's own arithmetic, recomputed: result = operation(a, b)."""

    id: Key
    label: str
    operation: Annotated[str, Column(choices=("product", "ratio", "saving", "total"))]
    a: Annotated[Typed, Column(unit="a_unit")]
    a_unit: UnitName
    b: Annotated[Typed, Column(unit="b_unit")]
    b_unit: UnitName
    unit: UnitName
    note: str


@dataclass(frozen=True)
class Evidence:
    """A printed result beside the workbook's. `ours` is `key@case` or `sum:id`; `pin` its value for a known miss."""

    id: Key
    low: FactId
    high: FactId
    rule: Annotated[str, Column(choices=("exact", "approx", "lt", "gt", "range"))]
    ours: str
    unit: UnitName
    kind: Annotated[str, Column(choices=("input", "reproduced", "consistency"))]
    label: str
    pin: float | None
    note: str

    @property
    def paper(self) -> str:
        """Return the code of the paper that prints it."""
        return (self.low or self.high).split("-")[0]

    def faults(self) -> Iterator[str]:
        """Yield what no row may lack."""
        if not self.low and not self.high:
            yield f"{self.id} cites no fact; fill low, high or both."
        if self.pin is not None and not self.note:
            yield f"{self.id} pins a known miss without a reason; fill note."


@dataclass(frozen=True)
class Prediction:
    """A printed result beside what the workbook computes from other figures; `role` none says why it is no prediction.

    `scope` is within a paper or across papers, `role` fixed (counted) or variant (shown beside). `ours` is blank where
    nothing could be computed.
    """

    id: Key
    scope: Annotated[str, Column(choices=("within", "across"))]
    role: Annotated[str, Column(choices=("fixed", "variant", "none"))]
    low: FactId
    high: FactId
    ours: str
    unit: UnitName
    label: str
    how: str
    why: str

    def faults(self) -> Iterator[str]:
        """Yield what a row of its role may not lack."""
        if self.role == "none" and not self.why:
            yield f"{self.id} is no prediction without a reason; fill why."
        if self.role != "none" and not (self.low and self.high and self.ours and self.how):
            yield f"{self.id} lacks what is printed, ours or how; fill low, high, ours and how."


_ALL_FOUR = "every point needs all four figures"


def _printed(unit: str) -> Column:
    return Column(unit=unit, source="source", numbers_only=True, needed=_ALL_FOUR)


@dataclass(frozen=True)
class LatencyPoint:
    """A latency that a paper prints under a load: `fitted` to the curve, `predicted` by it, or a `bound` to hold."""

    id: Key
    array: Annotated[str, Column(refers="arrays")]
    phase: str
    role: Annotated[str, Column(choices=("fitted", "predicted", "bound"))]
    iops: Annotated[Typed, _printed("IOPS")]
    read_ratio: Annotated[Typed, Column(unit="ratio", source="source", needed=_ALL_FOUR)]
    latency_ms: Annotated[Typed, _printed("ms")]
    utilisation: Annotated[Typed, _printed("ratio")]
    source: str
    note: str


@dataclass(frozen=True)
class Preset:
    """A named what-if."""

    name: Annotated[str, Column("preset")]
    key: Annotated[str, Column(refers="inputs")]
    value: _InputFigure
    purpose: str


@dataclass(frozen=True)
class Alternative:
    """One cell of a what-if that ships filled: the number of the what-if, the input and what is typed there."""

    what_if: Annotated[str, Column(choices=tuple("1234567"))]
    key: Annotated[str, Column(refers="inputs")]
    value: _InputFigure


_IN_RANGE = ("minimum", "mode", "maximum")


@dataclass(frozen=True)
class RiskRow:
    """How an input spreads: a distribution, its typed parameters by column, and a list of values where it takes one."""

    input: Annotated[Input, Column("key", key=True, refers="inputs")]
    distribution: Annotated[str, Column(choices=tuple(DISTRIBUTIONS))]
    minimum: _InputFigure
    mode: _InputFigure
    maximum: _InputFigure
    spread: _InputFigure
    shape: Annotated[Typed, Column(unit="ratio", source="source")]
    second_shape: Annotated[Typed, Column(unit="ratio", source="source")]
    listed: Annotated[str, Column("values")]
    stated: Annotated[str, Column("source")]
    help: str

    @property
    def cells(self) -> dict[str, Typed]:
        """Return the parameters by column."""
        return {name: getattr(self, name) for name in NUMBERS}

    @property
    def source(self) -> str:
        """Return where the figures come from: what is stated, else the expressions themselves."""
        return self.stated or ", ".join(typed.source for typed in self.cells.values() if typed.value is not None)

    def faults(self) -> Iterator[str]:
        """Yield figures outside the input's range, and columns that the distribution lacks or has no use for."""
        if self.input is None or self.distribution not in DISTRIBUTIONS:
            return
        if self.input.kind != "number":
            yield f"{self.input.key} is a {self.input.kind}; only numbers are uncertain."
        for name, typed in self.cells.items():
            low, high = (self.input.minimum or 0, self.input.maximum or 0) if name in _IN_RANGE else (0, 1e9)
            if isinstance(typed.value, float) and not low <= typed.value <= high:
                yield f"{name} is {typed.value:g}, outside {low:g} to {high:g} of {self.input.key}; correct it."
        columns = DISTRIBUTIONS[self.distribution]
        given = {name for name, typed in self.cells.items() if typed.value is not None} | (
            {"values"} if self.listed else set()
        )
        missing = [name for name in columns if not name.endswith("?") and name not in given]
        extra = given - {name.rstrip("?") for name in columns}
        if missing or extra:
            wrong = f"lacks {', '.join(missing)}" if missing else f"has no use for {', '.join(sorted(extra))}"
            yield f"{self.distribution} {wrong}; fill or empty the column."


@dataclass(frozen=True)
class Correlation:
    """A rank correlation between two uncertain inputs."""

    first: Annotated[str, Column(key=True, refers="risk")]
    second: Annotated[str, Column(key=True, refers="risk")]
    rank: Annotated[Typed, Column(unit="ratio", source="source")]

    def faults(self) -> Iterator[str]:
        """Yield a pair that is none, and what is no rank."""
        if self.first == self.second:
            yield f"{self.first} is paired with itself; name two inputs."
        if not isinstance(self.rank.value, float) or not -1 <= self.rank.value <= 1:
            yield f"rank is {self.rank.value}; expected -1 to 1."


@dataclass(frozen=True)
class Data:
    """Everything that is typed, as records."""

    facts: FactBook
    inputs: tuple[Input, ...]
    phases: tuple[Phase, ...]
    fields: tuple[ArrayField, ...]
    card_fields: tuple[CardField, ...]
    arrays: tuple[Array, ...]
    profiles: tuple[ProfilePhase, ...]
    profile_fields: tuple[ProfileField, ...]
    profile_defaults: tuple[ProfileDefault, ...]
    methods: tuple[Method, ...]
    caches: tuple[Cache, ...]
    raid: tuple[RaidLevel, ...]
    classes: tuple[ArrayClass, ...]
    components: tuple[Component, ...]
    hypervisors: tuple[Hypervisor, ...]
    encryption: tuple[Encryption, ...]
    points: tuple[LatencyPoint, ...]
    cases: tuple[Case, ...]
    sums: tuple[Sum, ...]
    evidence: tuple[Evidence, ...]
    predictions: tuple[Prediction, ...]
    presets: tuple[Preset, ...]
    alternatives: tuple[Alternative, ...]
    risk: tuple[RiskRow, ...]
    correlations: tuple[Correlation, ...]

    def input(self, key: str) -> Input:
        """Return the input with that key; raise KeyError."""
        return next(i for i in self.inputs if i.key == key)

    @property
    def tables(self) -> dict[str, tuple[TableRow, ...]]:
        """Return the small tables of the sheet Provisioning by kind, in their order there."""
        return {
            "method": self.methods,
            "component": self.components,
            "hypervisor": self.hypervisors,
            "encryption": self.encryption,
            "cache": self.caches,
            "raid": self.raid,
            "class": self.classes,
        }

    def travelling(self) -> tuple[Input, ...]:
        """Return the inputs whose empty cells take the profile's figure."""
        return tuple(item for item in self.inputs if item.travels)

    def profile_default(self, profile: str, key: str) -> Typed | None:
        """Return the figure that travels with a profile; None where it has none."""
        rows = (row for row in self.profile_defaults if row.profile == profile)
        return next((row.value for row in rows if row.figure and row.figure.key == key), None)

    def profile_names(self) -> tuple[str, ...]:
        """Return the profile names in the order of the file, each once."""
        return tuple(dict.fromkeys(row.profile for row in self.profiles))
