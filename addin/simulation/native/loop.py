"""The chunks of a job in native code, into the same Summary as numpy's, byte for byte.

What has no native form goes through numpy: an input that is drawn elsewhere (spreads with logarithms, correlation,
other samplers), or a replicate in which something rare happens.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from addin.kernel.trials.memory import Scratch
from addin.kernel.trials.slices import Slice
from addin.simulation.correlation import Coupling
from addin.simulation.native import chunk
from addin.simulation.native.counting import BLOCK, MOST_TRIALS
from addin.simulation.native.records import FORMS, INPUT, RESULT, WORK
from addin.simulation.quantiles import QuantileTable
from addin.simulation.sampling import TABLE, low_points, offset, scrambling, streams
from addin.simulation.spreads import Ranked, Spread, Triangular, Uniform, Weighted
from addin.simulation.summaries import Layout, Summary, gaps
from addin.simulation.trials import KEPT, KIND, Job

Array = NDArray[Any]
MOST_LISTED = 64  # values of a list that are looked through one by one
_MEMORY = Scratch()
_MAKING = Lock()


@dataclass(frozen=True, eq=False)
class Loop:
    """A job as records, shared by all threads; `kept` are the arrays and the code that the records point into.

    `elsewhere` are the positions of the inputs that `drawn` draws for them, if any; `dimensions` are those of Sobol.
    """

    job: Job
    work: Array
    inputs: Array
    dimensions: tuple[int, ...]
    elsewhere: Array
    drawn: Job | None
    kept: tuple[object, ...]


def loop_of(job: Job) -> Loop | None:
    """Return the native loop of a job, or None where numpy is the way: no llvmlite, or blocks of an unusual size."""
    with _MAKING:
        return _loop(job)


@lru_cache(maxsize=KEPT)
def _loop(job: Job) -> Loop | None:
    compiled, layout, plan = job.model.runner().native, job.layout, job.plan
    if compiled is None or layout is None or plan.block % BLOCK or plan.block > MOST_TRIALS:
        return None
    kept: list[Array] = []
    outside, idle = _elsewhere(job), set(compiled.unreached)
    inputs, dimensions = np.zeros(len(job.keys), INPUT), [0] * len(job.keys)
    for row, (record, spread, key) in enumerate(zip(inputs, job.spreads, job.keys, strict=True)):
        if outside[row]:
            record["form"] = FORMS.index("given")
        elif job.model.inputs[row] in idle and never_cut(spread):
            record["form"] = FORMS.index("skipped")
        else:
            dimensions[row] = job.dimensions.of(key)
            _describe(record, spread, low_points(dimensions[row]), kept)
    rows = np.flatnonzero(outside)
    work = _work(job, layout, compiled, kept)
    return Loop(
        job, work, inputs, tuple(dimensions), rows, _part_of(job, rows) if rows.size else None, (*kept, compiled)
    )


def _work(job: Job, layout: Layout, compiled: Slice, kept: list[Array]) -> Array:
    """Return what every call for a job is told."""
    work, run = np.zeros(1, WORK), compiled.native
    assert run is not None
    replicates, seeds = range(job.plan.replicates), job.seed
    coded = np.flatnonzero(np.array(compiled.program.codes) >= 0).astype(np.int64)
    holding = np.array(job.model.holding, np.int64)
    arrays = {
        "result_records": _results(layout, kept),
        "kinds": np.array([*KIND, 0], np.int64),  # texts have none
        "keys": np.stack([scrambling(streams(seeds, key, replicates, job.sampler)) for key in job.keys]),
        "coded_rows": coded,
        "holding_rows": holding,
        "holding_most": np.array(job.model.most, np.float64),
    }
    kept += arrays.values()
    for name, array in arrays.items():
        work[name] = array.ctypes.data
    work["forget"], work["overflowed"] = run.overflow.addresses
    numbers = {
        "trials": job.plan.block,
        "replicates": job.plan.replicates,
        "inputs": len(job.keys),
        "results": len(layout.outputs),
        "slots": layout.bins + 2,
        "gaps": gaps(layout),
        "coded": len(coded),
        "holding": len(holding),
        "overflow": run.overflow.mask,
        "kernel": run.kernel.address,
    }
    for name, number in numbers.items():
        work[name] = number
    return work


def _elsewhere(job: Job) -> NDArray[np.bool_]:
    """Return which inputs (d,) are drawn by numpy: those without a native form, and all that they correlate with."""
    outside = np.array([job.sampler != "sobol" or not _has_form(spread) for spread in job.spreads])
    if job.coupling is not None:
        partners = job.coupling.factor != 0
        np.fill_diagonal(partners, False)
        outside |= partners.any(axis=1) | partners.any(axis=0)
    return outside


def _has_form(spread: Spread) -> bool:
    quantiles = spread.quantiles
    few = isinstance(quantiles, Weighted) and len(quantiles.values) <= MOST_LISTED
    return few or isinstance(quantiles, QuantileTable | Uniform | Triangular | Ranked)


def _part_of(job: Job, rows: Array) -> Job:
    """Return a job that draws some of the inputs as the whole job draws them."""
    coupled = job.coupling
    if coupled is not None:
        both = np.ix_(rows, rows)
        names = tuple(coupled.names[row] for row in rows)
        coupled = Coupling(names, coupled.ranks[both], coupled.factor[both])
    keys, spreads = (tuple(values[row] for row in rows) for values in (job.keys, job.spreads))
    return replace(job, keys=keys, spreads=spreads, coupling=coupled)


def never_cut(spread: Spread) -> bool:
    """Return whether no Sobol word is drawn beyond the bounds: an input that nothing reads is then left out."""
    quantiles = spread.quantiles
    if not isinstance(quantiles, QuantileTable):
        return False
    least, most = quantiles.ends(2.0**-33)
    slack = 1e-9 * max(abs(least), abs(most))
    low, high = spread.ends
    return low <= least - slack and most + slack <= high


def _describe(record: Any, spread: Spread, points: Array, kept: list[Array]) -> None:
    """Fill the record of an input that is drawn natively."""
    quantiles = spread.quantiles
    record["whole"], (record["low"], record["high"]) = spread.whole_number, spread.ends
    numbers: tuple[float, ...] = ()
    tables: dict[str, Array] = {"points": points}
    match quantiles:
        case QuantileTable():
            form, size, tables["table"] = "table", len(quantiles.cells) // 2, quantiles.cells
        case Uniform():
            form, size = "uniform", 0
            numbers = (quantiles.minimum, quantiles.maximum - quantiles.minimum)
        case Triangular():
            form, size = "triangular", 0
            numbers = (quantiles.minimum, quantiles.maximum, *quantiles.factors)
        case Ranked():
            form, size, tables["table"] = "ranked", len(quantiles.values), quantiles.values
        case Weighted():
            form, size, tables["table"] = "listed", len(quantiles.values), quantiles.values
            tables["edges"] = quantiles.edges
        case _:
            raise AssertionError(f"{spread.kind} has no native form")
    record["form"], record["size"] = FORMS.index(form), size
    for name, number in zip(("first", "second", "third", "fourth", "fifth"), numbers, strict=False):
        record[name] = number
    for name, table in tables.items():
        kept.append(np.ascontiguousarray(table))
        record[name] = kept[-1].ctypes.data


def _results(layout: Layout, kept: list[Array]) -> Array:
    """Return the records of the results (m,)."""
    results = np.zeros(len(layout.outputs), RESULT)
    results["pivot"], results["low"], results["inverse"] = layout.pivot, layout.low, 1.0 / layout.width
    results["whole"] = layout.whole
    for record, listed in zip(results, layout.listed, strict=True):
        kept.append(np.ascontiguousarray(listed))
        record["length"], record["listed"] = len(listed), kept[-1].ctypes.data
    return results


class Chunks:
    """The chunks of one task: what is added to a Summary and to the cuts (d, 2); it belongs to one thread."""

    def __init__(self, loop: Loop, summary: Summary, cuts: NDArray[np.int64]) -> None:
        self._loop, self._summary, self._cuts = loop, summary, cuts
        self._chunk = chunk.compiled()
        self._work, inputs = loop.work.copy(), loop.inputs.copy()
        d, m, n = len(inputs), len(summary.layout.outputs), loop.job.plan.block
        x, r = _MEMORY.take("x", (d, n)), _MEMORY.take("r", (m, n))
        c = _MEMORY.take("c", (len(loop.job.model.outputs), n), np.int32)
        c[:] = 0  # of outputs that have no code
        for name, rows in (("x", x), ("r", r), ("c", c)):
            self._work[f"{name}_row"] = rows.strides[0] // rows.itemsize
        self._arrays = {
            "x": x,
            "r": r,
            "c": c,
            "input_records": inputs,
            "offsets": np.zeros(d, np.uint32),
            "status": np.zeros(1, np.int32),
            "ends": np.empty((m, 2)),
            "strange": np.empty(m, np.int64),
            "counts": summary.counts,
            "words": summary.sums.words,
            "minimum": summary.minimum,
            "maximum": summary.maximum,
            "fractional": summary.fractional,
            "lowest": summary.lowest,
            "highest": summary.highest,
            "errors": summary.errors,
            "first_error": summary.first_error,
            "cuts": cuts,
        }
        for name, array in self._arrays.items():
            self._work[name] = array.ctypes.data

    def add(self, number: int) -> int:
        """Add the chunk of a number; return how many of its replicates went through numpy."""
        loop, work = self._loop, self._work
        plan = loop.job.plan
        start = number * plan.block
        work["start"] = start
        work["point"] = start & (1 << TABLE) - 1
        self._arrays["offsets"][:] = [offset(dimension, start >> TABLE) for dimension in loop.dimensions]
        if loop.drawn is not None:
            x, cuts = loop.drawn.draw(plan.per_replicate, range(plan.replicates), start, plan.block)
            self._arrays["input_records"]["table"][loop.elsewhere] = x.ctypes.data + x.strides[0] * np.arange(len(x))
            self._cuts[loop.elsewhere] += cuts
        self._summary.trials += plan.replicates * plan.block
        work["first"] = left = 0
        while (replicate := self._chunk(work.ctypes.data)) < plan.replicates:
            self._by_numpy(replicate, start)
            work["first"] = replicate + 1
            left += 1
        return left

    def _by_numpy(self, replicate: int, start: int) -> None:
        """Add the trials of one replicate that native code has left; their cuts are counted already."""
        job, count = self._loop.job, self._loop.job.plan.block
        x, _ = job.draw(job.plan.per_replicate, (replicate,), start, count)
        values, kinds = job.model.evaluate(x.reshape(len(x), -1), again=True)
        alone = Summary(replace(self._summary.layout, replicates=1))
        alone.add(values.reshape(len(values), 1, count), start, kinds)
        self._summary.add_replicate(alone, replicate)
