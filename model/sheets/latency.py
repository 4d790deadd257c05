"""Latency: what users see at the arrays in the design, what a failure does to it, and how many desktops still fit.

R = S / (1 - rho^m). Where no latency is known a text says why; no formula reads those texts as numbers.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets import break_even
from model.sheets.constraints import GROWING_RATIOS, IOPS_RATIOS, SEEN_RATIOS
from model.sheets.phases import LABELS

_SECOND = "1/{unit:seconds_per_minute}"
_CURVE = "{base_latency_ms}/(1-%s^{latency_shape})"


def _seen(phase: str) -> Line:
    """Return the latency in a phase, at its mean utilisation."""
    rho = f"{{utilisation_{phase}}}"
    return Line(
        f"{phase}_latency_ms",
        f"Latency in {LABELS[phase]}",
        "ms",
        f"=IF(AND({{base_latency_ms}}>0,{{ratio_{phase}}}>=0,{rho}<1),{_CURVE % rho},{{latency_state}})",
        "At its mean IOPS, in normal operation",
        output=True,
    )


def _after(phase: str) -> Line:
    """Return the utilisation in a phase after one failure."""
    return Line(
        f"failover_utilisation_{phase}",
        f"Utilisation in {LABELS[phase]} after one failure",
        "ratio",
        f"=IF({{failover_serving}}>0,MAX(0,{{ratio_{phase}}})*{{utilisation_cap}}/{{failover_serving}},1)",
        "The same demand on what is left; 1 where nothing is left, or nothing known",
        output=True,
    )


def _seen_after(phase: str) -> Line:
    """Return the latency in a phase after one failure."""
    rho = f"{{failover_utilisation_{phase}}}"
    return Line(
        f"failover_{phase}_latency_ms",
        f"Latency in {LABELS[phase]} after one failure",
        "ms",
        f"=IF(AND({{base_latency_ms}}>0,{{ratio_{phase}}}>=0,{rho}<1),{_CURVE % rho},{{failover_state}})",
        "At its mean IOPS, on what is left",
        output=True,
    )


def _carried(phase: str) -> tuple[Line, Line]:
    """Return how many I/Os of a timed phase the arrays can carry a minute, by IOPS and by throughput."""
    load, moved, supply = f"{{{phase}_iops}}", f"{{throughput_{phase}}}", f"{{supply_{phase}}}"
    limit = "/MAX(1,{boot_latency_ratio})" if phase == "boot" else ""
    return (
        Line(
            f"{phase}_rated_iops",
            f"IOPS in {LABELS[phase]} that the throughput rating allows",
            "IOPS",
            f"=IF(MIN({moved},{{throughput_rating}})>0,{{throughput_rating}}*{load}/{moved},{supply})",
            "Of one array; its supply where no rating is known",
        ),
        Line(
            f"{phase}_minute_ios",
            f"I/Os in {LABELS[phase]} that the arrays carry a minute",
            "I/O",
            f"=MIN({supply}{limit},{{{phase}_rated_iops}})*{{arrays_fillable}}*{{unit:seconds_per_minute}}",
            "The smaller of the two; 0 = unknown",
        ),
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
        Group("The same demand after one failure"),
        Line(
            "failover_share",
            "Share of the arrays left",
            "ratio",
            "={failover_serving}/{arrays_used}",
            "Of the arrays in the design, whether it is bought or not; 0 = nothing is left, or unknown",
        ),
        Line(
            "failover_state",
            "Where no latency can be told after one failure",
            "text",
            '=IF({failover_share}>0,{latency_state},"no failover known")',
            "Stands in place of the number",
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
        *(_after(phase) for phase in ("boot", "login", "steady")),
        Line(
            "survive_ratio",
            "Largest ratio of IOPS that must hold",
            "arrays",
            f"=MAX(0,{{ratio_steady}},{{ratio_login}}*{{survive_login}},{{survive_all}}*MAX({IOPS_RATIOS}))",
            "Phases chosen on Inputs",
        ),
        Line(
            "failover_utilisation",
            "Highest utilisation after one failure",
            "ratio",
            '=IF({failover_share}>0,{survive_ratio}*{utilisation_cap}/{failover_serving},"no failover known")',
            "Of what must hold; above 1 the survivors cannot carry it",
            output=True,
        ),
        _seen_after("login"),
        _seen_after("steady"),
        Line(
            "failover_user_utilisation",
            "Utilisation users meet after one failure",
            "ratio",
            "=MAX({range:failover_utilisation_login:failover_utilisation_steady})",
            "Busier of login and steady work; 1 where nothing is left",
        ),
        Line(
            "failover_latency_ms",
            "Latency after one failure",
            "ms",
            "=IF(AND({base_latency_ms}>0,{failover_user_utilisation}<1),"
            f"{_CURVE % '{failover_user_utilisation}'},{{failover_state}})",
            "Busier of login and steady work",
            output=True,
        ),
        Group("Room: share of the arrays that one more desktop takes"),
        Line(
            "growing_storms",
            "Largest ratio of a storm that others work in",
            "arrays",
            "=MAX(0,SIGN({boot_active_ratio})*{ratio_boot},SIGN({patching_active_ratio})*{ratio_patching})",
            "Those at work meanwhile grow with the desktops; 0 = nobody is",
        ),
        Line(
            "growing_ratio",
            "Largest ratio that grows with the desktops",
            "arrays",
            f"=MAX(0,{GROWING_RATIOS},MAX({SEEN_RATIOS})*{{latency_ratio}},{{growing_storms}})",
            "Login, steady work, log-off, scheduled load, machines a node carries; storms where others are at work",
        ),
        Line(
            "growing_throughput",
            "Throughput that grows with the desktops",
            "MB/s",
            "=MAX(0,{range:throughput_login:throughput_logoff},{throughput_scheduled})",
            "The same phases",
        ),
        Line(
            "growing_per_desktop",
            "By what grows with the desktops",
            "ratio",
            "=MAX({growing_ratio},{growing_throughput}/MAX(1,{throughput_rating})*SIGN({throughput_rating}))"
            "/(MAX(1,{arrays_fillable})*{provisioned_desktops})",
            "Larger of IOPS and throughput, over arrays and desktops",
        ),
        *_carried("boot"),
        Line(
            "boot_rate_cap",
            "Starts a minute, however many desktops",
            "desktops/min",
            "=IF({starts_at_once}*{boot_tail_min}>0,MIN({start_rate_per_min},{starts_at_once}/{boot_tail_min}),"
            "{start_rate_per_min})",
            "Start throttle and starts at once; hosts grow with the desktops",
        ),
        Line(
            "boot_least_min",
            "Minutes of the boot, however few desktops",
            "min",
            f"=MAX({{boot_tail_min}},{{boot_given_min}},{_SECOND})",
            "One boot, or the minutes wanted",
        ),
        Line(
            "boot_per_desktop",
            "By the boot",
            "ratio",
            "=IF(AND({boot_minute_ios}>0,{boot_rate_cap}*{boot_ios}>{boot_minute_ios}),"
            "{boot_ios}*{boot_desktops}/({provisioned_desktops}*{boot_minute_ios}*{boot_least_min}),0)",
            "0 = the arrays carry every start, or nobody knows: more desktops only take longer",
        ),
        *_carried("provisioning"),
        Line(
            "provisioning_minute_rate",
            "Deployments that the arrays carry a minute",
            "desktops/min",
            "=IF(MIN({provisioning_iops},{provisioning_minute_ios})>0,"
            "{provisioning_minute_ios}/({provisioning_work_ios}*{demand_scale_ratio}),{provision_rate_per_min})",
            "By their I/Os; the rate where there is no work or no supply figure",
        ),
        Line(
            "provisioning_per_desktop",
            "By the deployment",
            "ratio",
            "=IF(AND({provisioning_minute_ios}>0,{provision_rate_per_min}>{provisioning_minute_rate}),"
            f"{{vms_per_user}}/({{provisioning_minute_rate}}*MAX({{provision_wanted_min}},{_SECOND})),0)",
            "0 = the arrays carry the rate, or nobody knows: more desktops only take longer",
        ),
        *_carried("patching"),
        Line(
            "patching_stream_rate",
            "Minutes the streams add per desktop",
            "min",
            "={patch_delay_s}/({patch_streams}*{unit:seconds_per_minute})*{vms_per_user}",
            "More desktops are patched longer",
        ),
        Line(
            "patching_ios",
            "I/Os of patching at the arrays, per desktop",
            "I/O/desktop",
            "=MAX(0,{patching_work_ios})*{demand_scale_ratio}*{vms_per_user}",
            "Scaled like every phase; 0 while unknown",
        ),
        Line(
            "patching_per_desktop",
            "By patching",
            "ratio",
            "=IF(MIN({patching_iops},{patching_minute_ios})>0,MAX(0,{patching_ios}/{patching_minute_ios}"
            f"-{{patching_stream_rate}})/MAX({{patch_tail_min}},{_SECOND}),0)",
            "Minutes its I/Os need less those that streams add, over the tail",
        ),
        Line(
            "patching_wanted_per_desktop",
            "By patching in the minutes wanted",
            "ratio",
            "=IF({patch_wanted_min}*{patching_minute_ios}>0,{patching_ios}/({patching_minute_ios}*{patch_wanted_min}),1)",
            "The smaller of the two counts; 1 = none wanted",
        ),
        Line(
            "failover_per_desktop",
            "By what must hold after one failure",
            "ratio",
            "=IF({failover_serving}>0,MAX(0,{ratio_failover}-{array_lost})*{surviving_ratio}"
            "/({failover_serving}*{provisioned_desktops}),{failover_asked}*{array_lost})",
            "If it is bought",
        ),
        Line(
            "capacity_known",
            "Physical capacity per desktop, where usable capacity is known",
            "GiB",
            "=SIGN({usable_after_headroom_gib})*{desktop_physical_gib}",
            "0 = capacity sets no limit",
        ),
        Line(
            "performance_per_desktop",
            "By performance",
            "ratio",
            "=MAX({growing_per_desktop},{boot_per_desktop},{provisioning_per_desktop},"
            "MIN({patching_per_desktop},{patching_wanted_per_desktop}),{failover_per_desktop})",
            "The largest",
        ),
        Group("Room"),
        Line(
            "desktops_by_performance",
            "Desktops by performance",
            "desktops",
            "=IF({performance_per_desktop}>0,1/{performance_per_desktop},0)",
            "One over the share; 0 = sets no limit",
        ),
        Line(
            "desktops_by_space",
            "Desktops by capacity",
            "desktops",
            "=IF({capacity_known}>0,MAX(0,{usable_after_headroom_gib}*({arrays_fillable}-{failover_asked}*{array_lost})"
            "-{images_physical_gib})/{capacity_known},0)",
            "EQL section 6.3 for all arrays left",
        ),
        Line(
            "desktops_by_supply",
            "Desktops by performance and capacity",
            "desktops",
            "=MIN(CHOOSE(1+SIGN({performance_per_desktop}),{desktops_by_space},{desktops_by_performance}),"
            "CHOOSE(1+SIGN({capacity_known}),{desktops_by_performance},{desktops_by_space}))",
            "The smaller of those that are checked; 0 = none is",
        ),
        Line(
            "desktops_by_fault_domain",
            "Desktops by fault domain",
            "desktops",
            "={most_desktops_per_array}*{arrays_fillable}",
            "Most desktops on one array, on the arrays in the design; 0 = no limit",
        ),
        Line(
            "desktops_at_limit",
            "Desktops at the limit",
            "desktops",
            "=ROUNDDOWN(IF({desktops_by_fault_domain}>0,MIN({desktops_by_fault_domain},"
            "CHOOSE(1+SIGN({performance_per_desktop}+{capacity_known}),{desktops_by_fault_domain},{desktops_by_supply})),"
            "{desktops_by_supply}),0)",
            "The smallest of those that are checked; 0 = none is",
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
        *break_even.ROWS,
    ),
)

TAB = gridwriter.tab("Latency", "Latency, failover and how many desktops still fit", lambda _: SHEET)
