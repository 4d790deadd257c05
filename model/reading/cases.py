"""What stands in a published column: the case's own value, else the profile's or catalogue's, else the default."""

from model.reading.columns import Typed
from model.reading.records import Case, Data, Input

_NOT_TESTED = Typed(0.0, "assumed", "assumed: not tested in this paper, so no demand")


def _phase_figure(data: Data, profile: str, key: str) -> Typed | None:
    """Return the profile's figure behind an override such as `boot_read_ratio`; None if it lacks the phase."""
    for row in data.profiles:
        if row.profile == profile and key.startswith(f"{row.phase}_"):
            suffix = key[len(row.phase) + 1 :]
            return {"iops_per_desktop": row.iops, "read_ratio": row.read_ratio, "block_kib": row.block_kib}[suffix]
    return None


def published_value(data: Data, case: Case, item: Input) -> Typed:
    """Return the value of one input in one published column; never blank (rule: published columns hold no blanks)."""
    if item.key in case.values:
        return case.values[item.key]
    if item.key.endswith(("_iops_per_desktop", "_read_ratio", "_block_kib")):
        figure = _phase_figure(data, str(case.values["profile"].value), item.key)
        return figure if figure is not None and figure.value is not None else _NOT_TESTED
    array = next(a for a in data.arrays if a.name == case.values["array"].value)
    if item.key in ("latency_limit_ms", "boot_latency_limit_ms"):
        return next(c.values["limit_ms"] for c in data.classes if c.name == array.values["array_class"].value)
    if item.key == "array_price":
        return array.values.get(
            "price_usd", Typed(0.0, "assumed", "assumed: no price published; 0 shows as enter a quote")
        )
    if item.value.value is None:
        return Typed(0.0, "assumed", "assumed: not printed")
    return Typed(
        item.value.value, "assumed", f"assumed: the default of this input ({item.value.source}); the paper prints none"
    )
