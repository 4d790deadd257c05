"""Lists: profiles, units, provisioning: every list that formulas look up, but for arrays."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.grid import LISTS, Block
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets.catalogue import defaults, provisioning, share_prices, units, workloads

_WIDTHS = [
    46,
    15,
    15,
    22,
    *[15] * 4,
    30,
    20,
    32,
    30,
    33,
    12,
    40,
    15,
    46,
    60,
    *[12.5] * 5,
    44,
    *[11] * 4,
    *[12.5] * 2,
]  # of all tables
_PRINTED = workloads.LIST_COLUMN - 1  # columns of a page; those of provisioning go on beyond
_PROVISIONING = 28  # columns of the widest table
_TABLES = (defaults, units, workloads, provisioning, share_prices)


def _blocks(data: Data) -> dict[str, Block]:
    """Return the ranges of every list."""
    return {key: block for table in _TABLES for key, block in table.blocks(data).items()}


def _write(ws: Worksheet, context: Context) -> None:
    """Write the lists below each other."""
    data = context.data
    below = workloads.groups(data)
    defaults.write(ws, data, _WIDTHS, (below.excess(), below.assumed()))
    for table in (units, share_prices):
        table.write(ws, data)
    workloads.write(ws, data, context.layout)
    provisioning.write(ws, data, context.layout)
    first, last = provisioning.first_row(data) - 2, share_prices.end(data) - 1
    beyond = f"{get_column_letter(_PRINTED + 1)}{first}:{get_column_letter(_PROVISIONING)}{last}"
    canvas.print_setup(ws, _PRINTED, last, titles="A:A", further=[beyond])


TAB = Tab(LISTS, "catalogue", "catalogue", "Profiles, units, methods, reductions, host caches", _write, _blocks)
