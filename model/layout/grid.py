"""Layout: the cell of every input, line, catalogue figure and conversion factor; `{key}` becomes an address.

Nothing else knows columns and rows; everything else speaks in keys.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from openpyxl.utils import get_column_letter

from model.errors import BuildError
from model.layout.line import GridSheet, Group, Headline, Line
from model.reading.choices import CASE_HEADINGS as CASE_HEADINGS  # sheets import these beside the places of rows
from model.reading.choices import GROUP_ROWS as GROUP_ROWS
from model.reading.choices import MIX as MIX
from model.reading.choices import OWN_ARRAYS as OWN_ARRAYS
from model.reading.choices import OWN_CACHES as OWN_CACHES
from model.reading.choices import OWN_METHODS as OWN_METHODS
from model.reading.choices import OWN_PROFILES as OWN_PROFILES
from model.reading.choices import OWN_SHARES as OWN_SHARES
from model.reading.choices import WHATIFS as WHATIFS
from model.reading.inputs import Input
from model.reading.records import Data
from model.reading.rows import nearest

HEAD_ROW, FIRST_ROW = 4, 5
LABEL, UNIT, BASIS, BASE = 1, 2, 3, 4
FIRST_PUBLISHED = BASE + 1 + WHATIFS
# inputs that are typed on Answer, in their order there; their rows on Inputs keep the what-ifs and published tests
START = (
    *("desktops", "concurrent_ratio", "users_per_vm", "growth_ratio", "array", "profile"),
    *("provisioning", "failover", "array_price"),
)
ANSWER = "Answer"
LISTS = "Lists"  # profiles, methods, factors: every list that formulas look up, but for arrays
INPUT_SHEETS = ("Inputs", "More inputs")  # what most designs change, and the rest; both hold all designs in columns

T = TypeVar("T")
FIELD = re.compile(r"\{([^{}]+)\}")
_ROW_FIXED = re.compile(r"(\$[A-Z]+)\$(\d+)")


def quoted(sheet: str) -> str:
    """Return the sheet name as formulas write it."""
    return sheet if sheet.isalnum() else f"'{sheet}'"


@dataclass(frozen=True)
class Block:
    """A catalogue range: sheet, first and last cell."""

    sheet: str
    first_row: int
    last_row: int
    first_column: int
    last_column: int

    @property
    def address(self) -> str:
        """Return the absolute address, sheet included."""
        first = f"${get_column_letter(self.first_column)}${self.first_row}"
        last = f"${get_column_letter(self.last_column)}${self.last_row}"
        return f"{quoted(self.sheet)}!{first}" if first == last else f"{quoted(self.sheet)}!{first}:{last}"


@dataclass(eq=False)
class Layout:
    """Where every key stands. Filled once by `lay_out`, then read only; equal to itself alone."""

    case_names: tuple[str, ...]
    inputs: dict[str, tuple[str, int]] = field(default_factory=dict)
    lines: dict[str, tuple[str, int]] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    headlines: list[tuple[Headline, str]] = field(default_factory=list)
    start: dict[str, int] = field(default_factory=dict)

    def typed(self, key: str) -> tuple[str, str]:
        """Return (sheet, cell) where the base design's value of an input is typed."""
        letter = get_column_letter(BASE)
        if key in self.start:
            return ANSWER, f"{letter}{self.start[key]}"
        sheet, row = self.inputs[key]
        return sheet, f"{letter}{row}"

    def input_rows(self, sheet: str) -> tuple[int, int]:
        """Return the first and the last row of inputs on a sheet."""
        rows = [row for home, row in self.inputs.values() if home == sheet]
        return min(rows), max(rows)

    def what_ifs(self, first: str, last: str = "") -> str:
        """Return the cells of all inputs in one column, or in several, as arguments of a function."""
        return ",".join(
            f"{quoted(sheet)}!{first}{top}:{last or first}{bottom}"
            for sheet in INPUT_SHEETS
            for top, bottom in (self.input_rows(sheet),)
        )

    @property
    def columns(self) -> range:
        """Return the columns of all cases: base, what-ifs, published tests."""
        return range(BASE, BASE + len(self.case_names))

    def column(self, case: str) -> int:
        """Return the column of a case by its heading.

        Raises BuildError when no column has that heading.
        """
        if case not in self.case_names:
            raise BuildError(f"no column is headed {case!r}; expected one of {', '.join(self.case_names)}")
        return BASE + self.case_names.index(case)

    def cell(self, key: str, case: str = "Base design") -> tuple[str, str]:
        """Return (sheet, cell) of a line or an input in a case's column."""
        sheet, row = self.lines[key] if key in self.lines else self.inputs[key]
        return sheet, f"{get_column_letter(self.column(case))}{row}"

    def resolve(self, template: str, sheet: str, column: int) -> str:
        """Return the formula of a line in one column.

        Raises BuildError for a key that nothing has, with the closest known key.
        """
        try:
            return FIELD.sub(lambda match: self.address(match[1], sheet, column), template)
        except BuildError as error:
            raise BuildError(f"formula {template!r}: {error}") from None

    def address(self, field: str, sheet: str, column: int) -> str:
        """Return what the braces around a field stand for in one column.

        Raises BuildError for a key that nothing has, with the closest known key.
        """
        letter = get_column_letter(column)

        def line(key: str) -> str:
            home, row = self._row(self.lines, key)
            return f"{letter}{row}" if home == sheet else f"{quoted(home)}!{letter}{row}"

        def entered(key: str, column: str) -> str:
            home, row = self._row(self.inputs, key)
            return f"{quoted(home)}!{column}{row}"

        def attribute(key: str) -> str:
            return self._row(self.blocks, f"arrays:{key}").address

        kind, _, rest = field.partition(":")
        if not rest:
            return self.blocks[kind].address if kind in self.blocks else line(field)
        special: dict[str, Callable[[str], str]] = {
            "in": lambda k: entered(k, letter),
            "base": lambda k: entered(k, f"${get_column_letter(BASE)}"),
            "fixed_base": lambda k: entered(k, f"${get_column_letter(BASE)}$"),
            "array": lambda k: f"SUM(INDEX({attribute(k)},1,{line('array_row')}))",
            "container_array": lambda k: f"SUM(INDEX({attribute(k)},1,{line('container_array_row')}))",
            "range": lambda k: self._range(k, sheet, letter),
            "labels": lambda k: self._range(k, sheet, f"${get_column_letter(LABEL)}", absolute=True),
            "label": lambda k: self._range(f"{k}:{k}", sheet, f"${get_column_letter(LABEL)}"),
            "unit_of": lambda k: self._range(f"{k}:{k}", sheet, f"${get_column_letter(UNIT)}"),
            "fixed": lambda k: self._range(k if ":" in k else f"{k}:{k}", sheet, letter, absolute=True),
            "rows": lambda name: self._rows(name, letter),
            "until": lambda k: self._until(k, sheet, letter),
            "sliding": lambda k: _ROW_FIXED.sub(r"\1\2", self.address(k, sheet, column)),
            "of_base": lambda k: self._range(f"{k}:{k}", sheet, f"${get_column_letter(BASE)}", absolute=True),
        }
        if kind in special:
            return special[kind](rest)
        if field in self.blocks:
            return self.blocks[field].address
        return line(field)

    def _range(self, keys: str, sheet: str, letter: str, absolute: bool = False) -> str:
        (home, first), (_, last) = self._ends(keys)
        mark = "$" if absolute else ""
        prefix = "" if home == sheet else f"{quoted(home)}!"
        if first == last:
            return f"{prefix}{letter}{mark}{first}"
        return f"{prefix}{letter}{mark}{first}:{letter}{mark}{last}"

    def _rows(self, home: str, letter: str) -> str:
        rows = [row for sheet, row in self.lines.values() if sheet == home]
        return f"{quoted(home)}!{letter}{min(rows)}:{letter}{max(rows)}"

    def _until(self, keys: str, sheet: str, letter: str) -> str:
        (home, first), (_, last) = self._ends(keys)
        return f"{'' if home == sheet else quoted(home) + '!'}{letter}${first}:{letter}{last}"

    def _ends(self, keys: str) -> tuple[tuple[str, int], tuple[str, int]]:
        """Return the cells of the two lines that a block reaches from and to."""
        first, _, last = keys.partition(":")
        return self._row(self.lines, first), self._row(self.lines, last)

    def _row(self, table: dict[str, T], key: str) -> T:
        if key not in table:
            close = nearest(key, [*self.lines, *self.inputs, *self.blocks])
            hint = f"did you mean {{{close}}}?" if close else "declare it first."
            raise BuildError(f"{{{key}}} is unknown; {hint}")
        return table[key]


def not_numbers(areas: Sequence[str]) -> str:
    """Return the formula that counts the cells of some areas which hold something but no number."""
    joined = ",".join(areas)
    return f"=COUNTA({joined})-COUNT({joined})"


def runs_of(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of numbers that follow each other, in the order of `rows`."""
    starts = [row for row in rows if row - 1 not in rows]
    ends = [row for row in rows if row + 1 not in rows]
    yield from zip(starts, ends, strict=True)


def repeated(names: Iterable[str]) -> str:
    """Return the first name that stands twice, in any case; empty where none does."""
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            return name
        seen.add(name.casefold())
    return ""


def input_rows(inputs: tuple[Input, ...], sheet: str) -> list[Input | Group]:
    """Return the inputs of a sheet with a heading before every group, as they stand there."""
    rows: list[Input | Group] = []
    group = ""
    for item in inputs:
        if item.sheet != sheet:
            continue
        if item.group != group:
            group = item.group
            rows.append(Group(group))
        rows.append(item)
    return rows


def lay_out(data: Data, grids: tuple[GridSheet, ...], blocks: dict[str, Block]) -> Layout:
    """Give every input, line and catalogue block its cells; of two lines with one key the first, see `row_checks`.

    Raises BuildError when two inputs have one label.
    """
    layout = Layout((*CASE_HEADINGS, *(case.name for case in data.cases)), blocks=dict(blocks))
    if twice := repeated(item.label for item in data.inputs):
        raise BuildError(f"Inputs: {twice!r} is the label of two inputs; commands take labels as keys. Rename one.")
    layout.blocks["case_names"] = Block(INPUT_SHEETS[0], HEAD_ROW, HEAD_ROW, BASE, layout.columns.stop - 1)
    layout.blocks["design_names"] = Block(INPUT_SHEETS[0], HEAD_ROW, HEAD_ROW, BASE, FIRST_PUBLISHED - 1)
    if grids:  # the same names above results: a column that somebody inserts among the inputs moves none of them
        layout.blocks["case_headings"] = Block(grids[0].name, HEAD_ROW, HEAD_ROW, BASE, layout.columns.stop - 1)
        layout.blocks["design_headings"] = Block(grids[0].name, HEAD_ROW, HEAD_ROW, BASE, FIRST_PUBLISHED - 1)
    for sheet in INPUT_SHEETS:
        for offset, row in enumerate(input_rows(data.inputs, sheet)):
            if isinstance(row, Input):
                layout.inputs[row.key] = (sheet, FIRST_ROW + offset)
    layout.start = {key: FIRST_ROW + offset for offset, key in enumerate(k for k in START if k in layout.inputs)}
    for grid in grids:
        for offset, line in enumerate(grid.rows):
            if not line.key:
                continue
            layout.lines.setdefault(line.key, (grid.name, FIRST_ROW + offset))
            if isinstance(line, Line) and line.headline:
                layout.headlines.append((line.headline, line.key))
    layout.headlines.sort(key=lambda entry: entry[0].position)
    return layout
