"""Native code at work: the text of emit_llvm.py compiled by llvmlite and called, and the processor's overflow flag."""

from __future__ import annotations

import ctypes
import ctypes.util
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from addin.kernel.trials.emit_llvm import WIDTH
from addin.kernel.trials.program import INEXACT

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


class Overflow:
    """The processor's overflow flag, through the C library; it belongs to the thread."""

    def __init__(self, clear: Any, test: Any, mask: int) -> None:
        self._clear, self._test, self.mask = clear, test, mask

    @property
    def addresses(self) -> tuple[int, int]:
        """Where the functions stand that clear and test the flags of a mask."""
        clear, test = (ctypes.cast(function, ctypes.c_void_p).value or 0 for function in (self._clear, self._test))
        return clear, test

    def clear(self) -> None:
        """Forget earlier overflows of this thread."""
        self._clear(self.mask)

    def test(self) -> bool:
        """Return whether a result has overflowed since."""
        return bool(self._test(self.mask))

    @classmethod
    def find(cls) -> Overflow | None:
        """Return the flag, or None where it cannot be read on this platform."""
        masks = {"x86_64": 8, "amd64": 8, "aarch64": 4, "arm64": 4}
        mask = masks.get(platform.machine().lower())
        try:
            library = ctypes.CDLL(ctypes.util.find_library("m") or None)
            return cls(library.feclearexcept, library.fetestexcept, mask) if mask else None
        except (OSError, AttributeError, TypeError):
            return None


def is_fused() -> bool:
    """Return whether this processor multiplies and adds with one rounding. Raises ImportError without llvmlite."""
    import llvmlite.binding as llvm

    return platform.machine().lower() in ("aarch64", "arm64") or bool(llvm.get_host_cpu_features().get("fma"))


def compiled(source: str, *, improved: bool = False) -> Any:
    """Return an engine of llvmlite with the functions of a text; without it they are gone.

    `improved` has LLVM improve the text first: a kernel is written as it shall be. Raises ImportError without llvmlite.
    """
    import llvmlite.binding as llvm  # late: the extra may be missing

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=2)
    module = llvm.parse_assembly(source)
    module.verify()
    if improved:
        passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
        passes.getModulePassManager().run(module, passes)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


class Native:
    """A compiled kernel; it keeps its engine alive. `address` is where the function of emit_llvm.py stands."""

    def __init__(self, source: str) -> None:
        self._engine = compiled(source)
        integer, pointer = ctypes.c_int64, ctypes.c_void_p
        kind = ctypes.CFUNCTYPE(None, pointer, integer, pointer, integer, pointer, integer, integer, pointer)
        self.address = self._engine.get_function_address("kernel")
        self._kernel = kind(self.address)

    def __call__(self, pointers: Sequence[int], strides: Sequence[int], trials: int) -> int:
        """Run over `trials` trials, a multiple of WIDTH; return the status."""
        status = ctypes.c_int32(0)
        arguments = [part for pair in zip(pointers, strides, strict=True) for part in pair]
        self._kernel(*arguments, trials, ctypes.addressof(status))
        return int(status.value)


@dataclass(frozen=True)
class NativeRun:
    """The run of a chunk of any length: what is left over of full vectors goes through a padded copy."""

    kernel: Native
    overflow: Overflow

    def __call__(self, x: Floats, values: Floats, codes: Codes) -> int:
        """Write values and codes (outputs, trials) of the trials x (inputs, trials); return the status."""
        full = x.shape[1] - x.shape[1] % WIDTH
        self.overflow.clear()
        status = self._call(x, values, codes, full) if full else 0
        if full < x.shape[1]:
            rest = x.shape[1] - full
            some = np.repeat(x[:, -1:], WIDTH, axis=1)
            some[:, :rest] = x[:, full:]
            numbers, marks = np.empty((len(values), WIDTH)), np.zeros((len(codes), WIDTH), np.int32)
            status |= self._call(some, numbers, marks, WIDTH)
            values[:, full:], codes[:, full:] = numbers[:, :rest], marks[:, :rest]
        return status | (INEXACT if self.overflow.test() else 0)

    def _call(self, x: Floats, values: Floats, codes: Codes, trials: int) -> int:
        arrays = (x, values, codes)
        return self.kernel([a.ctypes.data for a in arrays], [a.strides[0] // a.itemsize for a in arrays], trials)
