"""What a chunk of a simulation is computed with: draws, spreads, correlation, kernel.

A Job holds plain values only, so that any concurrent.futures executor can send it away; where it arrives the slice is
compiled once. Chunks are numbered and of fixed size, and their summaries merge exactly.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from addin.computing.kernel_engine import KERNEL, Engine, Runner
from addin.kernel import Address, Cells, Scalar
from addin.kernel.trials.codes import ERRORS
from addin.kernel.trials.compile import Result
from addin.kernel.trials.memory import Scratch, spaced
from addin.simulation.correlation import Coupling, couple
from addin.simulation.sampling import Dimensions, Plan, blocks
from addin.simulation.spreads import Spread
from addin.simulation.summaries import ERROR_KINDS, Kinds, Layout

Floats = NDArray[np.float64]
HOLDS = "design_holds"
KEPT = 8
KIND = np.array([0, *(1 + ERROR_KINDS.index(error.value) for error in ERRORS)], dtype=np.int8)
_RUNNERS: OrderedDict[str, Runner] = OrderedDict()
_STARTING = Lock()
_MEMORY = Scratch()


@dataclass(frozen=True)
class Model:
    """The workbook's part of a job: `values`, `names`, `sheets` and `texts` are those of its Cells, as plain dicts.

    `token` distinguishes two models. Each of `limits` is where an input always lies. `holding` are the positions among
    the outputs of what the design may not exceed, arrays required first, and `most` how much of each it has; empty
    where unknown.
    """

    token: str
    values: dict[Address, Scalar]
    names: dict[str, str]
    sheets: tuple[str, ...]
    texts: frozenset[Address]
    inputs: tuple[Address, ...]
    outputs: tuple[Address, ...]
    fixed: dict[Address, Scalar]
    limits: dict[Address, tuple[float, float]]
    holding: tuple[int, ...] = ()
    most: tuple[float, ...] = ()
    engine: Engine = KERNEL

    def runner(self) -> Runner:
        """Return what computes the outputs, compiled or loaded once in a process."""
        with _STARTING:
            runner = _RUNNERS.get(self.token)
            if runner is None:
                cells = Cells(MappingProxyType(self.values), MappingProxyType(self.names), self.sheets, self.texts)
                runner = self.engine.runner(cells, self.inputs, self.outputs, self.fixed, self.limits)
                _RUNNERS[self.token] = runner
                if len(_RUNNERS) > KEPT:
                    _RUNNERS.popitem(last=False)
            return runner

    def evaluate(self, x: Floats, threads: int = 1, again: bool = False) -> tuple[Floats, Callable[[], Kinds]]:
        """Return values (m, n) of trials x (d, n), NaN for errors and texts, and what gives their kinds (m, n).

        A kind is 0, or 1 + the position of the error in ERROR_KINDS; without a NaN there is none. The last row says
        whether the design holds. With `again` all of this is good until the next call on this thread.
        """
        m, n = len(self.outputs), x.shape[1]
        rows = m + bool(self.holding)
        values = _MEMORY.take("values", (rows, n)) if again else spaced(rows, n)
        codes = _MEMORY.take("codes", (m, n), np.int32) if again else np.empty((m, n), np.int32)
        codes.fill(0)
        into = Result(values[:m], codes, (), 0)
        result = self.runner().run(x, threads, into)
        if result.values is not into.values:
            into.values[:] = result.values
        if self.holding:
            self._verdict(values)
        return values, lambda: self._kinds(result)

    def _verdict(self, values: Floats) -> None:
        """Write into the last row 1 where the design holds, else 0; NaN where one of its figures is none."""
        holds = np.ones(values.shape[1], np.bool_)
        for row, most in zip(self.holding, self.most, strict=True):
            holds &= values[row] <= most
        values[-1] = holds
        for row in self.holding:
            if math.isnan(values[row].min()):
                values[-1, np.isnan(values[row])] = np.nan

    def _kinds(self, result: Result) -> Kinds:
        kinds = np.stack([KIND[result.errors(row)] for row in range(len(self.outputs))])
        if not self.holding:
            return kinds
        return np.concatenate([kinds, kinds[list(self.holding)].max(axis=0)[None]])


@dataclass(frozen=True, eq=False)
class Job:
    """Everything a chunk needs but its number."""

    model: Model
    keys: tuple[str, ...]
    spreads: tuple[Spread, ...]
    coupling: Coupling | None
    dimensions: Dimensions
    plan: Plan
    seed: int
    sampler: str
    layout: Layout | None = None

    def draw(self, n: int, replicates: Sequence[int], start: int, count: int) -> tuple[Floats, NDArray[np.int64]]:
        """Return input values (d, replicates, count), and how many were cut to the lower and upper bound (d, 2)."""
        u = blocks(self.keys, n, self.seed, replicates, self.sampler, self.dimensions, start, count)
        return self.spread(u if self.coupling is None else couple(u, self.coupling))

    def spread(self, u: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """Turn uniform draws (d, ...) into values in place, each input by its own spread; return them and the cuts."""
        cut = np.zeros((len(u), 2), dtype=np.int64)
        for row, spread in enumerate(self.spreads):
            drawn = spread.ppf(u[row], out=u[row])
            cut[row] = drawn.below, drawn.above
        return u, cut

    def trial(self, replicate: int, number: int) -> Floats:
        """Return the input values (d,) of one trial."""
        return self.draw(self.plan.per_replicate, (replicate,), number, 1)[0][:, 0, 0]
