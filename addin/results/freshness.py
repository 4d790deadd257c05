"""The inputs behind a result sheet: their values then and now, the time, and whether they have changed.

    row 4                Computed 2026-11-22 15:40; current  |  ... 3 inputs changed: run again
                         (a copy that is saved: Computed for this copy; current)
    last section         input | then | now

The column "now" and the sentence are formulas, so that the application updates them. They can only be written after
the sheet is in the workbook: before, they would be links to another file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter

from addin.kernel import Address, ExcelError, Scalar
from addin.kernel.formula.cells import quoted
from addin.results.page import STATE_ROW, Page, form
from addin.workbook.reads import Reads
from model.layout import styles

BLANK, ERROR = "blank", "error"
_AREAS = 200  # arguments of one COUNTA; Excel takes 255
THEN, NOW = 2, 3  # columns


def clock() -> str:
    """Return the time to the minute."""
    return datetime.now().strftime("%Y-%m-%d %H:%M")


def add(page: Page, reads: Reads, when: str = "") -> None:
    """Write the last section of a page and add its formulas to `page.live`.

    A saved copy has no time, so that the same run always gives the same bytes.
    """
    row = page.new_page(page.ws.max_row + 2)
    row = page.band(row, "Inputs that these figures were computed for: as they were then, and as they are now")
    first = row = page.headings(row, ("Input", "Then", "Now"), words=(THEN, NOW))
    zeros = [read.address for read in reads.filled if not read.key and read.value == 0]
    named = [read for read in reads.filled if read.key or read.value != 0]
    for read in named:
        page.put(row, 1, f"{read.label}, {read.unit}" if read.unit else read.label, "label")
        for column, value in ((THEN, _stored(read.value)), (NOW, None)):
            page.put(row, column, value, "calculation", form(read.key, read.unit, read.value))
            page.align(row, column, "left", wrap=True)
        cell = _cell(read.address)
        page.live.append((row, NOW, f'=IF(ISERROR({cell}),"{ERROR}",IF(ISBLANK({cell}),"{BLANK}",{cell}))'))
        row += 1
    compared = f"$B${first}:$B${row - 1}<>$C${first}:$C${row - 1}"
    counts = [f"SUMPRODUCT(({compared})*1)"] if named else []
    counted = [
        (label, formula)
        for label, cells, formula_of in (
            ("Risk inputs of 0 then, not 0 now", zeros, lambda areas: "+".join(f'COUNTIF({at},"<>0")' for at in areas)),
            ("Inputs blank then, filled now", reads.blank, lambda areas: f"COUNTA({','.join(areas)})"),
        )
        for formula in _of_areas(cells, formula_of)
    ]
    for label, formula in counted:
        page.put(row, 1, label, "label")
        page.put(row, THEN, 0, "calculation", "0")
        page.put(row, NOW, None, "calculation", "0")
        page.live.append((row, NOW, f"={formula}"))
        counts.append(f"$C${row}")
        row += 1
    page.put(row, 1, "Inputs that differ", "label")
    page.put(row, NOW, None, "output", "0")
    page.live.append((row, NOW, f"={'+'.join(counts) or '0'}"))
    _state(page, f"$C${row}", when)


def _state(page: Page, count: str, when: str) -> None:
    page.put(STATE_ROW, 1, None, "master")
    page.align(STATE_ROW, 1, "left")
    changed = f'{count}&IF({count}=1," input"," inputs")&" changed: run again"'
    page.live.append((STATE_ROW, 1, f'="Computed {when or "for this copy"}; "&IF({count}=0,"current",{changed})'))
    fill, font = PatternFill("solid", bgColor=styles.AMBER_FILL), Font(color="7A4B00", bold=True)
    area = f"A{STATE_ROW}:{get_column_letter(page.last)}{STATE_ROW}"
    page.ws.conditional_formatting.add(area, FormulaRule(formula=[f"{count}>0"], fill=fill, font=font))


def _stored(value: Scalar) -> Scalar:
    return ERROR if isinstance(value, ExcelError) else value


def _cell(address: Address) -> str:
    return f"{quoted(address.sheet)}!${get_column_letter(address.column)}${address.row}"


def _of_areas(cells: Sequence[Address], formula: Callable[[Sequence[str]], str]) -> Iterator[str]:
    """Yield a formula for the areas of some cells, a further one where they are too many for it."""
    areas = list(_areas(cells))
    for start in range(0, len(areas), _AREAS):
        yield formula(areas[start : start + _AREAS])


def _areas(addresses: Sequence[Address]) -> Iterator[str]:
    """Yield the references of cells, with adjoining cells of a column as one area."""
    ordered = sorted(set(addresses), key=lambda at: (at.sheet, at.column, at.row))
    start = 0
    for number, address in enumerate(ordered, 1):
        below = address._replace(row=address.row + 1)
        if number < len(ordered) and ordered[number] == below:
            continue
        first = ordered[start]
        last = "" if first == address else f":${get_column_letter(address.column)}${address.row}"
        yield f"{_cell(first)}{last}"
        start = number
