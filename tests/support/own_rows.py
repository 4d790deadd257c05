"""Cells of My profiles by row and field, as people type them."""

from collections.abc import Mapping

from model.sheets.catalogue import own_rows
from model.workbook import Built

Value = float | str | None
Rows = Mapping[str, Mapping[str, Value]]
ONE_LINE: Mapping[str, Value] = {  # RA-2022's Windows 11 desktops in five cells, the log-off K2's
    "login_excess_ios": 65222.0,
    "steady_iops": 30.27,
    "logoff_ios": 9000.0,
    "read_ratio": 0.49,
    "block_kib": 16.0,
}
CLONES: Mapping[str, Value] = {  # a method with every figure
    **dict.fromkeys(("swap", "write_cache", "image_per_datastore"), 1.0),
    **dict.fromkeys(("identity", "pvd", "disk", "image_per_pool"), 0.0),
    "plain_likely": 1.0,
    "inline_likely": 4.0,
    "boot_low": 10000.0,
    "boot_likely": 20000.0,
    "boot_high": 30000.0,
    "boot_read_ratio": 0.6,
    "patch_ios": 5000.0,
    "provision_ios": 60000.0,
}
CACHE: Mapping[str, Value] = {  # a cache with every figure
    "host_gib": 2000.0,
    "boot_read_offload": 0.9,
    "boot_write_offload": 0.2,
    "login_read_offload": 0.7,
    "login_write_offload": 0.3,
    "steady_read_offload": 0.5,
    "steady_write_offload": 0.4,
    "local_write_cache": 1.0,
}
SHARE: Mapping[str, Value] = {  # a cloud share whose size brings IOPS, throughput and credits
    **{"gib_min": 10.0, "gib_step": 10.0, "gib_max": 10240.0, "iops_base": 1000.0, "iops_per_gib": 2.0},
    **{"iops_max": 20000.0, "mib_base": 50.0, "mib_per_gib": 0.05, "mib_max": 400.0, "burst_per_gib": 4.0},
    **{"burst_floor": 3000.0, "bucket_min": 30.0, "handles_max": 5000.0},
}
FILLED: Rows = {
    "My profile 1": {**ONE_LINE, "local_profile": "yes", "ram_gib": 8.0, "year": 2025.0},
    "My profile 2": {"login_iops": 20.0, "steady_iops": 10.0},
    "My profile 2 boot": {"iops": 50.0, "minutes": 10.0, "read_ratio": 0.7, "block_kib": 24.0, "burst_ratio": 2.0},
    "My profile 3": {"steady_iops": 5.0},
    "My profile 4": {"login_excess_ios": 1000.0, "steady_iops": 8.0, "read_ratio": 1.0, "block_kib": 4096.0},
    "My profile 5": {"login_iops": 12.0, "steady_iops": 6.0, "logoff_ios": 4000.0},
    "My profile 6": {**ONE_LINE, "ram_gib": 16.0},
    "My profile 7": {"login_excess_ios": 2500.0, "steady_iops": 12.0, "read_ratio": 0.2, "block_kib": 32.0},
    "My method 1": CLONES,
    "My method 2": {"boot_likely": 15000.0, "disk": 1.0},
    "My cache 1": CACHE,
    "My cache 2": {"host_gib": 1.0, "boot_read_offload": 0.5},
    "My share 1": SHARE,
}


def own_cells(built: Built, rows: Rows) -> dict[tuple[str, str], Value]:
    """Return the cells that hold some figures of some rows."""
    tables = own_rows.tables(built.data).values()
    cells: dict[tuple[str, str], Value] = {}
    for name, figures in rows.items():
        (table,) = (each for each in tables if name in each.names)
        for key, value in figures.items():
            cells[own_rows.NAME, f"A{table.row(name)}" if key == "name" else table.cell(name, key)] = value
    return cells
