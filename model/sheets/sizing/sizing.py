"""Sizing: unrounded demand over supply for every constraint, then the arrays, what binds and what comes next."""

from model.layout import gridwriter, table
from model.layout.line import Group, Line
from model.sheets.catalogue.phases import LABELS, LISTED, SCHEDULED, SIZED, WITH_CONTAINERS
from model.sheets.sizing import constraints, containers


def _burst(phase: str) -> str:
    """Return the formula of peak over mean."""
    printed = f"SUM(INDEX({{sliding:profile:burst_ratio:{phase}}},{{fixed:profile_row}}))"
    return f"=IF({{fixed:burst_ratio}}>0,{{fixed:burst_ratio}},MAX(1,{printed}))"


def _bursts() -> list[Line]:
    return [
        Line(
            f"burst_{p}",
            f"Peak over mean in {LABELS[p]}",
            "ratio",
            _burst(p),
            "Entered, else the profile's; 1 where it prints one of them only",
        )
        for p in LISTED
    ]


def _break_even() -> list[Line | Group]:
    """Return, for what users do, the demand above which it takes another array where it is missing; then in words."""
    iops = [
        Line(
            f"{p}_break_even_iops",
            f"An array more, above this in {LABELS[p]}",
            "IOPS/desktop",
            f"=IF({{load_{p}}}={{unit:code_missing}},MAX({{supply_{p}}},{{mix_{p}_iops}})*{{fixed:arrays_loaded}}"
            f"/{{{p}_counted_desktops}},{{unit:code_none}})",
            "Where the demand is missing: what the arrays can serve, all writes if the read share is missing too",
            output=True,
        )
        for p in WITH_CONTAINERS
    ]
    words = [
        Line(
            key := f"{p}_break_even",
            LABELS[p],
            "text",
            f'=REPT({{label:{key}}}&" above "&TEXT({{{p}_break_even_iops}},"0")&", ",'
            f"SIGN(MAX(0,{{{p}_break_even_iops}})))",
            "Empty where the demand is known",
        )
        for p in WITH_CONTAINERS
    ]
    counted = [
        Line(
            f"{p}_counted_desktops",
            f"Active desktops x the scale that {LABELS[p]} counts with",
            "desktops",
            f"=MAX(1,{{fixed:active_desktops}}*{{{p}_total_scale_ratio}})",
            "At least one",
        )
        for p in WITH_CONTAINERS
    ]
    return [*counted, *iops, Group("An array more, by phase, in words"), *words]


def _met(phase: str) -> str:
    """Return the ratios of a phase: those who log in meet a boot that still runs."""
    return "{ratio_login},{ratio_together}" if phase == "login" else f"{{ratio_{phase}}}"


def _utilisations() -> list[Line]:
    return [
        Line(
            f"utilisation_{p}",
            f"Utilisation in {LABELS[p]}",
            "ratio",
            f"=MAX(0,{_met(p)})*{{fixed:utilisation_planned}}/MAX(1,{{fixed:arrays_used}})",
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
        "unrated": constraints.unrated_lines(),
        "break_even": _break_even(),
    },
    texts={
        "ALL_RATIOS": constraints.ALL_RATIOS,
        "GROWING_RATIOS": constraints.GROWING_RATIOS,
        "DEMAND_RATIOS": constraints.DEMAND_RATIOS,
        "ALL_LABELS": constraints.ALL_LABELS,
        "NORMAL_RATIOS": constraints.NORMAL_RATIOS,
        "REST_RATIOS": constraints.REST_RATIOS,
        "SEEN_RATIOS": constraints.SEEN_RATIOS,
        "WITHOUT_BOOT_RATIOS": constraints.WITHOUT_BOOT_RATIOS,
        "WITHOUT_PACED_RATIOS": constraints.WITHOUT_PACED_RATIOS,
        "WORKED_IN": constraints.worked_in("ratio_{0}", "ratio_{0}"),
        "AFTER_ONE": constraints.AFTER_ONE,
        "AFTER_RANGE": constraints.AFTER_RANGE,
        "AFTER_LABELS": constraints.AFTER_LABELS,
        "CONTAINERS_UNRATED": containers.UNRATED,
        "UNRATED": "&".join(f"{{{line.key}}}" for line in constraints.unrated_lines()),
        # of a scheduled load no profile has a peak over its mean
        "PEAKS": ",".join(
            f"{{utilisation_{p}}}*{'MAX(1,{burst_ratio})' if p == SCHEDULED else f'{{burst_{p}}}'}" for p in SIZED
        ),
    },
)
TAB = gridwriter.tab("Sizing", "Arrays required, what limits, what is unchecked", lambda _: SHEET)
