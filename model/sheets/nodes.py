"""Nodes: hyper-converged systems are bought node by node, and what a failure may take is bought on top.

nodes = MAX(least, storage, machines over machines per node) + nodes lost; each row is 0 where the unit is an array.
"""

from model.layout.line import Group, Line

ROWS: tuple[Line | Group, ...] = (
    Group("Unit that is bought: array or node"),
    Line(
        "node_unit",
        "The unit is a node",
        "flag",
        "=SIGN({array:hci_node})",
        "Arrays sheet; 0 = an array",
        output=True,
    ),
    Line(
        "unit_word",
        "The unit, in words",
        "text",
        '=IF({node_unit}>0,"node","array")',
        "Part of the answer",
        output=True,
        text_lines=1,
    ),
    Line(
        "units_word",
        "The units, as a limit",
        "text",
        '=IF({node_unit}>0,"Nodes","Arrays")',
        "Where they set a time",
        text_lines=1,
    ),
    Line(
        "least_nodes",
        "Least nodes of a cluster",
        "count",
        "={node_unit}*{array:least_nodes}",
        "Arrays sheet; 0 = none, or an array",
    ),
    Line(
        "nodes_spare",
        "Nodes that may be lost",
        "count",
        "={node_unit}*MAX(0,{array:nodes_lost})",
        "Bought on top of those that carry the load; 0 = none, or an array",
        output=True,
    ),
    Line(
        "vms_per_node",
        "Virtual machines a node carries",
        "count",
        "={node_unit}*{array:vms_per_node}",
        "Arrays sheet; 0 = not entered, or an array",
    ),
    Line(
        "node_raw_gib",
        "Raw capacity of a node",
        "GiB",
        "={node_unit}*{array:node_raw_gb}*{unit:gib_per_gb}",
        "Arrays sheet; 0 = not entered, or an array",
    ),
    Line(
        "node_shares_known",
        "System share and protection of a node known",
        "flag",
        "=IF({array:protection_ratio}>=1,COUNT(INDEX({arrays:system_share_ratio},1,{array_row}))*{node_unit},0)",
        "Protection is 1 or more, system share 0 or more; a blank is not known, never 0",
    ),
    Line(
        "node_kept_ratio",
        "Usable share of a node's raw capacity",
        "ratio",
        "={node_shares_known}*(1-{array:system_share_ratio})/MAX(1,{array:protection_ratio})",
        "(1 - system share) / protection",
    ),
)

MISSING = Line(
    "node_figures_missing",
    "Figures of the nodes that are missing",
    "count",
    "={node_unit}*(1-SIGN({usable_gib}))+{node_unit}*(1-SIGN({vms_per_node}))",
    "Usable capacity, and machines a node carries",
    output=True,
)
