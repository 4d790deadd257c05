"""iostat -x as text (columns of sysstat 10 to 12) and as JSON: whole disks once, without the record since boot."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from addin.measured import logged, texts
from addin.measured.grid import Grid
from addin.measured.numbers import Numbers
from addin.measured.perfmon import wanted
from addin.measured.records import Mix, Options, Progress, Reading, fault, quoted
from addin.measured.times import Clock

TEXT_TITLE, JSON_TITLE = "iostat -x (text)", "iostat -x (JSON)"
_BANNER = re.compile(r"Linux \S+ \((?P<host>[^)]*)\)")
_TIME = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4} \d{1,2}:\d{2}:\d{2}(?: [AP]M)?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*")
_WHOLE = re.compile(r"(?:sd|vd|xvd|hd)[a-z]+|nvme\d+n\d+")  # a disk; no partition, dm, md, loop, optical drive
_UNITS = {"kB/s": 1.0, "MB/s": 1024.0, "sec/s": 0.5}  # KiB of one; sectors are 512 bytes
_SINCE_BOOT = "the first record: it is the time since boot"
Record = tuple[str, int, Mapping[str, tuple[float, float, float, float]]]  # time, row, figures of every whole disk


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
    hosts = _of_json(reading.path, encoding) if jsonic else _of_text(reading.path, encoding, progress)
    mixes = []
    for host, records, skipped in hosts:
        if not wanted(host, options.desktops):
            reading.left.append(f"{host}: --desktops does not name it")
            continue
        if skipped:
            reading.left.append(f"{', '.join(sorted(skipped))}: parts of disks, or no disks of the machine")
        if len(records) < 2:
            found = "holds only the record since boot"
            raise fault(reading.path, found, "Run iostat -xtk 300 300: an interval and a count")
        if not all(each[0] for each in records):
            reading.left.append(_SINCE_BOOT)
            reading.left.append("IOPS: the records have no times, so no phase; run iostat with -t")
            mixes.append(_mix(host, records[1:]))
            continue
        clock = Clock(reading.path, options.zone)
        times = [clock.us(t, row) if "/" in t else clock.iso(t, row) for t, row, _ in records]
        reading.clock = clock.kept
        sums = np.array([np.sum(list(disks.values()), axis=0) for _, _, disks in records]).T
        logged.add(grid, file, reading, times, [row for _, row, _ in records], {host: sums})
        reading.left[reading.left.index("the first row: it is the time since the start")] = _SINCE_BOOT
        reading.taken.append(f"{host}: {len(records)} records of {', '.join(sorted(records[0][2]))}")
    return mixes


def _mix(host: str, records: Sequence[Record]) -> Mix:
    sums = np.sum([np.sum(list(disks.values()), axis=0) for _, _, disks in records], axis=0)
    reads, writes, read_kib, write_kib = (float(each) for each in sums)
    return Mix(
        host, round(reads), round(writes), read_kib / reads if reads else None, write_kib / writes if writes else None
    )


def _of_text(path: Path, encoding: str, progress: Progress | None) -> Iterator[tuple[str, list[Record], set[str]]]:
    """Yield host, records, and the devices that are left out."""
    host, time, heads = path.stem, "", list[str]()
    records, skipped = list[Record](), set[str]()
    numbers = Numbers(path)
    disks: dict[str, tuple[float, float, float, float]] | None = None
    for row, line in enumerate(texts.lines(path, encoding, progress), 1):
        words = line.split()
        if banner := _BANNER.match(line):
            host = banner["host"] or host
        elif match := _TIME.fullmatch(line.strip()):
            time = match[0]
        elif words and words[0].rstrip(":") == "Device":
            heads, disks = words, {}
            records.append((time, row, disks))
        elif not words or words[0] == "avg-cpu:":
            disks = None
        elif disks is not None:
            if len(words) != len(heads):
                found = f"{quoted(line)} has {len(words)} words, the header {len(heads)}"
                raise fault(path, found, "Delete the record, or measure again", row)
            if _WHOLE.fullmatch(words[0]):
                values = {head: numbers.value(word, row, head) for head, word in zip(heads[1:], words[1:], strict=True)}
                disks[words[0]] = _figures(path, values, row)
            else:
                skipped.add(words[0])
    records = [each for each in records if each[2]]
    if not records and skipped:
        raise fault(path, f"has no whole disk, only {', '.join(sorted(skipped))}", "Run iostat for all disks")
    yield host, records, skipped


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


def _of_json(path: Path, encoding: str) -> Iterator[tuple[str, list[Record], set[str]]]:
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
                    values = {key: float(value) for key, value in disk.items() if key != "disk_device"}
                    disks[name] = _figures(path, values, number)
                if disks:
                    records.append((record.get("timestamp", ""), number, disks))
            yield host["nodename"], records, skipped
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        found = f"is no JSON of iostat ({type(error).__name__}: {quoted(str(error))})"
        raise fault(path, found, "Run iostat -x -o JSON, and let it end with its interval count") from None
