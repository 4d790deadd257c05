"""Simulate: draw the uncertain inputs, run the workbook's own formulas on every draw, report what comes out.

    Risk inputs -> pilot run (edges of the bins) -> self-check -> numbered chunks on an executor -> figures, drivers

The result depends on workbook, seed, sampler and trials only: not on the executor nor on the number of workers.
"""

from __future__ import annotations

import hashlib
import math
import platform
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from addin.computing.kernel_engine import KERNEL, Values
from addin.errors import RequestError
from addin.kernel import Address, ExcelError, Scalar
from addin.kernel.trials.compile import difference
from addin.numerals import numeral
from addin.simulation import report, sampling
from addin.simulation.chunks import Part
from addin.simulation.report import Report, Spent
from addin.simulation.risk import SHEET, Risk, read_risk
from addin.simulation.runs import Progress, Run, Until
from addin.simulation.summaries import layout
from addin.simulation.trials import HOLDS, Job, Model
from addin.sizing.result_keys import ASSUMED, SIMULATE
from addin.sizing.sentence import no_answer
from addin.sizing.units import bought
from addin.workbook.book import Item, SizingBook
from addin.workbook.digests import digest

CLOSE = 1e-9
SEED = 1
MUST_BE_ZERO = ("unchecked_count", "local_disk_short")


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
        raise RequestError(f"{book.path.name}: no input of {SHEET} has a spread. Give one a distribution there.")
    prepared = _prepare(book, risk, overrides, _wanted(book, outputs), plan, seed, sampler, workers)
    job, notes = prepared.job, list(prepared.notes)
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
    as_saved = book.values() if overrides else prepared.base_values
    warnings, more = _against_the_results(book, prepared.items, as_saved)
    notes += [*risk.notes, *more, *ran.notes, *_cut(risk, ran.part, plan)]
    labels = {entry.key: entry.item.short for entry in risk.uncertain}
    try:
        if ran.partial and book.engine != KERNEL:
            raise KeyboardInterrupt  # the drivers take another engine as long as the trials
        drivers, rank_trials = report.drivers(job, prepared.items, labels, ran.part, workers)
    except KeyboardInterrupt:
        drivers, rank_trials = (), 0
        notes.append("Interrupted before the drivers: what drives the results is left out.")
    summary = ran.part.summary
    return Report(
        book=book.path.name,
        spent=Spent(plan.asked, summary.trials, plan.replicates, ran.partial),
        results=report.result_figures(job, prepared.items, prepared.base, summary),
        holds=report.holds(summary),
        arrays=job.model.arrays,
        counted=bought(book, prepared.base_values),
        drivers=drivers,
        correlated=risk.coupling is not None,
        rank_trials=rank_trials,
        checked=check.trials,
        largest_difference=check.largest,
        provenance=_provenance(book, job, summary.trials),
        warnings=(*_repaired(risk), *warnings, *check.warnings),
        notes=tuple(notes),
    )


def _provenance(book: SizingBook, job: Job, trials: int) -> tuple[tuple[str, str], ...]:
    """Return what makes the run repeatable."""
    plan = job.plan
    return (
        ("seed", str(job.seed)),
        ("sampler", job.sampler),
        ("trials", f"{numeral(trials)} = {plan.replicates} x {numeral(trials // plan.replicates)}"),
        ("formulas", digest(book.cells)),
        ("workbook", book.version),
        *job.model.runner().described,
        ("numpy", np.__version__),
        ("python", platform.python_version()),
    )


@dataclass(frozen=True)
class _Prepared:
    job: Job
    items: tuple[Item, ...]
    base: dict[str, Scalar]
    base_values: Values
    notes: tuple[str, ...]


def _wanted(book: SizingBook, outputs: Sequence[str]) -> tuple[Item, ...]:
    """Return the results asked for, each once."""
    if not outputs:
        return tuple(book.results[key] for key in SIMULATE if key in book.results)
    return tuple({(item := book.find(book.results, key, "result")).key: item for key in outputs}.values())


def _in_numbers(book: SizingBook, items: Sequence[Item], typical: Values) -> tuple[tuple[Item, ...], list[str]]:
    """Return the results that are numbers when every input is at its median, and a note for each of the others.

    A demand or minutes below 0 are a word that the number format shows, such as none: no figure can be made of it.
    """
    texts: dict[str, list[str]] = {}
    notes, kept = [], []
    for item in items:
        value = typical.value(item.address)
        if isinstance(value, str):
            texts.setdefault(value, []).append(item.key)
        elif item.unit in ("IOPS", "min") and isinstance(value, float) and value < 0:
            notes.append(f"{item.label} is no number in this design ({item.address.a1} shows a word): left out.")
        else:
            kept.append(item)
    for text, (*keys, last) in texts.items():
        said = f"{', '.join(keys)} and {last} are" if keys else f"{last} is"
        notes.append(f"{said} the text {text!r}, not a number: left out.")
    if not kept:
        raise RequestError(f"{book.path.name}: {' '.join(notes)} Ask for a result in numbers.")
    return tuple(kept), notes


def _design(book: SizingBook, base: Values) -> tuple[tuple[Item, ...], float]:
    """Return the results that say whether the base design holds, and its number of arrays; nothing where unknown."""
    used = book.results.get("arrays_used") or book.results.get("arrays_required")
    zeros = [book.results[key] for key in MUST_BE_ZERO if key in book.results]
    arrays = base.value(used.address) if used else None
    if not zeros or not isinstance(arrays, float):
        return (), 1.0
    return (book.results["arrays_required"], *zeros), arrays


def _prepare(
    book: SizingBook, risk: Risk, overrides: dict[Address, Scalar], items: Sequence[Item], plan: sampling.Plan,
    seed: int, sampler: str, workers: int
) -> _Prepared:  # fmt: skip
    """Compile the slice, make the pilot run, lay out the bins."""
    base = book.values(overrides)
    if refusal := no_answer(book, base):
        raise RequestError(f"{book.path.name}: the base design has no answer: {refusal}. Then run this again.")
    fixed = {**risk.fixed, **overrides}
    medians = {entry.item.address: entry.spread.median for entry in risk.uncertain}
    shown, dropped = _in_numbers(book, items, book.values({**fixed, **medians}))
    holding, arrays = _design(book, base)
    rows = tuple(dict.fromkeys((*shown, *holding)))
    model = _model(book, risk, fixed, rows, tuple(rows.index(item) for item in holding), arrays)
    spreads = tuple(entry.spread for entry in risk.uncertain)
    job = Job(model, risk.keys, spreads, risk.coupling, risk.dimensions, plan, seed, sampler)
    pilot = book.engine.budget.pilot
    x, _ = job.draw(pilot, (plan.replicates,), 0, pilot)  # a replicate of its own
    values, _ = model.evaluate(x.reshape(len(x), -1), workers)
    names = [item.key for item in rows] + ([HOLDS] if holding else [])
    job = replace(job, layout=layout(names, values, plan.replicates))
    notes = [*book.notes, *([plan.note] if plan.note else [])]
    notes += [
        f"{item.label} is {numeral(value, 'g')} for the base design ({item.address.a1}): "
        "a design holds only where it is 0."
        for item in holding[1:]
        if isinstance(value := base.value(item.address), float) and value != 0
    ]
    if ASSUMED in book.results and (assumed := base.value(book.results[ASSUMED].address)):
        notes.append(f"Held as {assumed}. Type your own figures, or give them a range.")
    idle = set(model.runner().unreached)
    unused = [entry.key for entry in risk.uncertain if entry.item.address in idle]
    if unused:
        notes.append(f"No result of this design depends on {', '.join(unused)}.")
    return _Prepared(job, shown, {item.key: base.value(item.address) for item in shown}, base, (*notes, *dropped))


def _model(
    book: SizingBook, risk: Risk, fixed: dict[Address, Scalar], rows: tuple[Item, ...], holding: tuple[int, ...],
    arrays: float
) -> Model:  # fmt: skip
    cells = book.cells
    inputs = tuple(entry.item.address for entry in risk.uncertain)
    outputs = tuple(item.address for item in rows)
    limits = {
        entry.item.address: (entry.spread.low, entry.spread.high)
        for entry in risk.uncertain
        if math.isfinite(entry.spread.low) and math.isfinite(entry.spread.high)
    }
    asked = (inputs, outputs, sorted(fixed.items(), key=repr), limits, holding, arrays)
    token = hashlib.sha256(repr((book.engine, cells.content, asked)).encode()).hexdigest()
    return Model(
        token, dict(cells.values), dict(cells.names), cells.sheets, cells.texts, inputs, outputs, fixed,
        limits, holding, arrays, book.engine
    )  # fmt: skip


def _repaired(risk: Risk) -> list[str]:
    """Say what was changed to make the correlations possible."""
    repair = risk.coupling.repair if risk.coupling is not None else None
    return [repair.note] if repair is not None else []


def _cut(risk: Risk, part: Part, plan: sampling.Plan) -> list[str]:
    """Say which draws were outside the range of their input."""
    return [
        f"{entry.key}: {numeral(cut)} of {numeral(part.summary.trials)} draws were {word} {numeral(bound, 'g')}, "
        f"the bound of {entry.item.address.a1}, and were set to it."
        for entry, cuts in zip(risk.uncertain, part.cut, strict=True)
        for cut, word, bound in zip(
            cuts.tolist(), ("below", "above"), (entry.spread.low, entry.spread.high), strict=True
        )
        if cut
    ]


def _against_the_results(book: SizingBook, items: Sequence[Item], evaluator: Values) -> tuple[list[str], list[str]]:
    """Compare the results of the workbook as it stands with those beside its formulas; return warnings and notes."""
    master = book.address(book.cells.names["Chk_Master"], "Chk_Master")
    stored = book.stored.values([*(item.address for item in items), master])
    if not stored:
        return [], [f"{book.path.name} holds no calculated values to compare with: it was saved by a program."]
    wrong = []
    for item in items:
        if item.address in stored:
            computed = evaluator.value(item.address)
            kept = stored[item.address]
            if difference(float(computed) if isinstance(computed, bool) else computed, kept) > CLOSE:
                shown = computed.value if isinstance(computed, ExcelError) else computed
                wrong.append(f"{item.address.a1} {shown} against {kept}")
    warnings = []
    if failing := stored.get(master):
        count = numeral(failing, "g") if isinstance(failing, float) else failing
        warnings.append(f"Checks of the workbook fail: {master.a1} counts {count}. See its Checks sheet.")
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        warnings.append(
            f"The workbook's results ({book.stored.where}) differ from its formulas: {'; '.join(wrong[:3])}{more}. "
            "Recalculate it."
        )
    return warnings, []
