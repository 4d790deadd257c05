"""Provisioning: what each method stores, how much it reduces, what host caches keep off the array, RAID write penalties."""

from openpyxl.worksheet.worksheet import Worksheet

from model import canvas
from model.canvas import put, typed_role
from model.grid import FIRST_ROW, Block
from model.read import Data, TableRow

NAME = "Provisioning"
_METHOD_HEADS = {
    "swap": "Swap file",
    "write_cache": "Write cache or difference disk",
    "identity": "Identity disk",
    "pvd": "Personal vDisk",
    "disk": "Own disk",
    "image_per_pool": "Image once per pool",
    "image_per_datastore": "Image per catalogue and datastore",
    "plain_low": "Reduction low, plain array",
    "plain_likely": "Reduction likely, plain array",
    "plain_high": "Reduction high, plain array",
    "inline_low": "Reduction low, inline",
    "inline_likely": "Reduction likely, inline",
    "inline_high": "Reduction high, inline",
}
_CACHE_HEADS = {
    "boot_read_offload": "Boot reads kept off",
    "boot_write_offload": "Boot writes kept off",
    "login_read_offload": "Login reads kept off",
    "login_write_offload": "Login writes kept off",
    "steady_read_offload": "Steady reads kept off",
    "steady_write_offload": "Steady writes kept off",
    "local_write_cache": "Write cache on the host",
}
_WIDTHS = [30, *[13] * 13, 52]


def _starts(data: Data) -> tuple[int, int, int]:
    """Return the first data rows of the methods, caches and RAID tables."""
    caches = FIRST_ROW + len(data.methods) + 2
    raid = caches + len(data.caches) + 2
    return FIRST_ROW, caches, raid


def blocks(data: Data) -> dict[str, Block]:
    """Return where names and columns of the three tables and the yes/no list stand."""
    methods, caches, raid = _starts(data)
    found = {}
    for kind, start, rows in (("method", methods, data.methods), ("cache", caches, data.caches), ("raid", raid, data.raid)):
        found[f"{kind}_names"] = Block(NAME, start, start + len(rows) - 1, 1, 1)
        for column, key in enumerate(rows[0].values, 2):
            found[f"{kind}:{key}"] = Block(NAME, start, start + len(rows) - 1, column, column)
    yes_no = raid + len(data.raid) + 2
    found["yes_no"] = Block(NAME, yes_no, yes_no + 1, 1, 1)
    return found


def write(ws: Worksheet, data: Data) -> None:
    """Write the three tables one below the other."""
    headings = ["Provisioning method", *_METHOD_HEADS.values(), "Source"]
    purpose = "1 = the method stores this on the array. Reduction triples are ranges with a reason, never one vendor number."
    canvas.head(ws, "Provisioning methods, host caches, RAID levels", purpose, headings, _WIDTHS, "B5")
    ws.row_dimensions[4].height = 45
    methods, caches, raid = _starts(data)
    _rows(ws, methods, data.methods, "x:1")
    _heading(ws, caches - 1, ["Host cache and state", *_CACHE_HEADS.values(), "Source"])
    _rows(ws, caches, data.caches, "ratio")
    _heading(ws, raid - 1, ["RAID level", "Write penalty", "Source"])
    _rows(ws, raid, data.raid, "ratio")
    last = raid + len(data.raid)
    _heading(ws, last + 1, ["Answers"])
    put(ws, last + 2, 1, "no", "label")
    put(ws, last + 3, 1, "yes", "label")
    canvas.print_setup(ws, len(_WIDTHS), last + 3)


def _heading(ws: Worksheet, row: int, texts: list[str]) -> None:
    for column, text in enumerate(texts, 1):
        put(ws, row, column, text, "heading")
    ws.row_dimensions[row].height = 45 if len(texts) > 3 else 16


def _rows(ws: Worksheet, start: int, rows: tuple[TableRow, ...], unit: str) -> None:
    for row, record in enumerate(rows, start):
        put(ws, row, 1, record.name, "label")
        for column, (key, typed) in enumerate(record.values.items(), 2):
            shown = "flag" if key in _METHOD_HEADS and not key.startswith(("plain", "inline")) else unit
            put(ws, row, column, typed.value, typed_role(typed), shown)
        source = "; ".join(dict.fromkeys(t.source for t in record.values.values()))
        put(ws, row, 2 + len(record.values), source, "note")
        ws.row_dimensions[row].height = 13 * max(1, -(-len(source) // 60))
