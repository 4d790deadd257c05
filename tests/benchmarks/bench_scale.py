"""One simulation at any size: on threads, on a Dask cluster of four workers, and with one of them killed midway.

Run: python -m tests.benchmarks.bench_scale [TRIALS]     (default 2^30, a thousand million)

Each run is the command itself in a process of its own, its JSON compared byte for byte with that of one thread. Memory
is the most that any of its processes held. All workers are on this machine: beyond its cores they show no more speed,
but that nothing is lost. Linux, with the extra [cluster].
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.document import markdown, paragraph
from tests.support import needed
from tests.support.dask_cluster import ROOT, scheduler, worker

BOOK = ROOT / "templates" / "vdi-storage-sizing.xlsx"
TRIALS = 1 << 30
WORKERS = 4
HEADINGS = ("run", "s", "M trials/s", "x one thread", "memory of a process, MB", "bytes")


@dataclass(frozen=True)
class Run:
    """What a run took: seconds by the clock, the most bytes that one of its processes held, what it printed."""

    name: str
    seconds: float
    memory: int
    printed: bytes


def peak(process: subprocess.Popen[bytes]) -> int:
    """Return the most bytes that a living process has held."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def command(trials: int, *options: str) -> subprocess.Popen[bytes]:
    """Start the command."""
    words = ("simulate", str(BOOK), "--trials", str(trials), "--json", *options)
    with tempfile.TemporaryFile() as nowhere:
        return subprocess.Popen(
            [sys.executable, "-m", "addin", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=nowhere
        )


def finished(name: str, started: subprocess.Popen[bytes], begin: float) -> Run:
    """Wait for a command."""
    assert started.stdout is not None
    printed = started.stdout.read()
    _, code, used = os.wait4(started.pid, 0)
    assert code == 0, f"{name}: exit {code}"
    return Run(name, time.perf_counter() - begin, used.ru_maxrss * 1024, printed)


def on_threads(trials: int, threads: int) -> Run:
    """Run on threads of this machine."""
    begin = time.perf_counter()
    return finished(f"{threads} thread{'s' * (threads > 1)}", command(trials, "--workers", str(threads)), begin)


def on_cluster(trials: int, kill_after: float | None = None) -> Run:
    """Run on a cluster of its own; a worker is killed after some seconds."""
    name = f"{WORKERS} workers" + (", one killed" if kill_after else "")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = scheduler(stack, folder)
        workers = [worker(stack, folder, address, f"worker {number}") for number in range(WORKERS)]
        time.sleep(WORKERS)  # the command counts the workers that are there
        begin = time.perf_counter()
        started = command(trials, "--cluster", address)
        if kill_after:
            time.sleep(kill_after)
            assert started.poll() is None, f"{name}: the run ended before the worker was killed"
            workers.pop().kill()
        done = finished(name, started, begin)
        assert all(each.poll() is None for each in workers)
        return Run(name, done.seconds, max(done.memory, *map(peak, workers)), done.printed)


def runs(trials: int) -> list[Run]:
    """Return all runs, the one on one thread first."""
    found: list[Run] = []
    cores = len(os.sched_getaffinity(0))
    found += [on_threads(trials, threads) for threads in sorted({1, cores})]
    needed.package("distributed", "cluster")
    found.append(on_cluster(trials))
    found.append(on_cluster(trials, found[-1].seconds / 2))
    return found


def rows(trials: int = TRIALS) -> list[tuple[str, ...]]:
    """Return a row for each run, texts under HEADINGS."""
    first, *others = runs(trials)
    return [
        (
            run.name,
            f"{run.seconds:,.0f}",
            f"{trials / run.seconds / 1e6:.2f}",
            f"{first.seconds / run.seconds:.2f}",
            f"{run.memory / 1e6:,.0f}",
            "the same" if run.printed == first.printed else "DIFFERENT",
        )
        for run in (first, *others)
    ]


def section(trials: int = TRIALS) -> str:
    """Return the part of docs/speed.md."""
    said = paragraph(
        f"""{trials:,} trials of the shipped design, each run the command itself, its JSON compared byte for byte with
        that of one thread. All workers of the Dask cluster are on this machine: beyond its cores they show no more
        speed, but that nothing is lost: `python -m tests.benchmarks.bench_scale`."""
    )
    return f"{said}\n\n{markdown(HEADINGS, rows(trials))}"


def main() -> int:
    """Print it; return 1 where a byte differs."""
    text = section(int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS)
    print(text)
    return int("DIFFERENT" in text)


if __name__ == "__main__":
    sys.exit(main())
