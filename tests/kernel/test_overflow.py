"""Numbers beyond Excel's range: a compiled slice gives the error that the cell shows, never infinity, never a rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from addin.kernel import Address, Cells, Evaluator, ExcelError, Scalar
from addin.kernel.trials.compile import Emitter, compile_slice, difference

X, RESULT = Address("S", 1, 1), Address("S", 1, 5)
TRIALS = (0.5, -2.0, 0.0, 3.0, 1e10, 1e200)
LARGE = (1e200, -1e200, 1e308, -1e308, 1e160, 3.0)  # B1:B6
CELLS: dict[Address, Scalar] = {X: 0.0, **{Address("S", row, 2): value for row, value in enumerate(LARGE, 1)}}

ALWAYS = [  # #NUM! whatever A1 is: the constants alone leave the range
    *("=SUMSQ(A1,B1)", "=SUMPRODUCT(B1:B2,B3:B4)+A1", "=SUM(B3,B3,A1)", "=STDEV(A1,B1,B2)", "=STDEV.P(A1,B3)"),
    *("=AVERAGE(B3,B3,A1)", "=0*SUMSQ(A1,B1)", "=SUMSQ(A1,B1)*0+1", "=B1*B1*A1", "=PRODUCT(B1,B3,A1)"),
]
SOMETIMES = [
    *("=SUMPRODUCT(A1:A1,B3:B3)", "=SUM(A1,B3,B3)", "=PRODUCT(A1,B1,B1)", "=NPV(A1,B3,B3)", "=NPV(0.1,B3,A1,B3)"),
    *("=IF(A1>0,B1*B1,5)", "=IFERROR(SUMSQ(A1,B1),7)", "=IFERROR(A1*B3,7)+1", "=IF(A1=0,0,B3/A1)+1", "=A1^B1"),
    *("=FORECAST(A1,B1:B2,B2:B3)", "=SLOPE(B1:B3,B2:B4)+A1", "=CEILING(B3,A1)", "=MOD(B3,A1)", "=FV(A1,B6,B3)"),
    *("=PV(A1,B6,B3)", "=NORM.DIST(A1,B3,1E-300,FALSE)", "=EXP(A1*B1)", "=ROUND(B3*A1,-308)", "=LARGE(B1:B4,1)+A1"),
    *("=SUM(IF(A1>0,B3,0),B3)", "=SUMSQ(IF(A1>0,B1,1))", "=SUMPRODUCT((B1:B4>A1)*B1:B4)", "=B3-(-B3)+A1", "=-B3-B3-A1"),
    *(
        "=STDEV(A1,A1*2,1)",
        "=STDEV(A1,A1*2,1)/A1",
        "=1/SUMSQ(A1,A1)",
        "=LOGNORM.INV(0.5,A1,B1)",
        '=SUMIF(B1:B4,">0")*A1',
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("emitter", ["numpy", "auto"])
@pytest.mark.parametrize("formula", ALWAYS + SOMETIMES)
def test_a_slice_and_the_cell_agree_on_numbers_beyond_the_range(formula: str, emitter: Emitter) -> None:
    compiled = compile_slice(Cells({**CELLS, RESULT: formula}), [X], [RESULT], emitter=emitter)
    result = compiled.run(np.array([TRIALS]))
    for trial, x in enumerate(TRIALS):
        (wanted,) = compiled.scalars(np.array([x]))
        assert difference(result.scalar(0, trial), wanted) < 1e-12, (x, result.scalar(0, trial), wanted)
        assert not isinstance(wanted, float) or math.isfinite(wanted)


@pytest.mark.parametrize("formula", ALWAYS)
def test_constants_that_overflow_are_the_error_of_the_cell(formula: str) -> None:
    assert Evaluator(Cells({**CELLS, RESULT: formula})).value(RESULT) is ExcelError.NUM
    compiled = compile_slice(Cells({**CELLS, RESULT: formula}), [X], [RESULT])
    assert {compiled.run(np.array([TRIALS])).scalar(0, trial) for trial in range(len(TRIALS))} == {ExcelError.NUM}


@pytest.mark.parametrize("formula", ["=EXP(A1)", "=EXP(A1)+LN(A1)", "=A1^1.7*EXP(A1)", "=LOG10(A1)*EXP(A1)"])
def test_a_trial_has_the_same_bytes_beside_one_that_overflows(formula: str) -> None:
    pytest.importorskip("llvmlite")
    compiled = compile_slice(Cells({X: 0.0, RESULT: formula}), (X,), (RESULT,), emitter="llvm")
    x = np.random.default_rng(1).uniform(0.1, 5.0, 20_000)
    alone = compiled.run(x[None, :]).values[0]
    beside = compiled.run(np.append(x, 1e3)[None, :])
    assert beside.scalar(0, x.size) is ExcelError.NUM
    assert alone.tobytes() == beside.values[0, :-1].tobytes()
