"""Uniform draws for every uncertain input: scrambled Sobol points, Latin hypercube, or plain random numbers.

A draw depends on nothing but seed, key of the input, replicate and number of the trial (and, for the Latin hypercube,
on the trials per replicate): not on the other inputs, on chunks or on workers. Each input owns a Sobol dimension for
ever, and its scrambling is keyed by its name. Replicates are independent scrambles; their spread is the error bar.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.kernel.trials.memory import Scratch
from addin.numerals import numeral
from addin.simulation.sobol_directions import DIRECTION_NUMBERS

Floats = NDArray[np.float64]
Words = NDArray[np.uint32]

SAMPLERS = ("sobol", "latin", "plain")
REPLICATES = 16
CHUNK = 16_384  # trials of a chunk over all replicates: the kernel's best size
LONGEST = 2**32  # points of a replicate that 32-bit Sobol numbers can tell apart
_BITS = 32
TABLE = 12  # low bits of the trial number that are looked up, the others are added
_MEMORY = Scratch()


@dataclass(frozen=True)
class Plan:
    """How many trials are run, in how many replicates, `chunk` at once; those of a replicate are a power of two."""

    asked: int
    replicates: int
    per_replicate: int
    chunk: int = CHUNK

    @property
    def trials(self) -> int:
        """Trials of all replicates together."""
        return self.replicates * self.per_replicate

    @property
    def note(self) -> str:
        """What was rounded, or nothing."""
        if self.trials == self.asked:
            return ""
        made = f"{self.replicates} x {numeral(self.per_replicate)}"
        return f"{numeral(self.asked)} trials rounded up to {numeral(self.trials)}: {made}."

    @property
    def block(self) -> int:
        """Trials of each replicate in one chunk."""
        return min(self.per_replicate, 1 << max(1, self.chunk // self.replicates).bit_length() - 1)

    @property
    def chunks(self) -> int:
        """Number of chunks: chunk 0 holds the first trials of every replicate, so a partial run is balanced."""
        return self.per_replicate // self.block

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield start and count of each chunk, the same for every replicate."""
        return ((number * self.block, self.block) for number in range(self.chunks))


def plan(trials: int, replicates: int = REPLICATES, where: str = "trials", chunk: int = CHUNK) -> Plan:
    """Return the plan of a run, `trials` rounded up to replicates x 2^k. Raises RequestError, naming `where`."""
    if trials < 1:
        raise RequestError(f"{where}: {trials} trials, expected at least 1. Ask for 65536 if in doubt.")
    if not 2 <= replicates <= 64:
        raise RequestError(f"{where}: {replicates} replicates, expected 2 to 64. 16 give the best error bar.")
    per_replicate = 1 << (-(-trials // replicates) - 1).bit_length()
    if per_replicate > LONGEST:
        raise RequestError(
            f"{where}: {numeral(trials)} trials, expected at most {numeral(LONGEST * replicates)}. Ask for fewer."
        )
    return Plan(trials, replicates, per_replicate, chunk)


@dataclass(frozen=True)
class Dimensions:
    """The Sobol dimension of each input, given once and never taken back: `numbers` are (key, dimension)."""

    numbers: tuple[tuple[str, int], ...] = ()

    def including(self, keys: Iterable[str]) -> Dimensions:
        """Return the registry with the keys it does not have yet, each on the next free dimension.

        Raises RequestError when the dimensions of the direction numbers are used up.
        """
        known = dict(self.numbers)
        for key in keys:
            known.setdefault(key, max(known.values(), default=-1) + 1)
        worst = max(known.values(), default=0)
        if worst >= len(_direction_lines()):
            limit = len(_direction_lines())
            raise RequestError(f"Sobol dimensions: {worst + 1} inputs, expected at most {limit}. Use --sampler latin.")
        return Dimensions(tuple(known.items()))

    def of(self, key: str) -> int:
        """Return the dimension of one input. Raises KeyError if it has none yet."""
        return dict(self.numbers)[key]


def draws(
    keys: Sequence[str],
    n: int,
    seed: int,
    replicate: int,
    sampler: str = "sobol",
    dimensions: Dimensions | None = None,
    start: int = 0,
    count: int | None = None,
) -> Floats:
    """Return uniform draws (d, count) of one replicate, 0 < u < 1: the trials `start` to `start + count` of `n`.

    `n` is a power of two; `dimensions` are the permanent dimensions of the inputs, needed by Sobol only (default: the
    keys in their order). Raises RequestError for an unknown sampler or an `n` that is no power of two.
    """
    return blocks(keys, n, seed, (replicate,), sampler, dimensions, start, count)[:, 0, :]


def blocks(
    keys: Sequence[str],
    n: int,
    seed: int,
    replicates: Sequence[int],
    sampler: str = "sobol",
    dimensions: Dimensions | None = None,
    start: int = 0,
    count: int | None = None,
) -> Floats:
    """Return the draws of several replicates at once, (d, len(replicates), count); the numbers are those of `draws`."""
    if sampler not in SAMPLERS:
        raise RequestError(f"sampler: '{sampler}' is not known. Use one of {', '.join(SAMPLERS)}.")
    if n < 1 or n & (n - 1) or n > LONGEST:
        raise RequestError(f"trials of a replicate: {n}, expected a power of two up to 2^32. Take them from plan().")
    count = n - start if count is None else count
    if not 0 <= start <= start + count <= n:
        raise RequestError(f"trials {start} to {start + count}: expected a part of 0 to {n}. Check start and count.")
    registry = (dimensions or Dimensions()).including(keys) if sampler == "sobol" else Dimensions()
    result = np.empty((len(keys), len(replicates), count))
    for row, key in zip(result, keys, strict=True):
        seeds = streams(seed, key, replicates, sampler)
        if sampler == "sobol":
            _sobol(registry.of(key), seeds, start, row)
        elif sampler == "latin":
            _latin(n, seeds, start, row)
        else:
            row[:] = _uniform(seeds[:, :1], np.arange(start, start + count, dtype=np.uint64))
    return result


@lru_cache(maxsize=65_536)
def stream(seed: int, key: str, replicate: int, purpose: str) -> tuple[int, int, int, int]:
    """Return four 64-bit numbers that belong to one input of one replicate: BLAKE2b of the three and the purpose."""
    name = f"{purpose}\0{seed}\0{replicate}\0{key}".encode()
    digest = hashlib.blake2b(name, digest_size=32).digest()
    first, second, third, fourth = (int.from_bytes(digest[at : at + 8], "little") for at in range(0, 32, 8))
    return first, second, third, fourth


def streams(seed: int, key: str, replicates: Sequence[int], purpose: str) -> NDArray[np.uint64]:
    """Return the streams (replicates, 4) of one input."""
    return np.array([stream(seed, key, replicate, purpose) for replicate in replicates], dtype=np.uint64)


@lru_cache(maxsize=1)
def _direction_lines() -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(int, line.split())) for line in DIRECTION_NUMBERS.splitlines())


@lru_cache(maxsize=512)
def _directions(dimension: int) -> Words:
    """Return the 32 direction numbers of a dimension, bits in reverse order: the first binary digit is bit 0.

    Recurrence (5) of Bratley and Fox (1988) with the numbers of Joe and Kuo (2008).
    """
    polynomial, *initial = _direction_lines()[dimension]
    degree = polynomial.bit_length() - 1
    m = list(initial)
    for k in range(len(m), _BITS):
        following = 1 if degree == 0 else m[k - degree] ^ (m[k - degree] << degree)
        for j in range(1, degree):
            if polynomial >> (degree - j) & 1:
                following ^= m[k - j] << j
        m.append(following)
    # m_k / 2^k as binary digits; reversing the k + 1 digits of m_k puts the first one at bit 0
    return np.array([int(f"{number:0{k + 1}b}"[::-1], 2) for k, number in enumerate(m)], dtype=np.uint32)


@lru_cache(maxsize=512)
def low_points(dimension: int) -> Words:
    """Return the first 4,096 points of a dimension, unscrambled and bit-reversed."""
    points = np.zeros(1, dtype=np.uint32)
    for direction in _directions(dimension)[:TABLE]:
        points = np.concatenate([points, points ^ direction])
    return points


@lru_cache(maxsize=4096)
def offset(dimension: int, high: int) -> int:
    """Return what the points 4,096 high and the 4,095 after it are of low_points, by exclusive or."""
    result = 0
    for bit in range(high.bit_length()):
        if high >> bit & 1:
            result ^= int(_directions(dimension)[TABLE + bit])
    return result


def _sobol_points(dimension: int, start: int, count: int) -> Words:
    """Return points (count,) of the unscrambled sequence in natural order, bit-reversed."""
    low = low_points(dimension)
    first, last = start >> TABLE, (start + max(count, 1) - 1) >> TABLE
    points = np.empty((last - first + 1, len(low)), dtype=np.uint32)
    for row, high in zip(points, range(first, last + 1), strict=True):
        np.bitwise_xor(low, np.uint32(offset(dimension, high)), out=row)
    begin = start - (first << TABLE)
    return points.reshape(-1)[begin : begin + count]


def _sobol(dimension: int, seeds: NDArray[np.uint64], start: int, out: Floats) -> None:
    """Write Owen-scrambled Sobol points (replicates, count) to `out`."""
    words, other = (_MEMORY.take(name, (out.size,), np.uint32).reshape(out.shape) for name in ("words", "other"))
    words[:] = _sobol_points(dimension, start, out.shape[1])
    _scramble(words, seeds, other)
    np.copyto(out, _reversed_bits(words, other))
    out += 0.5
    out *= 2.0**-_BITS


def _scramble(x: Words, seeds: NDArray[np.uint64], other: Words) -> None:
    """Scramble bit-reversed points (replicates, count) in place by nested uniform scrambling (Owen 1995) by hashing.

    Each digit is flipped by a hash of the digits before it. The hash is Vegdahl's improvement of that of Laine and
    Karras (Burley 2020, "Practical hash-based Owen scrambling", JCGT 9), two rounds with 64 bits of key each. `other`
    is memory of the same shape.
    """
    words = scrambling(seeds)
    for key in (0, 1):
        add, factor = words[:, 2 * key, None], words[:, 2 * key + 1, None]
        _mix(x, 0x3D20ADEA, other)
        x += add
        x *= factor
        _mix(x, 0x05526C56, other)
        _mix(x, 0x53A22864, other)


def scrambling(seeds: NDArray[np.uint64]) -> Words:
    """Return what both rounds of a scramble add and multiply by (replicates, 4), of the seeds (replicates, 4)."""
    words = (seeds[:, :2, None] >> np.array([0, 32], dtype=np.uint64)).astype(np.uint32)
    words[:, :, 1] |= np.uint32(1)
    return words.reshape(-1, 4)


def _mix(x: Words, even: int, other: Words) -> None:
    np.multiply(x, np.uint32(even), out=other)
    np.bitwise_xor(x, other, out=x)


def _reversed_bits(x: Words, other: Words) -> Words:
    """Return the words with their 32 bits in reverse order; `x` and memory of the same shape are used up."""
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F)):
        np.right_shift(x, np.uint32(shift), out=other)
        other &= np.uint32(mask)
        x &= np.uint32(mask)
        x <<= np.uint32(shift)
        x |= other
    return x.view(x.dtype.newbyteorder())  # read with its bytes in reverse order


def _uniform(seeds: NDArray[np.uint64], number: NDArray[np.uint64]) -> Floats:
    """Return random numbers (replicates, count), 52 bits, that depend on seed (replicates, 1) and number alone.

    SplitMix64 (Steele, Lea and Flood 2014), started at the seed and addressed by position.
    """
    x = (number + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + seeds
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    x >>= np.uint64(12)
    u = x.astype(np.float64)
    u += 0.5
    u *= 2.0**-52
    return u


def _latin(n: int, seeds: NDArray[np.uint64], start: int, out: Floats) -> None:
    """Write Latin hypercube draws (replicates, count) to `out`: stratum by a keyed permutation, a point within it.

    McKay, Beckman and Conover (1979); the permutation of 0 ... n - 1 is made of steps that each have an inverse
    modulo n, so that any part of it can be computed by itself.
    """
    number = np.arange(start, start + out.shape[1], dtype=np.uint64)
    mask = np.uint64(n - 1)
    shift = np.uint64(max(1, (n.bit_length() - 1) // 2))
    stratum = np.broadcast_to(number, out.shape).copy()
    for step in range(6):
        key = seeds[:, step % 3, None] >> np.uint64(20 * (step // 3))
        stratum += key
        stratum *= (key >> np.uint64(17)) | np.uint64(1)
        stratum &= mask
        stratum ^= stratum >> shift
    np.add(stratum, _uniform(seeds[:, 3:], number), out=out)
    out *= 1.0 / n
