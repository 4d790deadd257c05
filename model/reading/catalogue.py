"""The catalogues as their files hold them: arrays, profiles, provisioning methods, host caches, RAID levels."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Annotated

from model.reading.choices import DISK_FAMILIES, FAMILIES, FIELD_LISTS, ZONES
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


def _cell(unit: str, label: str, blank: bool = False, within: tuple[float, float] | None = None) -> Column:
    return Column(unit=unit, label=label, source="source", numbers_only=True, blank=blank, within=within)


@dataclass(frozen=True)
class Method(TableRow):
    """A provisioning method: what it stores on the array, data reduction as a range, and its work in I/Os."""

    name: Annotated[str, Column("method", key=True, label="Provisioning method")]
    swap: Annotated[Typed, _cell("flag", "Swap file")]
    write_cache: Annotated[Typed, _cell("flag", "Write cache or difference disk")]
    identity: Annotated[Typed, _cell("flag", "Identity disk")]
    pvd: Annotated[Typed, _cell("flag", "Personal vDisk")]
    disk: Annotated[Typed, _cell("flag", "Own disk")]
    image_per_pool: Annotated[Typed, _cell("flag", "Image once per pool")]
    image_per_datastore: Annotated[Typed, _cell("flag", "Image per catalogue and datastore")]
    plain_low: Annotated[Typed, _cell("x:1", "Reduction low, plain array")]
    plain_likely: Annotated[Typed, _cell("x:1", "Reduction likely, plain array")]
    plain_high: Annotated[Typed, _cell("x:1", "Reduction high, plain array")]
    inline_low: Annotated[Typed, _cell("x:1", "Reduction low, inline")]
    inline_likely: Annotated[Typed, _cell("x:1", "Reduction likely, inline")]
    inline_high: Annotated[Typed, _cell("x:1", "Reduction high, inline")]
    boot_low: Annotated[Typed, _cell("I/O/desktop", "I/Os per boot, low")]
    boot_likely: Annotated[Typed, _cell("I/O/desktop", "I/Os per boot, likely")]
    boot_high: Annotated[Typed, _cell("I/O/desktop", "I/Os per boot, high")]
    boot_read_ratio: Annotated[Typed, _cell("ratio", "Read share of a boot")]
    patch_ios: Annotated[Typed, _cell("I/O/desktop", "I/Os to patch")]
    provision_ios: Annotated[Typed, _cell("I/O/desktop", "I/Os to provision")]
    counts_as: Annotated[str, Column(choices=FAMILIES)]
    source: str


@dataclass(frozen=True)
class Cache(TableRow):
    """A host cache in one state: the shares of reads and writes that it keeps off the array.

    `missing` names the shares that nobody published: they are blank, and nothing counts as kept off.
    """

    name: Annotated[str, Column("cache", key=True, label="Host cache and state")]
    boot_read_offload: Annotated[Typed, _cell("ratio", "Boot reads kept off", blank=True)]
    boot_write_offload: Annotated[Typed, _cell("ratio", "Boot writes kept off", blank=True)]
    login_read_offload: Annotated[Typed, _cell("ratio", "Login reads kept off", blank=True)]
    login_write_offload: Annotated[Typed, _cell("ratio", "Login writes kept off", blank=True)]
    steady_read_offload: Annotated[Typed, _cell("ratio", "Steady reads kept off", blank=True)]
    steady_write_offload: Annotated[Typed, _cell("ratio", "Steady writes kept off", blank=True)]
    local_write_cache: Annotated[Typed, _cell("flag", "Write cache on the host")]
    read_cache: Annotated[Typed, _cell("flag", "Read cache as measured with the array")]
    desktop_gib: Annotated[Typed, _cell("GiB", "Memory of a desktop it takes")]
    missing: Note
    source: str


@dataclass(frozen=True)
class Component(TableRow):
    """What stands on an array beside the desktops' disks: its data reduction as a range, without and with inline."""

    name: Annotated[str, Column("component", key=True, label="Component")]
    plain_low: Annotated[Typed, _cell("x:1", "Reduction low, plain array")]
    plain_likely: Annotated[Typed, _cell("x:1", "Reduction likely, plain array")]
    plain_high: Annotated[Typed, _cell("x:1", "Reduction high, plain array")]
    inline_low: Annotated[Typed, _cell("x:1", "Reduction low, inline")]
    inline_likely: Annotated[Typed, _cell("x:1", "Reduction likely, inline")]
    inline_high: Annotated[Typed, _cell("x:1", "Reduction high, inline")]
    source: str


@dataclass(frozen=True)
class Hypervisor(TableRow):
    """A hypervisor: whether its desktops have swap files."""

    name: Annotated[str, Column("hypervisor", key=True, label="Hypervisor")]
    swap: Annotated[Typed, _cell("flag", "Swap file")]
    source: str


@dataclass(frozen=True)
class Encryption(TableRow):
    """What is encrypted before the array sees it: 1 = stored 1:1."""

    name: Annotated[str, Column("encryption", key=True, label="Encryption above the array")]
    disks: Annotated[Typed, _cell("flag", "Desktops' disks")]
    user_data: Annotated[Typed, _cell("flag", "User data and profiles")]
    images: Annotated[Typed, _cell("flag", "Images")]
    swap: Annotated[Typed, _cell("flag", "Swap files")]
    source: str


@dataclass(frozen=True)
class ContainerShare(TableRow):
    """What profile containers ask of a share: IOPS of a user at work and block size, measured together.

    Cloud Cache changes what reaches the shares, of which each provider has a copy, and puts more on the machines.
    """

    name: Annotated[str, Column("share", key=True, label="Profile containers at work")]
    steady_iops: Annotated[Typed, _cell("IOPS/desktop", "IOPS of a user at work")]
    block_kib: Annotated[Typed, _cell("KiB", "Block size")]
    cache_ratio: Annotated[Typed, _cell("ratio", "and on the machine, for each I/O", blank=True, within=(0, 1000))]
    share_ratio: Annotated[Typed, _cell("ratio", "at all shares, for each I/O", within=(0, 1000))]
    cache_read_ratio: Annotated[Typed, _cell("ratio", "Read share on the machine", blank=True)]
    providers: Annotated[Typed, _cell("count", "Shares with a copy of it")]
    source: str


@dataclass(frozen=True)
class ShareService(TableRow):
    """A cloud file share: what a size includes and costs of limits, by one rule for all services.

    IOPS and MiB/s are base + per GiB, at most a maximum, or bought apart from the size. A bucket of credits carries
    IOPS up to the burst limit: the larger of its floor and what size or IOPS give. Blank = the vendor states none.
    """

    name: Annotated[str, Column("service", key=True, label="Cloud share")]
    gib_min: Annotated[Typed, _cell("GiB", "Smallest size")]
    gib_step: Annotated[Typed, _cell("GiB", "Step of the size")]
    gib_max: Annotated[Typed, _cell("GiB", "Largest size")]
    iops_max: Annotated[Typed, _cell("IOPS", "Most IOPS", blank=True)]
    mib_max: Annotated[Typed, _cell("MiB/s", "Most throughput")]
    iops_base: Annotated[Typed, _cell("IOPS", "IOPS of any size", blank=True)]
    iops_per_gib: Annotated[Typed, _cell("IOPS/GiB", "and of each GiB", blank=True)]
    mib_base: Annotated[Typed, _cell("MiB/s", "Throughput of any size", blank=True)]
    mib_per_gib: Annotated[Typed, _cell("MiB/s/GiB", "and of each GiB", blank=True)]
    mib_bought: Annotated[Typed, _cell("MiB/s", "Throughput bought with every share", blank=True)]
    apart: Annotated[Typed, _cell("flag", "IOPS and throughput are bought apart", blank=True)]
    burst_per_gib: Annotated[Typed, _cell("IOPS/GiB", "Burst of each GiB", blank=True)]
    burst_factor: Annotated[Typed, _cell("ratio", "Burst over IOPS bought", blank=True, within=(0, 100))]
    burst_floor: Annotated[Typed, _cell("IOPS", "Least burst", blank=True)]
    bucket_min: Annotated[Typed, _cell("min", "Credits last at full burst", blank=True)]
    handles_max: Annotated[Typed, _cell("count", "Most handles on the root", blank=True)]
    metadata_max: Annotated[Typed, _cell("IOPS", "Most metadata IOPS", blank=True)]
    part_gib_max: Annotated[Typed, _cell("GiB", "Largest volume inside", blank=True)]
    part_mib_max: Annotated[Typed, _cell("MiB/s", "Most throughput of a volume", blank=True)]
    account_gib_max: Annotated[Typed, _cell("GiB", "Most of an account", blank=True)]
    account_iops_max: Annotated[Typed, _cell("IOPS", "Most IOPS of an account", blank=True)]
    account_mib_max: Annotated[Typed, _cell("MiB/s", "Most throughput of an account", blank=True)]
    quota_gib: Annotated[Typed, _cell("GiB", "Quota that support raises", blank=True)]
    count_max: Annotated[Typed, _cell("count", "Most shares that carry one estate", blank=True)]
    provisioned_as: str
    redundancy: str
    dated: str
    source: str


@dataclass(frozen=True)
class DiskTier(TableRow):
    """A size of a cloud's managed disks, cheapest of its family first: at any time, and with credits (blank = none)."""

    name: Annotated[str, Column("tier", key=True, label="Managed disk")]
    family: Annotated[str, Column(choices=DISK_FAMILIES)]
    gib: Annotated[Typed, _cell("GiB", "Size")]
    iops: Annotated[Typed, _cell("IOPS", "IOPS")]
    mb_s: Annotated[Typed, _cell("MB/s", "Throughput")]
    burst_iops: Annotated[Typed, _cell("IOPS", "Burst IOPS", blank=True)]
    burst_mb_s: Annotated[Typed, _cell("MB/s", "Burst throughput", blank=True)]
    burst_min: Annotated[Typed, _cell("min", "Credits last at full burst", blank=True)]
    dated: str
    source: str


@dataclass(frozen=True)
class SharePrice:
    """A dated list price of a cloud share in a region, as printed: of a GiB provisioned, and of IOPS and MiB/s apart.

    Only a capture with its day may enter a cost: undated, suspect and secondary ones stay out of the file.
    """

    region: Annotated[str, Column(key=True)]
    service: Annotated[ShareService | None, Column(key=True, refers="share_services")]
    redundancy: Annotated[str, Column(key=True, choices=("LRS", "ZRS", "none stated"))]
    gib: Annotated[float, Column(within=(1e-9, 1000))]
    iops: Annotated[float | None, Column(within=(1e-9, 1000))]
    mib: Annotated[float | None, Column(within=(1e-9, 1000))]
    per: Annotated[str, Column(choices=("hour", "month"))]
    date: str
    status: Annotated[str, Column(choices=("capture",))]
    source: str

    @property
    def zones(self) -> bool:
        """Say whether the price is that of copies in three zones."""
        return self.redundancy == ZONES

    @property
    def place(self) -> str:
        """Return service, region and, where they are three zones, the redundancy: the name of the row."""
        return f"{self.service.name if self.service else ''}, {self.region}{f', {ZONES}' * self.zones}"

    @property
    def a_month(self) -> tuple[float | None, ...]:
        """Return the prices of a GiB, an IOPS and a MiB/s a month of 730 hours."""
        hours = 730 if self.per == "hour" else 1
        return tuple(None if each is None else round(each * hours, 12) for each in (self.gib, self.iops, self.mib))

    @property
    def day(self) -> datetime.date | None:
        """Return the day of the capture; None if the text is not a date."""
        try:
            return datetime.date.fromisoformat(self.date)
        except ValueError:
            return None

    def faults(self) -> Iterator[str]:
        """Yield a date that cannot be read, and prices apart that the service needs or does not sell."""
        if self.date and self.day is None:
            yield f"date {self.date!r} is no day; write 2026-09-19. A price without its day is not counted in any cost."
        if self.service is None:
            return
        apart, bought = bool(self.service.apart.value), bool(self.service.mib_bought.value)
        for column, price, sold in (("iops", self.iops, apart), ("mib", self.mib, apart or bought)):
            if (price is not None) != sold:
                word, sells = ("blank", "sells") if sold else ("filled", "does not sell")
                yield f"{column} is {word}, and {self.service.name} {sells} it apart; correct one."


@dataclass(frozen=True)
class RaidLevel(TableRow):
    """A RAID level: back-end writes per front-end write."""

    name: Annotated[str, Column("level", key=True, label="RAID level")]
    penalty: Annotated[Typed, _cell("count", "Write penalty")]
    source: str


@dataclass(frozen=True)
class ArrayClass(TableRow):
    """An array class: latency that users may see where no limit is entered, share of swap files never written."""

    name: Annotated[str, Column("class", key=True, label="Array class")]
    limit_ms: Annotated[Typed, _cell("ms", "Latency limit")]
    swap_unwritten: Annotated[Typed, _cell("ratio", "Share of swap files never written")]
    source: str
