"""Public entry: a slice of a workbook as one function of many trials.

compile_slice folds, reuses and emits; Slice.run (slices.py) feeds it chunks of trials; check compares trials with the
scalar evaluator, which shares no code with the functions of a slice.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import local
from types import MappingProxyType
from typing import Literal

import numpy as np

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import Scalar
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.trials import emit_llvm, emit_numpy, native
from addin.kernel.trials.codes import ERRORS, TEXT, Texts
from addin.kernel.trials.fold import INPUT_LIMIT, Folder, Limits
from addin.kernel.trials.forms import Item, Varying
from addin.kernel.trials.program import INEXACT, OUTSIDE, Program
from addin.kernel.trials.reuse import reused
from addin.kernel.trials.slices import Codes, Floats, Result, Run, Slice

Emitter = Literal["auto", "numpy", "llvm"]
NUMPY_CHUNK, LLVM_CHUNK = 16384, 65536  # smaller chunks cost calls, larger ones of many buffers leave the cache
NO_FIXED: Mapping[Address, Scalar] = MappingProxyType({})
NO_LIMITS: Mapping[Address, Limits] = MappingProxyType({})
KEPT = 64  # compiled slices: a job asks for the same one with every chunk, a session with every button
_SLICES: OrderedDict[str, Slice] = OrderedDict()

__all__ = ["ERRORS", "Disagreement", "Result", "Slice", "check", "compile_slice", "difference"]


def compile_slice(
    cells: Cells,
    inputs: Sequence[Address],
    outputs: Sequence[Address],
    fixed: Mapping[Address, Scalar] = NO_FIXED,
    emitter: Emitter = "auto",
    limits: Mapping[Address, Limits] = NO_LIMITS,
) -> Slice:
    """Compile the way from uncertain inputs to outputs.

    `inputs` are cells that hold one number per trial, `fixed` puts other values into cells (the text inputs
    of one combination), `limits` tell where an input always lies, which saves checks; a trial outside is computed
    cell by cell. "auto" takes llvm where every operation has a native form and llvmlite is installed, else numpy.

    The same slice of the same workbook is compiled once. Raises every error of the scalar evaluator.
    """
    given = {address: limits.get(address, (-INPUT_LIMIT, INPUT_LIMIT)) for address in inputs}
    cells = cells.with_values({**fixed, **dict.fromkeys(inputs, 0.0)})
    key = repr((cells.content, tuple(inputs), tuple(outputs), given, emitter))
    compiled = _SLICES.get(key)
    if compiled is None:
        compiled = _compiled(cells, tuple(inputs), tuple(outputs), given, emitter, Texts(), guarded=False)
        _SLICES[key] = compiled
        if len(_SLICES) > KEPT:
            _SLICES.popitem(last=False)
    _SLICES.move_to_end(key)
    return compiled


def _compiled(
    cells: Cells,
    inputs: tuple[Address, ...],
    outputs: tuple[Address, ...],
    limits: Mapping[Address, Limits],
    emitter: Emitter,
    texts: Texts,
    *,
    guarded: bool,
    library: bool = False,
) -> Slice:
    start = time.perf_counter()
    folder = Folder(cells, inputs, limits, texts, guarded=guarded)
    program = reused(_program(folder, folder.fold(outputs), len(inputs)))
    compiled = Slice(cells, inputs, outputs, limits, program, texts)
    name, source, run = _emitted(folder, program, emitter, guarded=guarded, library=library)
    chunk = LLVM_CHUNK if name == "llvm" else NUMPY_CHUNK

    def careful() -> Slice:
        return _compiled(cells, inputs, outputs, limits, "numpy", texts, guarded=True, library=name == "llvm")

    compiled.attach(name, source, run, chunk, careful)
    compiled.compile_seconds = time.perf_counter() - start
    return compiled


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
    return Program(
        tuple(tape.operations),
        tuple(tape.bounds),
        tuple(tape.cells),
        tuple(values),
        tuple(codes),
        tuple(tape.watched),
        tuple(tape.formulas),
        inputs,
    )


def _emitted(
    folder: Folder, program: Program, emitter: Emitter, *, guarded: bool, library: bool
) -> tuple[str, str, Run]:
    """Return the emitter's name, the source and the function that runs a chunk.

    With `library` numpy takes the functions that native code takes from the C library: a trial then has the same bytes
    whether or not another one of its chunk overflows.
    """
    cells = folder.cells

    def label(cell: object) -> str:
        if not isinstance(cell, Address):
            return ""
        name = cells.constant(Address(cell.sheet, cell.row, 1))
        return f"{cell.a1} {name}".replace("\n", " ") if isinstance(name, str) else cell.a1

    source, sizes, tables = emit_numpy.emit(program, label)
    if emitter != "numpy" and (run := _native(program, emitter)) is not None:
        return "llvm", source, run
    tables |= {f"formula{number}": formula for number, formula in enumerate(program.formulas)}
    kernel = emit_numpy.load(source, tables, overflow="ignore" if guarded else "raise", library=library)
    memory = local()

    def run_numpy(x: Floats, values: Floats, codes: Codes) -> int:
        if not hasattr(memory, "buffers") or memory.buffers.size < x.shape[1]:
            memory.buffers = emit_numpy.Buffers(sizes, max(NUMPY_CHUNK, x.shape[1]))
        try:
            kernel(x, values, codes, memory.buffers)
        except FloatingPointError:
            return INEXACT
        return OUTSIDE  # the inputs are still to be looked at

    return "numpy", source, run_numpy


def _native(program: Program, emitter: Emitter) -> native.NativeRun | None:
    """Return the native run, or None where "auto" has to do without. Raises KernelError where it was asked for."""
    overflow = native.Overflow.find()
    missing = "llvmlite is not installed"
    try:
        if emit_llvm.is_native(program) and overflow is not None:
            return native.NativeRun(native.Native(emit_llvm.emit(program, fused=native.is_fused())), overflow)
        missing = "an operation of the slice has no native form"
    except ImportError:
        pass
    if emitter == "llvm":
        raise KernelError(f"The native emitter cannot be used: {missing}.", "Install the extra 'fast', or use 'auto'.")
    return None


class Disagreement(KernelError):
    """A trial for which a compiled slice and the scalar evaluator differ."""


def check(compiled: Slice, x: Floats, sample: int = 20, seed: int = 0, tolerance: float = 1e-9) -> float:
    """Compare random trials of x with the scalar evaluator; return the largest relative difference of a number.

    Raises Disagreement naming the output and the trial where an error or a text differs, or a number by more than
    `tolerance`.
    """
    chosen = np.random.default_rng(seed).choice(x.shape[1], size=min(sample, x.shape[1]), replace=False)
    result = compiled.run(x[:, chosen])
    worst = 0.0
    for column, trial in enumerate(chosen):
        for row, wanted in enumerate(compiled.scalars(x[:, trial])):
            compiled_value = result.scalar(row, column)
            worst = max(worst, gap := difference(compiled_value, wanted))
            if gap > tolerance:
                raise Disagreement(
                    f"Trial {trial} gives {compiled_value!r} compiled and {wanted!r} cell by cell.",
                    "Report this as a bug, with the workbook.",
                    compiled.outputs[row].a1,
                )
    return worst


def difference(value: Scalar, wanted: Scalar) -> float:
    """Return the relative difference of two numbers; infinity where one is something else than the other."""
    if isinstance(wanted, bool) or wanted is None:
        wanted = float(wanted or 0.0)
    if not isinstance(value, float) or not isinstance(wanted, float):
        return 0.0 if value == wanted else math.inf
    if value == wanted:
        return 0.0
    return abs(value - wanted) / max(abs(value), abs(wanted))
