"""Last pass and public entry: a slice of a workbook as one function of many trials.

compile_slice folds, shares and emits; Slice.run feeds it chunks of trials; check compares trials with the scalar
evaluator, which shares no code with the functions of a slice.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import local
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from addin.kernel import emit_llvm, emit_numpy
from addin.kernel.cells import Address, Cells
from addin.kernel.emit_llvm import INEXACT, OUTSIDE, WIDTH
from addin.kernel.errors import KernelError
from addin.kernel.evaluate import Evaluator
from addin.kernel.fold import Folder, Limits
from addin.kernel.graph import precedents
from addin.kernel.share import Program
from addin.kernel.values import ExcelError, Scalar
from addin.kernel.varying import ERRORS, RERUN, Item, Varying

Emitter = Literal["auto", "numpy", "llvm"]
Floats = NDArray[np.float64]
Run = Callable[[Floats, Floats, NDArray[np.int16]], int]  # x, values, codes of a chunk to a status
CHUNK = 16384
LIMIT = 1e15  # an input beyond is left to the scalar evaluator
NO_FIXED: Mapping[Address, Scalar] = MappingProxyType({})
NO_LIMITS: Mapping[Address, Limits] = MappingProxyType({})
TEXT = RERUN + 1  # codes from here on are texts
KEPT = 64
_SLICES: OrderedDict[str, Slice] = OrderedDict()


@dataclass(frozen=True)
class Result:
    """What the trials gave.

    `values` (outputs, trials) holds numbers, 1 and 0 for TRUE and FALSE, NaN where a trial ends in an error or a text.
    `codes` (coded, trials) tells what that is, a row for each output that is not always a number; `rows` gives the row
    of each output, -1 for the others. `reruns` counts the trials that were left to the scalar evaluator.
    """

    values: Floats
    codes: NDArray[np.int16]
    rows: tuple[int, ...]
    labels: tuple[str, ...]
    reruns: int

    def errors(self, output: int) -> NDArray[np.int16]:
        """Return for each trial 0, or n for the n-th of ERRORS; shape (trials,)."""
        codes = self._codes(output)
        return np.where(codes < RERUN, codes, 0).astype(np.int16)

    def texts(self, output: int) -> NDArray[np.int16]:
        """Return for each trial the place of its text in `labels`, -1 where it is no text; shape (trials,)."""
        return np.maximum(self._codes(output) - TEXT, -1).astype(np.int16)

    def _codes(self, output: int) -> NDArray[np.int16]:
        row = self.rows[output]
        return np.zeros(self.values.shape[1], np.int16) if row < 0 else self.codes[row]

    def scalar(self, output: int, trial: int) -> Scalar:
        """Return one result as the cell would show it; a truth value comes as 1 or 0."""
        code = int(self.codes[self.rows[output], trial]) if self.rows[output] >= 0 else 0
        if code >= TEXT:
            return self.labels[code - TEXT]
        return ERRORS[code - 1] if code else float(self.values[output, trial])


@dataclass
class Slice:
    """The outputs of a workbook as a function of uncertain inputs; see compile_slice."""

    cells: Cells
    inputs: tuple[Address, ...]
    outputs: tuple[Address, ...]
    limits: Mapping[Address, Limits]
    program: Program
    labels: tuple[str, ...]
    emitter: str
    source: str
    compile_seconds: float
    unreached: tuple[Address, ...]
    _run: Run
    chunk: int = CHUNK
    _careful: list[Slice] = field(default_factory=list)

    @property
    def operations(self) -> int:
        """How many operations one trial takes."""
        return len(
            [node for node in self.program.needed if self.program.operations[node].name not in ("const", "input")]
        )

    def run(self, x: Floats, threads: int = 1, into: Result | None = None) -> Result:
        """Return the results of trials; x has shape (inputs, trials), in the order of `inputs`.

        Chunks are numbered and of fixed size, so the results do not depend on `threads`. `into` is a result of the same
        shape that is not needed any more: its memory is used again. Raises KernelError for a
        wrong shape or an input that is NaN or infinite.
        """
        x = np.ascontiguousarray(x, dtype=np.float64)
        if x.ndim != 2 or x.shape[0] != len(self.inputs):
            raise KernelError(f"x has shape {x.shape}.", f"Give ({len(self.inputs)}, trials), one row per input.")
        trials = x.shape[1]
        rows = self._rows()
        shape = (len(self.outputs), trials)
        values = into.values if into is not None and into.values.shape == shape else np.empty(shape)
        coded = (max(rows, default=-1) + 1, trials)
        codes = into.codes if into is not None and into.codes.shape == coded else np.empty(coded, np.int16)

        def chunk(start: int) -> int:
            part = slice(start, start + self.chunk)
            return self._chunk(x[:, part], values[:, part], codes[:, part])

        starts = range(0, trials, self.chunk)
        if threads == 1:
            reruns = sum(map(chunk, starts))
        else:
            with ThreadPoolExecutor(threads) as pool:
                reruns = sum(pool.map(chunk, starts))
        return Result(values, codes, rows, self.labels, reruns)

    def _rows(self) -> tuple[int, ...]:
        """Return the row of codes of each output, -1 for outputs that are always numbers."""
        coded = [output for output, node in enumerate(self.program.codes) if node >= 0]
        return tuple(coded.index(output) if node >= 0 else -1 for output, node in enumerate(self.program.codes))

    def _chunk(self, x: Floats, values: Floats, codes: NDArray[np.int16]) -> int:
        status = self._run(x, values, codes)
        if status & INEXACT:
            return self._carefully()._chunk(x, values, codes)
        rerun = self._outside(x) if status & OUTSIDE else None
        if codes.size and (codes == RERUN).any():
            again = (codes == RERUN).any(axis=0)
            rerun = again if rerun is None else rerun | again
        if rerun is None:
            return 0
        places = np.flatnonzero(rerun)
        for place in places:
            self._again(x[:, place], values[:, place], codes[:, place])
        return len(places)

    def _outside(self, x: Floats) -> NDArray[np.bool_] | None:
        """Return the trials with an input outside its limits, or None. Raises KernelError for NaN and infinity."""
        found: NDArray[np.bool_] | None = None
        for address, row in zip(self.inputs, x, strict=True):
            low, high = self.limits[address]
            smallest, largest = row.min(), row.max()
            if smallest >= low and largest <= high:
                continue
            if not (math.isfinite(smallest) and math.isfinite(largest)):
                raise KernelError("An input is NaN or infinite.", "Draw finite numbers.", address.a1)
            out = (row < low) | (row > high)
            found = out if found is None else found | out
        return found

    def _carefully(self) -> Slice:
        """Return the slice that marks overflows trial by trial; it is made when a chunk overflows first."""
        if not self._careful:
            self._careful.append(_compiled(self.cells, self.inputs, self.outputs, self.limits, "numpy", guarded=True))
        return self._careful[0]

    def _again(self, x: Floats, values: Floats, codes: NDArray[np.int16]) -> None:
        """Compute one trial with the scalar evaluator."""
        for output, (value, row) in enumerate(zip(self.scalars(x), self._rows(), strict=True)):
            plain = isinstance(value, float | bool) or value is None
            values[output] = float(value or 0.0) if isinstance(value, float | bool) or value is None else math.nan
            if row < 0:
                assert plain
                continue
            is_error = isinstance(value, ExcelError)
            codes[row] = 0 if plain else ERRORS.index(value) + 1 if is_error else TEXT + self._label(str(value))

    def _label(self, text: str) -> int:
        if text not in self.labels:
            self.labels = (*self.labels, text)
        return self.labels.index(text)

    def evaluator(self, x: Floats) -> Evaluator:
        """Return the scalar evaluator of one trial; x has shape (inputs,)."""
        return Evaluator(self.cells, dict(zip(self.inputs, map(float, x), strict=True)))

    def scalars(self, x: Floats) -> list[Scalar]:
        """Return the outputs of one trial from the scalar evaluator."""
        evaluator = self.evaluator(x)
        return [evaluator.value(output) for output in self.outputs]

    def locate(self, x: Floats) -> list[tuple[Address, ExcelError, Address]]:
        """Return for each output of one trial that is an error: the output, the error, the cell it starts in."""
        evaluator = self.evaluator(x)
        found = []
        for output in self.outputs:
            value = evaluator.value(output)
            if isinstance(value, ExcelError):
                found.append((output, value, _origin(evaluator, output, value)))
        return found


def _origin(evaluator: Evaluator, cell: Address, error: ExcelError) -> Address:
    """Return the first cell upstream that has the error while nothing it reads has."""
    while True:
        before = (read for read in precedents(evaluator.cells, cell) if evaluator.value(read) is error)
        following = next(before, None)
        if following is None:
            return cell
        cell = following


def compile_slice(
    cells: Cells,
    inputs: Sequence[Address],
    outputs: Sequence[Address],
    fixed: Mapping[Address, Scalar] = NO_FIXED,
    emitter: Emitter = "auto",
    limits: Mapping[Address, Limits] = NO_LIMITS,
) -> Slice:
    """Compile the way from uncertain inputs to outputs.

    `inputs` are cells that hold one number per trial, `fixed` puts other values in the place of cells (the text inputs
    of one combination), `limits` tell where an input always lies, which saves checks; a trial outside is computed
    cell by cell. "auto" takes llvm where every operation has a native form and llvmlite is installed, else numpy.

    The same slice of the same workbook is compiled once. Raises UnsupportedOnPath with the cell that has no form for
    many trials, and every error of the scalar evaluator.
    """
    given = {address: limits.get(address, (-LIMIT, LIMIT)) for address in inputs}
    cells = cells.with_values({**fixed, **dict.fromkeys(inputs, 0.0)})
    key = _digest(cells, tuple(inputs), tuple(outputs), given, emitter)
    found = _SLICES.get(key)
    if found is None:
        found = _SLICES[key] = _compiled(cells, tuple(inputs), tuple(outputs), given, emitter, guarded=False)
        if len(_SLICES) > KEPT:
            _SLICES.popitem(last=False)
    _SLICES.move_to_end(key)
    return found


def _digest(cells: Cells, *rest: object) -> str:
    digest = hashlib.sha256(repr(rest).encode())
    digest.update(repr((sorted(cells.texts), sorted(cells.names.items()), cells.sheets)).encode())
    digest.update(repr(sorted((tuple(a), repr(v)) for a, v in cells.values.items())).encode())
    return digest.hexdigest()


def _compiled(
    cells: Cells,
    inputs: tuple[Address, ...],
    outputs: tuple[Address, ...],
    limits: Mapping[Address, Limits],
    emitter: Emitter,
    *,
    guarded: bool,
) -> Slice:
    start = time.perf_counter()
    folder = Folder(cells, inputs, limits, guarded=guarded)
    values = folder.fold(outputs)
    program = _program(folder, values, len(inputs))
    reached = {
        int(program.operations[node].data[0]) for node in program.needed if program.operations[node].name == "input"
    }
    unreached = tuple(address for place, address in enumerate(inputs) if place not in reached)
    name, source, run = _emitted(folder, program, emitter, guarded=guarded)
    seconds = time.perf_counter() - start
    labels = tuple(folder.tape.texts)
    return Slice(cells, inputs, outputs, limits, program, labels, name, source, seconds, unreached, run)


def _program(folder: Folder, items: Sequence[Item], inputs: int) -> Program:
    """Return the operations of the outputs: the number, and the code where it can be something else."""
    tape, forms = folder.tape, folder.forms
    tape.cell = None
    values, codes = [], []
    for item in items:
        value, code, number = tape.const(math.nan), tape.const(0.0), 0
        for kind, (guard, payload) in forms.parts(0.0 if item is None else item):
            if kind in ("number", "logical"):
                node = payload if kind == "number" else tape.number(payload)
                value = node if number == 0 else tape.select(guard, node, value)
                number = tape.either(number, guard)
            elif kind == "error":
                code = tape.select(guard, payload, code)
            elif kind == "text":
                code = tape.select(guard, tape.apply("add", payload, tape.const(float(TEXT))), code)
        pure = isinstance(item, float | bool) or (
            isinstance(item, Varying) and set(item.kinds) <= {"number", "logical"}
        )
        values.append(value if pure or number == 0 else tape.select(number, value, tape.const(math.nan)))
        codes.append(-1 if pure else code)
    return Program(tuple(tape.operations), tuple(tape.bounds), tuple(tape.cells), tuple(values), tuple(codes), inputs)


def _emitted(folder: Folder, program: Program, emitter: Emitter, *, guarded: bool) -> tuple[str, str, Run]:
    """Return the emitter's name, the source and the function that runs a chunk."""
    cells = folder.cells

    def label(cell: object) -> str:
        if not isinstance(cell, Address):
            return ""
        name = cells.constant(Address(cell.sheet, cell.row, 1))
        return f"{cell.a1} {name}".replace("\n", " ") if isinstance(name, str) else cell.a1

    source, sizes, tables = emit_numpy.emit(program, label)
    if emitter != "numpy" and (run := _native(program, emitter)) is not None:
        return "llvm", source, run
    kernel = emit_numpy.load(source, tables, overflow="ignore" if guarded else "raise")
    memory = local()

    def run_numpy(x: Floats, values: Floats, codes: NDArray[np.int16]) -> int:
        if not hasattr(memory, "buffers"):
            memory.buffers = emit_numpy.Buffers(*sizes, CHUNK)
        try:
            kernel(x, values, codes, memory.buffers)
        except FloatingPointError:
            return INEXACT
        return OUTSIDE  # the inputs are still to be looked at

    return "numpy", source, run_numpy


def _native(program: Program, emitter: Emitter) -> Run | None:
    """Return the native run, or None where "auto" has to do without. Raises KernelError where it was asked for."""
    overflow = emit_llvm.Overflow.find()
    missing = "llvmlite is not installed"
    try:
        if emit_llvm.is_native(program) and overflow is not None:
            return _padded(emit_llvm.Native(emit_llvm.emit(program)), overflow)
        missing = "an operation of the slice has no native form"
    except ImportError:
        pass
    if emitter == "llvm":
        raise KernelError(f"The native emitter cannot be used: {missing}.", "Install the extra 'fast', or use 'auto'.")
    return None


def _padded(native: emit_llvm.Native, overflow: emit_llvm.Overflow) -> Run:
    """Return a run for chunks of any length: what is left over of full vectors goes through a padded copy."""

    def run(x: Floats, values: Floats, codes: NDArray[np.int16]) -> int:
        full = x.shape[1] - x.shape[1] % WIDTH
        overflow.clear()
        status = _call(native, x, values, codes, full) if full else 0
        if full < x.shape[1]:
            rest = x.shape[1] - full
            some = np.repeat(x[:, -1:], WIDTH, axis=1)
            some[:, :rest] = x[:, full:]
            numbers, marks = np.empty((len(values), WIDTH)), np.empty((len(codes), WIDTH), np.int16)
            status |= _call(native, some, numbers, marks, WIDTH)
            values[:, full:], codes[:, full:] = numbers[:, :rest], marks[:, :rest]
        return status | (INEXACT if overflow.test() else 0)

    return run


def _call(native: emit_llvm.Native, x: Floats, values: Floats, codes: NDArray[np.int16], trials: int) -> int:
    arrays = (x, values, codes)
    return native([a.ctypes.data for a in arrays], [a.strides[0] // a.itemsize for a in arrays], trials)


class Disagreement(KernelError):
    """A trial for which a compiled slice and the scalar evaluator differ."""


def check(compiled: Slice, x: Floats, sample: int = 20, seed: int = 0, tolerance: float = 1e-9) -> float:
    """Compare random trials of x with the scalar evaluator; return the largest relative difference of a number.

    Raises Disagreement naming the output and the trial where an error or a text differs, or a number by more than
    `tolerance`.
    """
    trials = x.shape[1]
    places = np.random.default_rng(seed).choice(trials, size=min(sample, trials), replace=False)
    result = compiled.run(x[:, places])
    worst = 0.0
    for column, place in enumerate(places):
        for row, wanted in enumerate(compiled.scalars(x[:, place])):
            found = result.scalar(row, column)
            worst = max(worst, gap := difference(found, wanted))
            if gap > tolerance:
                raise Disagreement(
                    f"Trial {place} gives {found!r} compiled and {wanted!r} cell by cell.",
                    "Report this as a bug, with the workbook.",
                    compiled.outputs[row].a1,
                )
    return worst


def difference(found: Scalar, wanted: Scalar) -> float:
    """Return the relative difference of two numbers; infinity where one is something else than the other."""
    if isinstance(wanted, bool) or wanted is None:
        wanted = float(wanted or 0.0)
    if not isinstance(found, float) or not isinstance(wanted, float):
        return 0.0 if found == wanted else math.inf
    if found == wanted:
        return 0.0
    return abs(found - wanted) / max(abs(found), abs(wanted))
