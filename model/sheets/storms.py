"""Storms: what the arrays serve of each phase, how long it takes and what latency it sees, before and after a failure.

Demand says what is asked and in how many minutes. The slowest of start throttle, hosts, minutes wanted and arrays sets
the time of the boot; patching, deployment and log-off follow the same way.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Headline, Line
from model.sheets import timed_work
from model.sheets.phases import LABELS, SIZED
from model.sheets.timed_work import after, arrays

_LIMITS = "boot_throttle_min:boot_given_min"


def _latency(key: str, label: str, utilisation: str, supply: str, basis: str) -> Line:
    """Return the latency at a utilisation, or the text that says why there is none."""
    curve = f"{{base_latency_ms}}/(1-{utilisation}^{{latency_shape}})"
    known = f"AND({{base_latency_ms}}*{supply}>0,{utilisation}<1)"
    return Line(key, label, "ms", f"=IF({known},{curve},{{latency_state}})", basis, output=True)


def _boot_range(key: str, which: str) -> Line:
    """Return the boot minutes at one end of the method's range of I/Os per boot."""
    return Line(
        f"boot_minutes_{key}",
        f"Boot, at the method's {which} I/Os per boot",
        "min",
        f"=IF({{boot_minutes}}>0,{{boot_tail_min}}+MAX({{range:{_LIMITS}}},"
        f"{{boot_array_min}}*INDEX({{method:boot_{key}}},{{method_row}})/MAX(1,{{boot_work_ios}})),{{boot_minutes}})",
        "Boot work does not transfer between sites: a range",
        output=True,
    )


def _boot(state: str) -> tuple[Line, ...]:
    """Return how long the boot takes, what is served in it and the latency it sees, before or after a failure."""
    time = f"(MAX({{range:{_LIMITS}}},{{{state}boot_array_min}})+{{boot_tail_min}})"
    if state:
        minutes = timed_work.after_failure("boot", time)
    else:
        minutes = f"=IF({{boot_asked_iops}}={{unit:code_none}},{{unit:code_none}},SIGN({{boot_desktops}})*{time})"
    supply = "{supply_boot}"
    return (
        timed_work.array_minutes("boot", state),
        Line(
            f"{state}boot_minutes",
            f"Boot of all desktops{after(state)}",
            "min",
            minutes,
            "On what is left; not known where nothing is left" if state else "Until the last start, then the last boot",
            output=True,
        ),
        timed_work.served("boot", state),
        Line(
            f"{state}boot_storm_utilisation",
            f"Utilisation during the boot{after(state)}",
            "ratio",
            f"=IF({arrays(state)}>0,{{utilisation_cap}}*MIN(1,MAX(0,{{ratio_boot}})/{arrays(state)}),0)",
            "At the cap where the arrays set the time",
            output=True,
        ),
        _latency(
            f"{state}boot_latency_ms",
            f"Latency during the boot{after(state)}",
            f"{{{state}boot_storm_utilisation}}",
            supply + ("*{failover_serving}" if state else ""),
            "At the utilisation reached; its limit stands on Design",
        ),
    )


def _fault(phase: str) -> Line:
    """Return 1 where a phase is served more than asked, or less although the arrays suffice."""
    served, asked = f"{{{phase}_served_iops}}", f"{{{phase}_asked_iops}}"
    return Line(
        f"{phase}_fault",
        f"Served otherwise than asked in {LABELS[phase]}",
        "flag",
        f"=IF(OR(MAX({served},{{failover_{phase}_served_iops}})>{asked},"
        f"AND({{ratio_{phase}}}<={{arrays_used}},{served}<{asked})),1,0)",
        "More, or less where the arrays suffice",
    )


SHEET = GridSheet(
    name="Storms",
    title="Storms",
    purpose="Boot, login, log-off, patching and provisioning on the arrays in the design: what is served, and how long",
    rows=(
        Group("Boot before the logins"),
        *_boot(""),
        Line(
            "boot_unchecked",
            "Whether the arrays can be told",
            "text",
            '=REPT("; arrays unchecked",1-SIGN({supply_boot}))',
            "Empty where one array's supply is known",
        ),
        Line(
            "boot_slowest",
            "Slowest of throttle, hosts, minutes wanted and arrays",
            "text",
            f"=IF({{boot_array_min}}>MAX({{range:{_LIMITS}}}),{{units_word}},INDEX({{labels:{_LIMITS}}},"
            f"MATCH(MAX({{range:{_LIMITS}}}),{{range:{_LIMITS}}},0)))",
            "Ties by the order on Demand",
        ),
        Line(
            "boot_bound_by",
            "What sets the boot time",
            "text",
            '=IF({boot_minutes}<0,"none",{boot_slowest}&{boot_unchecked})',
            "The row above; none where nothing boots",
            output=True,
            headline=Headline(7, "Boot time is set by"),
        ),
        Line(
            "boot_fastest_minutes",
            "Boot of all desktops, as fast as it goes",
            "min",
            "=IF({boot_minutes}>0,MAX({range:boot_throttle_min:boot_together_min},{boot_array_min})+{boot_tail_min},"
            "{boot_minutes})",
            "Start throttle, hosts and arrays; minutes wanted left out",
            output=True,
        ),
        _boot_range("low", "low"),
        _boot_range("high", "high"),
        Line(
            "effective_start_rate",
            "Effective starts per minute",
            "desktops/min",
            "=IF({boot_minutes}>{boot_tail_min},{boot_desktops}/({boot_minutes}-{boot_tail_min}),0)",
            "Over the minutes until the last start",
            output=True,
        ),
        *_boot("failover_"),
        Group("Logins"),
        Line(
            "login_busy_utilisation",
            "Utilisation if every desktop logged in at once",
            "ratio",
            "=IF({supply_login}>0,{login_busy_iops}*{utilisation_cap}/({supply_login}*{arrays_used}),0)",
            "Boots on demand counted at the login's mix",
        ),
        Line(
            "login_peak_utilisation",
            "Utilisation at the login peak",
            "ratio",
            "={login_busy_utilisation}*({peak_arrived_ratio}-{peak_working_ratio})"
            "+{utilisation_steady}*{peak_working_ratio}",
            "Work at its own mix; a mix without a rating counts 0",
            output=True,
        ),
        _latency(
            "login_peak_latency_ms",
            "Latency at the login peak",
            "{login_peak_utilisation}",
            "{supply_login}",
            "At that utilisation",
        ),
        *timed_work.ROWS,
        Group("Served against asked"),
        *(_fault(phase) for phase in SIZED),
        Line(
            "served_faults",
            "Phases served otherwise than asked",
            "count",
            "=SUM({range:provisioning_fault:scheduled_fault})",
            "A check reads it; 0 = none",
        ),
    ),
)

TAB = gridwriter.tab("Storms", "Boot, login, log-off, patching, provisioning in time", lambda _: SHEET)
