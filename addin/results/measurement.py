"""A customer's own files measured for an open workbook: a copy that gets the demand, and the sheet Measurement.

The copy is a new file beside the workbook: its file, what is typed in it now, and what `measure --save` writes.
The workbook itself gets the sheet alone.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from addin.buttons import COMMANDS
from addin.errors import RequestError
from addin.measured.against import Against, Sized, against
from addin.measured.against_types import with_types
from addin.measured.request import Request
from addin.measured.study import Study, study
from addin.numerals import number_of
from addin.results import (
    against_sections,
    applying,
    folders,
    measure_options,
    measured_next,
    measured_sections,
    measuring,
    sized,
)
from addin.results.measured_sections import Section
from addin.results.page import Page
from addin.results.table_sheets import FROZEN, provenance, section
from addin.results.unsaved import Unsaved, unsaved
from addin.simulation.runs import Progress
from addin.workbook import reads
from addin.workbook.book import SizingBook
from addin.workbook.reads import Reads
from addin.xlsx.parts import Parts

TITLE = COMMANDS["measure"].sheet
HEADING = "Measurement: a customer's own estate, and the copy that has its demand"
_WIDTHS = (34.0, *(15.0,) * 12, 22.0)


@dataclass(frozen=True)
class Asked:
    """What is to be measured, for which workbook, and where the copy goes."""

    book: SizingBook
    request: Request
    design: Sized | None
    row: str | None
    target: Path
    unsaved: Unsaved

    @property
    def read(self) -> Reads:
        """The inputs that the figures depend on."""
        return reads.typed(self.book) if self.design else reads.of(self.book, *measure_options.READ)


@dataclass(frozen=True)
class Measured:
    """What was found: the drawn sheet, the parts of the copy, in words what it was measured on and where that went."""

    page: Page
    copy: Parts
    found: str
    where: str


def asked(book: SizingBook, files: Sequence[str | Path], options: argparse.Namespace | str, save: Path | None) -> Asked:
    """Return what is to be measured, all of it checked before a file is read. Raises RequestError."""
    if not files:
        raise RequestError("measure: no file is named. Name those that the customer's tools wrote, or their folder.")
    typed = measure_options.of_line(options, book.path.parent) if isinstance(options, str) else options
    since = unsaved(book)
    target = save or _free(book.path)
    applying.check(book, target, f"--save {save}" if save else str(target))
    request = measure_options.request(book, [Path(each) for each in files], typed)
    design = sized.sized(book, typed.sized or sized.BASE) if typed.against else None
    return Asked(book, request, design, typed.row, target, since)


def _free(workbook: Path) -> Path:
    """Return the path of a copy that no file has, beside the workbook or where else one can be written."""
    places = (workbook.parent, folders.beside(Path()), Path.home())
    folder = next((each for each in places if os.access(each, os.W_OK)), workbook.parent)
    names = (f"{workbook.stem} measured{f' {number}' * (number > 1)}{workbook.suffix}" for number in count(1))
    return next(path for path in (folder / name for name in names) if not path.exists())


def measured(wanted: Asked, progress: Progress) -> Measured:
    """Read the files, draw the sheet and make the copy; nothing is written. Raises RequestError."""
    with ThreadPoolExecutor() as executor:
        found = study(wanted.request, progress, executor)
    held = with_types(against(found, wanted.design), found) if wanted.design else None
    written = measuring.profile(wanted.book, wanted.row, found, wanted.request, held)
    changes = [*wanted.unsaved.changes, *written.changes, *written.tab.changes]
    page = _page(wanted, found, held, written)
    return Measured(page, applying.made(wanted.book, changes), _answer(found), written.where)


def _answer(found: Study) -> str:
    if found.phases:
        return f"{found.source[0].upper()}{found.source[1:]}, {found.span}"
    machines = sum(group.machines for group in found.groups)
    return f"{number_of(machines, 'machine')} in {number_of(len(found.groups), 'group')}; inventories have no IOPS"


def _page(wanted: Asked, found: Study, held: Against | None, written: measuring.Written) -> Page:
    """Return the sheet Measurement."""
    page = Page(TITLE, _WIDTHS)
    row = page.head(HEADING, f"{_answer(found)}: in {wanted.target.name}", FROZEN)
    beside = wanted.target.parent == wanted.book.path.parent
    copy = f"{wanted.target.name}, beside this workbook" if beside else str(wanted.target)
    after = measured_next.steps(wanted.book, found, written.title, written.changes)
    lines = [f"{copy}: open it to size with what was measured", *written.words, *wanted.unsaved.words, *after]
    row = section(page, row, Section("The copy that has the demand", tuple(lines)))
    for each in (*measured_sections.sections(found), *(against_sections.sections(held) if held else ())):
        row = section(page, row, each)
    row = section(
        page, row, Section("What the copy has that this workbook has not", measured_sections.written(written.changes))
    )
    page.pairs(row, "Where these figures come from", provenance(wanted.book))
    return page
