"""Results of up to eight designs at once, by the kernel: the design columns of one workbook hold one design each."""

import itertools
from collections.abc import Mapping, Sequence

from openpyxl.utils import get_column_letter

from addin.kernel import Address, Cells, Scalar
from model.layout.grid import BASE
from model.workbook import Built
from tests.support.input_sets import Inputs, Value, overrides
from tests.support.recomputed import Evaluator

UP, DOWN = "up", "down"


def addresses(new: Mapping[tuple[str, str], Value]) -> dict[Address, Scalar]:
    """Return typed cells by address, as an evaluator takes them."""
    return {Address.from_a1(f"'{sheet}'!{cell}"): value for (sheet, cell), value in new.items()}


def changed(cells: Cells, new: Mapping[tuple[str, str], Value]) -> Cells:
    """Return the cells with some of them typed anew; a formula given here stays text."""
    return cells.with_values(addresses(new))


def answers(built: Built, cells: Cells, sets: Sequence[Inputs], *keys: str) -> list[tuple[Scalar, ...]]:
    """Return the results of up to eight designs, one tuple per design."""
    evaluator = Evaluator(cells, addresses(overrides(built, sets)))
    rows = []
    for offset in range(len(sets)):
        letter = get_column_letter(BASE + offset)
        places = [f"{built.layout.lines[key][0]}!{letter}{built.layout.lines[key][1]}" for key in keys]
        rows.append(tuple(evaluator.value(Address.from_a1(place)) for place in places))
    return rows


def numbers(built: Built, cells: Cells, design: Inputs, *keys: str) -> list[float]:
    """Return the results of one design, all of which must be numbers."""
    (answer,) = answers(built, cells, [design], *keys)
    return list(map(number, answer))


def number(value: Scalar) -> float:
    """Return a result that is a number. Raises AssertionError for a text, a blank or an error value."""
    assert isinstance(value, float | int), repr(value)
    return float(value)


def assert_one_way(values: Sequence[float], way: str) -> None:
    """Assert that values never turn back on their way UP or DOWN, and that not all are the same."""
    assert len({round(value, 6) for value in values}) > 1, values
    ordered = values if way == UP else values[::-1]
    assert all(a <= b * (1 + 1e-12) for a, b in itertools.pairwise(ordered)), values
