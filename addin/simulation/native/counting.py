"""Native counts of one result of one replicate, and whether the design holds, as summaries.py and trials.py have them.

A sum is taken in the order in which numpy adds (pairwise): eight lanes over 128 values, their tree, then the tree of
the blocks. It is added to the long accumulator of exact_sums.py word by word.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from addin.kernel.trials.codes import RERUN
from addin.simulation.native.records import LIMBS, RESULT, WORK, Fields
from addin.simulation.native.writing import DOUBLE, INTEGER, POINTER, WORD, Function, Kind, Value, Variable
from addin.simulation.summaries import ERROR_KINDS, LARGEST

LANES = 8
VALUES = Kind("double", LANES)
PLACES = Kind("i64", LANES)
BLOCK = 128  # values that numpy adds without halving
COLUMNS = len(ERROR_KINDS) + 1  # of the errors of a Summary
MOST_TRIALS = 4096  # of a replicate at once: as many Sobol words are looked up


def functions() -> list[Function]:
    """Return any_left, verdict, look, count and what count calls."""
    return [_any_left(), _verdict(), _look(), _add_exactly(), _note(), _note_errors(), _count()]


def _any_left() -> Function:
    """Write any_left(codes, trials): whether a trial is left to the scalar evaluator."""
    parameters = (("codes", POINTER), ("trials", INTEGER))
    function = Function("any_left", parameters, "i1", "internal")
    codes, trials = function.given
    kind = Kind("i32", 16)
    seen = function.variable(kind.of("i1"), 0)
    with function.loop(trials, kind.width) as i:
        seen.set(seen.value | function.load(kind, codes, i).is_("eq", RERUN))
    function.result(seen.value.any())
    return function


def _verdict() -> Function:
    """Write verdict(work): 1 into the last result where the design has enough of everything, else 0, or NaN."""
    function = Function("verdict", (("work", POINTER),), scope="internal")
    work = Fields(function, WORK, function.given[0])
    r, row, holding, rows, trials = work.r, work.r_row, work.holding, work.holding_rows, work.trials
    out = function.place(r, row * (work.results - 1), "double")
    zero = function.constant(VALUES, 0.0)

    def figure(number: Value | int, i: Value) -> Value:
        return function.load(VALUES, function.place(r, row * function.load(INTEGER, rows, number), "double"), i)

    with function.loop(trials, LANES) as i:
        holds = function.variable(VALUES, 1.0)
        with function.loop(holding) as number:
            x, most = figure(number, i), function.load(DOUBLE, work.holding_most, number).broadcast(LANES)
            holds.set((x.is_("le", most) | holds.value.is_("ne", holds.value)).choose(holds.value, zero))
            holds.set(x.is_("ne", x).choose(x, holds.value))
        function.store(holds.value, out, i)
    function.result()
    return function


def _look() -> Function:
    """Write look(values, trials, ends): least and most number to `ends`; returns how many values no sum can hold."""
    function = Function("look", (("values", POINTER), ("trials", INTEGER), ("ends", POINTER)), "i64", "internal")
    values, trials, ends = function.given
    least, most = function.variable(VALUES, math.inf), function.variable(VALUES, -math.inf)
    strange = function.variable(INTEGER, 0)  # not a number, infinite, or too large
    with function.loop(trials, LANES) as i:
        x = function.load(VALUES, values, i)
        fine = _is_fine(x)
        strange.set(strange.value + (fine ^ 1).count())
        least.set((x.is_("lt", least.value) & fine).choose(x, least.value))
        most.set((x.is_("gt", most.value) & fine).choose(x, most.value))
    function.store(_across(least.value, Value.at_most), ends, 0)
    function.store(_across(most.value, Value.at_least), ends, 1)
    function.result(strange.value)
    return function


def _is_fine(x: Value) -> Value:
    """Return which values a sum can hold: numbers up to LARGEST."""
    return x.apply("fabs").is_("le", LARGEST)


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


def _note_errors() -> Function:
    """Write note_errors(work, values, number, replicate, rows, count): what kinds of no number, and where first.

    The kind is the highest of the codes in `count` rows.
    """
    parameters = (("work", POINTER), ("values", POINTER), ("number", INTEGER), ("replicate", INTEGER))
    function = Function("note_errors", [*parameters, ("rows", POINTER), ("count", INTEGER)], scope="internal")
    address, values, number, replicate, rows, count = function.given
    work = Fields(function, WORK, address)
    c, c_row, kinds, start, replicates = work.c, work.c_row, work.kinds, work.start, work.replicates
    errors, first_error = (function.place(at, number * COLUMNS, "i64") for at in (work.errors, work.first_error))
    with function.loop(work.trials) as i, function.when(_is_fine(function.load(DOUBLE, values, i)) ^ 1):
        kind = function.variable(INTEGER, 0)
        with function.loop(count) as place:
            code = function.load(WORD, c, c_row * function.load(INTEGER, rows, place) + i).to("zext", "i64")
            kind.set(kind.value.at_least(function.load(INTEGER, kinds, code.at_most(RERUN))))
        known = kind.value.is_("gt", 0)
        column = known.choose(kind.value - 1, function.constant(INTEGER, COLUMNS - 1))
        function.increase(errors, column)
        first = function.place(first_error, column, "i64")
        function.store(function.load(INTEGER, first).at_most((start + i) * replicates + replicate), first)
    function.result()
    return function


def _count() -> Function:
    """Write count(work, result, number, replicate): the values of one result into everything a Summary holds."""
    parameters = (("work", POINTER), ("result", POINTER), ("number", INTEGER), ("replicate", INTEGER))
    function = Function("count", parameters, scope="internal")
    address, record, number, replicate = function.given
    work, result = Fields(function, WORK, address), Fields(function, RESULT, record)
    values = function.place(work.r, work.r_row * number, "double")
    cell = work.replicates * number + replicate
    strange, one = function.load(INTEGER, work.strange, number), function.constant(INTEGER, 1)
    with function.when(strange.is_("ne", 0)):
        own = function.memory(INTEGER, 1)
        function.store(number, own)
        judging = work.holding.is_("gt", 0) & number.is_("eq", work.results - 1)
        rows, count = judging.choose(work.holding_rows, own), judging.choose(work.holding, one)
        function.call("note_errors", None, address, values, number, replicate, rows, count)
    least, most = (function.load(DOUBLE, work.ends, number * 2 + side) for side in (0, 1))
    for ends, value, order in ((work.minimum, least, "lt"), (work.maximum, most, "gt")):
        end = function.load(DOUBLE, ends, number)
        function.store(value.is_(order, end).choose(value, end), ends, number)
    trials = work.trials
    _sums(function, values, trials, result.pivot.broadcast(LANES), function.place(work.words, cell * 2 * LIMBS, "i64"))
    with function.when(result.whole.is_("ne", 0)):
        odd = function.variable(INTEGER, 0)
        with function.loop(trials, LANES) as i:
            x = function.load(VALUES, values, i)
            odd.set(odd.value + (x.is_("ne", x.apply("floor")) & _is_fine(x)).count())
        function.increase(work.fractional, number, odd.value)
    counts = function.place(work.counts, cell * work.slots, "i64")
    same = least.is_("eq", most) & strange.is_("eq", 0)  # then one value stands for all: counted once, as often
    slot = _slots(function, work, result, number, values, same.choose(LANES, trials), least.broadcast(LANES))
    with function.when(same):
        function.increase(counts, function.load(INTEGER, slot), trials)
    with function.when(same ^ 1), function.loop(trials) as i:
        fine = _is_fine(function.load(DOUBLE, values, i)).choose(one, function.constant(INTEGER, 0))
        function.increase(counts, function.load(INTEGER, slot, i), fine)
    function.result()
    return function


def _slots(
    function: Function, work: Fields, result: Fields, number: Value, values: Value, trials: Value, least: Value
) -> Value:
    """Return the address of the slots (trials,) of values; a value that is not a number has that of the least one."""
    slot = function.memory(INTEGER, MOST_TRIALS)
    listed, length, bins = result.listed, result.length, work.slots - 2
    lowest, highest = (function.place(ends, work.gaps * number, "double") for ends in (work.lowest, work.highest))
    in_bins = length.is_("eq", 0)
    with function.when(in_bins):
        scale = [value.broadcast(LANES) for value in (result.low, result.inverse, bins.to("sitofp", "double"))]
        with function.loop(trials, LANES) as i:
            x = function.load(VALUES, values, i)
            function.store(_bins(_is_fine(x).choose(x, least), *scale), slot, i)
    with function.when(in_bins ^ 1), function.loop(trials, LANES) as i:
        x = function.load(VALUES, values, i)
        fine = _is_fine(x)
        gap, unseen = _gaps(function, fine.choose(x, least), listed, length)
        function.store((gap << 1) + (unseen ^ 1).to("zext", "i64"), slot, i)
        unseen = unseen & fine
        with function.when(unseen.any()):
            for place in range(LANES):
                with function.when(unseen.lane(place)):
                    function.call("note", None, x.lane(place), gap.lane(place), lowest, highest)
    return slot


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
    zero = function.constant(VALUES, 0.0)
    blocks = [function.memory(DOUBLE, MOST_TRIALS // BLOCK) for _ in range(2)]
    lanes: list[Variable] = [function.variable(VALUES, 0.0) for _ in range(2)]
    with function.loop(trials, BLOCK) as start:
        for lane in lanes:
            lane.set(function.constant(VALUES, -0.0))  # as good as nothing: even -0 stays what it is
        with function.loop(start + BLOCK, LANES, start) as i:
            x = function.load(VALUES, values, i)
            distance = _is_fine(x).choose(x - pivot, zero)
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
