"""Windows perfmon, typeperf and relog csv: a file for one or more desktops, physical disks counted once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np

from addin.measured import logged, pdh, texts
from addin.measured.grid import Grid
from addin.measured.records import AMBER, Options, Progress, Reading, fault, quoted, unnamed
from addin.measured.times import Clock, pdh_clock
from addin.numerals import number_of

TITLE = "Windows performance log (perfmon, typeperf, relog)"
FIGURES = ("disk reads/sec", "disk writes/sec", "disk read bytes/sec", "disk write bytes/sec")
LATENCIES = ("avg. disk sec/read", "avg. disk sec/write")
_VIRTUAL_DISKS = "hyper-v virtual storage device"  # of a host
PHYSICAL, LOGICAL, TOTAL = "physicaldisk", "logicaldisk", "_total"


def recognised(cells: Sequence[str]) -> bool:
    """Say whether a header of PDH-CSV has disk counters of Windows."""
    return any(each.object in (PHYSICAL, LOGICAL) for each in pdh.counters(cells))


def hypervisors(cells: Sequence[str]) -> list[str]:
    """Return the machines of a header that have counters of the virtual disks of others: hosts of Hyper-V."""
    return sorted({each.host for each in pdh.counters(cells) if each.object == _VIRTUAL_DISKS})


def add(grid: Grid, file: int, reading: Reading, options: Options, progress: Progress | None = None) -> None:
    """Add a file. Raises RequestError with row and column for what cannot be read."""
    encoding = texts.encoding_of(reading.path, options.encoding)
    heads = pdh.header(reading.path, encoding)
    name, bias = pdh_clock(heads[0])
    clock = Clock(reading.path, options.zone, name or "local", bias, walls=True)
    every = [each for each in pdh.counters(heads) if each.object in (PHYSICAL, LOGICAL)]
    spelled: dict[str, str] = {}  # Windows takes VDI-1 and vdi-1 for one machine
    for each in every:
        spelled.setdefault(each.host.casefold(), each.host)
    hosts = [spelled[name] for name in sorted(spelled)]
    asked = [host for host in hosts if wanted(host, options.desktops)]
    left = len(hosts) - len(asked)
    if left:
        reading.left.append(unnamed(left))
    plans = {
        host: _plan([each for each in every if each.host.casefold() == host.casefold()], reading) for host in asked
    }
    for host in hypervisors(heads):
        if spelled.get(host.casefold()) in plans:
            effect = "its own disks count as those of a desktop: leave it out with --desktops, and log in its desktops"
            reading.note(f"{host} is a host of Hyper-V", effect, AMBER)
    if not plans:
        return
    picked = [each for plan in plans.values() for each in plan]
    columns = [heads[each.at].strip() for each in picked]
    times, numbers, values = pdh.read(reading, encoding, clock, picked, columns, progress)
    reading.clock, reading.as_is = clock.kept, clock.as_is
    sums, at = {}, 0
    for host, plan in plans.items():
        sums[host] = logged.no_figures(len(times))
        here = values[at : at + len(plan)]
        at += len(plan)
        for each, row in zip(plan, here, strict=True):
            if each.counter in FIGURES:
                sums[host][FIGURES.index(each.counter)] += row / (1 if "bytes" not in each.counter else 1024)
        if not any(each.counter == FIGURES[2] for each in plan):
            grid.without_bytes.add(host.casefold())
        _latency(reading, plan, here)
    logged.add(grid, file, reading, times, numbers, sums)
    reading.taken.append(f"{number_of(len(sums), 'machine')}, {number_of(len(times), 'row')}")


def wanted(name: str, patterns: Iterable[str]) -> bool:
    """Say whether a machine is one of those that the user named; all are where nobody named any."""
    patterns = tuple(patterns)
    return not patterns or any(fnmatchcase(name.casefold(), each.casefold()) for each in patterns)


def _plan(counters: Sequence[pdh.Counter], reading: Reading) -> list[pdh.Counter]:
    """Return the columns of one machine that count each disk once: its physical total, else its physical disks."""
    levels: tuple[tuple[str, Callable[[pdh.Counter], bool]], ...] = (
        ("PhysicalDisk(_Total)", lambda each: each.object == PHYSICAL and each.instance.casefold() == TOTAL),
        ("physical disks", lambda each: each.object == PHYSICAL and each.instance.casefold() != TOTAL),
        ("LogicalDisk(_Total)", lambda each: each.object == LOGICAL and each.instance.casefold() == TOTAL),
        ("logical disks", lambda each: each.object == LOGICAL and each.instance.casefold() != TOTAL),
    )
    known = [each for each in counters if each.counter in (*FIGURES, *LATENCIES)]
    for name, test in levels:
        level = [each for each in known if test(each)]
        disks: dict[str, set[str]] = {}
        for each in level:
            disks.setdefault(each.instance.casefold(), set()).add(each.counter)
        if not any({FIGURES[0], FIGURES[1]} <= counted for counted in disks.values()):
            continue
        _check_halves(reading, level, disks)
        others = sum(each.counter == FIGURES[0] for each in known) - sum(each.counter == FIGURES[0] for each in level)
        if others:
            whose = f"{number_of(others, 'further disk')} of {counters[0].host}"
            reading.left.append(f"{whose}: {name} counts {'it' if others == 1 else 'them'} already")
        if any(FIGURES[0] in counted and not {FIGURES[2], FIGURES[3]} <= counted for counted in disks.values()):
            level = [each for each in level if "bytes" not in each.counter]  # bytes of some would be those of all
        return level
    names = ", ".join(quoted(each.counter) for each in counters[:3])
    raise fault(
        reading.path,
        f"{counters[0].host} has no 'Disk Reads/sec' beside 'Disk Writes/sec', but {names}",
        "Log the counters of PhysicalDisk(_Total) with their English names (typeperf, or relog on an English system)",
        1,
    )


def _check_halves(reading: Reading, level: Sequence[pdh.Counter], disks: Mapping[str, set[str]]) -> None:
    """Raise RequestError for a disk of which the reads were logged without the writes, or the writes alone."""
    for each in level:
        there, lacking = (FIGURES[0], FIGURES[1]) if each.counter == FIGURES[0] else (FIGURES[1], FIGURES[0])
        if each.counter == there and lacking not in disks[each.instance.casefold()]:
            raise fault(
                reading.path,
                f"{each.host} has '{there}' of {each.instance} without '{lacking}'",
                "Log both of every disk, or those of PhysicalDisk(_Total) alone",
                1,
            )


def _latency(reading: Reading, plan: Sequence[pdh.Counter], values: np.ndarray) -> None:
    """Note the mean latency over the file, weighted by I/O; a mean of means would count idle seconds as busy ones."""
    by = {each.counter: row for each, row in zip(plan, values, strict=True) if each.instance.casefold() == TOTAL}
    pairs = [(by.get(rate), by.get(wait)) for rate, wait in zip(FIGURES[:2], LATENCIES, strict=True)]
    known = [(rate, wait) for rate, wait in pairs if rate is not None and wait is not None]
    ios = sum(float(np.nansum(rate)) for rate, _ in known)
    if ios > 0:
        reading.latency_ms = 1000 * sum(float(np.nansum(rate * wait)) for rate, wait in known) / ios
