"""Logins in time, before any array: how many arrive together, how high the load gets and when.

Logins follow the arrivals: L(t) desktops have arrived by minute t, those of the last D minutes log in, the rest works,
so IOPS(t) = a (L(t) - L(t-D)) + b L(t-D). Its highest value has a closed form for even arrivals and for a normal curve
cut off at 3 standard deviations either side of the middle of the window. Desktops booted on demand carry their boot
into the window.
"""

from model.layout.line import Group, Headline, Line
from model.sheets import containers

_NORMAL = "_xlfn.NORM.DIST({at},AVERAGE(0,{{login_minutes}}),{{arrival_sigma_min}},1)"
_KEY = "login_iops_per_desktop"


def _arrived(key: str, label: str, minute: str, even: str, basis: str) -> Line:
    """Return the share of the arrivals that have come by a minute of the window."""
    normal = f"({_NORMAL.format(at=minute)}-{{unit:normal_tail}})/{{unit:normal_inside}}"
    return Line(key, label, "ratio", f"=IF({{arrivals_normal}}>0,{normal},{even})", basis)


ROWS: tuple[Line | Group, ...] = (
    Group("Logins"),
    Line(
        "login_known_iops",
        "IOPS of a desktop in login",
        "IOPS/desktop",
        f"=IF(OR(COUNT({{in:{_KEY}}},{{base:{_KEY}}})>0,ISNUMBER({{{_KEY}_published}})),"
        f"{{{_KEY}}},{{unit:code_missing}})",
        "Entered, else the profile's; a blank is not published, never 0",
    ),
    Line(
        "login_profile_ios",
        "I/Os of a login, by the profile",
        "I/O/desktop",
        f"=SIGN({{login_excess_ios}})*(1-SIGN(COUNT({{in:{_KEY}}},{{base:{_KEY}}})))"
        "*({login_excess_ios}+MAX(0,{steady_known_iops})*{login_duration_s})",
        "Beyond steady work, and steady work through the busy period; 0 = none told, or own login IOPS entered",
        output=True,
    ),
    Line(
        "login_work_ios",
        "I/Os of a login",
        "I/O/desktop",
        "=IF({ios_per_login}>0,{ios_per_login},{login_profile_ios})",
        "Entered, else the row above; 0 = told in IOPS, or not at all",
        output=True,
    ),
    Line(
        "login_work_iops",
        "IOPS of a desktop logging in",
        "IOPS/desktop",
        "=IF({login_work_ios}>0,{login_work_ios}/{login_duration_s},{login_known_iops})",
        "I/Os per login over the busy period, else the IOPS known",
    ),
    Line(
        "login_desktop_iops",
        "IOPS issued if every desktop logged in at once",
        "IOPS",
        "=IF({login_work_iops}>0,{active_desktops}*{login_work_iops}*{demand_scale_ratio},{login_work_iops})",
        "As the desktops issue them",
    ),
    Line(
        "cold_desktops",
        "Desktops booted on demand",
        "desktops",
        "={active_machines}*(1-{preboot_ratio})",
        "Virtual machines in use x share not booted before",
        output=True,
    ),
    Line(
        "login_minutes",
        "Login of all users",
        "min",
        "=MAX({login_window_min},{cold_desktops}/{ondemand_start_rate_per_min})",
        "EQL 5.5: starts on demand stretch the window",
        output=True,
    ),
    Line(
        "login_duration_min",
        "Busy period of a login",
        "min",
        "={login_duration_s}/{unit:seconds_per_minute}",
        "Definition",
    ),
    containers.BUSY,
    Line(
        "login_busy_iops",
        "IOPS if every desktop logged in at once",
        "IOPS",
        "=MAX(0,{login_desktop_iops})*(1-{login_reduction_ratio})+{cold_desktops}*MAX(0,{boot_ios})/{login_duration_s}"
        "+{container_here}*{container_busy_load}",
        "What reaches the array, plus cold boots, plus containers on it",
    ),
    Line(
        "arrivals_normal",
        "Arrivals follow a normal curve",
        "flag",
        '=IF({arrival_shape}="normal",1,0)',
        "0 = evenly over the window",
    ),
    Line(
        "arrival_sigma_min",
        "Standard deviation of the arrivals",
        "min",
        "=AVERAGE(0,{login_minutes})/{unit:arrival_sigmas}",
        "Half the window is 3 of them",
    ),
    Line(
        "login_span_ratio",
        "Busy period over the window",
        "ratio",
        "=MIN(1,{login_duration_min}/{login_minutes})",
        "Share of even arrivals that log in together",
    ),
    Group("Login peak"),
    Line(
        "login_turn_minute",
        "Where normal arrivals stop raising the load",
        "min",
        "=IF({login_busy_iops}>{working_iops},AVERAGE({login_minutes},{login_duration_min})-{arrival_sigma_min}"
        "*{arrival_sigma_min}/{login_duration_min}*LN(1-{working_iops}/{login_busy_iops}),0)",
        "a x arrivals now = (a - b) x arrivals a login ago",
    ),
    Line(
        "login_peak_minute",
        "Minute of the login peak",
        "min",
        "=IF({login_busy_iops}>{working_iops},MIN({login_minutes},MAX({login_duration_min},{login_turn_minute},"
        "{login_minutes}*(1-{arrivals_normal}))),{login_minutes}+{login_duration_min})",
        "Even: last arrival; later if work costs more",
        output=True,
        headline=Headline(8, "Login peak at minute", "0"),
    ),
    _arrived(
        "peak_arrived_ratio",
        "Share arrived by then",
        "MIN({login_minutes},{login_peak_minute})",
        "MIN(1,{login_peak_minute}/{login_minutes})",
        "Arrivals up to the peak",
    ),
    _arrived(
        "peak_working_ratio",
        "Share at work by then",
        "MAX(0,{login_peak_minute}-{login_duration_min})",
        "MAX(0,{login_peak_minute}-{login_duration_min})/{login_minutes}",
        "Arrivals up to one login before the peak",
    ),
    Line(
        "login_peak_iops",
        "Login peak",
        "IOPS",
        "={login_busy_iops}*({peak_arrived_ratio}-{peak_working_ratio})+{working_iops}*{peak_working_ratio}",
        "Those logging in and those at work",
        output=True,
    ),
    Line(
        "together_ratio",
        "Largest share logging in together",
        "ratio",
        "=IF({arrivals_normal}>0,(1-_xlfn.NORM.DIST(-{unit:arrival_sigmas}*{login_span_ratio},0,1,1)"
        "-_xlfn.NORM.DIST(-{unit:arrival_sigmas}*{login_span_ratio},0,1,1))/{unit:normal_inside},{login_span_ratio})",
        "Arrivals of one busy period at the densest time",
    ),
    Line(
        "login_peak_desktops",
        "Most desktops logging in together",
        "desktops",
        "={active_desktops}*{together_ratio}",
        "Active x that share",
        output=True,
    ),
    *containers.LOGIN,
    Line(
        "login_plateau_iops",
        "Load at the end of even arrivals",
        "IOPS",
        "={login_busy_iops}*{login_span_ratio}+{working_iops}*(1-{login_span_ratio})",
        "Working x steady + cold boots x I/Os + logins x I/Os",
        output=True,
    ),
    Line(
        "login_iops",
        "IOPS in login",
        "IOPS",
        "=IF({login_desktop_iops}<0,{login_desktop_iops},{login_peak_iops})",
        "The peak of the arrivals, whatever the array can do",
        output=True,
    ),
)
