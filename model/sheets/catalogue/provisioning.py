"""Provisioning, tables of Lists: what methods store, what reduces how far; hypervisors, host caches, RAID, classes."""

from collections.abc import Sequence

from openpyxl.styles import Alignment
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put, typed_role
from model.layout.grid import LISTS as NAME
from model.layout.grid import OWN_CACHES, OWN_METHODS, OWN_SHARES, Block, Layout
from model.reading.catalogue import Method, TableRow
from model.reading.choices import WORDS
from model.reading.columns import columns
from model.reading.records import Data
from model.sheets.catalogue import own_rows, workloads
from model.sheets.catalogue.method_mix import GAP_COLUMN, MethodMix

OWN = {
    "method": ("methods", OWN_METHODS),
    "cache": ("caches", OWN_CACHES),
    "service": ("shares", OWN_SHARES),
}  # taken over from My profiles
# figures of own rows that no catalogue row has, and words: key, heading
_ONLY_OWN = {
    "method": (
        ("stores_missing", "What it stores missing, flag"),
        ("reduction_missing", "Data reduction missing, flag"),
        ("counts_as", "Counts as"),
    ),
    "cache": (
        ("host_gib", "Cache of a host, GiB"),
        ("whole_image", "Holds whole images, flag"),
        ("missing", "Missing"),
    ),
    "service": (
        ("missing", "Missing"),
        ("provisioned_as", "Provisioned as"),
        ("redundancy", "Redundancy offered"),
        ("dated", "Date of the source"),
    ),
    "tier": (("family", "Family"), ("dated", "Date of the source")),
}
_LISTS = "lists"
_LIKELY = "boot_likely"
_TITLE = (
    "Provisioning methods, data reduction, hypervisors, host caches, RAID levels, array classes: 1 = on the array; "
    "reductions are ranges with a reason, never one vendor number"
)


def first_row(data: Data) -> int:
    """Return the row of the first method: below the workloads, a title and the headings."""
    return workloads.end(data) + 3


def end(data: Data) -> int:
    """Return the row below the methods of user groups."""
    return groups(data).end


def groups(data: Data) -> MethodMix:
    """Return the rows of the groups' methods: below the last list."""
    below = _starts(data)[_LISTS] + sum(len(entries) + 2 for _, entries in WORDS.values()) - 2
    last = first_row(data) + len(data.methods) + len(OWN_METHODS) - 1
    return MethodMix(below + 2, first_row(data), last, workloads.groups(data))


def _starts(data: Data) -> dict[str, int]:
    """Return the first data row of every table by kind, and that of the first list."""
    starts, row = dict[str, int](), first_row(data)
    for kind, rows in data.tables.items():
        starts[kind] = row
        row += _height(kind, rows) + 2
    return {**starts, _LISTS: row}


def _height(kind: str, rows: Sequence[TableRow]) -> int:
    """Return how many rows a table has, own ones included."""
    return len(rows) + len(OWN[kind][1] if kind in OWN else ()) + (kind == "method")  # the mix of user groups


def _only_own(kind: str) -> tuple[tuple[str, str], ...]:
    return _ONLY_OWN.get(kind, ())


def blocks(data: Data) -> dict[str, Block]:
    """Return where names, columns and, by name, single figures of the tables stand, and the lists."""
    starts, ranges = _starts(data), {}
    for kind, rows in data.tables.items():
        start = starts[kind]
        last = start + _height(kind, rows) - 1
        own = OWN[kind][1] if kind in OWN else ()
        ranges[f"{kind}_names"] = Block(NAME, start, last, 1, 1)
        for row, name in enumerate((*(each.name for each in rows), *own), start):
            ranges[f"{kind}:name:{name}"] = Block(NAME, row, row, 1, 1)
        if kind == "method":
            ranges["method_one"] = Block(NAME, start, last - 1, 1, 1)
            ranges["method_gap"] = Block(NAME, last, last, GAP_COLUMN, GAP_COLUMN)
        wide = 1 + len(rows[0].values)
        ranges[f"{kind}:figures"] = Block(NAME, start, last, 2, wide)
        ranges[f"{kind}:headings"] = Block(NAME, start - 1, start - 1, 2, wide)
        if kind == "method":  # apart from reductions, which depend on what is written
            works = [column for column, key in enumerate(rows[0].values, 2) if key.endswith("_ios") or key == _LIKELY]
            ranges["method:works"] = Block(NAME, start, last, min(works), max(works))
            ranges["method:work_headings"] = Block(NAME, start - 1, start - 1, min(works), max(works))
        for column, key in enumerate((*rows[0].values, *(key for key, _ in _only_own(kind))), 2):
            ranges[f"{kind}:{key}"] = Block(NAME, start, last, column, column)
            for row, name in enumerate((*(each.name for each in rows), *own), start):
                ranges[f"{kind}:{key}:{name}"] = Block(NAME, row, row, column, column)
    row = starts[_LISTS]
    for key, (_, entries) in WORDS.items():
        ranges[key] = Block(NAME, row, row + len(entries) - 1, 1, 1)
        row += len(entries) + 2
    return ranges | groups(data).blocks()


def write(ws: Worksheet, data: Data, layout: Layout) -> None:
    """Write the tables and lists one below the other, then the methods of user groups."""
    headings = _headings("method", Method)
    canvas.table_head(ws, first_row(data) - 1, _TITLE, headings, range(2, len(headings)))
    starts = _starts(data)
    for kind, rows in data.tables.items():
        if starts[kind] > first_row(data):
            _heading(ws, starts[kind] - 1, _headings(kind, type(rows[0])))
        _rows(ws, kind, starts[kind], rows)
        for row, name in enumerate(OWN[kind][1] if kind in OWN else (), starts[kind] + len(rows)):
            _own_row(ws, row, data, kind, name)
    row = starts[_LISTS] - 1
    for heading, entries in WORDS.values():
        _heading(ws, row, [heading])
        for offset, entry in enumerate(entries, 1):
            put(ws, row + offset, 1, entry, "label")
        row += len(entries) + 2
    groups(data).write(ws, headings, layout)


def _heading(ws: Worksheet, row: int, texts: list[str]) -> None:
    for column, text in enumerate(texts, 1):
        put(ws, row, column, text, "heading")
    canvas.centre(ws, row, range(2, len(texts)))


def _headings(kind: str, record: type[TableRow]) -> list[str]:
    """Return what stands above a table: its name, every figure with its unit, what only own rows have, the source."""
    name, *figures = (each for each in columns(record) if each.label)
    own = (heading for _, heading in _only_own(kind))
    return [name.label, *(f"{each.label}, {each.unit}" for each in figures), *own, "Source"]


def _own_row(ws: Worksheet, row: int, data: Data, kind: str, name: str) -> None:
    """Take an own row over from My profiles; what is missing there is no figure here but what counts least."""
    table = own_rows.tables(data)[OWN[kind][0]]
    put(ws, row, 1, own_rows.name_formula(table.row(name)), "label")
    formulas = own_rows.taken_over(data, OWN[kind][0], name)
    record = data.tables[kind][0]
    units = {each.field: each.unit for each in columns(type(record))}
    units |= {key: heading.partition(", ")[2] for key, heading in _only_own(kind)}
    keys = (*record.values, *(key for key, _ in _only_own(kind)))
    for column, key in enumerate(keys, 2):
        formula = formulas.get(key)
        role = "fact" if formula is None else "calculation" if formula.startswith("=") else "note"
        put(ws, row, column, formula, role, units.get(key) or "text")
        canvas.centre(ws, row, (column,))
    put(ws, row, 2 + len(keys), "user", "note")


def _rows(ws: Worksheet, kind: str, start: int, rows: Sequence[TableRow]) -> None:
    units = {each.field: each.unit for each in columns(type(rows[0]))}
    for row, record in enumerate(rows, start):
        put(ws, row, 1, record.name, "label")
        for column, (key, typed) in enumerate(record.values.items(), 2):
            put(ws, row, column, typed.value, typed_role(typed), units[key])
        source = "; ".join(dict.fromkeys(t.source for t in record.values.values()))
        last = 2 + len(record.values) + len(_only_own(kind))
        for column, (key, _) in enumerate(_only_own(kind), 2 + len(record.values)):
            put(ws, row, column, getattr(record, key, None) or None, "note")
        put(ws, row, last, source, "note")
        if not isinstance(record, Method):  # nothing stands to the right: one line runs on
            ws.cell(row, last).alignment = Alignment(horizontal="left", vertical="center", indent=1)
