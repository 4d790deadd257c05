"""Native code at work: the text of emit_llvm.py compiled by llvmlite and called, and the processor's overflow flag."""

from __future__ import annotations

import ctypes
import ctypes.util
import platform
from collections.abc import Callable, Sequence


class Overflow:
    """The processor's overflow flag, through the C library; it belongs to the thread."""

    def __init__(self, clear: Callable[[int], int], test: Callable[[int], int], mask: int) -> None:
        self._clear, self._test, self._mask = clear, test, mask

    def clear(self) -> None:
        """Forget earlier overflows of this thread."""
        self._clear(self._mask)

    def test(self) -> bool:
        """Return whether a result has overflowed since."""
        return self._test(self._mask) != 0

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


class Native:
    """A compiled kernel; it keeps its engine alive."""

    def __init__(self, source: str) -> None:
        import llvmlite.binding as llvm  # late: the extra may be missing

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple()
        features = llvm.get_host_cpu_features().flatten()
        machine = target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=2)
        module = llvm.parse_assembly(source)
        module.verify()
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        integer, pointer = ctypes.c_int64, ctypes.c_void_p
        kind = ctypes.CFUNCTYPE(None, pointer, integer, pointer, integer, pointer, integer, integer, pointer)
        self._kernel = kind(self._engine.get_function_address("kernel"))

    def __call__(self, pointers: Sequence[int], strides: Sequence[int], trials: int) -> int:
        """Run over `trials` trials, a multiple of WIDTH; return the status."""
        status = ctypes.c_int32(0)
        arguments = [part for pair in zip(pointers, strides, strict=True) for part in pair]
        self._kernel(*arguments, trials, ctypes.addressof(status))
        return int(status.value)
