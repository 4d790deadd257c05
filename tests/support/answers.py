"""Results of up to eight designs at once, by the kernel: the design columns of one workbook hold one design each."""

from collections.abc import Mapping

from openpyxl.utils import get_column_letter

from addin.kernel import Address, Cells, Evaluator, Scalar
from model.layout.grid import BASE
from model.workbook import Built
from tests.support.input_sets import Value, overrides


def addresses(new: Mapping[tuple[str, str], Value]) -> dict[Address, Scalar]:
    """Return typed cells by address, as an evaluator takes them."""
    return {Address.from_a1(f"'{sheet}'!{cell}"): value for (sheet, cell), value in new.items()}


def changed(cells: Cells, new: Mapping[tuple[str, str], Value]) -> Cells:
    """Return the cells with some of them typed anew."""
    return Cells({**cells.values, **addresses(new)}, cells.names, cells.sheets)


def answers(built: Built, cells: Cells, sets: list[dict[str, Value]], *keys: str) -> list[tuple[object, ...]]:
    """Return the results of up to eight designs, one tuple per design."""
    evaluator = Evaluator(cells, addresses(overrides(built, sets)))
    found = []
    for offset in range(len(sets)):
        letter = get_column_letter(BASE + offset)
        places = [f"{built.layout.lines[key][0]}!{letter}{built.layout.lines[key][1]}" for key in keys]
        found.append(tuple(evaluator.value(Address.from_a1(place)) for place in places))
    return found
