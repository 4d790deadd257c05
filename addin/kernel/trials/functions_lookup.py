"""Lookups: a position that varies becomes a step function or a chain of selections, and INDEX follows the chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from addin.kernel.excel.comparison import text_matcher
from addin.kernel.excel.values import ExcelError, Fault, Grid, Scalar, as_grid, single
from addin.kernel.scalar.functions_lookup import match_ascending, match_exact, part
from addin.kernel.trials.forms import Forms, Item, NoVectorForm, Refused, Value, Varying, VectorFunction
from addin.kernel.trials.operations import FALSE

Search = Callable[[Forms, Item, Sequence[Item]], Item]


def _constants(values: Sequence[Item]) -> list[Scalar] | None:
    kept = [value for value in values if not isinstance(value, Varying | Refused)]
    return kept if len(kept) == len(values) else None


def _scalar_position(
    search: Callable[[Scalar, Sequence[Scalar]], int | None], wanted: Scalar, values: list[Scalar]
) -> Item:
    position = search(wanted, values)
    return ExcelError.NA if position is None else float(position + 1)


def exact(forms: Forms, wanted: Item, values: Sequence[Item]) -> Item:
    """Return the first position of an equal value, from 1, numbers to the last bit; #N/A where there is none."""
    known = _constants(values)
    if known is not None and not isinstance(wanted, Varying | Refused):
        return _scalar_position(match_exact, wanted, known)
    sure = _positions_of_extreme(forms, wanted, values)
    equal = [_equal(forms, wanted, value, bool(sure)) for value in values]
    result: Item = ExcelError.NA
    for position in range(len(values) - 1, -1, -1):
        if sure and position == max(sure):
            result = float(position + 1)
        elif equal[position] != FALSE and (not sure or position in sure or position < max(sure)):
            result = forms.join(equal[position], float(position + 1), result)
    return result


def _equal(forms: Forms, wanted: Item, value: Item, no_errors: bool) -> int:
    """Return when a value equals the wanted one; `no_errors`: an error among the values shows in `wanted`."""
    tape = forms.tape
    guards = []
    for kind, (guard, payload) in forms.parts(value):
        for other, (_, sought) in forms.parts(wanted):
            if kind != other or kind in ("error", "blank"):
                continue
            if kind == "number":
                same = tape.raw("eq", payload, sought)
            elif kind == "logical":
                same = tape.choose(payload, sought, tape.no(sought))
            else:
                same = _same_text(forms, payload, text_matcher(tape.texts.shown[int(tape.constant(sought) or 0)]))
            alone = no_errors and len([k for k, _ in forms.parts(value) if k != "error"]) == 1
            guards.append(same if alone else tape.both(guard, same))
    return tape.any(guards)


def _same_text(forms: Forms, payload: int, matches: Callable[[str], bool]) -> int:
    shown = forms.mapped(payload, lambda number: matches(forms.tape.texts.shown[int(number)]))
    return forms.to_bool(shown).node


def _positions_of_extreme(forms: Forms, wanted: Item, values: Sequence[Item]) -> set[int]:
    """Return the positions that can hold the largest (or smallest) of the values, if that is what is wanted.

    MAX itself is an error where one of its values is, so the values have none where their largest is looked for.
    """
    if not isinstance(wanted, Varying) or wanted.kinds != ("number",):
        return set()
    positions: dict[int, int] = {}
    for position, value in enumerate(values):
        parts = dict(forms.parts(value))
        if "number" in parts and parts.keys() <= {"number", "error"}:
            positions.setdefault(parts["number"].payload, position)
    tape = forms.tape
    node = wanted.parts[0][1].payload
    kind = tape.operations[node].name
    if kind not in ("max", "min"):
        return set()
    largest, stack = set(), [node]
    while stack:
        node = stack.pop()
        if node in positions:
            largest.add(positions[node])
        elif tape.operations[node].name == kind:
            stack += tape.operations[node].args
        else:
            return set()
    return largest


def ascending(forms: Forms, wanted: Item, values: Sequence[Item]) -> Item:
    """Return the position that Excel's search by halves ends at, from 1."""
    tape = forms.tape
    known = _constants(values)
    if known is not None and not isinstance(wanted, Varying | Refused):
        return _scalar_position(match_ascending, wanted, known)
    parts = forms.parts(wanted)
    if parts[0][0] != "number":
        raise NoVectorForm
    sought = parts[0][1].payload
    if known is not None:
        return _steps(forms, sought, known)
    nodes = [_plain_number(forms, value) for value in values]

    # On values that are not sorted, which trials may well draw, the answer depends on what is compared in which order:
    # the comparisons are those of match_ascending, one after the other.
    def half(low: int, high: int) -> Item:
        if low == high:
            return float(low) if low else ExcelError.NA
        middle = (low + high) // 2
        below = tape.raw("le", nodes[middle], sought)
        return forms.join(below, half(middle + 1, high), half(low, middle))

    return half(0, len(nodes))


def _plain_number(forms: Forms, value: Item) -> int:
    parts = forms.parts(value)
    if len(parts) != 1 or parts[0][0] != "number":
        raise NoVectorForm
    return parts[0][1].payload


def _steps(forms: Forms, sought: int, values: list[Scalar]) -> Item:
    """Return the position among constants as a step function."""
    tape = forms.tape
    marks = sorted({value for value in values if isinstance(value, float) and not isinstance(value, bool)})
    positions = [match_ascending(mark, values) for mark in marks]
    if not marks or all(position is None for position in positions):
        return ExcelError.NA
    if None in positions:
        result: Item = ExcelError.NA
        for mark, position in zip(marks, positions, strict=True):
            here: Item = ExcelError.NA if position is None else float(position + 1)
            result = forms.join(tape.raw("ge", sought, tape.const(mark)), here, result)
        return result
    data = (*marks, *(float(position + 1) for position in positions if position is not None))
    below = tape.raw("lt", sought, tape.const(marks[0]))
    return forms.unless(below, forms.code(ExcelError.NA), forms.number(tape.apply("step", sought, data=data)))


def match(forms: Forms, wanted: Item, values: Value, kind: int | None = None) -> Item:
    """Return MATCH of an equal value, and in values sorted upwards."""
    grid = as_grid(values)
    if 1 not in grid.shape:
        return ExcelError.NA
    way = 1.0 if kind is None else forms.constant(kind)
    if way < 0:
        raise NoVectorForm
    search: Search = exact if way == 0 else ascending
    return forms.lift([wanted], lambda items: search(forms, 0.0 if items[0] is None else items[0], grid.flat()))


def index(forms: Forms, values: Value, row: int, column: int | None = None) -> Value:
    """Return INDEX; a position between -1 and 1 that varies is left to the scalar evaluator (a whole row or column)."""
    grid = as_grid(values)
    height, width = grid.shape
    tape = forms.tape
    if column is None and min(height, width) > 1:
        place = tape.constant(row)
        if place is None:
            raise NoVectorForm
        return ExcelError.VALUE if int(place) < 0 else ExcelError.REF
    if column is None:
        one = tape.const(1.0)
        row, column = (one, row) if height == 1 else (row, one if width == 1 else tape.const(0.0))
    top, left = tape.constant(row), tape.constant(column)
    if top is not None and left is not None:
        return _part(grid, int(top), int(left))
    if top is not None:
        return as_grid(_picked(forms, column, width, lambda position: _part(grid, int(top), position)))
    if left is not None:
        return as_grid(_picked(forms, row, height, lambda position: _part(grid, position, int(left))))
    column_node = column

    def of_row(position: int) -> Item:
        return _picked(forms, column_node, width, lambda inner: _part(grid, position, inner))

    return as_grid(_picked(forms, row, height, of_row))


def _part(grid: Grid[Item], top: int, left: int) -> Value:
    try:
        return part(grid, top, left)
    except Fault as fault:
        return fault.error


def _picked(forms: Forms, node: int, size: int, part_at: Callable[[int], Value]) -> Item:
    """Return the part at a position that varies."""
    tape = forms.tape
    rerun = forms.error(forms.rerun())

    def at(number: float) -> Item:
        result = part_at(int(number))
        return rerun if isinstance(result, Grid) and result.shape != (1, 1) else single(result)

    if forms.domain(node) is not None:
        return forms.mapped(node, at)
    positions = [at(float(position)) for position in range(1, size + 1)]
    if all(type(position) is float for position in positions):
        data = (*(float(position) for position in range(1, size + 1)), *(p for p in positions if isinstance(p, float)))
        result = forms.number(tape.apply("step", node, data=data))
    else:
        result = positions[0]
        for position, item in enumerate(positions[1:], 2):
            result = forms.join(tape.raw("ge", node, tape.const(float(position))), item, result)
    result = forms.join(tape.raw("lt", node, tape.const(1.0)), at(0.0), result)
    result = forms.join(tape.raw("le", node, tape.const(-1.0)), at(-1.0), result)
    return forms.join(tape.raw("ge", node, tape.const(size + 1.0)), at(size + 1.0), result)


FUNCTIONS: dict[str, VectorFunction] = {
    "INDEX": index,
    "MATCH": match,
}
