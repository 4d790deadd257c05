"""What a report says beside its figures: how to repeat the run, what was changed or cut, what was saved otherwise."""

from __future__ import annotations

import platform
from collections.abc import Sequence

import numpy as np

from addin.computing.kernel_engine import Values
from addin.kernel import ExcelError
from addin.kernel.trials.compile import difference
from addin.numerals import numeral
from addin.simulation.chunks import Part
from addin.simulation.risk import Risk
from addin.simulation.trials import Job
from addin.workbook.book import Item, SizingBook
from addin.workbook.digests import digest

CLOSE = 1e-9


def provenance(book: SizingBook, job: Job, trials: int) -> tuple[tuple[str, str], ...]:
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


def repaired(risk: Risk) -> list[str]:
    """Return what was changed to make the correlations possible."""
    repair = risk.coupling.repair if risk.coupling is not None else None
    return [repair.note] if repair is not None else []


def cut(risk: Risk, part: Part) -> list[str]:
    """Return which draws were outside the range of their input."""
    return [
        f"{entry.key}: {numeral(cut)} of {numeral(part.summary.trials)} draws were {word} {numeral(bound, 'g')}, "
        f"the bound of {entry.item.address.a1}, and were set to it."
        for entry, cuts in zip(risk.uncertain, part.cut, strict=True)
        for cut, word, bound in zip(
            cuts.tolist(), ("below", "above"), (entry.spread.low, entry.spread.high), strict=True
        )
        if cut
    ]


def against_the_results(book: SizingBook, items: Sequence[Item], evaluator: Values) -> tuple[list[str], list[str]]:
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
