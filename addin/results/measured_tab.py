"""The tab Measured of a copy: what a study was made of, its phases, and joint rows that the simulation draws.

A joint row has for every phase the IOPS of a resample over the design figure that the profile got, with read share and
block size: at the peak of login and steady work, over the run of boot, log-off and patching. The rows go from the
least load to the most, so that neighbours are alike: a percentile of the row is one of the load.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from types import MappingProxyType

from addin.kernel import Address, Scalar
from addin.measured.against import Against
from addin.measured.bootstrap import Row
from addin.measured.found import INVENTORIES, TITLES
from addin.measured.records import AMBER
from addin.measured.request import Request
from addin.measured.study import Study
from addin.measured.types import EVERY
from addin.measured.windows import BIN, PHASES, STEADY
from addin.numerals import number_of, numeral
from addin.results import measured_types
from addin.results.applying import Change
from addin.workbook import own_rows
from addin.workbook.book import Item, SizingBook
from model.sheets.catalogue.phases import LABELS, MIXED

PREFIX = "Own_measured_"
ROWS, MIXES = f"{PREFIX}rows", f"{PREFIX}mixes"
_GROUPS = "groups_"
_LONGEST = 250  # letters of a cell
_LEAST, _LEAST_KIB = 0.0001, 0.5  # of a ratio and of a block size, as their cells accept them
Values = dict[Address, Scalar]
Joint = dict[str, Row]  # a joint row: what each phase does in one resample


@dataclass(frozen=True)
class Filled:
    """The changes of the tab, and its content in words; no changes if the workbook has no such tab."""

    changes: tuple[Change, ...]
    words: str
    rows: int = 0


def estate(book: SizingBook, study: Study) -> Filled:
    """Return the changes that put the groups of an inventory onto the tab; all else of it stays."""
    areas = _areas(book)
    values: Values = dict.fromkeys((at for name, cells in areas.items() if _GROUPS in name for at in cells), None)
    _groups(areas, values, study)
    words = f"tab Measured: {number_of(len(study.groups), 'group')} of the estate" if values else ""
    return Filled(_changed(book, values), words)


def _areas(book: SizingBook) -> dict[str, list[Address]]:
    """Return the cells of the tab by the names that say what they are."""
    return {name: own_rows.area(book.cells, text) for name, text in book.cells.names.items() if PREFIX in name}


def _changed(book: SizingBook, values: Values) -> tuple[Change, ...]:
    return tuple(
        Change(Item("", at, "Measured", ""), before, now)
        for at, now in values.items()
        if (before := book.cells.constant(at)) != now or book.cells.formula(at)
    )


def filled(
    book: SizingBook,
    title: str,
    study: Study,
    request: Request,
    sized: Study,
    against: Against | None = None,
    of_types: Mapping[str, str] = MappingProxyType({}),
) -> Filled:
    """Return the changes that fill the tab for a profile; whatever a study before it left there goes.

    Groups of an inventory stay where this study has none. `sized` has the figures that the profile gets: a corrected
    one has a spread of its own, so it gets no joint rows. `of_types` has the names of the types' own profiles.
    """
    areas = _areas(book)
    if not areas.get(ROWS):
        words = f"{book.path.name} has no tab Measured, so joint rows are not written: take a fresh copy for them"
        return Filled((), words)
    grouped = study.groups or request.types.patterns
    replaced = (cells for name, cells in areas.items() if grouped or _GROUPS not in name)
    values: Values = dict.fromkeys((at for cells in replaced for at in cells), None)
    _study(areas, values, title, study, request)
    _phases(areas, values, study, sized)
    _findings(areas, values, study)
    _files(areas, values, study)
    if grouped:
        _groups(areas, values, study)
    _day(areas, values, study)
    _types(areas, values, study, of_types)
    if against is not None:
        _after(areas, values, against)
    rows = joint_rows(study, len(areas[ROWS]) // len(PHASES)) if sized is study else []
    ratios = joint_ratios(study, rows)
    for name, made in ((ROWS, ratios), (MIXES, joint_mixes(rows))):
        values |= zip(areas.get(name, ()), (figure for row in made for figure in row), strict=False)
    words = (
        f"tab Measured: {study.source}; {number_of(len(study.readings), 'file')}, {number_of(len(ratios), 'joint row')}"
    )
    if of_types:
        words += f"; {number_of(len(of_types), 'type')} with a profile of its own: {', '.join(of_types)}"
    return Filled(_changed(book, values), words, len(ratios))


def joint_rows(study: Study, most: int) -> list[Joint]:
    """Return at most so many joint rows, the least load first, each by phase.

    A resample without a day of some phase says nothing about that phase, so it is left out.
    """
    sized = {phase.name: phase.sized for phase in study.phases}
    counted = [name for name in PHASES if sized.get(name) and study.rows.get(name)]
    joint = [
        dict(zip(counted, rows, strict=True)) for rows in zip(*(study.rows[name] for name in counted), strict=True)
    ]

    def load(row: Joint) -> tuple[float, list[float]]:
        ratios = [each.iops / float(sized[name] or 1) for name, each in row.items()]
        return sum(ratios), ratios

    whole = sorted((row for row in joint if not any(math.isnan(each.iops) for each in row.values())), key=load)
    return whole if len(whole) <= most else [whole[(2 * n + 1) * len(whole) // (2 * most)] for n in range(most)]


def joint_ratios(study: Study, rows: Sequence[Joint]) -> list[list[float | None]]:
    """Return the IOPS of joint rows over the design figures; None for a phase that was not measured."""
    sized = {phase.name: float(phase.sized or 1) for phase in study.phases}
    return [[_ratio(row[name].iops / sized[name]) if name in row else None for name in PHASES] for row in rows]


def joint_mixes(rows: Sequence[Joint]) -> list[list[float | None]]:
    """Return the read shares of joint rows, then their block sizes; None in all rows where one does not have it."""
    reads = [[row[name].read_share if name in row else None for row in rows] for name in MIXED]
    sizes = [[row[name].kib if name in row else None for row in rows] for name in MIXED]
    columns = [_column(each, _LEAST) for each in reads] + [_column(each, _LEAST_KIB) for each in sizes]
    return [list(each) for each in zip(*columns, strict=True)]


def _column(values: Sequence[float | None], least: float) -> list[float | None]:
    known = [max(_digits(value), least) for value in values if value is not None]
    return [*known] if len(known) == len(values) else [None] * len(values)


def _ratio(value: float) -> float:
    return max(_digits(value), _LEAST)


def _digits(value: float) -> float:
    return float(f"{value:.6g}")


def _study(areas: Mapping[str, Sequence[Address]], values: Values, title: str, study: Study, request: Request) -> None:
    single: dict[str, Scalar] = {
        "profile": title,
        "span": study.span,
        "desktops": float(study.desktops),
        "days": float(len(study.days)),
        "interval_min": BIN / 60,
        "coverage_ratio": _digits(study.coverage),
        "bound": study.source.rpartition("; ")[2],
        "conditions": " ".join(filter(None, (request.method, request.system))) or None,
    }
    for key, value in single.items():
        _put(areas, values, key, 0, value)


def _phases(areas: Mapping[str, Sequence[Address]], values: Values, study: Study, sized: Study) -> None:
    given = {phase.name: phase.sized for phase in sized.phases}
    for phase in study.phases:
        low, high = phase.interval or (None, None)
        line: dict[str, Scalar] = {
            "hours": f"{phase.window}, busiest {phase.at}" if phase.at else phase.window,
            "design": phase.per_desktop,
            "low": low,
            "high": high,
            "sized": given.get(phase.name),
            "pilots": phase.error.pilots,
        }
        for key, value in line.items():
            number = _digits(value) if isinstance(value, int | float) else value
            _put(areas, values, f"phases_{key}", PHASES.index(phase.name), number)


def _groups(areas: Mapping[str, Sequence[Address]], values: Values, study: Study) -> None:
    """Write a line per group: what inventories say of it, and what was measured of the type of that name."""
    inventories = [TITLES[kind] for kind in INVENTORIES]
    files = ", ".join(each.path.name for each in study.readings if each.kind in inventories)
    main = next((phase for phase in study.phases if phase.name == STEADY), None)
    lines: dict[str, dict[str, Scalar]] = {}
    for group in study.groups:
        sources = ", ".join(f"{source} ({numeral(count)})" for source, count in group.sources)
        lines[group.name] = {
            "taken": f"{sources}: {', '.join(group.examples)}; {files}",
            "machines": float(group.machines),
            "memory": group.memory_gib,
            "disk": group.disk_gib,
            "used": group.gib,
        }
    types = zip(main.users, main.by_type or repeat(None), strict=False) if main else ()
    for (name, users, pilots), iops in types:
        if name != EVERY:
            measured: dict[str, Scalar] = {"machines": users, "pilots": float(pilots), "steady": iops}
            lines[name] = {**lines.get(name, {}), **measured}
    for at, (name, line) in enumerate(lines.items()):
        for key, value in {"group": name, **line}.items():
            _put(areas, values, f"groups_{key}", at, _digits(value) if isinstance(value, int | float) else value)


def _types(areas: Mapping[str, Sequence[Address]], values: Values, study: Study, titles: Mapping[str, str]) -> None:
    """Write a line per type and phase, and what all desktops ask for over the sum of the types."""
    lines: list[dict[str, Scalar]] = []
    for each in study.types:
        for phase in each.phases:
            low, high = phase.interval or (None, None)
            mix = phase.peak.mix if phase.peak else phase.mean_mix
            why = "" if each.name in titles else f" (profile of all{': ' * bool(each.why)}{each.why.partition(':')[0]})"
            line: dict[str, Scalar] = {
                "line": f"{each.name}: {LABELS[phase.name]}{why}, busiest {phase.at}",
                "profile": titles.get(each.name),
                "design": phase.per_desktop,
                "low": low,
                "high": high,
                "sized": phase.sized if phase.error.upper is not None else None,
                "pilots": phase.error.pilots,
                "read_ratio": mix.read_share,
                "block_kib": mix.kib,
            }
            lines.append(line)
    room = len(areas.get(f"{PREFIX}types_line", ()))
    if len(lines) > room:
        lines[room - 1 :] = [{"line": f"{len(lines) - room + 1} more lines: measure prints them"}]
    for at, line in enumerate(lines):
        for key, value in line.items():
            _put(areas, values, f"types_{key}", at, _digits(value) if isinstance(value, int | float) else value)
    if titles:
        for name, ratio in measured_types.together(study, titles).items():
            _put(areas, values, "together", PHASES.index(name), _digits(ratio))


def _after(areas: Mapping[str, Sequence[Address]], values: Values, against: Against) -> None:
    """Write what was sized and measured of each phase; the tab's formulas make the corrected figures of them."""
    desktops = against.sized.desktops
    for held in against.phases:
        line: dict[str, Scalar] = {
            "verdict": f"sized {held.sized_is}, measured {held.measured_is} the 95 % of the other",
            "before": held.sized / desktops,
            "measured": held.measured / desktops,
            "prior": held.prior.spread,
            "error": held.update.error if held.update else None,
        }
        for key, value in line.items():
            number = _digits(value) if isinstance(value, int | float) else value
            _put(areas, values, f"after_{key}", PHASES.index(held.phase), number)


def _day(areas: Mapping[str, Sequence[Address]], values: Values, study: Study) -> None:
    for at, half in enumerate(study.day):
        for key in ("hour", "mean", "low", "high"):
            value = getattr(half, key)
            _put(areas, values, f"day_{key}", at, None if value is None else _digits(value))


def _findings(areas: Mapping[str, Sequence[Address]], values: Values, study: Study) -> None:
    lines = [(each.level, f"{each.found}: {each.effect}") for each in study.findings]
    room = len(areas.get(f"{PREFIX}findings_finding", ()))
    if len(lines) > room:
        lines[room - 1 :] = [(AMBER, f"{len(lines) - room + 1} more findings: measure prints them")]
    for at, (level, text) in enumerate(lines):
        _put(areas, values, "findings_level", at, level)
        _put(areas, values, "findings_finding", at, text)


def _files(areas: Mapping[str, Sequence[Address]], values: Values, study: Study) -> None:
    lines: list[dict[str, Scalar]] = [
        {
            "file": each.path.name,
            "tool": "; ".join([each.kind, *each.taken]),
            "first": each.first or None,
            "last": each.last or None,
            "every_s": each.interval_s,
            "clock": each.clock or None,
            "sha256": each.digest,
        }
        for each in study.readings
    ]
    room = len(areas.get(f"{PREFIX}files_file", ()))
    if len(lines) > room:
        lines[room - 1 :] = [{"file": f"{len(lines) - room + 1} more files", "tool": "measure --json lists them"}]
    for at, line in enumerate(lines):
        for key, value in line.items():
            _put(areas, values, f"files_{key}", at, value)


def _put(areas: Mapping[str, Sequence[Address]], values: Values, key: str, at: int, value: Scalar) -> None:
    """Write a value into a cell of an area, where the tab has it."""
    cells = areas.get(f"{PREFIX}{key}", ())
    if at < len(cells):
        values[cells[at]] = value[:_LONGEST] if isinstance(value, str) else value
