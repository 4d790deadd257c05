"""Demand: what the desktops ask of the arrays in every phase, whatever the arrays can do.

Demand is work over time. A boot, a patch, a deployment and a log-off cost a desktop a number of I/Os; start throttle,
streams, rates and the time a person wants say in how many minutes they come. Logins follow their arrivals, steady work
runs on. Caches in the hosts take their share off before the array sees it. No array stands in these rows: what it
serves of the demand, and how long that takes, stands on Storms.

A demand below 0 is no number but a word: -1 not published, -2 none (the method has no such work), -3 not run (in that
published test). No formula counts with it: each tests it first.
"""

from model.layout import gridwriter, table
from model.layout.line import Line
from model.sheets.catalogue.phases import CACHED, LABELS, LOADED, SIZED
from model.sheets.sizing import work


def _left(phase: str, kind: str) -> str:
    """Return the share of reads or writes that the host cache leaves to the array: all, once the local disk is full."""
    return f"(1-INDEX({{cache:{phase}_{kind}_offload}},{{cache_row}})*(1-{{local_disk_short}}))"


def _cached(phase: str) -> tuple[Line, ...]:
    """Return what the host cache leaves of a phase, and the read share of that."""
    read = f"{{{phase}_read_ratio}}"
    return (
        Line(
            f"{phase}_reads_left_ratio",
            f"Share of {LABELS[phase]} I/O: reads that reach the array",
            "ratio",
            f"={read}*{_left(phase, 'read')}*(1-{{pvs_cached}})",
            "ICA section 5: what the host cache leaves; a full local disk falls back to the array",
        ),
        Line(
            f"{phase}_reduction_ratio",
            f"Share of {LABELS[phase]} I/O kept off the array",
            "ratio",
            f"=1-{{{phase}_reads_left_ratio}}-(1-{read})*{_left(phase, 'write')}",
            "ICA section 5: neither reads nor writes that are left; size on the cold-cache boot",
            output=True,
        ),
        Line(
            f"{phase}_array_read_ratio",
            f"Read share at the array in {LABELS[phase]}",
            "ratio",
            f"=IF({{{phase}_reduction_ratio}}<1,{{{phase}_reads_left_ratio}}/(1-{{{phase}_reduction_ratio}}),{read})",
            "Reads that are left over all that is left",
        ),
    )


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
        "cached": [line for phase in CACHED for line in _cached(phase)],
        "boot_work": work.ios("boot", "ios_per_boot", "boot_likely"),
        "patching_work": work.ios("patching", "ios_per_patch", "patch_ios"),
        "provisioning_work": work.ios("provisioning", "ios_per_provisioning", "provision_ios"),
        "loads": [_load(phase) for phase in SIZED],
    },
)
TAB = gridwriter.tab("Demand", "Load of the desktops on the arrays: work over time", lambda _: SHEET)
