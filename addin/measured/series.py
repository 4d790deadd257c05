"""Files with times, read into the grid: here one after the other, or each by a worker of a cluster.

A worker adds a file up into a grid of its own. These are joined in the order of the files: sums are whole numbers, so
the figures are the same bytes as without workers, whatever their number. Few files are on their way at a time, so that
memory does not grow with their number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

from addin.measured import esxtop, generic, iostat, perfmon
from addin.measured import found as finding_out
from addin.measured.found import Found
from addin.measured.grid import Grid, Implausible
from addin.measured.records import Mix, Options, Progress, Reading, fault
from addin.measured.texts import digest
from addin.measured.windows import Plan

_READERS = {
    finding_out.PERFMON: perfmon.add,
    finding_out.ESXTOP: esxtop.add,
    finding_out.GENERIC: generic.add,
}


@dataclass(frozen=True)
class Readers:
    """An executor whose workers see the files under the same paths, and how many of them it reads at a time."""

    executor: Executor
    ahead: int


@dataclass(frozen=True)
class File:
    """A file with times: its number from 1, where it is, what it is, its size in bytes here."""

    number: int
    path: Path
    what: Found
    size: int


@dataclass(frozen=True)
class Part:
    """What a worker read of one file."""

    grid: Grid
    reading: Reading
    mixes: list[Mix]


def add(
    grid: Grid, number: int, reading: Reading, what: Found, options: Options, progress: Progress | None
) -> list[Mix]:
    """Add a file to a grid and return mixes without IOPS. Raises RequestError, one line, for what cannot be used."""
    try:
        if what.kind in _READERS:
            _READERS[what.kind](grid, number, reading, options, progress)
            return []
        return iostat.add(grid, number, reading, options, progress)
    except Implausible as error:  # the grid knows desktop and time, and no file
        raise fault(reading.path, error.found, error.advice) from None


def part(plan: Plan, options: Options, file: File) -> Part:
    """Return one file as sums of its own. Raises RequestError as `add` does, and where a worker sees another file."""
    advice = "Put the files where every worker of the cluster sees them under the same path, or leave --cluster out"
    try:
        size = file.path.stat().st_size
    except OSError as error:
        raise fault(file.path, f"a worker of the cluster cannot read it ({error.strerror})", advice) from None
    if size != file.size:
        raise fault(file.path, f"has {size:,} bytes for a worker of the cluster, {file.size:,} here", advice)
    grid, reading = Grid(plan), Reading(file.path, finding_out.TITLES[file.what.kind], digest(file.path))
    return Part(grid, reading, add(grid, file.number, reading, file.what, options, None))


def parts(plan: Plan, options: Options, files: Sequence[File], readers: Readers) -> Iterator[Part]:
    """Yield what workers read of files, in their order, a few files ahead of what is taken."""
    left, running = iter(files), deque[Future[Part]]()
    try:
        while True:
            while len(running) < readers.ahead and (file := next(left, None)):
                running.append(readers.executor.submit(part, plan, options, file))
            if not running:
                return
            yield running.popleft().result()
    finally:
        for future in running:
            future.cancel()
