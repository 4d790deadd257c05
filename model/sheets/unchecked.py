"""What could not be checked, by name and with what it would take to matter; and how near the count is to another one.

A figure that nobody published, of the demand or of the array, leaves its constraint unchecked: it is listed, never
passed, and the answer says "at least".
"""

from model.layout.line import Group, Line
from model.sheets.constraints import ALL_RATIOS, DEMAND_RATIOS
from model.sheets.phases import LABELS, PHASES, SIZED

NO_METHOD = ("login", "steady", "logoff")  # phases whose work no method gives
_SHORT = {**LABELS, "steady": "steady"}


def _mix_missing(phase: str) -> Line:
    load = f"{{{phase}_iops}}"
    return Line(
        f"{phase}_mix_missing",
        f"Demand or read share missing in {LABELS[phase]}",
        "flag",
        f'=IF({load}>0,1-SIGN({{{phase}_read_given}}+{{supply_{phase}}}),COUNTIF({load},"=-1"))',
        "A read share is needed where no rating is",
    )


def _block_missing(phase: str) -> Line:
    return Line(
        f"{phase}_block_missing",
        f"Block size missing in {LABELS[phase]}",
        "flag",
        f"=SIGN(MAX(0,{{{phase}_iops}}))*(1-SIGN({{{phase}_block_kib}}))",
        "Without it there is no throughput",
    )


def _named(phase: str) -> Line:
    name = _SHORT[phase]
    return Line(
        f"{phase}_missing",
        f"Missing of {LABELS[phase]}",
        "text",
        f'=REPT("{name} "&IF({{{phase}_iops}}>0,"read share","demand")&", ",{{{phase}_mix_missing}})'
        f'&REPT("{name} block size, ",{{{phase}_block_missing}})',
        "Empty where nothing is",
    )


MISSING: tuple[Line, ...] = (
    *(_mix_missing(phase) for phase in SIZED),
    *(_block_missing(phase) for phase in SIZED),
    *(_named(phase) for phase in SIZED),
)


def _unrated(key: str, label: str, phases: tuple[str, ...]) -> Line:
    parts = [f'REPT("{_SHORT[p]}, ",COUNTIF({{ratio_{p}}},"=-1")-{{{p}_mix_missing}})' for p in phases]
    return Line(key, label, "text", "=" + "&".join(parts), "Names of the phases whose supply is unknown")


def _break_even(phase: str) -> Line:
    desktops = "{active_desktops}*{demand_scale_ratio}"
    return Line(
        f"{phase}_break_even_iops",
        f"An array more, above this in {LABELS[phase]}",
        "IOPS/desktop",
        f"=IF({{{phase}_iops}}={{unit:code_missing}},MAX({{supply_{phase}}},{{mix_{phase}_iops}})*{{arrays_loaded}}"
        f"/MAX(1,{desktops}),{{unit:code_none}})",
        "Where the demand is missing: what the arrays required can serve, all writes if the read share is missing too",
        output=True,
    )


def _above(phase: str) -> str:
    key = f"{{{phase}_break_even_iops}}"
    return f'REPT("{LABELS[phase]} above "&TEXT({key},"0")&", ",SIGN(MAX(0,{key})))'


ROWS: tuple[Line | Group, ...] = (
    Group("What could not be checked"),
    Line(
        "unchecked_count",
        "Constraints not checked",
        "count",
        f'=COUNTIF({ALL_RATIOS},"=-1")+SUM({{range:provisioning_block_missing:scheduled_block_missing}})'
        "+{container_missing_count}+{container_unrated_count}",
        "A missing demand, rating or block size is listed, never passed",
        output=True,
    ),
    Line(
        "unchecked_phases",
        "Missing of the desktops' demand",
        "text",
        "=" + "&".join(f"{{{phase}_missing}}" for phase in PHASES),
        "All phases of a desktop's life",
        text_lines=5,
    ),
    Line(
        "unchecked_demand",
        "Missing of the demand",
        "text",
        "={unchecked_phases}&{scheduled_missing}&{container_missing}&{method_missing}",
        "Desktops, and containers where they stand on this or another array",
        text_lines=5,
    ),
    _unrated("unchecked_first", "No rating, first part", ("provisioning", "boot")),
    _unrated("unchecked_second", "No rating, second part", ("login", "steady")),
    _unrated("unchecked_third", "No rating, third part", ("logoff", "patching")),
    Line(
        "unchecked_fourth",
        "No rating, fourth part",
        "text",
        '=REPT("throughput, ",COUNTIF({ratio_throughput},"=-1"))&REPT("latency, ",COUNTIF({ratio_latency},"=-1"))'
        '&REPT("failover, ",COUNTIF({ratio_failover},"=-1"))',
        "Names of the constraints whose supply is unknown",
    ),
    Line(
        "unchecked_fifth",
        "No rating, fifth part",
        "text",
        '=REPT("scheduled load, ",COUNTIF({ratio_scheduled},"=-1")-{scheduled_mix_missing})'
        '&REPT("processors, ",COUNTIF({ratio_vms_per_node},"=-1"))',
        "A scheduled load; of nodes how many virtual machines one carries",
        text_lines=1,
    ),
    Line(
        "unchecked_ratings",
        "Missing of the supply",
        "text",
        '=REPT("capacity, ",COUNTIF({ratio_capacity},"=-1"))&{unchecked_first}&{unchecked_second}&{unchecked_third}'
        "&{unchecked_fourth}&{unchecked_fifth}&{container_unrated}",
        "All constraints, those of an array for containers too",
        text_lines=4,
    ),
    Line(
        "constraints_unchecked",
        "Not checked",
        "text",
        "=IF({unchecked_count}>0,{unchecked_demand}&{unchecked_ratings}"
        '&CHOOSE(1+SIGN(LEN({unchecked_demand})),"enter a rating","enter the figures"),"none")',
        "Enter the figure on the array's or the profile's row to check them",
        output=True,
        text_lines=5,
    ),
    *(_break_even(phase) for phase in NO_METHOD),
    *(
        Line(
            f"{phase}_break_even",
            f"An array more for {LABELS[phase]}, in words",
            "text",
            f"={_above(phase)}",
            "Empty where the demand is known",
        )
        for phase in NO_METHOD
    ),
    Line(
        "unchecked_matters",
        "What unchecked demand would take to add an array",
        "text",
        "=IF(MAX({range:login_break_even_iops:logoff_break_even_iops})>0,{login_break_even}&{steady_break_even}"
        '&{logoff_break_even}&"IOPS per desktop","none")',
        "The figures above, in words",
        output=True,
        text_lines=4,
    ),
)

CLOSE_CALL: tuple[Line | Group, ...] = (
    Group("Close call"),
    Line(
        "ratio_demand",
        "Largest ratio that demand sets",
        "arrays",
        f"=MAX(0,{DEMAND_RATIOS})",
        "All but the least nodes of a cluster",
    ),
    Line(
        "close_more_ratio",
        "Demand more until another array is needed",
        "ratio",
        "=IF({ratio_demand}>0,{arrays_loaded}/{ratio_demand}-1,1)",
        "Of the binding constraint; 1 = nothing binds",
    ),
    Line(
        "close_less_ratio",
        "Demand less until an array fewer does",
        "ratio",
        "=IF({arrays_loaded}>MAX(1,{least_nodes}),1-({arrays_loaded}-1)/{ratio_demand},1)",
        "Of the binding constraint; 1 = one array already",
    ),
    Line(
        "close_more",
        "Another array is nearer than one fewer",
        "flag",
        "=IF({close_more_ratio}<={close_less_ratio},1,0)",
        "The nearer of the two",
    ),
    Line(
        "close_words",
        "The nearer count, in words",
        "text",
        '=TEXT({arrays_required}-1+{close_more}+{close_more},"0")&" with "&TEXT('
        'MIN({close_more_ratio},{close_less_ratio}),"0%")&" "&CHOOSE(1+{close_more},"less","more")',
        "Of the binding constraint",
    ),
    Line(
        "close_call",
        "Close call",
        "text",
        '=IF(MIN({close_more_ratio},{close_less_ratio})<={unit:close_call_ratio},{close_words},"no")',
        "The need lies within 10 % of a whole number of arrays",
        output=True,
    ),
)
