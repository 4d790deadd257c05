"""Performance: how much data the demand moves and what one array can serve.

Supply comes, in this order, from a front-end rating, from read-equivalent capacity (flash: one write costs
`write_weight` reads) or from drives (back-end arithmetic: read hits and merged writes never reach a drive).
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets import card_supply, containers, unchecked
from model.sheets.phases import CACHED, LABELS, SCHEDULED, SIZED


def read_ratio(phase: str) -> str:
    """Return the key of the read share the array sees in a phase."""
    if phase in containers.MIXED:
        return f"{phase}_mix_read_ratio"
    return f"{phase}_array_read_ratio" if phase in CACHED else f"{phase}_read_ratio"


def _block(phase: str) -> str:
    """Return the key of the mean block size in a phase."""
    return "logoff_mix_block_kib" if phase == "logoff" else f"{phase}_block_kib"


def _throughput() -> list[Line]:
    return [
        Line(
            f"throughput_{phase}",
            f"Throughput in {LABELS[phase]}",
            "MB/s",
            f"=IF(MIN({{{phase}_iops}},{{{_block(phase)}}})>0,{{{phase}_iops}}*{{{_block(phase)}}}"
            f"*{{unit:mb_per_kib}},MIN({{{phase}_iops}},0-SIGN({{{phase}_iops}})))",
            "IOPS x mean block size; without a block size it is not published",
            output=True,
        )
        for phase in SIZED
    ]


def _read_given(phase: str, cells: str, method: str) -> str:
    """Return the formula of whether a read share is known; of a scheduled load no profile tells one."""
    if phase == SCHEDULED:
        return f"=SIGN(COUNT({cells}))"
    return f"=SIGN(COUNT({cells},INDEX({{profile:read_ratio:{phase}}},{{profile_row}}){method}))"


def _supply() -> list[Line]:
    """Return what one array serves of each phase's mix: the tier that is full first, unless a rating says so."""
    lines = []
    for phase in SIZED:
        read, rating = f"{{{read_ratio(phase)}}}", f"INDEX({{arrays:rating_{phase}_iops}},1,{{array_row}})"
        first = f"{{write_cost}}+{read}*({{read_cost}}-{{write_cost}})"
        second = f"{{second_load}}*({{second_write_cost}}+{read}*({{read_cost}}-{{second_write_cost}}))"
        share = f"{phase}_read_ratio"
        method = ",{boot_read_method}" if phase == "boot" else ""
        lines += [
            Line(
                f"{phase}_read_given",
                f"Read share known in {LABELS[phase]}",
                "flag",
                _read_given(phase, f"{{in:{share}}},{{base:{share}}}", method),
                "Entered, or the profile's (an own one leaves a boot to the method); a blank is not published",
            ),
            Line(
                f"mix_{phase}_iops",
                f"Supply of the mix in {LABELS[phase]}",
                "IOPS",
                f"={{raw_iops}}/MAX({first},{second})",
                "Raw IOPS over the cost of the mix; the fuller tier limits; all writes without a read share",
            ),
            Line(
                f"supply_{phase}",
                f"One array can serve in {LABELS[phase]}",
                "IOPS",
                f"=IF(SUM({rating})>0,{rating},{{mix_{phase}_iops}}*{{{phase}_read_given}})",
                "Rating on All arrays, else the row above; 0 without a read share",
            ),
        ]
    return lines


SHEET = GridSheet(
    name="Performance",
    title="Performance",
    purpose="How much data every phase moves, and what one array can serve of its mix",
    rows=(
        Group("Throughput of the demand"),
        *_throughput(),
        Group("Local disk of a host"),
        Line(
            "local_iops_per_host",
            "I/O that the cache puts on a host's local disk",
            "IOPS",
            "=MAX(0,{boot_desktop_iops}*{boot_reduction_ratio},{login_desktop_iops}*{login_reduction_ratio},"
            "{steady_desktop_iops}*{steady_reduction_ratio})*{cache_on_disk}/{hosts_required}",
            "Busiest phase, what does not reach the array",
            output=True,
        ),
        Line(
            "local_iops_short",
            "Local disk too slow",
            "flag",
            "=IF(AND({array:local_disk_iops}>0,{local_iops_per_host}>INDEX({arrays:local_disk_iops},1,{array_row})),1,0)",
            "Only where its IOPS are entered",
            output=True,
        ),
        Group("Supply of one array"),
        *card_supply.lines(),
        Line(
            "flash_iops",
            "Read-equivalent capacity, all controllers",
            "IOPS",
            "={array:read_equivalent_iops}*MAX(1,{array:controllers_active})+{card_work_iops}",
            "Flash: W = IOPS x (read share + write share x write weight); by its card, if that has IOPS",
        ),
        Line(
            "tier2_share_ratio",
            "Share of the I/O on a second tier",
            "ratio",
            "={array:tier2_share_ratio}",
            "All arrays; 0 = one tier",
        ),
        Line(
            "second_iops",
            "Back-end IOPS of the second tier",
            "IOPS",
            "={array:tier2_drives}*{array:tier2_drive_iops}",
            "Drives x IOPS per drive",
        ),
        Line(
            "drive_count",
            "Drives in use",
            "count",
            "=MAX(0,{array:drives}-{array:spares})",
            "Spares do not serve",
        ),
        Line(
            "drives_iops",
            "Back-end IOPS of the drives",
            "IOPS",
            "={drive_count}*{array:drive_iops}*(1-SIGN({tier2_share_ratio})*(1-SIGN({second_iops})))",
            "Drives x IOPS per drive; 0 while a second tier has no drives",
        ),
        Line(
            "utilisation_cap",
            "Utilisation sizing may plan",
            "ratio",
            "=IF({flash_iops}>0,MIN({rho_cap_ratio},{card_planned_ratio}),1)",
            "Drives are quoted at a latency already: no second cap",
        ),
        Line(
            "raw_iops",
            "IOPS before the cost of the mix",
            "IOPS",
            "=IF({flash_iops}>0,{flash_iops}*{utilisation_cap},{drives_iops}/(1-{tier2_share_ratio}))",
            "Flash first, else drives over their share; 0 = unknown",
        ),
        Line(
            "read_cost",
            "Cost of a read",
            "ratio",
            "=IF({flash_iops}>0,1,1-{array:read_hit_ratio})",
            "A read hit costs no drive I/O",
        ),
        Line(
            "raid_level",
            "RAID level of the drives",
            "text",
            '=IF(INDEX({arrays:raid},1,{array_row})="","none",INDEX({arrays:raid},1,{array_row}))',
            "All arrays; none = not an array of drives",
            text_lines=1,
        ),
        Line(
            "raid_penalty",
            "RAID write penalty",
            "ratio",
            '=IFERROR(INDEX({raid:penalty},MATCH({raid_level},{raid_names},0)),"none")',
            "Provisioning sheet; none = not an array of drives",
        ),
        Line(
            "merged_write_cost",
            "Back-end writes per front-end write",
            "ratio",
            "=MAX(1,SUM({raid_penalty})*(1-{array:write_coalescing_ratio}))",
            "Penalty x (1 - merged share), at least one",
        ),
        Line(
            "write_cost",
            "Cost of a write",
            "ratio",
            "=IF({flash_iops}>0,{flash_write_weight},{merged_write_cost})",
            "Flash: write weight; drives: back-end writes",
        ),
        Line(
            "second_raid_level",
            "RAID level of the second tier",
            "text",
            '=IF(INDEX({arrays:tier2_raid},1,{array_row})="","none",INDEX({arrays:tier2_raid},1,{array_row}))',
            "All arrays; none = no second tier",
            text_lines=1,
        ),
        Line(
            "second_penalty",
            "RAID write penalty of the second tier",
            "ratio",
            '=IFERROR(INDEX({raid:penalty},MATCH({second_raid_level},{raid_names},0)),"none")',
            "Provisioning sheet; none = no second tier",
        ),
        Line(
            "second_write_cost",
            "Cost of a write on the second tier",
            "ratio",
            "=MAX(1,SUM({second_penalty})*(1-{array:write_coalescing_ratio}))",
            "As on the first tier",
        ),
        Line(
            "second_load",
            "Load of the second tier against the first",
            "ratio",
            "=IF({second_iops}>0,{raw_iops}*{tier2_share_ratio}/{second_iops},0)",
            "Share over back-end IOPS, both tiers; 0 = no second tier",
        ),
        *_supply(),
        Group("What is missing of the demand"),
        *unchecked.MISSING,
        Group("Latency of one array"),
        Line(
            "measured_latency_ms",
            "Base latency of your own points",
            "ms",
            "=SUMIF({own_names},{array},{own_latency_ms})",
            "Latency points sheet; 0 = none entered",
        ),
        Line(
            "base_latency_ms",
            "Base latency S",
            "ms",
            "=IF({array:base_latency_ms}>0,INDEX({arrays:base_latency_ms},1,{array_row}),{measured_latency_ms})",
            "R = S / (1 - utilisation^m); 0 = no published latency",
            output=True,
        ),
        Line(
            "latency_shape",
            "Shape m of the curve",
            "ratio",
            "=MAX(1,{array:latency_shape})",
            "All arrays; 1 where nothing tells it",
            output=True,
        ),
        Group("Throughput"),
        Line(
            "throughput_rating",
            "Throughput rating of one array",
            "MB/s",
            "={array:throughput_mb_s}",
            "Largest demonstrated; 0 = not published",
        ),
        Group("Supply against what a test demonstrated"),
        Line(
            "rated_iops",
            "Larger front-end rating of login and steady work",
            "IOPS",
            "=MAX(INDEX({arrays:rating_login_iops},1,{array_row}),INDEX({arrays:rating_steady_iops},1,{array_row}))",
            "All arrays; 0 = none",
        ),
        Line(
            "demonstrated_supply",
            "Supply at the read share of the load demonstrated",
            "IOPS",
            "=MAX({raw_iops}/({write_cost}+{array:demonstrated_read_ratio}*({read_cost}-{write_cost})),{rated_iops})",
            "Raw IOPS over the cost of the mix, else the ratings",
        ),
        Line(
            "demonstrated_margin",
            "Supply over the load demonstrated",
            "ratio",
            "=IF({array:demonstrated_iops}>0,{demonstrated_supply}/INDEX({arrays:demonstrated_iops},1,{array_row}),1)",
            "Below 1 the supply figure is too low; 1 = nothing published",
            output=True,
        ),
    ),
)

TAB = gridwriter.tab("Performance", "Throughput, and what one array can serve", lambda _: SHEET)
