"""Performance: how much data the demand moves and what one array can serve."""

from model.layout import gridwriter, table
from model.layout.line import Line
from model.sheets.catalogue.phases import CACHED, LABELS, LOADED, SCHEDULED, SIZED, WITH_CONTAINERS, WITH_TOGETHER
from model.sheets.sizing import unchecked


def read_ratio(phase: str) -> str:
    """Return the key of the read share the array sees in a phase."""
    if phase in WITH_CONTAINERS:
        return f"{phase}_mix_read_ratio"
    return f"{phase}_array_read_ratio" if phase in CACHED else f"{phase}_read_ratio"


def _block(phase: str) -> str:
    """Return the key of the mean block size in a phase."""
    return f"{phase}_mix_block_kib" if phase in WITH_CONTAINERS else f"{phase}_block_kib"


def _loads() -> list[Line]:
    """Return load and block size of every phase, side by side in their order: lines of a kind share a formula."""
    loads = [
        Line(f"load_{p}", f"Load in {LABELS[p]}", "IOPS", f"={{{p}_iops}}", "Demand sheet; below 0 a code")
        for p in WITH_TOGETHER
    ]
    blocks = [
        Line(
            f"moved_kib_{p}",
            f"Mean block size in {LABELS[p]}",
            "KiB",
            _moved(p),
            "Those at work meanwhile included, each by its IOPS; 0 or less = unknown",
        )
        for p in WITH_TOGETHER
    ]
    return [*loads, *blocks]


def _moved(phase: str) -> str:
    """Return the formula of the mean block size: of a storm that of the steady work meanwhile counts, by its IOPS."""
    own, steady, load = f"{{{_block(phase)}}}", "{fixed:steady_mix_block_kib}", f"{{load_{phase}}}"
    if phase not in LOADED:
        return f"={own}"
    return f"=IF(MIN({load},{own},{steady})>0,{own}+({steady}-{own})*(1-{{{phase}_asked_iops}}/{load}),{own})"


def _throughput() -> list[Line]:
    return [
        Line(
            f"throughput_{phase}",
            f"Throughput in {LABELS[phase]}",
            "MB/s",
            f"=IF({{load_{phase}}}>0,CHOOSE(1+SIGN(MAX(0,{{moved_kib_{phase}}})),{{unit:code_missing}},"
            f"{{load_{phase}}}*{{moved_kib_{phase}}}*{{unit:mb_per_kib}}),{{load_{phase}}})",
            "IOPS x mean block size; without a block size it is not published",
            output=True,
        )
        for phase in WITH_TOGETHER
    ]


def _known(phase: str) -> Line:
    """Return whether a read share is known; of a scheduled load no profile tells one."""
    key = f"{phase}_read_given"
    if phase == SCHEDULED:
        formula = "=SIGN(COUNT({in:scheduled_read_ratio},{base:scheduled_read_ratio}))"
        return Line(key, f"Read share known of the {LABELS[phase]}", "flag", formula, "Entered; a blank is missing")
    return Line(unchecked.known(phase), f"Read share known in {LABELS[phase]}", "flag", f"={{{key}}}", "Design")


def _seen(phase: str) -> Line:
    label = f"Read share that the array sees in {LABELS[phase]}"
    return Line(f"seen_read_{phase}", label, "ratio", f"={{{read_ratio(phase)}}}", "Of the demand, after host caches")


def _mix(phase: str) -> Line:
    read = f"{{seen_read_{phase}}}"
    first = f"{{fixed:write_cost}}+{read}*({{fixed:read_cost}}-{{fixed:write_cost}})"
    second = f"{{fixed:second_write_cost}}+{read}*({{fixed:read_cost}}-{{fixed:second_write_cost}})"
    return Line(
        f"mix_{phase}_iops",
        f"Supply of the mix in {LABELS[phase]}",
        "IOPS",
        f"={{fixed:raw_iops}}/MAX({first},{{fixed:second_load}}*({second}))",
        "Raw IOPS over the cost of the mix; the fuller tier limits; all writes without a read share",
    )


def _alone(phase: str) -> Line:
    rating = f"INDEX({{sliding:arrays:rating_{phase}_iops}},1,{{fixed:array_row}})"
    return Line(
        f"alone_{phase}",
        f"One array can serve of {LABELS[phase]} alone",
        "IOPS",
        f"=IF(SUM({rating})>0,{rating},{{mix_{phase}_iops}}*{{{unchecked.known(phase)}}})",
        "Rating on All arrays, else the supply of the mix; 0 without a read share",
    )


def _supply(phase: str) -> Line:
    """Return what one array serves of a phase and of those at work meanwhile."""
    load, asked, alone = f"{{load_{phase}}}", f"{{{phase}_asked_iops}}", f"{{alone_{phase}}}"
    key, label = f"supply_{phase}", f"One array can serve in {LABELS[phase]}"
    if phase not in LOADED:
        return Line(key, label, "IOPS", f"={alone}", "No one else is at work")
    return Line(
        key,
        label,
        "IOPS",
        f"=IF({load}>{asked},CHOOSE(1+SIGN(MIN({alone},{{fixed:alone_steady}})),0,"
        f"{load}/({asked}/{alone}+({load}-{asked})/{{fixed:alone_steady}})),{alone})",
        "Those at work meanwhile take their share of the array, at their own mix; 0 where one is unknown",
    )


def _supplies() -> list[Line]:
    """Return what one array serves of each phase's mix: the tier that is full first, unless a rating says so."""
    return [
        *map(_known, SIZED),
        *map(_seen, WITH_TOGETHER),
        *map(_mix, SIZED),
        *map(_alone, SIZED),
        *map(_supply, SIZED),
    ]


SHEET = table.sheet(
    __file__,
    "Performance",
    "How much data every phase moves, and what one array can serve of its mix",
    rows={"loads": _loads(), "throughputs": _throughput(), "supply": _supplies(), "missing": unchecked.MISSING},
)
TAB = gridwriter.tab("Performance", "Throughput, and what one array can serve", lambda _: SHEET)
