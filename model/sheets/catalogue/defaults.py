"""What travels with a profile, the first table of Lists: its year, its desktop, throttle, window, work per login.

The first row holds the general default of every input: it stands where a profile has no figure of its own. An empty
cell of Inputs takes the profile's figure, then the general default; Design names which.
"""

from collections.abc import Sequence
from dataclasses import replace

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put, typed_role
from model.layout.grid import FIRST_ROW, GROUP_ROWS, MIX, OWN_PROFILES, Block
from model.layout.grid import LISTS as NAME
from model.reading.catalogue import ProfileField
from model.reading.columns import Typed
from model.reading.inputs import Input
from model.reading.records import Data
from model.sheets.catalogue import by_profile, general, mix, own_rows

_PURPOSE = (
    "What travels with a profile: an empty cell of Inputs takes its figure, else the first row's. Below, the load of a "
    "desktop in each phase, as measured. Your own (My profiles) is better than any row."
)
_NONE = "none of its own"
SESSION_HOSTS = " session hosts"  # after the method that a profile was measured under, of machines for several users


def _figures(data: Data) -> tuple[ProfileField | Input, ...]:
    """Return the columns: attributes of the profile, then the inputs that travel with it."""
    return (*data.profile_fields, *data.travelling())


def _names(data: Data) -> tuple[str, ...]:
    return (general.name(data), *data.profile_names(), *OWN_PROFILES, *GROUP_ROWS, MIX)


def groups(data: Data) -> mix.Travelling:
    """Return the rows of user groups and their mix: the last of the table."""
    first = FIRST_ROW + len(_names(data)) - len(GROUP_ROWS) - 1
    return mix.Travelling(first, {figure.key: figure.unit for figure in _figures(data)})


def blocks(data: Data) -> dict[str, Block]:
    """Return where the names stand and every figure."""
    last = FIRST_ROW + len(_names(data)) - 1
    empty = 2 + len(_figures(data))
    newest = len(data.profile_names()) + FIRST_ROW - 1
    ranges = {
        "default_names": Block(NAME, FIRST_ROW, last, 1, 1),
        "default:general": Block(NAME, FIRST_ROW, FIRST_ROW, 1, 1),
        "default:empty": Block(NAME, FIRST_ROW, last, empty, empty),
        "default:measured_under": Block(NAME, FIRST_ROW, last, empty + 1, empty + 1),
        "newest_under": Block(NAME, FIRST_ROW, newest, empty + 2, empty + 2),
        "newest_names": Block(NAME, FIRST_ROW, newest, empty + 3, empty + 3),
        "default:assumed": Block(NAME, FIRST_ROW, last, empty + 4, empty + 4),
    }
    first, end_ = 2 + len(data.profile_fields), 1 + len(_figures(data))
    ranges["default:travelling"] = Block(NAME, FIRST_ROW, last, first, end_)
    ranges["default:headings"] = Block(NAME, FIRST_ROW - 1, FIRST_ROW - 1, first, end_)
    for item in data.travelling():
        ranges[f"groups:borrowed:{item.key}"] = groups(data).borrowed(item.key)
    always = [groups(data).borrowed(key) for key in general.ALWAYS]
    ranges["groups:borrowed"] = replace(always[0], last_column=always[-1].last_column)
    for column, figure in enumerate(_figures(data), 2):
        ranges[f"default:{figure.key}"] = Block(NAME, FIRST_ROW, last, column, column)
    return ranges


def _typed(data: Data, name: str, figure: ProfileField | Input) -> Typed | None:
    """Return the figure of a row: the input's own for the general default; None where there is none."""
    if name == general.name(data):
        return figure.value if isinstance(figure, Input) else None
    return data.profile_default(name, figure.key)


def heading(figure: ProfileField | Input) -> str:
    """Return the heading of a figure's column, by which Design finds it."""
    return f"{figure.label.partition(' (blank')[0]}, {figure.unit}"


def end(data: Data) -> int:
    """Return the row below the last one: the profiles, a blank row, a heading and where every figure comes from."""
    return FIRST_ROW + len(_names(data)) + 2 + len(data.profile_names()) + 2


def write(ws: Worksheet, data: Data, widths: Sequence[float], below: tuple[str, str]) -> None:
    """Write a row per profile, then those taken over from My profiles, then where every figure comes from."""
    figures, names = _figures(data), _names(data)
    headings = ["Profile", *map(heading, figures), "Nothing typed, flag",
                "Measured under", "Newest first, under", "Newest first",
                "Assumed, as its test does not print it", *mix.HEADINGS]  # fmt: skip
    canvas.head(ws, "Profiles, units, provisioning", _PURPOSE, headings, widths, "B5", range(2, 3 + len(figures)))
    groups(data).write(ws, *below)
    for row, name in enumerate(names, FIRST_ROW):
        if row >= groups(data).first:
            break
        if name in OWN_PROFILES:
            _own_row(ws, row, data, name)
            continue
        put(ws, row, 1, name, "label")
        for column, figure in enumerate(figures, 2):
            typed = _typed(data, name, figure)
            put(ws, row, column, typed.value if typed else None, typed_role(typed) if typed else "fact", figure.unit)
            ws.cell(row, column).number_format = styles.number_format(figure.unit)
    _measured(ws, data, 3 + len(figures))
    _sources(ws, data, FIRST_ROW + len(names) + 2)


def _measured(ws: Worksheet, data: Data, column: int) -> None:
    """Write which method a profile was measured under, then the same with the newest profile first."""
    under = {row.profile: row.measured_under for row in data.profiles}
    for row, name in enumerate(_names(data)[: groups(data).first - FIRST_ROW], FIRST_ROW):
        if name in OWN_PROFILES:
            lines = own_rows.tables(data)["profiles"]
            typed = own_rows.elsewhere(lines.cell(name, own_rows.UNDER.key))
            put(ws, row, column, own_rows.told(typed), "calculation")
        else:
            put(ws, row, column, under.get(name), "fact")
            put(ws, row, column + 3, by_profile.words(data, name), "note")
    for row, name in enumerate(newest(data), FIRST_ROW):
        users = data.profile_default(name, "users_per_vm")
        several = users is not None and float(users.value or 1) > 1
        put(ws, row, column + 1, f"{under[name]}{SESSION_HOSTS * several}", "note")
        put(ws, row, column + 2, name, "note")


def newest(data: Data) -> list[str]:
    """Return the profiles of the catalogue, the newest first; those of a year in the order of the file."""
    years = {row.profile: row.value.value for row in data.profile_defaults if row.figure and row.figure.key == "year"}
    return sorted(data.profile_names(), key=lambda name: -float(years.get(name) or 0))


def _own_row(ws: Worksheet, row: int, data: Data, name: str) -> None:
    """Take an own profile over from My profiles: its name, what was typed of it, whether that is nothing."""
    lines = own_rows.tables(data)["profiles"]
    put(ws, row, 1, own_rows.name_formula(lines.row(name)), "label")
    known = {field.key for field in lines.fields}
    for column, figure in enumerate(_figures(data), 2):
        if figure.key not in known:
            put(ws, row, column, None, "fact", figure.unit)
            continue
        cell = own_rows.elsewhere(lines.cell(name, figure.key))
        formula = f'=IF(COUNTIF({cell},">=0")>0,{cell},"{_NONE}")'
        put(ws, row, column, formula, "calculation", figure.unit)
        canvas.centre(ws, row, (column,))
    typed = own_rows.figures_typed(data, lines.row(name))
    put(ws, row, 2 + len(_figures(data)), f"=1-SIGN({typed})", "calculation", "flag")


def _sources(ws: Worksheet, data: Data, row: int) -> None:
    """Write where each figure comes from, below the figures."""
    figures = _figures(data)
    put(ws, row, 1, "Source of each figure", "group")
    for column in range(2, 2 + len(figures)):
        put(ws, row, column, None, "group")
    for name in (general.name(data), *data.profile_names()):
        row += 1
        put(ws, row, 1, name, "label")
        for column, figure in enumerate(figures, 2):
            typed = _typed(data, name, figure)
            put(ws, row, column, typed.source if typed else _NONE, "note")
