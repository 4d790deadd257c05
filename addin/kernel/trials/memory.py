"""Memory for many trials, laid out as processors read and write it fastest."""

from __future__ import annotations

from threading import local
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

LINE, PAGE = 64, 4096  # bytes


def spaced(rows: int, trials: int, kind: DTypeLike = np.float64) -> NDArray[Any]:
    """Return memory of shape (rows, trials), not filled, that begins with a cache line.

    Rows of whole pages are a few lines more than that apart: else all of them would share the same few lines of the
    cache, and push each other out.
    """
    size = np.dtype(kind).itemsize
    width = trials * size
    width += 9 * LINE if width and width % PAGE == 0 else 0
    memory = np.empty(rows * width + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + rows * width].view(kind).reshape(rows, width // size)[:, :trials]


class Scratch(local):
    """Memory of each thread that is used again: fresh megabytes for each chunk cost as much as the work on them."""

    def __init__(self) -> None:
        self._kept: dict[str, NDArray[Any]] = {}

    def take(self, name: str, shape: tuple[int, ...], kind: DTypeLike = np.float64) -> NDArray[Any]:
        """Return memory of a shape, not filled; it is good until this thread takes that name again."""
        kept = self._kept.get(name)
        if kept is None or kept.shape != shape or kept.dtype != kind:
            kept = self._kept[name] = spaced(*shape, kind) if len(shape) == 2 else np.empty(shape, kind)
        return kept
