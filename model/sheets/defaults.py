"""Defaults: what travels with a profile: its year, the desktop it was measured on, throttle, window, work per login.

The first row holds the general default of every input: it stands where a profile has no figure of its own. An empty
cell of Inputs takes the profile's figure, then the general default; Design names which.
"""

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put, typed_role
from model.layout.grid import FIRST_ROW, OWN_PROFILES, Block
from model.layout.tab import Context, Tab
from model.reading.catalogue import ProfileField
from model.reading.columns import Typed
from model.reading.records import Data, Input
from model.sheets import own_rows

NAME = "Defaults"
GENERAL = "General default"
_NONE = "none of its own"


def _figures(data: Data) -> tuple[ProfileField | Input, ...]:
    """Return the columns: attributes of the profile, then the inputs that travel with it."""
    return (*data.profile_fields, *data.travelling())


def _names(data: Data) -> tuple[str, ...]:
    return (GENERAL, *data.profile_names(), *OWN_PROFILES)


def blocks(data: Data) -> dict[str, Block]:
    """Return where the names stand and every figure."""
    last = FIRST_ROW + len(_names(data)) - 1
    empty = 2 + len(_figures(data))
    ranges = {
        "default_names": Block(NAME, FIRST_ROW, last, 1, 1),
        "default:empty": Block(NAME, FIRST_ROW, last, empty, empty),
    }
    for column, figure in enumerate(_figures(data), 2):
        ranges[f"default:{figure.key}"] = Block(NAME, FIRST_ROW, last, column, column)
    return ranges


def _typed(data: Data, name: str, figure: ProfileField | Input) -> Typed | None:
    """Return the figure of a row: the input's own for the general default; None where there is none."""
    if name == GENERAL:
        return figure.value if isinstance(figure, Input) else None
    return data.profile_default(name, figure.key)


def _label(figure: ProfileField | Input) -> str:
    return figure.label.partition(" (blank")[0]


def write(ws: Worksheet, context: Context) -> None:
    """Write a row per profile, then those taken over from My profiles, then where every figure comes from."""
    data = context.data
    figures, names = _figures(data), _names(data)
    headings = ["Profile", *(f"{_label(figure)}, {figure.unit}" for figure in figures), "Nothing typed, flag"]
    columns = range(2, 3 + len(figures))
    purpose = "What an empty cell of Inputs takes: the profile's, else the first row. Your own stand on My profiles."
    widths = [46, *[15] * len(figures), 10]
    canvas.head(ws, "Defaults that travel with a profile", purpose, headings, widths, "B5", columns)
    for row, name in enumerate(names, FIRST_ROW):
        if name in OWN_PROFILES:
            _own_row(ws, row, data, name)
            continue
        put(ws, row, 1, name, "label")
        for column, figure in enumerate(figures, 2):
            typed = _typed(data, name, figure)
            put(ws, row, column, typed.value if typed else None, typed_role(typed) if typed else "fact", figure.unit)
            ws.cell(row, column).number_format = styles.number_format(figure.unit)
    last = FIRST_ROW + len(names) - 1
    canvas.print_setup(ws, 2 + len(figures), _sources(ws, data, last + 2))


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


def _sources(ws: Worksheet, data: Data, row: int) -> int:
    """Write where each figure comes from, below the figures; return the last row."""
    figures = _figures(data)
    put(ws, row, 1, "Source of each figure", "group")
    for column in range(2, 2 + len(figures)):
        put(ws, row, column, None, "group")
    for name in (GENERAL, *data.profile_names()):
        row += 1
        put(ws, row, 1, name, "label")
        for column, figure in enumerate(figures, 2):
            typed = _typed(data, name, figure)
            put(ws, row, column, typed.source if typed else _NONE, "note")
    return row


TAB = Tab(NAME, "catalogue", "catalogue", "What travels with a profile: year, desktop, throttle, window", write, blocks)
