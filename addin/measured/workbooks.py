"""Inventories as workbooks or as csv: their tabs as rows by the names of their columns, with limits against bombs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from addin.measured import texts
from addin.measured.records import fault, quoted
from addin.reported import ReportedError
from addin.xlsx import limits

MOST_ROWS, MOST_COLUMNS = 200_000, 1_000  # of a tab
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

    def text(self, *names: str) -> str:
        """Return the first of some columns as text, empty where none is there."""
        value = self._first(names)
        return "" if value is None else str(value).strip()

    def figure(self, *names: str) -> float | None:
        """Return the first of some columns as a number, thousands separated or not; None where none is there.

        Raises RequestError for a text that is no number.
        """
        value = self._first(names)
        if value is None or isinstance(value, bool):
            return None
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip()
        if not text:
            return None
        plain = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
        try:
            return float(plain)
        except ValueError:
            column = next(name for name in names if name in self.cells)
            raise fault(
                self.path, f"{self.tab}: {quoted(text)} is no number", "Export it again", self.number, column
            ) from None

    def yes(self, name: str) -> bool:
        """Say whether a column says true."""
        return self.text(name).casefold() in ("true", "yes", "1")

    def _first(self, names: Sequence[str]) -> Cell:
        return next((self.cells[name] for name in names if self.cells.get(name) not in (None, "")), None)


def normal(head: object) -> str:
    """Return the name of a column without what differs between editions: case, ends, MB for MiB, marks of a mean."""
    text = _SPACES.sub(" ", str(head or "").strip().casefold()).replace("avg.", "avg")
    return re.sub(r"\bmb\b(?!/)", "mib", text.replace("(mib)", "mib").replace("(mb)", "mib")).strip()


def heads(path: Path) -> dict[str, list[str]]:
    """Return the columns of every tab of a workbook by normal names, those of the first row that has some.

    Raises RequestError for a package that is no workbook, and for one that unpacks to more than anybody can use.
    """
    with _opened(path) as book:
        return {sheet.title: [normal(cell) for cell in _first_row(sheet)] for sheet in book.worksheets}


def rows(path: Path, tab: str) -> Iterator[Row]:
    """Yield the rows of a tab that hold anything. Raises as `heads` does, and for a tab of too many rows."""
    with _opened(path) as book:
        sheet = next(each for each in book.worksheets if each.title == tab)
        names: list[str] = []
        for number, cells in enumerate(sheet.iter_rows(values_only=True, max_col=MOST_COLUMNS), 1):
            if number > MOST_ROWS:
                raise fault(path, f"{tab} has more than {MOST_ROWS:,} rows", "Export fewer machines", number)
            if all(cell in (None, "") for cell in cells):
                continue
            if not names:
                names = [normal(cell) for cell in cells]
                continue
            yield Row(path, tab, number, dict(zip(names, cells, strict=False)))


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
            found = f"has {len(cells)} cells, the header {len(names)}"
            raise fault(path, found, "RVTools before 4.6.1 wrote broken quotes: export it again, or as xlsx", number)
        yield Row(path, tab, number, dict(zip(names, cells, strict=True)))


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open a workbook to be read row by row. Raises RequestError for one that cannot be, while it is read too."""
    from openpyxl import load_workbook  # what reads text files does not wait for it

    book = None
    try:
        limits.read_parts(path)  # refuses a package that unpacks to too much, before anything does
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and extensions that openpyxl passes over
            book = load_workbook(path, read_only=True, data_only=True)
            yield book
    except ReportedError:
        raise
    except Exception as error:  # openpyxl and zlib raise whatever damaged parts make them raise
        found = f"cannot be read as a workbook ({type(error).__name__})"
        raise fault(path, found, "Save it anew in Excel, or export it again") from None
    finally:
        if book is not None:
            book.close()


def _first_row(sheet: Any) -> Sequence[Cell]:
    for number, cells in enumerate(sheet.iter_rows(values_only=True, max_col=MOST_COLUMNS), 1):
        if any(cell not in (None, "") for cell in cells):
            return tuple(cells)
        if number > MOST_ROWS:
            break
    return ()
