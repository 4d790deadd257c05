"""Functions of the C library on vectors, trial by trial: numpy's own differ from them in the last bit now and then."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NAMES = {"exp": "exp", "log": "log", "log10": "log10", "power": "pow"}  # numpy's name: the library's


def functions() -> dict[str, Callable[..., None]]:
    """Return the functions under numpy's names: called with vectors (trials,) or numbers, and where results go."""
    library = ctypes.PyDLL(ctypes.util.find_library("m") or None)  # keeps the interpreter's lock: calls are short
    return {name: _on_vectors(library, own, 2 if name == "power" else 1) for name, own in NAMES.items()}


def _on_vectors(library: ctypes.PyDLL, name: str, arguments: int) -> Callable[..., None]:
    function = library[name]  # one of its own, whose types nobody else changes
    function.restype, function.argtypes = ctypes.c_double, (ctypes.c_double,) * arguments

    def run(*given: Floats | float) -> None:
        *values, out = given
        assert isinstance(out, np.ndarray)
        lists = (np.broadcast_to(value, out.shape).tolist() for value in values)
        out[:] = np.fromiter(map(function, *lists), np.float64, out.size)

    return run
