"""Workbook names: `In_` base inputs, `Out_` base results, `Chk_` checks, `Tbl_` lists; formulas use the last two.

`Own_arrays` are the cells that hold the names of the user's own arrays, `Own_arrays.<field>` those of one line, in the
same columns; between two arrays stands a column of formulas, whose cell in `Own_arrays` is empty.
"""

from collections.abc import Sequence

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from model.layout.grid import Layout, quoted
from model.layout.line import GridSheet
from model.reading.records import Data

_BLOCKS = {
    "Chk_Master": "errors_raised",
    "Tbl_Arrays": "array_names",
    "Tbl_Profiles": "profile_list",
    "Tbl_Methods": "method_names",
    "Tbl_Hypervisors": "hypervisor_names",
    "Tbl_Encryption": "encryption_names",
    "Tbl_Caches": "cache_names",
    "Tbl_Raid": "raid_names",
    "Tbl_Classes": "class_names",
    "Tbl_Failures": "failure_names",
    "Tbl_References": "reference_names",
    "Tbl_Survive": "survive_names",
    "Tbl_Places": "container_places",
    "Tbl_YesNo": "yes_no",
    "Tbl_Shapes": "shapes",
    "Tbl_Catalogue": "catalogue_names",
    "Tbl_Capacities": "capacity_kinds",
    "Tbl_Cases": "case_names",
    "Tbl_Distributions": "distributions",
}


def define(book: Workbook, data: Data, layout: Layout, grids: Sequence[GridSheet]) -> None:
    """Add every name, workbook scope, absolute."""
    addresses = {f"In_{item.key}": f"Inputs!$D${layout.inputs[item.key]}" for item in data.inputs}
    for grid in grids:
        outputs = (line.key for line in grid.lines if line.output)
        addresses |= {f"Out_{key}": f"{quoted(grid.name)}!$D${layout.lines[key][1]}" for key in outputs}
    addresses |= {name: layout.blocks[block].address for name, block in _BLOCKS.items()}
    own = {
        key.partition(":")[2]: block.address for key, block in layout.blocks.items() if key.startswith("own_arrays:")
    }
    addresses |= {"Own_arrays": layout.blocks["own_array_names"].address}
    addresses |= {f"Own_arrays.{key}": address for key, address in own.items()}
    for name, address in sorted(addresses.items()):
        book.defined_names[name] = DefinedName(name, attr_text=address)
