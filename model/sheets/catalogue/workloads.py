"""Workloads, a table of Lists: every profile phase by phase, per desktop: IOPS, peak, minutes, read share, block."""

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put, typed_role
from model.layout.grid import LISTS as NAME
from model.layout.grid import MIX, OWN_PROFILES, Block, Layout
from model.reading.catalogue import Phase, ProfilePhase
from model.reading.records import Data
from model.sheets.catalogue import defaults, mix, mix_phases, own_rows, units

_FIGURES = {"iops": 4, "burst_ratio": 5, "minutes": 6, "read_ratio": 7, "block_kib": 8}
_UNITS = {"iops": "IOPS/desktop", "burst_ratio": "ratio", "minutes": "min", "read_ratio": "ratio", "block_kib": "KiB"}
LOCAL_COLUMN, LIST_COLUMN = mix_phases.LOCAL, 15
_TITLE = "Load of one active desktop in each phase, as measured"


def _names(data: Data) -> tuple[str, ...]:
    return (*data.profile_names(), *OWN_PROFILES)


def blocks(data: Data) -> dict[str, Block]:
    """Return where names stand, and each figure's column shifted: a profile's first row then finds the phase's row."""
    phases, first = len(data.phases), first_row(data)
    mixed = groups(data)
    last = mixed.profile + phases - 1
    ranges = {
        "profile_names": Block(NAME, first, last, 1, 1),
        "profile_list": Block(NAME, first, first + len(_names(data)), LIST_COLUMN, LIST_COLUMN),
        "measured_list": Block(NAME, first, first + len(_names(data)) - 1, LIST_COLUMN, LIST_COLUMN),
        "groups:name": Block(NAME, defaults.groups(data).mix, defaults.groups(data).mix, 1, 1),
        "groups:users": defaults.groups(data).total(mix.ALL_USERS),
        "groups:active": defaults.groups(data).total(mix.ACTIVE),
        "groups:all_machines": defaults.groups(data).cells(mix.SHARE[mix.ALL_MACHINES]),
        "groups:machines": defaults.groups(data).total(mix.ALL_MACHINES),
        "groups:in_use": defaults.groups(data).total(mix.ACTIVE_MACHINES),
        "groups:places": defaults.groups(data).cells(mix.FOUND),
        "measured:parts": Block(NAME, mixed.profile, last, mix_phases.PART, mix_phases.PART),
        "measured:part_names": Block(NAME, mixed.profile, last, mix_phases.PART + 1, mix_phases.PART + 1),
        "measured:mix": Block(NAME, last + 1, last + 1, mix_phases.PART, mix_phases.PART),
        "groups:words": Block(NAME, mixed.shared, mixed.shared, 6, 6),
    }
    ranges["profile:local_profile"] = Block(NAME, first, last, LOCAL_COLUMN, LOCAL_COLUMN)
    for shift, phase in enumerate(data.phases):
        for figure, column in _FIGURES.items():
            ranges[f"profile:{figure}:{phase.key}"] = Block(
                NAME, first + shift, last - phases + 1 + shift, column, column
            )
    return ranges | _own(data)


def first_row(data: Data) -> int:
    """Return the first row of the phases: below the units, a title and the headings."""
    return units.end(data) + 3


def _own(data: Data) -> dict[str, Block]:
    """Return the names and figures of the user's own profiles; a name counts where it stands first, as above."""
    phases = len(data.phases)
    first = first_row(data) + phases * len(data.profile_names())
    last = first + phases * (len(OWN_PROFILES) - 1)
    fields = {
        f"{phase.key}_{figure}": (shift, column)
        for shift, phase in enumerate(data.phases)
        for figure, column in _FIGURES.items()
    }
    fields["local_profile"] = (0, LOCAL_COLUMN)
    own = {f"own:profiles.{key}": Block(NAME, first + n, last + n, c, c) for key, (n, c) in fields.items()}
    return {"own:profiles": Block(NAME, first, last, 1, 1), **own}


def end(data: Data) -> int:
    """Return the row below the last phase."""
    return groups(data).end


def groups(data: Data) -> mix_phases.Phases:
    """Return the rows of user groups: below those of the user's own profiles."""
    first = first_row(data)
    below = first + len(data.phases) * len(_names(data))
    return mix_phases.Phases(below, first, data.phases, defaults.groups(data))


def write(ws: Worksheet, data: Data, layout: Layout) -> None:
    """Write every profile in six rows, then those taken over from My profiles."""
    headings = ["Profile", "Phase", "Sampling", "IOPS, IOPS/desktop", "Peak over mean, ratio",
                "Minutes of the run, min", "Read share, ratio", "Block size, KiB", "Source of IOPS",
                "Source of the minutes", "Source of read share", "Source of block size", "Note",
                "Local profiles inside", "List of profiles"]  # fmt: skip
    first = first_row(data)
    canvas.table_head(ws, first - 1, _TITLE, headings, range(4, 9))
    rows = {(row.profile, row.phase): row for row in data.profiles}
    inside = {row.profile: row.local_profile for row in data.profiles}
    row_number = first
    for name in data.profile_names():
        for phase in data.phases:
            _row(ws, row_number, name, phase.label, rows.get((name, phase.key)))
            put(ws, row_number, LOCAL_COLUMN, inside[name], "fact")
            canvas.centre(ws, row_number, (LOCAL_COLUMN,))
            row_number += 1
    lines = own_rows.tables(data)["profiles"]
    for name in OWN_PROFILES:
        for phase in data.phases:
            _own_row(ws, row_number, data, name, phase)
            row_number += 1
    for offset, name in enumerate(_names(data)):
        listed = own_rows.name_formula(lines.row(name)) if name in OWN_PROFILES else name
        put(ws, first + offset, LIST_COLUMN, listed, "note")
    put(ws, first + len(_names(data)), LIST_COLUMN, MIX, "note")
    seconds = units.cell("seconds_per_minute", data)
    groups(data).write(ws, seconds, mix.typed(layout, "login_window_min"))
    dim = FormulaRule(formula=[f"$A{first + 1}=$A{first}"], font=Font(color=styles.GREY))
    ws.conditional_formatting.add(f"A{first + 1}:A{row_number - 1}", dim)


def _own_row(ws: Worksheet, row: int, data: Data, name: str, phase: Phase) -> None:
    """Take a phase of an own profile over from My profiles."""
    at = own_rows.tables(data)["phases"].row(own_rows.phase_name(name, phase.key))
    put(ws, row, 1, f"={own_rows.elsewhere(own_rows.of_line('name', at))}", "label")
    put(ws, row, 2, phase.label, "label")
    cells = own_rows.in_use(data, name, phase.key)
    for (figure, column), cell in zip(_FIGURES.items(), cells, strict=True):
        put(ws, row, column, f"={own_rows.elsewhere(cell)}", "calculation", _UNITS[figure])
        canvas.centre(ws, row, (column,))
    put(ws, row, LOCAL_COLUMN, f"={own_rows.elsewhere(own_rows.of_line('local', at))}", "calculation")
    canvas.centre(ws, row, (LOCAL_COLUMN,))
    for column in range(9, 13):
        put(ws, row, column, "user", "note")


def _row(ws: Worksheet, row: int, name: str, phase: str, record: ProfilePhase | None) -> None:
    put(ws, row, 1, name, "label")
    put(ws, row, 2, phase, "label")
    put(ws, row, 3, record.sampling if record else None, "label")
    for figure, column in _FIGURES.items():
        typed = getattr(record, figure) if record else None
        put(ws, row, column, typed.value if typed else None, typed_role(typed) if typed else "fact", _UNITS[figure])
    for column, figure in enumerate(("iops", "minutes", "read_ratio", "block_kib"), 9):
        text = getattr(record, figure).source if record else "not published"
        if figure == "minutes" and record and record.minutes.value is None:
            text = "not published"
        if figure == "iops" and record and record.burst_ratio.value and record.sampling == "mean":
            text += f"; peak {record.peak_iops.source}"
        put(ws, row, column, text, "note")
    put(ws, row, 13, record.note if record else None, "note")
