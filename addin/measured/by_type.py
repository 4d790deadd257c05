"""The demand of each type of desktop by its own pilots, under the rules of all together: design bin, error, mix.

A type has its own design bin, which may lie at another time than that of the estate. The sum over types is therefore
at least the demand of all together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from addin.measured import bootstrap
from addin.measured.estate import Table
from addin.measured.phase import Phase, of_table
from addin.measured.records import AMBER, Finding
from addin.measured.request import Request
from addin.measured.statistics import LEAST_DAYS, LEAST_DESKTOPS, Setting
from addin.numerals import number_of, numeral

NO_PROFILE = "it gets the profile of all desktops"


@dataclass(frozen=True)
class OfType:
    """A type: desktops of the estate, pilots, days, phases. `why` says why it gets no profile of its own."""

    name: str
    users: float
    pilots: int
    days: tuple[int, ...]
    phases: tuple[Phase, ...]
    why: str = ""


def of_types(
    tables: Mapping[str, Table], setting: Setting, request: Request, executor: Executor | None = None
) -> tuple[OfType, ...]:
    """Return the demand of each type; nothing where there is only one, which is all desktops."""
    if len(setting.names) < 2:
        return ()
    return tuple(_of_type(at, tables, setting, request, executor) for at in range(len(setting.names)))


def findings(types: Sequence[OfType], setting: Setting, phases: Sequence[Phase]) -> list[Finding]:
    """Return a finding for each type without a profile of its own; `phases` are those of all desktops."""
    found = [
        Finding(AMBER, f"type {each.name}: {each.why}", NO_PROFILE + _lower(each, phases)) for each in types if each.why
    ]
    return [*found, *(_unmeasured(name, count) for name, count in setting.absent)]


def _unmeasured(name: str, count: float) -> Finding:
    effect = f"{NO_PROFILE}, and its {number_of(round(count), 'desktop')} count in Estate as much as the others' mean"
    return Finding(AMBER, f"type {name}: no desktop of it was measured", effect)


def _lower(each: OfType, phases: Sequence[Phase]) -> str:
    """Say in which phases a type's few pilots ask for more than the profile of all has."""
    own = {phase.name: phase.per_desktop for phase in each.phases}
    more = (
        f"{phase.name} {numeral(phase.sized, '.4g')}, its own pilots {numeral(iops, '.4g')} IOPS a desktop"
        for phase in phases
        if phase.sized is not None and (iops := own.get(phase.name) or 0.0) > phase.sized
    )
    text = "; ".join(more)
    return f", which is too low for it: {text}" if text else ""


def _of_type(
    at: int, every: Mapping[str, Table], setting: Setting, request: Request, executor: Executor | None
) -> OfType:
    assert request.plan is not None
    own = np.flatnonzero(setting.group == at)
    name, users = setting.names[at], setting.own[at]
    tables = {phase: _filled(table, own) for phase, table in every.items()}
    days = tuple(sorted({day for table in tables.values() for day in table.days}))
    made = OfType(name, users, len(own), days, ())
    if empty := next((phase for phase, table in tables.items() if not table.days), ""):
        return replace(made, why=f"no sample lies in {empty}")
    if idle := next((phase for phase, table in tables.items() if table.idle), ""):
        return replace(made, why=f"every sample of {idle} is 0")
    has_bytes = setting.has_bytes[own] if setting.has_bytes is not None else None
    alone = replace(
        setting,
        users=(users,),
        group=np.zeros(len(own), dtype=np.int64),
        has_bytes=has_bytes,
        names=(name,),
        absent=(),
    )
    phases = [of_table(table, request.plan, phase, alone, "") for phase, table in tables.items()]
    if any(phase.error.upper is None for phase in phases):
        return replace(made, phases=tuple(phases), why=_few(made, phases))
    rows = bootstrap.rows(tables, dict.fromkeys(tables, alone), request.rows, request.seed, executor)
    held = (phase.with_interval(bootstrap.interval([row.iops for row in rows[phase.name]])) for phase in phases)
    return replace(made, phases=tuple(held))


def _filled(table: Table, own: NDArray[np.int64]) -> Table:
    """Return the table of some desktops on the days on which one of them is there."""
    days = [day for day in range(len(table.days)) if table.present[own, day].any()]
    return table.of(list(map(int, own)), days)


def _few(made: OfType, phases: list[Phase]) -> str:
    days = min(phase.days for phase in phases)
    if made.pilots >= LEAST_DESKTOPS and days >= LEAST_DAYS:
        return "no bin in which half of its desktops have samples"
    few = f"{number_of(made.pilots, 'desktop')} on {number_of(days, 'day')}"
    return f"{few}: a profile of its own needs {LEAST_DESKTOPS} desktops and {LEAST_DAYS} days"
