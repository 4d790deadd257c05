"""Inventories as workbooks or as csv: their tabs as rows by the names of their columns, with limits against bombs."""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from addin.errors import RequestError
from addin.measured import texts
from addin.measured.records import fault, quoted
from addin.numerals import number_of
from addin.reported import ReportedError
from addin.xlsx import limits

MOST_ROWS, MOST_COLUMNS = 200_000, 1_000  # of a tab
UNPACKED = 256 << 20  # bytes of all parts together: RVTools writes about 10 MB for 1,000 machines
_TOO_MUCH = "Export fewer machines, or the tabs vInfo, vDisk and vPartition as csv."
_HEAD = 200  # rows among which its header is
# What Excel writes by language where a csv went through it.
_TRUE = frozenset(("true", "yes", "1", "wahr", "ja", "vrai", "oui", "verdadero", "vero", "waar"))
_FALSE = frozenset(("", "false", "no", "0", "falsch", "nein", "faux", "non", "falso", "onwaar", "nee"))
# The states of a machine as vCenter, Nutanix and Hyper-V write them.
_ON = frozenset(("poweredon", "powered on", "on", "running"))
_OFF = frozenset(("poweredoff", "powered off", "off", "suspended", "paused", "saved", "stopped", "unknown"))
_DOTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SPACES = re.compile(r"\s+")
Cell = Any


@dataclass(frozen=True)
class Row:
    """A row of a tab: its number, and its cells by the normal names of their columns."""

    path: Path
    tab: str
    number: int
    cells: Mapping[str, Cell]
    doubled: frozenset[str] = frozenset()  # names that two columns have

    def text(self, *names: str) -> str:
        """Return the first of some columns as text, empty where none is there."""
        value = self._first(names)
        return "" if value is None else str(value).strip()

    def figure(self, *names: str) -> float | None:
        """Return the first of some columns as a number, thousands separated or not; None where none is there.

        Raises RequestError for a text that is no number, or may be two, and for a negative one.
        """
        value = self._first(names)
        if value is None or isinstance(value, bool):
            return None
        text = str(value).strip()
        if not text:
            return None
        column = next(name for name in names if self.cells.get(name) not in (None, ""))
        if isinstance(value, str) and _DOTS.fullmatch(text) and ("mib" in column or "memory" in column):
            raise self._refused(f"{quoted(text)}: its point may separate thousands", column)
        try:
            number = float(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self._refused(f"{quoted(text)} is no number", column)
        if number < 0:
            raise self._refused(f"{quoted(text)} is negative", column)
        return number

    def yes(self, name: str) -> bool:
        """Say whether a column says true. Raises RequestError for a word that is neither true nor false."""
        word = self.text(name).casefold()
        if word not in _TRUE | _FALSE:
            raise self._refused(f"{quoted(word)} is neither true nor false", name)
        return word in _TRUE

    def on(self, name: str, blank: bool = False) -> bool:
        """Say whether a machine is on; `blank` is the answer without a word. Raises RequestError for another word."""
        word = self.text(name).casefold()
        if word and word not in _ON | _OFF:
            raise self._refused(f"{quoted(self.text(name))} is no state of a machine, such as poweredOn", name)
        return word in _ON if word else blank

    def _first(self, names: Sequence[str]) -> Cell:
        found = next((name for name in names if self.cells.get(name) not in (None, "")), None)
        if found in self.doubled:
            raise fault(self.path, f"{self.tab}: two columns are called {found!r}", "Leave one out", 1, str(found))
        return None if found is None else self.cells[found]

    def _refused(self, found: str, column: str) -> RequestError:
        advice = "Export it again with English numbers and words"
        return fault(self.path, f"{self.tab}: {found}", advice, self.number, column)


def normal(head: object) -> str:
    """Return the name of a column without what differs between editions: case, ends, MB for MiB, marks of a mean."""
    text = _SPACES.sub(" ", str(head or "").strip().casefold()).replace("avg.", "avg")
    return re.sub(r"\bmb\b(?!/)", "mib", text.replace("(mib)", "mib").replace("(mb)", "mib")).strip()


def heads(path: Path) -> dict[str, list[str]]:
    """Return the columns of every tab of a workbook by normal names, those of the first row that has some.

    Raises RequestError for a package that is no workbook, and for one that unpacks to more than anybody can use.
    """
    with _opened(path) as book:
        return {sheet.title: [normal(cell) for cell in _first_row(sheet)[1]] for sheet in book.worksheets}


def rows(path: Path, tab: str) -> Iterator[Row]:
    """Yield the rows of a tab that hold anything. Raises as `heads` does, and for a tab of too many rows."""
    with _opened(path) as book:
        sheet = next(each for each in book.worksheets if each.title == tab)
        first, head = _first_row(sheet)
        names = [normal(cell) for cell in head]
        doubled = _doubled(names)
        with closing(sheet.iter_rows(values_only=True, min_row=first + 1, max_col=max(len(names), 1))) as below:
            for number, cells in enumerate(below, first + 1):
                if number > MOST_ROWS:
                    raise fault(path, f"{tab} has more than {MOST_ROWS:,} rows", "Export fewer machines", number)
                if any(cell not in (None, "") for cell in cells):
                    yield Row(path, tab, number, dict(zip(names, cells, strict=False)), doubled)


def csv_rows(path: Path, encoding: str, tab: str) -> Iterator[Row]:
    """Yield the rows of a csv that hold anything."""
    delimiter = texts.delimiter_of(texts.first_line(path, encoding))
    names: list[str] = []
    for number, cells in texts.rows(path, encoding, delimiter):
        if not any(cell.strip() for cell in cells):
            continue
        if not names:
            names = [normal(cell) for cell in cells]
            continue
        if len(cells) != len(names):
            found = f"has {number_of(len(cells), 'cell')}, the header {len(names)}"
            raise fault(path, found, "RVTools before 4.6.1 wrote broken quotes: export it again, or as xlsx", number)
        yield Row(path, tab, number, dict(zip(names, cells, strict=True)), _doubled(names))


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open a workbook to be read row by row. Raises RequestError for one that cannot be, while it is read too."""
    from openpyxl import load_workbook  # what reads text files does not wait for it

    book = None
    try:
        limits.check_foreign(path, UNPACKED, _TOO_MUCH)  # before anything unpacks
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and extensions that openpyxl passes over
            book = load_workbook(path, read_only=True, data_only=True)
            for sheet in book.worksheets:
                sheet.reset_dimensions()  # what a file states may be wrong: some exporters write A1
            yield book
    except ReportedError:
        raise
    except Exception as error:  # openpyxl and zlib raise whatever damaged parts make them raise
        why = "" if isinstance(error, KeyError) else f" ({type(error).__name__})"  # a part that it needs is not there
        found = f"is not an Excel workbook, or a damaged one{why}"
        raise fault(path, found, "Save it anew in Excel, or export it again") from None
    finally:
        if book is not None:
            book.close()


def _first_row(sheet: Any) -> tuple[int, Sequence[Cell]]:
    """Return number and cells of the first row that holds something, without blank ones at its end."""
    with closing(sheet.iter_rows(values_only=True, max_row=_HEAD, max_col=MOST_COLUMNS)) as rows_above:
        for number, cells in enumerate(rows_above, 1):
            filled = [at for at, cell in enumerate(cells, 1) if cell not in (None, "")]
            if filled:
                return number, tuple(cells[: filled[-1]])
    return _HEAD, ()


def _doubled(names: Sequence[str]) -> frozenset[str]:
    """Return the names that two columns have."""
    return frozenset(name for name, count in Counter(names).items() if name and count > 1)
