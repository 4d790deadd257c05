"""What a study says, section by section: lines and tables, for the shell and for the sheet Measurement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from addin.measured.by_type import NO_PROFILE
from addin.measured.inventory import Group
from addin.measured.phase import Phase
from addin.measured.records import Mix, Reading, tails
from addin.measured.statistics import Mixture
from addin.measured.study import Study
from addin.measured.times import day_of
from addin.measured.windows import clock
from addin.numerals import numeral
from addin.results.applying import Change
from addin.sizing.tables import Table
from addin.workbook.book import shown

UNKNOWN = "not known"
_SEASON = "It holds for the days and the desktops measured: month end, patch days and growth come on top."


_OWN_BINS = "Each type has its own design bin: the sum of these figures is more than all desktops ask for at one time."


@dataclass(frozen=True)
class Section:
    """A heading, then lines or a table with its notes; a line that begins with spaces belongs to the one above."""

    title: str
    lines: tuple[str, ...] = ()
    table: Table | None = None


def sections(study: Study) -> Iterator[Section]:
    """Yield what a study says, in the order in which people need it."""
    called = tails(reading.path for reading in study.readings)
    yield Section("Files", tuple(line for reading in study.readings for line in _file(reading, called[reading.path])))
    if study.findings:
        yield Section("Data", tuple(f"{each.level}: {each.found}: {each.effect}" for each in study.findings))
    if study.phases:
        yield from _phases(study)
    if study.types:
        yield Section("Demand of each type, by its own pilots", table=_types(study))
    if study.groups:
        yield Section("What becomes which group (inventories have no IOPS)", table=_groups(study.groups))
    if study.mixes:
        yield Section("Mixes without IOPS", table=_mixes(study.mixes))
    if study.shown:
        yield Section("Shown of inventories, never sized on", study.shown)


def written(changes: Sequence[Change]) -> tuple[str, ...]:
    """Return what a copy gets, a line an input."""
    return tuple(
        f"{each.item.key}: {shown(each.before, each.item.unit) or 'blank'} -> {shown(each.now, each.item.unit)}"
        for each in changes
    )


def _file(reading: Reading, called: str) -> list[str]:
    facts = [f"{reading.first} to {reading.last}"] if reading.first else []
    facts += [f"every {numeral(reading.interval_s, ',.0f')} s"] if reading.interval_s else []
    facts += [f"clock {reading.clock}"] if reading.clock else []
    latency = reading.latency_ms
    facts += [f"mean latency {numeral(latency, '.2f')} ms, weighted by I/O"] if latency else []
    head = f"{called} ({reading.digest}): {reading.kind}{'; ' if facts else ''}{'; '.join(facts)}"
    return [head, *(f"  taken: {each}" for each in reading.taken), *(f"  left: {each}" for each in reading.left)]


def _phases(study: Study) -> Iterator[Section]:
    head = f"Demand, {study.source}, {study.span}" if not study.peaks else f"Means only: {study.peaks}"
    notes = (f"{phase.name}: no interval: {phase.error.why}" for phase in study.phases if phase.error.why)
    table = Table(
        ("Phase", "Hours", "Days", "Design", "95 % interval", "Upper bound", "Estate", "Mean", "Read share",
         "Read", "Write", "Any I/O", "Pilots for 10 %", "Design bin"),
        ("", "", "", "IOPS/desktop", "IOPS/desktop", "IOPS/desktop", "IOPS", "IOPS/desktop", "ratio",
         "KiB", "KiB", "KiB", "desktops", ""),
        tuple(_row(phase) for phase in study.phases),
        (_SEASON, *notes),
    )  # fmt: skip
    yield Section(head, table=table)
    moments = [
        (phase.name, name, f"{day_of(each.day)} {clock(each.start)}", each.iops, *_mix(each.mix))
        for phase in study.phases
        for name, each in phase.moments.items()
    ]
    if moments:
        headings = ("Phase", "Moment", "Begins", "IOPS", "Read share", "Read", "Write", "Any I/O")
        units = ("", "", "", "IOPS/desktop", "ratio", "KiB", "KiB", "KiB")
        yield Section("Moments that may decide", table=Table(headings, units, tuple(moments)))
    figures = [
        (phase.name, each.name, each.value, each.unit, each.why) for phase in study.phases for each in phase.shown
    ]
    if figures:
        table = Table(("Phase", "Figure", "Estate", "Unit", "Why not"), ("",) * 5, tuple(figures))
        yield Section("Shown, never sized on", table=table)


def _row(phase: Phase) -> tuple[str | float, ...]:
    low, high = phase.interval or (0.0, 0.0)
    upper = phase.sized if phase.error.upper is not None and phase.sized is not None else UNKNOWN
    mix = phase.peak.mix if phase.peak else phase.mean_mix
    return (
        phase.name,
        phase.window,
        float(phase.days),
        _known(phase.per_desktop),
        f"{numeral(low, '.4g')} to {numeral(high, '.4g')}" if phase.interval else UNKNOWN,
        upper,
        _known(phase.demand),
        phase.mean,
        *_mix(mix),
        _known(phase.error.pilots),
        phase.at or UNKNOWN,
    )


def _types(study: Study) -> Table:
    """Return a line per type and phase; a note for each type without a profile of its own."""
    rows = tuple(
        (
            each.name,
            phase.name,
            each.users,
            float(each.pilots),
            _known(phase.per_desktop),
            UNKNOWN if phase.interval is None else "{} to {}".format(*(numeral(end, ".4g") for end in phase.interval)),
            _known(phase.sized if phase.error.upper is not None else None),
            *_mix(phase.peak.mix if phase.peak else phase.mean_mix),
            _known(phase.error.pilots),
            phase.at or UNKNOWN,
        )
        for each in study.types
        for phase in each.phases
    )
    headings = ("Type", "Phase", "In the estate", "Pilots", "Design", "95 % interval", "Upper bound", "Read share",
                "Read", "Write", "Any I/O", "Pilots for 10 %", "Design bin")  # fmt: skip
    units = ("", "", *("desktops",) * 2, *("IOPS/desktop",) * 3, "ratio", *("KiB",) * 3, "desktops", "")
    notes = (f"{each.name}: {each.why}; {NO_PROFILE}" for each in study.types if each.why)
    return Table(headings, units, rows, (_OWN_BINS, *notes))


def _mix(mix: Mixture) -> tuple[str | float, ...]:
    return tuple(_known(each) for each in (mix.read_share, mix.read_kib, mix.write_kib, mix.kib))


def _known(value: float | None) -> str | float:
    return UNKNOWN if value is None else float(value)


def _groups(groups: Sequence[Group]) -> Table:
    rows = tuple(
        (
            group.name,
            float(group.machines),
            *(_known(each) for each in (group.memory_gib, group.cpus, group.disk_gib, group.gib)),
            ", ".join(f"{source} ({numeral(count)})" for source, count in group.sources),
            ", ".join(group.examples),
        )
        for group in groups
    )
    headings = ("Group", "Machines", "Memory", "Processors", "Disk", "Used", "Used is", "Such as")
    return Table(headings, ("", "count", "GiB", "count", "GiB", "GiB", "", ""), rows)


def _mixes(mixes: Sequence[Mix]) -> Table:
    rows = tuple(
        (
            each.name,
            float(each.reads),
            float(each.writes),
            *map(_known, (each.read_share, each.read_kib, each.write_kib)),
        )
        for each in mixes
    )
    headings = ("Mix", "Reads", "Writes", "Read share", "Read", "Write")
    return Table(headings, ("", "count", "count", "ratio", "KiB", "KiB"), rows)
