"""Log-off: what users ask of the arrays while they leave, and their desktops where those start anew."""

from model.layout.line import Group, Line
from model.sheets import work

ROWS: tuple[Line | Group, ...] = (
    Group("Log-off"),
    work.known("logoff"),
    Line(
        "logoff_measured_ios",
        "I/Os of a log-off, from IOPS through a run",
        "I/O/desktop",
        "=IF({logoff_known_iops}>0,{logoff_known_iops}*{unit:seconds_per_minute}"
        "*CHOOSE(1+SIGN({logoff_run_min}),{logoff_window_min},{logoff_run_min}),{logoff_known_iops})",
        "IOPS x minutes of their run, else of the window",
    ),
    Line(
        "logoff_work_ios",
        "I/Os of a log-off",
        "I/O/desktop",
        "=IF({ios_per_logoff}>0,{ios_per_logoff},{logoff_measured_ios})",
        "Entered, else the row above",
        output=True,
    ),
    Line(
        "logoff_users_iops",
        "IOPS of the log-offs themselves",
        "IOPS",
        "=IF({logoff_work_ios}<0,{logoff_work_ios},{active_desktops}*{logoff_work_ios}*{demand_scale_ratio}"
        "/({unit:seconds_per_minute}*{logoff_window_min}))",
        "Desktops x I/Os over the window",
    ),
    Line(
        "recreate_rate_per_min",
        "Desktops that start anew a minute",
        "desktops/min",
        '=IF({recreate_at_logoff}="yes",MIN({active_machines}/{logoff_window_min},{start_rate_per_min}),0)',
        "As many as are left, at most the start rate; 0 = they stay",
        output=True,
    ),
    Line(
        "recreate_unknown",
        "They start anew with work that nobody knows",
        "flag",
        '=SIGN({recreate_rate_per_min})*COUNTIF({boot_ios},"=-1")',
        "Then the log-off is missing too",
    ),
    Line(
        "recreate_iops",
        "IOPS of desktops that start anew",
        "IOPS",
        "={recreate_rate_per_min}*MAX(0,{boot_ios})/{unit:seconds_per_minute}",
        "Starts a second x I/Os of a boot that reach the array",
        output=True,
    ),
    Line(
        "recreate_minutes",
        "Until the last desktop has started anew",
        "min",
        "=IF({recreate_rate_per_min}>0,{active_machines}/{recreate_rate_per_min}+{boot_tail_min},0)",
        "Longer than the window where the start rate is slower; 0 = they stay",
        output=True,
    ),
    Line(
        "logoff_asked_iops",
        "IOPS asked in log-off",
        "IOPS",
        "=IF(MIN({logoff_users_iops},0-{recreate_unknown})<0,MIN({logoff_users_iops},0-{recreate_unknown}),"
        "{logoff_users_iops}+{recreate_iops}+{container_here}*{container_signout_load})",
        "Log-offs, desktops that start anew, and sign-outs of containers on it, whatever the array can do",
        output=True,
    ),
)

MIXES: tuple[Line, ...] = (
    Line(
        "logoff_desktops_read_ratio",
        "Read share in log-off, of desktops",
        "ratio",
        "=IF({recreate_iops}>0,{logoff_read_ratio}+({boot_array_read_ratio}-{logoff_read_ratio})*{recreate_iops}"
        "/MAX({recreate_iops},{logoff_iops}-{container_logoff_part}),{logoff_read_ratio})",
        "Log-offs and those that start anew, each by its IOPS",
    ),
    Line(
        "logoff_mix_block_kib",
        "Block size in log-off",
        "KiB",
        "=IF(MIN({recreate_iops},{logoff_block_kib},{boot_block_kib},{logoff_iops})>0,{logoff_block_kib}"
        "+({boot_block_kib}-{logoff_block_kib})*{recreate_iops}/{logoff_iops},{logoff_block_kib})",
        "Log-offs and those that start anew, each by its IOPS",
    ),
)
