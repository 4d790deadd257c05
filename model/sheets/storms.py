"""Storms: how long the boot takes and what limits it, how high the login peak is and when; then all other timed work.

Boot is work, not IOPS per desktop: every start costs a number of I/Os, and the slowest of start throttle, arrays and
hosts sets the time. Logins follow the arrivals: L(t) desktops have arrived by minute t, those of the last D minutes log
in, the rest works, so IOPS(t) = a (L(t) - L(t-D)) + b L(t-D). Its highest value has a closed form for even arrivals
and for a normal curve cut off at 3 standard deviations either side of the middle of the window.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Headline, Line
from model.sheets import timed_work

_FLOORS = "{range:boot_throttle_min:boot_hosts_min}"
_NORMAL = "_xlfn.NORM.DIST({at},AVERAGE(0,{{login_minutes}}),{{arrival_sigma_min}},1)"


def _arrived(key: str, label: str, minute: str, even: str, basis: str) -> Line:
    """Return the share of the arrivals that have come by a minute of the window."""
    normal = f"({_NORMAL.format(at=minute)}-{{unit:normal_tail}})/{{unit:normal_inside}}"
    return Line(key, label, "ratio", f"=IF({{arrivals_normal}}>0,{normal},{even})", basis)


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
        "=SIGN({boot_desktops})*({boot_tail_min}+MAX({boot_throttle_min},{boot_hosts_min},"
        f"{{boot_array_min}}*INDEX({{method:boot_{key}}},{{method_row}})/MAX(1,{{ios_per_boot}})))",
        "Boot work does not transfer between sites: a range",
        output=True,
    )


SHEET = GridSheet(
    name="Storms",
    title="Storms",
    purpose="Boot, login, log-off, patching and provisioning in time: how long, how high, when, what sets the limit",
    rows=(
        Group("Boot before the logins"),
        Line(
            "boot_desktops",
            "Desktops booted before the logins",
            "desktops",
            "={active_desktops}*{preboot_ratio}",
            "Active x share booted",
        ),
        Line(
            "boot_ios",
            "I/Os of one boot that reach the array",
            "I/O/desktop",
            "={ios_per_boot}*{demand_factor}*(1-{boot_reduction_ratio})",
            "Scaled like every phase, less what host caches keep",
        ),
        Line(
            "boot_supply_iops",
            "IOPS the arrays can serve in the boot",
            "IOPS",
            "={supply_boot}*{arrays_serving}",
            "Arrays that serve, cap included; 0 = no figure for boot",
        ),
        Group("Minutes until the last start, by limit"),
        Line(
            "boot_throttle_min",
            "Start throttle",
            "min",
            "={boot_desktops}/{start_rate_per_min}",
            "Desktops over starts per minute",
        ),
        Line(
            "boot_array_min",
            "Arrays",
            "min",
            "=IF({boot_supply_iops}>0,{boot_desktops}*{boot_ios}/({unit:seconds_per_minute}*{boot_supply_iops}),0)",
            "Work over IOPS served; 0 = unchecked",
        ),
        Line(
            "boot_hosts_min",
            "Hosts",
            "min",
            "=IF({host_start_rate_per_min}>0,{boot_desktops}/({host_start_rate_per_min}"
            "*MAX(1,CHOOSE(1+SIGN({hosts}),{hosts_required},{hosts}))),0)",
            "Desktops over starts of all hosts; 0 = no limit",
        ),
        Group("Boot"),
        Line(
            "boot_start_minutes",
            "Minutes until the last start",
            "min",
            f"=MAX({_FLOORS})",
            "The slowest of the three",
        ),
        Line(
            "boot_bound_by",
            "What sets the boot time",
            "text",
            "=INDEX({labels:boot_throttle_min:boot_hosts_min},"
            f"MATCH({{boot_start_minutes}},{_FLOORS},0))"
            '&REPT("; arrays unchecked",1-SIGN({boot_supply_iops}))',
            "Ties by the order above",
            output=True,
            headline=Headline(7, "Boot time is set by"),
        ),
        Line(
            "boot_minutes",
            "Boot of all desktops",
            "min",
            "=SIGN({boot_desktops})*({boot_start_minutes}+{boot_tail_min})",
            "Until the last start, then the last boot",
            output=True,
        ),
        _boot_range("low", "low"),
        _boot_range("high", "high"),
        Line(
            "failover_boot_minutes",
            "Boot after a failure",
            "min",
            "=IF({failover_share}>0,SIGN({boot_desktops})*({boot_tail_min}+MAX({boot_throttle_min},{boot_hosts_min},"
            "{boot_array_min}*{arrays_serving}/({arrays_used}*{failover_share}))),0)",
            "On the share of the arrays left; 0 = none, or unknown",
            output=True,
        ),
        Line(
            "effective_start_rate",
            "Effective starts per minute",
            "desktops/min",
            "=IF({boot_start_minutes}>0,{boot_desktops}/{boot_start_minutes},0)",
            "Over the minutes until the last start",
            output=True,
        ),
        Line(
            "boot_storm_iops",
            "IOPS during the boot",
            "IOPS",
            "={effective_start_rate}*{boot_ios}/{unit:seconds_per_minute}",
            "Starts per minute x I/Os per boot",
            output=True,
        ),
        Line(
            "boot_storm_utilisation",
            "Utilisation during the boot",
            "ratio",
            "=IF({boot_supply_iops}>0,{utilisation_cap}*{boot_storm_iops}/{boot_supply_iops},0)",
            "At the cap where the arrays set the time",
            output=True,
        ),
        _latency(
            "boot_latency_ms",
            "Latency during the boot",
            "{boot_storm_utilisation}",
            "{boot_supply_iops}",
            "At the utilisation reached; its limit stands on Design",
        ),
        Group("Logins"),
        Line(
            "cold_desktops",
            "Desktops booted on demand",
            "desktops",
            "={active_desktops}*(1-{preboot_ratio})",
            "Active x share not booted before",
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
        Line(
            "login_busy_iops",
            "IOPS if every desktop logged in at once",
            "IOPS",
            "=IF({ios_per_login}>0,({boot_desktops}+{cold_desktops})*{ios_per_login}*{demand_factor}*(1-{login_reduction_ratio})"
            "/{login_duration_s},{login_iops})+{cold_desktops}*{boot_ios}/{login_duration_s}",
            "I/Os per login, else profile; plus cold boots",
        ),
        Line(
            "login_busy_utilisation",
            "Utilisation at that load",
            "ratio",
            "=IF({supply_login}>0,{login_busy_iops}*{utilisation_cap}/({supply_login}*{arrays_serving}),0)",
            "Boots on demand counted at the login's mix",
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
            "=IF({login_busy_iops}>{steady_iops},AVERAGE({login_minutes},{login_duration_min})-{arrival_sigma_min}"
            "*{arrival_sigma_min}/{login_duration_min}*LN(1-{steady_iops}/{login_busy_iops}),0)",
            "a x arrivals now = (a - b) x arrivals a login ago",
        ),
        Line(
            "login_peak_minute",
            "Minute of the login peak",
            "min",
            "=IF({login_busy_iops}>{steady_iops},MIN({login_minutes},MAX({login_duration_min},{login_turn_minute},"
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
            "={login_busy_iops}*({peak_arrived_ratio}-{peak_working_ratio})+{steady_iops}*{peak_working_ratio}",
            "Those logging in and those at work",
            output=True,
        ),
        Line(
            "login_peak_utilisation",
            "Utilisation at the login peak",
            "ratio",
            "={login_busy_utilisation}*({peak_arrived_ratio}-{peak_working_ratio})"
            "+{utilisation_steady}*{peak_working_ratio}",
            "The same shares; a mix without a rating counts 0",
            output=True,
        ),
        _latency(
            "login_peak_latency_ms",
            "Latency at the login peak",
            "{login_peak_utilisation}",
            "{supply_login}",
            "At that utilisation",
        ),
        Line(
            "login_peak_desktops",
            "Most desktops logging in together",
            "desktops",
            "=({boot_desktops}+{cold_desktops})*IF({arrivals_normal}>0,(1-_xlfn.NORM.S.DIST(-{unit:arrival_sigmas}"
            "*{login_span_ratio},1)-_xlfn.NORM.S.DIST(-{unit:arrival_sigmas}*{login_span_ratio},1))"
            "/{unit:normal_inside},{login_span_ratio})",
            "Arrivals of one busy period at the densest time",
            output=True,
        ),
        Line(
            "login_plateau_iops",
            "Load at the end of even arrivals",
            "IOPS",
            "={login_busy_iops}*{login_span_ratio}+{steady_iops}*(1-{login_span_ratio})",
            "Working x steady + cold boots x I/Os + logins x I/Os",
            output=True,
        ),
        *timed_work.ROWS,
    ),
)

TAB = gridwriter.tab("Storms", "Boot, login, log-off, patching, provisioning in time", lambda _: SHEET)
