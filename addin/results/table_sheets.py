"""The sheets Scenarios, Array comparison and Goal seek: tables of the what-ifs with native charts."""

from __future__ import annotations

from collections.abc import Sequence

from addin.buttons import COMMANDS
from addin.kernel import Scalar
from addin.results.charts import Anchor, Area, columns, curves
from addin.results.measured_sections import Section
from addin.results.page import Page, Pairs, form
from addin.sizing.tables import Table
from addin.workbook.book import Item, SizingBook, shown
from addin.workbook.digests import digest

SCENARIOS, COMPARED, SOUGHT = (COMMANDS[key].sheet for key in ("scenarios", "compare", "seek"))
SCENARIOS_HEADING = "Scenarios: every design of this workbook, and what one input changes"
COMPARED_HEADING = "Array comparison: every array for the workload of the base design"
SOUGHT_HEADING = "Goal seek: how far one input can go"
FROZEN = "Values only: the sheet does not follow later changes, the next run replaces it."
_WIDTHS = (34.0, *(15.0,) * 10, 34.0, 64.0)
_CHART_ROWS, _TALL = 16, 20
ROUNDED, RATIO = "arrays_required", "ratio_largest"  # what is drawn
_UNCHECKED = "constraints_unchecked"


def scenarios(book: SizingBook, designs: Table, grid: Table, item: Item) -> Page:
    """Return the sheet Scenarios: the designs side by side, then a grid over one input."""
    page = Page(SCENARIOS, _WIDTHS)
    status = _column(designs, "status")
    base = f"Base design: {shown(designs.rows[0][status - 1])}. " if status else ""
    answer = f"{base}{len(designs.rows) - 1} other designs, {len(grid.rows)} values of "
    row = page.head(SCENARIOS_HEADING, f"{answer}{item.label.lower()}", FROZEN)
    area, row = _table(page, row, "Designs in the columns of this workbook", designs, 1)
    row = _notes(page, row, designs.notes)
    title, axes = "Arrays each design needs, before rounding up", ("Design", "Arrays")
    _bars(page, title, axes, (designs, area), Anchor((1, 6), row, _TALL))
    row = page.new_page(row + _TALL + 1)
    area, row = _table(page, row, f"{item.label}, {item.unit}: all other inputs as in the base design", grid, 1)
    _grid_chart(page, grid, item, area, row + 1)
    _provenance(page, row + _CHART_ROWS + 2, book, (("varied input", f"{item.key}, {item.address.a1}"),))
    return page


def comparison(book: SizingBook, table: Table) -> Page:
    """Return the sheet Array comparison."""
    page = Page(COMPARED, (32.0, 11.0, 12.0, 18.0, 18.0, 38.0, 13.0, 14.0, 24.0, 15.0, 16.0, 26.0))
    row = page.head(COMPARED_HEADING, _least(table), FROZEN)
    area, row = _table(
        page, row, "Arrays of the catalogue and your own; 'Not checked' names what no rating tells", table, 1
    )
    row = _notes(page, row, table.notes)
    title, axes = "Arrays needed before rounding up", ("Array", "Arrays")
    _bars(page, title, axes, (table, area), Anchor((1, 6), row + 1, _TALL))
    _provenance(page, row + _TALL + 2, book, ())
    return page


def _least(table: Table) -> str:
    """Return which fully checked array needs least, and any other array that may need less."""
    said = [f"{len(table.rows)} array{'s' if len(table.rows) > 1 else ''} compared"]
    keys = (ROUNDED, RATIO, "status", _UNCHECKED)
    if set(keys) <= set(table.keys):
        count, ratio, status, unchecked = map(table.keys.index, keys)
        sized = [
            (needed, exact, f"{row[0]}: {row[status]}", row[unchecked] == "none")
            for row in table.rows
            if isinstance(needed := row[count], float) and isinstance(exact := row[ratio], float)
        ]
        least = min(sized, default=None)
        checked = min((each for each in sized if each[-1]), default=None)
        if checked:
            said.append(f"least of those fully checked is {checked[2]}")
        if least and (not checked or least[0] < checked[0]):
            said.append(f"not fully checked, {least[2]}")
    return "; ".join(said)


def sought(book: SizingBook, item: Item, target: str, table: Table, grid: Table) -> Page:
    """Return the sheet Goal seek: the answer, the next value, which misses the target, and the results around it."""
    page = Page(SOUGHT, _WIDTHS)
    row = page.head(SOUGHT_HEADING, table.notes[0], FROZEN)
    _, row = _table(
        page, row, f"The answer{' and the next value, which misses' if len(table.rows) > 1 else ''}", table, 0
    )
    row = _notes(page, row, table.notes[1:])
    area, row = _table(page, row, f"{item.label}, {item.unit}: around the answer", grid, 1)
    _grid_chart(page, grid, item, area, row + 1)
    request = (("target", target), ("varied input", f"{item.key}, {item.address.a1}"))
    _provenance(page, row + _CHART_ROWS + 2, book, request)
    return page


def provenance(book: SizingBook) -> Pairs:
    """Return the file, version and formulas of a workbook, as every result sheet states them."""
    return (
        ("workbook file", book.path.name),
        ("workbook", f"version {book.version}"),
        ("formulas", digest(book.cells)),
    )


def section(page: Page, row: int, content: Section) -> int:
    """Write a section of lines or of a table; return the next row but one."""
    if content.table is not None:
        area, row = _table(page, row, content.title, content.table, -1)
        for at in range(area.head + 1, area.last + 1):  # words beside which nothing stands need no second line
            page.align(at, len(content.table.headings), "left")
        return _notes(page, row, content.table.notes)
    row = page.band(row, content.title)
    for text in content.lines:
        page.line(row, text, "label")
        row += 1
    return row + 1


def _provenance(page: Page, row: int, book: SizingBook, more: Pairs) -> int:
    return page.pairs(row, "Where these figures come from", (*more, *provenance(book)))


def _table(page: Page, row: int, title: str, table: Table, strong: int) -> tuple[Area, int]:
    """Write a table with its units under the headings; return its rows, and the next row."""
    row = page.band(row, title)
    head, row = row, page.headings(row, table.titles, words=_words(table))
    page.ws.row_dimensions[head].height = 44.0
    for values in table.rows:
        row = page.values(row, values, _forms(table, values), strong)
    return Area(head, row - 1), row


def _forms(table: Table, values: Sequence[Scalar]) -> list[str | None]:
    keys = table.keys or ("",) * len(table.headings)
    return [form(key, unit, value) for key, unit, value in zip(keys, table.units, values, strict=True)]


def _words(table: Table) -> set[int]:
    """Return the columns of words, from 1."""
    return {n for n, value in enumerate(table.rows[0] if table.rows else (), 1) if isinstance(value, str)}


def _notes(page: Page, row: int, notes: Sequence[str]) -> int:
    for note in notes:
        page.line(row, note, "purpose")
        row += 1
    return row + 1


def _grid_chart(page: Page, grid: Table, item: Item, area: Area, top: int) -> None:
    """Draw the arrays needed over the values of an input: lines for numbers, bars for texts; beside it the cost."""
    numbers = all(isinstance(row[0], float) for row in grid.rows)
    title, unit = f"Arrays needed over {item.label.lower()}", f"{item.label}, {item.unit}"
    if not numbers or len(grid.rows) < 2:
        _bars(page, title, (item.label, "Arrays"), (grid, area), Anchor((1, 5), top, _CHART_ROWS))
        return
    number = form(item.key, item.unit, grid.rows[0][0]) or "General"
    arrays = tuple(column for key in (ROUNDED, RATIO) if (column := _column(grid, key)))
    curves(page.ws, title, (unit, "Arrays"), area, arrays, number, Anchor((1, 4), top, _CHART_ROWS))
    for key in ("cost_per_desktop", "capacity_required_gib"):  # the cost where there is a price
        column = _column(grid, key)
        if column and all(isinstance(row[column - 1], float) for row in grid.rows):
            heading = grid.headings[column - 1]
            title, text = f"{heading} over {item.label.lower()}", f"{heading}, {grid.units[column - 1]}"
            curves(page.ws, title, (unit, text), area, (column,), number, Anchor((5, 10), top, _CHART_ROWS))
            break


def _column(table: Table, key: str) -> int | None:
    """Return the column of a result on the sheet, from 1; None where the workbook has no such result."""
    return table.keys.index(key) + 1 if key in table.keys else None


def _bars(page: Page, title: str, axes: tuple[str, str], drawn: tuple[Table, Area], anchor: Anchor) -> None:
    """Draw the unrounded arrays of each row, pale where they are a minimum; nothing without such a result."""
    table, area = drawn
    column, unchecked = _column(table, RATIO), _column(table, _UNCHECKED)
    if column:
        pale = [n for n, row in enumerate(table.rows) if unchecked and row[unchecked - 1] != "none"]
        title += "; pale: at least, as a constraint is not checked" if pale else ""
        columns(page.ws, title, axes, area, column, anchor, pale)
