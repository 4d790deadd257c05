"""A workbook as the rules see it: cells with role and lock, sheets with their class, names with their targets.

Everything comes from the file itself and from static declarations, so an edited copy reads like a fresh build.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from openpyxl import Workbook
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from addin.audit.parsed import NOTHING, Parsed, parsed, range_of, relative
from addin.kernel.formula.nodes import Range
from model.layout import codes
from model.layout.grid import HEAD_ROW, quoted
from model.layout.styles import VALUE_ROLES, role_of_style
from model.layout.tab import Tab
from model.workbook import TABS

INPUT_ROLES = frozenset({"input", "assumed_input"})
TYPED_ROLES = INPUT_ROLES | {"fact", "assumed", "tolerance"}
FORMULA_ROLES = VALUE_ROLES - TYPED_ROLES
Faults = Iterator[tuple[str, str]]  # the findings of a rule: place and message
TYPING = ("input", "risk", "catalogue", "card", "rows", "answer")  # classes of sheets on which people type
STACKED = ("table", "catalogue")  # classes of sheets with several tables, one below the other
HEADED = 3  # rows 1 to 3: title, master check, purpose


@dataclass(frozen=True)
class Finding:
    """A broken rule: `where` is Sheet!A1, a name or the workbook; `message` says what is wrong and what to do."""

    where: str
    message: str
    rule: str

    def __str__(self) -> str:
        return f"{self.rule} {self.where}: {self.message}"


@dataclass(slots=True)  # not frozen: fifty thousand are made for an audit, three times as fast
class Cell:
    """One cell: `formula` is None unless it starts with '='; `array` marks array and data-table entry.

    `parsed` is the parsed formula, an empty one for a cell without: every rule reads it.
    """

    row: int
    column: int
    value: object = None
    formula: str | None = None
    role: str = ""
    unlocked: bool = False
    array: bool = False
    parsed: Parsed = NOTHING

    @property
    def a1(self) -> str:
        """Return the address within the sheet."""
        return f"{get_column_letter(self.column)}{self.row}"

    @property
    def relative(self) -> str:
        """Return the formula in relative form (R1C1): equal for all copies, empty for a cell without a formula."""
        return relative(self.formula, self.row, self.column) if self.formula else ""

    @property
    def number(self) -> bool:
        """Return whether a number (or date) was typed."""
        return self.formula is None and self.value is not None and not isinstance(self.value, (str, bool))

    @property
    def text(self) -> str:
        """Return the typed text, empty for anything else."""
        return self.value if self.formula is None and isinstance(self.value, str) else ""


@dataclass(frozen=True)
class Table:
    """Tables that share a row of headings: that row, the last row below it, the first column of every heading."""

    top: int
    last: int
    headings: Mapping[str, int]


@dataclass
class Sheet:
    """One sheet: `tab` is its declaration, None for a result sheet; `order` its index among the tabs."""

    name: str
    order: int
    tab: Tab | None
    ws: Worksheet
    cells: dict[tuple[int, int], Cell]

    @property
    def kind(self) -> str:
        """Return the class, which decides what rules apply."""
        return self.tab.kind if self.tab else "result"

    def address(self, a1: str) -> str:
        """Return an address with the sheet in front."""
        return f"{quoted(self.name)}!{a1}"

    def address_of(self, row: int, column: int) -> str:
        """Return the address of a cell with the sheet in front, even of a blank cell."""
        return self.address(f"{get_column_letter(column)}{row}")

    def text(self, row: int, column: int) -> str:
        """Return the typed text of a cell, empty when there is none."""
        cell = self.cells.get((row, column))
        return cell.text if cell else ""

    def currency(self, row: int, column: int) -> str:
        """Return the listed unit of money that a cell shows in the typed currency; else empty."""
        cell = self.cells.get((row, column))
        shown = codes.IN_CURRENCY.fullmatch(cell.formula) if cell and cell.formula else None
        return f"{codes.CURRENCY}{shown[1] or ''}" if shown else ""

    @cached_property
    def body(self) -> tuple[Cell, ...]:
        """Return the cells from the heading row down, row by row."""
        return tuple(self.cells[key] for key in sorted(self.cells) if key[0] > HEADED)

    @cached_property
    def formulas(self) -> tuple[Cell, ...]:
        """Return the cells with formulas, the exempt rows included."""
        return tuple(cell for cell in self.cells.values() if cell.formula is not None)

    @cached_property
    def headings(self) -> Mapping[str, int]:
        """Return the first column of every heading text of row 4."""
        return self.tables[0].headings

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Return the tables from the top down, each from its row of headings to the next one."""
        stacked = self.body if self.kind in STACKED else ()
        tops = sorted({HEAD_ROW, *(cell.row for cell in stacked if cell.role == "heading" and cell.text)})
        texts: dict[int, dict[str, int]] = {top: {} for top in tops}
        for cell in self.body:
            if cell.row in texts and cell.text:
                texts[cell.row].setdefault(cell.text, cell.column)
        lasts = (*(top - 1 for top in tops[1:]), max((cell.row for cell in self.body), default=HEAD_ROW))
        return tuple(Table(top, last, texts[top]) for top, last in zip(tops, lasts, strict=True))

    def table_of(self, row: int) -> Table:
        """Return the table of a row below the headings."""
        return next(table for table in reversed(self.tables) if table.top <= row or table.top == HEAD_ROW)

    def unit_column(self, row: int) -> int | None:
        """Return the column of units for a row, None where its table has none."""
        return self.table_of(row).headings.get("Unit")

    @cached_property
    def columns(self) -> Mapping[int, tuple[Cell, ...]]:
        """Return the body's cells column by column."""
        columns: dict[int, list[Cell]] = {}
        for cell in self.body:
            columns.setdefault(cell.column, []).append(cell)
        return {column: tuple(cells) for column, cells in columns.items()}

    def heading_above(self, cell: Cell) -> str:
        """Return the text of the nearest heading above a cell in its column."""
        above = [c for c in self.columns[cell.column] if c.row < cell.row and c.role == "heading" and c.text]
        return above[-1].text if above else ""


@dataclass
class Book:
    """The workbook under audit with its declarations: safe functions, units, tabs in their order."""

    workbook: Workbook
    safe: Collection[str]
    units: Collection[str]
    tabs: Sequence[Tab] = TABS
    sheets: dict[str, Sheet] = field(default_factory=dict)

    @property
    def declared(self) -> Iterator[Sheet]:
        """Yield the sheets that have a declared tab."""
        return (sheet for sheet in self.sheets.values() if sheet.tab)

    def of(self, *kinds: str) -> Iterator[Sheet]:
        """Yield the sheets of some classes."""
        return (sheet for sheet in self.declared if sheet.kind in kinds)

    def named(self, name: str) -> Sheet | None:
        """Return a sheet by name, in upper or lower case."""
        return self.sheets.get(name) or next((s for n, s in self.sheets.items() if n.lower() == name.lower()), None)

    @cached_property
    def names(self) -> dict[str, str]:
        """Return every workbook name with its definition."""
        return {name: str(defined.attr_text or "") for name, defined in self.workbook.defined_names.items()}

    def target(self, name: str) -> Range | None:
        """Return the range of a name; None for anything but a range of this workbook."""
        area = range_of(self.names.get(name, ""))
        return area if area and area.first.sheet and self.named(area.first.sheet) else None

    def home(self, sheet: Sheet, area: Range) -> Sheet | None:
        """Return the sheet of a reference on a sheet; None for one that does not exist."""
        return sheet if area.first.sheet is None else self.named(area.first.sheet)

    def at(self, sheet: Sheet, area: Range) -> Cell | None:
        """Return the first cell of a reference on a sheet; None for a blank cell or a missing sheet."""
        home = self.home(sheet, area)
        return home.cells.get((area.first.row, area.first.column)) if home else None


def open_book(
    workbook: Workbook,
    safe: Collection[str],
    units: Collection[str],
    styles: Mapping[int, str] | None = None,
    tabs: Sequence[Tab] = TABS,
) -> Book:
    """Return the workbook as the rules see it.

    `styles` are the names of cell styles by number, as its file says; `tabs` those of the release that it is a copy of.
    """
    book = Book(workbook, safe, units, tabs)
    declared = {tab.name: (order, tab) for order, tab in enumerate(tabs)}
    role_of = _roles(workbook, styles)
    unlocked = [not protection.locked for protection in workbook._protections]
    for ws in workbook.worksheets:
        cells = {}
        for key, cell in ws._cells.items():
            value = cell.value
            array = cell.data_type == "f" and not isinstance(value, str)
            formula = (getattr(value, "text", None) or "=" if array else value) if cell.data_type == "f" else None
            if formula is not None and not formula.startswith("="):
                formula = f"={formula}"
            style = cell._style  # None until a cell is styled
            role, is_open = (role_of(style), unlocked[style.protectionId]) if style else ("Normal", False)
            tree = parsed(formula) if formula else NOTHING
            cells[key] = Cell(key[0], key[1], value, formula, role, is_open, array, tree)
        order, tab = declared.get(ws.title, (len(tabs), None))
        book.sheets[ws.title] = Sheet(ws.title, order, tab, ws, cells)
    return book


def _roles(workbook: Workbook, styles: Mapping[int, str] | None) -> Callable[[Any], str]:
    """Return the function that finds a cell's role.

    Some applications leave gaps in the numbers of cell styles, which openpyxl cannot follow; without the styles of the
    file, a cell is then recognised by font, fill and border.
    """
    if styles:
        roles = {number: role_of_style(name) for number, name in styles.items()}
        return lambda style: roles.get(style.xfId, "Normal")
    names = [role_of_style(style.name) for style in workbook._named_styles]
    if all(style.xfId < len(names) for style in workbook._cell_styles):
        return lambda style: names[style.xfId]
    looks = {_look(style._style): name for style, name in zip(workbook._named_styles, names, strict=True)}
    faces = {look[:2]: name for look, name in reversed(looks.items())}
    return lambda style: looks.get(_look(style)) or faces.get(_look(style)[:2], "Normal")


def _look(style: Any) -> tuple[int, int, int]:
    return style.fontId, style.fillId, style.borderId
