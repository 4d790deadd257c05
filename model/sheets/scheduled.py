"""A scheduled load: a scan, a backup, an inventory, as I/Os or GiB of each machine, spread over its window.

Nobody's profile holds one: it is entered, or there is none. What is missing of one that is entered is listed by name.
"""

from model.layout.line import Group, Line

ROWS: tuple[Line | Group, ...] = (
    Group("Scheduled load"),
    Line(
        "scheduled_gib_ios",
        "I/Os of the GiB it moves",
        "I/O/desktop",
        "=IF({scheduled_block_kib}>0,MAX(0,{scheduled_gib})*{unit:kib_per_gib}/{scheduled_block_kib},"
        "0-SIGN(MAX(0,{scheduled_gib})))",
        "GiB over the block size; without one nobody can tell",
    ),
    Line(
        "scheduled_work_ios",
        "I/Os of the scheduled load",
        "I/O/desktop",
        "=IF({scheduled_ios}<0,CHOOSE(1+SIGN(1+SIGN({scheduled_gib})),MIN({scheduled_ios},{unit:code_none}),"
        "{scheduled_gib_ios}),{scheduled_ios})",
        "Entered, else by GiB; none where neither is",
        output=True,
    ),
    Line(
        "scheduled_asked_iops",
        "IOPS asked in scheduled load",
        "IOPS",
        "=IF(MIN({scheduled_work_ios},{scheduled_window_min})>0,{virtual_machines}*{scheduled_work_ios}"
        "*{demand_scale_ratio}/({unit:seconds_per_minute}*{scheduled_window_min}),"
        "MIN({scheduled_work_ios},0-SIGN({scheduled_work_ios})))",
        "Virtual machines x I/Os over the window, whatever the array can do; missing without a window",
        output=True,
    ),
)
