"""fio JSON: points of an array, each checked with Little's law, and the branch on which more load gives more IOPS.

What is in flight (depth x jobs) equals IOPS x latency. A run that breaks it has its units or its depth wrong. Beyond
saturation IOPS fall while latency rises: those points say nothing about what the array can serve.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from addin.measured import texts
from addin.measured.records import fault, quoted

TITLE = "fio JSON"
LEAST, MOST = 0.9, 1.1  # in flight as measured over as asked; 196 published runs: 0.938 and more
_SYNC = ("sync", "psync", "pvsync", "pvsync2", "vsync")  # one I/O at a time, whatever the depth says
_NANOSECONDS = {"lat_ns": 1e6, "lat": 1e3}  # what a millisecond is in older and newer files
_PARTS = {"clat_ns": 1e6, "clat": 1e3}
_SAME_MIX = 0.05
_BEGINS = re.compile(r"^\{\s*(?:\"|$)", re.MULTILINE)


@dataclass(frozen=True)
class Point:
    """A run: reads and writes a second, mean latency, KiB of an I/O, I/Os in flight as asked and as measured."""

    path: Path
    name: str
    read_iops: float
    write_iops: float
    latency_ms: float
    kib: float
    asked: float
    limited: bool

    @property
    def iops(self) -> float:
        """Reads and writes."""
        return self.read_iops + self.write_iops

    @property
    def read_ratio(self) -> float:
        """Measured reads over all: rwmixread may be an option left over."""
        return self.read_iops / self.iops

    @property
    def in_flight(self) -> float:
        """IOPS x latency."""
        return self.iops * self.latency_ms / 1000

    @property
    def law(self) -> float:
        """In flight as measured over as asked."""
        return self.in_flight / self.asked

    @property
    def mb_s(self) -> float:
        """Megabytes a second."""
        return self.iops * self.kib * 1024 / 1e6


def recognised(start: str) -> bool:
    """Say whether a text is JSON of fio; text may stand before it."""
    return '"fio version"' in start


def read(path: Path, encoding: str = "") -> list[Point]:
    """Return the points of a file, one for each group of jobs that ran together.

    Raises RequestError for a file that fio did not write, a run that failed, and one that breaks Little's law.
    """
    content = _content(path, texts.encoding_of(path, encoding))
    together: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for job in content["jobs"]:
        if not isinstance(job, dict):
            raise fault(path, f"{quoted(str(job))} is no job", "Run fio with --output-format=json again")
        if job.get("error"):
            found = f"the job {quoted(str(job.get('jobname')))} ended with error {job['error']}"
            raise fault(path, found, "Run it again")
        together[str(job.get("groupid", 0))].append(job)
    shared = content.get("global options") or {}
    points = [_point(path, jobs, shared) for jobs in together.values()]
    kept = [point for point in points if point is not None]
    if not kept:
        raise fault(path, "holds no job with I/Os", "Leave the file out")
    for point in kept:
        _check(point)
    return kept


def _content(path: Path, encoding: str) -> dict[str, Any]:
    text = path.read_text(encoding=encoding, errors="replace")
    line = _BEGINS.search(text)  # text may stand before it, and have braces too
    begin = line.start() if line else text.find("{")
    try:
        content, end = json.JSONDecoder().raw_decode(text[begin:]) if begin >= 0 else ({}, 0)
    except (ValueError, RecursionError) as error:
        raise fault(path, f"is no JSON ({error})", "Run fio with --output-format=json again") from None
    if not isinstance(content, dict) or not isinstance(content.get("jobs"), list):
        raise fault(path, "holds no list of jobs", "Run fio with --output-format=json, not json+ to a terminal")
    if recognised(text[begin + end :]):
        raise fault(path, "holds more than one report", "Run fio without --status-interval, a file for each run")
    return content


def _point(path: Path, jobs: Sequence[Mapping[str, Any]], shared: Mapping[str, Any]) -> Point | None:
    """Return the point of jobs that ran together, None where they did no I/O."""
    rates, work, size, asked, limited = {"read": 0.0, "write": 0.0}, 0.0, 0.0, 0.0, False
    name = str(jobs[0].get("jobname", path.stem))
    alike = Counter(str(job.get("jobname")) for job in jobs)
    try:
        for job in jobs:
            options = {**shared, **(job.get("job options") or {})}
            if not options:
                found = f"the job {quoted(name)} names no iodepth, so Little's law cannot be checked"
                raise fault(path, found, "Old editions of fio leave the options out of their JSON: run fio 3")
            for kind in rates:
                part = job.get(kind) or {}
                iops = float(part.get("iops") or 0)
                if not 0 <= iops < math.inf:
                    raise ValueError(f"{iops} IOPS")
                if not iops:
                    continue
                rates[kind] += iops
                work += iops * _latency(part)
                size += float(part.get("bw_bytes") or float(part["bw"]) * 1024)
            threads = int(options.get("numjobs", 1)) if alike[str(job.get("jobname"))] == 1 else 1
            depth = 1 if options.get("ioengine") in _SYNC else int(options.get("iodepth", 1))
            if depth < 1 or threads < 1:
                raise ValueError(f"iodepth {depth}, numjobs {threads}")
            asked += depth * threads
            limited = limited or any(key in options for key in ("rate", "rate_iops", "thinktime"))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        found = f"the job {quoted(name)} cannot be read ({type(error).__name__}: {quoted(str(error))})"
        raise fault(path, found, "Run fio with --output-format=json again") from None
    iops = sum(rates.values())
    if not iops or not work:
        return None
    return Point(path, name, rates["read"], rates["write"], work / iops, size / iops / 1024, asked, limited)


def _latency(part: Mapping[str, Any]) -> float:
    """Return the mean latency in ms: in all, else from submission to completion."""
    for names in (_NANOSECONDS, _PARTS):
        for key, unit in names.items():
            mean = float((part.get(key) or {}).get("mean") or 0)
            if mean:
                return mean / unit
    raise KeyError("lat_ns")


def _check(point: Point) -> None:
    """Raise RequestError for a run that breaks Little's law; one that is held back may have less in flight."""
    if LEAST <= point.law <= MOST or (point.limited and point.law < LEAST):
        return
    found = (
        f"the job {quoted(point.name)} breaks Little's law: depth x jobs is {point.asked:,.0f}, IOPS x latency "
        f"{point.in_flight:,.1f}"
    )
    raise fault(point.path, found, "Look at the unit of the latency, and at iodepth and numjobs")


def branches(points: Sequence[Point]) -> list[tuple[list[Point], list[Point]]]:
    """Return (rising branch, points beyond saturation) for each read share and block size, most IOPS first.

    On a branch latency rises and IOPS do too: a point that has no more IOPS than one of less latency lies beyond.
    """
    groups: list[list[Point]] = []
    for point in sorted(points, key=lambda each: (each.read_ratio, each.kib, each.latency_ms, each.iops)):
        for group in groups:
            alike = abs(group[0].read_ratio - point.read_ratio) <= _SAME_MIX
            if alike and abs(group[0].kib - point.kib) <= _SAME_MIX * group[0].kib:
                group.append(point)
                break
        else:
            groups.append([point])
    made = []
    for group in groups:
        rising, beyond = list[Point](), list[Point]()
        for point in sorted(group, key=lambda each: (each.latency_ms, -each.iops)):
            (rising if not rising or point.iops > rising[-1].iops else beyond).append(point)
        made.append((rising, beyond))
    return sorted(made, key=lambda pair: -pair[0][-1].iops)


def card(points: Sequence[Point], limit_ms: float | None) -> dict[str, float]:
    """Return the fields of an array's card that the points determine: the most IOPS within a limit, and what is beside.

    The second point is of another read share; the lowest latency is that of the branch's least load, where it is
    below. The card's MB/s are the most of all runs. Raises nothing: what is not determined is left out.
    """
    made = branches(points)
    within = [[point for point in rising if limit_ms is None or point.latency_ms <= limit_ms] for rising, _ in made]
    chosen = [(rising, points[-1]) for (rising, _), points in zip(made, within, strict=True) if points]
    if not chosen:
        return {}
    rising, main = max(chosen, key=lambda pair: pair[1].iops)
    fields = {
        "iops": main.iops,
        "read_ratio": main.read_ratio,
        "latency_ms": main.latency_ms,
        "block_kib": main.kib,
        "throughput_mb_s": max(point.mb_s for points in within for point in points),
    }
    if rising[0].latency_ms < main.latency_ms:
        fields["base_latency_ms"] = rising[0].latency_ms
    others = [
        point
        for _, point in chosen
        if abs(point.read_ratio - main.read_ratio) > _SAME_MIX and abs(point.kib - main.kib) <= _SAME_MIX * main.kib
    ]
    if others:
        second = max(others, key=lambda each: abs(each.read_ratio - main.read_ratio))
        fields |= {
            "second_iops": second.iops,
            "second_read_ratio": second.read_ratio,
            "second_latency_ms": second.latency_ms,
        }
    return fields
