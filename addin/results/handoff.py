"""Hand-off: a folder of files to read, sign and check without this program, macros or a network.

design.html    the document an architect signs: one file, nothing to load, no script
design.pdf     the same, printed by an installed browser
values.xlsx    the workbook with values in place of formulas: opens anywhere, cannot recalculate
formulas.txt   every cell with its formula and value, one a line: two hand-offs can be compared as text
design-live.html   on request: the workbook's own formulas in one page that recalculates offline
NAME slides.pptx   on request: five slides with native charts
files.sha256   the digests of these files: no other file is ever deleted

Without prices, no file has a price or a figure derived from one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from addin import live
from addin.computing.kernel_engine import Once
from addin.errors import BookError, RequestError
from addin.kernel import Address, Evaluator, KernelError, Scalar
from addin.leaving.marks import known
from addin.leaving.parts import left_out
from addin.leaving.plain import cleaned, plain
from addin.live import texts as live_texts
from addin.prices import Priceless, is_money, name_may_say_a_price, without_prices
from addin.results import folders
from addin.results.document import page as document
from addin.results.document import pdf, theme
from addin.results.document.reading import Reading
from addin.results.slides import presentation
from addin.simulation.runs import Progress
from addin.sizing.sentence import no_answer
from addin.sizing.whatif import require_an_array
from addin.workbook import outside
from addin.workbook.book import SizingBook
from addin.workbook.overlay import overlaid, values_only
from addin.xlsx.cell_values import plain_value
from addin.xlsx.in_memory import saved
from model.twin import text_twin

DOCUMENT, PRINTED, VALUES, FORMULAS = "design.html", "design.pdf", "values.xlsx", "formulas.txt"
LIVE = "design-live.html"
FILES = (DOCUMENT, PRINTED, VALUES, FORMULAS, LIVE)
SLIDES = "{} slides.pptx"  # of the workbook's name: slides are passed on alone
NEUTRAL = "VDI storage sizing"  # what a workbook is called whose file name says an amount
_RENAMED = "Left out, the name of the file, which may say an amount: the workbook is called {} here."
OLDER = ("summary.md",)  # older versions wrote it in place of the document


@dataclass(frozen=True)
class Wanted:
    """The options of a hand-off: role (chapters), prices, theme, live page and its texts, cells to keep, slides."""

    role: str = document.HANDOFF
    prices: bool = False
    theme: Path | None = None
    live: bool = False
    keep: tuple[str, ...] = ()
    slides: bool = False
    texts: Path | None = None


@dataclass(frozen=True)
class Written:
    """The folder of a hand-off, and notes on it."""

    folder: Path
    note: str = ""


def write(
    book: SizingBook, progress: Progress | None = None, settings: Sequence[str] = (), wanted: Wanted | None = None
) -> Written:
    """Write the folder beside the workbook, or into the user's documents for one that was never saved; return it.

    `settings` change inputs in the files, which then say so; the workbook is not changed. An older hand-off of the
    same workbook is replaced as a whole. Raises RequestError for a folder with files that this program did not write
    or that were changed since, for one that cannot be written, for an unknown role, an unusable theme or translation,
    or slides without their extra; and the errors of the kernel.
    """
    wanted = wanted or Wanted()
    document.check_role(wanted.role)
    if wanted.keep and wanted.prices:
        raise RequestError("--keep: includes a cell in files without prices; with prices every cell is. Leave it out.")
    looks = theme.theme_for(book.path, wanted.theme)
    texts = live_texts.read(wanted.texts) if wanted.texts else None
    if wanted.slides:
        presentation.check(looks)
    target, report_progress = folder(book), progress or (lambda done, total: None)
    changed = replace(book, cells=book.cells.with_values(book.settings(settings))) if settings else book
    require_an_array(changed, {}, no_answer)  # errors are in the document, by name
    leaving = Priceless(changed, frozenset(), ()) if wanted.prices else without_prices(changed, wanted.keep)
    evaluator = Evaluator(leaving.book.cells)
    _check_read(changed, leaving, evaluator)
    leaving = replace(leaving, book=replace(leaving.book, engine=Once(evaluator=evaluator)))
    parts = "" if wanted.prices else left_out(book.path)
    named = changed if wanted.prices else _named(changed, name_may_say_a_price(book) or name_may_say_a_price(changed))
    renamed = (_RENAMED.format(named.path.name),) if named.path != book.path else ()
    left = (*leaving.remarks, *([f"Left out, parts of the file: {parts}."] if parts else ()), *renamed)
    words = _in_words(changed, leaving, settings, wanted.prices)
    folders.check_place(target)
    try:
        text = document.page(leaving.book, named, wanted.role, wanted.prices, looks, words, left)
        told = presentation.presented(leaving.book, named, wanted.prices, looks, words) if wanted.slides else None
    except KeyError as missing:
        raise BookError(
            f"{book.path.name}: has no {missing}, which the document shows: it was renamed or deleted, or the workbook "
            "is of another version. Undo the change, or enter your inputs in a fresh copy."
        ) from None
    report_progress(1, 4)
    notes = [*outside.of(changed)]

    def fill(made: Path) -> None:
        (made / DOCUMENT).write_text(text, encoding="utf-8", newline="\n")
        notes.append(pdf.print_page(made / DOCUMENT, made / PRINTED, partial(report_progress, 1, 4)))
        report_progress(2, 4)
        cells = leaving.book.cells
        formulas = tuple(cells.formulas())
        values = _computed(evaluator, leaving.book, formulas, notes)
        workbook = overlaid(replace(leaving.book, cells=replace(cells, values=leaving.shown(cells.values))))
        workbook = workbook if wanted.prices else plain(workbook, known())
        shown = {(a.sheet, a.a1.rpartition("!")[2]): plain_value(v) for a, v in values.items()}
        (made / FORMULAS).write_text(text_twin(workbook, shown), encoding="utf-8")
        report_progress(3, 4)
        valued = values_only(workbook, leaving.shown({**cells.values, **values}))
        (made / VALUES).write_bytes(saved(cleaned(valued)))
        if told is not None:
            (made / SLIDES.format(named.path.stem)).write_bytes(told)
            notes.append(presentation.note(looks))
        if wanted.live:
            styled = leaving.book.with_styles(valued)
            name = named.path.name
            page = live.page(changed, prices=wanted.prices, original=book, priceless=styled, texts=texts, name=name)
            (made / LIVE).write_bytes(page)
        report_progress(4, 4)

    slides = (SLIDES.format(book.path.stem), SLIDES.format(NEUTRAL))
    folders.replace(target, (*FILES, *slides, *OLDER), fill)
    if leaving.unknown:
        few = f"{len(leaving.unknown)} cell{'s' * (len(leaving.unknown) > 1)}"
        notes.append(f"Left out, as no release has their content: {few}, listed in the last chapter of {DOCUMENT}.")
    if leaving.moved:
        notes.append(f"Not as in the workbook without them: {', '.join(leaving.moved)}. Keep them with --keep CELL.")
    if renamed:
        notes.append(f"{renamed[0]} The folder is named after the file: rename it before you pass it on.")
    return Written(target, " ".join(filter(None, notes)))


def _check_read(book: SizingBook, leaving: Priceless, values: Evaluator) -> None:
    """Raise RequestError for an input that reads a price, where the design has no answer once it is left out."""
    gone = {item.address for item in book.inputs.values() if item.address in leaving.unknown}
    reads = next((at for at in sorted(gone) if book.cells.formula(at)), None)
    if reads and no_answer(leaving.book, values) and not no_answer(book, book.values()):
        raise RequestError(
            f"{book.path.name}: {reads.a1} reads a price, and without it the design has no answer. Replace the formula "
            "by its value, or use --with-prices."
        )


def _named(book: SizingBook, neutrally: bool) -> SizingBook:
    """Return a workbook under a neutral name if wanted, with what its file says read before."""
    if not neutrally:
        return book
    made = replace(book, path=book.path.with_name(f"{NEUTRAL}{book.path.suffix}"))
    read = {"inputs": book.inputs, "own_cells": book.own_cells, "workbook": book.workbook}
    made.__dict__.update(read)  # where properties keep them
    return made


def _computed(
    evaluator: Evaluator, book: SizingBook, formulas: tuple[Address, ...], notes: list[str]
) -> dict[Address, Scalar]:
    """Return the value of every formula cell; of one that no result reads and the kernel refuses, the stored result."""
    try:
        evaluator.compute(formulas)
        return {at: evaluator.value(at) for at in formulas}
    except KernelError:
        values: dict[Address, Scalar] = {}
    refused = []
    for at in formulas:
        try:
            values[at] = evaluator.value(at)
        except KernelError:
            refused.append(at)
    stored = book.stored.values(refused)
    values |= {at: stored.get(at) for at in refused}
    more = f" and {len(refused) - 1} more" if len(refused) > 1 else ""
    notes.append(f"Not computed here, and read by no result: {refused[0].a1}{more}; {VALUES} has what the file stores.")
    return values


def folder(book: SizingBook) -> Path:
    """Return the folder for the hand-off of a workbook."""
    return folders.beside(book.path) / f"{book.path.stem} hand-off"


def _in_words(book: SizingBook, leaving: Priceless, settings: Sequence[str], prices: bool) -> str:
    """Return the inputs that settings change, with label and value; those about money only with prices."""
    keys = [book.entry(pair[0]).key for setting in settings if (pair := book.pair(setting)) is not None]
    reading = Reading(leaving.book, prices)
    return "; ".join(reading.changed(leaving.renamed.key(key)) for key in keys if prices or not is_money(key))
