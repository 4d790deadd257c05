"""Functions of the native loop by themselves: exact sums, and none that nobody calls."""

import ctypes
import struct
import sys
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from addin.kernel.trials.native import compiled
from addin.simulation.exact_sums import ExactSums
from addin.simulation.native import chunk, counting, drawing
from addin.simulation.native.writing import DOUBLE, POINTER, Function, module

pytest.importorskip("llvmlite")


def adding() -> Callable[[int, float], None]:
    """Return add_exactly of the native loop, by itself."""
    (exactly,) = (function for function in counting.functions() if "@add_exactly(" in function.text().splitlines()[0])
    entry = Function("entry", (("words", POINTER), ("value", DOUBLE)))
    entry.call("add_exactly", None, *entry.given)
    entry.result()
    engine = compiled(module([exactly, entry]), improved=True)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)(engine.get_function_address("entry"))
    keep = SimpleNamespace(engine=engine)
    return lambda words, value: (keep, call(words, value))[1]


def test_a_sum_takes_every_float_there_is() -> None:
    """From the smallest to the largest, both signs, and zero."""
    add, rng = adding(), np.random.default_rng(0)
    bits = rng.integers(0, 1 << 64, 20_000, dtype=np.uint64).view(np.float64)
    special = [0.0, -0.0, 5e-324, -5e-324, sys.float_info.min, -sys.float_info.max, sys.float_info.max, 1.0, -1.5]
    tiny = [struct.unpack("<d", struct.pack("<Q", int(word)))[0] for word in rng.integers(0, 1 << 52, 500)]
    for value in (*special, *tiny, *bits[np.isfinite(bits)].tolist()):
        natively, by_numpy = ExactSums((1,)), ExactSums((1,))
        add(natively.words.ctypes.data, value)
        by_numpy.add(np.array([value]))
        assert natively.words.tobytes() == by_numpy.words.tobytes(), value


def test_every_function_is_called() -> None:
    text = chunk.source()
    for function in (*drawing.functions(), *counting.functions()):
        name = function.text().partition("@")[2].partition("(")[0]
        assert text.count(f"@{name}(") > 1, name
