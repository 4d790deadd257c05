"""One chunk of a simulation: draws, spreads, correlation, kernel, counts. What runs on a thread, a process or a node.

A Job holds plain values only, so that any concurrent.futures executor can send it away; where it arrives the slice is
compiled once. Chunks are numbered and of fixed size, and their summaries merge exactly.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from addin.computing.kernel_engine import KERNEL, Engine, Runner
from addin.kernel import Address, Cells, Scalar
from addin.kernel.trials.compile import ERRORS
from addin.simulation.correlation import Coupling, couple
from addin.simulation.sampling import Dimensions, Plan, blocks
from addin.simulation.sensitivity import FIRST_TRIALS
from addin.simulation.spreads import Spread
from addin.simulation.summaries import ERROR_KINDS, Layout, Summary

Floats = NDArray[np.float64]
HOLDS = "design_holds"
KEPT = 8
_KIND = np.array([0, *(1 + ERROR_KINDS.index(error.value) for error in ERRORS)], dtype=np.int8)
_RUNNERS: OrderedDict[str, Runner] = OrderedDict()
_STARTING = Lock()


@dataclass(frozen=True)
class Model:
    """The workbook's part of a job: `values`, `names`, `sheets` and `texts` are those of its Cells, as plain dicts.

    `token` distinguishes two models. Each of `limits` is where an input always lies. `holding` are the positions among
    the outputs of arrays required, then of counts that must be 0, for a design of `arrays`; empty where unknown.
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
    arrays: float = 1.0
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

    def evaluate(self, x: Floats, threads: int = 1) -> tuple[Floats, NDArray[np.int8]]:
        """Return values and error codes (m, n) of trials x (d, n); the last row says whether the design holds."""
        result = self.runner().run(x, threads)
        codes = np.stack([_KIND[result.errors(row)] for row in range(len(self.outputs))])
        if not self.holding:
            return result.values, codes
        arrays, *zeros = self.holding
        holds = result.values[arrays] <= self.arrays
        for row in zeros:
            holds &= result.values[row] == 0
        verdict = np.where(np.isnan(result.values[list(self.holding)]).any(axis=0), np.nan, holds)
        worst = codes[list(self.holding)].max(axis=0)
        return np.concatenate([result.values, verdict[None]]), np.concatenate([codes, worst[None]])


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
        """Return the values of uniform draws (d, ...), each input by its own spread."""
        x, cut = np.empty_like(u), np.zeros((len(u), 2), dtype=np.int64)
        for row, spread in enumerate(self.spreads):
            drawn = spread.ppf(u[row])
            x[row], cut[row] = drawn.values, (drawn.below, drawn.above)
        return x, cut

    def trial(self, replicate: int, number: int) -> Floats:
        """Return the input values (d,) of one trial."""
        return self.draw(self.plan.per_replicate, (replicate,), number, 1)[0][:, 0, 0]


@dataclass(frozen=True, eq=False)
class Part:
    """What some chunks in a row gave; `kept` are inputs and outputs of the trials that rank correlation looks at."""

    summary: Summary
    cut: NDArray[np.int64]
    kept: tuple[tuple[Floats, Floats], ...]


def run_chunks(job: Job, first: int, last: int) -> Part:
    """Run the chunks `first` to `last`, the last one left out."""
    assert job.layout is not None
    plan = job.plan
    summary, cut, kept = Summary(job.layout), np.zeros((len(job.keys), 2), dtype=np.int64), []
    for number in range(first, last):
        start = number * plan.block
        x, cuts = job.draw(plan.per_replicate, range(plan.replicates), start, plan.block)
        flat = x.reshape(len(x), -1)
        values, codes = job.model.evaluate(flat)
        shape = (len(values), plan.replicates, plan.block)
        summary.add(values.reshape(shape), start, codes.reshape(shape))
        cut += cuts
        if start * plan.replicates < FIRST_TRIALS:
            kept.append((flat, np.where(codes == 0, values, np.nan)))
    return Part(summary, cut, tuple(kept))
