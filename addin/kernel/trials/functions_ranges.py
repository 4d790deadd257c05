"""Functions that summarise ranges: each cell one operation in a chain, in the order of the cells."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from addin.kernel.excel.comparison import criterion
from addin.kernel.excel.values import ExcelError, Grid, Scalar, as_grid, number_in
from addin.kernel.trials.codes import ERRORS, RERUN
from addin.kernel.trials.forms import Forms, Item, NoVectorForm, Part, Refused, Value, Varying, VectorFunction
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
    return _sum(forms, numbers(forms, args))


def _sum(forms: Forms, seen: Numbers) -> Item:
    return forms.unless(seen.bad, seen.code, forms.finished(added(forms, present(forms, seen))))


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
    tape, seen = forms.tape, numbers(forms, args)
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
            seen = forms.mapped(payload, lambda position: test(tape.texts.shown[int(position)]))
            holds = forms.to_bool(seen).node
        else:
            seen = forms.mapped(payload, lambda code: code < RERUN and test(ERRORS[int(code) - 1]))
            holds = forms.to_bool(seen).node
        guards.append(tape.both(guard, holds))
    return tape.any(guards)


def _kept(forms: Forms, shape: Grid[Item], args: Sequence[Value]) -> tuple[list[int], int]:
    """Return for each cell when it meets every criterion, and when a tested cell is left to the scalar evaluator.

    `args` are a range, its criterion, the next range and so on. Raises NoVectorForm.
    """
    keep = [TRUE] * len(shape.flat())
    reruns = FALSE
    for tested, wanted in zip(args[::2], args[1::2], strict=True):
        grid, limit = as_grid(tested), _wanted(wanted)
        if grid.shape != shape.shape:
            raise NoVectorForm
        keep = [forms.tape.both(k, meets(forms, item, limit)) for k, item in zip(keep, grid.flat(), strict=True)]
        reruns = forms.tape.either(reruns, forms.tape.any(forms.reruns(item) for item in grid.flat()))
    return keep, reruns


def _wanted(value: Value) -> Scalar:
    """Return a criterion, which has to be the same in every trial. Raises NoVectorForm."""
    if isinstance(value, Varying | Refused):
        raise NoVectorForm
    return ExcelError.VALUE if isinstance(value, Grid) else value


def sumif(forms: Forms, tested: Value, wanted: Value, values: Value | None = None) -> Item:
    """Return SUMIF."""
    return sumifs(forms, tested if values is None else values, tested, wanted)


def sumifs(forms: Forms, values: Value, *args: Value) -> Item:
    """Return SUMIFS."""
    grid = as_grid(values)
    keep, reruns = _kept(forms, grid, args)
    entries: list[tuple[int, int]] = []
    checks = [(reruns, forms.rerun())]
    for kept, item in zip(keep, grid.flat(), strict=True):
        parts = dict(forms.parts(item))
        if "error" in parts:
            checks.append((forms.tape.both(kept, parts["error"].guard), parts["error"].payload))
        if "number" in parts:
            there = forms.tape.both(kept, _without_error(parts["number"].guard, parts))
            entries.append((parts["number"].payload, there))
    return _sum(forms, Numbers(entries, *forms.first_error(*checks)))


def countifs(forms: Forms, *args: Value) -> Item:
    """Return COUNTIF or COUNTIFS."""
    keep, reruns = _kept(forms, as_grid(args[0]), args)
    result = forms.number(added(forms, [forms.tape.number(kept) for kept in keep]))
    return forms.unless(reruns, forms.rerun(), result)


def _truths(*, all_of_them: bool) -> VectorFunction:
    """Return AND or OR: in cells text and blanks are passed over; #VALUE! where nothing is left."""

    def function(forms: Forms, *args: Value) -> Item:
        tape = forms.tape
        checks: list[tuple[int, int]] = []
        entries: list[tuple[int, int]] = []
        for arg in args:
            own = not isinstance(arg, Grid)
            for item in arg.flat() if isinstance(arg, Grid) else [arg]:
                for kind, (guard, payload) in forms.parts(item):
                    if kind == "error":
                        checks.append((guard, payload))
                    elif kind in ("number", "logical"):
                        truth = payload if kind == "logical" else tape.raw("ne", payload, tape.const(0.0))
                        entries.append((truth, guard))
                    elif own and kind == "blank":
                        entries.append((FALSE, guard))
                    elif own:
                        raise NoVectorForm
        checks.append((tape.no(tape.any(there for _, there in entries)), forms.code(ExcelError.VALUE)))
        result = tape.truth(all_of_them)
        for truth, there in entries:
            if all_of_them:
                result = tape.both(result, tape.either(truth, tape.no(there)))
            else:
                result = tape.either(result, tape.both(truth, there))
        return forms.unless(*forms.first_error(*checks), forms.logical(result))

    return function


FUNCTIONS: dict[str, VectorFunction] = {
    "SUM": total,
    "MAX": _extreme("max"),
    "MIN": _extreme("min"),
    "AVERAGE": average,
    "SUMPRODUCT": sumproduct,
    "COUNT": count,
    "COUNTA": counta,
    "COUNTIF": countifs,
    "COUNTIFS": countifs,
    "SUMIF": sumif,
    "SUMIFS": sumifs,
    "AND": _truths(all_of_them=True),
    "OR": _truths(all_of_them=False),
}
