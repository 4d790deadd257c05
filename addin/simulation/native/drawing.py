"""Native draws of one input of one replicate: scrambled Sobol words, then the inverse distribution, as numpy has them.

sampling.py and spreads.py are the reference; each function here says the same with the same operations in their order.
"""

from __future__ import annotations

from collections.abc import Callable

from addin.simulation.native.records import INPUT, Fields
from addin.simulation.native.writing import DOUBLE, INTEGER, POINTER, WORD, Function, Kind, Value
from addin.simulation.quantiles import FRACTION, LOWEST, SHIFT

LANES = 16  # trials at once: a full register of 32-bit words
WORDS = Kind("i32", LANES)
Form = Callable[[Function, Fields], Callable[[Value], Value]]


def functions() -> list[Function]:
    """Return draw_<form>(input, points, keys, offset, out, trials, cuts) of every form, and copy(from, to, trials)."""
    forms: dict[str, Form] = {
        "table": _table,
        "uniform": _uniform,
        "triangular": _triangular,
        "ranked": _ranked,
        "listed": _listed,
    }
    return [_copy(), *(_draw(name, form) for name, form in forms.items())]


def _copy() -> Function:
    """Write the function that copies values drawn elsewhere."""
    function = Function("copy", (("from", POINTER), ("to", POINTER), ("trials", INTEGER)), scope="internal")
    source, target, trials = function.given
    with function.loop(trials, 8) as i:
        function.store(function.load(Kind("double", 8), source, i), target, i)
    function.result()
    return function


def _draw(name: str, form: Form) -> Function:
    """Write the function of one form: values (trials,) to `out`; what was cut to either bound is added to `cuts`."""
    parameters = [("input", POINTER), ("points", POINTER), ("keys", POINTER), ("offset", WORD), ("out", POINTER)]
    function = Function(f"draw_{name}", [*parameters, ("trials", INTEGER), ("cuts", POINTER)], scope="internal")
    record, points, keys, offset, out, trials, cuts = function.given
    fields = Fields(function, INPUT, record)
    keyed = [function.load(WORD, keys, place).broadcast(LANES) for place in range(4)]
    start = offset.broadcast(LANES)
    low, high = fields.low.broadcast(LANES), fields.high.broadcast(LANES)
    whole = fields.whole.is_("ne", 0).broadcast(LANES)
    quantile = form(function, fields)
    below, above = function.variable(INTEGER, 0), function.variable(INTEGER, 0)
    with function.loop(trials, LANES) as i:
        x = quantile(_uniform_draw(function.load(WORDS, points, i) ^ start, keyed))
        x = whole.choose((x + 0.5).apply("floor"), x)
        under, over = x.is_("lt", low), x.is_("gt", high)
        function.store(over.choose(high, under.choose(low, x)), out, i)
        below.set(below.value + under.count())
        above.set(above.value + over.count())
    function.increase(cuts, 0, below.value)
    function.increase(cuts, 1, above.value)
    function.result()
    return function


def _uniform_draw(x: Value, keys: list[Value]) -> Value:
    """Return 0 < u < 1 from bit-reversed Sobol words: Owen's scrambling by hashing, see sampling.py."""
    for add, factor in (keys[:2], keys[2:]):
        x = (_mix(x, 0x3D20ADEA) + add) * factor
        x = _mix(_mix(x, 0x05526C56), 0x53A22864)
    return (x.apply("bitreverse").to("uitofp", "double") + 0.5) * 2.0**-32


def _mix(x: Value, even: int) -> Value:
    return x ^ x * even


def _table(function: Function, fields: Fields) -> Callable[[Value], Value]:
    """QuantileTable; `table` holds its cubics cell by cell, four numbers each, `size` the cells of a tail."""
    upper_half, cubics = (fields.size - LOWEST).broadcast(LANES), fields.table
    lower_half = function.constant(Kind("i64", LANES), -LOWEST)

    def quantile(u: Value) -> Value:
        tail = u.at_most(1.0 - u)  # no Sobol word lies beyond the table
        bits = tail.to("bitcast", "i64")
        cell = (bits >> SHIFT) + u.is_("gt", 0.5).choose(upper_half, lower_half)
        fraction = ((bits << 52 - SHIFT & FRACTION) | 1023 << 52).to("bitcast", "double") - 1.0
        constant, slope, square, cube = _transposed(function, cubics, cell << 2)
        return ((cube * fraction + square) * fraction + slope) * fraction + constant

    return quantile


def _transposed(function: Function, table: Value, at: Value) -> list[Value]:
    """Return for four numbers that stand side by side at each place of a table a vector each.

    Loads and their transposition take less time than four gathers.
    """
    parts = [function.load(Kind("double", 4), table, at.lane(place)) for place in range(LANES)]
    while len(parts) > 2:  # two of 32 numbers: eight trials each
        parts = [_joined(first, second) for first, second in zip(parts[::2], parts[1::2], strict=True)]
    first, second = parts
    return [_joined(*(part.shuffled(part, range(power, 32, 4)) for part in (first, second))) for power in range(4)]


def _joined(first: Value, second: Value) -> Value:
    return first.shuffled(second, range(2 * first.kind.width))


def _uniform(function: Function, fields: Fields) -> Callable[[Value], Value]:
    """first = minimum, second = maximum - minimum."""
    minimum, width = fields.first.broadcast(LANES), fields.second.broadcast(LANES)
    return lambda u: minimum + width * u


def _triangular(function: Function, fields: Fields) -> Callable[[Value], Value]:
    """first = minimum, second = maximum, third and fourth = factors below the roots, fifth = where the roots meet."""
    parameters = (fields.first, fields.second, fields.third, fields.fourth, fields.fifth)
    minimum, maximum, rise, fall, split = (parameter.broadcast(LANES) for parameter in parameters)

    def quantile(u: Value) -> Value:
        rising = minimum + (u * rise).apply("sqrt")
        falling = maximum - ((1.0 - u) * fall).apply("sqrt")
        return u.is_("lt", split).choose(rising, falling)

    return quantile


def _ranked(function: Function, fields: Fields) -> Callable[[Value], Value]:
    """`table` holds `size` values, each as likely as the others."""
    size, table = fields.size.to("sitofp", "double").broadcast(LANES), fields.table
    return lambda u: _taken(function, table, (u * size).to("fptosi", "i64"))  # a Sobol word is below 1 - 2**-33


def _listed(function: Function, fields: Fields) -> Callable[[Value], Value]:
    """`table` holds `size` values, `edges` the size - 1 probabilities at which the next one begins."""
    edges, last, table = fields.edges, fields.size - 1, fields.table

    def quantile(u: Value) -> Value:
        place = function.variable(Kind("i64", LANES), 0)
        with function.loop(last) as i:
            reached = function.load(DOUBLE, edges, i).broadcast(LANES).is_("le", u)
            place.set(place.value + reached.to("zext", "i64"))
        return _taken(function, table, place.value)

    return quantile


def _taken(function: Function, table: Value, at: Value) -> Value:
    """Return the numbers of a table at the places of a vector."""
    result = function.load(DOUBLE, table, at.lane(0)).broadcast(LANES)
    for place in range(1, LANES):
        value = function.load(DOUBLE, table, at.lane(place)).broadcast(LANES)
        result = result.shuffled(value, [*range(place), LANES + place, *range(place + 1, LANES)])
    return result
