"""The commands from a shell: `python -m addin COMMAND BOOK`. Exit 0 = done, 1 = findings, 2 = refused."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import NoReturn

from addin.buttons import COMMANDS
from addin.console import INSTALLED, path_of, program
from addin.errors import RequestError
from addin.reported import ReportedError, no_room, one_line, squashed
from addin.running import documents
from addin.running.documents import EXCEL, FILE, KERNEL, LIBREOFFICE
from addin.shell import (
    cluster_options,
    diff_command,
    install_commands,
    measure_command,
    new_command,
    printed,
    result_sheet,
    saved,
    stored_file,
)
from addin.shell.waiting import Waiting
from addin.workbook.book import SizingBook, in_currency, open_book
from addin.workbook.values_only import check_moves

COMPUTED = ("size", "whatif", "compare", "seek", "explain", "simulate")  # commands that formualizer can compute
LISTS = ("audit", "inputs")  # commands that say what a workbook holds, whatever it computes
DEBUG = "--debug"  # Python's traceback of an unexpected error
# arguments besides the workbook
WORDS = {"explain": "[NAME] ", "apply": "CHANGES ", "measure": "FILE... ", "measure-array": "FILE... "}
FORMUALIZER = "formualizer"
BOOK = "templates/vdi-storage-sizing.xlsx"  # in the examples of a checkout
Run = Callable[[SizingBook, argparse.Namespace], int]


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, and accepts BOOK and NAME anywhere among the options."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Parse with the words moved before the options: the base class would lose a word between two options."""
        has_book = any(action.dest == "book" and not action.option_strings for action in self._actions)
        return super().parse_known_args(self._words_first(args) if args and has_book else args, namespace)

    def _words_first(self, args: Sequence[str]) -> list[str]:
        words, options, rest = [], [], iter(args)
        for arg in rest:
            if not arg.startswith("-") or arg == "-":
                words.append(arg)
                continue
            options.append(arg)
            takes = [a for a in self._actions if any(o.startswith(arg) for o in a.option_strings) and a.nargs != 0]
            if takes and "=" not in arg:
                options.extend(islice(rest, 1))
        return [*words, *options]

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {squashed(message)}. See {self.prog} --help.\n")


def parser() -> argparse.ArgumentParser:
    """Return the command line: one sub-command per command, each with an example in its help."""
    top: argparse.ArgumentParser = _Parser(
        prog=program(),
        epilog=f"{DEBUG} prints Python's traceback of an unexpected error.",
        description="Size, vary, compare, seek, simulate, explain, audit, hand over and diff sizing workbooks.",
    )
    example_book = new_command.EXAMPLE if top.prog in INSTALLED else BOOK
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(
        name: str, run: Run | None, example: str, summary: str = "", *, writes: bool = False
    ) -> argparse.ArgumentParser:
        """Add a command; one that `writes` a copy works on a saved workbook alone and has no result to print."""
        text = summary or COMMANDS[name].summary
        usage, epilog = f"{name} BOOK {WORDS.get(name, '')}[options]", f"{name} {example_book} {example}".rstrip()
        sub = commands.add_parser(
            name,
            help=text.replace("%", "%%"),
            description=text,
            usage=f"{top.prog} {usage}",
            epilog=f"example: {top.prog} {epilog}",
        )
        saved_book = "path of the workbook or of any edited copy"
        open_book = "; with --engine excel or libreoffice the name of an open one (default: the active one)"
        if name == measure_command.MEASURE:
            open_book = "; with --engine excel or libreoffice every argument is a file, and BOOK is the active one"
        help_ = saved_book if writes else saved_book + open_book
        sub.add_argument("book", type=path_of, nargs="?", metavar="BOOK", help=help_)
        if writes:
            sub.set_defaults(run=run, engine=KERNEL)
            return sub
        sub.add_argument("--engine", default=KERNEL, metavar="NAME", help=_engine_help(name))
        result_sheet.add_application(sub)
        if run is not None:
            sub.add_argument("--json", action="store_true", help="print JSON")
        if name in COMMANDS:
            result_sheet.add(sub, name)
        sub.set_defaults(run=run)
        return sub

    new_command.add(commands)
    text = "List what can be typed: keys for --set, labels, values, units, ranges, choices."
    sub = command("inputs", printed.inputs, "--find latency", text)
    text = "only those with this word in key, label, unit, value or choices, rows of your own included"
    sub.add_argument("--find", metavar="WORD", help=text)
    sub = command("size", printed.size, '--set desktops=2200 --set array="NetApp AFF8040"', "Size the base design.")
    _add_set(sub)
    _add_result(sub, "a result to print, such as arrays_required; repeatable")
    example, text = "--vary desktops=500:5000:500 --vary array=all", "Size every combination of some inputs."
    sub = command("whatif", printed.what_if, example, text)
    _add_set(sub)
    text = "also KEY=a,b,c or KEY=all; repeatable"
    sub.add_argument("--vary", action="append", required=True, metavar="KEY=LOW:HIGH:STEP", help=text)
    _add_result(sub, "a result to print; repeatable")
    sub = command("scenarios", printed.scenarios, "--vary growth_ratio")
    sub.add_argument("--vary", metavar="KEY", help="the input of the grid (default: desktops; --sheet: selected one)")
    sub = command("compare", printed.compare, "--set desktops=2200")
    _add_set(sub)
    sub.add_argument("--plot", type=path_of, metavar="OUT.png", help="draw the arrays needed, a bar for each array")
    _add_seek(command("seek", printed.seek, "--vary desktops --target arrays_required=2"))
    sub = command("explain", printed.explain, "Out_arrays_required --depth 2")
    _add_set(sub)
    text = "a result, an input or a cell such as Sizing!D20 (with --sheet the selected cell, if none is named)"
    sub.add_argument("name", metavar="NAME", nargs="?", help=text)
    sub.add_argument("--depth", type=int, default=3, help="levels to follow (default 3)")
    _add_simulate(command("simulate", printed.simulate, "--trials 65536 --seed 1"))
    _add_trials(command("sensitivity", printed.sensitivity, "--trials 65536 --seed 1"), "default 65,536")
    sub = command("decide", printed.decide, "--set desktops=2200")
    _add_set(sub)
    _add_trials(sub, "default 16,384 for each array, with --sheet too", "with --sheet that")
    _add_stakes(sub)
    _add_set(command("assumed", printed.assumed, "--set desktops=2200"))
    sub = command("audit", printed.audit, "--stored")
    text = "write what a file stores against the kernel as one file, to attach to an issue; also of the probe"
    sub.add_argument("--stored", action="store_true", help=text)
    _add_handoff(command("handoff", None, "--role proposal --with-prices"))
    text = "Write what was saved on the live page, or typed into an older copy, into a new copy of the workbook."
    sub = command("apply", saved.apply, "changes.json --save NEW.xlsx", text, writes=True)
    sub.add_argument(
        "changes", type=path_of, metavar="CHANGES", help="the file that the page saved, or an older copy: .xlsx"
    )
    text = "the copy; no file of that name may exist"
    sub.add_argument("--save", type=path_of, required=True, metavar="NEW.xlsx", help=text)
    example = 'rvtools.xlsx pilots/*.csv --hours 08:00-18:00 --login 08:00-09:30 --desktops "VDI-*" --save NEW.xlsx'
    sub = command(measure_command.MEASURE, measure_command.measure, example)
    measure_command.add_measure(sub)
    text, example = measure_command.SUMMARY_OF_ARRAY, "fio/*.json --save NEW.xlsx"
    sub = command(measure_command.ARRAY, measure_command.measure_array, example, text, writes=True)
    measure_command.add_array(sub)
    diff_command.add(commands)
    install_commands.add(commands)
    return top


def _add_set(sub: argparse.ArgumentParser) -> None:
    text = "change an input of the base design, or <row>.<field> of a row of your own; key or label; repeatable"
    sub.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE", help=text)


def _add_result(sub: argparse.ArgumentParser, text: str) -> None:
    sub.add_argument("--result", dest="results", action="append", metavar="KEY", help=text)


def _add_trials(sub: argparse.ArgumentParser, default: str, sheet: str = "with --sheet, as --trials, that") -> None:
    sub.add_argument("--trials", type=int, metavar="N", help=f"rounded up to 16 x a power of two ({default})")
    text = f"same seed, same figures (default 1; {sheet} of the workbook's run settings)"
    sub.add_argument("--seed", type=int, metavar="N", help=text)


def _add_stakes(sub: argparse.ArgumentParser) -> None:
    for option, setting, name, text in (
        ("--late-premium", "late_premium_ratio", "SHARE", "an array bought late is dearer by this share, such as 25%%"),
        ("--late-days", "late_days", "N", "working days until an array bought late is in use"),
        ("--desktop-day", "desktop_day_cost", "MONEY", "cost of a desktop below the agreed level, a working day"),
        ("--failure-days", "failure_days", "N", "days a year after a failure"),
        ("--pilot-cost", "pilot_cost", "MONEY", "cost of a pilot desktop, measured"),
    ):
        help_ = f"{text} (default: as typed on Risk inputs)"
        sub.add_argument(option, dest=setting, metavar=name, help=help_)


def _add_seek(sub: argparse.ArgumentParser) -> None:
    _add_set(sub)
    text = "an input, over its range; KEY=LOW:HIGH narrows it (with --sheet the selected one, if none is named)"
    sub.add_argument("--vary", metavar="KEY", help=text)
    text = "the result stays <= it; also RESULT>=NUMBER (with --sheet the present arrays, if none is named)"
    sub.add_argument("--target", metavar="RESULT=NUMBER", help=text)
    sub.add_argument("--smallest", action="store_true", help="find the smallest value at which it is >=")


def _add_simulate(sub: argparse.ArgumentParser) -> None:
    _add_set(sub)
    _add_trials(sub, "default 65,536; with --engine formualizer 1,024")
    sub.add_argument("--sampler", default="sobol", metavar="NAME", help="sobol (default), latin or plain")
    _add_result(sub, "a result to simulate; repeatable")
    sub.add_argument("--full", action="store_true", help="print all: every result, error bars, drivers, the run")
    sub.add_argument("--until", metavar="P=X", help="stop at a precision, such as p95=0.5%% or mean=1%%")
    sub.add_argument("--workers", type=int, metavar="N", help="threads (default: one per processor); same figures")
    cluster_options.add(sub, "run on the Dask cluster with this scheduler")
    sub.add_argument(
        "--save", type=path_of, metavar="OUT.xlsx", help="write a copy of BOOK with the report as sheet Risk"
    )
    sub.add_argument("--plot", type=path_of, metavar="OUT.png", help="draw histogram, exceedance, arrays and drivers")


def _add_handoff(sub: argparse.ArgumentParser) -> None:
    _add_set(sub)
    sub.add_argument("--role", metavar="ROLE", help="chapters for a proposal, a cost review or a handoff (default)")
    sub.add_argument("--with-prices", action="store_true", help="show prices and costs; without it no file has any")
    text = "add design-live.html, the workbook's formulas in one page that recalculates offline"
    sub.add_argument("--live", dest="live_page", action="store_true", help=text)
    text = "add that page in another language: a file with its texts (see docs/page.md)"
    sub.add_argument("--texts", metavar="FILE.json", help=text)
    text = "add five slides with native charts, NAME slides.pptx (needs the extra [slides])"
    sub.add_argument("--slides", action="store_true", help=text)
    text = "without prices: include a cell whose content is in no release, such as Sizing!D70; repeatable"
    sub.add_argument("--keep", action="append", default=[], metavar="CELL", help=text)
    text = "company, logo and colours of the document (default: theme.toml beside the workbook)"
    sub.add_argument("--theme", metavar="FILE", help=text)


def _engine_help(name: str) -> str:
    """Return the help on --engine."""
    known = f"{KERNEL} (default) on a saved workbook; {EXCEL} or {LIBREOFFICE}: the workbook open there"
    slow = f"; {FORMUALIZER}: slow, for cells outside the kernel's list, not Excel's rounding"
    return known + slow if name in COMPUTED else known


def _check_engine(options: argparse.Namespace, known: Sequence[str]) -> None:
    if options.engine not in known:
        raise RequestError(f"--engine {options.engine}: expected one of {', '.join(known)}. Choose one.")


def _opened(options: argparse.Namespace) -> SizingBook:
    """Return the workbook, saved or open, with the engine that computes it."""
    engine = options.engine
    _check_engine(options, (KERNEL, EXCEL, LIBREOFFICE, *((FORMUALIZER,) if options.command in COMPUTED else ())))
    result_sheet.check_running(options)
    if engine in (EXCEL, LIBREOFFICE):
        return documents.read(engine, str(options.book) if options.book else None, options.pipe)
    if options.book is None:
        raise RequestError("no workbook is named. Give the path of one, or --engine excel or libreoffice.")
    book = open_book(options.book)
    if engine == FORMUALIZER:
        from addin.computing.formualizer_engine import formualizer_for  # and with it numpy

        return replace(book, engine=formualizer_for(book.path))
    return book


def _run(options: argparse.Namespace) -> int:
    if options.command in install_commands.NAMES:
        return install_commands.run(options)
    if options.command == new_command.NAME:
        return new_command.run(options)
    if options.command in diff_command.NAMES:
        return diff_command.run(options)
    if stored_file.wanted(options) and not result_sheet.wanted(options):
        return stored_file.run(options)
    if options.command == "explain" and options.name is None and options.engine in (EXCEL, LIBREOFFICE):
        options.book, options.name = None, options.book and str(options.book)  # a single word is NAME
    if options.command == measure_command.MEASURE:
        measure_command.words(options)
    if result_sheet.wanted(options):
        _check_engine(options, (KERNEL, EXCEL, LIBREOFFICE))
        result_sheet.check_running(options)
        if options.command == measure_command.MEASURE:
            return measure_command.on_a_sheet(options)
        return result_sheet.run(options, FILE if options.engine == KERNEL else options.engine)
    with Waiting(options.command) as options.waiting:
        book = in_currency(_opened(options), getattr(options, "settings", ()))
        if options.command not in LISTS:
            check_moves(book)
        return int(options.run(book, options))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; errors are one line on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        result_sheet.check_name(given)
        return _run(parser().parse_args([word for word in given if word != DEBUG]))
    except ReportedError as error:
        print(f"error: {squashed(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("error: interrupted before the first results.", file=sys.stderr)
        return 2
    except Exception as error:  # an unexpected error is one line as well
        if DEBUG in given:
            raise
        if room := no_room(error):
            print(f"error: {room[0]}. {room[1].capitalize()} and run again.", file=sys.stderr)
            return 2
        said = f"{type(error).__name__}: {one_line(error)}"
        print(f"error: stopped by an internal error, {said}. Report it with what {DEBUG} prints.", file=sys.stderr)
        return 2
