"""The whole workbook from the data records and the declared tabs: laid out, written, named, protected."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

os.environ["OPENPYXL_LXML"] = "False"  # with lxml installed the bytes differ

from openpyxl import Workbook  # after the switch above
from openpyxl.utils import get_column_letter

from model import cited
from model.layout import canvas, names, row_checks, styles
from model.layout.grid import Layout, lay_out
from model.layout.tab import Context, Tab
from model.provenance import Provenance
from model.reading.records import Data
from model.sheets.catalogue import (
    array_details,
    arrays,
    latency_points,
    lists,
    measured,
    my_arrays,
    my_profiles,
    risk,
    user_groups,
)
from model.sheets.front import about, answer, compare, cost_review, hand_off, inputs
from model.sheets.money import cost, growth, net_cost, years
from model.sheets.proof import checks, evidence, predictions, summary
from model.sheets.sizing import (
    capacity,
    containers,
    demand,
    design,
    latency,
    outcome,
    performance,
    shares,
    sizing,
    storms,
    timeline,
)

TABS: tuple[Tab, ...] = (
    answer.TAB,
    inputs.TAB,
    inputs.MORE_TAB,
    array_details.TAB,
    my_profiles.TAB,
    user_groups.TAB,
    measured.TAB,
    compare.TAB,
    cost_review.TAB,
    hand_off.TAB,
    risk.TAB,
    arrays.TAB,
    latency_points.TAB,
    lists.TAB,
    design.TAB,
    capacity.TAB,
    demand.TAB,
    performance.TAB,
    containers.TAB,
    shares.TAB,
    sizing.TAB,
    latency.TAB,
    storms.TAB,
    timeline.TAB,
    cost.TAB,
    growth.TAB,
    years.TAB,
    net_cost.TAB,
    outcome.TAB,
    summary.TAB,
    evidence.TAB,
    predictions.TAB,
    checks.TAB,
    about.TAB,
)
# sheets printed for a customer behind Answer; the column of row 1 that names project, customer, author, date
PACK = {
    inputs.NAME: 3,
    inputs.MORE: 3,
    my_arrays.NAME: 4,
    compare.NAME: 4,
    cost_review.NAME: 4,
}
_NAMED = f"={inputs.NAME}!{get_column_letter(PACK[inputs.NAME])}1"  # as the first of them says it


@dataclass(frozen=True)
class Built:
    """The workbook with the layout that made it, the data it holds and its provenance.

    `places` says where the row of a sheet is declared: file and line, by sheet and row.
    """

    workbook: Workbook
    layout: Layout
    data: Data
    made: Provenance
    places: Mapping[tuple[str, int], str]


def assemble(data: Data, made: Provenance, exceptions: tuple[str, ...] = ()) -> Built:
    """Return the finished workbook, without cached values.

    Raises DataError with every fault of the rows, or where a row of the data names what the workbook does not have.
    """
    grids = tuple(tab.grid(data) for tab in TABS if tab.grid)
    layout = lay_out(data, grids, {key: block for tab in TABS for key, block in tab.blocks(data).items()})
    row_checks.check(grids, layout, data.facts.units)
    cited.check(data, layout)
    layout.blocks["banner"] = compare.banner()
    book = Workbook()
    book.remove(book.worksheets[0])
    for style in styles.named_styles():
        book.add_named_style(style)
    context = Context(data, layout, made, TABS, exceptions)
    for tab in TABS:
        ws = book.create_sheet(tab.name)
        tab.write(ws, context)
        ws.sheet_properties.tabColor = styles.GROUP_COLOURS[tab.group]
        if tab.name in PACK:
            canvas.put(ws, 1, PACK[tab.name], answer.NAMED if tab.name == inputs.NAME else _NAMED, "shown")
        ws.oddFooter.left.text = f"&F, version {made.version}, as built {made.digest}"
        canvas.protect(ws)
    names.define(book, data, layout, grids, compare.results(), answer.document_names())
    _properties(book, made)
    places = {layout.lines[line.key]: line.where for grid in grids for line in grid.lines if line.where}
    return Built(book, layout, data, made, places)


def _properties(book: Workbook, made: Provenance) -> None:
    """State purpose and version in the document properties; every cell is calculated afresh when the file is opened."""
    book.properties.title = "VDI Storage Sizing"
    book.properties.creator = "VDI Storage Sizing"
    book.properties.subject = "Storage arrays, IOPS, capacity and cost for virtual desktops"
    book.properties.version = made.version
    book.properties.description = f"Version {made.version}, as built {made.digest}"
    book.properties.keywords = "VDI, storage sizing, XenDesktop, IOPS, cost per desktop"
    book.properties.created = book.properties.modified = made.date
    book.calculation.fullCalcOnLoad = True
    book.active = 0
