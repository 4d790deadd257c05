"""An array for profile containers alone: its failure, and how many of it are needed by each constraint."""

from model.layout.line import Group, Line

_KIND = "INDEX({arrays:failover_kind},1,{container_array_row})"

NODES: tuple[Line | Group, ...] = (
    Group("Unit and failure of the array for containers"),
    Line(
        "container_node_unit",
        "The unit is a node",
        "flag",
        "=SIGN({container_array:hci_node})",
        "Arrays sheet; 0 = an array",
    ),
    Line(
        "container_least",
        "Least nodes of its cluster",
        "count",
        "={container_node_unit}*{container_array:least_nodes}",
        "Arrays sheet; 0 = none, or an array",
    ),
    Line(
        "container_spare",
        "Its nodes that may be lost",
        "count",
        "={container_node_unit}*MAX(0,{container_array:nodes_lost})",
        "Bought on top; 0 = none, or an array",
    ),
    Line(
        "container_node_known",
        "System share and protection of its node known",
        "flag",
        "=IF({container_array:protection_ratio}>=1,"
        "COUNT(INDEX({arrays:system_share_ratio},1,{container_array_row}))*{container_node_unit},0)",
        "As on Capacity, for the containers' array",
    ),
    Line(
        "container_node_kept",
        "Usable share of its node's raw capacity",
        "ratio",
        "={container_node_known}*(1-{container_array:system_share_ratio})/MAX(1,{container_array:protection_ratio})",
        "(1 - system share) / protection",
    ),
    Line(
        "container_node_gib",
        "Usable capacity of its node",
        "GiB",
        "={container_array:node_raw_gb}*{unit:gib_per_gb}*{container_node_kept}",
        "0 = not known, or an array",
    ),
    Line(
        "container_failover_asked",
        "Sized for a failure too",
        "flag",
        '=IF({failover}="yes",{container_away},0)',
        "Choice on Inputs, where containers stand on another array",
    ),
    Line(
        "container_lost",
        "Arrays for containers lost",
        "arrays",
        f'=IF(AND({_KIND}="array",{{replicated}}="yes"),1-{{container_node_unit}},0)',
        "A lost array counts only if its data stand on another one",
    ),
    Line(
        "container_lost_whole",
        "A failure takes a whole one",
        "flag",
        f'=IF(OR({_KIND}="array",{_KIND}="none"),1,{{container_node_unit}})',
        "Or no failure is survived; 0 = a controller",
    ),
    Line(
        "container_controllers",
        "Its controllers serving I/O",
        "count",
        "={container_array:controllers_active}",
        "Arrays sheet; 0 = not printed",
    ),
    Line(
        "container_controllers_left",
        "Share of its controllers left",
        "ratio",
        "=IF({container_controllers}>0,"
        "MIN(1,({container_controllers}+{container_array:controllers_standby}-1)/{container_controllers}),0)",
        "Active/standby 1, active/active 1/2, scale-out (n-1)/n",
    ),
    Line(
        "container_surviving",
        "Share of it left after a loss",
        "ratio",
        "=IF({container_lost_whole}>0,MIN(1,{container_lost}+{container_spare}),{container_controllers_left})",
        "0 = no failover",
    ),
)

ROWS: tuple[Line | Group, ...] = (
    Group("Arrays for containers alone, unrounded"),
    Line(
        "container_asked_iops",
        "IOPS asked of that array",
        "IOPS",
        "={container_away}*MAX({container_login_iops},{container_signout_load})",
        "The larger of login and log-off; 0 unless containers stand on another array",
        output=True,
    ),
    Line(
        "container_required_gib",
        "Capacity required on that array",
        "GiB",
        "={container_away}*MAX(0,{container_gib})*{provisioned_desktops}/{container_reduction}",
        "One container for each desktop provisioned, over its data reduction",
        output=True,
    ),
    Line(
        "container_moved",
        "Throughput asked of that array",
        "MB/s",
        "=IF({container_block_kib}<0,0-SIGN({container_asked_iops}),"
        "{container_asked_iops}*{container_block_kib}*{unit:mb_per_kib})",
        "IOPS x block size; without one it is missing",
    ),
    Line(
        "container_rating_mb_s",
        "Throughput rating of that array",
        "MB/s",
        "={container_array:throughput_mb_s}",
        "Arrays sheet; 0 = not published",
    ),
    Line(
        "container_ratio_capacity",
        "Capacity",
        "arrays",
        "=IF({container_usable_gib}*{fillable_ratio}>0,{container_required_gib}/({container_usable_gib}*{fillable_ratio}),"
        "0-SIGN({container_required_gib}))",
        "Required over usable after free space and snapshots; -1 = unchecked",
        output=True,
    ),
    Line(
        "container_ratio_iops",
        "IOPS",
        "arrays",
        "=IF({container_supply_iops}>0,{container_asked_iops}/{container_supply_iops},0-SIGN({container_asked_iops}))",
        "Asked over one array's supply; -1 = unchecked",
        output=True,
    ),
    Line(
        "container_ratio_latency",
        "Latency",
        "arrays",
        "=IF({container_latency_utilisation}>0,MAX(0,{container_ratio_iops})*{container_cap}"
        "/{container_latency_utilisation},0-SIGN({container_asked_iops}))",
        "Asked over the supply within the limit; -1 = unchecked",
        output=True,
    ),
    Line(
        "container_ratio_throughput",
        "Throughput",
        "arrays",
        "=IF(MIN({container_moved},{container_rating_mb_s})>0,{container_moved}/{container_rating_mb_s},"
        "MIN({container_moved},0-SIGN({container_moved})))",
        "Asked over the rating; -1 = unchecked",
        output=True,
    ),
    Line(
        "container_users_iops",
        "IOPS of containers of users at work",
        "IOPS",
        '=IF({survive_phases}="work without the login storm",{container_steady_load},'
        "MAX({container_steady_load},{container_login_iops}))",
        "Without the login storm, or with it",
    ),
    Line(
        "container_survive_iops",
        "IOPS of containers that must hold after one failure",
        "IOPS",
        '=IF({survive_phases}="everything",{container_asked_iops},{container_users_iops})',
        "Choice on Inputs",
    ),
    Line(
        "container_survive_need",
        "Arrays that these ask for",
        "arrays",
        "=MAX(0,{container_ratio_iops},{container_ratio_latency})*{container_survive_iops}/MAX(1,{container_asked_iops})",
        "Within the latency limit, on whole arrays",
    ),
    Line(
        "container_ratio_failover",
        "Failover",
        "arrays",
        "=IF({container_surviving}>0,{container_failover_asked}*({container_lost}+MAX({container_lost}"
        "*{container_ratio_capacity},{container_survive_need})/{container_surviving}),0-{container_failover_asked})",
        "What must hold, on what survives; -1 = unchecked",
        output=True,
    ),
    Line(
        "container_ratio",
        "Largest ratio",
        "arrays",
        "=MAX(0,{range:container_ratio_capacity:container_ratio_throughput},{container_ratio_failover})",
        "Decides the count",
        output=True,
    ),
    Line(
        "container_arrays",
        "Arrays for containers",
        "arrays",
        "={container_away}*(MAX(1,{container_least},ROUNDUP({container_ratio},0))+{container_spare})",
        "Beside the desktops' arrays; nodes that may be lost on top; 0 unless containers stand on another array",
        output=True,
    ),
    Line(
        "container_words",
        "Arrays for containers, in words",
        "text",
        '=REPT(" and "&TEXT({container_arrays},"0")&" for containers",SIGN({container_arrays}))',
        "Part of the answer; empty where there are none",
    ),
    Line(
        "container_unrated_count",
        "Constraints of that array unchecked",
        "count",
        '=COUNTIF({range:container_ratio_capacity:container_ratio_throughput},"=-1")+COUNTIF({container_ratio_failover},"=-1")',
        "A missing rating is listed, never passed",
    ),
    Line(
        "container_unrated_first",
        "Unchecked: capacity or IOPS",
        "text",
        '=REPT("container array capacity, ",COUNTIF({container_ratio_capacity},"=-1"))'
        '&REPT("container array IOPS, ",COUNTIF({container_ratio_iops},"=-1"))',
        "Empty where none is",
    ),
    Line(
        "container_unrated_third",
        "Unchecked: throughput or failover",
        "text",
        '=REPT("container array throughput, ",COUNTIF({container_ratio_throughput},"=-1"))'
        '&REPT("container array failover, ",COUNTIF({container_ratio_failover},"=-1"))',
        "Empty where none is",
    ),
    Line(
        "container_unrated_second",
        "Unchecked: latency, throughput or failover",
        "text",
        '=REPT("container array latency, ",COUNTIF({container_ratio_latency},"=-1"))&{container_unrated_third}',
        "Empty where none is",
    ),
    Line(
        "container_unrated",
        "Constraints of that array unchecked, by name",
        "text",
        "={container_unrated_first}&{container_unrated_second}",
        "Empty where none is",
    ),
)
