"""Block sizes, two tables of Evidence: NTP's four vscsiStats tables with weighted means, and the throughput implied.

The tables head the sizes "KB"; only bytes are physical (NTP-01). They are measured at the hypervisor, so they do not
reproduce the array's own throughput (NTP-02): both are shown side by side.
"""

import re

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import Layout
from model.layout.tab import Context
from model.reading.records import Data
from model.sheets.proof import arithmetic

_MONDAY, _TUESDAY = "Office worker full clone Monday (NTP 2016)", "Office worker full clone Tuesday (NTP 2016)"
RUNS = (
    # phase, label, mean IOPS, mean throughput, profile, profile phase
    ("boot", "Boot", "NTP-149", "NTP-151", _MONDAY, "boot"),
    ("login_monday", "Monday login and work", "NTP-172", "NTP-174", _MONDAY, "login"),
    ("login_tuesday", "Tuesday login and work", "NTP-198", "NTP-200", _TUESDAY, "login"),
    ("patching", "Patching", "NTP-224", "NTP-226", _MONDAY, "patching"),
)
# what of a run others cite: its column
SUMMED = {"shares": "E", "mean": "F", "read": "G", "random": "H", "agreement": "J", "implied": "L", "ratio": "N"}
SIZE, SOURCE = 5, 4  # columns of the block size, with its shares on its right, and of where they are printed
_HEADS = (*("", "", "Run", "Source", "Block size, B", "Share of I/O", "Read share", "Random share"),
          *("Share of I/O x block size, B", "Share of I/O x read share", "Share of I/O x random share"))  # fmt: skip
_RUN_HEADS = (*("", "", "Run", "Profile", "Shares add up to", "Mean block, KiB", "Read share", "Random share"),
              *("Profile's read share", "Profile's over table's", "Mean IOPS", "Implied, MB/s", "Printed, MB/s"),
              "Printed over implied")  # fmt: skip
_TITLE = "Block sizes of NTP's appendix as printed, with weighted means; bytes, although headed KB (NTP-01)"
_RUN_TITLE = "Block sizes run by run: means, and the throughput they imply"


def table(data: Data) -> list[tuple[str, tuple[str, str, str, str]]]:
    """Return (phase, (size, workload, read, random) fact ids) of every row of the four tables."""
    tables: dict[tuple[str, int], dict[str, str]] = {}
    for fact in data.facts.facts.values():
        match = re.fullmatch(r"block_(?:ge)?(\d+)_(size|read_share|random_share|workload_share)", fact.quantity)
        if match:
            tables.setdefault((fact.phase, int(match[1])), {})[match[2]] = fact.id
    phases = [run[0] for run in RUNS]
    return [
        (phase, (ids["size"], ids["workload_share"], ids["read_share"], ids["random_share"]))
        for (phase, _), ids in sorted(tables.items(), key=lambda item: (phases.index(item[0][0]), item[0][1]))
    ]


def first_row(data: Data) -> int:
    """Return the row of the first block size: below the papers' sums, a title and the headings."""
    return arithmetic.end(data) + 3


def _first_run(data: Data) -> int:
    return first_row(data) + len(table(data)) + 3


def end(data: Data) -> int:
    """Return the row below the last run."""
    return _first_run(data) + len(RUNS)


def cell(data: Data, run: str, what: str) -> str:
    """Return the cell of a run's summary: what is shares, mean, read, random, agreement, implied or ratio."""
    return f"{SUMMED[what]}{_first_run(data) + [r[0] for r in RUNS].index(run)}"


def write(ws: Worksheet, context: Context) -> None:
    """Write the typed table with its products, below it one row per run."""
    data = context.data
    facts, labels = data.facts, {run[0]: run[1] for run in RUNS}
    first = first_row(data)
    canvas.table_head(ws, first - 1, _TITLE, _HEADS, range(SIZE, len(_HEADS) + 1))
    for row, (phase, (size, workload, read, random)) in enumerate(table(data), first):
        put(ws, row, 3, labels[phase], "label")
        put(ws, row, SOURCE, f"{size} to {max(size, workload, read, random)}", "note")
        put(ws, row, SIZE, facts.value(size, "B"), "fact", "B")
        for column, fact_id in enumerate((workload, read, random), SIZE + 1):
            put(ws, row, column, facts.value(fact_id, "ratio"), "fact", "ratio")
        for column, factor in enumerate("EGH", SIZE + 4):
            put(ws, row, column, f"=$F{row}*{factor}{row}", "calculation", "B" if factor == "E" else "ratio")
    canvas.table_head(ws, _first_run(data) - 1, _RUN_TITLE, _RUN_HEADS, range(SIZE, len(_RUN_HEADS) + 1))
    for row, run in enumerate(RUNS, _first_run(data)):
        _run(ws, row, run, data, context.layout)


def _run(ws: Worksheet, row: int, run: tuple[str, str, str, str, str, str], data: Data, layout: Layout) -> None:
    _, label, iops, printed, profile, profile_phase = run
    put(ws, row, 3, label, "label")
    put(ws, row, 4, profile, "note")
    first = first_row(data)
    last = first + len(table(data)) - 1
    for column, summed in ((5, "F"), (6, "I"), (7, "J"), (8, "K")):
        total = f"=SUMIF($C${first}:$C${last},$C{row},{summed}${first}:{summed}${last})"
        if column == SIZE:
            put(ws, row, column, total, "calculation", "ratio")
            continue
        factor = f"*{layout.blocks['unit:kib_per_b'].address}" if column == SIZE + 1 else ""
        put(ws, row, column, f"{total}/$E{row}{factor}", "output", "KiB" if factor else "ratio")
    block = layout.blocks[f"profile:read_ratio:{profile_phase}"]
    start = data.profile_names().index(profile) * len(data.phases)
    letter = get_column_letter(block.first_column)
    put(ws, row, 9, f"={block.sheet}!${letter}${block.first_row + start}", "calculation", "ratio")
    put(ws, row, 10, f"=I{row}/G{row}", "calculation", "ratio")
    put(ws, row, 11, data.facts.value(iops, "IOPS"), "fact", "IOPS")
    put(ws, row, 12, f"=K{row}*F{row}*{layout.blocks['unit:mb_per_kib'].address}", "output", "MB/s")
    put(ws, row, 13, data.facts.value(printed, "MB/s"), "fact", "MB/s")
    put(ws, row, 14, f"=M{row}/L{row}", "output", "ratio")
