"""`python -m addin diff OLD NEW` and `text BOOK`: what differs between two copies, also as git asks for it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from addin.errors import RequestError
from addin.reported import ReportedError, squashed
from addin.shell.waiting import Waiting
from addin.workbook.book import SizingBook, load, open_book

NAMES = ("diff", "text")
_GIT = (7, 9)  # words that git gives to an external diff; two more for a file that was renamed
_NOWHERE = (os.devnull, "/dev/null", "nul")  # what git names in place of a file that is not there


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser], program: str) -> None:
    """Add the two to a command line."""
    text = "Say what differs between two copies of a workbook, and what each changed input did to the results."
    sub = commands.add_parser(
        "diff",
        help=text,
        description=f"{text} Exit 0: nothing differs, 1: something does, 2: they cannot be compared.",
        usage=f"{program} diff OLD NEW [options]",
        epilog=f"example: {program} diff monday.xlsx friday.xlsx --bridge npv",
    )
    sub.add_argument("books", type=Path, nargs="*", metavar="OLD NEW", help="paths of the two copies")
    sub.add_argument(
        "--bridge",
        dest="bridges",
        action="append",
        default=[],
        metavar="KEY",
        help="a result to go from old to new input by input (default: npv, cost_per_desktop, arrays_required, where "
        "they moved); repeatable",
    )
    sub.add_argument("--full", action="store_true", help="print every finding")
    sub.add_argument("--json", action="store_true", help="print JSON")
    text = "write a copy of NEW with the differences and the bridges as sheet Changes"
    sub.add_argument("--save", type=Path, metavar="OUT.xlsx", help=text)
    text = "for git: take the seven words of an external diff driver, exit 0"
    sub.add_argument("--git", action="store_true", help=text)
    text = (
        "Print names and cells of a workbook as text, a line each, formulas with their stored results: git's textconv."
    )
    sub = commands.add_parser("text", help=text, description=text, epilog=f"example: {program} text BOOK")
    sub.add_argument("book", type=Path, metavar="BOOK", help="path of the workbook")


def run(options: argparse.Namespace) -> int:
    """Run one of them. Raises ReportedError where a workbook cannot be read or computed."""
    if options.command == "text":
        return _text(options.book)
    if options.git:
        return _for_git([str(word) for word in options.books], options)
    if len(options.books) != 2:
        raise RequestError(f"diff: expected two workbooks, OLD and NEW; named: {len(options.books)}. Name both.")
    old, new = map(open_book, options.books)
    return _compared(old, new, options)


def _compared(
    old: SizingBook, new: SizingBook, options: argparse.Namespace, called: tuple[str, str] | None = None
) -> int:
    from addin.diff.bridge import bridge, wanted
    from addin.diff.compared import HEADING, SHEET, compare
    from addin.results.diff_sheet import draw
    from addin.results.saving import prepared, write
    from addin.shell import diff_text, documents

    copy = None
    if options.save is not None:
        if options.save.resolve() == old.path.resolve():
            raise RequestError(f"--save {options.save}: is OLD, which would be replaced. Name a file of its own.")
        copy = prepared(new, options.save, SHEET, HEADING)
    with Waiting("diff") as waiting:
        found = compare(old, new)
        bridges = [bridge(found, item, waiting.progress) for item in wanted(found, options.bridges)]
    if options.json:
        print(documents.text("diff", new, documents.difference(found, bridges)))
    else:
        print(diff_text.text(found, bridges, called, full=options.full))
    if copy is not None:
        write(copy, draw(found, bridges, copy.title))
    return 0 if found.none else 1


def _text(path: Path) -> int:
    """Print the text twin of any workbook."""
    from addin.kernel import Address, ExcelError
    from addin.xlsx.stored_results import StoredResults
    from model.twin import text_twin

    workbook = load(path)
    cells = [(ws.title, cell) for ws in workbook.worksheets for cell in ws._cells.values() if cell.data_type == "f"]
    stored = StoredResults(path).shown(Address(title, cell.row, cell.column) for title, cell in cells)
    values = {}
    for title, cell in cells:
        value = stored.get(Address(title, cell.row, cell.column), "")
        values[title, cell.coordinate] = value.value if isinstance(value, ExcelError) else value
    print(text_twin(workbook, values), end="")
    return 0


def _for_git(words: Sequence[str], options: argparse.Namespace) -> int:
    """Print what differs between the two versions of a file that git names; what cannot be compared is a line too."""
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
