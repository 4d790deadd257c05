"""Log-off: what users ask of the arrays while they leave."""

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
        "logoff_asked_iops",
        "IOPS asked in log-off",
        "IOPS",
        "=IF({logoff_work_ios}<0,{logoff_work_ios},{active_desktops}*{logoff_work_ios}*{demand_scale_ratio}"
        "/({unit:seconds_per_minute}*{logoff_window_min})+{container_here}*{container_signout_load})",
        "Desktops x I/Os over the window, whatever the array can do, and sign-outs of containers on it",
        output=True,
    ),
)
