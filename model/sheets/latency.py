"""Latency: what users see at the arrays in the design, what a failure does to it, and how many desktops still fit.

R = S / (1 - rho^m). Where no latency is known a text says why; no formula reads those texts as numbers.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets.constraints import IOPS_RATIOS, SCALING_RATIOS, SEEN_RATIOS
from model.sheets.performance import LABELS

_CURVE = "{base_latency_ms}/(1-%s^{latency_shape})"


def _seen(phase: str) -> Line:
    """Return the latency in a phase, at its mean utilisation."""
    rho = f"{{utilisation_{phase}}}"
    return Line(
        f"{phase}_latency_ms",
        f"Latency in {LABELS[phase]}",
        "ms",
        f"=IF(AND({{base_latency_ms}}*SIGN(1+{{ratio_{phase}}})>0,{rho}<1),{_CURVE % rho},{{latency_state}})",
        "At its mean IOPS, after a loss if the design asks for it",
        output=True,
    )


SHEET = GridSheet(
    name="Latency",
    title="Latency, failover and room",
    purpose="Latency at the arrays in the design, what a failure does to it, and how many desktops still fit",
    rows=(
        Group("Latency"),
        Line(
            "latency_state",
            "Where no latency can be told",
            "text",
            '=IF({base_latency_ms}>0,"saturated","no published latency")',
            "Stands in place of the number",
        ),
        _seen("login"),
        _seen("steady"),
        Group("Performance capacity"),
        Line(
            "knee_utilisation",
            "Knee of the latency curve",
            "ratio",
            "=1/(1+{latency_shape})^(1/{latency_shape})",
            "(m + 1)^(-1/m): beyond it latency grows faster than throughput",
            output=True,
        ),
        Line(
            "reference_utilisation",
            "Utilisation that counts as full",
            "ratio",
            "=CHOOSE(MATCH({performance_reference},{reference_names},0),1,{knee_utilisation},{latency_utilisation})",
            "Choice on Inputs; 0 = the latency limit cannot be told",
        ),
        Line(
            "performance_capacity_used",
            "Performance capacity used in steady work",
            "ratio",
            "=IF({reference_utilisation}*SIGN(1+{ratio_steady})>0,"
            "{ratio_steady}*{utilisation_cap}/({arrays_used}*{reference_utilisation}),{latency_state})",
            "NTP section 7.3, normal operation",
            output=True,
        ),
        Group("The same demand after a failure"),
        Line(
            "failover_share",
            "Share of the arrays left",
            "ratio",
            "=IF({array_lost}>0,1-1/{arrays_used},{surviving_ratio})",
            "Of the arrays in the design, whether failover is asked for or not",
        ),
        Line(
            "performance_capacity_takeover",
            "Performance capacity used at takeover",
            "ratio",
            "=IF({failover_share}*COUNT({performance_capacity_used})>0,"
            'SUM({performance_capacity_used})*{takeover_factor}/{failover_share},"no failover known")',
            "NTP section 7.3: over the share left, times the takeover factor",
            output=True,
        ),
        Line(
            "failover_utilisation",
            "Highest utilisation after a failure",
            "ratio",
            f"=IF({{failover_share}}>0,MAX(0,{IOPS_RATIOS})*{{utilisation_cap}}"
            '/({arrays_used}*{failover_share}),"no failover known")',
            "Busiest phase; above 1 the survivors cannot carry it",
            output=True,
        ),
        Line(
            "failover_user_utilisation",
            "Utilisation users meet after a failure",
            "ratio",
            f"=IF({{failover_share}}>0,MAX(0,{SEEN_RATIOS})*{{utilisation_cap}}"
            "/({arrays_used}*{failover_share}),1)",
            "Busier of login and steady work; 1 where nothing is left",
        ),
        Line(
            "failover_latency_ms",
            "Latency after a failure",
            "ms",
            "=IF(SIGN({base_latency_ms})>{failover_user_utilisation},"
            f"{_CURVE % '{failover_user_utilisation}'},"
            'CHOOSE(1+SIGN({failover_share}),"no failover known",{latency_state}))',
            "Busier of login and steady work",
            output=True,
        ),
        Group("Room"),
        Line(
            "performance_ratio",
            "Largest ratio that grows with the desktops",
            "arrays",
            f"=MAX(0,{SCALING_RATIOS})",
            "IOPS of every phase, throughput, latency",
        ),
        Line(
            "capacity_known",
            "Physical capacity per desktop, where usable capacity is known",
            "GiB",
            "=SIGN({usable_after_headroom_gib})*{desktop_physical_gib}",
            "0 = capacity sets no limit",
        ),
        Line(
            "desktops_by_performance",
            "Desktops by performance",
            "desktops",
            "=IF({performance_ratio}>0,{provisioned_desktops}*"
            "({arrays_used}-{failover_asked}*{array_lost})*{surviving_used}/{performance_ratio},0)",
            "Demand grows with the desktops",
        ),
        Line(
            "desktops_by_space",
            "Desktops by capacity",
            "desktops",
            "=IF({capacity_known}>0,MAX(0,{usable_after_headroom_gib}*({arrays_used}-{failover_asked}*{array_lost})"
            "-{images_physical_gib})/{capacity_known},0)",
            "EQL section 6.3 for all arrays left",
        ),
        Line(
            "desktops_at_limit",
            "Desktops at the limit",
            "desktops",
            "=ROUNDDOWN(MIN(CHOOSE(1+SIGN({performance_ratio}),{desktops_by_space},{desktops_by_performance}),"
            "CHOOSE(1+SIGN({capacity_known}),{desktops_by_performance},{desktops_by_space})),0)",
            "The smaller of those that are checked; 0 = none is",
            output=True,
        ),
        Line(
            "headroom_desktops",
            "Desktops that still fit",
            "desktops",
            "={desktops_at_limit}-{provisioned_desktops}",
            "Below 0 the arrays in the design do not suffice",
            output=True,
        ),
    ),
)

TAB = gridwriter.tab("Latency", "Latency, failover and how many desktops still fit", lambda _: SHEET)
