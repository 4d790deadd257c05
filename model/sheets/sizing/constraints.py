"""What can decide the number of arrays. A constraint is one entry below: every row that lists constraints follows."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from model.layout.line import Line
from model.sheets.catalogue.phases import (
    LABELS,
    LOADED,
    PACED,
    SCHEDULED,
    SHORT,
    SIZED,
    TOGETHER,
    capitalised,
)


@dataclass(frozen=True)
class Constraint:
    """Unrounded demand over the supply of one array; the formula gives -1 where demand or supply is missing.

    `arrays_for` is the row that rounds it up, shared by those of one name, `arrays_label` its label; `zero` what 0
    stands for there. `rating` is what the answer calls the figure of the array that is missing, else its name.
    """

    key: str
    label: str
    formula: str
    basis: str
    name: str = ""
    arrays_for: str = ""
    arrays_label: str = ""
    zero: str = "unchecked"
    rating: str = ""

    @property
    def ratio(self) -> str:
        """Return the key of its line on Sizing."""
        return f"ratio_{self.key}"

    @property
    def in_words(self) -> str:
        """Return its name inside a sentence."""
        return self.name or self.label.lower()


def ratios(chosen: Iterable[str], among: Iterable[str]) -> str:
    """Return the ratios of some constraints for a formula's brackets: neighbours among all of them as one range."""
    wanted, parts = set(chosen), []
    for inside, run in groupby(among, wanted.__contains__):
        if inside:
            first, *rest = run
            parts.append(f"{{range:ratio_{first}:ratio_{rest[-1]}}}" if rest else f"{{ratio_{first}}}")
    return ",".join(parts)


_SEEN = (
    "{range:ratio_login:ratio_steady},{ratio_together}"  # users wait: logins, those that meet a boot too, steady work
)


def _phase(phase: str) -> Constraint:
    """Return the constraint of a phase by its IOPS."""
    return Constraint(
        phase,
        f"{capitalised(LABELS[phase])} IOPS",
        f"=IF({{load_{phase}}}>0,CHOOSE(1+SIGN({{supply_{phase}}}),{{unit:code_missing}},"
        f"{{load_{phase}}}/{{supply_{phase}}}),{{load_{phase}}})",
        "Demand over one array's supply",
        name=LABELS[phase],
        arrays_for="IOPS",
        rating=SHORT[phase],
    )


def worked_in(need: str, logoff_need: str, fixed: str = "") -> str:
    """Return the largest need among the phases that some users work in; `{0}` stands for the phase in its key."""
    parts = (
        f"SIGN({{{fixed}{phase}_active_ratio}})*{{{(logoff_need if phase == 'logoff' else need).format(phase)}}}"
        for phase in LOADED
    )
    return f"MAX(0,{','.join(parts)})"


_ON_ALL_ARRAYS = (
    Constraint(
        "capacity",
        "Capacity",
        "=IF({checked_gib}>0,{capacity_required_gib}/{checked_gib},"
        "CHOOSE(1+SIGN({capacity_required_gib}+{capacity_untold}),0,{unit:code_missing}))",
        "Required over usable after headroom",
    ),
    *map(_phase, SIZED),
    replace(_phase(TOGETHER), label=capitalised(LABELS[TOGETHER])),
    Constraint(
        "throughput",
        "Throughput",
        "=IF({throughput_largest}>0,"
        "CHOOSE(1+SIGN({throughput_rating}),{unit:code_missing},{throughput_largest}/{throughput_rating}),0)",
        "Largest phase over the rating",
    ),
    Constraint(
        "latency",
        "Latency",
        f"=IF({{latency_utilisation}}>0,MAX(0,{{ratio_boot}}*{{boot_latency_ratio}},MAX({_SEEN})*{{latency_ratio}}),"
        "CHOOSE(1+OR({login_iops}>0,{steady_iops}>0),0,{unit:code_missing}))",
        "Boot, login and steady work over the supply within their limits",
    ),
    Constraint(
        "at_work",
        "Latency of users in other phases",
        f"={worked_in('ratio_{0}', 'ratio_{0}')}*{{latency_ratio}}",
        "Of those at work during boot, log-off, patching or scheduled load, within their limit",
        zero="no one is at work then, or unchecked with the row above",
    ),
)
_NORMAL_KEYS = tuple(each.key for each in _ON_ALL_ARRAYS)
_FAULT_DOMAIN, _LEAST, _FAILOVER = "fault_domain", "least_nodes", "failover"
_NOTHING_LEFT = (  # no rating checks it: the words say what is missing
    f"=IF({{ratio_{_FAILOVER}}}<0,{{label:unrated_{_FAILOVER}}}"
    '&REPT(": no second controller",(1-{lost_whole})*{own_array})'
    '&REPT(": no replica or node to lose",{lost_whole})&", ","")'
)
_NODES = ("vms_per_node", _LEAST)
# arrays for what must hold after one failure: users at work within their limit, or every phase
AFTER_FAILURE = (  # what is read once stands first: the sheet Growth keeps its figures in rows of few digits
    "MAX({users_moved},{ratio_steady}*{failover_limit_ratio},MAX({ratio_login},{ratio_together})*{failover_login_ratio},"
    f"{{survive_all}}*MAX({{failover_relief}}*MAX({ratios(SIZED, SIZED)}),{{range:ratio_throughput:ratio_at_work}}),"
    "{array_lost}*{ratio_capacity})/{surviving_ratio}+{array_lost}"
)
AFTER_ONE = "After one failure"  # shown as the constraint that limits then, such as "Latency, after one failure"
_HOLDS = {
    TOGETHER: "{fixed:survive_login}",
    "login": "{fixed:survive_login}",
    "steady": "1",
}  # what must hold; the others only where everything must


def _after(key: str) -> str:
    """Return what a phase needs after one failure, by its IOPS."""
    needed = f"MAX(0,{{ratio_{key}}})*{{fixed:failover_relief}}/{{fixed:surviving_ratio}}"
    return f"{_HOLDS.get(key, '{fixed:survive_all}')}*({{fixed:array_lost}}+{needed})"


AFTER = {  # the same by constraint, where anything survives: what is in AFTER_FAILURE is their largest
    "capacity": "{fixed:array_lost}*(1+MAX(0,{ratio_capacity}))",
    **{key: _after(key) for key in SIZED},  # as far below their ratios as one another: they share formulas
    TOGETHER: _after(TOGETHER),
    "throughput": "{array_lost}+MAX({users_moved},{survive_all}*{ratio_throughput})/{fixed:surviving_ratio}",
    "latency": "{array_lost}+MAX(0,MAX({ratio_steady},MAX({ratio_login},{ratio_together})*{survive_login})"
    "*{latency_ratio},{survive_all}*MAX({range:ratio_latency:ratio_at_work}))/{fixed:surviving_ratio}",
}
CONSTRAINTS = (
    *_ON_ALL_ARRAYS,
    Constraint(  # of normal operation: nobody asks how many desktops a second failure would stop
        _FAULT_DOMAIN,
        "Fault domain",
        "=IF({most_desktops_per_array}>0,{provisioned_desktops}*(1-{no_array})/{most_desktops_per_array},0)",
        "Desktops provisioned over the most that one array may hold; 0 = no limit",
        arrays_label="Arrays by fault domain",
        zero="no limit",
    ),
    Constraint(
        _NODES[0],
        "VMs per node",
        "=IF({vms_per_node}>0,{machines_here}/{vms_per_node},CHOOSE(1+{node_unit}*{disks_here},0,{unit:code_missing}))",
        "Virtual machines over those a node carries; 0 = the unit is an array",
        arrays_label="Nodes by VMs per node",
        zero="an array, or unchecked",
        rating="processors",
    ),
    Constraint(
        _LEAST,
        "Min. nodes",
        "=SUM({least_nodes})",
        "Of a cluster at any load, less those that may be lost; 0 = the unit is an array",
        arrays_label="Nodes of the smallest cluster, less those that may be lost",
        zero="an array, or none entered",
    ),
    Constraint(
        _FAILOVER,
        AFTER_ONE,
        f"=IF({{failover_counts}}>0,{AFTER_FAILURE},{{failover_counts}})",
        "What must hold, on the surviving arrays; a lost array adds one",
        name="failover",
        arrays_label="Arrays to survive a failure",
        zero="not required or unchecked",
    ),
)
_KEYS = tuple(each.key for each in CONSTRAINTS)
NORMAL_RATIOS = ratios((*_NORMAL_KEYS, _FAULT_DOMAIN, *_NODES), _KEYS)
DEMAND_RATIOS = ratios((key for key in _KEYS if key not in (_LEAST, _FAILOVER)), _KEYS)  # all that grow with the load
GROWING_RATIOS = ratios(
    (TOGETHER, "login", "steady", "logoff", SCHEDULED, "at_work", _NODES[0]), _KEYS
)  # with the desktops, whatever throttles there are
IOPS_RATIOS = ratios((*SIZED, TOGETHER), _KEYS)
SEEN_RATIOS = ratios(("login", "steady"), _KEYS)
ALL_RATIOS = ratios(_KEYS, _KEYS)
_APART = ("throughput", "latency")  # of several phases: where a phase is left out, the others are taken by themselves
WITHOUT_BOOT_RATIOS = ratios((key for key in _KEYS if key not in ("boot", *_APART)), _KEYS)
WITHOUT_PACED_RATIOS = ratios((key for key in _KEYS if key not in (*PACED, TOGETHER, *_APART)), _KEYS)
REST_RATIOS = f"{{range:rest_{_KEYS[0]}:rest_{_KEYS[-1]}}}"
ALL_LABELS = f"{{labels:{CONSTRAINTS[0].ratio}:{CONSTRAINTS[-1].ratio}}}"
_AFTER_ENDS = f"after_{next(iter(AFTER))}:after_{list(AFTER)[-1]}"
AFTER_RANGE, AFTER_LABELS = f"{{range:{_AFTER_ENDS}}}", f"{{labels:{_AFTER_ENDS}}}"


def ratio_lines() -> list[Line]:
    """Return the ratio of every constraint."""
    return [
        Line(
            each.ratio,
            each.label,
            "arrays",
            each.formula,
            f"{each.basis}; -1 = unchecked",
            output=True,
        )
        for each in CONSTRAINTS
    ]


def after_lines() -> list[Line]:
    """Return the arrays that every constraint needs after one failure, unrounded; 0 = not required then."""
    labels = {each.key: each.label for each in CONSTRAINTS}
    return [
        Line(
            f"after_{key}",
            f"{labels[key]}, after one failure",
            "arrays",
            f"=IF({{fixed:surviving_ratio}}>0,{formula},{{unit:code_missing}})",
            "On the surviving arrays; a lost array adds one; 0 = not required then",
        )
        for key, formula in AFTER.items()
    ]


def rest_lines() -> list[Line]:
    """Return the ratio of every constraint but the limiting one, which is 0 there: the next limit is the largest."""
    return [
        Line(
            f"rest_{each.key}",
            f"{each.label}, unless it limits",
            "arrays",
            f"=IF({{label:{each.ratio}}}={{fixed:binding_label}},0,{{{each.ratio}}})",
            "0 = it limits; -1 = unchecked",
        )
        for each in CONSTRAINTS
    ]


def arrays_lines() -> list[Line]:
    """Return the arrays that every constraint needs, those of one name in one row."""
    lines = []
    for name, group in groupby(CONSTRAINTS, lambda each: each.arrays_for or each.in_words):
        every = list(group)
        label = every[0].arrays_label or f"Arrays for {name}"
        formula = f"=ROUNDUP(MAX(0,{ratios((each.key for each in every), _KEYS)}),0)"
        basis = f"Rounded up; 0 = {every[0].zero}"
        lines.append(Line(f"arrays_for_{name.lower().replace(' ', '_')}", label, "arrays", formula, basis, output=True))
    return lines


def unrated_lines() -> list[Line]:
    """Return the name of every constraint whose supply is not known, a comma behind it; of a phase its demand is."""
    return [
        Line(
            key := f"unrated_{each.key}",
            each.rating or each.in_words,
            "text",
            _NOTHING_LEFT
            if each.key == _FAILOVER
            else f'=REPT({{label:{key}}}&", ",COUNTIF({{{each.ratio}}},"=-1")'
            + (f"-{{{each.key}_mix_missing}})" if each.key in SIZED else ")"),
            "Empty where it is checked, or its demand is missing",
            text_lines=1,
        )
        for each in CONSTRAINTS
    ]
