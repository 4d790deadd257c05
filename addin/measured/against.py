"""Measured beside sized, after go-live: phase by phase, and a normal update of ln(measured / sized). Knows no workbook.

The prior is centred on the sized figure; tau, its spread, is the root mean square of ln(printed / ours) of the
workbook's own predictions. sigma is the error of the measurement on the same scale. Then

    weight     tau^2 / (tau^2 + sigma^2)
    ln ratio   weight x ln(measured / sized)
    spread     tau x sqrt(1 - weight)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from addin.errors import RequestError
from addin.measured.phase import Phase
from addin.measured.statistics import TWO_SIDED
from addin.measured.study import Study
from addin.measured.windows import TIMED
from addin.numerals import number_of, numeral

LEAST = 5  # misses that a phase needs for a prior of its own
BOOTSTRAP, STANDARD = "bootstrap", "standard error"


@dataclass(frozen=True)
class Miss:
    """A prediction of IOPS held against a paper: its id, its phase ("" where none is named), ln(printed / ours)."""

    id: str
    phase: str
    log: float


USERS = "users"  # of the shares of a group, beside phases


@dataclass(frozen=True)
class Sized:
    """What a design was sized for: its name, desktops, IOPS by phase (None: not known), the misses.

    `groups` has the share of each user group (its name in lower case) in users, login and steady; empty without groups.
    """

    design: str
    desktops: float
    iops: Mapping[str, float | None]
    misses: Sequence[Miss]
    notes: Sequence[str] = ()
    groups: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)


@dataclass(frozen=True)
class Prior:
    """The spread of ln(printed / ours): of how many predictions, of which phase ("all phases" where it has too few)."""

    phase: str
    count: int
    spread: float


@dataclass(frozen=True)
class Update:
    """A normal update of ln(measured / sized); `error` is the measurement's, from `source`."""

    log: float
    error: float
    source: str
    weight: float
    corrected_log: float
    spread: float

    @property
    def ratio(self) -> float:
        """Corrected over sized."""
        return math.exp(self.corrected_log)


@dataclass(frozen=True)
class Held:
    """A phase of both: IOPS of the estate at the sized number of desktops. Without `update` there is no error."""

    phase: str
    sized: float
    measured: float
    interval: tuple[float, float] | None  # measured, 95 %
    predicted: tuple[float, float]  # 95 %, of the prior
    prior: Prior
    update: Update | None

    @property
    def sized_is(self) -> str:
        """Where the sized figure lies: inside, below or above the measured interval."""
        return where(self.sized, self.interval)

    @property
    def measured_is(self) -> str:
        """Where the measured figure lies: inside, below or above the predicted interval."""
        return where(self.measured, self.predicted)

    @property
    def corrected(self) -> float | None:
        """The corrected IOPS of the estate."""
        return self.sized * self.update.ratio if self.update else None


@dataclass(frozen=True)
class HeldType:
    """A type of desktops beside what it was sized for: its desktops of the sized number, phases of both."""

    name: str
    desktops: float
    phases: tuple[Held, ...]


@dataclass(frozen=True)
class Against:
    """A study beside a design: phases of both, and what was left out of the comparison or scaled, in words.

    `types` are the same by type, `types_left` what was left out of them.
    """

    sized: Sized
    phases: tuple[Held, ...]
    left: tuple[str, ...]
    types: tuple[HeldType, ...] = ()
    types_left: tuple[str, ...] = ()


def where(value: float, interval: tuple[float, float] | None) -> str:
    """Say where a value lies against an interval."""
    if interval is None:
        return "not known"
    low, high = interval
    return "below" if value < low else "above" if value > high else "inside"


def prior(misses: Sequence[Miss], phase: str) -> Prior:
    """Return the prior of a phase. Raises RequestError where the workbook has too few misses of all phases."""
    own = [each.log for each in misses if each.phase == phase]
    logs, name = (own, phase) if len(own) >= LEAST else ([each.log for each in misses], "all phases")
    if len(logs) < LEAST:
        raise RequestError(
            f"--against: Predictions holds {number_of(len(logs), 'figure')} of IOPS with their error; expected at "
            f"least {LEAST}. Take a fresh copy of the workbook."
        )
    return Prior(name, len(logs), math.sqrt(math.fsum(log * log for log in logs) / len(logs)))


def update(log: float, error: float, spread: float, source: str) -> Update:
    """Return the update of a prior around 0 with a spread by a measurement with an error, both of a logarithm."""
    both = spread**2 + error**2
    weight = spread**2 / both if both else 1.0
    return Update(log, error, source, weight, weight * log, spread * math.sqrt(1 - weight))


def against(study: Study, sized: Sized) -> Against:
    """Return measured beside sized. Raises RequestError where nothing can be compared."""
    if not study.phases or study.peaks:
        raise RequestError(f"--against: {study.peaks or 'the files hold no time series, so no demand'}.")
    held, left, unknown = [], [], []
    for phase in study.phases:
        iops = sized.iops.get(phase.name)
        if not iops:
            unknown.append(phase.name)
            what = "sized to 0: this design has no such work" if iops == 0 else "not sized: its demand is not known"
            left.append(f"{phase.name}: {what}; not compared")
        elif not phase.demand:
            left.append(f"{phase.name}: measured as 0; not compared")
        else:
            held.append(held_phase(phase, iops, sized))
            if held[-1].update is None:
                left.append(f"{phase.name}: not corrected: {phase.error.why}")
            if phase.name in TIMED:
                left.append(f"{phase.name}: sized is the mean of its run, measured the busiest window of its hours")
    if not held:
        known = ", ".join(name for name, iops in sized.iops.items() if iops) or "none"
        raise RequestError(
            f"--against: no phase is both measured and sized: measured {', '.join(p.name for p in study.phases)}; "
            f"{sized.design} sizes {known}. Give the hours of another phase."
        )
    measured = {phase.name for phase in study.phases}
    missing = [name for name, iops in sized.iops.items() if iops and name not in measured]
    left += [f"{name}: not measured; its sized figure is as it was" for name in missing]
    estate = study.phases[0].estate
    if not math.isclose(estate, sized.desktops):
        count = numeral(sized.desktops, ",.0f")
        left.append(f"measured for {number_of(estate, 'desktop')}, scaled by desktops to the {count} sized")
    return Against(sized, tuple(held), (*left, *sized.notes))


def held_phase(phase: Phase, iops: float, sized: Sized) -> Held:
    """Return a phase beside the IOPS it was sized for, with its update where it has an error."""
    per_desktop = phase.per_desktop
    assert per_desktop is not None
    measured = per_desktop * sized.desktops
    before = prior(sized.misses, phase.name)
    reach = math.exp(TWO_SIDED * before.spread)
    interval = None
    if phase.interval is not None:
        interval = (phase.interval[0] * sized.desktops, phase.interval[1] * sized.desktops)
    error, source = _error(phase)
    found = None if error is None else update(math.log(measured / iops), error, before.spread, source)
    return Held(phase.name, iops, measured, interval, (iops / reach, iops * reach), before, found)


def _error(phase: Phase) -> tuple[float | None, str]:
    """Return the error of the logarithm of a demand, None where there is no interval, and where it comes from."""
    if phase.interval is not None and phase.interval[0] > 0:
        return (math.log(phase.interval[1]) - math.log(phase.interval[0])) / (2 * TWO_SIDED), BOOTSTRAP
    if phase.error.standard is not None and phase.demand:
        return phase.error.standard / phase.demand, STANDARD
    return None, ""


def corrected(study: Study, found: Against) -> Study:
    """Return the study with what was corrected in place of upper bounds, phases without a correction left out.

    Raises RequestError where nothing was corrected.
    """
    by_name = {each.phase: each for each in found.phases if each.corrected is not None}
    if not by_name:
        raise RequestError("--save: no phase has an interval, so nothing is corrected. Measure more desktops or days.")
    phases = []
    for phase in study.phases:
        held = by_name.get(phase.name)
        if held is not None and held.corrected is not None:
            iops = held.corrected / found.sized.desktops * phase.estate
            phases.append(replace(phase, error=replace(phase.error, upper=iops)))
    return replace(study, phases=tuple(phases))
