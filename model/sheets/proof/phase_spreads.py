"""Which phases have a spread of their own, from the misses of Predictions: a table below the hit rates.

A run draws the scale on every phase with the spread of its class. A phase moves beyond that only where enough figures
say so: its own part is what the spread of its figures has over that of all phases, as variances. With fewer figures
it has none, and moves with all phases. No two documents print a stored size to compare, so capacity has none either.
"""

from itertools import product

from openpyxl.styles import Alignment
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import Block
from model.sheets.catalogue.phases import LABELS, MEASURED, capitalised

SHEET = "Predictions"
THIS, OTHER = "this", "another"  # generation of the papers
EVERY = "*"  # counts every phase
CAPACITY = "capacity"
WORDS = {EVERY: "All phases", **{phase: capitalised(LABELS[phase]) for phase in MEASURED}, CAPACITY: "Capacity"}
LEAST = 5  # figures that a phase needs for a spread of its own
ROWS = tuple(product((THIS, OTHER), WORDS))
WHAT, PHASE, GENERATION, COUNT, SPREAD, OWN, SAID = 4, 5, 6, 8, 9, 10, 11
_TITLE = "Spread by phase, of the figures above: what a phase has beyond the spread of all phases is its own"
_HEADS = {
    WHAT: "What",
    PHASE: "Phase",
    GENERATION: "Generation",
    COUNT: "Figures, count",
    SPREAD: "Spread, ratio",
    OWN: "Its own part, ratio",
    SAID: "In words",
}
_NOTE = (
    "Standard deviations of the logarithm, around the profile's figure. A simulation draws the scale on every phase, "
    "and beside it the own part of a phase: no interval is narrower than the spread of all phases makes it."
)


def key(phase: str, generation: str) -> str:
    """Return the name of the cell that a run reads: the own part of a phase, the spread itself of all phases."""
    return f"Run_{'every' if phase == EVERY else phase}_spread_{generation}"


def blocks(first: int) -> dict[str, Block]:
    """Return where a run finds the spreads, the table's first row given."""
    return {
        key(phase, generation): Block(SHEET, row, row, column := SPREAD if phase == EVERY else OWN, column)
        for row, (generation, phase) in enumerate(ROWS, first)
    }


def write(ws: Worksheet, first: int, lines: range, least: str) -> int:
    """Write a row for each generation and phase from the lines above; return the last row. `least` is a cell."""
    canvas.table_head(ws, first - 1, _TITLE, [_HEADS.get(at, "") for at in range(1, SAID + 1)], range(COUNT, SAID))
    last = first + len(ROWS) - 1
    phases, generations, squares = (f"${at}${lines[0]}:${at}${lines[-1]}" for at in "EFI")
    for row, (generation, phase) in enumerate(ROWS, first):
        for at, text in ((WHAT, WORDS[phase]), (PHASE, phase), (GENERATION, generation)):
            put(ws, row, at, text, "label")
        these = f"{phases},$E{row},{generations},$F{row}"
        every = f"SUMIFS(I${first}:I${last},$D${first}:$D${last},$D${first},$F${first}:$F${last},$F{row})"
        put(ws, row, COUNT, f"=COUNTIFS({these})", "output", "count")
        put(ws, row, SPREAD, f'=IF($H{row}=0,"none",SQRT(AVERAGEIFS({squares},{these})))', "output", "ratio")
        put(ws, row, OWN, f"=IF($H{row}<{least},0,SQRT(MAX(0,I{row}*I{row}-SUMSQ({every}))))", "output", "ratio")
        said = f'TEXT($H{row},"0")&" of "&TEXT({least},"0")&" figures for a spread of its own"'
        put(ws, row, SAID, f'=IF($H{row}<{least},{said},"its own spread")', "output")
        if phase == EVERY:
            put(ws, row, SAID, "common to all of them", "label")
        canvas.overflow(ws, row, SAID)
        ws.cell(row, SAID).alignment = Alignment(horizontal="left", vertical="center", indent=1)
    put(ws, last + 1, WHAT, _NOTE, "note")
    canvas.overflow(ws, last + 1, WHAT)
    return last + 1
