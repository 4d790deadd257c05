"""The contents of cells: R02, R03, R06, R07, R08."""

import re

from addin.audit.book import FORMULA_ROLES, INPUT_ROLES, TYPED_ROLES, TYPING, Book, Cell, Faults, Sheet, Table
from model.layout.grid import BASE, BASIS, HEAD_ROW
from model.layout.styles import ROLES, VALUE_ROLES

MARKED = frozenset({"fact", "assumed", "tolerance"})
_NUMBERS_OF = {"table": MARKED, "card": INPUT_ROLES, "answer": INPUT_ROLES}  # typed numbers beside formulas
_PLACE_OF_NUMBERS = {
    "table": "a table holds numbers only in cells marked fact, assumed or tolerance",
    "card": "a card holds numbers only in input cells",
}
TEXT_ROLES = frozenset(ROLES) - VALUE_ROLES
LISTING = ("Evidence", "Sources")  # where every published figure in use is listed; Sources until 0.2.0
_FACT = re.compile(r"\b[A-Z][A-Z0-9]{1,3}-\d{3,}\b")  # two digits name a contradiction, NTP-16
_SOURCE = re.compile(r"user\b|assumed: \S|[A-Z][A-Z0-9]{1,3}-\d{3,}\b|[a-z_ ]*\(|1 - ")


def no_formulas_where_people_type(book: Book) -> Faults:
    """Sheets of inputs and catalogues hold no formulas below row 3, but what a catalogue takes over from cards."""
    for sheet in book.of("input", "risk", "catalogue"):
        for cell in sheet.body:
            if cell.formula is not None and not _allowed(book, sheet, cell):
                remedy = "Type the value, or move the formula to a calculation sheet."
                fault = f"holds the formula {cell.formula}; {sheet.name} holds typed values only. {remedy}"
                yield sheet.address(cell.a1), fault
    for sheet in book.of("card"):
        for cells in sheet.columns.values():
            below = [cell for cell in cells if cell.row > HEAD_ROW]
            if any(cell.role in INPUT_ROLES for cell in below):
                for cell in (cell for cell in below if cell.formula is not None):
                    remedy = "Type the value, or move the formula to the column beside it."
                    fault = f"holds the formula {cell.formula}; people type in this column of {sheet.name}. {remedy}"
                    yield sheet.address(cell.a1), fault


def _allowed(book: Book, sheet: Sheet, cell: Cell) -> bool:
    """Return whether a formula shows a value typed on another sheet, on Answer or in own rows, or judges its row.

    What a catalogue makes of such rows may also read its other rows and the inputs; its style says that nobody types
    there.
    """
    if sheet.currency(cell.row, cell.column):
        return True
    if sheet.kind == "input" and cell.role in INPUT_ROLES:
        return _ships_with(book, sheet, cell)
    if sheet.kind == "input":
        return _shows_answer(book, sheet, cell) or _judges_its_row(book, sheet, cell)
    homes = [book.home(sheet, area) for area in cell.parsed.ranges]
    if sheet.kind != "catalogue" or not homes:
        return False
    made = cell.role in FORMULA_ROLES
    return all(home and (home.kind == "rows" or (made and (home is sheet or home.kind == "input"))) for home in homes)


def _ships_with(book: Book, sheet: Sheet, cell: Cell) -> bool:
    """Return whether a what-if reads only names of arrays, which people may change, or cells above or left of it."""
    for area in cell.parsed.ranges:
        home = book.home(sheet, area)
        if home is sheet:
            mine = area.first.column == cell.column and area.last.row < cell.row
            if not mine and not (area.last.row == cell.row and area.last.column == BASE):
                return False
        elif home is None or home.kind not in ("card", "catalogue") or area.last.row != HEAD_ROW:
            return False
    return bool(cell.parsed.ranges) and cell.column > BASE


def _shows_answer(book: Book, sheet: Sheet, cell: Cell) -> bool:
    """Return whether a formula of the base design shows the input typed on the sheet Answer."""
    homes = {home.kind for area in cell.parsed.ranges if (home := book.home(sheet, area))}
    return cell.column == BASE and homes == {"answer"} and cell.parsed.functions <= {"IF", "ISBLANK"}


def _judges_its_row(book: Book, sheet: Sheet, cell: Cell) -> bool:
    """Return whether a formula counts what is wrong among the typed cells left of it."""
    return cell.role in FORMULA_ROLES and all(
        book.home(sheet, area) is sheet
        and area.first.row == area.last.row == cell.row
        and area.last.column < cell.column
        for area in cell.parsed.ranges
    )


def no_typed_numbers_between_formulas(book: Book) -> Faults:
    """Grid and front sheets hold no typed numbers; tables hold them only in cells marked fact, assumed or tolerance."""
    for sheet in book.of("grid", "front", "table", "card", "answer"):
        for cell in sheet.body:
            if not cell.number or cell.role in _NUMBERS_OF.get(sheet.kind, ()):
                continue
            rule = _PLACE_OF_NUMBERS.get(sheet.kind, f"a {sheet.kind} sheet holds formulas and words")
            remedy = "Restore the formula, or enter the number on Inputs."
            yield sheet.address(cell.a1), f"holds the typed number {cell.value}; {rule}. {remedy}"


def every_line_has_a_unit(book: Book) -> Faults:
    """Every line has a unit of the unit list, in the column Unit or behind the comma of the column's heading."""
    for sheet in book.declared:
        for table in sheet.tables:
            for heading, unit_column in table.headings.items():
                if heading == "Unit" or heading.startswith("Unit of "):
                    valued = table.headings.get(heading.removeprefix("Unit of "))
                    yield from _units_of_lines(book, sheet, table, unit_column, None if heading == "Unit" else valued)
        if sheet.kind in ("input", "risk", "grid", "card") and "Unit" not in sheet.headings:
            rule = f"a sheet of class {sheet.kind} states units in column B. Restore the heading."
            yield sheet.address("B4"), f"no heading reads 'Unit'; {rule}"
        elif sheet.kind in ("catalogue", "rows"):
            yield from _units_of_columns(book, sheet)


def _validated(sheet: Sheet, *kinds: str) -> frozenset[tuple[int, int]]:
    """Return the cells (row, column) with a validation of some kinds."""
    rules = (rule for rule in sheet.ws.data_validations.dataValidation if rule.type in kinds)
    return frozenset(cell for rule in rules for area in rule.sqref.ranges for cell in area.cells)


def _units_of_lines(book: Book, sheet: Sheet, table: Table, column: int, valued: int | None) -> Faults:
    """Check the units in a column; `valued` is the column of figures it belongs to, None for the whole line."""
    cells = sheet.body if valued is None else sheet.columns.get(valued, ())
    values = (c for c in cells if c.number or c.formula is not None or c.role in INPUT_ROLES)
    rows = {c.row for c in values if table.top < c.row <= table.last}
    choices = {row for row, _ in _validated(sheet, "list")} if sheet.kind == "input" else set()  # without a unit
    for row in sorted(rows):
        unit = sheet.currency(row, column) or sheet.text(row, column)
        if unit in book.units or not _in_lines(sheet, table, row, column):
            continue
        if not unit and row in choices:
            continue
        fault = f"unit {unit!r} is not in the unit list" if unit else "the line has no unit"
        remedy = "expected one such as GiB or IOPS, - for words. Enter a unit of model/data/units.csv."
        yield sheet.address_of(row, column), f"{fault}; {remedy}"


def _in_lines(sheet: Sheet, table: Table, row: int, column: int) -> bool:
    """Return whether a row belongs to the table of lines: tallies beside a table have no line of their own."""
    cells = (c for c in sheet.columns.get(column, ()) if c.row <= table.last)
    last = max((c.row for c in cells if c.text or c.role == "label"), default=table.top)
    return sheet.kind != "table" or row <= last


def _units_of_columns(book: Book, sheet: Sheet) -> Faults:
    seen: set[tuple[int, str]] = set()
    words = _validated(sheet, "list", "textLength")  # without a unit
    for cell in sheet.body:
        if not (cell.number or cell.role in INPUT_ROLES) or cell.row <= HEAD_ROW:
            continue
        if sheet.unit_column(cell.row) is not None:
            continue  # a table of lines
        heading = sheet.heading_above(cell)
        if (cell.column, heading) in seen or (cell.row, cell.column) in words:
            continue
        seen.add((cell.column, heading))
        if heading.rpartition(", ")[2] not in book.units or ", " not in heading:
            remedy = "expected 'name, unit'. Add a unit of model/data/units.csv to the heading."
            fault = f"is under the heading {heading!r}, which names no listed unit; {remedy}"
            yield sheet.address(cell.a1), fault


def every_input_names_its_source(book: Book) -> Faults:
    """Every input names its source in column C: a fact, `user`, or `assumed: reason` with the style of its own."""
    sheets = filter(None, map(book.named, LISTING))
    listed = {cell.text for sheet in sheets for cell in sheet.columns.get(1, ())}
    for sheet in book.of("input", "risk", "card"):
        rows: set[int] = set()
        for cell in sheet.columns.get(BASE, ()) if sheet.kind == "input" else sheet.body:
            if cell.role not in INPUT_ROLES or cell.row <= HEAD_ROW:
                continue
            text = sheet.text(cell.row, BASIS)
            fault = _source_fault(text, listed)
            if fault and cell.row not in rows:
                yield sheet.address(f"C{cell.row}"), fault
            elif not fault and text.startswith("assumed") != (cell.role == "assumed_input"):
                expected = "assumed_input" if text.startswith("assumed") else "input"
                fault = f"is styled {cell.role!r} but its source begins {text[:20]!r}; expected {expected!r}."
                yield sheet.address(cell.a1), f"{fault} Apply that cell style, or correct the source."
            rows.add(cell.row)


def _source_fault(text: str, listed: set[str]) -> str:
    """Return the fault of the text of a source, empty if it names one."""
    cited = _FACT.findall(text)
    unknown = [fact for fact in cited if fact not in listed]
    if not _SOURCE.match(text) or (not text[:1].isupper() and not text.startswith(("user", "assumed")) and not cited):
        remedy = "expected a fact id, 'user' or 'assumed: reason'. State where the value comes from."
        return f"{text[:40]!r} names no source; {remedy}"
    fault = f"which {LISTING[0]} does not list; expected a listed fact. Correct the id."
    return f"cites {unknown[0]}, {fault}" if unknown else ""


def style_says_the_role(book: Book) -> Faults:
    """A value's cell style is one of the legend and says what the cell holds: typed or calculated, by whom."""
    for sheet in book.declared:
        for cell in sheet.body:
            message = _mismatch(sheet, cell)
            if message:
                yield sheet.address(cell.a1), message


def _mismatch(sheet: Sheet, cell: Cell) -> str:
    """Return the fault of a cell's style; R02 and R03 report typed numbers and formulas on the wrong sheet."""
    typing = sheet.kind in TYPING
    apply = "Apply one of these cell styles."
    if cell.formula is not None:
        if (typing and sheet.kind not in ("card", "rows", "answer")) or cell.role in FORMULA_ROLES:
            return ""
        return f"is a formula styled {cell.role!r}; expected calculation, output or check. {apply}"
    if cell.number:
        if not typing and cell.role not in _NUMBERS_OF.get(sheet.kind, ()):
            return ""
        expected = TYPED_ROLES if typing else _NUMBERS_OF[sheet.kind]
        if cell.role in expected:
            return ""
        return f"is a typed number styled {cell.role!r}; expected {', '.join(sorted(expected))}. {apply}"
    if cell.role in FORMULA_ROLES and not _legend(cell):
        content = f"holds {cell.text!r}" if cell.text else "is blank"
        remedy = "expected a formula. Restore the formula, or style the cell as label or note."
        return f"{content} but is styled {cell.role!r}; {remedy}"
    if cell.text and cell.role not in VALUE_ROLES | TEXT_ROLES:
        remedy = "expected a style of the legend, label, note, group or heading. Apply one."
        return f"holds {cell.text[:30]!r} styled {cell.role!r}; {remedy}"
    return ""


def _legend(cell: Cell) -> bool:
    """Return whether a cell is a sample of the legend: its text is the name of its style."""
    return cell.text == cell.role.replace("_", " ")
