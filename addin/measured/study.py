"""Files in, a study out: what each file was taken for, what was found about the data, the demand of every phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from addin.errors import RequestError
from addin.measured import (
    bootstrap,
    by_type,
    cleaning,
    headings,
    inventory,
    plausible,
    reading_tabs,
    series,
    thin_days,
    uneven,
    vscsistats,
)
from addin.measured import found as finding_out
from addin.measured.by_type import OfType, of_types
from addin.measured.day import HalfHour, half_hours
from addin.measured.estate import Desktop
from addin.measured.found import Found
from addin.measured.grid import Grid
from addin.measured.inventory import Group
from addin.measured.phase import Phase, phase_of, settings_of
from addin.measured.records import AMBER, NOTE, FileFault, Finding, Machine, Mix, Progress, Reading, fault, told_apart
from addin.measured.request import Request
from addin.measured.series import File, Part, Readers
from addin.measured.texts import digest
from addin.measured.times import UTC, day_of
from addin.measured.types import unknown
from addin.measured.windows import STEADY, ordered
from addin.numerals import number_of, numeral

MOST_FILES = 10_000
_NAMED = 3  # files of a finding
_LEFT = (
    ("coverage", "with the desktops of low coverage"),
    ("zero", "with the desktops that read 0"),
    ("days", "with the desktops that lack days"),
)


@dataclass(frozen=True)
class Study:
    """What files say about an estate; without time series there are no phases."""

    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]
    phases: tuple[Phase, ...] = ()
    groups: tuple[Group, ...] = ()
    shown: tuple[str, ...] = ()
    mixes: tuple[Mix, ...] = ()
    desktops: int = 0
    days: tuple[int, ...] = ()
    coverage: float = 0.0
    peaks: str = ""
    rows: Mapping[str, Sequence[bootstrap.Row]] = field(default_factory=dict)
    day: tuple[HalfHour, ...] = ()
    types: tuple[OfType, ...] = ()
    too_high: Finding | None = None  # of `findings`: desktops with more IOPS than any has, so no demand

    @property
    def source(self) -> str:
        """What a figure of it was measured on, as a sheet says it."""
        bound = "95 % upper bound" if all(phase.error.upper is not None for phase in self.phases) else "no interval"
        return f"measured on {self.measured_on}, 5-minute means; {bound}"

    @property
    def measured_on(self) -> str:
        """How many desktops and days count, in words."""
        return f"{number_of(self.desktops, 'desktop')}, {number_of(len(self.days), 'day')}"

    @property
    def span(self) -> str:
        """The first and the last day that counts."""
        return f"{day_of(self.days[0])} to {day_of(self.days[-1])}" if self.days else ""


def study(
    request: Request,
    progress: Progress | None = None,
    executor: Executor | None = None,
    readers: Readers | None = None,
) -> Study:
    """Read the files and return what they say; `readers` read those with times, `executor` makes the joint rows.

    Raises RequestError, one line, for anything that cannot be used.
    """
    try:
        return _study(request, progress, executor, readers)
    except FileFault as error:
        raise told_apart(error, request.files) from None


def _study(
    request: Request,
    progress: Progress | None,
    executor: Executor | None,
    readers: Readers | None,
) -> Study:
    if len(request.files) > MOST_FILES:
        raise RequestError(f"{len(request.files):,} files; expected at most {MOST_FILES:,}. Join some of them.")
    files = sorted({path.resolve(): path for path in request.files}.values(), key=lambda path: (path.name, str(path)))
    known = [(path, finding_out.found(path, request.options)) for path in files]
    for path, what in known:
        if what.kind == finding_out.FIO:
            raise fault(path, "is a run of fio, of an array", "Give it to the command measure-array")
    headings.check([path for path, what in known if what.kind == finding_out.GENERIC], request.options)
    timed = any(what.kind in finding_out.SERIES for _, what in known)
    if timed and request.plan is None:
        raise RequestError(
            "--hours: the files hold times, and a percentile without hours means nothing. Type the hours of work, such "
            "as --hours 08:00-18:00, or those of another phase alone, such as --boot 07:30-08:00."
        )
    read = _Read(request, progress, sum(path.stat().st_size for path in files))
    read.all(known, readers)
    tabs = reading_tabs.machines(read.tabs, request.options.desktops, request.method, request.options.encoding)
    findings = [each for reading in read.readings for each in reading.findings]
    groups = _groups(request, tabs.machines)
    found = Study(tuple(read.readings), tuple(findings), (), groups, tabs.shown, tuple(read.mixes))
    if read.grid is None or not read.grid.names:
        if timed and not read.mixes:
            raise RequestError(_nobody(request))
        return found
    return _with_phases(found, request, read.grid, executor)


class _Read:
    """Files as they are read, one after the other, into one grid."""

    def __init__(self, request: Request, progress: Progress | None, total: int) -> None:
        self.grid = Grid(request.plan) if request.plan is not None else None
        self.readings: list[Reading] = []
        self.mixes: list[Mix] = []
        self.tabs: list[tuple[Reading, Found]] = []
        self._request, self._progress = request, progress
        self._done, self._total = 0, total

    def all(self, known: Sequence[tuple[Path, Found]], readers: Readers | None) -> None:
        """Read files in their order; those with times by `readers`, if there are any."""
        parts: Iterator[Part] = iter(())
        if readers is not None and self.grid is not None:
            timed = [
                File(number, path.resolve(), what, path.stat().st_size)
                for number, (path, what) in enumerate(known, 1)
                if what.kind in finding_out.SERIES
            ]
            parts = series.parts(self.grid.plan, self._request.options, timed, readers)
        for path, what in known:
            if readers is not None and self.grid is not None and what.kind in finding_out.SERIES:
                self._take(path, next(parts), self.grid)
            else:
                self._add(path, what)
            self._done += path.stat().st_size
            self._step(0, 0)

    def _take(self, path: Path, part: Part, grid: Grid) -> None:
        """Take over what a worker read of a file."""
        self.readings.append(replace(part.reading, path=path))
        grid.join(part.grid)
        self.mixes += part.mixes

    def _add(self, path: Path, what: Found) -> None:
        """Read a file."""
        options, number = self._request.options, len(self.readings) + 1
        reading = Reading(path, finding_out.TITLES[what.kind], digest(path))
        self.readings.append(reading)
        if what.kind in finding_out.SERIES and self.grid is not None:
            self.mixes += series.add(self.grid, number, reading, what, options, self._step)
        elif what.kind == finding_out.VSCSISTATS:
            self.mixes += vscsistats.read(reading, options)
        else:
            self.tabs.append((reading, what))

    def _step(self, done: int, _: int) -> None:
        if self._progress is not None and self._total:
            self._progress(min(self._done + done, self._total), self._total)


def _nobody(request: Request) -> str:
    if not request.options.desktops:
        return f"{', '.join(path.name for path in request.files[:3])}: no desktop with a sample. Measure again."
    names = ", ".join(request.options.desktops)
    return f"--desktops {names}: fits no desktop of the files. Look at the names that the files have."


def _groups(request: Request, machines: Sequence[Machine]) -> tuple[Group, ...]:
    if not machines:
        return ()
    types = request.types
    if not types.patterns:
        return tuple(inventory.groups(machines))
    return tuple(inventory.groups(machines, lambda name: types.of(name) or inventory.OTHERS))


def _with_phases(found: Study, request: Request, grid: Grid, executor: Executor | None) -> Study:
    """Return a study with the demand of its phases."""
    assert request.plan is not None
    cleaning.check_files(grid, found.readings)
    clean = cleaning.clean(grid, request.plan, found.readings, request.least_coverage, settled=request.settled)
    if strangers := unknown([each.name for each in clean.desktops], request.types):
        path = request.types.path
        assert path is not None
        raise fault(
            path, f"no row fits {strangers[0]} ({number_of(len(strangers), 'desktop')})", "Add a row, or the pattern *"
        )
    clean = uneven.without_desktops(clean, request.types, request.least_coverage)
    phases = ordered(list(request.plan.windows))
    setting, assumed = settings_of(request, clean.desktops, grid)
    tables, made = {}, []
    for name in phases:
        phase, table = phase_of(grid, request.plan, name, clean, setting, request.least_coverage)
        if table.idle:
            raise cleaning.idle(name, request.plan.windows[name])
        made.append(phase)
        tables[name] = table
    clock = next((each.clock for each in found.readings if each.clock.startswith((UTC, "offset"))), "")
    if request.options.zone is None and clock:
        effect = "hours are read on that clock; --zone puts them on the site's"
        assumed = [*assumed, Finding(AMBER, f"the times are {clock}", effect)]
    assumed = [*assumed, *_as_is(found, request), *_no_work(phases)]
    findings = [*found.findings, *clean.findings, *assumed, *_without_bytes(grid, clean)]
    findings += thin_days.findings([(phase.name, phase.thin) for phase in made])
    findings += uneven.findings([(phase.name, phase.days, phase.uneven) for phase in made])
    findings += thin_days.of_bins([(phase.name, phase.dropped) for phase in made if phase.name not in clean.gaps])
    if clean.peaks:
        findings.append(Finding(AMBER, clean.peaks, "no demand is sized on it"))
    days = tuple(sorted({day for table in tables.values() for day in table.days}))
    findings += uneven.remaining(clean.desktops, days, request.least_coverage)
    findings += plausible.doubled(clean.desktops)
    too_high = plausible.too_high(tables, clean.desktops, found.readings)
    findings += [too_high] if too_high else []
    findings += _effects(grid, request, clean, made)
    grid.days.clear()  # the tables hold what is needed from here on
    rows = {}
    if not clean.peaks and all(phase.error.upper is not None for phase in made):
        rows = bootstrap.rows(tables, dict.fromkeys(tables, setting), request.rows, request.seed, executor)
        made = [phase.with_interval(bootstrap.interval([row.iops for row in rows[phase.name]])) for phase in made]
    types = of_types(tables, setting, request, executor) if not clean.peaks else ()
    findings += by_type.findings(types, setting, made)
    return Study(
        found.readings,
        tuple(findings),
        tuple(made),
        found.groups,
        found.shown,
        found.mixes,
        len(clean.desktops),
        days,
        clean.coverage,
        clean.peaks,
        rows,
        half_hours(tables, made, setting) if not clean.peaks else (),
        types,
        too_high,
    )


def _as_is(found: Study, request: Request) -> list[Finding]:
    """Return a finding where --zone is given and does nothing to the times of some files."""
    names = [each.path.name for each in found.readings if each.as_is]
    if not names:
        return []
    more = f" and {number_of(len(names) - _NAMED, 'more file')}" if len(names) > _NAMED else ""
    effect = (
        f"--zone {request.options.zone} does not move them, they count as the site's own clock; where they are UTC, "
        "export them with Z (2026-10-05T05:30:00Z)"
    )
    return [Finding(AMBER, f"times without an offset from UTC in {', '.join(names[:_NAMED])}{more}", effect)]


def _no_work(phases: Sequence[str]) -> list[Finding]:
    """Return a finding where no hours of work were typed: other phases may be measured alone."""
    if STEADY in phases:
        return []
    return [Finding(AMBER, "no hours of work were typed (--hours)", f"only {', '.join(phases)}: work has no demand")]


def _without_bytes(grid: Grid, clean: cleaning.Clean) -> list[Finding]:
    lacking = tuple(each for each in clean.desktops if each.name.casefold() in grid.without_bytes)
    if not lacking:
        return []
    return [Finding(AMBER, f"{cleaning.names(lacking)}: no bytes were read of their files", "no block size is given")]


def _effects(grid: Grid, request: Request, clean: cleaning.Clean, phases: Sequence[Phase]) -> list[Finding]:
    """Return what leaving desktops and days out did to the demand of the first phase."""
    if clean.peaks or not phases or phases[-1].peak is None:
        return []
    plan, phase = request.plan, max(phases, key=lambda each: each.demand or 0.0)
    assert plan is not None
    findings = []
    for why, text in _LEFT:
        left = clean.left.get(why, ())
        if left and not unknown([each.name for each in left], request.types):
            more = sorted((*clean.desktops, *left), key=lambda each: (each.name.casefold(), each.name))
            findings.append(_effect(grid, request, more, phase, text))
    if phase.uneven:
        findings.append(_effect(grid, request, clean.desktops, phase, "with the days that some desktops lack", 0.0))
    if not request.settled:
        all_days = cleaning.every_day(grid, plan, clean.desktops)
        findings.append(_effect(grid, request, all_days, phase, f"with the first {cleaning.SETTLING} days"))
    return findings


def _effect(
    grid: Grid, request: Request, desktops: Sequence[Desktop], phase: Phase, text: str, least: float | None = None
) -> Finding:
    """Return what a phase is with what was left out, its days by the share of the desktops that they need."""
    assert request.plan is not None
    least = request.least_coverage if least is None else least
    setting, _ = settings_of(request, desktops, grid)
    days = tuple(sorted({day for each in desktops for day in each.days}))
    whole = cleaning.Clean(tuple(desktops), days, 1.0, (), {}, "")
    other, _ = phase_of(grid, request.plan, phase.name, whole, setting, least)
    iops, others = (numeral(each.per_desktop or 0, ".2f") for each in (phase, other))
    effect = f"{phase.name}: {iops} IOPS a desktop, {others} {text}"
    return Finding(NOTE, f"what was left out ({text.removeprefix('with the ')})", effect)
