"""Provisioning: what methods store, reduce and read to boot; host caches, RAID penalties, limits by class."""

from collections.abc import Sequence

from openpyxl.styles import Alignment
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put, typed_role
from model.layout.grid import FIRST_ROW, Block
from model.layout.tab import Context, Tab
from model.reading.catalogue import Method, TableRow
from model.reading.columns import columns
from model.reading.records import Data

NAME = "Provisioning"
LISTS = {  # choices that no other table holds
    "yes_no": ("Answers", ("no", "yes")),
    "shapes": ("Arrivals in the login window", ("uniform", "normal")),
    "failure_names": ("What a failure takes away", ("none", "controller", "node", "array")),
    "survive_names": (
        "What must hold after one failure",
        ("users at work", "work without the login storm", "everything"),
    ),
    "work_sources": (
        "Where the I/Os of a desktop come from",
        ("method, assumed", "profile's IOPS x minutes", "own IOPS x minutes", "own I/Os"),
    ),
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
    ranges = {}
    for kind, start, rows in (
        ("method", methods, data.methods),
        ("cache", caches, data.caches),
        ("raid", raid, data.raid),
        ("class", classes, data.classes),
    ):
        ranges[f"{kind}_names"] = Block(NAME, start, start + len(rows) - 1, 1, 1)
        for column, key in enumerate(rows[0].values, 2):
            ranges[f"{kind}:{key}"] = Block(NAME, start, start + len(rows) - 1, column, column)
    row = classes + len(data.classes) + 2
    for key, (_, entries) in LISTS.items():
        ranges[key] = Block(NAME, row, row + len(entries) - 1, 1, 1)
        row += len(entries) + 2
    return ranges


def write(ws: Worksheet, context: Context) -> None:
    """Write the tables and lists one below the other."""
    data = context.data
    headings = _headings(Method)
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
        range(2, len(headings)),
    )
    methods, caches, raid, classes = _starts(data)
    _rows(ws, methods, data.methods)
    tables: tuple[tuple[int, Sequence[TableRow]], ...]
    tables = (caches, data.caches), (raid, data.raid), (classes, data.classes)
    for start, rows in tables:
        _heading(ws, start - 1, _headings(type(rows[0])))
        _rows(ws, start, rows)
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


def _headings(record: type[TableRow]) -> list[str]:
    """Return what stands above a table: its name, every figure with its unit, the source."""
    name, *figures, _ = columns(record)
    return [name.label, *(f"{each.label}, {each.unit}" for each in figures), "Source"]


def _rows(ws: Worksheet, start: int, rows: Sequence[TableRow]) -> None:
    units = {each.field: each.unit for each in columns(type(rows[0]))}
    for row, record in enumerate(rows, start):
        put(ws, row, 1, record.name, "label")
        for column, (key, typed) in enumerate(record.values.items(), 2):
            put(ws, row, column, typed.value, typed_role(typed), units[key])
        source = "; ".join(dict.fromkeys(t.source for t in record.values.values()))
        put(ws, row, 2 + len(record.values), source, "note")
        if not isinstance(record, Method):  # nothing stands to the right: one line runs on
            ws.cell(row, 2 + len(record.values)).alignment = Alignment(horizontal="left", vertical="center", indent=1)


TAB = Tab(NAME, "catalogue", "catalogue", "Methods, data reduction, host caches, RAID levels", write, blocks)
