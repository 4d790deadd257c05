"""What `measure --against` prints beside a study, as text and as the content of its JSON."""

from __future__ import annotations

from typing import Any

from addin.measured.against import Against, Held
from addin.numerals import number_of
from addin.shell.printed import table_text
from addin.sizing.tables import Table

_UNKNOWN = "not known"
_RULE = (
    "Prior: centre 0 (as sized), spread = root mean square of ln(printed / ours), Predictions of IOPS across tests.\n"
    "Weight = prior spread^2 / (prior spread^2 + error^2); ln corrected = weight x ln(measured / sized).\n"
    "Spread after = prior spread x sqrt(1 - weight); corrected = sized x e^(ln corrected)."
)


def text(found: Against) -> str:
    """Return measured beside sized as people read it, every number of the update with it."""
    sized = found.sized
    rows = tuple(
        (
            each.phase,
            each.sized,
            each.measured,
            each.measured / each.sized,
            _span(each.interval),
            each.sized_is,
            _span(each.predicted),
            each.measured_is,
        )
        for each in found.phases
    )
    headings = ("Phase", "Sized", "Measured", "Ratio", "Measured, 95 %", "Sized is", "Predicted, 95 %", "Measured is")
    units = ("", "IOPS", "IOPS", "ratio", "IOPS", "", "IOPS", "")
    lines = [f"Measured beside sized: {sized.design}, {number_of(sized.desktops, 'desktop')}"]
    lines += [table_text(Table(headings, units, rows)), *found.left]
    updated = tuple(row for each in found.phases if (row := _updated(each, sized.desktops)))
    if not updated:
        return "\n".join(lines)
    names = ("Phase", "Prior from", "Misses", "Prior spread", "ln(measured / sized)", "Error", "Error from",
                "Weight", "ln corrected", "Spread after", "Ratio", "Sized", "Corrected")  # fmt: skip
    of = ("", "", "count", "ln", "ln", "ln", "", "ratio", "ln", "ln", "ratio", "IOPS/desktop", "IOPS/desktop")
    table = table_text(Table(names, of, updated))
    return "\n".join([*lines, "", "Corrected by a normal update", table, _RULE])


def _updated(held: Held, desktops: float) -> tuple[str | float, ...]:
    found, corrected = held.update, held.corrected
    if found is None or corrected is None:
        return ()
    return (
        held.phase,
        held.prior.phase,
        float(held.prior.count),
        *(f"{each:.4f}" for each in (held.prior.spread, found.log, found.error)),
        found.source,
        *(f"{each:.4f}" for each in (found.weight, found.corrected_log, found.spread, found.ratio)),
        held.sized / desktops,
        corrected / desktops,
    )


def _span(interval: tuple[float, float] | None) -> str:
    return f"{interval[0]:,.0f} to {interval[1]:,.0f}" if interval else _UNKNOWN


def content(found: Against) -> dict[str, Any]:
    """Return measured beside sized as JSON has it."""
    return {
        "design": found.sized.design,
        "desktops": found.sized.desktops,
        "phases": [_content(each, found.sized.desktops) for each in found.phases],
        "misses": [
            {"prediction": each.id, "phase": each.phase, "ln_printed_over_ours": each.log}
            for each in found.sized.misses
        ],
        "notes": list(found.left),
    }


def _content(held: Held, desktops: float) -> dict[str, Any]:
    update, corrected = held.update, held.corrected
    return {
        "phase": held.phase,
        "sized_iops": held.sized,
        "measured_iops": held.measured,
        "measured_interval_iops": list(held.interval) if held.interval else None,
        "sized_is": held.sized_is,
        "predicted_interval_iops": list(held.predicted),
        "measured_is": held.measured_is,
        "prior_from": held.prior.phase,
        "prior_misses": held.prior.count,
        "prior_spread": held.prior.spread,
        "ln_measured_over_sized": update.log if update else None,
        "error": update.error if update else None,
        "error_from": update.source if update else "",
        "weight_ratio": update.weight if update else None,
        "ln_corrected_over_sized": update.corrected_log if update else None,
        "spread_after": update.spread if update else None,
        "corrected_over_sized": update.ratio if update else None,
        "corrected_iops_per_desktop": corrected / desktops if corrected is not None else None,
    }
