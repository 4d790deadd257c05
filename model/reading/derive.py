"""Status `derived`: a named function of facts, written where a number would stand in a data file.

    expression = fact | name "(" [argument {"," argument}] ")"
    fact       = an id of facts.csv or facts_elsewhere.csv, e.g. EQL-088
    argument   = expression | phase                         (phase: a word, only where the function takes one)

    per_desktop(EQL-088, EQL-055)        complement(product(NTP-009, NTP-008))        block_read_share(boot)

Facts enter exactly, in base units (bytes, seconds, USD, shares of 1); the result leaves in the unit asked for, rounded
to 6 significant digits. A fact alone is converted and not rounded. Counts, shares and I/O operations carry no dimension
here, so IOPS over desktops is IOPS per desktop. Every fact that a number rests on is returned with it.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import reduce
from statistics import fmean, pvariance

from model.errors import Complaint, DataError
from model.reading import latency_fit
from model.reading.facts import FactBook, Unit

DIGITS = 6  # four would move totals: 10.87 x 630 is 6848, the paper prints 6846
COUNTED = ("count", "share", "operation", "turn")  # dimensions that carry no unit of nature

BLOCKS = "ESXi vscsiStats"  # the system that printed the I/O size tables
FITTED = {  # mean IOPS and mean CPU of the AFF8040's phases with both nodes up
    "boot": ("NTP-149", "NTP-153"),
    "login_monday": ("NTP-172", "NTP-176"),
    "login_tuesday": ("NTP-198", "NTP-202"),
    "patching": ("NTP-224", "NTP-228"),
}
NODES = "NTP-047"
WEIGHTS = (1.0, 20.0)  # where the weight of a write is searched
DEMONSTRATED = Fraction(95, 100)  # utilisation assigned to the largest load ever shown on an array

Dimension = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Derived:
    """A number with the expression it comes from and every fact it rests on."""

    value: float
    fact_ids: frozenset[str]
    expression: str


@dataclass(frozen=True)
class Quantity:
    """A value in base units; `dimension` is sorted (name, power) pairs, empty for a plain number."""

    value: Fraction
    dimension: Dimension
    fact_ids: frozenset[str]


class _Fault(Exception):
    """A fault in the expression; `derive` says where it stands."""


def derive(expression: str, facts: FactBook, unit: str, where: str = "") -> Derived:
    """Compute an expression over facts and return it in `unit`.

    Raises DataError at `where` for an unknown function, fact, phase or unit, a wrong number of arguments, a division by
    zero, and units that do not fit.
    """
    where = where or expression
    to = facts.unit(unit, where)
    if expression in facts.every:
        return Derived(facts.value(expression, unit, where), frozenset({expression}), expression)
    try:
        tokens = _tokens(expression)
        result = _expression(tokens, facts)
        if tokens:
            raise _Fault(f"{tokens[0]!r} stands after the end of the expression; remove it or nest it.")
        if to.kind == "label" or result.dimension != _dimension(to):
            dimension = _spell(result.dimension)
            raise _Fault(f"the result is {dimension}, which does not convert to {unit!r} ({to.dimension}).")
    except _Fault as fault:
        raise DataError([Complaint(where, f"{expression}: {fault}")]) from None
    return Derived(_rounded(float(result.value / to.factor)), result.fact_ids, expression)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


# ---- reading -------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*([A-Za-z0-9][\w.\-]*|[(),])")


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if not match:
            raise _Fault(f"{text[at:].strip()[0]!r} is not understood; use fact ids, names, brackets and commas.")
        tokens.append(match.group(1))
        at = match.end()
    return tokens


def _expression(tokens: list[str], facts: FactBook) -> Quantity:
    """Read one expression off the front of `tokens` and return its quantity."""
    word = _take(tokens, "a fact id or a function")
    if tokens[:1] != ["("]:
        return _leaf(word, facts)
    if word not in FUNCTIONS:
        close = get_close_matches(word, FUNCTIONS, 1)
        help = f"did you mean {close[0]!r}?" if close else f"use one of {', '.join(FUNCTIONS)}."
        raise _Fault(f"function {word!r} is unknown; {help}")
    function = FUNCTIONS[word]
    tokens.pop(0)
    arguments: list[Quantity | str] = []
    while tokens[:1] != [")"]:
        if arguments and _take(tokens, "',' or ')'") != ",":
            raise _Fault(f"an argument of {word} is not followed by ',' or ')'.")
        arguments.append(_take(tokens, "a word") if function.words else _expression(tokens, facts))
        if not tokens:
            raise _Fault(f"the bracket of {word} is not closed; add ')'.")
    tokens.pop(0)
    if not function.takes(len(arguments)):
        raise _Fault(f"{word} takes {function.expects}, not {len(arguments)}.")
    return function.call(facts, arguments)


def _take(tokens: list[str], expected: str) -> str:
    if not tokens:
        raise _Fault(f"the expression ends where {expected} is expected.")
    return tokens.pop(0)


def _leaf(id: str, facts: FactBook) -> Quantity:
    if id not in facts.every:
        close = get_close_matches(id, facts.every, 1)
        help = f"did you mean {close[0]!r}?" if close else "cite a fact of facts.csv."
        raise _Fault(f"fact {id!r} is unknown; {help}")
    fact = facts.every[id]
    unit = facts.units[fact.read_as]
    if unit.kind == "label":
        raise _Fault(f"{id} is read in {unit.name!r}, which allows no arithmetic; cite a measured fact.")
    return Quantity(fact.exact * unit.factor, _dimension(unit), frozenset({id}))


# ---- dimensions ----------------------------------------------------------------------------------


def _dimension(unit: Unit) -> Dimension:
    """Return the powers behind a text such as money*time/operation."""
    powers: dict[str, int] = {}
    for sign, name in re.findall(r"(^|[*/])([a-z_]+)", unit.dimension):
        if name not in COUNTED:
            powers[name] = powers.get(name, 0) + (-1 if sign == "/" else 1)
    return _packed(powers)


def _packed(powers: dict[str, int]) -> Dimension:
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _spell(dimension: Dimension) -> str:
    """Return the dimension as people write it: capacity/time, 1/time, a plain number."""
    if not dimension:
        return "a plain number"
    above = "*".join(name for name, power in dimension for _ in range(power))
    return (above or "1") + "".join(f"/{name}" for name, power in dimension for _ in range(-power))


def _times(a: Quantity, b: Quantity) -> Quantity:
    powers = dict(a.dimension)
    for name, power in b.dimension:
        powers[name] = powers.get(name, 0) + power
    return Quantity(a.value * b.value, _packed(powers), a.fact_ids | b.fact_ids)


def _over(a: Quantity, b: Quantity) -> Quantity:
    if not b.value:
        raise _Fault("division by zero; check the facts.")
    inverse = Quantity(1 / b.value, _packed({name: -power for name, power in b.dimension}), b.fact_ids)
    return _times(a, inverse)


def _plus(a: Quantity, b: Quantity) -> Quantity:
    if a.dimension != b.dimension:
        raise _Fault(f"{_spell(a.dimension)} and {_spell(b.dimension)} cannot be added or compared.")
    return Quantity(a.value + b.value, a.dimension, a.fact_ids | b.fact_ids)


def _minus(a: Quantity, b: Quantity) -> Quantity:
    return _plus(a, Quantity(-b.value, b.dimension, b.fact_ids))


def _least(*each: Quantity) -> Quantity:
    for other in each[1:]:
        _minus(each[0], other)  # complains when they cannot be compared
    return replace(
        min(each, key=lambda quantity: quantity.value), fact_ids=frozenset().union(*(a.fact_ids for a in each))
    )


def _plain(a: Quantity, role: str) -> Quantity:
    if a.dimension:
        raise _Fault(f"{role} is {_spell(a.dimension)}; a plain number (count or share) is expected.")
    return a


def _one_minus(a: Quantity) -> Quantity:
    return Quantity(1 - _plain(a, "the share").value, (), a.fact_ids)


# ---- functions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Function:
    """A function of the expression language: how many arguments, and of what."""

    least: int
    most: int | None
    call: Callable[[FactBook, list[Quantity | str]], Quantity]
    words: bool = False
    step: int = 1

    def takes(self, count: int) -> bool:
        """Say whether this many arguments are right."""
        return self.least <= count <= (self.most or count) and not (count - self.least) % self.step

    @property
    def expects(self) -> str:
        """Return the number of arguments in words."""
        if self.most is None:
            return f"{self.least} or more arguments" + (" in pairs" if self.step > 1 else "")
        many = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{many} argument" + ("" if self.most == 1 else "s")


def _of(least: int, most: int | None, call: Callable[..., Quantity], step: int = 1) -> Function:
    return Function(least, most, lambda facts, arguments: call(*arguments), step=step)


def _midpoint(a: Quantity, b: Quantity) -> Quantity:
    return _times(_plus(a, b), Quantity(Fraction(1, 2), (), frozenset()))


def _per_desktop(total: Quantity, desktops: Quantity) -> Quantity:
    return _over(total, _plain(desktops, "the number of desktops"))


def _weighted_mean(*pairs: Quantity) -> Quantity:
    weights = reduce(_plus, pairs[1::2])
    return _over(reduce(_plus, map(_times, pairs[::2], pairs[1::2])), weights)


def _points(pairs: tuple[Quantity, ...]) -> list[tuple[float, float]]:
    """Return (latency, utilisation) of every point, latencies in base units."""
    every = reduce(_plus, pairs[::2])
    if every.dimension != (("time", 1),):
        raise _Fault(f"the latencies are {_spell(every.dimension)}; expected times.")
    points = [
        (float(r.value), float(_plain(u, "the utilisation").value))
        for r, u in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    if any(r <= 0 or u >= 1 for r, u in points):
        raise _Fault("a point has no latency or a utilisation of 1 or more; leave it out.")
    return points


def _base_latency(*pairs: Quantity) -> Quantity:
    """Return S of R = S / (1 - rho^m) by `model.reading.latency_fit`."""
    value = latency_fit.base_latency(_points(pairs))
    return Quantity(Fraction(value), (("time", 1),), frozenset().union(*(each.fact_ids for each in pairs)))


def _latency_shape(*pairs: Quantity) -> Quantity:
    """Return m of R = S / (1 - rho^m) by `model.reading.latency_fit`."""
    value = latency_fit.shape(_points(pairs))
    return Quantity(Fraction(value), (), frozenset().union(*(each.fact_ids for each in pairs)))


def _utilisation(iops: Quantity, reads: Quantity, weight: Quantity, capacity: Quantity) -> Quantity:
    """Return X (r + (1 - r) w) / C."""
    return _over(_times(iops, _plus(reads, _times(_one_minus(reads), weight))), capacity)


def _read_equivalent_bound(facts: FactBook, arguments: list[Quantity | str]) -> Quantity:
    """Return the least C that carries a demonstrated load, W / (controllers x 0.95), with the fitted weight to 0.1."""
    iops, reads, controllers = (each for each in arguments if isinstance(each, Quantity))
    fitted = _write_weight(facts, [])
    weight = Quantity(round(fitted.value, 1), (), fitted.fact_ids)
    work = _times(iops, _plus(reads, _times(_one_minus(reads), weight)))
    full = _times(_plain(controllers, "the number of controllers"), Quantity(DEMONSTRATED, (), frozenset()))
    least = _over(work, full)
    if least.value <= 0:
        raise _Fault("a load of 0 or below shows no capacity; correct its IOPS or read share.")
    step = Fraction(10) ** (
        math.floor(math.log10(least.value)) + 1 - DIGITS
    )  # rounded up: a bound must carry its own load
    return Quantity(math.ceil(least.value / step) * step, least.dimension, least.fact_ids)


def _number(facts: FactBook, words: list[Quantity | str]) -> Quantity:
    """Return a typed plain number: only for rows whose source says `assumed` and why."""
    try:
        return Quantity(Fraction(str(words[0])), (), frozenset())
    except ValueError:
        raise _Fault(f"{words[0]!r} is not a number.") from None


# ---- functions over whole tables -----------------------------------------------------------------


def _block(column: str) -> Function:
    """Return the function that averages a column of a phase's I/O size table over the shares of the workload."""

    def mean(facts: FactBook, words: list[Quantity | str]) -> Quantity:
        table = {f.quantity: f.id for f in facts.facts.values() if (f.system, f.phase) == (BLOCKS, words[0])}
        shares = [quantity for quantity in table if quantity.endswith("_workload_share")]
        if not shares:
            raise _Fault(f"phase {words[0]!r} has no I/O size table; use one of {', '.join(FITTED)}.")
        cells = ((share.replace("workload_share", column), share) for share in shares)
        return _weighted_mean(*(_leaf(table[each], facts) for pair in cells for each in pair))

    return Function(1, 1, mean, words=True)


def _fit(facts: FactBook, words: list[Quantity | str]) -> tuple[float, float, frozenset[str]]:
    """Fit rho = X (r + (1 - r) w) / (nodes x C) to the mean CPU of the phases; return w, C and the facts used.

    X is the phase's mean IOPS, r its read share by the I/O size table. Least squares of ln(rho / CPU) over w and C
    together: C is the geometric mean of each phase's own C, w minimises their spread. One phase may be left out.
    """
    if words and words[0] not in FITTED:
        raise _Fault(f"phase {words[0]!r} is not part of the fit; use one of {', '.join(FITTED)}.")
    nodes, points, ids = _leaf(NODES, facts), [], {NODES}
    for phase, (iops, cpu) in FITTED.items():
        if phase not in words:
            reads = _block("read_share").call(facts, [phase])
            x, busy = _leaf(iops, facts), _leaf(cpu, facts)
            points.append((float(x.value / busy.value / nodes.value), float(reads.value)))
            ids |= reads.fact_ids | {iops, cpu}

    def logs(w: float) -> list[float]:
        return [math.log(load * (r + (1 - r) * w)) for load, r in points]

    low, high = WEIGHTS
    while high - low > 1e-9:
        third = (high - low) / 3
        if pvariance(logs(low + third)) <= pvariance(logs(high - third)):
            high -= third
        else:
            low += third
    return low, math.exp(fmean(logs(low))), frozenset(ids)


def _write_weight(facts: FactBook, words: list[Quantity | str]) -> Quantity:
    weight, _, ids = _fit(facts, words)
    return Quantity(Fraction(weight), (), ids)


def _read_equivalent_iops(facts: FactBook, words: list[Quantity | str]) -> Quantity:
    _, iops, ids = _fit(facts, words)
    return Quantity(Fraction(iops), (("time", -1),), ids)


FUNCTIONS: dict[str, Function] = {
    "ratio": _of(2, 2, _over),
    "product": _of(2, None, lambda *each: reduce(_times, each)),
    "total": _of(2, None, lambda *each: reduce(_plus, each)),
    "difference": _of(2, 2, _minus),
    "complement": _of(1, 1, _one_minus),
    "one_minus_ratio": _of(2, 2, lambda a, b: _one_minus(_over(a, b))),
    "midpoint": _of(2, 2, _midpoint),
    "least": _of(2, None, _least),
    "weighted_mean": _of(2, None, _weighted_mean, step=2),
    "per_desktop": _of(2, 2, _per_desktop),
    "block_kib": _of(2, 2, _over),
    "base_latency": _of(2, None, _base_latency, step=2),
    "latency_shape": _of(2, None, _latency_shape, step=2),
    "utilisation": _of(4, 4, _utilisation),
    "read_equivalent_bound": Function(3, 3, _read_equivalent_bound),
    "number": Function(1, 1, _number, words=True),
    "block_mean": _block("size"),
    "block_read_share": _block("read_share"),
    "block_random_share": _block("random_share"),
    "fit_write_weight": Function(0, 1, _write_weight, words=True),
    "fit_read_equivalent_iops": Function(0, 1, _read_equivalent_iops, words=True),
}
