"""Functions that summarise ranges: each cell one operation in a chain, in the order of the cells."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from addin.kernel.excel.comparison import criterion
from addin.kernel.excel.values import ExcelError, Grid, Scalar, as_grid, is_truth, number_in, passed_over, to_bool
from addin.kernel.trials.arguments import VectorFunction, scalar_of
from addin.kernel.trials.forms import ERRORS, RERUN, Forms, Item, Part, Value, is_mapped
from addin.kernel.trials.operations import FALSE, ORDER, TRUE


class Numbers(NamedTuple):
    """Numbers with the trials in which each is there, and the first error among them."""

    entries: list[tuple[int, int]]
    bad: int
    code: int


def numbers(forms: Forms, args: Sequence[Value]) -> Numbers:
    """Return the numbers that SUM and its kin see, as `values.numbers`."""
    entries: list[tuple[int, int]] = []
    checks: list[tuple[int, int]] = []
    for arg in args:
        if not isinstance(arg, Grid):
            seen = forms.to_number(arg)
            checks.append((seen.bad, seen.code))
            entries.append((seen.node, TRUE))
            continue
        for item in arg.flat():
            parts = dict(forms.parts(item))
            if "error" in parts:
                checks.append(parts["error"])
            if "number" in parts:
                there = _without_error(parts["number"].guard, parts)
                entries.append((parts["number"].payload, there))
    return Numbers(entries, *forms.first_error(*checks))


def _without_error(guard: int, parts: dict[str, Part]) -> int:
    """Return the guard of the only part beside an error as TRUE: in other trials the error decides."""
    return TRUE if set(parts) <= {"number", "error"} else guard


def added(forms: Forms, terms: Sequence[int]) -> int:
    """Return the sum from left to right, as the scalar evaluator adds."""
    tape = forms.tape
    total = tape.const(0.0)
    for term in terms:
        total = tape.apply("add", total, term)
    return total


def present(forms: Forms, seen: Numbers) -> list[int]:
    """Return the numbers, 0 where one is missing."""
    zero = forms.tape.const(0.0)
    return [forms.tape.select(there, node, zero) for node, there in seen.entries]


def counted(forms: Forms, seen: Numbers) -> int:
    """Return how many numbers are there."""
    return added(forms, [forms.tape.number(there) for _, there in seen.entries])


def total(forms: Forms, *args: Value) -> Item:
    """Return SUM."""
    seen = numbers(forms, args)
    return forms.unless(seen.bad, seen.code, forms.finished(added(forms, present(forms, seen))))


def sum_of_squares(forms: Forms, *args: Value) -> Item:
    """Return SUMSQ."""
    seen = numbers(forms, args)
    squares = [forms.tape.apply("mul", node, node) for node in present(forms, seen)]
    return forms.unless(seen.bad, seen.code, forms.finished(added(forms, squares)))


def product(forms: Forms, *args: Value) -> Item:
    """Return PRODUCT; 0 where there is no number."""
    tape = forms.tape
    seen = numbers(forms, args)
    result = one = tape.const(1.0)
    for node, there in seen.entries:
        result = tape.apply("mul", result, tape.select(there, node, one))
    result = tape.select(tape.any(there for _, there in seen.entries), result, tape.const(0.0))
    return forms.unless(seen.bad, seen.code, forms.finished(result))


def _extreme(name: str) -> VectorFunction:
    def function(forms: Forms, *args: Value) -> Item:
        tape = forms.tape
        seen = numbers(forms, args)
        result, some = tape.const(0.0), FALSE
        for node, there in sorted(seen.entries, key=lambda entry: entry[1] != TRUE):
            larger = tape.select(some, tape.apply(name, result, node), node) if some != TRUE else -1
            larger = tape.apply(name, result, node) if some == TRUE else larger
            result = tape.select(there, larger, result)
            some = tape.either(some, there)
        return forms.unless(seen.bad, seen.code, forms.number(result))

    return function


def average(forms: Forms, *args: Value) -> Item:
    """Return AVERAGE."""
    return _mean(forms, numbers(forms, args))


def _mean(forms: Forms, seen: Numbers) -> Item:
    tape = forms.tape
    count = counted(forms, seen)
    none = (tape.raw("eq", count, tape.const(0.0)), ExcelError.DIV0)
    node = tape.apply("div", added(forms, present(forms, seen)), count)
    return forms.unless(seen.bad, seen.code, forms.finished(node, [none]))


def sumproduct(forms: Forms, *args: Value) -> Item:
    """Return SUMPRODUCT; whatever is no number counts as 0."""
    tape = forms.tape
    grids = [as_grid(arg) for arg in args]
    alike = list(itertools.takewhile(lambda grid: grid.shape == grids[0].shape, grids))
    checks = [part for grid in alike for item in grid.flat() for kind, part in forms.parts(item) if kind == "error"]
    if len(alike) < len(grids):
        return forms.unless(*forms.first_error(*checks), ExcelError.VALUE)
    terms = []
    for items in zip(*(grid.flat() for grid in grids), strict=True):
        term = tape.const(1.0)
        for item in items:
            parts = dict(forms.parts(item))
            there = _without_error(parts["number"].guard, parts) if "number" in parts else FALSE
            node = tape.select(there, parts["number"].payload, tape.const(0.0)) if there else tape.const(0.0)
            term = tape.apply("mul", term, node)
        terms.append(term)
    return forms.unless(*forms.first_error(*checks), forms.finished(added(forms, terms)))


def count(forms: Forms, *args: Value) -> Item:
    """Return COUNT."""
    tape = forms.tape
    guards, reruns = [], []
    for arg in args:
        if isinstance(arg, Grid):
            guards += [forms.is_kind(item, "number") for item in arg.flat()]
            reruns += [forms.reruns(item) for item in arg.flat()]
            continue
        seen = forms.to_number(arg)
        texts = forms.is_kind(arg, "text")
        guards.append(
            tape.either(forms.is_kind(arg, "number", "logical", "blank"), tape.both(texts, tape.no(seen.bad)))
        )
        reruns.append(forms.reruns(arg))
    result = forms.number(added(forms, [tape.number(guard) for guard in guards]))
    return forms.unless(tape.any(reruns), forms.rerun(), result)


def counta(forms: Forms, *args: Value) -> Item:
    """Return COUNTA."""
    tape = forms.tape
    guards = []
    for arg in args:
        items = arg.flat() if isinstance(arg, Grid) else []
        guards += [tape.no(forms.is_kind(item, "blank")) for item in items] or [TRUE]
    return forms.number(added(forms, [tape.number(guard) for guard in guards]))


def meets(forms: Forms, item: Item, wanted: Scalar) -> int:
    """Return when a cell meets a criterion, as `comparison.criterion`; a cell to rerun meets none."""
    tape = forms.tape
    test = criterion(wanted)
    match = re.match(r"<>|<=|>=|=|<|>", wanted) if isinstance(wanted, str) else None
    operator, rest = (match[0], wanted[match.end() :]) if match and isinstance(wanted, str) else ("=", wanted)
    limit = number_in(rest) if isinstance(rest, str) else 0.0 if rest is None else rest
    guards = []
    for kind, (guard, payload) in forms.parts(item):
        if kind == "number" and isinstance(limit, float):
            holds = tape.raw(ORDER[operator], payload, tape.const(limit))
        elif kind == "number":
            holds = tape.truth(test(0.5))
        elif kind == "logical":
            holds = tape.choose(payload, tape.truth(test(True)), tape.truth(test(False)))
        elif kind == "blank":
            holds = tape.truth(test(None))
        elif kind == "text":
            seen = forms.mapped(payload, lambda position: test(tape.texts[int(position)]))
            holds = forms.to_bool(seen).node
        else:
            seen = forms.mapped(payload, lambda code: code < RERUN and test(ERRORS[int(code) - 1]))
            holds = forms.to_bool(seen).node
        guards.append(tape.both(guard, holds))
    return tape.any(guards)


def _kept(forms: Forms, shape: Grid[Item], pairs: Sequence[tuple[Grid[Item], Scalar]]) -> tuple[list[int], int]:
    """Return for each cell when it meets every criterion, and when a tested cell is left to the scalar evaluator."""
    keep = [TRUE] * len(shape.flat())
    reruns = FALSE
    for grid, wanted in pairs:
        if grid.shape != shape.shape:
            forms.refuse("A criterion over a range of another shape is not supported")
        keep = [forms.tape.both(k, meets(forms, item, wanted)) for k, item in zip(keep, grid.flat(), strict=True)]
        reruns = forms.tape.either(reruns, forms.tape.any(forms.reruns(item) for item in grid.flat()))
    return keep, reruns


def _conditional(finish: Callable[[Forms, Numbers], Item], single: bool) -> VectorFunction:
    """Return SUMIF or AVERAGEIF (`single`), SUMIFS or AVERAGEIFS."""

    def function(forms: Forms, *args: Value) -> Item:
        if single:
            tested, values = as_grid(args[0]), as_grid(args[2] if len(args) == 3 else args[0])
            pairs = [(tested, _wanted(args, 1))]
        else:
            values = as_grid(args[0])
            pairs = [(as_grid(args[i]), _wanted(args, i + 1)) for i in range(1, len(args), 2)]
        keep, reruns = _kept(forms, values, pairs)
        entries: list[tuple[int, int]] = []
        checks = [(reruns, forms.rerun())]
        for kept, item in zip(keep, values.flat(), strict=True):
            parts = dict(forms.parts(item))
            if "error" in parts:
                checks.append((forms.tape.both(kept, parts["error"].guard), parts["error"].payload))
            if "number" in parts:
                there = forms.tape.both(kept, _without_error(parts["number"].guard, parts))
                entries.append((parts["number"].payload, there))
        return finish(forms, Numbers(entries, *forms.first_error(*checks)))

    return function


def _wanted(args: Sequence[Value], position: int) -> Scalar:
    value = args[position]
    return ExcelError.VALUE if isinstance(value, Grid) else scalar_of(value, position)


def _sum(forms: Forms, seen: Numbers) -> Item:
    return forms.unless(seen.bad, seen.code, forms.finished(added(forms, present(forms, seen))))


def _count_if(forms: Forms, *args: Value) -> Item:
    pairs = [(as_grid(args[i]), _wanted(args, i + 1)) for i in range(0, len(args), 2)]
    keep, reruns = _kept(forms, pairs[0][0], pairs)
    result = forms.number(added(forms, [forms.tape.number(kept) for kept in keep]))
    return forms.unless(reruns, forms.rerun(), result)


def _truths(combine: str) -> VectorFunction:
    """Return AND, OR or XOR: in cells text and blanks are passed over; #VALUE! where nothing is left."""

    def function(forms: Forms, *args: Value) -> Item:
        tape = forms.tape
        checks: list[tuple[int, int]] = []
        unreadable: list[tuple[int, int]] = []
        entries: list[tuple[int, int]] = []
        for arg in args:
            for item in arg.flat() if isinstance(arg, Grid) else [arg]:
                for kind, (guard, payload) in forms.parts(item):
                    if kind == "error":
                        checks.append((guard, payload))
                    elif kind in ("number", "logical"):
                        truth = payload if kind == "logical" else tape.raw("ne", payload, tape.const(0.0))
                        entries.append((truth, guard))
                    elif kind == "blank" and not isinstance(arg, Grid):
                        entries.append((FALSE, guard))
                    elif kind == "text" and not isinstance(arg, Grid):
                        truth, there, bad = _spelled(forms, guard, payload)
                        entries.append((truth, there))
                        unreadable.append((bad, forms.code(ExcelError.VALUE)))
        none = tape.no(tape.any(there for _, there in entries))
        checks += [*unreadable, (none, forms.code(ExcelError.VALUE))]
        return forms.unless(*forms.first_error(*checks), forms.logical(_combined(forms, combine, entries)))

    return function


def _spelled(forms: Forms, guard: int, text: int) -> tuple[int, int, int]:
    """Return the truth value that a text spells, when it spells one, and when it is #VALUE!."""

    def when(test: Callable[[str], bool]) -> int:
        item = forms.mapped(text, lambda position: test(forms.tape.texts[int(position)]))
        if not is_mapped(item):
            forms.refuse("A text that varies is not supported")
        return forms.to_bool(item).node

    truth, spelled = when(lambda word: is_truth(word) and to_bool(word)), when(is_truth)
    bad = when(lambda word: not is_truth(word) and not passed_over(word))
    return truth, forms.tape.both(guard, spelled), forms.tape.both(guard, bad)


def _combined(forms: Forms, combine: str, entries: Sequence[tuple[int, int]]) -> int:
    tape = forms.tape
    result = tape.truth(combine == "AND")
    for truth, there in entries:
        if combine == "AND":
            result = tape.both(result, tape.either(truth, tape.no(there)))
        elif combine == "OR":
            result = tape.either(result, tape.both(truth, there))
        else:
            result = tape.choose(tape.both(truth, there), tape.no(result), result)
    return result


FUNCTIONS: dict[str, VectorFunction] = {
    "SUM": total,
    "SUMSQ": sum_of_squares,
    "PRODUCT": product,
    "MAX": _extreme("max"),
    "MIN": _extreme("min"),
    "AVERAGE": average,
    "SUMPRODUCT": sumproduct,
    "COUNT": count,
    "COUNTA": counta,
    "COUNTIF": _count_if,
    "COUNTIFS": _count_if,
    "SUMIF": _conditional(_sum, single=True),
    "SUMIFS": _conditional(_sum, single=False),
    "AVERAGEIF": _conditional(_mean, single=True),
    "AVERAGEIFS": _conditional(_mean, single=False),
    "AND": _truths("AND"),
    "OR": _truths("OR"),
    "XOR": _truths("XOR"),
}
