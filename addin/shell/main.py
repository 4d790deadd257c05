"""The commands from a shell: `python -m addin COMMAND BOOK`. Exit 0 = done, 1 = findings, 2 = a request not met."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from addin.audit import audit, size_table
from addin.computing.formualizer_engine import formualizer_for
from addin.errors import AddinError, RequestError
from addin.kernel import ExcelError, KernelError, Scalar
from addin.running import documents
from addin.running.documents import EXCEL, LIBREOFFICE
from addin.shell import do_command, install_commands
from addin.sizing.answers import explain, size
from addin.sizing.seek import seek
from addin.sizing.tables import Table
from addin.sizing.whatif import COMPARED, compare, whatif
from addin.workbook.book import Book, open_book, shown

COMPUTED = ("size", "whatif", "compare", "seek", "explain", "simulate")  # formualizer has no part in the others
KERNEL, FORMUALIZER = "kernel", "formualizer"
BOOK = "templates/vdi-storage-sizing.xlsx"


def table_text(table: Table) -> str:
    """Return a table as aligned text, units under the headings."""
    heads = [table.headings] + ([table.units] if any(table.units) else [])
    body = [tuple(shown(value) for value in row) for row in table.rows]
    widths = [max(len(str(row[c])) for row in (*heads, *body)) for c in range(len(table.headings))]
    numeric = [all(isinstance(row[c], float) for row in table.rows) for c in range(len(table.headings))]

    def line(row: Sequence[str]) -> str:
        cells = (t.rjust(w) if right else t.ljust(w) for t, w, right in zip(row, widths, numeric, strict=True))
        return "  ".join(cells).rstrip()

    return "\n".join([*(line(head) for head in heads), *(line(row) for row in body), *table.notes])


def _json(table: Table) -> str:
    rows = [
        {heading: _jsonable(value) for heading, value in zip(table.headings, row, strict=True)} for row in table.rows
    ]
    notes = {"notes": table.notes} if table.notes else {}
    units = dict(zip(table.headings, table.units, strict=True))
    return json.dumps({"units": units, "rows": rows, **notes}, indent=2, ensure_ascii=False)


def _jsonable(value: Scalar) -> object:
    return value.value if isinstance(value, ExcelError) else value


def _size(book: Book, options: argparse.Namespace) -> int:
    table = size(book, options.set, options.result or ())
    print(_json(table) if options.json else table_text(table))
    return 0


def _whatif(book: Book, options: argparse.Namespace) -> int:
    table = whatif(book, options.set, options.vary, options.result or COMPARED)
    print(_json(table) if options.json else table_text(table))
    return 0


def _compare(book: Book, options: argparse.Namespace) -> int:
    from addin.results import plot, plot_arrays

    picture = None if options.plot is None else plot.destination(options.plot)
    table = compare(book, options.set)
    print(_json(table) if options.json else table_text(table))
    if picture is not None:
        changed = f" with {', '.join(options.set)}" if options.set else ""
        plot_arrays.plot(table, picture, f"{book.path.name}{changed}: how many of each array")
    return 0


def _seek(book: Book, options: argparse.Namespace) -> int:
    table = seek(book, options.set, options.vary, options.target, smallest=options.smallest)
    print(_json(table) if options.json else table_text(table))
    return 0


def _explain(book: Book, options: argparse.Namespace) -> int:
    lines = explain(book, options.name, options.set, options.depth)
    print(json.dumps(lines, indent=2, ensure_ascii=False) if options.json else "\n".join(lines))
    return 0


def _simulate(book: Book, options: argparse.Namespace) -> int:
    from addin.results.plot import destination, plot
    from addin.results.report_text import as_json, text
    from addin.results.saving import prepare, save
    from addin.simulation.cluster import cluster
    from addin.simulation.montecarlo import simulate  # numpy and the compiler: no other command waits for them

    if options.cluster is not None and options.workers is not None:
        raise RequestError("--workers: counts threads of this machine, --cluster uses another one's. Leave one out.")
    if options.save is not None and book.workbook is None:
        raise RequestError("--save: copies a saved workbook. For an open one: python -m addin do monte_carlo.")
    copy = None if options.save is None else prepare(book, options.save)
    picture = None if options.plot is None else destination(options.plot)
    progress = _progress() if sys.stderr.isatty() else None
    try:
        with cluster(options.cluster) if options.cluster is not None else nullcontext() as executor:
            report = simulate(
                book,
                options.trials,
                options.seed,
                options.sampler,
                options.result or (),
                options.set,
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
        save(copy, report, options.set)
    if picture is not None:
        plot(report, picture, report.findings[0].item.key if options.result else None)
    return 0


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


def _audit(book: Book, options: argparse.Namespace) -> int:
    from addin.workbook.overlay import overlaid

    workbook = book.workbook or overlaid(book)
    findings = audit(workbook)
    if options.json:
        print(json.dumps([str(finding) for finding in findings], indent=2, ensure_ascii=False))
    else:
        print("\n".join(map(str, findings)) or f"{book.path.name}: every rule holds.")
        print(f"\n{size_table(workbook)}")
    return 1 if findings else 0


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message}. See {self.prog} --help.\n")


def parser() -> argparse.ArgumentParser:
    """Return the command line: one sub-command per command, each with an example in its help."""
    top: argparse.ArgumentParser = _Parser(
        prog="python -m addin", description="Size, vary, compare, seek, simulate, explain and audit a sizing workbook."
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: object, text: str, example: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            name, help=text, description=text, epilog=f"example: python -m addin {name} {BOOK} {example}"
        )
        sub.add_argument(
            "book",
            type=Path,
            nargs="?",
            metavar="BOOK",
            help="path of the workbook or of any edited copy; with --engine excel or libreoffice the name of an open "
            "one (default: the active one)",
        )
        sub.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="change an input of the base design; repeatable",
        )
        sub.add_argument("--engine", default=KERNEL, metavar="NAME", help=_engine_help(name))
        sub.add_argument("--pipe", metavar="NAME", help="the pipe that LibreOffice listens on, if not the extension's")
        sub.add_argument("--json", action="store_true", help="print JSON")
        sub.set_defaults(run=run)
        return sub

    sub = command("size", _size, "Size the base design.", '--set desktops=2200 --set array="NetApp AFF8040"')
    sub.add_argument(
        "--result", action="append", metavar="KEY", help="a result to print, such as arrays_required; repeatable"
    )
    sub = command(
        "whatif", _whatif, "Size every combination of some inputs.", "--vary desktops=500:5000:500 --vary array=all"
    )
    sub.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="KEY=LOW:HIGH:STEP",
        help="also KEY=a,b,c or KEY=all; repeatable",
    )
    sub.add_argument("--result", action="append", metavar="KEY", help="a result to print; repeatable")
    sub = command("compare", _compare, "Size every array for the same workload.", "--set desktops=2200")
    sub.add_argument("--plot", type=Path, metavar="OUT.png", help="draw the arrays needed, a bar for each array")
    sub = command(
        "seek",
        _seek,
        "Find the largest value of an input that keeps a result within a target.",
        "--vary desktops --target arrays_required=2",
    )
    sub.add_argument("--vary", required=True, metavar="KEY", help="an input, over its range; KEY=LOW:HIGH narrows it")
    sub.add_argument(
        "--target", required=True, metavar="RESULT=NUMBER", help="the result stays <= it; also RESULT>=NUMBER"
    )
    sub.add_argument("--smallest", action="store_true", help="find the smallest value at which it is >=")
    sub = command(
        "explain", _explain, "Show the cells, values and formulas behind a number.", "Out_arrays_required --depth 2"
    )
    sub.add_argument("name", metavar="NAME", help="a result, an input or a cell such as Sizing!D20")
    sub.add_argument("--depth", type=int, default=3, help="levels to follow (default 3)")
    sub = command(
        "simulate", _simulate, "Draw the uncertain inputs; show what may come out.", "--trials 65536 --seed 1"
    )
    trials = "rounded up to 16 x a power of two (default 65,536; with --engine formualizer 1,024)"
    sub.add_argument("--trials", type=int, metavar="N", help=trials)
    sub.add_argument("--seed", type=int, default=1, help="same seed, same figures (default 1)")
    sub.add_argument("--sampler", default="sobol", metavar="NAME", help="sobol (default), latin or plain")
    sub.add_argument("--result", action="append", metavar="KEY", help="a result to simulate; repeatable")
    sub.add_argument("--until", metavar="P=X", help="stop at a precision, such as p95=0.5%% or mean=1%%")
    sub.add_argument("--workers", type=int, metavar="N", help="threads (default: one per processor); same figures")
    sub.add_argument(
        "--cluster", metavar="ADDRESS", help="run on the Dask cluster with this scheduler, such as tcp://host:8786"
    )
    sub.add_argument("--save", type=Path, metavar="OUT.xlsx", help="write a copy of BOOK with the report as sheet Risk")
    sub.add_argument("--plot", type=Path, metavar="OUT.png", help="draw histogram, exceedance, arrays and drivers")
    command("audit", _audit, "Hold a workbook against the workbook rules.", "")
    do_command.add(commands)
    install_commands.add(commands)
    return top


def _engine_help(name: str) -> str:
    """Return what --engine says: where the workbook is, or how it is computed."""
    slow = (
        f"; {FORMUALIZER}: slow, for cells outside the kernel's list, not Excel's rounding" if name in COMPUTED else ""
    )
    return f"{KERNEL} (default) on a saved workbook; {EXCEL} or {LIBREOFFICE}: the workbook open there{slow}"


def _opened(options: argparse.Namespace) -> Book:
    """Return the workbook, saved or open, with the engine that computes it."""
    engine = options.engine
    known = (KERNEL, EXCEL, LIBREOFFICE, *((FORMUALIZER,) if options.command in COMPUTED else ()))
    if engine not in known:
        raise RequestError(f"--engine {engine}: expected one of {', '.join(known)}. Choose one.")
    if engine in (EXCEL, LIBREOFFICE):
        from addin.workbook import live  # and with it xlwings

        return live.read(documents.find(engine, str(options.book) if options.book else None, options.pipe))
    if options.book is None:
        raise RequestError("no workbook is named. Give the path of one, or --engine excel or libreoffice.")
    book = open_book(options.book)
    return replace(book, engine=formualizer_for(book.path)) if engine == FORMUALIZER else book


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; errors are one line on stderr."""
    options = parser().parse_args(arguments)
    try:
        if options.command == do_command.NAME:
            return do_command.run(options)
        if options.command in install_commands.NAMES:
            return install_commands.run(options)
        return int(options.run(_opened(options), options))
    except (AddinError, KernelError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("error: interrupted before the first results.", file=sys.stderr)
        return 2
