"""What the data files hold, as frozen records: the fields of a record are the columns of its file, in their order.

`faults` of a record says what is wrong with a row as a whole; single cells follow the rules of their columns.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from model.reading.catalogue import (
    Array,
    ArrayClass,
    ArrayField,
    ArrayValue,
    Cache,
    CardField,
    Component,
    ContainerShare,
    DiskTier,
    Encryption,
    Hypervisor,
    Method,
    Phase,
    ProfileField,
    ProfilePhase,
    RaidLevel,
    Ranged,
    SharePrice,
    ShareService,
    TableRow,
)
from model.reading.choices import WHATIFS
from model.reading.columns import ANY, UNREADABLE, Column, FactId, Key, Note, PrintedId, Typed, UnitName, UnitOfKey
from model.reading.facts import Discrepancy, Fact, FactBook, FactElsewhere, Source, Unit
from model.reading.risk import DISTRIBUTIONS, NUMBERS

CODES = (-1.0, -3.0)  # of published columns: not entered, not run
_InputFigure = Annotated[Typed, Column(of="inputs:key", source="source")]  # in the unit of the input its row names


@dataclass(frozen=True)
class Input(Ranged):
    """One input row: `value.value` is None for an optional input that ships blank.

    `kind` is number, time, date or choice; or, typed once for the whole workbook, case: the name of a design, or text.
    `blank` says whether the cell may stay empty: yes, no, or profile: it ships empty, an empty cell takes the
    figure that travels with the profile, and `value` is the general default, for profiles that have none.
    """

    key: Key
    sheet: Annotated[str, Column(choices=("Inputs", "More inputs"))]
    group: str
    label: str
    unit: UnitOfKey
    kind: Annotated[str, Column(choices=("number", "choice", "case", "text", "time", "date"))]
    value: Annotated[Typed, Column(of="row", source="source", blank=True)]
    minimum: Annotated[float | None, Column("min")]
    maximum: Annotated[float | None, Column("max")]
    blank: Annotated[str, Column("optional", choices=("yes", "no", "profile"))]
    choices: Annotated[str, Column("list", refers="lists", blank=True)]
    help: str

    @property
    def list_name(self) -> str:
        """Return the list whose words it takes; empty for none."""
        return self.choices

    @property
    def optional(self) -> bool:
        """Say whether its cells may stay empty."""
        return self.blank != "no"

    @property
    def whole(self) -> bool:
        """Say whether its cells take whole numbers alone: years, and the number of a joint row."""
        return self.unit == "years" or self.key == "measured_row"

    @property
    def once(self) -> bool:
        """Say whether it is typed once for all designs."""
        return self.kind in ("case", "text")

    @property
    def travels(self) -> bool:
        """Say whether an empty cell takes the profile's figure."""
        return self.blank == "profile"

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with range, list and value."""
        yield from super().faults()
        if self.value.value is None and self.value != UNREADABLE and self.blank != "yes":
            yield "value is blank; only an optional input may ship blank."
        if self.travels and self.kind != "number":
            yield f"optional is 'profile' and kind {self.kind!r}; only numbers travel with a profile."


@dataclass(frozen=True)
class ProfileDefault:
    """One figure that travels with a profile: an input's, or a field of its own (`profile_fields.csv`)."""

    profile: Annotated[str, Column(key=True, refers="profiles")]
    figure: Annotated[ProfileField | Input | None, Column("key", key=True, refers="profile_figures")]
    value: Annotated[Typed, Column(of="profile_figures:key", source="source")]


@dataclass(frozen=True)
class CaseValue:
    """One input of one published test, as the file holds it."""

    case: Key
    paper: Annotated[str, Column(refers="papers", per="case")]
    input: Annotated[Input | None, Column("key", key=True, refers="inputs")]
    value: Annotated[Typed, Column(of="inputs:key", source="source", own=False, codes=CODES)]


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
    a: Annotated[Typed, Column(unit="a_unit", within=ANY)]
    a_unit: UnitName
    b: Annotated[Typed, Column(unit="b_unit", within=ANY)]
    b_unit: UnitName
    unit: UnitName
    note: Note


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
    pin: Annotated[float | None, Column(within=ANY)]
    note: Note

    @property
    def paper(self) -> str:
        """Return the code of the paper that prints it."""
        return (self.low or self.high).split("-")[0]

    def faults(self) -> Iterator[str]:
        """Yield what no row may lack."""
        if not self.low and not self.high:
            yield "low and high are blank; cite a fact in one or both."
        if self.pin is not None and not self.note:
            yield "note is blank; a known miss needs its reason."


@dataclass(frozen=True)
class Prediction:
    """A printed result beside what the workbook computes from other figures; `role` none says why it is no prediction.

    `scope` across or generation: `from_paper` predicts. `role` fixed counts, variant is beside. `ours` blank: no sum.
    """

    id: Key
    scope: Annotated[str, Column(choices=("within", "across", "generation"), together=True)]
    from_paper: Annotated[str, Column(refers="sources", blank=True)]
    role: Annotated[str, Column(choices=("fixed", "variant", "none"), together=True, alone=("none",))]
    low: PrintedId
    high: PrintedId
    ours: Note
    unit: UnitName
    label: str
    how: Note
    why: Note

    def faults(self) -> Iterator[str]:
        """Yield what a row of its role may not lack."""
        for column in ("why",) if self.role == "none" else ("low", "high", "ours", "how"):
            if not getattr(self, column):
                yield f"{column} is blank; a row whose role is {self.role} needs it."
        if (self.scope != "within") != bool(self.from_paper):
            yield f"from_paper is {self.from_paper or 'blank'}; a row across papers needs it, a row within has none."


def _printed(unit: str) -> Column:
    return Column(unit=unit, source="source", numbers_only=True)


@dataclass(frozen=True)
class LatencyPoint:
    """A latency that a paper prints under a load: `fitted` to the curve, `predicted` by it, or a `bound` to hold."""

    id: Key
    array: Annotated[str, Column(refers="curves", together=True)]
    phase: str
    role: Annotated[str, Column(choices=("fitted", "predicted", "bound"), together=True)]
    iops: Annotated[Typed, _printed("IOPS")]
    read_ratio: Annotated[Typed, Column(unit="ratio", source="source")]
    latency_ms: Annotated[Typed, _printed("ms")]
    utilisation: Annotated[Typed, _printed("ratio")]
    source: Note
    note: Note


@dataclass(frozen=True)
class Preset:
    """A named what-if."""

    name: Annotated[str, Column("preset", key=True)]
    key: Annotated[str, Column(key=True, refers="inputs")]
    value: _InputFigure
    purpose: Annotated[str, Column(per="preset")]


@dataclass(frozen=True)
class Alternative:
    """One cell of a what-if that ships filled: the number of the what-if, the input and what is typed there."""

    what_if: Annotated[str, Column(key=True, choices=tuple(str(n) for n in range(1, WHATIFS + 1)))]
    key: Annotated[str, Column(key=True, refers="inputs")]
    value: _InputFigure


_RiskFigure = Annotated[Typed, Column(of="inputs:key", source="source", blank=True)]
_Shape = Annotated[Typed, Column(unit="ratio", source="source", blank=True, within=(0, 1e9))]


@dataclass(frozen=True)
class RiskRow:
    """How an input spreads: a distribution, its typed parameters by column, and a list of values where it takes one."""

    input: Annotated[Input, Column("key", key=True, refers="inputs")]
    distribution: Annotated[str, Column(choices=tuple(DISTRIBUTIONS))]
    minimum: _RiskFigure
    mode: _RiskFigure
    maximum: _RiskFigure
    spread: Annotated[Typed, Column(of="inputs:key", source="source", blank=True, within=(0, 1e9))]
    shape: _Shape
    second_shape: _Shape
    listed: Annotated[str, Column("values", blank=True)]
    stated: Annotated[str, Column("source", blank=True)]
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
        """Yield columns that the distribution lacks or has no use for."""
        if self.input is None or self.distribution not in DISTRIBUTIONS:
            return
        if self.input.kind != "number":
            yield f"key {self.input.key!r} is a {self.input.kind}; only numbers are uncertain."
        columns = DISTRIBUTIONS[self.distribution]
        given = {name for name, typed in self.cells.items() if typed.value is not None or typed == UNREADABLE}
        given |= {"values"} if self.listed else set()
        missing = [name for name in columns if not name.endswith("?") and name not in given]
        extra = given - {name.rstrip("?") for name in columns}
        yield from (f"{name} is blank; the distribution {self.distribution} needs it." for name in missing)
        if extra and not missing:
            yield f"{self.distribution} has no use for {', '.join(sorted(extra))}; empty the column."


@dataclass(frozen=True)
class Correlation:
    """A rank correlation between two uncertain inputs."""

    first: Annotated[str, Column(key=True, refers="risk")]
    second: Annotated[str, Column(key=True, refers="risk")]
    rank: Annotated[Typed, Column(unit="ratio", source="source", within=(-1, 1))]

    def faults(self) -> Iterator[str]:
        """Yield an input that is paired with itself."""
        if self.first == self.second:
            yield f"second {self.second!r} is paired with itself; name two inputs."


FACT_FILES: dict[type, str] = {
    Unit: "units",
    Source: "sources",
    Fact: "facts",
    FactElsewhere: "facts_elsewhere",
    Discrepancy: "discrepancies",
}
FILES: dict[type, str] = FACT_FILES | {
    Phase: "phases",
    Input: "inputs",
    ArrayField: "array_fields",
    CardField: "card_fields",
    ArrayValue: "arrays",
    ProfilePhase: "profiles",
    ProfileField: "profile_fields",
    ProfileDefault: "profile_defaults",
    Method: "methods",
    Cache: "caches",
    RaidLevel: "raid",
    ArrayClass: "classes",
    Component: "components",
    Hypervisor: "hypervisors",
    Encryption: "encryption",
    ContainerShare: "container_shares",
    ShareService: "share_services",
    SharePrice: "share_prices",
    DiskTier: "disk_tiers",
    LatencyPoint: "latency_points",
    CaseValue: "cases",
    Sum: "sums",
    Evidence: "evidence",
    Prediction: "predictions",
    Preset: "presets",
    Alternative: "alternatives",
    RiskRow: "risk",
    Correlation: "risk_correlation",
}


@dataclass(frozen=True, eq=False)
class Data:
    """Everything that is typed; `places`: (file, id) to file:row. Equal to itself alone: what is made of it is kept."""

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
    container_shares: tuple[ContainerShare, ...]
    share_services: tuple[ShareService, ...]
    share_prices: tuple[SharePrice, ...]
    disk_tiers: tuple[DiskTier, ...]
    points: tuple[LatencyPoint, ...]
    cases: tuple[Case, ...]
    sums: tuple[Sum, ...]
    evidence: tuple[Evidence, ...]
    predictions: tuple[Prediction, ...]
    presets: tuple[Preset, ...]
    alternatives: tuple[Alternative, ...]
    risk: tuple[RiskRow, ...]
    correlations: tuple[Correlation, ...]
    places: Mapping[tuple[str, str], str]

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
            "share": self.container_shares,
            "service": self.share_services,
            "tier": self.disk_tiers,
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
