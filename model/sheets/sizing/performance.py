"""Performance: how much data the demand moves and what one array can serve."""

from model.layout import gridwriter, table
from model.layout.line import Line
from model.sheets.catalogue.phases import CACHED, LABELS, SCHEDULED, SIZED, WITH_CONTAINERS, WITH_TOGETHER
from model.sheets.sizing import unchecked


def read_ratio(phase: str) -> str:
    """Return the key of the read share the array sees in a phase."""
    if phase in WITH_CONTAINERS:
        return f"{phase}_mix_read_ratio"
    return f"{phase}_array_read_ratio" if phase in CACHED else f"{phase}_read_ratio"


def _block(phase: str) -> str:
    """Return the key of the mean block size in a phase."""
    return "logoff_mix_block_kib" if phase == "logoff" else f"{phase}_block_kib"


def _loads() -> list[Line]:
    """Return load and block size of every phase, side by side in their order: lines of a kind share a formula."""
    loads = [
        Line(f"load_{p}", f"Load in {LABELS[p]}", "IOPS", f"={{{p}_iops}}", "Demand sheet; below 0 a code")
        for p in WITH_TOGETHER
    ]
    blocks = [
        Line(f"moved_kib_{p}", f"Mean block size in {LABELS[p]}", "KiB", f"={{{_block(p)}}}", "0 or less = unknown")
        for p in WITH_TOGETHER
    ]
    return [*loads, *blocks]


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


def _read_given(phase: str, cells: str, method: str) -> str:
    """Return the formula of whether a read share is known; of a scheduled load no profile tells one."""
    if phase == SCHEDULED:
        return f"=SIGN(COUNT({cells}))"
    return f"=SIGN(COUNT({cells},INDEX({{profile:read_ratio:{phase}}},{{profile_row}}){method}))"


def _supply() -> list[Line]:
    """Return what one array serves of each phase's mix: the tier that is full first, unless a rating says so."""
    given, mixes, supplies = [], [], []
    for phase in SIZED:
        read, rating = f"{{{read_ratio(phase)}}}", f"INDEX({{arrays:rating_{phase}_iops}},1,{{array_row}})"
        first = f"{{write_cost}}+{read}*({{read_cost}}-{{write_cost}})"
        second = f"{{second_load}}*({{second_write_cost}}+{read}*({{read_cost}}-{{second_write_cost}}))"
        share = f"{phase}_read_ratio"
        method = ",{boot_read_method}" if phase == "boot" else ""
        given.append(
            Line(
                f"{phase}_read_given",
                f"Read share known in {LABELS[phase]}",
                "flag",
                _read_given(phase, f"{{in:{share}}},{{base:{share}}}", method),
                "Entered, or the profile's (yours leaves a boot to the method); a blank is not published",
            )
        )
        mixes.append(
            Line(
                f"mix_{phase}_iops",
                f"Supply of the mix in {LABELS[phase]}",
                "IOPS",
                f"={{raw_iops}}/MAX({first},{second})",
                "Raw IOPS over the cost of the mix; the fuller tier limits; all writes without a read share",
            )
        )
        supplies.append(
            Line(
                f"supply_{phase}",
                f"One array can serve in {LABELS[phase]}",
                "IOPS",
                f"=IF(SUM({rating})>0,{rating},{{mix_{phase}_iops}}*{{{phase}_read_given}})",
                "Rating on All arrays, else the supply of the mix; 0 without a read share",
            )
        )
    return [*given, *mixes, *supplies]


SHEET = table.sheet(
    __file__,
    "Performance",
    "How much data every phase moves, and what one array can serve of its mix",
    rows={"loads": _loads(), "throughputs": _throughput(), "supply": _supply(), "missing": unchecked.MISSING},
)
TAB = gridwriter.tab("Performance", "Throughput, and what one array can serve", lambda _: SHEET)
