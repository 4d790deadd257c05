"""Which typed cells hold figures, place by place, and how many of them hold something else or leave their range.

A text, TRUE or an error value where a figure belongs is read as a blank by every count: "3 years" would be no years.
"""

from collections.abc import Iterator, Sequence

from openpyxl.utils import get_column_letter

from model.layout.grid import ANSWER, BASE, FIRST_PUBLISHED, INPUT_SHEETS, START, Layout, not_numbers, quoted
from model.reading.inputs import Input
from model.reading.records import Data
from model.sheets.catalogue import array_details, arrays, my_arrays, risk

LONGEST = 120  # letters of a formula that can be read
_FIRST, _LAST = get_column_letter(BASE), get_column_letter(FIRST_PUBLISHED - 1)
_DESIGNS = get_column_letter(BASE + 1)  # first what-if


def on_inputs(data: Data, layout: Layout, sheet: str) -> list[str]:
    """Return the areas of a sheet of inputs that hold figures, top down; what Answer asks for only of the what-ifs."""
    areas: list[list[int | str]] = []
    kinds = {row: item for item in data.inputs for home, row in [layout.inputs[item.key]] if home == sheet}
    before = ""
    for row, item in sorted(kinds.items()):
        if item.kind not in ("number", "date"):
            before = ""
            continue
        first = _DESIGNS if item.key in layout.start else _FIRST
        if before == first:
            areas[-1][2] = row
        else:
            areas.append([first, row, row])
        before = first
    return [f"{first}{top}:{_LAST}{bottom}" for first, top, bottom in areas]


def limit_columns(layout: Layout) -> range:
    """Return the columns of an input's limits: one is left blank behind those of the designs, which all grids have."""
    return range(layout.columns.stop + 1, layout.columns.stop + 3)


def count_columns(layout: Layout) -> range:
    """Return the columns of an input's row that count what is not a number and what is outside its limits."""
    return range(layout.columns.stop + 3, layout.columns.stop + 5)


def counts(item: Input, row: int, layout: Layout) -> tuple[str, str]:
    """Return the formulas of both, over base design and what-ifs; a text typed on Answer is counted there.

    What is outside counts once a row: pasting goes around the limits of a cell.
    """
    columns = (*limit_columns(layout), *count_columns(layout))
    low, high, texts, _ = (f"{get_column_letter(column)}{row}" for column in columns)
    cells = f"{_FIRST}{row}:{_LAST}{row}"
    typed = not_numbers([f"{_DESIGNS}{row}:{_LAST}{row}" if item.key in START else cells])
    return typed, f"=IF({texts}>0,0,SIGN(MAX({low}-MIN({cells},{low}),MAX({cells},{high})-{high})))"


def on_answer(data: Data, layout: Layout) -> list[str]:
    """Return the cells of Answer that hold figures."""
    return [f"{_FIRST}{row}" for key, row in layout.start.items() if data.input(key).kind == "number"]


def places(data: Data, layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield (place, formula of the cells there that hold no number), as many areas in one as can be read.

    Inputs count what is outside its range as well: pasting goes around the limits of a cell.
    """
    yield ANSWER, not_numbers([f"{ANSWER}!{cell}" for cell in on_answer(data, layout)])
    for sheet in INPUT_SHEETS:
        first, last = layout.input_rows(sheet)
        left, right = map(get_column_letter, count_columns(layout))
        yield sheet, f"=SUM({quoted(sheet)}!{left}{first}:{right}{last})"
    rows = my_arrays.rows()["not_numbers"], array_details.last(data)
    last = get_column_letter(my_arrays.LAST_COLUMN)
    cards = ",".join(f"{quoted(my_arrays.NAME)}!{_FIRST}{row}:{last}{row}" for row in rows)
    yield my_arrays.NAME, f"=SUM({cards})"
    yield arrays.NAME, not_numbers([f"{arrays.NAME}!{area}" for area in arrays.quote_figures(data)])
    yield from _parts(risk.NAME, risk.numbers(data))


def _parts(sheet: str, areas: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the areas of a sheet in parts that a formula can name, with the rows that each reaches."""
    part: list[str] = []
    for area in (*areas, ""):
        longer = [*part, f"{quoted(sheet)}!{area}"]
        if area and len(not_numbers(longer)) <= LONGEST:
            part = longer
            continue
        top, bottom = (part[at].rpartition("!")[2].split(":")[at] for at in (0, -1))
        rows = [edge.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for edge in (top, bottom)]
        yield f"{sheet}, rows {rows[0]} to {rows[1]}", not_numbers(part)
        part = [f"{quoted(sheet)}!{area}"]
