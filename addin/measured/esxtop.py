"""esxtop -b csv: one file a host, UTC, a virtual machine's row and its disks both there: the disks are counted.

What Excel saved has lost columns beyond its last one and seconds: pdh.py refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from addin.measured import logged, pdh, texts
from addin.measured.grid import Grid
from addin.measured.perfmon import wanted
from addin.measured.records import Options, Progress, Reading, fault, unnamed
from addin.measured.times import UTC, Clock, pdh_clock
from addin.numerals import number_of, numeral

TITLE = "esxtop -b"
OBJECT = "virtual disk"
FIGURES = ("reads/sec", "writes/sec", "mbytes read/sec", "mbytes written/sec")
_MB = 1024.0  # KiB of a MByte, which esxtop counts in powers of two
_INSTANCE = re.compile(r"(?P<name>.*?)(?: \((?P<uuid>[0-9a-fA-F -]{8,})\))?(?P<disk>:(?:scsi|nvme|sata|ide)\d+:\d+)?")


def recognised(cells: Sequence[str]) -> bool:
    """Say whether a header of PDH-CSV is that of esxtop: its groups of columns are no objects of Windows."""
    objects = {each.object for each in pdh.counters(cells)}
    return OBJECT in objects or bool(objects & {"physical cpu", "group cpu", "physical disk adapter", "vcpu"})


def split(instance: str) -> tuple[str, str, str]:
    """Return name, uuid and disk of an instance such as `VDI-1 (52 a1 ...):scsi0:0`; empty where it has none."""
    match = _INSTANCE.fullmatch(instance)
    return (match["name"], match["uuid"] or "", (match["disk"] or "").lstrip(":")) if match else (instance, "", "")


def add(grid: Grid, file: int, reading: Reading, options: Options, progress: Progress | None = None) -> None:
    """Add a file. Raises RequestError with row and column for what cannot be read."""
    encoding = texts.encoding_of(reading.path, options.encoding)
    heads = pdh.header(reading.path, encoding)
    if not any(each.object == OBJECT for each in pdh.counters(heads)):
        raise fault(reading.path, "holds no column of Virtual Disk", "Run esxtop -b -a, or with the field v on", 1)
    name, bias = pdh_clock(heads[0])
    clock = Clock(reading.path, options.zone, UTC if bias in (None, 0) else name or UTC, bias or 0)
    plans = _plans(reading, heads, options.desktops)
    if not plans:
        return
    picked = [each for plan in plans.values() for each in plan]
    columns = [heads[each.at].strip() for each in picked]
    times, numbers, values = pdh.read(reading, encoding, clock, picked, columns, progress)
    reading.clock, reading.as_is = clock.kept, clock.as_is
    sums, at = {}, 0
    for machine, plan in plans.items():
        sums[machine] = logged.no_figures(len(times))
        for each in plan:
            row = FIGURES.index(each.counter)
            sums[machine][row] += values[at] * (_MB if row > 1 else 1.0)
            at += 1
    logged.add(grid, file, reading, times, numbers, sums)
    reading.taken.append(
        f"{number_of(len(sums), 'machine')}, {number_of(len(times), 'row')}, "
        f"{numeral(len(picked))} of {number_of(len(heads), 'column')}"
    )


def _plans(reading: Reading, heads: Sequence[str], patterns: Sequence[str]) -> dict[str, list[pdh.Counter]]:
    """Return the columns of every machine that was asked for, its disks where they are there, else its own row."""
    machines: dict[tuple[str, str], list[tuple[pdh.Counter, str]]] = {}
    for each in pdh.counters(heads):
        if each.object == OBJECT and each.counter in FIGURES:
            name, uuid, disk = split(each.instance)
            machines.setdefault((name, uuid), []).append((each, disk))
    plans: dict[str, list[pdh.Counter]] = {}
    taken: set[str] = set()
    doubled, others = 0, 0
    for (name, _), found in sorted(machines.items()):
        if not wanted(name, patterns):
            others += 1
            continue
        disks = [each for each, disk in found if disk]
        doubled += bool(disks) and len(disks) < len(found)
        if name.casefold() in taken:
            raise fault(reading.path, f"two machines are called {name!r}", "Rename one, or measure them apart", 1)
        taken.add(name.casefold())
        plans[name] = disks or [each for each, _ in found]
        for disk in dict.fromkeys(disk for _, disk in found if disk or not disks):
            counted = {each.counter for each, whose in found if whose == disk}
            if lacking := [each for each in FIGURES if each not in counted]:
                whole = f"{name}:{disk}" if disk else name
                raise fault(reading.path, f"{whole} has no column {lacking[0]!r}", "Run esxtop -b -a", 1)
    if doubled:
        reading.left.append(f"the own rows of {number_of(doubled, 'machine')}: disks are counted, one level only")
    if others:
        reading.left.append(unnamed(others))
    return plans
