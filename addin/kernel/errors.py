"""Everything the kernel refuses, and why.

KernelError
├── ParseError            the text is not a formula of the kernel's grammar
├── UnsupportedFunction   the formula is fine in Excel, the kernel does not compute it
├── UnknownName           a defined name or a sheet that the workbook does not have
└── CycleError            cells that depend on themselves

Excel's own errors (#DIV/0!, #N/A ...) are values, not exceptions: see values.py.
"""

from __future__ import annotations

from typing import Self

from addin.reported import ReportedError

SLOW = "or run with --engine formualizer (slow; does not round as Excel does)"  # how a refused cell is computed still


class KernelError(ReportedError):
    """Say where, what the problem is, and what to do next.

    `address` is a cell such as `Capacity!F9`; a pass that does not know the cell leaves it empty, and the pass that
    does adds it with `at`.
    """

    def __init__(self, problem: str, advice: str, address: str = "") -> None:
        self.problem = problem
        self.advice = advice
        self.address = address
        super().__init__(f"{address}: {problem} {advice}" if address else f"{problem} {advice}")

    def at(self, address: str) -> Self:
        """Return the same error with its cell, unless it already names one."""
        return self if self.address else type(self)(self.problem, self.advice, address)


class ParseError(KernelError):
    """The text of a formula does not follow the grammar in parse.py."""


class UnsupportedFunction(KernelError):
    """A function, or a way of calling it, that is outside functions.csv."""


class UnknownName(KernelError):
    """A defined name or a sheet that is not in the workbook."""


class CycleError(KernelError):
    """Cells that depend on themselves."""
