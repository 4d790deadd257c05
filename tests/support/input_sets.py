"""Input sets for the design columns: every array x method, minima, maxima, zeros, blanks, texts, storms.

A batch fills every column, those of the published tests too: one formula a row, so what is typed is all that counts.
Every batch draws another design on Timeline.
"""

from collections.abc import Iterable, Mapping, Sequence

from openpyxl.utils import get_column_letter

from model.layout.grid import (
    BASE,
    CASE_HEADINGS,
    FIRST_PUBLISHED,
    MIX,
    OWN_ARRAYS,
    OWN_CACHES,
    OWN_METHODS,
    OWN_PROFILES,
    OWN_SHARES,
)
from model.reading.choices import ON_CLOUD_SHARE, WORDS
from model.reading.inputs import Input
from model.reading.records import Data
from model.sheets.catalogue.my_arrays import typed_column
from model.workbook import Built
from tests.support.own_rows import FILLED, own_cells
from tests.support.own_rows import Value as Value

Inputs = Mapping[str, Value]
OWN_FIGURES: tuple[Mapping[str, Value], ...] = (  # the user's arrays: two tiers, own latency points, nothing but S
    {
        "array_class": "hybrid",
        "usable_gib": 9000.0,
        "inline_reduction": 0.0,
        "controllers_active": 2.0,
        "failover_kind": "array",
        "drives": 24.0,
        "spares": 2.0,
        "drive_iops": 175.0,
        "raid": "RAID 10",
        "read_hit_ratio": 0.2,
        "write_coalescing_ratio": 0.3,
        "tier2_share_ratio": 0.6,
        "tier2_drives": 6.0,
        "tier2_drive_iops": 5000.0,
        "tier2_raid": "RAID 5",
        "read_cache_gib": 10.0,
        "local_disk_gib": 200.0,
        "local_disk_iops": 3000.0,
    },
    {
        "array_class": "flash",
        "usable_gib": 12000.0,
        "inline_reduction": 1.0,
        "reduction_ratio": 3.0,
        "controllers_active": 3.0,
        "failover_kind": "node",
        "read_equivalent_iops": 40000.0,
        "write_weight": 2.5,
        "latency_shape": 2.0,
        "point_1_iops": 30000.0,
        "point_1_read_ratio": 0.5,
        "point_1_ms": 0.8,
        "point_3_iops": 60000.0,
        "point_3_read_ratio": 0.9,
        "point_3_ms": 1.1,
        "throughput_mb_s": 2000.0,
    },
    {"base_latency_ms": 3.0, "latency_shape": 1.0, "failover_kind": "none"},
    {  # a card, the work of a write assumed
        "capacity_tb": 160.0,
        "capacity_kind": "effective",
        "reduction_ratio": 4.0,
        "iops": 200000.0,
        "read_ratio": 0.7,
        "latency_ms": 1.0,
        "base_latency_ms": 0.3,
        "block_kib": 8.0,
        "throughput_mb_s": 3000.0,
        "controllers_active": 2.0,
        "price": 150000.0,
    },
    {  # a card with a second point, raw TiB, and a latency measured
        "capacity_tib": 50.0,
        "capacity_kind": "raw",
        "iops": 90000.0,
        "read_ratio": 0.5,
        "latency_ms": 2.0,
        "second_iops": 120000.0,
        "second_read_ratio": 1.0,
        "controllers_active": 1.0,
        "controllers_standby": 1.0,
        "point_1_iops": 45000.0,
        "point_1_read_ratio": 0.5,
        "point_1_ms": 0.9,
        "rating_login_iops": 1000.0,
    },
    {"capacity_tb": 10.0, "iops": 100000.0, "latency_ms": 1.0, "reduction_ratio": 0.5},
)
NODES: Mapping[str, Value] = {  # a hyper-converged system: the unit is a node
    "array_class": "flash",
    "inline_reduction": 1.0,
    "hci_node": 1.0,
    "least_nodes": 3.0,
    "nodes_lost": 2.0,
    "node_raw_gb": 23000.0,
    "system_share_ratio": 0.12,
    "protection_ratio": 1.25,
    "vms_per_node": 110.0,
    "read_equivalent_iops": 70000.0,
    "write_weight": 2.7,
    "base_latency_ms": 0.4,
}
NUMBERS_ALONE = ("discount_ratio", "support_ratio")  # a word is an error there, elsewhere it counts as a blank
EQL: Inputs = {"array": "Dell EqualLogic PS6010XVS", "provisioning": "PVS", "profile": "Task worker PVS (EQL 2012)"}
STORMS: tuple[dict[str, Value], ...] = (
    {"start_rate_per_min": 100000.0, "boot_tail_min": 0.0},  # no throttle
    {"ios_per_boot": 0.0, "demand_scale_ratio": 0.0},  # no work
    {"desktops": 1.0, "login_window_min": 1.0, "arrival_shape": "normal"},
    {"desktops": 1.0, "login_window_min": 1.0, "login_duration_s": 28800.0, "arrival_shape": "normal"},
    {"desktops": 100000.0, "login_window_min": 1440.0, "login_duration_s": 1.0, "arrival_shape": "normal"},
    {**EQL, "preboot_ratio": 0.2, "desktops": 630.0, "ios_per_login": 13040.0, "login_window_min": 20.0},
    {**EQL, "preboot_ratio": 0.0, "desktops": 630.0, "arrival_shape": "normal"},
    {"concurrent_ratio": 0.0},
    {"hosts": 4.0, "host_start_rate_per_min": 2.0, "failover": "yes", "survive_phases": "everything"},
    {"host_start_rate_per_min": 0.5, "desktops_per_host": 1.0, "boot_latency_limit_ms": 0.01},
    {
        "array": "My array 1",
        "preboot_ratio": 0.5,
        "starts_at_once": 3.0,
        "boot_wanted_min": 5.0,
        "boot_active_ratio": 0.5,
    },
    {"ios_per_login": 1.0, "arrival_shape": "normal"},  # a login asks for less than work does
    {"container_place": "this array", "container_gib": 30.0, "arrival_shape": "normal", "login_duration_s": 300.0},
    {"container_place": "another array", "container_array": "My array 1", "container_gib": 5.0},
    {"most_desktops_per_array": 499.0, "growth_ratio": 0.25, "failover": "yes", "survive_phases": "everything"},
    {"most_desktops_per_array": 70.0, "array": "My array 3", "arrays_installed": 3.0},
    {"array": "My array 4", "failover": "yes", "container_place": "another array", "container_array": "My array 5"},
    {"array": "My array 4", "failover": "yes", "survive_phases": "everything", "write_weight": 4.0},
    {"array": "My array 5", "arrival_shape": "normal", "desktops": 20000.0, "latency_limit_ms": 1.0},
    {"array": "My array 6", "container_place": "another array", "container_array": "My array 4"},
    {"snapshot_reserve_ratio": 0.3, "container_place": "another array", "container_gib": 5.0, "failover": "yes"},
    {"snapshot_reserve_ratio": 0.3, "capacity_headroom_ratio": 0.7},  # nothing is left to fill
    {"container_place": "another array", "container_array": "Dell EqualLogic PS6510E", "array_price": 1000.0},
    {
        "users_per_vm": 12.0,
        "scheduled_gib": 3.0,
        "scheduled_block_kib": 256.0,
        "scheduled_read_ratio": 0.9,
        "scheduled_window_min": 90.0,
        "scheduled_active_ratio": 0.3,
        "recreate_at_logoff": "yes",
    },
    {"scheduled_ios": 1e6, "scheduled_window_min": 10.0, "failover": "yes", "survive_phases": "everything"},
    {"patch_streams": 10000.0, "patch_delay_s": 86400.0, "patch_tail_min": 0.0, "patch_wanted_min": 60.0},
)
MIXED: tuple[dict[str, Value], ...] = (  # with GROUPS typed
    {"profile": MIX, "provisioning": MIX, "failover": "yes", "recreate_at_logoff": "yes"},
    {"profile": MIX, "provisioning": "Full clone", "array": "My array 1", "container_place": "this array",
     "container_gib": 30.0},
)  # fmt: skip
GROUPS: Mapping[
    tuple[str, str], Value
] = {  # typed in every batch: users, share at work, profile, method, memory, disk, container
    (MIX, f"{column}{row}"): value
    for row, typed in {
        5: (900.0, 0.8, "Task worker PVS (EQL 2012)", "PVS", None, None, None),
        6: (600.0, None, "Office worker MCS + PvD (K2)", "MCS + Personal vDisk", 8.0, None, "no"),
        9: (300.0, 1.0, "Power user 40 IOPS (CML 2014)", "Full clone", None, 90.0, "yes"),
    }.items()
    for column, value in zip("CDEFGHI", typed, strict=True)
    if value is not None
}


def _choices(data: Data) -> dict[str, tuple[str, ...]]:
    return {
        "array": (*(a.name for a in data.arrays), *OWN_ARRAYS[:3]),
        "profile": (*data.profile_names(), *OWN_PROFILES),
        "provisioning": (*(m.name for m in data.methods), *OWN_METHODS),
        "hypervisor": tuple(h.name for h in data.hypervisors),
        "guest_encryption": tuple(e.name for e in data.encryption),
        "container_place": WORDS["container_places"][1],
        "container_array": (*(a.name for a in data.arrays), *OWN_ARRAYS),
        "share_service": (*(s.name for s in data.share_services), *OWN_SHARES),
        "share_credits": WORDS["credit_choices"][1],
        "share_signins": WORDS["signin_choices"][1],
        "price_basis": WORDS["price_bases"][1],
        "price_region": tuple(dict.fromkeys(price.region for price in data.share_prices))[:3],
        "share_redundancy": WORDS["redundancies"][1],
        "cache_state": (*(c.name for c in data.caches), *OWN_CACHES),
        "failover": ("no", "yes"),
        "recreate_at_logoff": ("no", "yes"),
        "provision_operation": WORDS["operations"][1],
        "survive_phases": WORDS["survive_names"][1],
        "replicated": ("no", "yes"),
        "performance_reference": WORDS["reference_names"][1],
        "arrival_shape": ("uniform", "normal"),
        "disk_place": WORDS["disk_places"][1],
    }


def _numbers(data: Data) -> list[Input]:
    return [item for item in data.inputs if item.kind == "number"]


def input_sets(data: Data) -> list[dict[str, Value]]:
    """Return the sets: the base choices of every array and method, then the extremes on several arrays."""
    choices = _choices(data)
    sets: list[dict[str, Value]] = []
    for array in choices["array"]:
        for provisioning in choices["provisioning"]:
            n = len(sets)
            place = choices["container_place"][n // 4 % 5]
            sets.append(
                {
                    "array": array,
                    "provisioning": provisioning,
                    "profile": choices["profile"][n % len(choices["profile"])],
                    "hypervisor": choices["hypervisor"][n // 2 % 4],
                    "guest_encryption": choices["guest_encryption"][n // 3 % 4],
                    "container_place": place,
                    **({"container_gib": 0.5 * n} if place == ON_CLOUD_SHARE else {}),
                    "share_service": choices["share_service"][n % len(choices["share_service"])],
                    "share_credits": choices["share_credits"][n % 2],
                    "share_signins": choices["share_signins"][n // 2 % 2],
                    "price_basis": choices["price_basis"][n // 3 % 2],
                    "price_region": choices["price_region"][n % len(choices["price_region"])],
                    "share_redundancy": choices["share_redundancy"][n // 5 % 2],
                    "container_array": choices["container_array"][n % len(choices["container_array"])],
                    "cache_state": choices["cache_state"][n % len(choices["cache_state"])],
                    "failover": choices["failover"][n % 2],
                    "recreate_at_logoff": choices["recreate_at_logoff"][n // 4 % 2],
                    "provision_operation": choices["provision_operation"][n % 4],
                    "survive_phases": choices["survive_phases"][n % 3],
                    "replicated": choices["replicated"][n // 2 % 2],
                    "performance_reference": choices["performance_reference"][n % 3],
                    "arrival_shape": choices["arrival_shape"][n // 2 % 2],
                    "disk_place": choices["disk_place"][{3: 1, 5: 2, 7: 3}.get(n % 9, 0)],
                    "disk_price": float(n),
                    "desktops": float(1 + 137 * n),
                }
            )
    optional = [item for item in _numbers(data) if item.optional]
    worded = [item for item in optional if item.key not in NUMBERS_ALONE]
    for array in choices["array"][:5]:
        sets.append({"array": array, **{i.key: i.minimum for i in _numbers(data)}})
        sets.append({"array": array, **{i.key: i.maximum for i in _numbers(data)}})
        sets.append({"array": array, **{i.key: 0.0 for i in optional}})
        sets.append({"array": array, **{i.key: "abc" for i in worded}})
    sets.append({})  # everything blank: inherits
    sets.append({"failover": "yes", "arrays_installed": 3.0})
    sets.extend(STORMS)
    return sets


def batches(data: Data) -> list[list[dict[str, Value]]]:
    """Return the sets, as many at a time as there are design columns, and at last those of the user's own arrays again,
    beside those of user groups.

    The first set of a batch goes into the base design and names the design that Timeline draws.
    """
    sets = input_sets(data)
    names = (*CASE_HEADINGS, *(case.name for case in data.cases))
    parts = [sets[start : start + len(names)] for start in range(0, len(sets), len(names))]
    own = [chosen for chosen in sets if chosen.get("array") in OWN_ARRAYS]
    again = own[: -len(names) - 1 : -1]  # from the last, as those are of cards
    parts.append([*again[:1], *MIXED, *again[1 + len(MIXED) :]])
    return [
        [{**batch[0], "timeline_case": names[drawn(batch, number)]}, *batch[1:]] for number, batch in enumerate(parts)
    ]


def drawn(batch: list[dict[str, Value]], number: int) -> int:
    """Return which design of a batch Timeline draws: the last one, in turn with normal arrivals and without."""
    normal = number % 2 == 0
    wanted = (place for place, chosen in enumerate(batch) if (chosen.get("arrival_shape") == "normal") == normal)
    return max(wanted, default=0)


def own_arrays(built: Built, figures: Iterable[Mapping[str, Value]] = OWN_FIGURES) -> dict[tuple[str, str], Value]:
    """Return the cells that describe the user's own arrays, from the first on: all of My arrays.

    `usable_gib` and `raw_gb` are typed as data sheets print a capacity: in TiB or GB, with the words for it.
    """
    cells: dict[tuple[str, str], Value] = {}
    for card, array in enumerate(figures):
        typed = dict(array)
        if (gigabytes := typed.pop("raw_gb", None)) is not None:
            typed |= {"capacity_gb": gigabytes, "capacity_kind": "raw"}
        if isinstance(usable := typed.pop("usable_gib", None), float):
            typed |= {"capacity_tib": usable / 1024, "capacity_gb": None, "capacity_kind": "usable"}
        for key, value in typed.items():
            block = built.layout.blocks["own_array_names" if key == "name" else f"own_arrays:{key}"]
            cells[(block.sheet, f"{get_column_letter(typed_column(card))}{block.first_row}")] = value
    return cells


def plans(built: Built) -> list[dict[tuple[str, str], Value]]:
    """Return what the judges' recalculations type: nothing, then a batch each, the last two with filled own arrays.

    Own profiles, methods and caches are filled in every batch: with an empty profile nothing can be sized.
    """
    *every, own = ({**overrides(built, batch), **own_cells(built, FILLED), **GROUPS} for batch in batches(built.data))
    nodes = (NODES, {**NODES, "vms_per_node": None, "nodes_lost": None}, {**NODES, "protection_ratio": None})
    return [{}, *every, {**own, **own_arrays(built)}, {**own, **own_arrays(built, nodes)}]


def overrides(built: Built, batch: Sequence[Inputs]) -> dict[tuple[str, str], Value]:
    """Return the cells of Inputs and Answer that a batch fills.

    A column inherits the base where a set says nothing: what-ifs are blank there, published tests are emptied.
    The base design is typed where people type it: what Answer asks for stands there.
    """
    cells: dict[tuple[str, str], Value] = {}
    for column, chosen in enumerate(batch, BASE):
        blank = dict.fromkeys(built.layout.inputs) if column >= FIRST_PUBLISHED else {}
        for key, value in {**blank, **chosen}.items():
            sheet, row = built.layout.inputs[key]
            cells[built.layout.typed(key) if column == BASE else (sheet, f"{get_column_letter(column)}{row}")] = value
    return cells
