"""Everything that the data files hold: the file of each record, and `Data`.

The fields of a record are the columns of its file, in their order. `faults` of a record says what is wrong with a row
as a whole; single cells follow the rules of their columns.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from model.reading.catalogue import (
    Array,
    ArrayClass,
    ArrayField,
    ArrayValue,
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
from model.reading.clouds import ContainerShare, DiskTier, SharePrice, ShareService
from model.reading.columns import Typed
from model.reading.facts import Discrepancy, Fact, FactBook, FactElsewhere, Source, Unit
from model.reading.inputs import Alternative, Input, Preset, ProfileDefault
from model.reading.proof import Case, CaseValue, Evidence, LatencyPoint, Prediction, Sum
from model.reading.risk import Correlation, RiskRow

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
