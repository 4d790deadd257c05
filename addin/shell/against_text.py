"""What `measure --against` prints beside a study, as text and as the content of its JSON."""

from __future__ import annotations

from typing import Any

from addin.measured.against import Against, Held
from addin.results.against_sections import sections
from addin.shell.measured_text import block


def text(found: Against) -> str:
    """Return measured beside sized as people read it, every number of the update with it."""
    return "\n\n".join(block(each) for each in sections(found))


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
        "types": [
            {
                "type": each.name,
                "desktops": each.desktops,
                "phases": [_content(held, each.desktops) for held in each.phases],
            }
            for each in found.types
        ],
        "types_notes": list(found.types_left),
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
