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
    ranges = {"default_names": Block(NAME, FIRST_ROW, last, 1, 1)}
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
    """Write a row per profile, the user's own ones open, then where every figure comes from."""
    data = context.data
    figures, names = _figures(data), _names(data)
    headings = ["Profile", *(f"{_label(figure)}, {figure.unit}" for figure in figures)]
    columns = range(2, 2 + len(figures))
    purpose = "What an empty cell of Inputs takes: the profile's, else the first row. 'My profile' rows are yours."
    canvas.head(ws, "Defaults that travel with a profile", purpose, headings, [46, *[15] * len(figures)], "B5", columns)
    for row, name in enumerate(names, FIRST_ROW):
        put(ws, row, 1, name, "label")
        for column, figure in enumerate(figures, 2):
            typed = _typed(data, name, figure)
            role = "input" if name in OWN_PROFILES else typed_role(typed) if typed else "fact"
            put(ws, row, column, typed.value if typed else None, role, figure.unit)
            ws.cell(row, column).number_format = styles.number_format(figure.unit)
    last = FIRST_ROW + len(names) - 1
    for column, figure in enumerate(figures, 2):
        letter = ws.cell(1, column).column_letter
        own = f"{letter}{last - len(OWN_PROFILES) + 1}:{letter}{last}"
        canvas.allow_number(ws, own, figure.minimum or 0, figure.maximum or 0, _label(figure))
    canvas.print_setup(ws, 1 + len(figures), _sources(ws, data, last + 2))


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
