"""Pass 4, for one set of inputs: the values of the cells, computed in the order of their dependencies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Never

from addin.kernel.excel.rounding import snapped
from addin.kernel.excel.values import Fault, Scalar, Value, to_number
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import formula_reader, order_beyond
from addin.kernel.scalar import operators
from addin.kernel.scalar.functions import Function
from addin.kernel.scalar.walk import Mode, Step, Walk


class Evaluator(Walk[Never]):
    """Values of cells, each computed once.

    `overrides` puts plain values instead of those of cells, formulas included, without touching `cells`.
    """

    def __init__(self, cells: Cells, overrides: Mapping[Address, Scalar] | None = None) -> None:
        super().__init__(cells.with_values(overrides) if overrides else cells)
        self._known: dict[Address, Scalar] = {}
        self._reads = formula_reader(self.cells)

    def value(self, address: Address) -> Scalar:
        """Return the value that the cell shows; None where it is blank. A formula is never blank: it shows 0.

        Raises KernelError with the cell on the way that cannot be computed.
        """
        if address not in self._known:
            self.compute((address,))
        return self.read(address)

    @property
    def computed(self) -> Mapping[Address, Scalar]:
        """The formula cells computed so far."""
        return MappingProxyType(self._known)

    def compute(self, targets: tuple[Address, ...]) -> None:
        """Compute the targets and what they need, precedents first."""
        if self._known:
            self.follow(order_beyond(self.cells, targets, self._reads, self._known))
        else:
            self.follow(self._order(targets))

    def _order(self, targets: tuple[Address, ...]) -> tuple[Address, ...]:
        """Return the order of all that the targets need, found once for every copy with the same formulas."""
        kept = self.cells.followed
        found = kept.get((targets,))
        if found is None:
            found = kept[(targets,)] = order_beyond(self.cells, targets, self._reads, ())
        return found

    def follow(self, ordered: tuple[Address, ...]) -> None:
        """Compute formula cells that stand in the order of `order`."""
        for address in ordered:
            value = self.formula_value(address)
            self._known[address] = 0.0 if value is None else value

    def take(self, address: Address, value: Scalar) -> None:
        """Take a value for what a cell shows, instead of reading or computing it."""
        self._known[address] = value

    def take_all(self, values: Mapping[Address, Scalar]) -> None:
        """Take values for what many cells show."""
        self._known.update(values)

    def read(self, address: Address) -> Scalar:
        """Return the value of a cell that was computed, or holds no formula."""
        value = self._known.get(address)  # of a computed cell never a blank, but what a caller took for one may be
        return self.cells.constant(address) if value is None and address not in self._known else value

    def last_sum(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return the last sum or difference of a formula, 0 where only a rest is left of equal numbers."""
        result = operators.binary(operator, left, right)
        if isinstance(result, float):
            return snapped(result, to_number(left), to_number(right))
        return result

    def binary(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return an operation on two values."""
        return operators.binary(operator, left, right)

    def unary(self, operator: str, operand: Scalar) -> Scalar:
        """Return -x or x%."""
        return operators.unary(operator, operand)

    def lazy(self, called: Function, args: Sequence[Step], ask: Callable[[Step], Value]) -> Value:
        """Return a call that evaluates its own arguments."""
        try:
            return called.called(ask, *args)
        except Fault as fault:
            return fault.error

    def applied(self, called: Function, kinds: str, values: list[Value], mode: Mode) -> Value:
        """Return a call for evaluated arguments."""
        try:
            return called.applied(kinds, values)
        except Fault as fault:
            return fault.error


@lru_cache(maxsize=2)  # the two copies of a comparison
def shared_evaluator(cells: Cells) -> Evaluator:
    """Return the evaluator of a workbook that all share who ask for the values of a few cells, labels for example."""
    return Evaluator(cells)


def evaluate_all(cells: Cells, overrides: Mapping[Address, Scalar] | None = None) -> dict[Address, Scalar]:
    """Return the value of every formula cell.

    Raises KernelError with the first cell that cannot be computed.
    """
    evaluator = Evaluator(cells, overrides)
    targets = tuple(evaluator.cells.formulas())
    evaluator.compute(targets)
    return {address: evaluator.value(address) for address in targets}
