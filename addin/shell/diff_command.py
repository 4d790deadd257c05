"""`python -m addin diff OLD NEW` and `text BOOK`: the differences between two copies, also for git."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from addin.buttons import COMMANDS
from addin.console import path_of, program
from addin.errors import RequestError
from addin.reported import ReportedError, squashed
from addin.running import documents
from addin.running.documents import EXCEL, FILE, KERNEL, LIBREOFFICE
from addin.shell import result_sheet
from addin.shell.waiting import Waiting
from addin.workbook.book import SizingBook, load, open_book

NAMES = ("diff", "text")
_GIT = (7, 9)  # arguments of git for an external diff; two more for a renamed file
_NOWHERE = (os.devnull, "/dev/null", "nul")  # git names one of these in place of a missing file


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the two commands to a command line."""
    text = COMMANDS["diff"].summary
    codes = "Exit 0: nothing differs, 1: something does, 2: they cannot be compared."
    epilog = f"example: {program()} diff monday.xlsx friday.xlsx --bridge npv. {codes}"
    usage = f"{program()} diff OLD NEW [options]"
    sub = commands.add_parser("diff", help=text, description=text, usage=usage, epilog=epilog)
    text = "paths of the two copies; with --engine excel or libreoffice NEW is the name of an open one (default: the "
    sub.add_argument("books", type=path_of, nargs="*", metavar="OLD NEW", help=f"{text}active one)")
    text = f"{KERNEL} (default): both are saved; {EXCEL} or {LIBREOFFICE}: NEW is open there"
    sub.add_argument("--engine", default=KERNEL, metavar="NAME", help=text)
    result_sheet.add_application(sub)
    result_sheet.add(sub, "diff")
    text = "a result to go from old to new input by input (default: npv, cost_per_desktop, arrays_required, where they "
    text += "moved); repeatable"
    sub.add_argument("--bridge", dest="bridges", action="append", default=[], metavar="KEY", help=text)
    sub.add_argument("--full", action="store_true", help="print every finding")
    sub.add_argument("--json", action="store_true", help="print JSON")
    text = "write a copy of NEW with the differences and the bridges as sheet Changes"
    sub.add_argument("--save", type=path_of, metavar="OUT.xlsx", help=text)
    text = "for git: take the seven words of an external diff driver, exit 0"
    sub.add_argument("--git", action="store_true", help=text)
    text = (
        "Print names and cells of a workbook as text, a line each, formulas with their stored results: git's textconv."
    )
    sub = commands.add_parser("text", help=text, description=text, epilog=f"example: {program()} text BOOK")
    sub.add_argument("book", type=path_of, metavar="BOOK", help="path of the workbook")


def run(options: argparse.Namespace) -> int:
    """Run one of the two. Raises ReportedError where a workbook cannot be read or computed."""
    if options.command == "text":
        return _text(options.book)
    if options.git:
        return _for_git([str(word) for word in options.books], options)
    if options.engine not in (KERNEL, EXCEL, LIBREOFFICE):
        raise RequestError(f"--engine {options.engine}: expected {KERNEL}, {EXCEL} or {LIBREOFFICE}. Choose one.")
    result_sheet.check_running(options)
    words = list(options.books)
    asked = bool(options.token or options.sheet)
    saved = options.engine == KERNEL
    if len(words) > 2 or (len(words) < 2 and saved and not options.token) or not (words or asked):
        raise RequestError(f"diff: expected two workbooks, OLD and NEW; named: {len(words)}. Name both.")
    if asked:
        return _on_a_sheet(words, options)
    old = open_book(words[0])
    if saved:
        return _compared(old, open_book(words[1]), options)
    return _compared(old, documents.read(options.engine, str(words[1]) if words[1:] else None, options.pipe), options)


def _on_a_sheet(words: Sequence[Path], options: argparse.Namespace) -> int:
    """Put the sheet Changes into NEW as the button does; without OLD, the application shows a dialog for it."""
    options.old, options.book = [*map(str, words), None, None][:2]
    del options.books
    return result_sheet.run(options, FILE if options.engine == KERNEL else options.engine)


def _compared(
    old: SizingBook, new: SizingBook, options: argparse.Namespace, called: tuple[str, str] | None = None
) -> int:
    from addin.diff.bridge import bridge, wanted
    from addin.diff.compared import HEADING, SHEET, compare
    from addin.results.diff_sheet import draw
    from addin.results.saving import check_free, prepared, write
    from addin.shell import diff_text, json_documents
    from addin.shell.printed import warn_of_stored
    from addin.sizing.answers import headline

    copy = None
    if options.save is not None and not new.is_saved:
        raise RequestError(f"--save: copies a saved workbook. For an open one: {program()} diff OLD --sheet.")
    if options.save is not None:
        if options.save.resolve() == old.path.resolve():
            raise RequestError(f"--save {options.save}: is OLD, which would be replaced. Name a file of its own.")
        copy = prepared(new, options.save, SHEET, HEADING)
        check_free(new, options.save, SHEET, HEADING)
    with Waiting("diff") as waiting:
        for each in (old, new):
            warn_of_stored(each, headline(each))
        found = compare(old, new)
        bridges = [bridge(found, item, waiting.progress) for item in wanted(found, options.bridges)]
    if options.json:
        print(json_documents.text("diff", new, json_documents.difference(found, bridges)))
    else:
        print(diff_text.text(found, bridges, called, full=options.full))
    if copy is not None:
        write(copy, draw(found, bridges, copy.title))
    return 0 if found.none else 1


def _text(path: Path) -> int:
    """Print the text twin of any workbook."""
    from addin.kernel import Address
    from addin.xlsx.cell_values import plain_value
    from addin.xlsx.stored_results import StoredResults
    from model.twin import text_twin

    workbook = load(path)
    cells = [(ws.title, cell) for ws in workbook.worksheets for cell in ws._cells.values() if cell.data_type == "f"]
    stored = StoredResults(path).shown(Address(title, cell.row, cell.column) for title, cell in cells)
    values = {}
    for title, cell in cells:
        values[title, cell.coordinate] = plain_value(stored.get(Address(title, cell.row, cell.column), ""))
    print(text_twin(workbook, values), end="")
    return 0


def _for_git(words: Sequence[str], options: argparse.Namespace) -> int:
    """Print the differences between two versions of a file in git; a failed comparison is a line as well."""
    if len(words) not in (1, *_GIT):
        raise RequestError(
            f"diff --git: {len(words)} words; git gives seven: path, old file, hex and mode, new file, hex and mode. "
            "Set it as diff.NAME.command of git's configuration."
        )
    path = words[0]
    if len(words) == 1:
        print(f"{path}: is not merged.")
        return 0
    old, new = words[1], words[4]
    print(f"workbook {path}")
    if old in _NOWHERE or new in _NOWHERE:
        print("  new file" if old in _NOWHERE else "  removed")
        return 0
    try:
        _compared(open_book(Path(old)), open_book(Path(new)), options, (f"a/{path}", f"b/{[path, *words[7:8]][-1]}"))
    except ReportedError as error:
        print(f"  cannot be compared: {squashed(str(error))}")
    return 0
