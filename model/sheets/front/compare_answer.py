"""The figures that Answer shows unless an error is raised, of the base design: a table on Compare, below the shares."""

from collections.abc import Callable

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import BASE, Layout

_HEADS = ("Shown on Answer", "Unit", "", "normal", "after one failure")
FIGURES: tuple[tuple[str, str, str, str], ...] = (
    # what it is, unit, in normal operation, after one failure: a line in braces, a row of Compare without
    ("Needed", "text", "normal", "after"),
    ("Limited by, share used", "text", "normal_limit", "after_limit"),
    ("Needed, unrounded", "arrays", "{ratio_normal}", "{need_after_failure}"),
    ("Room for more users", "count", "{room_normal}", "{room_after_failure}"),
    ("Minutes to boot all", "min", "{boot_minutes}", "{failover_boot_minutes}"),
    ("Login latency", "ms", "{login_latency_ms}", "{failover_login_latency_ms}"),
    ("Minutes to log in all", "min", "{login_minutes}", ""),
    ("Usable and effective capacity", "text", "{capacity_words}", "{capacity_words}"),
    ("Storage cost per desktop", "USD/desktop", "{cost_per_desktop}", ""),
    ("Arrays, support, cloud storage", "USD", "{cost_total}", ""),
)
NOTES = (  # heading on Answer, its line
    ("CLOSE CALL", "call_words"),
    ("SLOWER STORMS SAVE", "slower_storms"),
    ("SIZED FROM", "demand_source"),
    ("UNKNOWN ABOUT THE LOAD", "demand_words"),
    ("UNKNOWN ABOUT THE ARRAY", "rating_words"),
    ("COUNT WOULD CHANGE", "matters_words"),
    ("ASK A VENDOR FOR", "ask_words"),
    ("LESS PRE-BOOT SAVES", "preboot_words"),
    ("BOOT AND LOGINS", "together_words"),
    ("USER GROUPS", "group_words"),
    ("CLOUD SHARE", "share_summary"),
    ("MACHINES' DISKS", "disk_summary"),
    ("COST OF CLOUD STORAGE", "share_cost_told"),
)


def write(ws: Worksheet, head: int, layout: Layout, own: Callable[[str], str]) -> int:
    """Write every figure below a heading row; return the last row. `own` is the cell of a row of Compare."""
    for column, text in enumerate(_HEADS, 1):
        put(ws, head, column, text, "heading")
    rows = (*FIGURES, *((label, "text", f"{{{line}}}", "") for label, line in NOTES))
    for row, (label, unit, *figures) in enumerate(rows, head + 1):
        put(ws, row, 1, label, "label")
        canvas.put_unit(ws, row, 2, unit)
        for column, figure in enumerate(filter(None, figures), BASE):
            cell = layout.resolve(figure, ws.title, BASE) if figure.startswith("{") else own(figure)
            put(ws, row, column, f"={cell.removeprefix(f'{ws.title}!')}", "output", unit)
            if figure.startswith("{room_"):  # its codes are words here too
                ws.cell(row, column).number_format = styles.line_format(figure.strip("{}"), unit)
            canvas.overflow(ws, row, column)
    return head + len(rows)
