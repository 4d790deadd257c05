"""Workbook names: `In_` base inputs, `Out_` base results, `Chk_` checks, `Tbl_` lists, `Doc_` what the
book is called and its currency; formulas use the last three. `Run_` are what the buttons of the add-in run with.

`Own_<table>` covers the cells that name the rows of a table that people fill, `Own_<table>.<field>` those of a field.
Between two arrays of `Own_arrays` stands a column of formulas; its cell there is empty.
"""

from collections.abc import Mapping, Sequence

from openpyxl import Workbook
from openpyxl.utils.cell import absolute_coordinate
from openpyxl.workbook.defined_name import DefinedName

from model.layout.codes import CURRENCY_NAME
from model.layout.grid import Layout, quoted
from model.layout.line import GridSheet
from model.reading.records import Data

_BLOCKS = {
    "Chk_Master": "errors_raised",
    "Chk_Alerts": "alerts_raised",
    "Chk_Banner": "banner",
    "Tbl_Arrays": "array_names",
    "Tbl_Profiles": "profile_list",
    "Tbl_Measured": "measured_list",
    "Tbl_Methods": "method_names",
    "Tbl_OneMethod": "method_one",
    "Tbl_Hypervisors": "hypervisor_names",
    "Tbl_Encryption": "encryption_names",
    "Tbl_Caches": "cache_names",
    "Tbl_Raid": "raid_names",
    "Tbl_Shares": "share_names",
    "Tbl_Services": "service_names",
    "Tbl_Credits": "credit_choices",
    "Tbl_Signins": "signin_choices",
    "Tbl_PriceBases": "price_bases",
    "Tbl_Redundancies": "redundancies",
    "Tbl_Disks": "disk_places",
    "Tbl_Regions": "region_names",
    "Tbl_Classes": "class_names",
    "Tbl_Failures": "failure_names",
    "Tbl_References": "reference_names",
    "Tbl_Survive": "survive_names",
    "Tbl_Older": "older_choices",
    "Tbl_Operations": "operations",
    "Tbl_Places": "container_places",
    "Tbl_YesNo": "yes_no",
    "Tbl_Copies": "copy_choices",
    "Tbl_Shapes": "shapes",
    "Tbl_Bases": "support_bases",
    "Tbl_Timings": "growth_timings",
    "Tbl_Families": "families",
    "Tbl_Catalogue": "catalogue_names",
    "Tbl_Capacities": "capacity_kinds",
    "Tbl_Cases": "case_names",
    "Tbl_Designs": "design_names",
    "Tbl_Distributions": "distributions",
}


def _absolute(sheet: str, cell: str) -> str:
    return f"{quoted(sheet)}!{absolute_coordinate(cell)}"


def define(
    book: Workbook,
    data: Data,
    layout: Layout,
    grids: Sequence[GridSheet],
    results: Mapping[str, tuple[str, str]],
    others: Mapping[str, str],
) -> None:
    """Add every name, workbook scope, absolute. `results` stand on no grid; `others` are names with their addresses."""
    addresses = {f"In_{item.key}": _absolute(*layout.typed(item.key)) for item in data.inputs}
    for grid in grids:
        outputs = (line.key for line in grid.lines if line.output)
        addresses |= {f"Out_{key}": f"{quoted(grid.name)}!$D${layout.lines[key][1]}" for key in outputs}
    addresses |= {**others, CURRENCY_NAME: addresses["In_currency"]}
    addresses |= {f"Out_{key}": _absolute(*cell) for key, cell in results.items()}
    addresses |= {name: layout.blocks[block].address for name, block in _BLOCKS.items()}
    own = {
        key.partition(":")[2]: block.address for key, block in layout.blocks.items() if key.startswith("own_arrays:")
    }
    addresses |= {"Own_arrays": layout.blocks["own_array_names"].address}
    addresses |= {f"Own_arrays.{key}": address for key, address in own.items()}
    addresses |= {name: block.address for name, block in layout.blocks.items() if name.startswith(("Own_", "Run_"))}
    for name, address in sorted(addresses.items()):
        book.defined_names[name] = DefinedName(name, attr_text=address)
