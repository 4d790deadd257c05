"""Workbook names: `In_` base inputs, `Out_` base results, `Chk_` checks, `Tbl_` lists; formulas use the last two."""

from collections.abc import Mapping

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from model.layout.grid import Layout, quoted
from model.layout.line import Line
from model.reading.records import Data
from model.sheets import checks

_TABLES = {
    "Tbl_Arrays": "array_names",
    "Tbl_Profiles": "profile_list",
    "Tbl_Methods": "method_names",
    "Tbl_Caches": "cache_names",
    "Tbl_Raid": "raid_names",
    "Tbl_Classes": "class_names",
    "Tbl_Failures": "failure_names",
    "Tbl_References": "reference_names",
    "Tbl_YesNo": "yes_no",
    "Tbl_Shapes": "shapes",
    "Tbl_Cases": "case_names",
    "Tbl_Distributions": "distributions",
}


def _absolute(sheet: str, cell: str) -> str:
    letters = cell.rstrip("0123456789")
    return f"{quoted(sheet)}!${letters}${cell[len(letters) :]}"


def define(book: Workbook, data: Data, layout: Layout, grids: Mapping[str, tuple[Line, ...]]) -> None:
    """Add every name, workbook scope, absolute."""
    found = {f"In_{item.key}": f"Inputs!$D${layout.inputs[item.key]}" for item in data.inputs}
    for sheet, lines in grids.items():
        found |= {f"Out_{line.key}": f"{sheet}!$D${layout.lines[line.key][1]}" for line in lines if line.output}
    found |= {name: layout.blocks[block].address for name, block in _TABLES.items()}
    found["Chk_Master"] = _absolute(*checks.master_cell())
    for name, address in sorted(found.items()):
        book.defined_names[name] = DefinedName(name, attr_text=address)
