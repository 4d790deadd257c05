"""Workloads: every profile phase by phase, per desktop: IOPS, peak over mean, minutes, read share, block size."""

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put, typed_role
from model.layout.grid import FIRST_ROW, OWN_PROFILES, Block
from model.layout.tab import Context, Tab
from model.reading.catalogue import ProfilePhase
from model.reading.columns import Typed
from model.reading.records import Data

NAME = "Workloads"
_FIGURES = {"iops": 4, "burst_ratio": 5, "minutes": 6, "read_ratio": 7, "block_kib": 8}
_UNITS = {"iops": "IOPS/desktop", "burst_ratio": "ratio", "minutes": "min", "read_ratio": "ratio", "block_kib": "KiB"}
_RANGES = {
    "iops": (0, 10000),
    "burst_ratio": (1, 1000),
    "minutes": (0.1, 10000),
    "read_ratio": (0, 1),
    "block_kib": (0, 4096),
}
LOCAL_COLUMN, LIST_COLUMN = 14, 15


def _names(data: Data) -> tuple[str, ...]:
    return (*data.profile_names(), *OWN_PROFILES)


def blocks(data: Data) -> dict[str, Block]:
    """Return where names stand, and each figure's column shifted: a profile's first row then finds the phase's row."""
    phases = len(data.phases)
    last = FIRST_ROW + phases * len(_names(data)) - 1
    ranges = {
        "profile_names": Block(NAME, FIRST_ROW, last, 1, 1),
        "profile_list": Block(NAME, FIRST_ROW, FIRST_ROW + len(_names(data)) - 1, LIST_COLUMN, LIST_COLUMN),
    }
    ranges["profile:local_profile"] = Block(NAME, FIRST_ROW, last, LOCAL_COLUMN, LOCAL_COLUMN)
    for shift, phase in enumerate(data.phases):
        for figure, column in _FIGURES.items():
            ranges[f"profile:{figure}:{phase.key}"] = Block(
                NAME, FIRST_ROW + shift, last - phases + 1 + shift, column, column
            )
    return ranges | _own(data)


def _own(data: Data) -> dict[str, Block]:
    """Return the names and figures of the user's own profiles; a name counts where it stands first, as above."""
    phases = len(data.phases)
    first = FIRST_ROW + phases * len(data.profile_names())
    last = first + phases * (len(OWN_PROFILES) - 1)
    fields = {
        f"{phase.key}_{figure}": (shift, column)
        for shift, phase in enumerate(data.phases)
        for figure, column in _FIGURES.items()
    }
    fields["local_profile"] = (0, LOCAL_COLUMN)
    own = {f"own:profiles.{key}": Block(NAME, first + n, last + n, c, c) for key, (n, c) in fields.items()}
    return {"own:profiles": Block(NAME, first, last, 1, 1), **own}


def write(ws: Worksheet, context: Context) -> None:
    """Write every profile in six rows, the user's own ones open."""
    data = context.data
    headings = ["Profile", "Phase", "Sampling", "IOPS, IOPS/desktop", "Peak over mean, ratio",
                "Minutes of the run, min", "Read share, ratio", "Block size, KiB", "Source of IOPS",
                "Source of the minutes", "Source of read share", "Source of block size", "Note",
                "Local profiles inside, text", "List of profiles"]  # fmt: skip
    purpose = "What one active desktop asks for in each phase, as measured. Your own measurement beats every row here."
    widths = [40, 13, 10, 12, 12, 11, 11, 11, 30, 20, 32, 30, 33, 12, 40]
    canvas.head(ws, "Workload profiles", purpose, headings, widths, "C5", range(4, 9))
    rows = {(row.profile, row.phase): row for row in data.profiles}
    inside = {row.profile: row.local_profile for row in data.profiles}
    row_number = FIRST_ROW
    for name in _names(data):
        for phase in data.phases:
            _row(ws, row_number, name, phase.label, rows.get((name, phase.key)))
            put(ws, row_number, LOCAL_COLUMN, inside.get(name), "fact" if name in inside else "input")
            canvas.centre(ws, row_number, (LOCAL_COLUMN,))
            row_number += 1
    for offset, name in enumerate(_names(data)):
        put(ws, FIRST_ROW + offset, LIST_COLUMN, name, "note")
    first_own = FIRST_ROW + len(data.phases) * len(data.profile_names())
    for figure, column in _FIGURES.items():
        letter = "ABCDEFGH"[column - 1]
        canvas.allow_number(
            ws, f"{letter}{first_own}:{letter}{row_number - 1}", *_RANGES[figure], figure.replace("_", " ")
        )
    own = f"{get_column_letter(LOCAL_COLUMN)}{first_own}:{get_column_letter(LOCAL_COLUMN)}{row_number - 1}"
    canvas.allow_list(ws, own, "Tbl_YesNo", "Local profiles inside", blank=True)
    dim = FormulaRule(formula=[f"$A{FIRST_ROW + 1}=$A{FIRST_ROW}"], font=Font(color=styles.GREY))
    ws.conditional_formatting.add(f"A{FIRST_ROW + 1}:A{row_number - 1}", dim)
    canvas.print_setup(ws, LIST_COLUMN - 1, row_number - 1)


def _row(ws: Worksheet, row: int, name: str, phase: str, record: ProfilePhase | None) -> None:
    put(ws, row, 1, name, "label")
    put(ws, row, 2, phase, "label")
    own = name in OWN_PROFILES
    put(ws, row, 3, record.sampling if record else None, "label")
    blank = Typed(None, "user", "user")
    typed = {
        "iops": record.iops if record else blank,
        "burst_ratio": record.burst_ratio if record else blank,
        "minutes": record.minutes if record else blank,
        "read_ratio": record.read_ratio if record else blank,
        "block_kib": record.block_kib if record else blank,
    }
    for figure, column in _FIGURES.items():
        role = "input" if own else typed_role(typed[figure]) if record else "fact"
        put(ws, row, column, typed[figure].value, role, _UNITS[figure])
    for column, figure in enumerate(("iops", "minutes", "read_ratio", "block_kib"), 9):
        text = typed[figure].source if record else "user" if own else "not published"
        if figure == "minutes" and record and typed[figure].value is None:
            text = "not published"
        if figure == "iops" and record and record.burst_ratio.value and record.sampling == "mean":
            text += f"; peak {record.peak_iops.source}"
        put(ws, row, column, text, "note")
    put(ws, row, 13, record.note if record else None, "note")


TAB = Tab(NAME, "catalogue", "catalogue", "Workload profiles phase by phase and your own", write, blocks)
