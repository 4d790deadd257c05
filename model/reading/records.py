"""What the data files hold, as frozen records: no file is read here and nothing is computed."""

from dataclasses import dataclass

from model.reading.facts import FactBook


@dataclass(frozen=True)
class Typed:
    """A value with where it comes from: status, the text people read, and every fact it rests on."""

    value: float | str | None
    status: str
    source: str
    facts: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Input:
    """One input row: `value.value` is None for an optional input that ships blank.

    `kind` is number or choice, or case: the name of a design, typed once for the whole workbook.
    """

    key: str
    group: str
    label: str
    unit: str
    kind: str
    value: Typed
    minimum: float | None
    maximum: float | None
    optional: bool
    choices: str
    help: str


@dataclass(frozen=True)
class Phase:
    """A phase of a desktop's life and whether host caches touch it."""

    key: str
    label: str
    cached: bool


@dataclass(frozen=True)
class ArrayField:
    """One attribute of an array, with the range its cell accepts."""

    key: str
    label: str
    unit: str
    kind: str
    minimum: float | None
    maximum: float | None
    required: bool
    help: str


@dataclass(frozen=True)
class Array:
    """One storage array: its name and the attributes that are known."""

    name: str
    values: dict[str, Typed]


@dataclass(frozen=True)
class ProfilePhase:
    """One phase of a workload profile: mean and peak IOPS per desktop, read share, block size."""

    profile: str
    phase: str
    sampling: str
    iops: Typed
    peak_iops: Typed
    read_ratio: Typed
    block_kib: Typed
    note: str

    @property
    def burst_ratio(self) -> Typed:
        """Return peak over mean where both are printed; blank where the row has one of them only."""
        mean, peak = self.iops.value, self.peak_iops.value
        if not isinstance(mean, float) or not isinstance(peak, float) or not mean:
            return Typed(None, "user", "user")
        facts = self.iops.facts | self.peak_iops.facts
        return Typed(float(f"{peak / mean:.6g}"), "derived", self.peak_iops.source, facts)


@dataclass(frozen=True)
class TableRow:
    """A row of one of the small tables (methods, caches, RAID levels, array classes): name and typed columns."""

    name: str
    values: dict[str, Typed]
    source: str


@dataclass(frozen=True)
class Case:
    """A published test: a column that runs through the user's own formulas."""

    name: str
    paper: str
    values: dict[str, Typed]


@dataclass(frozen=True)
class Sum:
    """A piece of a paper's own arithmetic, recomputed: result = operation(a, b)."""

    id: str
    label: str
    operation: str
    a: Typed
    a_unit: str
    b: Typed
    b_unit: str
    unit: str
    note: str


@dataclass(frozen=True)
class Evidence:
    """One printed result held against ours. `ours` is `key@case` or `sum:id`; `pin` is our value for a known miss."""

    id: str
    paper: str
    low: str
    high: str
    rule: str
    ours: str
    unit: str
    kind: str
    label: str
    pin: float | None
    note: str


@dataclass(frozen=True)
class Prediction:
    """A printed result held against ours from other figures; `role` none says why it is no prediction.

    `scope` is within a paper or across papers, `role` fixed (counted) or variant (shown beside). `ours` is blank where
    nothing could be computed.
    """

    id: str
    scope: str
    role: str
    low: str
    high: str
    ours: str
    unit: str
    label: str
    how: str
    why: str


@dataclass(frozen=True)
class LatencyPoint:
    """A latency that a paper prints under a load: `fitted` to the curve, `predicted` by it, or a `bound` to hold."""

    id: str
    array: str
    phase: str
    role: str
    iops: Typed
    read_ratio: Typed
    latency_ms: Typed
    utilisation: Typed
    note: str


@dataclass(frozen=True)
class Preset:
    """A named what-if."""

    name: str
    key: str
    value: Typed
    purpose: str


@dataclass(frozen=True)
class RiskRow:
    """How an input spreads: a distribution, its typed parameters by column, and a list of values where it takes one."""

    input: Input
    distribution: str
    cells: dict[str, Typed]
    listed: str
    source: str
    facts: frozenset[str]
    help: str


@dataclass(frozen=True)
class Correlation:
    """A rank correlation between two uncertain inputs."""

    first: str
    second: str
    rank: Typed


@dataclass(frozen=True)
class Data:
    """Everything that is typed, as records."""

    facts: FactBook
    inputs: tuple[Input, ...]
    phases: tuple[Phase, ...]
    fields: tuple[ArrayField, ...]
    arrays: tuple[Array, ...]
    profiles: tuple[ProfilePhase, ...]
    methods: tuple[TableRow, ...]
    caches: tuple[TableRow, ...]
    raid: tuple[TableRow, ...]
    classes: tuple[TableRow, ...]
    points: tuple[LatencyPoint, ...]
    cases: tuple[Case, ...]
    sums: tuple[Sum, ...]
    evidence: tuple[Evidence, ...]
    predictions: tuple[Prediction, ...]
    presets: tuple[Preset, ...]
    risk: tuple[RiskRow, ...]
    correlations: tuple[Correlation, ...]

    def input(self, key: str) -> Input:
        """Return the input with that key; raise KeyError."""
        return next(i for i in self.inputs if i.key == key)

    def profile_names(self) -> tuple[str, ...]:
        """Return the profile names in the order of the file, each once."""
        return tuple(dict.fromkeys(row.profile for row in self.profiles))
