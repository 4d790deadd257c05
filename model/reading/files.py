"""Data files as text: encoding, line ends, separators, headings and the number of cells, before a cell is read."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_HIDDEN = re.compile(r"[^\n\t -~]")
NUMBER = re.compile(r"-?\d+(\.\d+)?$")
KEY = re.compile(r"[a-z][a-z0-9_]*")  # of an input or of a line: names of the workbook are made of it
_FORMULA = ("=", "+", "-", "@")
Complain = Callable[[str, str], None]


@dataclass(frozen=True)
class Row:
    """One row of a data file: where it stands, its line and its cells by heading."""

    where: str
    line: int
    cells: Mapping[str, str]

    @property
    def first(self) -> str:
        """Return its first cell, which names it."""
        return next(iter(self.cells.values()))


def shown(name: str) -> str:
    """Return a data file as complaints name it."""
    return f"model/data/{name}.csv"


def read_rows(folder: Path, name: str, expected: tuple[str, ...], complain: Complain) -> tuple[Row | None, ...] | None:
    """Return the rows of a file with exactly these headings; None for one, or for all, that cannot be read."""
    path = folder / f"{name}.csv"
    if not path.is_file():
        complain(shown(name), "the file is missing; restore it.")
        return None
    text = text_of(path.read_bytes(), shown(name), complain)
    if text is None:
        return None
    if fault := _header_fault(text.partition("\n")[0], expected):
        complain(f"{shown(name)}:1", fault)
        return None
    return tuple(_rows(text, name, expected, complain))


def text_of(data: bytes, place: str, complain: Complain) -> str | None:
    """Return a file's text, None where it cannot be decoded; faults of how it was saved are named once each."""
    if data.startswith(codecs.BOM_UTF8):
        complain(f"{place}:1", "the file starts with a byte order mark; save it as UTF-8 without one.")
        data = data.removeprefix(codecs.BOM_UTF8)
    if b"\r" in data:
        line = data.count(b"\n", 0, data.index(b"\r")) + 1
        complain(f"{place}:{line}", "the line ends in CR, as on Windows; save the file with line ends of LF alone.")
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return _printable(data.decode("utf-8"), place, complain)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        complain(f"{place}:{line}", f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8.")
        return None


def _printable(text: str, place: str, complain: Complain) -> str:
    """Return a text without the characters that nobody sees, the first of which is named."""
    hidden = [each for each in _HIDDEN.finditer(text) if unicodedata.category(each[0]) in ("Cc", "Cf")]
    if hidden:
        line = text.count("\n", 0, hidden[0].start()) + 1
        complain(f"{place}:{line}", f"character U+{ord(hidden[0][0]):04X} cannot be seen or stored; delete it.")
    return re.sub("|".join(re.escape(each) for each in {each[0] for each in hidden}), "", text) if hidden else text


def _header_fault(line: str, columns: tuple[str, ...]) -> str:
    headings = next(csv.reader([line]), [])
    expected = f"the columns are {', '.join(columns)}."
    for separator, word in ((";", "semicolons"), ("\t", "tabs")):
        if separator in line:
            return f"the cells are separated by {word}; separate them by commas: {expected}"
    missing = [column for column in columns if column not in headings]
    extra = [column for column in headings if column not in columns]
    if missing:
        return f"column {missing[0]!r} is missing; {expected}"
    if extra:
        return f"column {extra[0]!r} is not known; {expected}"
    return "" if tuple(headings) == columns else f"the columns stand in another order or twice; {expected}"


def _rows(text: str, name: str, expected: tuple[str, ...], complain: Complain) -> Iterator[Row | None]:
    reader = csv.reader(io.StringIO(text, newline=""))
    next(reader)
    last = reader.line_num
    for cells in reader:
        line, last = last + 1, reader.line_num
        where = f"{shown(name)}:{line} ({cells[0].partition(chr(10))[0]})" if cells else f"{shown(name)}:{line}"
        if len(cells) != len(expected):
            complain(where, _count_fault(len(cells), len(expected)))
            yield None
            continue
        for heading, cell in zip(expected, cells, strict=True):
            if cell.startswith(_FORMULA) and not NUMBER.match(cell):
                fault = f"column {heading!r} starts with {cell[0]!r}; data holds no formulas: reword the text."
                complain(where, fault)
            if cell != cell.strip():
                complain(where, f"column {heading!r} begins or ends with a space; delete it.")
            if "\n" in cell:
                complain(where, f"column {heading!r} holds a line break; close its quote or write one line.")
        yield None if any("\n" in cell for cell in cells) else Row(where, line, dict(zip(expected, cells, strict=True)))


def _count_fault(found: int, expected: int) -> str:
    """Return what is wrong with a row that has too few or too many cells."""
    if not found:
        return "the line is blank; delete it."
    if found == 2 * expected - 1:  # the last cell of one and the first of the other are one cell
        return f"{found} cells where {expected} are expected: two rows in one line; begin the second on its own."
    return f"{found} cells where {expected} are expected; check commas and quotes."
