"""Performance: what every phase asks of the array and what one array can serve.

Demand is mean IOPS per active desktop; caches in the hosts take their share off before the array sees it. Supply comes,
in this order, from a front-end rating, from read-equivalent capacity (flash: one write costs `write_weight` reads) or
from drives (back-end arithmetic: read hits and merged writes never reach a drive).
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line

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


def capitalised(text: str) -> str:
    """Return a text as it begins a label."""
    return text[0].upper() + text[1:]


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
                f"{phase}_reads_left_ratio",
                f"Share of {LABELS[phase]} I/O: reads that reach the array",
                "ratio",
                f"={read}*{_left(phase, 'read')}*(1-{{pvs_cached}})",
                "ICA section 5: what the host cache leaves; a full local disk falls back to the array",
            ),
            Line(
                f"{phase}_reduction_ratio",
                f"Share of {LABELS[phase]} I/O kept off the array",
                "ratio",
                f"=1-{{{phase}_reads_left_ratio}}-(1-{read})*{_left(phase, 'write')}",
                "ICA section 5: neither reads nor writes that are left; size on the cold-cache boot",
                output=True,
            ),
            Line(
                f"{phase}_iops",
                f"IOPS in {LABELS[phase]}",
                "IOPS",
                f"={{{phase}_desktop_iops}}*(1-{{{phase}_reduction_ratio}})",
                "Reads plus writes that reach the array",
                output=True,
            ),
        ]
    return lines


def _left(phase: str, kind: str) -> str:
    """Return the share of reads or writes that the host cache leaves to the array: all, once the local disk is full."""
    return f"(1-INDEX({{cache:{phase}_{kind}_offload}},{{cache_row}})*(1-{{local_disk_short}}))"


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
            f"=IF({{{phase}_reduction_ratio}}<1,{{{phase}_reads_left_ratio}}/(1-{{{phase}_reduction_ratio}}),"
            f"{{{phase}_read_ratio}})",
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
    """Return what one array serves of each phase's mix: the tier that is full first, unless a rating says so."""
    lines = []
    for phase in PHASES:
        read, rating = f"{{{_read_ratio(phase)}}}", f"{{array:rating_{phase}_iops}}"
        first = f"{{write_cost}}+{read}*({{read_cost}}-{{write_cost}})"
        second = f"{{second_load}}*({{second_write_cost}}+{read}*({{read_cost}}-{{second_write_cost}}))"
        lines += [
            Line(
                f"mix_{phase}_iops",
                f"Supply of the mix in {LABELS[phase]}",
                "IOPS",
                f"={{raw_iops}}/MAX({first},{second})",
                "Raw IOPS over the cost of the mix; the fuller tier limits",
            ),
            Line(
                f"supply_{phase}",
                f"One array can serve in {LABELS[phase]}",
                "IOPS",
                f"=IF({rating}>0,INDEX({{arrays:rating_{phase}_iops}},{{array_row}}),{{mix_{phase}_iops}})",
                "Rating on Arrays, else the row above",
            ),
        ]
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
        Line(
            "pvs_cached",
            "The image fits a PVS server's memory",
            "flag",
            "=IF(AND({pvs_server_ram_gib}>={image_gib},{image_gib}*INDEX({method:image_per_pool},{method_row})>0),1,0)",
            "EQL section 5.2: 16 GB did not hold 25 GB; 1 = no read of it reaches the array",
            output=True,
        ),
        *_demand(),
        *_array_reads(),
        Line(
            "local_iops_per_host",
            "I/O that the cache puts on a host's local disk",
            "IOPS",
            "=MAX({boot_desktop_iops}-{boot_iops},{login_desktop_iops}-{login_iops},{steady_desktop_iops}-{steady_iops})"
            "*{cache_in_use}/{hosts_required}",
            "Busiest phase, what does not reach the array",
            output=True,
        ),
        Line(
            "local_iops_short",
            "Local disk too slow",
            "flag",
            "=IF(AND({array:local_disk_iops}>0,{local_iops_per_host}>INDEX({arrays:local_disk_iops},{array_row})),1,0)",
            "Only where its IOPS are entered on Arrays",
            output=True,
        ),
        *_throughput(),
        Group("Supply of one array"),
        Line(
            "flash_iops",
            "Read-equivalent capacity, all controllers",
            "IOPS",
            "={array:read_equivalent_iops}*MAX(1,{array:controllers_active})",
            "Flash: W = IOPS x (read share + write share x write weight)",
        ),
        Line(
            "tier2_share_ratio",
            "Share of the I/O on a second tier",
            "ratio",
            "={array:tier2_share_ratio}",
            "Arrays sheet; 0 = one tier",
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
            "=IF({flash_iops}>0,{rho_cap_ratio},1)",
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
            "=MAX(1,SUM({raid_penalty})*(1-{array:write_coalescing_ratio}))",
            "Penalty x (1 - merged share), at least one",
        ),
        Line(
            "write_cost",
            "Cost of a write",
            "ratio",
            "=IF({flash_iops}>0,MAX(1,{array:write_weight}),{merged_write_cost})",
            "Flash: write weight; drives: back-end writes",
        ),
        Line(
            "second_penalty",
            "RAID write penalty of the second tier",
            "ratio",
            '=IFERROR(INDEX({raid:penalty},MATCH(INDEX({arrays:tier2_raid},{array_row}),{raid_names},0)),"none")',
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
            "=IF({array:base_latency_ms}>0,INDEX({arrays:base_latency_ms},{array_row}),{measured_latency_ms})",
            "R = S / (1 - utilisation^m); 0 = no published latency",
            output=True,
        ),
        Line(
            "latency_shape",
            "Shape m of the curve",
            "ratio",
            "=MAX(1,{array:latency_shape})",
            "Arrays sheet; 1 where nothing tells it",
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
            "=MAX(INDEX({arrays:rating_login_iops},{array_row}),INDEX({arrays:rating_steady_iops},{array_row}))",
            "Arrays sheet; 0 = none",
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
            "=IF({array:demonstrated_iops}>0,{demonstrated_supply}/INDEX({arrays:demonstrated_iops},{array_row}),1)",
            "Below 1 the supply figure is too low; 1 = nothing published",
            output=True,
        ),
    ),
)

TAB = gridwriter.tab("Performance", "Demand and supply phase by phase", lambda _: SHEET)
