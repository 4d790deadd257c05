"""`audit BOOK --stored`: what an application stored in a saved file against the kernel, as one file beside it."""

from __future__ import annotations

import argparse
from pathlib import Path

from addin.errors import BookError, RequestError
from addin.kernel import Address, Cells, KernelError
from addin.numerals import numeral
from addin.running.documents import KERNEL
from addin.workbook.book import REQUIRED, load, open_book
from addin.xlsx.package import write_atomically

ENDING = " stored.txt"


def wanted(options: argparse.Namespace) -> bool:
    """Return whether a command line asks for the file."""
    return bool(getattr(options, "stored", False))


def run(options: argparse.Namespace) -> int:
    """Write the file and print its path; exit 1 where a result differs or is missing.

    Raises RequestError for another engine, another form of the result, a workbook that no application computed, and a
    file of that name that is not ours; BookError as `load`.
    """
    from addin.shell.proof import HEADING, proof  # and with it openpyxl

    if options.engine != KERNEL or options.book is None:
        raise RequestError("--stored: reads a saved file. Save the workbook and give its path.")
    if options.json:
        raise RequestError("--stored: writes a file of text. Leave --json out.")
    cells, money = _read(options.book)
    made = proof(options.book, cells, money)
    if not made.stored:
        raise RequestError(
            f"{options.book.name}: stores no result beside its formulas; expected those of an application. "
            "Open it in Excel or LibreOffice, save it there, and run this again."
        )
    target = options.book.with_name(f"{options.book.stem}{ENDING}")
    _check(target, HEADING)
    write_atomically(target, made.text.encode())
    print(f"{numeral(made.stored)} stored results, {numeral(made.differing)} differ from the kernel: {target}")
    if made.without:
        print(f"{numeral(made.without)} formulas have no stored result. Compute all (Ctrl+Alt+F9 in Excel) and save.")
    print("It has the cells that differ, no amount of money. Read it, then attach it to an issue.")
    return 1 if made.differing or made.without else 0


def _read(path: Path) -> tuple[Cells, frozenset[Address]]:
    """Return the cells of any workbook, and of a sizing workbook those about money."""
    from addin.prices import without_prices

    workbook = load(path)
    if any(name in workbook.defined_names for name in REQUIRED):
        book = open_book(path)
        return book.cells, without_prices(book).hidden
    try:
        return Cells.from_openpyxl(workbook), frozenset()
    except KernelError as error:
        raise BookError(f"{path.name}: {error}") from None


def _check(target: Path, heading: str) -> None:
    """Raise RequestError for a file that this command did not write."""
    try:
        with target.open("rb") as stream:
            ours = stream.read(len(heading)) == heading.encode()
    except FileNotFoundError:
        return
    except OSError as error:
        raise RequestError(f"{target}: cannot be replaced ({error.strerror}). Move it away, and run again.") from None
    if target.is_symlink() or not ours:
        raise RequestError(f"{target}: is no file of this command. Move it away, and run again.")
