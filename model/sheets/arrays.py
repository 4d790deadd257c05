"""Arrays: one column per storage array, one row per attribute; the source of every figure stands below it."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, OWN_ARRAYS, Block
from model.layout.tab import Context, Tab
from model.reading.records import Data

NAME = "Arrays"
_LISTS = {"array_class": "Tbl_Classes", "failover_kind": "Tbl_Failures", "raid": "Tbl_Raid", "tier2_raid": "Tbl_Raid"}


def blocks(data: Data) -> dict[str, Block]:
    """Return where the names and every attribute stand, those of the user's own columns apart as well."""
    first_own = BASE + len(data.arrays)
    last = first_own + len(OWN_ARRAYS) - 1
    ranges = {"array_names": Block(NAME, HEAD_ROW, HEAD_ROW, BASE, last)}
    ranges["own:arrays"] = Block(NAME, HEAD_ROW, HEAD_ROW, first_own, last)
    for offset, field in enumerate(data.fields):
        row = FIRST_ROW + offset
        ranges[f"arrays:{field.key}"] = Block(NAME, row, row, BASE, last)
        ranges[f"own:arrays.{field.key}"] = Block(NAME, row, row, first_own, last)
    return ranges


def write(ws: Worksheet, context: Context) -> None:
    """Write the catalogue, the user's own columns and the sources."""
    data = context.data
    names = [array.name for array in data.arrays]
    headings = ["Attribute", "Unit", "Meaning", *names, *OWN_ARRAYS]
    widths = [32, 9, 33, *[16] * (len(names) + len(OWN_ARRAYS))]
    purpose = "What each array offers. Columns 'My array' are yours: overwrite the name, fill what you know."
    values = range(BASE, BASE + len(names) + len(OWN_ARRAYS))
    canvas.head(ws, "Storage arrays", purpose, headings, widths, "D5", values)
    first_own = BASE + len(names)
    for offset, field in enumerate(data.fields):
        row = FIRST_ROW + offset
        put(ws, row, 1, field.label, "label")
        put(ws, row, 2, field.unit, "label")
        put(ws, row, 3, field.help, "note")
        for column, array in enumerate(data.arrays, BASE):
            typed = array.values.get(field.key)
            role = canvas.typed_role(typed) if typed else "fact"
            put(ws, row, column, typed.value if typed else None, role, field.unit)
        for column in range(first_own, first_own + len(OWN_ARRAYS)):
            put(ws, row, column, None, "input", field.unit)
        if field.kind != "number":
            canvas.centre(ws, row, range(BASE, first_own + len(OWN_ARRAYS)))
        area = f"{get_column_letter(first_own)}{row}:{get_column_letter(first_own + len(OWN_ARRAYS) - 1)}{row}"
        if field.kind == "number":
            canvas.allow_number(ws, area, field.minimum or 0, field.maximum or 0, field.label)
        else:
            canvas.allow_list(ws, area, _LISTS[field.key], field.label, blank=True)
    for column in range(first_own, first_own + len(OWN_ARRAYS)):
        put(ws, HEAD_ROW, column, OWN_ARRAYS[column - first_own], "input")
    canvas.centre(ws, HEAD_ROW, range(first_own, first_own + len(OWN_ARRAYS)))
    area = f"{get_column_letter(first_own)}{HEAD_ROW}:{get_column_letter(first_own + len(OWN_ARRAYS) - 1)}{HEAD_ROW}"
    canvas.allow_text(ws, area, "Name of the array")
    last = _sources(ws, data, FIRST_ROW + len(data.fields) + 1)
    canvas.print_setup(ws, first_own + len(OWN_ARRAYS) - 1, last, titles="A:C")


def _sources(ws: Worksheet, data: Data, row: int) -> int:
    """Write where each figure comes from, below the figures; return the last row."""
    put(ws, row, 1, "Source of each figure", "group")
    for column in range(2, BASE + len(data.arrays) + len(OWN_ARRAYS)):
        put(ws, row, column, None, "group")
    for field in data.fields:
        row += 1
        put(ws, row, 1, field.label, "label")
        for column, array in enumerate(data.arrays, BASE):
            typed = array.values.get(field.key)
            text = typed.source if typed else "not published"
            put(ws, row, column, text, "note")
    return row


TAB = Tab(NAME, "catalogue", "catalogue", "Storage arrays and your own", write, blocks)
