"""Performance: what every phase asks of the array and what one array can serve.

Demand is mean IOPS per active desktop; caches in the hosts take their share off before the array sees it. Supply comes,
in this order, from a front-end rating, from read-equivalent capacity (flash: one write costs `write_weight` reads) or
from drives (back-end arithmetic: read hits and merged writes never reach a drive).
"""

from model.line import GridSheet, Group, Line

PHASES = ("provisioning", "boot", "login", "steady", "logoff", "patching")
CACHED = ("boot", "login", "steady")
LABELS = {
    "provisioning": "provisioning",
    "boot": "boot",
    "login": "login",
    "steady": "steady work",
    "logoff": "log-off",
    "patching": "patching",
}


def _demand() -> list[Line]:
    """Return the demand of every phase, cached phases as their desktops issue it and as it reaches the array."""
    lines = []
    for phase in PHASES:
        cached = phase in CACHED
        lines.append(
            Line(
                f"{phase}_desktop_iops" if cached else f"{phase}_iops",
                f"IOPS issued in {LABELS[phase]}" if cached else f"IOPS in {LABELS[phase]}",
                "IOPS",
                f"={{active_desktops}}*{{{phase}_iops_per_desktop}}*{{demand_factor}}",
                "Profile per active desktop" + ("" if cached else "; no host cache helps"),
                output=not cached,
            )
        )
    for phase in CACHED:
        read = f"{{{phase}_read_ratio}}"
        lines += [
            Line(
                f"{phase}_reads_iops",
                f"Reads that reach the array in {LABELS[phase]}",
                "IOPS",
                f"={{{phase}_desktop_iops}}*{read}*(1-INDEX({{cache:{phase}_read_offload}},{{cache_row}}))",
                "ICA section 5: what the host cache leaves",
            ),
            Line(
                f"{phase}_iops",
                f"IOPS in {LABELS[phase]}",
                "IOPS",
                f"={{{phase}_reads_iops}}"
                f"+{{{phase}_desktop_iops}}*(1-{read})*(1-INDEX({{cache:{phase}_write_offload}},{{cache_row}}))",
                "Reads plus writes that reach the array",
                output=True,
            ),
        ]
    return lines


def _read_ratio(phase: str) -> str:
    """Return the key of the read share the array sees in a phase."""
    return f"{phase}_array_read_ratio" if phase in CACHED else f"{phase}_read_ratio"


def _array_reads() -> list[Line]:
    """Return the read share after the host cache, for the phases it touches."""
    return [
        Line(
            _read_ratio(phase),
            f"Read share at the array in {LABELS[phase]}",
            "ratio",
            f"=IF({{{phase}_iops}}>0,{{{phase}_reads_iops}}/{{{phase}_iops}},{{{phase}_read_ratio}})",
            "Reads that are left over all that is left",
        )
        for phase in CACHED
    ]


def _throughput() -> list[Line]:
    return [
        Line(
            f"throughput_{phase}",
            f"Throughput in {LABELS[phase]}",
            "MB/s",
            f"={{{phase}_iops}}*{{{phase}_block_kib}}*{{unit:mb_per_kib}}",
            "IOPS x mean block size",
            output=True,
        )
        for phase in PHASES
    ]


def _supply() -> list[Line]:
    lines = []
    for phase in PHASES:
        rating = f"INDEX({{arrays:rating_{phase}_iops}},{{array_row}})"
        mix = f"({{write_cost}}+{{{_read_ratio(phase)}}}*({{read_cost}}-{{write_cost}}))"
        lines.append(
            Line(
                f"supply_{phase}",
                f"One array can serve in {LABELS[phase]}",
                "IOPS",
                f"=IF(SUM({rating})>0,{rating},{{raw_iops}}/{mix})",
                "Rating on Arrays, else raw IOPS over the cost of the mix",
            )
        )
    return lines


SHEET = GridSheet(
    name="Performance",
    title="Performance",
    purpose="What every phase asks of the array, and what one array can serve of that mix",
    rows=(
        Group("Demand"),
        Line(
            "active_desktops",
            "Desktops active together",
            "desktops",
            "={provisioned_desktops}*{concurrent_ratio}",
            "Definition",
            output=True,
        ),
        Line(
            "demand_factor",
            "Demand scale x profile technology",
            "ratio",
            "={demand_scale_ratio}*{profile_multiplier}",
            "Definition",
        ),
        *_demand(),
        *_array_reads(),
        Line(
            "login_reduction_ratio",
            "Share of login IOPS kept off the array",
            "ratio",
            "=IF({login_desktop_iops}>0,1-{login_iops}/{login_desktop_iops},0)",
            "ICA section 5.6",
            output=True,
        ),
        Line(
            "boot_reduction_ratio",
            "Share of boot IOPS kept off the array",
            "ratio",
            "=IF({boot_desktop_iops}>0,1-{boot_iops}/{boot_desktop_iops},0)",
            "ICA section 5.2: size on the cold-cache boot",
            output=True,
        ),
        *_throughput(),
        Group("Supply of one array"),
        Line(
            "flash_iops",
            "Read-equivalent capacity, all controllers",
            "IOPS",
            "=SUM(INDEX({arrays:read_equivalent_iops},{array_row}))*MAX(1,SUM(INDEX({arrays:controllers_active},{array_row})))",
            "Flash: W = IOPS x (read share + write share x write weight)",
        ),
        Line(
            "drive_count",
            "Drives in use",
            "count",
            "=MAX(0,SUM(INDEX({arrays:drives},{array_row}))-SUM(INDEX({arrays:spares},{array_row})))",
            "Spares do not serve",
        ),
        Line(
            "drives_iops",
            "Back-end IOPS of the drives",
            "IOPS",
            "={drive_count}*SUM(INDEX({arrays:drive_iops},{array_row}))",
            "Drives x IOPS per drive",
        ),
        Line(
            "utilisation_cap",
            "Utilisation sizing may plan",
            "ratio",
            "=IF({flash_iops}>0,{rho_cap_ratio},1)",
            "Drives are quoted at a latency already: no second cap",
        ),
        Line(
            "raw_iops",
            "IOPS before the cost of the mix",
            "IOPS",
            "=IF({flash_iops}>0,{flash_iops}*{utilisation_cap},{drives_iops})",
            "Flash first, else drives; 0 = unknown",
        ),
        Line(
            "read_cost",
            "Cost of a read",
            "ratio",
            "=IF({flash_iops}>0,1,1-SUM(INDEX({arrays:read_hit_ratio},{array_row})))",
            "A read hit costs no drive I/O",
        ),
        Line(
            "raid_penalty",
            "RAID write penalty",
            "ratio",
            '=IFERROR(INDEX({raid:penalty},MATCH(INDEX({arrays:raid},{array_row}),{raid_names},0)),"none")',
            "Provisioning sheet; none = not an array of drives",
        ),
        Line(
            "merged_write_cost",
            "Back-end writes per front-end write",
            "ratio",
            "=MAX(1,SUM({raid_penalty})*(1-SUM(INDEX({arrays:write_coalescing_ratio},{array_row}))))",
            "Penalty x (1 - merged share), at least one",
        ),
        Line(
            "write_cost",
            "Cost of a write",
            "ratio",
            "=IF({flash_iops}>0,MAX(1,SUM(INDEX({arrays:write_weight},{array_row}))),{merged_write_cost})",
            "Flash: write weight; drives: back-end writes",
        ),
        *_supply(),
        Line(
            "throughput_rating",
            "Throughput rating of one array",
            "MB/s",
            "=SUM(INDEX({arrays:throughput_mb_s},{array_row}))",
            "Largest demonstrated; 0 = not published",
        ),
        Group("Supply against what a test demonstrated"),
        Line(
            "demonstrated_read_ratio",
            "Read share of the load demonstrated",
            "ratio",
            "=SUM(INDEX({arrays:demonstrated_read_ratio},{array_row}))",
            "Arrays sheet",
        ),
        Line(
            "demonstrated_iops",
            "Load demonstrated on one array",
            "IOPS",
            "=SUM(INDEX({arrays:demonstrated_iops},{array_row}))",
            "Arrays sheet; 0 = nothing published",
        ),
        Line(
            "rated_iops",
            "Larger front-end rating of login and steady work",
            "IOPS",
            "=MAX(INDEX({arrays:rating_login_iops},{array_row}),INDEX({arrays:rating_steady_iops},{array_row}))",
            "Arrays sheet; 0 = none",
        ),
        Line(
            "demonstrated_supply",
            "Supply at that read share",
            "IOPS",
            "=MAX({raw_iops}/({demonstrated_read_ratio}*{read_cost}+(1-{demonstrated_read_ratio})*{write_cost}),"
            "{rated_iops})",
            "Raw IOPS over the cost of the mix, else the ratings",
        ),
        Line(
            "demonstrated_margin",
            "Supply over the load demonstrated",
            "ratio",
            "=IF({demonstrated_iops}>0,{demonstrated_supply}/{demonstrated_iops},1)",
            "Below 1 the supply figure is too low",
            output=True,
        ),
    ),
)
