"""The sheet Checks counts its errors correctly: R11."""

from addin.audit.book import INPUT_ROLES, Book, Cell, Faults, Sheet
from addin.audit.parsed import Parsed, as_range, inside
from addin.kernel.formula.nodes import Call, Number
from model.layout.grid import BASE, FIRST_PUBLISHED, HEAD_ROW, quoted
from model.sheets.proof.checks import KINDS

CHECKS = "Checks"
CHECK_HEADS = ("Type", "At least", "At most", "Found", "Raised")


def checks_count(book: Book) -> Faults:
    """Checks are 0 or 1 between two tolerances, typed error, alert or sensitivity; the master counts all errors."""
    sheet = book.named(CHECKS)
    missing = [head for head in CHECK_HEADS if sheet is None or head not in sheet.headings]
    if sheet is None or missing:
        fault = f"no column is headed {', '.join(missing)}; expected {', '.join(CHECK_HEADS)}. Restore the headings."
        yield f"{CHECKS}!A4", fault
        return
    kind, low, high, value, raised = (sheet.headings[head] for head in CHECK_HEADS)
    rows = [c.row for c in sheet.columns.get(raised, ()) if c.row > HEAD_ROW and c.role == "check"]
    for row in rows:
        yield from _check_row(sheet, row, (kind, low, high, raised))
    errors = [row for row in rows if sheet.text(row, kind) == "error"]
    yield from _master(book, sheet, errors, kind, raised)
    sensitivity = [sheet.cells.get((row, value)) for row in rows if sheet.text(row, kind) == "sensitivity"]
    yield from _what_if_flag(book, sheet, [cell for cell in sensitivity if cell])


def _check_row(sheet: Sheet, row: int, columns: tuple[int, int, int, int]) -> Faults:
    kind, low, high, raised = columns
    if sheet.text(row, kind) not in KINDS:
        where = sheet.address_of(row, kind)
        yield where, f"type is {sheet.text(row, kind)!r}; expected {', '.join(KINDS)}. Choose one of them."
    for column in (low, high):
        cell = sheet.cells.get((row, column))
        if cell is None or not cell.number or cell.role != "tolerance":
            remedy = "expected the bound of this check. Type the bound in the style tolerance."
            yield sheet.address_of(row, column), f"is no tolerance cell with a number; {remedy}"
    cell = sheet.cells[row, raised]
    if not _zero_or_one(cell.parsed, {(row, low), (row, high)}):
        expected = "IF(condition,0,1) that reads both bounds of its row. Copy the formula of another check."
        yield sheet.address(cell.a1), f"holds {cell.formula}; expected {expected}"


def _zero_or_one(formula: Parsed, bounds: set[tuple[int, int]]) -> bool:
    """Return whether a formula is IF(condition, 0, 1) or IF(condition, 1, 0) and reads both bounds."""
    read = {(area.first.row, area.first.column) for area in formula.ranges if area.first.sheet is None}
    match formula.nodes[:1]:
        case (Call("IF", (_, *branches)),):
            return set(branches) == {Number(0), Number(1)} and bounds <= read
    return False


def _master(book: Book, sheet: Sheet, errors: list[int], kind: int, raised: int) -> Faults:
    """The master is SUMIF(types, "error", raised) over all check rows."""
    target = book.target("Chk_Master")
    cell = book.at(sheet, target) if target else None
    if target is None or cell is None or cell.formula is None:
        remedy = "expected the cell that counts raised errors. Define the name on the tally of Checks."
        yield sheet.address("A2"), f"Chk_Master names no formula; {remedy}"
        return
    where = f"{quoted(str(target.first.sheet))}!{cell.a1}"
    match cell.parsed.nodes[:1]:
        case (Call("SUMIF", (first, second, third)),):
            types, wanted, flags = as_range(first), as_range(second), as_range(third)
        case _:
            types = wanted = flags = None
    if types and wanted and flags:
        word = sheet.text(wanted.first.row, wanted.first.column)
        same = (types.first.row, types.last.row) == (flags.first.row, flags.last.row)
        columns = (types.first.column, flags.first.column) == (kind, raised)
        left_out = [row for row in errors if not types.first.row <= row <= types.last.row]
        if word == "error" and same and columns and not left_out:
            return
        if left_out:
            remedy = f"expected every error counted. Extend both ranges of {cell.formula}."
            yield where, f"leaves out the error of row {left_out[0]}; {remedy}"
            return
    expected = "SUMIF over the types, the word error and the raised flags. Restore the formula."
    yield where, f"holds {cell.formula}; expected {expected}"


def _what_if_flag(book: Book, sheet: Sheet, flags: list[Cell]) -> Faults:
    """One sensitivity check must read a count over every what-if cell of the inputs."""
    open_cells = {
        (inputs.name, (c.row, c.column))
        for inputs in book.of("input")
        for c in inputs.body
        if c.role in INPUT_ROLES and BASE < c.column < FIRST_PUBLISHED
    }
    for flag in flags:
        home, cell = sheet, flag
        if link := cell.parsed.link:
            home, cell = book.home(sheet, link) or sheet, book.at(sheet, link) or cell
        counted = {
            (title, position)
            for area in cell.parsed.ranges
            if (looked := book.home(home, area)) and "COUNTA" in cell.parsed.functions
            for title, position in open_cells
            if title == looked.name and inside(area, position)
        }
        if open_cells <= counted:
            return
    yield (
        sheet.address(flags[0].a1 if flags else "A4"),
        "no sensitivity check counts every what-if cell of the inputs; expected COUNTA over all of them. Extend the "
        "range it reads.",
    )
