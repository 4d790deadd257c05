"""Printing: R14. Widths are estimated: a column of width w takes 5.25 w points in Calibri 11."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.cell_range import CellRange

from addin.audit.book import Book, Faults, Sheet
from addin.audit.repeats import repeated_rows
from model.layout.grid import FIRST_PUBLISHED, HEAD_ROW

POINTS = 5.25
LEAST = 0.6
PAPERS = {8: (1190.6, 841.9), 9: (841.9, 595.3)}  # A3, A4: long and short side in points
UPRIGHT = ("input", "My arrays")  # lists of few columns: a class or a sheet
PAGES = {"answer": 1, "input": 2, "My arrays": 2, "Compare": 1, "Cost review": 1}  # pages in height; 0 for any
DEFAULT_WIDTH = 8.43


def sheets_print_as_they_are(book: Book) -> Faults:
    """Sheets print landscape (inputs upright), one page wide, at 60 % or more, with header rows and a footer."""
    for sheet in book.declared:
        yield from _page(sheet)
        areas = _areas(sheet)
        if not areas:
            yield sheet.address("A1"), "has no print area; expected all its cells. Set the print area."
        elif sheet.kind == "grid":
            yield from _grid_pages(sheet, areas)
        for area in areas:
            scale = _scale(sheet, area)
            if scale < LEAST:
                remedy = f"expected {LEAST:.0%} or more to stay legible. Narrow its columns or choose A3 paper."
                yield sheet.address(area.coord), f"prints at {scale:.0%}; {remedy}"


def _page(sheet: Sheet) -> Faults:
    ws = sheet.ws
    setup = ws.page_setup
    where = sheet.address("A1")
    wanted = "portrait" if {sheet.kind, ws.title} & set(UPRIGHT) else "landscape"
    if setup.orientation != wanted:
        yield where, f"prints {setup.orientation}; expected {wanted}. Change the page orientation."
    if setup.paperSize not in PAPERS and str(setup.paperSize) not in map(str, PAPERS):
        yield where, f"prints on paper {setup.paperSize}; expected A4 or A3. Change the paper size."
    tall = PAGES.get(ws.title, PAGES.get(sheet.kind, 0))
    fits = ws.sheet_properties.pageSetUpPr.fitToPage and setup.fitToWidth in (None, 1) and setup.fitToHeight == tall
    if not fits:
        expected = f"expected 1 page wide and {tall or 'any number'} tall. Change the scaling."
        yield where, f"does not fit to its pages; {expected}"
    rows = str(ws.print_title_rows or "").replace("$", "")
    if rows != f"1:{HEAD_ROW}":
        remedy = f"expected 1:{HEAD_ROW}. Set the rows to repeat at top."
        yield where, f"repeats rows {rows or 'none'} on every page; {remedy}"
    footer = "".join(str(part.text or "") for part in (ws.oddFooter.left, ws.oddFooter.center, ws.oddFooter.right))
    lacking = [what for what in ("&F", "&A", "&P", "&N") if what not in footer]
    if lacking:
        yield where, f"the footer lacks {' '.join(lacking)}; expected file, tab and page x of y. Set the footer."


def _areas(sheet: Sheet) -> list[CellRange]:
    text = sheet.ws.print_area or ""
    return [CellRange(part.rpartition("!")[2].replace("$", "")) for part in text.split(",") if part]


def _grid_pages(sheet: Sheet, areas: list[CellRange]) -> Faults:
    """Base design and what-ifs print, with their labels; the published tests do not, as no design needs them."""
    where = sheet.address("A1")
    last_row = max((c.row for c in sheet.body), default=HEAD_ROW)
    if again := repeated_rows(sheet):  # other sheets print those; their heading is in the row above
        last_row = min(again) - 1 - 1
    wanted = f"A1:{get_column_letter(FIRST_PUBLISHED - 1)}{last_row}"
    if [area.coord for area in areas] != [wanted]:
        yield where, f"prints {sheet.ws.print_area}; expected {wanted}, base design and what-ifs. Set the print area."
    if str(sheet.ws.print_title_cols or "").replace("$", "") != "A:C":
        remedy = "expected A:C on every page. Set the columns to repeat at left."
        yield where, f"repeats columns {sheet.ws.print_title_cols}; {remedy}"


def _scale(sheet: Sheet, area: CellRange) -> float:
    """Return the share of full size at which the area fits the width of its paper."""
    columns = set(range(area.min_col, area.max_col + 1))
    titles = str(sheet.ws.print_title_cols or "").replace("$", "")
    if titles:
        repeated = CellRange(f"{titles.split(':')[0]}1:{titles.split(':')[-1]}1")
        columns |= set(range(repeated.min_col, repeated.max_col + 1))
    widths = _widths(sheet)
    long, short = PAPERS.get(int(sheet.ws.page_setup.paperSize or 9), PAPERS[9])
    paper = short if sheet.ws.page_setup.orientation == "portrait" else long
    margins = sheet.ws.page_margins
    room = paper - 72 * ((margins.left or 0) + (margins.right or 0))
    return min(1.0, room / (POINTS * sum(widths.get(column, DEFAULT_WIDTH) for column in columns)))


def _widths(sheet: Sheet) -> dict[int, float]:
    """Return the width of every column that has one; a file stores runs of equal columns once."""
    widths = {}
    for letter, dimension in sheet.ws.column_dimensions.items():
        dimension.reindex()
        first = dimension.min or CellRange(f"{letter}1").min_col
        for column in range(first, (dimension.max or first) + 1):
            widths[column] = float(dimension.width or DEFAULT_WIDTH)
    return widths
