"""What can decide the number of arrays. A constraint is one entry below: every row that lists constraints follows."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from model.layout.line import Line
from model.sheets.performance import LABELS, PHASES, capitalised

_PER_LINE = 3  # names that a formula of at most 120 characters can list
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Constraint:
    """Unrounded demand over the supply of one array; the formula gives -1 for demand without a supply figure.

    `scales`: in proportion to the desktops, so it limits them and counts again on what a failure leaves. `arrays_for`
    is the row that rounds it up, shared by those of one name, `arrays_label` its label; `zero` what 0 stands for there.
    """

    key: str
    label: str
    formula: str
    basis: str
    scales: bool = True
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


_MOVED = f"MAX({{range:throughput_{PHASES[0]}:throughput_{PHASES[-1]}}})"
_SEEN = ratios(("login", "steady"), PHASES)  # phases in which users wait

_ON_ALL_ARRAYS = (
    Constraint(
        "capacity",
        "Capacity",
        "=IF({usable_after_headroom_gib}>0,"
        "{capacity_required_gib}/{usable_after_headroom_gib},-SIGN({capacity_required_gib}))",
        "Required over usable after headroom",
        scales=False,
    ),
    *(
        Constraint(
            phase,
            f"{capitalised(LABELS[phase])} IOPS",
            f"=IF({{supply_{phase}}}>0,{{{phase}_iops}}/{{supply_{phase}}},-SIGN({{{phase}_iops}}))",
            "Demand over one array's supply",
            name=LABELS[phase],
            arrays_for="IOPS",
        )
        for phase in PHASES
    ),
    Constraint(
        "throughput",
        "Throughput",
        f"=IF({{throughput_rating}}>0,{_MOVED}/{{throughput_rating}},-SIGN({_MOVED}))",
        "Largest phase over the rating",
    ),
    Constraint(
        "latency",
        "Latency",
        f"=IF({{latency_utilisation}}>0,MAX(0,{_SEEN})*{{utilisation_cap}}"
        "/{latency_utilisation},-SIGN({login_iops}+{steady_iops}))",
        "Login and steady work over the supply within the limit",
    ),
)
_SCALING = tuple(each.key for each in _ON_ALL_ARRAYS if each.scales)
CONSTRAINTS = (
    *_ON_ALL_ARRAYS,
    Constraint(
        "failover",
        "Failover",
        "=IF({surviving_ratio}>0,{failover_asked}*({array_lost}+MAX(0,{array_lost}*{ratio_capacity},"
        f"{ratios(_SCALING, [each.key for each in _ON_ALL_ARRAYS])})/{{surviving_ratio}}),-{{failover_asked}})",
        "Largest ratio on what survives; a lost array is one more",
        scales=False,
        arrays_label="Arrays to survive a failure",
        zero="not asked or unchecked",
    ),
)
_KEYS = tuple(each.key for each in CONSTRAINTS)
SCALING_RATIOS = ratios(_SCALING, _KEYS)
IOPS_RATIOS = ratios(PHASES, _KEYS)
SEEN_RATIOS = ratios(("login", "steady"), _KEYS)
ALL_RATIOS = ratios(_KEYS, _KEYS)
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


def arrays_lines() -> list[Line]:
    """Return the arrays that every constraint needs, those of one name in one row."""
    lines = []
    for name, group in groupby(CONSTRAINTS, lambda each: each.arrays_for or each.in_words):
        every = list(group)
        label = every[0].arrays_label or f"Arrays for {name}"
        formula = f"=ROUNDUP(MAX(0,{ratios((each.key for each in every), _KEYS)}),0)"
        basis = f"Rounded up; 0 = {every[0].zero}"
        lines.append(Line(f"arrays_for_{name.lower()}", label, "arrays", formula, basis, output=True))
    return lines


def unchecked_lines() -> list[Line]:
    """Return the constraints without a supply figure by name: parts that a formula has room for, then all of them."""
    *most, last = CONSTRAINTS
    parts = [most[start : start + _PER_LINE] for start in range(0, len(most), _PER_LINE)]
    lines = [
        Line(
            f"unchecked_{ordinal}",
            f"Unchecked, {ordinal} part",
            "text",
            f"={'&'.join(map(_if_unchecked, part))}",
            "Names of the constraints with ratio -1",
            text_lines=3,
        )
        for ordinal, part in zip(_ORDINALS, parts, strict=False)
    ]
    listed = "&".join(f"{{{line.key}}}" for line in lines)
    every = Line(
        "constraints_unchecked",
        "Constraints unchecked, by name",
        "text",
        f'=IF({{unchecked_count}}>0,{listed}&{_if_unchecked(last)}&"enter a rating","none")',
        "Enter the figure on the array's row to check them",
        output=True,
        text_lines=5,
    )
    return [*lines, every]


def _if_unchecked(constraint: Constraint) -> str:
    """Return the expression that gives the constraint's name and a comma, or nothing where it is checked."""
    return f'REPT("{constraint.in_words}, ",COUNTIF({{{constraint.ratio}}},"<0"))'
