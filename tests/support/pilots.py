"""Pilots with known figures, written as each tool writes them: the same samples give the same demand in any format."""

from __future__ import annotations

import csv
import datetime
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from addin.measured.records import Options
from addin.measured.request import Request
from addin.measured.study import Study, study
from addin.measured.windows import plan

Figures = NDArray[np.float64]
MONDAY = datetime.datetime(2026, 10, 5)
HOURS = {"steady": "08:00-18:00"}
EVERY = 300  # seconds


@dataclass(frozen=True)
class Pilots:
    """Names, the times at which intervals begin, and figures [desktop, time, reads writes read_kib write_kib]."""

    names: tuple[str, ...]
    times: tuple[datetime.datetime, ...]
    values: Figures

    @property
    def iops(self) -> Figures:
        """Reads and writes of every desktop and time."""
        return self.values[:, :, 0] + self.values[:, :, 1]


def pilots(count: int = 12, days: int = 5, begin: str = "07:00", end: str = "19:00", every: int = EVERY) -> Pilots:
    """Return desktops of different levels; on Thursday from 10:00 to 10:30 all do twice as much."""
    first, last = (int(text[:2]) * 3600 for text in (begin, end))
    seconds = range(first, last, every)
    times = tuple(MONDAY + datetime.timedelta(days=day, seconds=at) for day in range(days) for at in seconds)
    level = 1 + np.arange(count) / count
    busy = np.array([2.0 if (t.day, t.hour, t.minute < 30) == (8, 10, True) else 1.0 for t in times])
    rates = level[:, None] * busy
    values = np.stack([3 * rates, 7 * rates, 60 * rates, 84 * rates], axis=2)
    return Pilots(tuple(f"VDI-{number:03d}" for number in range(1, count + 1)), times, np.round(values, 4))


def measured(files: Iterable[Path], **changes: object) -> Study:
    """Return the study of files; `windows`, `days`, `smooth` and `options` beside what a request takes."""
    windows = changes.pop("windows", HOURS)
    made = plan(windows, str(changes.pop("days", "mon-fri")), int(str(changes.pop("smooth", 30))))  # type: ignore[arg-type]
    options = changes.pop("options", Options())
    return study(Request(tuple(files), options, made, **{"estate": 1000.0, **changes}))  # type: ignore[arg-type]


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    """Write a text as it is and return its path."""
    path.write_bytes(text.encode(encoding))
    return path


def table(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Return rows as csv, quoted where that is needed."""

    class _Text(list[str]):
        def write(self, text: str) -> int:
            self.append(text)
            return len(text)

    made = _Text()
    csv.writer(made, delimiter=delimiter).writerows(rows)
    return "".join(made)


def generic(path: Path, data: Pilots, order: Callable[[list[list[object]]], None] | None = None) -> Path:
    """Write the long csv of our own; `order` shuffles its rows."""
    rows: list[list[object]] = [
        [time.isoformat(" "), name, *data.values[n, t]]
        for t, time in enumerate(data.times)
        for n, name in enumerate(data.names)
    ]
    if order is not None:
        order(rows)
    return write(path, table([["time", "desktop", "reads", "writes", "read_kib", "write_kib"], *rows]))


def wide(path: Path, data: Pilots) -> Path:
    """Write the wide csv of our own."""
    rates = ("reads", "writes", "read_kib", "write_kib")
    heads = ["time", *(f"{name}:{rate}" for name in data.names for rate in rates)]
    return write(
        path, table([heads, *([time.isoformat(), *data.values[:, t].flat] for t, time in enumerate(data.times))])
    )


def ends(data: Pilots) -> list[datetime.datetime]:
    """Return the times that a logger stamps: the end of each interval, one more before the first."""
    step = data.times[1] - data.times[0]
    return [data.times[0], *(time + step for time in data.times)]


def perfmon(path: Path, data: Pilots, number: int = 0, bias: int = -120, zone: str = "W. Europe Daylight Time") -> Path:
    """Write what perfmon logs of one desktop: its total beside its disks and its volumes, a blank first row."""
    name = data.names[number]
    counters = (
        "Disk Reads/sec",
        "Disk Writes/sec",
        "Disk Read Bytes/sec",
        "Disk Write Bytes/sec",
        "Avg. Disk sec/Read",
    )
    places = ("PhysicalDisk(_Total)", "PhysicalDisk(0 C:)", "LogicalDisk(C:)", "LogicalDisk(_Total)")
    heads: list[object] = [
        f"(PDH-CSV 4.0) ({zone})({bias})",
        *(rf"\\{name}\{place}\{each}" for place in places for each in counters),
    ]
    blank = [" "] * (len(heads) - 1)
    rows: list[list[object]] = [heads]
    for t, time in enumerate(ends(data)):
        reads, writes, read_kib, write_kib = data.values[number, t - 1]
        figures = [reads, writes, read_kib * 1024, write_kib * 1024, 0.002] * len(places)
        rows.append([f"{time:%m/%d/%Y %H:%M:%S}.123", *(figures if t else blank)])
    return write(path, table(rows))


def esxtop(path: Path, data: Pilots, zone: str = "UTC") -> Path:
    """Write what esxtop -b logs: the row of every machine beside those of its two disks, and columns of others."""
    counters = ("Reads/sec", "Writes/sec", "MBytes Read/sec", "MBytes Written/sec")
    heads: list[object] = [f"(PDH-CSV 4.0) ({zone})(0)", r"\\esx\Group Cpu(1:system)\% Used"]
    for name in data.names:
        for place in (f"{name} (50 12 ab cd)", f"{name} (50 12 ab cd):scsi0:0", f"{name} (50 12 ab cd):scsi0:1"):
            heads += [rf"\\esx\Virtual Disk({place})\{each}" for each in counters]
    rows: list[list[object]] = [heads]
    for t, time in enumerate(ends(data)):
        row: list[object] = [f"{time:%m/%d/%Y %H:%M:%S}", 12.5]
        for n in range(len(data.names)):
            figures = data.values[n, t - 1] / (1, 1, 1024, 1024) if t else np.full(4, 999.0)
            row += [*figures, *(figures / 4), *(figures * 3 / 4)]
        rows.append(row)
    return write(path, table(rows))


def iostat(path: Path, data: Pilots, number: int = 0, columns: str = "new") -> Path:
    """Write what iostat -xt prints of one desktop in the columns of sysstat 12 (new), 10 (old) or 12 with -m (mb)."""
    heads = {
        "new": "Device r/s rkB/s r_await rareq-sz w/s wkB/s w_await wareq-sz aqu-sz %util",
        "mb": "Device r/s w/s rMB/s wMB/s rrqm/s aqu-sz %util",
        "old": "Device: rrqm/s wrqm/s r/s w/s rsec/s wsec/s avgrq-sz avgqu-sz await svctm %util",
    }[columns]
    lines = [f"Linux 5.8.0-53-generic ({data.names[number]}) \t10/05/2026 \t_x86_64_\t(2 CPU)", ""]
    for t, time in enumerate(ends(data)):
        reads, writes, read_kib, write_kib = data.values[number, t - 1] if t else np.full(4, 999.0)
        known = {"r/s": reads, "w/s": writes, "rkB/s": read_kib, "wkB/s": write_kib}
        known |= {"rMB/s": read_kib / 1024, "wMB/s": write_kib / 1024, "rsec/s": read_kib * 2, "wsec/s": write_kib * 2}
        lines += [f"{time:%m/%d/%Y %I:%M:%S %p}", "avg-cpu:  %user   %nice", "           0.39    0.04", "", heads]
        for disk, share in (("sda", 0.5), ("sda1", 0.5), ("dm-0", 1.0), ("nvme0n1", 0.5), ("loop0", 0.0), ("md0", 1.0)):
            lines.append(" ".join([disk, *(f"{known.get(head, 0.0) * share:.6f}" for head in heads.split()[1:])]))
        lines.append("")
    return write(path, "\n".join(lines))


def iostat_json(path: Path, data: Pilots, number: int = 0) -> Path:
    """Write what iostat -xt -o JSON prints of one desktop."""
    records = []
    for t, time in enumerate(ends(data)):
        reads, writes, read_kib, write_kib = (
            float(each) for each in (data.values[number, t - 1] if t else [999.0] * 4)
        )
        disk = {"r/s": reads, "w/s": writes, "rkB/s": read_kib, "wkB/s": write_kib, "r_await": 0.5, "rareq-sz": 20.0}
        disks = [{"disk_device": name, **disk} for name in ("sda", "sda1", "dm-0")]
        records.append({"timestamp": f"{time:%m/%d/%Y %H:%M:%S}", "avg-cpu": {"user": 1.0}, "disk": disks})
    hosts = [{"nodename": data.names[number], "sysname": "Linux", "statistics": records}]
    return write(path, json.dumps({"sysstat": {"hosts": hosts}}))


def fio(path: Path, iops: float, read: float, ms: float, kib: float = 8, jobs: int = 4, **changes: Any) -> Path:
    """Write a run as fio does, with reporting by group unless `each`: depth follows from Little's law."""
    depth = max(1, round(iops * ms / 1000 / jobs)) if "depth" not in changes else changes["depth"]
    unit, factor = changes.get("unit", ("lat_ns", 1e6))
    parts = []
    each = changes.get("each", False)
    for _ in range(jobs if each else 1):
        kinds: dict[str, Any] = {}
        for kind, share in (("read", read), ("write", 1 - read)):
            rate = iops * share / (jobs if each else 1)
            kinds[kind] = {"iops": rate, "bw": round(rate * kib), unit: {"mean": ms * factor if share else 0.0}}
        options = {"rw": "randrw", "rwmixread": "50", "iodepth": str(depth), "numjobs": str(jobs)}
        parts.append({"jobname": "mix", "groupid": 0, "error": 0, "job options": options, **kinds})
    content = {"fio version": "fio-3.28", "global options": {"ioengine": "libaio"}, "jobs": parts}
    return write(path, f"{changes.get('before', '')}{json.dumps(content)}")
