"""Sizing: unrounded demand over supply for every constraint, then the arrays, what binds and what comes next."""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Headline, Line
from model.sheets import slower_storms, status, unchecked
from model.sheets.constraints import (
    AFTER_FAILURE,
    ALL_LABELS,
    ALL_RATIOS,
    NORMAL_RATIOS,
    REST_RATIOS,
    arrays_lines,
    ratio_lines,
    rest_lines,
)
from model.sheets.phases import LABELS, SCHEDULED, SIZED


def _burst(phase: str) -> str:
    """Return the formula of peak over mean; of a scheduled load no profile tells one."""
    if phase == SCHEDULED:
        return "=MAX(1,{burst_ratio})"
    printed = f"SUM(INDEX({{profile:burst_ratio:{phase}}},{{profile_row}}))"
    return f"=IF({{burst_ratio}}>0,{{burst_ratio}},MAX(1,{printed}))"


def _bursts() -> list[Line]:
    return [
        Line(
            f"burst_{p}",
            f"Peak over mean in {LABELS[p]}",
            "ratio",
            _burst(p),
            "Entered, else the profile's; 1 where it prints one of them only",
        )
        for p in SIZED
    ]


def _utilisations() -> list[Line]:
    return [
        Line(
            f"utilisation_{p}",
            f"Utilisation in {LABELS[p]}",
            "ratio",
            f"=MAX(0,{{ratio_{p}}})*{{utilisation_cap}}/{{arrays_used}}",
            "Demand over supply of the arrays in use",
            output=True,
        )
        for p in SIZED
    ]


_PEAKS = ",".join(f"{{utilisation_{p}}}*{{burst_{p}}}" for p in SIZED)

SHEET = GridSheet(
    name="Sizing",
    title="Sizing",
    purpose="Arrays required: the largest ratio of demand to supply, rounded up, with what binds and what comes next",
    rows=(
        Group("Failure"),
        Line(
            "failover_asked",
            "Sized for a failure",
            "flag",
            '=IF({failover}="yes",1,0)',
            "Choice on Inputs",
        ),
        Line(
            "controllers_active",
            "Controllers serving I/O",
            "count",
            "={array:controllers_active}",
            "All arrays; 0 = not printed",
        ),
        Line(
            "failure_kind",
            "What a failure takes away",
            "text",
            '=INDEX({arrays:failover_kind},1,{array_row})&""',
            "All arrays; blank = controller",
            text_lines=1,
        ),
        Line(
            "array_lost",
            "Arrays lost",
            "arrays",
            '=IF(AND({failure_kind}="array",{replicated}="yes"),1-{node_unit},0)',
            "A lost array counts only if its data stand on another one; nodes are counted apart",
        ),
        Line(
            "controllers_left_ratio",
            "Share of controllers left",
            "ratio",
            "=IF({controllers_active}>0,"
            "MIN(1,({controllers_active}+{array:controllers_standby}-1)/{controllers_active}),0)",
            "Active/standby 1, active/active 1/2, scale-out (n-1)/n",
        ),
        Line(
            "lost_whole",
            "A failure takes a whole array or node",
            "flag",
            '=IF(OR({failure_kind}="array",{failure_kind}="none"),1,{node_unit})',
            "Or no failure is survived; 0 = a controller",
        ),
        Line(
            "surviving_ratio",
            "Share of each array left after a loss",
            "ratio",
            "=IF({lost_whole}>0,MIN(1,{array_lost}+{nodes_spare}),{controllers_left_ratio})",
            "0 = no failover; 1 where a whole array or node is lost and others hold its data",
        ),
        Line(
            "survive_login",
            "Logins must hold after one failure",
            "flag",
            '=IF({survive_phases}="work without the login storm",0,1)',
            "Choice on Inputs",
        ),
        Line(
            "survive_all",
            "Every phase must hold after one failure",
            "flag",
            '=IF({survive_phases}="everything",1,0)',
            "Choice on Inputs; else the others are minutes shown, not arrays bought",
        ),
        Line(
            "failover_cap_ratio",
            "Utilisation sizing may plan after one failure",
            "ratio",
            "=IF({card_iops}>0,MIN({rho_cap_ratio},{array:card_utilisation}),{utilisation_cap})",
            "An array from a data sheet keeps no more in reserve than others then; never above the IOPS printed",
        ),
        Line(
            "failover_relief",
            "Ratios after one failure over those before",
            "ratio",
            "={utilisation_cap}/{failover_cap_ratio}",
            "1 but for an array from a data sheet",
        ),
        Group("Latency limit"),
        Line(
            "latency_utilisation",
            "Utilisation at the latency limit",
            "ratio",
            "=IF(AND({base_latency_ms}>0,{latency_limit_ms}>{base_latency_ms}),"
            "(1-{base_latency_ms}/{latency_limit_ms})^(1/{latency_shape}),0)",
            "(1 - S/L)^(1/m); 0 = no base latency, or the limit is not above it",
            output=True,
        ),
        Line(
            "latency_ratio",
            "Supply over the supply within the limit",
            "ratio",
            "=IF({latency_utilisation}>0,{utilisation_cap}/{latency_utilisation},0)",
            "0 = no limit can be told",
        ),
        Line(
            "failover_limit_ratio",
            "Ratios of users at work after one failure over those before",
            "ratio",
            "=MAX({failover_relief},{latency_ratio})",
            "Within their latency limit",
        ),
        Line(
            "boot_latency_utilisation",
            "Utilisation at the latency limit of the boot",
            "ratio",
            "=IF(AND({base_latency_ms}>0,{boot_latency_limit_ms}>{base_latency_ms}),"
            "(1-{base_latency_ms}/{boot_latency_limit_ms})^(1/{latency_shape}),0)",
            "(1 - S/L)^(1/m); 0 = no base latency, or the limit is not above it",
        ),
        Line(
            "boot_latency_ratio",
            "Supply over the supply within the limit of the boot",
            "ratio",
            "=IF({boot_latency_utilisation}>0,{utilisation_cap}/{boot_latency_utilisation},0)",
            "0 = no limit can be told",
        ),
        Line(
            "latency_limit_below",
            "Limit below the array's base latency",
            "flag",
            "=IF(AND({base_latency_ms}>0,{latency_limit_ms}>0,{latency_limit_ms}<={base_latency_ms}),1,0)",
            "No number of arrays cures it",
            output=True,
        ),
        Group("Arrays by constraint, unrounded"),
        *ratio_lines(),
        Line(
            "ratio_largest",
            "Arrays needed, unrounded",
            "arrays",
            f"=MAX(0,{ALL_RATIOS})",
            "Decides the count",
            output=True,
        ),
        Line(
            "binding_constraint",
            "Limited by",
            "text",
            f'=IF({{ratio_largest}}>0,INDEX({ALL_LABELS},MATCH({{ratio_largest}},{ALL_RATIOS},0)),"none")',
            "The largest ratio; ties by the order above; none = nothing to check",
            output=True,
            headline=Headline(2, "Limited by"),
        ),
        Group("What limits next"),
        *rest_lines(),
        Line(
            "next_ratio",
            "Second largest ratio",
            "arrays",
            f"=MAX(0,{REST_RATIOS})",
            "Largest of the rest",
            output=True,
        ),
        Line(
            "next_constraint",
            "Limited next by",
            "text",
            f'=IF({{next_ratio}}>0,INDEX({ALL_LABELS},MATCH({{next_ratio}},{REST_RATIOS},0)),"none")',
            "Comes next when the binding one is relieved; the first of equal ones",
            output=True,
            headline=Headline(3, "Limited next by"),
        ),
        Group("Arrays"),
        Line(
            "arrays_normal",
            "Arrays in normal operation",
            "arrays",
            f"=MAX(1,ROUNDUP(MAX({NORMAL_RATIOS}),0))",
            "The largest ratio but that of a failure, rounded up",
            output=True,
        ),
        Line(
            "ratio_after_failure",
            "Arrays after one failure, unrounded",
            "arrays",
            f"=IF({{surviving_ratio}}>0,{AFTER_FAILURE},{{unit:code_missing}})",
            "As the ratio of a failure, whether it is bought or not",
            output=True,
        ),
        Line(
            "arrays_after_failure",
            "Arrays after one failure",
            "arrays",
            "=IF({ratio_after_failure}<0,{unit:code_missing},MAX({arrays_normal},ROUNDUP({ratio_after_failure},0))+{nodes_spare})",
            "Controller, node or array; what must hold is chosen on Inputs; of nodes everything",
            output=True,
        ),
        *arrays_lines(),
        Line(
            "arrays_required",
            "Arrays required",
            "arrays",
            "=MAX(1,ROUNDUP({ratio_largest},0))+{nodes_spare}",
            "In normal operation, or after one failure if that is bought; nodes that may be lost on top",
            output=True,
        ),
        Line(
            "arrays_loaded",
            "Arrays or nodes required that carry the load",
            "arrays",
            "={arrays_required}-{nodes_spare}",
            "Without the nodes that may be lost",
        ),
        Line(
            "arrays_used",
            "Arrays in the design",
            "arrays",
            "=IF({arrays_installed}>0,{arrays_installed},{arrays_required})",
            "Installed if entered, else required",
            output=True,
        ),
        Line(
            "arrays_fillable",
            "Arrays or nodes in the design that may be filled",
            "arrays",
            "=MAX(0,{arrays_used}-{nodes_spare})",
            "Without the nodes that may be lost",
        ),
        Line(
            "failover_serving",
            "Arrays that serve after one failure",
            "arrays",
            "=MAX(0,{arrays_used}*{surviving_ratio}-{array_lost}-{nodes_spare})",
            "Of the arrays in the design, bought for a failure or not; 0 = nothing is left, or unknown",
            output=True,
        ),
        Line(
            "fits",
            "Arrays in the design suffice",
            "flag",
            "=IF({arrays_fillable}>={ratio_largest},1,0)",
            "Against the unrounded ratio",
            output=True,
        ),
        Line(
            "free_ratio",
            "Capacity left free on the arrays in the design",
            "ratio",
            "=IF({usable_gib}*{arrays_fillable}>0,1-{capacity_required_gib}/MAX(1,{usable_gib}*{arrays_fillable}),0)",
            "EQL section 3.4; 0 where no usable capacity is known",
            output=True,
        ),
        Line(
            "desktops_per_array",
            "Desktops per array",
            "desktops",
            "={provisioned_desktops}/{arrays_used}",
            "Definition",
            output=True,
        ),
        Line(
            "demonstrated_desktops",
            "Desktops demonstrated on one array",
            "desktops",
            "={array:demonstrated_desktops}",
            "All arrays; 0 = nothing published",
            output=True,
        ),
        Line(
            "beyond_evidence",
            "More desktops per array than demonstrated",
            "flag",
            "=IF({desktops_per_array}>{demonstrated_desktops},1,0)",
            "No published evidence beyond that point",
            output=True,
        ),
        *unchecked.ROWS,
        Line(
            "arrays_text",
            "Arrays required, in words",
            "text",
            '=TEXT({arrays_required},"0")&" "&{unit_word}&REPT("s",SIGN({arrays_required}-1))&{container_words}',
            "Count as text, with the arrays that hold containers alone",
            text_lines=1,
        ),
        Line(
            "status_evidence",
            "Reach of the evidence, in words",
            "text",
            '=IF({demonstrated_desktops}>0,REPT("; no evidence beyond "&TEXT({demonstrated_desktops},"0")'
            '&" desktops per "&{unit_word},{beyond_evidence}),"; no published test")',
            "Empty within what was demonstrated",
            text_lines=3,
        ),
        *slower_storms.ROWS,
        *status.ROWS,
        *unchecked.CLOSE_CALL,
        Group("Utilisation"),
        *_utilisations(),
        Line(
            "peak_phase_utilisation",
            "Highest utilisation",
            "ratio",
            f"=MAX({{range:utilisation_{SIZED[0]}:utilisation_{SIZED[-1]}}})",
            "Busiest phase, mean IOPS",
            output=True,
            headline=Headline(6, "Highest utilisation", "#,##0%"),
        ),
        Group("Peaks"),
        *_bursts(),
        Line(
            "peak_utilisation",
            "Highest utilisation in a peak",
            "ratio",
            f"=MAX({_PEAKS})",
            "Mean utilisation x peak over mean; above 1 the peak waits",
            output=True,
        ),
    ),
)

TAB = gridwriter.tab("Sizing", "Arrays required, what binds, what is unchecked", lambda _: SHEET)
