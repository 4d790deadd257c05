"""The output of the commands: tables, lines or JSON. Each takes a book and the options and returns an exit code.

A command imports its own modules when it runs: `size` answers before numpy would be loaded.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from addin.console import program
from addin.errors import RequestError
from addin.kernel import Scalar
from addin.numerals import numeral
from addin.reported import squashed
from addin.shell import cluster_options, json_documents
from addin.sizing import answers, result_keys
from addin.sizing.tables import Table
from addin.workbook.book import SizingBook, shown
from addin.workbook.stored import stored_otherwise


def table_text(table: Table) -> str:
    """Return a table as aligned text, units under the headings."""
    heads = [table.headings] + ([table.units] if any(table.units) else [])
    body = [
        tuple(squashed(_in_full(value) if at < table.typed else shown(value)) for at, value in enumerate(row))
        for row in table.worded
    ]
    widths = [max(len(str(row[c])) for row in (*heads, *body)) for c in range(len(table.headings))]
    numeric = [all(isinstance(row[c], float) for row in table.rows) for c in range(len(table.headings))]

    def line(row: Sequence[str]) -> str:
        cells = (t.rjust(w) if right else t.ljust(w) for t, w, right in zip(row, widths, numeric, strict=True))
        return "  ".join(cells).rstrip()

    return "\n".join([*(line(head) for head in heads), *(line(row) for row in body), *table.notes])


def _in_full(value: Scalar) -> str:
    return numeral(value, ",.15g") if isinstance(value, float) else shown(value)


def warn_of_stored(book: SizingBook, keys: Sequence[str]) -> None:
    """Warn on stderr where a stored result, of those that are shown, differs from its formula."""
    if wrong := stored_otherwise(book, keys=keys):
        more = f"; {numeral(len(wrong) - 1)} more of the results shown differ" if len(wrong) > 1 else ""
        at = wrong[0].address.a1
        print(f"warning: {book.path.name}: {at} {wrong[0].words}{more}. See the command audit.", file=sys.stderr)


def size(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the results of the base design; exit 1 where a check leaves no answer."""
    if not options.settings:
        warn_of_stored(book, options.results or answers.headline(book))
    keys = [book.find(book.results, key, "result").key for key in options.results or ()]
    idle = [] if keys else answers.unmoved(book, options.settings)
    if options.json:
        values, found = answers.answer(book, options.settings, keys)
        if answers.unanswered(found):
            values = [(item, answers.without_figure(item, value)) for item, value in values]
        content = json_documents.results(values, found, [*book.notes, *idle])
        _say(options, json_documents.text("size", book, content, options.settings))
    else:
        table, found = answers.sized(book, options.settings, keys)
        _say(options, "\n".join([table_text(table), *idle]))
    return 1 if answers.unanswered(found) else 0


def what_if(book: SizingBook, options: argparse.Namespace) -> int:
    """Print a row for each combination of the varied inputs."""
    from addin.sizing import whatif

    table = whatif.whatif(book, options.settings, options.vary, options.results or result_keys.WHATIF)
    return _print_table(book, table, options)


def inputs(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the inputs: keys, labels, values, units, ranges and choices."""
    from addin.sizing import listing

    if options.json:
        content = json_documents.listing(listing.entries(book, options.find))
        return _say(options, json_documents.text("inputs", book, content))
    return _say(options, table_text(listing.inputs(book, options.find)))


def scenarios(book: SizingBook, options: argparse.Namespace) -> int:
    """Print every design of the workbook, and a grid over one input."""
    from addin.sizing.scenarios import VARIED, designs, grid

    item = book.entry(options.vary or VARIED)
    made, around = designs(book), grid(book, item)
    content = {"designs": json_documents.table(made), "grid": json_documents.table(around, item.key)}
    return _print(book, options, content, "\n\n".join(map(table_text, (made, around))))


def compare(book: SizingBook, options: argparse.Namespace) -> int:
    """Print a row for each array; draw them with --plot."""
    from addin.sizing import whatif

    if options.plot is not None:
        from addin.results import plot, plot_arrays
    picture = None if options.plot is None else plot.destination(options.plot)
    table = whatif.compare(book, options.settings)
    _print_table(book, table, options)
    if picture is not None:
        changed = f" with {', '.join(options.settings)}" if options.settings else ""
        plot_arrays.plot(table, picture, f"{book.path.name}{changed}: how many of each array")
    return 0


def seek(book: SizingBook, options: argparse.Namespace) -> int:
    """Print how far an input can go."""
    from addin.sizing.seek import seek as seek_value

    _require(options, vary="--vary", target="--target")
    table = seek_value(book, options.settings, options.vary, options.target, smallest=options.smallest)
    return _print_table(book, table, options)


def explain(book: SizingBook, options: argparse.Namespace) -> int:
    """Print a number in words, then the chain of cells behind it."""
    from addin.sizing import refusals
    from addin.sizing.sentence import sentence

    _require(options, name="NAME")
    first = answers.start(book, options.name)
    chain = answers.steps(book, first, options.settings, options.depth)
    error = refusals.why_raised(book, options.settings)
    said = sentence(book, first, options.settings, error)
    if error and error not in said:
        said = f"{said} The design has no answer: {error}."
    ended = answers.cut(chain)
    text = "\n".join([said, *book.notes, "", *answers.lines(answers.legible(chain)), *ended])
    return _print(book, options, json_documents.explanation(said, chain, [*book.notes, *ended]), text)


def simulate(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the report of a simulation; save it with --save, draw it with --plot."""
    from addin.results.report_text import as_content, brief, text
    from addin.simulation import montecarlo  # numpy and the compiler: few other commands wait for them

    if options.cluster is not None and options.workers is not None:
        raise RequestError("--workers: counts threads of this machine, --cluster uses another one's. Leave one out.")
    cluster = cluster_options.connected(options)
    copy = picture = None
    if options.save is not None:
        from addin.results.risk_sheet import HEADING, TITLE  # and with it openpyxl
        from addin.results.saving import check_free, prepare, save

        if not book.is_saved:
            raise RequestError(f"--save: copies a saved workbook. For an open one: {program()} simulate --sheet.")
        copy = prepare(book, options.save, options.settings)
        check_free(book, options.save, TITLE, HEADING)
    if options.plot is not None:
        from addin.results.plot import destination, plot

        picture = destination(options.plot)
    with cluster as executor:
        report = montecarlo.simulate(
            book,
            options.trials,
            montecarlo.SEED if options.seed is None else options.seed,
            options.sampler,
            options.results or (),
            options.settings,
            executor,
            executor.threads if executor is not None else _threads(options.workers),
            options.until,
            options.waiting.progress,
        )
    if options.json:
        _say(options, json_documents.text("simulate", book, as_content(report), options.settings))
    elif options.full:
        _say(options, text(report))
    else:
        asked = [result.item.key for result in report.results] if options.results else result_keys.BRIEF
        _say(options, brief(report, asked))
    if copy is not None:
        save(copy, report, options.settings)
    if picture is not None:
        plot(report, picture, report.results[0].item.key if options.results else None)
    return 0


def sensitivity(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the effect of each input on the main result, one at a time, then the drivers of its variance."""
    from addin.results.report_text import drivers_json, drivers_text
    from addin.simulation.montecarlo import SEED
    from addin.simulation.swings import drivers_and_swings, table

    seed = SEED if options.seed is None else options.seed
    report, swings = drivers_and_swings(book, options.trials, seed, _threads(None), options.waiting.progress)
    alone = table(report, swings)
    content = {"one_at_a_time": json_documents.table(alone), "drivers": drivers_json(report)}
    return _print(book, options, content, "\n\n".join([table_text(alone), *drivers_text(report)]))


def decide(book: SizingBook, options: argparse.Namespace) -> int:
    """Print what to buy at each certainty, every design and array, and what is worth finding out first."""
    from addin.shell.decision_text import as_content, text
    from addin.simulation.decide import decide as decided
    from addin.simulation.montecarlo import SEED
    from addin.simulation.stakes import OPTIONS, stakes

    seed = SEED if options.seed is None else options.seed
    typed = stakes(book, {setting: getattr(options, setting) for setting in OPTIONS})
    threads, progress = _threads(None), options.waiting.progress
    found = decided(book, options.settings, options.trials, seed, threads, progress, typed)
    return _print(book, options, as_content(found, book), text(found, book, table_text))


def assumed(book: SizingBook, options: argparse.Namespace) -> int:
    """Print a row for each assumed figure, tried at both ends of its range, what decides first."""
    from addin.leaving.marks import as_shipped
    from addin.simulation.assumed import table

    return _print_table(book, table(book, as_shipped(book.cells), options.settings, options.waiting.progress), options)


def audit(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the findings of the audit, the changes since the build, and the size; exit 1 with findings."""
    from addin.audit import audit_saved
    from addin.diff import since_build
    from addin.leaving import tabs
    from addin.shell import diff_text
    from addin.workbook import outside
    from addin.workbook.overlay import overlaid

    workbook = book.workbook or overlaid(book)
    declared = tabs.declared(book.version)
    beyond = outside.beyond(book)
    report = audit_saved(workbook, book.path, lambda exact: stored_otherwise(book, exact), declared, beyond)
    changed = since_build.changes_by_people(book)
    verdict = "\n".join(map(str, report.findings)) or f"{book.path.name}: all rules passed."
    blocks = [verdict, *([report.by_application] * bool(report.application))]
    blocks += [diff_text.changed_by_hand(changed) if changed else since_build.not_compared(book)]
    blocks += [report.size]
    content = json_documents.audit(report, since_build.sections(changed) if changed else None)
    _print(book, options, content, "\n\n".join(blocks))
    return 1 if report.findings else 0


def _print_table(book: SizingBook, table: Table, options: argparse.Namespace) -> int:
    return _print(book, options, json_documents.table(table), table_text(table))


def _print(book: SizingBook, options: argparse.Namespace, content: json_documents.Content, text: str) -> int:
    """Print a result as text, or with --json as a document."""
    document = json_documents.text(options.command, book, content, getattr(options, "settings", ()))
    return _say(options, document if options.json else text)


def _say(options: argparse.Namespace, text: str) -> int:
    """Print a result, after the line of progress was removed."""
    options.waiting.end()
    print(text)
    return 0


def _require(options: argparse.Namespace, **names: str) -> None:
    """Raise RequestError for a missing argument; only a result sheet can take it from the selection."""
    missing = [shown for name, shown in names.items() if getattr(options, name) is None]
    if missing:
        help_ = f"{program()} {options.command} --help"
        raise RequestError(f"the following arguments are required: {', '.join(missing)}. See {help_}.")


def _threads(asked: int | None) -> int:
    return os.cpu_count() or 1 if asked is None else asked
