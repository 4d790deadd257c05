"""Sizing: unrounded demand over supply for every constraint, then the arrays, what binds and what comes next."""

from model.layout import gridwriter, table
from model.layout.line import Line
from model.sheets.catalogue.phases import LABELS, SCHEDULED, SIZED
from model.sheets.sizing import constraints


def _burst(phase: str) -> str:
    """Return the formula of peak over mean; of a scheduled load no profile tells one."""
    if phase == SCHEDULED:
        return "=MAX(1,{burst_ratio})"
    printed = f"SUM(INDEX({{profile:burst_ratio:{phase}}},{{profile_row}}))"
    return f"=IF({{burst_ratio}}>0,{{burst_ratio}},MAX(1,{printed}))"


def _bursts() -> list[Line]:
    return [
        Line(
            f"burst_{p}",
            f"Peak over mean in {LABELS[p]}",
            "ratio",
            _burst(p),
            "Entered, else the profile's; 1 where it prints one of them only",
        )
        for p in SIZED
    ]


def _met(phase: str) -> str:
    """Return the ratios of a phase: those who log in meet a boot that still runs."""
    return "{range:ratio_together:ratio_login}" if phase == "login" else f"{{ratio_{phase}}}"


def _utilisations() -> list[Line]:
    return [
        Line(
            f"utilisation_{p}",
            f"Utilisation in {LABELS[p]}",
            "ratio",
            f"=MAX(0,{_met(p)})*{{fixed:utilisation_planned}}/{{fixed:arrays_used}}",
            "Demand over supply of the arrays in use; of a data sheet over the IOPS printed",
            output=True,
        )
        for p in SIZED
    ]


SHEET = table.sheet(
    __file__,
    "Sizing",
    "Arrays required: the largest ratio of demand to supply, rounded up, with what limits and what limits next",
    rows={
        "ratios": constraints.ratio_lines(),
        "after": constraints.after_lines(),
        "rests": constraints.rest_lines(),
        "arrays": constraints.arrays_lines(),
        "utilisations": _utilisations(),
        "bursts": _bursts(),
    },
    texts={
        "ALL_RATIOS": constraints.ALL_RATIOS,
        "DEMAND_RATIOS": constraints.DEMAND_RATIOS,
        "ALL_LABELS": constraints.ALL_LABELS,
        "NORMAL_RATIOS": constraints.NORMAL_RATIOS,
        "REST_RATIOS": constraints.REST_RATIOS,
        "SEEN_RATIOS": constraints.SEEN_RATIOS,
        "WITHOUT_BOOT_RATIOS": constraints.WITHOUT_BOOT_RATIOS,
        "WITHOUT_PACED_RATIOS": constraints.WITHOUT_PACED_RATIOS,
        "AFTER_FAILURE": constraints.AFTER_FAILURE,
        "AFTER_ONE": constraints.AFTER_ONE,
        "AFTER_RANGE": constraints.AFTER_RANGE,
        "AFTER_LABELS": constraints.AFTER_LABELS,
        "PEAKS": ",".join(f"{{utilisation_{p}}}*{{burst_{p}}}" for p in SIZED),
    },
)
TAB = gridwriter.tab("Sizing", "Arrays required, what limits, what is unchecked", lambda _: SHEET)
