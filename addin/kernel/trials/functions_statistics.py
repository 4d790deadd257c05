"""Ranks, spread, lines through points and the normal distribution, as operations.

Order statistics come from a sorting network of min and max; what no result needs of it is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from addin.kernel.excel.values import ExcelError, as_grid
from addin.kernel.trials.arguments import VectorFunction, constant_of
from addin.kernel.trials.forms import Forms, Item, Value, Varying
from addin.kernel.trials.functions_ranges import Numbers, added, numbers
from addin.kernel.trials.operations import TRUE

WIDEST = 128


def _all_numbers(forms: Forms, args: Sequence[Value]) -> Numbers:
    """Return the numbers of the arguments. Raises UnsupportedOnPath where how many there are depends on the trial."""
    seen = numbers(forms, args)
    if any(there != TRUE for _, there in seen.entries):
        forms.refuse("A rank or spread of cells that are not always numbers is not supported")
    if len(seen.entries) > WIDEST:
        forms.refuse(f"A rank or spread of more than {WIDEST} cells is not supported")
    return seen


def ordered(forms: Forms, nodes: Sequence[int]) -> list[int]:
    """Return the operations that give the smallest, the next ... (Batcher's odd-even merge sort)."""
    tape, result = forms.tape, list(nodes)
    size = len(result)
    step = 1
    while step < size:
        gap = step
        while gap >= 1:
            for start in range(gap % step, size - gap, 2 * gap):
                for i in range(start, min(start + gap, size - gap)):
                    if i // (2 * step) == (i + gap) // (2 * step):
                        low, high = result[i], result[i + gap]
                        result[i], result[i + gap] = tape.apply("min", low, high), tape.apply("max", low, high)
            gap //= 2
        step *= 2
    return result


def _percentile(forms: Forms, seen: Numbers, position: float) -> Item:
    nodes = ordered(forms, [node for node, _ in seen.entries])
    below = math.floor(position)
    part = position - below
    if part == 0:
        return forms.unless(seen.bad, seen.code, forms.number(nodes[below]))
    tape = forms.tape
    gap = tape.apply("sub", nodes[below + 1], nodes[below])
    node = tape.apply("add", nodes[below], tape.apply("mul", tape.const(part), gap))
    return forms.unless(seen.bad, seen.code, forms.finished(node))


def median(forms: Forms, *args: Value) -> Item:
    """Return MEDIAN."""
    seen = _all_numbers(forms, args)
    return _percentile(forms, seen, 0.5 * (len(seen.entries) - 1)) if seen.entries else ExcelError.NUM


def percentile(forms: Forms, values: Value, share: int) -> Item:
    """Return PERCENTILE with both ends included; the share is the same in every trial."""
    seen, part = _all_numbers(forms, (values,)), constant_of(forms, share, 1)
    if not seen.entries or not 0 <= part <= 1:
        return forms.unless(seen.bad, seen.code, ExcelError.NUM)
    return _percentile(forms, seen, part * (len(seen.entries) - 1))


def percentile_exclusive(forms: Forms, values: Value, share: int) -> Item:
    """Return PERCENTILE.EXC."""
    seen, part = _all_numbers(forms, (values,)), constant_of(forms, share, 1)
    position = part * (len(seen.entries) + 1)
    if not seen.entries or not 0 < part < 1 or position < 1 or position > len(seen.entries):
        return forms.unless(seen.bad, seen.code, ExcelError.NUM)
    return _percentile(forms, seen, position - 1)


def _nth(*, largest: bool) -> VectorFunction:
    def function(forms: Forms, values: Value, k: int) -> Item:
        seen, position = _all_numbers(forms, (values,)), math.ceil(constant_of(forms, k, 1))
        if not 1 <= position <= len(seen.entries):
            return forms.unless(seen.bad, seen.code, ExcelError.NUM)
        nodes = ordered(forms, [node for node, _ in seen.entries])
        return forms.unless(seen.bad, seen.code, forms.number(nodes[-position if largest else position - 1]))

    return function


def rank(forms: Forms, number: int, values: Value, ascending: int | None = None) -> Item:
    """Return RANK."""
    tape = forms.tape
    name = "lt" if ascending is not None and constant_of(forms, ascending, 2) else "gt"
    seen = numbers(forms, (values,))
    listed = tape.any(tape.both(there, tape.raw("eq", node, number)) for node, there in seen.entries)
    better = [tape.number(tape.both(there, tape.raw(name, node, number))) for node, there in seen.entries]
    node = tape.apply("add", tape.const(1.0), added(forms, better))
    return forms.unless(seen.bad, seen.code, forms.finished(node, [(tape.no(listed), ExcelError.NA)]))


def _deviation(less: int) -> VectorFunction:
    def function(forms: Forms, *args: Value) -> Item:
        tape, seen = forms.tape, _all_numbers(forms, args)
        nodes = [node for node, _ in seen.entries]
        if len(nodes) < 1 + less:
            return forms.unless(seen.bad, seen.code, ExcelError.DIV0)
        square = _products(forms, *([_centred(forms, nodes)[1]] * 2))
        node = tape.apply("sqrt", tape.apply("div", square, tape.const(float(len(nodes) - less))))
        return forms.unless(seen.bad, seen.code, forms.finished(node))

    return function


def _centred(forms: Forms, nodes: Sequence[int]) -> tuple[int, list[int]]:
    tape = forms.tape
    mean = tape.apply("div", added(forms, nodes), tape.const(float(len(nodes))))
    return mean, [tape.apply("sub", node, mean) for node in nodes]


def _products(forms: Forms, left: Sequence[int], right: Sequence[int]) -> int:
    return added(forms, [forms.tape.apply("mul", x, y) for x, y in zip(left, right, strict=True)])


class _Moments:
    """Means and sums of squares and products of the pairs that are both numbers."""

    def __init__(self, forms: Forms, first: Value, second: Value) -> None:
        left, right = as_grid(first).flat(), as_grid(second).flat()
        self.failed: ExcelError | None = ExcelError.NA if len(left) != len(right) else None
        every = [] if self.failed else list(zip(left, right, strict=True))
        checks = [part for pair in every for item in pair for kind, part in forms.parts(item) if kind == "error"]
        self.bad, self.code = forms.first_error(*checks)
        pairs = [pair for pair in every if _both(forms, *pair)]
        if not pairs:
            self.failed = self.failed or ExcelError.DIV0
            return
        nodes = [[forms.to_number(item).node for item in side] for side in zip(*pairs, strict=True)]
        self.mean_x, x = _centred(forms, nodes[0])
        self.mean_y, y = _centred(forms, nodes[1])
        self.square_x, self.square_y = _products(forms, x, x), _products(forms, y, y)
        self.together = _products(forms, x, y)


def _both(forms: Forms, *pair: Item) -> bool:
    kinds = [set(dict(forms.parts(item))) - {"error"} for item in pair]
    if any(len(kind) > 1 and isinstance(item, Varying) for kind, item in zip(kinds, pair, strict=True)):
        forms.refuse("A line through cells that are not always numbers is not supported")
    return kinds == [{"number"}, {"number"}]


def correlation(forms: Forms, first: Value, second: Value) -> Item:
    """Return CORREL."""
    tape, seen = forms.tape, _Moments(forms, first, second)
    if seen.failed is not None:
        return forms.unless(seen.bad, seen.code, seen.failed)
    zero = tape.const(0.0)
    still = tape.either(tape.raw("eq", seen.square_x, zero), tape.raw("eq", seen.square_y, zero))
    node = tape.apply("div", seen.together, tape.apply("sqrt", tape.apply("mul", seen.square_x, seen.square_y)))
    node = tape.apply("max", tape.const(-1.0), tape.apply("min", tape.const(1.0), node))
    return forms.unless(seen.bad, seen.code, forms.finished(node, [(still, ExcelError.DIV0)]))


def slope(forms: Forms, known_y: Value, known_x: Value) -> Item:
    """Return SLOPE."""
    return _line(forms, None, known_y, known_x)


def forecast(forms: Forms, x: int, known_y: Value, known_x: Value) -> Item:
    """Return FORECAST."""
    return _line(forms, x, known_y, known_x)


def _line(forms: Forms, at: int | None, known_y: Value, known_x: Value) -> Item:
    tape, seen = forms.tape, _Moments(forms, known_y, known_x)
    if seen.failed is not None:
        return forms.unless(seen.bad, seen.code, seen.failed)
    still = tape.raw("eq", seen.square_y, tape.const(0.0))
    node = tape.apply("div", seen.together, seen.square_y)
    if at is not None:
        node = tape.apply("add", seen.mean_x, tape.apply("mul", node, tape.apply("sub", at, seen.mean_y)))
    return forms.unless(seen.bad, seen.code, forms.finished(node, [(still, ExcelError.DIV0)]))


# the normal distribution


def standard_normal(forms: Forms, z: int, cumulative: int) -> Item:
    """Return NORM.S.DIST."""
    return forms.finished(_density_or_area(forms, z, cumulative, None))


def _density_or_area(forms: Forms, z: int, cumulative: int, deviation: int | None) -> int:
    tape = forms.tape
    exponent = tape.apply("div", tape.apply("mul", tape.apply("neg", z), z), tape.const(2.0))
    density = tape.apply("div", tape.apply("exp", exponent), tape.const(math.sqrt(2 * math.pi)))
    if deviation is not None:
        density = tape.apply("div", density, deviation)
    return tape.select(cumulative, tape.apply("ndtr", z), density)


def normal(forms: Forms, x: int, mean: int, deviation: int, cumulative: int) -> Item:
    """Return NORM.DIST."""
    tape = forms.tape
    z = tape.apply("div", tape.apply("sub", x, mean), deviation)
    errors = [(tape.raw("le", deviation, tape.const(0.0)), ExcelError.NUM)]
    return forms.finished(_density_or_area(forms, z, cumulative, deviation), errors)


def _quantile(forms: Forms, probability: int, mean: int | None, deviation: int | None) -> tuple[int, int]:
    """Return the quantile and when its arguments are out of their domain."""
    tape = forms.tape
    zero = tape.const(0.0)
    bad = tape.either(tape.raw("le", probability, zero), tape.raw("ge", probability, tape.const(1.0)))
    node = tape.apply("ndtri", probability)
    if mean is not None and deviation is not None:
        bad = tape.either(tape.raw("le", deviation, zero), bad)
        node = tape.apply("add", mean, tape.apply("mul", deviation, node))
    return node, bad


def standard_quantile(forms: Forms, probability: int) -> Item:
    """Return NORM.S.INV."""
    node, bad = _quantile(forms, probability, None, None)
    return forms.finished(node, [(bad, ExcelError.NUM)])


def normal_quantile(forms: Forms, probability: int, mean: int, deviation: int) -> Item:
    """Return NORM.INV."""
    node, bad = _quantile(forms, probability, mean, deviation)
    return forms.finished(node, [(bad, ExcelError.NUM)])


def lognormal_quantile(forms: Forms, probability: int, mean: int, deviation: int) -> Item:
    """Return LOGNORM.INV."""
    tape = forms.tape
    node, bad = _quantile(forms, probability, mean, deviation)
    bad = tape.either(bad, tape.raw("ge", node, tape.const(709.0)))
    return forms.finished(tape.apply("exp", node), [(bad, ExcelError.NUM)])


FUNCTIONS: dict[str, VectorFunction] = {
    "CORREL": correlation,
    "FORECAST": forecast,
    "LARGE": _nth(largest=True),
    "LOGNORM.INV": lognormal_quantile,
    "MEDIAN": median,
    "NORM.DIST": normal,
    "NORM.INV": normal_quantile,
    "NORM.S.DIST": standard_normal,
    "NORM.S.INV": standard_quantile,
    "PERCENTILE": percentile,
    "PERCENTILE.EXC": percentile_exclusive,
    "PERCENTILE.INC": percentile,
    "RANK": rank,
    "SLOPE": slope,
    "SMALL": _nth(largest=False),
    "STDEV": _deviation(1),
    "STDEV.P": _deviation(0),
    "STDEV.S": _deviation(1),
}
