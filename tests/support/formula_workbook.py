"""Small workbooks as openpyxl saves them: formulas without results."""

from pathlib import Path

import openpyxl
from openpyxl.utils import quote_sheetname


def save_workbook(path: Path, formulas: dict[str, str], sheet: str = "Capacity") -> Path:
    """Save a workbook with these formulas, one typed number and one typed text."""
    book = openpyxl.Workbook()
    book.active.title = sheet
    book.active["A1"] = 7
    book.active["A2"] = "typed text"
    for reference, formula in formulas.items():
        book.active[reference] = formula
    other = book.create_sheet("Notes & more")
    other["A1"] = f"={quote_sheetname(sheet)}!A1"
    book.save(path)
    return path
