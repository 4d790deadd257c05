"""Results of the shipped workbook with rows of people's own filled in."""

from collections.abc import Mapping

from addin.kernel import Address, Cells, Evaluator, Scalar
from model.sheets.proof import checks
from tests.support.answers import addresses, answers, changed
from tests.support.own_rows import Rows, Value, own_cells
from tests.support.shipped import built, built_cells

BUILT = built()
OUTPUTS = [key for key, place in BUILT.layout.lines.items() if place[0] not in ("Design",)]
CELLS = built_cells()
MINE: dict[str, Value] = {"profile": "My profile 1", "patch_wanted_min": 60.0}


def with_rows(rows: Rows, cells: Cells = CELLS) -> Cells:
    """Return the cells with some rows filled in."""
    return changed(cells, own_cells(BUILT, rows))


def results(design: Mapping[str, Value], *keys: str, rows: Rows | None = None) -> tuple[Scalar, ...]:
    """Return results of one design with some rows filled in."""
    (values,) = answers(BUILT, with_rows(rows or {}), [dict(design)], *keys)
    return values


def without(figures: Mapping[str, Value], *keys: str) -> dict[str, Value]:
    """Return figures but for some."""
    return {key: value for key, value in figures.items() if key not in keys}


def raised(label: str, design: Mapping[str, Value], rows: Rows) -> Scalar:
    """Return whether a check of the base design is raised."""
    sheet = BUILT.workbook[checks.NAME]
    (row,) = (cell.row for cell in sheet["B"] if cell.value == label)
    rows_of = {key: BUILT.layout.inputs[key] for key in design}
    places = {(sheet, f"D{at}"): design[key] for key, (sheet, at) in rows_of.items()}
    evaluator = Evaluator(with_rows(rows), addresses(places))
    return evaluator.value(Address(checks.NAME, row, checks.RAISED))


def every_result(design: Mapping[str, Value], rows: Rows) -> dict[str, Scalar]:
    """Return every calculation of one design, by key."""
    return dict(zip(OUTPUTS, results(design, *OUTPUTS, rows=rows), strict=True))
