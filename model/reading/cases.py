"""What stands in a published column: the case's own value, else the profile's or catalogue's, else the default."""

from model.reading.catalogue import BY_METHOD, PHASE_FIGURES
from model.reading.columns import Typed
from model.reading.inputs import Input
from model.reading.proof import Case
from model.reading.records import Data

NOT_ENTERED, NOT_RUN = -1.0, -3.0  # no numbers but words, shown by their number format and tested by every formula
_NOT_TESTED = Typed(0.0, "assumed", "assumed: not tested in this paper, so no demand")
_NOT_RUN = Typed(NOT_RUN, "assumed", "assumed: not tested in this paper: neither checked nor unchecked")
_SCHEDULED = ("scheduled_ios", "scheduled_gib")  # no paper ran one
_WORK = {"ios_per_boot": "boot", "ios_per_patch": "patching", "ios_per_provisioning": "provisioning"}


def _phase_figure(data: Data, profile: str, key: str) -> Typed | None:
    """Return the profile's figure behind an override such as `boot_read_ratio`; None if it lacks the phase."""
    for row in data.profiles:
        if row.profile == profile and key.startswith(f"{row.phase}_"):
            suffix = key[len(row.phase) + 1 :]
            figure: Typed = getattr(row, PHASE_FIGURES[suffix])
            return figure
    return None


def _run(data: Data, profile: str, phase: str) -> Typed | None:
    """Return the IOPS a paper printed of a phase; None where it did not run it, or where they are assumed."""
    figure = _phase_figure(data, profile, f"{phase}_iops_per_desktop")
    return None if figure is None or figure.value is None or figure.status == "assumed" else figure


def published_value(data: Data, case: Case, item: Input) -> Typed:
    """Return the value of one input in one published column; never blank (rule: published columns hold no blanks)."""
    if item.key in case.values:
        return case.values[item.key]
    profile = str(case.values["profile"].value)
    if item.key == "design_year":  # a published test is as old as its profile
        year = data.profile_default(profile, "year")
        assert year is not None, f"{profile} has no year"  # read.py demands one
        return year
    if item.key == "ondemand_start_rate_per_min":
        return published_value(data, case, data.input("start_rate_per_min"))
    if item.key in _SCHEDULED:
        return _NOT_RUN
    if item.key in _WORK:
        ran = _run(data, profile, _WORK[item.key])
        return (
            _NOT_RUN if ran is None else Typed(NOT_ENTERED, "assumed", "assumed: not printed; the run's IOPS tell it")
        )
    if item.key.endswith("_iops_per_desktop"):
        return _run(data, profile, item.key.removesuffix("_iops_per_desktop")) or _NOT_RUN
    if item.key.endswith(tuple(f"_{suffix}" for suffix in PHASE_FIGURES)):
        figure = _phase_figure(data, profile, item.key)
        if figure is not None and figure.value == BY_METHOD:
            return next(row for row in data.methods if row.name == case.values["provisioning"].value).boot_read_ratio
        return figure if figure is not None and figure.value is not None else _NOT_TESTED
    array = next(a for a in data.arrays if a.name == case.values["array"].value)
    if item.key in ("latency_limit_ms", "boot_latency_limit_ms"):
        return next(c.values["limit_ms"] for c in data.classes if c.name == array.values["array_class"].value)
    if item.key == "failover":  # a test buys nothing for a failure
        return Typed("no", "assumed", "assumed: definition: what was tested was bought")
    if item.key == "array_price":
        return Typed(0.0, "assumed", "assumed: no quote; a paper's claim is not counted in any cost")
    if item.kind in ("time", "date"):
        return Typed(NOT_ENTERED, "assumed", "assumed: not printed")
    if item.value.value is None:
        return Typed(0.0, "assumed", "assumed: not printed")
    return Typed(
        item.value.value, "assumed", f"assumed: the default of this input ({item.value.source}); the paper prints none"
    )
