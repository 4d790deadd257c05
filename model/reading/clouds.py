"""The records of cloud shares and managed disks: what profile containers ask of a share, sizes sold, dated prices."""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from model.reading.catalogue import TableRow, cell
from model.reading.choices import DISK_FAMILIES, ZONES
from model.reading.columns import UNREADABLE, Column, Typed

PROVISIONED_AS = ("share", "capacity pool", "file system")
REDUNDANCIES = ("LRS or ZRS", "LRS, ZRS, GRS or GZRS", "single-AZ or multi-AZ", "none stated")  # as a service offers it


@dataclass(frozen=True)
class ContainerShare(TableRow):
    """What profile containers ask of a share: IOPS of a user at work and block size, measured together.

    Cloud Cache changes what reaches the shares, of which each provider has a copy, and puts more on the machines.
    """

    name: Annotated[str, Column("share", key=True, label="Profile containers at work")]
    steady_iops: Annotated[Typed, cell("IOPS/desktop", "IOPS of a user at work")]
    block_kib: Annotated[Typed, cell("KiB", "Block size")]
    cache_ratio: Annotated[Typed, cell("ratio", "and on the machine, for each I/O", blank=True, within=(0, 1000))]
    share_ratio: Annotated[Typed, cell("ratio", "at all shares, for each I/O", within=(0, 1000))]
    cache_read_ratio: Annotated[Typed, cell("ratio", "Read share on the machine", blank=True)]
    providers: Annotated[Typed, cell("count", "Shares with a copy of it")]
    source: str


_BOUNDS = (("gib_min", "gib_max"), ("gib_step", "gib_max"), ("iops_base", "iops_max"), ("mib_base", "mib_max"))


@dataclass(frozen=True)
class ShareService(TableRow):
    """A cloud file share: what a size includes and costs of limits, by one rule for all services.

    IOPS and MiB/s are base + per GiB, at most a maximum, or bought apart from the size. A bucket of credits carries
    IOPS up to the burst limit: the larger of its floor and what size or IOPS give. Blank = the vendor states none.
    """

    name: Annotated[str, Column("service", key=True, label="Cloud share")]
    gib_min: Annotated[Typed, cell("GiB", "Smallest size", within=(0, 1e9))]
    gib_step: Annotated[Typed, cell("GiB", "Step of the size", within=(0.01, 1e9))]
    gib_max: Annotated[Typed, cell("GiB", "Largest size", within=(1, 1e9))]
    iops_max: Annotated[Typed, cell("IOPS", "Most IOPS", blank=True)]
    mib_max: Annotated[Typed, cell("MiB/s", "Most throughput")]
    iops_base: Annotated[Typed, cell("IOPS", "IOPS of any size", blank=True)]
    iops_per_gib: Annotated[Typed, cell("IOPS/GiB", "and of each GiB", blank=True)]
    mib_base: Annotated[Typed, cell("MiB/s", "Throughput of any size", blank=True)]
    mib_per_gib: Annotated[Typed, cell("MiB/s/GiB", "and of each GiB", blank=True)]
    mib_bought: Annotated[Typed, cell("MiB/s", "Throughput bought with every share", blank=True)]
    apart: Annotated[Typed, cell("flag", "IOPS and throughput are bought apart", blank=True)]
    burst_per_gib: Annotated[Typed, cell("IOPS/GiB", "Burst of each GiB", blank=True)]
    burst_factor: Annotated[Typed, cell("ratio", "Burst over IOPS bought", blank=True, within=(0, 100))]
    burst_floor: Annotated[Typed, cell("IOPS", "Least burst", blank=True)]
    bucket_min: Annotated[Typed, cell("min", "Credits last at full burst", blank=True)]
    handles_max: Annotated[Typed, cell("count", "Most handles on the root", blank=True)]
    metadata_max: Annotated[Typed, cell("IOPS", "Most metadata IOPS", blank=True)]
    part_gib_max: Annotated[Typed, cell("GiB", "Largest volume inside", blank=True)]
    part_mib_max: Annotated[Typed, cell("MiB/s", "Most throughput of a volume", blank=True)]
    account_gib_max: Annotated[Typed, cell("GiB", "Most of an account", blank=True)]
    account_iops_max: Annotated[Typed, cell("IOPS", "Most IOPS of an account", blank=True)]
    account_mib_max: Annotated[Typed, cell("MiB/s", "Most throughput of an account", blank=True)]
    quota_gib: Annotated[Typed, cell("GiB", "Quota that support raises", blank=True)]
    count_max: Annotated[Typed, cell("count", "Most shares that carry one estate", blank=True)]
    provisioned_as: Annotated[str, Column(choices=PROVISIONED_AS)]
    redundancy: Annotated[str, Column(choices=REDUNDANCIES)]
    dated: str
    source: str

    def faults(self) -> Iterator[str]:
        """Yield each figure that is above the one that bounds it."""
        for low, high in _BOUNDS:
            least, most = getattr(self, low).value, getattr(self, high).value
            if isinstance(least, float | int) and isinstance(most, float | int) and least > most:
                yield f"{low} {least:g} is above {high} {most:g}; correct one."

    @property
    def offers(self) -> list[str]:
        """Return the redundancies that it may be bought with."""
        return re.split(", | or ", self.redundancy)


@dataclass(frozen=True)
class DiskTier(TableRow):
    """A size of a cloud's managed disks, cheapest of its family first: at any time, and with credits (blank = none)."""

    name: Annotated[str, Column("tier", key=True, label="Managed disk")]
    family: Annotated[str, Column(choices=DISK_FAMILIES)]
    gib: Annotated[Typed, cell("GiB", "Size")]
    iops: Annotated[Typed, cell("IOPS", "IOPS")]
    mb_s: Annotated[Typed, cell("MB/s", "Throughput")]
    burst_iops: Annotated[Typed, cell("IOPS", "Burst IOPS", blank=True)]
    burst_mb_s: Annotated[Typed, cell("MB/s", "Burst throughput", blank=True)]
    burst_min: Annotated[Typed, cell("min", "Credits last at full burst", blank=True)]
    dated: str
    source: str


PRICED = ("LRS", ZONES, "none stated")  # redundancies of a price; the last where a service has neither of the others


@dataclass(frozen=True)
class SharePrice:
    """A dated list price of a cloud share in a region, as printed: of a GiB provisioned, and of IOPS and MiB/s apart.

    Only a capture with its day may enter a cost: undated, suspect and secondary ones stay out of the file.
    """

    region: Annotated[str, Column(key=True)]
    service: Annotated[ShareService | None, Column(key=True, refers="share_services")]
    redundancy: Annotated[str, Column(key=True, choices=PRICED)]
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
        sold = [each for each in self.service.offers if each in PRICED] if self.service else []
        if self.service and self.redundancy not in (sold or PRICED[-1:]):
            expected = " or ".join(sold or PRICED[-1:])
            yield f"redundancy {self.redundancy!r}: {self.service.name} has no price for it; use {expected}."
        if self.service is None or UNREADABLE in (self.service.apart, self.service.mib_bought):
            return
        apart, bought = bool(self.service.apart.value), bool(self.service.mib_bought.value)
        for column, price, charged in (("iops", self.iops, apart), ("mib", self.mib, apart or bought)):
            if (price is not None) != charged:
                word, sells = ("blank", "sells") if charged else ("filled", "does not sell")
                yield f"{column} is {word}, and {self.service.name} {sells} it apart; correct one."
