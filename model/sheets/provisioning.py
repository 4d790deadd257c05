"""Provisioning: what methods store, reduce and read to boot; host caches, RAID penalties, limits by class."""

from openpyxl.styles import Alignment
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put, typed_role
from model.layout.grid import FIRST_ROW, Block
from model.layout.tab import Context, Tab
from model.reading.records import Data, TableRow

NAME = "Provisioning"
_METHOD_HEADS = {
    "swap": "Swap file, flag",
    "write_cache": "Write cache or difference disk, flag",
    "identity": "Identity disk, flag",
    "pvd": "Personal vDisk, flag",
    "disk": "Own disk, flag",
    "image_per_pool": "Image once per pool, flag",
    "image_per_datastore": "Image per catalogue and datastore, flag",
    "plain_low": "Reduction low, plain array, x:1",
    "plain_likely": "Reduction likely, plain array, x:1",
    "plain_high": "Reduction high, plain array, x:1",
    "inline_low": "Reduction low, inline, x:1",
    "inline_likely": "Reduction likely, inline, x:1",
    "inline_high": "Reduction high, inline, x:1",
    "boot_low": "I/Os per boot, low, I/O/desktop",
    "boot_likely": "I/Os per boot, likely, I/O/desktop",
    "boot_high": "I/Os per boot, high, I/O/desktop",
    "patch_ios": "I/Os to patch, I/O/desktop",
    "provision_ios": "I/Os to provision, I/O/desktop",
}
_WORK = ("boot_low", "boot_likely", "boot_high", "patch_ios", "provision_ios")
_CACHE_HEADS = {
    "boot_read_offload": "Boot reads kept off, ratio",
    "boot_write_offload": "Boot writes kept off, ratio",
    "login_read_offload": "Login reads kept off, ratio",
    "login_write_offload": "Login writes kept off, ratio",
    "steady_read_offload": "Steady reads kept off, ratio",
    "steady_write_offload": "Steady writes kept off, ratio",
    "local_write_cache": "Write cache on the host, flag",
}
LISTS = {  # choices that no other table holds
    "yes_no": ("Answers", ("no", "yes")),
    "shapes": ("Arrivals in the login window", ("uniform", "normal")),
    "failure_names": ("What a failure takes away", ("none", "controller", "node", "array")),
    "reference_names": ("Performance capacity is full at", ("full utilisation", "the knee", "the latency limit")),
}
_WIDTHS = [27, *[12.5] * 18, 44]


def _starts(data: Data) -> tuple[int, int, int, int]:
    """Return the first data rows of the methods, caches, RAID levels and array classes."""
    caches = FIRST_ROW + len(data.methods) + 2
    raid = caches + len(data.caches) + 2
    return FIRST_ROW, caches, raid, raid + len(data.raid) + 2


def blocks(data: Data) -> dict[str, Block]:
    """Return where names and columns of the four tables and the lists stand."""
    methods, caches, raid, classes = _starts(data)
    found = {}
    for kind, start, rows in (
        ("method", methods, data.methods),
        ("cache", caches, data.caches),
        ("raid", raid, data.raid),
        ("class", classes, data.classes),
    ):
        found[f"{kind}_names"] = Block(NAME, start, start + len(rows) - 1, 1, 1)
        for column, key in enumerate(rows[0].values, 2):
            found[f"{kind}:{key}"] = Block(NAME, start, start + len(rows) - 1, column, column)
    row = classes + len(data.classes) + 2
    for key, (_, entries) in LISTS.items():
        found[key] = Block(NAME, row, row + len(entries) - 1, 1, 1)
        row += len(entries) + 2
    return found


def write(ws: Worksheet, context: Context) -> None:
    """Write the tables and lists one below the other."""
    data = context.data
    headings = ["Provisioning method", *_METHOD_HEADS.values(), "Source"]
    purpose = (
        "1 = the method stores this on the array. Reduction triples are ranges with a reason, never one vendor number."
    )
    canvas.head(
        ws,
        "Provisioning methods, host caches, RAID levels, array classes",
        purpose,
        headings,
        _WIDTHS,
        "B5",
        range(2, 2 + len(_METHOD_HEADS)),
    )
    methods, caches, raid, classes = _starts(data)
    _rows(ws, methods, data.methods, "x:1")
    _heading(ws, caches - 1, ["Host cache and state", *_CACHE_HEADS.values(), "Source"])
    _rows(ws, caches, data.caches, "ratio")
    _heading(ws, raid - 1, ["RAID level", "Write penalty, count", "Source"])
    _rows(ws, raid, data.raid, "count")
    _heading(ws, classes - 1, ["Array class", "Latency limit, ms", "Source"])
    _rows(ws, classes, data.classes, "ms")
    row = classes + len(data.classes) + 1
    for heading, entries in LISTS.values():
        _heading(ws, row, [heading])
        for offset, entry in enumerate(entries, 1):
            put(ws, row + offset, 1, entry, "label")
        row += len(entries) + 2
    canvas.print_setup(ws, len(_WIDTHS), row - 2)


def _heading(ws: Worksheet, row: int, texts: list[str]) -> None:
    for column, text in enumerate(texts, 1):
        put(ws, row, column, text, "heading")
    canvas.centre(ws, row, range(2, len(texts)))


def _rows(ws: Worksheet, start: int, rows: tuple[TableRow, ...], unit: str) -> None:
    for row, record in enumerate(rows, start):
        put(ws, row, 1, record.name, "label")
        for column, (key, typed) in enumerate(record.values.items(), 2):
            stored = key in _METHOD_HEADS and not key.startswith(("plain", "inline", *_WORK))
            shown = "flag" if stored or key == "local_write_cache" else "I/O" if key in _WORK else unit
            put(ws, row, column, typed.value, typed_role(typed), shown)
        source = "; ".join(dict.fromkeys(t.source for t in record.values.values()))
        put(ws, row, 2 + len(record.values), source, "note")
        if len(record.values) < len(_METHOD_HEADS):  # nothing stands to the right: one line runs on
            ws.cell(row, 2 + len(record.values)).alignment = Alignment(horizontal="left", vertical="center", indent=1)


TAB = Tab(NAME, "catalogue", "catalogue", "Methods, data reduction, host caches, RAID levels", write, blocks)
