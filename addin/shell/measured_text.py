"""What `measure` and `measure-array` print, as text and as the content of their JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import repeat
from typing import Any

from addin.measured import fio
from addin.measured.inventory import Group
from addin.measured.phase import Phase
from addin.measured.records import Mix, Reading
from addin.measured.statistics import Mixture
from addin.measured.study import Study
from addin.measured.times import day_of
from addin.measured.windows import clock
from addin.results.applying import Change
from addin.shell.printed import table_text
from addin.sizing.tables import Table
from addin.workbook.book import shown

_UNKNOWN = "not known"
_SEASON = "It holds for the days and the desktops measured: month end, patch days and growth come on top."


def text(study: Study, changes: Sequence[Change], wrote: str, beside: str = "") -> str:
    """Return a study as people read it, with the text of what stands beside it."""
    blocks = ["\n".join(["Files", *(line for reading in study.readings for line in _file(reading))])]
    if study.findings:
        lines = [f"  {each.level}: {each.found}: {each.effect}" for each in study.findings]
        blocks.append("\n".join(["Data", *lines]))
    if study.phases:
        blocks += _phases(study)
    if study.groups:
        blocks.append(_groups(study.groups))
    if study.mixes:
        blocks.append(_mixes(study.mixes))
    if study.shown:
        blocks.append("\n".join(["Shown, never sized on", *(f"  {each}" for each in study.shown)]))
    if beside:
        blocks.append(beside)
    return "\n\n".join([*blocks, *_written(changes, wrote)])


def _file(reading: Reading) -> list[str]:
    facts = [f"{reading.first} to {reading.last}"] if reading.first else []
    facts += [f"every {reading.interval_s:,.0f} s"] if reading.interval_s else []
    facts += [f"clock {reading.clock}"] if reading.clock else []
    facts += [f"mean latency {reading.latency_ms:.2f} ms, weighted by I/O"] if reading.latency_ms else []
    head = f"  {reading.path.name} ({reading.digest}): {reading.kind}{'; ' if facts else ''}{'; '.join(facts)}"
    return [head, *(f"    taken: {each}" for each in reading.taken), *(f"    left: {each}" for each in reading.left)]


def _phases(study: Study) -> list[str]:
    head = f"Demand, {study.source}, {study.span}" if not study.peaks else f"Means only: {study.peaks}"
    table = Table(
        ("Phase", "Hours", "Days", "Design", "95 % interval", "Upper bound", "Estate", "Mean", "Read share",
         "Read", "Write", "Any I/O", "Pilots for 10 %", "Design bin"),
        ("", "", "", "IOPS/desktop", "IOPS/desktop", "IOPS/desktop", "IOPS", "IOPS/desktop", "ratio",
         "KiB", "KiB", "KiB", "desktops", ""),
        tuple(_row(phase) for phase in study.phases),
    )  # fmt: skip
    blocks = [f"{head}\n{table_text(table)}"]
    blocks[0] += f"\n{_SEASON}"
    blocks[0] += "".join(f"\n{phase.name}: no interval: {phase.error.why}" for phase in study.phases if phase.error.why)
    moments = [
        (phase.name, name, f"{day_of(each.day)} {clock(each.start)}", each.iops, *_mix(each.mix))
        for phase in study.phases
        for name, each in phase.moments.items()
    ]
    if moments:
        headings = ("Phase", "Moment", "Begins", "IOPS", "Read share", "Read", "Write", "Any I/O")
        units = ("", "", "", "IOPS/desktop", "ratio", "KiB", "KiB", "KiB")
        blocks.append(f"Moments that may decide\n{table_text(Table(headings, units, tuple(moments)))}")
    figures = [
        (phase.name, each.name, each.value, each.unit, each.why) for phase in study.phases for each in phase.shown
    ]
    if figures:
        table = Table(("Phase", "Shown, never sized on", "Estate", "Unit", "Why not"), ("",) * 5, tuple(figures))
        blocks.append(table_text(table))
    return blocks


def _row(phase: Phase) -> tuple[str | float, ...]:
    interval = f"{phase.interval[0]:.4g} to {phase.interval[1]:.4g}" if phase.interval else _UNKNOWN
    upper = phase.sized if phase.error.upper is not None and phase.sized is not None else _UNKNOWN
    mix = phase.peak.mix if phase.peak else phase.mean_mix
    return (
        phase.name,
        phase.window,
        float(phase.days),
        _known(phase.per_desktop),
        interval,
        upper,
        _known(phase.demand),
        phase.mean,
        *_mix(mix),
        _known(phase.error.pilots),
        phase.at or _UNKNOWN,
    )


def _mix(mix: Mixture) -> tuple[str | float, ...]:
    return tuple(_known(each) for each in (mix.read_share, mix.read_kib, mix.write_kib, mix.kib))


def _known(value: float | None) -> str | float:
    return _UNKNOWN if value is None else float(value)


def _groups(groups: Sequence[Group]) -> str:
    rows = tuple(
        (
            group.name,
            float(group.machines),
            *(_known(each) for each in (group.memory_gib, group.cpus, group.disk_gib, group.gib)),
            ", ".join(f"{source} ({count:,})" for source, count in group.sources),
            ", ".join(group.examples),
        )
        for group in groups
    )
    headings = ("Group", "Machines", "Memory", "Processors", "Disk", "Used", "Used is", "Such as")
    table = Table(headings, ("", "count", "GiB", "count", "GiB", "GiB", "", ""), rows)
    return f"What becomes which group (inventories have no IOPS)\n{table_text(table)}"


def _mixes(mixes: Sequence[Mix]) -> str:
    rows = tuple(
        (
            each.name,
            float(each.reads),
            float(each.writes),
            *map(_known, (each.read_share, each.read_kib, each.write_kib)),
        )
        for each in mixes
    )
    headings = ("Mix without IOPS", "Reads", "Writes", "Read share", "Read", "Write")
    return table_text(Table(headings, ("", "count", "count", "ratio", "KiB", "KiB"), rows))


def _written(changes: Sequence[Change], wrote: str) -> list[str]:
    if not changes:
        return []
    lines = [f"  {each.item.key}: {shown(each.before, each.item.unit) or 'blank'} -> {shown(each.now, each.item.unit)}"
             for each in changes]  # fmt: skip
    return ["\n".join([wrote, *lines])]


def content(study: Study, changes: Sequence[Change]) -> dict[str, Any]:
    """Return a study as JSON has it."""
    return {
        "files": [
            {
                "file": each.path.name,
                "digest": each.digest,
                "kind": each.kind,
                "clock": each.clock,
                "interval_s": each.interval_s,
                "first": each.first,
                "last": each.last,
                "latency_ms": each.latency_ms,
                "taken": each.taken,
                "left": each.left,
            }
            for each in study.readings
        ],
        "findings": [asdict(each) for each in study.findings],
        "source": study.source if study.phases else "",
        "desktops": study.desktops,
        "days": [str(day_of(day)) for day in study.days],
        "coverage_ratio": study.coverage,
        "means_only": study.peaks,
        "phases": [_phase_content(each) for each in study.phases],
        "groups": [_group_content(each) for each in study.groups],
        "mixes": [{**asdict(each), "read_ratio": each.read_share} for each in study.mixes],
        "shown": list(study.shown),
        "changes": changes_content(changes),
    }


def _phase_content(phase: Phase) -> dict[str, Any]:
    peak = phase.peak
    return {
        "phase": phase.name,
        "hours": phase.window,
        "days": phase.days,
        "types": [
            {"type": name, "desktops": users, "measured": measured, "design_iops_per_desktop": iops}
            for (name, users, measured), iops in zip(phase.users, phase.by_type or repeat(None), strict=False)
        ],
        "design_iops_per_desktop": phase.per_desktop,
        "design_iops": phase.demand,
        "design_bin": phase.at,
        "upper_iops_per_desktop": phase.sized if phase.error.upper is not None else None,
        "upper_iops": phase.error.upper,
        "standard_error_iops": phase.error.standard,
        "between_days_iops": phase.error.days,
        "interval_iops_per_desktop": list(phase.interval) if phase.interval else None,
        "no_interval": phase.error.why,
        "pilots_needed": phase.error.pilots,
        "mean_iops_per_desktop": phase.mean,
        **_mix_content(peak.mix if peak else phase.mean_mix),
        "moments": [
            {"moment": name, "begins": f"{day_of(each.day)} {clock(each.start)}", "iops_per_desktop": each.iops,
             **_mix_content(each.mix)}
            for name, each in phase.moments.items()
        ],
        "shown": [asdict(each) for each in phase.shown],
    }  # fmt: skip


def _mix_content(mix: Mixture) -> dict[str, float | None]:
    return {
        "read_ratio": mix.read_share,
        "read_kib": mix.read_kib,
        "write_kib": mix.write_kib,
        "block_kib": mix.kib,
    }


def _group_content(group: Group) -> dict[str, Any]:
    sources = [{"source": source, "machines": count} for source, count in group.sources]
    return {**asdict(group), "sources": sources, "examples": list(group.examples)}


def changes_content(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return changes as JSON has them."""
    return [{"key": each.item.key, "value": each.now, "unit": each.item.unit} for each in changes]


def points_text(points: Sequence[fio.Point], changes: Sequence[Change], wrote: str) -> str:
    """Return the points of an array as people read them."""
    rows = tuple(
        (
            each.path.name,
            each.name,
            each.iops,
            each.read_ratio,
            each.kib,
            each.latency_ms,
            each.mb_s,
            each.asked,
            each.in_flight,
            each.law,
            "rising" if kept else "beyond saturation",
        )
        for rising, beyond in fio.branches(points)
        for kept, branch in ((True, rising), (False, beyond))
        for each in branch
    )
    headings = ("File", "Job", "IOPS", "Read share", "Block", "Latency", "Throughput", "Depth x jobs",
                "IOPS x latency", "Little's law", "Branch")  # fmt: skip
    units = ("", "", "IOPS", "ratio", "KiB", "ms", "MB/s", "I/Os", "I/Os", "ratio", "")
    note = "Only the rising branch counts: beyond saturation more load gives fewer IOPS."
    return "\n\n".join([table_text(Table(headings, units, rows, (note,))), *_written(changes, wrote)])


def points_content(points: Sequence[fio.Point], changes: Sequence[Change]) -> dict[str, Any]:
    """Return the points of an array as JSON has them."""
    return {
        "points": [
            {
                "file": each.path.name,
                "job": each.name,
                "iops": each.iops,
                "read_ratio": each.read_ratio,
                "block_kib": each.kib,
                "latency_ms": each.latency_ms,
                "throughput_mb_s": each.mb_s,
                "asked_in_flight": each.asked,
                "measured_in_flight": each.in_flight,
                "law_ratio": each.law,
                "rising": kept,
            }
            for rising, beyond in fio.branches(points)
            for kept, branch in ((True, rising), (False, beyond))
            for each in branch
        ],
        "changes": changes_content(changes),
    }
