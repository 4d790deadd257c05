"""Storms: what the arrays serve of each phase, how long it takes and what latency it sees, before and after a failure.

Demand says what a phase asks and in how many minutes. Where the arrays can serve less, the same work takes longer, in
normal operation and after one failure. An array without a supply figure for a phase sets no limit.
"""

from collections.abc import Iterator

from model.layout import gridwriter, table
from model.layout.line import Group, Line
from model.sheets.catalogue.phases import LABELS, SCHEDULED, SIZED, capitalised

_TIMED = tuple(phase for phase in SIZED if phase not in ("login", "steady"))  # that take longer on fewer arrays
_WINDOW = ("logoff", SCHEDULED)  # their minutes are entered
_STATES = (("", "arrays_used", ""), ("failover_", "failover_serving", " after one failure"))
_MINUTES = {  # what a phase is called in time, its minutes in normal operation
    "provisioning": ("Provisioning of all desktops", "K2, provisioning section: preparation, then deployment"),
    "logoff": ("Log-off of all users", "The window entered, or what the arrays need"),
    "patching": (
        "Patching of all desktops",
        "NTP 6.6: starts of a stream, then the tail; or what the arrays need",
    ),
    SCHEDULED: (
        "Scheduled load of all desktops",
        "The window entered, or what the arrays need; none where none is entered",
    ),
}
_DEMAND = {"provisioning": "provisioning_iops", "login": "login_iops", "steady": "steady_iops"}  # nobody else at work


def _asked() -> Iterator[Line | Group]:
    """Yield the demand of every phase and the minutes in which it comes: lines of a kind share formulas."""
    yield Group("Demand, and the minutes in which it comes")
    for phase in SIZED:
        label, key = f"Demand in {LABELS[phase]}", _DEMAND.get(phase, f"{phase}_asked_iops")
        yield Line(f"storm_{phase}_iops", label, "IOPS", f"={{{key}}}", "Demand sheet; below 0 a code")
    for phase in _TIMED:
        label, key = f"Minutes of {LABELS[phase]}", f"{phase}_{'window' if phase in _WINDOW else 'divide'}_min"
        yield Line(f"storm_{phase}_min", label, "min", f"={{{key}}}", "Demand sheet, or as entered")


def _array_minutes() -> Iterator[Line | Group]:
    for state, serving, after in _STATES:
        yield Group(f"Minutes that the arrays need{after}")
        for phase in _TIMED:
            ratio, fixed = f"{{ratio_{phase}}}", f"{{fixed:{serving}}}"
            yield Line(
                f"{state}{phase}_array_min",
                f"{capitalised(LABELS[phase])}: minutes the arrays need{after}",
                "min",
                f"=IF(MIN({ratio},{fixed})>0,{{storm_{phase}_min}}*{ratio}/{fixed},0)",
                "Minutes above x arrays needed over arrays that serve; 0 = unchecked",
                output=not state,
            )


def _time(phase: str, state: str) -> str:
    """Return the minutes of a phase, or what the arrays need; the method prepares a deployment first."""
    before = "{provision_preparation_min}+" if phase == "provisioning" else ""
    return f"{before}MAX({{storm_{phase}_min}},{{{state}{phase}_array_min}})"


def _minutes() -> Iterator[Line]:
    """Yield how long phases take in normal operation, then after one failure.

    A phase that the method does not have takes no time: none, a code as in Demand; after a failure -1 where nothing is
    left.
    """
    for phase, (label, basis) in _MINUTES.items():
        formula = f"=IF({{storm_{phase}_iops}}={{unit:code_none}},{{unit:code_none}},{_time(phase, '')})"
        yield Line(f"{phase}_minutes", label, "min", formula, basis, output=True)
    for phase, (label, _) in _MINUTES.items():
        whole = f"{{{phase}_minutes}}"
        yield Line(
            f"failover_{phase}_minutes",
            f"{label} after one failure",
            "min",
            f"=IF(MIN({{fixed:failover_serving}},{whole})>0,{_time(phase, 'failover_')},"
            f"CHOOSE(1+{{fixed:nothing_serves}},{whole},MIN({whole},{{unit:code_missing}})))",
            "The same work on the surviving arrays; unknown where none survives",
            output=True,
        )


def _served() -> Iterator[Line | Group]:
    """Yield what is served of each phase: all that is asked, or the arrays' share of it where the load is more."""
    for state, serving, after in _STATES:
        yield Group(f"IOPS served{after}")
        for phase in SIZED:
            ratio, asked, fixed = f"{{ratio_{phase}}}", f"{{storm_{phase}_iops}}", f"{{fixed:{serving}}}"
            share = f"IF({ratio}>{fixed},{asked}*{fixed}/{ratio},{asked})"
            paced = phase == "login"
            yield Line(
                f"{state}{phase}_served_iops",
                f"IOPS served in {LABELS[phase]}{after}",
                "IOPS",
                f"=MIN({{login_paced_iops}},{share})" if paced else f"={share}",
                "Never more than the demand; less where the arrays do not suffice"
                + (", or starts on demand are slow" if paced else ""),
                output=True,
            )


def _fault(phase: str) -> Line:
    """Return 1 where a phase is served more than asked, or less although the arrays suffice."""
    served, asked = f"{{{phase}_served_iops}}", f"{{storm_{phase}_iops}}"
    due = "{login_paced_iops}" if phase == "login" else asked
    return Line(
        f"{phase}_fault",
        f"Served IOPS miss the demand in {LABELS[phase]}",
        "flag",
        f"=IF(OR(MAX({served},{{failover_{phase}_served_iops}})>{asked},"
        f"AND({{ratio_{phase}}}<={{fixed:arrays_used}},{served}<{due})),1,0)",
        "More, or less where the arrays suffice",
    )


SHEET = table.sheet(
    __file__,
    "Storms",
    "Boot, login, log-off, patching and provisioning on the arrays in the design: what is served, and how long",
    rows={
        "asked": tuple(_asked()),
        "array_minutes": tuple(_array_minutes()),
        "minutes": tuple(_minutes()),
        "served": tuple(_served()),
        "faults": [_fault(phase) for phase in SIZED],
    },
)
TAB = gridwriter.tab("Storms", "Boot, login, log-off, patching, provisioning in time", lambda _: SHEET)
