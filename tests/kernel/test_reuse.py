"""Fewer operations, the same results: what the sixth pass shares, and what the emitters leave out."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from addin.kernel import Address, Cells, Scalar
from addin.kernel.trials.compile import Emitter, Slice, check, compile_slice

TRIALS = 300


def compile_column(formulas: list[str], inputs: int, emitter: Emitter = "numpy") -> Slice:
    """Return the slice of formulas in column C, the last is the output; column A holds the inputs, B1:B200 labels."""
    places = tuple(Address("Model", row, 1) for row in range(1, inputs + 1))
    cells = {Address("Model", row, 3): text for row, text in enumerate(formulas, 1)}
    values: dict[Address, Scalar] = {**dict.fromkeys(places, 1.0), **cells}
    values |= {Address("Model", row, 2): f"label {row}" for row in range(1, 201)}
    return compile_slice(Cells(values, {}), places, list(cells)[-1:], emitter=emitter)


def counted(compiled: Slice) -> Counter[str]:
    return Counter(compiled.program.operations[node].name for node in compiled.program.needed)


def binding(rows: int) -> list[str]:
    """Return the largest of `rows` inputs, its label, each input unless it is that, and the label of the next one."""
    area = f"A1:A{rows}"
    unless = [f"=IF(C2=B{row},0,A{row})" for row in range(1, rows + 1)]
    second = f"C3:C{rows + 2}"
    return [
        f"=MAX({area})",
        f"=INDEX(B1:B{rows},MATCH(C1,{area},0))",
        *unless,
        f"=INDEX(B1:B{rows},MATCH(MAX({second}),{second},0))",
    ]


def draws(rows: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 6, (rows, TRIALS)).astype(float)


@pytest.mark.parametrize("emitter", ["numpy", "auto"])
def test_the_largest_and_the_next_are_what_the_scalar_evaluator_gives(emitter: Emitter) -> None:
    assert check(compile_column(binding(7), 7, emitter), draws(7), sample=TRIALS) == 0


def test_conjunctions_grow_with_the_rows_and_not_with_their_square() -> None:
    few, many = (counted(compile_column(binding(rows), rows))["and"] for rows in (6, 12))
    assert many <= 2.5 * few


def test_a_comparison_is_not_made_twice_for_its_opposite() -> None:
    assert counted(compile_column(binding(6), 6))["ne"] == 0
    steps = counted(compile_column(["=IF(A1>0,A2,0)", "=IF(A1<=0,A3,0)", "=C1+C2*2"], 3))
    assert steps["gt"] + steps["le"] == 1


def test_more_labels_than_a_byte_holds() -> None:
    compiled = compile_column(["=INDEX(B1:B200,MAX(1,MIN(200,INT(A1))))"], 1)
    x = np.arange(1.0, 201.0)[None, :]
    shown = np.array(compiled.run(x).labels)[compiled.run(x).texts(0)]
    assert shown.tolist() == [f"label {row}" for row in range(1, 201)]


@pytest.mark.parametrize("emitter", ["numpy", "auto"])
@pytest.mark.parametrize(
    "formula",
    [
        "=A1*A2",
        "=A1/(1+A2*A2)",
        "=MIN(A1,A2)",
        "=-A1",
        "=A1-A2",
        "=INT(A1)",
        "=ROUND(A1,0)",
        "=ABS(A1)*A2",
        "=SQRT(ABS(A1))",
    ],
)
def test_nothing_is_shown_as_minus_zero(formula: str, emitter: Emitter) -> None:
    x = np.array([[-0.0, 0.0, -0.0, 0.3, -0.3, -1.0, 0.0], [-0.0, -0.0, 0.0, -0.0, 0.0, 0.0, -2.0]])
    values = compile_column([formula], 2, emitter).run(x).values[0]
    assert [math.copysign(1.0, value) for value in values if value == 0] == [1.0] * int((values == 0).sum())


@pytest.mark.parametrize("marks", [2, 12, 40, 121, 150])
@pytest.mark.parametrize("emitter", ["numpy", "auto"])
def test_a_lookup_in_a_table_of_any_length(marks: int, emitter: Emitter) -> None:
    input_, output = Address("Model", 1, 1), Address("Model", 1, 3)
    table: dict[Address, Scalar] = {Address("Model", row, 4): row * 2.0 for row in range(1, marks + 1)}
    table |= {Address("Model", row, 5): 1 / row for row in range(1, marks + 1)}
    text = f"=IFERROR(VLOOKUP(A1,D1:E{marks},2),-1)"
    compiled = compile_slice(Cells({input_: 1.0, output: text, **table}, {}), (input_,), (output,), emitter=emitter)
    x = np.random.default_rng(0).integers(0, 5 * marks, (1, TRIALS)) / 2
    assert check(compiled, x, sample=TRIALS) == 0


def test_a_queue_below_its_limit_is_not_checked_for_a_server_without_rest() -> None:
    assert "eq" not in counted(compile_column(["=IF(A2<0.9,A1/(1-A2),0)"], 2))
    assert "eq" in counted(compile_column(["=IF(A2<1.1,A1/(1-A2),0)"], 2))
