"""Formulas nobody wrote, a third time: the scalar evaluator against formualizer.

A difference is traced to the operation it starts in, and must be one of the known ones: each stands below with an
example that pins what formualizer says, so that the day it changes its mind the pin fails. Excel's rule is the judge;
LibreOffice sides with the kernel on these examples but for 0^0 and MATCH.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addin.kernel import Address, Cells, Evaluator, ExcelError, Scalar, parse, show
from addin.kernel.formula.nodes import Binary, Call, Cell, Missing, Node, Range, Unary, children
from tests.kernel.test_compile_random import CONSTANTS, INPUTS, TABLE, formula, trials
from tests.support import formualizer_engine
from tests.support.compare import agree

CELL = Address("Model", 1, 3)
TRIALS = (0, 1, 2)
BELOW_3 = 2.9999999999999996
ERROR = ExcelError
ANY = "any operation"

Values = dict[Address, Scalar]
Arguments = list[Scalar]  # of an operation, as the kernel computes them; None where one is a range


class Known(NamedTuple):
    """A difference: the operations, when it may come up, an example with what formualizer says there, Excel's rule.

    `when` is asked with the arguments, the cells in sight and the text of the operation.
    """

    operations: str
    when: Callable[[Arguments, Values, str], bool]
    example: str
    inputs: tuple[float, ...]  # A1, A2 ...
    formualizer_value: Scalar
    rule: str


def neighbours(arguments: Arguments, values: Values, _: str) -> bool:
    """Tell whether two numbers in sight differ, but not in 15 digits."""
    magnitudes = sorted(abs(v) for v in (*arguments, *values.values()) if type(v) is float)
    return any(0 < b - a <= 1e-14 * b for a, b in pairwise(magnitudes))


def area_as_place(_: Arguments, __: Values, text: str) -> bool:
    return bool(re.search(r"[^A-Z]INDEX\(", text))  # INDEX with the place 0 is a whole area


def no_number(arguments: Arguments, _: Values, __: str) -> bool:
    return any(isinstance(value, bool | str | ExcelError) for value in arguments)


def unsorted(_: Arguments, __: Values, text: str) -> bool:
    return "A1:" in text  # the inputs, which nobody sorts


def first_not_positive(arguments: Arguments, _: Values, __: str) -> bool:
    return float(arguments[0]) <= 0  # type: ignore[arg-type]


def last_below_1(arguments: Arguments, _: Values, __: str) -> bool:
    return float(arguments[-1]) < 1  # type: ignore[arg-type]


def last_is_1(arguments: Arguments, _: Values, __: str) -> bool:
    return arguments[-1] == 1


KNOWN = (
    Known("= <> < <= > >= SUMPRODUCT", neighbours, "A1>=A2", (BELOW_3, 3), False, "comparisons look at 15 digits"),
    Known("MATCH VLOOKUP", neighbours, "MATCH(A1,D1:D4,1)", (BELOW_3,), 3.0, "lookups look at all digits"),
    Known("MATCH", unsorted, "MATCH(1,A1:A4,1)", (3, -1, -21, 0.3), ERROR.NA, "unsorted is searched as sorted"),
    Known("MATCH", no_number, "MATCH(TRUE,D1:D4,1)", (), 2.0, "TRUE is not found among numbers"),
    Known("VLOOKUP", no_number, "VLOOKUP(1/0,D1:F4,2)", (), ERROR.NA, "an error that is looked for is the result"),
    Known("INDEX", last_below_1, "INDEX(A1:A5,-1)", (), ERROR.REF, "a place below 0 is #VALUE!"),
    Known(
        ANY,
        area_as_place,
        "INDEX(A1:A5,INDEX(A1:A5,0))",
        (3, 1, 7),
        ERROR.VALUE,
        "an area is its cell beside",
    ),
    Known("CHOOSE", no_number, "CHOOSE(TRUE,7)", (), ERROR.VALUE, "TRUE is the first place"),
    Known("^ POWER", first_not_positive, "0^0", (), 1.0, "0^0 is #NUM!"),
    Known("^ POWER", first_not_positive, "(-8)^(1/3)", (), ERROR.NUM, "odd roots of negative numbers exist"),
    Known("LOG", last_is_1, "LOG(2,1)", (), ERROR.NUM, "base 1 divides by 0"),
    Known("CEILING FLOOR", last_below_1, "CEILING(5,0)", (), ERROR.DIV0, "CEILING to 0 is 0"),
    Known("CEILING FLOOR", neighbours, "CEILING(1.1*100,1)", (), 111.0, "CEILING looks at 15 digits"),
    Known("MROUND", no_number, "MROUND(7.4,AND(1))", (), 7.0, "no truth value in the Analysis ToolPak"),
    Known("COUNT", no_number, "COUNT(1/0,5)", (), ERROR.DIV0, "COUNT passes over errors"),
)


def written(node: Node) -> str:
    """Return a tree as a formula."""
    match node:
        case Missing():
            return ""
        case Unary("%", operand):
            return f"({written(operand)}%)"
        case Unary(operator, operand):
            return f"({operator}{written(operand)})"
        case Binary(operator, left, right):
            return f"({written(left)}{operator}{written(right)})"
        case Call(name, args):
            return f"{name}({','.join(map(written, args))})"
    return show(node)


def kernel(values: Values, text: str) -> Scalar:
    return Evaluator(Cells({**values, CELL: f"={text}"})).value(CELL)


def differ(values: Values, text: str) -> bool:
    kernel_value, formualizer_value = (
        kernel(values, text),
        formualizer_engine.evaluate({**values, CELL: f"={text}"}, CELL),
    )
    return not agree(comparable(kernel_value), comparable(formualizer_value))


def comparable(value: Scalar) -> float | str | None:
    return value.value if isinstance(value, ExcelError) else float(value) if isinstance(value, bool) else value


def culprit(values: Values, node: Node) -> Node:
    """Return the smallest part that differs; the arguments of SUMPRODUCT are arrays and stay together."""
    if isinstance(node, Call) and node.name == "SUMPRODUCT":
        return node
    for child in children(node):
        if not isinstance(child, Cell | Range | Missing) and differ(values, written(child)):
            return culprit(values, child)
    return node


def is_known(values: Values, node: Node) -> bool:
    operation = node.name if isinstance(node, Call) else getattr(node, "operator", "")
    arguments = [None if isinstance(child, Range) else kernel(values, written(child)) for child in children(node)]
    text = written(node)
    alike = (known for known in KNOWN if known.operations == ANY or operation in known.operations.split())
    return any(known.when(arguments, values, text) for known in alike)


@pytest.mark.slow
@settings(max_examples=1000)
@given(text=formula, seed=st.integers(0, 99))
def test_the_scalar_evaluator_agrees_with_formualizer_but_for_what_is_known(text: str, seed: int) -> None:
    x = trials(seed)
    for trial in TRIALS:
        values: Values = {**dict(zip(INPUTS, map(float, x[:, trial]), strict=True)), **CONSTANTS, **TABLE}
        if differ(values, text):
            part = culprit(values, parse(f"={text}"))
            what = f"={written(part)}", formualizer_engine.evaluate({**values, CELL: f"={written(part)}"}, CELL)
            assert is_known(values, part), (what, kernel(values, written(part)), x[:, trial].tolist())


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.example)
def test_what_formualizer_is_said_to_do_it_does(known: Known) -> None:
    inputs = dict(zip(INPUTS, map(float, known.inputs), strict=False))
    values: Values = {**CONSTANTS, **TABLE, **inputs}
    assert formualizer_engine.evaluate({**values, CELL: f"={known.example}"}, CELL) == known.formualizer_value
    assert differ(values, known.example), known.rule
