"""Save a result sheet into a copy of its workbook, whole or not at all, with all checks before the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from addin.engines.file.package import Package
from addin.errors import BookError, RequestError
from addin.kernel import Address
from addin.results import freshness
from addin.results.page import Page
from addin.results.risk_sheet import HEADING, TITLE, draw
from addin.simulation import risk
from addin.simulation.report import Report
from addin.workbook.book import SizingBook, open_book
from addin.workbook.reads import Reads, joined, typed
from addin.xlsx import destination
from addin.xlsx.drawn_sheet import put_sheet
from addin.xlsx.package import PackageError, read_parts, write_parts
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.workbook_part import structure_locked


@dataclass(frozen=True)
class Copy:
    """A copy to be written: its path, the parts of the workbook, the title of the sheet, its inputs.

    `new` says that no file had its name when it was checked: then it replaces none that appears before it is written.
    """

    path: Path
    parts: dict[str, bytes]
    title: str
    read: Reads
    new: bool


def prepare(book: SizingBook, path: Path, settings: Sequence[str] = ()) -> Copy:
    """Return a copy for a simulation; raises as `prepared` does."""
    copy = prepared(book, path, TITLE, HEADING)
    return replace(copy, read=joined(typed(book, book.settings(settings)), risk.reads(book)))


def check_free(book: SizingBook, path: Path, wanted: str, heading: str) -> None:
    """Raise RequestError where a copy would replace a file that is neither the workbook itself nor such a copy."""
    if not path.is_file() or path.resolve() == book.path.resolve():
        return
    try:
        cells = open_book(path).cells
    except BookError:
        ours = False
    else:
        ours = any(
            cells.constant(Address(t, 1, 1)) == heading for t in cells.sheets if t.casefold() == wanted.casefold()
        )
    if not ours:
        raise RequestError(
            f"--save {path}: is there already, and has no sheet {wanted} of this program. Name another file."
        )


def prepared(book: SizingBook, path: Path, wanted: str, heading: str) -> Copy:
    """Read the workbook and check the target for a copy with a result sheet; write nothing.

    Raises RequestError: no such folder, another file type, open in an application, not writable, a sheet of that title
    without our heading, or a protected structure, to which Excel and Calc add no sheet either.
    """
    label = f"--save {path}"
    destination.check(path, book.path, label)
    title = next((name for name in book.cells.sheets if name.casefold() == wanted.casefold()), None)
    if title and book.cells.constant(Address(title, 1, 1)) != heading:
        raise RequestError(
            f"{label}: the sheet {title!r} of {book.path.name} was not made by this program. Rename it first."
        )
    try:
        parts = read_parts(book.path)
    except PackageError as error:
        raise RequestError(str(error)) from None
    if structure_locked(parts[WORKBOOK]):
        raise RequestError(
            f"{label}: the structure of {book.path.name} is protected, so it takes no sheet. Unprotect the workbook in "
            "the spreadsheet, or leave --save out."
        )
    return Copy(path, parts, title or wanted, typed(book), not path.exists())


def save(copy: Copy, report: Report, settings: Sequence[str] = ()) -> None:
    """Write the copy with the sheet Risk, whole or not at all. Raises RequestError when the file cannot be replaced."""
    write(copy, draw(report, settings, copy.title))


def write(copy: Copy, page: Page) -> None:
    """Write the copy with a drawn sheet, whole or not at all. Raises RequestError when the file cannot be replaced."""
    freshness.add(page, copy.read)
    package = Package(put_sheet(copy.parts, page.package(), copy.title), copy.path.name)
    package.take(copy.title)
    package.write(copy.title, {(row, column): (None, formula, None) for row, column, formula in page.live})
    parts = package.flushed()
    try:
        write_parts(copy.path, parts, new=copy.new)
    except PackageError as error:
        raise RequestError(f"--save {error}") from None
