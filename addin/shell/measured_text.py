"""What `measure` and `measure-array` print, as text and as the content of their JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import repeat
from typing import Any

from addin.measured import fio
from addin.measured.by_type import OfType
from addin.measured.inventory import Group
from addin.measured.phase import Phase
from addin.measured.statistics import Mixture
from addin.measured.study import Study
from addin.measured.times import day_of
from addin.measured.windows import clock
from addin.results.applying import Change
from addin.results.measured_sections import Section, sections, written
from addin.shell.printed import table_text
from addin.sizing.tables import Table


def text(study: Study, changes: Sequence[Change], wrote: str, beside: str = "", after: Sequence[str] = ()) -> str:
    """Return a study as people read it, with the text of what stands beside it, and lines on what to do after it."""
    blocks = [block(each) for each in sections(study)]
    if beside:
        blocks.append(beside)
    return "\n\n".join([*blocks, *_written(changes, wrote), *(["\n".join(after)] if after else [])])


def block(section: Section) -> str:
    """Return a section as text."""
    head = [section.title] if section.title else []
    table = [table_text(section.table)] if section.table else []
    return "\n".join([*head, *(f"  {line}" for line in section.lines), *table])


def _written(changes: Sequence[Change], wrote: str) -> list[str]:
    return ["\n".join([wrote, *(f"  {line}" for line in written(changes))])] if changes else []


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
        "types": [_type_content(each) for each in study.types],
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


def _type_content(each: OfType) -> dict[str, Any]:
    """Return a type as JSON has it: its phases are those of its pilots alone."""
    return {
        "type": each.name,
        "desktops": each.users,
        "measured": each.pilots,
        "days": [str(day_of(day)) for day in each.days],
        "no_profile": each.why,
        "phases": [_phase_content(phase) for phase in each.phases],
    }


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
