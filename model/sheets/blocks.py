"""Block sizes: NTP's four vscsiStats tables with weighted means, and the throughput they imply against the array's own.

The tables head the sizes "KB"; only bytes are physical (NTP-01). They are measured at the hypervisor, so they do not
reproduce the array's throughput (NTP-02): both stand side by side.
"""

import re

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW
from model.layout.tab import Context, Tab
from model.reading.records import Data

NAME = "Block sizes"
_MONDAY, _TUESDAY = "Office worker full clone Monday (NTP 2016)", "Office worker full clone Tuesday (NTP 2016)"
RUNS = (
    # phase, label, mean IOPS, mean throughput, profile, profile phase
    ("boot", "Boot", "NTP-149", "NTP-151", _MONDAY, "boot"),
    ("login_monday", "Monday login and work", "NTP-172", "NTP-174", _MONDAY, "login"),
    ("login_tuesday", "Tuesday login and work", "NTP-198", "NTP-200", _TUESDAY, "login"),
    ("patching", "Patching", "NTP-224", "NTP-226", _MONDAY, "patching"),
)
PRODUCTS, SUMMARY = 7, 11
_HEADS = ["Run", "Block size, B", "Share of I/O", "Read share", "Random share", "Source",
          "Share of I/O x block size, B", "Share of I/O x read share", "Share of I/O x random share", None,
          "Run", "Shares add up to", "Mean block, KiB", "Read share", "Random share", "Profile's read share",
          "Profile's over table's", "Mean IOPS", "Implied, MB/s", "Printed, MB/s", "Printed over implied"]  # fmt: skip


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


def cell(run: str, what: str) -> tuple[str, str]:
    """Return the cell of a run's summary: what is shares, mean, read, random, agreement, implied or ratio."""
    columns = {"shares": "L", "mean": "M", "read": "N", "random": "O", "agreement": "Q", "implied": "S", "ratio": "U"}
    return NAME, f"{columns[what]}{FIRST_ROW + [r[0] for r in RUNS].index(run)}"


def write(ws: Worksheet, context: Context) -> None:
    """Write the typed table with its products on the left and one summary row per run on the right."""
    data, layout = context.data, context.layout
    purpose = (
        "NTP appendix. Sizes are bytes although headed KB (NTP-01). Left: as printed. Right: means and throughput."
    )
    widths = [23, 11, 10, 10, 10, 24, 12, 12, 12, 3, 23, *[11.5] * 10]
    numbers = (*range(2, 6), *range(PRODUCTS, PRODUCTS + 3), *range(SUMMARY + 1, len(_HEADS) + 1))
    canvas.head(ws, "Block sizes", purpose, [h or "" for h in _HEADS], widths, "A5", numbers)
    facts, labels = data.facts, {run[0]: run[1] for run in RUNS}
    rows = table(data)
    last = FIRST_ROW + len(rows) - 1
    for row, (phase, (size, workload, read, random)) in enumerate(rows, FIRST_ROW):
        put(ws, row, 1, labels[phase], "label")
        put(ws, row, 2, facts.value(size, "B"), "fact", "B")
        for column, fact_id in enumerate((workload, read, random), 3):
            put(ws, row, column, facts.value(fact_id, "ratio"), "fact", "ratio")
        put(ws, row, 6, f"{size} to {max(size, workload, read, random)}", "note")
        for column, factor in enumerate("BDE", PRODUCTS):
            put(ws, row, column, f"=$C{row}*{factor}{row}", "calculation", "B" if factor == "B" else "ratio")
    for row, (_, label, iops, printed, profile, profile_phase) in enumerate(RUNS, FIRST_ROW):
        put(ws, row, SUMMARY, label, "label")
        for column, summed in ((12, "C"), (13, "G"), (14, "H"), (15, "I")):
            total = f"=SUMIF($A${FIRST_ROW}:$A${last},$K{row},${summed}${FIRST_ROW}:${summed}${last})"
            if column == 12:
                put(ws, row, column, total, "calculation", "ratio")
                continue
            factor = f"*{layout.blocks['unit:kib_per_b'].address}" if column == 13 else ""
            put(ws, row, column, f"{total}/$L{row}{factor}", "output", "KiB" if column == 13 else "ratio")
        block = layout.blocks[f"profile:read_ratio:{profile_phase}"]
        first = data.profile_names().index(profile) * len(data.phases)
        letter = get_column_letter(block.first_column)
        put(ws, row, 16, f"={block.sheet}!${letter}${block.first_row + first}", "calculation", "ratio")
        put(ws, row, 17, f"=P{row}/N{row}", "calculation", "ratio")
        put(ws, row, 18, facts.value(iops, "IOPS"), "fact", "IOPS")
        put(ws, row, 19, f"=R{row}*M{row}*{layout.blocks['unit:mb_per_kib'].address}", "output", "MB/s")
        put(ws, row, 20, facts.value(printed, "MB/s"), "fact", "MB/s")
        put(ws, row, 21, f"=T{row}/S{row}", "output", "ratio")
    canvas.print_setup(ws, len(_HEADS), last)


TAB = Tab(NAME, "table", "calculation", "NTP's measured block sizes with weighted means", write)
