"""A range where one value is expected: of a column the cell in the formula's row, of a row that in its column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl
import pytest

from addin.kernel import Address, Cells, Evaluator, ExcelError, Scalar
from addin.kernel.trials.compile import Emitter, compile_slice
from tests.support import libreoffice

X, RESULT = Address("S", 17, 1), Address("S", 17, 8)
CELLS: dict[Address, Scalar] = {X: 1.0}
for number in range(5):  # E15:E19 is 1 to 5, F15:F19 0 to 40, D20:H20 100 to 104
    CELLS[Address("S", 15 + number, 5)] = number + 1.0
    CELLS[Address("S", 15 + number, 6)] = number * 10.0
    CELLS[Address("S", 20, 4 + number)] = 100.0 + number

SHOWN = [
    ("=E15:E19", 3.0),
    ("=E15:E19*2+A17", 7.0),
    ("=IF(A17>0,E15:E19,F15:F19)", 3.0),
    ("=INDEX(E15:F19,0,2)", 20.0),
    ("=INDEX(D20:H20,0)*A17", 104.0),
    ("=ABS(E15:E19)", 3.0),
    ("=-E15:E19", -3.0),
    ("=CHOOSE(2,E15:E19,F15:F19)+0", 20.0),
    ("=SUMIF(E15:E19,E15:E19)", 3.0),
    ("=VLOOKUP(E15:E19,E15:F19,2,FALSE)", 20.0),
    ("=MAX(E15:E19*A17)", 3.0),
    ("=SUM(E15:E19)", 15.0),  # a function of ranges takes all of it
    ("=SUMPRODUCT(E15:E19*A17)", 15.0),
    ("=D20:H20", 104.0),
    ("=E15:F19", ExcelError.VALUE),  # neither one row nor one column
    ("=E1:E3", ExcelError.VALUE),  # beside the range
]


@pytest.mark.parametrize(("formula", "shown"), SHOWN)
def test_the_cell_shows_what_stands_in_its_row_or_column(formula: str, shown: Scalar) -> None:
    assert Evaluator(Cells({**CELLS, RESULT: formula})).value(RESULT) == shown


@pytest.mark.parametrize("emitter", ["numpy", "auto"])
@pytest.mark.parametrize("formula", [formula for formula, _ in SHOWN])
def test_a_compiled_slice_takes_the_same_cell(formula: str, emitter: Emitter) -> None:
    compiled = compile_slice(Cells({**CELLS, RESULT: formula}), [X], [RESULT], emitter=emitter)
    result = compiled.run(np.array([[1.0, -2.0, 0.0]]))
    for trial, x in enumerate((1.0, -2.0, 0.0)):
        assert [result.scalar(0, trial)] == compiled.scalars(np.array([x]))


@pytest.mark.slow
def test_libreoffice_takes_the_same_cells(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for number, (formula, _) in enumerate(SHOWN):
        sheet = book.create_sheet(f"S{number}")
        for (_, row, column), value in {**CELLS, RESULT: formula}.items():
            sheet.cell(row, column).value = value
    book.save(tmp_path / "book.xlsx")
    (computed,) = libreoffice.recalculate([tmp_path / "book.xlsx"], tmp_path / "computed").values()
    shown = [computed[f"S{number}"]["H17"].value for number in range(len(SHOWN))]
    assert shown == [value.value if isinstance(value, ExcelError) else value for _, value in SHOWN]
