"""Formulas nobody wrote: for each, the compiled slice and the scalar evaluator give the same in every trial."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addin.kernel import Address, Cells, ExcelError, Scalar
from addin.kernel.trials.compile import Emitter, compile_slice, difference

INPUTS = tuple(Address("Model", row, 1) for row in range(1, 6))
CONSTANTS: dict[Address, Scalar] = {
    Address("Model", row, 2): value
    for row, value in enumerate([0.0, 1.0, 2.5, 7.0, 100.0, -3.0, "text", None, True, ExcelError.NA, "4"], 1)
}
LINES: list[tuple[Scalar, ...]] = [(-5.0, 1.0, "low"), (0.0, 2.0, "mid"), (3.0, 4.0, "high"), (50.0, 8.0, "top")]
TABLE = {
    Address("Model", row, column): value for row, line in enumerate(LINES, 1) for column, value in enumerate(line, 4)
}
DRAWS = np.array(
    [0.0, 1.0, -1.0, 0.07, 0.29, 100.0, 3.0, 3.0000000000000004, 2.9999999999999996, 1e-3, 1e10, -7.5, 1 / 3]
)
TRIALS = 60

cell = st.sampled_from([f"A{row}" for row in range(1, 6)])
constant = st.sampled_from([f"B{row}" for row in range(1, 12)] + ["0", "1", "2", "0.5", "100", "-1"])
names = st.sampled_from
ONE = ["ABS", "INT", "SIGN", "SQRT", "EXP", "LN", "LOG10", "NOT", "ISNUMBER", "ISERROR", "ISTEXT", "ISBLANK", "ISNA"]
TWO = ["MAX", "MIN", "SUM", "CEILING", "FLOOR", "MROUND", "MOD", "POWER", "LOG", "IFERROR", "IFNA", "COUNT"]
MANY = ["SUM", "MAX", "MIN", "COUNT", "COUNTA", "AVERAGE", "PRODUCT", "SUMSQ", "MEDIAN", "STDEV", "AND", "OR"]
atom = st.one_of(cell, cell, constant)
digits = st.sampled_from(["0", "0", "1", "2", "-1"])
ranges = st.sampled_from(["A1:A5", "A1:A3", "A2:A4", "A1:B3", "B1:B6", "A1:B9"])
criteria = st.sampled_from(['">0"', '"<=1"', '"<>3"', "3", '"text"', '"<>"', "TRUE"])
OPERATORS = ["+", "-", "*", "/", "^", "=", "<>", "<", "<=", ">", ">="]


def numeric(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return formulas one level deeper."""
    two = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(inner, st.sampled_from(OPERATORS), inner).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
        st.tuples(inner, st.sampled_from("+-*/")).map(lambda t: f"({t[0]}{t[1]}{t[0]})"),
        inner.map(lambda x: f"(-{x})"),
        inner.map(lambda x: f"{x}%"),
        st.tuples(names(ONE), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(st.sampled_from(["ROUND", "ROUNDUP", "ROUNDDOWN", "TRUNC"]), inner, digits).map(
            lambda t: f"{t[0]}({t[1]},{t[2]})"
        ),
        st.tuples(names(TWO), two).map(lambda t: f"{t[0]}({t[1][0]},{t[1][1]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"IF({t[0]},{t[1]},{t[2]})"),
        st.tuples(inner, inner).map(lambda t: f'IF({t[0]}>{t[1]},{t[0]},"none")'),
        two.map(lambda t: f"IF({t[0]}>0,{t[1]}/{t[0]},0)"),
        st.tuples(inner, inner, inner).map(lambda t: f"CHOOSE({t[0]},{t[1]},{t[2]})"),
        st.tuples(st.sampled_from(["AND", "OR", "XOR"]), two).map(lambda t: f"{t[0]}({t[1][0]},{t[1][1]})"),
        inner.map(lambda x: f"INDEX(E1:E4,MATCH({x},D1:D4,1))"),
        inner.map(lambda x: f"INDEX(F1:F4,MATCH({x},D1:D4,1))"),
        inner.map(lambda x: f"VLOOKUP({x},D1:F4,2)"),
        inner.map(lambda x: f"INDEX(A1:A5,{x})"),
        inner.map(lambda x: f"MATCH({x},A1:A4,1)"),
        inner.map(lambda x: f"MATCH({x},A1:B4,0)"),
    )


over_ranges = st.one_of(
    st.tuples(names(MANY), ranges).map(lambda t: f"{t[0]}({t[1]})"),
    st.tuples(ranges, st.sampled_from("123")).map(lambda t: f"LARGE({t[0]},{t[1]})"),
    st.tuples(ranges, criteria).map(lambda t: f"COUNTIF({t[0]},{t[1]})"),
    criteria.map(lambda c: f"SUMIF(A1:A5,{c},B1:B5)"),
    st.just("SUMPRODUCT(A1:A5,B1:B5)"),
    cell.map(lambda a: f"SUMPRODUCT((A1:A5>{a})*B1:B5)"),
    st.just("INDEX(F1:F4,MATCH(MAX(A1:A4),A1:A4,0))"),
    st.just("MATCH(MIN(A1:A4),A1:A4,0)"),
)
formula = st.recursive(st.one_of(atom, atom, over_ranges), numeric, max_leaves=6)


def model(first: str, second: str) -> Cells:
    values: dict[Address, Scalar] = {**dict.fromkeys(INPUTS, 0.0), **CONSTANTS, **TABLE}
    values[Address("Model", 1, 3)] = f"={first}"
    values[Address("Model", 2, 3)] = f"={second}"
    return Cells(values)


def trials(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    hard = rng.choice(DRAWS, (len(INPUTS), TRIALS))
    return np.where(rng.random(hard.shape) < 0.75, hard, np.round(rng.normal(0, 20, hard.shape), 1))


@pytest.mark.slow
@pytest.mark.parametrize("emitter", ["numpy", "auto"])
@settings(max_examples=120)
@given(first=formula, second=formula, seed=st.integers(0, 99))
def test_a_compiled_formula_gives_what_the_scalar_evaluator_gives(
    emitter: Emitter, first: str, second: str, seed: int
) -> None:
    cells = model(first, re.sub(r"(?<!:)A2(?!:)", "C1", second))  # the second cell reads the first
    outputs = (Address("Model", 2, 3), Address("Model", 1, 3))
    compiled = compile_slice(cells, INPUTS, outputs, emitter=emitter)
    x = trials(seed)
    result = compiled.run(x)
    for trial in range(0, TRIALS, 3):
        for output, wanted in enumerate(compiled.scalars(x[:, trial])):
            actual = result.scalar(output, trial)
            assert difference(actual, wanted) <= 1e-12, (x[:, trial].tolist(), actual, wanted)
