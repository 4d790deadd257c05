"""A small sizing workbook with known answers: a few inputs, their spreads, and formulas that a test chooses."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

HEADINGS = (
    *("Input", "Unit", "Source", "Key", "Distribution", "Minimum", "Likely, mean or value", "Maximum", "Spread"),
    *("Shape", "Second shape", "Values"),
)
UNIFORM = ("uniform", 0, None, 1)  # kind, then the cells from Minimum on


def save(
    path: Path,
    spreads: Mapping[str, Sequence[object]],
    results: Mapping[str, str],
    ranks: Mapping[tuple[str, str], object] | None = None,
    bounds: tuple[float, float] = (-1000.0, 1000.0),
) -> Path:
    """Save a workbook with an input for each spread; formulas say {key} for an input and stand on sheet Sizing."""
    book = Workbook()
    inputs, sizing, risk = book.worksheets[0], book.create_sheet("Sizing"), book.create_sheet("Risk inputs")
    inputs.title = "Inputs"
    cells = {}
    for row, key in enumerate(dict.fromkeys(("desktops", "array", *spreads)), 5):
        cells[key] = f"Inputs!$D${row}"
        for column, value in ((1, key.title()), (2, "desktops" if key == "desktops" else "ratio"), (4, 0.5)):
            inputs.cell(row, column).value = value
        rule = DataValidation("decimal", operator="between", formula1=str(bounds[0]), formula2=str(bounds[1]))
        rule.add(f"D{row}")
        inputs.add_data_validation(rule)
        book.defined_names[f"In_{key}"] = DefinedName(f"In_{key}", attr_text=cells[key])
    for row, (key, formula) in enumerate({"arrays_required": "=1", **results}.items(), 5):
        sizing.cell(row, 1).value, sizing.cell(row, 2).value = key.title(), "arrays" if "arrays" in key else "ratio"
        places = {name: place.replace("$", "") for name, place in cells.items()}
        sizing.cell(row, 4).value = formula.format(**places)
        book.defined_names[f"Out_{key}"] = DefinedName(f"Out_{key}", attr_text=f"Sizing!$D${row}")
    book.defined_names["Chk_Master"] = DefinedName("Chk_Master", attr_text="Sizing!$D$5")
    for column, text in enumerate(HEADINGS, 1):
        risk.cell(4, column).value = text
    for row, (key, spread) in enumerate(spreads.items(), 5):
        for column, entry in ((1, key.title()), (2, "ratio"), (3, "user"), (4, key), *enumerate(spread, 5)):
            risk.cell(row, column).value = entry
    top = 6 + len(spreads)
    risk.cell(top, 1).value = "Rank correlation"
    keys = list(spreads)
    for at, key in enumerate(keys):
        risk.cell(top, 5 + at).value = risk.cell(top + 1 + at, 4).value = key
        for before in range(at):
            pair = (ranks or {}).get((keys[before], key), 0)
            risk.cell(top + 1 + at, 5 + before).value = pair
    book.save(path)
    return path
