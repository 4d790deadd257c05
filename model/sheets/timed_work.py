"""What the arrays serve of log-off, patching and provisioning, and how long that takes; steady work of a day.

Demand says what a phase asks and in how many minutes. Where the arrays can serve less, the same work takes longer, in
normal operation and after one failure. An array without a supply figure for a phase sets no limit.
"""

from model.layout.line import Group, Line
from model.sheets.phases import LABELS, SCHEDULED

STATES = ("", "failover_")  # normal operation, after one failure


def arrays(state: str) -> str:
    """Return the arrays that serve in normal operation or after one failure."""
    return "{failover_serving}" if state else "{arrays_used}"


def after(state: str) -> str:
    """Return the words that distinguish the rows of a failure from those of normal operation."""
    return " after one failure" if state else ""


def array_minutes(phase: str, state: str = "", output: bool = False) -> Line:
    """Return the minutes that the arrays need for the work of a phase, beside those at work meanwhile."""
    ratio, serving = f"{{ratio_{phase}}}", arrays(state)
    minutes = f"{{{phase}_window_min}}" if phase in ("logoff", SCHEDULED) else f"{{{phase}_divide_min}}"
    return Line(
        f"{state}{phase}_array_min",
        f"Minutes the arrays need{after(state)}",
        "min",
        f"=IF(MIN({ratio},{serving})>0,{minutes}*{ratio}/{serving},0)",
        "Minutes on Demand x arrays needed over arrays that serve; 0 = unchecked",
        output=output,
    )


def served(phase: str, state: str = "") -> Line:
    """Return what the arrays serve of a phase: what is asked, or their share of it where the load is more."""
    ratio, asked = f"{{ratio_{phase}}}", f"{{{phase}_asked_iops}}"
    return Line(
        f"{state}{phase}_served_iops",
        f"IOPS served in {LABELS[phase]}{after(state)}",
        "IOPS",
        f"=IF({ratio}>{arrays(state)},{asked}*{arrays(state)}/{ratio},{asked})",
        "Never more than asked; less where the arrays do not suffice",
        output=True,
    )


def after_failure(phase: str, time: str) -> str:
    """Return the formula of a phase's minutes after one failure: none as before it, -1 where nothing is left."""
    whole = f"{{{phase}_minutes}}"
    return f"=IF(MIN({{failover_serving}},{whole})>0,{time},MIN({whole},SIGN({{failover_serving}})-1))"


def minutes(phase: str, label: str, floor: str, basis: str, before: str = "") -> tuple[Line, ...]:
    """Return how long a phase takes in normal operation and after one failure, and what is served in it.

    A phase that the method does not have takes no time: none, a code as in Demand.
    """
    rows = []
    for state in STATES:
        time = f"{before}MAX({floor},{{{state}{phase}_array_min}})"
        if state:
            formula = after_failure(phase, time)
        else:
            formula = f"=IF({{{phase}_asked_iops}}={{unit:code_none}},{{unit:code_none}},{time})"
        rows += [
            array_minutes(phase, state, output=not state),
            Line(
                f"{state}{phase}_minutes",
                f"{label}{after(state)}",
                "min",
                formula,
                basis if not state else "The same work on what is left; not known where nothing is left",
                output=True,
            ),
            served(phase, state),
        ]
    return tuple(rows)


def _peak(phase: str, what: str) -> Line:
    return Line(
        f"{phase}_peak_iops",
        f"Peak of the {what}",
        "IOPS",
        f"=IF({{{phase}_served_iops}}>0,{{{phase}_served_iops}}*{{burst_{phase}}},{{{phase}_served_iops}})",
        "Mean x peak over mean",
        output=True,
    )


ROWS: tuple[Line | Group, ...] = (
    Group("Steady work"),
    *(served(phase, state) for phase in ("login", "steady") for state in STATES),
    Line(
        "steady_ios_per_day",
        "I/Os of a working day",
        "I/O",
        "={working_iops}*{work_hours_per_day}*{unit:seconds_per_hour}",
        "Steady IOPS at the arrays x hours",
        output=True,
    ),
    Line(
        "steady_written_gib",
        "Written to the arrays in a working day",
        "GiB",
        "=MAX(0,{throughput_steady})*(1-{steady_array_read_ratio})*{work_hours_per_day}*{unit:seconds_per_hour}"
        "*{unit:gib_per_mb}",
        "Throughput x write share x hours, before reduction",
        output=True,
    ),
    Line(
        "usable_written_ratio",
        "Usable capacity written in a working day",
        "ratio",
        "=IF({usable_gib}>0,{steady_written_gib}/({usable_gib}*{arrays_used}),0)",
        "Of all arrays; 0 = no usable capacity known. RAID and cleaning up add to what drives wear by",
        output=True,
    ),
    Group("Log-off"),
    *minutes("logoff", "Log-off of all users", "{logoff_window_min}", "The window asked for, or what the arrays need"),
    _peak("logoff", "log-off"),
    Group("Patching"),
    *minutes(
        "patching",
        "Patching of all desktops",
        "{patching_divide_min}",
        "NTP 6.6: starts of a stream, then the tail; or what the arrays need",
    ),
    Group("Provisioning"),
    *minutes(
        "provisioning",
        "Provisioning of all desktops",
        "{provisioning_divide_min}",
        "K2, provisioning section: preparation, then deployment",
        "{provision_preparation_min}+",
    ),
    Line(
        "provisioning_unchecked",
        "Whether the arrays can be told",
        "text",
        '=REPT("; arrays unchecked",1-SIGN({provisioning_array_min}))',
        "Empty where work and supply are known",
    ),
    Line(
        "provisioning_slowest",
        "Slowest of rate, minutes wanted and arrays",
        "text",
        "=IF({provisioning_array_min}>{provisioning_divide_min},{units_word},CHOOSE(1+SIGN({provisioning_divide_min}"
        '-{provisioning_throttle_min}),"Rate","Minutes wanted"))',
        "The largest of their minutes",
    ),
    Line(
        "provisioning_bound_by",
        "What sets the time of deployment",
        "text",
        '=IF({provisioning_minutes}<0,"none",{provisioning_slowest}&{provisioning_unchecked})',
        "The row above; none where the method copies nothing",
        output=True,
    ),
    _peak("provisioning", "deployment"),
    Group("Scheduled load"),
    *minutes(
        SCHEDULED,
        "Scheduled load of all desktops",
        "{scheduled_window_min}",
        "The window asked for, or what the arrays need; none where none is entered",
    ),
)
