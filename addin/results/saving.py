"""Save a simulation into a copy of its workbook, whole or not at all; what can go wrong is found before the run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from addin.engines.splice import put_sheet
from addin.errors import RequestError
from addin.kernel import Address
from addin.results.risk_sheet import HEADING, TITLE, draw
from addin.simulation.report import Report
from addin.workbook.book import Book
from model.errors import ModelError
from model.package import read_parts, write_parts

_LOCKS = (".~lock.{}#", "~${}")  # what LibreOffice and Excel leave beside an open file


@dataclass(frozen=True)
class Copy:
    """A copy to be written: where, the parts of the workbook as they were read, the title of the sheet."""

    path: Path
    parts: dict[str, bytes]
    title: str


def prepare(book: Book, path: Path) -> Copy:
    """Read the workbook and check the target; write nothing.

    Raises RequestError: no such folder, not the workbook's kind of file, open in an application, not writable, or a
    sheet Risk that no simulation made.
    """
    place = f"--save {path}"
    if path.suffix.casefold() != book.path.suffix.casefold():
        raise RequestError(f"{place}: expected a file name that ends in {book.path.suffix}, as {book.path.name} does.")
    if not path.parent.is_dir():
        raise RequestError(f"{place}: there is no folder {path.parent}. Make it, or name another.")
    if path.is_dir():
        raise RequestError(f"{place}: is a folder. Name a file in it.")
    if any((path.parent / lock.format(path.name)).exists() for lock in _LOCKS):
        raise RequestError(f"{place}: the file is open in a spreadsheet. Close it there, or name another file.")
    if not os.access(path if path.exists() else path.parent, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise RequestError(f"{place}: cannot be written. Name another file, or ask for the right to write it.")
    title = next((name for name in book.cells.sheets if name.casefold() == TITLE.casefold()), None)
    if title and book.cells.constant(Address(title, 1, 1)) != HEADING:
        raise RequestError(f"{place}: the sheet {title!r} of {book.path.name} is none of ours. Rename it first.")
    try:
        return Copy(path, read_parts(book.path), title or TITLE)
    except ModelError as error:
        raise RequestError(str(error)) from None


def save(copy: Copy, report: Report, settings: Sequence[str] = ()) -> None:
    """Write the copy with the sheet Risk, whole or not at all. Raises RequestError when the file cannot be replaced."""
    parts = put_sheet(copy.parts, draw(report, settings, copy.title), copy.title)
    try:
        write_parts(copy.path, parts)
    except (ModelError, OSError) as error:
        raise RequestError(f"--save {copy.path}: {error}") from None
