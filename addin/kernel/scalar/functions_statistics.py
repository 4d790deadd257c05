"""Statistics over cells: counts, means, ranks, spread, lines through points."""

from __future__ import annotations

import itertools
import math

from addin.kernel.excel.comparison import criterion
from addin.kernel.excel.values import ExcelError, Fault, Grid, Scalar, Value, as_grid, number_in, numbers, plain_sum
from addin.kernel.scalar.functions_math import chosen, one_criterion
from addin.kernel.scalar.signatures import Table


def average_of(values: list[float]) -> float:
    """Return the mean. Raises Fault with #DIV/0! where there is no number."""
    if not values:
        raise Fault(ExcelError.DIV0)
    return plain_sum(values) / len(values)


def averageif(tested: Value, wanted: Scalar, values: Value | None = None) -> float:
    """Return AVERAGEIF."""
    return average_of(one_criterion("AVERAGEIF", tested, wanted, values))


def averageifs(values: Value, *pairs: Value) -> float:
    """Return AVERAGEIFS."""
    return average_of(numbers((Grid((tuple(chosen(values, *pairs)) or (None,),)),)))


def count(*args: Value) -> float:
    """Return COUNT: numbers in cells, and arguments that read as numbers."""
    result = 0
    for arg in args:
        if isinstance(arg, Grid):
            result += sum(type(value) is float for value in arg.flat())
        elif not isinstance(arg, ExcelError):
            result += not isinstance(arg, str) or number_in(arg) is not None
    return float(result)


def counta(*args: Value) -> float:
    """Return COUNTA: everything but blank cells."""
    return float(sum(sum(v is not None for v in arg.flat()) if isinstance(arg, Grid) else 1 for arg in args))


def countif(tested: Value, wanted: Scalar) -> float:
    """Return COUNTIF."""
    return float(sum(map(criterion(wanted), as_grid(tested).flat())))


def median(*args: Value) -> float:
    """Return MEDIAN. Raises Fault with #NUM! where there is no number."""
    return percentile_of(sorted(numbers(args)), 0.5)


def percentile_of(ordered: list[float], share: float) -> float:
    """Return the percentile with both ends included. Raises Fault with #NUM! for no number or a share outside 0-1."""
    if not ordered or not 0 <= share <= 1:
        raise Fault(ExcelError.NUM)
    return _between(ordered, share * (len(ordered) - 1))


def percentile_exclusive(values: Value, share: float) -> float:
    """Return PERCENTILE.EXC. Raises Fault with #NUM! outside 1/(n+1) to n/(n+1)."""
    ordered = sorted(numbers((values,)))
    position = share * (len(ordered) + 1)
    if not ordered or not 0 < share < 1 or position < 1 or position > len(ordered):
        raise Fault(ExcelError.NUM)
    return _between(ordered, position - 1)


def _between(ordered: list[float], position: float) -> float:
    below = math.floor(position)
    part = position - below
    if part == 0:
        return ordered[below]
    return ordered[below] + part * (ordered[below + 1] - ordered[below])


def nth(values: Value, k: float, *, largest: bool) -> float:
    """Return LARGE or SMALL. Raises Fault with #NUM! outside 1 to the count."""
    ordered = sorted(numbers((values,)), reverse=largest)
    position = math.ceil(k)
    if not 1 <= position <= len(ordered):
        raise Fault(ExcelError.NUM)
    return ordered[position - 1]


def rank(number: float, values: Value, ascending: float = 0.0) -> float:
    """Return RANK: equal numbers share the best rank. Raises Fault with #N/A where the number is not in the list."""
    ranked = numbers((values,))
    if number not in ranked:
        raise Fault(ExcelError.NA)
    return 1.0 + sum(value < number if ascending else value > number for value in ranked)


def deviation(args: tuple[Value, ...], *, sample: bool) -> float:
    """Return STDEV.S or STDEV.P. Raises Fault with #DIV/0! for too few numbers."""
    values = numbers(args)
    if len(values) < 1 + sample:
        raise Fault(ExcelError.DIV0)
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - sample))


def moments(first: Value, second: Value) -> tuple[float, float, float, float, float]:
    """Return means, sums of squared deviations and of products over the pairs that are both numbers.

    Raises Fault with #N/A for unequal counts, #DIV/0! for no pair, or with the error of the first pair that has one.
    """
    left, right = list(as_grid(first).flat()), list(as_grid(second).flat())
    if len(left) != len(right):
        raise Fault(ExcelError.NA)
    for value in itertools.chain.from_iterable(zip(left, right, strict=True)):
        if isinstance(value, ExcelError):
            raise Fault(value)
    pairs = [(x, y) for x, y in zip(left, right, strict=True) if isinstance(x, float) and isinstance(y, float)]
    if not pairs:
        raise Fault(ExcelError.DIV0)
    mean_x = math.fsum(x for x, _ in pairs) / len(pairs)
    mean_y = math.fsum(y for _, y in pairs) / len(pairs)
    square_x = math.fsum((x - mean_x) ** 2 for x, _ in pairs)
    square_y = math.fsum((y - mean_y) ** 2 for _, y in pairs)
    return mean_x, mean_y, square_x, square_y, math.fsum((x - mean_x) * (y - mean_y) for x, y in pairs)


def correlation(first: Value, second: Value) -> float:
    """Return CORREL. Raises Fault with #DIV/0! where one side does not vary."""
    _, _, square_x, square_y, together = moments(first, second)
    if square_x == 0 or square_y == 0:
        raise Fault(ExcelError.DIV0)
    return max(-1.0, min(1.0, together / math.sqrt(square_x * square_y)))


def slope(known_y: Value, known_x: Value) -> float:
    """Return SLOPE. Raises Fault with #DIV/0! where x does not vary."""
    _, _, _, square_x, together = moments(known_y, known_x)
    if square_x == 0:
        raise Fault(ExcelError.DIV0)
    return together / square_x


def forecast(x: float, known_y: Value, known_x: Value) -> float:
    """Return FORECAST: the line through the points at x."""
    mean_y, mean_x, *_ = moments(known_y, known_x)
    return mean_y + slope(known_y, known_x) * (x - mean_x)


FUNCTIONS: Table = {
    "AVERAGE": (":a", lambda *args: average_of(numbers(args))),
    "AVERAGEIF": ("aea", averageif),
    "AVERAGEIFS": ("a:ae", averageifs),
    "CORREL": ("mm", correlation),
    "COUNT": (":a", count),
    "COUNTA": (":a", counta),
    "COUNTIF": ("ae", countif),
    "COUNTIFS": (":ae", lambda first, *rest: float(len(chosen(first, first, *rest)))),
    "FORECAST": ("nmm", forecast),
    "LARGE": ("an", lambda values, k: nth(values, k, largest=True)),
    "MEDIAN": (":a", median),
    "PERCENTILE": ("an", lambda values, share: percentile_of(sorted(numbers((values,))), share)),
    "PERCENTILE.EXC": ("an", percentile_exclusive),
    "PERCENTILE.INC": ("an", lambda values, share: percentile_of(sorted(numbers((values,))), share)),
    "RANK": ("nan", rank),
    "SLOPE": ("mm", slope),
    "SMALL": ("an", lambda values, k: nth(values, k, largest=False)),
    "STDEV": (":a", lambda *args: deviation(args, sample=True)),
    "STDEV.P": (":a", lambda *args: deviation(args, sample=False)),
    "STDEV.S": (":a", lambda *args: deviation(args, sample=True)),
}
