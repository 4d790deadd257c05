"""What each button does, written once against xlwings' public API: an open workbook in, a result sheet in it.

A command has the name of its row in buttons.py. It reads the workbook in blocks, computes with the kernel and puts in
its own sheet, whole; it never writes an input. Without parameters it works from where the user is: the selected input,
the selected cell. Errors are ReportedError, one message each; then the workbook is as it was.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import xlwings as xw

from addin import excel
from addin.audit import audit_saved, rules
from addin.diff import compared, since_build
from addin.diff.bridge import bridge, wanted
from addin.errors import AddinError, BookError, RequestError
from addin.kernel import Address, Evaluator
from addin.leaving import tabs
from addin.leaving.marks import as_shipped
from addin.numerals import english, in_english, numeral
from addin.results import (
    applying,
    assumed_sheet,
    decision_sheet,
    diff_sheet,
    driver_sheets,
    kept,
    list_sheets,
    measurement,
    risk_sheet,
    table_sheets,
)
from addin.results.page import Page
from addin.simulation import montecarlo, risk
from addin.simulation.assumed import table as assumed_table
from addin.simulation.decide import decide as decided
from addin.simulation.runs import Progress
from addin.simulation.stakes import stakes, typed_stakes
from addin.simulation.swings import drivers_and_swings
from addin.sizing import answers, selected, whatif
from addin.sizing.scenarios import designs, grid, names
from addin.sizing.seek import seek as seek_value
from addin.workbook import insertion, live, outside, reads
from addin.workbook.book import SizingBook, open_book
from addin.workbook.overlay import overlaid
from addin.workbook.run_settings import SEED, STAKES, TARGET, TRIALS, run_settings
from addin.workbook.run_settings import reads as reads_of_settings
from addin.workbook.stored import stored_otherwise
from addin.workbook.values_only import check_moves

T = TypeVar("T")
ANSWER = "arrays_required"


class Runner(Protocol):
    """What runs a computation: at once, or beside a status bar that shows its progress and can stop it."""

    def __call__(self, compute: Callable[[Progress], T]) -> T:
        """Return what `compute` returns; it is given what to call with the work done and the whole."""

    selected: Address | None
    """The cell that was selected when a button was pressed; None where it is not known, or nobody pressed any."""

    def pause(self) -> None:
        """Raise where somebody asked to stop; called between the blocks of a workbook that is being read."""

    def shows(self) -> bool:
        """Say whether the result is to come to the front: true if the user has done nothing else since the request."""


@dataclass(frozen=True)
class CommandResult:
    """What a command leaves behind: a sentence that says where, the number of findings of an audit or a diff."""

    text: str
    findings: int = 0


class _DirectRunner:
    """Runs a computation here and now, its progress unseen."""

    selected: Address | None = None

    def __call__(self, compute: Callable[[Progress], T]) -> T:
        return compute(_unseen)

    def pause(self) -> None:
        """Go on: nobody can ask to stop."""

    def shows(self) -> bool:
        """Leave the workbook as it is shown."""
        return False


direct = _DirectRunner()


def scenarios(book: xw.Book, vary: str | None = None, *, runner: Runner = direct) -> CommandResult:
    """Size every design in the columns of the workbook, and a grid over `vary` or the selected input."""
    sizing = _opened(book, runner, table_sheets.SCENARIOS, table_sheets.SCENARIOS_HEADING)
    item = selected.varied(book, sizing, vary, runner.selected)

    def compute(progress: Progress) -> Page:
        sized = designs(sizing)
        progress(1, 2)
        return table_sheets.scenarios(sizing, sized, grid(sizing, item), item)

    read = reads.joined(reads.typed(sizing), reads.designs(sizing, names(sizing)))
    where = _put_in(book, runner(compute), table_sheets.SCENARIOS_HEADING, sizing, read, runner)
    return CommandResult(f"Scenarios over {item.key}: {where}")


def simulate(
    book: xw.Book,
    trials: int | None = None,
    seed: int | None = None,
    sampler: str = "sobol",
    results: Sequence[str] = (),
    settings: Sequence[str] = (),
    until: str | None = None,
    *,
    runner: Runner = direct,
) -> CommandResult:
    """Draw the uncertain inputs of the sheet Risk inputs and report what may come out; parameters as of `simulate`.

    Trials, unless run `until` a precision, and seed are those of the workbook's run settings unless given.
    """
    sizing = _opened(book, runner, risk_sheet.TITLE, risk_sheet.HEADING)
    trials, seed = _draws(sizing, trials, seed, until)
    report = runner(
        lambda progress: montecarlo.simulate(
            sizing, trials, seed, sampler, results, settings, workers=_threads(), until=until, progress=progress
        )
    )
    read = reads.joined(reads.typed(sizing, sizing.settings(settings)), risk.reads(sizing))
    where = _put_in(book, risk_sheet.draw(report, settings), risk_sheet.HEADING, sizing, read, runner)
    partial = f" of {numeral(report.spent.asked)}, PARTIAL" if report.spent.partial else ""
    return CommandResult(f"Monte Carlo, {numeral(report.spent.trials)} trials{partial}: {where}")


def sensitivity(
    book: xw.Book, trials: int | None = None, seed: int | None = None, *, runner: Runner = direct
) -> CommandResult:
    """Show which uncertain inputs move the base design: one at a time, and by their share of the variance.

    Trials and seed are those of the workbook's run settings unless given.
    """
    title = driver_sheets.SENSITIVITY
    sizing = _opened(book, runner, title, driver_sheets.SENSITIVITY_HEADING)
    trials, seed = _draws(sizing, trials, seed)

    def compute(progress: Progress) -> Page:
        report, swings = drivers_and_swings(sizing, trials, seed, _threads(), progress)
        return driver_sheets.sensitivity(sizing, report, swings)

    page, read = runner(compute), reads.joined(reads.typed(sizing), risk.reads(sizing))
    where = _put_in(book, page, driver_sheets.SENSITIVITY_HEADING, sizing, read, runner)
    return CommandResult(f"Sensitivity: {where}")


def decide(
    book: xw.Book,
    trials: int | None = None,
    seed: int | None = None,
    late_premium_ratio: str | None = None,
    late_days: str | None = None,
    desktop_day_cost: str | None = None,
    failure_days: str | None = None,
    pilot_cost: str | None = None,
    *,
    runner: Runner = direct,
) -> CommandResult:
    """Say what to buy, how sure it is and what to find out first; run settings and stakes are those of Risk inputs."""
    sizing = _opened(book, runner, decision_sheet.TITLE, decision_sheet.HEADING)
    unread, (_, seed) = (TRIALS, SEED)[: 1 if seed is None else 2], _draws(sizing, trials, seed)
    given = dict(zip(STAKES, (late_premium_ratio, late_days, desktop_day_cost, failure_days, pilot_cost), strict=True))
    typed = stakes(sizing, given)

    def compute(progress: Progress) -> Page:
        return decision_sheet.draw(sizing, decided(sizing, (), trials, seed, _threads(), progress, typed))

    page = runner(compute)
    read = reads.joined(reads.typed(sizing), risk.reads(sizing, unread), typed_stakes(sizing, typed))
    where = _put_in(book, page, decision_sheet.HEADING, sizing, read, runner)
    return CommandResult(f"What to buy, how sure, what to find out: {where}")


def assumed(book: xw.Book, *, runner: Runner = direct) -> CommandResult:
    """Try every assumed figure of the base design at both ends of its range."""
    title = assumed_sheet.TITLE
    sizing = _opened(book, runner, title, assumed_sheet.HEADING)
    page = runner(
        lambda progress: assumed_sheet.draw(sizing, assumed_table(sizing, as_shipped(sizing.cells), (), progress))
    )
    read = reads.joined(reads.typed(sizing), risk.reads(sizing))
    where = _put_in(book, page, assumed_sheet.HEADING, sizing, read, runner)
    return CommandResult(f"Assumed figures: {where}")


def seek(
    book: xw.Book,
    vary: str | None = None,
    target: str | None = None,
    *,
    smallest: bool = False,
    runner: Runner = direct,
) -> CommandResult:
    """Find the largest value of an input that keeps a result within a target.

    The input is `vary`, the selected one or desktops; the target is that of the workbook's run settings unless given,
    and where they have none the arrays of the present answer.
    """
    sizing = _opened(book, runner, table_sheets.SOUGHT, table_sheets.SOUGHT_HEADING)
    item = selected.varied(book, sizing, (vary or "").partition("=")[0] or None, runner.selected, numbers=True)
    wanted = target or in_english(run_settings(sizing).target or "") or f"{ANSWER}={_present(sizing)}"

    def compute(progress: Progress) -> tuple[Page, str]:
        table = seek_value(sizing, (), vary or item.key, wanted, smallest=smallest)
        progress(1, 2)
        answer = table.rows[0][0]
        around = grid(sizing, item, answer if isinstance(answer, float) else None)
        return table_sheets.sought(sizing, item, wanted, table, around), table.notes[0]

    page, sentence = runner(compute)
    settings = reads.Reads((), ()) if target else reads_of_settings(sizing, TARGET)
    read = reads.joined(reads.typed(sizing), settings)
    where = _put_in(book, page, table_sheets.SOUGHT_HEADING, sizing, read, runner)
    return CommandResult(f"{sentence} {where[0].upper()}{where[1:]}")


def compare(book: xw.Book, *, runner: Runner = direct) -> CommandResult:
    """Size every array of the list for the workload of the base design."""
    title = table_sheets.COMPARED
    sizing = _opened(book, runner, title, table_sheets.COMPARED_HEADING)
    page = runner(lambda _: table_sheets.comparison(sizing, whatif.compare(sizing, ())))
    where = _put_in(book, page, table_sheets.COMPARED_HEADING, sizing, reads.typed(sizing), runner)
    return CommandResult(f"Arrays compared: {where}")


def explain(
    book: xw.Book, name: str | None = None, depth: int = answers.DEPTH, *, runner: Runner = direct
) -> CommandResult:
    """Show the cells, values and formulas behind a result, an input or a cell.

    Without a name it is the result of the workbook's run settings, and where they have none the selected cell.
    """
    title = list_sheets.EXPLAINED
    sizing = _opened(book, runner, title, list_sheets.EXPLAINED_HEADING)
    name = name or run_settings(sizing).explained
    first = answers.start(sizing, name) if name else selected.explained(book, sizing, runner.selected)
    page = runner(lambda _: list_sheets.explanation(sizing, answers.steps(sizing, first, depth=depth)))
    where = _put_in(book, page, list_sheets.EXPLAINED_HEADING, sizing, reads.typed(sizing, behind=first), runner)
    return CommandResult(f"{first.a1} explained: {where}")


def audit(book: xw.Book, *, runner: Runner = direct) -> CommandResult:
    """Hold the workbook against the workbook rules. Raises RequestError where it was never saved."""
    title = list_sheets.AUDITED
    sizing = _opened(book, runner, title, list_sheets.AUDITED_HEADING)
    if excel.in_a_cloud(place := excel.full_name(book)):
        raise RequestError(
            f"{book.name}: is saved at {place}; styles, locks and validations are read from a file. Save a copy on "
            "this machine, open it and run this there."
        )
    if not sizing.path.is_file() or not sizing.path.suffix.casefold() == ".xlsx":
        raise RequestError(
            f"{book.name}: is not saved as .xlsx; styles, locks and validations are read from the file. Save it once."
        )
    looked_at = "Formulas, values and names as they stand now; styles, locks and validations as they were last saved."

    def compute(_: Progress) -> tuple[Page, int]:
        declared, beyond = tabs.declared(sizing.version), outside.beyond(sizing)
        report = audit_saved(overlaid(sizing), sizing.path, partial(stored_otherwise, sizing), declared, beyond)
        changed = since_build.changes_by_people(sizing)
        return list_sheets.audit(sizing, report, changed, looked_at, rules()), len(report.findings)

    page, count = runner(compute)
    where = _put_in(book, page, list_sheets.AUDITED_HEADING, sizing, reads.typed(sizing), runner)
    verdict = _findings(count) if count else "all rules passed"
    return CommandResult(f"Audit, {verdict}: {where}", count)


def diff(book: xw.Book, old: str, bridges: Sequence[str] = (), *, runner: Runner = direct) -> CommandResult:
    """Say what differs from the copy in the file `old`, and how much of a result's change each input caused.

    `bridges` are the results to go through input by input, the headline results that moved unless given. Raises
    BookError where the file is no sizing workbook.
    """
    before = open_book(Path(old))
    sizing = _opened(book, runner, compared.SHEET, compared.HEADING)

    def compute(progress: Progress) -> tuple[Page, int]:
        found = compared.compare(before, sizing)
        steps = [bridge(found, item, progress) for item in wanted(found, bridges)]
        return diff_sheet.draw(found, steps), sum(len(changes) for _, _, changes in found.sections)

    page, count = runner(compute)
    where = _put_in(book, page, compared.HEADING, sizing, reads.typed(sizing), runner)
    verdict = _findings(count) if count else "nothing differs"
    return CommandResult(f"Compared with {before.path.name}, {verdict}: {where}", count)


def measure(
    book: xw.Book,
    files: Sequence[str | Path] = (),
    options: Namespace | str = "",
    save: Path | None = None,
    *,
    runner: Runner = direct,
) -> CommandResult:
    """Measure a customer's own estate: its demand goes into a copy, `save` or a new file beside the workbook.

    `options` are those of `measure` in the shell, or a line with them.
    """
    sizing = _opened(book, runner, measurement.TITLE, measurement.HEADING)
    asked = measurement.asked(sizing, files, options, save)
    done = runner(lambda progress: measurement.measured(asked, progress))
    applying.put(asked.target, done.copy)
    copy = f"{done.found}. Written into {done.where} of {asked.target}: open that copy"
    try:
        where = _put_in(book, done.page, measurement.HEADING, sizing, asked.read, runner)
    except AddinError as error:
        raise BookError(f"{copy}. Of this workbook: {error}") from error
    return CommandResult(f"{copy}; what was found: {where}")


def handoff(
    book: xw.Book,
    settings: Sequence[str] = (),
    role: str = "handoff",
    with_prices: bool = False,
    theme: str | None = None,
    live_page: bool = False,
    keep: Sequence[str] = (),
    slides: bool = False,
    texts: str | None = None,
    *,
    runner: Runner = direct,
) -> CommandResult:
    """Write document, values and formulas as files for somebody without this program; no sheet is added."""
    from addin.results.handoff import Wanted, write  # templates and all sheets' names: no other button waits for them

    check_moves(sizing := live.read(book, runner.pause))
    looks, language = (None if each is None else Path(each) for each in (theme, texts))
    wanted = Wanted(role, with_prices, looks, live_page or texts is not None, tuple(keep), slides, language)
    with english():  # the documents are
        written = runner(lambda progress: write(sizing, progress, settings, wanted))
    return CommandResult(f"Hand-off written: {written.folder}. {written.note}".rstrip())


def _opened(book: xw.Book, runner: Runner, title: str, heading: str) -> SizingBook:
    """Read the workbook, once it is sure that the result sheet may be written."""
    with insertion.refusals(book, "it could not be read"):
        insertion.check(book, title, heading)
        sizing = live.read(book, runner.pause)
    if title not in (list_sheets.AUDITED, compared.SHEET):  # these two say themselves what a cell has lost
        check_moves(sizing)
    return sizing


def _put_in(book: xw.Book, page: Page, heading: str, sizing: SizingBook, read: reads.Reads, runner: Runner) -> str:
    """Put a drawn sheet into the workbook, with the inputs that it was computed for; say where it is."""
    return kept.put_in(book, page, heading, sizing, read, runner.shows)


def _draws(
    sizing: SizingBook, trials: int | None, seed: int | None, until: str | None = None
) -> tuple[int | None, int]:
    """Return trials and seed: as given, else as typed in the workbook, else as the commands have them."""
    typed = run_settings(sizing)
    trials = typed.trials if trials is None and until is None else trials
    return trials, next((each for each in (seed, typed.seed) if each is not None), montecarlo.SEED)


def _present(sizing: SizingBook) -> str:
    """Return the arrays that the base design requires at present."""
    value = Evaluator(sizing.cells).value(sizing.find(sizing.results, ANSWER, "result").address)
    if not isinstance(value, float):
        raise RequestError(f"{sizing.path.name}: the base design has no number of arrays. See its status on Inputs.")
    return f"{value:g}"


def _findings(count: int) -> str:
    return f"{numeral(count)} finding{'s' if count > 1 else ''}"


def _threads() -> int:
    return os.cpu_count() or 1


def _unseen(done: int, total: int) -> None:
    """Ignore the progress."""
