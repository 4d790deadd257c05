"""What is worth finding out first, in money: every input, groups of them and all together, with how to find it out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from addin.simulation.designs import APART
from addin.simulation.information import Floats, Known, of_group, partial, perfect
from addin.simulation.statistics import Interval

PILOT = "Pilot 30 desktops of your own, then run measure"
MORE = "Measure more desktops for more days, then run measure again"
BROKER = "Count the sessions of the busiest month"
OWNER = "Ask who plans the project for its dates and numbers"
SPACE = "Read the space used on desktops that you have, or on a pilot"
VENDOR = "Ask the vendor for a test with your block size, read share and reduction, or test a loan array"
QUOTE = "Ask for a binding quote with its discount"
FINANCE = "Ask finance"
ANY = "Measure it, or ask the person who knows it"
ACTIONS: Mapping[str, str] = {
    "desktops": OWNER,
    "growth_ratio": OWNER,
    "growth_per_year_ratio": OWNER,
    "concurrent_ratio": BROKER,
    "demand_scale_ratio": PILOT,
    **dict.fromkeys((f"{phase}_scale_ratio" for phase in ("boot", "login", "steady", "logoff", "patching")), PILOT),
    "capacity_scale_ratio": SPACE,
    "measured_row": MORE,
    "boot_work_ratio": PILOT,
    "container_steady_iops": PILOT,
    "disk_used_ratio": SPACE,
    "write_cache_used_ratio": SPACE,
    "pvd_used_ratio": SPACE,
    "user_data_gib": SPACE,
    "data_reduction_ratio": VENDOR,
    "write_weight": VENDOR,
    "array_price": QUOTE,
    "discount_ratio": QUOTE,
    "price_change_ratio": QUOTE,
    "capital_rate_ratio": FINANCE,
    "tariff_per_kwh": FINANCE,
}
GROUPS: Mapping[str, tuple[str, ...]] = {  # what one action finds out at once
    "Load of a desktop": (PILOT, MORE, BROKER),
    "Space of a desktop": (SPACE,),
    "Number of desktops": (OWNER,),
    "What the array serves": (VENDOR,),
    "Prices": (QUOTE,),
}
EVERYTHING = "Everything"
LOAD = "demand_scale_ratio"  # what a pilot measures
SIZES = (10, 30, 100)  # desktops of a pilot
BETWEEN_DESKTOPS = 0.53  # assumed: spread of desktops over their mean; 30 of them give the mean to 10 %, 108 to 5
_STREAM = 30  # of the errors that pilots have, apart from the draws


@dataclass(frozen=True)
class Pilots:
    """What one pilot desktop costs, None where it is not typed, and the desktops of the design: a pilot has fewer."""

    cost: float | None = None
    desktops: float = math.inf

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of desktops that a pilot may have."""
        return tuple(each for each in SIZES if each < self.desktops)


@dataclass(frozen=True)
class Worth:
    """What it is worth to know some inputs before buying; `keys` none = all of them. 0 = no choice depends on it.

    `pilots` are the desktops of a pilot, 0 for anything else; `cost` is what they cost, None where it is not known.
    """

    what: str
    keys: tuple[str, ...]
    value: Interval
    action: str
    pilots: int = 0
    cost: float | None = None

    @property
    def net(self) -> float:
        """The worth less what it costs to find out, where that is known."""
        return self.value.value - (self.cost or 0.0)

    @property
    def pays(self) -> bool:
        """Whether the worth is more than its known cost, beyond the error of the draws."""
        return self.value.value > 0 and (not self.cost or self.value.low > self.cost)

    def like(self, other: Worth) -> bool:
        """Say whether what is left of both differs by less than their errors: the draws do not tell them apart."""
        return abs(self.net - other.net) < math.hypot(self.value.half_width, other.value.half_width)


def action(key: str) -> str:
    """Return how an input is found out; a row of the user's own, or an array's unknown, is a figure of its vendor."""
    return ACTIONS.get(key, VENDOR if "." in key or APART in key else ANY)


def _each(actions: Sequence[str], keys: Sequence[str]) -> str:
    """Return which of some actions some inputs need, in one sentence."""
    first, *rest = (each for each in actions if each in map(action, keys))
    return "; ".join([first, *(f"{each[:1].lower()}{each[1:]}" for each in rest)])


def of_pilots(costs: Floats, scale: Floats, pilots: Pilots) -> list[Worth]:
    """Return what pilots are worth before anybody has measured: the load is then known but for their error.

    `scale` (replicates, trials) is what the load turns out to be. A pilot sees it with the error of its mean, the
    spread between desktops over the square root of their number; the rest stays unknown (pre-posterior analysis).
    """
    errors = np.random.Generator(np.random.Philox(_STREAM)).standard_normal(scale.shape)
    found = []
    for desktops in pilots.sizes:
        seen = scale * (1 + BETWEEN_DESKTOPS / math.sqrt(desktops) * errors)
        how = f"Measures the load to within {BETWEEN_DESKTOPS / math.sqrt(desktops):.0%}"
        how += "; less what the pilot costs" if pilots.cost is None else ""
        cost = None if pilots.cost is None else pilots.cost * desktops
        found.append(Worth(f"Pilot of {desktops} desktops", (LOAD,), partial(costs, seen), how, desktops, cost))
    return found


def worths(
    costs: Floats,
    inputs: Floats,
    names: Sequence[tuple[str, str]],
    needs: Floats,
    of: tuple[int, ...],
    pilots: Pilots | None = None,
) -> list[Worth]:
    """Return the worth of everything first, then of groups and inputs, what is worth most first, less a known cost.

    `costs` are (designs, replicates, trials), `inputs` (k, replicates, trials) with `names` (key, label), `needs` the
    unrounded need of each array with `of` saying which array each design has, `pilots` which pilots there may be.
    """
    found = []
    for n, (key, label) in enumerate(names):
        found.append(Worth(label, (key,), partial(costs, inputs[n]), action(key)))
        if key == LOAD:
            found += of_pilots(costs, inputs[n], pilots or Pilots())
    for title, actions in GROUPS.items():
        rows = [n for n, (key, _) in enumerate(names) if action(key) in actions]
        if len(rows) > 1:
            keys = tuple(names[n][0] for n in rows)
            together = of_group(costs, Known(inputs[rows], needs, of))
            found.append(Worth(title, keys, together, _each(actions, keys)))
    # the order of what is worth the same is that of the sheet, groups after their inputs
    order = np.argsort([-each.net for each in found], kind="stable")
    return [Worth(EVERYTHING, (), perfect(costs), "No study is worth more than this"), *(found[n] for n in order)]
