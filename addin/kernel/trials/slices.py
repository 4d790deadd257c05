"""A compiled slice at work: trials in chunks, codes read back, and the few trials left to the scalar evaluator."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ExcelError, Scalar
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import order, precedents
from addin.kernel.scalar.evaluate import Evaluator
from addin.kernel.trials.codes import ERRORS, RERUN, TEXT, Texts
from addin.kernel.trials.fold import Limits
from addin.kernel.trials.memory import spaced
from addin.kernel.trials.native import NativeRun
from addin.kernel.trials.program import INEXACT, OUTSIDE, Program

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Run = Callable[[Floats, Floats, Codes], int]  # x, values, codes of a chunk to a status
NARROW, WIDE = 16384, 65536  # trials of a chunk where several threads share the work


@dataclass(frozen=True)
class Result:
    """What the trials gave.

    `values` (outputs, trials) holds numbers, 1 and 0 for TRUE and FALSE, NaN where a trial ends in an error or a text.
    `codes` (outputs, trials) holds which one: `errors` and `texts` read it. `reruns` counts the trials that
    were left to the scalar evaluator.
    """

    values: Floats
    codes: Codes
    labels: Sequence[str]
    reruns: int

    def errors(self, output: int) -> Codes:
        """Return for each trial 0, or n for the n-th of ERRORS; shape (trials,)."""
        codes = self.codes[output]
        return np.where(codes < RERUN, codes, np.int32(0))

    def texts(self, output: int) -> Codes:
        """Return for each trial the position of its text in `labels`, -1 where it is no text; shape (trials,)."""
        texts: Codes = np.maximum(self.codes[output] - TEXT, -1)
        return texts

    def scalar(self, output: int, trial: int) -> Scalar:
        """Return one result as the cell would show it; a truth value comes as 1 or 0."""
        code = int(self.codes[output, trial])
        if code >= TEXT:
            return self.labels[code - TEXT]
        return ERRORS[code - 1] if code else float(self.values[output, trial])


class Slice:
    """The outputs of a workbook as a function of uncertain inputs; compile_slice makes it.

    `emitter` is what was chosen, `source` the emitted text with one line per cell, `compile_seconds` what it took.
    `unreached` are the inputs that no output depends on: a report should name them.
    """

    def __init__(
        self,
        cells: Cells,
        inputs: tuple[Address, ...],
        outputs: tuple[Address, ...],
        limits: Mapping[Address, Limits],
        program: Program,
        texts: Texts,
    ) -> None:
        self.cells = cells
        self.inputs, self.outputs = inputs, outputs
        self.limits = limits
        self.program = program
        self._texts = texts
        self._may_rerun = [output for output, node in enumerate(program.codes) if node >= 0 and _reruns(program, node)]
        self.chunk = 0
        self.emitter = ""
        self.source = ""
        self.compile_seconds = 0.0
        self._lock = Lock()
        self._careful: Slice | None = None
        self._reduced: Cells | None = None
        self._order: tuple[Address, ...] | None = None

    def attach(self, emitter: str, source: str, run: Run, chunk: int, guarded: Callable[[], Slice]) -> None:
        """Add what runs: the emitted function, its chunk size, and how to compile the slice that marks overflows."""
        self.emitter, self.source, self.chunk = emitter, source, chunk
        self._run, self._guarded = run, guarded

    @property
    def operations(self) -> int:
        """How many operations one trial takes."""
        operations = self.program.operations
        return sum(operations[node].name not in ("const", "input", "false", "true") for node in self.program.needed)

    @property
    def unreached(self) -> tuple[Address, ...]:
        """The inputs that no output depends on."""
        operations = (self.program.operations[node] for node in self.program.needed)
        reached = {int(operation.data[0]) for operation in operations if operation.name == "input"}
        return tuple(address for row, address in enumerate(self.inputs) if row not in reached)

    @property
    def native(self) -> NativeRun | None:
        """What runs a chunk in native code, for a caller with a loop of its own; None where numpy does."""
        return self._run if isinstance(self._run, NativeRun) else None

    def run(self, x: Floats, threads: int = 1, into: Result | None = None) -> Result:
        """Return the results of trials; x has shape (inputs, trials), in the order of `inputs`.

        A trial never looks at another, so the results do not depend on `threads`: more than one take larger chunks,
        because they wait for each other between the calls of a chunk. `into` is a result of the same shape that is not
        needed any more: its memory is used again. Raises KernelError for a wrong shape or an input
        that is NaN or infinite.
        """
        x = np.ascontiguousarray(x, dtype=np.float64)
        if x.ndim != 2 or x.shape[0] != len(self.inputs):
            raise KernelError(f"x has shape {x.shape}.", f"Give ({len(self.inputs)}, trials), one row per input.")
        shape = (len(self.outputs), x.shape[1])
        if into is None or into.values.shape != shape or into.reruns:
            into = Result(spaced(*shape), np.zeros(shape, np.int32), (), 0)
        size = self.chunk if threads == 1 else max(NARROW, min(WIDE, -(-x.shape[1] // threads)))
        values, codes = into.values, into.codes

        def chunk(start: int) -> tuple[int, NDArray[np.intp]]:
            part = slice(start, start + size)
            return start, self._chunk(x[:, part], values[:, part], codes[:, part])

        starts = range(0, x.shape[1], size)
        if threads == 1:
            chunks = [chunk(start) for start in starts]
        else:
            chunks = list(_pool(threads, os.getpid()).map(chunk, starts))
        again = [start + int(trial) for start, trials in chunks for trial in trials]
        for trial in again:
            self._again(x[:, trial], values[:, trial], codes[:, trial])
        return Result(values, codes, self._texts.shown, len(again))

    def _chunk(self, x: Floats, values: Floats, codes: Codes) -> NDArray[np.intp]:
        """Run one chunk; return the trials that are still to be computed cell by cell."""
        status = self._run(x, values, codes)
        if status & INEXACT:
            return self._carefully(x, values, codes)
        rerun = self._outside(x) if status & OUTSIDE else None
        for output in self._may_rerun:
            again = codes[output] == RERUN
            if again.any():
                rerun = again if rerun is None else rerun | again
        return np.flatnonzero(rerun) if rerun is not None else np.empty(0, np.intp)

    def _outside(self, x: Floats) -> NDArray[np.bool_] | None:
        """Return the trials with an input outside its limits, or None. Raises KernelError for NaN and infinity."""
        outside: NDArray[np.bool_] | None = None
        ends = zip(x.min(axis=1), x.max(axis=1), strict=True)
        for address, row, (smallest, largest) in zip(self.inputs, x, ends, strict=True):
            low, high = self.limits[address]
            if smallest >= low and largest <= high:
                continue
            if not (math.isfinite(smallest) and math.isfinite(largest)):
                raise KernelError("An input is NaN or infinite.", "Draw finite numbers.", address.a1)
            out = (row < low) | (row > high)
            outside = out if outside is None else outside | out
        return outside

    def _carefully(self, x: Floats, values: Floats, codes: Codes) -> NDArray[np.intp]:
        """Run one chunk on the slice that marks overflows trial by trial; it is compiled when it is needed first."""
        with self._lock:
            if self._careful is None:
                self._careful = self._guarded()
        return self._careful._chunk(x, values, codes)

    def _again(self, x: Floats, values: Floats, codes: Codes) -> None:
        """Compute one trial with the scalar evaluator."""
        for output, value in enumerate(self.scalars(x)):
            values[output] = float(value or 0.0) if isinstance(value, float | bool) or value is None else math.nan
            codes[output] = 0
            if isinstance(value, ExcelError):
                codes[output] = ERRORS.index(value) + 1
            elif isinstance(value, str):
                codes[output] = TEXT + self._texts.number(value)

    def evaluator(self, x: Floats) -> Evaluator:
        """Return the scalar evaluator of one trial; x has shape (inputs,)."""
        if self._reduced is None:
            self._reduced = reduced(self.cells, self.inputs, self.outputs)
        return Evaluator(self._reduced, dict(zip(self.inputs, map(float, x), strict=True)))

    def scalars(self, x: Floats) -> list[Scalar]:
        """Return the outputs of one trial from the scalar evaluator; x has shape (inputs,)."""
        evaluator = self.evaluator(x)
        if self._order is None:  # which holds for every trial: inputs are values
            self._order = order(evaluator.cells, self.outputs)
        evaluator.follow(self._order)
        return [evaluator.value(output) for output in self.outputs]

    def locate(self, x: Floats) -> list[tuple[Address, ExcelError, Address]]:
        """Return for each output of one trial that is an error: the output, the error, the cell it starts in."""
        evaluator = self.evaluator(x)
        errors = []
        for output in self.outputs:
            value = evaluator.value(output)
            if isinstance(value, ExcelError):
                errors.append((output, value, origin(evaluator.cells, evaluator.value, output, value)))
        return errors


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """Return the threads of a process, started once: that takes as long as many thousand trials."""
    return ThreadPoolExecutor(threads, thread_name_prefix=f"kernel-{process}")


def _reruns(program: Program, node: int) -> bool:
    """Return whether a code can say that the trial is left to the scalar evaluator."""
    seen, stack = set[int](), [node]
    while stack:
        operation = program.operations[node := stack.pop()]
        if operation.name == "held" or (operation.name == "const" and operation.data[0] == RERUN):
            return True
        if operation.name == "select" and node not in seen:
            stack += operation.args[1:]
        seen.add(node)
    return False


def reduced(cells: Cells, inputs: Sequence[Address], outputs: Sequence[Address]) -> Cells:
    """Return the formulas between inputs and outputs, with the values of all else they read.

    The scalar evaluator then computes a trial without computing again what is the same in every trial.
    """
    evaluator, on_path = Evaluator(cells), dict.fromkeys(inputs)
    needed = dict.fromkeys(outputs)
    for address in order(cells, outputs):
        reads = precedents(cells, address)
        if any(read in on_path for read in reads):
            on_path[address] = None
            needed |= dict.fromkeys(reads)
    try:
        values = {a: cells.values.get(a) if a in on_path else evaluator.value(a) for a in (*needed, *on_path)}
    except KernelError:  # a cell that perhaps no trial needs: with the whole workbook it is computed only if one does
        return cells
    return cells.only(values, on_path)


def origin(cells: Cells, value: Callable[[Address], Scalar], cell: Address, error: ExcelError) -> Address:
    """Return the first cell upstream that has the error while nothing it reads has."""
    while True:
        before = (read for read in precedents(cells, cell) if value(read) is error)
        following = next(before, None)
        if following is None:
            return cell
        cell = following
