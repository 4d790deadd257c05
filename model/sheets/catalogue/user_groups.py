"""User groups: up to six kinds of users in one design, each with number, share at work, profile, method and disk.

The sheet is typed into; what a group asks for, and what all of them ask for together, is on Lists (`mix.py`), as a
profile that a design chooses like any other.
"""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, GROUP_ROWS, MIX, Block, not_numbers, quoted
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets.catalogue import own_rows
from model.sheets.catalogue.own_rows import Field

NAME = MIX
_NAME, _STATE, USERS, AT_WORK, PROFILE, METHOD, MEMORY, DISK, CONTAINER = range(1, 10)  # columns
_LEFT_OUT, _WITH, _CARD = range(CONTAINER + 1, CONTAINER + 4)
_SHARE = "0%"
FIELDS = {
    USERS: Field("users", "Users", "desktops", 0, 100_000),
    AT_WORK: Field("at_work_ratio", "Share at work at the same time (blank = all)", "ratio", 0, 1),
    PROFILE: Field("profile", "Workload profile (own figures: My profiles)", "text", list="Tbl_Measured"),
    METHOD: Field("method", "Provisioning method (blank = the design's)", "text", list="Tbl_OneMethod"),
    MEMORY: Field("ram_gib", "Memory per desktop (blank = the profile's)", "GiB", 0.25, 1024),
    DISK: Field("disk_gib", "Disk of a full clone (blank = the profile's)", "GiB", 0, 10_000),
    CONTAINER: Field("container", "Profile container (blank = yes)", "text", list="Tbl_YesNo"),
}
LAST_ROW = FIRST_ROW + len(GROUP_ROWS) - 1
_PURPOSE = (
    "Up to six groups, each with a published profile or, for figures of its own, a row typed on My profiles. Choose "
    f"the workload {MIX} on Answer and type all users there: the groups set the shares. Where groups differ in method, "
    f"type each and choose the method {MIX} too."
)
_HEADINGS = ["Group (name it)", "State", *(field.heading for field in FIELDS.values()), "Cells to correct, count",
             "At work with a container, desktops", "Its profile: complete, or its state on My profiles"]  # fmt: skip
_WIDTHS = [28, 40, 14, 22, 44, 24, 16, 16, 16, 14, 18, 40]


def cell(column: int, row: int) -> str:
    """Return a cell of a group as other sheets name it."""
    return f"{quoted(NAME)}!{get_column_letter(column)}{row}"


def area(column: int) -> str:
    """Return the cells of a field as other sheets name them."""
    letter = get_column_letter(column)
    return f"{quoted(NAME)}!${letter}${FIRST_ROW}:${letter}${LAST_ROW}"


def figure_areas() -> list[str]:
    """Return the areas where figures are typed."""
    return [f"C{FIRST_ROW}:D{LAST_ROW}", f"G{FIRST_ROW}:H{LAST_ROW}"]


def blocks(_: Data) -> dict[str, Block]:
    """Return the names of the groups and of their fields, and how many cells hold no number where one belongs."""
    ranges = {"Own_groups": Block(NAME, FIRST_ROW, LAST_ROW, _NAME, _NAME)}
    for column, field in FIELDS.items():
        ranges[f"Own_groups.{field.key}"] = Block(NAME, FIRST_ROW, LAST_ROW, column, column)
    counted, total = LAST_ROW + 1, LAST_ROW + 2
    ranges["groups:faults"] = Block(NAME, total, total, _LEFT_OUT, _LEFT_OUT)
    ranges["groups:methods"] = Block(NAME, total, total, METHOD, METHOD)
    ranges["groups:with_container"] = Block(NAME, total, total, CONTAINER, CONTAINER)
    ranges["groups:active_with_container"] = Block(NAME, total, total, _WITH, _WITH)
    return {**ranges, "groups:not_numbers": Block(NAME, counted, counted, USERS, USERS)}


def _wrong(row: int) -> str:
    """Return the formula that counts what keeps a group that was started from being sized."""
    share, profile = f"D{row}", f"E{row}"
    return (
        f'=SIGN(COUNTA(C{row}:I{row}))*(1-COUNTIF(C{row},">0")+ISBLANK({profile})+COUNTA({share})-COUNT({share})'
        f'+COUNTIF({share},">1")+COUNTIF({share}:H{row},"<0"))'
    )


def _card(row: int, data: Data) -> str:
    """Return the formula of what My profiles says of a group's own profile; one of the catalogue is complete."""
    names, states = (own_rows.elsewhere(own_rows.column_of_lines(data, letter)) for letter in "AB")
    profile = f"{get_column_letter(PROFILE)}{row}"
    return f'=IF(ISBLANK({profile}),"none",IFERROR(INDEX({states},MATCH({profile},{names},0)),"complete"))'


def write(ws: Worksheet, context: Context) -> None:
    """Write the groups: typed cells, and in words what a group lacks."""
    centred = (USERS, AT_WORK, MEMORY, DISK, CONTAINER, _LEFT_OUT, _WITH)
    canvas.head(ws, "User groups in one design", _PURPOSE, _HEADINGS, _WIDTHS, "B5", centred)
    for row, name in enumerate(GROUP_ROWS, FIRST_ROW):
        put(ws, row, _NAME, name, "input")
        for column, field in FIELDS.items():
            put(ws, row, column, None, "input", field.unit)
        ws.cell(row, AT_WORK).number_format = _SHARE
        put(ws, row, _LEFT_OUT, _wrong(row), "calculation", "count")
        which = f"1+SIGN(COUNTA(C{row}:I{row}))+SIGN(J{row})"
        words = f'"empty: type users and profile",L{row},"needs users, share, profile"'
        put(ws, row, _STATE, f"=CHOOSE({which},{words})", "output")
        fit.reserve(ws, row, 2)
        put(ws, row, _CARD, _card(row, context.data), "calculation")
        at_work = f"IF(COUNT(D{row})=0,1,MAX(0,MIN(1,D{row})))"
        put(ws, row, _WITH, f'=(1-COUNTIF(I{row},"no"))*SUM(C{row})*{at_work}', "calculation", "desktops")
        canvas.centre(ws, row, (_STATE, PROFILE, METHOD, CONTAINER, _CARD))
    total, users, shares = LAST_ROW + 2, f"C{FIRST_ROW}:C{LAST_ROW}", f"D{FIRST_ROW}:D{LAST_ROW}"
    away = f'SUMIFS({users},{shares},"<=1")-SUMPRODUCT({users},{shares})'
    put(ws, total, _NAME, "All groups: type these on Answer", "label")
    put(ws, total, USERS, f"=SUM({users})", "output", "desktops")
    put(ws, total, AT_WORK, f"=1-({away})/MAX(1,SUM({users}))", "output", "ratio")
    ws.cell(total, AT_WORK).number_format = _SHARE
    put(ws, total, PROFILE, NAME, "note")
    put(ws, total, METHOD, f'=IF(COUNTA(F{FIRST_ROW}:F{LAST_ROW})=0,"the design\'s","{NAME}")', "output")
    canvas.centre(ws, total, (PROFILE, METHOD))
    without = f'SUMIFS({users},I{FIRST_ROW}:I{LAST_ROW},"no")'
    put(ws, total, CONTAINER, f"=1-{without}/MAX(1,C{total})", "output", "ratio")
    put(ws, total, _LEFT_OUT, f"=SUM(J{FIRST_ROW}:J{LAST_ROW})", "calculation", "count")
    put(ws, total, _WITH, f"=SUM(K{FIRST_ROW}:K{LAST_ROW})", "calculation", "desktops")
    ws.cell(total, CONTAINER).number_format = _SHARE
    put(ws, LAST_ROW + 1, _NAME, "No number where one belongs, count", "label")
    put(ws, LAST_ROW + 1, USERS, not_numbers(figure_areas()), "calculation", "count")
    _accept(ws)
    canvas.colour_not_numbers(ws, figure_areas())
    canvas.print_setup(ws, _CARD, total)


def _accept(ws: Worksheet) -> None:
    """Say what the cells accept."""
    canvas.allow_text(ws, f"A{FIRST_ROW}:A{LAST_ROW}", "Name")
    for column, field in FIELDS.items():
        letter = get_column_letter(column)
        cells = f"{letter}{FIRST_ROW}:{letter}{LAST_ROW}"
        if field.list:
            canvas.allow_list(ws, cells, field.list, field.label, blank=True)
        else:
            canvas.allow_number(ws, cells, field.low, field.high, field.label)


TAB = Tab(NAME, "rows", "input", "Up to six groups of users in one design", write, blocks)
