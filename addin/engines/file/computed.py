"""Values of the cells of a saved workbook: computed by the kernel, as stored where it cannot compute one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from addin.kernel import Address, Cells, Evaluator, KernelError, Scalar
from addin.kernel.formula.graph import areas


class Computed:
    """The values of cells as they were when it was made. `known` are results of formulas computed before."""

    def __init__(self, cells: Cells, known: Mapping[Address, Scalar], stored: Callable[[Address], Scalar]) -> None:
        self.cells = cells
        self.failed = False  # the kernel could not compute a cell: its stored result is used
        self._evaluator = Evaluator(cells)
        self._stored = stored
        self._sifted = False  # formulas that it cannot read are set aside
        for address, value in known.items():
            self._evaluator.take(address, value)

    @property
    def known(self) -> Mapping[Address, Scalar]:
        """The results of formulas computed so far."""
        return self._evaluator.computed

    def get(self, address: Address) -> Scalar:
        """Return the value of a cell, None for a blank one."""
        if self.cells.formula(address) is not None:
            self.compute([address])
        return self._evaluator.read(address)

    def compute(self, targets: Iterable[Address]) -> None:
        """Compute formula cells, and keep them and their precedents."""
        for target in targets:
            while target not in self.known:  # one at a time, so that cells before a fault are kept
                try:
                    self._evaluator.compute((target,))
                except KernelError as error:
                    self._set_aside(error, target)
                    self._sift()

    def _sift(self) -> None:
        """Set aside every formula that cannot be read, once one failed: the order of cells begins anew for each."""
        if self._sifted:
            return
        self._sifted = True
        for address in self.cells.formulas():
            if address not in self.known:
                try:
                    areas(self.cells, address)
                except KernelError as error:
                    self._set_aside(error, address)

    def _set_aside(self, error: KernelError, address: Address) -> None:
        """Use the stored result of a cell that the kernel cannot compute, so that its dependents can be computed."""
        try:
            at = Address.from_a1(error.address)
        except KernelError:
            at = address
        at = address if at in self.known else at
        self._evaluator.take(at, self._stored(at))
        self.failed = True
