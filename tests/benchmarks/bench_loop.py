"""The whole simulation loop per trial, in numpy and native, beside the kernel alone: the shipped design.

Run: python -m tests.benchmarks.bench_loop
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from unittest.mock import patch

from addin.kernel.trials.slices import Result
from addin.simulation.chunks import Part, run_chunks
from addin.simulation.montecarlo import simulate
from addin.simulation.runs import FEW, MANY
from addin.simulation.trials import Job
from addin.workbook.book import open_book

BOOK = Path(__file__).resolve().parents[2] / "templates" / "vdi-storage-sizing.xlsx"
TRIALS = 1 << 22
TURNS = 5
HEADINGS = ("loop", "threads", "M trials/s", "ns per trial", "x numpy loop", "x kernel alone, per trial")
Task = Callable[[int, int], Part | None]  # does the chunks from a number to another


class _Found(Exception):
    """Carries the job of a run out of it."""


def job_of(book: Path, trials: int) -> Job:
    """Return the job that a simulation of a workbook would run."""

    def found(job: Job, until: object) -> None:
        raise _Found(job)

    with patch("addin.simulation.montecarlo.Run", found):
        try:
            simulate(open_book(book), trials)
        except _Found as reached:
            job: Job = reached.args[0]
            return job
    raise AssertionError("the simulation ran")


def kernel_alone(job: Job) -> Task:
    """Return what computes the slice only, of one chunk again and again: inputs and results stay in the cache."""
    plan, runner = job.plan, job.model.runner()
    x = job.draw(plan.per_replicate, range(plan.replicates), plan.block, plan.block)[0].reshape(len(job.keys), -1)

    def task(first: int, last: int) -> None:
        into: Result | None = None
        for _ in range(first, last):
            into = runner.run(x, into=into)

    return task


def seconds(task: Task, spans: list[tuple[int, int]], threads: int) -> float:
    """Return what a task takes for all spans, its parts merged: processor time on one thread, by the clock on more."""
    clock = time.process_time if threads == 1 else time.perf_counter
    with ThreadPoolExecutor(threads) as pool:
        begin = clock()
        first, *rest = pool.map(task, *zip(*spans, strict=True))
        for part in rest:
            if first is not None and part is not None:
                first.summary.merge(part.summary)
        return clock() - begin


def rows() -> list[tuple[str, ...]]:
    """Return a row for each loop and number of threads, texts under HEADINGS: the fastest of several turns each.

    The turns of all loops alternate, so that neighbours disturb them alike. On one thread the time is that of the
    processor, on two by the clock. The native loop is left out where llvmlite is missing.
    """
    job = job_of(BOOK, TRIALS)
    tasks: dict[str, tuple[Task, int]] = {
        "kernel alone": (kernel_alone(job), MANY),
        "numpy": (partial(run_chunks, job, native=False), FEW),
    }
    if job.model.runner().native is not None:
        tasks["native"] = partial(run_chunks, job, native=True), MANY
    best: dict[tuple[str, int], float] = {}
    chunks = job.plan.chunks
    for task, size in tasks.values():
        task(chunks - size, chunks)
    for _ in range(TURNS):
        for name, (task, size) in tasks.items():
            spans = [(first, first + size) for first in range(chunks // 2, chunks, size)]  # behind what drivers look at
            for threads in (1, 2):
                spent = seconds(task, spans, threads) / (job.plan.trials / 2)
                best[name, threads] = min(best.get((name, threads), spent), spent)
    return [
        (
            name,
            str(threads),
            f"{1e-6 / spent:.1f}",
            f"{1e9 * spent:.1f}",
            f"{best['numpy', threads] / spent:.1f}",
            f"{spent / best['kernel alone', threads]:.1f}",
        )
        for (name, threads), spent in best.items()
    ]


def main() -> None:
    """Print the table as it stands in docs/speed.md."""
    print(f"| {' | '.join(HEADINGS)} |\n|---|{'---:|' * (len(HEADINGS) - 1)}")
    for row in rows():
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
