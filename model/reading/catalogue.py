"""The catalogues as their files hold them: arrays, profiles, provisioning methods, host caches, RAID levels."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Annotated

from model.reading.choices import FAMILIES, FIELD_LISTS
from model.reading.columns import Column, Key, Note, Typed, UnitOfKey

# suffix of an override: the figure of the profile it stands for
BY_METHOD = "by method"  # in place of a read share: the method has it
PHASE_FIGURES = {"iops_per_desktop": "iops", "run_min": "minutes", "read_ratio": "read_ratio", "block_kib": "block_kib"}


@dataclass(frozen=True)
class Phase:
    """A phase of a desktop's life: whether host caches touch it, and whether its IOPS through a run give its work."""

    key: Key
    label: str
    cached: bool
    run: bool


class Ranged:
    """What a row takes that describes the figures of others: numbers from its minimum to its maximum, or a list."""

    key: str
    kind: str
    minimum: float | None
    maximum: float | None

    @property
    def list_name(self) -> str:
        """Return the list whose words it takes; empty for none."""
        return FIELD_LISTS.get(self.key, "")

    def faults(self) -> Iterator[str]:
        """Yield a range that no number lies in, and a choice without a list."""
        if self.kind in ("number", "time", "date") and None in (self.minimum, self.maximum):
            yield f"{'max' if self.maximum is None else 'min'} is blank; every number needs a range."
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            yield f"min {self.minimum:g} is above max {self.maximum:g}; correct one."
        if self.kind in ("choice", "case") and not self.list_name:
            yield f"kind is {self.kind!r} and {self.key} has no list of words; name one, or correct kind."


@dataclass(frozen=True)
class ArrayField(Ranged):
    """One attribute of an array, with the range its cell accepts."""

    key: Key
    label: str
    unit: UnitOfKey
    kind: Annotated[str, Column(choices=("number", "choice"))]
    minimum: Annotated[float | None, Column("min")]
    maximum: Annotated[float | None, Column("max")]
    required: bool
    help: str


@dataclass(frozen=True)
class CardField(Ranged):
    """One line of an array's card, as data sheets print it: what its cell accepts, and what it ships with."""

    key: Key
    label: str
    unit: UnitOfKey
    kind: Annotated[str, Column(choices=("number", "choice", "text", "date"))]
    minimum: Annotated[float | None, Column("min")]
    maximum: Annotated[float | None, Column("max")]
    required: bool
    value: Annotated[Typed, Column(of="row", source="source", blank=True)]
    help: str


@dataclass(frozen=True)
class ArrayValue:
    """One attribute of one array, as the file holds it."""

    array: Key
    field: Annotated[ArrayField | None, Column("key", key=True, refers="array_fields")]
    value: Annotated[Typed, Column(of="array_fields:key", source="source")]


@dataclass(frozen=True)
class Array:
    """One storage array: its name and the attributes that are known."""

    name: str
    values: dict[str, Typed]


@dataclass(frozen=True)
class ProfilePhase:
    """One phase of a workload profile: mean and peak IOPS per desktop, minutes of the run, read share, block size.

    `local_profile` says whether the users' profiles stood on the disks that were measured, `measured_under` which
    provisioning method made the desktops.
    """

    profile: Key
    phase: Annotated[str, Column(key=True, refers="phases")]
    sampling: Annotated[str, Column(choices=("mean", "peak"))]
    iops: Annotated[Typed, Column(unit="IOPS/desktop", source="iops_source", blank=True)]
    peak_iops: Annotated[Typed, Column(unit="IOPS/desktop", blank=True)]
    minutes: Annotated[Typed, Column(unit="min", blank=True)]
    read_ratio: Annotated[Typed, Column(unit="ratio", source="read_source", instead=(BY_METHOD,))]
    block_kib: Annotated[Typed, Column(unit="KiB", source="block_source")]
    # whether the users' profiles are inside these figures
    local_profile: Annotated[str, Column(choices=("yes", "no", "unknown"), per="profile")]
    measured_under: Annotated[str, Column(choices=FAMILIES, per="profile")]
    note: Note

    @property
    def burst_ratio(self) -> Typed:
        """Return peak over mean where both are printed; blank where the row has one of them only."""
        mean, peak = self.iops.value, self.peak_iops.value
        if not isinstance(mean, float) or not isinstance(peak, float) or not mean:
            return Typed(None, "user", "user")
        facts = self.iops.facts | self.peak_iops.facts
        return Typed(float(f"{peak / mean:.6g}"), "derived", self.peak_iops.source, facts)

    def faults(self) -> Iterator[str]:
        """Yield that a phase takes its read share from the method, which has that of a boot alone."""
        if self.read_ratio.value == BY_METHOD and self.phase != "boot":
            yield f"read_ratio {BY_METHOD!r} is for a boot only; enter the share of {self.phase}."


@dataclass(frozen=True)
class ProfileField(Ranged):
    """An attribute of a profile as a whole that is no input: its year, what a login costs beyond steady work."""

    key: Key
    label: str
    unit: UnitOfKey
    minimum: Annotated[float, Column("min")]
    maximum: Annotated[float, Column("max")]
    help: str

    @property
    def kind(self) -> str:  # type: ignore[override]  # its cells hold nothing else
        """Return what its cells hold."""
        return "number"


class TableRow:
    """A row of one of the small tables: a name, figures, and one source for all numbers that are typed."""

    name: str
    source: str

    @property
    def values(self) -> dict[str, Typed]:
        """Return the figures by column."""
        every = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]  # subclasses are
        return {name: value for name, value in every.items() if isinstance(value, Typed)}

    def faults(self) -> Iterator[str]:
        """Yield each range whose low, likely and high figure are not in that order."""
        values = {name: typed.value for name, typed in self.values.items()}
        for figure in (name.removesuffix("_likely") for name in values if name.endswith("_likely")):
            known = [v for end in ("low", "likely", "high") if isinstance(v := values[f"{figure}_{end}"], float | int)]
            if known != sorted(known):
                yield f"{figure} low, likely, high are {', '.join(f'{value:g}' for value in known)}; put them in order."


def cell(unit: str, label: str, blank: bool = False, within: tuple[float, float] | None = None) -> Column:
    return Column(unit=unit, label=label, source="source", numbers_only=True, blank=blank, within=within)


@dataclass(frozen=True)
class Method(TableRow):
    """A provisioning method: what it stores on the array, data reduction as a range, and its work in I/Os."""

    name: Annotated[str, Column("method", key=True, label="Provisioning method")]
    swap: Annotated[Typed, cell("flag", "Swap file")]
    write_cache: Annotated[Typed, cell("flag", "Write cache or difference disk")]
    identity: Annotated[Typed, cell("flag", "Identity disk")]
    pvd: Annotated[Typed, cell("flag", "Personal vDisk")]
    disk: Annotated[Typed, cell("flag", "Own disk")]
    image_per_pool: Annotated[Typed, cell("flag", "Image once per pool")]
    image_per_datastore: Annotated[Typed, cell("flag", "Image per catalogue and datastore")]
    plain_low: Annotated[Typed, cell("x:1", "Reduction low, plain array")]
    plain_likely: Annotated[Typed, cell("x:1", "Reduction likely, plain array")]
    plain_high: Annotated[Typed, cell("x:1", "Reduction high, plain array")]
    inline_low: Annotated[Typed, cell("x:1", "Reduction low, inline")]
    inline_likely: Annotated[Typed, cell("x:1", "Reduction likely, inline")]
    inline_high: Annotated[Typed, cell("x:1", "Reduction high, inline")]
    boot_low: Annotated[Typed, cell("I/O/desktop", "I/Os per boot, low")]
    boot_likely: Annotated[Typed, cell("I/O/desktop", "I/Os per boot, likely")]
    boot_high: Annotated[Typed, cell("I/O/desktop", "I/Os per boot, high")]
    boot_read_ratio: Annotated[Typed, cell("ratio", "Read share of a boot")]
    patch_ios: Annotated[Typed, cell("I/O/desktop", "I/Os to patch")]
    provision_ios: Annotated[Typed, cell("I/O/desktop", "I/Os to provision")]
    counts_as: Annotated[str, Column(choices=FAMILIES)]
    source: str


@dataclass(frozen=True)
class Cache(TableRow):
    """A host cache in one state: the shares of reads and writes that it keeps off the array.

    `missing` names the shares that nobody published: they are blank, and nothing counts as kept off.
    """

    name: Annotated[str, Column("cache", key=True, label="Host cache and state")]
    boot_read_offload: Annotated[Typed, cell("ratio", "Boot reads kept off", blank=True)]
    boot_write_offload: Annotated[Typed, cell("ratio", "Boot writes kept off", blank=True)]
    login_read_offload: Annotated[Typed, cell("ratio", "Login reads kept off", blank=True)]
    login_write_offload: Annotated[Typed, cell("ratio", "Login writes kept off", blank=True)]
    steady_read_offload: Annotated[Typed, cell("ratio", "Steady reads kept off", blank=True)]
    steady_write_offload: Annotated[Typed, cell("ratio", "Steady writes kept off", blank=True)]
    local_write_cache: Annotated[Typed, cell("flag", "Write cache on the host")]
    read_cache: Annotated[Typed, cell("flag", "Read cache as measured with the array")]
    desktop_gib: Annotated[Typed, cell("GiB", "Memory of a desktop it takes")]
    missing: Note
    source: str


@dataclass(frozen=True)
class Component(TableRow):
    """What stands on an array beside the desktops' disks: its data reduction as a range, without and with inline."""

    name: Annotated[str, Column("component", key=True, label="Component")]
    plain_low: Annotated[Typed, cell("x:1", "Reduction low, plain array")]
    plain_likely: Annotated[Typed, cell("x:1", "Reduction likely, plain array")]
    plain_high: Annotated[Typed, cell("x:1", "Reduction high, plain array")]
    inline_low: Annotated[Typed, cell("x:1", "Reduction low, inline")]
    inline_likely: Annotated[Typed, cell("x:1", "Reduction likely, inline")]
    inline_high: Annotated[Typed, cell("x:1", "Reduction high, inline")]
    source: str


@dataclass(frozen=True)
class Hypervisor(TableRow):
    """A hypervisor: whether its desktops have swap files."""

    name: Annotated[str, Column("hypervisor", key=True, label="Hypervisor")]
    swap: Annotated[Typed, cell("flag", "Swap file")]
    source: str


@dataclass(frozen=True)
class Encryption(TableRow):
    """What is encrypted before the array sees it: 1 = stored 1:1."""

    name: Annotated[str, Column("encryption", key=True, label="Encryption above the array")]
    disks: Annotated[Typed, cell("flag", "Desktops' disks")]
    user_data: Annotated[Typed, cell("flag", "User data and profiles")]
    images: Annotated[Typed, cell("flag", "Images")]
    swap: Annotated[Typed, cell("flag", "Swap files")]
    source: str


@dataclass(frozen=True)
class RaidLevel(TableRow):
    """A RAID level: back-end writes per front-end write."""

    name: Annotated[str, Column("level", key=True, label="RAID level")]
    penalty: Annotated[Typed, cell("count", "Write penalty")]
    source: str


@dataclass(frozen=True)
class ArrayClass(TableRow):
    """An array class: latency that users may see where no limit is entered, share of swap files never written."""

    name: Annotated[str, Column("class", key=True, label="Array class")]
    limit_ms: Annotated[Typed, cell("ms", "Latency limit")]
    swap_unwritten: Annotated[Typed, cell("ratio", "Share of swap files never written")]
    source: str
