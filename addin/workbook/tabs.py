"""What the sheets of the workbook are called in a copy, also after somebody has renamed them.

A renamed sheet is found by a name of its cells, or by the heading in its first rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from addin.kernel import Address, Cells

_NAMES: Mapping[str, tuple[str, ...]] = {  # of cells on a sheet, in this version and in older ones
    "Answer": ("In_desktops", "Doc_project"),
    "Inputs": ("Tbl_Cases",),
    "Compare": ("Chk_Banner",),
    "Checks": ("Chk_Master",),
    "Risk inputs": ("Run_trials", "Run_seed", "Tbl_Distributions"),
    "My arrays": ("Tbl_Capacities",),
    "Arrays": ("Tbl_Catalogue",),
    "All arrays": ("Tbl_Arrays",),
    "Lists": ("Tbl_Profiles", "Tbl_Methods"),
    "Capacity": ("Out_capacity_required_gib",),
    "Sizing": ("Out_arrays_required",),
    "Design": ("Out_array_incomplete",),
    "More inputs": ("In_boot_read_ratio",),
    "My profiles": ("Own_caches",),
    "User groups": ("Own_groups",),
    "Measured": ("Own_measured_rows",),
    "Hand-off": ("Own_handoff_protocol",),
    "Demand": ("Out_boot_iops",),
    "Performance": ("Out_base_latency_ms",),
    "Containers": ("Out_container_arrays",),
    "Shares": ("Out_share_count",),
    "Latency": ("Out_break_even_boot",),
    "Storms": ("Out_boot_minutes",),
    "Cost": ("Out_cost_total",),
    "Net cost": ("Out_budget_holds",),
    "Outcome": ("Out_after_words",),
}
_HEADINGS: Mapping[str, str] = {  # of a sheet without such a name
    "About": "VDI Storage Sizing",
    "Cost review": "Present cost to the last year",
    "Timeline": "Timeline",
    "Growth": "Growth",
    "Years": "Years",
    "Summary": "Summary",
    "Evidence": "Evidence",
    "Predictions": "Predictions",
}
TITLES = (*_NAMES, *_HEADINGS)
_ROWS, _COLUMNS = range(1, 9), range(1, 5)  # where a heading is looked for


def title(cells: Cells, built: str) -> str:
    """Return what a sheet is called, given its title as built: that one where no sheet of the copy is it."""
    return built if built in cells.sheets else _renamed(cells).get(built, built)


def renamed(cells: Cells) -> Mapping[str, str]:
    """Return the titles as built of the sheets that have other ones, by their present titles."""
    return {home: built for built, home in _renamed(cells).items() if built not in cells.sheets}


@lru_cache(maxsize=4)
def _renamed(cells: Cells) -> Mapping[str, str]:
    """Return the sheets that have other titles, by their titles as built."""
    free = [sheet for sheet in cells.sheets if sheet not in TITLES]
    found: dict[str, str] = {}
    for built, names in _NAMES.items():
        texts = [cells.names.get(name, "").rpartition("!")[0] for name in names]
        homes = {text.strip("'").replace("''", "'") for text in texts}
        if home := next((sheet for sheet in free if sheet in homes), ""):
            found[built] = home
    for built, heading in _HEADINGS.items():
        places = (sheet for sheet in free if sheet not in found.values() and _says(cells, sheet, heading))
        if home := next(places, ""):
            found[built] = home
    return found


def _says(cells: Cells, sheet: str, heading: str) -> bool:
    return any(cells.values.get(Address(sheet, row, column)) == heading for row in _ROWS for column in _COLUMNS)
