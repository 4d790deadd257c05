"""Storms: what the arrays serve of each phase, how long it takes and what latency it sees, before and after a failure.

Demand says what a phase asks and in how many minutes. Where the arrays can serve less, the same work takes longer, in
normal operation and after one failure. An array without a supply figure for a phase sets no limit.
"""

from model.layout import gridwriter, table
from model.layout.line import Line
from model.sheets.catalogue.phases import LABELS, SCHEDULED, SIZED


def _minutes(phase: str, label: str, floor: str, basis: str, before: str = "") -> list[Line]:
    """Return how long a phase takes in normal operation and after one failure, and what is served in it.

    A phase that the method does not have takes no time: none, a code as in Demand; after a failure -1 where nothing is
    left. What is served is what is asked, or the arrays' share of it where the load is more.
    """
    ratio, asked, whole = f"{{ratio_{phase}}}", f"{{{phase}_asked_iops}}", f"{{{phase}_minutes}}"
    minutes = f"{{{phase}_window_min}}" if phase in ("logoff", SCHEDULED) else f"{{{phase}_divide_min}}"
    rows = []
    for state, serving, after in (("", "{arrays_used}", ""), ("failover_", "{failover_serving}", " after one failure")):
        time = f"{before}MAX({floor},{{{state}{phase}_array_min}})"
        rows += [
            Line(
                f"{state}{phase}_array_min",
                f"Minutes the arrays need{after}",
                "min",
                f"=IF(MIN({ratio},{serving})>0,{minutes}*{ratio}/{serving},0)",
                "Minutes on Demand x arrays needed over arrays that serve; 0 = unchecked",
                output=not state,
            ),
            Line(
                f"{state}{phase}_minutes",
                f"{label}{after}",
                "min",
                f"=IF(MIN({serving},{whole})>0,{time},CHOOSE(1+{{nothing_serves}},{whole},MIN({whole},{{unit:code_missing}})))"
                if state
                else f"=IF({asked}={{unit:code_none}},{{unit:code_none}},{time})",
                "The same work on the surviving arrays; unknown where none survives" if state else basis,
                output=True,
            ),
            Line(
                f"{state}{phase}_served_iops",
                f"IOPS served in {LABELS[phase]}{after}",
                "IOPS",
                f"=IF({ratio}>{serving},{asked}*{serving}/{ratio},{asked})",
                "Never more than the demand; less where the arrays do not suffice",
                output=True,
            ),
        ]
    return rows


def _fault(phase: str) -> Line:
    """Return 1 where a phase is served more than asked, or less although the arrays suffice."""
    served, asked = f"{{{phase}_served_iops}}", f"{{{phase}_asked_iops}}"
    due = "{login_paced_iops}" if phase == "login" else asked
    return Line(
        f"{phase}_fault",
        f"Served IOPS miss the demand in {LABELS[phase]}",
        "flag",
        f"=IF(OR(MAX({served},{{failover_{phase}_served_iops}})>{asked},"
        f"AND({{ratio_{phase}}}<={{arrays_used}},{served}<{due})),1,0)",
        "More, or less where the arrays suffice",
    )


SHEET = table.sheet(
    __file__,
    "Storms",
    "Boot, login, log-off, patching and provisioning on the arrays in the design: what is served, and how long",
    rows={
        "logoff": _minutes(
            "logoff", "Log-off of all users", "{logoff_window_min}", "The window entered, or what the arrays need"
        ),
        "patching": _minutes(
            "patching",
            "Patching of all desktops",
            "{patching_divide_min}",
            "NTP 6.6: starts of a stream, then the tail; or what the arrays need",
        ),
        "provisioning": _minutes(
            "provisioning",
            "Provisioning of all desktops",
            "{provisioning_divide_min}",
            "K2, provisioning section: preparation, then deployment",
            "{provision_preparation_min}+",
        ),
        "scheduled": _minutes(
            SCHEDULED,
            "Scheduled load of all desktops",
            "{scheduled_window_min}",
            "The window entered, or what the arrays need; none where none is entered",
        ),
        "faults": [_fault(phase) for phase in SIZED],
    },
)
TAB = gridwriter.tab("Storms", "Boot, login, log-off, patching, provisioning in time", lambda _: SHEET)
