"""Units: the only place with conversion factors. GB against GiB is the storage sizing bug: every factor is a row."""

from openpyxl.worksheet.worksheet import Worksheet

from model import canvas
from model.canvas import put
from model.grid import BASE, FIRST_ROW, Block
from model.records import Data

NAME = "Units"
# key, label, from unit, to unit
_FACTORS = (
    ("gib_per_gb", "GiB in one GB", "GB", "GiB"),
    ("mb_per_kib", "MB in one KiB", "KiB", "MB"),
    ("kib_per_b", "KiB in one byte", "B", "KiB"),
    ("mb_per_b", "MB in one byte", "B", "MB"),
)


def blocks(data: Data) -> dict[str, Block]:
    """Return where each factor stands."""
    return {
        f"unit:{key}": Block(NAME, FIRST_ROW + offset, FIRST_ROW + offset, BASE, BASE)
        for offset, (key, *_) in enumerate(_FACTORS)
    }


def write(ws: Worksheet, data: Data) -> None:
    """Write one labelled factor per row."""
    purpose = "Exact conversion factors. GB and TB are decimal, GiB and TiB binary."
    canvas.head(ws, "Units", purpose, ["Factor", "Unit", "Per", "Value"], [28, 12, 12, 22], "A5", (4,))
    units = data.facts.units
    for row, (_, label, old, new) in enumerate(_FACTORS, FIRST_ROW):
        put(ws, row, 1, label, "label")
        put(ws, row, 2, new, "label")
        put(ws, row, 3, old, "label")
        put(ws, row, BASE, float(units[old].factor / units[new].factor), "fact")
        ws.cell(row, BASE).number_format = "0.0000000000"
    canvas.print_setup(ws, BASE, FIRST_ROW + len(_FACTORS) - 1)
