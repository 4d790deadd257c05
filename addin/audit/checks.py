"""Whether the Checks sheet counts what it says: R11."""

from collections.abc import Iterator

from openpyxl.utils import get_column_letter

from addin.audit.book import INPUT_ROLES, Book, Cell, Sheet
from addin.audit.formula import Call, Literal, Ref, functions, is_link, parse, refs
from model.layout.grid import BASE, FIRST_PUBLISHED, HEAD_ROW, quoted
from model.sheets.checks import KINDS

Found = Iterator[tuple[str, str]]
CHECKS = "Checks"
CHECK_HEADS = ("Type", "Found", "At least", "At most", "Raised")


def checks_count(book: Book) -> Found:
    """Checks are 0 or 1 between two tolerances, typed error, alert or sensitivity; the master counts all errors."""
    sheet = book.named(CHECKS)
    missing = [head for head in CHECK_HEADS if sheet is None or head not in sheet.headings]
    if sheet is None or missing:
        yield (
            f"{CHECKS}!A4",
            f"no column is headed {', '.join(missing)}; expected {', '.join(CHECK_HEADS)}. Restore the headings.",
        )
        return
    kind, found, low, high, raised = (sheet.headings[head] for head in CHECK_HEADS)
    rows = [c.row for c in sheet.columns.get(raised, ()) if c.row > HEAD_ROW and c.role == "check"]
    for row in rows:
        yield from _check_row(sheet, row, (kind, low, high, raised))
    errors = [row for row in rows if sheet.text(row, kind) == "error"]
    yield from _master(book, sheet, errors, kind, raised)
    sensitivity = [sheet.cells.get((row, found)) for row in rows if sheet.text(row, kind) == "sensitivity"]
    yield from _what_if_flag(book, sheet, [cell for cell in sensitivity if cell])


def _check_row(sheet: Sheet, row: int, columns: tuple[int, int, int, int]) -> Found:
    kind, low, high, raised = columns
    if sheet.text(row, kind) not in KINDS:
        place = sheet.place(f"{get_column_letter(kind)}{row}")
        yield place, f"type is {sheet.text(row, kind)!r}; expected {', '.join(KINDS)}. Choose one of them."
    for column in (low, high):
        cell = sheet.cells.get((row, column))
        if cell is None or not cell.number or cell.role != "tolerance":
            yield (
                sheet.place(f"{get_column_letter(column)}{row}"),
                "is no tolerance cell with a number; expected the bound of this check. Type the bound in the "
                "style tolerance.",
            )
    formula = sheet.cells[row, raised].formula
    if formula is None or not _zero_or_one(formula, {(row, low), (row, high)}):
        yield (
            sheet.place(f"{get_column_letter(raised)}{row}"),
            f"holds {formula}; expected IF(condition,0,1) that reads both bounds of its row. Copy the formula "
            f"of another check.",
        )


def _zero_or_one(formula: str, bounds: set[tuple[int, int]]) -> bool:
    try:
        tree = parse(formula)
    except ValueError:
        return False
    read = {(ref.first_row, ref.first_column) for ref in refs(formula) if ref.sheet is None}
    branches = {Literal("number", "0"), Literal("number", "1")}
    return isinstance(tree, Call) and tree.name == "IF" and set(tree.arguments[1:]) == branches and bounds <= read


def _master(book: Book, sheet: Sheet, errors: list[int], kind: int, raised: int) -> Found:
    """The master is SUMIF(types, "error", raised) over all check rows."""
    target = book.target("Chk_Master")
    cell = book.at(sheet, target) if target else None
    if target is None or cell is None or cell.formula is None:
        yield (
            sheet.place("A2"),
            "Chk_Master names no formula; expected the cell that counts raised errors. Define the name on the "
            "tally of Checks.",
        )
        return
    place = f"{quoted(str(target.sheet))}!{cell.a1}"
    tree = parse(cell.formula)
    if isinstance(tree, Call) and tree.name == "SUMIF" and len(tree.arguments) == 3:
        types, wanted, flags = tree.arguments
        if isinstance(types, Ref) and isinstance(wanted, Ref) and isinstance(flags, Ref):
            word = sheet.text(wanted.first_row, wanted.first_column)
            rows = range(types.first_row, types.last_row + 1)
            same = (types.first_row, types.last_row) == (flags.first_row, flags.last_row)
            columns = (types.first_column, flags.first_column) == (kind, raised)
            left_out = [row for row in errors if row not in rows]
            if word == "error" and same and columns and not left_out:
                return
            if left_out:
                yield (
                    place,
                    f"leaves out the error of row {left_out[0]}; expected every error counted. Extend both "
                    f"ranges of {cell.formula}.",
                )
                return
    yield (
        place,
        f"holds {cell.formula}; expected SUMIF over the types, the word error and the raised flags. Restore the "
        f"formula.",
    )


def _what_if_flag(book: Book, sheet: Sheet, flags: list[Cell]) -> Found:
    """One sensitivity check must read a count over every what-if cell of Inputs."""
    inputs = next(book.of("input"), None)
    open_cells = {
        (c.row, c.column)
        for c in (inputs.body if inputs else ())
        if c.role in INPUT_ROLES and BASE < c.column < FIRST_PUBLISHED
    }
    for flag in flags:
        home, cell = sheet, flag
        if is_link(cell.formula or ""):
            (ref,) = refs(cell.formula or "")
            home, target = book.named(ref.sheet or sheet.name) or sheet, book.at(sheet, ref)
            cell = target or cell
        counted = {
            (row, column)
            for ref in refs(cell.formula or "")
            if inputs and (ref.sheet or home.name) == inputs.name and "COUNTA" in functions(cell.formula or "")
            for row in range(ref.first_row, ref.last_row + 1)
            for column in range(ref.first_column, ref.last_column + 1)
        }
        if open_cells <= counted:
            return
    yield (
        sheet.place(flags[0].a1 if flags else "A4"),
        "no sensitivity check counts every what-if cell of Inputs; expected COUNTA over all of them. Extend the "
        "range it reads.",
    )
