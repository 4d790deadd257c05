"""What a simulation runs on: the results that are numbers, the compiled slice, the bins that a pilot run fixes."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from addin.computing.kernel_engine import Values
from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.numerals import numeral
from addin.simulation.risk import Risk
from addin.simulation.sampling import Plan
from addin.simulation.summaries import layout
from addin.simulation.trials import HOLDS, Job, Model
from addin.sizing.refusals import refused
from addin.sizing.result_keys import ASSUMED, SIMULATE
from addin.sizing.sentence import no_answer
from addin.workbook.book import Item, SizingBook

MUST_BE_ZERO = ("unchecked_count", "local_disk_short", "share_too_many")
CONTAINERS = "container_arrays"
USED, INSTALLED = "arrays_used", "arrays_installed"
PROVISIONED = (CONTAINERS, "tiers_too_small")  # beside the arrays: those for containers, the size of the disks
DISKS = "disk_told"
GROWN = "share_total_gib"  # a cloud share grows by a setting
LAST_BITS = 1e-9  # of what is provisioned: the kernel's vectors may round its last bit otherwise


@dataclass(frozen=True)
class Prepared:
    """A job, the results it reports, the base design without spread, and what a reader has to know."""

    job: Job
    items: tuple[Item, ...]
    base: dict[str, Scalar]
    base_values: Values
    notes: tuple[str, ...]


def prepared(
    book: SizingBook, risk: Risk, overrides: dict[Address, Scalar], outputs: Sequence[str], plan: Plan,
    seed: int, sampler: str, workers: int
) -> Prepared:  # fmt: skip
    """Compile the slice, make the pilot run, lay out the bins; `outputs` are keys of results (default: SIMULATE)."""
    base = book.values(overrides)
    items = _wanted(book, outputs)
    grown = book.results.get(GROWN)
    on_share = grown is not None and base.value(grown.address) != 0
    if not on_share and not outputs:
        items = tuple(item for item in items if item.key != GROWN)
    if why := no_answer(book, base):
        raise refused(book, why)
    fixed = {**risk.fixed, **overrides}
    medians = {entry.item.address: entry.spread.median for entry in risk.uncertain}
    shown, dropped = _in_numbers(book, items, book.values({**fixed, **medians}))
    unchecked = _unchecked(book, base)
    holding, most = ((), ()) if unchecked else _design(book, base)
    rows = tuple(dict.fromkeys((*shown, *holding)))
    model = _model(book, risk, fixed, rows, tuple(rows.index(item) for item in holding), most)
    spreads = tuple(entry.spread for entry in risk.uncertain)
    job = Job(model, risk.keys, spreads, risk.coupling, risk.dimensions, plan, seed, sampler)
    pilot = book.engine.budget.pilot
    x, _ = job.draw(pilot, (plan.replicates,), 0, pilot)  # a replicate of its own
    values, _ = model.evaluate(x.reshape(len(x), -1), workers)
    names = [item.key for item in rows] + ([HOLDS] if holding else [])
    job = replace(job, layout=layout(names, values, plan.replicates))
    notes = [*book.notes, *([plan.note] if plan.note else []), *unchecked]
    notes += [
        f"{item.label} is {numeral(value, 'g')} for the base design ({item.address.a1}): "
        "a design suffices only where it is 0."
        for item in holding
        if item.key in MUST_BE_ZERO and isinstance(value := base.value(item.address), float) and value != 0
    ]
    notes += _of_own_arrays(book, overrides, base, shown)
    if holding and on_share:
        notes.append(f"{GROWN}: a cloud share grows by a setting, and so takes no part in whether the design holds.")
    notes += _of_one_size(base, book)
    if ASSUMED in book.results and (assumed := base.value(book.results[ASSUMED].address)):
        notes.append(f"Held as {assumed}. Type your own figures, or give them a range.")
    idle = set(model.runner().unreached)
    unused = [entry.key for entry in risk.uncertain if entry.item.address in idle]
    if unused:
        notes.append(f"No result of this design depends on {', '.join(unused)}.")
    return Prepared(job, shown, {item.key: base.value(item.address) for item in shown}, base, (*notes, *dropped))


def _unchecked(book: SizingBook, base: Values) -> list[str]:
    """Return a sentence where constraints of the base design are not checked: no chance says whether it holds."""
    item = book.results.get(MUST_BE_ZERO[0])
    value = base.value(item.address) if item else 0.0
    if item is None or not isinstance(value, float) or value == 0:
        return []
    told = f"{item.label} is {numeral(value, 'g')} for the base design ({item.address.a1})"
    return [f"Whether the base design suffices is not known: {told[:1].lower()}{told[1:]}. Enter the missing figures."]


def _of_one_size(base: Values, book: SizingBook) -> Iterator[str]:
    """Yield a sentence where managed disks have a price: it is that of the size of the base design in every trial."""
    month, size = book.results.get("disk_month"), book.results.get("tier_name")
    if month is not None and size is not None and base.value(month.address) not in (0, "none"):
        yield (
            f"Costs are those of {base.value(size.address)} disks in every trial: of the larger size that some trials "
            "need, no price is typed."
        )


def _of_own_arrays(
    book: SizingBook, overrides: dict[Address, Scalar], base: Values, shown: Sequence[Item]
) -> list[str]:
    """Return a sentence on the results that would differ with another number of arrays: a trial has those it needs."""
    installed, used = book.inputs.get(INSTALLED), book.results.get(USED)
    arrays = base.value(used.address) if used else None
    if installed is None or not isinstance(arrays, float):
        return []
    if book.held(installed) is not None or installed.address in overrides:
        return []
    more = book.values({**overrides, installed.address: arrays + 1})
    money = book.results["cost_total"].unit if "cost_total" in book.results else ""  # of the arrays that suffice
    physical = (item for item in shown if item.key != USED and item.unit.partition("/")[0] not in (money, "flag"))
    moved = [item.short for item in physical if more.value(item.address) != base.value(item.address)]
    if not moved:
        return []
    told = f"{', '.join(moved)}: each trial has the arrays that it needs, not the {arrays:,.0f} of the design"
    return [f"{told}. Enter {INSTALLED} to keep those."]


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


def _design(book: SizingBook, base: Values) -> tuple[tuple[Item, ...], tuple[float, ...]]:
    """Return the results that say whether the base design holds, and the most of each; nothing where unknown."""
    used = book.results.get(USED) or book.results.get("arrays_required")
    zeros = [book.results[key] for key in MUST_BE_ZERO if key in book.results]
    arrays = base.value(used.address) if used else None
    if not zeros or not isinstance(arrays, float):
        return (), ()
    found = {book.results["arrays_required"]: arrays, **dict.fromkeys(zeros, 0.0)}
    for key in PROVISIONED if beside(book, base) else ():  # else a long simulation would compute them for nothing
        item = book.results.get(key)
        if item is not None and isinstance(value := base.value(item.address), float):
            found[item] = value * (1 + LAST_BITS)
    return tuple(found), tuple(found.values())


def beside(book: SizingBook, base: Values) -> tuple[str, ...]:
    """Return the arrays for containers and the machines' disks of the base design, in words; nothing without any."""
    arrays = base.value(book.results[CONTAINERS].address) if CONTAINERS in book.results else 0.0
    text = str(base.value(book.results[DISKS].address)) if DISKS in book.results else ""
    containers = (f"{arrays:.0f} for containers",) if isinstance(arrays, float) and arrays > 0 else ()
    return (*containers, *((text.partition(", limited")[0],) if text[:1].isdigit() else ()))


def _model(
    book: SizingBook, risk: Risk, fixed: dict[Address, Scalar], rows: tuple[Item, ...], holding: tuple[int, ...],
    most: tuple[float, ...]
) -> Model:  # fmt: skip
    cells = book.cells
    inputs = tuple(entry.item.address for entry in risk.uncertain)
    outputs = tuple(item.address for item in rows)
    limits = {
        entry.item.address: (entry.spread.low, entry.spread.high)
        for entry in risk.uncertain
        if math.isfinite(entry.spread.low) and math.isfinite(entry.spread.high)
    }
    asked = (inputs, outputs, sorted(fixed.items(), key=repr), limits, holding, most)
    token = hashlib.sha256(repr((book.engine, cells.content, asked)).encode()).hexdigest()
    return Model(
        token, dict(cells.values), dict(cells.names), cells.sheets, cells.texts, inputs, outputs, fixed,
        limits, holding, most, book.engine
    )  # fmt: skip
