"""Sums of floats without any rounding: whatever the order of adding and merging, the same bytes come out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

_LIMBS = 71  # words of 32 bits for every exponent that a float can have
_LOWEST = 1126  # weight of the lowest bit: 2**-1126, below the last bit of the smallest float
_WORD = 0xFFFFFFFF


class ExactSums:
    """An array of sums, each a fixed-point number wide enough for every float.

    After U. Kulisch and W. L. Miranker, Computer Arithmetic in Theory and Practice (1981): a long accumulator. Each
    word has 31 bits to spare, enough for 2^31 additions.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.words: NDArray[np.int64] = np.zeros((*shape, _LIMBS), dtype=np.int64)

    def add(self, values: NDArray[np.float64]) -> None:
        """Add finite values, shaped as the sums."""
        fraction, exponent = np.frexp(values.reshape(-1))
        digits = np.ldexp(fraction, 53).astype(np.int64)
        position = exponent.astype(np.int64) - 53 + _LOWEST
        shift = position % 32
        low = (digits & _WORD) << shift
        high = (digits >> 32) << shift
        at = np.arange(len(digits)) * _LIMBS + position // 32
        words = self.words.reshape(-1)
        words[at] += low & _WORD
        words[at + 1] += (low >> 32) + (high & _WORD)
        words[at + 2] += high >> 32

    def merge(self, other: ExactSums) -> None:
        """Add the sums of another array of the same shape."""
        self.words += other.words

    def total(self, *index: int) -> Fraction:
        """Return one sum, exactly."""
        number = 0
        for word in reversed(self.words[index].tolist()):
            number = (number << 32) + word
        return Fraction(number, 1 << _LOWEST)
