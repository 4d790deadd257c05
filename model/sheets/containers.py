"""Profile containers: a load of their own, on the desktops' array, on another one of the catalogue, or elsewhere.

A container is attached while its user signs in, works and signs out. Users at work ask for its steady IOPS, those who
sign in or out for more, as long as that takes: active x steady + sign-ins per second x their seconds x IOPS meanwhile.
Boot and patching know no user, so no container. Where nobody entered a figure it is missing, by name, and never 0; the
array that holds containers alone is sized like every other one, in normal operation.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets.phases import LABELS

_FIGURES = "{range:container_gib:container_read_ratio}"
_MIXED = {"login": "container_login_part", "steady": "container_steady_part", "logoff": "container_logoff_part"}
MIXED = tuple(_MIXED)  # phases in which containers ask for something

# ---- on Demand ----------------------------------------------------------------------------------

WORK: tuple[Line | Group, ...] = (
    Group("Profile containers"),
    Line(
        "container_steady_load",
        "IOPS of containers in steady work",
        "IOPS",
        "=MAX(0,{container_steady_iops})*{active_desktops}",
        "Active x steady; a figure that is missing is listed, see Containers",
        output=True,
    ),
    Line(
        "container_signout_load",
        "IOPS of containers signing out",
        "IOPS",
        "={active_desktops}*MAX(0,{container_signout_iops})*MAX(0,{container_signin_s})"
        "/({unit:seconds_per_minute}*{logoff_window_min})",
        "Sign-outs per second x seconds x IOPS meanwhile; a sign-out takes as long as a sign-in",
        output=True,
    ),
    Line(
        "container_steady_part",
        "Containers on this array in steady work",
        "IOPS",
        "={container_here}*{container_steady_load}",
        "0 where they stand elsewhere",
    ),
    Line(
        "container_logoff_part",
        "Containers on this array in the log-off",
        "IOPS",
        "={container_here}*({container_signout_load}+{logoff_active_ratio}*{container_steady_load})",
        "Sign-outs, and those still at work",
    ),
)

BUSY = Line(
    "container_busy_load",
    "IOPS of containers if every desktop logged in at once",
    "IOPS",
    "={container_steady_load}+{active_desktops}*MAX(0,{container_signin_iops})*MAX(0,{container_signin_s})"
    "/({unit:seconds_per_minute}*MIN({login_duration_min},{login_minutes}))",
    "Steady, and the sign-in spread over the busy period as the login is, or over the window if that is shorter",
)
LOGIN: tuple[Line, ...] = (
    Line(
        "container_login_iops",
        "IOPS of containers in the login",
        "IOPS",
        "={container_steady_load}+({container_busy_load}-{container_steady_load})*{together_ratio}",
        "All at work, and the most sign-ins together",
        output=True,
    ),
    Line(
        "container_login_part",
        "Containers on this array at the login peak",
        "IOPS",
        "={container_here}*({container_busy_load}*({peak_arrived_ratio}-{peak_working_ratio})"
        "+{container_steady_load}*{peak_working_ratio})",
        "Part of the peak above; 0 where they stand elsewhere",
    ),
)


def _mix(phase: str) -> Line:
    desktops = f"{{{phase}_array_read_ratio}}" if phase != "logoff" else "{logoff_read_ratio}"
    part = f"{{{_MIXED[phase]}}}"
    return Line(
        f"{phase}_mix_read_ratio",
        f"Read share in {LABELS[phase]}, containers included",
        "ratio",
        f"=IF(MIN({part},{{{phase}_iops}})>0,{desktops}+({{container_read}}-{desktops})*{part}/{{{phase}_iops}},{desktops})",
        "Each by its IOPS; the desktops' own where no container stands on this array",
    )


MIXES: tuple[Line | Group, ...] = (
    Group("Read share with containers"),
    Line(
        "container_read",
        "Read share of the containers",
        "ratio",
        "=IF({container_read_ratio}<0,1,{container_read_ratio})",
        "All reads while it is missing: the least that they can ask of an array",
    ),
    *(_mix(phase) for phase in MIXED),
)

# ---- a tab of its own ---------------------------------------------------------------------------


def _names(key: str, figures: dict[str, str]) -> Line:
    parts = [f'REPT("{name}, ",COUNTIF({{{figure}}},"=-1"))' for figure, name in figures.items()]
    return Line(key, f"Missing: {' or '.join(figures.values())}", "text", "=" + "&".join(parts), "Empty where none is")


_MISSING: tuple[Line | Group, ...] = (
    Group("What nobody entered"),
    Line(
        "container_missing_count",
        "Container figures missing",
        "count",
        f'=({{container_here}}+{{container_away}})*COUNTIF({_FIGURES},"=-1")',
        "Counts where containers stand on this or on another array",
        output=True,
    ),
    _names("container_missing_first", {"container_gib": "GiB", "container_read_ratio": "read share"}),
    _names("container_missing_second", {"container_signin_iops": "sign-in IOPS", "container_signin_s": "seconds"}),
    _names(
        "container_missing_third", {"container_steady_iops": "steady IOPS", "container_signout_iops": "sign-out IOPS"}
    ),
    Line(
        "container_missing",
        "Container figures missing, by name",
        "text",
        '=REPT("container "&{container_missing_first}&{container_missing_second}&{container_missing_third},'
        "SIGN({container_missing_count}))",
        "Listed with the other constraints that could not be checked",
    ),
    Line(
        "profile_counted_twice",
        "Profile I/O counted twice",
        "flag",
        '=IF(INDEX({profile:local_profile},{profile_row})="yes",{container_here}+{container_away},0)',
        "The workload profile was measured with local profiles: their I/O is inside its figures already",
        output=True,
    ),
)

_SUPPLY: tuple[Line | Group, ...] = (
    Group("One array for containers alone"),
    Line(
        "container_flash_iops",
        "Read-equivalent capacity, all controllers",
        "IOPS",
        "={container_array:read_equivalent_iops}*MAX(1,{container_array:controllers_active})",
        "As on Performance, for the containers' array",
    ),
    Line(
        "container_drives",
        "Drives in use",
        "count",
        "=MAX(0,{container_array:drives}-{container_array:spares})",
        "First tier; a second one is not counted",
    ),
    Line(
        "container_drives_iops",
        "Back-end IOPS of the drives",
        "IOPS",
        "={container_drives}*{container_array:drive_iops}",
        "Drives x IOPS per drive",
    ),
    Line(
        "container_cap",
        "Utilisation sizing may plan",
        "ratio",
        "=IF({container_flash_iops}>0,{rho_cap_ratio},1)",
        "Drives are quoted at a latency already: no second cap",
    ),
    Line(
        "container_raw_iops",
        "IOPS before the cost of the mix",
        "IOPS",
        "=IF({container_flash_iops}>0,{container_flash_iops}*{container_cap},{container_drives_iops})",
        "Flash first, else drives; 0 = unknown",
    ),
    Line(
        "container_raid_row",
        "Row of the RAID level",
        "count",
        '=IFERROR(MATCH(INDEX({arrays:raid},1,{container_array_row}),{raid_names},0),"none")',
        "Position on Provisioning; none = not an array of drives",
    ),
    Line(
        "container_penalty",
        "RAID write penalty",
        "ratio",
        '=IFERROR(INDEX({raid:penalty},{container_raid_row}),"none")',
        "Provisioning sheet; none = not an array of drives",
    ),
    Line(
        "container_merged_cost",
        "Back-end writes per front-end write",
        "ratio",
        "=MAX(1,SUM({container_penalty})*(1-{container_array:write_coalescing_ratio}))",
        "Penalty x (1 - merged share), at least one",
    ),
    Line(
        "container_write_cost",
        "Cost of a write",
        "ratio",
        "=IF({container_flash_iops}>0,MAX(1,{container_array:write_weight}),{container_merged_cost})",
        "Flash: write weight; drives: back-end writes",
    ),
    Line(
        "container_read_cost",
        "Cost of a read",
        "ratio",
        "=IF({container_flash_iops}>0,1,1-{container_array:read_hit_ratio})",
        "A read hit costs no drive I/O",
    ),
    Line(
        "container_mix_iops",
        "Supply of the containers' mix",
        "IOPS",
        "={container_raw_iops}/({container_write_cost}+{container_read}*({container_read_cost}-{container_write_cost}))",
        "Raw IOPS over the cost of the mix",
    ),
    Line(
        "container_supply_iops",
        "One array can serve",
        "IOPS",
        "=IF({container_array:rating_steady_iops}>0,{container_array:rating_steady_iops},{container_mix_iops})",
        "Rating for steady work, as most of it is; else the row above",
        output=True,
    ),
    Line(
        "container_raw_gib",
        "Usable, from raw capacity",
        "GiB",
        "={container_array:raw_gb}*{container_array:raid_efficiency_ratio}*{unit:gib_per_gb}",
        "Raw drives x assumed RAID efficiency",
    ),
    Line(
        "container_usable_gib",
        "Usable capacity",
        "GiB",
        "=IF({container_array:usable_gib}>0,{container_array:usable_gib},{container_raw_gib})",
        "As printed, else from raw capacity",
    ),
    Line(
        "container_likely_reduction",
        "Likely data reduction of profiles",
        "x:1",
        "=IF({container_array:inline_reduction}>0,{component:inline_likely:user data and profiles},"
        "{component:plain_likely:user data and profiles})",
        "With or without inline reduction, Provisioning sheet",
    ),
    Line(
        "container_array_reduction",
        "Data reduction the array is sold with",
        "x:1",
        "={container_array:reduction_ratio}",
        "Arrays sheet; 0 = none stands there",
    ),
    Line(
        "container_capped_reduction",
        "Likely data reduction, at most the array's own",
        "x:1",
        "=IF({container_array_reduction}>0,MIN({container_likely_reduction},{container_array_reduction}),"
        "{container_likely_reduction})",
        "What it is sold with caps the likely value",
    ),
    Line(
        "container_reduction",
        "Data reduction of containers on that array",
        "x:1",
        "=IF(INDEX({encryption:user_data},{encryption_row})>0,1,MAX(1,CHOOSE(1+{user_data_reduction_given},"
        "{container_capped_reduction},{user_data_reduction_ratio})))",
        "As entered for user data, else the row above; 1 where it is encrypted",
        output=True,
    ),
    Line(
        "container_base_latency_ms",
        "Base latency S",
        "ms",
        "={container_array:base_latency_ms}",
        "Arrays sheet; 0 = no published latency",
    ),
    Line(
        "container_latency_utilisation",
        "Utilisation at the latency limit",
        "ratio",
        "=IF(AND({container_base_latency_ms}>0,{latency_limit_ms}>{container_base_latency_ms}),"
        "(1-{container_base_latency_ms}/{latency_limit_ms})^(1/MAX(1,{container_array:latency_shape})),0)",
        "(1 - S/L)^(1/m), L as for the desktops; 0 = no limit can be told",
    ),
)

_ARRAYS: tuple[Line | Group, ...] = (
    Group("Arrays for containers alone, unrounded"),
    Line(
        "container_asked_iops",
        "IOPS asked of that array",
        "IOPS",
        "={container_away}*MAX({container_login_iops},{container_signout_load})",
        "The larger of login and log-off; 0 unless containers stand on another array",
        output=True,
    ),
    Line(
        "container_required_gib",
        "Capacity required on that array",
        "GiB",
        "={container_away}*MAX(0,{container_gib})*{provisioned_desktops}/{container_reduction}",
        "One container for each desktop provisioned, over its data reduction",
        output=True,
    ),
    Line(
        "container_ratio_capacity",
        "Capacity",
        "arrays",
        "=IF({container_usable_gib}*{fillable_ratio}>0,{container_required_gib}/({container_usable_gib}*{fillable_ratio}),"
        "0-SIGN({container_required_gib}))",
        "Required over usable after free space and snapshots; -1 = unchecked",
        output=True,
    ),
    Line(
        "container_ratio_iops",
        "IOPS",
        "arrays",
        "=IF({container_supply_iops}>0,{container_asked_iops}/{container_supply_iops},0-SIGN({container_asked_iops}))",
        "Asked over one array's supply; -1 = unchecked",
        output=True,
    ),
    Line(
        "container_ratio_latency",
        "Latency",
        "arrays",
        "=IF({container_latency_utilisation}>0,MAX(0,{container_ratio_iops})*{container_cap}"
        "/{container_latency_utilisation},0-SIGN({container_asked_iops}))",
        "Asked over the supply within the limit; -1 = unchecked",
        output=True,
    ),
    Line(
        "container_ratio",
        "Container arrays needed, unrounded",
        "arrays",
        "=MAX(0,{range:container_ratio_capacity:container_ratio_latency})",
        "Decides the count",
        output=True,
    ),
    Line(
        "container_arrays",
        "Arrays for containers",
        "arrays",
        "={container_away}*MAX(1,ROUNDUP({container_ratio},0))",
        "In normal operation, beside the desktops' arrays; 0 unless containers stand on another array",
        output=True,
    ),
    Line(
        "container_words",
        "Arrays for containers, in words",
        "text",
        '=REPT(" and "&TEXT({container_arrays},"0")&" for containers",SIGN({container_arrays}))',
        "Part of the answer; empty where there are none",
    ),
    Line(
        "container_unrated_count",
        "Constraints of that array unchecked",
        "count",
        '=COUNTIF({range:container_ratio_capacity:container_ratio_latency},"=-1")',
        "A missing rating is listed, never passed",
    ),
    Line(
        "container_unrated_first",
        "Unchecked: capacity or IOPS",
        "text",
        '=REPT("container array capacity, ",COUNTIF({container_ratio_capacity},"=-1"))'
        '&REPT("container array IOPS, ",COUNTIF({container_ratio_iops},"=-1"))',
        "Empty where none is",
    ),
    Line(
        "container_unrated",
        "Constraints of that array unchecked, by name",
        "text",
        '={container_unrated_first}&REPT("container array latency, ",COUNTIF({container_ratio_latency},"=-1"))',
        "Empty where none is",
    ),
)

SHEET = GridSheet(
    name="Containers",
    title="Profile containers",
    purpose="Containers on an array of their own: what it must hold and serve. On the desktops' array they are part of "
    "Demand and Capacity. Throughput and a failure of an array of their own are not checked",
    rows=(*_MISSING, *_SUPPLY, *_ARRAYS),
)

TAB = gridwriter.tab("Containers", "Profile containers, and an array of their own", lambda _: SHEET)
