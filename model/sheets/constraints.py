"""What can decide the number of arrays. A constraint is one entry below: every row that lists constraints follows."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from model.layout.line import Line
from model.sheets.phases import LABELS, PACED, PHASES, SCHEDULED, SIZED, capitalised


@dataclass(frozen=True)
class Constraint:
    """Unrounded demand over the supply of one array; the formula gives -1 where demand or supply is missing.

    `arrays_for` is the row that rounds it up, shared by those of one name, `arrays_label` its label; `zero` what 0
    stands for there.
    """

    key: str
    label: str
    formula: str
    basis: str
    name: str = ""
    arrays_for: str = ""
    arrays_label: str = ""
    zero: str = "unchecked"

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


_MOVED = f"MAX(0,{{range:throughput_{SIZED[0]}:throughput_{SIZED[-1]}}})"
_SEEN = ratios(("login", "steady"), PHASES)  # phases in which users wait

_ON_ALL_ARRAYS = (
    Constraint(
        "capacity",
        "Capacity",
        "=IF({usable_after_headroom_gib}*(1-{capacity_untold})>0,"
        "{capacity_required_gib}/{usable_after_headroom_gib},-SIGN({capacity_required_gib}+{capacity_untold}))",
        "Required over usable after headroom",
    ),
    *(
        Constraint(
            phase,
            f"{capitalised(LABELS[phase])} IOPS",
            f"=IF(MIN({{{phase}_iops}},{{supply_{phase}}})>0,{{{phase}_iops}}/{{supply_{phase}}},"
            f"MIN({{{phase}_iops}},0-SIGN({{{phase}_iops}})))",
            "Demand over one array's supply",
            name=LABELS[phase],
            arrays_for="IOPS",
        )
        for phase in SIZED
    ),
    Constraint(
        "throughput",
        "Throughput",
        f"=IF({{throughput_rating}}>0,{_MOVED}/{{throughput_rating}},0-SIGN({_MOVED}))",
        "Largest phase over the rating",
    ),
    Constraint(
        "latency",
        "Latency",
        f"=IF({{latency_utilisation}}>0,MAX(0,{{ratio_boot}}*{{boot_latency_ratio}},MAX({_SEEN})*{{latency_ratio}}),"
        "0-SIGN(MAX(0,{login_iops},{steady_iops})))",
        "Boot, login and steady work over the supply within their limits",
    ),
)
_NORMAL_KEYS = tuple(each.key for each in _ON_ALL_ARRAYS)
_FAULT_DOMAIN, _LEAST = "fault_domain", "least_nodes"
_NODES = ("vms_per_node", _LEAST)
# arrays for what must hold after one failure: users at work within their limit, or every phase
AFTER_FAILURE = (
    "{array_lost}+MAX(0,{array_lost}*{ratio_capacity},MAX({ratio_steady},{ratio_login}*{survive_login})"
    f"*{{failover_limit_ratio}},{{survive_all}}*MAX({{failover_relief}}"
    f"*MAX({ratios(PHASES, PHASES)}),{{ratio_throughput}},{{ratio_latency}}))/{{surviving_ratio}}"
)
_HOLDS = {"login": "{survive_login}", "steady": "1"}  # what must hold; the others only where everything must
AFTER = {  # the same by constraint, where anything survives: what is in AFTER_FAILURE is their largest
    "capacity": "{array_lost}*(1+MAX(0,{ratio_capacity}))",
    **{
        key: f"{_HOLDS.get(key, '{survive_all}')}*({{array_lost}}"
        f"+MAX(0,{{ratio_{key}}}){'' if key == 'throughput' else '*{failover_relief}'}/{{surviving_ratio}})"
        for key in (*PHASES, "throughput")
    },
    "latency": "{array_lost}+MAX(0,{ratio_after_users}*{latency_ratio},"
    "{survive_all}*{ratio_latency})/{surviving_ratio}",
}
CONSTRAINTS = (
    *_ON_ALL_ARRAYS,
    Constraint(  # of normal operation: nobody asks how many desktops a second failure would stop
        _FAULT_DOMAIN,
        "Fault domain",
        "=IF({most_desktops_per_array}>0,{provisioned_desktops}/{most_desktops_per_array},0)",
        "Desktops provisioned over the most that one array may hold; 0 = no limit",
        arrays_label="Arrays by fault domain",
        zero="no limit",
    ),
    Constraint(
        _NODES[0],
        "VMs per node",
        "=IF({vms_per_node}>0,{virtual_machines}/{vms_per_node},0-{node_unit})",
        "Virtual machines over those a node carries; 0 = the unit is an array",
        arrays_label="Nodes by VMs per node",
        zero="an array, or unchecked",
    ),
    Constraint(
        _LEAST,
        "Least nodes",
        "=SUM({least_nodes})",
        "Of a cluster, whatever the load; 0 = the unit is an array",
        arrays_label="Nodes of the smallest cluster",
        zero="an array, or none entered",
    ),
    Constraint(
        "failover",
        "Failover",
        f"=IF({{surviving_ratio}}>0,{{failover_asked}}*({AFTER_FAILURE}),-{{failover_asked}})",
        "What must hold, on what survives; a lost array is one more",
        arrays_label="Arrays to survive a failure",
        zero="not asked or unchecked",
    ),
)
_KEYS = tuple(each.key for each in CONSTRAINTS)
NORMAL_RATIOS = ratios((*_NORMAL_KEYS, _FAULT_DOMAIN, *_NODES), _KEYS)
DEMAND_RATIOS = ratios((key for key in _KEYS if key != _LEAST), _KEYS)  # all that grow with the load
GROWING_RATIOS = ratios(
    ("login", "steady", "logoff", SCHEDULED, _NODES[0]), _KEYS
)  # with the desktops, whatever throttles there are
IOPS_RATIOS = ratios(SIZED, _KEYS)
SEEN_RATIOS = ratios(("login", "steady"), _KEYS)
ALL_RATIOS = ratios(_KEYS, _KEYS)
_APART = ("throughput", "latency")  # of several phases: whoever leaves a phase out takes the others by themselves
WITHOUT_BOOT_RATIOS = ratios((key for key in _KEYS if key not in ("boot", *_APART)), _KEYS)
WITHOUT_PACED_RATIOS = ratios((key for key in _KEYS if key not in (*PACED, *_APART)), _KEYS)
REST_RATIOS = f"{{range:rest_{_KEYS[0]}:rest_{_KEYS[-1]}}}"
ALL_LABELS = f"{{labels:{CONSTRAINTS[0].ratio}:{CONSTRAINTS[-1].ratio}}}"


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


def rest_lines() -> list[Line]:
    """Return the ratio of every constraint but the binding one, which is 0 there: what comes next is their largest."""
    return [
        Line(
            f"rest_{each.key}",
            f"{each.label}, unless it binds",
            "arrays",
            f"=IF({{label:{each.ratio}}}={{fixed:binding_constraint}},0,{{{each.ratio}}})",
            "0 = binds; -1 = unchecked",
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
