"""The years of Growth have the formulas that they repeat: R22.

A year repeats lines of earlier sheets. If somebody changes one of those in a copy but not its years, the years are
sized by another model; so every repeated formula is compared with its original, wherever the two are.
"""

from collections.abc import Iterator, Mapping

from addin.audit.book import Book, Cell, Faults, Sheet
from addin.audit.parsed import as_range
from addin.kernel.formula.nodes import Binary, Bool, Call, ErrorLiteral, Name, Node, Number, Text, Unary
from addin.kernel.formula.nodes import Cell as Reference
from model.layout.grid import BASE
from model.sheets.money.growth import DESKTOPS, NAME, YEARS, desktops_label, grown, homes, year_heading


def repeated_rows(sheet: Sheet) -> dict[int, int]:
    """Return the rows of a sheet that repeat a line, with the index of that line in `grown()`."""
    if sheet.name != NAME:
        return {}
    lines = len(grown())
    rows: dict[int, int] = {}
    for row in (cell.row for cell in sheet.columns.get(1, ()) if cell.text in {year_heading(n) for n in YEARS}):
        rows |= {row + 1 + at: at for at in range(lines)}
    return rows


def years_repeat_their_lines(book: Book) -> Faults:
    """Every year of Growth is sized by the very formulas of the sheets before."""
    sheet = book.named(NAME)
    if sheet is None:
        return  # R01 reports that
    rows, expected = repeated_rows(sheet), len(YEARS) * len(grown())
    if len(rows) != expected:
        yield sheet.address("A1"), f"repeats {len(rows)} lines; expected {expected}. Restore the sheet."
        return
    yield from _desktops(sheet, rows)
    for row, at in rows.items():
        key = grown()[at].key
        home, home_row = homes()[key]
        original = book.named(home)
        if key == DESKTOPS or original is None:
            continue
        year = {row - at + place: place for place in range(len(grown()))}  # a line of another year is another line
        mine, theirs = (each.cells.get((r, BASE)) for each, r in ((sheet, row), (original, home_row)))
        if any(cell and cell.formula and not cell.parsed.readable for cell in (mine, theirs)):
            continue  # R19 reports that it cannot be read
        if _shape(book, sheet, mine, year) != _shape(book, original, theirs, {}):
            line, formula = original.address_of(home_row, BASE), theirs.formula if theirs else None
            fault = f"is {mine.formula if mine else None}, no longer the formula of {line}, {formula}."
            yield sheet.address_of(row, BASE), f"{fault} Change both alike."


def _desktops(sheet: Sheet, rows: Mapping[int, int]) -> Faults:
    """Every year is sized for its own desktops."""
    at = [line.key for line in grown()].index(DESKTOPS)
    labels = {cell.row: cell.text for cell in sheet.columns.get(1, ())}
    for year, row in zip(YEARS, sorted(row for row, place in rows.items() if place == at), strict=True):
        cell = sheet.cells.get((row, BASE))
        link = cell.parsed.link if cell else None
        if link is None or link.first.sheet or labels.get(link.first.row) != desktops_label(year):
            remedy = f"expected a link to {desktops_label(year)!r}. Restore it."
            yield sheet.address_of(row, BASE), f"is {cell.formula if cell else None}; {remedy}"


def _shape(book: Book, sheet: Sheet, cell: Cell | None, rows: Mapping[int, int]) -> list[object]:
    """Return a formula as its functions, its constants and the lines that it reads, independent of their place."""
    return [part for node in (cell.parsed.nodes if cell else ()) for part in _parts(book, sheet, node, rows)]


def _parts(book: Book, sheet: Sheet, node: Node, rows: Mapping[int, int]) -> Iterator[object]:
    match node:
        case Number(value) | Text(value) | Bool(value) | ErrorLiteral(value):
            yield value
        case Unary(operator, _) | Binary(operator, _, _):
            yield operator
        case Call(name, args):
            yield name, len(args)
        case Name(text):
            yield text
    area = as_range(node)
    if area is not None:
        one = area.first == area.last
        yield tuple(_place(book, sheet, end, rows, one) for end in (area.first, area.last))


def _place(book: Book, sheet: Sheet, end: Reference, rows: Mapping[int, int], follow: bool) -> tuple[object, ...]:
    """Return the line that a reference means: for a year the repeated line, for a link its target."""
    home = (book.named(end.sheet) if end.sheet else sheet) or sheet
    key = grown()[rows[end.row]].key if home is sheet and end.row in rows else ""
    cell = home.cells.get((end.row, end.column))
    link = cell.parsed.link if cell and follow and key != DESKTOPS else None
    if link is not None:
        return _place(book, home, link.first, rows if home is sheet else {}, follow)
    if key:
        return (*homes()[key], end.column)
    return home.name, end.row, end.column
