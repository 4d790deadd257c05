"""Share prices, tables of Lists: dated list prices of cloud shares by region, a month, and the regions they are of.

They enter a cost only where the design chooses them. The unit in the second column is one of money, so that a workbook
without prices leaves them at home as it does every price that is typed.
"""

from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.codes import CURRENCY
from model.layout.grid import LISTS as NAME
from model.layout.grid import Block
from model.reading.records import Data
from model.sheets.catalogue import provisioning

_TITLE = "List prices of cloud shares, a month of 730 hours: captures of the day beside them; verify them"
_FIGURES = {  # column: heading
    "gib": "A GiB provisioned",
    "iops": "An IOPS bought apart",
    "mib": "A MiB/s bought apart",
}
_UNIT, _GIB = 2, 3
_DAY, _DATED, _SOURCE = (_GIB + len(_FIGURES) + n for n in range(3))


def first_row(data: Data) -> int:
    """Return the row of the first price: below the methods of user groups, a title and the headings."""
    return provisioning.end(data) + 3


def _regions(data: Data) -> tuple[str, ...]:
    return tuple(dict.fromkeys(price.region for price in data.share_prices))


def end(data: Data) -> int:
    """Return the row below the last region."""
    return _first_region(data) + len(_regions(data))


def _first_region(data: Data) -> int:
    return first_row(data) + len(data.share_prices) + 2


def blocks(data: Data) -> dict[str, Block]:
    """Return where names, prices and days of the prices stand, and the regions."""
    first, region = first_row(data), _first_region(data)
    last = first + len(data.share_prices) - 1
    columns = {"names": 1, **{key: column for column, key in enumerate(_FIGURES, _GIB)}, "day": _DAY, "dated": _DATED}
    found = {f"share_price:{key}": Block(NAME, first, last, column, column) for key, column in columns.items()}
    return {**found, "region_names": Block(NAME, region, region + len(_regions(data)) - 1, 1, 1)}


def write(ws: Worksheet, data: Data) -> None:
    """Write a row for every price, then the regions."""
    first = first_row(data)
    figures = (f"{label}, {CURRENCY}" for label in _FIGURES.values())
    headings = ["Cloud share, region", "Unit", *figures, "Day of the capture", "The same, in words", "Source"]
    canvas.table_head(ws, first - 1, _TITLE, headings, range(2, len(headings)))
    for row, price in enumerate(data.share_prices, first):
        put(ws, row, 1, price.place, "label")
        put(ws, row, _UNIT, CURRENCY, "note")
        for column, value in enumerate(price.a_month, _GIB):
            put(ws, row, column, value, "fact", CURRENCY)
            ws.cell(row, column).number_format = "#,##0.00###"
        day = price.day
        put(ws, row, _DAY, day and canvas.serial(day), "fact", "date")
        put(ws, row, _DATED, price.date, "note")
        hours = " x 730" * (price.per == "hour")  # in words, no price: texts stay where prices do not leave
        put(ws, row, _SOURCE, f"printed for each {price.per}{hours}; {price.source}", "note")
        canvas.centre(ws, row, range(2, _SOURCE))
        ws.cell(row, _SOURCE).alignment = Alignment(horizontal="left", vertical="center", indent=1)
    region = _first_region(data)
    put(ws, region - 1, 1, "Regions of the list prices", "heading")
    for row, name in enumerate(_regions(data), region):
        put(ws, row, 1, name, "label")


def last_column() -> str:
    """Return the letter of the last column of the prices."""
    return str(get_column_letter(_SOURCE))
