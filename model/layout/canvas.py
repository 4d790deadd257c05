"""What every sheet shares: header rows with the master check, widths, freeze, print set-up, typed cells, protection."""

import datetime
from collections.abc import Iterable, Sequence
from copy import copy
from itertools import groupby

from openpyxl.cell import Cell
from openpyxl.formatting.rule import CellIsRule, FormulaRule, Rule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from model.errors import BuildError
from model.layout import fit, styles
from model.layout.grid import HEAD_ROW, INPUT_SHEETS, Layout, quoted, repeated
from model.reading.columns import Typed

LEAST_SCALE = 0.637  # the rule says 60 %; LibreOffice draws columns 6 % wider than Excel
_MASTER_WIDTH = 26  # the master check's longest text, in digits
_MARGIN = 0.4
_A4, _A3 = 9, 8
_PAPER_INCHES = {_A4: (11.69, 8.27), _A3: (16.54, 11.69)}  # the long side, the short side

MASTER = "=Chk_Banner"
EXPIRED = '"expired on "yyyy-mm-dd'
_EXPIRED_ID = 400  # of a number format in a conditional one: beyond those of cells, which count up from 164
CENTRED = Alignment(horizontal="center", vertical="center", wrap_text=True)


def put(ws: Worksheet, row: int, column: int, value: object, role: str, unit: str = "text") -> None:
    """Write one cell in a role. Text stays text; only a leading '=' of our own formulas makes a formula."""
    cell = ws.cell(row, column)
    cell.value = value
    cell.style = styles.style_name(role)
    if unit != "text":
        cell.number_format = styles.number_format(unit)


def put_like(cell: Cell, column: int, value: object) -> None:
    """Write another cell of a row in the style of one that is finished."""
    other = cell.parent.cell(cell.row, column)
    other.value = value
    other._style = copy(cell._style)


def put_unit(ws: Worksheet, row: int, column: int, unit: str) -> None:
    """Write the unit of a line; words have none, and money is in the currency typed."""
    shown = styles.unit_shown(unit)
    put(ws, row, column, shown, "shown" if shown.startswith("=") else "label")


def link(ws: Worksheet, cell: str, sheet: str, target: str, tooltip: str) -> None:
    """Make a cell a link to another cell of the workbook, whatever it shows."""
    ws[cell].hyperlink = Hyperlink(ref=cell, location=f"{quoted(sheet)}!{target}", tooltip=tooltip)


def colour_asks(ws: Worksheet, area: str, marked: tuple[str, PatternFill] | None = None) -> None:
    """Show in blue, as links are, the words that ask for typing; filled where the test of `marked` holds."""
    first = area.partition(":")[0]
    asks = f'OR(ISNUMBER(SEARCH("enter a",{first})),LEFT({first},8)="fill its")'
    blue = Font(color=styles.BLUE, underline="single")
    if marked:
        both = FormulaRule(formula=[f"AND({marked[0]},{asks})"], font=blue, fill=marked[1])
        ws.conditional_formatting.add(area, both)
    ws.conditional_formatting.add(area, FormulaRule(formula=[asks], font=blue))


def serial(day: datetime.date) -> float:
    """Return a day as Excel counts it, from March 1900 on."""
    return float((day - datetime.date(1899, 12, 30)).days)


def select(ws: Worksheet, cell: str) -> None:
    """Put the cursor of the scrolling pane on a cell."""
    for selection in ws.sheet_view.selection:
        if selection.pane == ws.sheet_view.pane.activePane:
            selection.activeCell = selection.sqref = cell


def centre(ws: Worksheet, row: int, columns: Sequence[int]) -> None:
    """Centre and wrap texts that stand where other rows have numbers."""
    for column in columns:
        ws.cell(row, column).alignment = CENTRED


def typed_role(typed: Typed, unlocked: bool = False) -> str:
    """Return the role of a typed value: it follows from who stands behind the value."""
    if unlocked:
        return "assumed_input" if typed.status == "assumed" else "input"
    return "assumed" if typed.status == "assumed" else "fact"


def head(
    ws: Worksheet,
    title: str,
    purpose: str,
    headings: Sequence[str],
    widths: Sequence[float],
    freeze: str,
    values: Sequence[int] = (),
) -> None:
    """Write rows 1 to 4 (title, master check, purpose, headings); set widths, freeze and the fills of the master check.

    Columns in `values` hold figures: their headings are centred. A blank heading leaves a gap between two tables.
    """
    for _, table in groupby(headings, bool):
        if twice := repeated(table):
            raise BuildError(f"{ws.title}: two columns of a table are headed {twice!r}. Rename one.")
    put(ws, 1, 1, title, "title")
    put(ws, 2, 1, MASTER, "master")
    put(ws, 3, 1, purpose, "purpose")
    ws.row_dimensions[1].height = 26
    ws.row_dimensions[2].height = 20
    ws.row_dimensions[HEAD_ROW].height = 24
    for column, text in enumerate(headings, 1):
        if text:
            put(ws, HEAD_ROW, column, text, "heading")
    centre(ws, HEAD_ROW, values)
    for column, width in enumerate(widths, 1):
        ws.column_dimensions[get_column_letter(column)].width = width
    ws.freeze_panes = freeze
    colour_banner(ws, f"A2:{get_column_letter(_columns_for(widths, _MASTER_WIDTH))}2")
    ws.sheet_view.showGridLines = False
    ws.sheet_view.zoomScale = 90


def table_head(ws: Worksheet, row: int, title: str, headings: Sequence[str], values: Sequence[int] = ()) -> None:
    """Write the headings of a table that stands below another one, and in the row before them what it holds.

    Columns in `values` hold figures: their headings are centred. A blank heading leaves a gap.
    """
    for column in range(1, len(headings) + 1):
        put(ws, row - 1, column, title if column == 1 else None, "group")
    for column, text in enumerate(headings, 1):
        if text:
            put(ws, row, column, text, "heading")
    centre(ws, row, values)


def overflow(ws: Worksheet, row: int, column: int) -> None:
    """Let a text run over the blank cells on its right instead of wrapping in a narrow column."""
    ws.cell(row, column).alignment = Alignment(vertical="center", wrap_text=False)


def colour_banner(ws: Worksheet, area: str) -> None:
    """Fill the banner by its state: errors red, alerts amber, fine green. The words say the same."""
    green, amber, red = (
        PatternFill("solid", bgColor=colour) for colour in (styles.GREEN_FILL, styles.AMBER_FILL, styles.RED_FILL)
    )
    alarm = Font(color="9C0006", bold=True)
    for test, fill, font in (
        ("Chk_Master>0", red, alarm),
        ("Chk_Alerts>0", amber, Font(color="7A4B00", bold=True)),
        ("Chk_Master=0", green, None),
    ):
        ws.conditional_formatting.add(area, FormulaRule(formula=[test], fill=fill, font=font, stopIfTrue=True))


def _columns_for(widths: Sequence[float], least: float) -> int:
    """Return how many columns from the left are at least as wide together."""
    return next((count for count in range(1, len(widths)) if sum(widths[:count]) >= least), len(widths))


def answer_band(ws: Worksheet, layout: Layout, column: int) -> None:
    """Write the base design's answer into the frozen rows: labels in row 1, values in row 2, from a column on."""
    for at, (headline, key) in enumerate(layout.headlines, column):
        sheet, cell = layout.cell(key)
        label = headline.label
        if label.startswith("=") and ws.title != INPUT_SHEETS[0]:
            label = f"={INPUT_SHEETS[0]}!{ws.cell(1, at).coordinate}"
        put(ws, 1, at, label, "shown" if label.startswith("=") else "note")
        ws.cell(1, at).alignment = Alignment(horizontal="center", vertical="bottom", wrap_text=True)
        put(ws, 2, at, f"={sheet}!{cell}", "headline")
        ws.cell(2, at).number_format = headline.form
        if key.startswith("cost_"):
            link(ws, ws.cell(2, at).coordinate, *layout.typed("array_price"), "Type the quote for one array")
    ws.row_dimensions[1].height = 30
    ws.row_dimensions[2].height = 42
    colour_answer(ws, ws.cell(2, column).coordinate)


def mark_past(ws: Worksheet, cells: Iterable[str], words: bool = True) -> None:
    """Fill the last days of quotes amber from the day after, and say in `words` that they expired.

    That day is the one on which the sheet is read. No formula may depend on it, so the words are a number format.
    """
    for cell in cells:
        fill = PatternFill("solid", bgColor=styles.AMBER_FILL)
        past = DifferentialStyle(fill=fill, numFmt=NumberFormat(_EXPIRED_ID, EXPIRED) if words else None)
        test = f"AND(ISNUMBER({cell}),{cell}>0,{cell}<TODAY())"
        ws.conditional_formatting.add(cell, Rule("expression", dxf=past, formula=[test]))
        if words:
            ws[cell].alignment = Alignment(horizontal="right", vertical="center", shrink_to_fit=True)


def colour_answer(ws: Worksheet, area: str) -> None:
    """Fill answers: red for 'does not fit', 'no answer'; amber for 'at least', beyond the evidence; else green."""
    first = area.partition(":")[0]
    for test, colour in (
        (f'OR(LEFT({first},12)="does not fit",LEFT({first},9)="no answer")', styles.RED_FILL),
        (f'OR(LEFT({first},8)="at least",ISNUMBER(SEARCH("no evidence",{first})))', styles.AMBER_FILL),
        (f"LEN({first})>0", styles.GREEN_FILL),
    ):
        fill = PatternFill("solid", bgColor=colour)
        ws.conditional_formatting.add(area, FormulaRule(formula=[test], fill=fill, stopIfTrue=True))


NO_LESS = ("0", "1E+300")  # limits of a figure that may not be below 0


def colour_not_numbers(ws: Worksheet, areas: Sequence[str], word: str = "", limits: Sequence[str] = ()) -> None:
    """Fill a cell red that holds a text, TRUE or an error where a figure belongs; `word` is one of the sheet's own.

    `limits` are the columns with the lowest and the highest figure of each row, or these figures of an area of one.
    """
    fill = PatternFill("solid", bgColor=styles.RED_FILL)
    for area in areas:  # a rule each: applications differ on the cell that a rule over several areas starts from
        first = area.partition(":")[0]
        ours = f',COUNTIF({first},"{word}")=0' if word else ""
        row = first.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ$")
        low, high = (f"{each}{row}" if each.startswith("$") else each for each in limits or ("", ""))
        wrong = f"OR(NOT(ISNUMBER({first})),{first}<{low},{first}>{high})" if limits else f"NOT(ISNUMBER({first}))"
        test = f"AND(NOT(ISBLANK({first})),{wrong}{ours})"
        ws.conditional_formatting.add(area, FormulaRule(formula=[test], fill=fill))


def colour_words(ws: Worksheet, area: str, words: dict[str, str]) -> None:
    """Fill cells by the word they hold: the word carries the meaning, the colour repeats it."""
    for word, colour in words.items():
        ws.conditional_formatting.add(
            area, CellIsRule(operator="equal", formula=[f'"{word}"'], fill=PatternFill("solid", bgColor=colour))
        )


def print_setup(
    ws: Worksheet,
    last_column: int,
    last_row: int,
    titles: str | None = None,
    further: Sequence[str] = (),
    upright: bool = False,
    pages: int = 0,
) -> None:
    """Print landscape, fit to width, repeat the header rows; the footer names file, tab and page. Fit the rows.

    `upright` prints portrait, for a list of few columns. `pages` is the most pages in height, 0 as many as needed.

    Each area of `further` (such as "L1:S90") starts a new page; `titles` ("A:C") are the columns repeated on it.
    Paper is A4 unless the widest page would shrink below the least scale; then A3.
    """
    fit.rows(ws, last_row)
    areas = [f"A1:{get_column_letter(last_column)}{last_row}", *further]
    ws.print_area = ",".join(areas)
    ws.page_setup.orientation = "portrait" if upright else "landscape"
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    ws.page_setup.fitToWidth = 1
    ws.page_setup.fitToHeight = pages
    ws.print_title_rows = f"1:{HEAD_ROW}"
    if titles:
        ws.print_title_cols = titles
    ws.page_margins.left = ws.page_margins.right = _MARGIN
    ws.page_margins.top, ws.page_margins.bottom = 0.4, 0.5
    ws.page_margins.header = ws.page_margins.footer = 0.25
    ws.page_setup.paperSize = _A4 if print_scale(ws, _A4) >= LEAST_SCALE else _A3
    ws.oddFooter.left.text = "&F"
    ws.oddFooter.center.text = "&A"
    ws.oddFooter.right.text = "Page &P of &N"


def print_scale(ws: Worksheet, paper: int | None = None) -> float:
    """Return the scale at which the widest print area fits the page, at most 1."""
    titles = set(_columns(ws, ws.print_title_cols.replace("$", ""))) if ws.print_title_cols else set()
    widest = 0.0
    for area in str(ws.print_area).split(","):
        columns = titles | set(_columns(ws, area.rpartition("!")[2].replace("$", "")))
        widest = max(widest, sum(fit.pixels(ws, letter) for letter in columns))
    across = _PAPER_INCHES[paper or ws.page_setup.paperSize][ws.page_setup.orientation == "portrait"]
    room = (across - 2 * _MARGIN) * fit.PIXELS_PER_INCH
    return min(1.0, room / widest)


def _columns(ws: Worksheet, area: str) -> list[str]:
    first, _, last = area.partition(":")
    numbers = [column_index_from_string(part.rstrip("0123456789")) for part in (first, last or first)]
    return [get_column_letter(n) for n in range(numbers[0], numbers[1] + 1)]


def protect(ws: Worksheet) -> None:
    """Protect the sheet without a password; unlocked cells stay open, columns may be resized and rows filtered."""
    ws.protection.sheet = True
    ws.protection.formatColumns = False
    ws.protection.formatRows = False
    ws.protection.selectLockedCells = False


MOST_PROMPT = 200  # characters beside a cell; an application shows no more than 255
MOST_TOGETHER = 0.999  # of two shares that must leave something


def allow_number(
    ws: Worksheet,
    area: str,
    low: float,
    high: float,
    label: str,
    whole: bool = False,
    shares_one: tuple[str, str] | None = None,
    percent: bool = False,
    help: str = "",
) -> None:
    """Accept numbers from low to high in the area; anything else is refused with a message that names the range.

    `shares_one` is the formula and the label of what the number must stay below 1 with. `percent` names a range of 0
    to 1 as 0 % to 100 %; `help` stands in the prompt behind the range.
    """
    other, its_label = shares_one or ("", "")
    most = f"MIN({high:.15g},{MOST_TOGETHER}-{other})" if other else f"{high:.15g}"
    kind = "whole" if whole else "decimal"
    rule = DataValidation(kind, operator="between", formula1=f"{low:.15g}", formula2=most, allow_blank=True)
    rule.showErrorMessage = True
    rule.errorTitle = label[:32]
    together = f", below {'100 %' if percent else '1'} together with {its_label}" if other else ""
    if percent:
        accepted = f"{100 * low:,.10g} % to {100 * high:,.10g} %{together}"
        rule.error = f"Enter a share from {accepted}; type 15 % as 15%."
    else:
        accepted = f"{low:,.10g} to {high:,.10g}{together}"
        rule.error = f"Enter a {'whole ' if whole else ''}number from {accepted}."
    rule.showInputMessage = True
    rule.promptTitle = label[:32]
    rule.prompt = f"{accepted}. {help}"[:MOST_PROMPT].rstrip(". ") if help else accepted
    ws.add_data_validation(rule)
    rule.add(area)


def allow_list(ws: Worksheet, area: str, name: str, label: str, blank: bool = False) -> None:
    """Accept the entries of a workbook name in the area."""
    rule = DataValidation("list", formula1=name, allow_blank=blank)
    rule.showErrorMessage = True
    rule.errorTitle = label[:32]
    rule.error = "Choose an entry of the list."
    ws.add_data_validation(rule)
    rule.add(area)


def allow_date(ws: Worksheet, cell: str, low: float, high: float, label: str, help: str) -> None:
    """Accept a date between two days, counted as Excel counts them, in a cell."""
    rule = DataValidation("date", operator="between", formula1=f"{low:g}", formula2=f"{high:g}", allow_blank=True)
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = label[:32]
    rule.error = "Enter a date from 2000 on."
    rule.prompt = f"A date. {help}"
    ws.add_data_validation(rule)
    rule.add(cell)


def allow_time(ws: Worksheet, area: str, low: float, high: float, label: str, help: str) -> None:
    """Accept a time of day, a share of the day as Excel counts it, in the area."""
    rule = DataValidation("time", operator="between", formula1=f"{low:.15g}", formula2=f"{high:.15g}", allow_blank=True)
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = label[:32]
    rule.error = "Enter a time of day, such as 07:00."
    rule.prompt = f"00:00 to 23:59. {help}"[:MOST_PROMPT].rstrip(". ")
    ws.add_data_validation(rule)
    rule.add(area)


def allow_text(ws: Worksheet, area: str, label: str, longest: int = 60) -> None:
    """Accept a text of 1 to `longest` characters in the area."""
    rule = DataValidation("textLength", operator="between", formula1="1", formula2=str(longest), allow_blank=True)
    rule.showErrorMessage = True
    rule.errorTitle = label[:32]
    rule.error = f"Enter a text of at most {longest} characters."
    ws.add_data_validation(rule)
    rule.add(area)
