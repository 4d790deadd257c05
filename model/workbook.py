"""Place, write, name, protect: the whole workbook from the data records and the declared sheets."""

import os
from collections.abc import Callable
from dataclasses import dataclass

os.environ["OPENPYXL_LXML"] = "False"  # with lxml installed the bytes differ

from openpyxl import Workbook  # after the switch above
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, charts, gridwriter, names, styles
from model.layout.grid import Layout, place
from model.layout.line import GridSheet
from model.provenance import Provenance
from model.reading.records import Data
from model.sheets import (
    about,
    arithmetic,
    arrays,
    blocks,
    capacity,
    checks,
    cost,
    design,
    discrepancies,
    evidence,
    inputs,
    latency,
    latency_points,
    performance,
    predictions,
    provisioning,
    risk,
    sizing,
    sources,
    storms,
    summary,
    timeline,
    units,
    workloads,
)


@dataclass(frozen=True)
class Tab:
    """A tab: its name, class (which rules hold), group (its place and colour) and purpose."""

    name: str
    kind: str
    group: str
    purpose: str


TABS = (
    Tab("About", "front", "front", "What this workbook answers and how to use it"),
    Tab("Inputs", "input", "input", "Base design, what-ifs, published tests"),
    Tab("Risk inputs", "risk", "input", "How far the inputs may be off, and which move together"),
    Tab("Arrays", "catalogue", "catalogue", "Storage arrays and your own"),
    Tab("Workloads", "catalogue", "catalogue", "Workload profiles phase by phase and your own"),
    Tab("Provisioning", "catalogue", "catalogue", "Methods, data reduction, host caches, RAID levels"),
    Tab("Units", "catalogue", "catalogue", "Conversion factors"),
    Tab("Block sizes", "table", "calculation", "NTP's measured block sizes with weighted means"),
    Tab("Latency points", "table", "calculation", "Printed latencies against the curve, and your own points"),
    Tab("Design", "grid", "calculation", "The value every design uses"),
    Tab("Capacity", "grid", "calculation", "What is stored and what one array holds"),
    Tab("Performance", "grid", "calculation", "Demand and supply phase by phase"),
    Tab("Sizing", "grid", "calculation", "Arrays required, what binds, what is unchecked"),
    Tab("Latency", "grid", "calculation", "Latency, failover and how many desktops still fit"),
    Tab("Storms", "grid", "calculation", "Boot, login, log-off, patching, provisioning in time"),
    Tab("Timeline", "table", "calculation", "The logins of one design step by step, with charts"),
    Tab("Cost", "grid", "calculation", "Cost of the arrays in the design"),
    Tab("Paper arithmetic", "table", "calculation", "The papers' own sums, recomputed"),
    Tab("Summary", "front", "result", "The answer on one page, with charts"),
    Tab("Evidence", "table", "result", "Every printed result beside ours"),
    Tab("Predictions", "table", "result", "What the model predicts of each test, and its errors"),
    Tab("Discrepancies", "front", "result", "Where the papers contradict themselves"),
    Tab("Checks", "table", "check", "What holds and what does not"),
    Tab("Sources", "table", "check", "The papers and every figure in use"),
)


@dataclass(frozen=True)
class Built:
    """The workbook with the layout that made it, the data it holds and its provenance."""

    workbook: Workbook
    layout: Layout
    data: Data
    made: Provenance


def grids(data: Data) -> tuple[GridSheet, ...]:
    """Return the calculation grids in tab order."""
    return (
        design.sheet(data),
        capacity.SHEET,
        performance.SHEET,
        sizing.SHEET,
        latency.SHEET,
        storms.SHEET,
        cost.SHEET,
    )


def assemble(data: Data, made: Provenance, exceptions: tuple[str, ...] = ()) -> Built:
    """Return the finished workbook, without cached values.

    Raises BuildError when a formula names a key that stands nowhere or a key is declared twice.
    """
    found = {**arrays.blocks(data), **workloads.blocks(data), **provisioning.blocks(data), **units.blocks(data)}
    found |= {**risk.blocks(data), **latency_points.blocks(data)}
    declared = grids(data)
    layout = place(data, declared, found)
    book = Workbook()
    book.remove(book.worksheets[0])
    for style in styles.named_styles():
        book.add_named_style(style)
    sheets = {tab.name: book.create_sheet(tab.name) for tab in TABS}
    writers: dict[str, Callable[[Worksheet], None]] = {
        "About": lambda ws: about.write(ws, made, [(tab.name, tab.purpose) for tab in TABS], exceptions, data),
        "Inputs": lambda ws: inputs.write(ws, data, layout),
        "Risk inputs": lambda ws: risk.write(ws, data),
        "Arrays": lambda ws: arrays.write(ws, data),
        "Workloads": lambda ws: workloads.write(ws, data),
        "Provisioning": lambda ws: provisioning.write(ws, data),
        "Units": lambda ws: units.write(ws, data),
        "Block sizes": lambda ws: blocks.write(ws, data, layout),
        "Latency points": lambda ws: latency_points.write(ws, data, layout),
        "Timeline": lambda ws: timeline.write(ws, layout),
        "Paper arithmetic": lambda ws: arithmetic.write(ws, data),
        "Summary": lambda ws: summary.write(ws, data, layout),
        "Evidence": lambda ws: evidence.write(ws, data, layout),
        "Predictions": lambda ws: predictions.write(ws, data, layout),
        "Discrepancies": lambda ws: discrepancies.write(ws, data),
        "Checks": lambda ws: checks.write(ws, data, layout),
        "Sources": lambda ws: sources.write(ws, data),
    }
    for grid in declared:
        gridwriter.write(sheets[grid.name], grid, layout)
    for tab in TABS:
        if tab.name in writers:
            writers[tab.name](sheets[tab.name])
        sheets[tab.name].sheet_properties.tabColor = styles.GROUP_COLOURS[tab.group]
        canvas.protect(sheets[tab.name])
    charts.add(sheets["Summary"], layout)
    charts.add_timeline(sheets["Timeline"])
    charts.add_curves(sheets["Latency points"], data)
    names.define(book, data, layout, {grid.name: grid.lines for grid in declared})
    _properties(book, made)
    return Built(book, layout, data, made)


def _properties(book: Workbook, made: Provenance) -> None:
    """State purpose and version in the document properties; every cell is calculated afresh when the file is opened."""
    book.properties.title = "VDI Storage Sizing"
    book.properties.creator = "VDI Storage Sizing"
    book.properties.subject = "Storage arrays, IOPS, capacity and cost for virtual desktops"
    book.properties.version = made.version
    book.properties.description = f"Version {made.version}, model digest {made.digest}"
    book.properties.keywords = "VDI, storage sizing, XenDesktop, IOPS, cost per desktop"
    book.properties.created = book.properties.modified = made.date
    book.calculation.fullCalcOnLoad = True
    book.active = 1
