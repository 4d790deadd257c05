"""Demand: what the desktops ask of the arrays in every phase, whatever the arrays can do.

Demand is work over time. A boot, a patch, a deployment and a log-off cost a desktop a number of I/Os; start throttle,
streams, rates and the time a person wants say in how many minutes they come. Logins follow their arrivals, steady work
runs on. Caches in the hosts take their share off before the array sees it. No array stands in these rows: what it
serves of the demand, and how long that takes, stands on Storms.

A demand below 0 is no number but a word: -1 not published, -2 none (the method has no such work), -3 not run (in that
published test). No formula counts with it: each tests it first.
"""

from collections.abc import Iterator

from model.layout import gridwriter, table
from model.layout.grid import MIX
from model.layout.line import Line
from model.reading.catalogue import Cache
from model.reading.columns import columns
from model.sheets.catalogue.phases import CACHED, LABELS, LISTED, LOADED, SCHEDULED, SIZED
from model.sheets.sizing import work

_READS, _WRITES = "read", "write"


def _kept(phase: str, kind: str) -> Line:
    """Return the share of reads or writes that the host cache keeps: none, once the local disk is full."""
    key, field = f"{phase}_{kind}_kept_ratio", f"{phase}_{kind}_offload"
    heading = next(f"{each.label}, {each.unit}" for each in columns(Cache) if each.field == field)
    return Line(
        key,
        heading,
        "ratio",
        f"=MAX(1-{{fixed:disks_here}},INDEX({{cache:figures}},{{fixed:cache_row}},MATCH({{label:{key}}},{{cache:headings}},0))"
        "*(1-{fixed:local_disk_short}))",
        "Lists, ICA section 5; a full local disk falls back to the array; 1 = the machines are on cloud disks",
    )


def _reads_left(phase: str) -> Line:
    return Line(
        f"{phase}_reads_left_ratio",
        f"Share of {LABELS[phase]} I/O: reads that reach the array",
        "ratio",
        f"={{{phase}_read_ratio}}*(1-{{{phase}_read_kept_ratio}})*(1-{{fixed:pvs_cached}})",
        "What neither the host cache nor a PVS server keeps",
    )


def _reduction(phase: str) -> Line:
    return Line(
        f"{phase}_reduction_ratio",
        f"Share of {LABELS[phase]} I/O kept off the array",
        "ratio",
        f"=1-{{{phase}_reads_left_ratio}}-(1-{{{phase}_read_ratio}})*(1-{{{phase}_write_kept_ratio}})",
        "ICA section 5: neither reads nor writes that are left; size on the cold-cache boot",
        output=True,
    )


def _array_read(phase: str) -> Line:
    kept = f"{{{phase}_reduction_ratio}}"
    return Line(
        f"{phase}_array_read_ratio",
        f"Read share at the array in {LABELS[phase]}",
        "ratio",
        f"=IF({kept}<1,{{{phase}_reads_left_ratio}}/(1-{kept}),{{{phase}_read_ratio}})",
        "Reads that are left over all that is left",
    )


def _cached() -> Iterator[Line]:
    """Yield what the host cache leaves of the phases it touches, and the read share of that."""
    cached = [phase for phase in LISTED if phase in CACHED]
    yield from (_kept(phase, kind) for kind in (_READS, _WRITES) for phase in cached)
    for line in (_reads_left, _reduction, _array_read):
        yield from map(line, cached)


def _load(phase: str) -> Line:
    """Return the load the array sees in a phase, what is asked and those at work; asked is all where nobody else is."""
    asked, share = f"{{{phase}_asked_iops}}", f"{{{phase}_active_ratio}}"
    if phase not in LOADED:
        text, basis = f"IOPS demanded in {LABELS[phase]}", "The load: no one else is at work"
        return Line(f"{phase}_asked_iops", text, "IOPS", f"={{{phase}_iops}}", basis, output=True)
    return Line(
        f"{phase}_iops",
        f"IOPS in {LABELS[phase]}",
        "IOPS",
        f"=IF({asked}<0,{asked},{asked}+{share}*{{working_iops}})",
        "Demand, and the steady work of those active meanwhile",
        output=True,
    )


SHEET = table.sheet(
    __file__,
    "Demand",
    "Load of the desktops on the arrays, phase by phase: work over the time in which it arrives",
    rows={
        "cached": tuple(_cached()),
        "known": work.known(),
        "works": work.ios(),
        "loads": [_load(phase) for phase in SIZED],
        "logoff_on_disks": work.on_disks("logoff"),
        "scheduled_on_disks": work.on_disks(SCHEDULED),
    },
    texts={"MIX": MIX},
)
TAB = gridwriter.tab("Demand", "Load of the desktops on the arrays: work over time", lambda _: SHEET)
