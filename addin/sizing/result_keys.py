"""Which results a command shows unless others are asked for, and in which order: one row for each result.

A result that is added to the workbook gets a row here, with its position in every command that shows it.
"""

_POSITIONS = """
result                       size     whatif  scenarios    compare   simulate     charts      brief
status                          1          6         11          8          -          -          -
arrays_required                 2          1          1          1          1          -          1
ratio_largest                   -          -          2          2          2          1          2
binding_constraint              3          2          3          3          -          -          -
next_constraint                 4          3          4          4          -          -          -
constraints_unchecked           5          -          -          5          -          -          -
capacity_required_gib           6          4          5          6          3          2          -
share_used_normal              10          -          9          -          -          -          -
boot_minutes                    -          -          -          -          4          -          4
boot_iops                       7          -          6          -          5          -          -
login_iops                      8          -          7          -          6          3          3
steady_iops                     9          -          8          -          7          -          -
patching_iops                   -          -          -          -          8          -          -
login_latency_ms               11          -          -          -          -          -          -
share_used_after_failure       12          -          -          -          -          -          -
desktops_at_limit              13          -          -          -          -          -          -
cost_total                     14          -          -          -          9          -          -
cost_per_desktop               15          5         10          7         10          4          5
npv                            17          -          -          9         11          -          6
paid_total                     16          -          -          -         12          -          7
cost_per_desktop_month         18          -          -         10         13          -          -
break_even_text                 -          -          -         11          -          -          -
next_purchase_year             19          -          -          -          -          -          -
purchase_before_year_3          -          -          -          -         14          -          -
budget_holds                    -          -          -          -         15          -          -
share_total_gib                 -          -          -          -         16          -          8
"""
CLOUD_SHARE = "share_summary"  # in words, the cloud share of profile containers and what to do for it
CLOUD_DISKS, ON_ARRAYS = "disk_summary", "this array"  # in words, the machines' disks; no cloud's
OF_ARRAYS = (  # results that are 0 of a design without an array, as all of it is on a cloud's disks and shares
    *("arrays_required", "capacity_required_gib", "boot_iops", "login_iops", "steady_iops"),
    *("share_used_normal", "share_used_after_failure"),
)
ASSUMED = "assumed_defaults"  # in words, what stands in for figures that nobody entered
# charts: the results whose distribution and drivers are drawn, at most four of them
# brief: what `simulate` prints of its results unless --full asks for all


def _column(command: str) -> tuple[str, ...]:
    """Return the results of one command by their position."""
    head, *rows = (line.split() for line in _POSITIONS.strip().splitlines())
    column = head.index(command)
    shown = {int(row[column]): row[0] for row in rows if row[column] != "-"}
    return tuple(shown[position] for position in sorted(shown))


SIZE, WHATIF, SCENARIOS, COMPARE, SIMULATE, CHARTS, BRIEF = map(
    _column, ("size", "whatif", "scenarios", "compare", "simulate", "charts", "brief")
)
