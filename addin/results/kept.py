"""A drawn sheet that a busy Excel does not take: kept, put in again for a minute, then saved as a file.

Before a second try, what the run has read is compared with the workbook: what somebody typed meanwhile stays, and the
message says that the sheet was computed from the values before.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import xlwings as xw

from addin import excel
from addin.errors import AddinError, BookError
from addin.kernel import Scalar
from addin.reported import one_line
from addin.results import folders, freshness
from addin.results.page import STATE_ROW, Page
from addin.workbook import insertion, live
from addin.workbook.book import SizingBook
from addin.workbook.reads import Reads
from addin.xlsx.package import PackageError, write_parts

TRIES, EACH_S = 6, 10.0  # a minute for an Excel that is busy all the time
_SAME = 1e-9  # what Excel and the kernel may differ by
_SHOWN = 3


def put_in(book: xw.Book, page: Page, heading: str, sizing: SizingBook, read: Reads, shows: Callable[[], bool]) -> str:
    """Put a drawn sheet into an open workbook, with the inputs that it was computed for; return where it is.

    `shows` returns whether it comes to the front. Raises as `insertion.insert_sheet` does; where that happens in Excel,
    the sheet is in a file, which the error names.
    """
    when = freshness.clock()
    freshness.add(page, read, when)
    package, title = page.package(), page.ws.title

    def put() -> str:
        return insertion.insert_sheet(book, package, title, heading, sizing.cells, page.live, show=shows())

    if live.in_excel(sizing):
        try:
            return _in_time(put, lambda: _typed(book, read))
        except Exception as error:  # whatever Excel raises, the result is there
            path = _saved(page, sizing.path, f"Computed {when} for {sizing.path.name}, into which it was not put")
            reason = (
                error if isinstance(error, AddinError) else f"{sizing.path.name}: Excel refused: {one_line(error)}."
            )
            raise BookError(f"{reason} The sheet {title!r} is kept: it is saved as {path}.") from error
    return put()


def _in_time(put: Callable[[], str], typed: Callable[[], str]) -> str:
    """Return what `put` returns, with what was `typed` before a second try. Raises ExcelBusy after the last one."""
    end, said = time.monotonic() + excel.PATIENCE_S, ""
    for left in reversed(range(TRIES)):
        try:
            with excel.patience(EACH_S):
                said = typed() if left < TRIES - 1 else ""
                return f"{put()}{said}"
        except excel.ExcelBusy:
            if not left or time.monotonic() > end:
                raise
    raise AssertionError("unreachable")


def _typed(book: xw.Book, read: Reads) -> str:
    """Say which inputs differ from those that were read."""
    with insertion.refusals(book, "it could not be read again"):
        now = live.values(book, [*(each.address for each in read.filled), *read.blank])
    changed = [each.label for each in read.filled if not _same(each.value, now.get(each.address))]
    changed += [at.a1 for at in read.blank if at in now]
    if not changed:
        return ""
    more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
    return (
        f" Typed while Excel was busy, and left as typed: {', '.join(changed[:_SHOWN])}{more}. The sheet is of the "
        "values before: run this again."
    )


def _same(then: Scalar, now: Scalar) -> bool:
    if isinstance(then, float) and isinstance(now, float):
        return math.isclose(then, now, rel_tol=_SAME)
    return then == now


def _saved(page: Page, workbook: Path, state: str) -> Path:
    """Save a drawn sheet alone, beside its workbook or where else a file can be written; return the file.

    Raises BookError where no folder takes it.
    """
    page.line(STATE_ROW, state, "master")
    package = page.package()
    for folder in (folders.beside(workbook), Path.home(), Path(tempfile.gettempdir())):
        names = (f"{workbook.stem} - {page.ws.title}{f' {number}' * (number > 1)}.xlsx" for number in count(1))
        path = next(path for path in (folder / name for name in names) if not path.exists())
        try:
            write_parts(path, package, new=True)
            return path
        except (PackageError, OSError) as error:
            refused = error
    raise BookError(f"{workbook.name}: the sheet {page.ws.title!r} could not be saved either ({refused}). Make room.")
