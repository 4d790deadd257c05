"""iostat -x as text (columns of sysstat 10 to 12) and as JSON: whole disks once, without the record since boot.

A text may hold several runs, of one host or more, each behind its banner: the first record of every run is since boot.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from addin.measured import logged, texts
from addin.measured.grid import Grid
from addin.measured.numbers import Numbers
from addin.measured.perfmon import wanted
from addin.measured.records import Mix, Options, Progress, Reading, fault, quoted
from addin.measured.times import Clock
from addin.numerals import number_of

COMMAND = "iostat -xtk 300 300"
TEXT_TITLE, JSON_TITLE = "iostat -x (text)", "iostat -x (JSON)"
BANNER = re.compile(r"Linux \S+ \((?P<host>[^)]*)\)")
_TIME = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4} \d{1,2}:\d{2}:\d{2}(?: [AP]M)?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*")
_WHOLE = re.compile(r"(?:sd|vd|xvd|hd)[a-z]+|nvme\d+n\d+")  # a disk; no partition, dm, md, loop, optical drive
_UNITS = {"kB/s": 1.0, "MB/s": 1024.0, "sec/s": 0.5}  # KiB of one; sectors are 512 bytes
_CLOCK = re.compile(r"\d{1,2}:\d{2}:\d{2}")
_NARROW = "\u202f"  # what newer systems put before AM and PM
_RATES = ("reads", "writes", "read KiB", "write KiB")
_SINCE_BOOT = "the first record: it is the time since boot"
_EVERY_RUN = "the first record of each run: it is the time since boot"
Disks = Mapping[str, tuple[float, float, float, float]]  # figures of every whole disk
Record = tuple[str, int, Disks]  # with time and row


@dataclass
class _Host:
    """The runs of a host, each a list of records, and the devices that are left out."""

    name: str
    runs: list[list[Record]] = field(default_factory=list)
    skipped: set[str] = field(default_factory=set)

    @property
    def records(self) -> list[Record]:
        """All records, one run after the other."""
        return [record for run in self.runs for record in run]

    @property
    def samples(self) -> list[Record]:
        """The records without the first of each run."""
        return [record for run in self.runs for record in run[1:]]

    @property
    def firsts(self) -> set[int]:
        """The places of the first record of each run in `records`."""
        return {sum(map(len, self.runs[:at])) for at, run in enumerate(self.runs) if run}


def is_text(start: str) -> bool:
    """Say whether a text is what iostat -x prints."""
    return bool(re.search(r"^Device:?\s.*\br/s\s+w/s|^Device:?\s+r/s\s.*\bw/s", start, re.MULTILINE))


def is_json(start: str) -> bool:
    """Say whether a text is the JSON of sysstat."""
    return start.lstrip().startswith("{") and '"sysstat"' in start


def add(grid: Grid, file: int, reading: Reading, options: Options, progress: Progress | None = None) -> list[Mix]:
    """Add a file; where it has no times, return its read share and block size. Raises RequestError."""
    encoding = texts.encoding_of(reading.path, options.encoding)
    jsonic = is_json(texts.head(reading.path).decode(encoding, "replace"))
    hosts = _of_json(reading.path, encoding) if jsonic else _of_text(reading, encoding, progress)
    mixes, seen = [], set[str]()
    for host in hosts:
        name, records = host.name, host.records
        if name.casefold() in seen:
            raise fault(reading.path, f"two hosts are called {quoted(name)}", "Give each host's records once")
        seen.add(name.casefold())
        if not wanted(name, options.desktops):
            reading.left.append(f"{name}: --desktops does not name it")
            continue
        if host.skipped:
            _leave(reading, f"{', '.join(sorted(host.skipped))}: parts of disks, or no disks of the machine")
        if not host.samples:
            found = "holds only the record since boot" if len(host.runs) < 2 else "holds only records since boot"
            raise fault(reading.path, found, f"Run {COMMAND}: an interval and a count")
        why = _SINCE_BOOT if len(host.runs) < 2 else _EVERY_RUN
        if not all(each[0] for each in records):
            _leave(reading, why)
            _leave(reading, "IOPS: the records have no times, so no phase; run iostat with -t")
            mixes.append(_mix(name, host.samples))
            continue
        clock = Clock(reading.path, options.zone)
        _note_order(reading, records[0][0])
        times = [clock.us(t, row) if "/" in t else clock.iso(t, row) for t, row, _ in records]
        reading.clock, reading.as_is = clock.kept, clock.as_is
        sums = np.array([_summed(disks) for _, _, disks in records]).T
        logged.add(grid, file, reading, times, [row for _, row, _ in records], {name: sums}, host.firsts, why)
        runs = f" in {number_of(len(host.runs), 'run')}" if len(host.runs) > 1 else ""
        disks = ", ".join(sorted({disk for _, _, each in records for disk in each}))
        reading.taken.append(f"{name}: {number_of(len(records), 'record')}{runs} of {disks}")
    return mixes


def _leave(reading: Reading, what: str) -> None:
    """Note what was left, once for all hosts of a file."""
    if what not in reading.left:
        reading.left.append(what)


def _note_order(reading: Reading, text: str) -> None:
    """Say how the days of a file are read where nothing in them shows whether the month is first."""
    parts = text.split("/")
    if len(parts) == 3 and int(parts[1]) <= 12 and parts[0] != parts[1]:
        effect = "where this machine writes the day first, log with S_TIME_FORMAT=ISO"
        found = f"{text.split()[0]} is read as month/day/year"
        if not any(each.effect == effect for each in reading.findings):
            reading.note(found, effect)


def _summed(disks: Mapping[str, tuple[float, float, float, float]]) -> tuple[float, ...]:
    """Return the sums over disks: 0 where iostat -z left all of them out, as they did nothing."""
    return tuple(sum(each[at] for each in disks.values()) for at in range(len(_RATES)))


def _whole(path: Path, host: _Host) -> _Host:
    """Return a host, the last record of a run only where it has the disks of the one before: it may be cut off.

    Raises RequestError where no record has a whole disk.
    """
    if not any(disks for _, _, disks in host.records):
        skipped = sorted(host.skipped)
        what = f"has no whole disk, only {', '.join(skipped)}" if skipped else "has no record of a disk"
        raise fault(path, what, f"Run {COMMAND} for all disks")
    runs = [run[:-1] if len(run) > 1 and not run[-2][2].keys() <= run[-1][2].keys() else run for run in host.runs]
    return _Host(host.name, [run for run in runs if run], host.skipped)


def _mix(host: str, records: Sequence[Record]) -> Mix:
    sums = np.sum([_summed(disks) for _, _, disks in records], axis=0)
    reads, writes, read_kib, write_kib = (float(each) for each in sums)
    return Mix(
        host, round(reads), round(writes), read_kib / reads if reads else None, write_kib / writes if writes else None
    )


def _of_text(reading: Reading, encoding: str, progress: Progress | None) -> Iterator[_Host]:
    """Yield the hosts of a text. Every banner begins a run, of the host that it names."""
    path = reading.path
    time, heads = "", list[str]()
    hosts = dict[str, _Host]()
    host = _run_of(hosts, path.stem)
    numbers = Numbers(path)
    disks: dict[str, tuple[float, float, float, float]] | None = None
    for row, line in enumerate(texts.lines(path, encoding, progress), 1):
        words = line.split()
        if banner := BANNER.match(line):
            host, time, disks = _run_of(hosts, banner["host"] or path.stem), "", None
        elif match := _TIME.fullmatch(plain_time := line.strip().replace(_NARROW, " ").upper()):
            time = match[0]
        elif words and words[0].rstrip(":") == "Device":
            heads, disks = words, {}
            host.runs[-1].append((time, row, disks))
        elif not words or words[0] == "avg-cpu:":
            disks = None
        elif disks is None and _CLOCK.search(plain_time):
            found = f"{quoted(line)} is no time"
            raise fault(path, found, f"Log with S_TIME_FORMAT=ISO {COMMAND}", row)
        elif disks is not None:
            if len(words) != len(heads):
                found = f"{quoted(line)} has {number_of(len(words), 'word')}, the header {len(heads)}"
                raise fault(path, found, "Delete the record, or measure again", row)
            if _WHOLE.fullmatch(words[0]):
                values = {head: numbers.value(word, row, head) for head, word in zip(heads[1:], words[1:], strict=True)}
                disks[words[0]] = _figures(path, values, row)
            else:
                host.skipped.add(words[0])
    numbers.end(reading)
    filled = [each for each in hosts.values() if each.records]
    for each in filled or [host]:
        yield _whole(path, each)


def _run_of(hosts: dict[str, _Host], name: str) -> _Host:
    """Return a host, where it has another run that is empty yet."""
    host = hosts.setdefault(name.casefold(), _Host(name))
    host.runs.append([])
    return host


def _figures(path: Path, values: Mapping[str, float], row: int) -> tuple[float, float, float, float]:
    """Return reads, writes, read KiB and write KiB a second of a line."""
    found = []
    for letter in "rw":
        rate = values.get(f"{letter}/s")
        names = {unit: values.get(f"{letter}{unit}") for unit in _UNITS}
        size = next((value * _UNITS[unit] for unit, value in names.items() if value is not None), None)
        if rate is None or size is None:
            lacking = f"{letter}/s" if rate is None else f"{letter}kB/s"
            raise fault(path, f"has no column {lacking!r}", "Run iostat -xk", row)
        found.append((rate, size))
    (reads, read_kib), (writes, write_kib) = found
    return reads, writes, read_kib, write_kib


def _rate(value: object) -> float:
    """Return a figure of the JSON as a number; NaN where the text is not a number."""
    try:
        return float(value)  # type: ignore[arg-type]
    except ValueError:
        return math.nan


def _of_json(path: Path, encoding: str) -> Iterator[_Host]:
    try:
        content: Any = json.loads(path.read_text(encoding=encoding))
        hosts = content["sysstat"]["hosts"]
        for host in hosts:
            records, skipped = list[Record](), set[str]()
            for number, record in enumerate(host["statistics"], 1):
                disks = {}
                for disk in record.get("disk", ()):
                    name = disk["disk_device"]
                    if not _WHOLE.fullmatch(name):
                        skipped.add(name)
                        continue
                    values = {key: _rate(value) for key, value in disk.items() if key != "disk_device"}
                    if odd := next((key for key, value in values.items() if not 0 <= value < math.inf), ""):
                        found = f"{quoted(str(disk[odd]))} is no rate"
                        raise fault(path, f"record {number}, {name}, {odd}: {found}", "Measure again")
                    disks[name] = _figures(path, values, number)
                time = record.get("timestamp", "")
                if not isinstance(time, str):
                    raise fault(path, f"record {number}: {quoted(str(time))} is no time", "Run iostat -xt -o JSON")
                records.append((time, number, disks))
            yield _whole(path, _Host(str(host["nodename"]), [records], skipped))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        found = f"is no JSON of iostat ({type(error).__name__}: {quoted(str(error))})"
        raise fault(path, found, "Run iostat -x -o JSON, and let it end with its interval count") from None
