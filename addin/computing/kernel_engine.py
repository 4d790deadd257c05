"""What computes trials, and how many of them it can afford: the compiled kernel, unless the book says otherwise.

Another engine has the same methods: formualizer_engine.py holds the one for cells that the kernel refuses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from addin.kernel import Address, Cells, Evaluator, ExcelError, Scalar

if TYPE_CHECKING:  # numpy and the compiler: what computes one design does not wait for them
    from addin.kernel.trials.compile import Result, Slice
    from addin.kernel.trials.fold import Limits
    from addin.kernel.trials.slices import Floats

CHECKED = 20  # trials of a run that are computed cell by cell as well


@dataclass(frozen=True)
class Budget:
    """How many trials an engine computes by default: of a run, of one with a precision to reach, of its parts.

    `chunk` are those of a numbered chunk over all replicates, `pilot` those that fix the bins, `drivers` those of the
    Sobol indices at most, unless that leaves too few; `points` and `parts` are the values that a seek looks at first
    (every whole number of up to 100,000 at once, where it can be) and then in each bisection, `grid` those of a what-if
    at most.
    """

    trials: int
    most_trials: int
    chunk: int
    pilot: int
    drivers: int
    points: int
    parts: int
    grid: int


@dataclass(frozen=True)
class Check:
    """Trials computed cell by cell by the kernel as well: how many, the largest relative difference, what to say."""

    trials: int
    largest: float
    warnings: tuple[str, ...] = ()


class Values(Protocol):
    """The cells of one case; `cells` are the formulas."""

    cells: Cells

    def value(self, address: Address) -> Scalar:
        """Return the value of a cell."""


class Runner(Protocol):
    """The outputs of a workbook as a function of uncertain inputs, for many trials."""

    @property
    def described(self) -> tuple[tuple[str, str], ...]:
        """What a report says of it: name and text."""

    @property
    def unreached(self) -> tuple[Address, ...]:
        """The inputs that no output depends on."""

    @property
    def native(self) -> Slice | None:
        """The slice in native code, for a loop of its own around it; None where there is none."""

    def run(self, x: Floats, threads: int = 1, into: Result | None = None) -> Result:
        """Return the results of trials x (inputs, trials), the same whatever the number of threads.

        The memory of `into`, a result of the same shape, may be used again.
        """

    def locate(self, x: Floats) -> list[tuple[Address, ExcelError, Address]]:
        """Return for each output of one trial x (inputs,) that is an error: output, error, the cell it starts in."""

    def checked(self, x: Floats, seed: int) -> Check:
        """Compare random trials of x with the kernel's scalar evaluator. Raises Disagreement where it is the judge."""


class Engine(Protocol):
    """A way to compute a workbook; plain values only, so that a job takes it along to another process."""

    @property
    def name(self) -> str:
        """What --engine calls it."""

    @property
    def budget(self) -> Budget:
        """How many trials it can afford."""

    @property
    def note(self) -> str:
        """What a reader of its results has to know; empty for the kernel."""

    def values(self, cells: Cells, overrides: Mapping[Address, Scalar]) -> Values:
        """Return the cells of the workbook with other values in some of them."""

    def runner(
        self,
        cells: Cells,
        inputs: Sequence[Address],
        outputs: Sequence[Address],
        fixed: Mapping[Address, Scalar],
        limits: Mapping[Address, Limits],
    ) -> Runner:
        """Return what computes the outputs for many values of the inputs; arguments as those of compile_slice."""


@dataclass(frozen=True)
class Compiled:
    """A slice of the kernel as a runner."""

    compiled: Slice

    @property
    def described(self) -> tuple[tuple[str, str], ...]:
        """Emitter and operations."""
        return (("kernel", f"{self.compiled.emitter}, {self.compiled.operations:,} operations"),)

    @property
    def unreached(self) -> tuple[Address, ...]:
        """The inputs that no output depends on."""
        return self.compiled.unreached

    @property
    def native(self) -> Slice | None:
        """The slice, where llvmlite has compiled it."""
        return self.compiled if self.compiled.native is not None else None

    def run(self, x: Floats, threads: int = 1, into: Result | None = None) -> Result:
        """Return the results of trials x (inputs, trials); threads are not worth their start here."""
        return self.compiled.run(x, into=into)

    def locate(self, x: Floats) -> list[tuple[Address, ExcelError, Address]]:
        """Return the errors of one trial x (inputs,) as output, error, cell where it starts."""
        return self.compiled.locate(x)

    def checked(self, x: Floats, seed: int) -> Check:
        """Compare random trials of x with the scalar evaluator. Raises Disagreement, naming the trial."""
        from addin.kernel.trials.compile import check

        return Check(CHECKED, check(self.compiled, x, CHECKED, seed))


@dataclass(frozen=True)
class Kernel:
    """The workbook's formulas, compiled."""

    name: str = "kernel"
    note: str = ""
    budget: Budget = Budget(
        trials=65_536,
        most_trials=1 << 26,
        chunk=16_384,
        pilot=4096,
        drivers=131_072,
        points=100_001,
        parts=1025,
        grid=100_000,
    )

    def values(self, cells: Cells, overrides: Mapping[Address, Scalar]) -> Values:
        """Return the scalar evaluator."""
        return Evaluator(cells, dict(overrides))

    def runner(
        self,
        cells: Cells,
        inputs: Sequence[Address],
        outputs: Sequence[Address],
        fixed: Mapping[Address, Scalar],
        limits: Mapping[Address, Limits],
    ) -> Runner:
        """Return the compiled slice."""
        from addin.kernel.trials.compile import compile_slice

        return Compiled(compile_slice(cells, inputs, outputs, fixed, limits=limits))


KERNEL = Kernel()


@dataclass(frozen=True)
class Once(Kernel):
    """The kernel on one workbook whose cells many readers ask for: each is computed once, overrides apart."""

    evaluator: Evaluator = field(kw_only=True)

    def values(self, cells: Cells, overrides: Mapping[Address, Scalar]) -> Values:
        """Return the evaluator of the workbook, or one of its own where cells differ."""
        return super().values(cells, overrides) if overrides or cells is not self.evaluator.cells else self.evaluator
