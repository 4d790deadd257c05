"""The rows of a sheet in the plain shape that most files have, found by patterns and read when a cell is needed.

A pattern is four times as fast as an XML parser with handlers, and a design needs one cell in twenty. Where the pattern
fits, the rows are well formed; the XML around them is left to a parser. A sheet of any other shape is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import lt

from addin.kernel import Address, Scalar
from addin.kernel.excel.values import ERROR_TEXTS, ExcelError
from addin.kernel.formula.cells import Held
from addin.kernel.formula.columns import LAST_COLUMN, LAST_ROW, column_number
from addin.xlsx.cell_values import read_value
from addin.xlsx.escaping import NUMBERED, unescape

_START, _END = "<sheetData>", "</sheetData>"
_PLAIN = r"[^<>&\x00-\x08\x0b-\x1f\ufffe\uffff]*+"
_TEXT = rf"{_PLAIN}(?:&(?:lt|gt|amp|quot|apos|{NUMBERED});{_PLAIN})*+"
_NUMBER = r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][-+]?0?[0-9]{1,2})?"  # always finite
_DAY = r"[1-9][0-9]{2,5}"  # most whole numbers that openpyxl turns into a date and back without a change
_CELL_START = '<c r="'
_LETTERS = re.compile(rf"{_CELL_START}([A-Z]+)")
_HELD = re.compile(
    r'[A-Z]+[0-9]+"(?: s="[0-9]+")?(?: t="([a-zA-Z]+)")?>'
    r"(?:<is><t[^<>]*>([^<]*)</t></is>|(?:<f[^<>]*>([^<]*)</f>)?(?:<v>([^<]*)</v>)?)"
)

_STYLE = re.compile(r'[A-Z]+[0-9]+" s="([0-9]+)"')


def _row_pattern(formats: int, dates: Iterable[str], shared: int) -> re.Pattern[str]:
    """Return the pattern of a row, given the number of cell formats, those of dates, and the number of shared texts.

    Its groups are the number of the row and its other attributes. It fits only cells of that row that are well formed,
    with finite numbers (days where the format is a date's) and with formats and shared texts that exist.
    """
    date, any_other = "|".join(dates) or "(?!)", _below(formats)
    plain, days = _forms(_NUMBER, _below(shared)), _forms(_DAY, _below(shared))
    cell = rf'{_CELL_START}[A-Z]{{1,3}}\1"(?:(?: s="(?!(?:{date})"){any_other}")?(?:{plain})| s="(?:{date})"(?:{days}))'
    return re.compile(rf'<row r="([1-9][0-9]{{0,6}})"([^<>]*+)>(?:(?<=/>)|(?:{cell})*+</row>)')


def _forms(number: str, text: str) -> str:
    """Return the pattern of the rest of a cell after its format."""
    formula = rf'<f(?: aca="false")?>(?!<){_TEXT}</f>(?:<v>{_TEXT}</v>|<v ?/>)?'

    def kind(held: str) -> str:
        return rf" ?/>|>(?:{formula}|<v>(?:{held})?</v>|<v ?/>)?</c>"

    kinds = (
        rf'inlineStr"(?:>(?:<is><t(?: xml:space="preserve")?>(?!=){_TEXT}</t></is>)?</c>| ?/>)',
        rf'(?:str|e)"(?:{kind(f"(?!=){_TEXT}")})',
        rf'n"(?:{kind(number)})',
        rf'b"(?:{kind("[01]")})',
        rf's"(?: ?/>|><v>{text}</v></c>)',
    )
    return rf'{kind(number)}| t="(?:{"|".join(kinds)})'


def _below(count: int) -> str:
    """Return the pattern of the whole numbers from 0 that are less than a count, without leading zeros."""
    if count < 1:
        return "(?!)"
    last = str(count - 1)
    same = [rf"{last[:at]}[{1 - min(at, 1)}-{int(digit) - 1}][0-9]{{{len(last) - at - 1}}}"
            for at, digit in enumerate(last) if int(digit) > 1 - min(at, 1)]  # fmt: skip
    shorter = rf"[1-9][0-9]{{0,{len(last) - 2}}}" if len(last) > 1 else "(?!)"
    return rf"(?:0|{shorter}|{'|'.join([*same, last])})"


@dataclass(slots=True)
class _Row:
    """A row as written: the number of the cell in each column, from 1; the cells, split once one is needed."""

    attributes: str
    places: dict[int, int]
    text: str
    cells: list[str] | None = None

    def cell(self, column: int) -> re.Match[str] | None:
        """Return the content of a cell, None for a column without a cell."""
        place = self.places.get(column)
        if place is None:
            return None
        if self.cells is None:
            self.cells = self.text.split(_CELL_START)
        return _HELD.match(self.cells[place])


NOTHING: Mapping[int, _Row] = {}


class SheetsOfRows(Held):
    """The values of sheets whose rows have the plain shape, added one sheet after the other."""

    def __init__(self, shared: list[str], dates: Mapping[str, bool]) -> None:
        self._shared = shared
        self._plain = dates.get("0") is False and not any(text.startswith("=") for text in shared)
        self._dates = frozenset(style for style, is_date in dates.items() if is_date)
        self._row = _row_pattern(len(dates), self._dates, len(shared))
        self._known: dict[Address, Scalar] = {}  # the cells read so far, blank ones too
        self._sheets: dict[str, dict[Address, Scalar]] = {}  # values of sheets that were read as a whole
        self._rows: dict[str, dict[int, _Row]] = {}  # in the tab order
        self._places: dict[tuple[str, ...], dict[int, int]] = {}  # of the cells of a row, by their letters

    def without_rows(self, title: str, part: bytes) -> bytes | None:
        """Add the rows of a sheet and return the XML around them; None, and nothing added, for any other shape."""
        text = part.decode()
        start, end = text.find(_START) + len(_START), text.rfind(_END)
        head = text[:start]
        if not self._plain or not len(_START) <= start <= end or "<!" in head or "<?" in head[1:]:
            return None  # a comment may contain rows as well
        stated = head.partition("?>")[0].lower() if head.startswith("<?") else ""
        rows = None if "encoding" in stated and "utf-8" not in stated else self._found(text, start, end)
        if rows is None:
            return None
        self._rows[title] = rows
        kinds = {row.attributes.removesuffix("/") for row in rows.values()}  # one row of each kind, for the parser
        tags = [f'<row r="{number}"{attributes}/>' for number, attributes in enumerate(kinds, start=1)]
        return "".join([head, *tags, text[end:]]).encode()

    def _found(self, text: str, start: int, end: int) -> dict[int, _Row] | None:
        """Return the rows of a text by number; None for any other shape, and for cells out of order."""
        rows: dict[int, _Row] = {}
        last = 0
        while found := self._row.match(text, start, end):
            row, at, start = int(found[1]), found.start(), found.end()
            letters = tuple(_LETTERS.findall(text, at, start))
            places = self._places.get(letters)
            if places is None:
                numbers = [column_number(each) for each in letters]
                if not all(map(lt, numbers, [*numbers[1:], LAST_COLUMN + 1])):
                    return None
                places = self._places[letters] = {number: place for place, number in enumerate(numbers, start=1)}
            if not last < row <= LAST_ROW:
                return None
            last, rows[row] = row, _Row(found[2], places, found[0])
        return rows if start == end else None

    def _value(self, cell: re.Match[str]) -> Scalar:
        """Return the value of a cell, None for an empty one."""
        kind, inline, formula, shown = cell.groups()
        if formula:
            return f"={unescape(formula)}"
        if inline is not None:
            return unescape(inline)
        if not shown:
            return None
        if kind == "s":
            return self._shared[int(shown)]
        if kind == "b":
            return shown == "1"
        if kind == "str":
            return unescape(shown)
        return ERROR_TEXTS.get(unescape(shown), ExcelError.VALUE) if kind == "e" else float(shown)

    def get(self, address: Address, default: Scalar = None) -> Scalar:  # type: ignore[override]
        """Return a value, the default for a blank cell."""
        if address in self._known:
            found = self._known[address]
        else:
            cell = self._cell(address)
            found = self._known[address] = self._value(cell) if cell else None
        return default if found is None else found

    def _cell(self, address: Address) -> re.Match[str] | None:
        sheet, row, column = address
        written = self._rows.get(sheet, NOTHING).get(row)
        return written.cell(column) if written else None

    def style(self, address: Address) -> int | None:
        """Return the number of the format of a cell, None for a column without a cell, or one without a format."""
        written = self._rows.get(address.sheet, NOTHING).get(address.row)
        if written is None or written.cell(address.column) is None or written.cells is None:
            return None
        found = _STYLE.match(written.cells[written.places[address.column]])
        return int(found[1]) if found else None

    def shows_date(self, address: Address) -> bool:
        """Return whether the format of a cell that holds a number is that of a date."""
        return str(self.style(address)) in self._dates and isinstance(self.get(address), float)

    def has_rows_of(self, sheet: str) -> bool:
        """Say whether a sheet was added."""
        return sheet in self._rows

    def result(self, address: Address) -> Scalar:
        """Return the result stored beside a formula of a sheet that was added, None without one."""
        cell = self._cell(address)
        kind, _, formula, shown = cell.groups() if cell else ("", "", "", "")
        return read_value(kind or "n", unescape(shown), []) if formula and shown else None

    def __getitem__(self, address: Address) -> Scalar:
        value = self.get(address)
        if value is None:
            raise KeyError(address)
        return value

    def __iter__(self) -> Iterator[Address]:
        for sheet in self._rows:
            yield from self.on(sheet)

    def __len__(self) -> int:
        return sum(len(self.on(sheet)) for sheet in self._rows)

    def on(self, sheet: str) -> Collection[Address]:
        """Return the cells of a sheet that are not blank, row by row."""
        if sheet not in self._sheets:
            values: dict[Address, Scalar] = {}
            for row, written in self._rows.get(sheet, NOTHING).items():
                for column in written.places:
                    value = self._value(cell) if (cell := written.cell(column)) else None
                    if value is not None:
                        values[Address(sheet, row, column)] = value
            self._known |= values
            self._sheets[sheet] = values
        return self._sheets[sheet].keys()
