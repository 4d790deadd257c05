"""What every sheet shares: header rows with the master check, column widths, freeze, print set-up, typed cells, protection."""

from collections.abc import Sequence

from openpyxl.formatting.rule import CellIsRule, FormulaRule
from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from model import styles
from model.grid import HEAD_ROW
from model.read import Typed

MASTER = '=IF(Chk_Master=0,"All checks hold",TEXT(Chk_Master,"0")&" check(s) FAIL: see Checks")'


def put(ws: Worksheet, row: int, column: int, value: object, role: str, unit: str = "text") -> None:
    """Write one cell in a role. Text is stored as text, whatever it starts with; only a leading '=' from our own formulas counts."""
    cell = ws.cell(row, column)
    cell.value = value  # type: ignore[assignment]  # openpyxl's own union
    cell.style = role
    if unit != "text":
        cell.number_format = styles.number_format(unit)


def wrap(cell: Cell) -> None:
    """Let a text cell use several lines."""
    cell.alignment = Alignment(vertical="center", wrap_text=True)


def typed_role(typed: Typed, unlocked: bool = False) -> str:
    """Return the role of a typed value: who stands behind it decides its dress."""
    if unlocked:
        return "assumed_input" if typed.status == "assumed" else "input"
    return "assumed" if typed.status == "assumed" else "fact"


def head(ws: Worksheet, title: str, purpose: str, headings: Sequence[str], widths: Sequence[float], freeze: str) -> None:
    """Write rows 1 to 4 (title, master check, purpose, headings) and set widths, freeze and the red fill of the master check."""
    put(ws, 1, 1, title, "title")
    put(ws, 2, 1, MASTER, "master")
    put(ws, 3, 1, purpose, "purpose")
    ws.row_dimensions[1].height = 24
    for column, text in enumerate(headings, 1):
        put(ws, HEAD_ROW, column, text, "heading")
    if headings:
        ws.row_dimensions[HEAD_ROW].height = 32
    for column, width in enumerate(widths, 1):
        ws.column_dimensions[get_column_letter(column)].width = width
    ws.freeze_panes = freeze
    red = PatternFill("solid", bgColor=styles.RED_FILL)
    ws.conditional_formatting.add("A2", FormulaRule(formula=["Chk_Master>0"], fill=red, font=Font(color="9C0006", bold=True)))
    ws.sheet_view.showGridLines = False
    ws.sheet_view.zoomScale = 90


def colour_words(ws: Worksheet, area: str, words: dict[str, str]) -> None:
    """Fill cells by the word they hold: the word carries the meaning, the colour repeats it."""
    for word, colour in words.items():
        ws.conditional_formatting.add(
            area, CellIsRule(operator="equal", formula=[f'"{word}"'], fill=PatternFill("solid", bgColor=colour))
        )


def print_setup(ws: Worksheet, last_column: int, last_row: int, tall: bool = False, titles: str | None = None) -> None:
    """Print landscape, fit to width, repeat the header rows; footer names file, tab and page."""
    ws.print_area = f"A1:{get_column_letter(last_column)}{last_row}"
    ws.page_setup.orientation = "portrait" if tall else "landscape"
    ws.page_setup.paperSize = 9
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    ws.page_setup.fitToWidth = 1
    ws.page_setup.fitToHeight = 0
    ws.print_title_rows = f"1:{HEAD_ROW}"
    if titles:
        ws.print_title_cols = titles
    ws.page_margins.left = ws.page_margins.right = 0.4
    ws.page_margins.top, ws.page_margins.bottom = 0.5, 0.6
    ws.oddFooter.left.text = "&F"
    ws.oddFooter.center.text = "&A"
    ws.oddFooter.right.text = "Page &P of &N"


def protect(ws: Worksheet) -> None:
    """Protect the sheet without a password; unlocked cells stay open, columns may be resized and rows filtered."""
    ws.protection.sheet = True
    ws.protection.formatColumns = False
    ws.protection.formatRows = False
    ws.protection.selectLockedCells = False


def allow_number(ws: Worksheet, area: str, low: float, high: float, label: str) -> None:
    """Accept numbers from low to high in the area; anything else is refused with a message that names the range."""
    rule = DataValidation("decimal", operator="between", formula1=f"{low:.15g}", formula2=f"{high:.15g}", allow_blank=True)
    rule.showErrorMessage = True
    rule.errorTitle = label[:32]
    rule.error = f"Enter a number from {low:,.10g} to {high:,.10g}."
    rule.showInputMessage = True
    rule.promptTitle = label[:32]
    rule.prompt = f"{low:,.10g} to {high:,.10g}"
    ws.add_data_validation(rule)
    rule.add(area)


def allow_list(ws: Worksheet, area: str, name: str, label: str, blank: bool = False) -> None:
    """Accept the entries of a workbook name in the area."""
    rule = DataValidation("list", formula1=f"={name}", allow_blank=blank)
    rule.showErrorMessage = True
    rule.errorTitle = label[:32]
    rule.error = "Choose an entry of the list."
    ws.add_data_validation(rule)
    rule.add(area)


def allow_text(ws: Worksheet, area: str, label: str) -> None:
    """Accept a text of 1 to 60 characters in the area."""
    rule = DataValidation("textLength", operator="between", formula1="1", formula2="60", allow_blank=True)
    rule.showErrorMessage = True
    rule.errorTitle = label[:32]
    rule.error = "Enter a text of at most 60 characters."
    ws.add_data_validation(rule)
    rule.add(area)
