"""Steady work, log-off, patching and provisioning as work: I/Os over the IOPS the arrays serve, against the time asked.

Nothing takes less time than the arrays need for its I/Os. Log-off is asked for in a window, patching starts desktops in
streams with a delay, provisioning prepares and then deploys at a rate. An array without a supply figure for a phase, or
work nobody has entered, sets no limit. Desktops count as in the phase: all of them are provisioned and patched, the
active ones work and log off.
"""

from model.layout.line import Group, Line

_PROVISIONING = "{provisioned_desktops}*{ios_per_provisioning}*{demand_factor}"
_PATCHING = "{provisioned_desktops}*{ios_per_patch}*{demand_factor}"


def _array_minutes(key: str, phase: str, work: str, output: bool = False) -> Line:
    """Return the minutes that the arrays need for the work of a phase."""
    supply = f"{{supply_{phase}}}"
    return Line(
        key,
        "Minutes the arrays need for it",
        "min",
        f"=IF({supply}>0,{work}/({{unit:seconds_per_minute}}*{supply}*{{arrays_serving}}),0)",
        "Work over IOPS served; 0 = unchecked",
        output=output,
    )


ROWS: tuple[Line | Group, ...] = (
    Group("Steady work of a day"),
    Line(
        "steady_ios_per_day",
        "I/Os of a working day",
        "I/O",
        "={steady_iops}*{work_hours_per_day}*{unit:seconds_per_hour}",
        "Steady IOPS at the arrays x hours",
        output=True,
    ),
    Line(
        "steady_written_gib",
        "Written to the arrays in a working day",
        "GiB",
        "={throughput_steady}*(1-{steady_array_read_ratio})*{work_hours_per_day}*{unit:seconds_per_hour}"
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
    Line(
        "logoff_work",
        "I/Os of all log-offs",
        "I/O",
        "=IF({ios_per_logoff}>0,{active_desktops}*{ios_per_logoff}*{demand_factor},"
        "{logoff_iops}*{logoff_window_min}*{unit:seconds_per_minute})",
        "Entered, else the profile's IOPS through the window",
    ),
    _array_minutes("logoff_array_min", "logoff", "{logoff_work}"),
    Line(
        "logoff_minutes",
        "Log-off of all users",
        "min",
        "=MAX({logoff_window_min},{logoff_array_min})",
        "The window asked for, or what the arrays need",
        output=True,
    ),
    Line(
        "logoff_storm_iops",
        "IOPS during the log-off",
        "IOPS",
        "={logoff_work}/({logoff_minutes}*{unit:seconds_per_minute})",
        "Mean: work over time",
        output=True,
    ),
    Line(
        "logoff_peak_iops",
        "Peak of the log-off",
        "IOPS",
        "={logoff_storm_iops}*{burst_logoff}",
        "Mean x peak over mean; K2 prints the peak only",
        output=True,
    ),
    Group("Patching"),
    _array_minutes("patching_array_min", "patching", _PATCHING, output=True),
    Line(
        "patching_minutes",
        "Patching of all desktops",
        "min",
        "=MAX({patching_array_min},"
        "{provisioned_desktops}/{patch_streams}*{patch_delay_s}/{unit:seconds_per_minute}+{patch_tail_min})",
        "NTP 6.6: starts of a stream, then the tail; or what the arrays need",
        output=True,
    ),
    Group("Provisioning"),
    _array_minutes("provisioning_array_min", "provisioning", _PROVISIONING, output=True),
    Line(
        "provisioning_bound_by",
        "What sets the time of deployment",
        "text",
        '=IF({provisioning_array_min}>{provisioned_desktops}/{provision_rate_per_min},"Arrays","Rate")'
        '&REPT("; arrays unchecked",1-SIGN({supply_provisioning}*{ios_per_provisioning}))',
        "The slower of rate and arrays",
        output=True,
    ),
    Line(
        "provisioning_minutes",
        "Provisioning of all desktops",
        "min",
        "={provision_preparation_min}+MAX({provisioning_array_min},{provisioned_desktops}/{provision_rate_per_min})",
        "K2, provisioning section: preparation, then deployment",
        output=True,
    ),
    Line(
        "provisioning_storm_iops",
        "IOPS during the deployment",
        "IOPS",
        f"={_PROVISIONING}/({{unit:seconds_per_minute}}"
        "*MAX({provisioning_array_min},{provisioned_desktops}/{provision_rate_per_min}))",
        "Mean: work over the time of deployment",
        output=True,
    ),
    Line(
        "provisioning_peak_iops",
        "Peak of the deployment",
        "IOPS",
        "={provisioning_storm_iops}*{burst_provisioning}",
        "Mean x peak over mean",
        output=True,
    ),
)
