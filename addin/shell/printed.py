"""What the commands print: tables, lines or JSON. A book and the options in, an exit code out."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from addin.audit import audit as broken_rules
from addin.audit import size_table
from addin.errors import RequestError
from addin.kernel import ExcelError, Scalar
from addin.sizing import answers, result_keys, whatif
from addin.sizing.scenarios import VARIED, designs, grid
from addin.sizing.seek import seek as seek_value
from addin.sizing.tables import Table
from addin.workbook.book import SizingBook, shown


def table_text(table: Table) -> str:
    """Return a table as aligned text, units under the headings."""
    heads = [table.headings] + ([table.units] if any(table.units) else [])
    body = [tuple(shown(value) for value in row) for row in table.worded]
    widths = [max(len(str(row[c])) for row in (*heads, *body)) for c in range(len(table.headings))]
    numeric = [all(isinstance(row[c], float) for row in table.rows) for c in range(len(table.headings))]

    def line(row: Sequence[str]) -> str:
        cells = (t.rjust(w) if right else t.ljust(w) for t, w, right in zip(row, widths, numeric, strict=True))
        return "  ".join(cells).rstrip()

    return "\n".join([*(line(head) for head in heads), *(line(row) for row in body), *table.notes])


def size(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the results of the base design."""
    return _print_table(answers.size(book, options.settings, options.results or ()), options)


def what_if(book: SizingBook, options: argparse.Namespace) -> int:
    """Print a row for each combination of the varied inputs."""
    table = whatif.whatif(book, options.settings, options.vary, options.results or result_keys.WHATIF)
    return _print_table(table, options)


def scenarios(book: SizingBook, options: argparse.Namespace) -> int:
    """Print every design of the workbook, and a grid over one input."""
    item = book.entry(options.vary or VARIED)
    tables = {"designs": designs(book), "grid": grid(book, item)}
    if options.json:
        print(_json({name: _plain(table) for name, table in tables.items()}))
    else:
        print("\n\n".join(map(table_text, tables.values())))
    return 0


def compare(book: SizingBook, options: argparse.Namespace) -> int:
    """Print a row for each array; draw them where a picture is asked for."""
    from addin.results import plot, plot_arrays

    picture = None if options.plot is None else plot.destination(options.plot)
    table = whatif.compare(book, options.settings)
    _print_table(table, options)
    if picture is not None:
        changed = f" with {', '.join(options.settings)}" if options.settings else ""
        plot_arrays.plot(table, picture, f"{book.path.name}{changed}: how many of each array")
    return 0


def seek(book: SizingBook, options: argparse.Namespace) -> int:
    """Print how far an input can go."""
    _require(options, vary="--vary", target="--target")
    table = seek_value(book, options.settings, options.vary, options.target, smallest=options.smallest)
    return _print_table(table, options)


def explain(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the chain of cells behind a number."""
    _require(options, name="NAME")
    lines = answers.explain(book, options.name, options.settings, options.depth)
    print(_json(lines) if options.json else "\n".join(lines))
    return 0


def simulate(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the report of a simulation; save and draw it where that is asked for."""
    from addin.results.plot import destination, plot
    from addin.results.report_text import as_json, text
    from addin.results.saving import prepare, save
    from addin.simulation import montecarlo  # numpy and the compiler: few other commands wait for them
    from addin.simulation.cluster import cluster

    if options.cluster is not None and options.workers is not None:
        raise RequestError("--workers: counts threads of this machine, --cluster uses another one's. Leave one out.")
    if options.save is not None and book.workbook is None:
        raise RequestError("--save: copies a saved workbook. For an open one: python -m addin simulate --sheet.")
    copy = None if options.save is None else prepare(book, options.save)
    picture = None if options.plot is None else destination(options.plot)
    progress = _progress() if sys.stderr.isatty() else None
    try:
        with cluster(options.cluster) if options.cluster is not None else nullcontext() as executor:
            report = montecarlo.simulate(
                book,
                options.trials,
                options.seed,
                options.sampler,
                options.results or (),
                options.settings,
                executor,
                executor.threads if executor is not None else _threads(options.workers),
                options.until,
                progress,
            )
    finally:
        if progress is not None:
            progress(1, 1)  # the bar of an interrupted run goes as well
    print(as_json(report) if options.json else text(report))
    if copy is not None:
        save(copy, report, options.settings)
    if picture is not None:
        plot(report, picture, report.results[0].item.key if options.results else None)
    return 0


def sensitivity(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the swings of the main result, one input at a time, then the drivers of its variance."""
    from addin.results.report_text import drivers_json, drivers_text
    from addin.simulation.swings import drivers_and_swings, table

    report, swings = drivers_and_swings(book, options.trials, options.seed, _threads(None))
    alone = table(report, swings)
    if options.json:
        print(_json({"one_at_a_time": _plain(alone), "drivers": drivers_json(report)}))
    else:
        print("\n\n".join([table_text(alone), *drivers_text(report)]))
    return 0


def audit(book: SizingBook, options: argparse.Namespace) -> int:
    """Print the findings of the audit and the size of the workbook; exit 1 where there are findings."""
    from addin.workbook.overlay import overlaid

    workbook = book.workbook or overlaid(book)
    findings = broken_rules(workbook)
    if options.json:
        print(_json([str(finding) for finding in findings]))
    else:
        print("\n".join(map(str, findings)) or f"{book.path.name}: every rule holds.")
        print(f"\n{size_table(workbook)}")
    return 1 if findings else 0


def _print_table(table: Table, options: argparse.Namespace) -> int:
    print(_json(_plain(table)) if options.json else table_text(table))
    return 0


def _require(options: argparse.Namespace, **names: str) -> None:
    """Raise RequestError for what printing cannot do without, and a result sheet takes from the selection."""
    missing = [shown for name, shown in names.items() if getattr(options, name) is None]
    if missing:
        help_ = f"python -m addin {options.command} --help"
        raise RequestError(f"the following arguments are required: {', '.join(missing)}. See {help_}.")


def _plain(table: Table) -> dict[str, object]:
    rows = [{h: _jsonable(value) for h, value in zip(table.headings, row, strict=True)} for row in table.worded]
    notes = {"notes": table.notes} if table.notes else {}
    return {"units": dict(zip(table.headings, table.units, strict=True)), "rows": rows, **notes}


def _json(content: object) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False)


def _jsonable(value: Scalar) -> object:
    return value.value if isinstance(value, ExcelError) else value


def _threads(asked: int | None) -> int:
    return os.cpu_count() or 1 if asked is None else asked


def _progress() -> Callable[[int, int], None]:
    """Return what draws a bar with the time left, and removes it at the end."""
    start = time.monotonic()

    def draw(done: int, total: int) -> None:
        nonlocal start
        if not done:
            start = time.monotonic()
        share = done / total
        left = (time.monotonic() - start) * (1 - share) / share if done else 0.0
        bar = "#" * int(30 * share)
        line = f"\r{bar:<30} {share:4.0%} of {total:,} trials, {left:,.0f} s left "
        sys.stderr.write(line if done < total else "\r" + " " * len(line) + "\r")
        sys.stderr.flush()

    return draw
