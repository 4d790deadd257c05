"""The chunks of a simulation: draws, kernel, counts. What runs on a thread, a process or a node.

numpy is the reference. Where the kernel is native and trials are many the loop around it is native too, several times
as fast and with the same bytes (native/loop.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from addin.simulation.sensitivity import FIRST_TRIALS
from addin.simulation.summaries import Summary
from addin.simulation.trials import Floats, Job

if TYPE_CHECKING:  # a run of few trials does not wait for what writes native code
    from addin.simulation.native.loop import Chunks

GROUP = 4  # chunks computed at once where nobody keeps their trials: calls of numpy take as long for few as for many
WORTH = 1 << 21  # trials of a run: fewer save less time in the native loop than it takes to compile


@dataclass(frozen=True, eq=False)
class Part:
    """What some chunks in a row gave; `kept` are inputs and outputs of the trials that rank correlation looks at."""

    summary: Summary
    cut: NDArray[np.int64]
    kept: tuple[tuple[Floats, Floats], ...]


def is_native(job: Job) -> bool:
    """Return whether the native loop can do a job whose trials repay its compilation."""
    return job.plan.trials >= WORTH and job.model.runner().native is not None


def _native(job: Job, summary: Summary, cut: NDArray[np.int64]) -> Chunks | None:
    from addin.simulation.native.loop import Chunks, loop_of

    loop = loop_of(job)
    return Chunks(loop, summary, cut) if loop is not None else None


def run_chunks(job: Job, first: int, last: int, native: bool | None = None) -> Part:
    """Run the chunks `first` to `last`, the last one left out.

    `native` says whether natively where that is possible; by default where the run has trials enough.
    """
    assert job.layout is not None
    plan = job.plan
    summary, cut, kept = Summary(job.layout), np.zeros((len(job.keys), 2), dtype=np.int64), []
    natively = _native(job, summary, cut) if (is_native(job) if native is None else native) else None
    number = first
    while number < last:
        start = number * plan.block
        looked_at = start * plan.replicates < FIRST_TRIALS
        if natively is not None and not looked_at:
            left = natively.add(number)
            natively = natively if left <= plan.replicates // 2 else None  # numpy takes many at once faster than one
            number += 1
            continue
        chunks = 1 if looked_at else min(GROUP, last - number)
        count = chunks * plan.block
        x, cuts = job.draw(plan.per_replicate, range(plan.replicates), start, count)
        flat = x.reshape(len(x), -1)
        values, kinds = job.model.evaluate(flat, again=True)
        summary.add(values.reshape(len(values), plan.replicates, count), start, kinds, plan.block)
        cut += cuts
        if looked_at:
            kept.append((flat, values.copy()))
        number += chunks
    return Part(summary, cut, tuple(kept))
