"""A check of a saved workbook: LibreOffice recomputes it, and every value is compared with the kernel's."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.utils.datetime import to_excel

from addin.engines.office import application
from addin.numerals import number_of

LEAST = 1e-3  # differences of smaller figures are relative to this
ROUNDING = 1e-9  # smaller differences are rounding


@dataclass(frozen=True)
class Agreement:
    """What a second engine found, as a sentence; `agrees` is false where a figure or a text differs."""

    sentence: str
    agrees: bool = True


def stored_values(path: Path) -> Workbook:
    """Return the values stored in a workbook, dates as numbers.

    openpyxl fills an empty cell that has a link with the target; such a value is removed.
    """
    book = load_workbook(path, data_only=True)
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.hyperlink and cell.value == cell.hyperlink.location:
                    cell.value = None
                elif cell.data_type == "d":
                    cell.value, cell.number_format = to_excel(cell.value), "General"
    return book


def agreement(path: Path, values: Mapping[tuple[str, str], Any]) -> Agreement:
    """Compare every cell with `values`, by sheet and address; say why, where no office could recompute them."""
    if application.installed() is None:
        return Agreement("LibreOffice is not installed: no second engine has recomputed the cells")
    with tempfile.TemporaryDirectory() as folder:
        try:
            (copy,) = application.convert([path], Path(folder), application.XLSX)
        except application.OfficeError as error:
            return Agreement(f"No second engine has recomputed the cells: {error}")
        recomputed = {sheet.title: sheet for sheet in stored_values(copy).worksheets}
    worst, where, unequal = 0.0, "", list[str]()
    for (sheet, cell), kernel_value in values.items():
        office_value = recomputed[sheet][cell].value
        if isinstance(kernel_value, float) and isinstance(office_value, int | float):
            share = abs(kernel_value - office_value) / max(abs(kernel_value), abs(office_value), LEAST)
            worst, where = max((worst, where), (share, f"{sheet}!{cell}"))
        elif kernel_value != ("" if office_value is None else office_value):
            unequal.append(f"{sheet}!{cell}")
    agrees = worst <= ROUNDING and not unequal
    first = f", the first {unequal[0]}" if unequal else ""
    texts = f"{number_of(len(unequal), 'text')} differ{'s' if len(unequal) == 1 else ''}{first}"
    said = f"largest difference {worst:.0e} ({where}), {texts}"
    return Agreement(f"LibreOffice {'agrees' if agrees else 'DIFFERS'}: {said}", agrees)
