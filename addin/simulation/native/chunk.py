"""The native function that does a chunk: it is the same for every job, and compiled once in a process.

For each replicate a block of trials goes through inputs, slice, verdict and counts while it stays in the cache. What
numpy does rarely stays in numpy: a replicate in which the slice overflows, leaves its exact range or its limits, or
leaves a trial to the scalar evaluator, is not counted, and its number is returned.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any

from addin.kernel.trials import native
from addin.simulation.native import counting, drawing
from addin.simulation.native.records import FORMS, INPUT, RESULT, WORK, Fields, element
from addin.simulation.native.writing import INTEGER, POINTER, TRUTH, WORD, Function, Value, module

_COMPILING = Lock()


def _chunk() -> Function:
    """Write chunk(work): the replicates from `first` on. Returns the one that is left to numpy, or their number."""
    function = Function("chunk", (("work", POINTER),), "i64")
    (address,) = function.given
    work = Fields(function, WORK, address)
    with function.loop(work.replicates, start=work.first) as replicate:
        with function.loop(work.inputs) as number:
            _input(function, work, number, replicate)
        status = work.status
        function.store(function.constant(WORD, 0), status)
        mask = work.overflow.to("trunc", "i32")
        function.call(work.forget, WORD, mask)
        rows = (value for part in "xrc" for value in (getattr(work, part), getattr(work, f"{part}_row")))
        function.call(work.kernel, None, *rows, work.trials, status)
        overflowed = function.call(work.overflowed, WORD, mask)
        with function.when((function.load(WORD, status) | overflowed).is_("ne", 0)):
            function.result(replicate)
        with function.loop(work.coded) as number:
            row = work.c_row * function.load(INTEGER, work.coded_rows, number)
            codes = function.place(work.c, row, "i32")
            with function.when(function.call("any_left", TRUTH, codes, work.trials)):
                function.result(replicate)
        with function.when(work.holding.is_("gt", 0)):
            function.call("verdict", None, address)
        with function.loop(work.results) as number:
            values = function.place(work.r, work.r_row * number, "double")
            ends = function.place(work.ends, number * 2, "double")
            function.store(function.call("look", INTEGER, values, work.trials, ends), work.strange, number)
            result = element(function, work.result_records, RESULT, number)
            function.call("count", None, address, result, number, replicate)
    function.result(work.replicates)
    return function


def _input(function: Function, work: Fields, number: Value, replicate: Value) -> None:
    """Write what fills the row of one input."""
    record = element(function, work.input_records, INPUT, number)
    fields = Fields(function, INPUT, record)
    trials, form, points = work.trials, fields.form, fields.points
    out = function.place(work.x, work.x_row * number, "double")
    cell = work.replicates * number + replicate
    keys = function.place(work.keys, cell * 4, "i32")
    offset = function.load(WORD, work.offsets, number)
    points = function.place(points, work.point, "i32")
    cuts = function.place(work.cuts, number * 2, "i64")
    for place, name in enumerate(FORMS):
        if name == "skipped":
            continue
        with function.when(form.is_("eq", place)):
            if name == "given":
                function.call("copy", None, function.place(fields.table, replicate * trials, "double"), out, trials)
            else:
                function.call(f"draw_{name}", None, record, points, keys, offset, out, trials, cuts)


def source() -> str:
    """Return the text of the module."""
    return module([*drawing.functions(), *counting.functions(), _chunk()])


@cache
def _engine() -> Any:
    return native.compiled(source(), improved=True)


def compiled() -> Callable[[int], int]:
    """Return chunk(address of a WORK record), which runs without the lock of the interpreter.

    Raises ImportError without llvmlite.
    """
    with _COMPILING:
        return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(_engine().get_function_address("chunk"))
