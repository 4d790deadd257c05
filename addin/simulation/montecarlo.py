"""Simulate: draw the uncertain inputs, run the workbook's own formulas on every draw, report what comes out.

    Risk inputs -> pilot run (edges of the bins) -> self-check -> numbered chunks on an executor -> figures, drivers

The result depends on workbook, seed, sampler and trials only: not on the executor nor on the number of workers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor

from addin.computing.kernel_engine import KERNEL
from addin.errors import RequestError
from addin.simulation import remarks, report, sampling
from addin.simulation.preparing import beside, prepared
from addin.simulation.report import Report, Spent
from addin.simulation.risk import read_risk, title
from addin.simulation.runs import Progress, Run, Until
from addin.sizing.refusals import require_answer
from addin.sizing.units import bought
from addin.workbook.book import SizingBook

SEED = 1
OF_DAY_ONE = "Whether the design suffices is said of day one: growth per year changes what is needed later"


def simulate(
    book: SizingBook,
    trials: int | None = None,
    seed: int = SEED,
    sampler: str = "sobol",
    outputs: Sequence[str] = (),
    settings: Iterable[str] = (),
    executor: Executor | None = None,
    workers: int = 1,
    until: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """Simulate the base design of a workbook and return the report.

    `outputs` are keys of results (default: SIMULATE), `settings` are key=value texts for inputs, which are then not
    drawn. Chunks run on `executor`, or on `workers` threads. `until` stops as soon as the precision is reached, or at
    `trials`, by default the number of the book's engine. `progress` is called with trials done and asked
    for; a KeyboardInterrupt there or anywhere in the run gives the report of the chunks so far, marked partial.

    Raises RequestError and BookError for what a user can correct, Disagreement when the self-check fails.
    """
    wanted = Until.read(until) if until else None
    budget = book.engine.budget
    asked = trials if trials is not None else budget.most_trials if wanted else budget.trials
    plan = sampling.plan(asked, where="--trials", chunk=budget.chunk)
    if sampler not in sampling.SAMPLERS:
        raise RequestError(f"--sampler {sampler}: expected one of {', '.join(sampling.SAMPLERS)}. Choose one.")
    if seed < 0:
        raise RequestError(f"--seed {seed}: expected 0 or more. Any whole number does.")
    if workers < 1:
        raise RequestError(f"--workers {workers}: expected at least 1. Leave it out for one per processor.")
    overrides = book.settings(settings)
    risk = read_risk(book, overrides)
    if not risk.uncertain:
        raise RequestError(f"{book.path.name}: no input of {title(book)} has a spread. Give one a distribution there.")
    run_on = prepared(book, risk, overrides, outputs, plan, seed, sampler, workers)
    require_answer(book, run_on.base_values)
    job, notes = run_on.job, list(run_on.notes)
    x, _ = job.draw(plan.per_replicate, range(plan.replicates), 0, plan.block)
    check = job.model.runner().checked(x.reshape(len(x), -1), seed)
    ran = Run(job, wanted)
    if executor is None:
        with ThreadPoolExecutor(workers) as threads:
            ran.through(threads, workers, progress)
    else:
        ran.through(executor, max(workers, 2), progress)
    if ran.part is None:
        raise KeyboardInterrupt
    as_saved = book.values() if overrides else run_on.base_values
    warnings, more = remarks.against_the_results(book, run_on.items, as_saved)
    notes += [f"{OF_DAY_ONE}."] * risk.yearly
    notes += [*risk.notes, *more, *ran.notes, *remarks.cut(risk, ran.part)]
    labels = {entry.key: entry.item.short for entry in risk.uncertain}
    try:
        if ran.partial and book.engine != KERNEL:
            raise KeyboardInterrupt  # the drivers take another engine as long as the trials
        drivers, rank_trials = report.drivers(job, run_on.items, labels, ran.part, workers)
    except KeyboardInterrupt:
        drivers, rank_trials = (), 0
        notes.append("Interrupted before the drivers: what drives the results is left out.")
    summary = ran.part.summary
    return Report(
        book=book.path.name,
        spent=Spent(plan.asked, summary.trials, plan.replicates, ran.partial),
        results=report.result_figures(job, run_on.items, run_on.base, summary),
        holds=report.holds(summary),
        arrays=job.model.most[0] if job.model.most else 1.0,
        counted=bought(book, run_on.base_values),
        beside=beside(book, run_on.base_values),
        drivers=drivers,
        correlated=risk.coupling is not None,
        rank_trials=rank_trials,
        checked=check.trials,
        largest_difference=check.largest,
        provenance=remarks.provenance(book, job, summary.trials),
        warnings=(*remarks.repaired(risk), *warnings, *check.warnings),
        notes=tuple(notes),
        of_day_one=risk.yearly,
    )
