"""Which typed cells hold figures, place by place, and how many of them hold something else.

A text, TRUE or an error value where a figure belongs is read as a blank by every count: "3 years" would be no years.
"""

from collections.abc import Iterator, Sequence

from openpyxl.utils import get_column_letter

from model.layout.grid import ANSWER, BASE, FIRST_PUBLISHED, INPUT_SHEETS, Layout, not_numbers, quoted
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


def on_answer(data: Data, layout: Layout) -> list[str]:
    """Return the cells of Answer that hold figures."""
    return [f"{_FIRST}{row}" for key, row in layout.start.items() if data.input(key).kind == "number"]


def places(data: Data, layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield (place, formula of the cells there that hold no number), as many areas in one as can be read."""
    yield ANSWER, not_numbers([f"{ANSWER}!{cell}" for cell in on_answer(data, layout)])
    for sheet in INPUT_SHEETS:
        yield from _parts(sheet, on_inputs(data, layout, sheet))
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
