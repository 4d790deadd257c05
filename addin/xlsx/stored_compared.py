"""Compare every result stored in a file with that of its formula: a stored 4 where the formula gives 3.

Numbers are compared to 15 digits, texts exactly, errors by kind. An application that recalculates may differ in its
last digits (exp, log, sums in another order): |x-y| <= 1e-9 max(|x|,|y|) + 1e-12 times the largest cell read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from addin.kernel import Address, Cells, Evaluator, ExcelError, Scalar, precedents
from addin.numerals import numeral

_SHARE, _OF_READ = 1e-9, 1e-12


class Computed(Protocol):
    """An evaluator of cells."""

    def value(self, address: Address) -> Scalar:
        """Return the value of a cell."""


@dataclass(frozen=True)
class Stored:
    """A cell whose stored result differs from its formula; `root` if all cells that it reads are right."""

    address: Address
    stored: Scalar
    computed: Scalar
    root: bool = True

    @property
    def words(self) -> str:
        """The stored and the right value, in words."""
        return f"stores {_in_full(self.stored)}, its formula gives {_in_full(self.computed)}"


def same(stored: Scalar, computed: Scalar) -> bool:
    """Return whether a stored result equals the computed one: numbers to 15 digits, a blank like an empty text."""
    if isinstance(stored, bool | float | int) and isinstance(computed, bool | float | int):
        return f"{float(stored):.15g}" == f"{float(computed):.15g}" or float(stored) == float(computed)
    return ("" if stored is None else stored) == ("" if computed is None else computed)


def near(cells: Cells, values: Computed, found: Stored) -> bool:
    """Return whether two numbers agree as well as those of two programs."""
    x, y = found.stored, found.computed
    if not isinstance(x, float) or not isinstance(y, float):
        return False
    read = [values.value(at) for at in precedents(cells, found.address)]
    largest = max((abs(value) for value in read if isinstance(value, float)), default=0.0)
    return abs(x - y) <= _SHARE * max(abs(x), abs(y)) + _OF_READ * largest


def differing(cells: Cells, values: Computed, stored: Mapping[Address, Scalar], exact: bool = False) -> list[Stored]:
    """Return the stored results that differ, in the order of the cells; with `exact` also in their last digits."""
    if isinstance(values, Evaluator):
        values.compute(tuple(stored))  # in one order, not one for each cell
    found = [Stored(at, value, values.value(at)) for at, value in stored.items()]
    wrong = [each for each in found if not same(each.stored, each.computed)]
    wrong = [each for each in wrong if exact or not near(cells, values, each)]
    places = {each.address for each in wrong}
    roots = [not places & set(precedents(cells, each.address)) for each in wrong]
    return [Stored(w.address, w.stored, w.computed, root) for w, root in zip(wrong, roots, strict=True)]


def _in_full(value: Scalar) -> str:
    if isinstance(value, ExcelError):
        return value.value
    if isinstance(value, bool):
        return str(value).upper()
    return numeral(value, ",.15g") if isinstance(value, float) else repr(value or "")
