"""A drawn sheet put into an open workbook by the application that holds it: whole or not at all.

    drawn package -> temporary workbook -> opened beside the user's -> its sheet copied over -> closed and deleted

The old sheet goes only when the new one is in place. Nothing else changes: active sheet (unless the new one is to come
to the front), selection, screen updating and alerts are put back on success and on failure; calculation mode and
protection are never touched. Calc does all of it in one turn, between two of the user's keys, and takes it back with
one Undo. What a busy Excel leaves half done is taken back with more patience than it was begun with.
"""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, groupby
from pathlib import Path

import xlwings as xw

from addin import excel
from addin.errors import AddinError, BookError, RequestError
from addin.kernel import Cells
from addin.workbook.references import Readers, lost, readers, referring, repoint
from addin.xlsx.package import packed, write_parts

_IN_ONE_TURN = "libreoffice"  # the engine whose workbooks put a sheet in by themselves
Written = tuple[int, int, str]  # row, column, formula
# Excel on macOS asks for every file outside its own folder whether it may open it.
_MAC_FOLDER = Path("Library/Containers/com.microsoft.Excel/Data")


def check(book: xw.Book, title: str, heading: str) -> None:
    """Raise RequestError where a sheet of that title is the user's own: its first cell does not hold our heading."""
    sheet = _sheet(book, title)
    if sheet is not None and sheet.range("A1").value != heading:
        raise RequestError(
            f"{book.name}: the sheet {sheet.name!r} was not made by this program. Rename it, then run this again."
        )


def insert_sheet(
    book: xw.Book,
    package: Mapping[str, bytes],
    title: str,
    heading: str,
    known: Cells,
    live: Sequence[Written] = (),
    *,
    show: bool = False,
) -> str:
    """Put the one sheet of a drawn package into a workbook, in place of its namesake or last; say where it is.

    `known` is the workbook as it was read: what refers to the old sheet refers to the new one afterwards. `live` are
    cells of the sheet that read the rest of the workbook: written once it is there, or they would be links to a file.
    `show` brings the sheet to the front.
    Raises RequestError as `check` does and BookError where the application refuses, with the workbook as it was.
    """
    check(book, title, heading)
    with uninterrupted(), refusals(book, f"the sheet {title!r} could not be put in"):
        if book.app.engine.name == _IN_ONE_TURN:
            label, readers_of_old = f"VDI Sizing: {title}", referring(known, title)
            left = book.impl.put_in(packed(package), title, readers_of_old, list(_blocks(live)), label, show)
            return f"see the sheet {title}.{lost(left)}"
        return f"see the sheet {title}.{_step_by_step(book, package, title, known, live, show)}"


def _step_by_step(
    book: xw.Book, package: Mapping[str, bytes], title: str, known: Cells, live: Sequence[Written], show: bool
) -> str:
    """Put a sheet in by way of a file that the application opens; return a sentence on what could not follow."""
    name, folder = book.name, Path(tempfile.mkdtemp(prefix="vdi-sizing-", dir=_scratch(book)))
    drawn = folder / f"{folder.name}.xlsx"
    try:
        write_parts(drawn, package)
        there = _selected(book) if show else None
        with undisturbed(book, title):
            unfollowed = _copy(book, drawn, title, known, live)
        if show and _selected(book) == there:  # who has moved on meanwhile types the next key there
            _show(book, title, None)
        return unfollowed
    except (excel.ExcelBusy, excel.ExcelClosed):
        raise
    except AddinError as error:  # an engine names the workbook that it copies from, which the user never sees
        raise BookError(str(error).replace(str(drawn), name).replace(drawn.name, name)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy(book: xw.Book, drawn: Path, title: str, known: Cells, live: Sequence[Written]) -> str:
    """Copy the drawn sheet over under its own name, so that charts keep their references; then the old one goes.

    Return a sentence on what could not follow from the old sheet to the new one.
    """
    old, front = _sheet(book, title), book.sheets.active.name
    before = old.name if old is not None else ""
    following = readers(book, known, before) if old is not None else Readers((), ())
    aside = _free(book, title)
    source = book.app.books.open(str(drawn))
    try:
        try:
            if old is not None:
                old.name = aside
            new = source.sheets[0].copy(after=old or book.sheets[-1])
        finally:
            with excel.patience(excel.PATIENCE_S):
                source.close()
        _write(new, live)
        unfollowed = repoint(book, following, aside)
        if old is not None:
            old.delete()
        return unfollowed
    except BaseException:
        try:
            with excel.patience(excel.PATIENCE_S):
                _take_back(book, title, before, aside, front, following)
        except excel.ExcelBusy as busy:
            raise BookError(
                f"Excel stayed busy while a sheet was exchanged. Where there is a sheet {aside!r}, delete {title!r} "
                "and rename that one."
            ) from busy
        raise


def _take_back(book: xw.Book, title: str, before: str, aside: str, front: str, following: Readers) -> None:
    """Give the old sheet its name and its readers back, if there is one, and remove the new one, if it came.

    The sheet `front` comes back to the front where the new one is there, or the application would choose another.
    """
    old, new = _sheet(book, aside), _sheet(book, title)
    if before and old is None:  # not yet renamed, or already gone: the workbook is whole
        return
    leaving = _free(book, title)
    if new is not None:
        new.name = leaving
    if old is not None:
        old.name = before
        repoint(book, following, leaving)
    if new is not None:
        if book.sheets.active.name == new.name:
            _show(book, front, None)
        new.delete()


def _write(sheet: xw.Sheet, live: Sequence[Written]) -> None:
    """Write formulas."""
    for row, column, formulas in _blocks(live):
        area = sheet.range((row, column), (row + len(formulas) - 1, column))
        area.formula = [[formula] for formula in formulas]


def _blocks(live: Sequence[Written]) -> Iterator[tuple[int, int, list[str]]]:
    """Yield row, column and formulas of those below each other: an application takes a block as fast as a cell."""
    ordered = sorted(live, key=lambda cell: (cell[1], cell[0]))
    for _, run in groupby(enumerate(ordered), key=lambda pair: (pair[1][1], pair[1][0] - pair[0])):
        block = [cell for _, cell in run]
        (row, column, _), *_ = block
        yield row, column, [formula for _, _, formula in block]


def _free(book: xw.Book, title: str) -> str:
    taken = {sheet.name.casefold() for sheet in book.sheets}
    return next(name for n in count(1) if (name := f"{title} before {n}").casefold() not in taken)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C pass unheard: what takes a moment is done whole."""
    if threading.current_thread() is not threading.main_thread():  # which alone hears it
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


@contextmanager
def undisturbed(book: xw.Book, title: str) -> Iterator[None]:
    """Put active workbook, active sheet, selection, screen updating and alerts back where they were.

    What somebody has chosen meanwhile stays: only the sheet `title`, which is put in, and a workbook that was opened
    for it are left again, and only then cells are selected.
    """
    app = book.app
    app.engine.activate()  # xlwings activates sheets of the active engine only
    front, sheet = app.books.active, book.sheets.active.name
    selected = book.selection
    address = selected.address if selected is not None else None
    updating, alerts = app.screen_updating, app.display_alerts
    try:
        app.screen_updating = False
        yield
    finally:
        try:
            with excel.patience(excel.PATIENCE_S):
                if is_open(book):
                    try:
                        now = book.sheets.active.name
                        if title.casefold() in (sheet.casefold(), now.casefold() if now != sheet else ""):
                            _show(book, sheet, address)
                        if front.name != book.name and app.books.active.name != front.name:
                            front.activate()
                    finally:
                        app.screen_updating, app.display_alerts = updating, alerts
        except Exception as error:  # the sheet is in: an application that keeps its focus is no failure of it
            print(f"{sheet} is not in front again: {error}", file=sys.stderr)


def _selected(book: xw.Book) -> tuple[str, str]:
    """Return the sheet in front and the cells selected on it."""
    selected = book.selection
    return book.sheets.active.name, selected.address if selected is not None else ""


def _show(book: xw.Book, title: str, address: str | None) -> None:
    """Bring a sheet to the front and select cells of it."""
    sheet = _sheet(book, title)
    if sheet is not None:
        sheet.activate()
        if address is not None:
            sheet.range(address).select()


@contextmanager
def refusals(book: xw.Book, what: str) -> Iterator[None]:
    """Say in the user's words what an application does not let happen. Raises BookError; our own errors pass."""
    name = book.name
    try:
        yield
    except AddinError:
        raise
    except Exception as error:
        if excel.code(error) is None and not is_open(book):  # Excel itself says whether it was closed
            raise BookError(
                f"{name}: was closed, or its application ended; {what}. Open the workbook and run this again."
            ) from error
        raise BookError(
            f"{name}: {what}; the application answered: {_first_line(error)} If the workbook's structure is protected, "
            "unprotect it; if a cell is being edited, finish with Enter. Then run this again."
        ) from error


def is_open(book: xw.Book) -> bool:
    """Say whether the application still holds the workbook. Raises ExcelBusy where that cannot be known."""
    try:
        return book.name in [other.name for other in book.app.books]
    except excel.ExcelBusy:
        raise
    except Exception:
        return False


def _sheet(book: xw.Book, title: str) -> xw.Sheet | None:
    return next((sheet for sheet in book.sheets if sheet.name.casefold() == title.casefold()), None)


def _scratch(book: xw.Book) -> Path | None:
    """Return the folder for the temporary workbook; None where any will do."""
    own = Path.home() / _MAC_FOLDER
    return own if sys.platform == "darwin" and book.app.engine.name == "excel" and own.is_dir() else None


def _first_line(error: Exception) -> str:
    text = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__).strip()
    return text if text.endswith(".") else f"{text}."
