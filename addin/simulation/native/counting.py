"""Native counts of one result of one replicate, and whether the design holds, as summaries.py and trials.py have them.

A sum is taken in the order in which numpy adds (pairwise): eight lanes over 128 values, their tree, then the tree of
the blocks. It is added to the long accumulator of exact_sums.py word by word.
"""

from __future__ import annotations

from collections.abc import Callable

from addin.simulation.native.records import LIMBS, RESULT, WORK, Fields
from addin.simulation.native.writing import DOUBLE, INTEGER, POINTER, Function, Kind, Value, Variable
from addin.simulation.summaries import LARGEST

LANES = 8
VALUES = Kind("double", LANES)
PLACES = Kind("i64", LANES)
BLOCK = 128  # values that numpy adds without halving
MOST_TRIALS = 4096  # of a replicate at once: as many Sobol words are looked up


def functions() -> list[Function]:
    """Return any_code, verdict, is_fine, count and what count calls."""
    return [_any_code(), _verdict(), _is_fine(), _add_exactly(), _note(), _count()]


def _any_code() -> Function:
    """Write any_code(codes, trials): 1 where a trial ends in an error or a text, else 0."""
    parameters = (("codes", POINTER), ("trials", INTEGER))
    function = Function("any_code", parameters, "i1", "internal")
    codes, trials = function.given
    kind = Kind("i16", 32)
    seen = function.variable(kind, 0)
    with function.loop(trials, kind.width) as i:
        seen.set(seen.value | function.load(kind, codes, i))
    function.result(seen.value.is_("ne", 0).any())
    return function


def _verdict() -> Function:
    """Write verdict(work): 1 into the last result where arrays suffice and all that must be 0 is, else 0."""
    function = Function("verdict", (("work", POINTER),), scope="internal")
    fields = Fields(function, WORK, function.given[0])
    r, row, holding, rows, trials = fields.r, fields.r_row, fields.holding, fields.holding_rows, fields.trials
    out = function.place(r, row * (fields.results - 1), "double")
    first = function.place(r, row * function.load(INTEGER, rows), "double")
    arrays = fields.arrays.broadcast(LANES)
    zero, one = function.constant(VALUES, 0.0), 1.0
    with function.loop(trials, LANES) as i:
        function.store(function.load(VALUES, first, i).is_("le", arrays).choose(one, zero), out, i)
    with function.loop(holding, start=1) as number:
        others = function.place(r, row * function.load(INTEGER, rows, number), "double")
        with function.loop(trials, LANES) as i:
            is_zero = function.load(VALUES, others, i).is_("eq", 0.0)
            function.store(is_zero.choose(function.load(VALUES, out, i), zero), out, i)
    function.result()
    return function


def _is_fine() -> Function:
    """Write is_fine(values, trials, ends): whether all are numbers that a sum can hold; least and most to `ends`."""
    function = Function("is_fine", (("values", POINTER), ("trials", INTEGER), ("ends", POINTER)), "i1", "internal")
    values, trials, ends = function.given
    first = function.load(VALUES, values)
    least, most = function.variable(VALUES, first), function.variable(VALUES, first)
    strange = function.variable(VALUES.of("i1"), 0)
    with function.loop(trials, LANES) as i:
        x = function.load(VALUES, values, i)
        strange.set(strange.value | (x.apply("fabs").is_("le", LARGEST) ^ 1))
        least.set(x.is_("lt", least.value).choose(x, least.value))
        most.set(x.is_("gt", most.value).choose(x, most.value))
    function.store(_across(least.value, Value.at_most), ends, 0)
    function.store(_across(most.value, Value.at_least), ends, 1)
    function.result(strange.value.any() ^ 1)
    return function


def _across(x: Value, both: Callable[[Value, Value], Value]) -> Value:
    """Return the lanes as one, neighbours first."""
    lanes = [x.lane(place) for place in range(LANES)]
    while len(lanes) > 1:
        lanes = [both(left, right) for left, right in zip(lanes[::2], lanes[1::2], strict=True)]
    return lanes[0]


def _add_exactly() -> Function:
    """Write add_exactly(words, value): ExactSums.add of one finite value."""
    function = Function("add_exactly", (("words", POINTER), ("value", DOUBLE)), scope="internal")
    words, value = function.given
    size = value.apply("fabs")
    tiny = size.is_("lt", 2.0**-1022)  # below it the leading bit is not implied: made larger for a moment
    larger = tiny.choose(value * 2.0**64, value)
    bits = larger.to("bitcast", "i64")
    exponent = (bits >> 52 & 0x7FF) - tiny.choose(64, function.constant(INTEGER, 0))
    size = (bits & (1 << 52) - 1) | 1 << 52
    digits = bits.is_("lt", 0).choose(0 - size, size)
    with function.when(value.is_("eq", 0.0)):
        function.result()
    position = exponent + (1126 - 1075)  # of the last digit, 2**-1126 being 0
    shift, at = position & 31, position >> 5
    low, high = (digits & 0xFFFFFFFF) << shift, digits.signed_shift(32) << shift
    function.increase(words, at, low & 0xFFFFFFFF)
    function.increase(words, at + 1, (low >> 32) + (high & 0xFFFFFFFF))
    function.increase(words, at + 2, high.signed_shift(32))
    function.result()
    return function


def _note() -> Function:
    """Write note(x, gap, lowest, highest): a value that is not listed widens the extremes of its gap."""
    parameters = (("x", DOUBLE), ("gap", INTEGER), ("lowest", POINTER), ("highest", POINTER))
    function = Function("note", parameters, scope="internal")
    x, gap, lowest, highest = function.given
    for ends, order in ((lowest, "lt"), (highest, "gt")):
        place = function.place(ends, gap, "double")
        end = function.load(DOUBLE, place)
        function.store(x.is_(order, end).choose(x, end), place)
    function.result()
    return function


def _count() -> Function:
    """Write count(work, result, number, replicate): the values of one result into everything a Summary holds."""
    parameters = (("work", POINTER), ("result", POINTER), ("number", INTEGER), ("replicate", INTEGER))
    function = Function("count", parameters, scope="internal")
    address, record, number, replicate = function.given
    work, result = Fields(function, WORK, address), Fields(function, RESULT, record)
    trials, slots, gaps = work.trials, work.slots, work.gaps
    values = function.place(work.r, work.r_row * number, "double")
    cell = work.replicates * number + replicate
    counts = function.place(work.counts, cell * slots, "i64")
    words = function.place(work.words, cell * (2 * LIMBS), "i64")
    lowest, highest = (function.place(ends, gaps * number, "double") for ends in (work.lowest, work.highest))
    least, most = (function.load(DOUBLE, work.ends, number * 2 + side) for side in (0, 1))
    for ends, value, order in ((work.minimum, least, "lt"), (work.maximum, most, "gt")):
        end = function.load(DOUBLE, ends, number)
        function.store(value.is_(order, end).choose(value, end), ends, number)

    _sums(function, values, trials, result.pivot.broadcast(LANES), words)
    with function.when(result.whole.is_("ne", 0)):
        odd = function.variable(INTEGER, 0)
        with function.loop(trials, LANES) as i:
            x = function.load(VALUES, values, i)
            odd.set(odd.value + x.is_("ne", x.apply("floor")).count())
        function.increase(work.fractional, number, odd.value)

    low, inverse, most_bins = result.low, result.inverse, slots - 2
    listed, length = result.listed, result.length
    in_bins = length.is_("eq", 0)
    slot = function.memory(INTEGER, MOST_TRIALS)
    same = least.is_("eq", most)  # then one value stands for all: counted once, as often
    each, times = same.choose(LANES, trials), same.choose(trials, function.constant(INTEGER, 1))
    looked_at = same.choose(1, trials)
    with function.when(in_bins):
        scale = [value.broadcast(LANES) for value in (low, inverse, most_bins.to("sitofp", "double"))]
        with function.loop(each, LANES) as i:
            function.store(_bins(function.load(VALUES, values, i), *scale), slot, i)
    with function.when(in_bins ^ 1), function.loop(each, LANES) as i:
        x = function.load(VALUES, values, i)
        gap, unseen = _gaps(function, x, listed, length)
        with function.when(unseen.any()):
            for place in range(LANES):
                with function.when(unseen.lane(place)):
                    function.call("note", None, x.lane(place), gap.lane(place), lowest, highest)
        function.store((gap << 1) + (unseen ^ 1).to("zext", "i64"), slot, i)
    _scatter(function, slot, looked_at, counts, times)
    function.result()
    return function


def _scatter(function: Function, slot: Value, trials: Value, counts: Value, times: Value) -> None:
    """Add `times` to the count of each slot."""
    with function.loop(trials) as i:
        function.increase(counts, function.load(INTEGER, slot, i), times)


def _bins(x: Value, low: Value, inverse: Value, bins: Value) -> Value:
    """Return the slots of values: 0 below the bins, then 1 for the first of them and so on."""
    scaled = ((x - low) * inverse).apply("floor")
    return scaled.at_least(-1.0).at_most(bins).to("fptosi", "i64") + 1


def _gaps(function: Function, x: Value, listed: Value, length: Value) -> tuple[Value, Value]:
    """Return how many listed values are below each value, and whether it is none of them."""
    gap, seen = function.variable(PLACES, 0), function.variable(VALUES.of("i1"), 0)
    with function.loop(length) as i:
        value = function.load(DOUBLE, listed, i).broadcast(LANES)
        gap.set(gap.value + value.is_("lt", x).to("zext", "i64"))
        seen.set(seen.value | value.is_("eq", x))
    return gap.value, seen.value ^ 1


def _sums(function: Function, values: Value, trials: Value, pivot: Value, words: Value) -> None:
    """Add the distances from the pivot, and their squares, to the two sums, each rounded as numpy rounds it."""
    blocks = [function.memory(DOUBLE, MOST_TRIALS // BLOCK) for _ in range(2)]
    lanes: list[Variable] = [function.variable(VALUES, 0.0) for _ in range(2)]
    with function.loop(trials, BLOCK) as start:
        for lane in lanes:
            lane.set(function.constant(VALUES, -0.0))  # as good as nothing: even -0 stays what it is
        with function.loop(start + BLOCK, LANES, start) as i:
            distance = function.load(VALUES, values, i) - pivot
            for lane, value in zip(lanes, (distance, distance * distance), strict=True):
                lane.set(lane.value + value)
        for block, lane in zip(blocks, lanes, strict=True):
            function.store(_across(lane.value, Value.__add__), block, start >> 7)
    for which, block in enumerate(blocks):
        left = function.variable(INTEGER, trials >> 7)
        with function.loop(5):  # halves of halves: at most 32 blocks
            half = left.value >> 1
            with function.loop(half) as pair:
                both = [function.load(DOUBLE, block, pair * 2 + side) for side in (0, 1)]
                function.store(both[0] + both[1], block, pair)
            left.set(half)
        total = function.load(DOUBLE, block)
        function.call("add_exactly", None, function.place(words, which * LIMBS, "i64"), total)
