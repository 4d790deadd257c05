"""Sizing: unrounded demand over supply for every constraint, then the arrays, what binds and what comes next."""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets.performance import LABELS, PHASES

CONSTRAINTS = ("capacity", *PHASES, "throughput", "latency", "failover")
_NAMES = {**LABELS, "capacity": "capacity", "throughput": "throughput", "latency": "latency", "failover": "failover"}


def _title(constraint: str) -> str:
    name = _NAMES[constraint]
    suffix = " IOPS" if constraint in PHASES else ""
    return name[0].upper() + name[1:] + suffix


def _ratios() -> list[Line]:
    """Return one unrounded ratio of demand to supply per constraint; -1 marks demand without a supply figure."""
    moved = "MAX({range:throughput_provisioning:throughput_patching})"
    formulas = {
        "capacity": "=IF({usable_after_headroom_gib}>0,"
        "{capacity_required_gib}/{usable_after_headroom_gib},-SIGN({capacity_required_gib}))",
        "throughput": f"=IF({{throughput_rating}}>0,{moved}/{{throughput_rating}},-SIGN({moved}))",
        "latency": "=IF({latency_utilisation}>0,MAX(0,{range:ratio_login:ratio_steady})*{utilisation_cap}"
        "/{latency_utilisation},-SIGN({login_iops}+{steady_iops}))",
        "failover": "=IF({surviving_ratio}>0,{failover_asked}*({array_lost}+MAX(0,{array_lost}*{ratio_capacity},"
        "{range:ratio_provisioning:ratio_latency})/{surviving_ratio}),-{failover_asked})",
    }
    formulas |= {p: f"=IF({{supply_{p}}}>0,{{{p}_iops}}/{{supply_{p}}},-SIGN({{{p}_iops}}))" for p in PHASES}
    basis = {
        "capacity": "Required over usable after headroom",
        "throughput": "Largest phase over the rating",
        "latency": "Login and steady work over the supply within the limit",
        "failover": "Largest ratio on what survives; a lost array is one more",
    }
    return [
        Line(
            f"ratio_{c}",
            _title(c),
            "arrays",
            formulas[c],
            basis.get(c, "Demand over one array's supply") + "; -1 = unchecked",
            output=True,
        )
        for c in CONSTRAINTS
    ]


def _if_unchecked(constraint: str) -> str:
    """Return the expression that gives the constraint's name and a comma, or nothing where it is checked."""
    return f'REPT("{_NAMES[constraint]}, ",COUNTIF({{ratio_{constraint}}},"<0"))'


def _list(key: str, label: str, names: tuple[str, ...]) -> Line:
    parts = "&".join(_if_unchecked(n) for n in names)
    return Line(key, label, "text", f"={parts}", "Names of the constraints with ratio -1")


def _bursts() -> list[Line]:
    return [
        Line(
            f"burst_{p}",
            f"Peak over mean in {LABELS[p]}",
            "ratio",
            f"=IF({{burst_ratio}}>0,{{burst_ratio}},MAX(1,SUM(INDEX({{profile:burst_ratio:{p}}},{{profile_row}}))))",
            "Entered, else the profile's; 1 where it prints one of them only",
        )
        for p in PHASES
    ]


def _utilisations() -> list[Line]:
    return [
        Line(
            f"utilisation_{p}",
            f"Utilisation in {LABELS[p]}",
            "ratio",
            f"=MAX(0,{{ratio_{p}}})*{{utilisation_cap}}/{{arrays_serving}}",
            "Demand over supply of the arrays in use, after a loss if asked",
            output=True,
        )
        for p in PHASES
    ]


_ALL_LABELS, _ALL_RATIOS = "{labels:ratio_capacity:ratio_failover}", "{range:ratio_capacity:ratio_failover}"
_PEAKS = ",".join(f"{{utilisation_{p}}}*{{burst_{p}}}" for p in PHASES)

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
            "=SUM(INDEX({arrays:controllers_active},{array_row}))",
            "Arrays sheet; 0 = not printed",
        ),
        Line(
            "array_lost",
            "Arrays lost",
            "arrays",
            '=IF(AND(INDEX({arrays:failover_kind},{array_row})="array",{replicated}="yes"),1,0)',
            "A lost array counts only if its data stand on another one",
        ),
        Line(
            "controllers_left_ratio",
            "Share of controllers left",
            "ratio",
            "=IF({controllers_active}>0,"
            "MIN(1,({controllers_active}+SUM(INDEX({arrays:controllers_standby},{array_row}))-1)/{controllers_active}),0)",
            "Active/standby 1, active/active 1/2, scale-out (n-1)/n",
        ),
        Line(
            "surviving_ratio",
            "Share of each array left after a loss",
            "ratio",
            '=IF(OR(INDEX({arrays:failover_kind},{array_row})="array",'
            'INDEX({arrays:failover_kind},{array_row})="none"),{array_lost},{controllers_left_ratio})',
            "0 = no failover; 1 where a whole array is lost and others hold its data",
        ),
        Line(
            "surviving_used",
            "Share of each array the design counts on",
            "ratio",
            "=IF({failover_asked}*{surviving_ratio}>0,{surviving_ratio},1)",
            "1 in normal operation",
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
            "latency_limit_below",
            "Limit below the array's base latency",
            "flag",
            "=IF(AND({base_latency_ms}>0,{latency_limit_ms}>0,{latency_limit_ms}<={base_latency_ms}),1,0)",
            "No number of arrays cures it",
            output=True,
        ),
        Group("Arrays by constraint, unrounded"),
        *_ratios(),
        Line(
            "ratio_largest",
            "Largest ratio",
            "arrays",
            "=MAX(0,{range:ratio_capacity:ratio_failover})",
            "Decides the count",
            output=True,
        ),
        Line(
            "binding_constraint",
            "Binding constraint",
            "text",
            "=IF({ratio_largest}>0,INDEX({labels:ratio_capacity:ratio_failover},"
            'MATCH({ratio_largest},{range:ratio_capacity:ratio_failover},0)),"none")',
            "The largest ratio; ties by the order above; none = nothing to check",
            output=True,
        ),
        Group("Next constraint"),
        Line(
            "next_ratio",
            "Second largest ratio",
            "arrays",
            f"=SUMPRODUCT(MAX(0,({_ALL_LABELS}<>{{binding_constraint}})*{_ALL_RATIOS}))",
            "Largest of the rest",
            output=True,
        ),
        Line(
            "next_constraint",
            "Next constraint",
            "text",
            f"=IF({{next_ratio}}>0,INDEX({_ALL_LABELS},SUMPRODUCT(MATCH({{next_ratio}},"
            f'({_ALL_LABELS}<>{{binding_constraint}})*{_ALL_RATIOS},0))),"none")',
            "Comes next when the binding one is relieved; the first of equal ones",
            output=True,
        ),
        Group("Arrays"),
        Line(
            "arrays_for_capacity",
            "Arrays for capacity",
            "arrays",
            "=ROUNDUP(MAX(0,{ratio_capacity}),0)",
            "Rounded up; 0 = unchecked",
            output=True,
        ),
        Line(
            "arrays_for_iops",
            "Arrays for IOPS",
            "arrays",
            "=ROUNDUP(MAX(0,{range:ratio_provisioning:ratio_patching}),0)",
            "Rounded up; 0 = unchecked",
            output=True,
        ),
        Line(
            "arrays_for_throughput",
            "Arrays for throughput",
            "arrays",
            "=ROUNDUP(MAX(0,{ratio_throughput}),0)",
            "Rounded up; 0 = unchecked",
            output=True,
        ),
        Line(
            "arrays_for_latency",
            "Arrays for latency",
            "arrays",
            "=ROUNDUP(MAX(0,{ratio_latency}),0)",
            "Rounded up; 0 = unchecked",
            output=True,
        ),
        Line(
            "arrays_for_failover",
            "Arrays to survive a failure",
            "arrays",
            "=ROUNDUP(MAX(0,{ratio_failover}),0)",
            "Rounded up; 0 = not asked or unchecked",
            output=True,
        ),
        Line(
            "arrays_required",
            "Arrays required",
            "arrays",
            "=MAX(1,ROUNDUP({ratio_largest},0))",
            "The largest ratio, rounded up",
            output=True,
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
            "arrays_serving",
            "Arrays that serve, after a loss if asked",
            "arrays",
            "=IF({arrays_used}>{failover_asked}*{array_lost},"
            "{arrays_used}*{surviving_used}-{failover_asked}*{array_lost},{arrays_used})",
            "All of a single array: its loss leaves nothing",
        ),
        Line(
            "fits",
            "Arrays in the design suffice",
            "flag",
            "=IF({arrays_used}>={ratio_largest},1,0)",
            "Against the unrounded ratio",
            output=True,
        ),
        Line(
            "free_ratio",
            "Capacity left free on the arrays in the design",
            "ratio",
            "=IF({usable_gib}>0,1-{capacity_required_gib}/({usable_gib}*{arrays_used}),0)",
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
            "=SUM(INDEX({arrays:demonstrated_desktops},{array_row}))",
            "Arrays sheet; 0 = nothing published",
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
        Group("What could not be checked"),
        Line(
            "unchecked_count",
            "Constraints unchecked",
            "count",
            '=COUNTIF({range:ratio_capacity:ratio_failover},"<0")',
            "A missing rating is listed, never passed",
            output=True,
        ),
        _list("unchecked_first", "Unchecked, first part", ("capacity", "provisioning", "boot")),
        _list("unchecked_second", "Unchecked, second part", ("login", "steady", "logoff")),
        _list("unchecked_third", "Unchecked, third part", ("patching", "throughput", "latency")),
        Line(
            "constraints_unchecked",
            "Constraints unchecked, by name",
            "text",
            "=IF({unchecked_count}>0,{unchecked_first}&{unchecked_second}&{unchecked_third}&"
            f'{_if_unchecked("failover")}&"enter a rating","none")',
            "Enter the figure on the array's row to check them",
            output=True,
        ),
        Line(
            "arrays_text",
            "Arrays required, in words",
            "text",
            '=TEXT({arrays_required},"0")&" array"&REPT("s",SIGN({arrays_required}-1))',
            "Count as text",
        ),
        Line(
            "status_evidence",
            "Reach of the evidence, in words",
            "text",
            '=IF({demonstrated_desktops}>0,REPT("; no evidence beyond "&TEXT({demonstrated_desktops},"#,##0")'
            '&" desktops per array",{beyond_evidence}),"; no published test")',
            "Empty within what was demonstrated",
        ),
        Line(
            "status",
            "Answer",
            "text",
            '=IF({fits}>0,REPT("at least ",SIGN({unchecked_count}))&{arrays_text},"does not fit: needs "&{arrays_text})'
            '&{status_evidence}&REPT("; latency limit below S",{latency_limit_below})',
            "Count, what is missing and how far the evidence reaches",
            output=True,
        ),
        Group("Utilisation"),
        *_utilisations(),
        Line(
            "peak_phase_utilisation",
            "Highest utilisation",
            "ratio",
            "=MAX({range:utilisation_provisioning:utilisation_patching})",
            "Busiest phase, mean IOPS",
            output=True,
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
